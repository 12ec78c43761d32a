"""Where nothing is said of lists that are for another board than chess's: what has to be said."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from magicert.board import CHESS, MOST_SQUARES, Board, parse_board
from magicert.problem import InputError, Problem
from magicert.verify.source.columns import MAGIC_WORDS, says
from magicert.verify.source.lists import read_sources
from magicert.verify.source.no_table import NUMBERS_SEEN
from magicert.verify.source.overrides import FOLDED, Overrides
from magicert.verify.source.source_text import NumberList
from magicert.verify.source.variant import split_words

XIANGQI = "9x10"
CELLS = {91: "hexagon11", 127: "hexagon13"}
"""Hexagonal boards by their cells: lists have a number for each hole, too. The 61 of `hexagon9` are
not here: a list of 61 is rather one of 64 that lacks three.
"""
LIKELY_BOARDS = {
    25: "5x5", 36: "6x6", 49: "7x7", 80: "10x8", 81: "9x9", 90: XIANGQI, 96: "12x8",
    100: "10x10", 110: "11x10", 120: "12x10", 121: "11x11", 144: "12x12", 196: "14x14",
    256: "16x16",
}  # fmt: skip
"""The boards that lists of so many numbers are for, most likely."""
_OF_HEXAGONS = {
    "R": "hex-rook", "B": "hex-bishop", "Q": "hex-queen", "pR": "hex-cannon", "nN": "hex-knight",
}  # fmt: skip
_COUNTED = re.compile(r" has (\d+) items: expected 64")
LIKELY_PIECES = {
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
    matches = (_COUNTED.search(problem.message) for problem in problems)
    counts_in_problems = {int(match[1]) for match in matches if match}
    counted = not counts_in_problems.isdisjoint(LIKELY_BOARDS | CELLS)
    counted |= any(NUMBERS_SEEN in problem.message for problem in problems)
    wide = any(_WIDE_SOURCE.search(data) for _, data in files)
    if overrides.lists or not (overrides.board or wide or counted):
        return
    large_lists = _large_lists(files, overrides.board)
    if not large_lists:
        return
    counts = [large_list.count for large_list in large_lists]
    count = max(dict.fromkeys(counts), key=counts.count)
    same_size = [large_list for large_list in large_lists if large_list.count == count]
    hexagon = CELLS.get(count)
    size = str(overrides.board or LIKELY_BOARDS.get(count) or hexagon or "FILESxRANKS")
    pieces = " ".join(_option(large_list.name, size) for large_list in same_size)
    lists = "a list" if len(same_size) == 1 else f"{len(same_size)} lists"
    shown = " ".join(str(path) for path, _ in files)
    width = max(large_list.bits for large_list in same_size)
    message = (
        f"{lists} of {count} numbers of {width} bits; the source does not say for which board and "
        f"pieces: add them, as in magicert verify {shown} --board {size} {pieces}"
    )
    if width <= CHESS.word < count:
        message += f"; with magics of 64 bits the fold {FOLDED} is tried"
    if hexagon and not overrides.board:
        squares = parse_board(hexagon).squares
        message += f"; {hexagon} has {count} cells, but a list has {squares} numbers, with any "
        message += "number at each hole"
    for hexagon_board in map(parse_board, CELLS.values()):
        if count == hexagon_board.squares and not overrides.board:
            message += f"; or for a hexagon --board {hexagon_board}"
    others = [
        problem
        for problem in problems
        if not problem.message.startswith("no table")
        and not any(large_list.name in problem.message for large_list in large_lists)
    ]
    first = min(same_size, key=lambda large_list: large_list.line)
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


def _large(number_list: NumberList) -> _Large:
    """A list with as many bits as its largest number has: two or four words are one number."""
    count, flat = len(number_list.row.items), [*number_list.row.flat()]
    widest = max((abs(number.value or 0) for number in flat), default=0).bit_length()
    if widest > CHESS.word // 2 and len(flat) in (2 * count, 4 * count):
        widest = len(flat) // count * CHESS.word
    return _Large(number_list.name, number_list.file, number_list.line, count, widest)


def _large_lists(files: Sequence[tuple[Path, bytes]], board: Board | None) -> list[_Large]:
    """The lists with a name that may be magics of a board; without one, of any larger than chess's
    that needs words of 128 bits, or of any usual one where their names speak of magics or pieces.
    """
    largest: dict[tuple[str, int], _Large] = {}
    for source in (version for versions in read_sources(files, 128) for version in versions):
        for large_list in map(_large, source.lists):
            wide = large_list.bits > CHESS.word and large_list.count > CHESS.squares
            words = split_words(large_list.name)
            called = says(words, MAGIC_WORDS) or not words.isdisjoint(LIKELY_PIECES)
            usual = large_list.count in (LIKELY_BOARDS | CELLS) and called
            large = (wide or usual) and large_list.count <= MOST_SQUARES
            if large_list.name and (large if board is None else large_list.count == board.squares):
                largest.setdefault((large_list.name, large_list.count), large_list)
    return [large_list for large_list in largest.values() if large_list.bits > CHESS.word // 2]


def _option(name: str, size: str) -> str:
    """The option that says which piece a list is for, as it is likely."""
    piece = likely_piece(name)
    if size in CELLS.values():
        piece = _OF_HEXAGONS.get(piece, piece)
    if size == XIANGQI and split_words(name) & {"bishop", "elephant"}:
        return f"--piece {name}=elephant@a1-i5,a6-i10"  # which does not cross the river
    return f"--piece {name}={piece}"


def likely_piece(name: str) -> str:
    """The piece that a list is for by its name, in Betza's notation; R where that says nothing."""
    words = split_words(name)
    notation = next((piece for word, piece in LIKELY_PIECES.items() if word in words), "R")
    if notation == "nA" and "janggi" in words:
        notation = "nZ"
    if notation == "nN" and "to" in words:
        return "horse-to"
    if words & {"diag", "diagonal", "d"} and notation in ("pR", "gQ"):
        return notation[0] + "B"
    line = "s" if words & {"h", "horizontal"} else "v" if words & {"v", "vertical"} else ""
    return notation[:-1] + line + "R" if line and notation in ("R", "pR", "gQ") else notation
