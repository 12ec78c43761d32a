"""A piece's attack sets for all subsets of what can block it, in numpy: the verifier's own walk.

A step is a *line* of targets and of blockers. Lines that share a blocker or a target make a
*part*. What two parts attack is disjoint and depends on different squares, so that the attack set
of an occupancy is the union of what the parts attack in their own few blockers, and a square has
as many different attack sets as the product of the parts' numbers of them.

The tests hold this against the walk of `magicert.movement`, with which it shares no code. Which
squares matter at all it takes from there (`least_masks`): the tests hold that against this walk.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from math import prod

import numpy as np
from numpy.typing import NDArray

from magicert.board import BY_FILES, Board, bitboard, place_of, square_at, squares_of
from magicert.formula.arrays import Words, bit_or, dtype_of, full, lanes, unique, words
from magicert.movement import Atom, Movement, Step, least_mask, usual_mask

Truth = NDArray[np.bool_]

FAR = 127
"""Further than any board reaches."""


@dataclass(frozen=True, slots=True)
class BoardPiece:
    """A piece on a board whose squares have the bits of a square order."""

    board: Board
    movement: Movement
    order: str

    def square(self, bit: int) -> int:
        """The square (a1=0) of a bit."""
        return square_at(self.order, bit, self.board)

    def has(self, bit: int) -> bool:
        """Whether the square of a bit is no hole."""
        return self.board.has(self.square(bit))

    def bits(self, squares: int) -> int:
        """A bitboard of squares (a1=0) in the engine's bits."""
        if self.order == "a1":
            return squares
        board_bits = 0
        for square in range(self.board.squares):
            if squares >> square & 1:
                board_bits |= 1 << place_of(self.order, square, self.board)
        return board_bits


@cache
def standing(mover: BoardPiece) -> BoardPiece:
    """The mover with a1's order if that makes no difference: what it does on squares it does on
    bits then, because the order turns or mirrors the board and the piece with it.
    """
    board, order = mover.board, mover.order
    corner = board.place(board.parse_corner(order.removesuffix(BY_FILES)))
    across, up = (1 if place == 0 else -1 for place in corner)
    turned = order.endswith(BY_FILES)
    if mover.movement.regions or board.holes or (turned and board.files != board.ranks):
        return mover
    for atom in mover.movement.atoms:
        steps = {(across * x, up * y) for x, y in atom.steps}
        if {(y, x) if turned else (x, y) for x, y in steps} != set(atom.steps):
            return mover
    return BoardPiece(board, mover.movement, "a1")


@cache
def usual_masks(mover: BoardPiece) -> tuple[int, ...]:
    """For the square of each bit, the mask that engines take, in bits."""
    alike = standing(mover)
    return _in_bits(mover, usual_mask) if alike == mover else usual_masks(alike)


@cache
def least_masks(mover: BoardPiece) -> tuple[int, ...]:
    """For the square of each bit, the bits that can change the attack set."""
    alike = standing(mover)
    return _in_bits(mover, least_mask) if alike == mover else least_masks(alike)


def _in_bits(mover: BoardPiece, mask: Callable[[Board, Movement, int], int]) -> tuple[int, ...]:
    squares = (mover.square(bit) for bit in range(mover.board.squares))
    return tuple(mover.bits(mask(mover.board, mover.movement, square)) for square in squares)


@dataclass(frozen=True, slots=True)
class Line:
    """One step of an atom: the targets from the nearest to the farthest, and what may block."""

    atom: Atom
    targets: tuple[int, ...]
    blockers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Part:
    """Lines that share blockers or targets: `attacks[n]` is what they attack where subset n of
    the blockers is occupied, the first blocker being the lowest bit of n.
    """

    blockers: tuple[int, ...]
    attacks: Words


@cache
def lines(mover: BoardPiece, bit: int) -> tuple[Line, ...]:
    """The lines of a piece on the square of a bit; those without targets are left out."""
    alike = standing(mover)
    if alike != mover:
        return lines(alike, bit)
    all_lines = (
        _line(mover, mover.square(bit), atom, step)
        for atom in mover.movement.atoms
        for step in atom.steps
    )
    return tuple(line for line in all_lines if line.targets)


def _line(mover: BoardPiece, square: int, atom: Atom, step: Step) -> Line:
    board, regions = mover.board, mover.movement.regions
    (file, rank), (across, up) = board.place(square), step
    around = [region for region in regions if region.holds(file, rank)]
    targets: list[int] = []
    for distance in range(1, FAR) if board.has(square) else ():
        place = file + distance * across, rank + distance * up
        target = board.square(*place)
        inside = not regions or any(region.holds(*place) for region in around)
        if target is None or not inside:
            break
        targets.append(target)
        if atom.kind == "lame leaper" or (atom.kind == "rider" and distance == atom.limit):
            break
    blockers = targets[:-1]  # behind the last one nothing can be hidden
    if atom.kind == "lame leaper" and targets:
        legs = _legs(board, (file, rank), step, atom.from_target)
        if legs is None:
            targets = []
        blockers = legs or []

    if mover.order != "a1":
        targets = [place_of(mover.order, square_on_line, board) for square_on_line in targets]
        blockers = [place_of(mover.order, square_on_line, board) for square_on_line in blockers]
    return Line(atom, tuple(targets), tuple(blockers))


def _legs(board: Board, start: tuple[int, int], step: Step, from_target: bool) -> list[int] | None:
    """What stands between: first straight along the longer distance, then diagonally. None where
    the way leads over a hole.
    """
    (file, rank), (across, up) = start, step
    if from_target:
        file, rank, across, up = file + across, rank + up, -across, -up
    longer, shorter = max(abs(across), abs(up)), min(abs(across), abs(up))
    legs = []
    for distance in range(1, longer):
        aside = max(0, distance - (longer - shorter))
        by_file, by_rank = (distance, aside) if abs(across) >= abs(up) else (aside, distance)
        leg = board.square(file + by_file * int(np.sign(across)), rank + by_rank * int(np.sign(up)))
        if leg is None:  # between two squares of the board there are squares or holes
            return None
        legs.append(leg)
    return legs


def all_blockers(mover: BoardPiece, bit: int) -> int:
    """Every bit that an attack set may depend on."""
    return bitboard(blocker for line in lines(mover, bit) for blocker in line.blockers)


def parts(mover: BoardPiece, bit: int, occupied: int) -> tuple[Part, ...]:
    """The parts of a piece on a square, where only the bits in `occupied` may be occupied."""
    groups_so_far: list[tuple[set[int], set[int], list[Line]]] = []
    for line in lines(mover, bit):
        targets, joined = set(line.targets), [line]
        blockers = {blocker for blocker in line.blockers if occupied >> blocker & 1}
        for other in [
            group for group in groups_so_far if group[0] & targets or group[1] & blockers
        ]:
            groups_so_far.remove(other)
            targets, blockers, joined = targets | other[0], blockers | other[1], other[2] + joined
        groups_so_far.append((targets, blockers, joined))
    width = mover.board.word
    return tuple(_part(sorted(blockers), joined, width) for _, blockers, joined in groups_so_far)


def _part(blockers: list[int], joined: list[Line], width: int) -> Part:
    if len(joined) == 1 and joined[0].atom.kind == "rider":
        return _ray(joined[0], blockers, width)
    subsets = np.arange(1 << len(blockers))
    occupied = {bit: (subsets >> place & 1).astype(bool) for place, bit in enumerate(blockers)}
    attacks = full(len(subsets), 0, width)
    for line in joined:
        if line.atom.kind == "lame leaper":
            free = np.ones(len(subsets), dtype=bool)
            for leg in line.blockers:
                free &= ~_is(occupied, leg)
            _add(attacks, line.targets[0], free)
        elif line.atom.kind == "rider":
            _ride(attacks, line, occupied)
        else:
            _hop(attacks, line, occupied)
    return Part(tuple(blockers), attacks)


def _ray(line: Line, blockers: list[int], width: int) -> Part:
    """A rider's line that nothing crosses: only the first blocker matters."""
    near = tuple(bit for bit in line.blockers if bit in blockers)
    ends = [line.targets.index(bit) + 1 for bit in near]
    reached = [bitboard(line.targets[:end]) for end in [*ends, len(line.targets)]]
    return Part(near, words(reached, width)[_lowest(len(near))])


@cache
def _lowest(count: int) -> NDArray[np.intp]:
    """For each subset of `count` places, the first one in it; `count` where it is empty."""
    lowest = np.full(1 << count, count, dtype=np.intp)
    for place in reversed(range(count)):
        lowest[1 << place :: 2 << place] = place
    return lowest


def _ride(attacks: Words, line: Line, occupied: Mapping[int, Truth]) -> None:
    going = np.ones(len(attacks), dtype=bool)
    for target in line.targets:
        _add(attacks, target, going)
        if target in occupied:
            going &= ~occupied[target]


def _hop(attacks: Words, line: Line, occupied: Mapping[int, Truth]) -> None:
    searching = np.ones(len(attacks), dtype=bool)  # for the hurdle
    remaining = np.zeros(len(attacks), dtype=np.int8)  # squares still to go behind it
    for target in line.targets:
        behind, blocked = remaining > 0, _is(occupied, target)
        _add(attacks, target, behind)
        remaining[behind] -= 1
        remaining[behind & blocked] = 0
        remaining[searching & blocked] = line.atom.limit or FAR
        searching &= ~blocked


def _is(occupied: Mapping[int, Truth], bit: int) -> Truth | np.bool_:
    return occupied.get(bit, np.False_)


def _add(attacks: Words, bit: int, where: Truth) -> None:
    lane = lanes(attacks)[bit // 64]
    lane |= where.astype(np.uint64) << np.uint64(bit % 64)


@cache
def distinct_attack_sets(mover: BoardPiece, bit: int) -> int:
    """How many different attack sets a piece has on the square of a bit; none on a hole."""
    return number_of(parts(mover, bit, all_blockers(mover, bit))) if mover.has(bit) else 0


@cache
def distinct_together(movers: tuple[BoardPiece, ...], bit: int) -> int:
    """How many different attack sets some pieces have between them, one of each counted as a
    whole; none on a hole. Parts that share no blockers do not know of each other.
    """
    if not movers[0].has(bit):
        return 0
    joined: list[tuple[set[int], list[Part]]] = []
    for part in (p for mover in movers for p in parts(mover, bit, all_blockers(mover, bit))):
        blockers, together = set(part.blockers), [part]
        for other in [group for group in joined if group[0] & blockers]:
            joined.remove(other)
            blockers, together = blockers | other[0], other[1] + together
        joined.append((blockers, together))
    return prod(_numbered_together(sorted(blockers), own) for blockers, own in joined)


def _numbered_together(blockers: list[int], own: list[Part]) -> int:
    """How many different attack sets parts have between them, by the occupancies of these bits."""
    subsets = np.arange(1 << len(blockers))
    numbers = np.zeros(len(subsets), dtype=np.int64)
    for part in own:
        subset = np.zeros_like(subsets)
        for place, blocker in enumerate(part.blockers):
            subset |= (subsets >> blockers.index(blocker) & 1) << place
        found = unique(part.attacks)[1][subset]
        numbers = np.unique(numbers * (int(found.max()) + 1) + found, return_inverse=True)[1]
    return int(numbers.max()) + 1


def number_of(square_parts: tuple[Part, ...]) -> int:
    """How many different attack sets the parts of a square make."""
    return prod(len(unique(part.attacks)[0]) for part in square_parts)


# All occupancies of many squares with their attack sets, in numpy.

CHUNK_BITS = 14
"""A group lists at most this many occupancy bits at once; further bits are looped over."""

GROUP_LOOKUPS = 1 << 17
"""And as many squares as have so many occupancies together."""


@dataclass(frozen=True, eq=False)
class SizeGroup:
    """Squares whose sets of relevant bits have the same size.

    `rows` (n,) are the rows of the table, `occupancies` and `attacks` (n, 2^k) hold all
    subsets of the first k relevant bits with their attack sets; `high` lists, per square,
    the relevant bits behind those (empty but for large masks).
    """

    rows: NDArray[np.intp]
    occupancies: Words
    attacks: Words
    high: tuple[tuple[int, ...], ...]
    parts: tuple[tuple[Part, ...], ...]


def groups(
    mover: BoardPiece, relevant: tuple[int, ...], row_bits: tuple[int, ...]
) -> list[SizeGroup]:
    """The squares of a piece by the size of their relevant set.

    `relevant[row]` is the set of bits to run over and `row_bits[row]` the row's square,
    both in the engine's bit numbering. Rows of holes are left out.
    """
    by_size: dict[int, list[int]] = {}
    for row, board in enumerate(relevant):
        if not mover.has(row_bits[row]):
            continue
        by_size.setdefault(board.bit_count(), []).append(row)
    mover = standing(mover)
    size_groups = []
    for size, rows in sorted(by_size.items()):
        most = max(1, GROUP_LOOKUPS >> min(size, CHUNK_BITS))
        for first in range(0, len(rows), most):
            some = tuple(rows[first : first + most])
            bits = tuple(row_bits[row] for row in some)
            size_groups.append(_group(mover, some, tuple(relevant[row] for row in some), bits))
    return size_groups


@lru_cache(maxsize=16)  # chess's masks make seven groups
def _group(
    mover: BoardPiece, rows: tuple[int, ...], relevant: tuple[int, ...], squares: tuple[int, ...]
) -> SizeGroup:
    square_parts = tuple(
        parts(mover, bit, board) for bit, board in zip(squares, relevant, strict=True)
    )
    lists = [_in_parts(some, board) for some, board in zip(square_parts, relevant, strict=True)]
    width, low = mover.board.word, min(CHUNK_BITS, len(lists[0]))
    occupancies = full((len(rows), 1 << low), 0, width)
    for place in range(low):
        half = 1 << place
        bits = words([[1 << bits[place]] for bits in lists], width)
        occupancies[:, half : 2 * half] = bit_or(occupancies[:, :half], bits)
    high = tuple(tuple(bits[low:]) for bits in lists)
    attacks = _attacks(square_parts, low, 0, width)
    occupancies.setflags(write=False)
    attacks.setflags(write=False)
    return SizeGroup(np.array(rows), occupancies, attacks, high, square_parts)


def _in_parts(square_parts: tuple[Part, ...], relevant: int) -> list[int]:
    """The relevant bits, part by part, and then those that no part asks for."""
    first = [bit for part in square_parts for bit in part.blockers]
    return [*first, *(bit for bit in squares_of(relevant) if bit not in first)]


def _attacks(
    square_parts: tuple[tuple[Part, ...], ...], low: int, number: int, width: int
) -> Words:
    """The attack sets of all subsets of the low bits, with subset `number` of the high ones."""
    attacks = np.empty((len(square_parts), 1 << low), dtype_of(width))
    for place, some in enumerate(square_parts):
        known = full(1, 0, width)
        first = 0
        for part in some:
            # Its bits stand behind those that are known.
            known = bit_or(_with_high(part, first, low, number)[:, None], known).reshape(-1)
            first += len(part.blockers)
        # What nobody asks for changes nothing.
        attacks[place].reshape(-1, len(known))[:] = known
    return attacks


def _with_high(part: Part, first: int, low: int, number: int) -> Words:
    """A part's attacks by its own low bits; those of its bits that are high are as in `number`.

    `first` is the place of its first bit among the square's.
    """
    count = len(part.blockers)
    free = min(max(low - first, 0), count)
    if free == count:
        return part.attacks
    fixed = (number >> max(first - low, 0)) & ((1 << (count - free)) - 1)
    return part.attacks.reshape(-1, 1 << free)[fixed]


@lru_cache(maxsize=64)
def distinct(group: SizeGroup) -> tuple[int, ...]:
    """How many different attack sets each of the squares has."""
    return tuple(map(number_of, group.parts))


def chunk(group: SizeGroup, number: int) -> tuple[Words, Words]:
    """Occupancies and attack sets with subset `number` of the high bits set.

    There are 2^len(group.high[0]) chunks; chunk 0 is the group's own arrays.
    """
    if number == 0:
        return group.occupancies, group.attacks
    width = group.occupancies.dtype.itemsize * 8
    bits = [
        [sum(1 << bit for place, bit in enumerate(high) if number >> place & 1)]
        for high in group.high
    ]
    attacks = _attacks(group.parts, group.occupancies.shape[1].bit_length() - 1, number, width)
    return bit_or(group.occupancies, words(bits, width)), attacks
