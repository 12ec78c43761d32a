"""Write the magics of the published tables, each set once, into tables/sets.json.

    python tools/sets.py

`magicert verify` says of a source's numbers whose they are by this file.
"""

import msgspec

from magicert.chess import Piece
from magicert.data import published_tables, tables_folder
from magicert.origin import SETS, Magics, NumberSet, is_white, magics_of, reduced
from magicert.table.files import read_table


def sets() -> list[NumberSet]:
    """One set for all tables whose magics are the same, or the same modulo the LCM period."""
    tables = {name: read_table(path).table for name, path in published_tables().items()}
    found: list[NumberSet] = []
    for piece in Piece:
        same: dict[tuple[bool, Magics], list[str]] = {}
        given: dict[str, Magics] = {}
        for name, table in tables.items():
            magics = magics_of(table, piece)
            if magics is None:
                continue
            given[name] = magics
            white = is_white(table, piece)
            same.setdefault((white, reduced(piece, magics) if white else magics), []).append(name)
        for names in same.values():
            names.sort(key=lambda name: not tables[name].provenance.found_on)
            known = [tables[name].provenance for name in names]
            by = next((one.found_by for one in known if one.found_by), "")
            on = next((one.found_on for one in known if one.found_on), "")
            magics = [f"0x{magic:x}" for magic in given[names[0]]]
            found.append(NumberSet(str(piece), tuple(names), by, on, tuple(magics)))
    return found


def document() -> bytes:
    """The file, as it should stand."""
    lines = [msgspec.json.encode(one).decode() for one in sets()]
    return ("[\n" + ",\n".join(lines) + "\n]\n").encode()


if __name__ == "__main__":
    (tables_folder() / SETS).write_bytes(document())
