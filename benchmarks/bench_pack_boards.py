"""Slots and bytes of a board's pieces before and after packing, on one core: xiangqi's and shogi's.

    python benchmarks/bench_pack_boards.py [SECONDS | --smallest]

By lines, in one level and in two; each runs for so many seconds, 60 if not given. With --smallest
the board has 4x4 squares, and there is no round of attempts.
"""

import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from magicert import find_set
from magicert.compact.boards import BoardFound, BoardJob
from magicert.compact.job import PackSettings
from magicert.outcome import NullPhase

QUESTIONS = {
    "9x10": ("rook", "cannon"),
    "9x9": ("rook", "bishop", "lance"),
}
SMALLEST = {"4x4": ("rook", "cannon")}


def main(seconds: float, smallest: bool = False) -> None:
    print("board  entry   own slots       bytes  entries      used     bytes  CPU, s")
    for board, pieces in (SMALLEST if smallest else QUESTIONS).items():
        source = find_set(pieces, board=board, form="lines")
        for bits in (None, 8):
            start = time.process_time()
            with TemporaryDirectory() as folder:
                settings = PackSettings(
                    output=Path(folder) / "packed.toml", seconds=seconds, source=source,
                    two_level=bits, rounds=0 if smallest else None,
                )  # fmt: skip
                found = BoardJob(settings, NullPhase).outcome()
            assert isinstance(found, BoardFound), found
            layout, passed = found.layout, time.process_time() - start
            entry = f"{bits or source.table.board.word:4} b"
            before = f"{found.slots:10,}  {found.first:10,}"
            after = f"{layout.length:7,}  {layout.used_slots:8,}  {layout.bytes:8,}"
            print(f"{board:5}  {entry}  {before}  {after}  {passed:6.1f}")


if __name__ == "__main__":
    words = sys.argv[1:]
    is_smallest = "--smallest" in words
    main(float(words[0]) if words and not is_smallest else 60.0, is_smallest)
