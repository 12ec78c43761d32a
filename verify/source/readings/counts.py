"""How many bits an index has: what the source says, and only where it is silent the usual."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from magicert.board import Piece, mask
from magicert.square_order import square_at
from magicert.table.model import Values
from magicert.verify.source.lists.columns import Column
from magicert.verify.source.lists.material import Material
from magicert.verify.source.lists.naming import split_words
from magicert.verify.source.lists.roles import (
    BISHOP_NAMES,
    ROOK_NAMES,
    SHIFT_WORDS,
    SIZE_WORDS,
    Kind,
    fits,
    piece_said,
    says,
    shift_kind,
)

Evidence = Literal["given by hand", "list", "constant", "literal", "mask", "usual"]

USUAL = {Piece.ROOK: 12, Piece.BISHOP: 9}
MOST_BITS = 20
"""An index of more bits would need a buffer of gigabytes."""
PLAUSIBLE = {Piece.ROOK: range(11, 15), Piece.BISHOP: range(8, 12)}


@dataclass(frozen=True, slots=True)
class Count:
    """The bits of an index, or its shift: the parameter's name, its values, where from.

    `kind` says whether the shift is of a 64-bit or of a 32-bit word, where it is a shift.
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


def counts(material: Material, magic: Column, piece: Piece, transform: str) -> list[Count]:
    """What the index's bits may be, most telling first.

    A list or a constant of the source binds: what it says is not replaced by what would fit.
    """
    lists = _listed(material, magic, piece)
    if lists:
        return lists
    named, vague = _constants(material, piece)
    if named:
        return named
    needed = tuple(mask(piece, square_at(transform, row)).bit_count() for row in range(64))
    popcount = Count("bits", needed, "mask", "not in the source: popcount of the mask taken")
    usual = USUAL[piece]
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
    return [*vague, *literals, popcount, Count("bits", (usual,), "usual", words)]


def popcounts(piece: Piece, transform: str) -> Count:
    """One bit of the index for each square of the mask."""
    needed = tuple(mask(piece, square_at(transform, row)).bit_count() for row in range(64))
    return Count("bits", needed, "mask", "popcount of the mask, given by hand")


def _listed(material: Material, magic: Column, piece: Piece) -> list[Count]:
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


def _constants(material: Material, piece: Piece) -> tuple[list[Count], list[Count]]:
    """Named numbers of bits: those whose name says the piece, and those that say none."""
    named: list[Count] = []
    vague: list[Count] = []
    for constant in material.constants:
        words = split_words(constant.name)
        if not any(word in SHIFT_WORDS for word in words):
            continue
        whose = said(words)
        kind = _scalar_kind(constant.value, piece, whose == piece)
        if kind and whose in (None, piece):
            text = f"{constant.name} = {constant.value} ({constant.file})"
            count = Count(kind, (constant.value,), "constant", text)
            (vague if whose is None else named).append(count)
    return named, vague


def said(words: frozenset[str]) -> Piece | None:
    """The piece that the name of a constant speaks of."""
    rook = bool(words & (ROOK_NAMES | {"r"}))
    bishop = bool(words & (BISHOP_NAMES | {"b"}))
    return None if rook == bishop else Piece.ROOK if rook else Piece.BISHOP


def _literals(material: Material, piece: Piece) -> tuple[list[Count], list[Count]]:
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
        kind = _scalar_kind(shift.amount, piece, own_alone)
        text = f"the shift by {shift.amount} ({shift.file}, line {shift.line})"
        if kind in ("shift", "shift32"):
            found.setdefault(shift.amount, Count(kind, (shift.amount,), "literal", text))
        elif 0 < shift.amount < 59 and material.low_masks:
            # Only with an AND behind it can the window lie so low.
            windowed = Count("shift", (shift.amount,), "literal", text, windowed=True)
            found.setdefault(shift.amount, windowed)
    return list(found.values()), [found[amount] for amount in dict.fromkeys(own) if amount in found]


def _scalar_kind(value: int, piece: Piece, own: bool) -> Kind | None:
    """How one number counts index bits. What is the piece's `own` may be more than it needs."""
    plausible = range(PLAUSIBLE[piece].start, MOST_BITS + 1) if own else PLAUSIBLE[piece]
    kinds: Sequence[tuple[Kind, int]] = (
        ("bits", value),
        ("shift", 64 - value),
        ("shift32", 32 - value),
    )
    for kind, bits in kinds:
        if bits in plausible:
            return kind
    return None
