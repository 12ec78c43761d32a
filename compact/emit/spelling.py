"""How the names and lists of an emitted program are spelt, whatever the language."""

import re
from collections.abc import Iterable, Sequence

from magicert.chess import Piece

STEPS = {
    Piece.ROOK: ((0, 1), (1, 0), (0, -1), (-1, 0)),
    Piece.BISHOP: ((1, 1), (1, -1), (-1, -1), (-1, 1)),
}
"""Steps in files and ranks, for the ray walks of the emitted programs."""


def title(text: str) -> str:
    """A name with a capital: "rook" is "Rook"."""
    return text[:1].upper() + text[1:]


def camel(name: str) -> str:
    """A name in camel case: "rook_buffer" is "RookBuffer"."""
    return "".join(map(title, name.split("_")))


def identifier(name: str) -> str:
    """A piece's name as a part of names in a program: "cannon-h" is "cannon_h"."""
    return re.sub(r"\W|^(?=\d)", "_", name, flags=re.ASCII)


def buffer_name(buffer: str) -> str:
    """What a buffer is called, in small letters: "attacks", "numbers", or "rook_buffer"."""
    return buffer if buffer in ("attacks", "numbers") else f"{identifier(buffer)}_buffer"


def sets_name(piece: str) -> str:
    """What the attack sets of a two-level table are called: "rook_sets"."""
    return f"{identifier(piece)}_sets"


def leaps_name(piece: str) -> str:
    """What the constant table of what nothing blocks is called: "amazon_leaps"."""
    return f"{identifier(piece)}_leaps"


def lines(items: Sequence[str], indent: str, row: int) -> str:
    """A list's items, `row` to a line."""
    starts = range(0, len(items), row)
    return "\n".join(f"{indent}{', '.join(items[place : place + row])}," for place in starts)


def hexadecimal(word: int) -> str:
    """A word as a literal, small ones in decimal."""
    return str(word) if word < 256 else f"0x{word:x}"


_CODE = re.compile(r"\\|(?<=\?\?)/$|^\+(?=build)|(?<=coding)[:=]")
"""What is more than a comment somewhere: Java reads `\\u000a` as the end of a line, and C a
backslash there, or its trigraph, as none; Go's `+build`, Python's `coding:`.
"""


def commented(mark: str, lines: Iterable[str]) -> str:
    """Lines as comments. What could end or hide a part of one, or is code, is escaped."""
    return "".join(f"{mark} {_harmless(line)}".rstrip() + "\n" for line in lines)


def _harmless(line: str) -> str:
    line = _CODE.sub(lambda match: _escaped(match[0]), line)
    return "".join(c if c.isprintable() else _escaped(c) for c in line)


def _escaped(character: str) -> str:
    code = ord(character)
    return f"\\x{code:02x}" if code < 256 else f"\\x{{{code:x}}}"
