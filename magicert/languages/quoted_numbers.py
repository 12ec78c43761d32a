"""Numbers in quotes, whose base nothing need say; and texts that hold many of them.

    "0x5f"        95                      "12"    12, or 18 if its digits are hexadecimal
    "5f 12 ..."   a list of such numbers

Which base it is, a call may say, or a letter in another number of the same column.
"""

import re
from dataclasses import replace

from magicert.languages.brackets import Tree
from magicert.languages.items import ItemRow, ListItem, Value
from magicert.languages.language import read_text_number

LONGEST_TEXT, FEWEST_IN_A_TEXT = 80, 16
"""Letters of a text that may be one number, and numbers of one that is a list."""
_DIGITS = re.compile(r"[0-9a-fA-F_]{1,160}")


def quoted(tree: Tree) -> Value:
    """A number in quotes; or a list, of many numbers and nothing else."""
    if len(tree.word) > LONGEST_TEXT and (row := _numbers_in(tree)) is not None:
        return row
    inner = tree.word.strip("\"'`")
    value, hexed = _in_both_bases(inner)
    text = inner if value is None and hexed is None else f'"{inner}'
    has_prefix = inner[:2] in ("0b", "0B")
    return ListItem(value, tree.start, text, hexed=hexed, radix_stated=has_prefix)


def _numbers_in(tree: Tree) -> ItemRow | None:
    """The numbers that a text holds; None where it holds anything else."""
    inner = tree.word.strip("\"'`")
    begin = tree.start + tree.word.find(inner)
    items = []
    for match in re.finditer(r"[^\s,;]+", inner):
        value, hexed = _in_both_bases(match[0])
        if value is None and hexed is None:
            return None
        text = f'"{match[0]}'
        items.append(ListItem(value, begin + match.start(), text, hexed=hexed))
    if len(items) < FEWEST_IN_A_TEXT:
        return None
    return ItemRow(tuple(items), ("",) * len(items), tree.start, tree.end)


def _in_both_bases(digits: str) -> tuple[int | None, int | None]:
    """What digits come to as they stand, and in hexadecimal, if that is another number."""
    value = read_text_number(digits)
    hexed = read_text_number(digits, 16) if _DIGITS.fullmatch(digits) else None
    return value, None if hexed == value else hexed


def in_radix(item: ListItem, radix: int) -> ListItem:
    """A number that stands in a string, by the radix that something says."""
    if item.text[:1] != '"':
        return item
    return replace(item, value=read_text_number(item.text[1:], radix), hexed=None)
