"""What a source says of the names in its expressions: constants, macros, arrays and types.

    #define ROOK_BITS 12
    enum { A1, B1 };
    static U64 table[1 << ROOK_BITS];       ROOK_BITS 12, B1 1, `table` 4096 entries of 64 bits

Where a source says two things of a name, it says nothing. Other files of the same source are asked
for what this one does not say.
"""

import re
from collections.abc import Sequence
from functools import cached_property

from magicert.languages.addresses import Declared, Surroundings
from magicert.languages.array_declarations import ArrayDeclarations
from magicert.languages.declared_types import DeclaredTypes
from magicert.languages.evaluator import Evaluator
from magicert.languages.items import Fields, ListItem
from magicert.languages.language import Language, literal
from magicert.languages.macros import DEEPEST_NAME, DEFINE, Macros, macros_with_parameters
from magicert.languages.syntax import read_expression

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


class Definitions:
    """The constants, macros and types of a source. Each is looked up when it is asked for."""

    def __init__(
        self, code: str, language: Language, word: int = 64, others: Sequence["Definitions"] = ()
    ) -> None:
        self.code = code
        self.language = language
        self.word = word
        self.others = others
        self.types = DeclaredTypes(code, language)
        self.known: dict[str, set[int | None]] = {}
        self.arrays: dict[str, Declared | None] = {}
        self.array_declarations = ArrayDeclarations(code, self.number, self.bits_of)
        self.depth = 0

    @cached_property
    def macros(self) -> Macros:
        """The macros with parameters; None for one that has two definitions."""
        return macros_with_parameters(self.code) if self.language.is_c else {}

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
    def several(self) -> dict[str, str]:
        """The macros that stand for several items of a list, as lists."""
        by_name = self.texts.items() if self.language.is_c else ()
        return {
            name: f"{{{min(bodies)}}}"
            for name, bodies in by_name
            if "," in min(bodies) and len(bodies) == 1
        }

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
        tree = read_expression(text, self.language) if self.depth < DEEPEST_NAME else None
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
    def surroundings(self) -> Surroundings:
        """What addresses are read by."""
        return Surroundings(
            self.count, self.declared, self.text_of, self.bits_of, self.language.slices
        )

    def bits_of(self, kind: str) -> int:
        """The bits of a type; 0 where it is not known."""
        return (self.types.type_of(kind) or (0, True))[0]

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
                for d in definitions.array_declarations.of(last_name)
            }
            whole = {d for d in every if d.entries} or every  # beside `extern U64 table[];`
            self.arrays[last_name] = next(iter(whole)) if len(whole) == 1 else None
        return self.arrays[last_name]

    def counts(self) -> dict[str, int]:
        """The constants that are small numbers, and whose names speak of shifts or bits."""
        known = dict.fromkeys([*self.texts, *self.enumerators])
        names = [name for name in known if re.search(r"(?i)shift|bits", name)]
        constants = ((name, self.constant(name)) for name in names)
        return {name: value for name, value in constants if value is not None and 0 < value < 200}

    def fields_of(self, kind: str) -> Fields | None:
        """The fields of the record that a type names or is, here or in the other files."""
        return self.types.fields_of(kind, [one.types for one in self.others])
