"""Both levels of a two-level table: the numbers of each buffer, the attack sets of each piece."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from magicert.compact.emit.spelling import sets_name
from magicert.compact.two_level import NUMBER_KINDS, Numbers, fill_buffer
from magicert.formula.arrays import Words, full
from magicert.problem import InputError, Problem
from magicert.table import Table
from magicert.verify.table.attack_sets import attack_set_counts, set_offsets
from magicert.verify.table.layout import BufferLayout, PieceLayout
from magicert.verify.table.literal import read_sidecar, second_level

Sets = Mapping[str, Words]


@dataclass(frozen=True, slots=True)
class Levels:
    """The second level: `sets` are the attack sets by piece, `starts` where each row's begin.

    Numbers have `entry_bits` bits. `shared` says whether both pieces point into the same words.
    """

    entry_bits: int
    sets: Sets
    starts: Mapping[str, Sequence[int]]
    shared: bool = False

    def name(self, piece: str) -> str:
        """What the attack sets of a piece are called: "rook_sets", or "words" of both pieces."""
        return "words" if self.shared else sets_name(piece)

    @property
    def buffers(self) -> Mapping[str, Words]:
        """The buffers of the second level by name."""
        return {self.name(piece): words for piece, words in self.sets.items()}


def both_levels(
    table: Table, layouts: Sequence[BufferLayout], folder: Path
) -> tuple[list[Numbers], Levels]:
    """The numbers of each buffer, and the second level, of a valid two-level table. A buffer
    that is laid out once more, as another piece reads it, has none.

    The finished buffers are taken as they are; in those without one, each square's attack sets
    are numbered in increasing order. Raises InputError for these where one number serves all
    squares of a piece, because then only a finished buffer says what it means.
    """
    assert table.two_level is not None
    bits = table.two_level.entry_bits
    parts = [part for layout in layouts for part in layout.pieces]
    starts = {part.table.piece: set_offsets(part) for part in parts}
    computed = [part for layout in layouts if layout.literal is None for part in layout.pieces]
    whole = [p.table.piece for p in computed if len(set(starts[p.table.piece])) == 1]
    if whole:
        message = "one number for all squares: expected the finished buffers (literal)"
        raise InputError([Problem(message, key=f"{piece}.set_offset") for piece in whole])
    sets = {
        part.table.piece: _empty_sets(part, starts[part.table.piece])
        if part in computed
        else _sidecar(folder, second_level(table, part.table)[0], table.board.word)
        for part in parts
    }
    numbers: list[Numbers] = []
    others = [layout for layout in layouts if layout.numbers_of is not None]
    for layout in layouts:
        if layout in others:
            continue
        if layout.literal is not None:  # no fill routine knows its numbering
            finished = _sidecar(folder, layout.literal, bits)
            numbers.append(finished.astype(NUMBER_KINDS[bits]))
            continue
        try:
            mine = {part.table.piece for part in layout.pieces}
            read = [other for other in others if other.numbers_of in mine]
            numbers.append(fill_buffer(layout, bits, sets, starts, read))
        except ValueError as error:
            message = "squares share slots, and their sets cannot be numbered in increasing order"
            expected = "expected the finished buffers (literal)"
            raise InputError([Problem(f"{message}: {expected}", key="two_level")]) from error
    return numbers, Levels(bits, sets, starts, shared=table.two_level.words is not None)


def _empty_sets(part: PieceLayout, starts: Sequence[int]) -> Words:
    counts = attack_set_counts(part)
    end = max(start + count for start, count in zip(starts, counts, strict=True))
    return full(max(end, part.table.attack_sets or 0), 0, part.mover.board.word)


def _sidecar(folder: Path, name: str, bits: int) -> Words:
    return read_sidecar(folder, name, bits, None).numbers
