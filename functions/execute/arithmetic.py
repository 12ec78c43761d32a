"""Arithmetic on words: what `add`, `icmp`, `trunc` and their neighbours give, lane by lane.

Where the source promises something of a number (`nsw`, `exact`), the result is poison where that
does not hold. A division by zero has no result at all: it is a violation at once.
"""

from collections.abc import Sequence

from magicert.functions.execute import intrinsics, pointers, words
from magicert.functions.execute.state import Run, State
from magicert.functions.execute.values import Address, Lane, Value, lanes_of, partly, with_poison
from magicert.functions.execute.words import Word, constant
from magicert.functions.llvm import ir_types, reader


def combined(run: Run, i: reader.Instruction, arguments: Sequence[Value]) -> Value:
    """Sums, products, shifts, and what `and`, `or` and `xor` give."""
    operation = words.OPERATIONS[i.op]
    lanes = []
    for x, y in zip(*map(lanes_of, arguments), strict=True):
        a, b = x.word, y.word
        width = a.width
        result = operation(a, b)
        bad = words.or_(x.poison, y.poison)
        if i.op in {"shl", "lshr", "ashr"}:
            wide = words.not_(words.ult(b, constant(width, width))) if width > 1 else b
            if width > 1 and words.ones(width) < width:
                wide = words.boolean(False)
            bad = words.or_(bad, run.poison(wide, f"a shift by {width} or more"))
        if i.op == "shl" and i.flags & {"nuw", "nsw"}:
            for flag, back in (("nuw", words.lshr), ("nsw", words.ashr)):
                if flag in i.flags:
                    lost = words.ne(back(result, b), a)
                    bad = words.or_(bad, run.poison(lost, "a shift that loses bits"))
        elif i.op in {"add", "sub", "mul"}:
            for flag in ("nuw", "nsw"):
                if flag in i.flags:
                    lost = intrinsics.overflows(i.op, a, b, flag == "nsw")
                    kind = "signed" if flag == "nsw" else "unsigned"
                    message = f"{kind} overflow ({i.op})"
                    bad = words.or_(bad, run.poison(lost, message))
        elif "exact" in i.flags:
            lost = words.ne(words.shl(result, b), a)
            bad = words.or_(bad, run.poison(lost, "a shift that loses bits"))
        elif "disjoint" in i.flags:
            both = words.ne(words.and_(a, b), constant(0, width))
            bad = words.or_(bad, run.poison(both, "words that share bits"))
        lanes.append(_partly(run, i, x, y, result) or Lane(result, bad))
    return tuple(lanes)


def _partly(run: Run, i: reader.Instruction, x: Lane, y: Lane, result: Word) -> Lane | None:
    """The same with open bits one by one, where the second operand is a known number."""
    by = y.word.value
    if not x.open or by is None or y.poison.value != 0:
        return None
    width, moved = x.word.width, i.op in {"shl", "lshr"}
    lost = words.ones(width) ^ words.ones(max(0, width - by)) if moved else 0
    if i.op == "lshr":
        lost = words.ones(by)
    if i.flags and (not moved or by >= width or any(mask & lost for mask, _ in x.open)):
        return None
    match i.op:
        case "and":
            open_ = [(mask & by, c) for mask, c in x.open]
        case "or":
            open_ = [(mask & ~by, c) for mask, c in x.open]
        case "xor":
            open_ = [*x.open]
        case "shl" if by < width:
            open_ = [(mask << by & words.ones(width), c) for mask, c in x.open]
        case "lshr" if by < width:
            open_ = [(mask >> by, c) for mask, c in x.open]
        case _:
            return None
    changed = partly(result, open_)
    if i.flags & {"nuw", "exact"}:
        back = words.lshr if i.op == "shl" else words.shl
        gone = words.ne(back(result, y.word), x.word)
        message = run.poison(gone, "a shift that loses bits")
        if message.value != 0:
            (changed,) = lanes_of(with_poison((changed,), message))
    return changed if "nsw" not in i.flags else None


def divided(state: State, i: reader.Instruction, arguments: Sequence[Value]) -> Value:
    """Quotients and remainders."""
    lanes = []
    for x, y in zip(*map(lanes_of, arguments), strict=True):
        a, b = x.word, y.word
        width = a.width
        zero = words.or_(words.eq(b, constant(0, width)), y.poison)
        state.run.violate(words.and_(state.path, zero), "division by zero")
        is_signed = i.op[0] == "s"
        if is_signed:
            least = words.eq(a, constant(1 << (width - 1), width))
            both = words.and_(least, words.eq(b, constant(-1, width)))
            state.run.violate(words.and_(state.path, both), "signed overflow (division)")
        quotient, rest = _quotient(a, b, is_signed)
        bad = x.poison
        if "exact" in i.flags:
            lost = words.ne(rest, constant(0, width))
            bad = words.or_(bad, state.run.poison(lost, "a division with a remainder"))
        lanes.append(Lane(quotient if i.op[1:] == "div" else rest, bad))
    return tuple(lanes)


def compared(run: Run, i: reader.Instruction, arguments: Sequence[Value]) -> Value:
    """What `icmp` gives, of numbers or addresses."""
    lanes = []
    for x, y in zip(*map(lanes_of, arguments), strict=True):
        if isinstance(x.bits, Address) or isinstance(y.bits, Address):
            word = pointers.compared(run, i.predicate, x.address, y.address)
        else:
            word = words.compared(i.predicate, x.word, y.word)
        bad = words.or_(x.poison, y.poison)
        if "samesign" in i.flags:
            signs = [words.extract(item.word, 1, item.word.width - 1) for item in (x, y)]
            apart = words.xor(*signs)
            bad = words.or_(bad, run.poison(apart, "numbers of different signs"))
        lanes.append(Lane(word, bad))
    return tuple(lanes)


def resized(run: Run, i: reader.Instruction, value: Value) -> Value:
    """What `trunc`, `zext` and `sext` give."""
    target = i.type.item if isinstance(i.type, ir_types.Vector) else i.type
    assert isinstance(target, ir_types.Integer)
    width = target.width
    lanes = []
    for item in lanes_of(value):
        word, bad = item.word, item.poison
        if i.op == "trunc":
            result = words.extract(word, width, 0)
            for flag, extend in (("nuw", words.zext), ("nsw", words.sext)):
                if flag in i.flags:
                    lost = words.ne(extend(result, word.width), word)
                    bad = words.or_(bad, run.poison(lost, "a number that does not fit"))
        else:
            result = words.zext(word, width) if i.op == "zext" else words.sext(word, width)
            if "nneg" in i.flags:
                sign = words.extract(word, 1, word.width - 1)
                bad = words.or_(bad, run.poison(sign, "a negative number"))
        if item.open and i.op != "sext" and not i.flags:
            open_ = ((mask & words.ones(width), c) for mask, c in item.open)
            lanes.append(partly(result, open_))
            continue
        lanes.append(Lane(result, bad))
    return tuple(lanes)


def _quotient(a: Word, b: Word, is_signed: bool) -> tuple[Word, Word]:
    """The quotient, towards zero, and the remainder, which has the dividend's sign."""
    if not is_signed:
        return words.udiv(a, b), words.urem(a, b)
    signs = [words.extract(word, 1, word.width - 1) for word in (a, b)]
    sizes = [words.ite(sign, words.neg(x), x) for sign, x in zip(signs, (a, b), strict=True)]
    quotient, rest = words.udiv(*sizes), words.urem(*sizes)
    apart = words.xor(*signs)
    return (
        words.ite(apart, words.neg(quotient), quotient),
        words.ite(signs[0], words.neg(rest), rest),
    )
