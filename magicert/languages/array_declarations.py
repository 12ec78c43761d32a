"""How arrays are declared in many languages: their lengths, and the bits of an entry.

    static const U64 table[64][4096]        C          [64, 4096], 64 bits
    static TABLE: [u64; 4096]               Rust       [4096], 64 bits
    std::array<U64, 64> table               C++        [64], 64 bits

A length that is not understood makes it no declaration, but for the first one: `table[]` may be as
long as its list.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property

from magicert.languages.addresses import Declared

_NO_DECLARATION = re.compile(
    r"\b(?:return|else|case|delete|goto|new|in|of|sizeof|typedef|using|addr|ref|out|and|or|not)\b"
)
_ARRAY_C = (
    r"(?<![\w.>])(?P<kind>(?:[A-Za-z_][\w:]*(?:<[^<>;]*>)?\s+)+){name}\s*"
    r"(?P<dims>(?:\[[^\[\]\n]*\]\s*)+)(?=\s*(?:=(?!=)|[;{{,)]|__attribute__|$))"
)
_BRACKETS = r"\[(?:[^\[\]\n]|\[(?:[^\[\]\n]|\[[^\[\]\n]*\])*\])*\]"
_ARRAY_BEHIND = rf"(?<![\w.>]){{name}}\s*:\s*(?P<behind>(?:{_BRACKETS})+[^\[\]\n=;,]*)"
"""Rust's `name: [[u64; 64]; 2]`, Zig's `name: [2][64]u64`."""
_ARRAY_GO = r"\b(?:var\s+)?(?<![\w.>]){name}(?:\s+|\s*=\s*)(?P<behind>(?:\[[^\[\]\n:]+\])+\w+)"
_ARRAY_NEW = (
    r"(?<![\w.>]){name}\s*=\s*(?:new|stackalloc)\s+(?P<kind>\w+)\s*(?P<dims>\[[^\[\]\n]*\])"
)
_ARRAY_BEFORE = r"(?<![\w.>])(?P<kind>\w+)\s*(?P<dims>\[[^\[\],\n]*\])\s+{name}\s*[;=,)]"
"""D's `ulong[64] name`, C#'s `ulong[] name`."""
_ARRAY_OF = r"\barray\s*<(?P<inside>[^;{{}}()]*)>\s*(?<![\w.>]){name}\b"
_ARRAYS = (_ARRAY_C, _ARRAY_BEHIND, _ARRAY_GO, _ARRAY_NEW, _ARRAY_BEFORE, _ARRAY_OF)
"""How arrays are declared."""
LONGEST_DECLARATION = 2000
"""Letters before and behind a name, of which its declaration consists."""


class ArrayDeclarations:
    """The arrays that a source declares. `number` says what a constant's text comes to, `bits_of`
    how many bits a type has, 0 where that is not known.
    """

    def __init__(
        self, code: str, number: Callable[[str], int | None], bits_of: Callable[[str], int]
    ) -> None:
        self.code = code
        self.number = number
        self.bits_of = bits_of

    def of(self, name: str) -> Iterator[Declared]:
        """Each declaration of an array of a name: its lengths, 0 for one that is not known."""
        parts = [*_around(name, self._possible_places.get(name, ()), self.code)]
        patterns = (re.compile(one.format(name=re.escape(name))) for one in _ARRAYS if parts)
        for pattern in patterns:
            for start, end in parts:
                for match in pattern.finditer(self.code, start, end):
                    whole = match.end() < end or end == len(self.code)
                    declaration = self._lengths(match) if whole else None
                    if declaration is not None:
                        yield declaration

    @cached_property
    def _possible_places(self) -> dict[str, list[int]]:
        """Where names stand as they do in `_ARRAYS`: in prose these are few."""
        behind = re.finditer(r"(\w++)\s*+[\[:=]", self.code)
        before = re.finditer(r"(?:\]\s|>)\s*+(\w++)", self.code)
        places: dict[str, list[int]] = {}
        for match in sorted((*behind, *before), key=lambda match: match.start(1)):
            places.setdefault(match[1], []).append(match.start(1))
        return places

    def _lengths(self, match: re.Match[str]) -> Declared | None:
        """What a declaration says of an array."""
        groups = match.groupdict()
        kind, texts = (
            groups.get("kind") or "",
            re.findall(r"\[([^\[\]]*)\]", groups.get("dims") or ""),
        )
        if (dimensions := groups.get("behind")) is not None:  # [[u64; 4096]; 64], [64][4096]u64
            texts = re.findall(r";\s*([^;\[\]]+)\]", dimensions)[::-1] or re.findall(
                r"\[([^\[\]]*)\]", dimensions
            )
            kind = " ".join(
                re.findall(r"[A-Za-z_]\w*", re.sub(r"\[[^;\[\]]*\]|;[^\]]*", " ", dimensions))
            )
        if (dimensions := groups.get("inside")) is not None:  # array<array<U64, 4096>, 64>
            texts = re.findall(r",\s*([^,<>]+)", dimensions)[::-1]
            kind = " ".join(re.findall(r"\w+", dimensions.partition(",")[0]))
        texts = [
            length for text in texts for length in (text.split(",") if "," in text else [text])
        ]
        if not texts or _NO_DECLARATION.search(kind):
            return None
        lengths = [self.number(text) or 0 if text.strip() else 0 for text in texts]
        if not all(lengths[1:]):
            return None
        bits = self.bits_of(kind)
        return Declared(tuple(lengths), bits)


def _around(name: str, places: Iterable[int], code: str) -> Iterator[tuple[int, int]]:
    """The parts of a source that may declare a name which stands in these places, in their order:
    the statement up to it, and what is behind.
    """
    start, end = 0, -1
    for place in places:
        least = max(place - LONGEST_DECLARATION, 0)
        before = max(least, *(code.rfind(sign, least, place) + 1 for sign in ";{}"))
        behind = min(place + len(name) + LONGEST_DECLARATION, len(code))
        if end < 0:
            start, end = before, behind
        elif before <= end:
            end = behind
        else:
            yield start, end
            start, end = before, behind
    if end >= 0:
        yield start, end
