"""`magicert show`: squares, occupancies and orders are those of the board, whatever names it."""

import itertools
import json
from pathlib import Path

import pytest

from magicert.board import parse_board, place_of
from magicert.table import read_table


@pytest.fixture(scope="module")
def wide(run, tmp_path_factory) -> Path:
    """A table of horses on 16x8."""
    path: Path = tmp_path_factory.mktemp("wide") / "wide.toml"
    run("find", "--set", "--piece", "horse", "--board", "16x8", "-o", path, status=0)
    return path


def test_the_board_is_that_of_the_table_in_any_order_of_the_words(run, wide):
    """And the slot is what the formula says."""
    groups = (["--table", wide], ["--occupancy", "o8,a1"], ["horse", "p8"])
    outputs = {
        run("show", *itertools.chain(*some), "--json", status=0).stdout
        for some in itertools.permutations(groups)
    }
    (output,) = outputs
    shown = json.loads(output)
    board = read_table(wide).table.board
    assert (shown["board"], shown["attacked"]) == ("16x8", ["o6"])
    lookup = shown["lookup"]
    values = {name: int(word, 16) for name, word in lookup["parameters"].items()}
    occupied = int(shown["occupancy"], 16)
    assert occupied == sum(1 << board.parse(name) for name in ("o8", "a1"))
    product = (occupied & values["mask"]) * values["magic"] % (1 << 128)
    assert lookup["index"] == product >> (128 - values["bits"])
    assert lookup["slot"] == lookup["offset"] + lookup["index"]
    run("show", "horse", "p8", "--board", "16x8", status=0)


def test_a_joined_piece_is_looked_up_by_its_parts(run):
    words = ("show", "rook", "e5", "--table", "xiangqi-small", "--occupancy", "e6,b5")
    shown = json.loads(run(*words, "--json", status=0).stdout)
    assert shown["attacked"][:4] == ["e1", "e2", "e3", "e4"]
    assert list(shown["lookups"]) == ["rook_v", "rook_h"]
    assert "rook_h: ((occ & mask)" in run(*words, status=0).stdout


@pytest.mark.parametrize(
    ("name", "same"),
    [("amazon", "QN"), ("archbishop", "BN"), ("chancellor", "RN"), ("gold", "WfF"), ("mann", "K")],
)
def test_pieces_of_variants_have_names(run, name, same):
    called, written = (
        json.loads(run("show", piece, "e5", "--board", "9x10", "--json", status=0).stdout)
        for piece in (name, same)
    )
    assert called["attacked"] == written["attacked"] != []


def test_every_square_of_another_board_can_be_named(run, wide):
    board = read_table(wide).table.board
    for square in map(board.name, range(7, board.squares, 24)):
        for words in (["--table", wide], ["--board", "16x8"]):
            text = run("show", "horse", square, *words, "--occupancy", square, status=0).stdout
            assert text.startswith(
                f"horse {square}, occupancy {board.hex(1 << board.parse(square))}"
            )


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("horse q1 --table WIDE", "'q1' is not on this board: expected a1..p8"),
        ("horse a1 --occupancy a9 --table WIDE", "'a9' is not on this board: expected a1..p8"),
        ("horse a1 --table WIDE --board 9x10", "--board 9x10: expected 16x8, the board of --table"),
        ("rook a1 --table shakmaty --board 9x10", "expected 8x8, the board of --table"),
        ("rook p8 --table EMPTY", "EMPTY"),
        ("rook a1 --board 9x10 --occupancy 0x80000000000000000000000000000000", "9x10 has 90"),
        ("rook a1 --board 9x10 --layouts a11", "'a11' is not on this board: expected a1..i10"),
        ("rook a1 --table WIDE", "no [rook] in this table: expected one of horse"),
    ],
)
def test_what_is_wrong_is_said_with_the_board_that_counts(run, wide, tmp_path, words, message):
    empty = tmp_path / "empty.toml"
    empty.write_text("")
    texts = {"WIDE": str(wide), "EMPTY": str(empty)}
    given = [texts.get(word, word) for word in words.split()]
    output = run("show", *given, status=2).output
    assert texts.get(message, message) in output
    assert "a1..h8" not in output


def test_orders_are_those_of_the_board(run):
    """All that a board has; a number is turned back into the squares that made it."""
    result = run("show", "rook", "a1", "--board", "9x10", "--layouts", "i10", "e5", "--json")
    orders = json.loads(result.stdout)["orders"]
    assert {"a1", "i1", "a10", "i10-files"} < {*orders}
    board = parse_board("9x10")
    squares = [board.parse(name) for name in ("i10", "e5")]
    for order, word in orders.items():
        assert int(word, 16) == sum(1 << place_of(order, square, board) for square in squares)
        again = run("show", "rook", "a1", "--board", "9x10", "--layouts", word, "--json")
        assert int(json.loads(again.stdout)["orders"][order], 16) == sum(1 << s for s in squares)


def test_the_masks_are_those_of_the_table(run, wide):
    """Least ones leave out squares that no attack depends on."""
    masks = [
        json.loads(run("show", "horse", "a1", *words, "--json").stdout)["mask"]
        for words in (["--table", wide], ["--board", "16x8"])
    ]
    assert read_table(wide).table.pieces["horse"].masks == "least"
    assert int(masks[0], 16) & ~int(masks[1], 16) == 0
