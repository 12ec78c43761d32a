"""The innermost loop in vector instructions: the four words of a ring read and tested together.

numba has no vectors of its own, so this is written for LLVM, which makes the best of what a
processor has.
"""

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from magicert.search.vectors import WORD, call, one_word, same, vector

LANES = 4
WORDS = vector(LANES)


@intrinsic
def rule_out(typing, alive, strings, first, products, patterns, start, end, task, old):  # noqa: ARG001
    """Take from the four words `alive` the values at which new patterns meet a slot of `strings`,
    whose words begin at `first`: for patterns[start:end], one after the other. How many were
    tested.

    `task` are the shift, the mask of a class, and 1 if all are to be tested, else 0: then it ends
    as soon as no value is alive. `old` are how to come by a product: `base`,
    `mask`, `v` and `with_last`; products[base + (pattern & mask)] has v added where the pattern is
    at most `mask`, else with_last.
    """
    return types.uint64(alive, strings, first, products, patterns, start, end, task, old), _generate


def _generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:  # noqa: ANN401
    alive, strings, products, patterns = (
        context.make_array(signature.args[n])(context, builder, values[n]).data
        for n in (0, 1, 3, 4)
    )
    first, start, end = values[2], values[5], values[6]
    shift, classes, whole = cgutils.unpack_tuple(builder, values[7])
    base, mask, v, with_last = cgutils.unpack_tuple(builder, values[8])
    words = builder.bitcast(alive, WORDS.as_pointer())
    before = builder.load(words, align=8)
    entry = builder.block
    loop, done = builder.append_basic_block("loop"), builder.append_basic_block("done")
    builder.cbranch(builder.icmp_unsigned("<", start, end), loop, done)

    builder.position_at_end(loop)
    place, living = builder.phi(WORD), builder.phi(WORDS)
    pattern = builder.load(builder.gep(patterns, [place]))
    at = builder.add(base, builder.and_(pattern, mask))
    added = builder.select(builder.icmp_unsigned(">", pattern, mask), with_last, v)
    product = builder.add(builder.load(builder.gep(products, [at])), added)
    own = builder.and_(builder.lshr(product, shift), classes)
    word = builder.add(builder.shl(own, one_word(3)), builder.lshr(product, one_word(62)))
    word = builder.add(first, word)
    bit = builder.and_(builder.lshr(product, one_word(56)), one_word(63))
    here, there = (
        builder.load(builder.bitcast(builder.gep(strings, [n]), WORDS.as_pointer()), align=8)
        for n in (word, builder.add(word, one_word(1)))
    )
    dead = call(builder, "llvm.fshr.v4i64", [there, here, same(builder, bit, LANES)])
    left = builder.and_(living, builder.not_(dead))
    after = builder.add(place, one_word(1))
    some = builder.icmp_unsigned(
        "!=", builder.bitcast(left, ir.IntType(64 * LANES)), ir.IntType(64 * LANES)(0)
    )
    some = builder.or_(some, builder.icmp_unsigned("!=", whole, one_word(0)))
    more = builder.and_(some, builder.icmp_unsigned("<", after, end))
    builder.cbranch(more, loop, done)
    place.add_incoming(start, entry)
    place.add_incoming(after, loop)
    living.add_incoming(before, entry)
    living.add_incoming(left, loop)

    builder.position_at_end(done)
    last, result = builder.phi(WORD), builder.phi(WORDS)
    last.add_incoming(start, entry)
    last.add_incoming(after, loop)
    result.add_incoming(before, entry)
    result.add_incoming(left, loop)
    builder.store(result, words, align=8)
    return builder.sub(last, start)
