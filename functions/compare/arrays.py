"""Words by numpy: all values of a few bits at once. So tables go away without a solver.

A lookup that depends on few bits of the occupancy is read for all of their values. What it comes to
is then written as conditions on those bits, for which no table is needed any more. And a condition
is tried for some values first: where it holds for one of them, no solver is asked.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np

from magicert.functions.execute import words
from magicert.functions.execute.memory import UndecidedError
from magicert.functions.execute.words import Word

Array = np.ndarray[Any, Any]
CHUNK = 1 << 15
SAMPLES = 32
"""Values of each density that a condition is tried for."""
MOST_CONDITIONS = 50_000
"""Conditions that one word of a table may need."""


def evaluated(root: Word, values: Mapping[str, Array]) -> Array:
    """The word for each row of the variables' values, one if there are none; numbers beyond 64
    bits are Python's.
    """
    arrays: dict[int, Array] = {}
    for node in words.walk([root]):
        if node.op == "variable":
            arrays[id(node)] = values[node.data]
        else:
            arrays[id(node)] = one_node(node, [arrays[id(arg)] for arg in node.args])
    rows = max((len(column) for column in values.values()), default=1)
    return np.broadcast_to(arrays[id(root)], (rows,))


def holds_somewhere(condition: Word) -> bool:
    """Whether a condition holds for one of some values of its variables, which have few 1 bits, or
    many, or any. False says nothing: it may hold for others.
    """
    widths = {node.data: node.width for node in words.walk([condition]) if node.op == "variable"}
    if any(width > 64 for width in widths.values()):
        return False
    values = {name: _samples(n, widths[name]) for n, name in enumerate(sorted(widths))}
    return bool(evaluated(condition, values).any())


@cache
def _samples(number: int, width: int) -> Array:
    """Values for a variable, in another order for each number: the same in each run."""
    chosen = np.random.default_rng(number)
    half, *others = chosen.integers(0, 2**64, (5, SAMPLES), np.uint64)
    rows = [np.array([0, 2**64 - 1], np.uint64), half, half | others[0]]
    for other in others:
        half = half & other
        rows.append(half)
    return chosen.permutation(np.concatenate(rows)) & np.uint64(words.ones(width))


def one_node(node: Word, args: Sequence[Array]) -> Array:
    """A word that is no variable for each row, of its operands for each row."""
    if node.op == "constant":
        return _number(node.data, node.width)
    if node.width > 64 or any(arg.width > 64 for arg in node.args):
        return _wide(node, args)
    result = _narrow(node, args)
    if node.op in {"not", "add", "sub", "mul", "shl", "udiv"} and node.width < 64:
        result = result & _number(words.ones(node.width), 64)
    return result


def _number(value: int, width: int) -> Array:
    return np.array(value, object) if width > 64 else np.array(value, np.uint64)


def _narrow(node: Word, args: Sequence[Array]) -> Array:
    width = node.width
    match node.op:
        case "not":
            return ~args[0]
        case "and" | "or" | "xor" | "add" | "sub" | "mul":
            return words.PLAIN[node.op](*args)
        case "shl" | "lshr":
            fits = args[1] < np.uint64(width)
            by = np.where(fits, args[1], np.uint64(0))
            moved = args[0] << by if node.op == "shl" else args[0] >> by
            return np.where(fits, moved, np.uint64(0))
        case "eq":
            return (args[0] == args[1]).astype(np.uint64)
        case "ult":
            return (args[0] < args[1]).astype(np.uint64)
        case "ite":
            return np.where(args[0] != 0, args[1], args[2])
        case "extract":
            return args[0] >> np.uint64(node.data) & np.uint64(words.ones(width))
        case "concat":
            total = _number(0, 64)
            place = width
            for part, arg in zip(args, node.args, strict=True):
                place -= arg.width
                total = np.asarray(total | part << np.uint64(place))
            return total
        case "popcount":
            return np.bitwise_count(args[0]).astype(np.uint64)
        case "table":
            entries = node.data.entries
            inside = args[0] < np.uint64(len(entries))
            loaded = entries[np.where(inside, args[0], np.uint64(0)).astype(np.int64)]
            return np.where(inside, loaded, np.uint64(0))
        case "reverse":
            return _reversed(args[0], width, node.data)
        case "sext":
            (arg,) = node.args
            sign = args[0] >> np.uint64(arg.width - 1)
            high = words.ones(width) ^ words.ones(arg.width)
            return args[0] | sign * np.uint64(high)
        case "slt":
            turned = np.uint64(1 << (node.args[0].width - 1))
            return ((args[0] ^ turned) < (args[1] ^ turned)).astype(np.uint64)
    return _wide(node, args)


def _reversed(column: Array, width: int, size: int) -> Array:
    total = np.zeros_like(column)
    piece = np.uint64(words.ones(size))
    for place in range(0, width, size):
        total |= (column >> np.uint64(place) & piece) << np.uint64(width - size - place)
    return total


def _wide(node: Word, args: Sequence[Array]) -> Array:
    """By Python's numbers: for words beyond 64 bits, and rare operations."""
    numbers = [np.asarray(arg, object) for arg in args]
    result = _by_columns(node, numbers)
    if result is None:
        widths = [arg.width for arg in node.args]

        def scalar(*numbers: Any) -> int:  # noqa: ANN401
            return words.evaluate(node.op, node.width, list(numbers), widths, node.data)

        result = np.frompyfunc(scalar, len(args), 1)(*numbers)
    kind = object if node.width > 64 else np.uint64
    return np.asarray(result & words.ones(node.width), kind)


def _by_columns(node: Word, args: Sequence[Array]) -> Any:  # noqa: ANN401
    """An operation that numpy has for columns of Python's numbers, some bits too many included:
    that is ten times as fast as one row after another. None for others.
    """
    match node.op:
        case "and" | "or" | "xor" | "add" | "sub" | "mul":
            return words.PLAIN[node.op](*args)
        case "not":
            return args[0] ^ words.ones(node.width)
        case "extract":
            return args[0] >> node.data
        case "concat":
            total: Any = 0
            for part, arg in zip(args, node.args, strict=True):
                total = total << arg.width | part
            return total
        case "shl" | "lshr" if node.args[1].value is not None:
            by = min(node.args[1].value, node.width)
            return args[0] << by if node.op == "shl" else args[0] >> by
        case "eq":
            return np.asarray(args[0] == args[1], object) | 0
        case "ite":
            return np.where(np.asarray(args[0] != 0, bool), args[1], args[2])
    return None


def bits_of(support: Mapping[str, int]) -> list[tuple[str, int]]:
    """The bits of a support, one by one."""
    return [
        (name, place)
        for name, mask in sorted(support.items())
        for place in range(mask.bit_length())
        if mask >> place & 1
    ]


def all_values(root: Word, bits: Sequence[tuple[str, int]]) -> Array:
    """The word (of at most 64 bits) for all values of some bits; the others are 0.

    Row n has bit j of n at bits[j]. The word need not depend on any of them.
    """
    widths = {node.data: node.width for node in words.walk([root]) if node.op == "variable"}
    found = []
    for start in range(0, 1 << len(bits), CHUNK):
        rows = np.arange(start, min(start + CHUNK, 1 << len(bits)), dtype=np.uint64)
        here = evaluated(root, columns(rows, bits, widths))
        found.append(np.broadcast_to(here, rows.shape))
    return np.concatenate(found)


def columns(
    rows: Array, bits: Sequence[tuple[str, int]], widths: Mapping[str, int]
) -> dict[str, Array]:
    """The values of some variables for some rows of `all_values`."""
    arrays: dict[str, Array] = {
        name: np.zeros(len(rows), object if width > 64 else np.uint64)
        for name, width in widths.items()
    }
    for number, (name, place) in enumerate(bits):
        if name not in widths:
            continue
        bit = rows >> np.uint64(number) & np.uint64(1)
        if widths[name] > 64:
            arrays[name] = arrays[name] + bit.astype(object) * (1 << place)
        else:
            arrays[name] |= bit << np.uint64(place)
    return arrays


def as_conditions(root: Word, bits: Sequence[tuple[str, int]]) -> Word:
    """The same word as conditions on its bits: it was looked at for all of their values."""
    widths = {node.data: node.width for node in words.walk([root]) if node.op == "variable"}
    inputs = [words.extract(words.variable(name, widths[name]), 1, place) for name, place in bits]
    conditions: list[Word] = []
    for low in range(0, root.width, 64):
        part = words.extract(root, min(64, root.width - low), low)
        table = all_values(part, bits)
        for place in range(part.width):
            column = (table >> np.uint64(place) & np.uint64(1)).astype(bool)
            conditions.append(_condition(column, inputs))
    return words.concat(*reversed(conditions))


def _condition(column: Array, inputs: Sequence[Word]) -> Word:
    """A truth table as a condition."""
    used = []
    for number in reversed(range(len(inputs))):
        halves = column.reshape(-1, 2, 1 << number)
        if np.array_equal(halves[:, 0], halves[:, 1]):
            column = np.ascontiguousarray(halves[:, 0]).reshape(-1)
        else:
            used.append(inputs[number])
    known: dict[bytes, Word] = {}

    def read(part: Array, depth: int) -> Word:
        if not part.any() or part.all():
            return words.boolean(bool(part[0]))
        key = part.tobytes()
        if key not in known:
            if len(known) > MOST_CONDITIONS:
                raise UndecidedError(
                    "a table whose entries depend on the occupancy in no short way"
                )
            half = len(part) // 2
            low, high = read(part[:half], depth + 1), read(part[half:], depth + 1)
            known[key] = words.ite(used[depth], high, low)
        return known[key]

    return read(column, 0)
