"""Lists of magics in a file: those that are known, and those that a set has so far.

    scheme = "white"
    command = "magicert find --set --seed 1"

    [rook]
    a1 = { bits = 12, magic = "0x0a8002c000108020" }

Further keys of the top level are texts that say where the magics come from.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from magicert.board import WORD, Piece, parse_square, square_name
from magicert.problem import InputError, Problem
from magicert.system.toml_text import quoted
from magicert.system.whole_file import write_whole

Square = tuple[Piece, int]


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


def write_magic_list(listed: MagicList, path: Path, comment: str) -> None:
    """Write the file in one step."""
    lines = [f"# {comment}", f"scheme = {quoted(listed.scheme)}"]
    lines += [f"{key} = {quoted(text)}" for key, text in listed.texts.items()]
    for piece in Piece:
        own = {square: m for (p, square), m in listed.magics.items() if p is piece}
        if own:
            lines += ["", f"[{piece}]"]
        lines += [
            f'{square_name(square)} = {{ bits = {m.bits}, magic = "{m.magic:#018x}" }}'
            for square, m in sorted(own.items())
        ]
    write_whole(path, "\n".join(lines) + "\n")


def read_magic_list(path: Path) -> MagicList:
    """Read the file; InputError with every problem, OSError if it cannot be opened."""
    problems: list[Problem] = []
    try:
        document = tomllib.loads(path.read_bytes().decode("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError([Problem(f"not a TOML file: {error}", file=str(path))]) from None
    magics: dict[Square, Magic] = {}
    for piece in Piece:
        entries = document.pop(piece.value, {})
        if not isinstance(entries, dict):
            problems.append(Problem(f"found {entries!r}: expected a section", key=piece.value))
            continue
        for name, entry in entries.items():
            try:
                magics[piece, parse_square(name)] = _magic(entry)
            except ValueError as error:
                problems.append(Problem(str(error), key=f"{piece}.{name}"))
    texts = {key: value for key, value in document.items() if isinstance(value, str)}
    problems += [Problem("expected a text", key=key) for key in document if key not in texts]
    if "scheme" not in texts:
        problems.append(Problem("missing", key="scheme"))
    if problems:
        raise InputError(p.at(str(path), p.key, None) for p in problems)
    return MagicList(texts.pop("scheme"), magics, texts)


def _magic(entry: Any) -> Magic:  # noqa: ANN401
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
    if not 0 <= magic <= WORD:
        raise ValueError(f"magic {text!r}: expected 0x and at most 16 hexadecimal digits")
    return Magic(bits, magic)
