"""What each form of a table takes, in bytes, before anything is searched."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from magicert.board import Board, Movement
from magicert.board.lines import lines_of
from magicert.jobs.boards.forms import Form, parts_of, questions_of
from magicert.problem import InputError, Problem
from magicert.verify.table.attacks import Mover, distinct_attack_sets

ENTRY_BITS = (8, 16)
FORMS = (
    Form(masks="usual"),
    Form(),
    Form(fixed_shift=True),
    Form(two_level=True),
    Form(lines=True),
    Form(lines=True, two_level=True),
)


@dataclass(frozen=True, slots=True)
class Size:
    """What a form takes for some pieces: `entry` bytes a slot, and `sets` attack sets of `word`
    bytes behind them in a two-level table. `lookups` is how many a piece makes at most.
    """

    form: Form
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


def size_of(board: Board, pieces: Mapping[str, Movement], form: Form) -> Size:
    """What a form takes with as many index bits as masks have squares. Raises InputError for a
    two-level table that cannot number its attack sets.
    """
    parts = parts_of(pieces, form)
    slots = sum(1 << question.bits for question in questions_of(board, parts, form).values())
    lookups = max(len(lines_of(m)) for m in pieces.values()) if form.lines else 1
    return _size(board, parts, slots, form, lookups)


def bytes_of(board: Board, parts: Mapping[str, Movement], slots: int, form: Form) -> int:
    """What a table of these parts takes with so many slots."""
    return _size(board, parts, slots, form, 1).bytes


def _size(
    board: Board, parts: Mapping[str, Movement], slots: int, form: Form, lookups: int
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
    number of what stands on it, and each piece has a small buffer for each line.

    No table file can say this yet: the bytes are computed, and nobody has verified it.
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
    """The form of `Classes`; None where the pieces have different masks or a line needs more
    than a byte, because its own mask has more than eight squares.
    """
    own = [questions_of(board, {"": movement}, Form()) for movement in pieces.values()]
    masks = {tuple(question.mask for question in questions.values()) for questions in own}
    split = [lines_of(movement) for movement in pieces.values()]
    if len(masks) > 1 or len({tuple(lines) for lines in split}) > 1 or len(split[0]) == 1:
        return None
    lines = questions_of(board, split[0], Form())
    if max(question.mask.bit_count() for question in lines.values()) > 8:
        return None
    words = sum(1 << question.mask.bit_count() for question in lines.values()) * len(pieces)
    slots = sum(1 << question.bits for question in own[0].values())
    return Classes(slots, len(split[0]), words, board.word // 8)
