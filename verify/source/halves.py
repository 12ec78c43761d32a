"""Words that are put together from two lists of halves, and the statements that join them; and
words of 256 bits from four fields of 64.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import NamedTuple

from magicert.board import WORD
from magicert.verify.source.columns import Column
from magicert.verify.source.source_text import Source
from magicert.verify.source.variant import Variant, split_words

_LOW_WORDS = frozenset({"lo", "low", "l", "lower"})
_HIGH_WORDS = frozenset({"hi", "high", "h", "upper"})
_HALF_WORDS = _LOW_WORDS | _HIGH_WORDS | {"0", "1", "32"}


def word_pairs(columns: Sequence[Column], joins: Sequence["Join"] = ()) -> Iterator[Column]:
    """Columns put together from two halves of a word: in both orders, where no statement `joins`
    them.
    """
    half = columns[0].variant.word // 2 if columns else 0
    halves = [column for column in columns if _is_half(column, half)]
    whole = (1 << half) - 1
    for low in halves:
        for high in halves:
            mentioned = [j for j in joins if {low.last_name, high.last_name} == {j.high, j.low}]
            confirmed = [join for join in mentioned if join.high == high.last_name or not join.sure]
            if low is high or low.file != high.file or (mentioned and not confirmed):
                continue
            if not (confirmed or _belong(low, high)):
                continue
            if confirmed and _extends(low, half) and not any(join.unsigned for join in confirmed):
                continue  # ((long) high << 32) | low: a negative low half is not itself there
            result_name = confirmed[0].result if confirmed else ""
            if not (_is_wide(low, half) or _is_wide(high, half)):
                continue
            if low.radix and high.radix and low.radix != high.radix:
                continue
            pairs = zip(low.values, high.values, strict=True)
            yield Column(
                values=tuple((a & whole) | (b & whole) << half for a, b in pairs),
                name=result_name or f"{low.name} | {high.name} << {half}",
                name_words=split_words(result_name) or low.name_words | high.name_words,
                context=low.context | high.context,
                file=low.file,
                first_line=min(low.first_line, high.first_line),
                last_line=max(low.last_line, high.last_line),
                group=low.group,
                variant=low.variant,
                part=low.part if low.part == high.part else f"pairs of {half}-bit words",
                halves=(low, high),
                list_name=result_name,
                radix=low.radix or high.radix,
                guesses=low.guesses | high.guesses | _taken(confirmed, low, high),
                problems=low.problems + high.problems,
                spots=low.spots,
                span=(min(low.span), max(high.span)),
            )


_WORD_OF_FOUR = re.compile(r"(.*)\[([0-3])\]")
LONGEST = 256
"""The bits of a word of four fields."""


def words_of_four(columns: Sequence[Column]) -> Iterator[Column]:
    """On boards with words of 256 bits: columns put together from the four fields of a record that
    hold 64 bits each, the lowest first and the highest first.
    """
    if not columns or columns[0].variant.word != LONGEST:
        return
    records: dict[tuple[str, str, str], dict[int, Column]] = {}
    for column in columns:
        if field := _WORD_OF_FOUR.fullmatch(column.name):
            fields = records.setdefault((column.group, column.part, field[1]), {})
            fields[int(field[2])] = column
    names = {column.name for column in columns}
    for (_, _, name), fields in records.items():
        words = [fields[n] for n in sorted(fields)]
        if len(words) < 4 or f"{name}[4]" in names:
            continue
        if not all(-(1 << 63) <= value < 1 << 64 for column in words for value in column.values):
            continue
        for order in (words, words[::-1]):
            rows = zip(*(column.values for column in order), strict=True)
            yield replace(
                order[0],
                values=tuple(
                    sum((word & WORD) << 64 * n for n, word in enumerate(row)) for row in rows
                ),
                name=name if order is words else f"{name}, the highest word first",
                halves=tuple(order),
                span=(min(column.span[0] for column in words), max(c.span[1] for c in words)),
            )


class Join(NamedTuple):
    """Where a statement makes words of two lists of halves: their names, and that of what is made.
    `sure`: which is the high one is said; `plain`: nothing else is done to them; `unsigned`: a
    number is made unsigned there.
    """

    high: str
    low: str
    result: str
    sure: bool
    plain: bool
    unsigned: bool


_HIGHER = re.compile(
    r"(?:<<|\bshl\b|\blsl\b|`?\b(?:unsafe)?[sS]hiftL`?)\s*+\(?\s*+(?:32|64)[uUlLn]{0,3}\b"
    r"|\*\s*+(?:4294967296|0x1_?0{4}_?0{4}|\(?\s*+(?:2|1n?)\s*+(?:\*\*|<<)\s*+32)\w{0,3}"
)
_UNSIGNED = re.compile(
    r"0[xX]_?[fF]{4}_?[fF]{4}(?![0-9a-fA-F_])|4_?294_?967_?295|>>>\s*+0\b|toUnsigned|"
    r"\bunsigned(?!\s+long)|\b[uU](?:[iI]nt)?32|\b(?:to)?UInt\b|\buint\b"
)
"""What makes a number of 32 bits unsigned: a mask, a cast or a function."""
_JOINED = re.compile(r"[|+^]|\b(?:or|bor|xor)\b|\.\|\.")
_RESULT_NAME = re.compile(
    r"(?<![\w.$])\$?([A-Za-z_]\w*+)\s*+(?:\[\w{1,20}\]\s*+)?(?::(?!=)[^=\n;]{0,60})?(?::=|=(?![=>]))"
)
_WORD = re.compile(r"[A-Za-z_$]\w*")
MOST_JOINS, ABOUT, MOST_LINES = 200, 400, 6
"""Shifts by half a word that are looked at, and the letters and lines around each."""


def joins_of(source: Source, columns: Sequence[Column], variant: Variant) -> list[Join]:
    """The statements that put words together from two lists of halves."""
    halves = {c.last_name for c in columns if c.last_name and _is_half(c, variant.word // 2)}
    joins: list[Join] = []
    for shift in islice(_HIGHER.finditer(source.code) if len(halves) > 1 else (), MOST_JOINS):
        place, code = shift.start(), source.code
        start, stop = code.rfind("\n", 0, place) + 1, code.find("\n", place)
        stop = stop if stop >= 0 else len(code)
        start, stop = max(start, place - ABOUT), min(stop, place + ABOUT)
        start = max(start, code.rfind(";", start, place) + 1)
        for _ in range(MOST_LINES):
            if len(_names(code[start:stop], halves)) > 1 or not start:
                break
            ended = code[start:stop].rstrip().endswith(";")
            after = code.find("\n", stop + 1, place + ABOUT)
            if not ended and after >= 0 and len(_names(code[start:after], halves)) < 3:
                stop = after
            if len(_names(code[start:stop], halves)) < 2 and code[:start].rstrip()[-1:] not in ";}":
                start = max(code.rfind("\n", 0, start - 1) + 1, place - ABOUT, 0)
        operands = _names(code[start:stop], halves)
        if len(operands) == 2:
            joins.append(_join(code, start, place, shift.end(), stop, operands))
    return joins


def _names(text: str, known: Collection[str]) -> set[str]:
    return {word for word in _WORD.findall(text) if word in known}


def _join(
    code: str, start: int, place: int, end: int, stop: int, operands: Collection[str]
) -> Join:
    """What a statement says of the halves that it joins."""
    first, second = sorted(operands, key=lambda name: code.find(name, start, stop))
    shifted = _operand(code, start, place)
    words = _WORD.findall(shifted)
    direct = [word for word in words if word in operands]
    high = direct[-1] if direct else ""
    if not high and words:
        first_word = words[-1] if words[-1] not in ("n", "u64", "i") else words[0]
        other = re.match(
            r"[\s)]*+(?:[|+^]|or\b|bor\b|\.\|\.)((?:(?!\bfor\b)[^|+^;\n,}]){0,80})", code[end:stop]
        )
        named = [word for word in _WORD.findall(other[1]) if word in operands] if other else []
        if named:  # hi.map((w, i) => w << 32 | lo[i])
            high = first if named[0] == second else second
        elif other:
            partner = next(
                (
                    w
                    for w in _WORD.findall(other[1])
                    if re.search(
                        rf"\b{re.escape(first_word)}\W+{w}\b|\b{w}\W+{re.escape(first_word)}\b",
                        _around(code, start, place, end, stop),
                    )
                ),
                "",
            )
            both = _around(code, start, place, end, stop)
            a, b = (
                re.search(rf"(?<!\w){re.escape(first_word)}[\s,&*]{{1,4}}{partner}\b", both),
                re.search(rf"(?<!\w){partner}[\s,&*]{{1,4}}{re.escape(first_word)}\b", both),
            )
            if partner and (a is None) != (b is None):
                high = first if a is not None else second
            elif first_word.startswith("$") and first_word[1:] in ("0", "1"):
                high = (first, second)[int(first_word[1:])]
    result_name = next(
        (m[1] for m in _RESULT_NAME.finditer(code, start, stop) if m[1] not in operands), ""
    )
    low = next((name for name in operands if name != high), "")
    rest = code[start:stop].replace("=>", "").replace("->", "")
    plain = len(_HIGHER.findall(rest)) == 1 and not re.search(
        r"~|\bnot\b|%|/|(?<![*\w])-\s*\d", rest
    )
    plain &= len(_JOINED.findall(re.sub(r"\|\w[\w,\s]*\||\|\(.*?\)\|", "", rest))) <= 1
    remainder = code[start : place - len(shifted)] + code[end:stop]
    unsigned = _UNSIGNED.search(remainder) is not None
    if not high:
        return Join(first, second, result_name, False, plain, unsigned)
    return Join(high, low, result_name, True, plain, unsigned)


def _around(code: str, start: int, place: int, end: int, stop: int) -> str:
    """A statement without what is shifted."""
    return f"{code[start : max(start, place - 1)]} {code[end:stop]}"


def _operand(code: str, start: int, place: int) -> str:
    """What stands before a shift: its brackets, or its last words."""
    depth, at = 0, place
    while at > start:
        sign = code[at - 1]
        depth += (sign in ")]") - (sign in "([")
        if depth < 0 or (not depth and sign in "|,{=>:"):
            break
        at -= 1
    return code[at:place]


def _taken(joins: Sequence[Join], low: Column, high: Column) -> frozenset[str]:
    """What is taken where a statement joins two lists, and it is not all that it does, or it is
    not known how.
    """
    if joins and not any(join.sure and join.plain for join in joins):
        return frozenset({f"the words = {high.name} << half | {low.name}"})
    return frozenset()


def _belong(low: Column, high: Column) -> bool:
    if (
        low.name_words & _HIGH_WORDS
        and high.name_words & _LOW_WORDS
        and not low.name_words & _LOW_WORDS
    ):
        return False  # named the other way round
    if low.group == high.group:
        return True
    if low.part.startswith("every") and high.part.startswith("every"):
        return low.group.rpartition(":")[0] == high.group.rpartition(":")[0]
    different = low.name_words ^ high.name_words
    return bool(different) and different <= _HALF_WORDS and bool(low.name_words & high.name_words)


def _is_half(column: Column, half: int) -> bool:
    low, high = min(column.values), max(column.values)
    return low >= -(1 << (half - 1)) and max(high, -low) > 1 << 8 and high < 1 << half


def _extends(column: Column, half: int) -> bool:
    """Whether some numbers of a list are negative where they are used as wider ones."""
    signed = column.type == (half, True)
    return signed and any(value >> (half - 1) & 1 for value in column.values)


def _is_wide(column: Column, half: int) -> bool:
    return sum(abs(value) >> (half - 12) != 0 for value in column.values) >= 16
