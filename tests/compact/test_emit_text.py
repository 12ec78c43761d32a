"""Emitted text where no toolchain is needed: golden files, brackets, literals, refusals."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from magicert import __version__
from magicert.cli.commands.emit import LanguageName
from magicert.compact.emit import LANGUAGES, Unit, make_unit, printer
from magicert.compact.emit.unit import fold
from magicert.data import find_table
from magicert.formula import parse
from magicert.formula.tree import evaluate
from magicert.problem import InputError
from magicert.table import Table, read_table
from magicert.table.write import write_table

GOLDEN = Path(__file__).parent / "golden"
WORDS = st.integers(0, (1 << 64) - 1)


@pytest.fixture(scope="module")
def black() -> Unit:
    return make_unit(read_table(find_table("cfish_black")), "magicert emit cfish_black")


def test_the_command_offers_every_language():
    assert LanguageName().choices == (*LANGUAGES, "binary")


@pytest.mark.parametrize("language", ["go", "csharp", "zig", "swift"])
def test_the_source_is_the_golden_one(language: str, black: Unit):
    # To renew after a wanted change: magicert emit cfish_black --lang ... -o golden/...
    golden = GOLDEN / f"attacks{LANGUAGES[language].suffix}"
    text = printer(language).emit(black, literal=False)
    assert text.replace(f"magicert {__version__} ", "magicert VERSION ") == golden.read_text()


@pytest.mark.parametrize("language", ["go", "csharp", "zig", "swift"])
def test_the_source_of_a_half_board_is_the_golden_one(
    language: str, half_board: Table, tmp_path: Path
):
    # To renew after a wanted change: write this text.
    golden = GOLDEN / f"half_board{LANGUAGES[language].suffix}"
    path = tmp_path / "half.toml"
    write_table(half_board, path)
    text = printer(language).emit(make_unit(read_table(path), "magicert emit half"), False)
    assert text.replace(f"magicert {__version__} ", "magicert VERSION ") == golden.read_text()
    assert "Half board: ranks 1-4" in text


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
    ("language", "expression"),
    [
        ("c", "(((occ | ~magics_rook[square].mask) * magics_rook[square].magic) >> 52)"),
        ("rust", "(((occ | !ROOK[square].mask).wrapping_mul(ROOK[square].magic)) >> 52)"),
        ("go", "(((occ | ^rookMagics[square].mask) * rookMagics[square].magic) >> 52)"),
        ("java", "(((occ | ~ROOK_MASK[square]) * ROOK_MAGIC[square]) >>> 52)"),
        ("swift", "(((occ | ~rook_mask[square]) &* rook_magic[square]) &>> 52)"),
        ("zig", "(((occ | ~rook[square].mask) *% rook[square].magic) >> 52)"),
    ],
)
def test_the_lookup_is_the_expression_that_an_engine_writes(
    language: str, expression: str, black: Unit
):
    assert expression in printer(language).emit(black, literal=False)


@given(occ=WORDS, magic=WORDS, bits=st.integers(1, 16))
def test_folding_scalars_changes_no_value(occ: int, magic: int, bits: int):
    tree = parse("((occ | ~mask) * magic) >> (64 - bits)").tree
    values = {"occ": occ, "mask": 0x7E, "magic": magic, "bits": bits}
    assert evaluate(fold(tree, {"bits": bits}), values) == evaluate(tree, values)


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
