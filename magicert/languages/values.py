"""What expressions of constants come to: numbers, rows of them, or what is not known."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property

from magicert.languages.addresses import Address, Declared, Surroundings, address_of
from magicert.languages.brackets import Tree, literals
from magicert.languages.items import (
    Fields,
    ItemRow,
    ListItem,
    RecordField,
    Value,
    flat_items,
    guessed,
    row_at,
    row_in_type,
)
from magicert.languages.language import (
    FLOAT,
    Int,
    Language,
    combined,
    literal,
    prefixed,
    read_text_number,
    type_of,
)
from magicert.languages.syntax import read_expression

DEFINE = re.compile(
    r"^[ \t]*#[ \t]*define[ \t]+(?P<name>\w+)(?P<params>\([^()\n]*\))?"
    r"(?P<body>(?:[^\n\\]|\\[^\n]|\\\n)*)",
    re.MULTILINE,
)
_ASSIGNED = re.compile(
    r"(?<!\w)(?P<name>[A-Za-z_]\w*)[ \t]*(?::[ \t]*[\w:<>]{1,40}[ \t]*)?"
    r"(?:[ \t]constant[ \t\w]{0,80})?"
    r"(?::=|=(?![=>]))[ \t\n]*(?P<value>[^=;,\n{}\"]{1,160})(?=[;,\n}]|$)"
)
_CONST = re.compile(
    r"\b(?:const|constexpr|constinit|consteval|final|readonly|val|let|immutable|parameter|constant)\b"
)
_VARIABLES = ("C", "C++", "Java", "C#", "D", "Go", "Rust", "Zig", "JavaScript", "TypeScript",
              "Kotlin", "Scala", "Swift", "AssemblyScript")  # fmt: skip
"""Languages that say of a constant that it is one."""
_ENUM = re.compile(r"\benum\b[^{};]{0,400}+\{([^{}]*+)\}")
_IOTA = re.compile(r"\bconst\s*+\(\s*+(\w++(?:\s++\w++)?\s*+=\s*+iota[ \t]*+[;\n][^()=]*+)\)")
_ALIAS = re.compile(
    r"\btypedef\s++(?P<a>\w++(?:\s++\w++){0,20}?)\s++(?P<na>\w++)\s*+;"
    r"|\busing\s++(?P<nb>\w++)\s*+=\s*+(?P<b>[\w:\s]++);"
    r"|\b(?:typealias|type|alias)\s++(?P<nc>\w++)\s*+(?:=\s*+)?(?P<c>\w++)"
    r"|^[ \t]*#[ \t]*define[ \t]+(?P<nd>\w+)[ \t]+"
    r"(?P<d>(?:unsigned|signed|u?int\w*|long|__u?int128\w*)\b[\w ]*)$",
    re.MULTILINE,
)
_NO_DECLARATION = re.compile(
    r"\b(?:return|else|case|delete|goto|new|in|of|sizeof|typedef|using|addr|ref|out|and|or|not)\b"
)
_ARRAY_C = (
    r"(?<![\w.>])(?P<kind>(?:[A-Za-z_][\w:]*(?:<[^<>;]*>)?\s+)+){name}\s*"
    r"(?P<dims>(?:\[[^\[\]\n]*\]\s*)+)(?=\s*(?:=(?!=)|[;{{,)]|__attribute__|$))"
)
_ARRAY_BEHIND = (
    r"(?<![\w.>]){name}\s*:\s*"
    r"(?P<behind>(?:\[[^\[\]\n]*)+(?:\][^\[\]\n=;,]*)+)"
)
"""Rust's `name: [u64; 64]`, Zig's `name: [64]u64`."""
_ARRAY_GO = r"\b(?:var\s+)?(?<![\w.>]){name}(?:\s+|\s*=\s*)(?P<behind>(?:\[[^\[\]\n:]+\])+\w+)"
_ARRAY_NEW = (
    r"(?<![\w.>]){name}\s*=\s*(?:new|stackalloc)\s+(?P<kind>\w+)\s*(?P<dims>\[[^\[\]\n]*\])"
)
_ARRAY_BEFORE = r"(?<![\w.>])(?P<kind>\w+)\s*(?P<dims>\[[^\[\],\n]*\])\s+{name}\s*[;=,)]"
"""D's `ulong[64] name`, C#'s `ulong[] name`."""
_ARRAY_OF = r"\barray\s*<(?P<inside>[^;{{}}()]*)>\s*(?<![\w.>]){name}\b"
_ARRAYS = (_ARRAY_C, _ARRAY_BEHIND, _ARRAY_GO, _ARRAY_NEW, _ARRAY_BEFORE, _ARRAY_OF)
"""How arrays are declared."""
BEFORE = "the list before "
INSIDE = "the list in "
"""Guesses about all items of a list: that what is called on it, or with it, leaves them as they
are.
"""
_DEEPEST_NAME = 12
LONGEST_DECLARATION = 2000
"""Letters before and behind a name, of which its declaration consists."""
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
LONGEST_TEXT, FEWEST_IN_A_TEXT = 80, 16
"""Letters of a text that may be one number, and numbers of one that is a list."""
_LENGTH = re.compile(r"\[\s*(\w+)\s*\](?:\s*\[\s*\w+\s*\])*[^\[\]]*$")
"""How long a list is, before it: `bits[64] = `, `[64]uint`."""
_DIGITS = re.compile(r"[0-9a-fA-F_]{1,160}")
_WORD = re.compile(r"(0[xX][0-9a-fA-F]{9,16})(?:[uU]?[lL]{1,2}|[uU])?")
"""A hexadecimal number of more than 32 bits and at most 64: any language's integer of 64 bits."""


_STRUCT = re.compile(
    r"\b(?:struct|class)\b(?:[ \t]++(?P<name>\w++))?[^{};()=]{0,400}+"
    r"\{(?P<body>[^{}]*+)\}(?:\s*+(?P<alias>\w++))?"
)
_FIELD = re.compile(r"(?<!\w)(\w++)\s*+((?:\[[^\[\]]*+\]\s*+)*+)(?::\s*+(\d++)\s*+)?$")
_NO_FIELD = re.compile(r"\b(?:static|using|typedef|friend)\b|^\s*$")


class Definitions:
    """The constants, macros and types of a source. Each is looked up when it is asked for."""

    def __init__(
        self, code: str, language: Language, word: int = 64, others: Sequence["Definitions"] = ()
    ) -> None:
        self.code = code
        self.language = language
        self.word = word
        self.others = others
        self.known: dict[str, set[int | None]] = {}
        self.arrays: dict[str, Declared | None] = {}
        self.depth = 0

    @cached_property
    def macros(self) -> dict[str, tuple[tuple[str, ...], str] | None]:
        """The macros with parameters; None for one that has two definitions."""
        macros: dict[str, tuple[tuple[str, ...], str] | None] = {}
        for match in DEFINE.finditer(self.code) if self.language.is_c else ():
            if match["params"]:
                names = tuple(re.findall(r"[\w.]+", match["params"]))
                definition = (names, match["body"].replace("\\\n", " "))
                macros[match["name"]] = (
                    definition if macros.get(match["name"], definition) == definition else None
                )
        return macros

    @cached_property
    def texts(self) -> dict[str, set[str]]:
        """What is assigned to each name that is a constant."""
        texts: dict[str, set[str]] = {}
        for match in DEFINE.finditer(self.code) if self.language.is_c else ():
            if not match["params"] and match["body"].strip():
                body = match["body"].replace("\\\n", " ").strip()
                texts.setdefault(match["name"], set()).add(body)
        says = self.language.name in _VARIABLES
        for match in _ASSIGNED.finditer(self.code):
            line = self.code[self.code.rfind("\n", 0, match.start()) + 1 : match.start()]
            constant = f"{self.language.constant or '(?!)'}|{_CONST.pattern}"
            if not says or re.search(constant, line[-200:]) or self.language.name == "Go":
                texts.setdefault(match["name"], set()).add(match["value"].strip())
        return texts

    @cached_property
    def enumerators(self) -> dict[str, int | None]:
        """The numbers of enumerations' names; None for one that has two."""
        numbers: dict[str, int | None] = {}
        for body in _ENUM.findall(self.code):
            number: int | None = 0
            for part in body.split(","):
                name, sign, text = part.partition("=")
                word = re.search(r"\w+", name)
                if word is None:
                    continue
                if sign:
                    number = self.number(text)
                numbers[word[0]] = number if numbers.get(word[0], number) == number else None
                number = None if number is None else number + 1
        for body in _IOTA.findall(self.code) if self.language.name == "Go" else ():
            lines = [line.split() for line in re.split(r"[;\n]", body) if line.strip()]
            if any(len(words) > 1 for words in lines[1:]):
                continue  # another value from there on
            for number, (name, *_) in enumerate(lines):
                numbers[name] = number if numbers.get(name, number) == number else None
        return numbers

    def number(self, text: str) -> int | None:
        """What a text of constants comes to."""
        tree = read_expression(text, self.language) if self.depth < _DEEPEST_NAME else None
        if tree is None:
            return None
        self.depth += 1
        item = Evaluator(self, text).value(tree)
        self.depth -= 1
        if not isinstance(item, ListItem) or item.problem or item.guess or item.base:
            return None
        return item.value

    def constant(self, name: str) -> int | None:
        """The number that a name stands for, here or in the other files; None where that is not
        one number.
        """
        last_name = re.split(r"::|\.|->", name)[-1]
        values = self.values_for(last_name)
        if not values:
            values = {
                v for other in self.others if other is not self for v in other.values_for(last_name)
            }
        return next(iter(values)) if len(values) == 1 else None

    @cached_property
    def surroundings(self) -> Surroundings:
        """What addresses are read by."""
        return Surroundings(
            self.count, self.declared, self.text_of, self.bits_of, self.language.slices
        )

    def bits_of(self, kind: str) -> int:
        """The bits of a type; 0 where it is not known."""
        return (self.type_of(kind) or (0, True))[0]

    def count(self, text: str) -> int | None:
        """A literal, or a constant's number."""
        if not text[:1].isdigit():
            return self.constant(text)
        number = literal(text, self.language)
        return None if number is None or number.problem else number.value

    def text_of(self, name: str) -> str | None:
        """What a name that is a constant stands for, as written; None where that is not one."""
        last_name = re.split(r"::|\.|->", name)[-1]
        candidates = {
            t for definitions in (self, *self.others) for t in definitions.texts.get(last_name, ())
        }
        return next(iter(candidates)) if len(candidates) == 1 else None

    def declared(self, path: str) -> Declared | None:
        """The array of a name, as it is declared here or in the other files; None where it is not,
        or in two ways.
        """
        last_name = re.findall(r"\w+", re.sub(r"\[[^\]]*\]", "", path))[-1]
        if last_name not in self.arrays:
            every = {
                d
                for definitions in (self, *self.others)
                for d in definitions.declarations(last_name)
            }
            whole = {d for d in every if d.entries} or every  # beside `extern U64 table[];`
            self.arrays[last_name] = next(iter(whole)) if len(whole) == 1 else None
        return self.arrays[last_name]

    @cached_property
    def may_be_arrays(self) -> dict[str, list[int]]:
        """Where names stand as they do in `_ARRAYS`: in prose these are few."""
        behind = re.finditer(r"(\w++)\s*+[\[:=]", self.code)
        before = re.finditer(r"(?:\]\s|>)\s*+(\w++)", self.code)
        places: dict[str, list[int]] = {}
        for match in sorted((*behind, *before), key=lambda match: match.start(1)):
            places.setdefault(match[1], []).append(match.start(1))
        return places

    def declarations(self, name: str) -> Iterator[Declared]:
        """Each declaration of an array of a name: its lengths, 0 for one that is not known."""
        parts = [*_around(name, self.may_be_arrays.get(name, ()), self.code)]
        for pattern in (
            re.compile(pattern_text.format(name=re.escape(name)))
            for pattern_text in _ARRAYS
            if parts
        ):
            for start, end in parts:
                for match in pattern.finditer(self.code, start, end):
                    whole = match.end() < end or end == len(self.code)
                    declaration = self.lengths(match) if whole else None
                    if declaration is not None:
                        yield declaration

    def lengths(self, match: re.Match[str]) -> Declared | None:
        """What a declaration says of an array."""
        groups = match.groupdict()
        kind, texts = (
            groups.get("kind") or "",
            re.findall(r"\[([^\[\]]*)\]", groups.get("dims") or ""),
        )
        if (dimensions := groups.get("behind")) is not None:  # [[u64; 4096]; 64], [64][4096]u64
            texts = re.findall(r";\s*([^;\[\]]+)\]", dimensions)[::-1] or re.findall(
                r"\[([^\[\]]*)\]", dimensions
            )
            kind = " ".join(
                re.findall(r"[A-Za-z_]\w*", re.sub(r"\[[^;\[\]]*\]|;[^\]]*", " ", dimensions))
            )
        if (dimensions := groups.get("inside")) is not None:  # array<array<U64, 4096>, 64>
            texts = re.findall(r",\s*([^,<>]+)", dimensions)[::-1]
            kind = " ".join(re.findall(r"\w+", dimensions.partition(",")[0]))
        texts = [
            length for text in texts for length in (text.split(",") if "," in text else [text])
        ]
        if not texts or _NO_DECLARATION.search(kind):
            return None
        lengths = [self.number(text) or 0 if text.strip() else 0 for text in texts]
        if not all(lengths[1:]):
            return None
        bits = self.bits_of(kind)
        return Declared(tuple(lengths), bits)

    def values_for(self, name: str) -> set[int | None]:
        """What this source's definitions of a name come to."""
        if name not in self.known:
            self.known[name] = set()  # a name that is defined by itself
            values = {self.number(text) for text in self.texts.get(name, ())}
            if name in self.enumerators:
                values.add(self.enumerators[name])
            self.known[name] = values
        return self.known[name]

    @cached_property
    def several(self) -> dict[str, str]:
        """The macros that stand for several items of a list, as lists."""
        by_name = self.texts.items() if self.language.is_c else ()
        return {
            name: f"{{{min(bodies)}}}"
            for name, bodies in by_name
            if "," in min(bodies) and len(bodies) == 1
        }

    def counts(self) -> dict[str, int]:
        """The constants that are small numbers, and whose names speak of shifts or bits."""
        known = dict.fromkeys([*self.texts, *self.enumerators])
        names = [name for name in known if re.search(r"(?i)shift|bits", name)]
        constants = ((name, self.constant(name)) for name in names)
        return {name: value for name, value in constants if value is not None and 0 < value < 200}

    @cached_property
    def aliases(self) -> dict[str, tuple[str, ...]]:
        """The words that each name of a type stands for."""
        aliases: dict[str, tuple[str, ...]] = {}
        for match in _ALIAS.finditer(self.code):
            for key in "abcd":
                if match[f"n{key}"]:
                    aliases.setdefault(match[f"n{key}"], tuple(re.findall(r"\w+", match[key])))
        return aliases

    @cached_property
    def records(self) -> dict[str, str | None]:
        """What stands between the braces of C's records; None for one that has two definitions."""
        bodies: dict[str, str | None] = {}
        for match in _STRUCT.finditer(self.code) if self.language.is_c else ():
            for name in filter(None, (match["name"], match["alias"])):
                body = match["body"]
                bodies[name] = body if bodies.get(name, body) == body else None
        return bodies

    def fields(self, body: str) -> Fields | None:
        """The fields that stand between a record's braces; None where not all is understood."""
        fields: Fields = {}
        body = re.sub(r"\b(?:public|private|protected)\s*:|=[^;,]*", "", body)
        for part in body.split(";"):
            kind = ""
            for declarator in part.split(",") if not _NO_FIELD.search(part) else ():
                field = _FIELD.search(declarator)
                if field is None or "(" in declarator:
                    return None
                kind = kind or declarator[: field.start()]
                known = None if "*" in kind + declarator else self.type_of(kind)
                if known is not None and field[3]:
                    known = int(field[3]), known[1]
                several = bool(field[2]) or any(w in self.records for w in re.findall(r"\w+", kind))
                declaration = " ".join(f"{kind} {declarator[field.start() :]}".split())
                fields[field[1]] = RecordField(declaration, None if several else known, several)
        return fields

    def fields_of(self, kind: str) -> Fields | None:
        """The fields of the record that a type names or is, here or in the other files."""
        if (match := _STRUCT.search(kind)) is not None:
            return self.fields(match["body"])
        for word in reversed(re.findall(r"\w+", kind)):
            for definitions in (self, *self.others):
                if (body := definitions.records.get(word)) is not None:
                    return definitions.fields(body)
        return None

    def type_of(self, text: str) -> tuple[int, bool] | None:
        """The type that a text names, as `type_of` says it; aliases are followed."""
        words = re.findall(r"[A-Za-z_]\w*", text)
        for _ in range(3):
            known = type_of(words, self.language)
            if known is not None:
                return known
            words = [part for word in words for part in self.aliases.get(word, ())]
        before = re.compile(r"^(?:to|as|get|parse|from|make)_?", re.IGNORECASE)
        return type_of([before.sub("", word) for word in words], self.language)


class Evaluator:
    """Works out trees of one text. Macros are expanded by their text, as a preprocessor does."""

    def __init__(self, definitions: Definitions, text: str) -> None:
        self.known = definitions
        self.language = definitions.language
        self.text = text
        self.quick = self.language.literals in ("c", "plain") and not self.language.largest
        self.work: dict[str, Callable[[Tree], Value]] = {
            "number": self.literal, "text": self.string, "name": self.name, "unary": self.unary,
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
                known = self.known.type_of(tree.word)
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

    def string(self, tree: Tree) -> Value:
        """A number in quotes; or a list, of many numbers and nothing else."""
        if len(tree.word) > LONGEST_TEXT and (row := self.numbers_in(tree)) is not None:
            return row
        inner = tree.word.strip("\"'`")
        value, hexed = read_text_number(inner), None
        if _DIGITS.fullmatch(inner):
            hexed = read_text_number(inner, 16)
            hexed = None if hexed == value else hexed
        text = inner if value is None and hexed is None else f'"{inner}'
        has_prefix = inner[:2] in ("0b", "0B")
        return ListItem(value, tree.start, text, hexed=hexed, radix_stated=has_prefix)

    def numbers_in(self, tree: Tree) -> ItemRow | None:
        """The numbers that a text holds; None where it holds anything else."""
        inner = tree.word.strip("\"'`")
        begin = tree.start + tree.word.find(inner)
        items = []
        for match in re.finditer(r"[^\s,;]+", inner):
            value, hexed = read_text_number(match[0]), None
            if _DIGITS.fullmatch(match[0]):
                hexed = read_text_number(match[0], 16)
                hexed = None if hexed == value else hexed
            if value is None and hexed is None:
                return None
            text = f'"{match[0]}'
            items.append(ListItem(value, begin + match.start(), text, hexed=hexed))
        if len(items) < FEWEST_IN_A_TEXT:
            return None
        return ItemRow(tuple(items), ("",) * len(items), tree.start, tree.end)

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
            inner = self.in_radix(inner, self.language.radix[tree.word])
        if not tree.word or isinstance(inner, ItemRow) or inner.value is inner.hexed is None:
            return inner
        return self.converted(tree, inner)

    def converted(self, tree: Tree, inner: ListItem) -> ListItem:
        """A number as the type or function before it makes it."""
        called = tree.word if self.language.keeps(tree.word) else re.split(r"::|\.", tree.word)[-1]
        known = self.known.type_of(tree.word if inner.text[:1] == '"' else called)
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
        values = [self.value(child) for child in children if child.kind != "pair"] or [
            self.value(child.children[0]) for child in children
        ]
        values += [  # UInt64("5f", radix: 16)
            self.value(child.children[0]) for child in children[1:] if child.word == "radix"
        ]
        rows = [
            argument
            for argument in values
            if isinstance(argument, ItemRow) and len(argument.items) >= 8
        ]
        named = len(children) > 2 and all(child.kind == "pair" for child in children)
        alone = len(rows) == 1 and all(
            argument is rows[0] or len(flat_items(argument)) <= 2 for argument in values
        )
        if alone and not named:
            return self.constructed(tree, rows[0])
        if len(values) == 1 and len(children) == 1:
            (only,) = values
            if isinstance(only, ItemRow):
                return replace(only, word=only.word or tree.word)
            known = only.text or only.value is not None
            label = children[0].word if children[0].kind == "pair" else ""
            if label and label not in self.language.labels:
                only = replace(
                    only, guess=only.guess or f"{tree.word}({label}: ...) = the number in it"
                )
            if tree.word in self.language.radix:
                only = self.in_radix(only, self.language.radix[tree.word])
            return self.converted(tree, only) if known else only
        if children and children[0].kind == "text" and isinstance(values[0], ListItem):
            base = self.radix(tree, values)
            if base:
                return self.converted(tree, self.in_radix(values[0], base))
            if base is not None:
                return replace(self.converted(tree, values[0]), radix_stated=False)
        row = replace(self.row(tree), word=tree.word)
        name = re.split(r"\W+", tree.word.rstrip("!"))[-1]
        is_constructor = name[:1].islower() or (
            self.known.word == 64 and self.known.type_of(tree.word)
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
        elif tree.word and not (self.language.keeps(tree.word) or self.known.type_of(tree.word)):
            row = guessed(row, f"{INSIDE}{_brief(tree.word)}(...)")
        for child in tree.children:
            type_text = (
                self.text[child.children[0].start : child.end] if child.kind == "pair" else ""
            )
            kind = self.known.type_of(type_text)  # dtype=np.float64
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
        if between or not (called or self.known.type_of(tree.word)):
            return None
        if last.value is None:
            return 0  # ulong.Parse("5f", NumberStyles.HexNumber)
        return last.value if 2 <= last.value <= 36 else None

    def in_radix(self, item: ListItem, radix: int) -> ListItem:
        """A number that stands in a string, by the radix that something says."""
        if item.text[:1] != '"':
            return item
        return replace(item, value=read_text_number(item.text[1:], radix), hexed=None)

    def expanded(self, tree: Tree) -> Value | None:
        """A macro's body with the arguments' texts in it, worked out; None where it is no macro."""
        if self.known.depth > _DEEPEST_NAME:
            return None
        replaced = self.replaced(tree.word, self.text[tree.start : tree.end])
        if replaced is None:
            return None
        body, _ = replaced
        for _ in range(_DEEPEST_NAME):  # macros in its body
            calls = (m for m in _CALLED.finditer(body) if m[1] in self.known.macros)
            call = next(calls, None)
            inner = self.replaced(call[1], body[call.start() :]) if call else None
            if call is None or inner is None:
                break
            body = f"{body[: call.start()]}{inner[0]}{body[call.start() + inner[1] :]}"
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

    def replaced(self, name: str, call: str) -> tuple[str, int] | None:
        """A macro's body with the arguments of a call in it, and the place behind the call; None
        where it is no macro.
        """
        macro = self.known.macros.get(name)
        # As they are written: what a macro pastes need be no number yet.
        arguments, end = arguments_of(call, call.find("(") + 1)
        if macro is None or len(macro[0]) != len(arguments):
            return None
        texts = (argument.replace("\\", "") for argument in arguments)
        by_name = dict(zip(macro[0], texts, strict=True))
        body = re.sub(r"(?<!\w)[A-Za-z_]\w*", lambda word: by_name.get(word[0], word[0]), macro[1])
        return re.sub(r"(?<![ \t])[ \t]*+##[ \t]*+", "", body), end

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
            tree = (
                read_expression(text, self.language) if self.known.depth < _DEEPEST_NAME else None
            )
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


_CALLED = re.compile(r"\b([A-Za-z_]\w*)[ \t]*\(")


def arguments_of(
    text: str, start: int, opening: str = "([{", closing: str = ")]}"
) -> tuple[list[str], int]:
    """A call's arguments as they are written, from behind a bracket to where it ends; and the place
    behind it.
    """
    arguments, depth = [], 0
    for place in range(start, len(text)):
        depth += (text[place] in opening) - (text[place] in closing)
        if depth < 0 or (text[place] == "," and not depth):
            arguments.append(text[start:place].strip())
            start = place + 1
        if depth < 0:
            return arguments if arguments != [""] else [], place + 1
    return [], 0


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


def _around(name: str, places: Iterable[int], code: str) -> Iterator[tuple[int, int]]:
    """The parts of a source that may declare a name which stands in these places, in their order:
    the statement up to it, and what is behind.
    """
    start, end = 0, -1
    for place in places:
        least = max(place - LONGEST_DECLARATION, 0)
        before = max(least, *(code.rfind(sign, least, place) + 1 for sign in ";{}"))
        behind = min(place + len(name) + LONGEST_DECLARATION, len(code))
        if end < 0:
            start, end = before, behind
        elif before <= end:
            end = behind
        else:
            yield start, end
            start, end = before, behind
    if end >= 0:
        yield start, end
