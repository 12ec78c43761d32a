"""LLVM's types, and how they lie in memory."""

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


Type = Integer | PointerType | Vector | Array | Struct | Other


class DataLayout:
    """Sizes and places in bytes, as a module's `target datalayout` says."""

    def __init__(self, text: str) -> None:
        parts = text.split("-")
        self.little = "E" not in parts
        pointer = re.search(r"(?:^|-)p(?:0)?:(\d+)", text)
        self.pointer = int(pointer[1]) if pointer else 64
        # What LLVM takes where nothing is said.
        self.aligned = {1: 1, 8: 1, 16: 2, 32: 4, 64: 4}
        for width, bits in re.findall(r"(?:^|-)i(\d+):(\d+)", text):
            self.aligned[int(width)] = int(bits) // 8

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
            case Other("double"):
                return 8
            case Other("float"):
                return 4
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
        """The alignment in bytes."""
        match kind:
            case Integer(width):
                near = [known for known in sorted(self.aligned) if known >= width]
                return self.aligned[near[0] if near else max(self.aligned)]
            case PointerType():
                return self.pointer // 8
            case Vector():
                return 1 << max(0, (self.bits(kind) // 8 - 1).bit_length())
            case Array(_, item):
                return self.align(item)
            case Struct(items, packed):
                return 1 if packed else max([1, *map(self.align, items)])
            case Other("double"):
                return 8
            case Other("float"):
                return 4
        return 1

    def parts(self, kind: Type) -> list[tuple[int, Type]]:
        """Where the items of a struct, an array or a vector begin, each with its type."""
        if not isinstance(kind, Struct):
            assert isinstance(kind, Array | Vector)
            step = self.size(kind.item)
            return [(n * step, kind.item) for n in range(kind.count)]
        found, end = [], 0
        for item in kind.items:
            end = _rounded(end, 1 if kind.packed else self.align(item))
            found.append((end, item))
            end += self.size(item)
        return found

    def part(self, kind: Type, number: int) -> tuple[int, Type]:
        """One of them; of an array any number."""
        if isinstance(kind, Struct):
            return self.parts(kind)[number]
        assert isinstance(kind, Array | Vector)
        return number * self.size(kind.item), kind.item


def _rounded(size: int, step: int) -> int:
    return -(-size // step) * step
