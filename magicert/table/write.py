"""From a `Table` to a TOML file that a person can read and `read_table` reads back."""

from dataclasses import fields
from pathlib import Path

from magicert.system.toml_text import quoted
from magicert.system.whole_file import write_whole
from magicert.table.model import PieceTable, Provenance, Table, Values
from magicert.table.read import FORMAT_VERSION


def write_table(table: Table, path: Path) -> None:
    """Write a table file in one step: a reader never sees half of it."""
    write_whole(path, table_toml(table))


def table_toml(table: Table) -> str:
    """The TOML text of a table; reading it back gives an equal table."""
    lines = [f"magicert = {FORMAT_VERSION}", f"name = {quoted(table.name)}"]
    lines.append(f"order = {quoted(table.order)}")
    if table.listing != table.order:
        lines.append(f"listing = {quoted(table.listing)}")
    if table.half_board:
        lines.append(f"board = {quoted(table.board)}")
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
        lines += _piece(piece_table)
    return "\n".join(lines) + "\n"


def _provenance(provenance: Provenance) -> list[str]:
    entries = []
    for field in fields(Provenance):
        value = getattr(provenance, field.name)
        if value not in ("", None):
            entries.append(f"{field.name} = {value if isinstance(value, int) else quoted(value)}")
    return ["", "[provenance]", *entries] if entries else []


def _piece(table: PieceTable) -> list[str]:
    lines = ["", f"[{table.piece}]", f"index = {quoted(table.index.text)}"]
    if table.result is not None:
        lines.append(f"result = {quoted(table.result.text)}")
    for key in ("buffer_size", "literal", "attack_sets", "literal_sets"):
        value = getattr(table, key)
        if value is not None:
            lines.append(f"{key} = {quoted(value) if isinstance(value, str) else value}")
    for key in ("square_size", "offset", "set_offset"):
        values = getattr(table, key)
        if values is not None:
            lines += _values(key, values, hexadecimal=False)
    for name in sorted(table.parameters, key=lambda name: (name in ("magic", "mask"), name)):
        words = table.parameters[name]
        hexadecimal = name in ("magic", "mask") or max(words) >> 32 > 0
        lines += _values(name, words, hexadecimal)
    return lines


def _values(key: str, values: Values, hexadecimal: bool) -> list[str]:
    shown = [f'"0x{value:016x}"' if hexadecimal else str(value) for value in values]
    if len(values) == 1:
        return [f"{key} = {shown[0]}"]
    # A row of the board has eight squares; two lines of four keep hex rows below 100 columns.
    step = 4 if hexadecimal else 8
    width = max(map(len, shown))
    rows = [shown[place : place + step] for place in range(0, len(shown), step)]
    body = ["  " + ", ".join(item.rjust(width) for item in row) + "," for row in rows]
    return [f"{key} = [", *body, "]"]
