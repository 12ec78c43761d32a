"""Lists that are not written as one: filled by statements, item by item or row by row.

A list is gathered only where nothing makes it doubtful: no condition and no loop around its
statements, no item twice, and an empty list to begin with. Elsewhere it is none.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

from magicert.languages.items import ItemRow, Value
from magicert.languages.language import Language

_NAME = r"(?<![\w$@.>:])(?P<name>(?:my\s|our\s)?[$@&]?[A-Za-z_]\w*(?:(?:\.|->|::)\w+)*?)"
_LISTS = frozenset(
    """
    extend extend_from_slice addAll add_all AddRange concat append_range insert_all append!
    Collections.addAll appendAll push_all pushAll putAll
    """.split()  # noqa: SIM905 - a table of words
)
"""What is called with a list, and adds its items."""
_ADDS = (
    r"push_back|emplace_back|push|append|add|Add|Append|Push|emplace|addElement|addLast|PushBack"
)
_KEYED = r"put|set|insert|Insert|Add|emplace|store|put_int|aset|SetValue|try_emplace"
_METHOD = re.compile(
    rf"{_NAME}\s*+(?:\.|->)(?P<method>{_ADDS}|{_KEYED}|{'|'.join(map(re.escape, _LISTS))})"
    rf"(?P<mark>!?\s*+\()"
)
_FUNCTION = re.compile(
    r"(?<![\w$@.])(?P<function>table\.insert|array_push|push!|append!|push|append"
    r"|Collections\.addAll)\s*+(?P<open>\(?)\s*+(?P<name>[@&$]?[A-Za-z_][\w.]*+)\s*+,"
)
_SIGN = re.compile(
    rf"{_NAME}\s*+(?P<sign>\+=|~=|<<|\[\s*+\]\s*+=(?!=)|\[\s*+#\s*+[\w.]++\s*+\+\s*+1\s*+\]\s*+=(?!=))"
)
_KEY = r"[\[({]\s*+(?:\w+(?:\.|::))*[\"':]?\w+[\"']?\s*+[\])}]"
_ITEM = re.compile(rf"{_NAME}(?P<at>(?:{_KEY}){{1,2}})\s*+(?::=|=(?![=>~]))\s*+")
_FIELD = re.compile(rf"{_NAME}\.(?P<at>[a-h][1-8])\s*+=(?![=>~])\s*+")
_ONE_KEY = re.compile(r"[\[({]\s*+(?:\w+(?:\.|::))*[\"':]?(\w+)[\"']?\s*+[\])}]")
_SQUARE = re.compile(r"(?:SQ_?|sq_?)?([A-Ha-h][1-8])")
_PERHAPS = re.compile(
    r"(?<![\w$.])(?:if|else|elif|elsif|elseif|unless|for|foreach|while|until|loop|repeat|switch"
    r"|case|when|match|try|catch|except|guard|goto|return|break|continue)\b|\?(?!\.)"
)
_EMPTY = re.compile(
    r"[\[{]\s*+[\]}]|(?<![\w>])\(\s*+\)|\bnew\b|\bvec!|\bmake\b|\bwith_capacity\b|^\s*+\(*+0\b|\bnil\b"
    r"|\bnull\b|\bNone\b|[\[({]\s*+0\s*+[\])}]"
    r"|\b(?:list|dict|array|vec|map|\w*Of|\w*[lL]ist|[A-Z]\w*+)(?:<[^()]{0,80}>)?\s*+\(\s*+\d{0,3}\s*+\)"
)
_NOTHING = re.compile(r"(?:new\b[^;{}\n]{0,80})?[\[{(][\s0,]*+[\])}]")
_DIGITS = re.compile(r"\d[0-9a-fA-F_']{5}")
_LITERAL_END = re.compile(r"[ \t]*+(?:;|,|\n|\}|$|\w+\s*\[|\bend\b)")
MOST_STEPS = 20_000


class Step(NamedTuple):
    """One statement that adds to a list: its span, where the list's name stands in it, a key or
    None, and the items that it adds.
    """

    span: tuple[int, int]
    places: tuple[int, ...]
    key: tuple[str, ...] | None
    items: tuple[Value, ...]


class Filled(NamedTuple):
    """A list that statements fill."""

    name: str
    row: ItemRow
    steps: Sequence[Step]
    added: bool
    """Do they add to what it has, instead of giving its items by their subscripts?"""


Read = Callable[[int, int], Value | None]
"""What a part of the text comes to."""


def gathered(
    text: str, code: str, language: Language, read: Read, literal: re.Pattern[str]
) -> list[Filled]:
    """The lists that statements fill: of a text without comments, and of that without strings."""
    steps_of: dict[str, list[Step]] = {}
    for name, step in _steps(text, code, language, read, literal):
        known = steps_of.setdefault(name, [])
        if len(known) < MOST_STEPS:
            known.append(step)
    rows = (_gathered_list(name, steps, code) for name, steps in steps_of.items())
    return [row for row in rows if row is not None]


def _steps(
    text: str, code: str, language: Language, read: Read, literal: re.Pattern[str]
) -> Iterator[tuple[str, Step]]:
    yield from _by_methods(text, code, language, read)
    yield from _by_functions(code, read)
    yield from _by_signs(code, language, read)
    yield from _by_items(text, code, read, literal)


def _by_methods(text: str, code: str, language: Language, read: Read) -> Iterator[tuple[str, Step]]:
    """`rook.push(0x5)`, `rook.put("a1", 0x5)`."""
    for match in _METHOD.finditer(code):
        parts, end = _arguments(code, match.end())
        if parts is None or not parts:
            continue
        method = match["method"]
        if len(parts) == 2 and re.fullmatch(_KEYED, method):
            key = _key_of(text[slice(*parts[0])])
            value = read(*parts[1]) if key is not None else None
            if key is not None and value is not None:
                span = (match.start(), end)
                yield _plain(match["name"]), Step(span, (_place(match),), (key,), (value,))
                continue
            if method in ("insert", "set", "put", "Insert"):
                begins = code[slice(*parts[0])].replace(" ", "")
                if method == "insert" and begins.endswith((".end()", ".end")):
                    parts, method = parts[1:], "extend"  # C++
                else:
                    continue
        labelled = re.match(r"\s*+contentsOf\s*+:", code[slice(*parts[0])])
        if labelled:
            parts = [(parts[0][0] + labelled.end(), parts[0][1])]
        spread = method in _LISTS or labelled is not None
        of_record = method in ("emplace_back", "emplace") or (language.name == "Kotlin")
        step = _added(parts, read, code, spread=spread, record=of_record)
        if step is not None:
            yield _plain(match["name"]), Step((match.start(), end), (_place(match),), None, step)


def _by_functions(code: str, read: Read) -> Iterator[tuple[str, Step]]:
    """`table.insert(rook, 0x5)`, `rook = append(rook, 0x5)`."""
    for match in _FUNCTION.finditer(code):
        if match["open"]:
            parts, end = _arguments(code, match.end())
        else:
            end = _statement_end(code, match.end())
            parts, _ = _arguments(code[:end] + ")", match.end())
        if not parts:
            continue
        spread = match["function"] in _LISTS or code[:end].rstrip(") ").endswith("...")
        if spread:
            parts = [(a, b - 3 if code[a:b].endswith("...") else b) for a, b in parts]
        step = _added(parts, read, code, spread=spread, record=False)
        if step is None:
            continue
        name, places, start = _plain(match["name"]), [_place(match)], match.start()
        if match["function"] == "append":  # Go: x = append(x, ...)
            line = code[code.rfind("\n", 0, start) + 1 : start]
            target = re.search(r"([A-Za-z_][\w.]*)\s*:?=\s*$", line[-200:])
            if target is None or target[1] != name:
                continue
            start -= len(line[-200:]) - target.start()
            places.append(start)
        yield name, Step((start, end), tuple(places), None, step)


def _by_signs(code: str, language: Language, read: Read) -> Iterator[tuple[str, Step]]:
    """`rook += [0x5]`, `rook << 0x5`, `rook[#rook + 1] = 0x5`."""
    for match in _SIGN.finditer(code):
        sign = match["sign"]
        end = _statement_end(code, match.end())
        if (sign == "<<" and language.name not in ("Ruby", "Crystal")) or (
            sign == "~=" and language.name != "D"
        ):
            continue
        statement = code[match.end() : end]
        parts = [(match.end(), end)]
        if sign == "<<":
            marks = [m.span() for m in re.finditer("<<", statement)]
            starts = [0, *(b for _, b in marks)]
            ends = [*(a for a, _ in marks), len(statement)]
            parts = [(match.end() + a, match.end() + b) for a, b in zip(starts, ends, strict=True)]
        listed = re.match(r"\s*+(?:vec!|\w*Of|\[\]\w+|new\b[^{;]*)?[\[({]", statement) is not None
        step = _added(parts, read, code, spread=sign in ("+=", "~=") and listed, record=False)
        if step is not None:
            name = _plain(match["name"])
            places = [_place(match)]
            places += [match.start() + m.start() for m in re.finditer(r"(?<=#)\s*\w+", match[0])]
            yield name, Step((match.start(), end), tuple(places), None, step)


def _by_items(
    text: str, code: str, read: Read, literal: re.Pattern[str]
) -> Iterator[tuple[str, Step]]:
    """`rook[5] = 0x5`, `rook[0][5] = 0x5`, `rook["a1"] = 0x5`, `rook.a1 = 0x5`."""
    for pattern in (_ITEM, _FIELD):
        for match in pattern.finditer(text):
            if any(code[at] != text[at] for at in (match.start("name"), match.end() - 1)):
                continue  # in a string
            number = literal.match(code, match.end())
            end = number.end() if number is not None else match.end()
            if number is None or not _LITERAL_END.match(code, end):
                end = _statement_end(code, match.end())
            if _NOTHING.match(code, match.end()):
                continue  # where it is declared: rook[64] = {0}
            at = match["at"]
            keys = tuple(_ONE_KEY.findall(at)) if pattern is _ITEM else (at,)
            value = read(match.end(), end)
            if value is not None:
                span = (match.start(), end)
                yield _plain(match["name"]), Step(span, (_place(match),), keys, (value,))


def _place(match: re.Match[str]) -> int:
    """Where a list's own name stands, behind its signs and the names before it."""
    return match.end("name") - len(re.split(r"\W|^(?:my|our)\s", match["name"])[-1])


def _plain(name: str) -> str:
    name = re.sub(r"^(?:my|our)\s+", "", name).lstrip("$@&")
    return re.sub(r"^(?:this|self|Self)(?:\.|::|->)", "", name)


def _key_of(text: str) -> str | None:
    match = re.fullmatch(r"\s*+(?:\w+(?:\.|::))*[\"':]?(\w+)[\"']?\s*+", text)
    key = match[1] if match else ""
    return key if _SQUARE.fullmatch(key) or re.fullmatch(r"\d{1,3}", key) else None


def _added(
    parts: Sequence[tuple[int, int]], read: Read, code: str, *, spread: bool, record: bool
) -> tuple[Value, ...] | None:
    """The items that arguments are, or that are in the list that they are."""
    values = [read(a, b) for a, b in parts if code[a:b].strip()]
    known = [value for value in values if value is not None]
    if not known or len(known) < len(values):
        return None
    if spread:
        items: list[Value] = []
        for value in known:
            items += value.items if isinstance(value, ItemRow) else [value]
        return tuple(items)
    if record and len(known) > 1:
        start, end = parts[0][0], parts[-1][1]
        return (ItemRow(tuple(known), ("",) * len(known), start, end),)
    return tuple(known)


def _arguments(code: str, start: int) -> tuple[list[tuple[int, int]] | None, int]:
    """The spans of a call's arguments, from behind its bracket, and the place behind it."""
    spans, depth, begin = [], 0, start
    for mark in _MARKS.finditer(code, start, start + 200_000):
        sign = mark[0]
        if sign in "([{":
            depth += 1
        elif sign in ")]}":
            depth -= 1
        if depth < 0 or (sign == "," and not depth):
            spans.append((begin, mark.start()))
            begin = mark.end()
        if depth < 0:
            return [span for span in spans if code[slice(*span)].strip()], mark.end()
    return None, start


_MARKS = re.compile(r"[()\[\]{},]")
_ENDS = re.compile(r"[()\[\]{};\n]")


def _statement_end(code: str, start: int) -> int:
    """Where a statement ends: at a semicolon, or a line's end outside of brackets."""
    depth = 0
    for mark in _ENDS.finditer(code, start, start + 200_000):
        sign = mark[0]
        depth += (sign in "([{") - (sign in ")]}")
        if (
            depth < 0
            or sign == ";"
            or (sign == "\n" and not depth and code[start : mark.start()].strip())
        ):
            return mark.start()
    return min(len(code), start + 200_000)


def _gathered_list(name: str, steps: list[Step], code: str) -> Filled | None:
    """The list that some statements make; None where they may not make it."""
    steps.sort(key=lambda step: step.span)
    steps = [
        assignment
        for assignment, last in zip(steps, [None, *steps], strict=False)
        if last is None or assignment.span[0] >= last.span[1]
    ]
    keyed = [step for step in steps if step.key is not None]
    items = [item for step in steps for item in step.items]
    if len(items) < 16 or (keyed and len(keyed) < len(steps)) or _is_perhaps(steps, code):
        return None
    begins = _begins_empty(name, steps, code)
    if begins is None:
        return None
    steps[0] = steps[0]._replace(places=(*steps[0].places, *begins))
    start, end = steps[0].span
    if not keyed:
        return Filled(name, ItemRow(tuple(items), ("",) * len(items), start, end), steps, True)
    keys = [step.key for step in steps if step.key is not None]
    if len({*keys}) < len(keys) or len({len(key) for key in keys}) > 1:
        return None
    row = _by_keys(keys, items, start, end)
    return None if row is None else Filled(name, row, steps, False)


def _by_keys(
    keys: Sequence[tuple[str, ...]], items: Sequence[Value], start: int, end: int
) -> ItemRow | None:
    """Items by their subscripts, or by the squares that they are named for."""
    if len(keys[0]) == 1:
        names = [key[0] for key in keys]
        squares = [match[1].lower() for name in names if (match := _SQUARE.fullmatch(name))]
        if len(squares) == len(names) == len({*squares}):
            return ItemRow(tuple(items), tuple(squares), start, end)
        ordered = _ordered(names)
        if ordered is None:
            return None
        return ItemRow(tuple(items[n] for n in ordered), ("",) * len(items), start, end)
    firsts = list(dict.fromkeys(key[0] for key in keys))
    rows: list[ItemRow] = []
    for first in firsts:
        numbers = [n for n, key in enumerate(keys) if key[0] == first]
        ordered = _ordered([keys[n][1] for n in numbers])
        if ordered is None:
            return None
        inner = tuple(items[numbers[n]] for n in ordered)
        rows.append(ItemRow(inner, ("",) * len(inner), start, end))
    ordered = _ordered(firsts)
    if ordered is None:
        return None
    return ItemRow(tuple(rows[n] for n in ordered), ("",) * len(rows), start, end)


def _ordered(names: Sequence[str]) -> list[int] | None:
    """The places of subscripts in rising order; None where one is left out."""
    if not all(re.fullmatch(r"\d{1,4}", name) for name in names):
        return None
    numbers = [int(name) for name in names]
    order = sorted(range(len(numbers)), key=numbers.__getitem__)
    steps = {numbers[b] - numbers[a] for a, b in pairwise(order)}
    return order if numbers[order[0]] in (0, 1) and steps <= {1} else None


def _is_perhaps(steps: Sequence[Step], code: str) -> bool:
    """Does a condition or a loop stand around some statements, or between them?"""
    ends = [step.span[1] for step in steps]
    starts = [step.span[0] for step in steps]
    between = [(a, b) for a, b in zip(ends, starts[1:], strict=False)]
    first = code.rfind("\n", 0, starts[0]) + 1
    between.append((first, starts[0]))
    if any(_PERHAPS.search(code, a, b) for a, b in between):
        return True
    indent = len(code[first : starts[0]]) - len(code[first : starts[0]].lstrip())
    above = code[max(0, first - 4000) : first].splitlines()
    for line in reversed(above):
        indentation = len(line) - len(line.lstrip())
        if line.strip() and indentation < indent:
            return _PERHAPS.search(line) is not None
    return False


def _begins_empty(name: str, steps: Sequence[Step], code: str) -> list[int] | None:
    """Where the name is given an empty list; None where it is given something else, or later."""
    last = re.split(r"\.|->|::", name)[-1]
    inside = {place for step in steps for place in step.places}
    initialiser = re.compile(
        rf"(?<![\w.]){re.escape(last)}(?!\w)(?:\s*+,\s*+[\w$]++){{0,8}}"
        rf"(?:\s*+:(?!=)[^=;\n]{{0,80}})?\s*+(?::=|=(?![=>~]))(?P<value>[^;\n]{{0,400}})"
    )
    matches = [
        match
        for match in initialiser.finditer(code)
        if not any(match.start() <= place <= match.end() for place in inside)
    ]
    if any(
        _EMPTY.search(match["value"]) is None or _DIGITS.search(match["value"]) for match in matches
    ):
        return None
    late = any(match.start() > min(inside) for match in matches)
    return None if late else [match.start() for match in matches]


def joined_to(row: ItemRow, filled: Filled) -> ItemRow:
    """A list with what statements add to it."""
    items = (*row.items, *filled.row.items)
    return replace(row, items=items, keys=(*row.keys, *filled.row.keys))
