"""Build tables/atlas_black.toml: what is known of bishops whose index comes from `occ | ~mask`.

    python tools/build_black_atlas.py [PIECE]
    magicert atlas --scheme black --settle --atlas tables/atlas_black.toml \\
        --output tables/atlas_black.toml --budget 2m

A white magic with other high bits is often a black one (docs/atlas.md): those of the white atlas
are tried first, then chance. What the atlas has already stays. Estimates are those of the search
with windows.
"""

import random
import sys
from collections.abc import Iterator
from pathlib import Path

from magicert.atlas import Atlas, Entry, read_atlas, write_atlas
from magicert.board import Piece, mask, square_name
from magicert.cell import Cell, slider_of, square_cell
from magicert.jobs.atlas_files import evidence_of
from magicert.outcome import Evidence, Exists, Quiet
from magicert.requests.find import Find
from magicert.scheme import SCHEMES
from magicert.search.planning import choose_plan
from magicert.search.problem import terms_of
from magicert.valid import invalid

TABLES = Path(__file__).parent.parent / "tables"
SHIPPED = TABLES / "atlas_black.toml"
CONSTANTS = 1 << 10
"""So many constants are tried with a white magic."""
ROUNDS = 400
"""So often others are looked for around a white magic that gives no black one."""
TRIAL = 5.0
"""Seconds of chance for each cell."""


def main(piece: str = "bishop") -> None:
    """Enter every square of a piece at c and c - 1 bits."""
    white = read_atlas(TABLES / "atlas.toml")
    atlas = read_atlas(SHIPPED) if SHIPPED.exists() else Atlas(scheme="black")
    for square in range(64):
        c = mask(Piece(piece), square).bit_count()
        for bits in (c, c - 1):
            known = atlas.entries.get((Piece(piece), square, -bits))
            if known is None or known.state == "open":
                atlas.put(entry_of(white, Piece(piece), square, bits))
        best = atlas.best(Piece(piece), square)
        below = (Piece(piece), square, 2 - c)
        if best is not None and best.bits == c - 1 and below not in atlas.entries:
            atlas.put(opened(Piece(piece), square, c - 2))
        write_atlas(SHIPPED, atlas)
    for entry in atlas:
        if entry.state == "impossible":
            entry.evidence = evidence_of(TABLES / entry.certificate)
            entry.by_leaves = float(entry.evidence is Evidence.LEAVES) or entry.by_leaves
    write_atlas(SHIPPED, atlas)


def entry_of(white: Atlas, piece: Piece, square: int, bits: int) -> Entry:
    """A magic of a black cell, if one comes up at once; or else the cell is open."""
    cell = square_cell(SCHEMES["black"], piece, square, bits)
    places = [entry for entry in white if entry.key == (piece, square, -bits) and entry.magic]
    for entry in places:
        for magic in similar(cell, int(entry.magic, 16)):
            valid = next(from_white(cell, magic), None)
            if valid is not None:
                source = f"the white magic {magic:#x} with other high bits"
                return found(piece, square, bits, valid, source)
    asked = Find(piece, square, bits, scheme="black", engine="trial", seconds=TRIAL)
    outcome = asked.answer(Quiet()).outcome
    if isinstance(outcome, Exists):
        return found(piece, square, bits, outcome.magic, "trial")
    return opened(piece, square, bits)


def found(piece: Piece, square: int, bits: int, magic: int, source: str) -> Entry:
    """A magic, which was checked."""
    print(piece, square_name(square), bits, hex(magic), source, flush=True)
    return Entry(
        piece=piece.value, square=square_name(square), bits=bits, state="exists",
        magic=f"{magic:#x}", source=source,
    )  # fmt: skip


def opened(piece: Piece, square: int, bits: int) -> Entry:
    """An open cell, with its estimate."""
    about = terms_of(square_cell(SCHEMES["black"], piece, square, bits))
    seconds = float(f"{choose_plan(about, budget=1.0).seconds:.2g}")
    print(piece, square_name(square), bits, "open", seconds, flush=True)
    return Entry(
        piece=piece.value, square=square_name(square), bits=bits, state="open", estimate=seconds
    )


def similar(cell: Cell, magic: int) -> Iterator[int]:
    """A white magic, then some others that chance finds around it, by changes of its low bits."""
    yield magic
    white = square_cell(SCHEMES["white"], *slider_of(cell).place, cell.bits)
    rng, around = random.Random(1), [magic % white.period]
    for _ in range(ROUNDS):
        base = rng.choice(around)
        changes = [rng.getrandbits(rng.randrange(1, white.period.bit_length())) for _ in range(200)]
        others = [(base + change) % white.period for change in changes]
        others += [base ^ (change & rng.getrandbits(64)) for change in changes]
        wrong = {*around, *invalid(white, others)}
        some = [other for other in others if other not in wrong][:5]
        around += some
        yield from some


def from_white(cell: Cell, magic: int) -> Iterator[int]:
    """Valid black magics that are congruent to a white one modulo its period.

    Their products of occupancies are the white ones; ~mask * magic is added. The high bits change
    it in steps of the period, and only its remainder modulo a bucket matters: those closest
    above a bucket's edge come first, since white has the constant 0.
    """
    lowest = (cell.mask & -cell.mask).bit_length() - 1
    period, bucket = 1 << 64 - lowest, 1 << 64 - cell.bits
    steps = max(1, bucket // period)
    first = -(cell.mask + 1) * (magic % period) % bucket // period
    tried = [(first - n) % steps for n in range(min(steps, CONSTANTS))]
    tried += [n * steps // CONSTANTS for n in range(CONSTANTS) if steps > CONSTANTS]
    magics = [magic % period + n * period for n in tried]
    bad = set(invalid(cell, magics))
    yield from (m for m in magics if m not in bad)


if __name__ == "__main__":
    main(*sys.argv[1:])
