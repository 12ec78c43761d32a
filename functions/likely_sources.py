"""Which files of a folder may have an engine's attack functions: for advice alone.

src/    ->  src/attacks.cpp, which defines rook_attacks(...) and bishop_attacks(...)
"""

import os
import re
from collections.abc import Container
from pathlib import Path

from magicert.functions.compile.compilers import LANGUAGES

MOST_NAMED = 3
_DEFINES = re.compile(
    r"^[^\n;/]*\b\w*(?:rook|bishop|slid)\w*\s*\([^;{}]*\)[^;{}()]*\{"
    r"|^\s*#\s*define\s+\w*(?:rook|bishop|slid)\w*\([\w, ]+\)",
    re.I | re.M,
)
"""The head of a function, or a macro, that a slider's name has."""
_ATTACKS = re.compile(r"attack|magic|bitboard|slid", re.IGNORECASE)


def likely_sources(folder: Path, others: Container[str]) -> list[Path]:
    """The files that define most functions with a slider in their names, and of these first those
    whose own names speak of attacks; none from folders that have other people's code, by their
    names in small letters.
    """
    scores = dict[Path, tuple[bool, int]]()
    for top, folders, names in os.walk(folder):
        folders[:] = [one for one in folders if one.lower() not in others and one[:1] != "."]
        for path in (Path(top, name) for name in names):
            if path.suffix in LANGUAGES and path.is_file():
                count = len(_DEFINES.findall(path.read_text("utf-8", "replace")))
                if count:
                    scores[path] = _ATTACKS.search(path.stem) is not None, count
    return sorted(scores, key=lambda path: (*scores[path], str(path)), reverse=True)[:MOST_NAMED]
