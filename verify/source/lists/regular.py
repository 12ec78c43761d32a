"""Regular lists: what a bracket holds, with its fields, its name and its lines."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from magicert.board import Board
from magicert.verify.source.lists.around import NOTHING_AROUND, Around
from magicert.verify.source.values.leaf import Leaf, Row, Value

MOST_FIELDS = 16
FEWEST_NUMBERS = 48
FEWER_MEANT, MORE_MEANT = 4, 16
"""A list of so many numbers less or more than the board has squares may be meant for them."""
MOST_ELEMENTS = 4096
"""A list of more items is an attack table, say, but none of 64 squares."""
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
    around: Around = NOTHING_AROUND
    stated: bool = False
    """Filled in by statements, one an item."""


@dataclass(frozen=True, slots=True)
class Irregular:
    """A bracket with about one long number a square that is no regular list, and why."""

    name: str
    context: tuple[str, ...]
    line: int
    problem: str


def fewest_numbers(board: Board) -> int:
    """A list of fewer numbers is none of one a square."""
    return min(FEWEST_NUMBERS, board.squares * 3 // 4)


def as_rows(
    row: Row, name: str, context: tuple[str, ...], first_line: int, last_line: int, board: Board
) -> Rows | None:
    """The records of a row, or None where it is not one regular list."""
    if len(row.children) > MOST_ELEMENTS:
        return None
    records = list(row.children)
    keys = list(row.keys)
    if len(records) == board.ranks and all(
        isinstance(r, Row) and len(r.children) == board.files for r in records
    ):
        inner = [record for record in records if isinstance(record, Row)]
        records = [leaf for record in inner for leaf in record.children]
        keys = [key for record in inner for key in record.keys]
        if any(key is not None for key in row.keys):
            keys = [None] * board.squares
    if len(records) < fewest_numbers(board):
        return None
    fields = _fields(records)
    if not fields:
        return None
    sorted_by, problem = "", ""
    if any(key is not None for key in keys):
        order, sorted_by, problem = _subscript_order(keys, board)
        if order is not None:
            fields = {path: tuple(column[i] for i in order) for path, column in fields.items()}
    return Rows(name, context, first_line, last_line, len(records), fields, sorted_by, problem)


def irregular(
    row: Row, name: str, context: tuple[str, ...], line: int, board: Board
) -> Irregular | None:
    """Why a row that is no regular list is none, if it looks as if it were meant for one."""
    records = row.children
    if len(records) >= fewest_numbers(board) and (why := _first_objection(records)):
        return Irregular(name, context, line, why)
    long = [_long_numbers(record) for record in records]
    rows = sum(count > 0 for count in long)
    meant = range(fewest_numbers(board), board.squares + MORE_MEANT + 1)
    if len(records) in meant and rows * 4 >= len(records) * 3:
        shapes = [tuple(path for path, _ in leaves(record, ())) for record in records]
        usual = max(set(shapes), key=shapes.count)
        odd = next((at for at, shape in enumerate(shapes) if shape != usual), None)
        if odd is None:
            known = f"{rows} of {len(records)} items are numbers that this reader understands"
            return Irregular(name, context, line, known)
        problem = (
            f"row {odd} of {len(records)} has {len(shapes[odd])} fields or others than the rest: "
            f"expected {len(usual)}"
        )
        return Irregular(name, context, line, problem)
    nested = rows == len(records) and 4 <= rows <= 16 and max(long, default=0) <= 16
    if nested and sum(long) in meant:
        problem = f"has {sum(long)} numbers in {rows} rows: expected {board.squares}"
        return Irregular(name, context, line, problem)
    return None


def _first_objection(records: Sequence[Value]) -> str:
    """Why nearly all items are no numbers, where one of them says it."""
    found = [leaf.objection for leaf in records if isinstance(leaf, Leaf) and leaf.value is None]
    said = [objection.text for objection in found if objection]
    return said[0] if len(said) * 10 >= len(records) * 9 else ""


def _long_numbers(value: Value) -> int:
    """How many numbers of more than 32 bits a value holds."""
    return sum((leaf.value or 0).bit_length() > 32 for _, leaf in leaves(value, ()))


def _fields(records: Sequence[Value]) -> dict[Path, tuple[Leaf, ...]]:
    """The leaves of the records by their path, where every record has that path."""
    flat = []
    common: dict[Path, None] | None = None
    for record in records:
        own = dict(leaves(record, ()))
        if len(own) > MOST_FIELDS:
            return {}
        flat.append(own)
        if common is None:
            common = dict.fromkeys(own)
        elif len(common) != len(own) or any(path not in own for path in common):
            common = {path: None for path in common if path in own}
            if not common:
                return {}
    numeric = {}
    for path in common or ():
        column = tuple(own[path] for own in flat)
        known = sum(leaf.value is not None or bool(leaf.text) for leaf in column)
        names_only = all(leaf.base and leaf.value == 0 for leaf in column)
        if known * 10 >= len(column) * 9 and not names_only:
            numeric[path] = column
    return numeric


def leaves(value: Value, path: Path) -> Iterator[tuple[Path, Leaf]]:
    """The leaves of a value with their paths below `path`."""
    if isinstance(value, Leaf):
        yield path, value
        return
    for number, (child, key) in enumerate(zip(value.children, value.keys, strict=True)):
        yield from leaves(child, (*path, number if key is None else key))
        if number > MOST_FIELDS:
            return


def _subscript_order(
    keys: Sequence[str | int | None], board: Board
) -> tuple[list[int] | None, str, str]:
    """The order of the records by their subscripts, what these are, and what is wrong."""
    places: list[int] = []
    squares = {board.name(square) for square in range(board.squares)}
    names = all(key in squares for key in keys)
    following = 0
    for key in keys:
        if isinstance(key, str) and names:
            following = board.parse(key)
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
