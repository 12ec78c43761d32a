"""Where nothing is said of lists that are for another board than chess's: what has to be said."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from magicert.board import CHESS, MOST_SQUARES, Board
from magicert.problem import InputError, Problem
from magicert.verify.source.columns import MAGIC_WORDS, says
from magicert.verify.source.lists import NumberList, read_sources
from magicert.verify.source.overrides import FOLDED, Overrides
from magicert.verify.source.variant import split_words

XIANGQI = "9x10"
LIKELY_BOARDS = {81: "9x9", 90: XIANGQI, 100: "10x10", 110: "11x10", 120: "12x10"}
"""The boards that lists of so many numbers are for, most likely."""
_FOLDED_BOARDS = frozenset({81})
"""Squares of boards whose bitboards are folded to 64 bits before they are multiplied."""
_COUNTED = re.compile(r" has (\d+) items: expected 64")
_LIKELY_PIECES = {
    "rook": "R", "chariot": "R", "bishop": "B", "queen": "Q", "cannon": "pR", "nightrider": "NN",
    "horse": "nN", "knight": "nN", "elephant": "nA", "grasshopper": "gQ", "lance": "fR",
    "lame": "nD",
}  # fmt: skip
_WIDE_SOURCE = re.compile(
    rb"\b[A-Za-z_]\w{0,30}128|<128|128[- _]?[bB]it|<<\s*64|0[xX][0-9a-fA-F_']{17,}"
)


def refuse_large_lists(
    files: Sequence[tuple[Path, bytes]], overrides: Overrides, problems: Sequence[Problem]
) -> None:
    """Where a source is no valid table of chess, but has lists of a larger board: what has to be
    added. Which board and which piece a list is for, no source says. `problems` are what was found.
    """
    found_counts = (_COUNTED.search(one.message) for one in problems)
    said = {int(match[1]) for match in found_counts if match}
    folded = not overrides.board and bool(said & _FOLDED_BOARDS)
    wide = any(_WIDE_SOURCE.search(data) for _, data in files)
    if overrides.lists or not (overrides.board or wide or folded):
        return
    found = _large_lists(files, overrides.board, folded=folded)
    if not found:
        return
    counts = [one.count for one in found]
    count = max(dict.fromkeys(counts), key=counts.count)
    own = [one for one in found if one.count == count]
    size = str(overrides.board or LIKELY_BOARDS.get(count, "FILESxRANKS"))
    pieces = " ".join(_option(one.name, size) for one in own)
    lists = "a list" if len(own) == 1 else f"{len(own)} lists"
    shown = " ".join(str(path) for path, _ in files)
    message = (
        f"{lists} of {count} numbers of {max(one.bits for one in own)} bits; the source does not "
        f"say for which board and pieces: add them, as in magicert verify {shown} --board {size} "
        f"{pieces}"
    )
    if max(one.bits for one in own) <= CHESS.word:
        message += f"; with magics of 64 bits the fold {FOLDED} is tried"
    others = [
        problem
        for problem in problems
        if not problem.message.startswith("no table")
        and not any(one.name in problem.message for one in found)
    ]
    first = min(own, key=lambda one: one.line)
    raise InputError([Problem(message, file=first.file, line=first.line), *others]) from None


def refuse_no_pieces(files: Sequence[tuple[Path, bytes]], overrides: Overrides) -> None:
    """A board without the lists of any piece."""
    if overrides.variant.pieces:
        return
    refuse_large_lists(files, overrides, ())
    message = "no list is named: expected --piece LIST=PIECE, as in --piece RookMagics=R"
    raise InputError([Problem(message, key=f"--board {overrides.board}")])


@dataclass(frozen=True, slots=True)
class _Large:
    """A list: its name, its place, how many items it has, and of how many bits."""

    name: str
    file: str
    line: int
    count: int
    bits: int


def _large(one: NumberList) -> _Large:
    numbers = [abs(number.value or 0) for number in one.row.flat()]
    return _Large(one.name, one.file, one.line, len(one.row.items), max(numbers).bit_length())


def _large_lists(
    files: Sequence[tuple[Path, bytes]], board: Board | None, *, folded: bool = False
) -> list[_Large]:
    """The lists with a name that may be magics of a board; without one, of any larger than chess's
    that needs words of 128 bits, or is `folded` to words of 64 and calls itself magics.
    """
    found: dict[tuple[str, int], _Large] = {}
    for source in (one for own in read_sources(files, 128) for one in own):
        for one in map(_large, source.lists):
            words = one.bits > CHESS.word or (
                folded and one.count in _FOLDED_BOARDS and says(split_words(one.name), MAGIC_WORDS)
            )
            large = CHESS.squares < one.count <= MOST_SQUARES and words
            if one.name and (large if board is None else one.count == board.squares):
                found.setdefault((one.name, one.count), one)
    return [one for one in found.values() if one.bits > CHESS.word // 2]


def _option(name: str, size: str) -> str:
    """The option that says which piece a list is for, as it is likely."""
    piece = likely_piece(name)
    if size == XIANGQI and split_words(name) & {"bishop", "elephant"}:
        return f'--piece "{name}=nA a1-i5 a6-i10"'  # which does not cross the river
    return f"--piece {name}={piece}"


def likely_piece(name: str) -> str:
    """The piece that a list is for by its name, in Betza's notation; R where that says nothing."""
    words = split_words(name)
    found = next((piece for word, piece in _LIKELY_PIECES.items() if word in words), "R")
    if found == "nA" and "janggi" in words:
        found = "nZ"
    if found == "nN" and "to" in words:
        return "horse-to"
    if words & {"diag", "diagonal", "d"} and found in ("pR", "gQ"):
        return found[0] + "B"
    line = "s" if words & {"h", "horizontal"} else "v" if words & {"v", "vertical"} else ""
    return found[:-1] + line + "R" if line and found in ("R", "pR", "gQ") else found
