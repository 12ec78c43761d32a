"""How a table holds the pieces of a board, and the bytes that each form takes."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import reduce
from itertools import chain
from operator import or_
from typing import Literal

from magicert.betza import leaps_of, lines_of, parse_piece
from magicert.board import CHESS, Board
from magicert.cell import Cell
from magicert.chess import MOVEMENTS, Piece
from magicert.movement import Movement, moves_at_all
from magicert.problem import InputError, Problem
from magicert.scheme import Scheme, resolve_scheme
from magicert.search.finders.trial import MOST_BITS
from magicert.targets import MASKS, Mover, Occupancies, Slider, piece_on
from magicert.verify.table.attacks import BoardPiece, distinct_attack_sets, distinct_together

Square = tuple[str, int]
"""A piece by its name, and a square."""
NUMBER_BITS = (8, 16)
"""Of the numbers in a two-level table."""
MOST_OCCUPANCIES = 1 << 26
"""More would take hours to verify."""
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,30}")
_OF_TABLES = ("provenance", "two_level")


@dataclass(frozen=True, slots=True)
class TableForm:
    """How a table holds its pieces.

    `lines`: each line of a piece is a piece of its own, and the attack set is the OR of the
    lookups. `two_level`: the buffer holds small numbers of attack sets. `pairs`: lines in two
    levels, and two lines of a piece have one index, whose slot holds a number for each; pieces with
    the same masks have it in common.
    """

    lines: bool = False
    two_level: bool = False
    masks: Literal["usual", "least"] = "least"
    fixed_shift: bool = False
    pairs: bool = False

    @property
    def options(self) -> list[str]:
        """The options of `find-set` that ask for it."""
        named = {
            "--form pairs": self.pairs,
            "--form lines": self.lines and not self.pairs,
            "--two-level": self.two_level and not self.pairs,
        }
        parts = [option for option, is_on in named.items() if is_on]
        parts += ["--masks usual"] * (self.masks == "usual")
        parts += ["--fixed-shift"] * self.fixed_shift
        return " ".join(parts).split()

    def parts_of(self, pieces: Mapping[str, Movement]) -> dict[str, Movement]:
        """The pieces that have lookups, by name: the given ones, or their lines."""
        return self._split(pieces)[0]

    def joined(self, pieces: Mapping[str, Movement]) -> dict[str, tuple[str, ...]]:
        """The pieces whose attack sets are the OR of those of their lines and of their leaps; of
        each the names of its lines.
        """
        return self._split(pieces)[1]

    def _split(
        self, pieces: Mapping[str, Movement]
    ) -> tuple[dict[str, Movement], dict[str, tuple[str, ...]]]:
        """Both. A line that several pieces have, such as queen and rook, is one part. Where no
        piece has a line, leaps are looked up as whole pieces.
        """
        lines = {name: lines_of(movement) for name, movement in pieces.items()}
        if not self.lines or not any(lines.values()):
            return dict(pieces), {}
        # A line is called after the piece with the fewest: the rook's, not the queen's.
        called: dict[frozenset[object], str] = {}
        for name in sorted(pieces, key=lambda name: len(lines[name])):
            for suffix, line in lines[name].items():
                called.setdefault(frozenset(line.rules), f"{name}_{suffix}")
        parts: dict[str, Movement] = {}
        joined: dict[str, tuple[str, ...]] = {}
        for name, movement in pieces.items():
            if leaps_of(movement) is None and len(lines[name]) == 1:
                parts[name] = movement
                continue
            joined[name] = tuple(called[frozenset(line.rules)] for line in lines[name].values())
            for part, line in zip(joined[name], lines[name].values(), strict=True):
                if part in pieces or parts.setdefault(part, line).rules != line.rules:
                    message = f"two pieces are called {part}: expected another name, as in own=R"
                    raise InputError([Problem(message, key=f"--piece {name}")])
        return parts, joined

    def cells(
        self, board: Board, pieces: Mapping[str, Movement], scheme: Scheme, bits: int | None = None
    ) -> dict[Square, Cell]:
        """What is asked about each square: `bits` index bits, or as many as its mask has squares,
        or as the widest mask of the piece has.
        """
        cells: dict[Square, Cell] = {}
        for name, on_squares in self._targets(board, pieces).items():
            widest = max(about.usual_bits for about in on_squares.values())
            for square, about in on_squares.items():
                usual = widest if self.fixed_shift else about.usual_bits
                cells[name, square] = Cell(scheme, about, usual if bits is None else bits)
        return cells

    def _targets(
        self, board: Board, pieces: Mapping[str, Movement]
    ) -> dict[str, dict[int, Slider | Mover]]:
        """By square what an index has to tell apart, of each index by the name of its piece."""
        parts = self.parts_of(pieces)
        if self.pairs:
            indexes = self.indexes(board, pieces)
            return {index.name: index.targets(board, parts) for index in indexes}
        return {
            name: {s: piece_on(board, movement, s, self.masks) for s in board.playable}
            for name, movement in parts.items()
        }

    def indexes(self, board: Board, pieces: Mapping[str, Movement]) -> list["SharedIndex"]:
        """The indexes of pairs: those with the same masks are one."""
        parts = self.parts_of(pieces)
        found: dict[tuple[tuple[int, ...], int], SharedIndex] = {}
        for names in self._in_pairs(pieces):
            masks = tuple(
                reduce(or_, (MASKS[self.masks](board, parts[name], square) for name in names))
                if board.has(square) else 0
                for square in range(board.squares)
            )  # fmt: skip
            alike = (masks, len(names))
            before = found[alike].pieces if alike in found else ()
            found[alike] = SharedIndex(masks, (*before, names))
        return list(found.values())

    def _in_pairs(self, pieces: Mapping[str, Movement]) -> Iterator[tuple[str, ...]]:
        """The lines of each piece two by two, in their order, without those of pieces before it."""
        joined = self.joined(pieces)
        seen: set[str] = set()
        for piece in pieces:
            names = [name for name in joined.get(piece, (piece,)) if name not in seen]
            seen.update(names)
            yield from (tuple(names[n : n + 2]) for n in range(0, len(names), 2))


@dataclass(frozen=True, slots=True)
class SharedIndex:
    """An index of one or two lines of some pieces, `pieces` has the names of each. `masks` are of
    all squares, 0 on holes.
    """

    masks: tuple[int, ...]
    pieces: tuple[tuple[str, ...], ...]

    @property
    def name(self) -> str:
        """Its first line."""
        return self.pieces[0][0]

    @property
    def title(self) -> str:
        """All its lines, as in "rook_v, rook_h, cannon_v, cannon_h"."""
        return ", ".join(chain.from_iterable(self.pieces))

    @property
    def places(self) -> list[tuple[str, ...]]:
        """Of each number in a slot the lines that it is of."""
        return list(zip(*self.pieces, strict=True))

    def targets(self, board: Board, parts: Mapping[str, Movement]) -> dict[int, Slider | Mover]:
        """All occupancies of each mask: so an index serves all pieces."""
        movement = parts[self.name]
        return {s: Occupancies(board, movement, s, all_of=self.masks[s]) for s in board.playable}


def form_of(form: str | None, two_level: bool, masks: str | None, fixed_shift: bool) -> TableForm:
    """A form by its options; None is what is usual."""
    pairs = form == "pairs"
    return TableForm(
        form == "lines" or pairs, two_level or pairs, "usual" if masks == "usual" else "least",
        fixed_shift, pairs,
    )  # fmt: skip


def pieces_of(texts: Iterable[str], board: Board) -> dict[str, Movement]:
    """Pieces as options name them: "rook", "pR", or "cannon=pR".

    Raises InputError with all that are none, have no moves on this board, or share a name.
    """
    problems: list[Problem] = []
    pieces: dict[str, Movement] = {}
    for text in texts:
        name, _, notation = text.rpartition("=")
        name = name or notation.partition("@")[0]
        try:
            movement = parse_piece(notation, board)
            _check(name, movement, board, pieces)
        except ValueError as error:
            problems.append(Problem(str(error), key=f"--piece {text}"))
        else:
            pieces[name] = movement
    if problems:
        raise InputError(problems)
    return pieces


def _check(name: str, movement: Movement, board: Board, others: Mapping[str, Movement]) -> None:
    if not _NAME.fullmatch(name) or name in _OF_TABLES:
        raise ValueError(f"{name!r} cannot be the name of a piece: expected letters, digits, _")
    if name in others:
        raise ValueError(f"two pieces are called {name}: expected such as first=R")
    if board == CHESS and name in set(Piece) and movement.rules != MOVEMENTS[Piece(name)].rules:
        raise ValueError(f"it is not called as chess's {name}: expected another name")
    if not moves_at_all(board, movement):
        raise ValueError(f"it has no moves on a board of {board}")


FORMS = (
    TableForm(masks="usual"),
    TableForm(),
    TableForm(fixed_shift=True),
    TableForm(two_level=True),
    TableForm(lines=True),
    TableForm(lines=True, two_level=True),
    TableForm(lines=True, two_level=True, pairs=True),
)
"""All that are worth a look."""


def check_cells(cells: Mapping[Square, Cell], form: TableForm) -> None:
    """Raises InputError where there are too many occupancies, or with the problems of all cells."""
    lookups = sum(1 << cell.mask.bit_count() for cell in cells.values())
    if lookups > MOST_OCCUPANCIES:
        message = f"{lookups:,} occupancies in all, expected at most {MOST_OCCUPANCIES:,}"
        if not form.lines or form.pairs:
            message += ": lines have far fewer (--form lines)"
        raise InputError([Problem(message, key="--piece")])
    problems: list[Problem] = []
    for cell in cells.values():
        try:
            cell.check()
        except InputError as error:
            problems += error.problems
        if MOST_BITS < cell.bits <= 32:
            problems.append(Problem(f"expected 1 to {MOST_BITS}", key=f"bits {cell.bits}"))
    if problems:
        raise InputError(dict.fromkeys(problems))


Written = Literal["source", "binary", "table", "nothing"]
"""What there can be of a form: a source in a compiled language, finished buffers only, a table file
only, or not even that.
"""


@dataclass(frozen=True, slots=True)
class Size:
    """What a form takes for some pieces: `entry` bytes a slot, and `sets` attack sets of `word`
    bytes behind them in a two-level table. `lookups` is how many a piece makes at most. `leaps` are
    the words of constant tables: the attack sets of what nothing blocks.
    """

    form: TableForm
    lookups: int
    slots: int
    entry: int
    word: int
    sets: int = 0
    leaps: int = 0
    written: Written = "source"

    @property
    def bytes(self) -> int:
        return self.slots * self.entry + (self.sets + self.leaps) * self.word


def slots_of(cell: Cell, bits: int) -> int:
    """The slots of a square with so many index bits: one where its mask is empty, for nothing is
    multiplied there but 0. (Black multiplies the squares outside of the mask.)
    """
    return 1 if cell.mask == 0 and cell.scheme.name == "white" else 1 << bits


def size_of(board: Board, pieces: Mapping[str, Movement], form: TableForm) -> Size:
    """What a form takes with as many index bits as masks have squares. Raises InputError for a
    two-level table that cannot number its attack sets.
    """
    cells = form.cells(board, pieces, resolve_scheme("white", board.word))
    slots = sum(slots_of(cell, cell.bits) for cell in cells.values())
    joined = form.joined(pieces)
    lookups = max(len(joined.get(name, (name,))) for name in pieces)
    if form.pairs:
        indexes = {index.name: index for index in form.indexes(board, pieces)}
        slots = sum(
            len(indexes[name].places) * slots_of(cell, cell.bits)
            for (name, _), cell in cells.items()
        )
        whose = {name: index.name for index in indexes.values() for p in index.pieces for name in p}
        lookups = max(len({whose[name] for name in joined.get(p, (p,))}) for p in pieces)
    leaps = board.squares * sum(leaps_of(pieces[name]) is not None for name in joined)
    word = board.word // 8
    if not form.two_level:
        return Size(form, lookups, slots, word, word, leaps=leaps)
    sets = numbered_sets(board, pieces, form)
    return Size(form, lookups, slots, entry_bits(sets) // 8, word, sum(map(sum, sets)), leaps)


def numbered_sets(
    board: Board, pieces: Mapping[str, Movement], form: TableForm
) -> list[tuple[int, ...]]:
    """How many attack sets each square of each part has, as the numbers of a two-level table have
    it: combinations of them, where several parts have one number.
    """
    parts = form.parts_of(pieces)
    if not form.pairs:
        return [attack_sets(board, movement) for movement in parts.values()]
    found = []
    for place in (place for index in form.indexes(board, pieces) for place in index.places):
        movers = tuple(BoardPiece(board, parts[name], "a1") for name in place)
        counts = tuple(distinct_together(movers, square) for square in board.playable)
        found += [counts] * len(place)
    return found


def sizes(board: Board, pieces: Mapping[str, Movement]) -> tuple[Size, ...]:
    """What each form takes that these pieces can have, as FORMS lists them. Lines are left out
    where no piece has several, or leaps beside one.
    """
    in_all_forms = []
    several = bool(TableForm(lines=True).joined(pieces))
    for form in FORMS:
        if form.lines and not several:
            continue
        try:
            size = size_of(board, pieces, form)
        except InputError:  # too many attack sets for numbers of 16 bits
            continue
        in_all_forms.append(replace(size, written=_written(board, pieces, size)))
    return tuple(in_all_forms)


def _written(board: Board, pieces: Mapping[str, Movement], size: Size) -> Written:
    """How far find-set and emit go with a form."""
    from magicert.compact.emit.emitted_table import MOST_ENTRIES
    from magicert.compact.emit.printer import LONGEST_LITERAL

    try:
        check_cells(size.form.cells(board, pieces, resolve_scheme("white", board.word)), size.form)
    except InputError:
        return "nothing"
    if size.slots > MOST_ENTRIES:
        return "table"
    return "binary" if size.form.two_level and size.bytes > LONGEST_LITERAL else "source"


def attack_sets(board: Board, movement: Movement) -> tuple[int, ...]:
    """How many different attack sets each square has, holes left out."""
    mover = BoardPiece(board, movement, "a1")
    return tuple(distinct_attack_sets(mover, square) for square in board.playable)


def entry_bits(sets: Iterable[tuple[int, ...]]) -> int:
    """The bits of a two-level table's numbers: those of the square with most attack sets.

    Raises InputError where that is more than 16.
    """
    most = max(map(max, sets))
    wide_enough = [bits for bits in NUMBER_BITS if most <= 1 << bits]
    if not wide_enough:
        message = f"a square has {most:,} attack sets, more than 16 bits can number"
        raise InputError([Problem(message, key="--two-level")])
    return wide_enough[0]
