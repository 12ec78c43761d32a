"""What each form of a table takes, in bytes, before anything is searched."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from magicert.betza import lines_of
from magicert.blockers import MOST_SQUARES, blockers_of
from magicert.board import Board, Movement, least_mask
from magicert.outcome import Answered, OutcomeKind
from magicert.problem import InputError
from magicert.requests.set_question import Square, TableForm
from magicert.requests.set_search import attack_sets, entry_bits
from magicert.scheme import resolve_scheme

FORMS = (
    TableForm(masks="usual"),
    TableForm(),
    TableForm(fixed_shift=True),
    TableForm(two_level=True),
    TableForm(lines=True),
    TableForm(lines=True, two_level=True),
)


@dataclass(frozen=True, slots=True)
class Size:
    """What a form takes for some pieces: `entry` bytes a slot, and `sets` attack sets of `word`
    bytes behind them in a two-level table. `lookups` is how many a piece makes at most.
    """

    form: TableForm
    lookups: int
    slots: int
    entry: int
    word: int
    sets: int = 0

    @property
    def bytes(self) -> int:
        """All buffers together."""
        return self.slots * self.entry + self.sets * self.word


@dataclass(frozen=True, slots=True)
class Classes:
    """One lookup for all pieces with the same masks: the slot has a byte for each line, the
    number of what the pieces see on it, and each piece a buffer of attack sets for each line.

    No table file can say this yet: the bytes are computed, no verifier has seen such a table.
    """

    slots: int
    lines: int
    words: int
    word: int

    @property
    def bytes(self) -> int:
        """All buffers together."""
        return self.slots * self.lines + self.words * self.word


@dataclass(frozen=True, slots=True)
class Sizes(Answered):
    """All forms that some pieces can have, and `Classes` where they can have it."""

    kind = OutcomeKind.EXISTS
    board: Board
    forms: tuple[Size, ...]
    classes: Classes | None


def sizes_of(board: Board, pieces: Mapping[str, Movement]) -> Sizes:
    """All of it."""
    return Sizes(board, sizes(board, pieces), classes(board, pieces))


def size_of(board: Board, pieces: Mapping[str, Movement], form: TableForm) -> Size:
    """What a form takes with as many index bits as masks have squares. Raises InputError for a
    two-level table that cannot number its attack sets.
    """
    parts = form.parts_of(pieces)
    slots = sum(1 << bits for _, bits in _masks(board, parts, form).values())
    lookups = max(len(lines_of(m)) for m in pieces.values()) if form.lines else 1
    word = board.word // 8
    if not form.two_level:
        return Size(form, lookups, slots, word, word)
    sets = [attack_sets(board, movement) for movement in parts.values()]
    return Size(form, lookups, slots, entry_bits(sets) // 8, word, sum(map(sum, sets)))


def _masks(
    board: Board, parts: Mapping[str, Movement], form: TableForm
) -> dict[Square, tuple[int, int]]:
    """Of each square its mask and its bits."""
    cells = form.cells(board, parts, resolve_scheme("white", board.word))
    return {square: (cell.mask, cell.bits) for square, cell in cells.items()}


def sizes(board: Board, pieces: Mapping[str, Movement]) -> tuple[Size, ...]:
    """All forms that these pieces can have, as FORMS lists them. Lines are left out where all
    pieces have one.
    """
    found = []
    several = any(len(lines_of(movement)) > 1 for movement in pieces.values())
    for form in FORMS:
        if form.lines and not several:
            continue
        try:
            found.append(size_of(board, pieces, form))
        except InputError:  # too many attack sets for numbers of 16 bits
            continue
    return tuple(found)


def classes(board: Board, pieces: Mapping[str, Movement]) -> Classes | None:
    """The form of `Classes`; None where the pieces have different masks or one line only, or
    where a byte cannot number what they see on a line.
    """
    split = [lines_of(movement) for movement in pieces.values()]
    lines = sorted(split[0])
    if len(lines) == 1 or any(sorted(own) != lines for own in split):
        return None
    whole = _alike(board, list(pieces.values()))
    if whole is None:
        return None
    numbers = 0
    for line in lines:
        movements = [own[line] for own in split]
        masks = _alike(board, movements)
        if masks is None:
            return None
        counts = [_seen_together(board, movements, s, mask) for s, mask in enumerate(masks)]
        if max(counts) > 1 << 8:
            return None
        numbers += sum(counts)
    slots = sum(1 << max(1, mask.bit_count()) for mask in whole)
    return Classes(slots, len(lines), numbers * len(pieces), board.word // 8)


def _alike(board: Board, movements: Sequence[Movement]) -> list[int] | None:
    """The least mask of each square; None where those of the pieces differ or are too wide to
    look at all occupancies.
    """
    every = [[least_mask(board, m, s) for m in movements] for s in range(board.squares)]
    widest = max(mask.bit_count() for own in every for mask in own)
    same = all(len(set(own)) == 1 for own in every)
    return [own[0] for own in every] if same and widest <= MOST_SQUARES else None


def _seen_together(board: Board, movements: Sequence[Movement], square: int, mask: int) -> int:
    """How many different attack sets the pieces have between them, counted as a whole."""
    numbers = [blockers_of(board, m, square, mask).numbers.tolist() for m in movements]
    return len(set(zip(*numbers, strict=True)))
