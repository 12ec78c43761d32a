"""Low bits first, one node: which of 256 values of a square's product are alive.

m is known modulo 2^q, so that the products of the highest squares are known exactly. The next
square's product is known but for its top eight bits, the *value*. From one value to the next every
new slot moves by one position; so the slots that are taken are kept as a ring of 256 bits, and one
read of it says for all values at once where a new product meets another attack set.

When: where it is estimated to be cheaper than windows: on ranks 6 to 8, and for most rooks of rank
5. Not for black (its multiplicands are odd: no product is exact before all of m is known), nor for
keys that are not all subsets of a mask, nor for an index of one bit.

Why: it is how the published disproofs were made (niklasf/magics, `v2/daq.c`), many values at a
time. There is one plan for a cell.

Cost: of one core: bishop f8 with 4 bits 0.41 s, and the published method written plainly in C 4.8
s (research/notebook/window-search.md). Rook h7 with 9 bits: half a second, where windows were
estimated at 13 hours.
"""

from typing import Any, NamedTuple

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numpy.typing import NDArray

from magicert.search.compiled import (
    ALL,
    LAST,
    ONE,
    SIX,
    WORD,
    ZERO,
    call_intrinsic,
    helper,
    lowest,
    splat,
    vector,
    word_constant,
)
from magicert.search.kernel.node import (
    CELLS,
    DEAD,
    DROPS,
    EXAMINED,
    MOST_INTERVALS,
    OPEN,
    SERIAL,
    WORDS,
    Leaves,
    new_leaves,
)
from magicert.search.problem import MOST_TESTED_BITS, Ints, LowPlan, Terms, Words, mask_bits
from magicert.system.words import popcount

# What a search with low bits first is about: nothing of it changes while the kernel runs.
#
# A mask's squares are taken from the highest bit down. A *pattern* is a set of squares: bit n is
# the n-th that was taken. So the patterns of the first t squares are the numbers below 2^t, and the
# *new* ones of square t are those with bit t as their highest.


class LowLevels(NamedTuple):
    """At level n m is known modulo 2^q[n], and squares[n] squares are taken. Its step adds width[n]
    bits; takes[n] says whether it takes a square.
    """

    q: Words
    width: Words
    squares: Ints
    takes: Ints


class Tests(NamedTuple):
    """What a new square's values are tested against.

    With t squares taken, the old patterns lonely[lonely_first[t]:lonely_first[t+1]] get, with the
    new square, an attack set that none of the old patterns has: every slot taken is a conflict.
    The other old patterns are in groups group_first[t]..group_first[t+1]: those of group g,
    hidden[hidden_first[g]:hidden_first[g+1]], get the attack set that the old patterns
    member[member_first[g]:member_first[g+1]] have.
    """

    lonely: Words
    lonely_first: Ints
    group_first: Ints
    hidden: Words
    hidden_first: Ints
    member: Words
    member_first: Ints


class LowTask(NamedTuple):
    """bit[t] is the mask bit of square t; attack[o] the attack set's number and row[o] the
    occupancy of pattern o. A bucket of products is 2^shift wide; slots outside
    [least_slot, most_slot] are forbidden. `record`: write leaves.
    """

    levels: LowLevels
    tests: Tests
    bit: Words
    attack: NDArray[np.int32]
    row: NDArray[np.int32]
    constant: np.uint64
    shift: np.uint64
    classes: np.uint64
    run: np.uint64
    least_slot: np.uint64
    most_slot: np.uint64
    record: bool


def low_task(
    terms: Terms, plan: LowPlan, level: int, end: int | None = None, record: bool = False
) -> LowTask:
    """The task of subtrees whose root is at `level`. With `end` the search stops at that level:
    what is open there counts as found.
    """
    plan.check(terms)
    squares = mask_bits(terms)[::-1]
    rows = {x: n for n, x in enumerate(terms.multiplicand.tolist())}
    row = [rows[_occupancy(pattern, squares)] for pattern in range(1 << len(squares))]
    attack = terms.attack[row]
    stop = len(plan.windows) if end is None else end + 1
    ends = [q for _, q in plan.windows[level:stop]]
    squares_taken = [sum(64 - bit <= q for bit in squares) for q in ends]
    return LowTask(
        levels=LowLevels(
            q=np.array(ends, dtype=np.uint64),
            width=np.array([*plan.widths, 0][level:stop], dtype=np.uint64),
            squares=np.array(squares_taken, dtype=np.int64),
            takes=np.array([*np.diff(squares_taken), 0], dtype=np.int64),
        ),
        tests=_tests(attack.tolist(), len(squares)),
        bit=np.array([*squares, 0], dtype=np.uint64),
        attack=attack,
        row=np.array(row, dtype=np.int32),
        constant=np.uint64(terms.constant[0]),
        shift=np.uint64(terms.shift),
        classes=np.uint64(1 << max(0, terms.bits - MOST_TESTED_BITS)),
        run=np.uint64(1 << max(0, MOST_TESTED_BITS - terms.bits)),
        least_slot=np.uint64(terms.least_slot),
        most_slot=np.uint64(terms.most_slot),
        record=record,
    )


def _occupancy(pattern: int, squares: list[int]) -> int:
    return sum(1 << bit for n, bit in enumerate(squares) if pattern >> n & 1)


def _tests(attack: list[int], squares: int) -> Tests:
    """Small groups come first: they kill as often as large ones of the same attack set would."""
    lonely: list[int] = []
    hidden: list[int] = []
    member: list[int] = []
    lonely_first, group_first, hidden_first, member_first = [0], [0], [0], [0]
    for t in range(squares):
        old: dict[int, list[int]] = {}
        new: dict[int, list[int]] = {}
        for pattern in range(1 << t):
            old.setdefault(attack[pattern], []).append(pattern)
        for pattern in range(1 << t):
            attack_set = attack[pattern | 1 << t]
            if attack_set in old:
                new.setdefault(attack_set, []).append(pattern)
            else:
                lonely.append(pattern)
        for attack_set in sorted(
            new, key=lambda attack_set: (len(new[attack_set]), new[attack_set])
        ):
            hidden += new[attack_set]
            member += old[attack_set]
            hidden_first.append(len(hidden))
            member_first.append(len(member))
        lonely_first.append(len(lonely))
        group_first.append(len(hidden_first) - 1)
    return Tests(
        lonely=np.array(lonely or [0], dtype=np.uint64),
        lonely_first=np.array(lonely_first, dtype=np.int64),
        group_first=np.array(group_first, dtype=np.int64),
        hidden=np.array(hidden or [0], dtype=np.uint64),
        hidden_first=np.array(hidden_first, dtype=np.int64),
        member=np.array(member or [0], dtype=np.uint64),
        member_first=np.array(member_first, dtype=np.int64),
    )


# Bit strings of slots: 256 positions in a ring, one for each value of the top eight bits.
#
# A slot of eight bits or more lies at its top eight bits, in the string of its *class*, its other
# bits. A slot of fewer bits fills a *run* of positions. A string is stored twice in a row, so that
# 256 bits can be read from any position on.
#
# While a new square's value grows by one in the top eight bits, each slot moves by one position and
# stays in its class: so one read at a product's position says for all 256 values which of them
# meet the string.

WORDS_PER_STRING = 8
"""Words of a string: four, twice."""
STRING_WORDS, COPY_WORDS = np.uint64(WORDS_PER_STRING), np.uint64(WORDS_PER_STRING // 2)
TOP = np.uint64(56)
"""A product's position are the bits from here on."""


@helper
def string_of(task, product):
    """Where a product's position lies in the strings of its number of squares: the word, and the
    bit in it.
    """
    string_class = (product >> task.shift) & (task.classes - ONE)
    return string_class * STRING_WORDS + (product >> (TOP + SIX)), (product >> TOP) & LAST


@helper
def read_positions(strings, word, bit):
    """64 positions from a bit of a word on."""
    return (strings[word] >> bit) | ((strings[word + ONE] << ONE) << (LAST - bit))


@helper
def set_slot(task, strings, first, product):
    """Set a product's slot in the strings that begin at `first`, in their first halves."""
    word, bit = string_of(task, product)
    bits = task.run - ONE
    strings[first + word] |= widen_runs(task, ONE << (bit & ~bits))


@helper
def clear_slot(task, strings, product):
    """Clear a product's slot in strings that begin at 0, in both halves."""
    word, bit = string_of(task, product)
    bits = ~widen_runs(task, ONE << (bit & ~(task.run - ONE)))
    strings[word] &= bits
    strings[word + COPY_WORDS] &= bits


@helper
def widen_runs(task, starts):
    """Runs from the positions where they start."""
    if task.run == ONE:
        return starts
    if task.run > LAST:
        return ZERO - starts
    return starts * ((ONE << task.run) - ONE)


@helper
def snap_to_runs(task, write_positions):
    """The runs that have any of these positions."""
    by = ONE
    while by < task.run:
        write_positions |= write_positions >> by
        by <<= ONE
    starts = ONE
    by = task.run
    while by <= LAST:
        starts |= starts << by
        by <<= ONE
    return widen_runs(task, write_positions & starts)


@helper
def repeat(task, strings, first):
    """Write the second half of every string from `first` on."""
    for string_class in range(task.classes):
        word = first + np.uint64(string_class) * STRING_WORDS
        for n in range(COPY_WORDS):
            strings[word + COPY_WORDS + np.uint64(n)] = strings[word + np.uint64(n)]


# The memory of one depth-first search with low bits first: everything the kernel changes.
#
# The kernel can stop between any two nodes and go on later, because all that it knows is here.

VALUES = 256
"""Values that are tested together."""


class LowPads(NamedTuple):
    """What the levels know. Patterns of t squares have their products at product[2^t + pattern],
    once written[t] says so; before, they are those of one square less, without and with the last
    square's, added[t].

    Strings of t squares begin at word t * classes * WORDS_PER_STRING: `taken_positions` has the
    slots of the patterns of t squares, `fresh` those of square t's new ones, for its value 0.
    `clash` is `taken_positions` without the slots of one attack set.

    `m`, the living values of a node (`alive`, in the order of reversed bits) and the next one
    (`place`) are by level. `slot_serial` says when a slot was last taken, and `slot_pattern` by
    which pattern; `owner_serial` and `owner` are the same for the old patterns of a node whose
    leaves are written.
    """

    product: Words
    written: Ints
    added: Words
    taken_positions: Words
    fresh: Words
    clash: Words
    m: Words
    alive: Words
    place: Words
    slot_serial: Ints
    slot_pattern: NDArray[np.int32]
    owner_serial: Ints
    owner: NDArray[np.int32]
    reversed: Words


class LowState(NamedTuple):
    """All of it. `intervals` has the magics as intervals [low, high] modulo 2^width."""

    register: Ints
    pads: LowPads
    leaves: Leaves
    intervals: Words


def new_low_state(terms: Terms, task: LowTask, most_intervals: int = MOST_INTERVALS) -> LowState:
    """A state for subtrees of a task. It serves one subtree after another."""
    levels, squares = len(task.levels.q) + 1, len(task.bit)
    words = int(task.classes) * WORDS_PER_STRING
    slots = 1 << terms.bits
    return LowState(
        register=np.zeros(16, dtype=np.int64),
        pads=LowPads(
            product=np.zeros(2 << squares, dtype=np.uint64),
            written=np.zeros(squares + 1, dtype=np.int64),
            added=np.zeros(squares + 1, dtype=np.uint64),
            taken_positions=np.zeros((squares + 1) * words, dtype=np.uint64),
            fresh=np.zeros((squares + 1) * words, dtype=np.uint64),
            clash=np.zeros(words, dtype=np.uint64),
            m=np.zeros(levels, dtype=np.uint64),
            alive=np.zeros((levels, VALUES // 64), dtype=np.uint64),
            place=np.zeros(levels, dtype=np.uint64),
            slot_serial=np.zeros(slots, dtype=np.int64),
            slot_pattern=np.zeros(slots, dtype=np.int32),
            owner_serial=np.zeros(slots, dtype=np.int64),
            owner=np.zeros(slots, dtype=np.int32),
            reversed=np.array([int(f"{n:08b}"[::-1], 2) for n in range(VALUES)], dtype=np.uint64),
        ),
        leaves=new_leaves(task.record),
        intervals=np.zeros((most_intervals, 2), dtype=np.uint64),
    )


# The innermost loop in vector instructions: the four words of a ring read and tested together.
#
# numba has no vectors of its own, so this is written for LLVM, which makes the best of what a
# processor has.

LANES = 4
FOUR_WORDS = vector(LANES)


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
    words = builder.bitcast(alive, FOUR_WORDS.as_pointer())
    before = builder.load(words, align=8)
    entry = builder.block
    loop, done = builder.append_basic_block("loop"), builder.append_basic_block("done")
    builder.cbranch(builder.icmp_unsigned("<", start, end), loop, done)

    builder.position_at_end(loop)
    place, living = builder.phi(WORD), builder.phi(FOUR_WORDS)
    pattern = builder.load(builder.gep(patterns, [place]))
    at = builder.add(base, builder.and_(pattern, mask))
    added = builder.select(builder.icmp_unsigned(">", pattern, mask), with_last, v)
    product = builder.add(builder.load(builder.gep(products, [at])), added)
    string_class = builder.and_(builder.lshr(product, shift), classes)
    word = builder.add(
        builder.shl(string_class, word_constant(3)), builder.lshr(product, word_constant(62))
    )
    word = builder.add(first, word)
    bit = builder.and_(builder.lshr(product, word_constant(56)), word_constant(63))
    low_words, high_words = (
        builder.load(builder.bitcast(builder.gep(strings, [n]), FOUR_WORDS.as_pointer()), align=8)
        for n in (word, builder.add(word, word_constant(1)))
    )
    dead = call_intrinsic(
        builder, "llvm.fshr.v4i64", [high_words, low_words, splat(builder, bit, LANES)]
    )
    survivors = builder.and_(living, builder.not_(dead))
    after = builder.add(place, word_constant(1))
    any_alive = builder.or_(
        _any(context, builder, survivors), builder.icmp_unsigned("!=", whole, word_constant(0))
    )
    continues = builder.and_(any_alive, builder.icmp_unsigned("<", after, end))
    builder.cbranch(continues, loop, done)
    place.add_incoming(start, entry)
    place.add_incoming(after, loop)
    living.add_incoming(before, entry)
    living.add_incoming(survivors, loop)

    builder.position_at_end(done)
    last, result = builder.phi(WORD), builder.phi(FOUR_WORDS)
    last.add_incoming(start, entry)
    last.add_incoming(after, loop)
    result.add_incoming(before, entry)
    result.add_incoming(survivors, loop)
    builder.store(result, words, align=8)
    return builder.sub(last, start)


def _any(context: Any, builder: Any, words: Any) -> Any:  # noqa: ANN401
    """Whether any of four words is not 0. LLVM itself would take them apart for that."""
    if "+avx" in context.codegen().magic_tuple()[2].split(","):
        flag = ir.IntType(32)
        kind = ir.FunctionType(flag, [FOUR_WORDS, FOUR_WORDS])
        test = cgutils.get_or_insert_function(builder.module, kind, "llvm.x86.avx.ptestz.256")
        return builder.icmp_unsigned("==", builder.call(test, [words, words]), flag(0))
    whole = ir.IntType(64 * LANES)
    return builder.icmp_unsigned("!=", builder.bitcast(words, whole), whole(0))


# One node that takes a square: which of the square's values are alive.
#
# A node knows m modulo 2^q. The square's product v is then known but for its top eight bits, its
# *value* (with fewer bits to a step only every second, fourth ... value is asked for). The old
# patterns have their slots. A new one, an old pattern with the square, has the old product plus v:
# from value to value it moves by one position. Two new ones move together.

EIGHT = np.uint64(8)


@helper
def step_values(width):
    """The values of a step of so many bits, as four words: all multiples of 2^(8 - width)."""
    if width == EIGHT:
        return ALL, ALL, ALL, ALL
    word, by = ONE, ONE << (EIGHT - width)
    while by <= LAST:
        word |= word << by
        by <<= ONE
    between = word if width > ONE else ZERO
    return word, between, word, between


@helper
def test_values(task, state, level):
    """Find the values of a node that no old pattern and no pair of new ones kills, and keep them
    in state.pads.alive[level]. DEAD if there are none.
    """
    pads, register, tests = state.pads, state.register, task.tests
    t = task.levels.squares[level]
    width = task.levels.width[level]
    v = pads.m[level] << task.bit[t]
    alive = pads.alive[level]
    first = np.uint64(t) * task.classes * STRING_WORDS
    # Old products, where they are not written: those of one square less, without the last
    # square and with it.
    base, mask, with_last = ONE, ZERO, v
    if t > 0:
        base = ONE << np.uint64(t - 1)
        mask = base - ONE
        with_last = v + pads.added[t]
    alive[0], alive[1], alive[2], alive[3] = step_values(width)
    start, end = np.uint64(tests.lonely_first[t]), np.uint64(tests.lonely_first[t + 1])
    tested = rule_out(
        alive, pads.taken_positions, first, pads.product, tests.lonely, start, end,
        (task.shift, task.classes - ONE, ZERO), (base, mask, v, with_last),
    )  # fmt: skip
    if alive[0] | alive[1] | alive[2] | alive[3] != ZERO:
        write_products(state, t)
        base = ONE << np.uint64(t)
        for group in range(tests.group_first[t], tests.group_first[t + 1]):
            build_clash(task, state, t, group)
            start = np.uint64(tests.hidden_first[group])
            end = np.uint64(tests.hidden_first[group + 1])
            tested += rule_out(
                alive, pads.clash, ZERO, pads.product, tests.hidden, start, end,
                (task.shift, task.classes - ONE, ONE), (base, ALL, v, v),
            )  # fmt: skip
            if alive[0] | alive[1] | alive[2] | alive[3] == ZERO:
                break
    alive_count = popcount(alive[0]) + popcount(alive[1]) + popcount(alive[2]) + popcount(alive[3])
    register[WORDS] += 4 * np.int64(tested)
    register[CELLS] += (np.int64(1) << np.int64(width)) - np.int64(alive_count)
    if alive_count == ZERO:
        return DEAD
    return test_new(task, state, level, v, alive_count)


@helper
def write_products(state, t):
    """Write the products of all patterns of t squares."""
    pads = state.pads
    if pads.written[t] != 0:
        return
    pads.written[t] = 1
    count = ONE << np.uint64(t - 1)
    added = pads.added[t]
    for n in range(count):
        old = np.uint64(n)
        product = pads.product[count + old]
        pads.product[count + count + old] = product
        pads.product[count + count + count + old] = product + added


@helper
def build_clash(task, state, t, group):
    """pads.clash: the slots taken by other attack sets than the group's."""
    pads, tests = state.pads, task.tests
    words = task.classes * STRING_WORDS
    first = np.uint64(t) * words
    for n in range(words):
        pads.clash[n] = pads.taken_positions[first + np.uint64(n)]
    base = ONE << np.uint64(t)
    for place in range(tests.member_first[group], tests.member_first[group + 1]):
        clear_slot(task, pads.clash, pads.product[base + tests.member[place]])
    state.register[EXAMINED] += tests.member_first[group + 1] - tests.member_first[group]


@helper
def test_new(task, state, level, v, alive_count):
    """Drop those of the `alive_count` living values at which two new patterns conflict, write the
    positions of the new ones in pads.fresh, and put the living values in the order of reversed
    bits.
    """
    pads, register = state.pads, state.register
    t = task.levels.squares[level]
    alive = pads.alive[level]
    a, b, c, d = alive[0], alive[1], alive[2], alive[3]
    alive[:] = ZERO
    same_at_all_values = task.run == ONE
    # With eight bits to a slot or more they conflict at every value or at none.
    if same_at_all_values and test_pairs(task, state, t, v) == DEAD:
        register[DROPS] += np.int64(alive_count)
        return DEAD
    for n in range(4):
        word = a if n == 0 else b if n == 1 else c if n == 2 else d
        while word != ZERO:
            value = (np.uint64(n) << SIX) + lowest(word)
            word &= word - ONE
            if not same_at_all_values and test_pairs(task, state, t, v + (value << TOP)) == DEAD:
                register[DROPS] += 1
                continue
            place = pads.reversed[value]
            alive[place >> SIX] |= ONE << (place & LAST)
    if alive[0] | alive[1] | alive[2] | alive[3] == ZERO:
        return DEAD
    write_positions(task, state, t, v)
    return OPEN


@helper
def test_pairs(task, state, t, v):
    """DEAD if two new patterns with different attack sets share a slot."""
    pads, register = state.pads, state.register
    base = ONE << np.uint64(t)
    register[SERIAL] += 1
    serial = register[SERIAL]
    for n in range(base):
        old = np.uint64(n)
        slot = (pads.product[base + old] + v) >> task.shift
        new = old | base
        if pads.slot_serial[slot] != serial:
            pads.slot_serial[slot] = serial
            pads.slot_pattern[slot] = np.int32(new)
        elif task.attack[pads.slot_pattern[slot]] != task.attack[new]:
            register[EXAMINED] += np.int64(n) + 1
            return DEAD
    register[EXAMINED] += np.int64(base)
    return OPEN


@helper
def write_positions(task, state, t, v):
    """pads.fresh: where the new patterns lie at value 0."""
    pads = state.pads
    words = task.classes * STRING_WORDS
    first = np.uint64(t) * words
    pads.fresh[first : first + words] = ZERO
    base = ONE << np.uint64(t)
    for n in range(base):
        word, bit = string_of(task, pads.product[base + np.uint64(n)] + v)
        pads.fresh[first + word] |= ONE << bit
    repeat(task, pads.fresh, first)


@helper
def take(task, state, t, value):
    """The slots of t + 1 squares: the old ones, and those of the new patterns at a value."""
    from_word = (ZERO - value) & np.uint64(255)
    bit = from_word & LAST
    from_word >>= SIX
    pads = state.pads
    words = task.classes * STRING_WORDS
    first = np.uint64(t) * words
    for string_class in range(task.classes):
        old = first + np.uint64(string_class) * STRING_WORDS
        for n in range(COPY_WORDS):
            word = old + np.uint64(n)
            new = read_positions(pads.fresh, word + from_word, bit)
            if task.run > ONE:
                new = snap_to_runs(task, new)
            new |= pads.taken_positions[word]
            pads.taken_positions[word + words] = new
            pads.taken_positions[word + words + COPY_WORDS] = new


@helper
def take_written(task, state, t):
    """The slots of the patterns of t squares, whose products are written, and those that are
    forbidden.
    """
    pads = state.pads
    words = task.classes * STRING_WORDS
    first = np.uint64(t) * words
    pads.taken_positions[first : first + words] = ZERO
    for slot in range(len(pads.slot_serial)):
        if not task.least_slot <= np.uint64(slot) <= task.most_slot:
            set_slot(task, pads.taken_positions, first, np.uint64(slot) << task.shift)
    base = ONE << np.uint64(t)
    for n in range(base):
        set_slot(task, pads.taken_positions, first, pads.product[base + np.uint64(n)])
    repeat(task, pads.taken_positions, first)
