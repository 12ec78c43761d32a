"""Verify all tables that ship, and write what it came to into tables/figures.json.

    python tools/figures.py

`magicert tables` shows these figures as long as the files have the SHA-256 that stands there.
"""

import msgspec

from magicert.commands.tables import FIGURES, measure
from magicert.data import tables_by_name, tables_folder


def document() -> bytes:
    """The file, as it should stand."""
    figures = {key: measure(key, path) for key, path in tables_by_name().items()}
    return msgspec.json.format(msgspec.json.encode(figures), indent=1) + b"\n"


if __name__ == "__main__":
    (tables_folder() / FIGURES).write_bytes(document())
