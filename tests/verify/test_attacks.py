"""The verifier's own attack sets against the walk from square to square: any piece, any board."""

from dataclasses import replace
from functools import reduce
from operator import or_

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from magicert.betza import parse_piece
from magicert.board import Board, bitboard, orders, parse_board, squares_of
from magicert.formula.arrays import ints
from magicert.movement import KINDS, Atom, Movement, Region, attacks_of
from magicert.verify.table.attacks import (
    CHUNK_BITS,
    BoardPiece,
    all_blockers,
    chunk,
    distinct_attack_sets,
    groups,
    least_masks,
    lines,
    parts,
    standing,
    usual_masks,
)
from magicert.verify.table.layout import line_of

NAMED = ["R", "B", "Q", "NN", "pR", "gQ", "nN", "nA", "nZ", "nD", "fR", "W3", "RnN"]
NAMED += ["RpR", "DDR", "K"]

STEPS = st.tuples(st.integers(-3, 3), st.integers(-3, 3)).filter(lambda step: step != (0, 0))


@st.composite
def boards(draw):
    """Any board; half of them have holes."""
    whole = Board(draw(st.integers(1, 16)), draw(st.integers(1, 16)))
    squares = st.integers(1, whole.squares - 1)
    holes = draw(st.sets(squares, max_size=whole.squares // 3)) if whole.squares > 1 else ()
    return draw(st.sampled_from([whole, replace(whole, holes=bitboard(holes))]))


def any_bit(mover):
    """A square of the board; often a hole, if it has some."""
    bits = st.integers(0, mover.board.squares - 1)
    holes = [*squares_of(mover.bits(mover.board.holes))]
    return bits | st.sampled_from(holes) if holes else bits


@st.composite
def atoms(draw):
    kind = draw(st.sampled_from(KINDS))
    steps = tuple(draw(st.lists(STEPS, min_size=1, max_size=4, unique=True)))
    if kind == "lame leaper":
        return Atom(kind, steps, from_target=draw(st.booleans()))
    return Atom(kind, steps, draw(st.integers(0, 3)))


@st.composite
def movers(draw):
    board = draw(boards())
    own = st.lists(atoms(), min_size=1, max_size=3, unique=True).map(tuple)
    named = st.sampled_from(NAMED).map(lambda text: parse_piece(text).atoms)
    square = st.tuples(st.integers(0, board.files - 1), st.integers(0, board.ranks - 1))
    corners = st.tuples(square, square).map(
        lambda pair: tuple(zip(*map(sorted, zip(*pair, strict=True)), strict=True))
    )
    regions = st.lists(corners.map(lambda pair: Region(*pair)), max_size=2, unique=True)
    movement = Movement(draw(own | named), tuple(draw(regions)))
    return BoardPiece(board, movement, draw(st.sampled_from(orders(board))))


def walked(mover, bit, occupied):
    """The attack set by the slow walk, on the squares that the bits stand for."""
    squares = bitboard(mover.square(one) for one in squares_of(occupied))
    return mover.bits(attacks_of(mover.board, mover.movement, mover.square(bit), squares))


@given(st.data(), movers())
def test_parts_joined_are_the_attack_set(data, mover):
    bit = data.draw(any_bit(mover))
    blockers = all_blockers(mover, bit)
    assume(blockers.bit_count() <= 40)
    own = parts(mover, bit, blockers)
    assume(all(len(part.blockers) <= 12 for part in own))
    occupied = data.draw(st.integers(0, mover.board.full)) & mover.bits(mover.board.full)
    found = joined(own, occupied)
    assert found == walked(mover, bit, occupied)
    assert found & ~line_of(mover, bit) == 0


@pytest.mark.parametrize(
    ("name", "square", "barred"),
    [
        ("nN", "c3", "b5 d5"),
        ("nA", "b3", "d5"),
        ("horse-to", "c3", ""),
        ("horse-to", "b5", "c3 d4"),
    ],
)
def test_a_lame_leaper_does_not_step_over_a_hole(name, square, barred):
    """A hole at c4: horses on c3 and d4 would step over it to b5; from b5 one goes by b4."""
    board, whole = parse_board("5x5-c4"), Board(5, 5)
    mover = BoardPiece(board, parse_piece(name), "a1")
    bit = board.parse(square)
    found = joined(parts(mover, bit, 0), 0)
    assert found == walked(mover, bit, 0)
    missing = attacks_of(whole, mover.movement, bit, 0) & board.full & ~found
    assert [board.name(one) for one in squares_of(missing)] == barred.split()
    assert least_masks(mover)[bit] & board.holes == 0


@pytest.mark.parametrize("name", ["nC", "nZ", "nH"])
def test_each_leg_of_a_lame_leaper_bars_it(name):
    """Two legs and more, each occupied alone and with others."""
    mover = BoardPiece(Board(9, 10), parse_piece(name), "a1")
    bit = mover.board.parse("e5")
    for line in lines(mover, bit):
        assert len(line.blockers) > 1
        for occupied in subsets(bitboard(line.blockers)):
            assert joined(parts(mover, bit, occupied), occupied) == walked(mover, bit, occupied)


def joined(own, occupied):
    found = 0
    for part in own:
        subset = bitboard(n for n, one in enumerate(part.blockers) if occupied >> one & 1)
        found |= ints(part.attacks[subset])
    return found


@pytest.mark.parametrize("name", ["RpR", "DDR", "RgR"])
def test_a_line_that_others_cross_ends_where_it_is_blocked(name):
    mover = BoardPiece(Board(7, 1), parse_piece(name), "a1")
    own = parts(mover, 0, all_blockers(mover, 0))
    for occupied in range(1 << 7):
        assert joined(own, occupied) == walked(mover, 0, occupied)


@pytest.mark.parametrize(
    ("name", "board"),
    [(name, Board(4, 2)) for name in ("R", "pR", "RpR", "W3")]
    + [(name, Board(3, 3)) for name in ("gQ", "nN", "pRpB")],
)
def test_a_line_is_what_is_attacked_at_some_time(name, board):
    mover = BoardPiece(board, parse_piece(name), "a1")
    for bit in range(board.squares):
        ever = reduce(or_, (walked(mover, bit, one) for one in range(board.full + 1)))
        assert line_of(mover, bit) == ever


@given(st.data(), movers())
def test_every_occupancy_is_listed_with_its_attack_set(data, mover):
    """Whatever bits are asked for: some that block, some that do not."""
    squares = st.sampled_from([*squares_of(mover.bits(mover.board.full))])
    bit, bits = data.draw(squares), squares
    relevant = bitboard(data.draw(st.lists(bits, max_size=9, unique=True)))
    (group,) = groups(mover, (relevant,), (bit,))
    occupancies = ints(group.occupancies[0])
    assert sorted(occupancies) == sorted(subsets(relevant))
    assert ints(group.attacks[0]) == [walked(mover, bit, one) for one in occupancies]


def subsets(board):
    found = [0]
    for bit in squares_of(board):
        found += [one | 1 << bit for one in found]
    return found


@pytest.mark.cases_of("bits_beyond_the_first_chunk.tsv")
def test_bits_beyond_the_first_chunk(name, size, order, square):
    board = parse_board(size)
    mover = BoardPiece(board, parse_piece(name), order)
    bit = next(one for one in range(board.squares) if board.name(mover.square(one)) == square)
    relevant = bitboard(list(squares_of(all_blockers(mover, bit)))[: CHUNK_BITS + 3])
    assert relevant.bit_count() > CHUNK_BITS
    (group,) = groups(mover, (relevant,), (bit,))
    seen = set()
    for number in range(1 << len(group.high[0])):
        occupancies, attacks = chunk(group, number)
        listed = ints(occupancies[0])
        seen |= set(listed)
        for place in range(0, len(listed), 211):
            assert ints(attacks[0, place]) == walked(mover, bit, listed[place])
    assert len(seen) == 1 << relevant.bit_count()


@pytest.mark.parametrize("order", orders(Board(7, 7)))
@pytest.mark.parametrize(
    ("name", "turning"),
    [("R", True), ("NN", True), ("nZ", True), ("fR", False), ("vR", False), ("flF", False)],
)
def test_only_what_looks_the_same_turned_is_taken_for_the_same(order, name, turning):
    mover = BoardPiece(Board(7, 7), parse_piece(name), order)
    alike = standing(mover)
    assert alike.order == "a1" or not turning
    for bit in (0, 9, 24, 40, 48):
        for occupied in (0, 0x1248124812481, 0x0F0F0F0F0F0F0, (1 << 49) - 1):
            expected = walked(mover, bit, occupied)
            assert expected == walked(alike, bit, occupied)
            assert expected & ~line_of(mover, bit) == 0


@given(st.data(), movers())
def test_masks_and_numbers_of_attack_sets(data, mover):
    bit = data.draw(any_bit(mover))
    blockers = all_blockers(mover, bit)
    assume(blockers.bit_count() <= 9)
    sets = {one: walked(mover, bit, one) for one in subsets(blockers)}
    matters = (
        one for one in squares_of(blockers) if any(sets[o] != sets[o & ~(1 << one)] for o in sets)
    )
    assert least_masks(mover)[bit] == bitboard(matters)
    assert least_masks(mover)[bit] & ~usual_masks(mover)[bit] == 0
    assert distinct_attack_sets(mover, bit) == len(set(sets.values())) * mover.has(bit)


@given(st.data(), movers())
def test_no_other_square_matters(data, mover):
    """Which occupancies are tried at all follows from the masks."""
    bit = data.draw(any_bit(mover))
    occupied = data.draw(st.integers(0, (1 << mover.board.squares) - 1))
    assert walked(mover, bit, occupied) == walked(mover, bit, occupied & least_masks(mover)[bit])


@pytest.mark.parametrize("piece", ["R", "B"])
def test_the_masks_of_chess_are_what_every_ray_says(piece):
    """What a ray attacks depends on its own squares alone: all of their subsets, on all squares."""
    mover = BoardPiece(Board(8, 8), parse_piece(piece), "a1")
    for bit in range(64):
        mask = least_masks(mover)[bit]
        for line in lines(mover, bit):
            sets = {one: walked(mover, bit, one) for one in subsets(bitboard(line.targets))}
            assert all(found == sets[one & mask] for one, found in sets.items())
            squares = squares_of(mask & bitboard(line.targets))
            assert all(any(sets[one] != sets[one & ~(1 << s)] for one in sets) for s in squares)


def test_pieces_on_one_line_are_one_part():
    """A cannon and a rook have their rays in common: four parts, as of each alone."""
    mover = BoardPiece(Board(9, 10), parse_piece("RpR"), "a1")
    own = parts(mover, 40, all_blockers(mover, 40))
    assert len(own) == 4
    assert reduce(or_, (bitboard(part.blockers) for part in own)) == all_blockers(mover, 40)


def test_lines_that_share_a_target_only_are_one_part():
    """A horse that goes there or comes from there: each target has two ways, with a leg each."""
    atoms = (*parse_piece("horse").atoms, *parse_piece("horse-to").atoms)
    mover, bit = BoardPiece(Board(9, 10), Movement(atoms), "a1"), 40
    blockers = all_blockers(mover, bit)
    assert blockers.bit_count() == 8
    sets = {walked(mover, bit, one) for one in subsets(blockers)}
    assert distinct_attack_sets(mover, bit) == len(sets)
