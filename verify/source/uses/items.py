"""Uses of a list that make other numbers of its items: what is read is then not what multiplies."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from magicert.verify.source.languages.altering import altered, alters
from magicert.verify.source.languages.conversions import words_of
from magicert.verify.source.lists.columns import Column
from magicert.verify.source.lists.material import SourceText
from magicert.verify.source.uses.spoken import WITH_SUBSCRIPTS_TURNED, turned_item
from magicert.verify.source.uses.writes import Write, list_names, uncalled

_ITEM = (
    r"(?<![\w$@.]){name}(?:\s*\[(?P<subscript>[^\[\]\n]*(?:\[[^\]\n]*\])?[^\]\n]*)\]"
    r"|\.\([^)\n]*\)){{1,3}}"
)
_FIELD = r"(?:\s*(?:\.|->)\s*(?P<field>{field})\b)?"
_ANY_FIELD = re.compile(r"\s*(?:\.|->)\s*(\w+)(?!\s*\(|\w)")
_MULTIPLIERS = frozenset("factor magic magics mul mult multiplier number".split())  # noqa: SIM905
"""What a record without named fields may call its magic where it is used."""
_TURNED = re.compile(
    r"^\s*(?:(?:63|7)\s*-|(?:0x38|0x3f|56|63|7)\s*(?:\^|xor\b)"
    r"|.*(?:\^|\bxor\b)\s*(?:0x38|0x3f|56|63|7)\s*$|.*::\s*-\s*1|\w*(?:[Ff]lip|[Mm]irror)\w*\s*[(!])"
)
"""A subscript that counts the squares from another corner."""
_WHOLE_ARRAYS = ("Python", "Cython", "Julia", "R", "Fortran")
"""Languages with operators on whole lists."""
_VARIABLES = (
    r"\b(\w+)\s*(?::=|=|<-)\s*{item}\s*(?:;|$)",
    r"\bfor\b[^;{{}}\n]*?\b(\w+)\s*(?::|\bin\b|:=\s*range|=\s*range)\s*(?:\w+\s*\(\s*)?&?{name}(?![\w$])",
)
"""An item gets a name of its own."""
_LINES_OF_A_VARIABLE = 12


@dataclass(frozen=True, slots=True)
class Use(Write):
    """A statement that uses another number than the one that is read, or another square's."""

    turned: bool = False
    """Only the subscript is another: the numbers may be meant so."""
    whole: bool = False
    """The whole list is worked on, or handed over."""
    open: bool = False
    """What is done with the numbers is not in the source."""


def uses(column: Column, sources: tuple[SourceText, ...]) -> Iterator[Use]:
    """The uses that change an item, or take it by another subscript; each line once."""
    parts = column.halves or (column,)
    for name in dict.fromkeys(name for part in parts for name in list_names(part)[-1:]):
        for source in sources:
            seen: set[int] = set()
            for at, turned in _uses(name, column, source):
                line = source.code.count("\n", 0, at) + 1
                own = source.file == column.file and column.first_line <= line <= column.last_line
                if line not in seen and not own:
                    seen.add(line)
                    text = source.lines[line - 1].strip()
                    yield Use(source.file, line, text, uncalled(source, line), turned)


def _uses(name: str, column: Column, source: SourceText) -> Iterator[tuple[int, bool]]:
    """Where in the code, and whether only the subscript is another."""
    own = re.escape(name)
    if len(re.findall(rf"(?<![\w$@]){own}(?![\w$])", source.text)) < 2:
        return
    item = _ITEM.format(name=own)
    if column.field:
        item += _FIELD.format(field=re.escape(column.field))
    for match in altered(item, source.code, source.language):
        if not _is_another_field(match, column, source.code):
            yield match.start(), False
    if source.language.name in WITH_SUBSCRIPTS_TURNED:
        for match in altered(turned_item(name), source.code, source.language):
            yield match.start(), False
    for match in re.finditer(item, source.code):
        if _TURNED.match(match["subscript"] or ""):
            yield match.start(), True
    for match in altered(rf"(?<![\w$@.]){own}(?![\w$\[(])", source.code, source.language):
        if source.language.name in _WHOLE_ARRAYS or _is_called(match, source.code):
            yield match.start(), False
    yield from _of_variables(own, item, source)


def _is_another_field(match: re.Match[str], column: Column, code: str) -> bool:
    """Is it the record's mask or offset that is used here, as in `occ | ~rook[square].mask`?"""
    field = _ANY_FIELD.match(code, match.end())
    if field is None or (column.field and match["field"]):
        return False
    return bool(column.field) or _MULTIPLIERS.isdisjoint(words_of(field[1]))


def _is_called(match: re.Match[str], code: str) -> bool:
    """Is the whole list an argument, or the owner of a method, and no pointer in a sum?"""
    call = re.search(r"([\w.]*\w)\s*\(\s*&?\s*$", code[max(0, match.start() - 60) : match.start()])
    method = re.match(r"\s*\.\s*(\w+)", code[match.end() : match.end() + 60])
    return bool(call and alters(call[1])) or bool(method and alters(method[1]))


def _of_variables(name: str, item: str, source: SourceText) -> Iterator[tuple[int, bool]]:
    """Changes of a variable that holds an item, in the lines below."""
    for pattern in _VARIABLES:
        for found in re.finditer(pattern.format(item=item, name=name), source.code, re.MULTILINE):
            end = found.end()
            below = "\n".join(source.code[end:].split("\n", _LINES_OF_A_VARIABLE)[:-1])
            below = re.split(r"^[}\w]", below, maxsplit=1, flags=re.MULTILINE)[0]
            variable = rf"(?<![\w$@.]){re.escape(found[1])}(?![\w$(])"
            changed = [m.start() for m in altered(variable, below, source.language)]
            changed += [m.start() for m in re.finditer(rf"{variable}\s*(?:[\^+|-]|<<)=", below)]
            yield from ((end + at, False) for at in changed)
