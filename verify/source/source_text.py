"""A source without comments, its lists of numbers, and the functions around a place."""

import re
from bisect import bisect_right
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from magicert.languages.alternatives import Branch
from magicert.languages.definitions import Definitions
from magicert.languages.items import (
    ItemRow,
    Value,
    in_one_base,
)
from magicert.languages.language import Language, parse_within
from magicert.languages.syntax import Syntax, for_grammar

if TYPE_CHECKING:
    from tree_sitter import Node


SECONDS = 4.0
"""CPU time for the parses of one file; what takes longer is read by brackets."""


SHORT_NODE = 60
"""Letters of a node in which no function is looked for."""


@dataclass(frozen=True, slots=True)
class NumberList:
    """One list: `row` nests as the source does. `line` and `column` are of its bracket, from 1."""

    name: str
    type: str
    row: ItemRow
    file: str
    line: int
    column: int
    last_line: int
    around: tuple[str, ...] = ()
    """Names of what stands around it: classes, functions."""
    stated: bool = False
    """Filled by statements, one an item, not by one list."""
    loose: bool = False
    """Read by brackets and numbers where the grammar has none: what stands between is not known."""
    listed: ItemRow | None = None
    """Its own items, where statements in functions have replaced some."""

    def values(self) -> list[int | None]:
        """All numbers in order; None for what is not known."""
        (_, numbers), *_ = in_one_base([*self.row.flat()])
        return [number.value for number in numbers]


@dataclass(slots=True)
class Source:
    """One file under one choice of its `#if` branches."""

    path: Path
    file: str
    """What messages call it: as much of the path's end as tells it from the program's others."""
    language: Language
    text: str
    """Without comments, and without what other branches have."""
    code: str
    """The same without strings."""
    starts: list[int]
    definitions: Definitions
    lists: tuple[NumberList, ...] = ()
    taken: tuple[Branch, ...] = ()
    notes: tuple[str, ...] = ()
    sha256: str = ""
    functions: "list[tuple[Node, str]] | None" = None
    """What `functions_in` has found."""
    magic_fields: dict[str, list[int]] | None = None
    """The records' fields that are called magics, once they have been looked for."""
    members: set[str] = field(default_factory=set)
    """Those that the records' own functions call by their bare names."""
    followed: list[tuple[int, int, bool]] = field(default_factory=list)
    """Statements that give items of lists their numbers, and whether they surely do."""
    filling: set[int] = field(default_factory=set)
    """Where the names of lists stand in statements that fill them, and are followed."""
    root: "Node | None" = None
    """Its syntax tree, of the text in ASCII; None where no grammar has read it."""

    def syntax_tree(self) -> "Node | None":
        """Its syntax tree; that of a file whose lists were not read is read now."""
        parser = self.language.parser()
        if self.root is None and parser is not None:
            tree = parse_within(parser, for_grammar(self.text, self.language), SECONDS)
            self.root = tree.root_node if tree is not None else None
        return self.root

    def array_sizes(self, name: str) -> set[tuple[str, ...]]:
        """The sizes with which C declares arrays of a name."""
        root = self.syntax_tree() if self.language.is_c else None
        sizes: set[tuple[str, ...]] = set()
        for match in re.finditer(rf"\b{re.escape(name)}\s*+\[", self.code):
            end = match.start() + len(name)
            node = root.descendant_for_byte_range(match.start(), end) if root is not None else None
            written: list[str] = []
            while node is not None and node.parent is not None:
                node = node.parent
                if node.type != "array_declarator":
                    break
                size = node.child_by_field_name("size")
                written.append(self.code[size.start_byte : size.end_byte] if size else "")
            if written:
                sizes.add(tuple(written))
        return sizes

    def spot(self, place: int) -> tuple[int, int]:
        """The line of a place, from 1, and the characters before it in that line."""
        line = bisect_right(self.starts, place)
        return line, place - self.starts[line - 1]


class ItemStatement(NamedTuple):
    """What gives one item of a list its number. `sure`: only once, and under no condition.
    `called`: if a function is called.
    """

    value: Value
    span: tuple[int, int]
    around: tuple[str, ...] = ()
    sure: bool = True
    called: bool = True


def enclosing(source: Source, place: int) -> str:
    """The function that a place of the source stands in; "" where that is not known."""
    for node, name in functions_in(source):
        if node.start_byte <= place < node.end_byte:
            return name
    return ""


def functions_in(source: Source) -> "list[tuple[Node, str]]":
    """The functions of a source that stand in no other, each with its name."""
    if source.functions is None:
        source.functions = []
        root = source.syntax_tree()
        stack = [root] if root is not None else []
        syntax = Syntax(source.text, source.language)
        while stack:
            node = stack.pop()
            if syntax.kinds.get(node.type) == "function":
                source.functions.append((node, _name_of(node, syntax)))
            elif node.end_byte - node.start_byte > SHORT_NODE:
                stack += node.named_children
    return source.functions


def _name_of(function: "Node", syntax: Syntax) -> str:
    declarator = function.child_by_field_name("declarator") or function.child_by_field_name("name")
    if declarator is None:  # Kotlin's
        named = (child for child in function.named_children if "identifier" in child.type)
        declarator = next(named, None)
    declared = syntax.node_text(declarator) if declarator is not None else ""
    name = re.search(r"(?<![~\w:])[~\w:]++(?=\s*+\(|$)", declared)
    return name[0] if name else ""
