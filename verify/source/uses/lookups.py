"""Statements that multiply by an item of the list: do they compute the formula of the reading?

Lookup code is not read. But a statement that says another thing outright speaks against a reading.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import reduce

from magicert.verify.source.lists.columns import Column
from magicert.verify.source.lists.game import Game
from magicert.verify.source.lists.material import SourceText
from magicert.verify.source.lists.naming import split_words
from magicert.verify.source.uses.loaded import without_lines
from magicert.verify.source.uses.writes import Write, list_names, uncalled

_OR_NOT = re.compile(
    r"\|=?\s*\(?[~!^](?!=)|[~!^]\s*[\w.>-]+(?:\[[^\]\n]*\])?[\w.]*\)?\s*\|(?!\|)"
    r"|\bor\s*\(?\s*not\b|\.inv\s*\(|\bcomplement\b|\blognot\b"
)
_AND = re.compile(r"(?<!&)&(?!&)|\band\b|\.&\.|\blogand\b|\bland\b")
_MASKED = re.compile(r"(?i)&=?\s*\(?[\w.>-]*(?:mask|occ)")
_UNMASKED = "no code here ANDs an occupancy with a mask: the reading does"
_CUT = "the code cuts the occupancy to the mask, the reading ORs the complement"
_MULTIPLIES = re.compile(r"\*|mul")
_WIDTHS = range(5, 15)
"""Index bits that a slider's square may have."""
FARTHEST = 200
"""Characters before a product in which the occupancy may be cut."""
_AND_NOT = re.compile(r"(?i)(?<!&)&\s*[~!^]\s*[\w.>-]*mask")
_CAST = re.compile(r"\((?:unsigned(?: int)?|u?int|u?int32_t|u32)\)\s*\(")
_LOW = re.compile(
    r"(?:>>>?|\bshr\b)[^;\n]*?(?:&\s*(?P<mask>0[xX][\da-fA-F]+|\d+)|%\s*(?P<modulus>0[xX][\da-fA-F]+|\d+))(?![\w.])"
)
_DIVIDED = re.compile(
    r"(?<![/*])//?\s*\(?\s*(?:\(\w+\)\s*)?(?:1\w*\s*<<\s*(?P<shift>\d+)|2n?\s*(?:\*\*|\^)\s*(?P<power>\d+)"
    r"|(?P<number>0[xX][\da-fA-F]+|\d{9,}))"
)
_ROTATED = re.compile(
    r"(?i)(?<![a-z])_*(?:rot(?:ate)?_?(?:left|right|[lr])\w*|ro[lr](?:d?q?|_?\d+)?(?=\s*\())"
)
_NARROW = re.compile(
    r"(?:^|[;{}\n])\s*(?:const\s+)?(?:unsigned(?:\s+int)?|u?int|u?int32_t|[ui]32|short|u?int16_t)\s+"
    r"\w+\s*=(?!=)|\b(?:let|var|val)\s+(?:mut\s+)?\w+\s*:\s*(?:[ui]32|U?Int32|u?int32)\b"
)
_SHIFTED = re.compile(r">>|\bshr\b|shift|srl|\bhi|high|/")
_ANDED = re.compile(
    r"[\w)\]]\s*(?:(?<!&)&(?!&)=?|\band\b|\.&\.|&&&|\bland\b)\s*[(~!]*(?!0[xX]|\d)\w"
    r"|(?i:\blogand\b|\bbit-and\b|\bband\b|\biand\b|bitand|\.and\b|pext|pdep|andn|\band\s+\w+\s*,)"
)
"""Code that takes some bits of a variable by another one."""
_END = re.compile(r"[;{}]|\n\s*\n|$")
_BY_LINES = frozenset(
    {
        "Python",
        "Cython",
        "Ruby",
        "Crystal",
        "Julia",
        "Nim",
        "Go",
        "Swift",
        "Kotlin",
        "Lua",
        "R",
        "V",
    }
)
"""Languages in which a line ends a statement, unless a bracket is open."""
_SIGNED_SHIFT = re.compile(r"(?<!>)>>(?![>=])(?!>)|\bshr\b")
_SIGNED = frozenset({"Java", "Scala", "Groovy", "Dart", "PHP"})
"""Languages whose integers of 64 bits have a sign, and whose >> keeps it."""


@dataclass(frozen=True, slots=True)
class Taken:
    """What a reading takes the lookups for: `bits` are those of all its indexes, `lines` the names
    of the lists that loaded words are ANDed with.
    """

    piece: str
    formula: str
    bits: frozenset[int]
    lines: tuple[str, ...] = ()

    @property
    def black(self) -> bool:
        """Whether it ORs the complement of the mask."""
        return "~mask" in self.formula

    @property
    def masked(self) -> bool:
        """Whether it ANDs the mask."""
        return "mask" in self.formula and not self.black

    @property
    def halves(self) -> bool:
        """Whether it multiplies in 32 bits."""
        return "32" in self.formula


def lookup_statements(
    column: Column, taken: Taken, sources: tuple[SourceText, ...]
) -> Iterator[tuple[Write, str, bool]]:
    """The statements that say another thing, what they say, and whether for certain."""
    found = list(_statements(column, sources))
    for source, write, before, whole in found:
        statement = reduce(without_lines, taken.lines, whole)
        if not _MULTIPLIES.search(statement):
            if _ROTATED.search(statement):
                yield write, "the code rotates, and does not multiply", True
            continue
        if taken.black and _MASKED.search(before) and not _OR_NOT.search(before + statement):
            yield write, _CUT, True
        for said, certain in _said(statement, taken, source.language.name, source.game):
            yield write, said, certain
    products = [write for _, write, _, statement in found if _MULTIPLIES.search(statement)]
    if products and taken.masked and not any(_ANDED.search(one.code) for one in sources):
        yield products[0], _UNMASKED, False


def _statements(
    column: Column, sources: tuple[SourceText, ...]
) -> Iterator[tuple[SourceText, Write, str, str]]:
    """Those with an item of the list: source, place, what stands before it, and its text."""
    for name in list_names(column)[-1:]:
        item = re.compile(rf"(?<![\w$@.]){re.escape(name)}\s*(?:\[[^\]\n]*\]|\.?\([^)\n]*\))")
        for source in sources:
            if len(re.findall(rf"(?<![\w$@]){re.escape(name)}(?![\w$])", source.text)) < 2:
                continue
            for match in item.finditer(source.code):
                start, end = _statement(source, match)
                statement = source.code[start:end]
                line = source.code.count("\n", 0, match.start()) + 1
                if source.file == column.file and column.first_line <= line <= column.last_line:
                    continue
                text = source.lines[line - 1].strip()
                write = Write(source.file, line, text, uncalled(source, line))
                before = source.code[max(0, start - FARTHEST) : start].rpartition("\n\n")[2]
                yield source, write, before, statement


def _statement(source: SourceText, match: re.Match[str]) -> tuple[int, int]:
    """From where to where the statement around a match goes."""
    code = source.code
    start = max(code.rfind(sign, 0, match.start()) for sign in ";{}") + 1
    start = max(start, code.rfind("\n", 0, max(0, match.start() - 160)) + 1)
    if source.language.name in _BY_LINES:
        return _lines_around(code, match, start)
    end = _END.search(code, match.end())
    return start, end.start() if end else len(code)


def _lines_around(code: str, match: re.Match[str], first: int) -> tuple[int, int]:
    """The lines of a match, and those with which its brackets open and close."""
    depth, start = 0, first
    for at in range(first, match.start()):
        depth += (code[at] in "([{") - (code[at] in ")]}")
        if code[at] == "\n" and depth <= 0:
            start = at + 1
    depth, end = 0, start
    while end < len(code) and (code[end] != "\n" or end < match.end() or depth > 0):
        depth += (code[end] in "([{") - (code[end] in ")]}")
        end += 1
    return start, end


def _said(statement: str, taken: Taken, language: str, game: Game) -> Iterator[tuple[str, bool]]:
    piece, black, bits = taken.piece, taken.black, max(taken.bits)
    yield from _cut_otherwise(statement, taken)
    if not black and _OR_NOT.search(statement):
        yield "the code ORs a complement into the occupancy, the reading does not", True
    if black and _AND.search(statement) and not _OR_NOT.search(statement):
        yield _CUT, True
    for match in _LOW.finditer(statement):
        if match[0].count("]") > match[0].count("["):
            continue  # what is cut is what the index loads
        number = int(match["mask"] or match["modulus"], 0) + (match["mask"] is not None)
        if number & (number - 1) == 0 and 16 <= number < 1 << bits:
            width = number.bit_length() - 1
            yield f"the code keeps {width} bits of the index, what certifies has {bits}", True
    if not black and _AND_NOT.search(statement):
        yield "the code cuts the occupancy to the complement of a mask", True
    if _is_cut_before_its_shift(statement):
        yield "the code keeps 32 bits of the product before it shifts", True
    for word in re.findall(r"[A-Za-z_]\w*", statement):
        masked = split_words(word) & {"mask", "masks", "occupancy"}
        if masked and game.named(word) not in (None, piece):
            yield f"the code takes {word} for a {piece}", True
    if language in _SIGNED and _SIGNED_SHIFT.search(statement) and not _LOW.search(statement):
        yield f">> keeps the sign of a product in {language}: an index may be negative", False


def _cut_otherwise(statement: str, taken: Taken) -> Iterator[tuple[str, bool]]:
    """The index is not what a shift leaves of 64 bits of product."""
    for match in _DIVIDED.finditer(statement):
        shift = int(match["shift"] or match["power"] or 0)
        number = int(match["number"], 0) if match["number"] else 1 << shift
        width = 65 - number.bit_length()
        if number & (number - 1) or (width in _WIDTHS and taken.bits != {width}):
            fewer = width < max(taken.bits)  # more bits only tell more occupancies apart
            yield f"the code divides by {number:,}, what certifies shifts otherwise", fewer
    if "rol" not in taken.formula and _ROTATED.search(statement):
        yield "the code rotates a word, what certifies does not", False
    if not taken.halves and _NARROW.search(statement) and not _SHIFTED.search(statement):
        yield "the code keeps 32 bits of the product before it shifts", True


def _is_cut_before_its_shift(statement: str) -> bool:
    """`(int) (occ * magic) >> 20`: the cast binds to the product, and not to the shifted one. In a
    formula of two halves there are two such casts.
    """
    found = list(_CAST.finditer(statement))
    if len(found) != 1:
        return False
    depth, start = 0, found[0].end() - 1
    for at in range(start, len(statement)):
        depth += (statement[at] == "(") - (statement[at] == ")")
        if not depth:
            inside, behind = statement[start : at + 1], statement[at + 1 :]
            return "*" in inside and ">>" not in inside and re.match(r"\s*>>", behind) is not None
    return False
