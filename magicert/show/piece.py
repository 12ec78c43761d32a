"""One piece on a square: mask, attack set and lookup; and the eight square orders."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from magicert.board import (
    ORDERS,
    Board,
    Movement,
    Piece,
    attacks_of,
    bitboard,
    least_mask,
    place_of,
    square_at,
    square_name,
    squares_of,
    usual_mask,
)
from magicert.dataclass import dataclass
from magicert.show.document import beside, board, legend, squares

if TYPE_CHECKING:
    from magicert.atlas import Range
    from magicert.jobs.look_up import LookedUp

WIDE = 1 << 16
"""Parameters from here on are shown as words, smaller ones as decimal numbers."""
WORDS = ("mask", "magic")
"""Parameters that are words, however small."""


@dataclass(frozen=True, slots=True)
class PieceOn:
    """A piece on a square with an occupancy (a1=0): its board, how it moves, its name; `least` says
    that its table has the least masks. `found` is the lookup in a table.
    """

    on: Board
    movement: Movement
    name: str
    square: int
    occupancy: int
    least: bool = False
    found: "LookedUp | None" = None

    @property
    def mask(self) -> int:
        """The squares that a lookup reads."""
        rule = least_mask if self.least else usual_mask
        return rule(self.on, self.movement, self.square)

    @property
    def attacks(self) -> int:
        """The squares that it attacks."""
        return attacks_of(self.on, self.movement, self.square, self.occupancy)

    def word(self, bits: int) -> str:
        """A bitboard as text, as wide as the board's words."""
        return f"0x{bits:0{self.on.word // 4}x}"

    @property
    def shortest(self) -> tuple[int, str, "Range"] | None:
        """What the atlas says of a chess piece's shortest table: bits, magic, range."""
        if not isinstance(self.name, Piece):
            return None
        from magicert.atlas import read_atlas
        from magicert.data import atlas_path

        best = read_atlas(atlas_path(), (self.name, self.square)).best(self.name, self.square)
        known = None if best is None else best.range
        if best is None or known is None:
            return None
        return best.bits, known.magic or best.magic, known

    def __str__(self) -> str:
        where = self.on.name(self.square)
        return f"{self.name} {where}, occupancy {self.word(self.occupancy)}"


def as_lines(piece: PieceOn, columns: int) -> Iterator[str]:
    """Mask and attack set side by side, and the lookup."""
    yield str(piece)
    blocks = []
    for title, reached, blockers in (("mask", piece.mask, 0),
                                     ("attacks", piece.attacks, piece.occupancy)):  # fmt: skip
        drawn = board(piece.square, piece.name, squares_of(blockers), squares_of(reached), piece.on)
        head = [f"{title} {piece.word(reached)}", f"{reached.bit_count()} squares"]
        blocks.append([*head, *drawn])
    yield from beside(blocks, columns)
    yield legend(piece.name)
    if (shortest := piece.shortest) is not None:
        bits, magic, known = shortest
        what = f"indexes 0 to {known.largest} ({bits} bits, {magic})"
        yield f"shortest table known: {what}, {known.said}"
    if piece.found is not None:
        yield ""
        yield f"{piece.found.table}: {piece.found.formula}"
        yield from (f"  {name:<10} {value}" for name, value in _lookup(piece.found))


def _lookup(found: "LookedUp") -> Iterator[tuple[str, str | int]]:
    for name, value in found.parameters.items():
        yield name, str(value) if value < WIDE and name not in WORDS else f"{value:#018x}"
    if found.order != "a1":
        yield "occ", f"{found.occupancy} in the table's square order, {found.order}"
    if found.mirrored is not None:
        swapped, home = found.mirrored
        yield "occ", f"{swapped:#018x} with swapped bytes, looked up on {home}"
    yield from {"index": found.index, "offset": found.offset, "slot": found.slot}.items()
    if found.result is not None:
        yield "attacks", f"{found.result}, where word stands in the slot"


def as_json(piece: PieceOn) -> dict[str, Any]:
    """The same for --json; words as hexadecimal text."""
    told: dict[str, Any] = {
        "piece": str(piece.name), "square": piece.on.name(piece.square), "board": str(piece.on),
        "occupancy": piece.word(piece.occupancy), "mask": piece.word(piece.mask),
        "attacks": piece.word(piece.attacks),
        "attacked": [piece.on.name(one) for one in squares_of(piece.attacks)],
    }  # fmt: skip
    if (found := piece.found) is not None:
        parameters = {name: f"{value:#x}" for name, value in found.parameters.items()}
        told["lookup"] = {
            "table": found.table, "formula": found.formula, "parameters": parameters,
            "index": found.index, "offset": found.offset, "slot": found.slot,
        }  # fmt: skip
    return told


def write_picture(path: Path, piece: PieceOn) -> None:
    """Write the board, with the blockers and what the piece attacks, as SVG."""
    from magicert import __version__
    from magicert.show.document import Diagram
    from magicert.show.markup import PICTURES, as_svg
    from magicert.show.pictures import piece_board
    from magicert.system.whole_file import write_whole

    blockers = frozenset(squares_of(piece.occupancy)) - {piece.square}
    attacked = frozenset(squares_of(piece.attacks))
    diagram = Diagram(piece.name, piece.square, blockers, attacked, on=piece.on)
    write_whole(path, as_svg(piece_board(diagram), PICTURES, str(piece), __version__))


def orders(word: int, *, is_number: bool) -> Mapping[str, int]:
    """In each square order the number that squares (a1=0) make, or the squares (a1=0) that a number
    stands for, as a bitboard.
    """
    convert = square_at if is_number else place_of
    return {order: bitboard(convert(order, bit) for bit in squares_of(word)) for order in ORDERS}


def orders_lines(word: int, *, is_number: bool, columns: int) -> Iterator[str]:
    """The square orders: a line each, or for a number a board each."""
    found = orders(word, is_number=is_number)
    if not is_number:
        yield f"{'order':<9} {'number':<18} bits"
        for order, number in found.items():
            yield f"{order:<9} {number:#018x} {' '.join(map(str, squares_of(number)))}"
        return
    blocks = []
    for order, marked in found.items():
        names = " ".join(map(square_name, squares_of(marked)))
        shown = names if marked.bit_count() <= 6 else f"{marked.bit_count()} squares"
        head = [f"{order}: bit 0 is {square_name(square_at(order, 0))}", shown]
        blocks.append([*head, *squares(squares_of(marked))])
    yield from beside(blocks, columns)
