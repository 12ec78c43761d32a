"""Words: what a function computes, as a graph of operations on unsigned words of fixed width.

    occ = variable("occ", 64)
    lookup = add(and_(occ, constant(0x7E, 64)), constant(2, 64))

A word that is known is a constant at once, and equal words are one object. A word of one bit is
a condition. The readings of a graph are arrays (all occupancies at once), solvers and clauses.

All operations are total: a division by 0 and a shift by the width or more follow SMT-LIB (the
quotient is all ones, the remainder the dividend, the shifted word 0 or all signs), and a table
yields 0 behind its end. Whoever builds a graph states what must not happen.
"""

import operator
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any

import numpy as np

HARD = frozenset({"mul", "udiv", "urem", "table"})
"""What solvers take long over."""


class Word:
    """A node: `op` with its operands, and what else it needs in `data`.

    `table`: data is the Table, the operand its index. `extract`: data is the lowest bit. `reverse`:
    data is the size in bits of what is put in the opposite order (1: all bits, 8: bytes).
    `largest` is a number that the word never exceeds.
    """

    __slots__ = ("args", "data", "has_table", "is_hard", "largest", "op", "width")

    def __init__(self, op: str, width: int, args: tuple["Word", ...], data: Any) -> None:  # noqa: ANN401
        self.op = op
        self.width = width
        self.args = args
        self.data = data
        self.has_table: bool = op == "table" or any(arg.has_table for arg in args)
        self.is_hard: bool = op in HARD or any(arg.is_hard for arg in args)
        self.largest: int = min(_largest(op, width, args, data), ones(width))

    @property
    def value(self) -> int | None:
        """The number, where it is known."""
        return self.data if self.op == "constant" else None

    def __repr__(self) -> str:
        inside = ", ".join(
            [*map(repr, self.args), *([] if self.data is None else [str(self.data)])]
        )
        return f"{self.op}{self.width}({inside})"


def _largest(op: str, width: int, args: Sequence[Word], data: Any) -> int:  # noqa: ANN401
    """The same of an operation, which may be above the word's width."""
    bounds = [arg.largest for arg in args]
    match op:
        case "constant":
            return int(data)
        case "concat":
            return reduce(lambda upper, arg: upper << arg.width | arg.largest, args, 0)
        case "extract":
            return bounds[0] >> data
        case "and":
            return min(bounds)
        case "or" | "xor":
            return ones(max(bounds).bit_length())
        case "add":
            return sum(bounds)
        case "mul":
            return bounds[0] * bounds[1]
        case "ite":
            return max(bounds[1:])
        case "popcount":
            return bounds[0].bit_length()
        case "lshr":
            return bounds[0]
        case "urem" if args[1].value:
            return min(bounds[0], bounds[1] - 1)
        case _:
            return ones(width)


@dataclass(eq=False, repr=False, slots=True)
class WordTable:
    """Entries of one width, read by an index; 0 behind the end.

    They lie in the object `name`, the first at byte `start`, each `step` bytes behind the last.
    """

    name: str
    entries: "np.ndarray[Any, Any]"
    width: int
    start: int
    step: int

    def where(self, index: int) -> str:
        """Which item of its object an entry is."""
        place, rest = divmod(self.start + index * self.step, self.width // 8)
        return f"{self.name}[{place}]" if not rest else f"{self.name} + {place} bytes"

    def __repr__(self) -> str:
        return self.name


_NODES: dict[tuple[Any, ...], Word] = {}


def forget() -> None:
    """Drop the memory of nodes: those of one square are of no use to the next."""
    _NODES.clear()


def _node(op: str, width: int, *args: Word, data: Any = None) -> Word:  # noqa: ANN401
    key = (op, width, data if not isinstance(data, WordTable) else id(data), *map(id, args))
    node = _NODES.get(key)
    if node is None:
        node = _NODES[key] = Word(op, width, args, data)
    return node


def ones(width: int) -> int:
    """The largest number of so many bits."""
    return (1 << width) - 1


def constant(value: int, width: int) -> Word:
    """A number, modulo 2^width."""
    return _node("constant", width, data=value & ones(width))


def variable(name: str, width: int) -> Word:
    """A word that may be anything."""
    return _node("variable", width, data=name)


def boolean(value: bool) -> Word:
    """A known condition."""
    return constant(int(value), 1)


def signed(value: int, width: int) -> int:
    """A number of so many bits, read in two's complement."""
    return value - (1 << width) if value >> (width - 1) & 1 else value


def evaluate(op: str, width: int, values: Sequence[int], widths: Sequence[int], data: Any) -> int:  # noqa: ANN401
    """One operation on numbers."""
    binary = ON_TWO.get(op)
    if binary is not None:
        return binary(*values) & ones(width)
    first = values[0]
    second = values[1] if len(values) > 1 else 0
    match op:
        case "not":
            result = ~first
        case "shl":
            result = first << second if second < width else 0
        case "lshr":
            result = first >> min(second, width)
        case "ashr":
            result = signed(first, width) >> min(second, width)
        case "slt":
            result = int(signed(first, widths[0]) < signed(second, widths[1]))
        case "ite":
            result = second if first else values[2]
        case "concat":
            result = _concat(values, widths)
        case "extract":
            result = first >> data
        case "sext":
            result = signed(first, widths[0])
        case "reverse":
            result = _reversed(first, width, data)
        case "popcount":
            result = first.bit_count()
        case "table":
            result = int(data.entries[first]) if first < len(data.entries) else 0
        case _:
            raise AssertionError(op)
    return result & ones(width)


PLAIN: Mapping[str, Callable[[Any, Any], Any]] = {
    "and": operator.and_, "or": operator.or_, "xor": operator.xor, "add": operator.add,
    "sub": operator.sub, "mul": operator.mul,
}  # fmt: skip
"""Operations that numbers, arrays and terms of a solver have."""
ON_TWO: Mapping[str, Callable[[int, int], int]] = {
    **PLAIN,
    "udiv": lambda x, y: x // y if y else -1,
    "urem": lambda x, y: x % y if y else x,
    "eq": lambda x, y: int(x == y),
    "ult": lambda x, y: int(x < y),
}


def _reversed(value: int, width: int, size: int) -> int:
    result = 0
    for _ in range(0, width, size):
        result = result << size | value & ones(size)
        value >>= size
    return result


def _concat(values: Sequence[int], widths: Sequence[int]) -> int:
    result = 0
    for value, width in zip(values, widths, strict=True):
        result = result << width | value
    return result


def _simplified(op: str, width: int, *args: Word, data: Any = None) -> Word:  # noqa: ANN401
    """The node, or the number that it comes to. But for a concatenation all words are as wide."""
    assert op == "concat" or len(args) < 2 or args[-1].width == args[-2].width, op
    if all(arg.op == "constant" for arg in args):
        values = [arg.data for arg in args]
        return constant(evaluate(op, width, values, [a.width for a in args], data), width)
    return _node(op, width, *args, data=data)


def not_(x: Word) -> Word:
    """All bits turned over."""
    return x.args[0] if x.op == "not" else _simplified("not", x.width, x)


def and_(x: Word, y: Word) -> Word:
    """Bitwise and."""
    x, y = _sorted(x, y)
    if x is y or y.value == ones(x.width):
        return x
    if y.value == 0:
        return y
    if x is not_(y):
        return constant(0, x.width)
    if y.op == "constant" and x.op == "and" and x.args[1].op == "constant":
        return and_(x.args[0], constant(y.data & x.args[1].data, x.width))
    if x.width == 1:
        # A condition that is part of the other: paths that part and meet again.
        if x in _parts(y, "and"):
            return y
        if y in _parts(x, "and"):
            return x
        if not_(x) in _parts(y, "and") or not_(y) in _parts(x, "and"):
            return constant(0, 1)
    return _simplified("and", x.width, x, y)


def or_(x: Word, y: Word) -> Word:
    """Bitwise or."""
    x, y = _sorted(x, y)
    if x is y or y.value == 0:
        return x
    if y.value == ones(x.width):
        return y
    if x is not_(y):
        return constant(-1, x.width)
    if x.width == 1 and x.op == y.op == "and":
        # (c and d) or (c and not d) is c.
        for c, d in (x.args, x.args[::-1]):
            if c in y.args and y.args[1 - y.args.index(c)] is not_(d):
                return c
    return _simplified("or", x.width, x, y)


def _parts(x: Word, op: str) -> tuple[Word, ...]:
    return x.args if x.op == op else (x,)


def _sorted(x: Word, y: Word) -> tuple[Word, Word]:
    """Constants behind, otherwise as they came."""
    return (y, x) if x.op == "constant" else (x, y)


def xor(x: Word, y: Word) -> Word:
    """Bitwise exclusive or."""
    x, y = _sorted(x, y)
    if x is y:
        return constant(0, x.width)
    if y.value == 0:
        return x
    if y.value == ones(x.width):
        return not_(x)
    return _simplified("xor", x.width, x, y)


def add(x: Word, y: Word) -> Word:
    """The sum, wrapping."""
    x, y = _sorted(x, y)
    if y.value == 0:
        return x
    if y.op == "constant" and x.op == "add" and x.args[1].op == "constant":
        return add(x.args[0], constant(x.args[1].data + y.data, x.width))
    return _simplified("add", x.width, x, y)


def sub(x: Word, y: Word) -> Word:
    """The difference, wrapping."""
    if x is y:
        return constant(0, x.width)
    if y.op == "constant":
        return add(x, constant(-y.data, x.width))
    return _simplified("sub", x.width, x, y)


def neg(x: Word) -> Word:
    """0 - x."""
    return sub(constant(0, x.width), x)


def mul(x: Word, y: Word) -> Word:
    """The product, wrapping."""
    x, y = _sorted(x, y)
    if y.op == "constant":
        if y.data == 0:
            return y
        if y.data & (y.data - 1) == 0:
            return shl(x, constant(y.data.bit_length() - 1, x.width))
    return _simplified("mul", x.width, x, y)


def udiv(x: Word, y: Word) -> Word:
    """The quotient of unsigned words."""
    if y.op == "constant" and y.data and y.data & (y.data - 1) == 0:
        return lshr(x, constant(y.data.bit_length() - 1, x.width))
    return _simplified("udiv", x.width, x, y)


def urem(x: Word, y: Word) -> Word:
    """The remainder of unsigned words."""
    if y.op == "constant" and y.data and y.data & (y.data - 1) == 0:
        return and_(x, constant(y.data - 1, x.width))
    return _simplified("urem", x.width, x, y)


def shl(x: Word, amount: Word) -> Word:
    """To the left; the amount has the same width."""
    by = amount.value
    if by is None:
        return _simplified("shl", x.width, x, amount)
    if by == 0 or by >= x.width:
        return x if by == 0 else constant(0, x.width)
    return concat(extract(x, x.width - by, 0), constant(0, by))


def lshr(x: Word, amount: Word) -> Word:
    """To the right, zeros from above."""
    by = amount.value
    if by is None:
        return _simplified("lshr", x.width, x, amount)
    if by == 0 or by >= x.width:
        return x if by == 0 else constant(0, x.width)
    return zext(extract(x, x.width - by, by), x.width)


def ashr(x: Word, amount: Word) -> Word:
    """To the right, signs from above."""
    by = amount.value
    if by is None:
        return _simplified("ashr", x.width, x, amount)
    by = min(by, x.width - 1)
    return sext(extract(x, x.width - by, by), x.width)


def extract(x: Word, width: int, low: int) -> Word:
    """`width` bits from bit `low` on."""
    if width == x.width:
        return x
    if x.op == "extract":
        return extract(x.args[0], width, low + x.data)
    if x.op == "concat":
        parts, place = [], x.width
        for part in x.args:
            place -= part.width
            first, last = max(low, place), min(low + width, place + part.width)
            if first < last:
                parts.append(extract(part, last - first, first - place))
        return concat(*parts)
    if x.op in {"and", "or", "xor"} and x.args[1].op == "constant":
        parts = [extract(arg, width, low) for arg in x.args]
        return OPERATIONS[x.op](*parts)
    if x.op == "sext" and low + width <= x.args[0].width:
        return extract(x.args[0], width, low)
    return _simplified("extract", width, x, data=low)


def concat(*parts: Word) -> Word:
    """Words one behind another, the highest first."""
    flat: list[Word] = []
    for part in parts:
        for piece in part.args if part.op == "concat" else (part,):
            last = flat[-1] if flat else None
            if last is not None and last.op == piece.op == "constant":
                value = last.data << piece.width | piece.data
                flat[-1] = constant(value, last.width + piece.width)
            elif last is not None and _continues(last, piece):
                whole = piece.args[0]
                flat[-1] = extract(whole, last.width + piece.width, piece.data)
            else:
                flat.append(piece)
    if len(flat) == 1:
        return flat[0]
    return _simplified("concat", sum(part.width for part in flat), *flat)


def _continues(high: Word, low: Word) -> bool:
    """Whether two extracts lie side by side in one word."""
    return (
        high.op == low.op == "extract"
        and high.args[0] is low.args[0]
        and high.data == low.data + low.width
    )


def zext(x: Word, width: int) -> Word:
    """Zeros above."""
    return x if width == x.width else concat(constant(0, width - x.width), x)


def sext(x: Word, width: int) -> Word:
    """Signs above."""
    if width == x.width:
        return x
    if (
        x.op == "concat"
        and x.args[0].op == "constant"
        and not x.args[0].data >> (x.args[0].width - 1)
    ):
        return zext(x, width)
    return _simplified("sext", width, x)


def resized(x: Word, width: int, extend: Callable[[Word, int], Word] = zext) -> Word:
    """The lowest bits, or more of them above."""
    return extend(x, width) if x.width <= width else extract(x, width, 0)


def ite(condition: Word, x: Word, y: Word) -> Word:
    """`x` where the condition holds, otherwise `y`."""
    if condition.op == "constant":
        return x if condition.data else y
    if x is y:
        return x
    if x.width == 1:
        if x.op == "constant":
            return or_(condition, y) if x.data else and_(not_(condition), y)
        if y.op == "constant":
            return or_(not_(condition), x) if y.data else and_(condition, x)
    if condition.op == "not":
        return ite(condition.args[0], y, x)
    if y.op == "ite" and y.args[0] is condition:
        y = y.args[2]
    if x.op == "ite" and x.args[0] is condition:
        x = x.args[1]
    return _simplified("ite", x.width, condition, x, y)


def eq(x: Word, y: Word) -> Word:
    """Whether two words are equal."""
    if x is y:
        return boolean(True)
    x, y = _sorted(x, y)
    if x.width == 1 and y.op == "constant":
        return x if y.data else not_(x)
    if y.op == "constant" and x.op == "concat":
        # Known bits decide, or are left out.
        parts, place, result = x.args, x.width, boolean(True)
        for part in parts:
            place -= part.width
            result = and_(result, eq(part, constant(y.data >> place, part.width)))
        return result
    return _simplified("eq", 1, x, y)


def ne(x: Word, y: Word) -> Word:
    """Whether two words differ."""
    return not_(eq(x, y))


def ult(x: Word, y: Word) -> Word:
    """Less, unsigned."""
    if y.value == 0 or x is y or x.value == ones(x.width):
        return boolean(False)
    if y.op == "constant" and x.largest < y.data:
        return boolean(True)
    if y.value == 1:
        return eq(x, constant(0, x.width))
    return _simplified("ult", 1, x, y)


def slt(x: Word, y: Word) -> Word:
    """Less, in two's complement."""
    if x is y:
        return boolean(False)
    return _simplified("slt", 1, x, y)


def compared(predicate: str, x: Word, y: Word) -> Word:
    """What `icmp` says of two words, by its predicate."""
    if predicate in {"eq", "ne"}:
        return eq(x, y) if predicate == "eq" else ne(x, y)
    less = slt if predicate[0] == "s" else ult
    result = less(x, y) if predicate[1:] in {"lt", "ge"} else less(y, x)
    return result if predicate[1:] in {"lt", "gt"} else not_(result)


def reverse(x: Word, size: int) -> Word:
    """Pieces of `size` bits in the opposite order: 1 for all bits, 8 for bytes."""
    if x.op == "reverse" and x.data == size:
        return x.args[0]
    return x if size == x.width else _simplified("reverse", x.width, x, data=size)


def popcount(x: Word) -> Word:
    """How many bits are 1, in the word's own width (so at least two bits wide)."""
    return x if x.width == 1 else _simplified("popcount", x.width, x)


def entry(table: WordTable, index: Word) -> Word:
    """A table's entry."""
    return _simplified("table", table.width, index, data=table)


def any_of(conditions: Iterable[Word]) -> Word:
    """Whether one of some conditions holds."""
    result = boolean(False)
    for condition in conditions:
        result = or_(result, condition)
    return result


def low_zeros(x: Word) -> int:
    """How many of the lowest bits are 0 for certain."""
    match x.op:
        case "constant":
            return x.width if x.data == 0 else int(x.data & -x.data).bit_length() - 1
        case "concat":
            zeros = low_zeros(x.args[-1])
            return zeros if zeros < x.args[-1].width else zeros + low_zeros(concat(*x.args[:-1]))
        case "add" | "sub" | "or" | "xor":
            return min(low_zeros(x.args[0]), low_zeros(x.args[1]))
        case "and":
            return max(low_zeros(x.args[0]), low_zeros(x.args[1]))
        case "mul":
            return min(x.width, low_zeros(x.args[0]) + low_zeros(x.args[1]))
        case "shl":
            return low_zeros(x.args[0])
        case "ite":
            return min(low_zeros(x.args[1]), low_zeros(x.args[2]))
        case _:
            return 0


def walk(roots: Iterable[Word]) -> Iterator[Word]:
    """Every node below some roots once, operands first."""
    seen: set[int] = set()
    stack = [(root, False) for root in roots]
    while stack:
        node, done = stack.pop()
        if done:
            yield node
        elif id(node) not in seen:
            seen.add(id(node))
            stack.append((node, True))
            stack += [(arg, False) for arg in node.args if id(arg) not in seen]


def support(root: Word) -> dict[str, int]:
    """The bits of each variable that the word can depend on: no others are looked at."""
    demanded_bits = _demanded_bits(root)
    return {
        node.data: demanded_bits[id(node)]
        for node in walk([root])
        if node.op == "variable" and demanded_bits.get(id(node))
    }


def _demanded_bits(root: Word) -> dict[int, int]:
    """The bits of each part, by its id, that the word can depend on."""
    demanded_bits: dict[int, int] = {id(root): ones(root.width)}
    for node in reversed(list(walk([root]))):
        demanded = demanded_bits.get(id(node), 0)
        if demanded:
            for arg, bits in zip(node.args, _demanded(node, demanded), strict=True):
                demanded_bits[id(arg)] = demanded_bits.get(id(arg), 0) | bits
    return demanded_bits


def narrowest(root: Word) -> dict[Word, int]:
    """Parts that determine the word, each with the bits that matter: few bits, and nothing that is
    hard for a solver is left in what lies below them.

    (occupied ^ gone) & mask is determined by the bits of occupied ^ gone that the mask has.
    """
    demanded_bits = _demanded_bits(root)
    cuts: dict[int, dict[Word, int]] = {}
    for node in walk([root]):
        operand_cuts: dict[Word, int] = {}
        for arg in node.args:
            operand_cuts.update(cuts[id(arg)])
        cut = {node: demanded_bits.get(id(node), 0)} if demanded_bits.get(id(node)) else {}
        if node.op == "constant":
            cut = {}
        elif node.op != "variable" and (node.is_hard or _bits_in(cut) >= _bits_in(operand_cuts)):
            cut = operand_cuts
        cuts[id(node)] = cut
    return cuts[id(root)]


def _bits_in(cut: Mapping[Word, int]) -> int:
    return sum(bits.bit_count() for bits in cut.values())


def _demanded(node: Word, bits: int) -> list[int]:
    """Of each operand the bits on which the bits `bits` of a node can depend."""
    below = ones(bits.bit_length())
    match node.op:
        case "not":
            return [bits]
        case "and" | "or" | "xor":
            masks = [bits, bits]
            for place, arg in enumerate(node.args):
                if arg.op == "constant" and node.op != "xor":
                    masks[1 - place] &= arg.data if node.op == "and" else ~arg.data
            return masks
        case "add" | "sub" | "mul":
            return [below, below]
        case "extract":
            return [bits << node.data]
        case "concat":
            masks, place = [], node.width
            for part in node.args:
                place -= part.width
                masks.append(bits >> place & ones(part.width))
            return masks
        case "sext":
            (x,) = node.args
            high = 1 << (x.width - 1) if bits >> x.width else 0
            return [bits & ones(x.width) | high]
        case "ite":
            return [1, bits, bits]
        case "reverse":
            return [_reversed(bits, node.width, node.data)]
        case _:
            return [ones(arg.width) for arg in node.args]


def rebuild(root: Word, replaced: Mapping[int, Word]) -> Word:
    """The graph with some nodes (by their id) replaced."""
    replacements: dict[int, Word] = dict(replaced)
    for node in walk([root]):
        if id(node) not in replacements:
            args = [replacements[id(arg)] for arg in node.args]
            same = all(a is b for a, b in zip(args, node.args, strict=True))
            replacements[id(node)] = node if same else remade(node, args)
    return replacements[id(root)]


def remade(node: Word, args: Sequence[Word]) -> Word:
    """The same operation on other operands."""
    match node.op:
        case "extract":
            return extract(args[0], node.width, node.data)
        case "sext":
            return sext(args[0], node.width)
        case "reverse":
            return reverse(args[0], node.data)
        case "table":
            return entry(node.data, args[0])
        case _:
            return OPERATIONS[node.op](*args)


OPERATIONS: Mapping[str, Callable[..., Word]] = {
    "and": and_, "or": or_, "xor": xor, "add": add, "sub": sub, "mul": mul, "udiv": udiv,
    "urem": urem, "shl": shl, "lshr": lshr, "ashr": ashr, "eq": eq, "ult": ult, "slt": slt,
    "not": not_, "ite": ite, "concat": concat, "popcount": popcount,
}  # fmt: skip
"""What makes a node that needs nothing but its operands."""


def number_of(root: Word, values: Mapping[str, int]) -> int:
    """The word's value, where each variable has one: 0 for those that are not named."""
    made: dict[int, int] = {}
    for node in walk([root]):
        match node.op:
            case "constant":
                made[id(node)] = node.data
            case "variable":
                made[id(node)] = values.get(node.data, 0) & ones(node.width)
            case _:
                args = [made[id(arg)] for arg in node.args]
                widths = [arg.width for arg in node.args]
                made[id(node)] = evaluate(node.op, node.width, args, widths, node.data)
    return made[id(root)]
