"""Values of a running function: lanes of words, each with the condition that it is poison."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from magicert.verify.function import words
from magicert.verify.function.memory import Object, UndecidedError
from magicert.verify.function.words import Word


@dataclass(frozen=True, slots=True)
class Address:
    """A pointer: under each condition an object (None: no object) and a place in it, in bytes."""

    choices: tuple[tuple[Word, Object | None, Word], ...]


@dataclass(frozen=True, slots=True)
class Lane:
    """A number or an address. Where `poison` holds, its value means nothing."""

    bits: Word | Address
    poison: Word

    @property
    def word(self) -> Word:
        """The number."""
        if isinstance(self.bits, Address):
            raise UndecidedError("an address is used as a number")
        return self.bits

    @property
    def address(self) -> Address:
        """The address."""
        if isinstance(self.bits, Word):
            raise UndecidedError("a number is used as an address")
        return self.bits


@dataclass(frozen=True, slots=True)
class Several:
    """The items of a struct or an array."""

    items: tuple["Value", ...]


Value = tuple[Lane, ...] | Several
"""A scalar is one lane, a vector several."""


def lane(word: Word) -> Lane:
    """A number that is no poison."""
    return Lane(word, words.boolean(False))


def lanewise(operation: Callable[..., Word], *values: Value) -> Value:
    """An operation on the numbers of each lane. What is made of poison is poison."""
    return tuple(
        Lane(operation(*(item.word for item in lanes)), words.any_of(x.poison for x in lanes))
        for lanes in zip(*map(lanes_of, values), strict=True)
    )


def lanes_of(value: Value) -> tuple[Lane, ...]:
    """The lanes of a scalar or of a vector."""
    if isinstance(value, Several):
        raise UndecidedError("a struct is used as a number")
    return value


def chosen(condition: Word, x: Value, y: Value) -> Value:
    """One value or the other."""
    if x is y or condition.value == 1:
        return x
    if condition.value == 0:
        return y
    if isinstance(x, Several) and isinstance(y, Several):
        pairs = zip(x.items, y.items, strict=True)
        return Several(tuple(chosen(condition, a, b) for a, b in pairs))
    return tuple(
        chosen_lane(condition, a, b) for a, b in zip(lanes_of(x), lanes_of(y), strict=True)
    )


def chosen_lane(condition: Word, x: Lane, y: Lane) -> Lane:
    """One lane or the other."""
    poison = words.ite(condition, x.poison, y.poison)
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
    found: list[tuple[Word, Object | None, Word]] = []
    for condition, item, place in choices:
        if condition.value == 0:
            continue
        for n, (other, same, where) in enumerate(found):
            if same is item:
                found[n] = (words.or_(other, condition), item, words.ite(condition, place, where))
                break
        else:
            found.append((condition, item, place))
    return tuple(found)


def moved(pointer: Address, distance: Word) -> Address:
    """The address so many bytes further on."""
    return Address(tuple((c, item, words.add(p, distance)) for c, item, p in pointer.choices))
