"""What an engine's own lookups do with its magics, where that is written around their name.

A table is verified with a formula. A statement that looks the magics up may plainly be another: the
magics are added instead of multiplied, are changed before they are multiplied, belong to another
square than the mask, or are shifted by another list. `other_lookups` names these. What stands in no
such form is not looked at: the lookup itself is proved by `--function`.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from magicert.verify.source.columns import MOST_BITS, SHIFT_WORDS, WHOLE, Column, says
from magicert.verify.source.contents import Contents
from magicert.verify.source.variant import split_words
from magicert.verify.source.ways import PieceReading

_SUBSCRIPT = r"\[(?P<{}>[^\[\]\n]{{1,80}})\]"
_OWNER = re.compile(r"(?:\w++(?:\[[^\[\]\n]{1,80}\])*(?:\.|->|::))*+$")
"""What an item's list is part of, before its name."""
_ITEM = re.compile(rf"(?:\s?{_SUBSCRIPT.format('square')})*+")
_SUM = re.compile(r"(?:(?<=[\w)\]])\s*+(?:[+|^]|&\^)|\b(?:wrapping|saturating)_add\()\s*+\(?\s*+$")
"""An operator before an item that is no product."""
_SUM_IN_STEPS = re.compile(r"(?<![\w.])(?P<sum>\w++)\s*+[+|^]=\s*+$")
_PRODUCT = re.compile(r"(?:(?<!\*)\*=?|\bwrapping_mul\()\s*+$")
_CHANGED_PRODUCT = re.compile(r"(?:(?<!\*)\*\s*+\(|\bwrapping_mul\(|(?<!\*)\*=)\s*+$")
_CHANGE = re.compile(r"\s*+(?P<change>(?:\^|\+|\||-)\s*+\w[\w.]*+)\s*+[;)]")
"""What changes an item before its product is taken."""
_RIGHT = r"(?:>>>?=?|\b(?:wrapping|unchecked)_shr\(|\bu?shr\b)"
_SHIFTED = re.compile(rf"[\s)]*(?:&\s*+\w++)?[\s)]*\)\s*+{_RIGHT}")
_BY_LIST = re.compile(
    rf"[^;{{}}?,]{{0,80}}?(?:;\s*\w+\s*)?{_RIGHT}\s*+(?P<amount>\(*+\s*+(?:(?P<whole>\d{{2,3}})n?\s*+-\s*+)?"
    rf"(?:\w++(?:\.|->|::))*+(?P<name>\w++)(?:\s?{_SUBSCRIPT.format('square')})+"
    r"(?:\s*+(?P<more>[-+]\s*+\d{1,2})\b)?)"
)
"""The next shift by an item of a list behind a list's name, in the same expression."""
_COMPLEMENT = re.compile(r"\((?:[^()]|\([^()]*\)){0,80}\|\s*+[~!](?:[^()]|\([^()]*\)){0,80}\)\s*+$")
"""What is joined with a complement, and then multiplied."""
_MIRROR = re.compile(
    r"(?P<plain>\w++)\s*+(?:\^|\bxor\b)\s*+(?:0x(?:07|7|38|3[fF])|7|56|63)(?:u|U|L)*+"
    r"|(?:7|56|63)\s*+(?:-|\^)\s*+(?P<behind>\w++)"
)
"""A square seen from another side of the board."""
_LOOKED_UP = re.compile(rf"(?<!\w)(?P<name>\w++){_SUBSCRIPT.format('square')}(?!\s*+\[)")
_NEAR = 120
"""Letters before and behind a product in which its masks and shifts stand."""


@dataclass(frozen=True, slots=True)
class OtherLookup:
    """A statement that does not look magics up as they were read."""

    place: str
    words: str
    shift: bool = False
    """Is it the shift that differs?"""


def other_lookups(contents: Contents, reading: PieceReading) -> Iterator[OtherLookup]:
    """The statements around the magics' name that do something else than the reading."""
    magic = reading.magic
    if magic.halves or not magic.last_name:
        return
    other_shifts: list[OtherLookup] = []
    shift_is_used = False
    for _, source, start, end in contents.elsewhere([magic]):
        code = source.code
        place = f"{source.file}, line {source.spot(start)[0]}"
        line = code.rfind("\n", 0, start) + 1
        owner = _OWNER.search(code, line, start)
        first = owner.start() if owner is not None else start
        item = _ITEM.match(code, end)
        last = item.end() if item is not None else end
        shown = code[first:last]
        before = code[max(line, first - _NEAR) : first]
        sum_in_steps = _SUM_IN_STEPS.search(before)
        is_sum = _SUM.search(before) is not None and _SHIFTED.match(code, last) is not None
        if sum_in_steps is not None:
            name = re.escape(sum_in_steps["sum"])
            is_sum = re.compile(rf"\s*+;?\s*+{name}\s*+>>>?=").match(code, last) is not None
        if is_sum:
            yield OtherLookup(place, f"{shown} is no factor of what is shifted")
        change = _CHANGE.match(code, last)
        if change is not None and _CHANGED_PRODUCT.search(before):
            yield OtherLookup(place, f"{shown} {change['change']} is multiplied")
        product = _PRODUCT.search(before)
        if product is None:
            continue
        inverted = _COMPLEMENT.search(before, 0, product.start())
        if inverted is not None and "~" not in reading.formula.text:
            yield OtherLookup(place, f"{inverted[0].strip()} is multiplied")
        square = item["square"] if item is not None else None
        near = code[max(code.rfind("}", 0, first) + 1, first - _NEAR) : first]
        yield from _of_another_square(near, shown, square, place)
        match = _BY_LIST.match(code, last)
        if match is not None:
            columns = _called(contents, match["name"])
            fits = any(_shifts_so(column, match, reading) for column in columns)
            shift_is_used |= fits
            if columns and not fits:
                words = f"the shift by {match['amount'].lstrip('( ')}"
                other_shifts.append(OtherLookup(place, words, shift=True))
    if not shift_is_used:
        yield from other_shifts


def _of_another_square(
    near: str, shown: str, square: str | None, place: str
) -> Iterator[OtherLookup]:
    """A mask or a shift in the same product is looked up at the square, the magic at its mirror
    image; or the other way round.
    """
    for other in _LOOKED_UP.finditer(near):
        if square is None or not says(split_words(other["name"]), (*SHIFT_WORDS, "mask")):
            continue
        if _plain(square) == other["square"].strip() or _plain(other["square"]) == square.strip():
            yield OtherLookup(place, f"{shown} goes with {other[0]}")


def _plain(subscript: str) -> str | None:
    """The square that a subscript mirrors; None where it mirrors none."""
    match = _MIRROR.fullmatch(subscript.strip())
    return (match["plain"] or match["behind"]) if match is not None else None


def _called(contents: Contents, name: str) -> list[Column]:
    """The lists of bits or shifts of a name."""
    return [
        column
        for column in contents.columns
        if column.last_name == name and column.shift_kind is not None
    ]


def _shifts_so(column: Column, match: re.Match[str], reading: PieceReading) -> bool:
    """Does a shift by a list leave as many bits as the reading?"""
    values = [*column.values]
    more = int(re.sub(r"\s", "", match["more"])) if match["more"] else 0
    whole = int(match["whole"]) if match["whole"] else 0
    shifts = [(whole - value if whole else value) + more for value in values]
    count = reading.count
    bits = [abs(WHOLE[count.kind] - value) for value in count.values]
    bits = bits * len(shifts) if len(bits) == 1 else bits
    word = 32 if max(shifts) < 32 and whole in (0, 32) else reading.variant.word
    left = [word - shift for shift in shifts]
    return sorted(left) == sorted(bits) or not all(0 < n <= MOST_BITS for n in left)
