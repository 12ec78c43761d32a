"""Write the proofs in tables/proofs: of shapes, and of bishops that no shape settles.

    python tools/build_proofs.py

A minute for each cell, and up to four for a shape; files that are there stay.
"""

from pathlib import Path

from magicert.board import Piece, parse_square
from magicert.cell import Cell, Shape, square_cell
from magicert.jobs.prove import ProofWanted, prove
from magicert.outcome import Quiet
from magicert.scheme import SCHEMES

FOLDER = Path(__file__).parents[1] / "tables" / "proofs"
SHAPES = [Shape((5,), 3), Shape((4, 1), 3), Shape((3, 2), 4), Shape((6,), 4)]
CELLS = {"c1": 4, "c2": 4, "c7": 4, "c8": 4, "f1": 4, "f2": 4, "f7": 4, "f8": 4, "d1": 4}
"""Free words satisfy the shape of all these but d1, which the documents take as their example."""


def write(about: Cell | Shape, name: str) -> None:
    """Write one proof, if it is not there."""
    path = FOLDER / f"{name}.drup.xz"
    if not path.exists():
        print(f"{name}: {prove(ProofWanted(about, path), Quiet())}", flush=True)


def main() -> None:
    """Write what is missing."""
    for shape in SHAPES:
        write(shape, f"shape-{'-'.join(map(str, shape.rays))}-bits-{shape.bits}")
    for square, bits in CELLS.items():
        cell = square_cell(SCHEMES["white"], Piece.BISHOP, parse_square(square), bits)
        write(cell, f"bishop-{square}-{bits}")


if __name__ == "__main__":
    main()
