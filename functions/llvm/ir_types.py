"""LLVM's types, and where a data layout puts them in memory."""

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Integer:
    """iN."""

    width: int


@dataclass(frozen=True, slots=True)
class PointerType:
    """ptr."""


@dataclass(frozen=True, slots=True)
class Vector:
    """<N x T>."""

    count: int
    item: "Type"


@dataclass(frozen=True, slots=True)
class Array:
    """[N x T]."""

    count: int
    item: "Type"


@dataclass(frozen=True, slots=True)
class Struct:
    """{ T, ... }; packed: without gaps."""

    items: tuple["Type", ...]
    packed: bool = False


@dataclass(frozen=True, slots=True)
class Other:
    """A type whose values have no meaning here: void, float, label ..."""

    name: str


FLOATS = {
    "half": 16, "bfloat": 16, "float": 32, "double": 64, "x86_fp80": 80, "fp128": 128,
    "ppc_fp128": 128,
}  # fmt: skip
"""Bits of numbers that are no integers: what they hold is not followed, where they lie is."""
Type = Integer | PointerType | Vector | Array | Struct | Other
NARROW = 32
"""Bits of addresses of which a program may have all: of more it has the lower half."""
POINTERS = (NARROW, 64)
"""Bits of the addresses that are understood."""
_NO_SIZE = re.compile(r"[eE]|S\d+|F[in]\d+|m:\w|n\d+(?::\d+)*|ni(?::\d+)+|[APG]0|s\d*(?::\d+)*")
"""Parts of a data layout that say nothing of where a value lies in memory."""


class DataLayout:
    """Sizes and places in bytes, as a module's `target datalayout` says."""

    def __init__(self, text: str) -> None:
        # What LLVM takes where nothing is said: of "i64" 32 bits.
        self.pointer = 64
        self.of_pointer = 8
        self.of_struct = 1
        self.aligned = {1: 1, 8: 1, 16: 2, 32: 4, 64: 4}
        self.vectors = {64: 8, 128: 16}
        self.floats = {16: 2, 32: 4, 64: 8, 80: 16, 128: 16}
        self.strange = ""
        """The first part that is not understood."""
        for part in filter(None, text.split("-")):
            if not self._reads(part) and not self.strange:
                self.strange = part

    @property
    def too_far(self) -> str:
        """What is said of an index with which an address goes round."""
        if self.pointer == NARROW:
            return "an index for which addresses are too short"
        return "an index far outside: a negative number that is unsigned, or one of too many bits"

    def _reads(self, part: str) -> bool:
        """Take in one part: whether it is understood."""
        if _NO_SIZE.fullmatch(part):
            return part != "E"
        match = re.fullmatch(r"([pivfa])([a-z]*)(\d*):(\d+)(?::(\d+))?(?::\d+)?(?::(\d+))?", part)
        if match is None:
            return False
        letter, how, number, first, second, index = match.groups()
        width, bytes_ = int(number or 0), max(1, int(first) // 8)
        if letter == "p" and width:
            return True  # another address space: whoever meets an address of it says so
        if how:
            return False
        if letter == "p":
            self.pointer = int(first)
            self.of_pointer = int(second or first) // 8
            return self.pointer in POINTERS and index in {None, first} and self.of_pointer > 0
        if letter == "a":
            self.of_struct = bytes_
        else:
            {"i": self.aligned, "v": self.vectors, "f": self.floats}[letter][width] = bytes_
        return True

    def size(self, kind: Type) -> int:
        """The bytes from one item of an array to the next."""
        match kind:
            case Integer(width):
                return _rounded((width + 7) // 8, self.align(kind))
            case PointerType():
                return self.pointer // 8
            case Vector(count, item):
                return _rounded((count * self.bits(item) + 7) // 8, self.align(kind))
            case Array(count, item):
                return count * self.size(item)
            case Struct(items):
                end = self.parts(kind)[-1][0] + self.size(items[-1]) if items else 0
                return _rounded(end, self.align(kind))
            case Other(name) if name in FLOATS:
                return _rounded(FLOATS[name] // 8, self.align(kind))
        raise ValueError(f"a value of type {kind}")

    def stored(self, kind: Type) -> int:
        """The bytes that a load or a store touches."""
        return (self.bits(kind) + 7) // 8 if isinstance(kind, Integer | Vector) else self.size(kind)

    def bits(self, kind: Type) -> int:
        """The bits of a scalar or of a vector."""
        match kind:
            case Integer(width):
                return width
            case PointerType():
                return self.pointer
            case Vector(count, item):
                return count * self.bits(item)
        return 8 * self.size(kind)

    def align(self, kind: Type) -> int:
        match kind:
            case Integer(width):
                near = [known for known in sorted(self.aligned) if known >= width]
                return self.aligned[near[0] if near else max(self.aligned)]
            case PointerType():
                return self.of_pointer
            case Vector():
                near_by = 1 << max(0, (self.stored(kind) - 1).bit_length())
                return self.vectors.get(self.bits(kind), near_by)
            case Array(_, item):
                return self.align(item)
            case Struct(items, packed):
                return 1 if packed else max([self.of_struct, *map(self.align, items)])
            case Other(name) if name in FLOATS:
                return self.floats[FLOATS[name]]
        return 1

    def has_whole_bytes(self, kind: Type) -> bool:
        """Whether each item begins where a byte does: a vector's have no bits between them."""
        return not isinstance(kind, Vector) or self.bits(kind.item) == 8 * self.size(kind.item)

    def parts(self, kind: Type) -> list[tuple[int, Type]]:
        """Where the items of a struct, an array or a vector begin, each with its type."""
        if not isinstance(kind, Struct):
            assert isinstance(kind, Array | Vector)
            step = self.size(kind.item)
            return [(n * step, kind.item) for n in range(kind.count)]
        tokens, end = [], 0
        for item in kind.items:
            end = _rounded(end, 1 if kind.packed else self.align(item))
            tokens.append((end, item))
            end += self.size(item)
        return tokens

    def part(self, kind: Type, number: int) -> tuple[int, Type]:
        """One of them; of an array any number."""
        if isinstance(kind, Struct):
            return self.parts(kind)[number]
        assert isinstance(kind, Array | Vector)
        return number * self.size(kind.item), kind.item


def _rounded(size: int, step: int) -> int:
    return -(-size // step) * step


# The text: its tokens, instructions, functions and globals.
