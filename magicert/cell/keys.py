"""A list of keys: any words, each with a value."""

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from magicert.cell.record import Subject
from magicert.occupancy import numbered
from magicert.problem import InputError, Problem

COMMON = 1e-6
"""Magics are common if so many of all random words are magics."""
MOST_BITS = 32
MOST_WINDOW_BITS = 30
"""log2 of the leaves that the window search may be expected to need."""


@dataclass(frozen=True, slots=True)
class Keys(Subject):
    """Different words with the numbers of their values. `Keys.of` makes them."""

    listed: tuple[int, ...]
    numbers: tuple[int, ...]
    union: int
    name: str = field(default="", compare=False)

    @classmethod
    def of(
        cls, words: Iterable[int], values: Iterable[int] | None = None, name: str = ""
    ) -> "Keys":
        """Words of 64 bits with any values; without values all of them are different.

        Raises InputError for no words at all, a word that comes twice, or one that is too large.
        """
        listed = tuple(words)
        numbers = tuple(range(len(listed))) if values is None else numbered(values)
        problems = [] if listed else [Problem("expected at least one key")]
        if len(set(listed)) < len(listed):
            problems.append(Problem("a key comes twice"))
        if len(numbers) != len(listed):
            problems.append(Problem(f"{len(listed)} keys with {len(numbers)} values"))
        if any(not 0 <= word < 1 << 64 for word in listed):
            problems.append(Problem("expected keys of 64 bits"))
        if problems:
            raise InputError(problems)
        union = 0
        for word in listed:
            union |= word
        return cls(listed, numbers, union, name)

    @property
    def kind(self) -> str:
        """Just that."""
        return "keys"

    @property
    def words(self) -> tuple[int, ...]:
        """The keys, in the order of the list."""
        return self.listed

    @property
    def values(self) -> tuple[int, ...]:
        """The numbers of their values."""
        return self.numbers

    @property
    def mask(self) -> int:
        """The bits that any key has."""
        return self.union

    @property
    def least_bits(self) -> int:
        """The fewest bits whose slots hold all values."""
        return max(1, max(self.numbers).bit_length())

    @property
    def usual_bits(self) -> int:
        """From so many bits on a random word is a magic often enough."""
        many = range(self.least_bits, MOST_BITS + 1)
        return next((bits for bits in many if self.chance(bits) >= COMMON), MOST_BITS + 1)

    def chance(self, bits: int) -> float:
        """About how many of all random functions of so many bits keep the values apart. (That is
        no statement about multiplications: for one question there are none or some.)
        """
        return _chance(self.numbers, bits)

    def suits_window(self, bits: int) -> bool:
        """A key of n bits leaves its bucket about 2^(bits + n) times while m runs through all."""
        zeros = (self.union & -self.union).bit_length() - 1 if self.union else 0
        return self.union.bit_length() - zeros + bits <= MOST_WINDOW_BITS

    @property
    def stream(self) -> int:
        """The first one behind those of the squares."""
        return 129

    @property
    def parts(self) -> tuple[str, list[list[int]]]:
        """The keys with the numbers of their values."""
        return "keys", [list(pair) for pair in zip(self.listed, self.numbers, strict=True)]

    @property
    def described(self) -> dict[str, Any]:
        """The same, as a certificate has them."""
        pairs = zip(self.listed, self.numbers, strict=True)
        return {"keys": [[hex(word), number] for word, number in pairs]}

    def __str__(self) -> str:
        count = f"{len(self.listed):,} key{'s' * (len(self.listed) > 1)}"
        return f"{count} of {self.name}" if self.name else count


@lru_cache(maxsize=64)
def _chance(numbers: tuple[int, ...], bits: int) -> float:
    slots, earlier, logarithm = 1 << bits, [0] * (max(numbers) + 1), 0.0
    apart = len(earlier) == len(numbers)
    for place, number in enumerate(numbers):
        others = place - earlier[number]
        taken = others if apart else slots * -math.expm1(-others / slots)
        if taken >= slots:
            return 0.0
        logarithm += math.log1p(-taken / slots)
        earlier[number] += 1
    return math.exp(logarithm)
