"""What is written is read back: tables of any board; and whose numbers they have."""

import runpy
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from magicert.betza import NAMES, parse_piece, refuse_overlaps
from magicert.board import Board, orders
from magicert.chess import MOVEMENTS, Piece
from magicert.data import board_tables, published_tables, tables_folder
from magicert.formula import parse
from magicert.movement import KINDS, Atom, Movement, Region, moves_at_all
from magicert.origin import MOST_DIFFERING, SETS, known_sets
from magicert.problem import InputError
from magicert.scheme import SCHEMES
from magicert.table import PieceTable, Provenance, Table, TwoLevel, parse_table, read_table
from magicert.table.model import MASK_RULES, chess_only
from magicert.table.write import table_toml, write_table

FILE = Path("t.toml")
WORD = st.integers(0, (1 << 64) - 1)
TEXT = st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), max_size=20)
SIZE = st.integers(1, 1 << 32)
RESULTS = [parse(text) for text in ("word & line", "bswap64(word) & line & ~occ", "word ^ mask")]
NAMED = [*NAMES, "pR", "NN", "WnA", "vR", "FpR"]


def lists(one, rows):
    """A number for all squares, or one for each."""
    listed = st.lists(one, min_size=rows, max_size=rows)
    return st.one_of(one.map(lambda v: (v,)), listed.map(tuple))


@st.composite
def pieces(draw, piece, shared, two_level, literal, rows):
    scheme = draw(st.sampled_from(list(SCHEMES.values())))
    names = sorted(scheme.parameters - {"mask"}) + draw(st.sampled_from([[], ["mask"]]))
    small = st.integers(1, 20)
    return PieceTable(
        piece=piece,
        movement=MOVEMENTS[piece],
        index=parse(scheme.formula.text),
        parameters={n: draw(lists(small if n == "bits" else WORD, rows)) for n in names},
        result=draw(st.sampled_from([None, *RESULTS])),
        offset=draw(st.none() | lists(st.integers(-(1 << 40), 1 << 40), rows)),
        square_size=draw(st.none() | lists(SIZE, rows)),
        buffer_size=None if shared else draw(st.none() | SIZE),
        literal=None if shared else literal,
        attack_sets=draw(st.none() | SIZE) if two_level else None,
        set_offset=draw(st.none() | lists(SIZE, rows)) if two_level else None,
        literal_sets="sets.bin" if two_level and literal else None,
    )


@st.composite
def chess_tables(draw):
    shared, two_level = draw(st.booleans()), draw(st.none() | st.sampled_from([8, 16]))
    literal = draw(st.sampled_from([None, "x.bin", "sub/é.bin"]))
    own = draw(st.permutations(list(Piece)))[: draw(st.integers(1, 2))]
    half_board = two_level is None and draw(st.booleans())
    begins = st.just("a1") if half_board else st.sampled_from(orders(Board(8, 8)))
    rows = 32 if half_board else 64
    return Table(
        name=draw(TEXT.filter(str.strip)),
        pieces={p: draw(pieces(p, shared, two_level is not None, literal, rows)) for p in own},
        order=draw(begins),
        listing=draw(begins),
        shared=shared,
        buffer_size=draw(st.none() | SIZE) if shared else None,
        literal=literal if shared else None,
        two_level=TwoLevel(two_level) if two_level else None,
        half_board=half_board,
        provenance=Provenance(repository=draw(TEXT), notes=draw(TEXT), seed=draw(st.none() | WORD)),
    )


@st.composite
def movements(draw, board):
    """A piece that moves somewhere: by its name or notation, or atom by atom."""
    square = st.tuples(st.integers(0, board.files - 1), st.integers(0, board.ranks - 1))
    corners = draw(st.lists(st.tuples(square, square), max_size=2))
    sorted_ = [[tuple(sorted(axis)) for axis in zip(*pair, strict=True)] for pair in corners]
    regions = tuple(dict.fromkeys(Region(*zip(*axes, strict=True)) for axes in sorted_))
    try:
        refuse_overlaps(regions)
    except ValueError:
        regions = regions[:1]
    if draw(st.booleans()):
        named = parse_piece(draw(st.sampled_from(NAMED)))
        return Movement(named.atoms, regions, named.name)
    across, up = (st.integers(1 - size, size - 1) for size in (board.files, board.ranks))
    steps = st.lists(st.tuples(across, up).filter(any), min_size=1, max_size=3, unique=True)
    made = []
    for kind in draw(st.lists(st.sampled_from(KINDS), min_size=1, max_size=2)):
        lame = kind == "lame leaper"
        limit = 0 if lame else draw(st.integers(0, 3))
        made.append(Atom(kind, tuple(draw(steps)), limit, lame and draw(st.booleans())))
    return Movement(tuple(dict.fromkeys(made)), regions)


@st.composite
def board_tables_of_all_kinds(draw):
    files = draw(st.integers(2, 16))
    board = Board(files, draw(st.integers(2, 16)))
    board = replace(board, holes=draw(st.just(0) | st.integers(0, board.full - 1)))
    words = st.integers(0, (1 << board.word) - 1)
    rows = st.lists(words, min_size=board.squares, max_size=board.squares).map(tuple)
    own = {}
    for name in draw(st.lists(st.sampled_from(["a", "b-2", "horse"]), min_size=1, unique=True)):
        movement = draw(movements(board).filter(lambda one: moves_at_all(board, one)))
        mask = {"mask": (draw(words) & board.full,)} if draw(st.booleans()) else {}
        own[name] = PieceTable(
            name, movement, parse("(occ & mask) * magic >> 3", word=board.word),
            {"magic": draw(rows)} | mask,
            masks="usual" if mask else draw(st.sampled_from(MASK_RULES)),
        )  # fmt: skip
    order, listing = (draw(st.sampled_from(orders(board))) for _ in range(2))
    return Table("random", own, order, listing, board=board)


@given(st.one_of(chess_tables(), board_tables_of_all_kinds()))
def test_what_is_written_is_read_back(table):
    read = parse_table(table_toml(table).encode(), FILE).table
    assert read == table
    assert list(read.pieces) == list(table.pieces)


@pytest.mark.parametrize("name", [*published_tables(), *board_tables()])
def test_shipped_tables_are_in_our_own_handwriting_and_say_where_they_are_from(name):
    path = (published_tables() | board_tables())[name]
    table = read_table(path).table
    assert table_toml(table) == path.read_text(encoding="utf-8")
    origin = table.provenance
    assert origin.repository
    if name in published_tables():
        assert origin.path
        assert len(origin.commit) == 40
        assert origin.licence


def test_a_table_is_written_in_one_step(tmp_path):
    table = read_table(published_tables()["bbc"]).table
    write_table(table, tmp_path / "bbc.toml")
    assert [path.name for path in tmp_path.iterdir()] == ["bbc.toml"]
    assert read_table(tmp_path / "bbc.toml").table == table


def test_a_piece_of_that_name_with_a_region_keeps_it():
    elephant = parse_piece("elephant")
    half = Movement(elephant.atoms, (Region((0, 0), (8, 4)),), "elephant")
    for movement in (elephant, half):
        piece = PieceTable("elephant", movement, parse("occ & 1", word=128), {})
        table = Table("t", {"elephant": piece}, board=Board(9, 10))
        assert parse_table(table_toml(table).encode(), FILE).table == table


STEPS = '{ kind = "rider", steps = [[1, 0], [0, 1], [-1, 0], [0, -1]] }'


@pytest.mark.parametrize("piece", ['"R"', STEPS])
def test_a_section_called_rook_on_the_chessboard_is_chess_s_rook(piece):
    document = f'magicert = 1\nname = "t"\nboard = "8x8"\n[rook]\npiece = {piece}\n'
    table = parse_table(f'{document}index = "(occ & mask) * 3 >> 60"\n'.encode(), FILE).table
    assert (table.board, list(table.pieces), table.extent) == (Board(8, 8), [Piece.ROOK], "whole")
    assert table.is_chess()


def test_what_serves_chess_only_says_so():
    table = read_table(board_tables()["pikafish_cannon"]).table
    with pytest.raises(InputError, match="a table of cannon on 9x10: packing serves chess only"):
        chess_only(table, "packing")


# Whose numbers a table has: shipped sets, as they are and modulo the LCM period.


def table(name):
    return read_table(published_tables()[name]).table


def changed(table, piece, magics):
    half = table.pieces[piece]
    half = replace(half, parameters={**half.parameters, "magic": magics})
    return replace(table, pieces={**table.pieces, piece: half})


def test_the_file_of_all_sets_is_current():
    document = runpy.run_path(str(Path(__file__).parents[2] / "tools/sets.py"))["document"]
    assert (tables_folder() / SETS).read_bytes() == document()


def test_a_copy_is_told_by_its_numbers():
    same = "the same numbers as bbc (2020), found by Maksim Korzh"
    assert {piece: str(found) for piece, found in known_sets(table("barond")).items()} == {
        "rook": same,
        "bishop": same,
    }


def test_numbers_that_agree_modulo_the_period_are_the_same_in_the_white_scheme_only():
    rook = table("bbc").pieces["rook"].parameters["magic"]
    # The lowest square of e4's mask is e2, bit 12: the upper 12 bits of its magic do nothing.
    other = (*rook[:28], rook[28] ^ 0x8010 << 48, *rook[29:])
    assert other[28] != rook[28]
    assert known_sets(changed(table("bbc"), "rook", other))["rook"].differing == ()
    low = (*rook[:28], rook[28] ^ 1 << 51, *rook[29:])
    found = known_sets(changed(table("bbc"), "rook", low))["rook"]
    assert "the same numbers as bbc (2020)" in str(found)
    assert "one square" in str(found)
    black = table("carp").pieces["rook"].parameters["magic"]
    other = (*black[:28], black[28] ^ 1 << 63, *black[29:])
    assert len(known_sets(changed(table("carp"), "rook", other))["rook"].differing) == 1


@pytest.mark.parametrize("more", [0, 1])
def test_numbers_that_differ_on_many_squares_are_nobody_s(more):
    bishop = table("donna").pieces["bishop"].parameters["magic"]
    some = MOST_DIFFERING + more
    other = (*(magic ^ 0b100 for magic in bishop[:some]), *bishop[some:])
    assert (str(Piece.BISHOP) in known_sets(changed(table("donna"), "bishop", other))) == (not more)
