"""One lookup for eight words of a chain at once, in vector instructions.

A chain spends nearly all its time looking up shifts in its tables. numba has no vectors of
its own, so this is written for LLVM, which makes the best of what a processor has. Only the
choice of how to gather is ours: LLVM knows of processors that gather fast, but not of all.
"""

from functools import partial
from typing import Any, NamedTuple

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from magicert.search.compiled import Word
from magicert.search.vectors import WORD, call, lane, one_word, same, vector

LANES = 8
WORDS = vector(LANES)
NOTHING = ir.Constant(WORDS, [0] * LANES)


class RelationLookup(NamedTuple):
    """One relation, and the tables that it asks: all are words.

    `moving`, `fixed`: the multiplicands of what is added to either side. `row`: where the
    relation's tables begin; `fractions`: a mask, 0 where nothing is fixed. Positions have
    2^-unit_log2 units; `buckets` is the mask of a product's bucket, `fraction_log2` where
    fractions begin in it. A cell has 2^per_cell units, `units` is the mask of a unit in it;
    a row has 2^words_log2 words, `within` is the mask of a word in it.
    """

    moving: Word
    fixed: Word
    row: Word
    fractions: Word
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
def move_living(typing, alive, other, another, place, still):  # noqa: ARG001
    """Of LANES words from `place` on, move those of which any cell lives to `still`, in three
    arrays alike. How many there are. Before: still <= place, and LANES words behind still are room.
    """
    return types.uint64(alive, other, another, place, still), _move_living


def _move_living(context: Any, builder: Any, signature: Any, values: Any) -> Any:  # noqa: ANN401
    place, still = values[3:]
    pointers = [
        context.make_array(kind)(context, builder, value).data
        for kind, value in zip(signature.args[:3], values[:3], strict=True)
    ]

    def words_at(pointer: Any, where: Any) -> Any:  # noqa: ANN401
        return builder.bitcast(builder.gep(pointer, [where]), WORDS.as_pointer())

    before = [builder.load(words_at(pointer, place), align=8) for pointer in pointers]
    living = builder.icmp_unsigned("!=", before[0], NOTHING)
    kind = ir.FunctionType(WORDS, [WORDS, living.type, WORDS])
    name = f"llvm.experimental.vector.compress.v{LANES}i64"
    compress = cgutils.get_or_insert_function(builder.module, kind, name)
    for pointer, words in zip(pointers, before, strict=True):
        moved = builder.call(compress, [words, living, NOTHING])
        builder.store(moved, words_at(pointer, still), align=8)
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
    words = [same(builder, word, LANES) for word in cgutils.unpack_tuple(builder, lookup)]
    the = RelationLookup(*words)
    here = builder.bitcast(builder.gep(alive, [place]), WORDS.as_pointer())
    there = builder.bitcast(builder.gep(starts, [place]), WORDS.as_pointer())
    cells, start = builder.load(here, align=8), builder.load(there, align=8)
    living = builder.icmp_unsigned("!=", cells, NOTHING)
    shift, row = builder.mul(the.moving, start), the.row
    if fixes:
        fixed = builder.mul(the.fixed, start)
        shift = builder.sub(shift, builder.and_(fixed, the.buckets))
        fraction = builder.and_(builder.lshr(fixed, the.fraction_log2), the.fractions)
        row = builder.add(row, builder.shl(fraction, the.per_cell))
    y = builder.lshr(shift, the.unit_log2)
    row = builder.add(row, builder.and_(y, the.units))
    cell = builder.lshr(y, the.per_cell)
    word = builder.and_(builder.lshr(cell, _all(6)), the.within)
    # A row has one word more than its shifts need.
    at = builder.add(builder.add(builder.shl(row, the.words_log2), row), word)
    if "+avx512fp16" in context.codegen().magic_tuple()[2]:
        low, high = _gather(builder, table, at, living)
    else:
        low, high = _load_pairs(builder, table, at)
    dead = call(builder, "llvm.fshr.v8i64", [high, low, builder.and_(cell, _all(63))])
    builder.store(builder.and_(cells, builder.not_(dead)), here, align=8)
    return builder.zext(builder.ctpop(builder.bitcast(living, ir.IntType(LANES))), WORD)


def _all(value: int) -> Any:  # noqa: ANN401
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
        builder.call(gather, [NOTHING, builder.gep(table, [one_word(n)]), at, living, scale(8)])
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


def _shuffle(builder: Any, one: Any, other: Any, *, first: int = 0, step: int) -> Any:  # noqa: ANN401
    """Every step-th value of two vectors in a row."""
    places = range(first, 2 * one.type.count, step)
    choice = ir.Constant(ir.VectorType(ir.IntType(32), len(places)), list(places))
    return builder.shuffle_vector(one, other, choice)
