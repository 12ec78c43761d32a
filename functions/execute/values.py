"""Values of a running function: lanes of words, each with the condition that it is poison.

A number is a word; an address is, under each of some conditions, a place in an object. A scalar is
one lane, a vector several, and a struct or an array, which LLVM calls an aggregate, has values in
it. Bits that nobody wrote are open one by one.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import or_

from magicert.functions.execute import words
from magicert.functions.execute.memory import Object, UndecidedError
from magicert.functions.execute.words import Word


@dataclass(frozen=True, slots=True)
class Address:
    """A pointer: under each condition an object (None: no object) and a place in it, in bytes."""

    choices: tuple[tuple[Word, Object | None, Word], ...]


Open = tuple[tuple[int, Word], ...]
"""Bits that nobody wrote, each with the condition that nobody did. LLVM has them undefined one by
one: what an `and` takes away does not matter.
"""


@dataclass(frozen=True, slots=True)
class Lane:
    """A number or an address. Where `poison` holds, its value means nothing: all of it, or of a
    number with `open` bits only those.
    """

    bits: Word | Address
    poison: Word
    open: "Open" = ()

    @property
    def whole(self) -> "Open":
        """Its open bits; all of them where it has none of its own."""
        if self.open or self.poison.value == 0:
            return self.open
        return ((words.ones(self.word.width), self.poison),)

    @property
    def word(self) -> Word:
        if isinstance(self.bits, Address):
            raise UndecidedError("an address is used as a number")
        return self.bits

    @property
    def address(self) -> Address:
        if isinstance(self.bits, Word):
            raise UndecidedError("a number is used as an address")
        return self.bits


@dataclass(frozen=True, slots=True)
class Aggregate:
    """The items of a struct or an array."""

    items: tuple["Value", ...]


Value = tuple[Lane, ...] | Aggregate
"""A scalar is one lane, a vector several."""


def lane(word: Word) -> Lane:
    """A number that is no poison."""
    return Lane(word, words.boolean(False))


def partly(word: Word, open_: Iterable[tuple[int, Word]]) -> Lane:
    """A number with some open bits."""
    left = tuple((mask, c) for mask, c in open_ if mask and c.value != 0)
    if len({c for _, c in left}) == 1 and words.ones(word.width) == reduce(or_, dict(left), 0):
        return Lane(word, left[0][1])
    return Lane(word, words.any_of(c for _, c in left), left)


def lanewise(operation: Callable[..., Word], *values: Value) -> Value:
    """An operation on the numbers of each lane. What is made of poison is poison."""
    return tuple(
        Lane(operation(*(item.word for item in lanes)), words.any_of(x.poison for x in lanes))
        for lanes in zip(*map(lanes_of, values), strict=True)
    )


def lanes_of(value: Value) -> tuple[Lane, ...]:
    """The lanes of a scalar or of a vector."""
    if isinstance(value, Aggregate):
        raise UndecidedError("a struct is used as a number")
    return value


def chosen(condition: Word, x: Value, y: Value) -> Value:
    """One value or the other."""
    if x is y or condition.value == 1:
        return x
    if condition.value == 0:
        return y
    if isinstance(x, Aggregate) and isinstance(y, Aggregate):
        pairs = zip(x.items, y.items, strict=True)
        return Aggregate(tuple(chosen(condition, a, b) for a, b in pairs))
    return tuple(
        chosen_lane(condition, a, b) for a, b in zip(lanes_of(x), lanes_of(y), strict=True)
    )


def chosen_lane(condition: Word, x: Lane, y: Lane) -> Lane:
    """One lane or the other."""
    poison = words.ite(condition, x.poison, y.poison)
    if (x.open or y.open) and isinstance(x.bits, Word) and isinstance(y.bits, Word):
        other = words.not_(condition)
        open_ = [(mask, words.and_(condition, c)) for mask, c in x.whole]
        open_ += [(mask, words.and_(other, c)) for mask, c in y.whole]
        return partly(words.ite(condition, x.bits, y.bits), open_)
    # What is poison may be anything: take the other one.
    if x.poison.value == 1:
        return Lane(y.bits, poison)
    if y.poison.value == 1:
        return Lane(x.bits, poison)
    if isinstance(x.bits, Word) and isinstance(y.bits, Word):
        return Lane(words.ite(condition, x.bits, y.bits), poison)
    if isinstance(x.bits, Word) or isinstance(y.bits, Word):
        raise UndecidedError("an address here, a number there")
    other = words.not_(condition)
    choices = [(words.and_(condition, c), item, place) for c, item, place in x.bits.choices]
    choices += [(words.and_(other, c), item, place) for c, item, place in y.bits.choices]
    return Lane(Address(_merged(choices)), poison)


def _merged(
    choices: Sequence[tuple[Word, Object | None, Word]],
) -> tuple[tuple[Word, Object | None, Word], ...]:
    """One choice for each object."""
    addresses: dict[int, tuple[Word, Object | None, Word]] = {}
    for condition, item, place in choices:
        if condition.value != 0:
            other, _, where = addresses.get(id(item), (words.boolean(False), item, place))
            chosen_here = words.ite(condition, place, where)
            addresses[id(item)] = (words.or_(other, condition), item, chosen_here)
    return tuple(addresses.values())


def moved(pointer: Address, distance: Word) -> Address:
    """The address so many bytes further on."""
    return Address(tuple((c, item, words.add(p, distance)) for c, item, p in pointer.choices))


def with_poison(value: Value, poison: Word) -> Value:
    """The same value, poison under one more condition."""
    if poison.value == 0:
        return value
    if isinstance(value, Aggregate):
        return Aggregate(tuple(with_poison(item, poison) for item in value.items))
    return tuple(Lane(item.bits, words.or_(item.poison, poison)) for item in value)


def inserted(value: Value, element: Value, numbers: Sequence[int]) -> Value:
    """An aggregate with another item at a place, which is a number for each level."""
    if not numbers:
        return element
    assert isinstance(value, Aggregate)
    items = list(value.items)
    items[numbers[0]] = inserted(items[numbers[0]], element, numbers[1:])
    return Aggregate(tuple(items))
