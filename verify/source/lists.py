"""Lists of 64: every regular list of a source, with its name, fields and lines."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from verify.source.lexing import Code
from verify.source.naming import Header, header
from verify.source.tokens import Token
from verify.source.tree import Element, Group
from verify.source.values import Leaf, Reader, Row, Value

MOST_FIELDS = 16
FEWEST_NUMBERS = 48
Path = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Rows:
    """A list of records in the order of its subscripts.

    `fields` maps the path of a field inside a record to its leaves, one a record; a list of
    plain numbers has the one field `()`. `sorted_by` says what the subscripts were.
    """

    name: str
    context: tuple[str, ...]
    first_line: int
    last_line: int
    count: int
    fields: dict[Path, tuple[Leaf, ...]]
    sorted_by: str = ""
    problem: str = ""


@dataclass(slots=True)
class Finder:
    """Walks the tree of one source."""

    code: Code
    reader: Reader
    found: list[Rows] = field(default_factory=list)

    def walk(self, root: Group) -> list[Rows]:
        """All lists, in the order of the source."""
        self.found += bare_lists(root, self.code)
        pending: list[tuple[Group, str, tuple[str, ...]]] = [(root, "", ())]
        while pending:
            group, name, context = pending.pop()
            self.found += assigned_lists(group, self.code, self.reader)
            inner = list(self._inner(group, name, context))
            pending += reversed(inner)
        return sorted(self.found, key=lambda rows: rows.first_line)

    def _inner(
        self, group: Group, name: str, context: tuple[str, ...]
    ) -> Iterator[tuple[Group, str, tuple[str, ...]]]:
        """The groups inside one that are no list themselves; lists go to `found`."""
        number = 0
        statements = group.bracket in ("", "{")
        for at, element in enumerate(group.elements):
            if isinstance(element, Token):
                number += element.kind == "separator"
                continue
            if element.numbers < FEWEST_NUMBERS:
                continue
            own = header(group.elements, at, self.code.line)
            inner_name = _name(own, name, number, statements)
            inner_context = (*own.words, *context)[:40]
            rows = self._list(element, inner_name, inner_context)
            if rows is None:
                yield element, inner_name, inner_context
            else:
                self.found.append(rows)

    def _list(self, group: Group, name: str, context: tuple[str, ...]) -> Rows | None:
        row = self.reader.row(group)
        first, last = self.code.line(group.place), self.code.line(group.end)
        return as_rows(row, name, context, first, last)


def _name(own: Header, outer: str, number: int, statements: bool) -> str:
    if own.name:
        return own.name if statements or not outer else f"{outer}.{own.name}"
    if outer and not statements:
        return f"{outer}[{number}]"
    return f"{outer}[{number}]" if outer and not own.words else outer


def as_rows(
    row: Row, name: str, context: tuple[str, ...], first_line: int, last_line: int
) -> Rows | None:
    """The records of a row, or None where it is not one regular list."""
    records = list(row.children)
    keys = list(row.keys)
    if len(records) == 8 and all(isinstance(r, Row) and len(r.children) == 8 for r in records):
        inner = [record for record in records if isinstance(record, Row)]
        records = [leaf for record in inner for leaf in record.children]
        keys = [key for record in inner for key in record.keys]
        if any(key is not None for key in row.keys):
            keys = [None] * 64
    if len(records) < FEWEST_NUMBERS:
        return None
    fields = _fields(records)
    if not fields:
        return None
    sorted_by, problem = "", ""
    if any(key is not None for key in keys):
        order, sorted_by, problem = _subscript_order(keys)
        if order is not None:
            fields = {path: tuple(column[i] for i in order) for path, column in fields.items()}
    return Rows(
        name, context, first_line, last_line, len(records), fields, sorted_by, problem
    )


def _fields(records: Sequence[Value]) -> dict[Path, tuple[Leaf, ...]]:
    """The leaves of the records by their path, where every record has that path."""
    flat = []
    common: dict[Path, None] | None = None
    for record in records:
        leaves = dict(_leaves(record, ()))
        if len(leaves) > MOST_FIELDS:
            return {}
        flat.append(leaves)
        if common is None:
            common = dict.fromkeys(leaves)
        elif len(common) != len(leaves) or any(path not in leaves for path in common):
            common = {path: None for path in common if path in leaves}
            if not common:
                return {}
    numeric = {}
    for path in common or ():
        column = tuple(leaves[path] for leaves in flat)
        known = sum(leaf.value is not None or bool(leaf.text) for leaf in column)
        names_only = all(leaf.base and leaf.value == 0 for leaf in column)
        if known * 10 >= len(column) * 9 and not names_only:
            numeric[path] = column
    return numeric


def _leaves(value: Value, path: Path) -> Iterator[tuple[Path, Leaf]]:
    if isinstance(value, Leaf):
        yield path, value
        return
    for number, (child, key) in enumerate(zip(value.children, value.keys, strict=True)):
        yield from _leaves(child, (*path, number if key is None else key))
        if number > MOST_FIELDS:
            return


def _subscript_order(keys: Sequence[str | int | None]) -> tuple[list[int] | None, str, str]:
    """The order of the records by their subscripts, what these are, and what is wrong."""
    places: list[int] = []
    names = all(isinstance(key, str) and re.fullmatch("[a-h][1-8]", key) for key in keys)
    following = 0
    for key in keys:
        if isinstance(key, str) and names:
            following = "abcdefgh".index(key[0]) + 8 * "12345678".index(key[1])
        elif isinstance(key, int):
            following = key
        elif key is not None:
            return None, "", ""
        places.append(following)
        following += 1
    twice = sorted({place for place in places if places.count(place) > 1})
    if twice:
        return None, "", f"subscript {twice[0]} is given twice"
    order = sorted(range(len(places)), key=places.__getitem__)
    if places[order[-1]] - places[order[0]] != len(places) - 1:
        return None, "", "the subscripts leave gaps"
    return order, "squares" if names else "subscripts", ""


def assigned_lists(group: Group, code: Code, reader: Reader) -> Iterator[Rows]:
    """Lists that statements fill in: `name[3] = x;`, `name[3].field = x`, `name.push(x)`."""
    if group.bracket not in ("", "{", "("):
        return
    cells: dict[tuple[str, Path], list[tuple[str | int | None, Leaf, int]]] = {}
    elements = group.elements
    for at, element in enumerate(elements):
        if isinstance(element, Token) or not at or element.numbers > 4:
            continue
        before = elements[at - 1]
        if not isinstance(before, Token) or before.kind != "name":
            continue
        if element.bracket == "[" and len(element.elements) <= 4:
            subscript, rest, path = reader.subscript(element), at + 1, ()
            if subscript is None:
                continue
            value, path = _assigned(elements, rest, code, reader)
            name = before.text
        elif before.text in ("push", "push_back", "append", "add", "Add", "emplace_back"):
            owner = elements[at - 3] if at >= 3 else None
            if not isinstance(owner, Token) or owner.kind != "name":
                continue
            subscript, value, path, name = None, reader.value([element]), (), owner.text
        else:
            continue
        line = code.line(element.place)
        if isinstance(value, Leaf) and value.value is not None:
            cells.setdefault((name, path), []).append((subscript, value, line))
        elif isinstance(value, Row):
            for inner, leaf in _leaves(value, path):
                cells.setdefault((name, inner), []).append((subscript, leaf, line))
    for (name, path), entries in cells.items():
        if len(entries) >= FEWEST_NUMBERS:
            row = Row(tuple(leaf for _, leaf, _ in entries), tuple(key for key, _, _ in entries))
            shown = ".".join((name, *map(str, path)))
            rows = as_rows(row, shown, (), entries[0][2], entries[-1][2])
            if rows is not None:
                yield rows


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


def bare_lists(root: Group, code: Code) -> Iterator[Rows]:
    """Numbers in a row without brackets, as in assembly or a plain file of numbers."""
    run: list[tuple[Leaf, int]] = []
    name = ""
    following = ""
    for element in [*root.elements, Group("", 0)]:
        if isinstance(element, Token):
            if element.kind == "number":
                run.append((Leaf(element.value), code.line(element.place)))
                continue
            if element.kind == "separator" or element.text in (".", ":"):
                continue
            if element.kind == "name" and element.text.lower() in _DATA_WORDS:
                continue
            following = element.text if element.kind == "name" else following
        if len(run) >= FEWEST_NUMBERS:
            row = Row(tuple(leaf for leaf, _ in run), (None,) * len(run))
            rows = as_rows(row, name, (), run[0][1], run[-1][1])
            if rows is not None:
                yield rows
        run = []
        name = following
