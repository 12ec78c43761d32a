"""Pieces that are made of others: a wrong grouping and wrong leaps are refused, and what is right
is valid, as the walk over all occupancies of a small board says.
"""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from magicert.api.forms import TableForm
from magicert.api.sets import SetFound, SetQuestion, search_set
from magicert.betza import lines_of, parse_piece
from magicert.board import Board, bitboard, place_of, squares_of
from magicert.formula import parse
from magicert.movement import Movement, Region, attacks_of
from magicert.outcome import Quiet
from magicert.problem import InputError
from magicert.table import JoinedPiece, PieceTable, Table, parse_table
from magicert.table.write import file_text
from magicert.verify.table import joined
from magicert.verify.table.joined import check_joined
from magicert.verify.table.verifier import verify

NOTATIONS = ("R", "B", "K", "N", "vR", "sR", "W2", "W", "fF", "nN", "nA", "pR", "sgR", "horse-to")
BOARDS = (Board(3, 3), Board(4, 2), Board(2, 4))


def table(board: Board, piece: JoinedPiece, parts: dict[str, Movement], order: str = "a1") -> Table:
    """A table whose parts need not be looked up."""
    halves = {
        name: PieceTable(name, part, parse("occ & mask"), {}, masks="least")
        for name, part in parts.items()
    }
    return Table("t", halves, order=order, listing=order, board=board, joined={"whole": piece})


def in_bits(board: Board, order: str, squares: int) -> int:
    return bitboard(place_of(order, square, board) for square in squares_of(squares))


@st.composite
def tables(draw: st.DrawFn) -> Table:
    """Pieces of a few parts: right ones, and others with something too much or too little."""
    board = draw(st.sampled_from(BOARDS))
    order = draw(st.sampled_from(("a1", board.name(board.squares - 1) + "-files")))
    regions = draw(st.sampled_from(((), (Region((0, 0), (1, 1)),))))
    chosen = draw(st.lists(st.sampled_from(NOTATIONS), min_size=1, max_size=3, unique=True))
    atoms = [atom for notation in chosen for atom in parse_piece(notation).atoms]
    piece = Movement(tuple(dict.fromkeys(atoms)), regions)
    parts = lines_of(piece)
    if draw(st.booleans()):
        other = draw(st.sampled_from(NOTATIONS))
        parts["other"] = replace(parse_piece(other), regions=draw(st.sampled_from((regions, ()))))
    if parts and draw(st.booleans()):
        del parts[draw(st.sampled_from(sorted(parts)))]
    made = table(board, JoinedPiece(piece, tuple(parts)), parts, order)
    if draw(st.booleans()):
        leaps = made.leaps_of("whole") or [0] * board.squares
        if draw(st.booleans()):
            leaps[draw(st.integers(0, board.squares - 1))] ^= 1 << draw(
                st.integers(0, board.squares - 1)
            )
        made = replace(made, joined={"whole": JoinedPiece(piece, tuple(parts), tuple(leaps))})
    return made


def right(made: Table) -> bool:
    """Whether all is so for all occupancies, by the walk."""
    board, piece = made.board, made.joined["whole"]
    movements = [made.pieces[part].movement for part in piece.parts]
    leaps = made.leaps_of("whole") or [0] * board.squares
    for square in range(board.squares):
        always = leaps[place_of(made.order, square, board)]
        for occupied in range(board.full + 1):
            by_parts = 0
            for movement in movements:
                by_parts |= attacks_of(board, movement, square, occupied)
            attacks = attacks_of(board, piece.movement, square, occupied)
            if in_bits(board, made.order, attacks) != in_bits(board, made.order, by_parts) | always:
                return False
    return True


@settings(max_examples=25, deadline=None)
@given(tables())
def test_a_joined_piece_is_judged_as_the_walk_judges_it(made):
    found = check_joined(made)
    assert not found.undecided
    assert bool(found.findings) != right(made)


@pytest.fixture(scope="module")
def chancellor():
    """A valid table with a joined piece, as a file's text."""
    question = SetQuestion(("chancellor",), board=Board(4, 3), form=TableForm(lines=True))
    found = search_set(question, Quiet())
    assert isinstance(found, SetFound)
    return found.text


def judged(text: str, tmp_path):
    return verify(parse_table(text.encode(), tmp_path / "t.toml"))


def test_a_set_by_lines_is_valid_and_says_what_the_whole_piece_is(chancellor, tmp_path):
    report = judged(chancellor, tmp_path)
    assert report.verdict == "valid"
    assert report.statement.endswith("is the OR of those of the parts and of the leaps.")
    read = parse_table(chancellor.encode(), tmp_path / "t.toml").table
    assert parse_table(file_text(read).encode(), tmp_path / "t.toml").table == read
    leaps = tuple(read.leaps_of("chancellor"))
    given = replace(read, joined={"chancellor": replace(read.joined["chancellor"], leaps=leaps)})
    text = file_text(given)
    assert parse_table(text.encode(), tmp_path / "t.toml").table == given
    assert judged(text, tmp_path).verdict == "valid"
    wrong = replace(given.joined["chancellor"], leaps=(leaps[0] ^ 1 << 6, *leaps[1:]))
    report = judged(file_text(replace(read, joined={"chancellor": wrong})), tmp_path)
    assert report.verdict == "invalid"


PARTS = 'parts = ["chancellor_v", "chancellor_h"]'


@pytest.mark.parametrize(
    ("old", "new", "message"),
    # A rook beside which a rook of three steps stands is a rook, on this board.
    [
        (PARTS, 'parts = ["chancellor_v"]', "on the empty board it attacks b1, which none of"),
        (
            "[chancellor]",
            '[chancellor]\npiece = "R"\nleaps = 2',
            "not attack b1, which its leaps",
        ),
        ("[chancellor]", '[chancellor]\npiece = "RW3"\nleaps = 0', ""),
        ("[chancellor]", '[chancellor]\npiece = "vRN"', "it does not attack b1, which its part"),
        ("[chancellor]", '[chancellor]\npiece = "QN"', "it attacks b2, which none of its parts"),
    ],
)
def test_a_wrong_grouping_is_refused_with_a_position(chancellor, old, new, message, tmp_path):
    report = judged(chancellor.replace(old, new), tmp_path)
    assert (report.verdict == "invalid") == bool(message)
    assert all(message in finding.message for finding in report.findings)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (PARTS, "parts = 3", "chancellor.parts: 3: expected a list of pieces of this file"),
        (PARTS, 'parts = ["rook_v"]', "parts[0]: 'rook_v': expected one of the sections with an"),
        (PARTS, 'parts = ["chancellor_w"]', "'chancellor_w': did you mean chancellor_"),
        (PARTS, f'{PARTS[:-1]}, "chancellor_v"]', "parts[2]: 'chancellor_v': stands there twice"),
        (PARTS, f"{PARTS}\nleaps = 0x1000", "leaps: 0x1000: bit 12 is no square of 4x3"),
        (PARTS, f"{PARTS}\nleaps = [1, 2]", "leaps: 2 values: expected 12, one a square of 4x3"),
        (PARTS, f"{PARTS}\nmask = 3", "chancellor.mask: unknown key: expected one of piece, parts"),
        ("[chancellor]", "[chancelor]", "chancelor.piece: missing: 'chancelor' is no piece's name"),
    ],
)
def test_what_is_no_joined_piece_is_refused(chancellor, old, new, message, tmp_path):
    with pytest.raises(InputError) as caught:
        judged(chancellor.replace(old, new), tmp_path)
    assert message in str(caught.value)


def test_what_is_not_tried_is_not_decided(chancellor, tmp_path, monkeypatch):
    monkeypatch.setattr(joined, "MOST_BLOCKERS", 0)
    other = '[chancellor]\npiece = "RW3"\nleaps = 0'
    report = judged(chancellor.replace("[chancellor]", other), tmp_path)
    assert report.verdict == "unknown"
    assert "Whether chancellor attack what their parts" in report.statement
