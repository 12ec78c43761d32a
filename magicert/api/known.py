"""What the atlas that ships says of a cell: at once, and without a search."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from magicert.cell import Cell
from magicert.data import atlas_path
from magicert.outcome import Evidence, Exists, Impossible, Outcome
from magicert.targets import Slider

if TYPE_CHECKING:
    from magicert.atlas import Atlas, AtlasCell

IN_ATLAS = ("white", "black")
"""The schemes that have an atlas."""


@dataclass(frozen=True, slots=True)
class Known:
    """What the atlas says of a cell, in a line; `outcome` None where that is no answer.

    A magic of fewer bits answers for more, and where more bits have none, fewer have none. Of what
    is impossible it says the kind of evidence, which is read from the files when the atlas is built
    and is not checked here: `magicert check` does that.
    """

    line: str
    outcome: Outcome | None = None


def known(cell: Cell) -> Known | None:
    """What the atlas says; None where it says nothing. Its magics are not checked here, and what it
    says to be impossible is held against those of all tables.
    """
    atlas_cell = _in_the_atlas(cell)
    if atlas_cell is None or not isinstance(atlas_cell.outcome, Impossible):
        return atlas_cell
    from magicert.known_magics import contradiction

    magic = contradiction(cell)
    return (
        atlas_cell
        if magic is None
        else Known(f"not decided: {atlas_cell.line}; but {magic} is a magic")
    )


def _in_the_atlas(cell: Cell) -> Known | None:
    about, name = cell.target, cell.scheme.name
    if not isinstance(about, Slider) or cell.fixed or name not in IN_ATLAS:
        return None
    path = atlas_path(name)
    if not path.exists():
        return None
    atlas = _read(path)
    atlas_cell = atlas.cells.get((about.piece, about.square, -cell.bits))
    if cell.largest_index is not None:
        answer = None if atlas_cell is None else _of_range(atlas_cell, cell.largest_index)
        return answer or _impossible(atlas, cell, about)
    best = atlas.best(about.piece, about.square)
    if best is not None and best.bits <= cell.bits:
        which = f" with {best.bits} bits" if best.bits < cell.bits else ""
        return Known(f"exists{which}, {best.credit}", Exists((int(best.magic, 16),)))
    answer = _impossible(atlas, cell, about)
    return Known(_open(atlas_cell)) if answer is None and atlas_cell is not None else answer


@cache
def _read(path: Path) -> "Atlas":
    """The atlas, once for each process."""
    from magicert.atlas import read_atlas

    return read_atlas(path)


def _impossible(atlas: "Atlas", cell: Cell, about: Slider) -> Known | None:
    """Where no magic of so many bits, or of more, is known to exist."""
    bound = atlas.bound(about.piece, about.square)
    if bound is None or bound.bits < cell.bits:
        return None
    which = f" even with {bound.bits} bits" if bound.bits > cell.bits else ""
    line = f"impossible{which}, first claimed by {bound.credit}"
    return _no_magic(bound, line, bound.certificate, bound.evidence)


def _of_range(cell: "AtlasCell", largest: int) -> Known | None:
    """What the range of a cell answers about indexes up to `largest`."""
    shortest = cell.range
    if shortest is None:
        return None
    if shortest.largest <= largest:
        line = f"exists, indexes 0 to {shortest.largest}"
        return Known(line, Exists((int(shortest.magic, 16),)))
    if shortest.certificate and largest < shortest.least:
        line = f"impossible, even with indexes up to {shortest.least - 1}"
        return _no_magic(cell, line, shortest.certificate, shortest.evidence)
    return None


def _no_magic(cell: "AtlasCell", line: str, certificate: str, evidence: Evidence | None) -> Known:
    shown = evidence or Evidence.SOLVER
    proof = cell.proof if certificate == cell.certificate else ""
    files = [file for file in (certificate, proof) if file]
    names = [Path(file).name.removesuffix(".xz").removesuffix(".cover") for file in files]
    name = names[0]
    argument = f"from the shipped results; magicert check {name} checks the evidence"
    if shown in (Evidence.COUNTS, Evidence.HASHES):
        # The file has no leaves that could be checked: only a run of the search says it again.
        argument = "from the shipped results, which one run of a program came to; "
        argument += f"magicert check {name} --replay 1 repeats a random part of it"
    return Known(
        f"{line}; evidence: {shown} ({' and '.join(names)})",
        Impossible(argument, files[0], evidence=shown),
    )


def _open(cell: "AtlasCell") -> str:
    """What is known of a cell that nobody has settled here."""
    parts = ["open"]
    if cell.finder:
        parts.append(f"claimed to be impossible by {cell.credit}")
    return "; ".join([*parts, *(f"tried: {tried}" for tried in cell.tried)])
