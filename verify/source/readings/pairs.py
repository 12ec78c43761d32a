"""Pairs of halves that can stand in one table, and what is worth saying of them."""

import re
from collections.abc import Sequence
from itertools import product

from magicert.verify.source.readings.plausible import (
    has_popcount_rival,
)
from magicert.verify.source.readings.ways import Half

MOST_PAIRS = 12


def pairs(chosen: dict[str, list[Half]]) -> list[tuple[Half, ...]]:
    """Halves that can stand in one table: of one arrangement, alike in scheme first."""
    given = [halves for halves in chosen.values() if halves]
    if len(given) == 1:
        return [(half,) for half in given[0]]
    if len(given) > 2:
        return [_together(given)]
    rooks, bishops = given
    found = [(a, b) for a in rooks for b in bishops if a.arrangement == b.arrangement]
    found = found or [(a, b) for a in rooks[:1] for b in bishops[:1]]
    # An engine has one scheme for both pieces; only where it cannot be so are they mixed.
    found = [pair for pair in found if _scheme(pair[0]) == _scheme(pair[1])] or found

    def unlike(pair: tuple[Half, Half]) -> tuple[int, ...]:
        a, b = pair
        return (
            a.formula.text != b.formula.text,
            a.magic.file != b.magic.file,
            a.magic.group != b.magic.group and a.magic.part != b.magic.part,
            abs(a.magic.first_line - b.magic.last_line),
        )

    alike = sorted(found, key=unlike)
    # Each half stands in the table that is most like it; crossings are the same proof twice.
    kept: list[tuple[Half, ...]] = []
    for a, b in alike:
        if not any(a in pair for pair in kept) or not any(b in pair for pair in kept):
            kept.append((a, b))
    return sorted(kept, key=lambda pair: pair[0].magic.first_line)[:MOST_PAIRS]


def _together(given: Sequence[Sequence[Half]]) -> tuple[Half, ...]:
    """Of each piece the likeliest half, all of one arrangement and scheme where that can be."""

    def alike(half: Half, first: Half) -> tuple[bool, bool]:
        return half.arrangement != first.arrangement, _scheme(half) != _scheme(first)

    def chosen(first: Half) -> tuple[Half, ...]:
        return tuple(min(halves, key=lambda half: alike(half, first)) for halves in given)

    candidates = [chosen(first) for halves in given for first in halves]

    def unlike(halves: tuple[Half, ...]) -> int:
        return sum(a.arrangement != b.arrangement for a, b in product(halves, halves))

    return min(candidates, key=unlike)


def _scheme(half: Half) -> str:
    return re.sub(r"\((?:128|64|32) - bits\)", "shift", half.formula.text)


def half_notes(halves: Sequence[Half]) -> list[str]:
    """What a reading of these halves should mention: another number of bits, mostly."""
    notes = []
    for half in halves:
        count = half.count
        if half.note:
            notes.append(half.note)
        if half.bad:
            said = count is not None and count.evidence in ("list", "constant", "literal")
            if count is not None and said and has_popcount_rival(half):
                notes.append(
                    f"{half.piece}: with popcount(mask) bits instead of {count.words} these "
                    "magics would be right; the source says otherwise"
                )
        elif count is not None and count.evidence == "literal" and has_popcount_rival(half):
            notes.append(f"{half.piece}: also valid with bits = popcount(mask)")
    return notes
