"""Emitted text where no toolchain is needed: golden files, brackets, literals, refusals."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import strategies as st

from magicert import __version__
from magicert.board import Piece, mask
from magicert.cli.commands.emit import LanguageName
from magicert.compact.emit import LANGUAGES, Unit, binary, make_unit, printer, template
from magicert.compact.emit.template import load, render
from magicert.compact.layouts import publish_two_level, two_level
from magicert.data import find_table
from magicert.formula.tree import evaluate
from magicert.occupancy import carry_rippler
from magicert.problem import InputError
from magicert.table import Table, read_table
from magicert.table.write import write_table

GOLDEN = Path(__file__).parent / "golden"
WORDS = st.integers(0, (1 << 64) - 1)
PLAIN, LEVELS = "cfish_black", "black_two_level"


@pytest.fixture(scope="module")
def black() -> Unit:
    return make_unit(read_table(find_table("cfish_black")), "magicert emit cfish_black")


def test_the_command_offers_every_language():
    assert LanguageName().choices == (*LANGUAGES, "binary")


@pytest.mark.parametrize("name", ["attacks", "half_board"])
@pytest.mark.parametrize("language", ["go", "csharp", "zig", "swift"])
def test_the_source_is_the_golden_one(
    name: str, language: str, half_board: Table, black: Unit, tmp_path: Path
):
    # To renew after a wanted change: write this text.
    unit = black
    if name == "half_board":
        write_table(half_board, tmp_path / "half.toml")
        unit = make_unit(read_table(tmp_path / "half.toml"), "magicert emit half")
    text = printer(language).emit(unit, literal=False)
    golden = (GOLDEN / f"{name}{LANGUAGES[language].suffix}").read_text()
    assert text.replace(f"magicert {__version__} ", "magicert VERSION ") == golden
    assert ("Half board: ranks 1-4" in text) == (name == "half_board")


@pytest.mark.parametrize("language", sorted(set(LANGUAGES) - {"javascript-32"}))
def test_the_literal_form_holds_the_whole_buffer_and_no_fill_routine(language: str, black: Unit):
    fill, literal = (printer(language).emit(black, form) for form in (False, True))
    words = [int(word, 16) for word in re.findall(r"\b0x([0-9a-f]+)", literal)]
    wanted = [int(word) for word in black.buffers["attacks"].tolist() if word > 255]
    first = next(n for n in range(len(words)) if words[n : n + 50] == wanted[:50])
    assert words[first : first + len(wanted)] == wanted
    assert "walk" in fill
    assert "walk" not in literal


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_header_names_the_certificate_and_the_command(language: str):
    unit = make_unit(read_table(find_table("black_85065")), "magicert emit black_85065")
    source = printer(language).emit(unit, literal=False)
    head = source[:1200]
    assert "black_85065.certificate.json" in head
    assert "magicert emit black_85065" in head
    assert "107,648 lookups" in head


@pytest.mark.parametrize(
    ("table", "language", "expression"),
    [
        (PLAIN, "c", "(((occ | ~magics_rook[square].mask) * magics_rook[square].magic) >> 52)"),
        (PLAIN, "rust", "(((occ | !ROOK[square].mask).wrapping_mul(ROOK[square].magic)) >> 52)"),
        (PLAIN, "java", "(((occ | ~ROOK_MASK[square]) * ROOK_MAGIC[square]) >>> 52)"),
        (LEVELS, "c++", "rook_sets[rook[square].set_offset + numbers[rook[square].offset + ("),
        (LEVELS, "rust", "ROOK_SETS[ROOK[square].set_offset + NUMBERS[ROOK[square].offset + ("),
        (LEVELS, "java", "ROOK_SETS[ROOK_SET_OFFSET[square] + (NUMBERS[ROOK_OFFSET[square] + (int"),
        (
            LEVELS,
            "javascript",
            "ROOK_SETS[ROOK_SET_OFFSET[square] + NUMBERS[ROOK_OFFSET[square] + ",
        ),
    ],
)
def test_the_lookup_is_the_expression_that_an_engine_writes(
    table: str, language: str, expression: str
):
    unit = make_unit(read_table(find_table(table)), "magicert emit test")
    assert expression in printer(language).emit(unit, literal=False)


def test_what_cannot_be_emitted_is_refused(tmp_path: Path):
    text = find_table("cfish_black").read_text()
    broken = tmp_path / "broken.toml"
    broken.write_text(text.replace("  10890,", "  10891,"))
    with pytest.raises(InputError, match="only a valid table"):
        make_unit(read_table(broken), "")
    unit = make_unit(read_table(find_table("stockfish21_64")), "")
    with pytest.raises(InputError, match="shifts by one amount"):
        printer("javascript-32").emit(unit, literal=False)


@pytest.mark.parametrize("name", ["cfish_black", "black_two_level"])
def test_typescript_without_its_types_is_javascript(name: str):
    unit = make_unit(read_table(find_table(name)), "magicert emit test")
    # Node can run TypeScript whose types can be cut out; here they are cut by hand.
    types = r": (readonly )?(\(readonly \[number, number\]\)|bigint|number|Big\w+|Uint\w+)(\[\])*"
    typed = printer("typescript").emit(unit, literal=False).partition("\nconst ")[2]
    plain = printer("javascript").emit(unit, literal=False).partition("\nconst ")[2]
    assert typed != plain
    assert re.sub(types, "", typed) == plain


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_name_stays_within_the_comment(language: str, black: Unit):
    # Java reads \u000a everywhere; C joins lines at a backslash, or at its trigraph.
    name = "\\u000a evil(); \u2028\u202e\x85\x1b[2Jcoding:utf-7 ends ??/"
    header = (name, "+build ignore", "its path is C:\\")
    text = printer(language).emit(replace(black, header=header), literal=False)
    mark = LANGUAGES[language].comment
    shown = (
        r"\x5cu000a evil(); \x{2028}\x{202e}\x85\x1b[2Jcoding\x3autf-7 ends ??\x2f",
        r"\x2bbuild ignore",
        r"its path is C:\x5c",
    )
    assert text.startswith("".join(f"{mark} {line}\n" for line in shown))
    assert all(c.isprintable() or c in "\n\t" for c in text)


def unit_of(name: str | Path) -> Unit:
    path = name if isinstance(name, Path) else find_table(name)
    return make_unit(read_table(path), "magicert emit test")


def looked_up(unit: Unit, pairs: Any) -> list[int]:
    """Lookups by the emitted Python: every 50th of the rooks, every 5th of the bishops."""
    scope: dict[str, Any] = {}
    exec(printer("python").emit(unit, literal=False), scope)
    rooks = [scope["rook_attacks"](*pair) for pair in pairs[:102_400:50]]
    return rooks + [scope["bishop_attacks"](*pair) for pair in pairs[102_400::5]]


def some(answers: Any) -> list[int]:
    return [*answers[:102_400:50], *answers[102_400::5]]


@pytest.fixture
def packed(tmp_path: Path) -> Path:
    """A two-level table of 16-bit numbers with its finished buffers, as the packer writes it."""
    path = tmp_path / "packed.toml"
    publish_two_level(two_level(read_table(find_table("black")).table, 16), path)
    return path


def whole(packed: Path) -> Path:
    """The same with one numbering for all of a piece's attack sets, backwards."""
    table = read_table(packed).table
    unit = unit_of(packed)
    assert unit.levels is not None
    numbers = np.fromfile(packed.parent / "packed.numbers.bin", dtype="<u2")
    pieces = {}
    for piece, half in table.pieces.items():
        sets = unit.levels.sets[piece]
        sets[::-1].astype("<u8").tofile(packed.parent / f"packed.{piece}-sets.bin")
        pieces[piece] = replace(half, set_offset=(0,))
        for row, start in enumerate(unit.levels.starts[piece]):
            slots = slots_of(table.pieces[piece], row)
            numbers[slots] = len(sets) - 1 - start - numbers[slots]
    numbers.tofile(packed.parent / "packed.numbers.bin")
    write_table(replace(table, pieces=pieces), packed)
    return packed


def slots_of(half: Any, row: int) -> Any:
    relevant = mask(half.piece, row)
    values = {name: v[0] if len(v) == 1 else v[row] for name, v in half.parameters.items()}
    index = [
        evaluate(half.index.tree, {**values, "mask": relevant, "occ": occ})
        for occ in carry_rippler(relevant)
    ]
    return np.unique(np.array(index) + half.offset[row])


def test_numbers_of_16_bits_beside_finished_buffers(packed: Path, all_lookups: Any):
    unit = unit_of(packed)
    assert looked_up(unit, all_lookups.pairs) == some(all_lookups.attacks)


def test_a_numbering_of_its_own_is_emitted(packed: Path, all_lookups: Any):
    unit = unit_of(whole(packed))
    assert looked_up(unit, all_lookups.pairs) == some(all_lookups.attacks)


def test_one_numbering_for_all_squares_needs_its_finished_buffers(packed: Path):
    table = read_table(packed).table
    pieces = {
        p: replace(half, set_offset=(0,), literal_sets=None) for p, half in table.pieces.items()
    }
    path = packed.with_name("numberless.toml")
    write_table(replace(table, pieces=pieces, literal=None), path)
    with pytest.raises(InputError, match="expected the finished buffers"):
        unit_of(path)


def test_the_binary_is_the_numbers_and_then_the_attack_sets(all_lookups: Any):
    unit = unit_of("ankan_byte")  # without set_offsets
    data = binary(unit)
    assert len(data) == unit.bytes == 97_264 + 8 * (4_900 + 1_428)
    words = np.frombuffer(data[97_264:], dtype="<u8")
    assert set(words.tolist()) == set(all_lookups.attacks)
    assert unit.levels is not None
    assert list(unit.levels.sets) == list(Piece)


LINES = """
%% for pieces
%% if large
$piece of $size$$
%% else
%% if uses swap(
small $piece
%% end
%% end
%% end
last
"""


def test_lines_are_there_for_each_item_and_on_a_condition():
    scope = {"calls": "x + swap(y)", "size": 3, "pieces": [
        {"piece": "rook", "large": True}, {"piece": "king", "large": False},
    ]}  # fmt: skip
    parts = template.parse(LINES.strip().splitlines(), "here")
    assert render(parts, scope) == "rook of 3$\nsmall king\nlast\n"
    assert render(parts, {**scope, "calls": "swap"}) == "rook of 3$\nlast\n"
    with pytest.raises(KeyError, match="size"):
        render(parts, {"calls": "", "pieces": scope["pieces"]})


def test_a_file_is_included_as_far_to_the_right(tmp_path: Path):
    (tmp_path / "outer").write_text("begin\n%% if inside\n    %% include inner\n%% end\n")
    (tmp_path / "inner").write_text("one {\n\n    %% include most\n}\n")
    (tmp_path / "most").write_text("%% if inside\ntwo\n%% end\n")
    text = render(load(tmp_path / "outer"), {"inside": True})
    assert text == "begin\n    one {\n\n        two\n    }\n"


@pytest.mark.parametrize(
    "text", ["%% if x", "%% end", "%% else", "%% for x\n%% else", "%% unless x"]
)
def test_a_line_that_means_nothing_is_refused(text: str):
    with pytest.raises(ValueError, match="here: "):
        template.parse(text.splitlines(), "here")
