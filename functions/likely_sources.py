"""Which files of a folder may have an engine's attack functions: for advice alone.

src/    ->  src/attacks.cpp, which defines rook_attacks(Square, U64 occupied), for example
"""

import os
import re
import time
from collections.abc import Callable, Container, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from magicert.functions.advice.calls import NAMES
from magicert.functions.compile.compilers import LANGUAGES
from magicert.functions.listing import Listing, listing, listing_without_advice
from magicert.functions.piece_names import words_of
from magicert.functions.question import FunctionQuestion
from magicert.problem import InputError

MOST_NAMED = 3
"""Files that a message names, and that are looked at."""
LONGEST = 60
"""Seconds after which no further one is looked at."""
_HEAD = re.compile(
    r"^[^\n;/]*?\b(\w*(?:rook|bishop|queen|slid|diag|orth|attack)[\w:]*)\s*(?:<[^<>()]*>\s*)?"
    r"\(([^;{}]*)\)[^;{}()]*\{"
    r"|^\s*#\s*define\s+(\w*(?:rook|bishop|queen|slid|diag|orth|attack)\w*)\(([\w, ]+)\)",
    re.IGNORECASE | re.MULTILINE,
)
"""The head of a function, or a macro, that a slider's name has, or that of attacks."""
_SLIDER = re.compile("rook|bishop|slid|diag|orth", re.IGNORECASE)
_SPEAKS_OF_ATTACKS = re.compile(r"attack|magic|bitboard|slid", re.IGNORECASE)
_BESIDE_AN_ENGINE = frozenset({
    "bench", "benches", "benchmark", "examples", "fathom", "pyrrhic", "scripts", "syzygy", "test",
    "tests", "tools",
})  # fmt: skip
"""Folders whose functions make an engine's tables, try them, or are another program's."""
_OCCUPIED = frozenset(NAMES["occupied"]) - frozenset(["b", "board", "all", "pieces"])
"""What the occupied squares may be called; a board may be a struct of everything."""
_SLOW = frozenset(NAMES["slow"])


def likely_sources(folder: Path, others: Container[str]) -> list[Path]:
    """The files that define most functions with a slider in their names that take the occupied
    squares, the likeliest first, and behind these what an engine may not use itself; none from
    folders that have other people's code, by their names in small letters.
    """
    scores = dict[Path, tuple[int, ...]]()
    for path in _sources(folder, others):
        if score := _score(path.read_text("utf-8", "replace")):
            inside = (part.lower() for part in path.relative_to(folder).parts[:-1])
            used = _BESIDE_AN_ENGINE.isdisjoint(inside)
            named = _SPEAKS_OF_ATTACKS.search(path.stem) is not None
            sliders, attacks, _ = score
            scores[path] = used, bool(sliders), bool(attacks), named, *score
    return sorted(scores, key=lambda path: (*scores[path], str(path)), reverse=True)[:MOST_NAMED]


def _sources(folder: Path, others: Container[str]) -> Iterator[Path]:
    for top, folders, names in os.walk(folder):
        folders[:] = [one for one in folders if one.lower() not in others and one[:1] != "."]
        paths = (Path(top, name) for name in names)
        yield from (path for path in paths if path.suffix in LANGUAGES and path.is_file())


def _score(text: str) -> tuple[int, ...]:
    """How many functions of a slider's name, and of attacks in general, take the occupied squares,
    and how many others have a slider's name; () where a file has none of these.
    """
    counts = [0, 0, 0]
    for name, parameters, macro, words in _HEAD.findall(text):
        takes_occupied = not _OCCUPIED.isdisjoint(words_of(parameters or words))
        is_fast = _SLOW.isdisjoint(words_of(name or macro))
        of_slider = _SLIDER.search(name or macro) is not None
        if takes_occupied and is_fast:
            counts[not of_slider] += 1
        elif of_slider:
            counts[2] += 1
    return tuple(counts) if any(counts) else ()


def listing_of_folder(
    files: Sequence[Path], question_of: Callable[[Path], FunctionQuestion]
) -> tuple[Path, Listing]:
    """What the first of these files has that has a slider's function, or else anything, and which
    one that is; each is asked about by its own question, with its own flags. Raises InputError for
    the first one if none compiles, and BudgetOverError.
    """
    found, began = list[tuple[Path, Listing]](), time.monotonic()
    for file in files:
        if time.monotonic() - began > LONGEST:
            break
        with suppress(InputError):
            one = listing_without_advice(question_of(file))
            found.append((file, one))
            if one.asks_for_sliders:
                return found[-1]
    if not found:
        return files[0], listing(question_of(files[0]))
    return next((one for one in found if one[1].found), found[0])
