"""Pack a table of any board: its squares in one buffer, of attack sets or of their numbers.

A first layout by first fit, with the magics of the table that is given; then magics with fewer
slots for every square (`sharing.fill_pool`), first fit again, and rounds of attempts, as in
`plain`. The best layout so far is always on disk, verified.

When: `magicert pack --board` and `--from` with a table that is not chess's.

Why two levels: with numbers in the buffer, squares of a line that are alike but for their place
have the same numbers, so one square's slots serve all of them: of the 360 lookups by lines of rook
and cannon on 9x10 there are 38 kinds. And where squares have attack sets in common, as cannons on
a file, their lists of attack sets lie over one another.

Cost: of attack sets hardly anything is gained beyond the used slots of each square; in two levels
xiangqi's tables come to some two fifths of what find-set makes, most of it the attack sets.
"""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np

from magicert.board import Board
from magicert.compact.bounds import fewest_slots
from magicert.compact.formula_shape import shape_of
from magicert.compact.job import (
    ExactBound,
    Found,
    PackJob,
    PackSettings,
    exact_bound,
    provenance_of,
)
from magicert.compact.movers import (
    WIDEST,
    Key,
    Mover,
    MoverPlacement,
    alike,
    mover_of,
)
from magicert.compact.pack import HistoryPoint, Stop, history_text
from magicert.compact.progress import Workers, WorkPhase
from magicert.compact.publish import publish, publish_levels
from magicert.compact.sharing import (
    Pools,
    by_size,
    capacity_of,
    fill_pool,
    first_fit,
    improved,
)
from magicert.compact.two_level import NUMBER_KINDS, Numbers
from magicert.formula.arrays import evaluate, full, ints, words
from magicert.formula.tree import OCCUPANCY
from magicert.outcome import Watch
from magicert.problem import InputError, Problem
from magicert.scheme import resolve_scheme
from magicert.search.finders.trial import MOST_BITS
from magicert.system.deadline import FOREVER
from magicert.table import PieceTable, Provenance, Table, TableFile, TwoLevel
from magicert.table.model import Values
from magicert.verify.table.attack_sets import set_offsets
from magicert.verify.table.layout import PieceLayout, lay_out
from magicert.verify.table.literal import read_sidecar
from magicert.verify.table.verifier import verify

# What a table says of its squares.


@dataclass(frozen=True, slots=True)
class SquareRead:
    """A square of a table: its mover, attack sets by the mover's numbers, magic and offset, and
    where its attack sets start in a second level that all squares share.
    """

    mover: Mover
    attacks: list[int]
    magic: int
    offset: int
    start: int

    @property
    def own_bits(self) -> int:
        """The index bits that it has in the table."""
        return self.mover.bits[0]


def too_wide(board: Board) -> list[Problem]:
    """A problem for a board whose magics are not annealed."""
    message = f"bitboards of {board.word} bits: expected a board of up to 128 squares"
    return [Problem(message, key=f"board {board}")] if board.word > WIDEST else []


def too_narrow(entry_bits: int, sets: int, whose: str) -> Problem:
    """Entries that cannot number the attack sets of a square."""
    message = f"entries of {entry_bits} bits cannot number the {sets:,} attack sets of {whose}"
    return Problem(message, key="--two-level")


def refuse_unpackable(file: TableFile) -> None:
    """Raise InputError for a table that cannot be packed, with every reason."""
    table, where = file.table, str(file.path)
    problems = []
    if table.half_board:
        problems.append(Problem("a half board: expected the whole board", file=where))
    problems += [replace(problem, file=where) for problem in too_wide(table.board)]
    if (table.order, table.listing) != ("a1", "a1"):
        message = f"order {table.order}, listing {table.listing}: expected a1"
        problems.append(Problem(message, file=where, key="order"))
    for name, piece in table.pieces.items():
        shape = shape_of(piece.index)
        if piece.numbers_of is not None:
            message = "its numbers are another piece's: expected lookups of its own (no --form "
            message += "pairs)"
            problems.append(Problem(message, file=where, key=f"{name}.numbers_of"))
        elif shape is None or shape.scheme != "white":
            message = f"{piece.index.text!r}: expected (occ & mask) * magic, with one shift"
            problems.append(Problem(message, file=where, key=f"{name}.index"))
        if piece.result is not None:
            message = f"{piece.result.text!r}: expected attack sets, no layered table"
            problems.append(Problem(message, file=where, key=f"{name}.result"))
    if problems:
        raise InputError(problems)
    report = verify(file)
    if report.verdict != "valid":
        message = f"the table is {report.verdict}: expected a valid one"
        raise InputError([Problem(message, file=where)])


def squares_read(file: TableFile) -> list[SquareRead]:
    """The squares of a table. Raises InputError for one that cannot be packed."""
    refuse_unpackable(file)
    parts = [part for buffer in lay_out(file) for part in buffer.pieces]
    return [square for part in parts for square in _squares_of(part, str(file.path))]


def _squares_of(part: PieceLayout, where: str) -> Iterator[SquareRead]:
    shape = shape_of(part.table.index)
    assert shape is not None
    board, rows = part.mover.board, len(part.bits)
    values = {**part.parameters, OCCUPANCY: full((rows, 1), 0, board.word)}
    columns = evaluate(shape.shift, values), values[shape.magic]
    shifts, magics = (ints(np.broadcast_to(column, (rows, 1)).reshape(-1)) for column in columns)
    bits = [board.word - shift for shift in shifts]
    fixed = len({bits[row] for row in part.playable}) == 1
    if max(bits) > MOST_BITS:
        message = f"indexes of {max(bits)} bits: expected at most {MOST_BITS}"
        raise InputError([Problem(message, file=where, key=part.table.piece)])
    starts = set_offsets(part)
    for row in part.playable:
        key = str(part.table.piece), part.bits[row]
        allowed = (bits[row],) if fixed else (bits[row], bits[row] + 1)
        mask = part.table_masks[row]
        mover, attacks = mover_of(key, board, part.mover.movement, mask, allowed)
        yield SquareRead(mover, attacks, magics[row], part.offset[row], starts[row])


# What stands in the slots: attack sets, or their numbers in two levels.


@dataclass(frozen=True, slots=True)
class Levels:
    """What stands behind the entries of a buffer.

    In one level `attacks` are all attack sets of the table, each once. In two they are the words of
    its second level: entries have `entry_bits` bits, and each square's sets begin at its `starts`.
    """

    attacks: tuple[int, ...]
    entry_bits: int | None = None
    starts: Mapping[Key, int] | None = None


def one_level(squares: Iterable[SquareRead]) -> tuple[list[Mover], Levels]:
    """The movers of attack sets: equal sets have equal numbers."""
    number: dict[int, int] = {}
    movers = [
        replace(
            square.mover, sets=_int_array(number.setdefault(a, len(number)) for a in square.attacks)
        )
        for square in squares
    ]
    return movers, Levels(tuple(number))


def _int_array(numbers: Iterable[int]) -> "np.ndarray[tuple[int], np.dtype[np.int32]]":
    return np.fromiter(numbers, dtype=np.int32)


ORDERS: Mapping[str, Callable[[int, int], int]] = {
    "files": lambda file, _rank: file,
    "ranks": lambda _file, rank: rank,
    "diagonals": lambda file, rank: file - rank,
    "antidiagonals": lambda file, rank: file + rank,
}
"""The lines of a board: of each square the number of its own."""


def two_levels(
    squares: Sequence[SquareRead], board: Board, entry_bits: int
) -> tuple[list[Mover], Levels]:
    """The movers of numbers. The squares of a line share their list of attack sets, as far as
    numbers of so many bits reach, and of each piece those lines are taken that need the fewest
    words. Movers that are alike become one.

    Raises InputError where entries are too narrow for a square.
    """
    most = max(squares, key=lambda square: len(square.attacks))
    if len(most.attacks) > 1 << entry_bits:
        whose = f"{most.mover.key[0]} {board.name(most.mover.key[1])}"
        raise InputError([too_narrow(entry_bits, len(most.attacks), whose)])
    by_piece: dict[str, list[SquareRead]] = {}
    for square in squares:
        by_piece.setdefault(square.mover.key[0], []).append(square)
    all_words: list[int] = []
    starts: dict[Key, int] = {}
    numbered: dict[Key, Mover] = {}
    for of_piece in by_piece.values():
        lists = (_shared_lists(of_piece, board, line, 1 << entry_bits) for line in ORDERS.values())
        own_words, addresses = min(lists, key=lambda found: len(found[0]))
        for square in of_piece:
            own = addresses[square.mover.key]
            starts[square.mover.key] = len(all_words) + min(own)
            sets = _int_array(address - min(own) for address in own)
            numbered[square.mover.key] = replace(square.mover, sets=sets)
        all_words += own_words
    movers = [numbered[square.mover.key] for square in squares]
    return alike(movers), Levels(tuple(all_words), entry_bits, starts)


def _shared_lists(
    squares: Sequence[SquareRead], board: Board, line: Callable[[int, int], int], most: int
) -> tuple[list[int], dict[Key, list[int]]]:
    """Words in which each square finds its attack sets, within `most` words; and where."""

    def line_of(square: SquareRead) -> int:
        return line(*board.place(square.mover.key[1]))

    listed: list[int] = []
    addresses: dict[Key, list[int]] = {}
    there: dict[int, int] = {}
    before: int | None = None
    for square in sorted(squares, key=lambda square: (line_of(square), square.mover.key)):
        if line_of(square) != before:
            there, before = {}, line_of(square)
        found = [there.get(attack) for attack in square.attacks]
        new = found.count(None)
        known = [address for address in found if address is not None]
        if known and len(listed) + new - min(known) > most:
            there, new = {}, len(found)
        for attack in square.attacks:
            if attack not in there:
                there[attack] = len(listed)
                listed.append(attack)
        addresses[square.mover.key] = [there[attack] for attack in square.attacks]
    return listed, addresses


# The layout, and its ways to a table file.


@dataclass(frozen=True, slots=True)
class BoardLayout:
    """Placements of all squares of `table`, which says everything else."""

    table: Table
    levels: Levels
    placements: tuple[MoverPlacement, ...]

    @property
    def length(self) -> int:
        """The entries of the buffer."""
        return max(placement.end for placement in self.placements)

    @property
    def used_slots(self) -> int:
        """The entries that squares use."""
        return len(np.unique(np.concatenate([placement.slots for placement in self.placements])))

    @property
    def holes(self) -> int:
        """Entries that nothing uses."""
        return self.length - self.used_slots

    @property
    def least(self) -> int:
        """What no other offsets of these magics can go below."""
        return fewest_slots(placement.words for placement in self.placements)

    @property
    def bytes(self) -> int:
        """What all buffers take, without constant tables of leaps."""
        word = self.table.board.word // 8
        if self.levels.entry_bits is None:
            return self.length * word
        return self.length * self.levels.entry_bits // 8 + len(self.levels.attacks) * word

    @property
    def size(self) -> int:
        """What is to be small: entries, or bytes in two levels."""
        return self.length if self.levels.entry_bits is None else self.bytes


def to_table(layout: BoardLayout, name: str, provenance: Provenance) -> Table:
    """The table file's content, but for the names of finished buffers."""
    table, levels = layout.table, layout.levels
    magics = {key: magic for placed in layout.placements for key, magic in placed.magics.items()}
    by_key = {
        key: placed for placed in layout.placements for key in (placed.key, *placed.mover.others)
    }
    formula = resolve_scheme("white", table.board.word).formula

    def column(name: str, value: Callable[[Key], int]) -> Values:
        """One value a square; holes have that of the first square."""
        first = name, table.board.playable[0]
        keys = [(name, square) for square in range(table.board.squares)]
        return tuple(value(key if table.board.has(key[1]) else first) for key in keys)

    def packed(piece: PieceTable) -> PieceTable:
        name = str(piece.piece)
        bits = column(name, lambda key: by_key[key].bits)
        parameters: dict[str, Values] = {
            "bits": bits[:1] if len(set(bits)) == 1 else bits,
            "magic": column(name, magics.__getitem__),
        }
        if "mask" in piece.parameters:
            parameters["mask"] = piece.parameters["mask"]
        starts = None
        if levels.starts is not None:
            starts = column(name, levels.starts.__getitem__)
        return replace(
            piece, index=formula, parameters=parameters, square_size=None, buffer_size=None,
            offset=column(name, lambda key: by_key[key].offset), set_offset=starts, literal=None,
            attack_sets=None, literal_sets=None,
        )  # fmt: skip

    two = None
    if levels.entry_bits is not None:
        two = TwoLevel(levels.entry_bits, len(levels.attacks))
    return replace(
        table, name=name, pieces={name: packed(piece) for name, piece in table.pieces.items()},
        shared=True, buffer_size=layout.length, literal=None, two_level=two, provenance=provenance,
    )  # fmt: skip


def save_layout(layout: BoardLayout, name: str, provenance: Provenance, path: Path) -> None:
    """Write a layout, verified, with its certificate and, in two levels, both buffers."""
    table, levels = to_table(layout, name, provenance), layout.levels
    if levels.entry_bits is None:
        publish(table, path)
        return
    numbers: Numbers = np.zeros(layout.length, dtype=NUMBER_KINDS[levels.entry_bits])
    for placed in layout.placements:
        numbers[placed.slots] = placed.holds
    second = words(levels.attacks, layout.table.board.word)
    data = [buffer.astype(buffer.dtype.newbyteorder("<")).tobytes() for buffer in (numbers, second)]
    publish_levels(table, data[0], data[1], path)


def layout_of(file: TableFile, entry_bits: int | None) -> tuple[BoardLayout, bool]:
    """The layout of a table, and whether its squares share a buffer already, of attack sets or of
    numbers as they are wanted. Otherwise each square has slots of its own.

    Raises InputError for a table that cannot be packed.
    """
    squares, table = squares_read(file), file.table
    if entry_bits is None:
        movers, levels = one_level(squares)
    else:
        movers, levels = two_levels(squares, table.board, entry_bits)
    read = {square.mover.key: square for square in squares}
    is_packed = table.shared and _levels_as(file, levels)
    placements, start = [], 0
    for mover in movers:
        of_key = read[mover.key]
        placed = mover.placed(of_key.magic, of_key.own_bits, of_key.offset if is_packed else start)
        assert placed is not None  # it was verified
        placements.append(placed)
        start += 1 << placed.bits
    if is_packed and entry_bits is not None:
        is_packed = all(
            read[key].offset == placed.offset and read[key].magic == magic
            for placed in placements
            for key, magic in placed.magics.items()
        )
    return BoardLayout(table, levels, tuple(placements)), is_packed


def _levels_as(file: TableFile, levels: Levels) -> bool:
    """Whether a table has these levels: no second one, or the same words and starts."""
    table, two = file.table, file.table.two_level
    if two is None or levels.starts is None:
        return two is None and levels.starts is None
    if two.literal_words is None or two.entry_bits != levels.entry_bits:
        return False
    sidecar = read_sidecar(file.path.parent, two.literal_words, table.board.word, two.words)
    starts = levels.starts
    same = all(
        part.table.set_offset is not None
        and all(
            part.table.set_offset[row] == starts[str(part.table.piece), part.bits[row]]
            for row in part.playable
        )
        for buffer in lay_out(file)
        for part in buffer.pieces
    )
    return same and tuple(ints(sidecar.numbers)) == levels.attacks


def bytes_of(file: TableFile) -> int:
    """What the buffers of a table take."""
    report = verify(file)
    table = file.table
    word = table.board.word // 8
    entries = sum(buffer.length for buffer in report.buffers)
    if table.two_level is None:
        return entries * word
    sets = table.two_level.words or sum(
        sum(square_sets for square_sets in counts) for counts in _attack_set_counts(file)
    )
    return entries * table.two_level.entry_bits // 8 + sets * word


def _attack_set_counts(file: TableFile) -> Iterator[list[int]]:
    from magicert.verify.table.attack_sets import attack_set_counts

    for buffer in lay_out(file):
        for part in buffer.pieces:
            counts = attack_set_counts(part)
            yield [counts[row] for row in part.playable]


# The run.

POOLS = WorkPhase("magics with fewer slots", "kinds of squares")
ATTEMPTS, FEWEST_ATTEMPTS, LOOKUPS = 400, 16, 1 << 23
"""Attempts of one worker in one round: some seconds. So many, or fewer where they are long."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardFound(Found):
    """The best layout. The table that was given takes `first` bytes and has `slots`; no magics need
    less than `bound`, entries or, in two levels, bytes.
    """

    layout: BoardLayout
    first: int
    slots: int
    bound: int
    exact: ExactBound | None = None

    @property
    def size(self) -> int:
        return self.layout.size

    @property
    def shortfall(self) -> str:
        unit = "entries" if self.layout.levels.entry_bits is None else "bytes"
        return (
            f"at most {self.limit:,} {unit}: the least found is {self.size:,}; no proof that "
            "there is nothing smaller"
        )


class BoardJob(PackJob):
    """Layouts of a table of any board, each smaller than the one before. Where somebody named the
    table, nothing is written that is no smaller.
    """

    layout: BoardLayout | None

    def __init__(self, settings: PackSettings, watch: Watch) -> None:
        super().__init__(settings, watch)
        self.history: list[HistoryPoint] = []
        self.pools: Pools = {}
        self.attempts = ATTEMPTS
        self.given_bytes = self.slots = self.bound = 0
        self.written: BoardLayout | None = None
        """The layout that is on disk. `layout` may be one of the same length with fewer slots."""

    def begin(self, workers: Workers) -> None:
        settings, source = self.settings, self.settings.source
        assert source is not None
        two = source.table.two_level
        entry_bits = settings.two_level or (two.entry_bits if two is not None else None)
        start, is_packed = layout_of(source, entry_bits)
        self.given_bytes, self.bound = bytes_of(source), bound_of(start)
        self.slots = sum(buffer.length for buffer in verify(source).buffers)
        unit = "entries" if entry_bits is None else "bytes"
        self.refuse_limit_below(self.bound, f"{unit}: no table of this form takes less than "
                                f"{self.bound:,}")  # fmt: skip
        movers = [placed.mover for placed in start.placements]
        lookups = sum(len(mover.numbers) for mover in movers)
        average = max(1, lookups // len(movers))
        self.attempts = min(ATTEMPTS, max(FEWEST_ATTEMPTS, LOOKUPS // average // 64))
        self.squeezing = time.monotonic()
        own = {placed.key: [placed.at(0)] for placed in start.placements}
        fitted = self.fitted(start, own)
        self.save(min(start, fitted, key=_figures) if is_packed else fitted)
        self.pools = dict(self.filled(start, workers))
        self.save(self.fitted(start, self.pools))

    def fitted(self, layout: BoardLayout, pools: Pools) -> BoardLayout:
        """The layout of first fit."""
        buffer = first_fit(pools, capacity_of(pools), by_size(pools), FOREVER)
        return replace(layout, placements=tuple(buffer.placements.values()))

    def filled(
        self, start: BoardLayout, workers: Workers
    ) -> Iterator[tuple[Key, list[MoverPlacement]]]:
        """A pool for each mover. Those that differ in their attack sets only have one search."""
        first = {placed.key: placed for placed in start.placements}
        kinds = alike(replace(placed.mover, sets=placed.mover.numbers[:0]) for placed in
                      start.placements)  # fmt: skip
        orders = [first[kind.key] for kind in kinds]
        work = partial(fill_pool, self.settings.seed, self.deadline)
        found = workers.each(POOLS, work, orders, lambda pool: str(pool[0].key[0]))
        for kind, pool in zip(kinds, found, strict=True):
            yield kind.key, pool
            for key in kind.others:
                magics = [(placed.magic << (kind.key[1] - key[1]), placed.bits) for placed in pool]
                mover = first[key].mover
                moved = (mover.placed(m & (1 << mover.width) - 1, bits) for m, bits in magics)
                yield key, [placed for placed in moved if placed is not None]

    @property
    def size(self) -> int:
        assert self.layout is not None
        return self.layout.size

    @property
    def on_disk(self) -> bool:
        return self.written is not None

    @property
    def note(self) -> str:
        where = "not written" if self.written is None else f"{self.settings.output} has it"
        assert self.layout is not None
        return f"best {self.layout.length:,} entries, {self.layout.bytes:,} bytes, {where}"

    def round(self, seeds: Sequence[tuple[int, int, int]]) -> None:
        assert self.layout is not None
        placements = self.layout.placements
        work = partial(improved, self.pools, self.attempts, self.deadline, placements)
        layouts = [replace(self.layout, placements=tuple(p)) for p in self.mapper(work, seeds)]
        self.rounds += 1
        self.save(min(layouts, key=_figures))

    def save(self, layout: BoardLayout) -> None:
        """Keep a layout that is no worse; write it where it is smaller."""
        if self.layout is not None and _figures(layout) > _figures(self.layout):
            return
        shorter = self.layout is None or layout.length < self.layout.length
        self.layout = layout
        if not shorter:
            return
        self.history.append(HistoryPoint(time.monotonic() - self.squeezing, layout.length))
        settings = self.settings
        free = settings.from_set or settings.resumed
        if not free and layout.bytes >= self.given_bytes:
            return
        provenance = provenance_of(
            settings, settings.command(self.rounds, None), history_text(self.history)
        )
        save_layout(layout, settings.name or settings.output.stem, provenance, settings.output)
        self.written = layout

    @property
    def nothing(self) -> str:
        return (
            f"nothing smaller than the given table of {self.given_bytes:,} bytes was found, and "
            "nothing was written: allow a longer --budget"
        )

    def found(self, stopped: Stop) -> BoardFound | None:
        settings, layout = self.settings, self.written
        if layout is None:
            return None
        exact = None
        if settings.exact is not None and stopped != "interrupted":
            exact = exact_bound(layout.placements, settings.exact, layout.table.board)
        return BoardFound(
            layout=layout, first=self.given_bytes, slots=self.slots, bound=self.bound,
            rounds=self.rounds, stopped=stopped, limit=settings.limit, exact=exact,
        )  # fmt: skip


def _figures(layout: BoardLayout) -> tuple[int, int]:
    return layout.length, layout.used_slots


def bound_of(layout: BoardLayout) -> int:
    """What no table of this form goes below, whatever its magics.

    In one level, entries: one for each different attack set. In two levels, bytes: a word for each
    different attack set, and entries for the square that has most sets.
    """
    different = len(set(layout.levels.attacks))
    if layout.levels.entry_bits is None:
        return different
    most = max(len(placed.mover.sets) for placed in layout.placements)
    return different * layout.table.board.word // 8 + most * layout.levels.entry_bits // 8
