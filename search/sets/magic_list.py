"""Lists of magics in a file: those that are known, and those that a set has so far.

    scheme = "white"
    command = "magicert find --set --seed 1"

    [rook]
    a1 = { bits = 12, magic = "0x0a8002c000108020" }

Further keys of the top level are texts that say where the magics come from. Pieces and squares
are those of chess, or of another board.
"""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from magicert.board import CHESS, Board, Piece
from magicert.problem import InputError, Problem
from magicert.system.toml_text import quoted
from magicert.system.whole_file import write_whole

Square = tuple[str, int]
"""A piece by its name, and a square."""


@dataclass(frozen=True, slots=True)
class Magic:
    """A magic and its number of index bits."""

    bits: int
    magic: int


@dataclass(frozen=True, slots=True)
class MagicList:
    """Magics of a scheme by piece and square; `texts` are the other keys of the file."""

    scheme: str
    magics: Mapping[Square, Magic]
    texts: Mapping[str, str] = field(default_factory=dict)
    board: Board = CHESS


def write_magic_list(listed: MagicList, path: Path, comment: str) -> None:
    """Write the file in one step."""
    lines = [f"# {comment}", f"scheme = {quoted(listed.scheme)}"]
    lines += [f"{key} = {quoted(text)}" for key, text in listed.texts.items()]
    digits = 2 + listed.board.word // 4
    for piece in sorted({piece for piece, _ in listed.magics}, key=_rank):
        lines += ["", f"[{piece}]"]
        lines += [
            f'{listed.board.name(s)} = {{ bits = {m.bits}, magic = "{m.magic:#0{digits}x}" }}'
            for (p, s), m in sorted(listed.magics.items())
            if p == piece
        ]
    write_whole(path, "\n".join(lines) + "\n")


def _rank(piece: str) -> tuple[int, str]:
    """Chess's pieces in their order, others by name."""
    return ([*Piece, piece].index(piece), piece)


def read_magic_list(
    path: Path, board: Board = CHESS, pieces: Sequence[str] = tuple(Piece)
) -> MagicList:
    """Read a file about these pieces; InputError with every problem, OSError if it cannot be
    opened.
    """
    problems: list[Problem] = []
    try:
        document = tomllib.loads(path.read_bytes().decode("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError([Problem(f"not a TOML file: {error}", file=str(path))]) from None
    magics: dict[Square, Magic] = {}
    for piece in pieces:
        entries = document.pop(str(piece), {})
        if not isinstance(entries, dict):
            problems.append(Problem(f"found {entries!r}: expected a section", key=str(piece)))
            continue
        for name, entry in entries.items():
            try:
                magics[piece, board.parse(name)] = _magic(entry, board.word)
            except ValueError as error:
                problems.append(Problem(str(error), key=f"{piece}.{name}"))
    texts = {key: value for key, value in document.items() if isinstance(value, str)}
    problems += [Problem("expected a text", key=key) for key in document if key not in texts]
    if "scheme" not in texts:
        problems.append(Problem("missing", key="scheme"))
    if problems:
        raise InputError(p.at(str(path), p.key, None) for p in problems)
    return MagicList(texts.pop("scheme"), magics, texts, board)


def _magic(entry: Any, width: int) -> Magic:  # noqa: ANN401
    expected = 'expected such as { bits = 10, magic = "0x1234" }'
    if not isinstance(entry, dict) or set(entry) != {"bits", "magic"}:
        raise ValueError(f"found {entry!r}: {expected}")
    bits, text = entry["bits"], entry["magic"]
    if type(bits) is not int or not 1 <= bits <= 32:
        raise ValueError(f"bits {bits!r}: expected 1 to 32")
    try:
        magic = int(text, 16) if isinstance(text, str) and text.startswith("0x") else -1
    except ValueError:
        magic = -1
    if not 0 <= magic < 1 << width:
        digits = width // 4
        raise ValueError(f"magic {text!r}: expected 0x and at most {digits} hexadecimal digits")
    return Magic(bits, magic)
