"""Lists without a bracket around them: filled in by statements, or bare rows of numbers."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from magicert.board import Board
from magicert.verify.source.languages.types import Width
from magicert.verify.source.lists.around import Around
from magicert.verify.source.lists.regular import Path, Rows, as_rows, fewest_numbers, leaves
from magicert.verify.source.text.lexing import Code
from magicert.verify.source.text.tokens import Token
from magicert.verify.source.text.tree import Element, Group
from magicert.verify.source.values.definitions import Definitions
from magicert.verify.source.values.leaf import Leaf, Row, Value
from magicert.verify.source.values.reader import Reader

Cell = tuple[str, Path, str | int | None, Value]
"""A list's name, the field in it, the subscript, and the value."""

_APPENDS = ("push", "push_back", "append", "add", "Add", "emplace_back")


def assigned_lists(group: Group, code: Code, reader: Reader, board: Board) -> Iterator[Rows]:
    """Lists that statements fill in: `name[3] = x;`, `name[3].field = x`, `name.push(x)`."""
    if group.bracket not in ("", "{", "("):
        return
    cells: dict[tuple[str, Path], list[tuple[str | int | None, Leaf, int]]] = {}
    for at, element in enumerate(group.elements):
        cell = None
        if isinstance(element, Group) and element.numbers <= 4:
            cell = _cell(group.elements, at, element, code, reader)
        if cell is not None:
            name, path, subscript, value = cell
            for inner, leaf in leaves(value, path):
                if leaf.value is not None:
                    line = code.line(element.place)
                    cells.setdefault((name, inner), []).append((subscript, leaf, line))
    for (name, path), entries in cells.items():
        if len(entries) >= fewest_numbers(board):
            row = Row(tuple(leaf for _, leaf, _ in entries), tuple(key for key, _, _ in entries))
            shown = ".".join((name, *map(str, path)))
            rows = as_rows(row, shown, (), entries[0][2], entries[-1][2], board)
            if rows is not None:
                yield replace(rows, stated=True)


def _cell(
    elements: Sequence[Element], at: int, element: Group, code: Code, reader: Reader
) -> Cell | None:
    """The one item that the bracket at `elements[at]` assigns or appends, if it does."""
    before = elements[at - 1] if at else None
    if not isinstance(before, Token) or before.kind != "name":
        return None
    if element.bracket == "[" and len(element.elements) <= 4:
        subscript = reader.subscript(element)
        if subscript is None:
            return None
        value, path = _assigned(elements, at + 1, code, reader)
        return before.text, path, subscript, value
    owner = elements[at - 3] if at >= 3 else None
    if before.text in _APPENDS and isinstance(owner, Token) and owner.kind == "name":
        return owner.text, (), None, reader.value([element])
    return None


def _assigned(
    elements: Sequence[Element], at: int, code: Code, reader: Reader
) -> tuple[Value, Path]:
    """The value behind `=`, and the fields named before it; no value where there is no `=`."""
    path: list[str | int] = []
    while at < len(elements):
        element = elements[at]
        if isinstance(element, Group):
            if element.bracket != "[" or len(element.elements) != 1:
                return Leaf(None), ()
            inner = reader.subscript(element)
            if inner is None:
                return Leaf(None), ()
            path.append(inner)
        elif element.kind == "name":
            path.append(element.text)
        elif element.text in ("=", ":="):
            break
        elif element.text not in (".", "->"):
            return Leaf(None), ()
        at += 1
    else:
        return Leaf(None), ()
    line = code.line(elements[at].place)
    item: list[Element] = []
    for element in elements[at + 1 : at + 24]:
        if isinstance(element, Token) and element.kind == "separator":
            break
        own_line = code.line(element.place)
        if item and own_line != line:
            break
        line = own_line
        item.append(element)
    return (reader.value(item) if item else Leaf(None)), tuple(path)


_DATA_WORDS = frozenset({"dq", "dd", "dw", "db", "quad", "xword", "octa", "long", "word", "dc"})


def bare_lists(root: Group, code: Code, known: Definitions, board: Board) -> Iterator[Rows]:
    """Numbers in a row without brackets, as in assembly or a plain file of numbers."""
    run: list[tuple[Leaf, int]] = []
    name = ""
    following = ""
    width: Width | None = None
    for element in [*root.elements, Group("", 0)]:
        if isinstance(element, Token):
            if element.kind == "number":
                run.append((Leaf(element.value, place=element.place), code.line(element.place)))
                continue
            # A backslash, `_` or `&` continues the line in C macros, Visual Basic, Fortran.
            if element.kind == "separator" or element.text in (".", ":", "\\", "_", "&"):
                continue
            if element.kind == "name" and element.text.lower() in _DATA_WORDS:
                width = known.narrow([element.text.lower()])
                continue
            following = element.text if element.kind == "name" else following
        if len(run) >= fewest_numbers(board):
            row = Row(tuple(leaf for leaf, _ in run), (None,) * len(run))
            rows = as_rows(row, name, (), run[0][1], run[-1][1], board)
            if rows is not None:
                yield replace(rows, around=Around(width))
        run = []
        width = None
        name = following
