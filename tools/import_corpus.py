"""Turn the corpus of real tables (JSON, numbers only) into tables/published and tables/broken.

    python tools/import_corpus.py CORPUS_FOLDER TABLES_FOLDER

The corpus states each scheme in words; here every wording has its formula. Which tables
are broken is what the verifier says of them, not what this script believes.
"""

import json
import re
import sys
from pathlib import Path
from typing import Any

from magicert.board import MOVEMENTS, Piece
from magicert.formula import parse
from magicert.scheme import SCHEMES
from magicert.table import PieceTable, Provenance, Table, TwoLevel, table_toml, write_table
from magicert.table.read import parse_table
from magicert.verify.table.verifier import verify

FOUND_BY = {
    "ankan_byte": "Volker Annuss (magics, 2010)",
    "carp": "Volker Annuss and Niklas Fiekas (black magics)",
    "cfish_97264": "Volker Annuss (2010)",
    "cfish_black": "Volker Annuss and Niklas Fiekas (black magics)",
    "cfish_plain": "Volker Annuss",
    "chess_jl": "Tord Romstad",
    "cozy_chess": "Volker Annuss and Niklas Fiekas (black magics)",
    "cuckoo": "Peter Osterlund",
    "gigantua_plain": "Pradu Kannan (magicmoves)",
    "arasan64": "Pradu Kannan (magicmoves)",
    "surge": "Pradu Kannan (magicmoves)",
    "avalanche": "Pradu Kannan (magicmoves)",
    "dragontoothmg": "Pradu Kannan (magicmoves)",
    "glaurung32": "Tord Romstad",
    "glaurung64": "Tord Romstad",
    "stockfish21_32": "Tord Romstad",
    "stockfish21_64": "Tord Romstad",
    "bbc": "Maksim Korzh",
    "barond": "Maksim Korzh (BBC)",
    "shakmaty": "Volker Annuss",
    "syzygy_tb": "Volker Annuss",
    "texel_rtb": "Peter Osterlund",
}


def formula(entry: dict[str, Any], source: dict[str, Any]) -> str:
    """The index formula of one piece, from the wording of the scheme."""
    scheme = source["scheme"]
    halves = source.get("mult32") or "two-halves" in scheme or ">>32" in scheme
    text = SCHEMES["two-halves" if halves else "black" if "~mask" in scheme else "white"].formula
    if "shift" in entry:
        return re.sub(r"\((64|32) - bits\)$", "shift", text.text)
    return text.text


def values(numbers: list[int | str] | int) -> tuple[int, ...]:
    """A scalar or list of numbers or hexadecimal texts, as integers."""
    listed = numbers if isinstance(numbers, list) else [numbers]
    return tuple(int(n, 16) if isinstance(n, str) else n for n in listed)


def piece_table(piece: Piece, source: dict[str, Any], shared: bool) -> PieceTable:
    """One piece of a corpus table."""
    entry = source[piece.value]
    parameters = {"magic": values(entry["magics"])}
    for key in ("bits", "shift"):
        if key in entry:
            parameters[key] = values(entry[key])
    if entry["masks"] != "standard":
        parameters["mask"] = values(entry["masks"])
    size = source["table_size"]
    if isinstance(size, dict):
        size = size[piece.value]
    elif size == 294912 and not shared:
        # The sum of [64][4096] for the rooks and [64][512] for the bishops.
        size = {Piece.ROOK: 262144, Piece.BISHOP: 32768}[piece]
    return PieceTable(
        movement=MOVEMENTS[piece],
        piece=piece,
        index=parse(formula(entry, source)),
        parameters=parameters,
        offset=values(entry["offsets"]) if entry["offsets"] else None,
        buffer_size=None if shared else size,
        attack_sets=source.get("two_level", {}).get(f"{piece.value}_unique"),
    )


def table(key: str, source: dict[str, Any]) -> Table:
    """A corpus table in our words."""
    shared = isinstance(source["table_size"], int) and source["rook"]["offsets"] is not None
    return Table(
        name=source["name"],
        pieces={piece: piece_table(piece, source, shared) for piece in Piece},
        order=source["square_order"][:2],
        listing=source["square_order"][:2],
        shared=shared,
        buffer_size=source["table_size"] if shared else None,
        two_level=TwoLevel(8) if "two_level" in source else None,
        provenance=Provenance(
            repository=source["repo"],
            path=source["path"],
            commit=source["commit"],
            licence=source["license"],
            language=source["language"],
            found_by=FOUND_BY.get(key, ""),
            notation=source["notation"],
            notes=source["notes"],
        ),
    )


def main(corpus: Path, tables: Path) -> None:
    """Convert every table of the corpus."""
    for path in sorted(corpus.glob("*.json")):
        if path.stem == "expected":
            continue
        converted = table(path.stem, json.loads(path.read_text()))
        name = f"{path.stem}.toml"
        report = verify(parse_table(table_toml(converted).encode(), Path(name)))
        folder = "published" if report.verdict == "valid" else "broken"
        write_table(converted, tables / folder / name)
        print(f"{folder}/{name}")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
