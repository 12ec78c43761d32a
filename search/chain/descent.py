"""Following a chain: the cells of its last square that no relation rules out, compiled.

Depth-first over the squares of the chain, a batch of words of 64 cells at a time. It can stop
between any two batches, because all that it knows is in ChainPads.
"""

import numpy as np

from magicert.search.chain.chain import EXACT, WIDE
from magicert.search.chain.lanes import LANES, RelationLookup, look_up, look_up_free, move_living
from magicert.search.chain.state import BATCH
from magicert.search.chain.tables import build, keep, merge
from magicert.search.compiled import called, helper
from magicert.search.words import ONE, SIX, ZERO, lowest
from magicert.system.words import popcount

OVER, FOUND, AGAIN = 0, 1, 2
AT_ONCE = 1 << 22
"""Lookups before the search is given a chance to stop."""


@helper
def begin_chain(chain, pads, shift, base, both):
    """Start with all m from `base` on that the chain's window leaves open. `both` is all ones
    where what is ruled out must be dead for ~m as well (search/problem/mirror.py), else 0.
    """
    below = (ONE << chain.below[0]) - ONE + (both & ONE)
    kinds = np.uint64(len(chain.line.excluded))
    on = chain.units_on
    build(chain.line, chain.usual, base, below, shift, both, pads.usual, pads.scratch)
    keep(chain.usual, kinds, on, pads.usual, pads.usual_kept)
    build(chain.line, chain.wide, base, below, shift, both, pads.wide, pads.scratch)
    keep(chain.wide, kinds, on, pads.wide, pads.wide_kept)
    if chain.shapes[-1] == EXACT:
        build(chain.line, chain.exact, base, below, shift, both, pads.exact, pads.scratch)
        keep(chain.exact, kinds, on, pads.exact, pads.exact_kept)
    pads.depth[0] = 0
    pads.start[0, 0] = base
    pads.alive[0, 0] = ONE
    pads.words[0] = 1
    pads.place[0] = 0
    pads.within[0] = ZERO


@called
def rule_out(chain, shape, table, pads, shift, depth):
    """Take the cells that are dead out of the batch at a depth.

    Relation by relation, for all words of which any cell is alive: what comes next does not
    depend on what a lookup brings, so the processor need not wait for it.
    """
    words = pads.words[depth]
    for place in range(words):
        pads.todo[place] = place
        pads.todo_start[place] = pads.start[depth, place]
        pads.todo_alive[place] = pads.alive[depth, place]
        pads.alive[depth, place] = ZERO
    pads.todo_alive[words : words + LANES] = ZERO
    left = words
    for relation in range(chain.first[depth - 1], chain.first[depth]):
        lookup = lookup_of(chain, shape, shift, relation)
        living = ZERO
        if lookup.fixed == ZERO:
            for place in range(0, left, LANES):
                living += look_up_free(
                    table, pads.todo_start, pads.todo_alive, np.uint64(place), lookup
                )
        else:
            for place in range(0, left, LANES):
                living += look_up(table, pads.todo_start, pads.todo_alive, np.uint64(place), lookup)
        pads.counts[0] += np.int64(living)
        if living == ZERO:
            break
        if 4 * np.int64(living) < 3 * left:
            left = squeeze(pads, left)
    for place in range(left):
        pads.alive[depth, pads.todo[place]] = pads.todo_alive[place]


@helper
def lookup_of(chain, shape, shift, relation):
    """A relation with the tables of a shape, as one lookup takes it."""
    unit_log2 = shift - shape.grid
    within = shape.words - ONE
    return RelationLookup(
        moving=chain.moving[relation],
        fixed=chain.fixed[relation],
        row=chain.table[relation],
        fractions=chain.fractions[relation],
        unit_log2=unit_log2,
        buckets=~((ONE << shift) - ONE),
        fraction_log2=unit_log2 + shape.step,
        units=(ONE << shape.per_cell) - ONE,
        per_cell=shape.per_cell,
        words_log2=popcount(within),
        within=within,
    )


@helper
def squeeze(pads, left):
    """Leave out the words of the batch that are dead. How many are left."""
    still = 0
    for place in range(0, left, LANES):
        still += np.int64(
            move_living(
                pads.todo_alive, pads.todo_start, pads.todo, np.uint64(place), np.uint64(still)
            )
        )
    pads.todo_alive[still : still + LANES] = ZERO
    return still


@helper
def rule_out_of(chain, pads, shift, depth):
    """As rule_out, with the tables for this depth."""
    shape = chain.shapes[depth - 1]
    if shape == WIDE:
        rule_out(chain, chain.wide, pads.wide, pads, shift, depth)
    elif shape == EXACT:
        rule_out(chain, chain.exact, pads.exact, pads, shift, depth)
    else:
        rule_out(chain, chain.usual, pads.usual, pads, shift, depth)


@helper
def merge_first(chain, pads, shift, start):
    """Merge the first square into the tables, for a word of the second one's cells."""
    kinds = np.uint64(len(chain.line.excluded))
    added = (chain.moving[0] * start) >> (shift - chain.usual.grid)
    merge(chain.merged, chain.usual, kinds, added, pads.usual, pads.usual_kept)
    merge(chain.merged, chain.wide, kinds, added, pads.wide, pads.wide_kept)
    if chain.shapes[-1] == EXACT:
        merge(chain.merged, chain.exact, kinds, added, pads.exact, pads.exact_kept)


@called
def next_batch(chain, pads, depth):
    """Make a batch of the next words below the cells that are alive at a depth.

    Words of the second square are taken one by one, because each has merged tables of its own.
    How many there are.
    """
    p, below = chain.below[depth], chain.below[depth + 1]
    width = p - below
    words = ONE if width <= SIX else ONE << (width - SIX)
    cells = chain.cells[depth + 1]
    most = ONE if depth == 1 else np.uint64(BATCH)
    place, within = np.uint64(pads.place[depth]), pads.within[depth]
    total, count = np.uint64(pads.words[depth]), ZERO
    while count < most and place < total:
        alive, start = pads.alive[depth, place], pads.start[depth, place]
        while count < most and alive != ZERO:
            base = start + (lowest(alive) << p)
            if words == ONE:  # mostly; a loop that runs once would be made vectors of
                pads.start[depth + 1, count] = base
                pads.alive[depth + 1, count] = cells
                count += ONE
                alive &= alive - ONE
                continue
            while count < most and within < words:
                pads.start[depth + 1, count] = base + (within << (below + SIX))
                pads.alive[depth + 1, count] = cells
                count += ONE
                within += ONE
            if within == words:
                within = ZERO
                alive &= alive - ONE
        pads.alive[depth, place] = alive
        place += np.uint64(alive == ZERO)
    pads.place[depth], pads.within[depth] = place, within
    pads.words[depth + 1], pads.place[depth + 1] = count, 0
    pads.within[depth + 1] = ZERO
    pads.counts[1] += np.int64(count * popcount(cells))
    return count


@called
def next_survivor(chain, pads, shift):
    """Go on to the next cell of the last square that may live: pads.found is where it
    begins. OVER if there is none, AGAIN if this call has done enough.
    """
    squares = len(chain.below) - 1
    stop = pads.counts[0] + AT_ONCE
    depth = pads.depth[0]
    outcome = OVER
    while depth >= 0:
        if depth == squares:
            if next_alive(chain, pads, depth):
                outcome = FOUND
                break
            depth -= 1
        elif pads.counts[0] >= stop:
            outcome = AGAIN
            break
        elif next_batch(chain, pads, depth) == ZERO:
            depth -= 1
        else:
            depth += 1
            if depth == 2:
                merge_first(chain, pads, shift, pads.start[depth, 0])
            rule_out_of(chain, pads, shift, depth)
            for place in range(pads.words[depth]):
                pads.counts[1] -= np.int64(popcount(pads.alive[depth, place]))
    pads.depth[0] = depth
    return outcome


@helper
def next_alive(chain, pads, depth):
    """Take the next living cell out of the batch of the last square: pads.found is where it
    begins. False if none is left.
    """
    place = pads.place[depth]
    while place < pads.words[depth] and pads.alive[depth, place] == ZERO:
        place += 1
    pads.place[depth] = place
    if place == pads.words[depth]:
        return False
    alive = pads.alive[depth, place]
    pads.alive[depth, place] = alive & (alive - ONE)
    cell = lowest(alive) >> chain.spread
    pads.found[0] = pads.start[depth, place] + (cell << chain.below[depth])
    return True
