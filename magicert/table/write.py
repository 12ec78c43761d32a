"""From a `Table` to a TOML file that a person can read and `read_table` reads back."""

from pathlib import Path

from magicert.betza import HEXAGONAL, NAMES, parse_piece, region_text
from magicert.board import Board
from magicert.chess import Piece
from magicert.movement import Atom, Movement, Region
from magicert.system.toml_text import quoted
from magicert.system.whole_file import write_whole
from magicert.table.model import (
    WHOLE_BOARD,
    JoinedPiece,
    PieceTable,
    Provenance,
    Table,
    Values,
)
from magicert.table.read import FORMAT_VERSION

MARK = "# Written by magicert (magicert verify checks it)\n"
"""The first line of every table file that magicert writes: people write such files, too."""


def write_table(table: Table, path: Path) -> None:
    """Write a table file in one step: a reader never sees half of it."""
    write_whole(path, file_text(table))


def file_text(table: Table) -> str:
    """What `write_table` writes."""
    return MARK + table_toml(table)


def table_toml(table: Table) -> str:
    """The TOML text of a table; reading it back gives an equal table."""
    lines = [f"magicert = {FORMAT_VERSION}", f"name = {quoted(table.name)}"]
    lines.append(f"order = {quoted(table.order)}")
    if table.listing != table.order:
        lines.append(f"listing = {quoted(table.listing)}")
    if table.extent != WHOLE_BOARD:
        lines.append(f"board = {quoted(table.extent)}")
    lines.append(f"buffer = {quoted('shared' if table.shared else 'separate')}")
    if table.buffer_size is not None:
        lines.append(f"buffer_size = {table.buffer_size}")
    if table.literal is not None:
        lines.append(f"literal = {quoted(table.literal)}")
    if table.two_level is not None:
        lines += ["", "[two_level]", f"entry_bits = {table.two_level.entry_bits}"]
        if table.two_level.words is not None:
            lines.append(f"words = {table.two_level.words}")
        if table.two_level.literal_words is not None:
            lines.append(f"literal_words = {quoted(table.two_level.literal_words)}")
    lines += _provenance(table.provenance)
    for piece_table in table.pieces.values():
        lines += _piece(piece_table, table.board)
    for name, joined in table.joined.items():
        lines += _joined(name, joined, table.board)
    return "\n".join(lines) + "\n"


def _provenance(provenance: Provenance) -> list[str]:
    entries = [
        f"{name} = {value if isinstance(value, int) else quoted(value)}"
        for name, value in provenance.described.items()
    ]
    return ["", "[provenance]", *entries] if entries else []


def _joined(name: str, piece: JoinedPiece, board: Board) -> list[str]:
    lines = ["", f"[{name}]", *_moves(name, piece.movement)]
    lines.append(f"parts = [{', '.join(map(quoted, piece.parts))}]")
    if piece.leaps is not None:
        lines += _values("leaps", piece.leaps, board, hexadecimal=True)
    return lines


def _moves(name: str, movement: Movement) -> list[str]:
    """How a piece moves, where its name does not say that."""
    moves = movement_toml(movement)
    known = name in NAMES or name in HEXAGONAL
    return [] if known and moves == quoted(name) else [f"piece = {moves}"]


def _piece(table: PieceTable, board: Board) -> list[str]:
    lines = ["", f"[{table.piece}]"]
    if not isinstance(table.piece, Piece):
        lines += _moves(table.piece, table.movement)
    if table.numbers_of is not None:
        lines.append(f"numbers_of = {quoted(table.numbers_of)}")
        lines += _texts(table, ("attack_sets",))
        return lines + _places(table, ("set_offset",), board)
    lines.append(f"index = {quoted(table.index.text)}")
    if table.result is not None:
        lines.append(f"result = {quoted(table.result.text)}")
    if table.masks != "usual":
        lines.append(f"mask = {quoted(table.masks)}")
    lines += _texts(table, ("buffer_size", "literal", "attack_sets", "literal_sets"))
    lines += _places(table, ("square_size", "offset", "set_offset"), board)
    for name in sorted(table.parameters, key=lambda name: (name in ("magic", "mask"), name)):
        words = table.parameters[name]
        hexadecimal = name in ("magic", "mask") or max(words) >> 32 > 0
        lines += _values(name, words, board, hexadecimal)
    return lines


def _texts(table: PieceTable, keys: tuple[str, ...]) -> list[str]:
    """Those of the keys that a piece has: a number or a file each."""
    values = {key: getattr(table, key) for key in keys}
    return [
        f"{key} = {quoted(value) if isinstance(value, str) else value}"
        for key, value in values.items()
        if value is not None
    ]


def _places(table: PieceTable, keys: tuple[str, ...], board: Board) -> list[str]:
    """Those of the keys that a piece has: lists of amounts."""
    values = {key: getattr(table, key) for key in keys}
    found = [_values(k, v, board, hexadecimal=False) for k, v in values.items() if v is not None]
    return [line for lines in found for line in lines]


def movement_toml(movement: Movement) -> str:
    """How a piece moves: its name or notation where that says it all, or its atoms."""
    region = _regions(movement.regions)
    if movement.name and parse_piece(movement.name).atoms == movement.atoms:
        named = quoted(movement.name)
        return f"{{ betza = {named}, {region} }}" if region else named
    atoms = [_atom(atom, region) for atom in movement.atoms]
    return atoms[0] if len(atoms) == 1 else f"[{', '.join(atoms)}]"


def _atom(atom: Atom, region: str) -> str:
    steps = ", ".join(f"[{across}, {up}]" for across, up in atom.steps)
    parts = [f"kind = {quoted(atom.kind)}", f"steps = [{steps}]"]
    if atom.limit:
        parts.append(f"limit = {atom.limit}")
    if atom.from_target:
        parts.append("from_target = true")
    return f"{{ {', '.join([*parts, region] if region else parts)} }}"


def _regions(regions: tuple[Region, ...]) -> str:
    corners = [quoted(region_text(region)) for region in regions]
    return f"region = [{', '.join(corners)}]" if corners else ""


def _values(key: str, values: Values, board: Board, hexadecimal: bool) -> list[str]:
    digits = board.word // 4
    shown = [f'"0x{value:0{digits}x}"' if hexadecimal else str(value) for value in values]
    if len(values) == 1:
        return [f"{key} = {shown[0]}"]
    # A row of the board is one line, or several, to keep hex rows below 100 columns.
    step = board.files
    while hexadecimal and step > 1 and step * (max(map(len, shown)) + 2) >= 100:
        step = (step + 1) // 2
    width = max(map(len, shown))
    rows = [shown[place : place + step] for place in range(0, len(shown), step)]
    body = ["  " + ", ".join(item.rjust(width) for item in row) + "," for row in rows]
    return [f"{key} = [", *body, "]"]
