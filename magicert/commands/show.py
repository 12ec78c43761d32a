"""`magicert show`: one square's mask, attack set, index and slot, as boards; the square orders."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from magicert.arguments import parse_occupancy, square_text
from magicert.betza import parse_piece
from magicert.board import CHESS, Board, bitboard, orders, place_of, square_at, squares_of
from magicert.chess import Piece
from magicert.commands.command import Answer, OutputPath, command, only_with, option, refuse
from magicert.commands.options import TABLE, BoardSize, Suggested
from magicert.drawing.boards import board as drawn_board
from magicert.drawing.boards import legend, side_by_side, squares
from magicert.movement import Movement, attacks_of, least_mask, usual_mask
from magicert.outcome import OutcomeKind
from magicert.problem import InputError, Problem
from magicert.show.document import width

if TYPE_CHECKING:
    from magicert.atlas import Range
    from magicert.table import TableFile
    from magicert.verify.table.trace import Trace

Value = TypeVar("Value")


class SquaresBehind(click.Command):
    """`--layouts e4 d5` is `--layouts e4,d5`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if "--layouts" in args:
            first = args.index("--layouts") + 1
            names = list(takewhile(lambda word: not word.startswith("-"), args[first:]))
            args[first : first + len(names)] = [",".join(names)] if names else []
        return super().parse_args(ctx, args)


@command("show", cls=SquaresBehind)
@click.argument("piece", type=Suggested(lambda: Piece), required=False)
@click.argument("square", type=Suggested(lambda: map(CHESS.name, range(64))), required=False)
@option("--occupancy", default="", metavar="SQUARES",
        help='Occupied squares, "e6,c4" or 0x... (a1=0).')  # fmt: skip
@option("--table", type=TABLE, metavar="TABLE", help="Look up in this table (a file, or a name).")
@option("--board", type=BoardSize(), metavar="BOARD",
        help="A board other than chess's, such as 9x10.")  # fmt: skip
@option("--svg", type=OutputPath(), metavar="FILE",
        help="Write the attack set's board as a picture, too.")  # fmt: skip
@option("--layouts", metavar="SQUARE...",
        help="Show these squares as a number in each of the eight square orders, or a number "
        "0x... as squares.")  # fmt: skip
def run(
    piece: str | None, square: str | None, occupancy: str, table: Path | None, board: Board | None,
    svg: Path | None, layouts: str | None,
) -> Answer:  # fmt: skip
    """Show a piece's mask and attack set, and where a table looks them up.

    For example:

        magicert show rook e4
        magicert show bishop c1 --occupancy e3,b2 --table shakmaty
        magicert show rook e4 --occupancy e6 --svg rook.svg
        magicert show cannon e4 --table pikafish_cannon --occupancy e6,e9
        magicert show pNN f5 --board 12x10
        magicert show --layouts e4 d5
        magicert show --layouts 0x8100000000000081

    Exit status: 0, or 2 for bad input.
    """
    problems = []
    if None in (piece, square) and (layouts is None or (piece, square) != (None, None)):
        problems.append(Problem("expected PIECE and SQUARE, as in rook e4, or --layouts SQUARE..."))
    if piece is None:
        problems += only_with("PIECE and SQUARE", "occupancy", "table", "board", "svg")
    refuse(problems)
    # What the other words mean depends on the board, and so on the table.
    file = _read_table(table, board)
    on = board or (CHESS if file is None else file.table.board)
    shown = None
    if piece is not None and square is not None:
        shown = _piece_on(on, piece, square, occupancy, file)
        if svg is not None:
            write_picture(svg, shown)
    in_orders = None if layouts is None else _read("layouts", layouts, lambda t: InOrders.of(t, on))

    def lines() -> Iterator[str]:
        if in_orders is not None:
            yield from in_orders.lines(width())
        if shown is not None:
            yield from piece_lines(shown, width())

    def data() -> dict[str, Any]:
        data = {} if shown is None else piece_data(shown)
        if in_orders is None:
            return data
        return {"orders": {order: on.hex(n) for order, n in in_orders.numbers.items()}} | data

    return Answer(OutcomeKind.VALID, lines(), data)


def _read(name: str, text: str, parse: Callable[[str], Value]) -> Value:
    """An argument or option of the running command, as `parse` reads it. What is wrong with it is
    said as click says it.
    """
    try:
        return parse(text)
    except ValueError as error:
        ctx = click.get_current_context()
        param = next(param for param in ctx.command.params if param.name == name)
        raise click.BadParameter(str(error), ctx, param) from None


def _read_table(path: Path | None, board: Board | None) -> "TableFile | None":
    """The table of --table. InputError where there is none, or where it is of another board."""
    if path is None:
        return None
    from magicert.verify.source.read import table_from

    file = table_from(path)
    if board not in (None, file.table.board):
        message = f"--board {board}: expected {file.table.board}, the board of --table"
        raise InputError([Problem(message)])
    return file


# A piece on a square.


@dataclass(frozen=True, slots=True)
class PieceOn:
    """A piece on a square with an occupancy (a1 = 0): its board, how it moves, its name; `least`
    says that its table has the least masks. `lookups` are where the table finds its attack set, or
    those of the parts that make it.
    """

    on: Board
    movement: Movement
    name: str
    square: int
    occupancy: int
    least: bool = False
    lookups: "Mapping[str, Trace]" = field(default_factory=dict)

    @property
    def mask(self) -> int:
        rule = least_mask if self.least else usual_mask
        return rule(self.on, self.movement, self.square)

    @property
    def attacks(self) -> int:
        return attacks_of(self.on, self.movement, self.square, self.occupancy)

    @property
    def shortest(self) -> "tuple[int, str, Range] | None":
        """What the atlas says of a chess piece's shortest table: bits, magic, range."""
        if self.on != CHESS or self.name not in tuple(Piece):
            return None
        from magicert.atlas import read_atlas
        from magicert.data import atlas_path

        piece_square = Piece(self.name), self.square
        best = read_atlas(atlas_path(), piece_square).best(*piece_square)
        if best is None or best.range is None:
            return None
        return best.bits, best.range.magic or best.magic, best.range

    def __str__(self) -> str:
        where = self.on.name(self.square)
        return f"{self.name} {where}, occupancy {self.on.hex(self.occupancy)}"


def _piece_on(
    on: Board, piece: str, square: str, occupancy: str, file: "TableFile | None"
) -> PieceOn:
    """The piece that the words name: of the table, of chess, or by its notation."""
    in_table = None
    if file is not None:
        in_table = file.table.pieces.get(piece) or file.table.joined.get(piece)
    movement = (
        in_table.movement
        if in_table is not None
        else _read("piece", piece, lambda text: parse_piece(text, on))
    )
    number = on.parse(_read("square", square, lambda text: square_text(text, on)))
    occupied = _read("occupancy", occupancy, lambda text: parse_occupancy(text, on))
    if file is None:
        return PieceOn(on, movement, piece, number, occupied)
    if in_table is None:
        known = ", ".join((*file.table.joined, *file.table.pieces))
        message = f"no [{piece}] in this table: expected one of {known}"
        raise InputError([Problem(message, file=str(file.path))])
    from magicert.table import JoinedPiece
    from magicert.verify.table.trace import trace

    parts = in_table.parts if isinstance(in_table, JoinedPiece) else (piece,)
    least = all(file.table.pieces[part].masks == "least" for part in parts)
    lookups = {part: trace(file, part, number, occupied) for part in parts}
    return PieceOn(on, movement, piece, number, occupied, least, lookups)


WIDE = 1 << 16
"""Parameters from here on are shown as words, smaller ones as decimal numbers."""
WORDS = ("mask", "magic")
"""Parameters that are words, however small."""


def piece_lines(piece: PieceOn, columns: int) -> Iterator[str]:
    """Mask and attack set side by side, and the lookup."""
    yield str(piece)
    blocks = []
    for title, reached, blockers in (("mask", piece.mask, 0),
                                     ("attacks", piece.attacks, piece.occupancy)):  # fmt: skip
        drawn = drawn_board(
            piece.square, piece.name, squares_of(blockers), squares_of(reached), piece.on
        )
        head = [f"{title} {piece.on.hex(reached)}", f"{reached.bit_count()} squares"]
        blocks.append([*head, *drawn])
    yield from side_by_side(blocks, columns)
    yield legend(piece.name)
    if (shortest := piece.shortest) is not None:
        bits, magic, known = shortest
        what = f"indexes 0 to {known.largest} ({bits} bits, {magic})"
        yield f"shortest table known: {what}, {known.described}"
    for part, lookup in piece.lookups.items():
        yield ""
        yield f"{lookup.table}{'' if part == piece.name else f', {part}'}: {lookup.formula}"
        yield from (f"  {name:<10} {value}" for name, value in _steps(lookup))


def _steps(lookup: "Trace") -> Iterator[tuple[str, str | int]]:
    for name, value in lookup.parameters.items():
        yield name, str(value) if value < WIDE and name not in WORDS else f"{value:#018x}"
    if lookup.order != "a1":
        yield "occ", f"{lookup.occupancy} in the table's square order, {lookup.order}"
    if lookup.mirrored is not None:
        swapped, home = lookup.mirrored
        yield "occ", f"{swapped:#018x} with swapped bytes, looked up on {home}"
    yield from {"index": lookup.index, "offset": lookup.offset, "slot": lookup.slot}.items()
    if lookup.result is not None:
        yield "attacks", f"{lookup.result}, where word stands in the slot"


def piece_data(piece: PieceOn) -> dict[str, Any]:
    """The same for --json; words as hexadecimal text."""
    on = piece.on
    data: dict[str, Any] = {
        "piece": str(piece.name), "square": on.name(piece.square), "board": str(on),
        "occupancy": on.hex(piece.occupancy), "mask": on.hex(piece.mask),
        "attacks": on.hex(piece.attacks),
        "attacked": [on.name(square) for square in squares_of(piece.attacks)],
    }  # fmt: skip
    lookups = {part: _lookup_data(lookup) for part, lookup in piece.lookups.items()}
    if piece.name in lookups:
        data["lookup"] = lookups[piece.name]
    elif lookups:
        data["lookups"] = lookups
    return data


def _lookup_data(lookup: "Trace") -> dict[str, Any]:
    parameters = {name: f"{value:#x}" for name, value in lookup.parameters.items()}
    return {
        "table": lookup.table, "formula": lookup.formula, "parameters": parameters,
        "index": lookup.index, "offset": lookup.offset, "slot": lookup.slot,
    }  # fmt: skip


def write_picture(path: Path, piece: PieceOn) -> None:
    """Write the board, with the blockers and what the piece attacks, as SVG."""
    from magicert import __version__
    from magicert.drawing.boards import Diagram
    from magicert.drawing.markup import PICTURES, as_svg
    from magicert.drawing.pictures import piece_board
    from magicert.system.whole_file import write_whole

    blockers = frozenset(squares_of(piece.occupancy)) - {piece.square}
    attacked = frozenset(squares_of(piece.attacks))
    diagram = Diagram(piece.name, piece.square, blockers, attacked, on=piece.on)
    write_whole(path, as_svg(piece_board(diagram), PICTURES, str(piece), __version__))


# Squares in all square orders.

FEW = 6
"""So many squares are named, more are counted."""


@dataclass(frozen=True, slots=True)
class InOrders:
    """Squares (a1 = 0), or a number, as in 0x81: what it stands for depends on the order."""

    word: int
    is_number: bool
    on: Board = CHESS

    @classmethod
    def of(cls, text: str, on: Board) -> "InOrders":
        """What --layouts says. Raises ValueError."""
        return cls(parse_occupancy(text, on), text.strip().lower().startswith("0x"), on)

    @property
    def numbers(self) -> dict[str, int]:
        """In each square order the number that the squares make, or the squares (a1 = 0) that the
        number stands for, as a bitboard.
        """
        convert = square_at if self.is_number else place_of
        bits = [*squares_of(self.word)]
        return {
            order: bitboard(convert(order, bit, self.on) for bit in bits)
            for order in orders(self.on)
        }

    def lines(self, columns: int) -> Iterator[str]:
        """The square orders: a line each, or for a number a board each."""
        on = self.on
        if not self.is_number:
            yield f"{'order':<9} {'number':<{len(on.hex(0))}} bits"
            for order, number in self.numbers.items():
                yield f"{order:<9} {on.hex(number)} {' '.join(map(str, squares_of(number)))}"
            return
        blocks = []
        for order, marked in self.numbers.items():
            names = " ".join(map(on.name, squares_of(marked)))
            what = names if marked.bit_count() <= FEW else f"{marked.bit_count()} squares"
            head = [f"{order}: bit 0 is {on.name(square_at(order, 0, on))}", what]
            blocks.append([*head, *squares(squares_of(marked), on)])
        yield from side_by_side(blocks, columns)
