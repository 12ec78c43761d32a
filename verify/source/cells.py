"""Lists in texts that are no language's: squares with their numbers, tables with columns, rows of
cells. What a cell says is taken as it stands; the lines around a list give it a name.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from magicert.languages.items import ItemRow, ListItem
from magicert.languages.language import read_text_number

FEWEST = 16
_PAIR = re.compile(
    r"[\"'`]?(?<![\w.])((?:SQ_?)?[A-Ha-h][1-8]|\d{1,3})[\"'`]?[ \t]*+(?:[=:]|->|=>)[ \t]*+"
    r"[\"'`]?((?:0[xX]|16#|\$|#[xX])?[0-9a-fA-F][0-9a-fA-F_']*+)(?:[uUlLnN]{1,3}\b)?[\"'`#]?(?![\w.])"
)
_NUMBER = re.compile(r"[-+]?(0[xX]|\$)?\"?([0-9a-fA-F][0-9a-fA-F_']*+)([uUlLnN]{0,3}|h|H)\"?")
_SQUARE = re.compile(r"(?:SQ_?|sq_?)?([A-Ha-h][1-8])")
_RULE = re.compile(r"[-=+:|\s]*+")
_SEPARATORS = ("|", "\t", ";", ",")
_CLEAN = " \t\"'`*()[]{}<>"


class Cell(NamedTuple):
    """What stands between two separators, and where."""

    text: str
    place: int


class CellList(NamedTuple):
    """A list of a text, and the name that the text gives it."""

    name: str
    row: ItemRow


def cell_lists(text: str) -> list[CellList]:  # noqa: C901 - each kind of line in its turn
    """The lists of a text."""
    lists: list[CellList] = []
    block: list[list[Cell]] = []
    pairs: list[tuple[str, ListItem]] = []
    heading = ""

    def end() -> None:
        nonlocal block, pairs
        if len(pairs) >= FEWEST:
            keys = [key for key, _ in pairs]
            lists.append(CellList(heading, _row([item for _, item in pairs], _keys(keys))))
        elif block:
            lists.extend(_of_table(block, heading))
        block, pairs = [], []

    place = 0
    for line in text.splitlines(keepends=True):
        start, place = place, place + len(line)
        plain = line.strip()
        if not plain or (_RULE.fullmatch(plain) and len(plain) > 1):
            continue
        matches = [*_PAIR.finditer(line)]
        rest = _PAIR.sub("", line).strip(" \t\r\n,;|{}[]()")
        if matches and not re.search(r"[^\s,;|]", rest):
            if block:
                end()
            pairs += [(match[1], _item(match[2], start + match.start(2))) for match in matches]
            continue
        cells = [*_cells(line, start)]
        numbers = sum(_is_number(cell.text) for cell in cells)
        if numbers >= 2 or (numbers == 1 and len(cells) == 2):
            if pairs:
                end()
            if block and len(block[-1]) != len(cells) and any(map(_any_number, block)):
                end()
            block.append(cells)
        elif numbers == len(cells) == 1:
            if pairs:
                end()
            block.append(cells)
        elif len(cells) > 1 and not block and not pairs:
            block.append(cells)
            heading = heading if _is_header(cells) else _words(plain)
        else:
            if any(map(_any_number, block)) or pairs:
                end()
            block = [cells] if len(cells) > 1 and _is_header(cells) else []
            heading = _words(plain)
    end()
    return lists


def _cells(line: str, start: int) -> Iterator[Cell]:
    line = line.rstrip("\r\n")
    sign = next((separator for separator in _SEPARATORS if separator in line), None)
    marks = [m.span() for m in re.finditer(re.escape(sign), line)] if sign else []
    if sign in (None, ","):
        marks = marks or [m.span() for m in re.finditer(r"[ \t]++", line)]
    begins, ends = [0, *(b for _, b in marks)], [*(a for a, _ in marks), len(line)]
    for begin, last in zip(begins, ends, strict=True):
        raw = line[begin:last]
        text = raw.strip(_CLEAN)
        if text or (sign not in (None, "|", ",")):
            yield Cell(text, start + begin + (raw.find(text) if text else 0))


def _is_number(text: str) -> bool:
    match = _NUMBER.fullmatch(text)
    return (
        match is not None
        and (match[1] is not None or text[:1].isdigit() or len(text) >= 8)
        and not (_SQUARE.fullmatch(text))
    )


def _any_number(cells: Sequence[Cell]) -> bool:
    return any(_is_number(cell.text) for cell in cells)


def _is_header(cells: Sequence[Cell]) -> bool:
    return not _any_number(cells)


def _words(line: str) -> str:
    return "_".join(re.findall(r"[A-Za-z]\w*", line))[:80]


def _item(text: str, place: int) -> ListItem:
    """A number of a text: in decimal or hexadecimal where nothing says it."""
    match = _NUMBER.fullmatch(text.strip(_CLEAN))
    if match is None:
        return ListItem(None, place, text)
    digits, before = match[2], match[1]
    if before or match[3] in ("h", "H"):
        return ListItem(read_text_number(digits.replace("'", ""), 16), place, text)
    value, hexed = read_text_number(digits, 10), read_text_number(digits, 16)
    return ListItem(value, place, f'"{digits}', hexed=None if hexed == value else hexed)


def _row(items: Sequence[ListItem], keys: Sequence[str | int] = ()) -> ItemRow:
    return ItemRow(
        tuple(items), tuple(keys) or ("",) * len(items), items[0].place, items[-1].place + 1
    )


def _keys(names: Sequence[str]) -> list[str | int]:
    """Squares, or the places that numbers say; from 1 as well."""
    squares = [match[1].lower() for name in names if (match := _SQUARE.fullmatch(name))]
    if len(squares) == len(names):
        return [*squares]
    if all(re.fullmatch(r"\d{1,3}", name) for name in names):
        numbers = [int(name) for name in names]
        first = min(numbers)
        return [n - first if first in (0, 1) else n for n in numbers]
    return ["" for _ in names]


def _of_table(block: list[list[Cell]], heading: str) -> Iterator[CellList]:
    """The lists of a table: of some lines, cell by cell."""
    header = block[0] if len(block) > 1 and _is_header(block[0]) else []
    if (
        len(block) > 1
        and [c.text for c in block[0]][-8:] == [*"12345678"]
        and len(block[1][-1].text) > 2
    ):
        header = block[0]
    rows = [row for row in (block[1:] if header else block) if _any_number(row)]
    if not rows:
        return
    wide = max(map(len, rows))
    if len(rows) >= FEWEST and all(len(row) == wide for row in rows) and wide > 1:
        labels = [row[0].text for row in rows]
        keys = (
            _keys(labels) if not all(len(row_name) > 3 for row_name in labels) else [""] * len(rows)
        )
        first = 1 if keys[0] != "" else 0
        names = [cell.text for cell in header]
        names = names[-(wide - first) :] if len(names) >= wide - first else []
        matrix = wide - first == 8 and len(rows) == 16
        for column in range(first, wide) if not matrix else ():
            cells = [row[column] for row in rows]
            if all(_is_number(cell.text) for cell in cells):
                name = names[column - first] if names else heading
                name_of_list = name if not heading or name == heading else f"{heading}.{name}"
                items = [_item(cell.text, cell.place) for cell in cells]
                yield CellList(name_of_list, _row(items, keys))
        if not matrix and (first or header):
            return
    labels = [row[0].text for row in rows]
    labelled = all(not _is_number(text) or len(text) <= 2 for text in labels) and wide > 1
    inner = [row[1:] if labelled else row for row in rows]
    if labelled and any(len(row) >= FEWEST for row in inner):
        for label, row in zip(labels, inner, strict=True):
            if len(row) >= FEWEST:
                yield CellList(label, _row([_item(cell.text, cell.place) for cell in row]))
        return
    items = [_item(cell.text, cell.place) for row in inner for cell in row]
    files = [label.lower() for label in labels]
    if labelled and "".join(files) == "abcdefgh" and all(len(row) == 8 for row in inner):
        keys = [f"{file}{rank}" for file in files for rank in range(1, 9)]
        yield CellList(heading, _row(items, keys))
    elif labelled and sorted(files) == [*"12345678"] and all(len(row) == 8 for row in inner):
        letters = "".join(cell.text.lower() for cell in header)[-8:]
        files_named = letters if sorted(letters) == [*"abcdefgh"] else "abcdefgh"
        keys = [f"{file}{rank}" for rank in files for file in files_named]
        yield CellList(heading, _row(items, keys))
    elif len(items) >= FEWEST:
        yield CellList(heading, _row(items))
