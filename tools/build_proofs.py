"""Write the proofs in tables/proofs: bishops with one index bit less than their mask has squares.

    python tools/build_proofs.py

Takes from the atlas the cells that are impossible and asks every solver that writes proofs; the
shortest proof is checked and kept. Half a minute for each cell; files that are there stay.
"""

from pathlib import Path

from magicert.atlas import read_atlas
from magicert.board import Piece, mask, square_name
from magicert.cell import Cell
from magicert.engine import Quiet
from magicert.jobs.prove import ProofWanted, prove
from magicert.scheme import SCHEMES

TABLES = Path(__file__).parents[1] / "tables"
SMALL = 6
"""Squares of a mask up to which SAT solvers refute a cell in seconds."""


def main() -> None:
    """Write what is missing."""
    folder = TABLES / "proofs"
    folder.mkdir(exist_ok=True)
    for entry in read_atlas(TABLES / "atlas.toml").entries.values():
        piece, square, bits = *entry.key[:2], entry.bits
        c = mask(piece, square).bit_count()
        if piece is Piece.BISHOP and entry.state == "impossible" and bits == c - 1 < SMALL:
            path = folder / f"{piece}-{square_name(square)}-{bits}.drup.xz"
            if not path.exists():
                cell = Cell(SCHEMES["white"], piece, square, bits)
                outcome = prove(ProofWanted(cell, path, solver=None), Quiet())
                print(f"{path.name}: {outcome}", flush=True)


if __name__ == "__main__":
    main()
