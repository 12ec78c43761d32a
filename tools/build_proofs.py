"""Write the proofs in tables/proofs: bishops whose mask has five squares.

    python tools/build_proofs.py [SQUARE...]

Takes from the atlas the cells that are impossible. Half a minute for each, and up to two minutes on
ranks 4 and 5; files that are there stay.
"""

import sys
from pathlib import Path

from magicert.atlas import read_atlas
from magicert.board import Piece, mask, square_name
from magicert.cell import square_cell
from magicert.engine import Quiet
from magicert.jobs.prove import ProofWanted, prove
from magicert.scheme import SCHEMES

TABLES = Path(__file__).parents[1] / "tables"
SMALL = 5
"""Squares of a mask up to which SAT solvers refute a cell in seconds."""


def main() -> None:
    """Write what is missing."""
    folder, named = TABLES / "proofs", sys.argv[1:]
    folder.mkdir(exist_ok=True)
    for entry in read_atlas(TABLES / "atlas.toml").entries.values():
        piece, square, bits = *entry.key[:2], entry.bits
        small = piece is Piece.BISHOP and mask(piece, square).bit_count() <= SMALL
        if small and entry.state == "impossible":
            path = folder / f"{piece}-{square_name(square)}-{bits}.drup.xz"
            if square_name(square) in (named or [square_name(square)]) and not path.exists():
                cell = square_cell(SCHEMES["white"], piece, square, bits)
                outcome = prove(ProofWanted(cell, path), Quiet())
                print(f"{path.name}: {outcome}", flush=True)


if __name__ == "__main__":
    main()
