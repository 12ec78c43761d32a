"""What the samples share: the numbers of a table, and rows of them as text."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from magicert.board import Piece, mask
from magicert.data import tables_folder
from magicert.square_order import square_at
from magicert.table import read_table
from magicert.table.model import Values


@dataclass(frozen=True)
class Numbers:
    """The lists of one piece, 64 each."""

    magic: Values
    bits: Values
    shift: Values
    mask: Values
    offset: Values


@dataclass(frozen=True)
class Sample:
    """A sample's file, the table that its numbers are from, and what makes it hard."""

    file: str
    table: str
    hard: str
    text: Callable[[Numbers, Numbers], str]
    encoding: str = "utf-8"


SAMPLES: list[Sample] = []


def sample(
    file: str, table: str, hard: str, encoding: str = "utf-8"
) -> Callable[[Callable[[Numbers, Numbers], str]], Callable[[Numbers, Numbers], str]]:
    """Register a function that prints rook and bishop numbers as a source file."""

    def register(text: Callable[[Numbers, Numbers], str]) -> Callable[[Numbers, Numbers], str]:
        SAMPLES.append(Sample(file, table, hard, text, encoding))
        return text

    return register


def numbers(table: str, piece: Piece) -> Numbers:
    """The numbers of a table that magicert ships, published or broken."""
    folder = tables_folder()
    path = next(path for path in folder.rglob(f"{table}.toml"))
    half = read_table(path).table.pieces[piece]

    def listed(name: str) -> Values:
        values = half.parameters.get(name, ())
        return values * 64 if len(values) == 1 else values

    word = 32 if "32" in half.index.text else 64
    shift = listed("shift") or tuple(word - k for k in listed("bits"))
    # Every published table numbers its bits as it lists its squares: row j is bit j.
    masks = listed("mask") or tuple(mask(piece, square_at("a1", row)) for row in range(64))
    offset = half.offset or ()
    return Numbers(listed("magic"), tuple(word - s for s in shift), shift, masks, offset)


def rows(items: Iterable[str], a_line: int = 4, indent: str = "    ", end: str = ",") -> str:
    """Items on lines of `a_line`, each followed by `end` but for the last."""
    listed = list(items)
    lines = [listed[at : at + a_line] for at in range(0, len(listed), a_line)]
    return (end + "\n").join(indent + f"{end} ".join(line) for line in lines)


def signed(word: int) -> int:
    """The 64-bit word as a signed number."""
    return word - (1 << 64) if word >> 63 else word


def grouped(word: int, separator: str, digits: int = 4) -> str:
    """16 hexadecimal digits with a separator after every few."""
    text = f"{word:016x}"
    return separator.join(text[at : at + digits] for at in range(0, 16, digits))


def older(values: Sequence[int]) -> list[int]:
    """Other numbers of the same look, for the tables that are commented out."""
    return [value ^ 0x0000_2400_0081_0010 for value in values]
