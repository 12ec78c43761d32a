"""Turn the corpus of tables of larger boards (JSON, numbers only) into tables/boards.

    python tools/import_boards.py CORPUS_FOLDER TABLES_FOLDER

The corpus states each index in words and each piece by its steps; here each has its formula and
its notation, and the notation's steps must be those of the corpus.
"""

import json
import sys
from pathlib import Path
from typing import Any

from magicert.board import Board, Movement
from magicert.board.betza import parse_piece
from magicert.board.movement import Region
from magicert.formula import parse
from magicert.table import PieceTable, Provenance, Table, write_table

FANCY = "((occ & mask) * magic) >> (128 - popcount(mask))"
FOLDED = "u64((occ & mask) | ((occ & mask) >> 63)) * magic >> shift"
INDEXES = {
    "((occ & mask) * magic mod 2^128) >> (128 - popcount(mask))": FANCY,
    "offset + ((u64((occ & mask) >> 63 | (occ & mask)) * magic mod 2^64) >> shift)": FOLDED,
}
ORDERS = {
    "rank * files + file, a1 = 0": "a1",
    "9 * file + rank (a transposed board: the same pieces)": "a1-files",
}
PIECES = {
    "fairy_bishop": ("bishop", "bishop"),
    "fairy_cannon_diag": ("diagonal-cannon", "diagonal-cannon"),
    "fairy_cannon_h": ("cannon-h", "spR"),
    "fairy_cannon_v": ("cannon-v", "vpR"),
    "fairy_elephant": ("elephant", "elephant"),
    "fairy_grasshopper_h": ("grasshopper-h", "sgR"),
    "fairy_grasshopper_v": ("grasshopper-v", "vgR"),
    "fairy_horse": ("horse", "horse"),
    "fairy_lame_dabbaba": ("lame-dabbaba", "lame-dabbaba"),
    "fairy_rook_h": ("rook-h", "sR"),
    "fairy_rook_v": ("rook-v", "vR"),
    "haitaka_rook": ("rook", "rook"),
    "pikafish_bishop": ("elephant", "nA"),
    "pikafish_cannon": ("cannon", "cannon"),
    "pikafish_knight": ("horse", "horse"),
    "pikafish_rook": ("rook", "rook"),
}
"""The name of the section and how the piece moves: a name, or Betza's notation."""
HALVES = (Region((0, 0), (8, 4)), Region((0, 5), (8, 9)))
REGIONS = {None: (), "own half: ranks 0-4 or 5-9": HALVES}


def movement(source: dict[str, Any], notation: str) -> Movement:
    """The piece, whose steps and rule are those of the corpus."""
    found, piece = parse_piece(notation), source["piece"]
    (atom,) = found.atoms
    steps = {tuple(step) for step in piece["steps"]}
    if (atom.kind, set(atom.steps), atom.limit) != (piece["kind"], steps, piece["limit"]):
        raise ValueError(f"{source['name']}: {notation} moves otherwise")
    return Movement(found.atoms, REGIONS[piece.get("region")], found.name)


def numbers(values: list[int | str]) -> tuple[int, ...]:
    """Numbers, or hexadecimal texts, as integers."""
    return tuple(int(n, 16) if isinstance(n, str) else n for n in values)


def table_of(source: dict[str, Any]) -> Table:
    """The table of a corpus file."""
    section, notation = PIECES[source["name"]]
    board = Board(source["files"], source["ranks"])
    names = {"magic": "magic", "mask_values": "mask", "shift": "shift"}
    piece = PieceTable(
        piece=section,
        movement=movement(source, notation),
        index=parse(INDEXES[source["index"]], word=board.word),
        parameters={name: numbers(source[key]) for key, name in names.items() if key in source},
        offset=numbers(source["offset"]) if "offset" in source else None,
    )
    order = ORDERS[source["bit"]]
    return Table(
        name=source["name"],
        pieces={section: piece},
        order=order,
        listing=order,
        board=board,
        provenance=Provenance(
            repository=f"github:{source['repository']}",
            path=source["file"],
            commit=source["commit"],
            licence=source["licence"],
        ),
    )


def main(corpus: Path, tables: Path) -> None:
    """Write tables/boards/*.toml, and what is expected of them."""
    folder = tables / "boards"
    folder.mkdir(exist_ok=True)
    expected = {}
    for path in sorted(corpus.glob("*.json")):
        source = json.loads(path.read_text("utf-8"))
        write_table(table_of(source), folder / f"{path.stem}.toml")
        expected[path.stem] = source["expected"]
    (folder / "expected.json").write_text(json.dumps(expected, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
