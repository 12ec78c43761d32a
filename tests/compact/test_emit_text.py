"""What needs no toolchain: emitted text, golden files, names, refusals, files that are written
over, and sources that are read back.
"""

import errno
import json
import re
import shlex
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import Result

from magicert import __version__
from magicert.chess import Piece, mask
from magicert.commands.emit import LanguageName
from magicert.compact import layouts
from magicert.compact.emit import (
    LANGUAGES,
    EmittedTable,
    binary,
    own_name,
    prepare_table,
    printer,
)
from magicert.compact.emit.template import load, render
from magicert.compact.emit.ways import print_way, ways, ways_of
from magicert.compact.two_level import publish_two_level, two_level
from magicert.data import find_table
from magicert.formula import parse
from magicert.formula.tree import evaluate
from magicert.occupancy import carry_rippler
from magicert.problem import InputError
from magicert.table import Provenance, read_table
from magicert.table.write import write_table
from magicert.verify.table.report import to_json
from magicert.verify.table.verifier import verify

Run = Callable[..., Result]
GOLDEN = Path(__file__).parent / "golden"
PLAIN, LEVELS = "cfish_black", "black_two_level"


@cache
def unit_of(table: str | Path) -> EmittedTable:
    path = table if isinstance(table, Path) else find_table(table)
    return prepare_table(read_table(path), f"magicert emit {path.stem}")


def emitted(language: str, table: str | Path, literal: bool = False) -> str:
    return printer(language).emit(unit_of(table), literal=literal)


def emit(run: Run, *arguments: str | Path, status: int | None = None) -> Result:
    return run("emit", PLAIN, "--lang", *arguments, status=status)


@pytest.mark.parametrize("name", ["attacks", "half_board"])
@pytest.mark.parametrize("language", ["go", "csharp", "zig"])
def test_the_source_is_the_golden_one(name, language, half_board, tmp_path):
    # To renew after a wanted change: write this text.
    unit = unit_of(PLAIN)
    if name == "half_board":
        write_table(half_board, tmp_path / "half.toml")
        unit = prepare_table(read_table(tmp_path / "half.toml"), "magicert emit half")
    text = printer(language).emit(unit, literal=False)
    golden = (GOLDEN / f"{name}{LANGUAGES[language].suffix}").read_text()
    assert text.replace(f"magicert {__version__} ", "magicert VERSION ") == golden
    assert ("Half board: ranks 1-4" in text) == (name == "half_board")


@pytest.mark.gate_takes(first=4)
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_literal_form_holds_the_whole_buffer_and_no_fill_routine(language):
    fill, literal = (emitted(language, PLAIN, form) for form in (False, True))
    words = [int(word, 16) for word in re.findall(r"\b0x([0-9a-f]+)", literal)]
    wanted = [int(word) for word in unit_of(PLAIN).buffers["attacks"].tolist() if word > 255]
    first = next(n for n in range(len(words)) if words[n : n + 50] == wanted[:50])
    assert words[first : first + len(wanted)] == wanted
    assert ("walk" in fill, "walk" in literal) == (True, False)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_header_names_the_certificate_and_the_command_and_stays_a_comment(language):
    head = emitted(language, "black_85065")[:1600]
    for said in ("black_85065.certificate.json", "magicert emit black_85065", "107,648 lookups"):
        assert said in head
    # Java reads \u000a everywhere; C joins lines at a backslash, or at its trigraph.
    name = "\\u000a evil(); \u2028\u202e\x85\x1b[2Jcoding:utf-7 ends ??/"
    unit = replace(unit_of(PLAIN), header=(name, "+build ignore", "its path is C:\\"))
    text = printer(language).emit(unit, literal=False)
    shown = (
        r"\x5cu000a evil(); \x{2028}\x{202e}\x85\x1b[2Jcoding\x3autf-7 ends ??\x2f",
        r"\x2bbuild ignore",
        r"its path is C:\x5c",
    )
    mark = LANGUAGES[language].comment
    assert text.startswith("".join(f"{mark} {line}\n" for line in shown))
    assert all(c.isprintable() or c in "\n\t" for c in text)


@pytest.mark.cases_of("the_lookup_is_the_expression_that_an_engine_writes.tsv")
def test_the_lookup_is_the_expression_that_an_engine_writes(table, language, expression):
    assert expression in emitted(language, table)


@pytest.mark.parametrize("name", [PLAIN, LEVELS, *ways_of("typescript")])
def test_typescript_without_its_types_is_javascript(name):
    # Node can run TypeScript whose types can be cut out; here they are cut by hand.
    words = r"\(readonly \[number, number\]\)|bigint|number|void|Big\w+|U?[Ii]nt\w+"
    types = rf": (readonly )?({words})(\[\])*"

    def text(language: str) -> str:
        return print_way(name, printer(language)) if name in ways() else emitted(language, name)

    typed, plain = (text(each).partition("\nconst ")[2] for each in ("typescript", "javascript"))
    assert typed != plain
    assert re.sub(types, "", typed) == plain


@pytest.mark.cases_of("names_live_where_they_are_told_to.tsv")
def test_names_live_where_they_are_told_to(run, here, arguments, lines):
    done = emit(run, *shlex.split(arguments), status=0)
    text = "".join(path.read_text() for path in here.iterdir()) or done.stdout
    assert {*lines.split(" | ")} <= {*text.splitlines()}


def test_a_language_has_other_names(run):
    """The comment at the top says the same command, whichever was said."""
    assert LanguageName().choices == (*LANGUAGES, "binary")
    page = (Path(__file__).parents[2] / "docs" / "emitting.md").read_text("utf-8")
    for text in (run("emit", "--help").stdout, page):
        assert {*LANGUAGES} - {*re.split(r"[\s,;.]+", text)} == set()
    assert emit(run, "cpp").stdout == emit(run, "c++").stdout != ""
    others = {"c++": "cpp C++ hpp", "javascript": "js", "python": "py", "rust": "rs Rust",
              "typescript": "ts", "go": "golang", "csharp": "cs c#", "c": "h"}  # fmt: skip
    for language, names in others.items():
        assert {own_name(name) for name in names.split()} == {language}


def test_what_cannot_be_emitted_is_refused(tmp_path):
    broken = tmp_path / "broken.toml"
    broken.write_text(find_table(PLAIN).read_text().replace("  10890,", "  10891,"))
    with pytest.raises(InputError, match="only a valid table"):
        unit_of(broken)


@pytest.mark.parametrize("name", ["Rook", "ROOK", "ro-ok", "ro_ok"])
def test_two_pieces_that_a_language_calls_by_one_name_are_refused(run, tmp_path, name):
    table = tmp_path / "t.toml"
    pieces = ("--piece", "rook", "--piece", f"{name}=pR")
    assert run("find", "--set", "--board", "4x4", *pieces, "-o", table).exit_code == 0
    for language in LANGUAGES:
        done = run("emit", table, "--lang", language)
        assert (done.exit_code, f"[rook] and [{name}]: expected" in done.stderr) == (2, True)
    assert run("emit", table, "--lang", "binary", "-o", tmp_path / "t.bin").exit_code == 0


def test_helpers_of_typescript_are_those_of_javascript_with_types_and_stand_where_they_are_used():
    text = (Path(__file__).parent / "programs" / "formulas" / "formulas.txt").read_text()
    trees = [parse(line).tree for line in text.splitlines() if line]
    typed, plain = (printer(each).needed(trees) for each in ("typescript", "javascript"))
    assert typed != plain
    assert typed.replace(": bigint", "") == plain
    for language in LANGUAGES:
        assert printer(language).needed([parse("(occ | ~mask) & mask").tree]) == ""


@pytest.mark.cases_of("functions_are_what_the_language_calls_them.tsv")
def test_functions_are_what_the_language_calls_them(language, text, expression):
    assert printer(language).text(parse(text).tree, {"occ": "occ", "mask": "mask"}) == expression


# Files.


def test_a_table_is_not_written_over(run, tmp_path):
    table, before = tmp_path / "k.toml", find_table(PLAIN).read_bytes()
    table.write_bytes(before)
    for force in ([], ["--force"]):
        done = run("emit", table, "--lang", "c", "-o", table, *force)
        assert (done.exit_code, "k.toml: is an input" in done.output) == (2, True)
    assert table.read_bytes() == before


def test_a_file_of_somebody_else_needs_force_and_a_full_disk_leaves_the_old_one(
    run, tmp_path, monkeypatch
):
    path = tmp_path / "magics.h"
    path.write_text("/* a year of work */\n")
    done = emit(run, "c", "-o", path, status=2)
    assert "magics.h: exists, and magicert did not write it" in done.output
    assert path.read_text() == "/* a year of work */\n"
    assert emit(run, "c", "-o", path, "--force").exit_code == 0
    before = path.read_bytes()

    def full(self: Path, data: bytes) -> int:
        with self.open("wb") as file:
            file.write(data[:2048])
        raise OSError(errno.ENOSPC, "No space left on device", str(self))

    with monkeypatch.context() as patch:
        patch.setattr(Path, "write_bytes", full)
        done = emit(run, "c", "--literal", "-o", path)
    assert done.exit_code == 2
    assert f"{path}: No space left on device" in done.output
    assert path.read_bytes() == before
    assert [found.name for found in tmp_path.iterdir()] == ["magics.h"]
    assert emit(run, "c", "--literal", "-o", path).exit_code == 0, "magicert's own file"


def squares(report: dict[str, Any]) -> list[dict[str, Any]]:
    """What tells one table's squares from another's."""
    keys = ("piece", "square", "index_min", "index_max", "offset", "slots_used")
    return [{key: square[key] for key in keys} for square in report["squares"]]


@cache
def squares_of(path: Path) -> list[dict[str, Any]]:
    return squares(json.loads(to_json(verify(read_table(path)))))


@pytest.fixture(scope="module")
def bishops(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Bishops one behind the other, in two levels."""
    layout, placements = layouts.from_table(read_table(find_table(PLAIN))), []
    for placement in layout.placements:
        if placement.piece is Piece.BISHOP:
            placements.append(placement.at(placements[-1].end if placements else 0))
    table = layouts.to_table(replace(layout, placements=tuple(placements)), "bishops", Provenance())
    path = tmp_path_factory.mktemp("levels") / "bishops.toml"
    write_table(two_level(table, 8), path)
    return path


@pytest.mark.parametrize(
    ("language", "name"),
    [
        # Thousands of numbers are read back by `make long`.
        pytest.param(language, name, marks=pytest.mark.long if name == "bishops" else ())
        for language in LANGUAGES
        for name in ("stockfish21_64", "bishops")
    ],
)
def test_an_emitted_source_is_read_back_as_the_same_table(run, language, name, bishops, tmp_path):
    table = bishops if name == "bishops" else find_table(name)
    source = tmp_path / f"attacks{LANGUAGES[language].suffix}"
    run("emit", table, "--lang", language, "-o", source, status=0)
    meant = ("--piece", "bishop") if name == "bishops" else ()
    read = run("verify", source, "--json", *meant, status=0)
    (report,) = json.loads(read.stdout)["reports"]
    assert report["verdict"] == "valid"
    assert squares(report) == squares_of(table)


# Two levels with finished buffers.


@pytest.fixture
def packed(tmp_path: Path) -> Path:
    """A two-level table of 16-bit numbers with its finished buffers, as the packer writes it."""
    path = tmp_path / "packed.toml"
    publish_two_level(two_level(read_table(find_table("black")).table, 16), path)
    return path


def whole(packed: Path) -> Path:
    """The same with one numbering for all attack sets of the bishops, backwards."""
    table, levels = read_table(packed).table, unit_of(packed).levels
    assert levels is not None
    bishop = Piece.BISHOP
    half, sets = table.pieces[bishop], levels.sets[bishop]
    numbers = np.fromfile(packed.parent / "packed.numbers.bin", dtype="<u2")
    sets[::-1].astype("<u8").tofile(packed.parent / f"packed.{bishop}-sets.bin")
    for row, start in enumerate(levels.starts[bishop]):
        slots = slots_of(half, row)
        numbers[slots] = len(sets) - 1 - start - numbers[slots]
    numbers.tofile(packed.parent / "packed.numbers.bin")
    other = packed.with_name("whole.toml")
    pieces = {**table.pieces, bishop: replace(half, set_offset=(0,))}
    write_table(replace(table, pieces=pieces), other)
    return other


def slots_of(half: Any, row: int) -> Any:
    relevant = mask(half.piece, row)
    values = {name: v[0] if len(v) == 1 else v[row] for name, v in half.parameters.items()}
    index = [
        evaluate(half.index.tree, {**values, "mask": relevant, "occ": occ})
        for occ in carry_rippler(relevant)
    ]
    return np.unique(np.array(index) + half.offset[row])


def test_16_bit_numbers_beside_finished_buffers_and_a_numbering_of_its_own(packed, answers):
    for variant in (packed, whole(packed)):
        answers(emitted("python", variant))
    # One numbering for all squares needs its finished buffers.
    table = read_table(packed).table
    pieces = {
        p: replace(half, set_offset=(0,), literal_sets=None) for p, half in table.pieces.items()
    }
    path = packed.with_name("numberless.toml")
    write_table(replace(table, pieces=pieces, literal=None), path)
    with pytest.raises(InputError, match="expected the finished buffers"):
        unit_of(path)


def test_the_binary_is_the_numbers_and_then_the_attack_sets(all_lookups):
    words = np.frombuffer(binary(unit_of(PLAIN)), dtype="<u8")
    assert len(words) == 87_988
    assert set(words[words != 0].tolist()) == set(all_lookups.attacks)
    unit = unit_of("ankan_byte")  # without set_offsets
    data = binary(unit)
    assert len(data) == unit.bytes == 97_264 + 8 * (4_900 + 1_428)
    words = np.frombuffer(data[97_264:], dtype="<u8")
    assert set(words.tolist()) == set(all_lookups.attacks)
    assert unit.levels is not None
    assert list(unit.levels.sets) == list(Piece)


# Templates.

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


def test_lines_are_there_for_each_item_and_on_a_condition(tmp_path):
    scope = {"calls": "x + swap(y)", "size": 3, "pieces": [
        {"piece": "rook", "large": True}, {"piece": "king", "large": False},
    ]}  # fmt: skip
    (tmp_path / "lines").write_text(LINES)
    parts = load(tmp_path / "lines")
    assert render(parts, scope) == "\nrook of 3$\nsmall king\nlast\n"
    assert render(parts, {**scope, "calls": "swap"}) == "\nrook of 3$\nlast\n"


@pytest.mark.cases_of("a_template_says_what_nothing_goes_into.tsv")
def test_a_template_says_what_nothing_goes_into(text, message, tmp_path):
    """With the file and the line, also of one that is included."""
    (tmp_path / "outer").write_text("$size\n%% include inner\n")
    (tmp_path / "inner").write_text(f"first\n{text}\n")
    with pytest.raises(InputError) as caught:
        render(load(tmp_path / "outer"), {"size": 3, "square": "s", "calls": ""})
    assert str(caught.value).startswith(f"{tmp_path / 'inner'}:{message}")


def test_a_template_that_is_not_there_is_named(tmp_path):
    (tmp_path / "outer").write_text("%% include inner\n")
    with pytest.raises(InputError, match=f"{tmp_path / 'inner'}: cannot be read"):
        load(tmp_path / "outer")


def test_a_file_is_included_as_far_to_the_right(tmp_path):
    (tmp_path / "outer").write_text("begin\n%% if inside\n    %% include inner\n%% end\n")
    (tmp_path / "inner").write_text("one {\n\n    %% include most\n}\n")
    (tmp_path / "most").write_text("%% if inside\ntwo\n%% end\n")
    text = render(load(tmp_path / "outer"), {"inside": True})
    assert text == "begin\n    one {\n\n        two\n    }\n"


@pytest.mark.parametrize(
    "text", ["%% if x", "%% end", "%% else", "%% for x\n%% else", "%% unless x"]
)
def test_a_line_that_means_nothing_is_refused(text, tmp_path):
    (tmp_path / "lines").write_text(text)
    with pytest.raises(InputError, match=rf"{tmp_path / 'lines'}:\d: "):
        load(tmp_path / "lines")
