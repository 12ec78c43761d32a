"""Layered tables in sources: the code ANDs the loaded word with a list of lines."""

import re
from pathlib import Path

import pytest

from magicert.board import Piece
from magicert.compact.emit import LANGUAGES, make_unit
from magicert.data import find_table
from magicert.table import read_table
from magicert.verify.source.lists.game import CHESS_GAME
from magicert.verify.source.readings.judge import judge

EXTENSIONS = {
    "c": "h", "c++": "hpp", "csharp": "cs", "go": "go", "java": "java", "javascript": "js",
    "python": "py", "rust": "rs", "swift": "swift", "typescript": "ts", "zig": "zig",
}  # fmt: skip
AND_LINE = re.compile(r"\] & [\w.\[\]]*line\w*(\[square\])?(\.line)?", re.IGNORECASE)


@pytest.fixture(scope="module")
def layered():
    return read_table(find_table("layered"))


@pytest.fixture(scope="module")
def unit(layered):
    return make_unit(layered, "magicert emit layered")


def written(unit, language):
    return LANGUAGES[language]().emit(unit, literal=False)


def read(name, text):
    return judge([(Path(name), text.encode())])


@pytest.mark.parametrize("language", sorted(EXTENSIONS))
def test_an_emitted_table_is_read_back(layered, unit, language):
    text = written(unit, language)
    assert len(AND_LINE.findall(text)) >= 2
    judgement = read(f"attacks.{EXTENSIONS[language]}", text)
    assert judgement.verdict == "valid"
    assert judgement.doubts == []
    reading = judgement.valid[0]
    for piece in Piece:
        found, wanted = reading.table.pieces[piece], layered.table.pieces[piece]
        assert found.result is not None
        assert found.result.text == "word & line"
        assert found.parameters["magic"] == wanted.parameters["magic"]
        assert "line" not in found.parameters  # the source's are what the board says
        stated = reading.sources[f"{piece}.result"]
        line = text.splitlines()[int(stated.split("line ")[-1].rstrip(")")) - 1]
        assert AND_LINE.search(line)
        assert "!=" not in line
    assert reading.table.shared


def test_lists_of_lines_alone_make_no_layer(unit):
    """Without an AND the words are attack sets, and many squares clash."""
    text = AND_LINE.sub("]", written(unit, "java"))
    judgement = read("Attacks.java", text)
    assert judgement.verdict == "invalid"
    assert judgement.nearest[0].table.pieces[Piece.ROOK].result is None
    assert judgement.nearest[0].bad_squares > 60


def test_an_and_with_the_other_pieces_lines_makes_none(unit):
    text = written(unit, "java").replace("& ROOK_LINE[", "& BISHOP_LINE[")
    judgement = read("Attacks.java", text)
    assert judgement.verdict == "invalid"
    assert judgement.nearest[0].table.pieces[Piece.ROOK].result is None


def test_a_wrong_line_is_found(unit):
    text = written(unit, "java")
    right = "0x1010101010101feL"
    assert text.count(right) == 1
    judgement = read("Attacks.java", text.replace(right, "0x1010101010101fcL"))
    assert judgement.verdict == "invalid"
    findings = judgement.nearest[0].report.findings
    assert {square for finding in findings for square in finding.squares} == {"rook a1"}
    assert judgement.nearest[0].table.pieces[Piece.ROOK].parameters["line"][0] == 0x1010101010101FC


STRUCT = "struct E {{ u64 magic, line; }};\nstruct E rook_magics[64] = {{\n{}\n}};\n"
MASKED = (
    "u64 f(int s) { return all[s][(occ() & rook_magics[s].mask) * rook_magics[s].magic >> 52]; }"
)
LOADED = "u64 f(int s) { struct E *e = &rook_magics[s]; return attacks[slot(s)] & e->line; }"
COUNTED = "u64 f(int s) { struct E *e = &rook_magics[s]; return pieces[side] & e->occupied; }"


@pytest.mark.parametrize(
    ("code", "is_layered"), [("", False), (MASKED, False), (COUNTED, False), (LOADED, True)]
)
def test_an_and_with_an_item_counts_where_it_is_a_line(shipped, code: str, is_layered: bool):
    magics = shipped("bbc").pieces[Piece.ROOK].parameters["magic"]
    lines = CHESS_GAME.lines(Piece.ROOK, CHESS_GAME.arrangements[0]).tolist()
    rows = [f"{{ {a:#x}ULL, {b:#x}ULL }}," for a, b in zip(magics, lines, strict=True)]
    judgement = read("rook_magics.c", STRUCT.format("\n".join(rows)) + code)
    found = judgement.valid[0].table.pieces[Piece.ROOK]
    assert found.parameters["magic"] == magics
    assert (found.result is not None) is is_layered
