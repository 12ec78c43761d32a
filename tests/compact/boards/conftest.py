"""Tables of other boards and pieces: small ones of every kind, and what their lookups must give.

The answers come from the walk of `magicert.board`, square by square.
"""

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import pytest

from magicert.betza import parse_piece
from magicert.board import (
    Atom,
    Board,
    Movement,
    Region,
    attacks_of,
    place_of,
    square_at,
    usual_mask,
)
from magicert.data import tables_folder
from magicert.formula import parse
from magicert.table import PieceTable, Table, TwoLevel, read_table
from magicert.table.write import write_table


@pytest.fixture(scope="session")
def shipped() -> Callable[[str], Path]:
    """A table of another engine's board."""
    return _shipped


def _shipped(name: str) -> Path:
    """A table of another engine's board."""
    return tables_folder() / "boards" / f"{name}.toml"


def subsets_of(mask: int) -> Iterator[int]:
    """All subsets of a bitboard, the empty one first."""
    subset = 0
    while True:
        yield subset
        subset = (subset - mask) & mask
        if not subset:
            return


def made(
    board: Board, pieces: dict[str, Movement], order: str = "a1", shared: bool = False
) -> Table:
    """A table with magics by chance: for pieces of few relevant squares only."""
    chance = random.Random(3)
    parts = {}
    for name, movement in pieces.items():
        magics = [_magic(board, movement, order, bit, chance) for bit in range(board.squares)]
        index = parse(f"((occ & mask) * magic) >> ({board.word} - bits)", word=board.word)
        bits = tuple(_bits(board, movement, order, bit) for bit in range(board.squares))
        parameters = {"magic": tuple(magics), "bits": bits}
        parts[name] = PieceTable(name, movement, index, parameters)
    return Table("made", parts, order=order, listing=order, shared=shared, board=board)


def in_bits(board: Board, order: str, squares: int) -> int:
    """A bitboard of squares in the bits of an order."""
    found = (place_of(order, s, board) for s in range(board.squares) if squares >> s & 1)
    return sum(1 << bit for bit in found)


def _bits(board: Board, movement: Movement, order: str, bit: int) -> int:
    return max(1, usual_mask(board, movement, square_at(order, bit, board)).bit_count())


def _magic(board: Board, movement: Movement, order: str, bit: int, chance: random.Random) -> int:
    square = square_at(order, bit, board)
    mask = usual_mask(board, movement, square)
    subsets = [
        (in_bits(board, order, o), attacks_of(board, movement, square, o)) for o in subsets_of(mask)
    ]
    shift, whole = board.word - _bits(board, movement, order, bit), (1 << board.word) - 1
    while True:
        magic = chance.getrandbits(board.word) & chance.getrandbits(board.word)
        slots: dict[int, int] = {}
        if all(slots.setdefault((o * magic & whole) >> shift, a) == a for o, a in subsets):
            return magic


PALACE = Movement((Atom("rider", ((1, 0), (-1, 0), (0, 1), (0, -1))),), (Region((0, 0), (3, 2)),))


@pytest.fixture(scope="session")
def small(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Tables of every kind of piece, in orders that turn the board, with words of both widths."""
    folder = tmp_path_factory.mktemp("small")
    horses = {"horse": parse_piece("nN"), "horse-to": parse_piece("horse-to")}
    cannons = {"cannon": parse_piece("pR"), "grasshopper": parse_piece("gB"), "two": PALACE}
    tables = {
        "lances": made(Board(5, 7), {"lance": parse_piece("fR"), "left": parse_piece("W2")}, "e7"),
        "horses": made(Board(5, 6), horses, "a6-files", shared=True),
        "cannons": made(Board(4, 5), cannons, "d1-files"),
        "wide": made(Board(9, 8), {"lance": parse_piece("bR"), **horses}, "i8-files"),
    }
    levels = {"levels": tables["cannons"], "wide_levels": tables["wide"]}
    tables |= {name: replace(one, two_level=TwoLevel(8)) for name, one in levels.items()}
    for name, table in tables.items():
        write_table(table, folder / f"{name}.toml")
    names = ("fairy_horse", "fairy_elephant", "pikafish_bishop", "pikafish_knight")
    return {
        **{name: folder / f"{name}.toml" for name in tables},
        **{name: _shipped(name) for name in names},
    }


@pytest.fixture(scope="session")
def asked() -> Callable[[Path], list["Asked"]]:
    """All lookups of a table, piece by piece; each table is walked once."""
    return cache(lambda path: list(_asked(path)))


@dataclass(frozen=True)
class Asked:
    """The lookups of one piece: its table, its function, and what each must give."""

    table: str
    function: str
    wide: bool
    queries: list[tuple[int, int]]
    answers: list[int]


def _asked(path: Path) -> Iterator[Asked]:
    """All lookups of a table, squares outside of the masks occupied at random."""
    table, noise = read_table(path).table, random.Random(7)
    board, order = table.board, table.order
    for piece, half in table.pieces.items():
        queries, answers = [], []
        for bit in range(board.squares):
            square = square_at(order, bit, board)
            mask = usual_mask(board, half.movement, square)
            for occupied in subsets_of(mask):
                outside = noise.getrandbits(board.squares) & ~mask
                bits = occupied | outside
                queries.append((bit, bits if order == "a1" else in_bits(board, order, bits)))
                attacks = attacks_of(board, half.movement, square, occupied)
                answers.append(in_bits(board, order, attacks))
        function = f"{piece.replace('-', '_')}_attacks"
        yield Asked(path.stem, function, board.word > 64, queries, answers)
