"""What expressions of constants come to: numbers, rows of them, or what is not known.

    1 << ROOK_BITS                 4096
    {0x12, 0x34, [7] = 5}          a row of eight items, with zeros between
    magic(7)                       7, as a guess: what `magic` does is not known

What the names in them stand for, the source's definitions say. What is taken to read one, such as
that a function gives the number that it is given, stands beside the number as a guess.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Protocol

from magicert.languages.addresses import Address, Declared, Surroundings, address_of
from magicert.languages.brackets import Tree, literals
from magicert.languages.declared_types import DeclaredTypes
from magicert.languages.items import (
    ItemRow,
    ListItem,
    Value,
    flat_items,
    guessed,
    row_at,
    row_in_type,
)
from magicert.languages.language import FLOAT, Int, Language, combined, literal, prefixed
from magicert.languages.macros import DEEPEST_NAME, Macros, expansion
from magicert.languages.quoted_numbers import in_radix, quoted
from magicert.languages.syntax import read_expression

BEFORE = "the list before "
INSIDE = "the list in "
"""Guesses about all items of a list: that what is called on it, or with it, leaves them as they
are.
"""
MOST_REPEATED = 1024
"""Items of a list that is written shorter than it is: a longer one, or one of zeros, is there to be
filled.
"""
LARGEST_PLACE = 1 << 24
"""What is counted from a name that is not known (`table + 32`) is a place, or nothing."""
MOST_ARGUMENTS = 8
"""A call with fewer numbers is a record, or what a function makes of them: a name in small letters
does not say which.
"""
_NO_ADDRESS = ("number", "text", "list", "flat", "name", "lambda")
"""Kinds of items that are no addresses. A name alone may be any constant's."""
_BEFORE_A_LIST = 80
_LENGTH = re.compile(r"\[\s*(\w+)\s*\](?:\s*\[\s*\w+\s*\])*[^\[\]]*$")
"""How long a list is, before it: `bits[64] = `, `[64]uint`."""
_WORD = re.compile(r"(0[xX][0-9a-fA-F]{9,16})(?:[uU]?[lL]{1,2}|[uU])?")
"""A hexadecimal number of more than 32 bits and at most 64: any language's integer of 64 bits."""


class Known(Protocol):
    """What expressions are worked out by: what their source says of names."""

    language: Language
    word: int
    types: DeclaredTypes
    depth: int
    """How many names and macros are being worked out, one for another."""

    @property
    def macros(self) -> Macros: ...

    @property
    def several(self) -> dict[str, str]: ...

    @property
    def surroundings(self) -> Surroundings: ...

    def number(self, text: str) -> int | None: ...

    def constant(self, name: str) -> int | None: ...

    def declared(self, path: str) -> Declared | None: ...


class Evaluator:
    """Works out trees of one text. Macros are expanded by their text, as a preprocessor does."""

    def __init__(self, definitions: Known, text: str) -> None:
        self.known = definitions
        self.language = definitions.language
        self.text = text
        self.quick = self.language.literals in ("c", "plain") and not self.language.largest
        self.work: dict[str, Callable[[Tree], Value]] = {
            "number": self.literal, "text": quoted, "name": self.name, "unary": self.unary,
            "binary": self.binary, "cast": self.cast, "call": self.call, "list": self.row,
            "flat": self.plain, "expression": self.expression,
        }  # fmt: skip

    def value(self, tree: Tree) -> Value:
        return self.work.get(tree.kind, self.unknown)(tree)

    def item(self, tree: Tree) -> Value:
        """As `value`, of an item of a list: it may be the address of an entry of an array."""
        if tree.kind not in _NO_ADDRESS or (tree.kind == "name" and "[" in tree.word):
            pointed = address_of(self.text[tree.start : tree.end], self.known.surroundings)
            if pointed is not None and abs(pointed.entry) < LARGEST_PLACE:
                return self.address(tree, pointed)
        return self.value(tree)

    def address(self, tree: Tree, target: Address) -> ListItem:
        """An entry of an array, as an item. That an array that is not declared here is one of
        single entries, is taken.
        """
        guess = "" if self.known.declared(target.array) else f"{target.array} = single entries"
        place = tree.start + max(0, target.place)
        text = re.sub(r"\s+", " ", self.text[tree.start : tree.end])[:60]
        return ListItem(target.entry, place, text, guess, base=target.array)

    def expression(self, tree: Tree) -> Value:
        """What stands between brackets' items, by the grammar."""
        parsed = read_expression(self.text[tree.start : tree.end], self.language, tree.start)
        return self.unknown(tree) if parsed is None else self.value(parsed)

    def unknown(self, tree: Tree, why: str = "") -> ListItem:
        """What stands there, where it is no number."""
        text = re.sub(r"\s+", " ", self.text[tree.start : tree.end])[:60]
        return ListItem(None, tree.start, text or "?", "", why)

    def literal(self, tree: Tree) -> ListItem:
        number = literal(tree.word, self.language)
        if number is None:
            return self.unknown(tree)
        return self.read(number.value, tree.start, tree.word, number.problem)

    def read(self, value: int | None, place: int, text: str, problem: str) -> ListItem:
        """A literal that was read; what a suffix of the user's own makes of it is guessed."""
        if problem and self.language.is_c and "_" in text:
            return ListItem(value, place, text, f"{BEFORE}the suffix {text[text.index('_') :]}")
        return ListItem(value, place, text, "", problem)

    def typed(self, tree: Tree) -> tuple[Int, ListItem] | None:
        """A number with its type, for operators."""
        if tree.kind == "number":
            number = literal(tree.word, self.language)
            if number is None:
                return None
            return number, ListItem(number.value, tree.start, "", "", number.problem)
        if tree.kind == "cast" and len(tree.children) == 1 and not tree.word:
            return self.typed(tree.children[0])
        item = self.value(tree)
        if not isinstance(item, ListItem) or item.value is None or not item.settled or item.base:
            return None
        bits, signed = self.kind(tree)
        return Int(item.value, bits, signed, item.problem), item

    def kind(self, tree: Tree) -> tuple[int, bool]:
        """The type of what a tree comes to; (0, True) where that is not known."""
        match tree.kind:
            case "cast" | "call" if tree.word:
                known = self.known.types.type_of(tree.word)
                if known is None and self.known.word > 64 and len(tree.children) == 1:
                    return self.known.word, False
                return known if known and known[0] != FLOAT else (0, True)
            case "number":
                number = literal(tree.word, self.language)
                return (number.bits, number.signed) if number else (0, True)
            case "unary" | "cast" if tree.children:
                return self.kind(tree.children[-1])
            case "binary":
                if tree.word in ("<<", ">>", ">>>"):
                    return self.kind(tree.children[0])
                return max(
                    map(self.kind, tree.children), key=lambda width_and_sign: width_and_sign[0]
                )
            case "name":
                return (64, False) if self.language.literals != "plain" else (0, True)
            case _:
                return 0, True

    def name(self, tree: Tree) -> ListItem:
        value = self.known.constant(tree.word)
        return ListItem(value, tree.start, tree.word)

    def unary(self, tree: Tree) -> ListItem:
        """A sign before a number."""
        inner = self.typed(tree.children[0])
        if inner is None:
            return self.unknown(tree)
        result = prefixed(tree.word, inner[0], self.language, self.known.word)
        if isinstance(result, str):
            return self.unknown(tree, result)
        negative = tree.word == "-" and tree.children[0].kind == "number"
        problem = result.problem if not negative or result.value.bit_length() > 63 else ""
        return ListItem(result.value, tree.start, "", inner[1].guess, problem)

    def binary(self, tree: Tree) -> Value:
        """An operator between two numbers, or with a list."""
        if _is_list(tree):
            return self.joined(tree)
        parts = [self.typed(child) for child in tree.children]
        first_part, second_part = parts if len(parts) == 2 else (None, None)
        if first_part is None or second_part is None:
            return self.unknown(tree)
        (a, first), (b, second) = first_part, second_part
        result = combined(tree.word, a, b, self.language)
        if isinstance(result, str):
            return self.unknown(tree, result)
        return ListItem(result.value, tree.start, "", first.guess or second.guess, result.problem)

    def part(self, tree: Tree) -> Value:
        """As `value`, but a list of one item stays one."""
        if tree.kind == "binary" or not _is_list(tree) or len(tree.children) != 1:
            return self.value(tree)
        return ItemRow((self.value(tree.children[0]),), ("",), tree.start, tree.end)

    def joined(self, tree: Tree) -> Value:
        """Lists behind each other, or one several times."""
        row, repeat = map(self.part, tree.children)
        if isinstance(repeat, ItemRow):
            row, repeat = repeat, row  # 64 * [11]
        if tree.word not in self.language.joins or not isinstance(row, ItemRow):
            return self.unknown(tree)
        if isinstance(repeat, ItemRow):
            items, keys = repeat.items + row.items, repeat.keys + row.keys
            return ItemRow(items, keys, tree.start, tree.end)
        times, numbers = repeat.value or 0, [number.value for number in row.flat()]
        if None in numbers or not any(numbers) or len(numbers) * times > MOST_REPEATED:
            return self.unknown(tree)
        return ItemRow(row.items * times, row.keys * times, tree.start, tree.end)

    def cast(self, tree: Tree) -> Value:
        """A number in brackets, or as another type."""
        inner = self.value(tree.children[0])
        if tree.word in self.language.radix and isinstance(inner, ListItem):
            inner = in_radix(inner, self.language.radix[tree.word])
        if not tree.word or isinstance(inner, ItemRow) or inner.value is inner.hexed is None:
            return inner
        return self.converted(tree, inner)

    def converted(self, tree: Tree, inner: ListItem) -> ListItem:
        """A number as the type or function before it makes it."""
        called = tree.word if self.language.keeps(tree.word) else re.split(r"::|\.", tree.word)[-1]
        known = self.known.types.type_of(tree.word if inner.text[:1] == '"' else called)
        inner = replace(inner, place=inner.place if inner.text else tree.start)
        if known is None:
            guess = f"{tree.word}(...) = the number in it"
            if self.known.word > 64:
                guess = f"{tree.word} = {self.known.word} bits"
            return replace(inner, guess=inner.guess or guess)
        if known[0] == FLOAT:
            return replace(inner, problem=f"{tree.word} holds no integers of 64 bits")
        exact = self.language.rounds and known[0] > 64 and inner.text[:1] == '"'
        return replace(
            inner.in_type(*known), problem="" if exact else inner.problem, radix_stated=True
        )

    def call(self, tree: Tree) -> Value:
        """A macro, a constructor, a conversion, or a list behind its type."""
        expanded = self.expanded(tree)
        if expanded is not None:
            return expanded
        children = tree.children
        if tree.word.startswith("@") and len(children) == 2:  # @as(u64, 5)
            kind = self.text[children[0].start : children[0].end]
            return self.cast(Tree("cast", tree.start, tree.end, kind, children[1:]))
        values = self.arguments(children)
        if (row := _only_list(children, values)) is not None:
            return self.constructed(tree, row)
        if len(values) == 1 and len(children) == 1:
            return self.of_one_argument(tree, values[0])
        if children and children[0].kind == "text" and isinstance(values[0], ListItem):
            base = self.radix(tree, values)
            if base:
                return self.converted(tree, in_radix(values[0], base))
            if base is not None:
                return replace(self.converted(tree, values[0]), radix_stated=False)
        return self.record(tree)

    def arguments(self, children: Sequence[Tree]) -> list[Value]:
        """What a call is given: without names, if it is given any such, and a radix."""
        values = [self.value(child) for child in children if child.kind != "pair"] or [
            self.value(child.children[0]) for child in children
        ]
        return (
            values
            + [  # UInt64("5f", radix: 16)
                self.value(child.children[0]) for child in children[1:] if child.word == "radix"
            ]
        )

    def of_one_argument(self, tree: Tree, only: Value) -> Value:
        """A call as its only argument, in another type."""
        if isinstance(only, ItemRow):
            return replace(only, word=only.word or tree.word)
        known = only.text or only.value is not None
        label = tree.children[0].word if tree.children[0].kind == "pair" else ""
        if label and label not in self.language.labels:
            guess = f"{tree.word}({label}: ...) = the number in it"
            only = replace(only, guess=only.guess or guess)
        if tree.word in self.language.radix:
            only = in_radix(only, self.language.radix[tree.word])
        return self.converted(tree, only) if known else only

    def record(self, tree: Tree) -> ItemRow:
        """A call's arguments as a row; of few it is a guess that what is called keeps them."""
        row = replace(self.row(tree), word=tree.word)
        name = re.split(r"\W+", tree.word.rstrip("!"))[-1]
        is_constructor = name[:1].islower() or (
            self.known.word == 64 and self.known.types.type_of(tree.word)
        )
        if self.language.records is not None:
            record = re.compile(self.language.records).match(self.text, tree.start)
            is_constructor = is_constructor or record is None
        if is_constructor and 1 < len(row.items) < MOST_ARGUMENTS and not self.language.keeps(name):
            row = guessed(row, f"{_brief(tree.word)}(...) = the numbers in it")
        return row

    def constructed(self, tree: Tree, row: ItemRow) -> ItemRow:
        """A list as a call makes it: of the type that is named, or as what is called on it does."""
        if tree.children[0].start == tree.start or tree.word[:1] == ".":  # [0x..., 0x...].map(...)
            row = guessed(row, f"{BEFORE}{_brief(tree.word)}")
        elif tree.word and not (
            self.language.keeps(tree.word) or self.known.types.type_of(tree.word)
        ):
            row = guessed(row, f"{INSIDE}{_brief(tree.word)}(...)")
        for child in tree.children:
            type_text = (
                self.text[child.children[0].start : child.end] if child.kind == "pair" else ""
            )
            kind = self.known.types.type_of(type_text)  # dtype=np.float64
            row = row_in_type(row, kind, self.known.word, f"made as {type_text}") if kind else row
        return replace(row, word=row.word or tree.word)

    def radix(self, tree: Tree, values: Sequence[Value]) -> int | None:
        """The radix that a call says of the digits in its first argument; 0 where what stands
        there is no number; None where it makes a record of a text and numbers.
        """
        if len(values) < 2:  # its other arguments have names: they say no radix
            return None
        *between, last = values[1:]
        if not isinstance(last, ListItem) or last.text[:1] == '"':
            return None
        if last.value == 16 and not any(getattr(item, "value", 1) for item in between):
            return 16  # strtoull("5f", nullptr, 16)
        called = tree.children[0].start == tree.start or tree.children[-1].word == "radix"
        if between or not (called or self.known.types.type_of(tree.word)):
            return None
        if last.value is None:
            return 0  # ulong.Parse("5f", NumberStyles.HexNumber)
        return last.value if 2 <= last.value <= 36 else None

    def expanded(self, tree: Tree) -> Value | None:
        """A macro's body with the arguments' texts in it, worked out; None where it is no macro."""
        if self.known.depth > DEEPEST_NAME:
            return None
        body = expansion(self.known.macros, tree.word, self.text[tree.start : tree.end])
        if body is None:
            return None
        parsed = read_expression(body, self.language)
        if parsed is None:
            macro = self.known.macros.get(tree.word)
            pasted = macro is not None and "##" in macro[1] and len(macro[0]) > 1
            return ListItem(None, tree.start, _brief(body)) if pasted else None
        value = self.inside(body, parsed)
        if isinstance(value, ItemRow):
            return row_at(value, tree.start)
        plain = len(tree.children) == 1 and tree.children[0].kind == "number"
        place = tree.children[0].start if plain else tree.start
        return replace(value, place=place) if value.value is not None else None

    def inside(self, body: str, tree: Tree) -> Value:
        """What a macro's body comes to."""
        self.known.depth += 1
        value = Evaluator(self.known, body).item(tree)
        self.known.depth -= 1
        return value

    def row(self, tree: Tree) -> ItemRow:
        items: list[Value] = []
        keys: list[str | int] = []
        for child in tree.children:
            for item, key in self.items(child):
                items.append(item)
                keys.append(key)
        arms = any(child.kind == "pair" and child.word for child in tree.children)
        if self.language.fills and not arms:
            items, keys = self.placed(tree, items, keys)
        if len(items) == 1 and isinstance(items[0], ItemRow) and not keys[0]:
            return replace(items[0], word=items[0].word or tree.word)
        return ItemRow(tuple(items), tuple(keys), tree.start, tree.end, tree.word)

    def items(self, child: Tree) -> Iterator[tuple[Value, str | int]]:
        """What a part of a list stands for: items with their names or subscripts."""
        if child.kind != "pair":
            text = self.known.several.get(child.word, "") if child.kind == "name" else ""
            tree = read_expression(text, self.language) if self.known.depth < DEEPEST_NAME else None
            row = self.inside(text, tree) if tree is not None else None
            if tree is not None and isinstance(row, ItemRow) and len(tree.children) != 1:
                yield from ((item, "") for item in row_at(row, child.start).items)
            else:
                yield self.item(child), ""
            return
        value, key = self.item(child.children[0]), child.word
        indices = [self.value(index) for index in child.children[1:]]
        known = [
            index.value
            for index in indices
            if isinstance(index, ListItem) and index.value is not None
        ]
        most = 1 if getattr(value, "value", 1) == 0 else MOST_REPEATED
        if known and len(known) == len(indices) and known[-1] - known[0] < most:
            yield from ((value, n) for n in range(known[0], known[-1] + 1))
        else:
            yield value, key or "".join(getattr(index, "text", "").strip('"') for index in indices)

    def placed(
        self, tree: Tree, items: list[Value], keys: list[str | int]
    ) -> tuple[list[Value], list[str | int]]:
        """Items where their subscripts say; those that are left out, up to the length that is said
        before the list, are zero.
        """
        subscripts = [key for key in keys if key != ""]
        if not subscripts or not all(isinstance(key, int) for key in subscripts):
            return items, keys
        places: dict[int, Value] = {}
        following = 0
        for item, key in zip(items, keys, strict=True):
            following = key if isinstance(key, int) else following
            places[following] = item
            following += 1
        before = self.text[max(0, tree.start - _BEFORE_A_LIST) : tree.start]
        length_match = _LENGTH.search(before + tree.word)
        length = max(max(places) + 1, (length_match and self.known.number(length_match[1])) or 0)
        gaps = length - min(places) - len(places)
        plain = all(isinstance(item, ListItem) for item in items)
        plain &= any(getattr(item, "value", 0) for item in items)
        if not 0 <= min(places) <= length <= MOST_REPEATED or (gaps and not plain):
            return items, keys
        if not gaps and len(places) == len(items):
            return items, keys
        zero = ListItem(0, tree.start)
        return [places.get(n, zero) for n in range(length)], [""] * length

    def plain(self, tree: Tree) -> ItemRow:
        """A list of nothing but literals, the fast way."""
        items = []
        known: dict[str, tuple[int | None, str]] = {}  # attack tables repeat their numbers
        for match in literals(self.language).finditer(self.text, tree.start, tree.end):
            text = match[0]
            if text not in known:
                known[text] = self.signed(text)
            value, problem = known[text]
            if problem:
                items.append(self.read(value, match.start(), text, problem))
            else:
                items.append(ListItem(value, match.start(), text))
        return ItemRow(tuple(items), ("",) * len(items), tree.start, tree.end, tree.word)

    def signed(self, text: str) -> tuple[int | None, str]:
        """A literal with its sign, and why the language would make another number of it."""
        if self.quick and (plain := _WORD.fullmatch(text)):
            return int(plain[1], 16), ""
        number = literal(text.lstrip("- "), self.language)
        if number is None:
            return None, ""
        if text[0] != "-":
            return number.value, number.problem
        negated = prefixed("-", number, self.language, self.known.word)
        assert isinstance(negated, Int)
        # Signed words have no name for the least of them: - 2^63 is a literal that is too large.
        fine = not number.problem or number.value == 1 << 63
        return negated.value, "" if fine else number.problem


def _only_list(children: Sequence[Tree], values: Sequence[Value]) -> ItemRow | None:
    """The list among a call's arguments, where these are no more than it and short ones."""
    rows = [one for one in values if isinstance(one, ItemRow) and len(one.items) >= 8]
    named = len(children) > 2 and all(child.kind == "pair" for child in children)
    if len(rows) != 1 or named:
        return None
    short = all(one is rows[0] or len(flat_items(one)) <= 2 for one in values)
    return rows[0] if short else None


def _is_list(tree: Tree) -> bool:
    """Is a tree a list as it is written, or an operator with one?"""
    typed = tree.kind == "call" and tree.word[:1] == "["  # Zig's [_]u6{11}
    return (
        tree.kind in ("list", "flat")
        or typed
        or (tree.kind == "binary" and any(map(_is_list, tree.children)))
    )


def _brief(text: str) -> str:
    return re.sub(r"\s+", " ", text if len(text) < 40 else f"{text[:36]}...")
