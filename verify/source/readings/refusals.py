"""What is no table, or not one that can be judged: the reasons, for exit status 2."""

import re
from collections.abc import Collection, Sequence
from pathlib import Path, PurePath

from magicert.board import CHESS, Board
from magicert.board.geometry import MOST_SQUARES
from magicert.problem import InputError, Problem
from magicert.verify.source.lists.columns import Column
from magicert.verify.source.lists.game import game_of
from magicert.verify.source.lists.material import List, Material, read_sources
from magicert.verify.source.lists.naming import split_words
from magicert.verify.source.lists.roles import (
    MAGIC_WORDS,
    SHIFT_WORDS,
    could_be_magic,
    fits,
    piece_said,
    says,
    shift_kind,
)
from magicert.verify.source.readings.contradictions import Doubt
from magicert.verify.source.readings.pins import Pins

MOST_PROBLEMS = 24
"""More lines than this of one kind say no more."""


AT_START_UP = (
    "an engine that makes its magics at start-up is tested from within: "
    "magicert emit --check-harness --lang c++ (or c, rust, go) writes the test"
)
"""What can be done where a source holds no numbers."""


def no_table(materials: Sequence[Material], files: Sequence[str]) -> list[Problem]:
    """Why there is no table in a source, as well as it can be told."""
    problems = [
        Problem(found.message, file=found.file, line=found.line)
        for material in materials
        for found in material.misfits
    ]
    if problems:
        return list(dict.fromkeys(problems))
    lists = {c.where: c for material in materials for c in material.columns if could_be_magic(c)}
    message = f"no table: no list of 64 numbers could be magics; {AT_START_UP}"
    if lists:
        known = "; ".join([*lists][:4])
        message = (
            f"no table: of {len(lists)} lists of 64 long numbers none reads as magics; --map and "
            f"--formula can say more ({known})"
        )
    return [Problem(message, file=name) for name in files]


def refuse_misfits(
    material: Material, pins: Pins, pieces: Collection[str], missing: Collection[str] = ()
) -> None:
    """A list that was meant for magics and cannot be: one that says so, or, where a piece is
    missing, one that only looks so.
    """
    if pins.lists:
        return
    problems = [
        Problem(m.message, file=m.file, line=m.line)
        for m in material.misfits
        if (m.piece in (None, *pieces) if m.claims else missing and m.piece in (None, *missing))
    ]
    if problems:
        raise InputError(list(dict.fromkeys(problems)))


def refuse_one_piece(material: Material, pins: Pins, found: str, lists: Sequence[Column]) -> None:
    """A source of one piece has to be meant: by --piece, or by the names of its files."""
    game = material.game
    stems = [game.named(PurePath(name).stem) for name in material.files]
    if game.by_hand or pins.pieces or all(piece == found for piece in stems):
        return
    other = next(piece for piece in game.pieces if piece != found)
    unread = [
        column.where
        for column in material.columns
        if could_be_magic(column) and column not in lists and piece_said(column) in (None, other)
    ]
    also = f"; {'; '.join(unread[:4])}: no magics of a {other} as read" if unread else ""
    problems = [
        Problem(
            f"{column.where} certifies as magics of a {found}, but there are none of a {other}"
            f"{also}: --piece {found} says that this is meant",
            file=column.file,
            line=column.first_line,
        )
        for column in lists
    ]
    raise InputError(list(dict.fromkeys(problems)))


def refuse_doubts(readings: Sequence[Sequence[Doubt]]) -> None:
    """Every reading has something against it that nobody has settled."""
    problems = [
        Problem(doubt.message, file=doubt.file, line=doubt.line)
        for found in readings
        for doubt in found
        if not doubt.settled
    ]
    raise InputError(list(dict.fromkeys(problems))[:MOST_PROBLEMS])


def refuse_two_under_one_name(material: Material, pins: Pins) -> None:
    """Two different lists of one name in one scope: which one the engine uses is anyone's guess."""
    if any((piece, "magic") in pins.lists for piece in material.game.pieces):
        return
    seen: dict[tuple[str, frozenset[str], str], Column] = {}
    for column in material.columns:
        if not column.name or not could_be_magic(column) or column.part.startswith("every"):
            continue
        key = (column.name, column.context, column.part)
        first = seen.setdefault(key, column)
        if first.first_line != column.first_line or first.file != column.file:
            if not (says(column, MAGIC_WORDS) or piece_said(column)):
                continue
            message = (
                f"two lists are called {column.name} (the other is in {first.file}, "
                f"line {first.first_line}): say which with --map rook.magic="
                f"{column.name}:{column.first_line}"
            )
            raise InputError([Problem(message, file=column.file, line=column.first_line)])


def refuse_no_formula(material: Material, pins: Pins, missing: Sequence[str]) -> None:
    """Pieces whose lists are named, but that no formula reads."""
    if not material.game.by_hand or not missing:
        return
    problems = []
    for piece in missing:
        magic = pins.magics(material, piece)[0]
        kinds = {
            shift_kind(column)
            for column in material.columns
            if column.group == magic.group and says(column, SHIFT_WORDS)
        }
        why = "no formula goes with what the source lists beside it: --formula says which"
        if pins.formula is not None:
            why = f"{pins.formula} does not go with the shifts that the source lists beside it"
        elif kinds & {"shift", "shift32"} and material.game.word > CHESS.word:
            squares = material.game.squares
            why = f"shifts of words of 64 bits, and the source does not show how {squares} squares "
            why += "come into one: --formula folded (x | x >> 63), or a formula, says it"
        problems.append(Problem(f"{magic.name}: {why}", file=magic.file, line=magic.first_line))
    raise InputError(problems)


def refuse_half_a_table(material: Material, missing: Sequence[str]) -> None:
    """Shifts of rooks without magics of rooks: there is a list that was not understood."""
    for piece in missing:
        for column in material.columns:
            kind = shift_kind(column) if says(column, SHIFT_WORDS) else None
            if kind and piece_said(column) == piece and fits(column, kind, piece):
                message = f"{column.where} is there, but no magics of a {piece} were found"
                raise InputError([Problem(message, file=column.file, line=column.first_line)])


XIANGQI = "9x10"
LIKELY_BOARDS = {81: "9x9", 90: XIANGQI, 100: "10x10", 110: "11x10", 120: "12x10"}
"""The boards that lists of so many numbers are for, most likely."""
_LIKELY_PIECES = {
    "rook": "R", "chariot": "R", "bishop": "B", "queen": "Q", "cannon": "pR", "nightrider": "NN",
    "horse": "nN", "knight": "nN", "elephant": "nA", "grasshopper": "gQ", "lance": "fR",
    "lame": "nD",
}  # fmt: skip
_WIDE_SOURCE = re.compile(rb"128|<<\s*64|0[xX][0-9a-fA-F_']{17,}")


def refuse_large_lists(
    files: Sequence[tuple[Path, bytes]], pins: Pins, problems: Sequence[Problem]
) -> None:
    """Where a source is no valid table of chess, but has lists of a larger board: what has to be
    added. Which board and which piece a list is for, no source says. `problems` are what was found.
    """
    if pins.lists or not (pins.board or any(_WIDE_SOURCE.search(data) for _, data in files)):
        return
    found = _large_lists(files, pins.board)
    if not found:
        return
    counts = [one.count for one in found]
    count = max(dict.fromkeys(counts), key=counts.count)
    own = [one for one in found if one.count == count]
    size = str(pins.board or LIKELY_BOARDS.get(count, "FILESxRANKS"))
    pieces = " ".join(_option(one.name, size) for one in own)
    lists = "a list" if len(own) == 1 else f"{len(own)} lists"
    shown = " ".join(str(path) for path, _ in files)
    message = (
        f"{lists} of {count} numbers of {max(one.bits for one in own)} bits; for which board and "
        f"pieces, a source does not say: add it, as in magicert verify {shown} --board {size} "
        f"{pieces}"
    )
    others = [
        problem
        for problem in problems
        if not problem.message.startswith("no table")
        and not any(one.name in problem.message for one in found)
    ]
    first = min(own, key=lambda one: one.line)
    raise InputError([Problem(message, file=first.file, line=first.line), *others]) from None


def refuse_no_pieces(files: Sequence[tuple[Path, bytes]], pins: Pins) -> None:
    """A board without the lists of any piece."""
    if pins.game.pieces:
        return
    refuse_large_lists(files, pins, ())
    message = "no list is named: expected --piece LIST=PIECE, as in --piece RookMagics=R"
    raise InputError([Problem(message, key=f"--board {pins.board}")])


def _large_lists(files: Sequence[tuple[Path, bytes]], board: Board | None) -> list[List]:
    """The lists with a name that may be magics of a board; without one, of any larger than chess's
    that needs words of 128 bits.
    """
    found: dict[tuple[str, int], List] = {}
    for material in read_sources(files, game_of(board or Board(12, 10), {}, {})):
        for one in material.lists:
            large = CHESS.squares < one.count <= MOST_SQUARES and one.bits > CHESS.word
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
