"""What LLVM's own functions compute, and those of x86 and AArch64 that attack code uses.

Sources: LLVM's language reference; Intel's and Arm's instruction descriptions.
"""

import re
from collections.abc import Callable, Sequence
from functools import partial, reduce

from magicert.functions.execute import words
from magicert.functions.execute.values import (
    Aggregate,
    Lane,
    Value,
    chosen_lane,
    lane,
    lanes_of,
    lanewise,
)
from magicert.functions.execute.words import Word, constant

Meaning = Callable[[Sequence[Value]], Value | None]
"""Arguments to the result; None where these arguments have no meaning here."""


def meaning_of(name: str) -> Meaning | None:
    """What a function `llvm....` computes, if it is known here."""
    for pattern, meaning in _KNOWN.items():
        if re.fullmatch(pattern, name):
            return meaning
    return None


def leading_zeros(x: Word) -> Word:
    """The zeros above the highest 1; the width for 0."""
    smeared, by = x, 1
    while by < x.width:
        smeared = words.or_(smeared, words.lshr(smeared, constant(by, x.width)))
        by *= 2
    return words.popcount(words.not_(smeared)) if x.width > 1 else words.not_(x)


def trailing_zeros(x: Word) -> Word:
    """The zeros below the lowest 1; the width for 0."""
    below = words.and_(words.not_(x), words.sub(x, constant(1, x.width)))
    return words.popcount(below) if x.width > 1 else words.not_(x)


def extracted(x: Word, mask: Word) -> Word:
    """pext: the bits of x that the mask names, side by side."""
    if mask.value is not None:
        places = [n for n in range(x.width) if mask.value >> n & 1]
        if not places:
            return constant(0, x.width)
        bits = [words.extract(x, 1, place) for place in reversed(places)]
        return words.zext(words.concat(*bits), x.width)
    result = constant(0, x.width)
    for n in reversed(range(x.width)):
        shifted = words.concat(words.extract(result, x.width - 1, 0), words.extract(x, 1, n))
        result = words.ite(words.extract(mask, 1, n), shifted, result)
    return result


def deposited(x: Word, mask: Word) -> Word:
    """pdep: the lowest bits of x, put where the mask has its bits."""
    bits, rest = [], x
    place = 0
    for n in range(x.width):
        selected = words.extract(mask, 1, n)
        if mask.value is not None:
            taken = mask.value >> n & 1
            bits.append(words.extract(x, 1, place) if taken else constant(0, 1))
            place += taken
        else:
            bits.append(words.and_(selected, words.extract(rest, 1, 0)))
            rest = words.ite(selected, words.lshr(rest, constant(1, x.width)), rest)
    return words.concat(*reversed(bits))


def product(x: Word, y: Word) -> Word:
    """The carry-less product, twice as wide."""
    wide = words.zext(x, 2 * x.width)
    result = constant(0, wide.width)
    for n in range(y.width):
        shifted = words.shl(wide, constant(n, wide.width))
        term = words.ite(words.extract(y, 1, n), shifted, constant(0, wide.width))
        result = words.xor(result, term)
    return result


def _each(operation: Callable[..., Word]) -> Meaning:
    return lambda values: lanewise(operation, *values)


def _flagged(operation: Callable[[Word], Word], excluded: Callable[[int], int]) -> Meaning:
    """cttz, ctlz, abs: with a second argument true one number, by the width, gives poison."""

    def meaning(values: Sequence[Value]) -> Value:
        (flag,) = lanes_of(values[1])
        results = []
        for item in lanes_of(values[0]):
            width = item.word.width
            bad = words.and_(words.eq(item.word, constant(excluded(width), width)), flag.word)
            results.append(Lane(operation(item.word), words.or_(item.poison, bad)))
        return tuple(results)

    return meaning


def _absolute(x: Word) -> Word:
    return words.ite(words.extract(x, 1, x.width - 1), words.neg(x), x)


def _funnel(left: bool) -> Callable[[Word, Word, Word], Word]:
    def shifted(high: Word, low: Word, amount: Word) -> Word:
        width = high.width
        both = words.concat(high, low)
        by = words.zext(words.urem(amount, constant(width, width)), 2 * width)
        if left:
            return words.extract(words.shl(both, by), width, width)
        return words.extract(words.lshr(both, by), width, 0)

    return shifted


def _turned(x: Word, amount: Word) -> Word:
    """Round to the right."""
    return _funnel(left=False)(x, x, amount)


def overflows(op: str, x: Word, y: Word, is_signed: bool) -> Word:
    """Whether a sum, difference or product does not fit."""
    width = x.width
    wide = 2 * width if op == "mul" else width + 1
    extend = words.sext if is_signed else words.zext
    if op == "sub" and not is_signed:
        return words.ult(x, y)
    if op == "mul" and x.op == "constant":
        x, y = y, x
    if op == "mul" and y.op == "constant" and not is_signed and y.data:
        return words.ult(constant(words.ones(width) // y.data, width), x)
    exact = words.OPERATIONS[op](extend(x, wide), extend(y, wide))
    return words.ne(exact, extend(words.extract(exact, width, 0), wide))


def _with_overflow(op: str, is_signed: bool) -> Meaning:
    def meaning(values: Sequence[Value]) -> Value:
        result = lanewise(words.OPERATIONS[op], *values)
        return Aggregate((result, lanewise(lambda x, y: overflows(op, x, y, is_signed), *values)))

    return meaning


def _saturating(op: str, is_signed: bool) -> Callable[[Word, Word], Word]:
    def result(x: Word, y: Word) -> Word:
        width = x.width
        full = overflows(op, x, y, is_signed)
        if not is_signed:
            bound = constant(-1 if op == "add" else 0, width)
        else:
            least, most = constant(1 << (width - 1), width), constant((1 << (width - 1)) - 1, width)
            bound = words.ite(words.extract(x, 1, width - 1), least, most)
        return words.ite(full, bound, words.OPERATIONS[op](x, y))

    return result


def _order(less: Callable[[Word, Word], Word], width: int) -> Callable[[Word, Word], Word]:
    """-1, 0 or 1, of so many bits."""

    def result(x: Word, y: Word) -> Word:
        above = words.zext(less(y, x), width)
        return words.ite(less(x, y), constant(-1, width), above)

    return result


def _high_product(extend: Callable[[Word, int], Word]) -> Callable[[Word, Word], Word]:
    def result(x: Word, y: Word) -> Word:
        wide = 2 * x.width
        return words.extract(words.mul(extend(x, wide), extend(y, wide)), x.width, x.width)

    return result


def _extreme(less: Callable[[Word, Word], Word], smallest: bool) -> Callable[[Word, Word], Word]:
    def result(x: Word, y: Word) -> Word:
        first = less(x, y) if smallest else less(y, x)
        return words.ite(first, x, y)

    return result


def _reduced(operation: Callable[[Word, Word], Word], wider: int = 1) -> Meaning:
    """All lanes in one, as wide or so much wider."""

    def meaning(values: Sequence[Value]) -> Value:
        lanes = lanes_of(values[0])
        first, *others = (words.zext(item.word, wider * item.word.width) for item in lanes)
        total = reduce(operation, others, first)
        return (Lane(total, words.any_of(item.poison for item in lanes)),)

    return meaning


def _byte_shuffle(values: Sequence[Value]) -> Value:
    """pshufb: in each 16 bytes a byte chosen by the lower four bits, or 0 by the highest."""
    source, control = map(lanes_of, values)
    lanes = []
    for n, choice in enumerate(control):
        within = source[n // 16 * 16 : n // 16 * 16 + 16]
        low = words.extract(choice.word, 4, 0)
        picked = _picked([item.word for item in within], low)
        cleared = words.extract(choice.word, 1, 7)
        poison = words.any_of([choice.poison, *(item.poison for item in within)])
        lanes.append(Lane(words.ite(cleared, constant(0, 8), picked), poison))
    return tuple(lanes)


def _table_lookup(values: Sequence[Value]) -> Value:
    """AArch64's tbl: bytes chosen from the registers given; 0 behind their end."""
    *sources, control = map(lanes_of, values)
    items = [item for source in sources for item in source]
    lanes = []
    for choice in control:
        index = choice.word
        if index.value is not None:
            chosen = items[index.value] if index.value < len(items) else lane(constant(0, 8))
            lanes.append(Lane(chosen.bits, words.or_(chosen.poison, choice.poison)))
            continue
        picked = constant(0, 8)
        for n, item in enumerate(items):
            picked = words.ite(words.eq(index, constant(n, 8)), item.word, picked)
        poison = words.any_of([choice.poison, *(item.poison for item in items)])
        lanes.append(Lane(picked, poison))
    return tuple(lanes)


def _permuted(values: Sequence[Value]) -> Value:
    """AVX-512's and AVX2's permutations of all lanes: (source, indexes), or of those of two
    registers: (first, indexes, second).
    """
    first, control, *second = map(lanes_of, values)
    source = [*first, *(item for lanes in second for item in lanes)]
    bits = (len(source) - 1).bit_length()
    poison = words.any_of(item.poison for item in source)
    return tuple(
        Lane(
            _picked([item.word for item in source], words.extract(choice.word, bits, 0)),
            words.or_(choice.poison, poison),
        )
        for choice in control
    )


def _compressed(values: Sequence[Value]) -> Value:
    """vpcompress: (source, others, mask) to the lanes that the mask names, side by side, then the
    others as they stand.
    """
    source, others, mask = map(lanes_of, values)
    count = constant(0, 8)
    lanes = list(others)
    for item, choice in zip(source, mask, strict=True):
        for place, before in enumerate(lanes):
            here = words.and_(choice.word, words.eq(count, constant(place, 8)))
            lanes[place] = chosen_lane(here, item, before)
        count = words.add(count, words.zext(choice.word, 8))
    poison = words.any_of(choice.poison for choice in mask)
    return tuple(Lane(item.word, words.or_(item.poison, poison)) for item in lanes)


def _shifted_out(source: Value, control: Value, width: int) -> Value:
    """For each byte so many bits of its 64, round about, from a place on: vpmultishiftqb gives
    eight of them, vpshufbitqmb one.
    """
    lanes, results = lanes_of(source), []
    for n, choice in enumerate(lanes_of(control)):
        within = lanes[n // 8 * 8 : n // 8 * 8 + 8]
        whole = words.concat(*(item.word for item in reversed(within)))
        by = words.zext(words.extract(choice.word, 6, 0), 64)
        poison = words.any_of([choice.poison, *(item.poison for item in within)])
        results.append(Lane(words.extract(_turned(whole, by), width, 0), poison))
    return tuple(results)


def _packed(is_signed: bool) -> Meaning:
    """packs, packus: signed lanes of half the width, as near as can be; in each 16 bytes those of
    the first argument, then those of the second.
    """

    def narrowed(x: Word) -> Word:
        half = x.width // 2
        least, most = (
            (-1 << (half - 1), (1 << (half - 1)) - 1) if is_signed else (0, words.ones(half))
        )
        low, high = constant(least, x.width), constant(most, x.width)
        near = words.ite(words.slt(x, low), low, words.ite(words.slt(high, x), high, x))
        return words.extract(near, half, 0)

    def meaning(values: Sequence[Value]) -> Value:
        sources = [lanes_of(value) for value in values]
        each = 128 // sources[0][0].word.width
        lanes: list[Lane] = []
        for start in range(0, len(sources[0]), each):
            for source in sources:
                lanes += (Lane(narrowed(x.word), x.poison) for x in source[start : start + each])
        return tuple(lanes)

    return meaning


def _sign_bits(values: Sequence[Value]) -> Value:
    """pmovmskb: the highest bit of each lane, in an i32."""
    lanes = lanes_of(values[0])
    bits = [words.extract(item.word, 1, item.word.width - 1) for item in reversed(lanes)]
    return (Lane(words.zext(words.concat(*bits), 32), words.any_of(x.poison for x in lanes)),)


def _tested(values: Sequence[Value], *, which: str) -> Value:
    """ptest: whether two registers share no bit (z), whether the second has none but the first's
    (c), or neither (nzc).
    """
    lanes = [lanes_of(value) for value in values]
    x, y = (words.concat(*(item.word for item in reversed(one))) for one in lanes)
    z, c = (words.eq(words.and_(side, y), constant(0, x.width)) for side in (x, words.not_(x)))
    flag_value = {"z": z, "c": c, "nzc": words.not_(words.or_(z, c))}[which]
    return (
        Lane(
            words.zext(flag_value, 32), words.any_of(item.poison for item in (*lanes[0], *lanes[1]))
        ),
    )


def _differences(values: Sequence[Value]) -> Value:
    """psadbw: of each eight bytes the sum of the distances."""
    lanes: list[Lane] = []
    pairs = list(zip(*map(lanes_of, values), strict=True))
    for start in range(0, len(pairs), 8):
        total, poison = constant(0, 64), words.boolean(False)
        for a, b in pairs[start : start + 8]:
            x, y = a.word, b.word
            far = words.ite(words.ult(x, y), words.sub(y, x), words.sub(x, y))
            total = words.add(total, words.zext(far, 64))
            poison = words.any_of([poison, a.poison, b.poison])
        lanes.append(Lane(total, poison))
    return tuple(lanes)


def _with_carry(operation: Callable[[Word, Word], Word]) -> Meaning:
    """adc, sbb: (carry, x, y) to the carry and the sum or difference."""

    def meaning(values: Sequence[Value]) -> Value:
        carry, x, y = (lanes_of(value)[0] for value in values)
        width = x.word.width
        one = words.zext(words.ne(carry.word, constant(0, 8)), width + 1)
        both = operation(words.zext(x.word, width + 1), words.zext(y.word, width + 1))
        wide, poison = operation(both, one), words.any_of([carry.poison, x.poison, y.poison])
        parts = words.zext(words.extract(wide, 1, width), 8), words.extract(wide, width, 0)
        return Aggregate(tuple((Lane(part, poison),) for part in parts))

    return meaning


def _both_ways(x: Word, amount: Word, *, is_signed: bool) -> Word:
    """AArch64's ushl and sshl: by the lowest byte, to the right if that is negative."""
    by = words.sext(words.extract(amount, 8, 0), x.width)
    right = (words.ashr if is_signed else words.lshr)(x, words.neg(by))
    return words.ite(words.extract(by, 1, x.width - 1), right, words.shl(x, by))


def _picked(items: Sequence[Word], index: Word) -> Word:
    """One of 2^n words."""
    if len(items) == 1:
        return items[0]
    half = len(items) // 2
    if index.value is not None:
        return items[index.value]
    top = words.extract(index, 1, index.width - 1)
    rest = words.extract(index, index.width - 1, 0) if index.width > 1 else index
    return words.ite(top, _picked(items[half:], rest), _picked(items[:half], rest))


def _ternary(values: Sequence[Value]) -> Value | None:
    """vpternlog: bit by bit the truth table that the last argument holds."""
    (last,) = lanes_of(values[3])
    table = last.word.value
    if table is None:
        return None

    def looked_up(a: Word, b: Word, c: Word) -> Word:
        result = constant(0, a.width)
        for n in range(8):
            if table >> n & 1:
                term = constant(-1, a.width)
                for bit, word in ((4, a), (2, b), (1, c)):
                    term = words.and_(term, word if n & bit else words.not_(word))
                result = words.or_(result, term)
        return result

    return lanewise(looked_up, *values[:3])


def _affine(values: Sequence[Value]) -> Value | None:
    """gf2p8affineqb: each byte times a matrix of 8x8 bits, plus a byte."""
    (last,) = lanes_of(values[2])
    added = last.word.value
    if added is None:
        return None
    source, matrix = map(lanes_of, values[:2])
    lanes = []
    for n, item in enumerate(source):
        rows = matrix[n // 8 * 8 : n // 8 * 8 + 8]
        bits = []
        for bit in reversed(range(8)):
            both = words.and_(item.word, rows[7 - bit].word)
            parity = words.extract(words.popcount(both), 1, 0)
            bits.append(words.xor(parity, constant(added >> bit, 1)))
        poison = words.any_of([item.poison, *(row.poison for row in rows)])
        lanes.append(Lane(words.concat(*bits), poison))
    return tuple(lanes)


def _carryless(values: Sequence[Value]) -> Value | None:
    """pclmulqdq: the halves of each 128 bits are chosen by the last argument."""
    (last,) = lanes_of(values[2])
    choice = last.word.value
    if choice is None:
        return None
    first, second = lanes_of(values[0]), lanes_of(values[1])
    lanes: list[Lane] = []
    for start in range(0, len(first), 2):
        lanes += _wide_product(first[start + (choice & 1)], second[start + (choice >> 4 & 1)], 64)
    return tuple(lanes)


def _wide_product(x: Lane, y: Lane, width: int) -> tuple[Lane, ...]:
    """The carry-less product in lanes of so many bits."""
    wide, poison = product(x.word, y.word), words.or_(x.poison, y.poison)
    places = range(0, wide.width, width)
    return tuple(Lane(words.extract(wide, width, place), poison) for place in places)


def _pairs(wider: int) -> Meaning:
    """AArch64's addp, uaddlp: the sums of two neighbours, of the registers one after the other."""

    def meaning(values: Sequence[Value]) -> Value:
        lanes = [item for value in values for item in lanes_of(value)]
        results = []
        for x, y in zip(lanes[::2], lanes[1::2], strict=True):
            width = wider * x.word.width
            total = words.add(words.zext(x.word, width), words.zext(y.word, width))
            results.append(Lane(total, words.or_(x.poison, y.poison)))
        return tuple(results)

    return meaning


def _bit_field(x: Word, control: Word) -> Word:
    """bextr: so many bits from a place on."""
    start = words.zext(words.extract(control, 8, 0), x.width)
    length = words.zext(words.extract(control, 8, 8), x.width)
    shifted = words.lshr(x, start)
    mask = words.not_(words.shl(constant(-1, x.width), length))
    return words.and_(shifted, mask)


def _without_upper(x: Word, control: Word) -> Word:
    """bzhi: the bits below a place."""
    place = words.zext(words.extract(control, 8, 0), x.width)
    return words.and_(x, words.not_(words.shl(constant(-1, x.width), place)))


def _rows(shift: Callable[[Word, Word], Word]) -> Meaning:
    """psll, psrl, psra: all lanes by the one amount in the lower half of the second argument."""

    def meaning(values: Sequence[Value]) -> Value:
        amounts = lanes_of(values[1])
        if len(amounts) == 1:
            amount = amounts[0]
            wide = words.zext(amount.word, 64)
        else:
            low = amounts[: 64 // amounts[0].word.width]  # the upper half may be anything
            whole = words.concat(*(item.word for item in reversed(low)))
            amount = Lane(whole, words.any_of(item.poison for item in low))
            wide = amount.word
        lanes = []
        for item in lanes_of(values[0]):
            width = item.word.width
            most = constant(width, 64)
            near = words.resized(words.ite(words.ult(wide, most), wide, most), width)
            shifted = shift(item.word, near)
            lanes.append(Lane(shifted, words.or_(item.poison, amount.poison)))
        return tuple(lanes)

    return meaning


_KNOWN: dict[str, Meaning] = {
    r"llvm\.bswap\..*": _each(lambda x: words.reverse(x, 8)),
    r"llvm\.bitreverse\..*": _each(lambda x: words.reverse(x, 1)),
    r"llvm\.ctpop\..*": _each(words.popcount),
    r"llvm\.cttz\..*": _flagged(trailing_zeros, lambda _: 0),
    r"llvm\.ctlz\..*": _flagged(leading_zeros, lambda _: 0),
    r"llvm\.abs\..*": _flagged(_absolute, lambda width: 1 << (width - 1)),
    r"llvm\.fshl\..*": _each(_funnel(left=True)),
    r"llvm\.fshr\..*": _each(_funnel(left=False)),
    **{
        rf"llvm\.{sign}cmp\.(v\d+)?i{width}\..*": _each(_order(less, width))
        for sign, less in (("u", words.ult), ("s", words.slt))
        for width in (2, 8, 16, 32, 64)
    },
    r"llvm\.umin\..*": _each(_extreme(words.ult, smallest=True)),
    r"llvm\.umax\..*": _each(_extreme(words.ult, smallest=False)),
    r"llvm\.smin\..*": _each(_extreme(words.slt, smallest=True)),
    r"llvm\.smax\..*": _each(_extreme(words.slt, smallest=False)),
    **{
        rf"llvm\.{sign}{op}\.with\.overflow\..*": _with_overflow(op, sign == "s")
        for sign in "us"
        for op in ("add", "sub", "mul")
    },
    **{
        rf"llvm\.{sign}{op}\.sat\..*": _each(_saturating(op, sign == "s"))
        for sign in "us"
        for op in ("add", "sub")
    },
    **{
        rf"llvm\.vector\.reduce\.{op}\..*": _reduced(operation)
        for op, operation in {
            "or": words.or_,
            "and": words.and_,
            "xor": words.xor,
            "add": words.add,
            "mul": words.mul,
            "umax": _extreme(words.ult, smallest=False),
            "umin": _extreme(words.ult, smallest=True),
            "smax": _extreme(words.slt, smallest=False),
            "smin": _extreme(words.slt, smallest=True),
        }.items()
    },
    r"llvm\.expect\..*|llvm\.ssa\.copy\..*|llvm\.launder.*|llvm\.strip.*": lambda values: values[0],
    r"llvm\.(x86\.bmi\.)?pext\..*": _each(extracted),
    r"llvm\.(x86\.bmi\.)?pdep\..*": _each(deposited),
    r"llvm\.x86\.bmi\.bextr\..*": _each(_bit_field),
    r"llvm\.x86\.bmi\.bzhi\..*": _each(_without_upper),
    r"llvm\.x86\.(ssse3\.pshuf\.b\.128|avx2\.pshuf\.b|avx512\.pshuf\.b\.512)": _byte_shuffle,
    r"llvm\.x86\.avx512\.(permvar\.(qi|hi|si|di)|vpermi2var\.(qi|hi|d|q))\..*": _permuted,
    r"llvm\.x86\.avx2\.permd": _permuted,
    r"llvm\.x86\.avx512\.pmultishift\.qb\..*": lambda v: _shifted_out(v[1], v[0], 8),
    r"llvm\.x86\.(sse2|avx2|avx512)\.packss(wb|dw).*": _packed(is_signed=True),
    r"llvm\.x86\.(sse2|sse41|avx2|avx512)\.packus(wb|dw).*": _packed(is_signed=False),
    r"llvm\.x86\.(sse2|avx2)\.pmovmskb.*": _sign_bits,
    **{
        rf"llvm\.x86\.(sse41\.ptest{which}|avx\.ptest{which}\.256)": partial(_tested, which=which)
        for which in ("z", "c", "nzc")
    },
    r"llvm\.x86\.(sse2|avx2)\.psad\.bw": _differences,
    r"llvm\.x86\.addcarry\.(32|64)": _with_carry(words.add),
    r"llvm\.x86\.subborrow\.(32|64)": _with_carry(words.sub),
    r"llvm\.x86\.avx512\.pternlog\..*": _ternary,
    r"llvm\.x86\.vgf2p8affineqb\..*": _affine,
    r"llvm\.x86\.pclmulqdq(\.256|\.512)?": _carryless,
    r"llvm\.x86\.avx512\.vpshufbitqmb\..*": lambda v: _shifted_out(v[0], v[1], 1),
    r"llvm\.x86\.avx512\.mask\.compress\..*": _compressed,
    r"llvm\.x86\.(sse41|avx2)\.pblendvb": _each(
        lambda x, y, mask: words.ite(words.extract(mask, 1, 7), y, x)
    ),
    r"llvm\.x86\.(sse2|avx2|avx512)\.pmulhu\.w.*": _each(_high_product(words.zext)),
    r"llvm\.x86\.(sse2|avx2|avx512)\.pmulh\.w.*": _each(_high_product(words.sext)),
    r"llvm\.x86\.(avx2|avx512)\.psllv\..*": _each(words.shl),
    r"llvm\.x86\.(avx2|avx512)\.psrlv\..*": _each(words.lshr),
    r"llvm\.x86\.(avx2|avx512)\.psrav\..*": _each(words.ashr),
    r"llvm\.x86\.(sse2|avx2|avx512)\.psll[i]?\.[wdq].*": _rows(words.shl),
    r"llvm\.x86\.(sse2|avx2|avx512)\.psrl[i]?\.[wdq].*": _rows(words.lshr),
    r"llvm\.x86\.(sse2|avx2|avx512)\.psra[i]?\.[wdq].*": _rows(words.ashr),
    r"llvm\.aarch64\.neon\.tbl[1-4]\..*": _table_lookup,
    r"llvm\.aarch64\.neon\.ushl\..*": _each(partial(_both_ways, is_signed=False)),
    r"llvm\.aarch64\.neon\.sshl\..*": _each(partial(_both_ways, is_signed=True)),
    r"llvm\.aarch64\.neon\.rbit\..*": _each(lambda x: words.reverse(x, 1)),
    r"llvm\.aarch64\.neon\.umax\..*": _each(_extreme(words.ult, smallest=False)),
    r"llvm\.aarch64\.neon\.umin\..*": _each(_extreme(words.ult, smallest=True)),
    r"llvm\.aarch64\.neon\.uqadd\..*": _each(_saturating("add", is_signed=False)),
    r"llvm\.aarch64\.neon\.uqsub\..*": _each(_saturating("sub", is_signed=False)),
    r"llvm\.aarch64\.neon\.addp\..*": _pairs(1),
    r"llvm\.aarch64\.neon\.uaddlp\..*": _pairs(2),
    r"llvm\.aarch64\.neon\.uaddlv\.i32\.v\d+i8": _reduced(words.add, wider=4),
    r"llvm\.aarch64\.neon\.uaddlv\.(i32\.v\d+i16|i64\.v\d+i32)": _reduced(words.add, wider=2),
    r"llvm\.aarch64\.neon\.pmull64": lambda v: _wide_product(
        lanes_of(v[0])[0], lanes_of(v[1])[0], 8
    ),
    r"llvm\.aarch64\.crypto\.eor3[us]\..*": _each(lambda x, y, z: words.xor(words.xor(x, y), z)),
    r"llvm\.aarch64\.crypto\.bcax[us]\..*": _each(
        lambda x, y, z: words.xor(x, words.and_(y, words.not_(z)))
    ),
    r"llvm\.aarch64\.crypto\.rax1": _each(lambda x, y: words.xor(x, _turned(y, constant(63, 64)))),
    r"llvm\.aarch64\.crypto\.xar": lambda v: lanewise(
        lambda x, y, by: _turned(words.xor(x, y), by), v[0], v[1], lanes_of(v[2]) * 2
    ),
}
"""By their names. A name that is not here ends in "not decided"."""
