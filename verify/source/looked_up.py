"""What an engine's code does with an item of its magics: the trees around it, from the inside out.

An item is one of the list itself, `magics[s]`, or what a record's field holds that is called a
magic, `entry.magic`: engines copy the numbers to such records when they start. Functions and macros
are looked at in which one stands, and those that call them where a call comes to one expression.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from magicert.languages.brackets import Tree
from magicert.languages.language import type_of, usual_sign
from magicert.languages.statements import (
    Function,
    fields_in,
    function_around,
    macro_around,
    members_in,
    spine,
)
from magicert.languages.syntax import read_expression
from magicert.languages.terms import OPERATORS, function_in
from magicert.verify.source.columns import MAGIC_WORDS, Column, says
from magicert.verify.source.contents import Contents
from magicert.verify.source.source_text import Source, enclosing, functions_in
from magicert.verify.source.variant import split_words

if TYPE_CHECKING:
    from tree_sitter import Node

_METHODS = {
    "wrapping_mul": "*", "wrapping_add": "+", "saturating_add": "+", "wrapping_sub": "-",
    "wrapping_shr": ">>", "unchecked_shr": ">>", "wrapping_shl": "<<",
    "shr": ">>", "ushr": ">>", "and": "&", "or": "|", "xor": "^", "times": "*",
}  # fmt: skip
"""Operators that are methods."""
_COMPLEMENTS = ("inv", "not")
"""Methods that turn all bits."""
CUTS = (">>", "/", "%", "<<")
"""A shift to the right, and what may stand in its place."""
_ACCESSES = ("get", "get_unchecked", "at", "add", "offset", "elementAt")
"""Methods that take an item of a list, or go on to it."""
_ORDER_WORDS = ("reverse", "sort", "shuffle", "rotate", "swap", "permute")
MOST_FUNCTIONS = 24
"""Functions that are looked at."""


@dataclass(frozen=True, slots=True)
class Value:
    """The value of an expression in a function, or what a macro stands for."""

    tree: Tree
    function: str
    parameters: tuple[str, ...]
    """Those of the function or the macro."""
    is_returned: bool
    is_macro: bool = False
    conditions: tuple[Tree, ...] = ()
    """Those under which it is computed, so far as they are understood."""


@dataclass(frozen=True, slots=True)
class Level:
    """An operator, cast or function around an item, and how C calls it; what else it takes.
    `from_left`: the item stands on its left.
    """

    tree: Tree
    sign: str
    other: Tree | None = None
    from_left: bool = True


@dataclass(slots=True)
class Lookup:
    """What is done with one item of the magics, from the inside out."""

    source: Source
    item: Tree
    value: Value
    """The expression in which it stands, and where that is."""
    levels: tuple[Level, ...] = ()
    """What is understood of what stands around it."""
    beyond: tuple[tuple[Tree, Tree], ...] = ()
    """What stands around that, each with what it stands around."""
    is_copy: bool = False
    """Is the item what a record holds?"""
    beside: tuple[Tree, ...] = ()
    """What the whole list, by its bare name, is handed to a function with."""
    reorders: bool = False
    """Is this a statement of its own, and the function called so that it changes the order?"""

    @property
    def place(self) -> str:
        """Where the item's name stands."""
        name = _last_name(self.item)
        line, column = self.source.spot(name.end - len(name.word))
        return f"{self.source.file}:{line}:{column + 1}"

    @property
    def whole(self) -> Tree:
        """All that is understood around the item."""
        return self.levels[-1].tree if self.levels else self.item

    @property
    def cut(self) -> int | None:
        """The outermost level that shifts to the right, or does what stands in a shift's place."""
        numbers = range(len(self.levels) - 1, -1, -1)
        cuts = (n for n in numbers if self.levels[n].sign in CUTS and self.levels[n].from_left)
        return next(cuts, None)

    @property
    def factors(self) -> list[Tree]:
        """What else is multiplied."""
        return [level.other for level in self.levels if level.sign == "*" and level.other]

    @property
    def amount(self) -> Tree | None:
        """By how much is shifted."""
        return self.levels[self.cut].other if self.cut is not None else None

    def table(self) -> tuple[Tree | None, bool]:
        """The list whose subscript it is, and whether nothing but casts stands between."""
        if self.cut is None:
            return None, True
        inner = [self.item, *(level.tree for level in self.levels)][self.cut + 1 :]
        outer = [level.tree for level in self.levels][self.cut + 1 :]
        plain = True
        for parent, child in (*zip(outer, inner, strict=False), *self.beyond):
            is_access = parent.kind == "item" or (
                parent.kind == "call" and parent.word in _ACCESSES
            )
            if (is_access and parent.children[0] is not child) or _is_pointer(parent):
                return parent, plain
            is_call_of_one = parent.kind == "call" and len(parent.children) == 1
            if cast_type(parent, self.source) is None and not is_call_of_one:
                operation = operation_of(parent, child)
                if operation is None or operation[0] not in ("+", "&"):
                    return None, plain
                plain = False
        return None, plain

    @property
    def copied_to(self) -> Tree | None:
        """A record's field that is called a magic, to which it is assigned."""
        if not self.beyond:
            return None
        parent, child = self.beyond[0]
        is_right = parent.kind == "assignment" and child is parent.children[1]
        return parent.children[0] if is_right and _is_field(parent.children[0]) else None

    @property
    def assigned(self) -> Tree | None:
        """What is assigned to the item."""
        parent, child = self.beyond[0] if self.beyond else (self.item, self.item)
        is_left = parent.kind == "assignment" and not parent.word and child is parent.children[0]
        return parent.children[1] if is_left and not self.levels else None


def _last_name(item: Tree) -> Tree:
    names, _, _ = spine(item)
    return names[-1] if names else item


def words_of(tree: Tree) -> tuple[str, ...]:
    """The names that something is taken from, without its subscripts."""
    words = [tree.word] if tree.kind in ("name", "field", "call") else []
    return (*words, *(words_of(tree.children[0]) if tree.children else ()))


def name_of(tree: Tree) -> str:
    """The name of an item's list, or of a call."""
    names, _, _ = spine(tree)
    return names[-1].word if names else tree.word


def names_in(tree: Tree) -> Iterator[str]:
    """All names in an expression."""
    if tree.kind in ("name", "field", "call"):
        yield tree.word
    for child in tree.children:
        yield from names_in(child)


def words_in(tree: Tree) -> Iterator[str]:
    """The words of the names in an expression."""
    for name in names_in(tree):
        yield from split_words(name)


def lookups_of(contents: Contents, magic: Column) -> Iterator[Lookup]:
    """What each expression does with items of the magics, and with their copies in records."""
    uses: dict[str, tuple[Source, dict[int, None]]] = {}
    for _, source, _, end in contents.elsewhere([magic]):
        uses.setdefault(source.file, (source, {}))[1][end] = None
    sources = [*contents.sources, *(source for source, _ in uses.values())]
    fields = {word for source in sources for word in magic_fields(source)}
    lists = {column.last_name for column in contents.columns}
    for word in sorted(fields):
        paths = {source.path for source in contents.sources}
        sources += contents.other_files.naming(word, contents.sources[0].language, paths)
    for source in {source.file: source for source in sources}.values():
        ends = uses.get(source.file, (source, {}))[1]
        of_fields = [end for places in magic_fields(source).values() for end in places]
        for value in values_around(source, [*sorted(ends), *sorted(of_fields)]):
            for chain in _items(value, magic, ends, lists, source.members):
                handed = chain[-1].kind == "name" and chain[-1].end in ends
                lookup = Lookup(source, chain[-1], value)
                if handed:
                    lookup.beside = chain[-2].children
                    words = split_words(chain[-2].word)
                    lookup.reorders = chain[-2] is value.tree and says(words, _ORDER_WORDS)
                else:
                    lookup.levels, lookup.beyond = _climbed(chain, source)
                names, _, _ = spine(chain[-1])
                lookup.is_copy = not handed and not (names and names[-1].end in ends)
                yield lookup


def magic_fields(source: Source) -> dict[str, list[int]]:
    """The fields of records that are called magics, with the ends of the places where they are
    taken.
    """
    if source.magic_fields is None:
        source.magic_fields = {}
        lower = source.code.lower()
        root = source.syntax_tree() if any(word in lower for word in MAGIC_WORDS) else None
        taken = [*fields_in(root, source.text)] if root is not None else []
        for word, end in taken:
            if says(split_words(word), MAGIC_WORDS):
                source.magic_fields.setdefault(word, []).append(end)
        for word in {*members_in(root, source.text)} if root is not None else ():
            if says(split_words(word), MAGIC_WORDS):
                source.magic_fields.setdefault(word, []).extend(ends_of(source, word))
                source.members.add(word)
    return source.magic_fields


def values_around(source: Source, ends: Sequence[int], *, follow: bool = True) -> Iterator[Value]:
    """The values of all expressions in the functions and macros around some places, and in those
    that call them. `follow`: a call is what the function returns.
    """
    root = source.syntax_tree() if ends else None
    if root is None:
        return
    text = source.text
    functions = _by_name(source) if follow else {}
    names = {node.id: name for name, node in functions.items()}
    looked_at: set[int] = set()
    places = [*ends]
    for end in places:
        node = root.descendant_for_byte_range(end - 1, end)
        macro = macro_around(node)
        if macro is not None:
            yield from _of_macro(macro, text, source)
            continue
        function = function_around(node)
        if function is None or function.id in looked_at or len(looked_at) > MOST_FUNCTIONS:
            continue
        looked_at.add(function.id)
        reader = Function(text, source.language, functions)
        parameters = reader.parameter_names(function)
        called = re.split(r"\W+", enclosing(source, end - 1))[-1]
        for tree, is_returned in reader.values(function):
            conditions = tuple(reader.conditions)
            yield Value(tree, called, parameters, is_returned, conditions=conditions)
        name = names.get(function.id, "")
        if name and Function(text, source.language, functions).returned(function):
            places += ends_of(source, name)


def ends_of(source: Source, name: str) -> list[int]:
    """Where a name ends, each time that it stands in a source."""
    return [match.end() for match in re.finditer(rf"\b{re.escape(name)}\b", source.code)]


def _of_macro(macro: "Node", text: str, source: Source) -> Iterator[Value]:
    """What a macro stands for."""
    body = macro.child_by_field_name("value")
    if body is None:
        return
    reader = Function(text, source.language)
    parameters = reader.parameter_names(macro)
    written = text[body.start_byte : body.end_byte].replace("\\\n", " \n")
    syntax = partial(Function, variables=parameters)
    tree = read_expression(written, source.language, body.start_byte, syntax)
    if tree is not None:
        name = macro.child_by_field_name("name")
        called = reader.node_text(name) if name is not None else ""
        yield Value(tree, called, parameters, is_returned=True, is_macro=True)


def _by_name(source: Source) -> "dict[str, Node]":
    """The functions of a source that share their name with no other."""
    found = [(re.split(r"\W+", name)[-1], node) for node, name in functions_in(source)]
    counts = Counter(name for name, _ in found)
    return {name: node for name, node in found if name and counts[name] == 1}


def _items(
    value: Value,
    magic: Column,
    ends: Collection[int],
    lists: set[str],
    members: Collection[str],
) -> Iterator[list[Tree]]:
    """The items of the magics in an expression, each behind all that stands around it; and where
    the whole list is handed to a function.
    """
    stack, members = [[value.tree]], {*members}.difference(value.parameters)
    while stack:
        chain = stack.pop()
        names, _, fields = spine(chain[-1])
        is_item = bool(names) and names[-1].end in ends and _is_magic(magic, fields)
        is_member = chain[-1].kind == "name" and chain[-1].word in members
        of = chain[-1].children[0] if _is_field(chain[-1]) else chain[-1]
        is_copy = (_is_field(chain[-1]) or is_member) and lists.isdisjoint(words_of(of))
        if is_item or is_copy:
            yield chain
        elif chain[-1].kind == "name" and chain[-1].end in ends:
            chain = [part for part in chain if part.kind not in ("unary", "cast")]
            if len(chain) > 1 and chain[-2].kind == "call":
                yield chain
        else:
            stack += [[*chain, child] for child in chain[-1].children]


def _is_field(tree: Tree) -> bool:
    """Is it a record's field that is called a magic?"""
    return tree.kind == "field" and says(split_words(tree.word), MAGIC_WORDS)


def _is_magic(magic: Column, fields: Sequence[str]) -> bool:
    """Are these the fields of a record behind which its magic stands?"""
    if not fields:
        return not magic.field
    last = re.split(r"\W+", magic.field)[-1]
    return fields[-1] == last or says(split_words(fields[-1]), MAGIC_WORDS)


def operation_of(parent: Tree, child: Tree) -> tuple[str, Tree, bool] | None:
    """An operator by C's name, the other operand, and if that is the right."""
    if len(parent.children) != 2:
        return None
    if parent.kind == "binary":
        sign = _METHODS.get(parent.word, usual_sign(parent.word))
    elif parent.kind == "call" and parent.word in _METHODS:
        sign = _METHODS[parent.word]
    else:
        return None
    is_left = parent.children[0] is child
    return sign, parent.children[is_left], is_left


def cast_type(tree: Tree, source: Source) -> tuple[int, bool] | None:
    """The bits of the type that something becomes, 0 where that is not known, and whether it is
    signed; None for no cast.
    """
    if len(tree.children) != 1 or tree.kind not in ("cast", "call"):
        return None
    words = re.findall(r"\w+", tree.word)
    aliases = source.definitions.types.aliases
    known = type_of(
        [*words, *(w for word in words for w in aliases.get(word, ()))], source.language
    )
    if known is None:
        return (0, False) if tree.kind == "cast" else None
    return known


def bare(tree: Tree, source: Source) -> Tree:
    """What stands in casts."""
    while cast_type(tree, source) is not None:
        tree = tree.children[0]
    return tree


def complement(tree: Tree, source: Source) -> Tree | None:
    """What all bits are turned of; None where they are not."""
    signs = ("~", source.language.complement)
    is_turned = tree.kind == "unary" and tree.word in signs
    is_turned |= tree.kind == "call" and tree.word in _COMPLEMENTS and len(tree.children) == 1
    return tree.children[0] if is_turned else None


def _climbed(
    chain: list[Tree], source: Source
) -> tuple[tuple[Level, ...], tuple[tuple[Tree, Tree], ...]]:
    """What is understood around the innermost of a chain, and what stands around that."""
    levels: list[Level] = []
    steps = tuple(zip(chain[-2::-1], chain[:0:-1], strict=True))
    for number, (parent, child) in enumerate(steps):
        level = _level(parent, child, source)
        if level is None:
            return tuple(levels), steps[number:]
        levels.append(level)
    return tuple(levels), ()


def _level(parent: Tree, child: Tree, source: Source) -> Level | None:
    """What is done around an expression, where that is understood."""
    if cast_type(parent, source) is not None:
        return Level(parent, "cast")
    if complement(parent, source) is not None:
        return Level(parent, "~")
    if parent.kind == "unary" and parent.word in ("-", "+"):
        return Level(parent, parent.word)
    if parent.kind == "choice":
        return Level(parent, "choice") if parent.children[0] is not child else None
    operation = operation_of(parent, child)
    if operation is None:
        function, operands = function_in(parent)
        return Level(parent, function) if function and operands[0] is child else None
    sign, other, is_left = operation
    if sign not in OPERATORS or parent.word in source.language.unlike:
        return None
    return Level(parent, sign, other, is_left)


def _is_pointer(tree: Tree) -> bool:
    return tree.kind == "unary" and tree.word == "*"
