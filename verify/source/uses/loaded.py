"""What the code does with a word that it has loaded: ANDed with an item of a list of lines, it is
a word of a layered table.

`attacks[slot] & lines[square]` is one, in either order. `occ & lines[square]` is none: what is
ANDed must be an item of something, or what a function returns.
"""

import re
from collections.abc import Iterator

from magicert.verify.source.lists.columns import Column
from magicert.verify.source.lists.material import SourceText
from magicert.verify.source.lists.naming import split_words
from magicert.verify.source.uses.about import about_a_name, marked
from magicert.verify.source.uses.writes import Write, list_names, uncalled

_AND = r"(?:(?<!&)&(?!&)|\band\b|\.&\.|&&&|\bland\b)"
_ITEM = r"\s*(?:\[[^\]\n]*\]|\([^)\n]*\))(?:(?:\.|->)(?P<{}>\w+))?"
_PATTERNS = (
    rf"[\])]\s*{_AND}\s*\(?(?:[\w.:>-]*[.:>])?{{name}}" + _ITEM.format("field"),
    rf"{{name}}{_ITEM.format('field')}\s*{_AND}\s*\(*[\w.:>-]*\w\s*\[",
)
_AND_WITH = rf"([\])])\s*{_AND}\s*\(?(?:[\w.:>-]*[.:>])?{{name}}\s*(?:\[[^\]\n]*\]|\([^)\n]*\))"
_COMPARED = re.compile(r"[=!/~]=|=/=|<>")
_OF_AN_ITEM = re.compile(rf"[\])]\s*{_AND}\s*\(?\w+(?:\.|->)(?P<field>\w+)")
_LINE_WORDS = frozenset({"line", "lines", "ray", "rays", "empty", "pseudo", "reach"})
_MASK_WORDS = frozenset({"mask", "masks", "occupancy", "occupied", "blockers"})


def anded(column: Column, sources: tuple[SourceText, ...]) -> Write | None:
    """The first statement that ANDs a loaded word with an item of a list; one that compares what
    comes of it, as a check does, if there is no other.
    """
    return min(_statements(column, sources), key=_compares, default=None)


def without_lines(statement: str, lines: str) -> str:
    """A statement without such ANDs with items of the list of that name."""
    return re.sub(_AND_WITH.format(name=re.escape(lines)), r"\1", statement)


def _compares(statement: Write) -> bool:
    return _COMPARED.search(statement.text) is not None


def _statements(column: Column, sources: tuple[SourceText, ...]) -> Iterator[Write]:
    for source in sources:
        for match in _matches(column, source):
            line = source.code.count("\n", 0, match.end()) + 1
            yield Write(source.file, line, source.lines[line - 1].strip(), uncalled(source, line))


def _matches(column: Column, source: SourceText) -> Iterator[re.Match[str]]:
    for name in list_names(column)[-1:]:
        for pattern in _PATTERNS:
            for match in about_a_name(pattern).finditer(marked(source.code, name)):
                if not split_words(match["field"] or "") & _MASK_WORDS:
                    yield match
    # `m.line`, where m is an item of the list.
    for match in _OF_AN_ITEM.finditer(source.code):
        if split_words(match["field"]) & _LINE_WORDS:
            yield match
