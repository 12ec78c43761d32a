"""Write the proofs in tables/proofs: of shapes, and of bishops that no shape settles; and enter in
tables/atlas_black.toml what they settle there.

    python -m research.atlas.proofs

A minute for each white cell, some for a black one, up to an hour for a shape. Files that are there
stay.
"""

from datetime import UTC, datetime
from pathlib import Path

from magicert.api.atlas_files import PROOFS, proof_of
from magicert.api.prove import ProofWanted, prove
from magicert.api.settle_atlas import cell_of
from magicert.atlas import US, read_atlas, write_atlas
from magicert.cell import Cell
from magicert.chess import Piece, parse_square
from magicert.outcome import Evidence, Quiet
from magicert.scheme import SCHEMES
from magicert.shapes import Shape
from magicert.targets import square_cell

TABLES = Path(__file__).parents[2] / "tables"
FOLDER = TABLES / PROOFS
BLACK = TABLES / "atlas_black.toml"
SHAPES = [((5,), 3), ((4, 1), 3), ((3, 2), 4), ((6,), 4)]
CELLS = {"c1": 4, "c2": 4, "c7": 4, "c8": 4, "f1": 4, "f2": 4, "f7": 4, "f8": 4}
"""Free words satisfy the shape of all these."""
EXAMPLE = square_cell(SCHEMES["white"], Piece.BISHOP, parse_square("d1"), 4)
"""The documents take it as theirs, though a shape settles it."""


def write(about: Cell | Shape, name: str) -> None:
    """Write one proof, if it is not there."""
    path = FOLDER / f"{name}.drup.xz"
    if not path.exists():
        print(f"{name}: {prove(ProofWanted(about, path), Quiet())}", flush=True)


def enter() -> None:
    """What the proofs settle of the black atlas's open cells."""
    atlas = read_atlas(BLACK)
    for cell in atlas:
        cell.proof = proof_of(cell_of(cell, atlas.scheme), TABLES)
        if cell.proof and cell.state == "open":
            cell.state, cell.evidence, cell.estimate = "impossible", Evidence.PROOF, 0.0
            cell.engine, cell.date = "sat", datetime.now(UTC).date().isoformat()
            cell.finder, cell.published, cell.source = US, cell.date, f"tables/{BLACK.name}"
    write_atlas(BLACK, atlas)


def main() -> None:
    """Write what is missing."""
    write(EXAMPLE, "bishop-d1-4")
    for scheme in ("white", "black"):
        prefix = "" if scheme == "white" else f"{scheme}-"
        for rays, bits in SHAPES:
            lengths = "-".join(map(str, rays))
            write(Shape(rays, bits, scheme), f"{prefix}shape-{lengths}-bits-{bits}")
        for square, bits in CELLS.items():
            cell = square_cell(SCHEMES[scheme], Piece.BISHOP, parse_square(square), bits)
            write(cell, f"{prefix}bishop-{square}-{bits}")
    enter()


if __name__ == "__main__":
    main()
