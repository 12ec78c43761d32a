"""A table from numbers of Python or numpy, checked as strictly as a table file."""

import operator
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, SupportsIndex

from magicert.arguments import board_of
from magicert.betza import parse_piece
from magicert.board import CHESS, Board, orders, squares_in
from magicert.chess import Piece
from magicert.movement import least_mask, usual_mask
from magicert.problem import InputError, Problem
from magicert.scheme import SCHEMES, resolve_scheme
from magicert.table import Table, table_of
from magicert.table.read import FORMAT_VERSION

Numbers = SupportsIndex | Iterable[SupportsIndex]
"""One number for all squares, or 64 in the order of the squares: a list, an array of numpy's."""
Columns = Numbers | Mapping[str, Numbers | str]
"""The magics of a piece; or all its columns by name, as in a table file."""

OF_TABLES = ("provenance", "two_level")
"""Keys of a table file that have sections and are no pieces."""
HALF_ROWS = 32
"""Squares that a half board's lists have."""
MOST = 1 << 16
"""More numbers than any list of a table has; what yields for ever is not read to its end."""


def make_table(
    rook: Columns | None = None,
    bishop: Columns | None = None,
    *,
    scheme: str = "white",
    rook_bits: Numbers | None = None,
    bishop_bits: Numbers | None = None,
    rook_shift: Numbers | None = None,
    bishop_shift: Numbers | None = None,
    order: str = "a1",
    name: str = "table",
    **keys: object,
) -> Table:
    """The table of these magics, not verified yet.

    >>> magicert.emit(magicert.make_table(rook_magics, bishop_magics), "rust")

    The arguments are those of `certify`. Raises InputError, which names every wrong argument.
    """
    problems: list[Problem] = []
    board = _board(keys.get("board"))
    keys = {key: str(value) if isinstance(value, Board) else value for key, value in keys.items()}
    pieces = {
        key: value
        for key, value in keys.items()
        if key not in OF_TABLES and isinstance(value, Mapping)
    }
    arguments: dict[Piece, tuple[Columns | None, Numbers | None, Numbers | None]] = {
        Piece.ROOK: (rook, rook_bits, rook_shift),
        Piece.BISHOP: (bishop, bishop_bits, bishop_shift),
    }
    document: dict[str, Any] = {"magicert": FORMAT_VERSION, "name": name, "order": order}
    document |= {
        key: _plain(value, key, problems) for key, value in keys.items() if key not in pieces
    }
    for name_of_piece, columns_of_piece in pieces.items():
        section = _piece(name_of_piece, columns_of_piece, scheme, board, problems)
        document[name_of_piece] = section
        _count(section, name_of_piece, None, None, document, problems)
    for piece, (columns, bits, shift) in arguments.items():
        if columns is not None:
            document[piece.value] = _piece(piece, columns, scheme, board, problems)
            _count(document[piece.value], piece, bits, shift, document, problems)
        elif bits is not None or shift is not None:
            key = f"{piece}_{'bits' if shift is None else 'shift'}"
            problems.append(Problem(f"without {piece} magics", key=key))
    try:
        table = table_of(document)
    except InputError as error:
        problems += error.problems
    if problems:
        named = _argument_names(arguments)
        raise InputError(replace(problem, key=_renamed(problem.key, named)) for problem in problems)
    return table


def _argument_names(
    arguments: Mapping[Piece, tuple[Columns | None, Numbers | None, Numbers | None]],
) -> dict[str, str]:
    """What the caller calls a key of the document: rook.magic is `rook`, rook.bits `rook_bits`."""
    named: dict[str, str] = {}
    for piece, (columns, bits, shift) in arguments.items():
        if not isinstance(columns, Mapping):
            named |= {f"{piece}.magic": piece.value, f"{piece}.index": "scheme"}
        if bits is not None or shift is not None:
            argument = f"{piece}_{'bits' if shift is None else 'shift'}"
            named |= {f"{piece}.bits": argument, f"{piece}.shift": argument}
    return named


def _renamed(key: str, named: Mapping[str, str]) -> str:
    head, bracket, rest = key.partition("[")
    return named.get(head, head) + bracket + rest


def _board(value: object) -> Board:
    """The board that is named; chess's where none is, or none that there is: the reader says so."""
    try:
        return board_of(value) if isinstance(value, str | Board) else CHESS
    except ValueError:
        return CHESS


def _piece(
    piece: str, columns: Columns, scheme: str, board: Board, problems: list[Problem]
) -> dict[str, object]:
    """A piece's section of the document."""
    named = columns if isinstance(columns, Mapping) else {"magic": columns}
    section = {str(key): _plain(value, f"{piece}.{key}", problems) for key, value in named.items()}
    if "index" not in section:
        section["index"] = resolve_scheme(scheme, board.word).formula.text
    return section


def _count(
    section: dict[str, Any],
    piece: str,
    bits: Numbers | None,
    shift: Numbers | None,
    document: Mapping[str, Any],
    problems: list[Problem],
) -> None:
    """Enter the bits or the shifts, as whichever of them the formula has."""
    board = _board(document.get("board"))
    if bits is not None:
        section["bits"] = _plain(bits, f"{piece}_bits", problems)
    if shift is not None:
        key = f"{piece}_shift"
        numbers = _plain(shift, key, problems)
        if _uses(section["index"], "shift", board):
            section["shift"] = numbers
        elif bits is not None:
            problems.append(Problem("both bits and shifts: expected one of them", key=key))
        else:
            section["bits"] = _bits_of(numbers, section["index"], board.word, key, problems)
    if "bits" not in section and _uses(section["index"], "bits", board):
        section["bits"] = _popcounts(piece, section, document)


def _uses(index: object, name: str, board: Board) -> bool:
    """Whether a formula has that name; one that is none is reported by the reader."""
    try:
        return isinstance(index, str) and name in resolve_scheme(index, board.word).formula.names
    except InputError:
        return False


def _bits_of(shift: object, index: object, word: int, key: str, problems: list[Problem]) -> object:
    """The bits that a shift leaves: of a word, or of 32 where two halves are joined."""
    joined = [SCHEMES[name].formula.text for name in SCHEMES if name.startswith("two-halves")]
    width = 32 if index in joined else word

    def bits_for(number: object, key: str) -> object:
        if not isinstance(number, int) or isinstance(number, bool):
            return number
        if 0 <= number < width:
            return width - number
        problems.append(Problem(f"{number}: expected a shift from 0 to {width - 1}", key=key))
        return 1  # what the reader has nothing to say about

    if isinstance(shift, list):
        return [bits_for(number, f"{key}[{place}]") for place, number in enumerate(shift)]
    return bits_for(shift, key)


def _popcounts(
    piece: str, section: Mapping[str, Any], document: Mapping[str, Any]
) -> list[int] | int:
    """As many bits as the mask of each square has squares, in the table's own order; 1 of a piece
    that cannot be told, which the reader says.
    """
    masks, board = section.get("mask"), _board(document.get("board"))
    # Not called mask: Python 3.12.1 takes a comprehension's variable for the function below.
    if isinstance(masks, list) and all(isinstance(word, int) for word in masks):
        return [word.bit_count() for word in masks]
    try:
        movement = parse_piece(str(section.get("piece", piece)), board)
    except ValueError:
        return 1
    rule = least_mask if masks == "least" else usual_mask
    order = document.get("listing", document["order"])
    squares = squares_in(order if order in orders(board) else orders(board)[0], board)
    magics = section.get("magic")
    half = isinstance(magics, list) and len(magics) == HALF_ROWS and board == CHESS
    return [rule(board, movement, s).bit_count() for s in squares[: HALF_ROWS if half else None]]


def _plain(value: object, key: str, problems: list[Problem]) -> object:
    """A value as the reader of table files takes it: a text, an int, or a list of them."""
    if isinstance(value, str | int):
        return int(value) if isinstance(value, int) and not isinstance(value, bool) else value
    if hasattr(value, "dtype"):
        return _array(value, key, problems)
    if isinstance(value, SupportsIndex):
        return operator.index(value)
    if isinstance(value, Mapping):
        return {str(name): _plain(item, f"{key}.{name}", problems) for name, item in value.items()}
    if isinstance(value, Iterable) and not isinstance(value, bytes | bytearray):
        return [
            _plain(item, f"{key}[{place}]", problems)
            for place, item in zip(range(MOST), value, strict=False)
        ]
    return value


def _array(array: Any, key: str, problems: list[Problem]) -> object:  # noqa: ANN401
    """An array of numpy's, or one of its numbers. Floats have lost digits, so none is taken."""
    mistake = ""
    if array.dtype.kind not in "iuO":
        mistake = f"dtype {array.dtype}: expected whole numbers, such as uint64"
    elif array.ndim > 1:
        mistake = f"shape {array.shape}: expected 64 numbers in one row"
    elif array.dtype.kind == "i" and array.size and array.min() < 0:
        expected = 'expected 64-bit words: .view("uint64") has the same bits'
        mistake = f"{array.min()} in {array.dtype}: {expected}"
    if not mistake:
        return _plain(array.tolist(), key, problems)
    problems.append(Problem(mistake, key=key))
    return [0] * 64  # what the reader has nothing to say about
