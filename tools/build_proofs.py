"""Write the proofs in tables/proofs: bishops whose mask has five squares.

    python tools/build_proofs.py [SQUARE...]

Takes from the atlas the cells that are impossible. Half a minute for each; files that are there
stay. The squares a4, b4, g4, h4 and those of rank 5 are left to who names them: their proofs are
several times as large as the others.
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
LARGE = (3, 4)
"""Ranks whose proofs are large."""


def main() -> None:
    """Write what is missing."""
    folder, named = TABLES / "proofs", sys.argv[1:]
    folder.mkdir(exist_ok=True)
    for entry in read_atlas(TABLES / "atlas.toml").entries.values():
        piece, square, bits = *entry.key[:2], entry.bits
        small = piece is Piece.BISHOP and mask(piece, square).bit_count() <= SMALL
        if small and entry.state == "impossible":
            path = folder / f"{piece}-{square_name(square)}-{bits}.drup.xz"
            asked = square_name(square) in named if named else square // 8 not in LARGE
            if asked and not path.exists():
                cell = square_cell(SCHEMES["white"], piece, square, bits)
                outcome = prove(ProofWanted(cell, path), Quiet())
                print(f"{path.name}: {outcome}", flush=True)


if __name__ == "__main__":
    main()
