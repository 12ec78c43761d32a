"""Keep what has been done of a cell that is not finished: a ledger of that cell alone, packed.

    python tools/part_ledger.py LEDGER rook b1 10 tables/ledgers/rook-b1-10.db.xz

To go on where it ends, unpack it (xz -d) and name it with --ledger FILE.
"""

import lzma
import sys
import tempfile
from pathlib import Path

from magicert.board import Piece, parse_square
from magicert.cell import square_cell
from magicert.scheme import SCHEMES
from magicert.search.ledger.ledger import Ledger


def main(source: str, piece: str, square: str, bits: str, target: str) -> None:
    """Copy the cell's finished shards to a new ledger."""
    cell = square_cell(SCHEMES["white"], Piece(piece), parse_square(square), int(bits))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "part.db"
        with Ledger(source) as ledger, Ledger(path) as part:
            work = ledger.find(cell)
            if work is None:
                raise SystemExit(f"{source} has nothing of {cell}")
            part.add(work)
            done = {result.number: result for result in ledger.results(cell)}
            # A ledger takes results of claimed shards only; closing gives the others back.
            while (number := part.claim(cell)) is not None:
                if number in done:
                    part.done(work, done[number])
        Path(target).parent.mkdir(exist_ok=True)
        Path(target).write_bytes(lzma.compress(path.read_bytes(), preset=9))
    print(f"{target}: {len(done):,} of {work.shards:,} shards")


if __name__ == "__main__":
    main(*sys.argv[1:])
