"""A table file's keys at the top, its sections, and the table that they make."""

import re
from dataclasses import fields
from typing import Any

from magicert.board import CHESS, Piece, parse_board
from magicert.problem import listed, suggestion
from magicert.square_order import orders
from magicert.table.buffers import literal_pairs, two_level
from magicert.table.locate import KeyPath
from magicert.table.model import HALF_BOARD, WHOLE_BOARD, PieceTable, Provenance, Table
from magicert.table.pieces import is_piece, piece_table
from magicert.table.values import Values
from magicert.table.words import found_text

FORMAT_VERSION = 1
_FILES_AND_RANKS = re.compile(r"[1-9][0-9]{0,2}x[1-9][0-9]{0,2}", re.ASCII)
_TOP_KEYS = (
    "magicert", "name", "order", "listing", "board", "buffer", "buffer_size", "literal",
    "two_level", "provenance",
)  # fmt: skip
_PROVENANCE_KEYS = tuple(f.name for f in fields(Provenance))


def read_document(values: Values, document: dict[str, Any]) -> Table:
    """The table of a document; what is wrong goes to the problems of `values`."""
    _version(values, document)
    pieces = [key for key in document if key not in _TOP_KEYS and is_piece(key, document[key])]
    _known(values, document, pieces)
    half_board = _board(values, document)
    order, listing = _orders(values, document)
    shared = values.choice(document, ("buffer",), ("shared", "separate"), "separate") == "shared"
    if not shared:
        for key in ("buffer_size", "literal"):
            if key in document:
                message = 'only for buffer = "shared": expected under each piece'
                values.problem((key,), message)
    levels = two_level(values, document)
    if half_board:
        _refuse_with_half(values, document)
    literal_pairs(values, document, pieces, shared)
    if not pieces:
        chess = values.board == CHESS
        expected = "no [rook] and no [bishop]" if chess else "no piece's section, such as [rook]"
        values.problem((), f"{expected}: expected at least one")
    return Table(
        name=values.text(document, ("name",), required=True),
        pieces=_pieces(values, document, pieces, shared, levels is not None),
        order=order,
        listing=listing,
        shared=shared,
        buffer_size=values.size(document, ("buffer_size",)),
        literal=values.sidecar(document, ("literal",)),
        two_level=levels,
        provenance=_provenance(values, document),
        half_board=half_board,
        board=values.board,
    )


def _pieces(
    values: Values, document: dict[str, Any], names: list[str], shared: bool, two_level: bool
) -> dict[str, PieceTable]:
    """In the file's order: a shared buffer without offsets is filled in that order."""
    found = {}
    for name in names:
        section = values.section(document[name], (name,))
        piece = piece_table(values, section, name, shared, two_level)
        if piece is not None:
            found[piece.piece] = piece
    return found


def _version(values: Values, document: dict[str, Any]) -> None:
    if "magicert" not in document:
        values.problem((), f"no format version: expected magicert = {FORMAT_VERSION}")
    elif type(document["magicert"]) is not int or document["magicert"] != FORMAT_VERSION:
        found = found_text(document["magicert"])
        values.problem(("magicert",), f"format version {found}: expected {FORMAT_VERSION}")


def _known(values: Values, document: dict[str, Any], pieces: list[str]) -> None:
    keys = (*_TOP_KEYS, *Piece)
    for key, value in document.items():
        if key in _TOP_KEYS or key in pieces:
            continue
        message = f"unknown key: expected one of {listed(keys)}"
        if isinstance(value, dict):
            message += ", or another piece's section, with an index"
            near = suggestion(key, keys)
            message += f": {near}" if near else ""
        values.problem((key,), message)


def _board(values: Values, document: dict[str, Any]) -> bool:
    """Take the board from the document; whether the table is a half board."""
    board = document.get("board", WHOLE_BOARD)
    if board in (WHOLE_BOARD, HALF_BOARD):
        values.rows = CHESS.squares if board == WHOLE_BOARD else CHESS.squares // 2
        return bool(board == HALF_BOARD)
    values.rows = None
    if not isinstance(board, str) or not _FILES_AND_RANKS.fullmatch(board):
        expected = f"one of {WHOLE_BOARD}, {HALF_BOARD}, or files and ranks, such as 12x10"
        values.problem(("board",), f"{found_text(board)}: expected {expected}")
        return False
    try:
        values.board = parse_board(board)
        values.rows = values.board.squares
    except ValueError as error:
        values.problem(("board",), str(error))
    return False


def _orders(values: Values, document: dict[str, Any]) -> tuple[str, str]:
    if values.rows is None:  # corners of a board that is not known
        return "a1", "a1"
    known = orders(values.board)
    order = values.choice(document, ("order",), known, "a1")
    return order, values.choice(document, ("listing",), known, order)


def _refuse_with_half(values: Values, document: dict[str, Any]) -> None:
    """Swapped bytes are swapped ranks only where everything begins with a1; two levels are not
    offered.
    """
    for key in ("order", "listing"):
        if document.get(key, "a1") in orders(CHESS)[1:]:
            found = found_text(document[key])
            values.problem((key,), f'{found}: expected "a1" with board = "{HALF_BOARD}"')
    if "two_level" in document:
        message = f'a two-level table: expected one level with board = "{HALF_BOARD}"'
        values.problem(("two_level",), message)


def _provenance(values: Values, document: dict[str, Any]) -> Provenance:
    path: KeyPath = ("provenance",)
    section = values.section(document.get("provenance", {}), path)
    values.known(path, section, _PROVENANCE_KEYS)
    given: dict[str, Any] = {
        key: values.text(section, (*path, key))
        for key in _PROVENANCE_KEYS
        if key in section and key != "seed"
    }
    seed = section.get("seed")
    if seed is not None:
        given["seed"] = values.integer(seed, (*path, "seed"), 0, (1 << 64) - 1, "a seed")
    return Provenance(**given)
