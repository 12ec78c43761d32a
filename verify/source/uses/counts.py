"""Sums with a list of shifts or bits: the index has then another number of bits than the list says.

product >> (64 - rook_bits[s])          as it stands
product >> (rook_shift[s] + 1)          one bit less: refused
"""

import re
from collections.abc import Iterator

from magicert.verify.source.lists.columns import Column
from magicert.verify.source.lists.material import SourceText
from magicert.verify.source.lists.roles import shift_kind
from magicert.verify.source.uses.writes import Write, list_names, uncalled

_FROM = re.compile(r"(?<![\w.])(\d+)\s*-\s*\(*\s*$")
_PLUS = re.compile(r"\s*([+-])\s*(\d+)(?![\w.])")
_SHIFTED = re.compile(r"(?:>>>?=?|\bshr\b|\bushr\b|\blsr\b)[^;\n]{0,40}$")
"""Only an item that is shifted by is asked."""
_WHOLE = {"bits": ("128", "64", "32"), "shift": (), "shift32": (), "shift128": ()}
_WIDER = ("32",)
"""What may be taken off the shift of a word of 64 bits, for one of 32."""


def count_uses(column: Column, sources: tuple[SourceText, ...]) -> Iterator[Write]:
    """The lines that shift by more or by less than an item of the list."""
    kind = shift_kind(column)
    for name in list_names(column)[-1:]:
        item = re.compile(rf"(?<![\w$@.]){re.escape(name)}\s*\[[^\[\]\n]*\](?:\s*(?:\.|->)\s*\w+)?")
        for source in sources:
            for match in item.finditer(source.code):
                before = source.code[max(0, match.start() - 60) : match.start()]
                if not _SHIFTED.search(before) or kind is None:
                    continue
                less = _FROM.search(before)
                more = _PLUS.match(source.code, match.end())
                wrong = less is not None and less[1] not in _WHOLE[kind]
                if wrong or (more is not None and more[2] not in _WIDER):
                    line = source.code.count("\n", 0, match.start()) + 1
                    text = source.lines[line - 1].strip()
                    yield Write(source.file, line, text, uncalled(source, line))
