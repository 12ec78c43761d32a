"""What the atlas that ships says of a question: an answer without a search.

A magic of fewer bits answers for more, and where more bits have none, fewer have none. Of what is
impossible it says the kind of evidence, which is read from the files when the atlas is built and is
not checked here: `magicert check` does that.
"""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from magicert.atlas import Atlas, Entry, read_atlas
from magicert.cell import Cell, Slider
from magicert.data import atlas_path
from magicert.outcome import Evidence, Exists, Impossible, Outcome


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of a cell, in a line; `outcome` None where that is no answer."""

    said: str
    outcome: Outcome | None = None


def known(cell: Cell) -> Known | None:
    """What the atlas says; None where it says nothing. Its magics are not checked here."""
    about, name = cell.about, cell.scheme.name
    if not isinstance(about, Slider) or cell.fixed or name not in ("white", "black"):
        return None
    path = atlas_path(name)
    if not path.exists():
        return None
    atlas = _read(path)
    if cell.largest_index is not None:
        entry = atlas.entries.get((about.piece, about.square, -cell.bits))
        answer = None if entry is None else _of_range(entry, cell.largest_index)
        return answer or _impossible(atlas, cell, about)
    best = atlas.best(about.piece, about.square)
    if best is not None and best.bits <= cell.bits:
        which = f" with {best.bits} bits" if best.bits < cell.bits else ""
        return Known(f"exists{which}, {best.credit}", Exists((int(best.magic, 16),)))
    entry = atlas.entries.get((about.piece, about.square, -cell.bits))
    answer = _impossible(atlas, cell, about)
    return Known(_open(entry)) if answer is None and entry is not None else answer


@cache
def _read(path: Path) -> Atlas:
    """The atlas, once for each process."""
    return read_atlas(path)


def _impossible(atlas: Atlas, cell: Cell, about: Slider) -> Known | None:
    """Where no magic of so many bits, or of more, is known to exist."""
    bound = atlas.bound(about.piece, about.square)
    if bound is None or bound.bits < cell.bits:
        return None
    which = f" even with {bound.bits} bits" if bound.bits > cell.bits else ""
    said = f"impossible{which}, first said by {bound.credit}"
    return _no_magic(bound, said, bound.certificate, bound.evidence)


def _of_range(entry: Entry, largest: int) -> Known | None:
    """What the range of a cell answers about indexes up to `largest`."""
    given = entry.range
    if given is None:
        return None
    if given.largest <= largest:
        said = f"exists, indexes 0 to {given.largest}"
        return Known(said, Exists((int(given.magic, 16),)))
    if given.certificate and largest < given.least:
        said = f"impossible, even with indexes up to {given.least - 1}"
        return _no_magic(entry, said, given.certificate, given.evidence)
    return None


def _no_magic(entry: Entry, said: str, certificate: str, evidence: Evidence | None) -> Known:
    shown = evidence or Evidence.SOLVER
    proof = f", and {entry.proof}" if entry.proof and certificate == entry.certificate else ""
    name = certificate.rpartition("/")[2].partition(".")[0]
    argument = f"known from the atlas; magicert check {name} looks at its evidence"
    return Known(
        f"{said}; evidence: {shown} ({certificate or 'no certificate'}{proof})",
        Impossible(argument, certificate, evidence=shown),
    )


def _open(entry: Entry) -> str:
    """What is known of a cell that nobody has settled here."""
    parts = ["open"]
    if entry.estimate:
        parts.append(f"its search takes about {entry.estimate:,.0f} s of one core")
    if entry.finder:
        parts.append(f"said to be impossible by {entry.credit}")
    return "; ".join([*parts, *(f"tried: {tried}" for tried in entry.tried)])
