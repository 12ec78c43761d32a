"""The atlas as text: boards, their legends, and what entered it."""

from collections.abc import Iterator

import msgspec

from magicert.atlas import (
    MARKS,
    OPEN_MARK,
    RANGE_MARKS,
    Atlas,
    Labelled,
    board,
    entry_name,
    label,
    range_label,
    range_mark,
)
from magicert.board import Piece
from magicert.drawing import beside
from magicert.problem import printable
from magicert.requests.atlas import AtlasRead, AtlasRequest, Entered, SettledCells
from magicert.show.document import PlainDocument, width


def atlas_document(asked: AtlasRequest, found: AtlasRead | Entered | SettledCells) -> PlainDocument:
    """An atlas, or what entered it."""
    match found:
        case AtlasRead():
            shown = _ranges(found.atlas) if asked.ranges else _bits(found.atlas, asked.cells)
            cells = [msgspec.to_builtins(entry) for entry in found.atlas]
            return PlainDocument(shown, lambda: {"cells": cells})
        case Entered():
            entered = {"entry": msgspec.to_builtins(found.submitted.entry)}
            reason = {"valid": found.submitted.valid, "reason": found.submitted.reason}
            return PlainDocument(_entered(found), lambda: {**entered, **reason})
    return PlainDocument(_settled(found), lambda: _settled_data(found), _unfinished(found))


def _entered(found: Entered) -> Iterator[str]:
    entry, reason = found.submitted.entry, found.submitted.reason
    name = printable(f"{entry_name(entry)}: {entry.magic}")
    if reason:
        yield f"{'valid    ' if found.submitted.valid else 'invalid  '} {name}: {reason}"
    else:
        yield f"valid     {name}: {entry.credit}; written to {printable(found.written)}"


def _bits(atlas: Atlas, cells: bool) -> Iterator[str]:
    """Two boards, their legend, and how many cells are in which state."""
    yield from _boards(atlas, label)
    kinds = {kind or "not named": MARKS[kind] for kind in atlas.evidence()}
    yield "bits: the fewest known, and why there are not fewer:"
    yield f"  {', '.join(f'{mark} {kind}' for kind, mark in kinds.items())}, {OPEN_MARK} open"
    states = [entry.state for entry in atlas]
    yield ", ".join(f"{states.count(s)} {s}" for s in ("exists", "impossible", "open"))
    counts = (f"{count} {kind or 'not named'}" for kind, count in atlas.evidence().items())
    yield f"evidence of the impossible: {', '.join(counts)}; docs/atlas.md says what it means"
    whole, some = atlas.by_leaves()
    yield (
        f"{whole} have complete proofs; for {some} more at least 1 % of all candidates is proved"
    )
    if proved := atlas.also_proved():
        yield f"{proved} also have a solver's checked proof"
    if states_ := atlas.range_states():
        counted = ", ".join(f"{count} {state}" for state, count in states_.items())
        yield f"shortest tables: {counted}; --ranges draws them"
    for entry in atlas.open() if cells else []:
        # Samples of black searches were too low by a factor of 150 where it was tried.
        word = "about" if atlas.scheme == "white" else "more than"
        cost = f"{word} {entry.estimate:,.3g} s" if entry.estimate else "no estimate"
        claim = f"  said to be impossible by {entry.credit}" if entry.credit else ""
        yield f"  {entry_name(entry):<18} {cost}{claim}"


def _boards(atlas: Atlas, labelled: Labelled) -> Iterator[str]:
    """The board of each piece that the atlas has cells of."""
    pieces = [piece for piece in Piece if any(entry.piece == piece for entry in atlas)]
    yield from beside([[p.value, *board(atlas, p, labelled)] for p in pieces], width())


def _ranges(atlas: Atlas) -> Iterator[str]:
    """Two boards of largest indexes, and their legend."""
    yield from _boards(atlas, range_label)
    there = {range_mark(entry) for entry in atlas}
    yield "largest index of the shortest table known, and why there is no shorter one:"
    yield "  " + ", ".join(f"{mark} {said}" for mark, said in RANGE_MARKS.items() if mark in there)
    counted = ", ".join(f"{count} {state}" for state, count in atlas.range_states().items())
    yield f"{counted or 'none is known'}; docs/atlas.md says what it means"


def _settled(found: SettledCells) -> Iterator[str]:
    """Each cell when it is settled, in a line."""
    none = True
    for one in found:
        none, entry = False, one.entry
        magics = f"{one.magic_count:,} magics, {entry.magic}" if one.magic_count else "no magic"
        figures = f"{entry.tests:,} tests, {entry.seconds:,.1f} s"
        yield f"{found.scheme} {entry_name(entry)}: {magics}; {figures}"
    if none and found.finished:
        yield "no open cell among those asked for"


def _unfinished(found: SettledCells) -> Iterator[str]:
    """Which is known when all is told."""
    if not found.finished:
        yield "the budget is used up; the ledger keeps what is done"


def _settled_data(found: SettledCells) -> dict[str, object]:
    cells = [msgspec.to_builtins(one.entry) for one in found]
    return {"settled": cells, "finished": found.finished}
