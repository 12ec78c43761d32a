"""How many bits an index has: what the source says, and only where it is silent the usual."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from magicert.table.model import Values
from magicert.verify.source.lists.columns import Column
from magicert.verify.source.lists.game import Arrangement, Game
from magicert.verify.source.lists.material import Material
from magicert.verify.source.lists.naming import split_words
from magicert.verify.source.lists.roles import (
    SHIFT_WORDS,
    SIZE_WORDS,
    WHOLE,
    Kind,
    fits,
    piece_said,
    says,
    shift_kind,
)

Evidence = Literal["given by hand", "list", "constant", "literal", "mask", "usual"]

MOST_BITS = 20
"""An index of more bits would need a buffer of gigabytes."""


def plausible_bits(game: Game, piece: str) -> range:
    """The numbers of bits that an index may have which is alike for all squares."""
    most = game.most_bits(piece)
    return range(most - 1, most + 3)


@dataclass(frozen=True, slots=True)
class Count:
    """The bits of an index, or its shift: the parameter's name, its values, where from.

    `kind` says of what word the shift is, where it is one.
    """

    kind: Kind
    values: Values
    evidence: Evidence
    words: str
    column: Column | None = None
    windowed: bool = False
    """The bits above the index have to be cut off by an AND."""

    @property
    def parameter(self) -> str:
        """The parameter of the formula."""
        return "bits" if self.kind == "bits" else "shift"


def counts(material: Material, magic: Column, piece: str, arrangement: Arrangement) -> list[Count]:
    """What the index's bits may be, most telling first.

    A list or a constant of the source binds: what it says is not replaced by what would fit.
    """
    lists = _listed(material, magic, piece)
    if lists:
        return lists
    named, vague = _constants(material, piece)
    if named:
        return named
    popcount = popcounts(material.game, piece, arrangement, "not in the source: {} taken")
    usual = material.game.most_bits(piece)
    words = f"not in the source: {usual} taken for every square, as is usual for a {piece}"
    # A shift by a literal may belong to something else, a hash table say: it comes first, but
    # binds only where its statement or function names the piece.
    literals, own = _literals(material, piece)
    if own:
        # Where a product of 64 bits is two words, its high word is what is shifted.
        words = "of the high word of a product of 64 bits"
        high = [
            Count("bits", (32 - count.values[0],), "literal", f"{count.words}, {words}")
            for count in own
            if count.kind == "shift32"
        ]
        return [*own, *high]
    guessed = [] if material.game.by_hand else [Count("bits", (usual,), "usual", words)]
    return [*vague, *literals, popcount, *guessed]


def popcounts(game: Game, piece: str, arrangement: Arrangement, words: str) -> Count:
    """One bit of the index for each square of the mask; `words` say where that is from."""
    needed = tuple(mask.bit_count() for mask in game.masks(piece, arrangement, "usual"))
    return Count("bits", needed, "mask", words.format("popcount of the mask"))


def _listed(material: Material, magic: Column, piece: str) -> list[Count]:
    own: list[Count] = []
    named: list[Count] = []
    alike: list[Count] = []
    for column in material.columns:
        kind = shift_kind(column)
        if kind is None or column is magic or column in magic.halves:
            continue
        count = Count(kind, column.values, "list", column.where, column)
        whose = piece_said(column)
        if column.group == magic.group:
            named_size = says(column, SIZE_WORDS) and not says(column, SHIFT_WORDS)
            one_value = len(set(column.values)) == 1 and not says(column, SHIFT_WORDS)
            if fits(column, kind, piece) or not (named_size or one_value):
                own.append(count)
        elif whose not in (None, piece) and not fits(column, kind, piece):
            continue
        elif says(column, SHIFT_WORDS):
            if whose == piece or fits(column, kind, piece):
                named.append(count)
        elif fits(column, kind, piece) and len(set(column.values)) > 2:
            alike.append(count)
    named.sort(key=lambda count: not fits(count.column, count.kind, piece) if count.column else 0)
    fitting = [c for c in named if c.column and fits(c.column, c.kind, piece)]
    return own or fitting or named or alike


def _constants(material: Material, piece: str) -> tuple[list[Count], list[Count]]:
    """Named numbers of bits: those whose name says the piece, and those that say none."""
    named: list[Count] = []
    vague: list[Count] = []
    for constant in material.constants:
        words = split_words(constant.name)
        if not any(word in SHIFT_WORDS for word in words):
            continue
        whose = material.game.briefly(words)
        kind = _scalar_kind(material.game, constant.value, piece, whose == piece)
        if kind and whose in (None, piece):
            text = f"{constant.name} = {constant.value} ({constant.file})"
            count = Count(kind, (constant.value,), "constant", text)
            (vague if whose is None else named).append(count)
    return named, vague


def _literals(material: Material, piece: str) -> tuple[list[Count], list[Count]]:
    """Shifts by a literal that the piece may have, and those that are said to be its own."""
    found: dict[int, Count] = {}
    own: list[int] = []
    for shift in material.shifts:
        if shift.piece not in (None, piece):
            continue
        if shift.piece == piece:
            own.append(shift.amount)
        # With an AND behind it the window may lie lower, so the index has no more bits for that.
        own_alone = shift.piece == piece and not material.low_masks
        kind = _scalar_kind(material.game, shift.amount, piece, own_alone)
        text = f"the shift by {shift.amount} ({shift.file}, line {shift.line})"
        if kind in ("shift", "shift32", "shift128"):
            found.setdefault(shift.amount, Count(kind, (shift.amount,), "literal", text))
        elif 0 < shift.amount < material.game.word - 5 and material.low_masks:
            # Only with an AND behind it can the window lie so low.
            windowed = Count("shift", (shift.amount,), "literal", text, windowed=True)
            found.setdefault(shift.amount, windowed)
    return list(found.values()), [found[amount] for amount in dict.fromkeys(own) if amount in found]


def _scalar_kind(game: Game, value: int, piece: str, own: bool) -> Kind | None:
    """How one number counts index bits. What is the piece's `own` may be more than it needs."""
    plausible = plausible_bits(game, piece)
    plausible = range(plausible.start, MOST_BITS + 1) if own else plausible
    kinds: Sequence[Kind] = ("bits", "shift", "shift32", "shift128")
    for kind in kinds:
        bits = WHOLE[kind] - value if WHOLE[kind] else value
        if bits in plausible and WHOLE[kind] <= game.word:
            return kind
    return None
