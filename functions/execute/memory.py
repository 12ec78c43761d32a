"""Memory: the objects that addresses point into, and what lies in constants and variables.

A global constant holds what its initialiser says. A variable holds what it was found to hold after
the library's own initialisation, if somebody asked for that to be run; otherwise nobody knows.
"""

import re
from bisect import bisect_right
from collections.abc import Container, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import count
from operator import itemgetter
from typing import Protocol

import numpy as np

from magicert.functions.certificate import Lacking
from magicert.functions.execute import words
from magicert.functions.execute.words import Word, WordTable, constant
from magicert.functions.llvm.ir import Module
from magicert.functions.llvm.ir_types import Array, DataLayout, Integer, Struct, Type
from magicert.functions.llvm.reader import Instruction, Operand
from magicert.functions.llvm.stores import Stores

MOST_ENTRIES = 1 << 22
"""Entries of one table that a symbolic address may choose from."""
HOLE = "what nobody wrote in "
"""So are bytes called that nobody wrote in an object: they may be anything."""
_NUMBERS = count()
FEWEST = 8
"""Items of an array of which some are no zero, if it is filled: a row, a colour's table."""
ZEROS = 512
"""Bytes of zeros in a block that are taken for a table which nobody filled."""
ONE_WORD = 16
"""Bytes of what is no table, but a flag or a number that may well be 0."""
LEAST_ALIGN = 16
"""What blocks of every allocator are aligned to, at least where they seem so."""


class Native(Protocol):
    """A process in which the compiled module lies, after its initialisation. `sizes` has what a
    pointer may point to, by name: functions with 0 bytes. `kinds` has the types of the variables.
    """

    sizes: Mapping[str, int]
    kinds: Mapping[str, Type]

    def address(self, symbol: str) -> int | None:
        """Where a global begins."""

    def read(self, address: int, size: int) -> bytes | None:
        """Bytes of its memory; None where it cannot be read."""

    def unsure(self, address: int, data: bytes) -> tuple[bytes, bytes]:
        """Which of its bytes nobody wrote, and which are others after each run: 255 for these."""

    def block(self, address: int) -> tuple[int, int] | None:
        """Begin and size of the allocated block around an address."""


class UndecidedError(Exception):
    """What the function means is not known here. `place` is the source line, where it is known,
    `lacks` what is defined elsewhere, if it is that.
    """

    def __init__(self, message: str, place: object = "", lacks: Lacking | None = None) -> None:
        super().__init__(message)
        self.place = str(place)
        self.lacks = lacks


class UnfilledError(UndecidedError):
    """It reads a variable of this symbol without an initial value, and nobody has run what may fill
    it.
    """

    def __init__(self, message: str, symbol: str) -> None:
        super().__init__(message)
        self.symbol = symbol


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
    align: int = 1
    """What its address is divided by without a rest, a power of two."""
    holes: "Object | None" = None
    """Where it has bytes that nobody wrote: those are 255 there."""
    varying: "Object | None" = None
    """The same for bytes that are others after each run of the init."""
    symbol: str = ""
    """Of a variable: its name in the module."""
    written: str = ""
    """Who may write to it, in words."""
    merged: bool = False
    """Whether it may lie where another constant does that ends as it does."""
    shape: tuple[DataLayout, Type] | None = None
    """Of a variable: its type."""
    read_empty: bool = False
    """Whether something was read of it that is zero in all items of an array, or all of it is:
    perhaps nobody has filled that.
    """
    read_null: bool = False
    """Whether a null pointer was read of it, or a number of that size that is 0, as the length of
    what is empty.
    """
    pointer: int = 8
    """Bytes of an address."""
    tables: dict[tuple[int, int, int, int], WordTable] = field(default_factory=dict)

    def hold(self, data: bytes, holes: bytes, varying: bytes = b"") -> None:
        """State what it holds, and where that is not sure. A hole reads as 0."""
        both = np.frombuffer(data, np.uint8) & ~np.frombuffer(holes, np.uint8)
        self.data = both.tobytes()
        self.holes = Object(self.name, self.size, holes) if any(holes) else None
        self.varying = Object(self.name, self.size, varying) if any(varying) else None

    def note_zero(self, place: int, width: int) -> None:
        """Note that it was read there, and is zero: a null pointer or an empty length, and whether
        all items of the array around that are, of structs in the same member; or all of what has no
        arrays. Of a block nobody knows what it has: many zeros around it are as good.
        """
        assert self.data is not None
        self.read_null |= width >= self.pointer
        if self.shape is None:
            around = self.data[max(0, place - ZEROS) : place + ZEROS]
            behind, before = around[min(place, ZEROS) :], around[: min(place, ZEROS)]
            zeros = (
                len(before) - len(before.rstrip(b"\0")) + len(behind) - len(behind.lstrip(b"\0"))
            )
            whole = self.size > ONE_WORD and zeros == self.size
            self.read_empty |= whole or zeros >= ZEROS
            return
        layout, kind = self.shape
        column, item, base = range(1), self.size, 0
        while isinstance(kind, Array | Struct):
            if isinstance(kind, Array):
                step = layout.size(kind.item)
                number = (place - base) // step if step else 0
                if kind.count >= FEWEST and step:
                    first = place - number * step
                    column, item = range(first, first + step * kind.count, step), width
                base, kind = base + number * step, kind.item
            else:
                inside = (part for part in layout.parts(kind) if base + part[0] <= place)
                start, kind = max(inside, key=itemgetter(0))
                base += start
        is_table = item != self.size or self.size > ONE_WORD
        self.read_empty |= is_table and not any(any(self.data[n : n + item]) for n in column)

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


class UnresolvedLoadError(Exception):
    """A pointer of the process points to a function or constant that was left out."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


class MissingError(Exception):
    """The process, another build's, has not got what this one looks for."""


class Memory:
    """The globals of a module, and what a running process holds in them. `whole` is the module
    before what only the process points to was left out; `held` is what was not. `twins` are names
    that the process may have for something else. `elsewhere`: a process of this build's own would
    have what is missing; `ended` is why there is none.
    """

    def __init__(
        self,
        module: Module,
        native: Native | None = None,
        unwritten: Container[str] = frozenset(),
        whole: Module | None = None,
        held: frozenset[str] = frozenset(),
        twins: frozenset[str] = frozenset(),
        elsewhere: bool = False,
        written: Mapping[str, str] | None = None,
        ended: str = "",
    ) -> None:
        self.module = module
        self.native = native
        self.unwritten = unwritten
        self.whole = whole or module
        self.held = held
        self.twins = twins
        self.elsewhere = elsewhere
        self.written = written or {}
        self.ended = ended
        self.objects: dict[str, Object] = {}
        self.blocks: dict[int, Object] = {}
        self.used: dict[str, Object] = {}

    def forget_what_was_read(self) -> None:
        """Forget which objects were empty where they were read."""
        for item in self.used.values():
            item.read_empty = item.read_null = False

    def object(self, name: str) -> Object:
        if name not in self.objects:
            self.objects[name] = self._made(name)
        return self.objects[name]

    def known(self, item: Object) -> bool:
        """Whether it is known what it holds. Raises MissingError where another process knows it."""
        if item.data is None and self.elsewhere:
            raise MissingError
        return item.data is not None

    def _made(self, name: str) -> Object:
        module = self.module if name in self.module.globals else self.whole
        if name in module.unsure:
            message = f"{name} may be something else, or nothing: an alias or a weak symbol"
            raise UndecidedError(message)
        variable = module.globals.get(name)
        if variable is None:
            head = _STRING.sub("", module.bodies.get(name, "").partition("\n")[0])
            stated = re.search(r"\balign (\d+)[^()]*\{$", head)
            return Object(name, 0, function=True, align=int(stated[1]) if stated else 1)
        tokens = module.tokens(variable.initial)
        kind = tokens.type()
        size = self.module.layout.size(kind)
        if size >> self.module.layout.pointer - 1:
            message = f"{name} has {size:,} bytes: more than fit between addresses of "
            raise UndecidedError(f"{message}{self.module.layout.pointer} bits")
        if variable.constant and not variable.external:
            item = self._initial(module, name, size, variable.initial)
            item.merged = variable.merged
            return item
        item = Object(self.module.source_name(name), size, readonly=variable.constant, symbol=name)
        item.align = _alignment(variable.initial) or self.module.layout.align(kind)
        item.shape = self.module.layout, kind
        item.pointer = self.module.layout.pointer // 8
        item.written = self.written.get(name, "")
        if variable.local:
            item.name = f"thread-local {item.name}"  # an init fills that of its own thread
        address = None
        # LLVM may have made something else of it there: a flag of what is written once only.
        if self.native is not None and not variable.local and name not in self.twins:
            address = self.native.address(name) if self.native.kinds.get(name) == kind else None
        if self.native is not None and address is not None:
            self._read(item, address)
        elif name in self.unwritten:
            item = self._initial(module, name, size, variable.initial)
            item.readonly, item.symbol = False, name
        if item.data is not None:
            self.used[item.name] = item
        elif not item.written and not variable.external and "zeroinit" not in variable.initial:
            for symbol, place in Stores(self.whole).to_variable(name):
                item.written = f"{symbol} ({place})" if place.line else symbol
                break
        return item

    def _read(self, item: Object, address: int) -> None:
        """What an object holds in the process."""
        assert self.native is not None
        data = self.native.read(address, item.size)
        if data is not None:
            item.hold(data, *self.native.unsure(address, data))
            item.native = True

    def _initial(self, module: Module, name: str, size: int, text: str) -> Object:
        content, holes = bytearray(size), bytearray(size)
        tokens = module.tokens(text)
        kind = tokens.type()
        align = _alignment(text) or self.module.layout.align(kind)
        item = Object(module.source_name(name), size, align=align)
        if not _quick(content, holes, kind, text):
            holes[:] = b"\xff" * size
            self._fill(item, content, holes, 0, tokens.value(kind))
        item.hold(bytes(content), bytes(holes))
        return item

    def _fill(
        self, made: Object, content: bytearray, holes: bytearray, place: int, operand: Operand
    ) -> None:
        """Put in what an initial value states; what it leaves open, gaps too, stays a hole."""
        layout = self.module.layout
        kind, data = operand.type, operand.data
        match operand.kind:
            case "poison":
                return
            case "zero":
                stated = bytes(layout.size(kind))
            case "number" if isinstance(data, int):
                size = layout.stored(kind)
                stated = (data & words.ones(8 * size)).to_bytes(size, "little")
            case "bytes" if isinstance(data, bytes):
                stated = data
            case "list" if isinstance(data, list) and not layout.has_whole_bytes(kind):
                number = 0
                for item in reversed(data):
                    if item.kind not in {"number", "zero"}:
                        raise UndecidedError(f"an initial value of kind {item.kind} in a vector")
                    bits = layout.bits(item.type)
                    number = number << bits | (item.data or 0) & words.ones(bits)
                stated = number.to_bytes(layout.stored(kind), "little")
            case "list" if isinstance(data, list):
                for (start, _), item in zip(layout.parts(kind), data, strict=True):
                    self._fill(made, content, holes, place + start, item)
                return
            case "expression" if isinstance(data, Instruction) and data.op == "inttoptr":
                (given,) = data.operands
                if not isinstance(given.data, int):
                    self._fill(made, content, holes, place, given)
                    return
                size = layout.stored(kind)
                stated = (given.data & words.ones(8 * size)).to_bytes(size, "little")
            case "global" | "expression":
                if layout.size(kind) < layout.pointer // 8:
                    raise UndecidedError(f"a part of an address in {made.name}")
                made.links[place] = self.link(operand)
                stated = bytes(layout.size(kind))
            case _:
                raise UndecidedError(f"an initial value of kind {operand.kind}")
        content[place : place + len(stated)] = stated
        holes[place : place + len(stated)] = bytes(len(stated))

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
        symbols = [(self.native.address(name), name) for name in self.native.sizes]
        return sorted((address, name) for address, name in symbols if address is not None)

    def at(self, address: int) -> tuple[Object, int] | None:
        """The object around an address of the process, and the place in it. None, too, where one
        ends and another begins.
        """
        assert self.native is not None
        place = bisect_right(self._starts, (address, "\x7f")) - 1
        if place >= 0:
            start, name = self._starts[place]
            before, other = self._starts[max(0, place - 1)]
            if before < start == address == before + self.native.sizes[other]:
                return None
            if address <= start + self.native.sizes[name]:
                target = self._pointed_to(name, start)
                return (target, address - start) if target is not None else None
        block = self.native.block(address)
        if block is None:
            return None
        start, size = block
        if start not in self.blocks:
            align = min(start & -start, LEAST_ALIGN)
            pointer = self.module.layout.pointer // 8
            item = Object(f"block{len(self.blocks)}", size, align=align, pointer=pointer)
            self._read(item, start)
            if item.data is None:
                return None
            self.used[item.name] = self.blocks[start] = item
        return self.blocks[start], address - start

    def _pointed_to(self, name: str, start: int) -> Object | None:
        """What the process has there; None where this module has something else of that name."""
        assert self.native is not None
        if name in self.twins:
            if self.elsewhere:
                raise MissingError
            return None
        if not any(name in m.globals or name in m.bodies for m in (self.module, self.whole)):
            if name in self.held:
                return None
            raise UnresolvedLoadError(name)
        item = self.object(name)
        if item.native or item.data is None:
            return item
        there = bytearray(self.native.read(start, item.size) or b"")
        gaps = (
            {place for place, byte in enumerate(item.holes.data or b"") if byte}
            if item.holes
            else set[int]()
        )
        room = self.module.layout.pointer // 8
        for place in gaps.union(*(range(link, link + room) for link in item.links)):
            there[place : place + 1] = item.data[place : place + 1]
        return item if there == item.data else None


_STRING = re.compile(r'"[^"]*"')
"""LLVM writes a quote in a string as \\22."""


def _alignment(text: str) -> int:
    """The alignment that a variable's line states behind its initial value; 0 for none."""
    match = re.search(r", align (\d+)(?:,[^\[\]{}]*)?$", _STRING.sub("", text))
    return int(match[1]) if match else 0


def _quick(content: bytearray, holes: bytearray, kind: Type, text: str) -> bool:
    """Fill an array of plain numbers, or of such arrays, as long tables are; False where it is
    something else.
    """
    item, count = kind, 1
    while isinstance(item, Array):
        count *= item.count
        item = item.item
    width = item.width if isinstance(item, Integer) else 0
    size, mark = {8: 1, 16: 2, 32: 4, 64: 8}.get(width), f"i{width} "
    body = re.sub(r"(?:\[\d+ x )+i\d+\]+ (?=\[)", "", text).rpartition("]")[0]
    parts = body.replace("[", "").replace("]", "").split(", ")
    if size is None or len(parts) != count or not all(p.startswith(mark) for p in parts):
        return False
    stated = [part[len(mark) :] for part in parts]
    is_open = np.array([one in {"undef", "poison"} for one in stated])
    try:
        numbers = [0 if hole else int(one) for one, hole in zip(stated, is_open, strict=True)]
    except ValueError:
        return False
    numbers = [number & words.ones(8 * size) for number in numbers]
    content[:] = np.array(numbers, f"<u{size}").tobytes()
    holes[:] = np.repeat(np.where(is_open, 255, 0).astype("u1"), size).tobytes()
    return True


def loaded(item: Object, offset: Word, width: int) -> Word:
    """`width` bytes (1, 2, 4 or 8) of an object whose content is known, anywhere in it."""
    assert item.data is not None
    place = offset.value
    if place is not None:
        inside = place + width <= item.size
        value = int.from_bytes(item.data[place : place + width], "little") if inside else 0
        if item.native and inside and not value:
            item.note_zero(place, width)
        return constant(value, 8 * width)
    start, rest = 0, offset
    if offset.op == "add" and offset.args[1].op == "constant":
        # The known part may be negative. So may the other one, where no bound of it is known.
        known = words.signed(offset.args[1].data, offset.width)
        if known <= 0 or offset.args[0].largest + known <= words.ones(offset.width):
            start, rest = known, offset.args[0]
    zeros = min(words.low_zeros(rest), 12)
    step = 1 << zeros
    index = words.extract(rest, rest.width - zeros, zeros)
    count = min((item.size - width - start) // step + 1, index.largest + 1)
    if count > MOST_ENTRIES:
        raise UndecidedError(f"an address that chooses from {count:,} entries of {item.name}")
    table = item.table(start, step, width, max(count, 1))
    item.read_empty |= item.native and count >= FEWEST and not table.entries.any()
    return words.entry(table, index)


def held(item: Object, offset: Word, width: int) -> Word:
    """The same, where what nobody wrote may be anything."""
    if _loaded_if_known(item.varying, offset, width) is not None:
        raise UndecidedError(f"what {item.name} holds is not the same after each run of the init")
    word, holes = loaded(item, offset, width), _loaded_if_known(item.holes, offset, width)
    if holes is None:
        return word
    anything = words.variable(f"{HOLE}{item.name} {next(_NUMBERS)}", word.width)
    return words.or_(word, words.and_(holes, anything))


def _loaded_if_known(where: Object | None, offset: Word, width: int) -> Word | None:
    """Which bits of a load are not sure; None where all are."""
    if where is None:
        return None
    loaded_word = loaded(where, offset, width)
    some = loaded_word.data.entries.any() if loaded_word.op == "table" else loaded_word.value
    return loaded_word if some else None
