"""Numbers as a source's lists hold them: items, rows of them, and the types that hold them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from magicert.languages.language import FLOAT, Int


@dataclass(frozen=True, slots=True)
class ListItem:
    """An item: its number, or None and the text that stands there. `place` is where it begins.

    `base` is the array that it is counted from (`table + 32`), `guess` what was taken to read it,
    `problem` why the language would make another number of it. `hexed` is what a text without a
    prefix comes to if its digits are hexadecimal, `radix_stated` whether something says that they
    are not.
    """

    value: int | None
    place: int
    text: str = ""
    guess: str = ""
    problem: str = ""
    base: str = ""
    hexed: int | None = None
    radix_stated: bool = False

    @property
    def settled(self) -> bool:
        """Is its base known without the numbers beside it?"""
        return self.hexed is None or self.radix_stated

    @property
    def must_be_hexed(self) -> bool:
        """Has a text letters among its digits?"""
        return self.value is None and self.hexed is not None

    def in_type(self, bits: int, signed: bool) -> "ListItem":
        """The number, or both that it may be, as a type of so many bits holds it."""
        both = (self.value, self.hexed)
        value, hexed = (n if n is None else Int(n).in_type(bits, signed).value for n in both)
        return replace(self, value=value, hexed=hexed)


@dataclass(frozen=True, slots=True)
class ItemRow:
    """Items side by side. `keys` are their names or subscripts, "" for none; `word` is the type or
    function before the bracket.
    """

    items: tuple["Value", ...]
    keys: tuple[str | int, ...]
    start: int
    end: int
    word: str = ""

    def flat(self) -> Iterator[ListItem]:
        """All numbers in it, in order."""
        for item in self.items:
            if isinstance(item, ListItem):
                yield item
            else:
                yield from item.flat()


Value = ListItem | ItemRow


@dataclass(frozen=True, slots=True)
class RecordField:
    """A field of a record: what is declared, and how it holds numbers, where it is one number of
    a known type. `several`: an array, or a record of its own.
    """

    declaration: str
    kind: tuple[int, bool] | None
    several: bool


Fields = dict[str, RecordField]
"""The fields of a record by their names, in their order."""


def flat_items(value: Value) -> list[ListItem]:
    """One item, or all of a row."""
    return [value] if isinstance(value, ListItem) else list(value.flat())


def row_in_type(row: ItemRow, kind: tuple[int, bool], word: int, origin: str) -> ItemRow:
    """A list's numbers as the type of its items holds them: its bits, and whether it is signed."""
    return replace(row, items=tuple(_item_in_type(item, kind, word, origin) for item in row.items))


def _item_in_type(item: Value, kind: tuple[int, bool], word: int, origin: str) -> Value:
    if isinstance(item, ItemRow):
        return item
    (bits, signed), value = kind, item.value or 0
    if bits == FLOAT:
        why = f"{origin}, which holds no integers of 64 bits"
        return replace(item, problem=why) if abs(value) >> 32 else item
    numbers = (value, item.hexed or 0)
    fits = bits >= word or all(-(1 << (bits - 1)) <= n < 1 << bits for n in numbers)
    return item if fits else item.in_type(bits, signed)


def records_in_types(row: ItemRow, fields: Fields, word: int, outermost: bool = True) -> ItemRow:
    """A list's records as the fields of their type hold their numbers."""
    record_fields, names, items = [*fields.values()], [*fields], list(row.items)
    several = any(field.several for field in record_fields)
    rows = [isinstance(item, ItemRow) for item in items]
    of_lists = outermost or len(items) > len(record_fields) or (all(rows) and not several)
    if of_lists and (any(rows) or several):  # what stands without braces is not counted
        inner = (
            records_in_types(item, fields, word, outermost=False)
            if isinstance(item, ItemRow)
            else item
            for item in items
        )
        return replace(row, items=tuple(inner))
    place = 0
    for number, (item, key) in enumerate(zip(items, row.keys, strict=True)):
        place = names.index(str(key)) if key in names else place % len(record_fields)
        field = record_fields[place]
        if field.several and isinstance(item, ListItem):
            break
        if field.kind is not None:
            items[number] = _item_in_type(item, field.kind, word, f"declared {field.declaration}")
        place += 1
    return replace(row, items=tuple(items))


def in_one_base(
    numbers: Sequence[ListItem], *, lettered: bool = False
) -> list[tuple[str, Sequence[ListItem]]]:
    """The ways to read the numbers of a column, whose texts are all in one base: hexadecimal as
    soon as one must be. Where nothing says it, each way with the name of its base.
    """
    if all(number.hexed is None for number in numbers):
        return [("", numbers)]
    hexed = [
        number if number.hexed is None else replace(number, value=number.hexed)
        for number in numbers
    ]
    if lettered or any(number.must_be_hexed for number in numbers):
        return [("", hexed)]
    if all(number.settled for number in numbers):
        return [("", numbers)]
    return [("decimal", numbers), ("hexadecimal", hexed)]


def guessed(row: ItemRow, guess: str) -> ItemRow:
    """A list whose numbers were taken as they stand."""
    items = (
        replace(i, guess=i.guess or guess) if isinstance(i, ListItem) else guessed(i, guess)
        for i in row.items
    )
    return replace(row, items=tuple(items))


def row_at(row: ItemRow, place: int) -> ItemRow:
    """A row whose items all stand at one place, as those of a macro do."""
    items = (
        replace(i, place=place) if isinstance(i, ListItem) else row_at(i, place) for i in row.items
    )
    return replace(row, items=tuple(items), start=place, end=place + 1)
