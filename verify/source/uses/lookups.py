"""Statements that multiply by an item of the list: do they compute the formula of the reading?

Lookup code is not read. But a statement that says another thing outright speaks against a reading.
"""

import re
from collections.abc import Iterator

from magicert.board import Piece
from magicert.verify.source.lists.columns import Column
from magicert.verify.source.lists.material import SourceText
from magicert.verify.source.lists.naming import split_words
from magicert.verify.source.lists.roles import named_piece
from magicert.verify.source.uses.writes import Write, list_names, uncalled

_OR_NOT = re.compile(
    r"\|=?\s*\(?[~!^](?!=)|[~!^]\s*[\w.>-]+(?:\[[^\]\n]*\])?[\w.]*\)?\s*\|(?!\|)"
    r"|\bor\s*\(?\s*not\b|\.inv\s*\(|\bcomplement\b|\blognot\b"
)
_AND = re.compile(r"(?<!&)&(?!&)|\band\b|\.&\.|\blogand\b|\bland\b")
_MASKED = re.compile(r"(?i)&=?\s*\(?[\w.>-]*(?:mask|occ)")
_CUT = "the code cuts the occupancy to the mask, the reading ORs the complement"
FARTHEST = 200
"""Characters before a product in which the occupancy may be cut."""
_AND_NOT = re.compile(r"(?i)(?<!&)&\s*[~!^]\s*[\w.>-]*mask")
_CAST = re.compile(r"\((?:unsigned(?: int)?|u?int|u?int32_t|u32)\)\s*\(")
_LOW = re.compile(
    r"(?:>>>?|\bshr\b)[^;\n]*?(?:&\s*(?P<mask>0[xX][\da-fA-F]+|\d+)|%\s*(?P<modulus>0[xX][\da-fA-F]+|\d+))(?![\w.])"
)
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


def lookup_statements(
    column: Column, piece: Piece, black: bool, bits: int, sources: tuple[SourceText, ...]
) -> Iterator[tuple[Write, str, bool]]:
    """The statements that multiply and say another thing, what they say, and whether for certain.

    `black`: the formula ORs the complement of the mask; `bits` is the most that its index has.
    """
    for name in list_names(column)[-1:]:
        item = re.compile(rf"(?<![\w$@.]){re.escape(name)}\s*(?:\[[^\]\n]*\]|\.?\([^)\n]*\))")
        for source in sources:
            if len(re.findall(rf"(?<![\w$@]){re.escape(name)}(?![\w$])", source.text)) < 2:
                continue
            for match in item.finditer(source.code):
                start, end = _statement(source, match)
                statement = source.code[start:end]
                if not re.search(r"\*|mul", statement):
                    continue
                line = source.code.count("\n", 0, match.start()) + 1
                text = source.lines[line - 1].strip()
                write = Write(source.file, line, text, uncalled(source, line))
                before = source.code[max(0, start - FARTHEST) : start].rpartition("\n\n")[2]
                if black and _MASKED.search(before) and not _OR_NOT.search(before + statement):
                    yield write, _CUT, True
                for found, certain in _said(statement, piece, black, bits, source.language.name):
                    yield write, found, certain


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


def _said(
    statement: str, piece: Piece, black: bool, bits: int, language: str
) -> Iterator[tuple[str, bool]]:
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
    other = Piece.BISHOP if piece == Piece.ROOK else Piece.ROOK
    for word in re.findall(r"[A-Za-z_]\w*", statement):
        if named_piece(word) == other and split_words(word) & {"mask", "masks", "occupancy"}:
            yield f"the code takes {word} for a {piece}", True
    if language in _SIGNED and _SIGNED_SHIFT.search(statement) and not _LOW.search(statement):
        yield f">> keeps the sign of a product in {language}: an index may be negative", False


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
