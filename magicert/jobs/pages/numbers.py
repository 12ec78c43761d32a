"""The numbers of a table, to be copied: its magics, and the whole table file."""

from collections.abc import Iterator
from xml.etree.ElementTree import Element

from magicert.draw.markup import element
from magicert.draw.page import copied
from magicert.table import Table, table_toml

IN_A_LINE = 4


def numbers(table: Table) -> Iterator[Element]:
    """Each piece's magics, in the order of the table's own lists; then everything."""
    last = table.board.name(table.rows - 1) if not table.half_board else "h8"
    for piece, half in table.pieces.items():
        magics = half.parameters.get("magic", ())
        if len(magics) > 1:
            first = f"from {table.listing}" if table.listing != "a1" else f"from a1 to {last}"
            yield element("h3", f"{len(magics)} {piece} magics, {first}")
            yield copied(f"{piece}-magics", _rows(magics, table.board.word))
    yield element("h3", "The whole table, for magicert verify and magicert emit")
    yield copied("table", table_toml(table))


def _rows(words: tuple[int, ...], width: int) -> str:
    digits = width // 4 if max(words) >> 64 else 16
    step = IN_A_LINE * 16 // digits
    shown = [f"0x{word:0{digits}x}," for word in words]
    lines = [shown[at : at + step] for at in range(0, len(shown), step)]
    return "\n".join(map(" ".join, lines))
