"""What each form of a table takes, in bytes, before anything is searched."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from magicert.board import Board, Movement
from magicert.board.lines import lines_of
from magicert.jobs.boards.forms import TableForm, parts_of, questions_of
from magicert.problem import InputError, Problem
from magicert.search.boards.blockers import MOST_SQUARES, MagicQuestion, blockers_of
from magicert.verify.table.attacks import Mover, distinct_attack_sets

ENTRY_BITS = (8, 16)
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


@cache
def attack_sets(board: Board, movement: Movement) -> tuple[int, ...]:
    """How many different attack sets each square has."""
    mover = Mover(board, movement, "a1")
    return tuple(distinct_attack_sets(mover, square) for square in range(board.squares))


def entry_bits(board: Board, parts: Mapping[str, Movement]) -> int:
    """The bits of a two-level table's numbers: those of the square with most attack sets.

    Raises InputError where that is more than 16.
    """
    most = max(max(attack_sets(board, movement)) for movement in parts.values())
    wide_enough = [bits for bits in ENTRY_BITS if most <= 1 << bits]
    if not wide_enough:
        message = f"a square has {most:,} attack sets, more than 16 bits can number"
        raise InputError([Problem(message, key="--two-level")])
    return wide_enough[0]


def size_of(board: Board, pieces: Mapping[str, Movement], form: TableForm) -> Size:
    """What a form takes with as many index bits as masks have squares. Raises InputError for a
    two-level table that cannot number its attack sets.
    """
    parts = parts_of(pieces, form)
    slots = sum(1 << question.bits for question in questions_of(board, parts, form).values())
    lookups = max(len(lines_of(m)) for m in pieces.values()) if form.lines else 1
    return _size(board, parts, slots, form, lookups)


def bytes_of(board: Board, parts: Mapping[str, Movement], slots: int, form: TableForm) -> int:
    """What a table of these parts takes with so many slots."""
    return _size(board, parts, slots, form, 1).bytes


def _size(
    board: Board, parts: Mapping[str, Movement], slots: int, form: TableForm, lookups: int
) -> Size:
    word = board.word // 8
    if not form.two_level:
        return Size(form, lookups, slots, word, word)
    sets = sum(sum(attack_sets(board, movement)) for movement in parts.values())
    return Size(form, lookups, slots, entry_bits(board, parts) // 8, word, sets)


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


def classes(board: Board, pieces: Mapping[str, Movement]) -> Classes | None:
    """The form of `Classes`; None where the pieces have different masks or one line only, or
    where a byte cannot number what they see on a line.
    """
    split = [lines_of(movement) for movement in pieces.values()]
    lines = sorted(split[0])
    if len(lines) == 1 or any(sorted(own) != lines for own in split):
        return None
    whole = _alike([questions_of(board, {"": m}, TableForm()) for m in pieces.values()])
    if whole is None:
        return None
    numbers = 0
    for line in lines:
        asked = _alike([questions_of(board, {"": own[line]}, TableForm()) for own in split])
        if asked is None:
            return None
        counts = [_seen_together(same) for same in asked]
        if max(counts) > 1 << 8:
            return None
        numbers += sum(counts)
    slots = sum(1 << same[0].bits for same in whole)
    return Classes(slots, len(lines), numbers * len(pieces), board.word // 8)


Questions = Mapping[tuple[str, int], MagicQuestion]


def _alike(asked: Sequence[Questions]) -> list[tuple[MagicQuestion, ...]] | None:
    """Of each square the questions of all pieces; None where their masks differ or are too wide to
    look at all occupancies.
    """
    squares = list(zip(*(questions.values() for questions in asked), strict=True))
    same = all(len({question.mask for question in own}) == 1 for own in squares)
    widest = max(question.mask.bit_count() for own in squares for question in own)
    return squares if same and widest <= MOST_SQUARES else None


def _seen_together(questions: tuple[MagicQuestion, ...]) -> int:
    """How many different attack sets the pieces have between them, counted as a whole."""
    numbers = [blockers_of(question).numbers.tolist() for question in questions]
    return len(set(zip(*numbers, strict=True)))
