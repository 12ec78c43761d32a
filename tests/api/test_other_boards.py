"""What the functions for Python programs say of other boards than chess's."""

import pytest

import magicert
from magicert.board import place_of, square_at
from magicert.problem import InputError

ELEPHANT = "elephant@a1-i5,a6-i10"


def magics(name: str) -> list[int]:
    (half,) = magicert.read_table(name).table.pieces.values()
    return list(half.parameters["magic"])


@pytest.mark.parametrize(("name", "piece", "lookups"), [
    ("pikafish_bishop", ELEPHANT, 552), ("pikafish_knight", "nN", 896),
])  # fmt: skip
def test_magics_of_any_piece(name, piece, lookups):
    """Without bits, as many as the usual mask has squares; whatever the piece is called."""
    report = magicert.certify(board="9x10", a={"piece": piece, "magic": magics(name)})
    assert (report.verdict, report.report.lookups) == ("valid", lookups)
    assert report.remarks == ()


def test_lists_in_another_order():
    """Each square has the bits of its own mask."""
    words, board = magics("pikafish_bishop"), magicert.read_table("pikafish_bishop").table.board
    rows = [words[square_at("a10", row, board)] for row in range(90)]
    columns = {"piece": ELEPHANT, "magic": rows}
    assert magicert.certify(board=board, elephant=columns, listing="a10").valid
    assert not magicert.certify(board=board, elephant=columns).valid
    assert place_of("a10", 0, board) == 81


def test_a_rook_of_another_board():
    words = magicert.find_set("a=R", board="6x6", seed=3, masks="usual").table.pieces["a"]
    magic = list(words.parameters["magic"])
    assert magicert.certify(magic, board="6x6").valid
    with pytest.raises(InputError, match="35 values: expected 36, one a square of 6x6"):
        magicert.certify(magic[:-1], board="6x6")


def test_a_source_with_its_board(tmp_path):
    path = tmp_path / "magics.h"
    words = magics("pikafish_bishop")
    items = ", ".join(f"B(0x{w >> 64:x}, 0x{w % 2**64:x})" for w in words)
    path.write_text(f"constexpr Bitboard Elephants[90] = {{{items}}};\n")
    board = {"board": "9x10"}
    assert magicert.certify_table(path, **board, pieces={"Elephants": ELEPHANT}).valid
    report = magicert.certify_table(path, **board, pieces={"Elephants": "elephant"})
    assert report.verdict == "invalid"
    assert "Elephants is right if the piece does not leave its half" in report.remarks[0]
    for wrong, message in (
        ({"board": "9x"}, "expected files and ranks"), ({"pieces": ["R"]}, "expected lists and"),
        (board, "--piece Elephants=R"),
        ({**board, "pieces": {"E": "R@a1-j1"}}, "j1 is not on 9x10"),
    ):  # fmt: skip
        with pytest.raises(InputError, match=message):
            magicert.certify_table(path, **wrong)
    with pytest.raises(InputError, match="only for sources"):
        magicert.certify_table(magicert.read_table("shakmaty"), board="9x10")
