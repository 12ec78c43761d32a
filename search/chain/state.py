"""The memory of a chain: everything that following it changes."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from magicert.search.chain.chain import Chain
from magicert.search.chain.lanes import LANES
from magicert.search.chain.tables import GridShape, TableMemory
from magicert.search.problem.terms import Words

BATCH = 256
"""Words that are looked at together."""


class ChainPads(NamedTuple):
    """What a chain's search knows: its depth, and at each depth a batch of words.

    A word is 64 cells from m = start[depth, place] on; alive[depth, place] are those still to
    be gone into. The words at depth d are those of square d - 1; at depth 0 there is one, whose
    first cell is the node itself. `words` of them are in the batch, `place` is the one to go
    on with, and `within` the next word of its lowest cell. While a batch is looked up, `todo`
    are its words that have cells alive, with their `todo_start` and `todo_alive`. `found` is the
    m where the cell found begins.

    `usual`, `wide` and `exact` are the tables, `*_kept` what keep() makes of them. `counts`:
    lookups, and cells that died.
    """

    depth: NDArray[np.int64]
    start: Words
    alive: Words
    words: NDArray[np.int64]
    place: NDArray[np.int64]
    within: Words
    todo: NDArray[np.int64]
    todo_start: Words
    todo_alive: Words
    found: Words
    usual: Words
    wide: Words
    exact: Words
    usual_kept: Words
    wide_kept: Words
    exact_kept: Words
    scratch: TableMemory
    counts: NDArray[np.int64]


def new_chain_pads(chain: Chain) -> ChainPads:
    """Memory for one chain."""
    squares, rows = len(chain.below), len(chain.line.multiplicand)
    shapes = (chain.usual, chain.wide, chain.exact)
    words = max(int(shape.words) for shape in shapes)
    leaves = max(int(shape.words) << int(shape.per_cell) for shape in shapes)
    furthest = 1 << max(int(shape.grid - shape.per_cell) for shape in shapes)
    return ChainPads(
        depth=np.zeros(1, dtype=np.int64),
        start=np.zeros((squares, BATCH), dtype=np.uint64),
        alive=np.zeros((squares, BATCH), dtype=np.uint64),
        words=np.zeros(squares, dtype=np.int64),
        place=np.zeros(squares, dtype=np.int64),
        within=np.zeros(squares, dtype=np.uint64),
        todo=np.zeros(BATCH + LANES, dtype=np.int64),
        todo_start=np.zeros(BATCH + LANES, dtype=np.uint64),
        todo_alive=np.zeros(BATCH + LANES, dtype=np.uint64),
        found=np.zeros(1, dtype=np.uint64),
        usual=_tables(chain, chain.usual),
        wide=_tables(chain, chain.wide),
        exact=_tables(chain, chain.exact),
        usual_kept=_tables(chain, chain.usual),
        wide_kept=_tables(chain, chain.wide),
        exact_kept=_tables(chain, chain.exact),
        scratch=TableMemory(
            slots=np.zeros(rows, dtype=np.int64),
            plane=np.zeros(2 * words + 1, dtype=np.uint64),
            joined=np.zeros((furthest + 1, 2 * words + 1), dtype=np.uint64),
            made=np.zeros(furthest + 1, dtype=np.bool_),
            tree=np.zeros((len(chain.line.excluded), leaves + leaves), dtype=np.uint64),
        ),
        counts=np.zeros(2, dtype=np.int64),
    )


def _tables(chain: Chain, shape: GridShape) -> Words:
    rows = len(chain.line.excluded) * int(shape.fractions) + len(chain.merged)
    rows <<= int(shape.per_cell)
    return np.zeros(rows * (int(shape.words) + 1), dtype=np.uint64)
