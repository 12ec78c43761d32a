"""Third layers: how few new columns a rook needs beside another one, from its library and annealed.

    python benchmarks/bench_beside.py [ANNEALINGS] [SEED]

For each pair under black: the guest's fewest columns alone; the fewest new ones beside a host from
the guest's library in all turns, and from annealings that are told the host's classes, and what one
try of either takes.
"""

import sys
import time
from collections.abc import Callable
from functools import partial

import numpy as np

from magicert.board import parse_square
from magicert.compact.anneal.walk import Effort as Walk
from magicert.compact.layered.beside import anneal_beside
from magicert.compact.layered.pages import Effort, Page, Place, Placer
from magicert.compact.pages.columns import LibraryOrder, collect
from magicert.compact.pages.lines import COLUMNS

PAIRS = (
    ("b1", "a3"), ("a3", "b5"), ("b2", "b4"), ("c4", "d2"), ("d4", "e2"),
    ("c4", "c2"), ("a1", "a2"), ("a3", "a5"), ("a3", "b4"), ("c4", "d3"),
)  # fmt: skip
"""Hosts and guests; the last two always agree."""
HOSTS = 6
LIBRARY, ANNEALING = Effort(1.0, 20_000), Walk(40_000, 200.0, 6.0)


def main(annealings: str = "24", seed: str = "1") -> None:
    squares = {parse_square(name) for pair in PAIRS for name in pair}
    shelf = {n: collect(LibraryOrder(n, True, int(seed), turning=False)) for n in sorted(squares)}
    placer = Placer(shelf, {}, "black", np.random.default_rng(int(seed)))
    tries = int(annealings) // HOSTS
    print(f"{'':<16}{'alone':>6}{'library':>9}{'s':>7}{'annealed':>10}{'s':>7}")
    for host, guest in PAIRS:
        square = parse_square(guest)
        pages = _pages(placer, parse_square(host))
        library = _fewest([partial(placer.fit, one, square, COLUMNS, LIBRARY) for one in pages])
        annealed = _fewest(
            [partial(anneal_beside, placer, one, square, COLUMNS, ANNEALING) for one in pages]
            * tries
        )
        print(f"{guest} beside {host:<6}{shelf[square].least:>6}{library}{annealed}", flush=True)


def _pages(placer: Placer, square: int) -> list[Page]:
    """Pages with one rook, each time another magic of hardly more than the fewest columns."""
    library = placer.shelf[square]
    few = np.flatnonzero(np.bitwise_count(library.columns) <= library.least + 1)
    return [
        placer.page({square: placer.place(square, int(at), 0)})
        for at in placer.random.choice(few, HOSTS)
    ]


def _fewest(tries: list[Callable[[], tuple[Place, int] | None]]) -> str:
    """The fewest new columns of some tries, and the seconds of one."""
    begin = time.perf_counter()
    new = [found[1] for found in (one() for one in tries) if found is not None]
    seconds = (time.perf_counter() - begin) / len(tries)
    return f"{min(new, default='none'):>9}{seconds:>7.3f} "


if __name__ == "__main__":
    main(*sys.argv[1:])
