"""Following a chain: the cells of its last square that no relation rules out, compiled.

Depth-first over the chain's squares, a batch of words of 64 cells at a time, with the memory that
this changes (`ChainPads`), so that it can stop between any two batches. The order in which
relations are asked changes how soon a cell dies, and not whether.

Why so: a chain spends nearly all its time looking up shifts, eight words at once in vector
instructions. numba has none of its own, so that lookup is written for LLVM; only how to gather is
chosen here.

Cost: `verify/recount/recount.c`, which counts the same cells again, takes 2 to 4 ns for a word of
64 cells on one core with AVX-512, and 3 to 5 ns without.
"""

from functools import partial
from typing import Any, NamedTuple

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numpy.typing import NDArray

from magicert.search.chain.chain import (
    EXACT,
    FRACTIONS,
    GRID,
    STEP,
    Chain,
    GridShape,
    TableMemory,
    build,
    merge,
    narrow,
)
from magicert.search.compiled import (
    ONE,
    SIX,
    WORD,
    ZERO,
    Word,
    call_intrinsic,
    called,
    entry_point,
    helper,
    lane,
    lowest,
    splat,
    vector,
    word_constant,
)
from magicert.search.problem import Words
from magicert.system.words import popcount

# One lookup for eight words of a chain at once, in vector instructions.
#
# A chain spends nearly all its time looking up shifts in its tables. numba has no vectors of
# its own, so this is written for LLVM, which makes the best of what a processor has. Only the
# choice of how to gather is ours: LLVM knows of processors that gather fast, but not of all.


LANES = 8
WORDS = vector(LANES)
ZEROS = ir.Constant(WORDS, [0] * LANES)


class RelationLookup(NamedTuple):
    """One relation, and the tables that it asks: all are words.

    `moving`, `fixed`: the multiplicands of what is added to either side. `row`: where the
    relation's tables begin. Positions have 2^-unit_log2 units; `buckets` is the mask of a
    product's bucket, `fraction_log2` where fractions begin in it. A cell has 2^per_cell units,
    `units` is the mask of a unit in it; a row has 2^words_log2 words, `within` is the mask of a
    word in it.
    """

    moving: Word
    fixed: Word
    row: Word
    unit_log2: Word
    buckets: Word
    fraction_log2: Word
    units: Word
    per_cell: Word
    words_log2: Word
    within: Word


@intrinsic
def look_up(typing, table, starts, alive, place, lookup):  # noqa: ARG001
    """Take what one relation rules out from LANES words of cells, alive[place : place + LANES],
    that begin at starts[place : place + LANES]. How many of them had any cell alive before.
    """
    return types.uint64(table, starts, alive, place, lookup), _generate


@intrinsic
def look_up_free(typing, table, starts, alive, place, lookup):  # noqa: ARG001
    """As look_up, for a relation that fixes nothing: a multiplication less."""
    return types.uint64(table, starts, alive, place, lookup), partial(_generate, fixes=False)


@intrinsic
def move_living(typing, alive, starts, numbers, place, target):  # noqa: ARG001
    """Of LANES words from `place` on, move those of which any cell lives to `target`, in three
    arrays alike. How many there are. Before: still <= place, and LANES words behind still are room.
    """
    return types.uint64(alive, starts, numbers, place, target), _move_living


def _move_living(context: Any, builder: Any, signature: Any, values: Any) -> Any:  # noqa: ANN401
    place, target = values[3:]
    pointers = [
        context.make_array(kind)(context, builder, value).data
        for kind, value in zip(signature.args[:3], values[:3], strict=True)
    ]

    def words_at(pointer: Any, where: Any) -> Any:  # noqa: ANN401
        return builder.bitcast(builder.gep(pointer, [where]), WORDS.as_pointer())

    before = [builder.load(words_at(pointer, place), align=8) for pointer in pointers]
    living = builder.icmp_unsigned("!=", before[0], ZEROS)
    kind = ir.FunctionType(WORDS, [WORDS, living.type, WORDS])
    name = f"llvm.experimental.vector.compress.v{LANES}i64"
    compress = cgutils.get_or_insert_function(builder.module, kind, name)
    for pointer, words in zip(pointers, before, strict=True):
        moved = builder.call(compress, [words, living, ZEROS])
        builder.store(moved, words_at(pointer, target), align=8)
    return builder.zext(builder.ctpop(builder.bitcast(living, ir.IntType(LANES))), WORD)


def _generate(
    context: Any,  # noqa: ANN401
    builder: Any,  # noqa: ANN401
    signature: Any,  # noqa: ANN401
    values: Any,  # noqa: ANN401
    *,
    fixes: bool = True,
) -> Any:  # noqa: ANN401
    table, starts, alive = (
        context.make_array(kind)(context, builder, value).data
        for kind, value in zip(signature.args[:3], values[:3], strict=True)
    )
    place, lookup = values[3:]
    words = [splat(builder, word, LANES) for word in cgutils.unpack_tuple(builder, lookup)]
    relation = RelationLookup(*words)
    alive_pointer = builder.bitcast(builder.gep(alive, [place]), WORDS.as_pointer())
    start_pointer = builder.bitcast(builder.gep(starts, [place]), WORDS.as_pointer())
    cells, start = builder.load(alive_pointer, align=8), builder.load(start_pointer, align=8)
    living = builder.icmp_unsigned("!=", cells, ZEROS)
    shift, row = builder.mul(relation.moving, start), relation.row
    if fixes:
        fixed = builder.mul(relation.fixed, start)
        shift = builder.sub(shift, builder.and_(fixed, relation.buckets))
        fraction = builder.and_(
            builder.lshr(fixed, relation.fraction_log2), _all_lanes(FRACTIONS - 2)
        )
        row = builder.add(row, builder.shl(fraction, relation.per_cell))
    y = builder.lshr(shift, relation.unit_log2)
    row = builder.add(row, builder.and_(y, relation.units))
    cell = builder.lshr(y, relation.per_cell)
    word = builder.and_(builder.lshr(cell, _all_lanes(6)), relation.within)
    # A row has one word more than its shifts need.
    at = builder.add(builder.add(builder.shl(row, relation.words_log2), row), word)
    if "+avx512fp16" in context.codegen().magic_tuple()[2]:
        low, high = _gather(builder, table, at, living)
    else:
        low, high = _load_pairs(builder, table, at)
    dead = call_intrinsic(
        builder, "llvm.fshr.v8i64", [high, low, builder.and_(cell, _all_lanes(63))]
    )
    builder.store(builder.and_(cells, builder.not_(dead)), alive_pointer, align=8)
    return builder.zext(builder.ctpop(builder.bitcast(living, ir.IntType(LANES))), WORD)


def _all_lanes(value: int) -> Any:  # noqa: ANN401
    return ir.Constant(WORDS, [value] * LANES)


def _gather(builder: Any, table: Any, at: Any, living: Any) -> tuple[Any, Any]:  # noqa: ANN401
    """The words at eight places, and those behind them, where the lane lives. Processors with
    16-bit floats in AVX-512 gather fast; older ones lost it to a mitigation (Downfall).
    """
    flags, scale = ir.VectorType(ir.IntType(1), LANES), ir.IntType(32)
    kind = ir.FunctionType(WORDS, [WORDS, table.type, WORDS, flags, scale])
    name = "llvm.x86.avx512.mask.gather.qpq.512"
    gather = cgutils.get_or_insert_function(builder.module, kind, name)
    low, high = (
        builder.call(gather, [ZEROS, builder.gep(table, [word_constant(n)]), at, living, scale(8)])
        for n in range(2)
    )
    return low, high


def _load_pairs(builder: Any, table: Any, at: Any) -> tuple[Any, Any]:  # noqa: ANN401
    """As _gather, for all lanes. A processor that gathers words one by one loads pairs in half the
    time.
    """
    pair = ir.VectorType(WORD, 2).as_pointer()
    places = [builder.extract_element(at, lane(n)) for n in range(LANES)]
    parts = [
        builder.load(builder.bitcast(builder.gep(table, [place]), pair), align=8)
        for place in places
    ]
    while len(parts) > 2:
        parts = [_shuffle(builder, *parts[n : n + 2], step=1) for n in range(0, len(parts), 2)]
    return _shuffle(builder, *parts, step=2), _shuffle(builder, *parts, first=1, step=2)


def _shuffle(builder: Any, x: Any, y: Any, *, first: int = 0, step: int) -> Any:  # noqa: ANN401
    """Every step-th value of two vectors in a row."""
    places = range(first, 2 * x.type.count, step)
    choice = ir.Constant(ir.VectorType(ir.IntType(32), len(places)), list(places))
    return builder.shuffle_vector(x, y, choice)


# The memory of a chain: everything that following it changes.

BATCH = 256
"""Words that are looked at together."""


class ChainPads(NamedTuple):
    """What a chain's search knows: its depth, and at each depth a batch of words.

    A word is 64 cells from m = start[depth, place] on; alive[depth, place] are those still to
    be gone into. The words at depth d are those of square d - 1; at depth 0 there is one, whose
    first cell is the node itself. `words` of them are in the batch, `place` is the one to go
    on with, and `within` the next word of its lowest cell. While a batch is looked up, `todo`
    are its words that have cells alive, with their `todo_start` and `todo_alive`. `survivor` is the
    m where the cell found begins.

    `tables` are those of the three shapes, `narrowed` what keep() makes of them. `counts`: lookups,
    and cells that died.
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
    survivor: Words
    tables: tuple[Words, ...]
    narrowed: tuple[Words, ...]
    scratch: TableMemory
    counts: NDArray[np.int64]


def new_chain_pads(chain: Chain) -> ChainPads:
    """Memory for one chain."""
    squares, rows = len(chain.below), len(chain.line.multiplicand)
    words = max(int(shape.words) for shape in chain.shapes)
    leaves = max(int(shape.words) << int(shape.per_cell) for shape in chain.shapes)
    furthest = 1 << max(GRID - int(shape.per_cell) for shape in chain.shapes)
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
        survivor=np.zeros(1, dtype=np.uint64),
        tables=tuple(_tables(chain, shape) for shape in chain.shapes),
        narrowed=tuple(_tables(chain, shape) for shape in chain.shapes),
        scratch=TableMemory(
            slots=np.zeros(rows, dtype=np.int64),
            plane=np.zeros(2 * words + 1, dtype=np.uint64),
            joined=np.zeros((furthest + 1, 2 * words + 1), dtype=np.uint64),
            is_joined=np.zeros(furthest + 1, dtype=np.bool_),
            tree=np.zeros((len(chain.line.excluded), leaves + leaves), dtype=np.uint64),
        ),
        counts=np.zeros(2, dtype=np.int64),
    )


def _tables(chain: Chain, shape: GridShape) -> Words:
    rows = len(chain.line.excluded) * FRACTIONS + len(chain.merged)
    rows <<= int(shape.per_cell)
    return np.zeros(rows * (int(shape.words) + 1), dtype=np.uint64)


# Depth-first over the squares of the chain, a batch of words of 64 cells at a time. It can stop
# between any two batches, because all that it knows is in ChainPads.

OVER, SURVIVOR, UNFINISHED = 0, 1, 2
LOOKUPS_PER_CALL = 1 << 22
"""Lookups before the search is given a chance to stop."""


@helper
def begin_chain(chain, pads, shift, base, both):
    """Start with all m from `base` on that the chain's window leaves open. `both` is all ones
    where what is ruled out must be dead for ~m as well (search/problem.py), else 0.
    """
    below = (ONE << chain.below[0]) - ONE + (both & ONE)
    kinds = np.uint64(len(chain.line.excluded))
    for n in range(shape_count(chain)):
        shape, table = chain.shapes[n], pads.tables[n]
        build(chain.line, shape, base, below, shift, both, table, pads.scratch)
        narrow(shape, kinds, chain.units_on, table, pads.narrowed[n])
    pads.depth[0] = 0
    pads.start[0, 0] = base
    pads.alive[0, 0] = ONE
    pads.words[0] = 1
    pads.place[0] = 0
    pads.within[0] = ZERO


@helper
def shape_count(chain):
    """Of how many shapes there are tables: of all three where the last square is exact."""
    return EXACT + np.int64(chain.shape_of[-1] == EXACT)


@called
def rule_out(chain, pads, shift, depth):
    """Take the cells that are dead out of the batch at a depth.

    Relation by relation, for all words of which any cell is alive: what comes next does not
    depend on what a lookup brings, so the processor need not wait for it.
    """
    shape, table = chain.shapes[chain.shape_of[depth - 1]], pads.tables[chain.shape_of[depth - 1]]
    words = pads.words[depth]
    for place in range(words):
        pads.todo[place] = place
        pads.todo_start[place] = pads.start[depth, place]
        pads.todo_alive[place] = pads.alive[depth, place]
        pads.alive[depth, place] = ZERO
    pads.todo_alive[words : words + LANES] = ZERO
    word_count = words
    for relation in range(chain.first[depth - 1], chain.first[depth]):
        lookup = lookup_of(chain, shape, shift, relation)
        living = ZERO
        if lookup.fixed == ZERO:
            for place in range(0, word_count, LANES):
                living += look_up_free(
                    table, pads.todo_start, pads.todo_alive, np.uint64(place), lookup
                )
        else:
            for place in range(0, word_count, LANES):
                living += look_up(table, pads.todo_start, pads.todo_alive, np.uint64(place), lookup)
        pads.counts[0] += np.int64(living)
        if living == ZERO:
            break
        if 4 * np.int64(living) < 3 * word_count:
            word_count = squeeze(pads, word_count)
    for place in range(word_count):
        pads.alive[depth, pads.todo[place]] = pads.todo_alive[place]


@helper
def lookup_of(chain, shape, shift, relation):
    """A relation with the tables of a shape, as one lookup takes it."""
    unit_log2 = shift - np.uint64(GRID)
    within = shape.words - ONE
    return RelationLookup(
        moving=chain.moving[relation],
        fixed=chain.fixed[relation],
        row=chain.table[relation],
        unit_log2=unit_log2,
        buckets=~((ONE << shift) - ONE),
        fraction_log2=unit_log2 + np.uint64(STEP),
        units=(ONE << shape.per_cell) - ONE,
        per_cell=shape.per_cell,
        words_log2=popcount(within),
        within=within,
    )


@helper
def squeeze(pads, word_count):
    """Leave out the words of the batch that are dead. How many are left."""
    target = 0
    for place in range(0, word_count, LANES):
        target += np.int64(
            move_living(
                pads.todo_alive, pads.todo_start, pads.todo, np.uint64(place), np.uint64(target)
            )
        )
    pads.todo_alive[target : target + LANES] = ZERO
    return target


@helper
def merge_first(chain, pads, shift, start):
    """Merge the first square into the tables, for a word of the second one's cells."""
    kinds = np.uint64(len(chain.line.excluded))
    added = (chain.moving[0] * start) >> (shift - np.uint64(GRID))
    for n in range(shape_count(chain)):
        merge(chain.merged, chain.shapes[n], kinds, added, pads.tables[n], pads.narrowed[n])


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
    """Go on to the next cell of the last square that may live: pads.survivor is where it
    begins. OVER if there is none, UNFINISHED if this call has done enough.
    """
    squares = len(chain.below) - 1
    stop = pads.counts[0] + LOOKUPS_PER_CALL
    depth = pads.depth[0]
    outcome = OVER
    while depth >= 0:
        if depth == squares:
            if next_alive(chain, pads, depth):
                outcome = SURVIVOR
                break
            depth -= 1
        elif pads.counts[0] >= stop:
            outcome = UNFINISHED
            break
        elif next_batch(chain, pads, depth) == ZERO:
            depth -= 1
        else:
            depth += 1
            if depth == 2:
                merge_first(chain, pads, shift, pads.start[depth, 0])
            rule_out(chain, pads, shift, depth)
            for place in range(pads.words[depth]):
                pads.counts[1] -= np.int64(popcount(pads.alive[depth, place]))
    pads.depth[0] = depth
    return outcome


@helper
def next_alive(chain, pads, depth):
    """Take the next living cell out of the batch of the last square: pads.survivor is where it
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
    pads.survivor[0] = pads.start[depth, place] + (cell << chain.below[depth])
    return True


# All cells of a chain's last square that no relation rules out, whatever the search does above.


@entry_point
def begin_node(chain, pads, shift, base):
    """Start with all m from `base` on that the chain's window leaves open."""
    begin_chain(chain, pads, shift, base, ZERO)


@entry_point
def collect(chain, pads, shift, starts):
    """Write where the next survivors begin into `starts`, in ascending order: how many, and how
    the last call ended (SURVIVOR: there may be more).
    """
    count = 0
    outcome = SURVIVOR
    while count < len(starts) and outcome == SURVIVOR:
        outcome = next_survivor(chain, pads, shift)
        if outcome == SURVIVOR:
            starts[count] = pads.survivor[0]
            count += 1
    return count, outcome
