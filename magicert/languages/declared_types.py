"""The types that a source declares: other names for numbers, and records with their fields.

    typedef unsigned long long U64;             U64      64 bits, no sign
    struct Magic { U64 magic; int shift; };     Magic    magic: 64 bits, shift: 32 and a sign

They say how many bits of a number in a list are kept. A type that is not understood says nothing.
"""

import re
from collections.abc import Iterable
from functools import cached_property

from magicert.languages.items import Fields, RecordField
from magicert.languages.language import Language, type_of

_ALIAS = re.compile(
    r"\btypedef\s++(?P<a>\w++(?:\s++\w++){0,20}?)\s++(?P<na>\w++)\s*+;"
    r"|\busing\s++(?P<nb>\w++)\s*+=\s*+(?P<b>[\w:\s]++);"
    r"|\b(?:typealias|type|alias)\s++(?P<nc>\w++)\s*+(?:=\s*+)?(?P<c>\w++)"
    r"|^[ \t]*#[ \t]*define[ \t]+(?P<nd>\w+)[ \t]+"
    r"(?P<d>(?:unsigned|signed|u?int\w*|long|__u?int128\w*)\b[\w ]*)$",
    re.MULTILINE,
)
_STRUCT = re.compile(
    r"\b(?:struct|class)\b(?:[ \t]++(?P<name>\w++))?[^{};()=]{0,400}+"
    r"\{(?P<body>[^{}]*+)\}(?:\s*+(?P<alias>\w++))?"
)
_FIELD = re.compile(r"(?<!\w)(\w++)\s*+((?:\[[^\[\]]*+\]\s*+)*+)(?::\s*+(\d++)\s*+)?$")
_NO_FIELD = re.compile(r"\b(?:static|using|typedef|friend)\b|^\s*$")


class DeclaredTypes:
    """The types of a source. Each is looked up when it is asked for."""

    def __init__(self, code: str, language: Language) -> None:
        self.code = code
        self.language = language

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

    def _fields(self, body: str) -> Fields | None:
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

    def fields_of(self, kind: str, others: Iterable["DeclaredTypes"]) -> Fields | None:
        """The fields of the record that a type names or is, here or in other files."""
        if (match := _STRUCT.search(kind)) is not None:
            return self._fields(match["body"])
        everywhere = [self, *others]
        for word in reversed(re.findall(r"\w+", kind)):
            for types in everywhere:
                if (body := types.records.get(word)) is not None:
                    return types._fields(body)
        return None
