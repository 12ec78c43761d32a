"""The cell: is there a magic that keeps words of different values apart?

A cell is a record: words, each with a value, a formula and a number of bits. Where the words
come from is their target's business: the occupancies of a square with their attack sets, or
keys. The engines know the record, and nothing of chess.

Also the slow and obvious check of one magic against one cell, by the plain interpretation. Every
engine asks it before it reports a magic.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from magicert.formula.tree import OCCUPANCY, Name, evaluate, walk
from magicert.problem import InputError, Problem, nearly, suggestion
from magicert.scheme import Scheme


class Target(ABC):
    """What a cell is for: different words, each with a value. Hashable, and quick to pickle."""

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
    def parts(self) -> tuple[str, Any]:
        """What makes two targets the same, as two plain values: `target_of` reads them."""
        return "keys", [list(pair) for pair in zip(self.words, self.values, strict=True)]

    @property
    def described(self) -> dict[str, Any]:
        """What a certificate says of it: it is enough to know all words and values."""
        pairs = zip(self.words, self.values, strict=True)
        return {"keys": [[hex(word), number] for word, number in pairs]}

    @property
    def named(self) -> dict[str, Any]:
        """What an answer says of it: the same, or names."""
        return self.described

    def values_again(self) -> Iterable[Any]:
        """The value of each word, by a way of its own where there is one: for checking."""
        return self.values


@dataclass(frozen=True, slots=True)
class Cell:
    """(scheme, target, bits), the unit of "does a magic exist?".

    `fixed` gives values to parameters of the scheme other than mask, bits and the free
    one. `largest_index` bounds the index below 2^bits - 1 (a table *range*); None: it
    does not.
    """

    scheme: Scheme
    target: Target
    bits: int
    fixed: Mapping[str, int] = field(default_factory=dict)
    largest_index: int | None = None

    @property
    def words(self) -> tuple[int, ...]:
        return self.target.words

    @property
    def values(self) -> tuple[int, ...]:
        """The number of each word's value: words with different ones need different indexes."""
        return self.target.values

    @property
    def distinct(self) -> int:
        return max(self.values) + 1

    @property
    def mask(self) -> int:
        """The bits that any word has: the relevant occupancy of a square."""
        return self.target.mask

    @property
    def period(self) -> int:
        """Magics that are congruent modulo this have the same index for every word.

        Where the magic is multiplied by `occ & mask` it is the LCM period, 2^(64 - ctz(mask)).
        Black multiplies it by `occ | ~mask`, which is odd: there it is 2^64, and so it is for
        schemes of another form, where no smaller one is known.
        """
        product = self.scheme.product
        return product.period(self.words, self.mask) if product else 1 << self.target.width

    @property
    def last_index(self) -> int:
        """The largest index that is allowed."""
        return (1 << self.bits) - 1 if self.largest_index is None else self.largest_index

    def __str__(self) -> str:
        limit = "" if self.largest_index is None else f", indexes up to {self.largest_index}"
        # "white rook e4" would be read as White's rook.
        return f"{self.target}, {self.bits} bits{limit}, scheme {self.scheme.name}"

    def check(self) -> None:
        """Refuse what is no question. Raises InputError with every problem."""
        problems = []
        if not 1 <= self.bits <= 32:
            problems.append(Problem("expected 1 to 32", key=f"bits {self.bits}"))
        elif self.largest_index is not None and not 0 <= self.largest_index < 1 << self.bits:
            message = f"expected 0 to {(1 << self.bits) - 1}"
            problems.append(Problem(message, key=f"largest index {self.largest_index}"))
        free, known = self.scheme.free, {"mask", "bits", self.scheme.free, *self.fixed}
        missing = sorted(self.scheme.parameters - known)
        misspelt = [name for name in missing if nearly(name, known)]
        if free not in self.scheme.parameters and not misspelt:
            message = f"the formula has no free parameter {free!r}"
            problems.append(Problem(message, key=f"scheme {self.scheme.name}"))
        formula = self.scheme.formula
        spans = {node.name: node.span for node in walk(formula.tree) if isinstance(node, Name)}
        for name in missing:
            hint = suggestion(name, known) or "write its number in its place"
            message = f"nothing gives {name!r} a value: {hint}"
            problems.append(Problem(message, key=name, text=formula.text, span=spans[name]))
        if problems:
            raise InputError(problems)

    def index(self, magic: int, word: int) -> int:
        """The index of one word, by the plain interpretation."""
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
    places = first_conflicting_places(indexes, cell.target.values_again(), cell.last_index)
    return places and (cell.words[places[0]], cell.words[places[1]])


def first_conflicting_places(
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
