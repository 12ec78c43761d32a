"""The cell: is there a magic that keeps words of different values apart?

A cell is a record: words, each with a value, a formula and a number of bits. Where the words
come from is their subject's business: the occupancies of a square with their attack sets, or
keys. The engines know the record, and nothing of chess.

Also the slow and obvious check of one magic against one cell, by the plain reading. Every
engine asks it before it reports a magic.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from magicert.formula.reading import evaluate
from magicert.formula.tree import OCCUPANCY
from magicert.problem import InputError, Problem
from magicert.scheme import Scheme


class Subject(ABC):
    """What a cell is about: different words, each with a value. Hashable, and quick to pickle."""

    __slots__ = ()

    @property
    @abstractmethod
    def kind(self) -> str:
        """What sort of words these are, in one word."""

    @property
    @abstractmethod
    def words(self) -> tuple[int, ...]:
        """The words, in an order that certificates keep."""

    @property
    @abstractmethod
    def values(self) -> tuple[int, ...]:
        """The number of each word's value: from 0, in the order of their first appearance."""

    @property
    @abstractmethod
    def mask(self) -> int:
        """The bits that any word has: what formulas call `mask`."""

    @property
    def width(self) -> int:
        """The bits of a word."""
        return 64

    @property
    @abstractmethod
    def usual_bits(self) -> int:
        """From so many index bits on magics are common, so that chance finds one."""

    @abstractmethod
    def suits_window(self, bits: int) -> bool:
        """Whether the window search can be expected to come to an end."""

    @property
    @abstractmethod
    def stream(self) -> int:
        """The number of the stream of random words that its candidates are drawn from."""

    @property
    @abstractmethod
    def parts(self) -> tuple[Any, Any]:
        """What makes two subjects the same, as two plain values."""

    @property
    @abstractmethod
    def described(self) -> dict[str, Any]:
        """What a certificate says of it: it is enough to know all words and values."""

    @property
    def named(self) -> dict[str, Any]:
        """What an answer says of it: the same, or names."""
        return self.described

    def values_again(self) -> Iterable[Any]:
        """The value of each word, by a way of its own where there is one: for checking."""
        return self.values


@dataclass(frozen=True, slots=True)
class Cell:
    """(scheme, subject, bits), the unit of "does a magic exist?".

    `fixed` gives values to parameters of the scheme other than mask, bits and the free
    one. `largest_index` bounds the index below 2^bits - 1 (a table *range*); None: it
    does not.
    """

    scheme: Scheme
    about: Subject
    bits: int
    fixed: Mapping[str, int] = field(default_factory=dict)
    largest_index: int | None = None

    @property
    def words(self) -> tuple[int, ...]:
        """The words that are looked up, each once: what formulas call `occ`."""
        return self.about.words

    @property
    def values(self) -> tuple[int, ...]:
        """The number of each word's value: words with different ones need different indexes."""
        return self.about.values

    @property
    def distinct(self) -> int:
        """How many different values there are."""
        return max(self.values) + 1

    @property
    def mask(self) -> int:
        """The bits that any word has: the relevant occupancy of a square."""
        return self.about.mask

    @property
    def period(self) -> int:
        """Magics that are congruent modulo this have the same index for every word.

        Where the magic is multiplied by `occ & mask` it is the LCM period, 2^(64 - ctz(mask)).
        Black multiplies it by `occ | ~mask`, which is odd: there it is 2^64, and so it is for
        schemes of another form, where no smaller one is known.
        """
        product = self.scheme.product
        return product.period(self.words, self.mask) if product else 1 << self.about.width

    @property
    def last_index(self) -> int:
        """The largest index that is allowed."""
        return (1 << self.bits) - 1 if self.largest_index is None else self.largest_index

    def __str__(self) -> str:
        limit = "" if self.largest_index is None else f", indexes up to {self.largest_index}"
        return f"{self.scheme.name} {self.about}, {self.bits} bits{limit}"

    def check(self) -> None:
        """Refuse what is no question. Raises InputError with every problem."""
        problems = []
        if not 1 <= self.bits <= 32:
            problems.append(Problem("expected 1 to 32", key=f"bits {self.bits}"))
        elif self.largest_index is not None and not 0 <= self.largest_index < 1 << self.bits:
            message = f"expected 0 to {(1 << self.bits) - 1}"
            problems.append(Problem(message, key=f"largest index {self.largest_index}"))
        missing = self.scheme.parameters - {"mask", "bits", self.scheme.free, *self.fixed}
        if self.scheme.free not in self.scheme.parameters:
            message = f"the formula has no free parameter {self.scheme.free!r}"
            problems.append(Problem(message, key=f"scheme {self.scheme.name}"))
        problems += [Problem("expected a value", key=name) for name in sorted(missing)]
        if problems:
            raise InputError(problems)

    def index(self, magic: int, word: int) -> int:
        """The index of one word, by the plain reading."""
        values = {
            "bits": self.bits,
            **self.fixed,
            "mask": self.mask,
            self.scheme.free: magic,
            OCCUPANCY: word,
        }
        return evaluate(self.scheme.formula.tree, values, self.scheme.formula.text)


def first_conflict(cell: Cell, magic: int) -> tuple[int, int] | None:
    """Two words that break `magic`, or None if it is valid for the cell.

    Where an index is larger than the cell allows, both are that word.
    """
    indexes = (cell.index(magic, word) for word in cell.words)
    places = first_clash(indexes, cell.about.values_again(), cell.last_index)
    return places and (cell.words[places[0]], cell.words[places[1]])


def first_clash(
    indexes: Iterable[int], values: Iterable[Any], last_index: int
) -> tuple[int, int] | None:
    """The first two places with one index and different values, or None.

    Both are one place where its index is larger than `last_index`.
    """
    seen: dict[int, tuple[int, Any]] = {}
    for place, (index, value) in enumerate(zip(indexes, values, strict=True)):
        if index > last_index:
            return place, place
        other, other_value = seen.setdefault(index, (place, value))
        if other_value != value:
            return other, place
    return None
