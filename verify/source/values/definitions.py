"""What the source itself says of the names in an item: constants, macros, functions, types."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

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
from magicert.verify.source.languages.types import Width, aliases, field_widths, narrow
from magicert.verify.source.text.tokens import Token
from magicert.verify.source.values.leaf import NOTHING, Leaf, Objection

ROUNDING = frozenset({"Number", "parseInt", "parseFloat", "toNumber"})
"""JavaScript's conversions to a double."""


@dataclass(slots=True)
class Definitions:
    """`constants` are the named numbers of the source, `text` is the source as it stands."""

    language: Language = PLAIN
    constants: Mapping[str, int] = field(default_factory=dict)
    text: str = ""
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
            if self.aliases is None:
                self.aliases = aliases(self.text)
            known = [part for word in key for part in self.aliases.get(word, (word,))]
            self.widths[key] = narrow(known, self.language.name)
        return self.widths[key]
