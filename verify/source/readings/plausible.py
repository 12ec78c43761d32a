"""Plausible readings of one piece, pruned by the probe."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from magicert.formula import parse
from magicert.formula.tree import OCCUPANCY
from magicert.formula.wide import Words
from magicert.table.model import Values
from magicert.verify.source.lists.columns import Column
from magicert.verify.source.lists.material import Material
from magicert.verify.source.lists.roles import (
    MAGIC_WORDS,
    WHOLE,
    could_be_magic,
    is_called_magic,
    piece_said,
    says,
)
from magicert.verify.source.readings.counts import popcounts
from magicert.verify.source.readings.pins import Pins
from magicert.verify.source.readings.probe import SAMPLED, Probe
from magicert.verify.source.readings.ways import Half, arrangements, ways

MOST_MAGICS = 100
HOPELESS = SAMPLED - 1
"""Bad squares in the sample that end a reading (one square may be right by chance)."""
TELLING = 16
"""A table meant for the usual fixed shift fails on at least so many squares when it is read
with popcount bits. One that fails on fewer is a table with popcount bits and errors in it.
"""


@dataclass(slots=True)
class Search:
    """All readings of a piece: those without a conflict, and the nearest of the others."""

    right: list[Half] = field(default_factory=list)
    near: list[Half] = field(default_factory=list)


def magic_columns(material: Material, pins: Pins, piece: str) -> list[list[Column]]:
    """The columns that could be the piece's magics, in tiers: the likely ones by name first."""
    pinned = pins.magics(material, piece)
    if pinned:
        return [pinned]
    possible = [column for column in material.columns if could_be_magic(column)]
    tiers: tuple[list[Column], list[Column], list[Column]] = ([], [], [])
    for column in possible:
        said = piece_said(column)
        named = is_called_magic(column)
        other = said not in (None, piece)
        tiers[0 if said == piece and named else 2 if other else 1].append(column)

    def likely(column: Column) -> tuple[bool, bool]:
        return not says(column, MAGIC_WORDS), piece_said(column) != piece

    return [sorted(tier, key=likely)[:MOST_MAGICS] for tier in tiers]


def search(material: Material, pins: Pins, piece: str) -> Search:
    """Read a piece in every plausible way."""
    found = Search()
    for tier in magic_columns(material, pins, piece):
        for magic in tier:
            _read_column(material, pins, piece, magic, found)
        if found.right:
            break
    found.near.sort(key=lambda half: (len(half.bad), half.likelihood))
    return found


def _read_column(material: Material, pins: Pins, piece: str, magic: Column, found: Search) -> None:
    right: list[Half] = []
    hopeless: list[Half] = []
    near: list[Half] = []
    for rank, arrangement in enumerate(arrangements(material, pins, magic, piece)):
        halves = list(ways(material, pins, piece, magic, arrangement))
        hopeless_formulas = {
            half.formula.text
            for half in halves
            if half.count and half.count.evidence == "usual" and _is_hopeless(half)
        }
        for step, half in enumerate(halves):
            likelihood = (not says(magic, MAGIC_WORDS), rank, step)
            evidence = half.count.evidence if half.count else ""
            # What fails with the usual number of bits fails with the popcount, which is less.
            guessed = evidence in ("usual", "mask") and hopeless_formulas
            if half.formula.text in hopeless_formulas if guessed else _is_hopeless(half):
                if rank == 0:
                    hopeless.append(_judged(half, (-1,) * material.game.squares, likelihood))
                continue
            bad = _probe(half).bad_rows(half.formula, _words(half, half.parameters))
            judged = _judged(half, bad, likelihood)
            (near if judged.bad else right).append(judged)
        if right:
            break
    accepted, near = _without_guesses(material, right, near)
    found.right += accepted
    found.near += near
    if not near and not right:
        found.near += hopeless[:1]


def _is_hopeless(half: Half) -> bool:
    words = _words(half, half.parameters)
    return _probe(half).bad_in_sample(half.formula, words) >= HOPELESS


def _probe(half: Half) -> Probe:
    return Probe(half.game, half.piece, half.arrangement, half.masks)


def _judged(half: Half, bad: Sequence[int], likelihood: tuple[int, ...]) -> Half:
    return replace(half, bad=tuple(bad), likelihood=likelihood)


def _without_guesses(
    material: Material, right: list[Half], near: list[Half]
) -> tuple[list[Half], list[Half]]:
    """Drop readings that are right only because something was taken that the source does not
    say: a larger number of bits, another scheme, another order. Where a likelier reading
    fails on a few squares, these squares are wrong, not the reading; that is noted with it.
    """
    by_masks = any(half.count and half.count.evidence == "mask" for half in right)
    kept: list[Half] = []
    for half in right:
        if half.count is not None and half.count.evidence == "usual" and by_masks:
            # A larger number of bits tells apart whatever a smaller one does.
            continue
        rivals = [h for h in near if len(h.bad) < TELLING and h.likelihood < half.likelihood]
        said = "~mask" in half.formula.text and material.black_hint
        if not rivals or said:
            kept.append(half)
            continue
        bits = f", {half.count.words}" if half.count else ""
        note = f"{half.piece}: {half.formula}{bits}: would certify, but nothing says so"
        near = [replace(h, note=note) if h is rivals[0] else h for h in near]
    by_masks = any(h.count and h.count.evidence == "mask" and len(h.bad) < TELLING for h in near)
    if by_masks:
        # Few errors with popcount bits are errors; more bits would only hide them.
        near = [h for h in near if h.count is None or h.count.evidence != "usual"]
    return kept, near


def _words(half: Half, parameters: Mapping[str, Values]) -> dict[str, Words]:
    game = half.game
    return {
        name: game.array(values if len(values) > 1 else values * game.squares).reshape(-1, 1)
        for name, values in parameters.items()
    }


def has_popcount_rival(half: Half) -> bool:
    """Would the same magics also do with popcount bits? Then the larger shift is a choice."""
    if half.count is None or OCCUPANCY not in half.formula.names:
        return False
    count = popcounts(half.game, half.piece, half.arrangement, "{}")
    text = half.formula.text
    whole = 32 if half.count.kind == "shift32" or "32 - bits" in text else half.game.word
    whole = WHOLE["shift"] if "u64(" in text else whole
    if "shift" in half.formula.names:
        text = text.replace(">> shift", f">> ({whole} - bits)")
    words = _words(half, {**half.parameters, "bits": count.values})
    return not _probe(half).bad_rows(parse(text, word=half.game.word), words)
