"""Random tables on random boards, judged lookup by lookup, by plain integers and the slow walk.

The reference shares with the verifier the table, the formula's plain reading and the walk from
square to square, and no array.
"""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from hypothesis import assume, event, given, settings
from hypothesis import strategies as st

from magicert.betza import parse_piece
from magicert.board import Board, Movement, attacks_of, bitboard, orders, squares_of, usual_mask
from magicert.formula import parse
from magicert.formula.tree import evaluate
from magicert.occupancy import carry_rippler
from magicert.table import PieceTable, Table, parse_table
from magicert.table.model import value_at
from magicert.table.read import moves_at_all
from magicert.table.write import table_toml
from magicert.verify.table.verifier import verify

PIECES = ["nN", "nA", "nD", "W3", "fR", "sR", "vpR", "gsR", "F2", "N", "horse-to", "vRsgR"]
SMALL = [(3, 3), (4, 2), (2, 5), (5, 3), (3, 6), (1, 7), (7, 1)]
LARGE = [(9, 10), (11, 6), (13, 9), (8, 16)]
MOST_LOOKUPS = 4000


@dataclass
class Judged:
    """What the reference says: `slots[name]` has the attack sets of each slot of a buffer."""

    slots: dict[str, dict[int, set[tuple[int, str]]]] = field(default_factory=dict)
    used: dict[str, set[int]] = field(default_factory=lambda: defaultdict(set))

    @property
    def bad(self) -> set[str]:
        """The squares that have a slot in common with another attack set."""
        slots = [slot for buffer in self.slots.values() for slot in buffer.values()]
        return {name for slot in slots if len({a for a, _ in slot}) > 1 for _, name in slot}


@st.composite
def tables(draw: st.DrawFn) -> Table:
    board = Board(*draw(st.sampled_from(SMALL + LARGE)))
    order, listing = (draw(st.sampled_from(orders(board))) for _ in range(2))
    names = draw(st.lists(st.sampled_from(PIECES), min_size=1, max_size=2, unique=True))
    movements = [parse_piece(name) for name in names]
    assume(all(moves_at_all(board, movement) for movement in movements))
    lookups = sum(sum(1 << mask.bit_count() for mask in masks(board, one)) for one in movements)
    assume(lookups <= MOST_LOOKUPS)
    shared = draw(st.booleans())
    offsets = draw(st.booleans())
    pieces = {
        f"piece-{number}": draw(halves(board, f"piece-{number}", movement, offsets))
        for number, movement in enumerate(movements)
    }
    return Table("random", pieces, order, listing, shared=shared, board=board)


def masks(board: Board, movement: Movement) -> list[int]:
    return [usual_mask(board, movement, square) for square in range(board.squares)]


@st.composite
def halves(
    draw: st.DrawFn, board: Board, name: str, movement: Movement, offsets: bool
) -> PieceTable:
    """A piece with good magics or bad ones: each mask's bits alone, or moved together."""
    bits = max(1, *(mask.bit_count() for mask in masks(board, movement)))
    seed = draw(st.randoms(use_true_random=False))
    extra = draw(st.sampled_from([0, 2, 8]))
    index = f"((occ & mask) * magic) >> ({board.word} - bits)"
    offset = tuple(seed.randrange(50) for _ in range(board.squares)) if offsets else None
    if offsets and draw(st.booleans()):  # apart, so that a table can be valid
        offset = tuple(row << (bits + extra) for row in range(board.squares))
    parameters = {
        "magic": tuple(seed.getrandbits(board.word) for _ in range(board.squares)),
        "bits": (bits + extra,),
    }
    formula, size = parse(index, word=board.word), (1 << (bits + extra),)
    return PieceTable(name, movement, formula, parameters, offset=offset, square_size=size)


def judged(table: Table) -> Judged:
    found = Judged()
    start = 0
    for half in table.pieces.values():
        start = start if table.shared else 0
        room = 1 << half.parameters["bits"][0]
        for row in range(table.board.squares):
            name = f"{half.piece} {table.board.name(table.row_square(row))}"
            offset = start if half.offset is None else half.offset[row]
            start += room
            slots = found.slots.setdefault("shared" if table.shared else half.piece, {})
            for slot, attacks in lookups(table, half, row, offset):
                found.used[name].add(slot)
                slots.setdefault(slot, set()).add((attacks, name))
    return found


def lookups(table: Table, half: PieceTable, row: int, offset: int) -> Iterator[tuple[int, int]]:
    """Slot and attack set of every occupancy of the mask, in the table's bits."""
    board, square = table.board, table.row_square(row)
    bits = {table.bit_square(bit): bit for bit in range(board.squares)}
    mask = bitboard(bits[one] for one in squares_of(usual_mask(board, half.movement, square)))
    values = {name: value_at(listed, row) for name, listed in half.parameters.items()}
    for occupancy in carry_rippler(mask):
        squares = bitboard(table.bit_square(bit) for bit in squares_of(occupancy))
        attacks = attacks_of(board, half.movement, square, squares)
        known = {**values, "mask": mask, "occ": occupancy}
        index = evaluate(half.index.tree, known, half.index.text)
        yield offset + index, bitboard(bits[one] for one in squares_of(attacks))


@given(tables())
@settings(max_examples=60, deadline=None)
def test_random_tables_are_judged_as_by_the_reference(table: Table) -> None:
    expected = judged(table)
    report = verify(parse_table(table_toml(table).encode(), Path("table.toml")))
    event(report.verdict)
    assert report.verdict == ("invalid" if expected.bad else "valid")
    named = {name for finding in report.findings for name in finding.squares}
    assert named <= expected.bad
    for buffer in report.buffers:
        slots = expected.slots[buffer.name]
        assert (buffer.slots_used, buffer.length) == (len(slots), max(slots) + 1)
    for square in report.squares:
        assert square.slots_used == len(expected.used[f"{square.piece} {square.square}"])
    for finding in report.findings:
        first, second = finding.lookups
        assert first.slot == second.slot
        assert first.attacked != second.attacked
