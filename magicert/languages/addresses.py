"""Addresses of elements, as initialisers write them: `&T[n]`, `T.a + n`, `T[n:]`, `T.AsSpan(n)`.

An address is the array that it lies in, and how many entries from its start. What this does not
read in full is no address: nothing is skipped or taken.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from math import prod
from typing import NamedTuple


class Declared(NamedTuple):
    """An array as it is declared: its lengths, and the bits of an entry (0: not known)."""

    lengths: tuple[int, ...]
    bits: int

    @property
    def entries(self) -> int:
        """How many it has in all."""
        return prod(self.lengths)


@dataclass(frozen=True, slots=True)
class Address:
    """An entry of an array. `place` is where its one number stands in the text, or -1."""

    array: str
    entry: int
    place: int = -1


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What the source says of names: numbers of constants, arrays, pointers that are constants, the
    bits of types. `slices`: the signs with which a part of an array is written, where it is one
    with the array and no copy.
    """

    number: Callable[[str], int | None]
    declared: Callable[[str], Declared | None]
    text_of: Callable[[str], str | None]
    bits_of: Callable[[str], int]
    slices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Item:
    """An array or an item of one, by its subscripts."""

    path: str
    subscripts: tuple[int, ...] = ()

    @property
    def whole(self) -> str:
        return self.path + "".join(f"[{subscript}]" for subscript in self.subscripts)


class _Pointer(NamedTuple):
    """An address, and how many entries further on what stands behind it lies; 0: not known."""

    array: str
    entry: int
    unit: int


class _NotReadError(Exception):
    """What stands there is no address that is understood."""


_TOKEN = re.compile(
    r"\s*(?:(?P<name>[A-Za-z_$]\w*(?:::[A-Za-z_]\w*)*)|(?P<number>\d[\w']*)"
    r"|(?P<sign>\.\.[=<.]?|->|[-+*&@.,:()\[\]<>{}]))"
)
_PREFIX = ("addr", "ref")
_DIRECT = ("data", "begin", "cbegin", "as_ptr", "as_mut_ptr", "as_slice", "AsSpan", "AsMemory")
"""Methods of an array that lead to its first entry, or to one that is counted from it."""
_FURTHER = ("add", "offset", "wrapping_add", "Slice", "subspan", "subarray", "AsSpan", "AsMemory")
"""Methods with a number of entries, and perhaps a length."""
_FUNCTIONS = ("begin", "cbegin", "data", "next", "addressof", "to_address", "span", "move")
_VIEWS = ("Span", "ReadOnlySpan", "ArraySegment", "Memory", "ReadOnlyMemory")
"""C#'s parts of an array: it, the first entry, a length."""
_CASTS = ("static_cast", "reinterpret_cast", "const_cast")
_LIKELY = re.compile(r"[\s(]*(?:&|@|\w)")
_ALLOCATED = re.compile(
    r"(?:\([^()]*\)\s*)?(?:new|make|[cm]alloc|aligned_alloc|stackalloc|vec!|Vec|std::make_unique)\b"
)
"""An array that is made: nothing else lies in it."""
_MOST = 200
DEEPEST = 40


def address_of(text: str, known: Surroundings, depth: int = 0) -> Address | None:
    """The address that a text is; None where it is none, or not understood. A name alone may be any
    constant's: only what a name stands for (`depth`) may be another.
    """
    if len(text) > _MOST or depth > 4 or not _LIKELY.match(text):
        return None
    try:
        return _Reader(text, known, depth).whole()
    except _NotReadError:
        return None


class _Reader:
    """Reads one text, from the left."""

    def __init__(self, text: str, known: Surroundings, depth: int) -> None:
        self.known, self.depth = known, depth
        self.tokens: list[tuple[str, str, int]] = []
        place, end = 0, len(text.rstrip())
        while place < end:
            match = _TOKEN.match(text, place)
            if match is None:
                raise _NotReadError
            kind = match.lastgroup or ""
            self.tokens.append((kind, match[kind], match.start(kind)))
            place = match.end()
        self.at = 0
        self.nested = 0
        self.numbers: list[tuple[int, int]] = []
        """The literals that count entries, with their places."""
        self.casts: set[int] = set()
        """The bits of the types that addresses were made addresses of."""

    def whole(self) -> Address:
        read = self.sum()
        if self.at < len(self.tokens):
            raise _NotReadError
        if isinstance(read, _Item) and not (read.subscripts or self.depth):
            raise _NotReadError  # a name alone
        pointer = self.address(read)
        declared = self.known.declared(pointer.array)
        if self.casts and (declared is None or self.casts != {declared.bits}):
            raise _NotReadError  # entries of another size
        places = [place for number, place in self.numbers if number == pointer.entry]
        sole = len(places) == len({*self.numbers}) == 1
        return Address(pointer.array, pointer.entry, places[0] if sole else -1)

    # Tokens.

    def sees(self, *words: str) -> bool:
        return self.at < len(self.tokens) and self.tokens[self.at][1] in words

    def takes(self, *words: str) -> bool:
        if not self.sees(*words):
            return False
        self.at += 1
        return True

    def must(self, word: str) -> None:
        if not self.takes(word):
            raise _NotReadError

    def name(self) -> str:
        if self.at >= len(self.tokens) or self.tokens[self.at][0] != "name":
            raise _NotReadError
        self.at += 1
        return self.tokens[self.at - 1][1]

    # Expressions.

    def sum(self) -> _Item | _Pointer:
        """An address, and numbers of entries that are added or taken away."""
        self.deeper()
        start = self.at
        number = self.constant()
        if number is not None and self.takes("+"):
            term: _Item | _Pointer = self.moved(self.operand(), number)
        else:
            self.at = start
            term = self.operand()
        while self.sees("+", "-"):
            sign = 1 if self.takes("+") else -1
            self.at += sign < 0
            term = self.moved(term, sign * self.product())
        if self.takes("as"):  # Rust: as *const u64
            self.must("*")
            if not self.takes("const", "mut"):
                raise _NotReadError
            self.cast_to(self.name())
            term = self.address(term)._replace(unit=1)
        self.nested -= 1
        return term

    def operand(self) -> _Item | _Pointer:
        """What stands between signs."""
        if self.takes("&", "@", *_PREFIX):
            self.takes("raw")
            self.takes("mut", "const")
            term = self.operand()
            return self.taken(term) if isinstance(term, _Item) else term
        if self.takes("unsafe"):
            self.must("{")
            term = self.sum()
            self.must("}")
            return self.behind(term)
        if self.takes("("):
            bits = self.type_in_brackets()
            if bits is not None:
                self.casts.add(bits)
                return self.address(self.operand())._replace(unit=1)
            term = self.sum()
            self.must(")")
            if isinstance(term, _Item) and not term.subscripts:
                self.must_be_declared(term)  # (uint64_t) -1
            return self.behind(term)
        return self.behind(self.named())

    def must_be_declared(self, item: _Item) -> None:
        if self.known.declared(item.path) is None:
            raise _NotReadError

    def named(self) -> _Item | _Pointer:
        """A name, or a function that leads to an entry."""
        new = self.takes("new")
        name = self.name()
        last_name = name.rpartition("::")[2]
        if name in _CASTS:
            self.must("<")
            self.cast_to(self.type_until(">"))
            self.must("(")
            cast = self.address(self.sum())._replace(unit=1)
            self.must(")")
            return self.behind(cast)
        if last_name in (*_VIEWS, "span") and self.takes("<"):
            self.type_until(">")
        if not self.sees("("):
            if new:
                raise _NotReadError
            return self.of_name(name)
        if last_name not in (*_VIEWS, *_FUNCTIONS) or (last_name in _VIEWS) != new:
            raise _NotReadError
        self.must("(")
        term = self.sum()
        if last_name == "addressof":
            term = self.taken(term) if isinstance(term, _Item) else term
        term = self.address(term)
        if last_name == "next" or last_name in _VIEWS:
            term = self.moved(term, self.count() if self.takes(",") else int(last_name == "next"))
        if last_name in (*_VIEWS, "span") and self.takes(","):
            self.count()
        self.must(")")
        return term

    def of_name(self, name: str) -> _Item | _Pointer:
        """An array, or a pointer that is a constant. A number is no address."""
        if self.known.declared(name) is not None:
            return _Item(name)
        if self.known.number(name) is not None:
            raise _NotReadError
        text = self.known.text_of(name)
        if text is None or _ALLOCATED.match(text):
            return _Item(name)
        address = address_of(text, self.known, self.depth + 1)
        if address is None:
            raise _NotReadError
        return _Pointer(address.array, address.entry, 1)

    def behind(self, term: _Item | _Pointer) -> _Item | _Pointer:
        """The subscripts, fields and methods behind something."""
        while self.sees("[", ".", "->"):
            if self.takes("["):
                term = self.subscript(term)
                continue
            self.at += 1
            name = self.name()
            if self.takes("("):
                term = self.method(term, name)
            elif name == "ptr":
                term = self.address(term)
            elif isinstance(term, _Item):
                term = _Item(f"{term.whole}.{name}")
            else:
                raise _NotReadError
        return term

    def method(self, term: _Item | _Pointer, name: str) -> _Pointer:
        if name not in (*_DIRECT, *_FURTHER):
            raise _NotReadError
        term = self.address(term)
        if self.takes(")"):
            if name not in _DIRECT:
                raise _NotReadError
            return term
        if name not in _FURTHER:
            raise _NotReadError
        term = self.moved(term, self.count())
        if self.takes(","):
            self.count()
        self.must(")")
        return term

    def subscript(self, term: _Item | _Pointer) -> _Item | _Pointer:
        """An item, or a part from one on."""
        first = None if self.sees(*self.known.slices) else self.count()
        if self.known.slices and self.takes(*self.known.slices):
            part = self.moved(term, first or 0)
            if not self.sees("]"):
                self.count()
            self.must("]")
            return part
        self.must("]")
        if first is None or not isinstance(term, _Item):
            raise _NotReadError
        return _Item(term.path, (*term.subscripts, first))

    def constant(self) -> int | None:
        """A number, or a name of one; None where there is none."""
        if self.at >= len(self.tokens):
            return None
        kind, text, place = self.tokens[self.at]
        number = self.known.number(text) if kind in ("number", "name") else None
        if number is None:
            return None
        self.at += 1
        if kind == "number":
            self.numbers.append((number, place))
        return number

    def product(self) -> int:
        """A number of entries: constants, multiplied."""
        value = self.factor()
        while self.takes("*"):
            value *= self.factor()
        return value

    def count(self) -> int:
        """A number of entries in brackets: products, added."""
        value = self.product()
        while self.sees("+", "-"):
            sign = 1 if self.takes("+") else -1
            self.at += sign < 0
            value += sign * self.product()
        return value

    def factor(self) -> int:
        value = self.constant()
        if value is None:
            self.deeper()
            self.must("(")
            value = self.count()
            self.must(")")
            self.nested -= 1
        return value

    def deeper(self) -> None:
        self.nested += 1
        if self.nested > DEEPEST:
            raise _NotReadError

    # Types.

    def type_in_brackets(self) -> int | None:
        """The bits of the entries of a pointer's type, behind a bracket; None where it is none."""
        start = self.at
        words = []
        while self.at < len(self.tokens) and self.tokens[self.at][0] == "name":
            words.append(self.name())
        if words and self.takes("*"):
            self.takes("const")
            if self.takes(")"):
                return self.known.bits_of(" ".join(words)) or -1
        self.at = start
        return None

    def type_until(self, end: str) -> str:
        words = []
        while not self.takes(end):
            if self.at >= len(self.tokens) or self.tokens[self.at][1] in "()[]<":
                raise _NotReadError
            words.append(self.tokens[self.at][1])
            self.at += 1
        return " ".join(words)

    def cast_to(self, kind: str) -> None:
        self.casts.add(self.known.bits_of(kind.replace("*", " ")) or -1)

    # What an address is of.

    def taken(self, item: _Item) -> _Pointer:
        """The address of an item, of a row or of a whole array."""
        declared = self.known.declared(item.path)
        lengths = declared.lengths if declared is not None else ()
        count = len(item.subscripts)
        if count > max(1, len(lengths)):
            raise _NotReadError  # how long a row is, is not known
        entry = 0
        for number in range(max(count, len(lengths))):
            entry *= lengths[number] if number < len(lengths) else 1
            entry += item.subscripts[number] if number < count else 0
        return _Pointer(item.path, entry, prod(lengths[count:]) if declared or count else 0)

    def decayed(self, item: _Item) -> _Pointer:
        """An array's name, or a row's, stands for the address of its first entry."""
        declared = self.known.declared(item.path)
        count = len(item.subscripts)
        if count and (declared is None or len(declared.lengths) <= count):
            raise _NotReadError  # the number that stands there
        entry = self.taken(item).entry
        return _Pointer(item.path, entry, prod(declared.lengths[count + 1 :]) if declared else 1)

    def address(self, term: _Item | _Pointer) -> _Pointer:
        return self.decayed(term) if isinstance(term, _Item) else term

    def moved(self, term: _Item | _Pointer, by: int) -> _Pointer:
        """An address so many further on."""
        term = self.address(term)
        if by and not term.unit:
            raise _NotReadError
        return term._replace(entry=term.entry + by * term.unit)
