"""One piece on a square: mask, attack set and lookup; and the eight square orders."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from magicert.board import square_at, square_name, squares_of
from magicert.drawing import beside, board, legend, squares
from magicert.requests.show import InOrders, LookedUp, PieceOn, PieceShown
from magicert.show.document import PlainDocument, width

WIDE = 1 << 16
"""Parameters from here on are shown as words, smaller ones as decimal numbers."""
WORDS = ("mask", "magic")
"""Parameters that are words, however small."""


def as_lines(piece: PieceOn, columns: int) -> Iterator[str]:
    """Mask and attack set side by side, and the lookup."""
    yield str(piece)
    blocks = []
    for title, reached, blockers in (("mask", piece.mask, 0),
                                     ("attacks", piece.attacks, piece.occupancy)):  # fmt: skip
        drawn = board(piece.square, piece.name, squares_of(blockers), squares_of(reached), piece.on)
        head = [f"{title} {piece.on.hex(reached)}", f"{reached.bit_count()} squares"]
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


def _lookup(found: LookedUp) -> Iterator[tuple[str, str | int]]:
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
        "occupancy": piece.on.hex(piece.occupancy), "mask": piece.on.hex(piece.mask),
        "attacks": piece.on.hex(piece.attacks),
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
    from magicert.drawing import Diagram
    from magicert.show.markup import PICTURES, as_svg
    from magicert.show.pictures import piece_board
    from magicert.system.whole_file import write_whole

    blockers = frozenset(squares_of(piece.occupancy)) - {piece.square}
    attacked = frozenset(squares_of(piece.attacks))
    diagram = Diagram(piece.name, piece.square, blockers, attacked, on=piece.on)
    write_whole(path, as_svg(piece_board(diagram), PICTURES, str(piece), __version__))


def shown_document(shown: PieceShown) -> PlainDocument:
    """A piece, squares in all orders, or both."""

    def data() -> dict[str, Any]:
        found = shown.layouts.found if shown.layouts else {}
        orders = {order: f"{number:#018x}" for order, number in found.items()}
        told = {"orders": orders} if shown.layouts else {}
        return told | (as_json(shown.piece) if shown.piece else {})

    def lines() -> Iterator[str]:
        if shown.layouts is not None:
            yield from orders_lines(shown.layouts, width())
        if shown.piece is not None:
            yield from as_lines(shown.piece, width())

    return PlainDocument(lines(), data)


def orders_lines(shown: InOrders, columns: int) -> Iterator[str]:
    """The square orders: a line each, or for a number a board each."""
    if not shown.is_number:
        yield f"{'order':<9} {'number':<18} bits"
        for order, number in shown.found.items():
            yield f"{order:<9} {number:#018x} {' '.join(map(str, squares_of(number)))}"
        return
    blocks = []
    for order, marked in shown.found.items():
        names = " ".join(map(square_name, squares_of(marked)))
        told = names if marked.bit_count() <= 6 else f"{marked.bit_count()} squares"
        head = [f"{order}: bit 0 is {square_name(square_at(order, 0))}", told]
        blocks.append([*head, *squares(squares_of(marked))])
    yield from beside(blocks, columns)
