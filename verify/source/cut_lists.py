"""From lists to columns: records, rows and parts of lists that have one number a square.

What looks like magics, masks or bits and is no column is refused, with its line and the reason.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import Literal

from magicert.languages.addresses import Address, address_of
from magicert.languages.definitions import Definitions
from magicert.languages.evaluator import BEFORE, INSIDE
from magicert.languages.items import ItemRow, ListItem, Value, in_one_base
from magicert.verify.source.columns import (
    FEWEST_ENTRIES,
    MAGIC_WORDS,
    MOST_FIELDS,
    OFFSET_WORDS,
    SHIFT_WORDS,
    Column,
    RefusedList,
    UnreadPlace,
    says,
)
from magicert.verify.source.halves import joins_of, word_pairs, words_of_four
from magicert.verify.source.source_text import NumberList, Source
from magicert.verify.source.variant import Variant, split_words

MOST_FLAT = 4
"""A list of so many numbers a square at most is cut into parts: both pieces, in pairs of words."""
MOST_ASTRAY = 3
"""A list with so many items more or fewer than squares was meant to have one a square."""
MOST_WIDE = 3
"""So many numbers of a list may have a digit too many."""
MOST_COLUMNS = 600
"""Columns of one source beyond these are left out."""
Nesting = tuple[str | int, ...]
SQUARE_NAME = re.compile(
    r"(?<![A-Za-z0-9])(?:SQ_?|SQUARE_?|sq_?)?([a-zA-Z][1-9][0-9]{0,2})(?![A-Za-z0-9_])"
)


def _astray(source: Source, number_list: NumberList, variant: Variant) -> Iterator[RefusedList]:
    """A list that is called a piece's masks, bits or shifts, and has nearly one item a square."""
    count, words = len(number_list.row.items), split_words(number_list.name)
    piece = variant.piece_in(words)
    ended = count == variant.squares + 1 and getattr(number_list.row.items[-1], "value", None) == 0
    if piece is None or ended or not 0 < abs(count - variant.squares) <= MOST_ASTRAY:
        return
    masks = any(word.rstrip("s").endswith("mask") for word in words)
    if masks or says(words, SHIFT_WORDS):
        message = f"{number_list.name} has {count} items: expected {variant.squares}, one a square"
        what: Literal["mask", "bits"] = "mask" if masks else "bits"
        yield RefusedList(
            source.file, number_list.line, message, False, piece, number_list.name, what
        )


def _short_rows(source: Source, number_list: NumberList, variant: Variant) -> Iterator[RefusedList]:
    """The rows of a list that have nearly one magic a square, beside others that have one."""
    for place, row in enumerate(number_list.row.items):
        count = len(row.items) if isinstance(row, ItemRow) else variant.squares
        if isinstance(row, ItemRow) and 0 < abs(count - variant.squares) <= MOST_ASTRAY:
            line = source.spot(row.start)[0]
            name = f"{number_list.name}[{place}]"
            message = f"{name} has {count} items: expected {variant.squares}, one a square"
            yield RefusedList(source.file, line, message, False, None, name)


def columns_of(
    source: Source, variant: Variant
) -> tuple[list[Column], list[RefusedList], list[UnreadPlace]]:
    """All columns of a source, those put together from two halves as well; what is none, and what
    of places in arrays is not read.
    """
    columns: list[Column] = []
    refused: list[RefusedList] = []
    unread: list[UnreadPlace] = []
    for number_list in source.lists:
        if twice := _twice(source, number_list, variant):
            refused += twice
            continue
        before = len(columns)
        parts = [*_regular(number_list.row, number_list.name, "", variant)]
        lettered = _lettered(parts)
        for name, part, records in parts:
            columns += _fields(source, number_list, name, part, records, variant, lettered)
            whole = {column.group for column in columns[before:] if column.could_be_magic}
            if whole or says(split_words(name), OFFSET_WORDS):
                unread += _unread(source, number_list, name, part, records)
        if not any(column.could_be_magic for column in columns[before:]):
            refused += _refusals(source, number_list, variant, len(columns) > before)
        else:
            refused += _short_rows(source, number_list, variant)
        refused += _astray(source, number_list, variant)
    columns += [
        *word_pairs(columns, joins_of(source, columns, variant)),
        *words_of_four(columns),
    ]
    return columns[:MOST_COLUMNS], refused, unread


def _twice(source: Source, number_list: NumberList, variant: Variant) -> list[RefusedList]:
    """Two items of a list that say the same square: which of them counts, and what the square that
    is left out has, is not in the list.
    """
    items, keys = _without_end(number_list.row, variant)
    named: dict[str, list[int]] = {}
    for item, key in zip(items, keys, strict=True):
        square_text, first = key, item
        if key == "" and isinstance(item, ItemRow) and item.items:
            first = item.items[0]
            square = item.keys[0] in ("sq", "square") or _square_named(getattr(first, "text", ""))
            square_text = getattr(first, "text", "") if square else ""
        square = _square_named(square_text) if isinstance(square_text, str) else str(square_text)
        if square in variant.by_name or square.isdigit():
            place = first.start if isinstance(first, ItemRow) else first.place
            named.setdefault(square, []).append(source.spot(place)[0])
    count = sum(map(len, named.values()))
    if abs(len(items) - variant.squares) > MOST_ASTRAY or count < variant.squares // 2:
        return []
    words = split_words(number_list.name)
    what: Literal["magic", "mask", "bits"] = "magic"
    what = "bits" if says(words, SHIFT_WORDS) else "mask" if says(words, ("mask",)) else what
    return [
        RefusedList(
            source.file, lines[1],
            f"{number_list.name or 'unnamed list'} has {len(lines)} items for {square}, in "
            f"{_lines(lines)}: expected one a square",
            says(words, MAGIC_WORDS), variant.piece_in(words | split_words(*number_list.around)),
            number_list.name, what,
        )
        for square, lines in named.items()
        if len(lines) > 1
    ]  # fmt: skip


def _lines(lines: Sequence[int]) -> str:
    different = [*map(str, dict.fromkeys(lines))]
    return f"lines {' and '.join(different)}" if len(different) > 1 else f"line {different[0]}"


def _without_end(row: ItemRow, variant: Variant) -> tuple[Sequence[Value], Sequence[str | int]]:
    """A row's items with their keys, without a zero that ends it, or an arm for no square."""
    items, keys = row.items, row.keys
    last = getattr(items[-1], "value", 1) if items else 1
    if len(items) % variant.squares == 1 and (last == 0 or keys[-1] in ("_", "else", "default")):
        return items[:-1], keys[:-1]
    return items, keys


def _regular(
    row: ItemRow, name: str, part: str, variant: Variant
) -> Iterator[tuple[str, str, Sequence[Value]]]:
    """The lists of one record a square in a row: it, its parts, or those inside of it."""
    squares, (items, keys) = variant.squares, _without_end(row, variant)
    inner = [item for item in items if isinstance(item, ItemRow)]
    ranks, files = variant.board.ranks, variant.board.files
    if len(items) == ranks == len(inner) and all(len(r.items) == files for r in inner):
        items = tuple(item for r in inner for item in r.items)
        keys = ("",) * len(items)
    elif inner and len(items) == len(inner) and len(items) % squares:
        lengths = {len(r.items) for r in inner}
        total = len(items) * max(lengths)
        plain = all(isinstance(item, ListItem) for r in inner for item in r.items)
        if len(lengths) == 1 and plain and total == squares and len(items) > 2:
            items = tuple(item for r in inner for item in r.items)
            keys = ("",) * len(items)
    count = len(items)
    if count and count % squares == 0 and count <= MOST_FLAT * squares:
        if count == squares:
            yield name, part, _by_square(_sorted(items, keys, variant), variant)
            return
        for start in range(0, count, squares):
            yield name, f"rows {start}-{start + squares - 1}", items[start : start + squares]
        step = count // squares
        if not inner or step == 2:
            which = {2: "second", 3: "third"}.get(step, f"{step}th")
            for start in range(step):
                yield name, f"every {which} from {start}", items[start::step]
        return
    for place, (key, item) in enumerate(zip(keys, items, strict=True)):
        if isinstance(item, ItemRow) and next(islice(item.flat(), squares // 2, None), None):
            subscript = (
                f".{key}" if isinstance(key, str) and key else f"[{key if key != '' else place}]"
            )
            yield from _regular(item, f"{name}{subscript}", part, variant)


def _sorted(items: Sequence[Value], keys: Sequence[str | int], variant: Variant) -> Sequence[Value]:
    """The records in the order of their subscripts, or of the squares that they are named for."""
    places, following = [], 0
    for key in keys:
        if isinstance(key, int):
            following = key
        elif key:
            following = variant.by_name.get(_square_named(key), following)
        places.append(following)
        following += 1
    if sorted(places) != list(range(min(places), min(places) + len(places))):
        return items
    order = sorted(range(len(places)), key=places.__getitem__)
    return [items[i] for i in order]


def _by_square(records: Sequence[Value], variant: Variant) -> Sequence[Value]:
    """The records in the order of the squares that they say they are of, in their first field or
    in one of that name.
    """
    rows = [record for record in records if isinstance(record, ItemRow)]
    for number in range(min((len(row.items) for row in rows), default=0)):
        called = {row.keys[number] for row in rows}
        if len(rows) < len(records) or (number and not called <= {"sq", "square"}):
            continue
        entries = [row.items[number] for row in rows]
        places = [
            variant.by_name.get(_square_named(entry.text), entry.value)
            for entry in entries
            if isinstance(entry, ListItem)
        ]
        if {*places} == {*range(variant.squares)}:
            return [records[places.index(square)] for square in range(variant.squares)]
    return records


def _square_named(text: str) -> str:
    """The square that a name or a string means: "e4", SQ_E4, Square::E4."""
    match = SQUARE_NAME.fullmatch(re.split(r"::|\.", text.strip("\"'"))[-1])
    return match[1].lower() if match else ""


def _leaves(value: Value, path: Nesting) -> Iterator[tuple[Nesting, ListItem]]:
    """The numbers of a value with their paths. A long list is no field: it is what is looked up."""
    if isinstance(value, ListItem):
        yield path, value
        return
    if len(value.items) > MOST_FIELDS:
        return
    for place, (key, item) in enumerate(zip(value.keys, value.items, strict=True)):
        yield from _leaves(item, (*path, key if key != "" else place))


_Part = tuple[str, str, Sequence[Value]]
"""The name of a list of records, which part of it this is, and the records."""


def _field_of(name: str, part: str, path: Nesting) -> tuple[str, str, Nesting]:
    """What is one column in the source, though both pieces' rows may be in it."""
    return name, part if part.startswith("every") else "", path


def _lettered(parts: Sequence[_Part]) -> set[tuple[str, str, Nesting]]:
    """The fields whose texts are hexadecimal, because some have letters."""
    return {
        _field_of(name, part, path)
        for name, part, records in parts
        for record in records
        for path, number in _leaves(record, ())
        if number.must_be_hexed
    }


def _fields(
    source: Source,
    number_list: NumberList,
    name: str,
    part: str,
    records: Sequence[Value],
    variant: Variant,
    lettered: set[tuple[str, str, Nesting]],
) -> Iterator[Column]:
    """The columns of a list of records: each path that all of them have. Texts that may be in two
    bases are two columns, if both could be something.
    """
    flat = [dict(_leaves(record, ())) for record in records]
    paths = [path for path in flat[0] if all(path in item for item in flat)]
    for path in paths[:MOST_FIELDS]:
        texts = [item[path] for item in flat]
        ways = in_one_base(texts, lettered=_field_of(name, part, path) in lettered)
        read = {
            radix: column
            for radix, numbers in ways
            if (column := _column(source, number_list, name, part, path, numbers, variant))
            is not None
        }
        likely = {
            radix: item for radix, item in read.items() if len(read) > 1 and item.is_plausible
        }
        chosen = likely or read
        for radix, item in chosen.items():
            alone = len(chosen) == 1
            yield item if alone else replace(item, radix=radix, part=f"{part} {radix}".strip())


def _column(
    source: Source,
    number_list: NumberList,
    name: str,
    part: str,
    path: Nesting,
    numbers: Sequence[ListItem],
    variant: Variant,
) -> Column | None:
    """A column of a list; None where a number is not known, some only are addresses, or many are
    too wide.
    """
    numbers = _as_addresses(source, numbers)
    if any(n.base for n in numbers) and not all(n.base for n in numbers):
        return None
    values = tuple(n.value for n in numbers if n.value is not None)
    if len(values) < len(numbers) or sum(not variant.holds(v) for v in values) > MOST_WIDE:
        return None
    guesses = Counter(n.guess for n in numbers if n.guess)
    path_name = name
    for key in path:
        path_name += f"[{key}]" if isinstance(key, int) else f".{key}" if path_name else str(key)
    return Column(
        values=values,
        name=path_name,
        name_words=split_words(path_name),
        context=split_words(*number_list.around, number_list.row.word),
        file=source.file,
        first_line=number_list.line,
        last_line=number_list.last_line,
        group=f"{source.file}:{number_list.line}:{number_list.column}:{name}:{part}",
        variant=variant,
        arrays=tuple(n.base for n in numbers) if all(n.base for n in numbers) else (),
        lengths=_lengths(source, numbers),
        part=part,
        guesses=frozenset(guesses),
        doubtful=frozenset(
            row
            for row, n in enumerate(numbers)
            if number_list.loose
            or n.guess.startswith((BEFORE, INSIDE))
            or (n.guess and guesses[n.guess] * 2 < len(numbers))
        ),
        problems=tuple(
            (source.spot(n.place)[0], n.problem)
            for n, value in zip(numbers, values, strict=True)
            if n.problem and variant.holds(value)
        ),
        list_name=number_list.name,
        field=next((key for key in reversed(path) if isinstance(key, str)), ""),
        type=source.definitions.types.type_of(f"{number_list.type} {number_list.row.word}"),
        spots=tuple(source.spot(n.place) for n in numbers),
        span=(number_list.row.start, number_list.row.end),
    )


def _as_addresses(source: Source, numbers: Sequence[ListItem]) -> Sequence[ListItem]:
    """Where some items of a column are addresses, or all name arrays, one that is nothing but a
    name is the address of the first entry.
    """
    known = source.definitions
    addresses: dict[str, Address | None] = {}
    for n in numbers:
        if n.value is None and _PATH.fullmatch(n.text) and not _NOTHING.fullmatch(n.text):
            addresses[n.text] = addresses.get(n.text) or address_of(
                n.text, known.surroundings, depth=1
            )
    pointers = [addresses.get(n.text) if n.value is None else None for n in numbers]
    declared = {
        text: address and known.declared(address.array) for text, address in addresses.items()
    }
    if not addresses or not (
        any(n.base for n in numbers) or (all(pointers) and all(declared.values()))
    ):
        return numbers
    return [
        n
        if address is None
        else replace(
            n, value=address.entry, base=address.array,
            guess="" if declared[n.text] else f"{address.array} = an array",
        )
        for n, address in zip(numbers, pointers, strict=True)
    ]  # fmt: skip


def _lengths(source: Source, numbers: Sequence[ListItem]) -> tuple[tuple[str, int], ...]:
    """How many entries the arrays have that numbers are the addresses in."""
    declarations = {n.base: source.definitions.declared(n.base) for n in numbers if n.base}
    return tuple(
        (array, declaration.entries if declaration else 0)
        for array, declaration in declarations.items()
    )


_PATH = re.compile(r"[A-Za-z_]\w*(?:(?:::|\.|->)[A-Za-z_]\w*)*")
_NOTHING = re.compile(
    r"(?i)null|nullptr|nil|none|undefined|default|true|false|0|not assigned|\{\}|\?"
)


def _unread(
    source: Source, number_list: NumberList, name: str, part: str, records: Sequence[Value]
) -> Iterator[UnreadPlace]:
    """The first item of each field that is a place in an array, and is not read."""
    known = source.definitions
    flat = [dict(_leaves(record, ())) for record in records]
    pointers = _pointer_fields(source, number_list)
    for path in list(dict.fromkeys(path for item in flat for path in item))[:MOST_FIELDS]:
        items = _as_addresses(source, [item[path] for item in flat if path in item])
        unknown = [
            n for n in items
            if n.value is None and not n.problem and not _NOTHING.fullmatch(n.text)
            and not _square_named(n.text) and n.text[:1] not in "\"'"
        ]  # fmt: skip
        addresses = [n for n in items if n.base]
        field = path[-1] if path else ""
        same = len(items) == len(records) and len({(n.base, n.value, n.text) for n in items}) == 1
        first = None
        if addresses and not same:
            others = [n for n in items if not n.base or (n.value or 0) < 0]
            first = next(iter([*unknown, *others]), None)
            if first is None and len(items) < len(records):
                record = next(r for r, item in zip(records, flat, strict=True) if path not in item)
                start = record.start if isinstance(record, ItemRow) else record.place
                first = ListItem(None, start, f"the record of {name}")
        elif addresses and not (addresses[0].guess and _PATH.fullmatch(addresses[0].text[1:])):
            item = known.declared(addresses[0].base)
            first = None if item and 0 < item.entries < FEWEST_ENTRIES else addresses[0]
        elif unknown and (
            field in pointers or any(_names_an_array(known, n.text) for n in unknown)
        ):
            names = {n.text for n in unknown}
            alone = len(names) == len(records) and all(map(_PATH.fullmatch, names))
            first = None if alone else unknown[0]  # an array of its own for each square
        if first is None:
            continue
        whole = name + "".join(f"[{k}]" if isinstance(k, int) else f".{k}" for k in path)
        yield UnreadPlace(
            f"{source.file}:{number_list.line}:{number_list.column}:{name}:{part}", whole,
            split_words(whole), split_words(*number_list.around, number_list.row.word),
            source.file, source.spot(first.place)[0], first.text, same,
        )  # fmt: skip


def _pointer_fields(source: Source, number_list: NumberList) -> frozenset[str | int]:
    """The fields of a list's records that are declared as pointers, by name and by number."""
    fields = source.definitions.fields_of(number_list.type) if number_list.type else None
    pairs = [
        (n, name)
        for n, (name, field) in enumerate((fields or {}).items())
        if "*" in field.declaration
    ]
    return frozenset(part for pair in pairs for part in pair)


_AS_ADDRESS = re.compile(
    r"(?:^|[^\w)\]&\s])\s*(?:&|@)\s*\(*[A-Za-z_]|^(?:addr|ref)\s|\.(?:ptr|as_ptr|AsSpan)\b"
)


def _names_an_array(known: Definitions, text: str) -> bool:
    """Does an expression take an address, or name what is declared as an array?"""
    if _AS_ADDRESS.search(text):
        return True
    names = re.findall(r"(?<![\w.>])[A-Za-z_]\w*(?:(?:::|\.|->)[A-Za-z_]\w*)*(?!\w*\s*\()", text)
    declared = (known.declared(name) for name in names)
    return any(
        declaration is not None
        and (not declaration.entries or declaration.entries >= FEWEST_ENTRIES)
        for declaration in declared
    )


def _refusals(
    source: Source, number_list: NumberList, variant: Variant, regular: bool
) -> Iterator[RefusedList]:
    """Why a list of long numbers is no column."""
    squares = variant.squares
    numbers = [replace(n, value=n.hexed) if n.must_be_hexed else n for n in number_list.row.flat()]
    words = split_words(number_list.name)
    claims = any(word.startswith(("magic", "mult")) for word in words)
    long = [n for n in numbers if n.value is not None and abs(n.value) >> (variant.word // 2)]
    unknown = [n for n in numbers if n.value is None or n.problem]
    count = len(_without_end(number_list.row, variant)[0])
    meant = min(abs(count - squares), abs(len(long) - squares)) <= MOST_ASTRAY
    message, line = "", number_list.line
    if len(long) * 2 < count or not (claims or meant) or len(numbers) > 24 * squares:
        return
    wide = [n for n in long if not variant.holds(n.value or 0)]
    if len(wide) * 2 > len(long):
        bits = max((n.value or 0).bit_length() for n in wide)
        message = (
            f" has numbers of {bits} bits: expected {variant.word} (a table for another board?)"
        )
    elif wide:
        line, message = (
            source.spot(wide[0].place)[0],
            f": {wide[0].value:#x} does not fit in {variant.word} bits",
        )
    elif count % squares and len(numbers) % squares:
        message = f" has {count} items: expected {squares}, one a square"
    elif unknown:
        line = source.spot(unknown[0].place)[0]
        entry = numbers.index(unknown[0])
        why = unknown[0].problem or "its number is not in these sources"
        message = f": entry {entry} is {unknown[0].text or 'no plain number'}: {why}"
    elif not regular:
        message = f" has {count} items: expected {squares}, one a square"
        rows, _ = _without_end(number_list.row, variant)
        shapes = [frozenset(path for path, _ in _leaves(row, ())) for row in rows]
        ((usual, _),) = Counter(shapes).most_common(1)
        for entry, row in enumerate(rows):
            if shapes[entry] != usual:
                line = source.spot(row.start if isinstance(row, ItemRow) else row.place)[0]
                message = f" has {count} rows that are not alike: entry {entry} is unlike most"
                break
    if message:
        text = f"{number_list.name or 'unnamed list'}{message}"
        yield RefusedList(
            source.file,
            line,
            text,
            claims,
            variant.piece_in(words | split_words(*number_list.around)),
            number_list.name,
        )
