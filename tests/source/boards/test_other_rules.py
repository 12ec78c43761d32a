"""Hints: where a simpler rule of movement explains every conflict, it is said below the verdict."""

import json
import re
import shlex

import pytest

from magicert import find_set
from magicert.board import Board, squares_of
from magicert.data import tables_folder
from magicert.table import read_table
from magicert.table.write import table_toml
from magicert.verify.table.other_rules import other_rules

RIVER = "does not leave its half of the board"
CASES = [
    ("pikafish_bishop", "elephant", "elephant@a1-i5,a6-i10", RIVER),
    ("pikafish_bishop", "nA", "nA@a1-i5,a6-i10", RIVER),
    ("pikafish_knight", "horse-to", "horse", "is seen from its own square"),
]


def source(name: str, wrong: int | None = None) -> str:
    """The list of a table, as engines write it; with another number on a square."""
    (half,) = read_table(tables_folder() / "boards" / f"{name}.toml").table.pieces.values()
    words = [*half.parameters["magic"]]
    if wrong is not None:
        words[wrong] = 1
    items = ",\n  ".join(f"B(0x{w >> 64:X}, 0x{w % 2**64:X})" for w in words)
    return f"constexpr Bitboard Magics[{len(words)}] = {{\n  {items}\n}};\n"


@pytest.mark.gate_takes(each_of="text")
@pytest.mark.parametrize(("name", "said", "right", "text"), CASES)
def test_the_command_of_a_hint_gives_what_the_hint_says(run, here, name, said, right, text):
    path = here / "magics.h"
    path.write_text(source(name))
    words = ("--board", "9x10", "--piece", f"Magics={said}")
    result = run("verify", path, *words, status=3)
    hint = f"Magics is right if the piece {text}: magicert "
    assert result.stdout.partition("unknown ")[2].count(hint) == 1, result.stdout
    (command,) = re.findall(f"{re.escape(hint)}(.*)", result.stdout)
    assert f"Magics={right}" in command
    run(*shlex.split(command), status=0)
    (report,) = json.loads(run("verify", path, *words, "--json", status=3).stdout)["reports"]
    notes = report["reading"]["notes"] if "reading" in report else report["notes"]
    assert hint in notes[0]


def test_settings_in_a_file_are_changed_there(run, here):
    (here / "magics.h").write_text(source("pikafish_bishop"))
    settings = here / "magics.h.toml"
    settings.write_text('board = "9x10"\n[Magics]\npiece = "nA"\n')
    result = run("verify", "magics.h", status=3).stdout
    (line,) = re.findall(r": in \[Magics\], (piece = .*)", result)
    settings.write_text(settings.read_text().replace('piece = "nA"', line))
    run("verify", "magics.h", status=0)


def test_one_conflict_that_a_rule_does_not_explain_and_there_is_no_hint(run, here):
    path, e5 = here / "magics.h", 40
    path.write_text(source("pikafish_bishop", wrong=e5))
    for piece in ("nA", "nA@a1-i5,a6-i10"):
        result = run("verify", path, "--board", "9x10", "--piece", f"Magics={piece}", status=3)
        assert "is right if" not in result.stdout


def test_a_table_file_stays_invalid_and_says_which_piece_it_is_right_for(run, here):
    text = (tables_folder() / "boards" / "pikafish_bishop.toml").read_text()
    region = ', region = ["a1-i5", "a6-i10"] }'
    path = here / "elephant.toml"
    path.write_text(text.replace(region, " }"))
    result = run("verify", path, status=1).stdout
    (line,) = re.findall(rf"the elephant is right if it {RIVER}: in \[elephant\], (.*)", result)
    path.write_text(text.replace('piece = { betza = "nA"' + region, line))
    run("verify", path, status=0)


@pytest.mark.parametrize("line", ["sR", "vR", "spR"])
def test_the_list_of_one_line_that_is_taken_for_the_whole_piece(run, here, line):
    """And of two pieces the one that is right keeps its movement."""
    file = find_set([f"a={line}", "b=nN"], board="7x6")
    text = table_toml(file.table)
    path = here / "lines.toml"
    whole = line.replace("s", "").replace("v", "")
    path.write_text(text.replace(f'"{line}"', f'"{whole}"'))
    result = run("verify", path, status=1)
    assert f'in [a], piece = "{line}"' in result.stdout
    assert "in [b]" not in result.stdout


def test_a_rule_does_not_explain_one_wrong_number(run, here):
    """A simpler piece finds room in a list of another, so it would explain any one."""
    table = find_set(["rook"], board="7x6").table
    text = table_toml(table)
    magic = table.pieces["rook"].parameters["magic"][17]
    path = here / "wrong.toml"
    for bit in squares_of(magic):
        path.write_text(text.replace(f"{magic:016x}", f"{magic & ~(1 << bit):016x}"))
        assert "is right if" not in run("verify", path).stdout


def test_a_joined_piece_is_tried_with_all_its_parts_and_stays_wrong_or_right(run, here):
    """Hints are tried on some pieces of a file; a joined one needs those that it is made of."""
    file = find_set(["a=nA@a1-f3,a4-f6", "rook"], board="6x6", form="lines")
    text = table_toml(file.table)
    path = here / "joined.toml"
    path.write_text(text.replace('{ betza = "nA", region = ["a1-f3", "a4-f6"] }', '"nA"'))
    result = run("verify", path, status=1).stdout
    assert f"the a is right if it {RIVER}" in result
    parts = 'parts = ["rook_v", "rook_h"]'
    assert parts in text
    path.write_text(text.replace(parts, 'parts = ["rook_v"]'))
    result = run("verify", path, status=1).stdout
    assert "rook a1: on the empty board it attacks b1, which none of its parts" in result
    assert "is right if" not in result


def test_rules_are_few_and_none_is_the_piece_s_own():
    from magicert.betza import parse_piece

    for board in (Board(9, 10), Board(9, 9), Board(6, 6)):
        for piece in ("R", "B", "pR", "nN", "horse-to", "nA", "NN", "nA@a1-f3"):
            movement = parse_piece(piece, board)
            rules = [rule.movement.rules for rule in other_rules(board, movement)]
            assert movement.rules not in rules
            assert len(rules) <= 4
