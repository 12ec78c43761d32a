"""What the source itself says of the names in an item: constants, macros, functions, types."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from magicert.verify.source.languages.arithmetic import literal
from magicert.verify.source.languages.constructors import constructor_changes
from magicert.verify.source.languages.conversions import (
    Effect,
    defined_effect,
    effect,
    operator_effect,
)
from magicert.verify.source.languages.language import PLAIN, Language
from magicert.verify.source.languages.numbers import own_suffix
from magicert.verify.source.languages.types import (
    Width,
    aliases,
    field_widths,
    is_wide,
    narrow,
)
from magicert.verify.source.text.tokens import Token
from magicert.verify.source.values.leaf import NOTHING, Leaf, Objection, Value

ROUNDING = frozenset({"Number", "parseInt", "parseFloat", "toNumber"})
"""JavaScript's conversions to a double."""


@dataclass(slots=True)
class Definitions:
    """`constants` are the named numbers of the source, `text` is the source as it stands.

    `word` are the bits of a bitboard, 64 or 128. `code` gives the text without its comments.
    `bound` are the values of names that stand for arguments.
    """

    language: Language = PLAIN
    constants: Mapping[str, int] = field(default_factory=dict)
    text: str = ""
    word: int = 64
    code: Callable[[], str] = str
    bound: Mapping[str, Value] = field(default_factory=dict)
    bodies: dict[str, list[Any]] = field(default_factory=dict)
    """The definitions of names that are called, as bodies.py finds them."""
    aliases: dict[str, tuple[str, ...]] | None = None
    """Other names of types, once they have been looked for."""
    effects: dict[str, Effect] = field(default_factory=dict)
    records: dict[str, dict[str | int, Width]] = field(default_factory=dict)
    widths: dict[tuple[str, ...], Width | None] = field(default_factory=dict)

    def literal(self, token: Token) -> Leaf:
        """A number as the language holds it."""
        if token.value is None:
            return NOTHING
        number = literal(token.text, token.value, self.language)
        problem, guess = number.problem, ""
        if suffix := own_suffix(token.text, self.language):
            match self.suffix_effect(suffix):
                case "unknown":
                    guess = suffix
                case "changes":
                    problem = problem or f"the suffix {suffix} may change the number"
        objection = Objection(token.place, problem) if problem else None
        kind = "" if suffix else number.kind
        return Leaf(number.value, "", "", kind, objection, guess, token.place)

    def suffix_effect(self, suffix: str) -> Effect:
        """What a literal suffix of the source's own does: by its operator, else by its name."""
        if suffix not in self.effects:
            own = operator_effect(suffix, self.text, self.language.name)
            likely: Effect = "unknown" if effect(suffix) == "same" else "changes"
            self.effects[suffix] = own or likely
        return self.effects[suffix]

    def fields(self, types: Sequence[str]) -> dict[str | int, Width]:
        """The narrow fields of the first record type among the words of a declaration."""
        for word in types:
            if word not in self.records:
                self.records[word] = field_widths(word, self.text, self.language.name)
            if self.records[word]:
                return self.records[word]
        return {}

    def effect(self, name: str) -> Effect:
        """What a call of this name does: by the source's definition, else by its name."""
        if name not in self.effects:
            if self.language.rounds and name in ROUNDING:
                return "changes"
            own = defined_effect(name, self.text, self.language.name) if name in self.text else None
            if own is None and constructor_changes(name, self.text, self.language):
                own = "changes"
            self.effects[name] = own or effect(name)
        return self.effects[name]

    def narrow(self, words: Sequence[str]) -> Width | None:
        """The narrow type among the words of a cast or declaration, other names resolved."""
        key = tuple(words)
        if key not in self.widths:
            self.widths[key] = narrow(self.resolved(key), self.language.name, self.word)
        return self.widths[key]

    def is_wide(self, words: Sequence[str]) -> bool:
        """Is a type of 128 bits among the words, other names resolved?"""
        return is_wide(self.resolved(words))

    def resolved(self, words: Sequence[str]) -> list[str]:
        """The words, with the names of types that the source defines put for what they are."""
        if self.aliases is None:
            self.aliases = aliases(self.text)
        return [part for word in words for part in self.aliases.get(word, (word,))]
