"""Memory: the objects that addresses point into, and what lies there.

A global constant holds what its initialiser says. A variable holds what it was found to hold after
the library's own initialisation, if somebody asked for that to be run; otherwise nobody knows.
"""

from bisect import bisect_right
from dataclasses import dataclass, field
from functools import cached_property
from typing import Protocol

import numpy as np

from magicert.verify.function import words
from magicert.verify.function.ir import Instruction, Module, Operand
from magicert.verify.function.types import Array, Integer, Type
from magicert.verify.function.words import Word, WordTable

MOST_ENTRIES = 1 << 22
"""Entries of one table that a symbolic address may choose from."""


class Native(Protocol):
    """A process in which the compiled module lies, after its initialisation."""

    def address(self, symbol: str) -> int | None:
        """Where a global begins."""

    def read(self, address: int, size: int) -> bytes | None:
        """Bytes of its memory; None where it cannot be read."""

    def block(self, address: int) -> tuple[int, int] | None:
        """Begin and size of the allocated block around an address."""


class UndecidedError(Exception):
    """What the function means is not known here. `place` is the source line, where it is known."""

    def __init__(self, message: str, place: object = "") -> None:
        super().__init__(message)
        self.place = str(place)


@dataclass(eq=False, slots=True)
class Object:
    """A region of memory. `data` is None where its content is not known, and for the stack.

    `links` are the addresses in it: place -> (symbol, addend). `native` says that the addresses in
    it are those of the process.
    """

    name: str
    size: int
    data: bytes | None = None
    links: dict[int, tuple[str, int]] = field(default_factory=dict)
    readonly: bool = True
    native: bool = False
    function: bool = False
    tables: dict[tuple[int, int, int, int], WordTable] = field(default_factory=dict)

    def table(self, start: int, step: int, width: int, count: int) -> WordTable:
        """Words of `width` bytes at start, start + step ...; outside the object they are 0."""
        key = (start, step, width, count)
        if key not in self.tables:
            assert self.data is not None
            content = np.frombuffer(self.data, np.uint8)
            places = start + step * np.arange(count, dtype=np.int64)
            inside = (places >= 0) & (places + width <= self.size)
            entries = np.zeros(count, np.uint64)
            for place in range(width):
                byte = content[np.where(inside, places + place, 0)].astype(np.uint64)
                entries |= byte << np.uint64(8 * place)
            entries[~inside] = 0
            self.tables[key] = WordTable(self.name, entries, 8 * width, start, step)
        return self.tables[key]


class Memory:
    """The globals of a module, and what a running process holds in them."""

    def __init__(
        self,
        module: Module,
        native: Native | None = None,
        unwritten: frozenset[str] = frozenset(),
    ) -> None:
        self.module = module
        self.native = native
        self.unwritten = unwritten
        self.objects: dict[str, Object] = {}
        self.blocks: dict[int, Object] = {}
        self.used: dict[str, Object] = {}

    def object(self, name: str) -> Object:
        """The global called so."""
        if name not in self.objects:
            self.objects[name] = self._made(name)
        return self.objects[name]

    def _made(self, name: str) -> Object:
        found = self.module.globals.get(name)
        if found is None:
            return Object(name, 0, function=True)
        tokens = self.module.tokens(found.initial)
        kind = tokens.type()
        size = self.module.layout.size(kind)
        if found.constant and not found.external:
            return self._initial(name, kind, size, found.initial)
        made = Object(self.module.source_name(name), size, readonly=found.constant)
        if self.native is not None:
            address = self.native.address(name)
            made.data = self.native.read(address, size) if address is not None else None
            made.native = made.data is not None
        elif name in self.unwritten:
            made = self._initial(name, kind, size, found.initial)
            made.readonly = False
        if made.data is not None:
            self.used[made.name] = made
        return made

    def _initial(self, name: str, kind: Type, size: int, text: str) -> Object:
        content = bytearray(size)
        made = Object(self.module.source_name(name), size)
        if not _quick(content, kind, text):
            tokens = self.module.tokens(text)
            tokens.type()
            self._fill(content, made.links, 0, tokens.value(kind))
        made.data = bytes(content)
        return made

    def _fill(
        self, content: bytearray, links: dict[int, tuple[str, int]], place: int, operand: Operand
    ) -> None:
        layout = self.module.layout
        kind, data = operand.type, operand.data
        match operand.kind:
            case "zero" | "poison":
                return  # bytes that nobody stated are 0: a compiler may choose them
            case "number" if isinstance(data, int):
                size = layout.stored(kind)
                content[place : place + size] = (data & words.ones(8 * size)).to_bytes(
                    size, "little"
                )
            case "bytes" if isinstance(data, bytes):
                content[place : place + len(data)] = data
            case "list" if isinstance(data, list):
                for (start, _), item in zip(layout.parts(kind), data, strict=True):
                    self._fill(content, links, place + start, item)
            case "global" | "expression":
                links[place] = self.link(operand)
            case _:
                raise UndecidedError(f"an initial value of kind {operand.kind}")

    def link(self, operand: Operand) -> tuple[str, int]:
        """A constant address: a symbol and how far behind it."""
        if operand.kind == "global":
            return str(operand.data), 0
        expression = operand.data
        if isinstance(expression, Instruction) and expression.op == "getelementptr":
            symbol, place = self.link(expression.operands[0])
            layout, kind = self.module.layout, expression.element
            assert kind is not None
            numbers = [item.data for item in expression.operands[1:]]
            if all(isinstance(number, int) for number in numbers):
                first, *others = (int(str(number)) for number in numbers)
                place += first * layout.size(kind)
                for number in others:
                    start, kind = layout.part(kind, number)
                    place += start
                return symbol, place
        elif isinstance(expression, Instruction) and expression.op in {"bitcast", "ptrtoint"}:
            return self.link(expression.operands[0])
        raise UndecidedError(f"a constant expression: {getattr(expression, 'text', operand.kind)}")

    @cached_property
    def _starts(self) -> list[tuple[int, str]]:
        assert self.native is not None
        found = [(self.native.address(name), name) for name in self.module.globals]
        return sorted((address, name) for address, name in found if address is not None)

    def at(self, address: int) -> tuple[Object, int] | None:
        """The object around an address of the process, and the place in it."""
        assert self.native is not None
        place = bisect_right(self._starts, (address, "\x7f")) - 1
        if place >= 0:
            start, name = self._starts[place]
            found = self.object(name)
            if address <= start + found.size:
                return found, address - start
        block = self.native.block(address)
        if block is None:
            return None
        start, size = block
        if start not in self.blocks:
            data = self.native.read(start, size)
            if data is None:
                return None
            self.blocks[start] = Object(f"block{len(self.blocks)}", size, data, native=True)
            self.used[self.blocks[start].name] = self.blocks[start]
        return self.blocks[start], address - start


def _quick(content: bytearray, kind: Type, text: str) -> bool:
    """Fill an array of plain numbers, as long tables are; False where it is something else."""
    if not (isinstance(kind, Array) and isinstance(kind.item, Integer)):
        return False
    size = {8: 1, 16: 2, 32: 4, 64: 8}.get(kind.item.width)
    body = text.partition("] [")[2].partition("]")[0]
    mark = f"i{kind.item.width} "
    parts = body.split(", ")
    if size is None or len(parts) != kind.count or not all(p.startswith(mark) for p in parts):
        return False
    try:
        numbers = [int(part[len(mark) :]) & words.ones(8 * size) for part in parts]
    except ValueError:
        return False
    content[:] = np.array(numbers, f"<u{size}").tobytes()
    return True


def loaded(item: Object, offset: Word, width: int) -> Word:
    """`width` bytes (1, 2, 4 or 8) of an object whose content is known, anywhere in it."""
    assert item.data is not None
    place = offset.value
    if place is not None:
        inside = place + width <= item.size
        value = int.from_bytes(item.data[place : place + width], "little") if inside else 0
        return words.constant(value, 8 * width)
    start, rest = _split(offset)
    zeros = min(words.low_zeros(rest), 12)
    step = 1 << zeros
    index = words.extract(rest, rest.width - zeros, zeros)
    count = min((item.size - width - start) // step + 1, words.largest(index) + 1)
    if count > MOST_ENTRIES:
        raise UndecidedError(f"an address that chooses from {count:,} entries of {item.name}")
    return words.entry(item.table(start, step, width, max(count, 1)), index)


def _split(offset: Word) -> tuple[int, Word]:
    """An offset as a known part (which may be negative) and the rest."""
    if offset.op == "add" and offset.args[1].op == "constant":
        return words.signed(offset.args[1].data, offset.width), offset.args[0]
    return 0, offset
