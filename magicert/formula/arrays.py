"""Arrays of words of 64, 128 or 256 bits, and the numpy interpretation of a formula over them.

    words([1 << 80, 5], 128)        an array of shape (2,), its dtype dtype_of(128)
    ints(bit_and(a, b))             back to Python's integers
    evaluate(tree, values)          a formula's value for many occupancies and squares at once

numpy has no words of more than 64 bits. Here they are lanes of 64 bits, the lowest first, of one
structured dtype: shapes, subscripts, assignment, np.where, np.concatenate, == and != work as
with uint64. The functions below are what a structured dtype lacks. On uint64 they are numpy's own.

The dtypes are what tells them apart. Both operands of a function have the same one.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import cache, partial, reduce
from operator import or_
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from magicert.formula.tree import (
    Binary,
    Call,
    Interpretation,
    Literal,
    Name,
    Node,
    Unary,
    fit_problem,
    shift_problem,
)
from magicert.problem import InputError, Problem

NARROW = np.dtype(np.uint64)

Words: TypeAlias = NDArray[Any]
"""An array (or a scalar of one) whose dtype is one of `dtype_of`."""

Lane: TypeAlias = NDArray[np.uint64]
"""64 bits of each word."""

LANE = (1 << 64) - 1
"""All bits of a lane."""


@cache
def dtype_of(width: int) -> np.dtype[Any]:
    """The dtype of words of `width` bits: 64, 128 or 256."""
    fields = [(f"bits{low}", "<u8") for low in range(0, width, 64)]
    return NARROW if width == 64 else np.dtype(fields)


def width_of(array: Words) -> int:
    """The width of an array's words, in bits."""
    return array.dtype.itemsize * 8


def lanes(array: Words) -> list[Lane]:
    """The lanes of an array, the lowest first, to be read or changed in place."""
    fields = array.dtype.names
    return [array] if fields is None else [array[field] for field in fields]


def words(values: object, width: int) -> Words:
    """Integers, nested as you like, as an array of words.

    Raises OverflowError for a number below 0 or of more than `width` bits.
    """
    if width == 64:
        return np.asarray(values, dtype=np.uint64)
    numbers = np.asarray(values, dtype=object)
    array: Words = np.empty(numbers.shape, dtype_of(width))
    *below, highest = lanes(array)
    for lane in below:
        lane[...] = numbers & LANE
        numbers = numbers >> 64
    highest[...] = numbers
    return array


def ints(array: Words) -> Any:  # noqa: ANN401
    """The words as Python's integers: one of a scalar, nested lists of an array."""
    if array.dtype.names is None:
        return array.tolist()
    numbers = (np.asarray(lane).astype(object) << 64 * n for n, lane in enumerate(lanes(array)))
    return np.asarray(reduce(or_, numbers), dtype=object).tolist()


def full(shape: int | tuple[int, ...], value: int, width: int) -> Words:
    """An array of one word; `full(shape, -1, width)` has all ones."""
    array: Words = np.zeros(shape, dtype_of(width))
    if value:
        array[...] = words(value & ((1 << width) - 1), width)
    return array


def single_bits(width: int) -> Words:
    """The words of one bit each, the lowest first: shape (width,)."""
    return words([1 << bit for bit in range(width)], width)


def widened(array: Words, width: int) -> Words:
    """Words as words of `width` bits, zero-extended; the same array if they are."""
    if width_of(array) == width or width == 64:
        return array
    wide: Words = np.zeros(array.shape, dtype_of(width))
    for lane, narrow in zip(lanes(wide), lanes(array), strict=False):
        lane[...] = narrow
    return wide


def indexes(array: Words) -> NDArray[np.uint64]:
    """Words as 64-bit numbers; what has more bits is 2^64 - 1, so that it fits no buffer."""
    if array.dtype.names is None:
        return array
    lowest, *above = lanes(array)
    return np.where(reduce(or_, above) == 0, lowest, np.uint64(LANE))


def bit_and(a: Words, b: Words) -> Words:
    """`a & b`, broadcast."""
    return _by_lane(np.bitwise_and, a, b)


def bit_or(a: Words, b: Words) -> Words:
    """`a | b`, broadcast."""
    return _by_lane(np.bitwise_or, a, b)


def bit_xor(a: Words, b: Words) -> Words:
    """`a ^ b`, broadcast."""
    return _by_lane(np.bitwise_xor, a, b)


def bit_not(a: Words) -> Words:
    """`~a`."""
    return _by_lane(np.invert, a)


def or_reduce(a: Words, axis: int = -1) -> Words:
    """All words along an axis, joined by or."""
    return _by_lane(np.bitwise_or.reduce, a, axis=axis)


def or_accumulate(a: Words) -> Words:
    """Each word along the last axis, joined by or with all before it."""
    return _by_lane(np.bitwise_or.accumulate, a, axis=-1)


def popcount(a: Words) -> NDArray[np.uint16]:
    """The number of 1 bits of each word."""
    counts = (np.bitwise_count(lane).astype(np.uint16) for lane in lanes(a))
    return reduce(np.add, counts)


def nonzero(a: Words) -> NDArray[np.bool_]:
    """Which words are not 0."""
    is_nonzero: NDArray[np.bool_] = reduce(or_, lanes(a)) != 0
    return is_nonzero


def differing(a: Words, b: Words) -> NDArray[np.bool_]:
    """`a != b`, lane by lane: numpy compares structures several times as slowly."""
    is_other: NDArray[np.bool_] = reduce(or_, map(np.not_equal, lanes(a), lanes(b)))
    return is_other


def put(array: Words, places: NDArray[np.int64], values: Words) -> None:
    """`array[places] = values`: numpy copies bytes several times as fast as fields."""
    opaque = array.dtype if array.dtype.names is None else np.dtype((np.void, array.itemsize))
    array.view(opaque)[places] = values.view(opaque)


def argsort(a: Words) -> NDArray[np.int64]:
    """The order of the words along the last axis, the least first; equal ones stay in order."""
    if a.dtype.names is None:
        return np.argsort(a, axis=-1, kind="stable")
    return np.lexsort(tuple(lanes(a)), axis=-1)


def unique(a: Words) -> tuple[Words, NDArray[np.int64]]:
    """The different words of a flattened array, the least first, and the place of each in them."""
    if a.dtype.names is None:
        different, places = np.unique(a, return_inverse=True)
        return different, places.reshape(-1)
    flat = a.reshape(-1)
    order = argsort(flat)
    ranked = flat.take(order)
    first = np.ones(len(flat), dtype=bool)
    first[1:] = differing(ranked[1:], ranked[:-1])
    places = np.empty(len(flat), dtype=np.int64)
    places[order] = np.cumsum(first) - 1
    return ranked[first], places


def _by_lane(operation: Callable[..., Any], *operands: Words, **how: int) -> Words:
    """A bitwise operation: on all lanes, each by itself."""
    if operands[0].dtype.names is None:
        narrow: Words = operation(*operands, **how)
        return narrow
    return joined(
        Lanes(operation(*lane, **how) for lane in zip(*map(lanes, operands), strict=True))
    )


# Arithmetic on words of several lanes of uint64, wrapping: what numpy lacks.
#
# The lanes of a word may have different shapes: they are broadcast. A word that is known to be
# narrow so costs no second array.

NO_BITS: Lane = np.zeros((1, 1), dtype=np.uint64)
"""A lane of what has no bits there."""

AT_ONCE = 1 << 14
"""Products that are worked out together: their halves stay in the processor's cache."""

_HALF = np.uint64(32)
_LOW_HALF = np.uint64((1 << 32) - 1)
_ONE, _6, _63 = np.uint64(1), np.uint64(6), np.uint64(63)


class Lanes(tuple[Lane, ...]):
    """Words of more than 64 bits: their lanes, the lowest first."""

    __slots__ = ()


def split(array: Words, count: int) -> Lanes:
    """The `count` lanes of an array of words of that many lanes, or of 64-bit or 32-bit words."""
    if array.dtype.names is not None:
        return Lanes(lanes(array))
    return Lanes((array.astype(np.uint64, copy=False), *[NO_BITS] * (count - 1)))


def joined(x: Lanes) -> Words:
    """The words as one array."""
    shape = np.broadcast_shapes(*(lane.shape for lane in x))
    array: Words = np.empty(shape, dtype_of(64 * len(x)))
    for lane, bits in zip(lanes(array), x, strict=True):
        lane[...] = bits
    return array


def each(operation: np.ufunc, *operands: Lanes) -> Lanes:
    """A bitwise operation."""
    return Lanes(operation(*lane) for lane in zip(*operands, strict=True))


def add(x: Lanes, y: Lanes) -> Lanes:
    """`x + y`."""
    sums, carry = list[Lane](), None
    for a, b in zip(x, y, strict=True):
        lane = a + b
        carried = lane < a
        if carry is not None:
            lane = lane + carry
            carried = carried | (lane < carry)
        sums.append(lane)
        carry = carried
    return Lanes(sums)


def subtract(x: Lanes, y: Lanes) -> Lanes:
    """`x - y`."""
    differences, borrow = list[Lane](), None
    for a, b in zip(x, y, strict=True):
        lane, borrowed = a - b, a < b
        if borrow is not None:
            borrowed = borrowed | (lane < borrow)
            lane = lane - borrow
        differences.append(lane)
        borrow = borrowed
    return Lanes(differences)


def shift_left(x: Lanes, amount: Lane) -> Lanes:
    """`x << amount`, by less than the width."""
    turned = _shifted(x[::-1], amount, np.left_shift, np.right_shift)
    return Lanes(turned[::-1])


def shift_right(x: Lanes, amount: Lane) -> Lanes:
    """`x >> amount`, by less than the width."""
    return Lanes(_shifted(x, amount, np.right_shift, np.left_shift))


def _shifted(x: tuple[Lane, ...], amount: Lane, towards: np.ufunc, back: np.ufunc) -> list[Lane]:
    """The lanes moved towards the first one: by whole lanes, and `by` bits within a lane."""
    by, far = amount & _63, amount >> _6
    least, most = int(far.min()), int(far.max())
    moved = {}
    for place in range(least, len(x)):
        moved[place] = towards(x[place], by)
        if place + 1 < len(x) and x[place + 1] is not NO_BITS:
            # In two steps: nothing may be shifted by 64.
            moved[place] = moved[place] | back(back(x[place + 1], _ONE), _63 - by)
    shifted = []
    for place in range(len(x)):
        lane = moved.get(place + least, NO_BITS)
        for lanes_on in range(least + 1, most + 1):
            lane = np.where(far == lanes_on, moved.get(place + lanes_on, NO_BITS), lane)
        shifted.append(lane)
    return shifted


def multiply(x: Lanes, y: Lanes) -> Lanes:
    """`x * y`, modulo 2 to the width."""
    shape = np.broadcast_shapes(*(lane.shape for lane in (*x, *y)))
    product = Lanes(np.empty(shape, np.uint64) for _ in x)
    for rows in _blocks(shape):
        _multiply(_part(x, rows, shape), _part(y, rows, shape), _part(product, rows, shape))
    return product


def _multiply(x: Lanes, y: Lanes, product: Lanes) -> None:
    # A line of a board has no squares in most lanes, and a built magic few ones.
    empty = [[not lane.any() for lane in side] for side in (x, y)]
    begun = 0
    if not (empty[0][0] or empty[1][0]):
        np.multiply(x[0], y[0], out=product[0])
        _high_lane(x[0], y[0], product[1])
        begun = 2
    for lane in product[begun:]:
        lane[...] = 0
    high = np.empty_like(product[0])
    for i, a in enumerate(x):
        for j, b in enumerate(y[: len(x) - i]):
            if i + j == 0 or empty[0][i] or empty[1][j]:
                continue
            _add_to(product[i + j :], a * b)
            if i + j + 1 < len(x):
                _high_lane(a, b, high)
                _add_to(product[i + j + 1 :], high)


def _add_to(product: tuple[Lane, ...], term: Lane) -> None:
    """Add a term to the first of these lanes, and what is carried to the others."""
    lowest, *above = product
    np.add(lowest, term, out=lowest)
    if not above:
        return
    carry = lowest < term
    for place, lane in enumerate(above):
        np.add(lane, carry, out=lane)
        if place + 1 < len(above):
            carry = carry & (lane == 0)


def _high_lane(x: Lane, y: Lane, high: Lane) -> None:
    """Bits 64 to 127 of the products, from those of halves (Knuth, algorithm M, two digits)."""
    x_low, x_high, y_low, y_high = x & _LOW_HALF, x >> _HALF, y & _LOW_HALF, y >> _HALF
    # No sum exceeds 64 bits: (2^32 - 1)^2 + 2 * (2^32 - 1) = 2^64 - 1.
    first = x_high * y_low
    first += (x_low * y_low) >> _HALF
    second = x_low * y_high
    second += first & _LOW_HALF
    np.multiply(x_high, y_high, out=high)
    high += first >> _HALF
    high += second >> _HALF


def _blocks(shape: tuple[int, ...]) -> Iterator[slice]:
    """Parts of the first axis, of about AT_ONCE words each."""
    rows = shape[0] if len(shape) > 1 else 1
    step = max(1, AT_ONCE * rows // max(1, int(np.prod(shape))))
    for first in range(0, rows, step):
        yield slice(first, first + step)


def _part(x: Lanes, rows: slice, shape: tuple[int, ...]) -> Lanes:
    """Some rows of the lanes; what is broadcast along them stays as it is."""
    return Lanes(
        lane[rows] if len(shape) > 1 and lane.ndim == len(shape) and len(lane) > 1 else lane
        for lane in x
    )


# The numpy interpretation of a formula: its value for many occupancies and squares at once.
#
# Words are uint64 arrays, or uint32 arrays where a node is 32-bit wide, so that wrapping
# is the hardware's; where a node is wider they are lanes. Everything is broadcast:
# parameters come as (squares, 1), occupancies as (squares, occupancies).

Value: TypeAlias = "NDArray[Any] | Lanes"
"""uint32, uint64 or lanes, as the node's width says."""

_WORD: dict[int, type[np.uint32] | type[np.uint64]] = {32: np.uint32, 64: np.uint64}


class RowsError(InputError):
    """A formula that has no value on some rows: `rows`, with a problem for each of them.

    Whoever knows which piece the rows belong to fills in `piece`.
    """

    def __init__(self, bad: NDArray[np.bool_], problem: Callable[[int], Problem]) -> None:
        self.rows = [int(row) for row in np.flatnonzero(bad.reshape(len(bad), -1).any(axis=1))]
        self.piece: Any = None
        super().__init__(map(problem, self.rows))


class ShiftError(RowsError):
    """A shift by the word's width or more."""

    def __init__(self, node: Binary, amounts: Words, bad: NDArray[np.bool_], text: str) -> None:
        rows = amounts.reshape(len(amounts), -1)
        super().__init__(bad, lambda row: shift_problem(node, max(ints(rows[row])), text))


class FitError(RowsError):
    """A parameter with more bits than the word that it is used as."""

    def __init__(self, node: Name, values: Words, text: str) -> None:
        rows = values.reshape(len(values), -1)
        super().__init__(_beyond(rows), lambda row: fit_problem(node, max(ints(rows[row])), text))


def _beyond(array: Words) -> NDArray[np.bool_]:
    """Which words have bits above the lowest lane."""
    beyond: NDArray[np.bool_] = reduce(or_, lanes(array)[1:]) != 0
    return beyond


def evaluate(node: Node, values: Mapping[str, Words], text: str = "") -> Words:
    """The value of a tree, an array of words of `node.width` bits: uint32, or as `dtype_of` says.

    `values` gives every name an array of at least one dimension, of such words. Raises
    ShiftError where anything but 0 is shifted by the word's width or more on any row, and FitError
    where a parameter has more bits than the word that it is used as.
    """
    value = _Arrays(values, text).value(node)
    return joined(value) if isinstance(value, Lanes) else value


class _Arrays(Interpretation[Value]):
    def __init__(self, values: Mapping[str, Words], text: str) -> None:
        self.values = values
        self.text = text

    def literal(self, node: Literal) -> Value:
        if node.width > 64:
            parts = (node.value >> low & LANE for low in range(0, node.width, 64))
            return Lanes(_row(part) if part else NO_BITS for part in parts)
        return _row(node.value)

    def name(self, node: Name) -> Value:
        words = self.values[node.name]
        if node.width > 64:
            return split(words, node.width // 64)
        if words.dtype.names is not None:
            if _beyond(words).any():
                raise FitError(node, words, self.text)
            return lanes(words)[0]
        return words

    def invert(self, node: Unary, x: Value) -> Value:
        return each(np.invert, x) if isinstance(x, Lanes) else np.invert(x)

    def negate(self, node: Unary, x: Value) -> Value:
        if isinstance(x, Lanes):
            return subtract(Lanes([NO_BITS] * len(x)), x)
        return np.negative(x)

    def multiply(self, node: Binary, x: Value, y: Value) -> Value:
        return _binary(multiply, np.multiply, node, x, y)

    def add(self, node: Binary, x: Value, y: Value) -> Value:
        return _binary(add, np.add, node, x, y)

    def subtract(self, node: Binary, x: Value, y: Value) -> Value:
        return _binary(subtract, np.subtract, node, x, y)

    def bitwise_and(self, node: Binary, x: Value, y: Value) -> Value:
        return _binary(partial(each, np.bitwise_and), np.bitwise_and, node, x, y)

    def bitwise_xor(self, node: Binary, x: Value, y: Value) -> Value:
        return _binary(partial(each, np.bitwise_xor), np.bitwise_xor, node, x, y)

    def bitwise_or(self, node: Binary, x: Value, y: Value) -> Value:
        return _binary(partial(each, np.bitwise_or), np.bitwise_or, node, x, y)

    def shift_left(self, node: Binary, x: Value, amount: Value) -> Value:
        by = self.checked(node, x, amount)
        if isinstance(x, Lanes):
            return shift_left(x, by)
        return _joined(np.left_shift, node, x, by)

    def shift_right(self, node: Binary, x: Value, amount: Value) -> Value:
        by = self.checked(node, x, amount)
        if isinstance(x, Lanes):
            return shift_right(x, by)
        return _joined(np.right_shift, node, x, by)

    def checked(self, node: Binary, x: Value, amount: Value) -> NDArray[Any]:
        """A shift's amount, as words of the shifted word's width, or of a lane's. 0 stays 0,
        whatever it is shifted by.
        """
        low = _low(amount)
        beyond = low >= node.width
        if isinstance(amount, Lanes):
            beyond = beyond | (reduce(or_, amount[1:]) != 0)
        if beyond.any():
            bad = beyond & ((reduce(or_, x) if isinstance(x, Lanes) else x) != 0)
            if bad.any():
                whole = joined(amount) if isinstance(amount, Lanes) else amount
                raise ShiftError(node, np.broadcast_to(whole, bad.shape), bad, self.text)
            low = np.where(beyond, node.width - 1, low)
        return low.astype(_WORD[min(node.width, 64)])

    def u32(self, node: Call, x: Value) -> Value:
        return _low(x).astype(np.uint32)

    def hi32(self, node: Call, x: Value) -> Value:
        return (_narrow(x) >> np.uint64(32)).astype(np.uint32)

    def rol32(self, node: Call, x: Value, amount: Value) -> Value:
        return _rotate(_low(x).astype(np.uint32), _low(amount), 32)

    def u64(self, node: Call, x: Value) -> Value:
        return _narrow(x)

    def hi64(self, node: Call, x: Value) -> Value:
        return x[1] if isinstance(x, Lanes) else NO_BITS

    def rol64(self, node: Call, x: Value, amount: Value) -> Value:
        return _rotate(_narrow(x), _low(amount), 64)

    def bswap64(self, node: Call, x: Value) -> Value:
        return _narrow(x).byteswap()

    def pext(self, node: Call, x: Value, mask: Value) -> Value:
        return _extracted(_narrow(x), _narrow(mask))

    def popcount(self, node: Call, x: Value) -> Value:
        counts = map(np.bitwise_count, x if isinstance(x, Lanes) else [x])
        return reduce(np.add, (count.astype(np.uint64) for count in counts))

    def ctz(self, node: Call, x: Value) -> Value:
        if not isinstance(x, Lanes):
            return _zeros(x)
        count = _zeros(x[-1])
        for lane in x[-2::-1]:
            count = np.where(lane == 0, np.uint64(64) + count, _zeros(lane))
        return count


def _row(value: int) -> Lane:
    return np.array([[value]], dtype=np.uint64)


def _low(x: Value) -> NDArray[Any]:
    return x[0] if isinstance(x, Lanes) else x


def _narrow(x: Value) -> Lane:
    """The low 64 bits."""
    return _low(x).astype(np.uint64, copy=False)


def _binary(
    wide: Callable[..., Lanes], narrow: np.ufunc, node: Binary, x: Value, y: Value
) -> Value:
    if node.width > 64:
        count = node.width // 64
        return wide(
            *(
                operand if isinstance(operand, Lanes) else split(operand, count)
                for operand in (x, y)
            )
        )
    return _joined(narrow, node, _low(x), _low(y))


def _joined(operation: np.ufunc, node: Binary, x: NDArray[Any], y: NDArray[Any]) -> NDArray[Any]:
    # What an operation has just made belongs to nobody else: its memory is used again.
    is_same_width = isinstance(node.left, Binary) and x.itemsize * 8 == node.width
    fits = is_same_width and np.broadcast_shapes(x.shape, y.shape) == x.shape
    words: NDArray[Any] = operation(x, y, out=x if fits else None)
    return words


def _zeros(x: NDArray[Any]) -> Lane:
    # One less than the lowest one has exactly the zeros below it; 0 - 1 has all bits.
    below = (x & np.negative(x)) - x.dtype.type(1)
    return np.bitwise_count(below).astype(np.uint64)


def _extracted(x: Lane, mask: Lane) -> Lane:
    """The bits of x where the mask has 1 bits, moved together: by 1, 2, 4, ... bits.

    Warren, Hacker's Delight, 7-4. What is done to the mask alone has the mask's shape.
    """
    x, above = x & mask, ~mask << np.uint64(1)
    for step in map(np.uint64, (1, 2, 4, 8, 16, 32)):
        # A one here: an odd number of zeros of the mask, of those still counted, lies below.
        odd = above
        for by in map(np.uint64, (1, 2, 4, 8, 16, 32)):
            odd = odd ^ (odd << by)
        moving = odd & mask
        mask = (mask ^ moving) | (moving >> step)
        moved = x & moving
        x = (x ^ moved) | (moved >> step)
        above = above & ~odd
    return x


def _rotate(x: NDArray[Any], amount: NDArray[Any], width: int) -> NDArray[Any]:
    word = _WORD[width]
    up = (amount % word(width)).astype(word)
    # A right shift by the whole width would be undefined: -left mod width is 0 with left.
    down = np.negative(up) % word(width)
    return (x << up) | (x >> down)
