"""Some files read together, under one choice of their `#if` branches."""

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from magicert.board import Board, orders, square_at
from magicert.verify.source.columns import Column, Misfit, columns_of
from magicert.verify.source.lists import Source, enclosing, read_sources
from magicert.verify.table.game import Game, split_words

_SHIFT = re.compile(r">>>?=?\s*\(?\s*(?:(\d{2,3})\s*-\s*)?(\d{1,3})\b(?!\s*[-.\w])")
_SQUARE = re.compile(
    r"(?<![A-Za-z0-9])(?:SQ_?|SQUARE_?|sq_?)?([a-zA-Z][1-9][0-9]{0,2})(?![A-Za-z0-9_])"
)
MOST_USES = 40


@dataclass(frozen=True, slots=True)
class Use:
    """A place where the name of a list stands: a line from 1, and the function around it."""

    name: str
    file: str
    line: int
    function: str = ""


@dataclass(frozen=True)
class Material:
    """What some files, read together, hold."""

    sources: tuple[Source, ...]
    game: Game
    columns: tuple[Column, ...]
    misfits: tuple[Misfit, ...]
    sha256: str

    @cached_property
    def constants(self) -> list[tuple[str, int, str]]:
        """Named numbers that may be shifts or bits, with their files."""
        return [
            (name, value, source.file)
            for source in self.sources
            for name, value in source.definitions.counts().items()
        ]

    @cached_property
    def shifts(self) -> list[tuple[int, str]]:
        """The literals that the code shifts by, with their places."""
        found: dict[int, str] = {}
        for source in self.sources:
            for match in _SHIFT.finditer(source.code):
                amount = int(match[1]) - int(match[2]) if match[1] else int(match[2])
                place = f"{source.file}, line {source.spot(match.start())[0]}"
                found.setdefault(amount, place)
        return list(found.items())

    @cached_property
    def order_hint(self) -> tuple[str, str] | None:
        """The order that the source enumerates its squares in, and where."""
        found = (enumerated_order(source, self.game.board) for source in self.sources)
        return next((one for one in found if one is not None), None)

    @property
    def notes(self) -> tuple[str, ...]:
        """What was not read, and how what was read was."""
        return tuple(dict.fromkeys(note for source in self.sources for note in source.notes))

    def conditions(self, columns: Sequence[Column]) -> tuple[str, ...]:
        """The `#if` branches that some columns stand in."""
        found: dict[str, None] = {}
        for source in self.sources:
            lines = [(c.first_line, c.last_line) for c in columns if c.file == source.file]
            for branch in source.taken:
                start, end = source.spot(branch.start)[0], source.spot(branch.end)[0]
                if any(first <= end and last >= start for first, last in lines):
                    found[branch.words] = None
        return tuple(found)

    def uses(self, columns: Sequence[Column]) -> tuple[Use, ...]:
        """Where else the names of some columns' lists stand."""
        found: list[Use] = []
        for name in dict.fromkeys(re.split(r"::|\.|->", c.list_name)[-1] for c in columns):
            own = [(c.file, c.first_line, c.last_line) for c in columns]
            if len(name) < 2:
                continue
            pattern = re.compile(rf"(?<![\w$]){re.escape(name.lstrip('$'))}(?!\w)")
            for source in self.sources:
                for match in pattern.finditer(source.code):
                    line = source.spot(match.start())[0]
                    # The declaration stands on the list's own lines, or on the few above them.
                    if not any(f == source.file and a - 2 <= line <= b for f, a, b in own):
                        found.append(Use(name, source.file, line, enclosing(source, match.start())))
                    if len(found) >= MOST_USES:
                        return tuple(found)
        return tuple(found)

    def is_used(self, column: Column) -> bool:
        """Does the name of a column's list stand anywhere else?"""
        return bool(self.uses([column]))


def read_materials(files: Sequence[tuple[Path, bytes]], game: Game) -> list[Material]:
    """Files read together: one for each of their `#if` alternatives."""
    digest = hashlib.sha256()
    for _, data in files:
        digest.update(data)
    own = read_sources(files, game.word)
    found = []
    for number in range(max(map(len, own))):
        sources = tuple(choices[min(number, len(choices) - 1)] for choices in own)
        parts = [columns_of(source, game) for source in sources]
        columns = tuple(column for part, _ in parts for column in part)
        misfits = tuple(misfit for _, part in parts for misfit in part)
        found.append(Material(sources, game, columns, misfits, digest.hexdigest()))
    return found


def enumerated_order(source: Source, board: Board) -> tuple[str, str] | None:
    """The order that the first run of square names follows, with its place; None without one."""
    names: list[str] = []
    squares = {board.name(square) for square in range(board.squares)}
    fewest = min(max(board.files, board.ranks) + 1, board.squares)  # tells all orders apart
    start = 0
    for match in _SQUARE.finditer(source.code):
        if match[1].lower() not in squares:
            continue
        following = source.code[match.end() : match.end() + 12]
        names = [*names, match[1].lower()]
        if len(names) == 1:
            start = match.start()
        found = _following(names, board)
        if found is None:
            names, start = [match[1].lower()], match.start()
        elif len(names) >= fewest and len(found) == 1:
            value = re.match(r"\s*(?:=|:)\s*(\d+)", following)
            if value and int(value[1]) not in (len(names) - 1, len(names)):
                return None
            return found[0], f"{source.file}, line {source.spot(start)[0]}"
    return None


def _following(names: list[str], board: Board) -> list[str] | None:
    found = [
        order
        for order in orders(board)
        if all(
            board.name(square_at(order, place, board)) == name
            for place, name in enumerate(names[: board.squares])
        )
    ]
    return found or None


def constant_piece(material: Material, name: str) -> str | None:
    """The piece that the name of a constant speaks of."""
    return material.game.briefly(split_words(name))
