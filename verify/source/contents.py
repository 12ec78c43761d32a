"""What some files hold that are read together, under one choice of their `#if` branches.

Their columns, and what their code says of them: constants, shifts, and where the name of a list
stands.
"""

import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice
from pathlib import Path

from magicert.board import Board, orders, square_at
from magicert.verify.source.columns import SHIFT_WORDS, Column, RefusedList, UnreadPlace, says
from magicert.verify.source.cut_lists import SQUARE_NAME, columns_of
from magicert.verify.source.files import OtherFiles
from magicert.verify.source.lists import read_sources
from magicert.verify.source.source_text import Source, enclosing
from magicert.verify.source.variant import Variant, split_words

_RIGHT = r"(?:>>>?=?|\bu?shr\b|`(?:unsafe)?[sS]hiftR`)\s*+(?:\(\s*+)?(?:(\d{2,3})\s*+-\s*+)?"
_BEHIND = re.compile(
    rf"[^;{{}}?,]{{0,80}}?(?:;\s*\w+\s*)?{_RIGHT}(\w+)\b"
    r"(?!(?:[ \t]*[-.\w\[(:]|\s*-|[\s)]*[<>]=?\s*\d{1,2}\b))"
)
"""The next shift by a number or a name behind a list's name, in the same expression. What is then
compared with a small number is no index.
"""
_SHIFT = re.compile(rf"{_RIGHT}(\d{{1,3}})\b(?!(?:[ \t]*[-.\w]|\s*-))")
_PRODUCT = re.compile(r"(?<!\w)(\w++)\s*+(?::[^=;\n(){}]{0,80})?[*:]?=\s*+[^=;\n]*+$")
"""What stands before magics whose product gets a name."""
MOST_USES = 40


@dataclass(frozen=True, slots=True)
class Use:
    """A place where the name of a list stands: a line from 1, and the function around it."""

    name: str
    file: str
    line: int
    function: str = ""


@dataclass(frozen=True, eq=False)
class Contents:
    """What some files, read together, hold."""

    sources: tuple[Source, ...]
    variant: Variant
    columns: tuple[Column, ...]
    refused: tuple[RefusedList, ...]
    unread: tuple[UnreadPlace, ...]
    sha256: str
    other_files: OtherFiles
    """Other files of the same program."""
    known_shifts: dict[tuple[str, int, str], dict[int, str]] = field(default_factory=dict)
    known_places: dict[str, list[tuple[str, Source, int, int]]] = field(default_factory=dict)
    """What `shifts_of` and `named` have found."""

    @cached_property
    def constants(self) -> list[tuple[str, int, str]]:
        """Named numbers that may be shifts or bits, with their files."""
        return [
            (name, value, source.file)
            for source in self.sources
            for name, value in source.definitions.counts().items()
        ]

    @cached_property
    def not_read(self) -> dict[str, str]:
        """What is called a piece's bits or shifts and has items, but is no list that was read."""
        places: dict[str, str] = {}
        known = {column.last_name for column in self.columns}
        for source in self.sources:
            for match in re.finditer(r"(?<![\w$])([A-Za-z_]\w*)[ \t]*\[", source.code):
                words = split_words(match[1])
                piece = self.variant.piece_in(words)
                if piece and match[1] not in known and says(words, SHIFT_WORDS):
                    place = f"{source.file}, line {source.spot(match.start())[0]}"
                    places.setdefault(piece, f" ({match[1]}, {place}, is not read)")
        return places

    @cached_property
    def shifts(self) -> list[tuple[int, str]]:
        """The literals that the code shifts by, with their places."""
        places: dict[int, str] = {}
        for source in self.sources:
            for match in _SHIFT.finditer(source.code):
                amount = int(match[1]) - int(match[2]) if match[1] else int(match[2])
                place = f"{source.file}, line {source.spot(match.start())[0]}"
                places.setdefault(amount, place)
        return list(places.items())

    @cached_property
    def folders(self) -> dict[str, Path]:
        """The folder of each file."""
        return {source.file: source.path.parent for source in self.sources}

    def in_folder_of(self, file: str) -> list[str]:
        """The files beside one, and itself."""
        return [path for path, folder in self.folders.items() if folder == self.folders.get(file)]

    @cached_property
    def order_hint(self) -> tuple[str, str] | None:
        """The order that the source enumerates its squares in, and where."""
        hints = (enumerated_order(source, self.variant.board) for source in self.sources)
        return next((hint for hint in hints if hint is not None), None)

    @property
    def notes(self) -> tuple[str, ...]:
        """What was not read, and how what was read was."""
        return tuple(dict.fromkeys(note for source in self.sources for note in source.notes))

    def conditions(self, columns: Sequence[Column]) -> tuple[str, ...]:
        """The `#if` branches that some columns stand in."""
        conditions: dict[str, None] = {}
        for source in self.sources:
            lines = [(c.first_line, c.last_line) for c in columns if c.file == source.file]
            for branch in source.taken:
                start, end = source.spot(branch.start)[0], source.spot(branch.end)[0]
                if any(first <= end and last >= start for first, last in lines):
                    conditions[branch.words] = None
        return tuple(conditions)

    def named(self, columns: Sequence[Column]) -> Iterator[tuple[str, Source, int, int]]:
        """Where the names of some columns' lists stand: name, source, place and its end; in a
        string, too, that is a subscript or an argument before one. A part of something, in a file
        that does not name the whole, only behind a point.
        """
        uses: dict[tuple[str, int], tuple[str, Source, int, int]] = {}
        for whole, name in dict.fromkeys((c.list_name, c.last_name) for c in columns):
            if not name:
                continue
            if whole not in self.known_places:
                # With the name first, re leaps from one to the next.
                plain = re.escape(name.lstrip("$"))
                pattern = re.compile(rf"{plain}(?!\w)(?<!\w{plain})")
                called = re.compile(rf"{plain}[\"'](?<=[\"']{plain}.)\s*[\])](?=\s*\[)")
                paths, words = {source.path for source in self.sources}, re.findall(r"\w+", whole)
                others = self.other_files.naming(name, self.sources[0].language, paths)
                self.known_places[whole] = [
                    (name, source, match.start(), match.end())
                    for source in (*self.sources, *others)
                    for bare in [all(word in source.code for word in words)]
                    for match in (*pattern.finditer(source.code), *called.finditer(source.text))
                    if bare or source.code.endswith((".", "->", "::"), 0, match.start())
                ]
            uses |= {(use[1].file, use[2]): use for use in self.known_places[whole]}
        yield from uses.values()

    def is_constant(self, column: Column) -> bool:
        """Is a column's list declared so that nothing can write to it?"""
        for _, source, place, _ in self.named([column]):
            line = source.spot(place)[0]
            if source.file == column.file and -2 <= line - column.first_line <= 0:
                start = max(source.code.rfind(mark, 0, place) for mark in ";{}") + 1
                words = source.language.constant
                return words is not None and re.search(words, source.code[start:place]) is not None
        return False

    def elsewhere(self, columns: Sequence[Column]) -> Iterator[tuple[str, Source, int, int]]:
        """As `named`, but where lists of these names are made: in them, or just above in the same
        statement.
        """
        names = {c.last_name for c in columns}
        alike = (c for c in self.columns if c.last_name in names)
        declarations = {(c.last_name, c.file, c.first_line, *c.span) for c in (*columns, *alike)}
        for name, source, place, end in self.named(columns):
            here, line = (name, source.file), source.spot(place)[0]
            if place in source.filling:
                continue
            if not any(
                (n, f) == here
                and first - 2 <= line
                and place < last
                and not (line < first and _is_a_macros(source, place))
                and _ONE_STATEMENT.fullmatch(source.code, end, max(end, start))
                for n, f, first, start, last in declarations
            ):
                yield name, source, place, end

    def uses(self, columns: Sequence[Column]) -> tuple[Use, ...]:
        """Where else the names of some columns' lists stand."""
        uses = (
            Use(name, source.file, source.spot(place)[0], enclosing(source, place))
            for name, source, place, _ in self.elsewhere(columns)
        )
        return tuple(islice(uses, MOST_USES))

    def shifts_of(self, magic: Column) -> dict[int, str]:
        """The numbers by which products with some magics are shifted, with their places."""
        key = magic.file, magic.first_line, magic.list_name
        if key in self.known_shifts:  # each arrangement and each count asks
            return self.known_shifts[key]
        shifts = self.known_shifts.setdefault(key, {})
        for _, source, place, end in self.elsewhere([magic]):
            match = _BEHIND.match(source.code, end) or _shifted(source.code, place, end)
            amount = source.definitions.number(match[2]) if match is not None else None
            if match is not None and amount is not None:
                amount = int(match[1]) - amount if match[1] else amount
                shifts.setdefault(amount, f"{source.file}, line {source.spot(place)[0]}")
        return shifts

    def is_used(self, column: Column) -> bool:
        """Does the name of a column's list stand anywhere else?"""
        return next(self.elsewhere([column]), None) is not None

    def goes_with(self, column: Column, magic: Column) -> bool:
        """Is a column looked up in a function where some magics are, or in their records? Of magics
        that nothing uses, all may be.
        """
        if column.group == magic.group:
            return True
        places = {(use.file, use.function or use.line) for use in self.uses([magic])}
        users = {(use.file, use.function or use.line) for use in self.uses([column])}
        return not users.isdisjoint(places) or not places

    def may_belong(self, column: Column, magic: Column) -> bool:
        """May the engine look a column up with some magics? Not one that nothing uses, if it uses
        them.
        """
        same = column.group == magic.group
        return same or self.is_used(column) or not self.is_used(magic)


_ONE_STATEMENT = re.compile(r"(?>[^;}\[]+|\[(?:[^\[\]]|\[[^\[\]]*\])*\]|\[)*")
"""What stands between a list's name and the list: `;` only in the brackets of a type."""


def _is_a_macros(source: Source, place: int) -> bool:
    """Does a place stand in a macro that ends with its line?"""
    code = source.code
    start, end = code.rfind("\n", 0, place) + 1, code.find("\n", place)
    return source.language.is_c and bool(re.match(r"[ \t]*#[^\\]*$", code[start:end]))


def _shifted(code: str, place: int, end: int, names: int = 2) -> re.Match[str] | None:
    """The shift of what got a name where magics stand, soon after it; or of what that is named."""
    named = _PRODUCT.search(code, code.rfind("\n", 0, place) + 1, place)
    if named is None or not names:
        return None
    stop = code.find("}", end, end + 400)
    stop = stop if stop >= 0 else min(end + 400, len(code))
    for use in re.compile(rf"(?<![\w.]){re.escape(named[1])}(?!\w)").finditer(code, end, stop):
        shift = _BEHIND.match(code, use.end(), stop)
        shift = shift or _shifted(code, use.start(), use.end(), names - 1)
        if shift is not None:
            return shift
    return None


def read_contents(
    files: Sequence[tuple[Path, bytes]],
    variant: Variant,
    other_files: OtherFiles,
    as_written: bool = False,
) -> list[Contents]:
    """Files read together: one for each of their `#if` alternatives. As written: no statement in
    a function has changed a list.
    """
    digest = hashlib.sha256()
    for _, data in files:
        digest.update(data)
    alternatives = read_sources(files, variant.word, other_files.names)
    readings = []
    for number in range(max(map(len, alternatives))):
        sources = tuple(choices[min(number, len(choices) - 1)] for choices in alternatives)
        for source in sources if as_written else ():
            source.lists = tuple(
                replace(number_list, row=number_list.listed or number_list.row)
                for number_list in source.lists
            )
        parts = [columns_of(source, variant) for source in sources]
        columns = tuple(column for part, _, _ in parts for column in part)
        refused = tuple(number_list for _, part, _ in parts for number_list in part)
        unread = tuple(number_list for *_, part in parts for number_list in part)
        readings.append(
            Contents(sources, variant, columns, refused, unread, digest.hexdigest(), other_files)
        )
    return readings


def enumerated_order(source: Source, board: Board) -> tuple[str, str] | None:
    """The order that the first run of square names follows, with its place; None without one."""
    names: list[str] = []
    squares = {board.name(square) for square in range(board.squares)}
    fewest = min(max(board.files, board.ranks) + 1, board.squares)  # tells all orders apart
    start = 0
    for match in SQUARE_NAME.finditer(source.code):
        if match[1].lower() not in squares:
            continue
        following = source.code[match.end() : match.end() + 12]
        names = [*names, match[1].lower()]
        if len(names) == 1:
            start = match.start()
        order = _following(names, board)
        if order is None:
            names, start = [match[1].lower()], match.start()
        elif len(names) >= fewest and len(order) == 1:
            value = re.match(r"\s*(?:=|:)\s*(\d+)\b", following)
            small = value is not None and int(value[1]) < 2 * board.squares
            if value and small and int(value[1]) not in (len(names) - 1, len(names)):
                return None
            return order[0], f"{source.file}, line {source.spot(start)[0]}"
    return None


def _following(names: list[str], board: Board) -> list[str] | None:
    places = [*enumerate(names[: board.squares])]
    fitting = [
        o for o in orders(board) if all(board.name(square_at(o, p, board)) == n for p, n in places)
    ]
    return fitting or None
