"""What the independent programs (verify/recount/) have counted, as it is stored.

The first line of a file in tables/recounts says which program, and of what; each other line that is
no comment is a shard's (tables/recounts/README.md).
"""

import itertools
import lzma
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from magicert.cell import Cell
from magicert.chess import Piece, mask, parse_square
from magicert.known_magics import contradicted, known_magics
from magicert.problem import InputError, Problem, read_at_most
from magicert.scheme import SCHEMES
from magicert.targets import square_cell
from magicert.valid import invalid
from magicert.verify.cover.file import Header, begins, unpacked

FOLDER = "recounts"
"""The folder of what was counted again, beside that of the certificates."""
FIRST_LINE = re.compile(
    r"# (recount|low|slots) (rook|bishop) ([a-h][1-8]) (\d|1[0-2]) "
    r"(?:([1-5]?\d)(m?) )?(\d|[1-5]\d|6[0-4])(?:: .*)?",
    re.ASCII,
)
ROW = re.compile(
    r"(\d+)\t(\d+)\t(?:([0-9a-f]{64})\t(\d+)\t)?(\d+)\t((?:0x[0-9a-f]{1,16}(?:,0x[0-9a-f]{1,16})*)?)",
    re.ASCII,
)
MOST_BYTES = 1 << 24
"""Bytes of such a file at most, unpacked: the longest that ships has half a million."""
STARTS = (b"# recount ", b"# low ", b"# slots ")
SLOT_SQUARES, SLOT_BITS = [f"{file}1" for file in "bcdefgh"], range(8, 12)
"""slots.c: its squares and numbers of index bits."""
STEP, CELLS = "d1", 4
"""recount.c: its plans have only such steps above the chain, and a chain of such cells."""


@dataclass(frozen=True, slots=True)
class CountedRow:
    """A shard: the survivors of its chain, the digest of where they begin, and its magics. Of low.c
    and slots.c what is alive, and no digest.
    """

    survivors: int
    sha256: str
    magics: tuple[int, ...] = ()
    text: str = ""
    """The whole line."""


@dataclass(frozen=True, slots=True)
class Counted:
    """A file: a cell of the white scheme, cut in shards at `level` by a program. recount.c cuts the
    first bits of m, and has `steps` above its chain; low.c cuts the last ones. Where it is
    `mirrored`, a shard are m whose first bit is clear, cut by the bits after it, and their ~m. So
    it always is for slots.c, but with -m in place of ~m.
    """

    program: str
    piece: str
    square: str
    bits: int
    steps: int
    level: int
    rows: Mapping[int, CountedRow]
    mirrored: bool = False

    @property
    def cell(self) -> Cell:
        """The question that it answers."""
        square = parse_square(self.square)
        return square_cell(SCHEMES["white"], Piece(self.piece), square, self.bits)

    @property
    def width(self) -> int:
        relevant = mask(Piece(self.piece), parse_square(self.square))
        return 64 - (relevant & -relevant).bit_length() + 1

    def shard_of(self, magic: int) -> int:
        if self.program == "low":
            return magic % (1 << self.level)
        slots = self.program == "slots"
        mirror = (1 << self.width) - magic if slots else magic ^ ((1 << self.width) - 1)
        halved = self.mirrored or slots
        walked = min(magic, mirror) if halved else magic
        return walked >> self.width - halved - self.level

    @property
    def arguments(self) -> list[str]:
        """What the program is told before the shards."""
        steps = [f"{self.steps}{'m' * self.mirrored}"] if self.has_steps else []
        return [self.piece, self.square, str(self.bits), *steps, str(self.level)]

    @property
    def has_steps(self) -> bool:
        """Whether its shards are those of a plan with a chain."""
        return self.program == "recount"

    @property
    def is_whole(self) -> bool:
        """Whether every shard was counted."""
        return len(self.rows) == 1 << self.level

    @property
    def magics(self) -> list[int]:
        return sorted(magic for row in self.rows.values() for magic in row.magics)

    @property
    def left_out(self) -> Iterator[str]:
        """Which known magics lie in a shard that was counted and does not list them."""
        cell = self.cell
        for known in known_magics(cell):
            magic = known.magic % cell.period
            number = self.shard_of(magic)
            row = self.rows.get(number)
            if row is not None and magic not in row.magics:
                yield f"shard {number}: {contradicted(known)}"

    def is_of_cell(self, header: Header) -> bool:
        """Whether it is about the cell of a certificate."""
        full = header.scheme == "white" and header.largest_index == (1 << header.bits) - 1
        cell = (header.piece, header.square, header.bits)
        return full and cell == (self.piece, self.square, self.bits)

    def is_of(self, header: Header) -> bool:
        """Whether its shards and its nodes are those of a certificate, too."""
        if self.mirrored or not self.has_steps:
            return False
        steps = header.plan.partition(":")[2].split()
        above = list(itertools.takewhile(lambda step: step[0] != "c", steps))
        chain = steps[len(above)] if len(above) < len(steps) else ""
        alike = set(above) <= {STEP} and chain.removesuffix("k").endswith(f".{CELLS}")
        return self.is_of_cell(header) and alike and (len(above), header.level) == (
            self.steps, self.level,
        )  # fmt: skip


def counted_beside(certificate: Path) -> Counted | None:
    """What is stored for a certificate's cell; None if nothing is.

    Raises InputError, with the line, where the file is not as it should be.
    """
    path = beside(certificate)
    return read_counted(path) if path.exists() else None


def beside(certificate: Path) -> Path:
    """Where what is counted of a certificate's cell is stored."""
    return certificate.parent.parent / FOLDER / certificate.name.replace(".cover", ".tsv")


def is_recount(path: Path) -> bool:
    """Whether a file begins, unpacked, as such a file does."""
    return any(begins(path, start) for start in STARTS)


def read_counted(path: Path) -> Counted:
    """Read a file. Raises InputError, with the line, where it is not as it should be."""
    try:
        data = unpacked(read_at_most(path, MOST_BYTES), MOST_BYTES)
        lines = data.decode("ascii").splitlines()
    except InputError:
        raise
    except (OSError, ValueError, lzma.LZMAError) as error:
        raise InputError([Problem(f"cannot be read: {error}", file=str(path))]) from None
    head = FIRST_LINE.fullmatch(lines[0] if lines else "")
    if head is None:
        message = f"expected {FIRST_LINE.pattern}"
        raise InputError([Problem(message, file=str(path), line=1)])
    program, piece, square, bits, steps, mirrored, level = head.groups()
    rows: dict[int, CountedRow] = {}
    numbers = int(bits), int(steps or 0), int(level)
    counted = Counted(program, piece, square, *numbers, rows, mirrored == "m")
    if counted.has_steps != (steps is not None) or not is_counted_by_program(counted):
        message = f"{head[0].removeprefix('# ')}: {program}.c refuses that"
        raise InputError([Problem(message, file=str(path), line=1)])
    problems = []
    listed: dict[int, int] = {}
    for line, text in enumerate(lines, 1):
        if text.startswith("#"):
            continue
        row = ROW.fullmatch(text)
        if row is None or int(row[1]) in rows or (row[3] is not None) != counted.has_steps:
            message = "expected a shard's line, once"
            problems.append(Problem(f"found {text[:60]!r}: {message}", str(path), line=line))
            continue
        magics = tuple(int(word, 16) for word in row[6].split(",")) if row[6] else ()
        rows[int(row[1])] = CountedRow(int(row[2]), row[3] or "", magics, text)
        listed |= dict.fromkeys(magics, line)
        problems += [Problem(m, str(path), line=line) for m in _wrong(row, magics, counted)]
    for magic in invalid(counted.cell, list(listed)):
        message = f"found {magic:#x} among the magics: it is none of {counted.cell}"
        problems.append(Problem(message, str(path), line=listed[magic]))
    if problems:
        raise InputError(problems)
    return counted


def is_counted_by_program(counted: Counted) -> bool:
    """Whether recount.c takes such steps and shards (proofs/rounding-lemma.md, D1 to D3 and L7), or
    low.c or slots.c such shards.
    """
    if counted.program == "low":
        return counted.bits > 0 and counted.level <= counted.width
    if counted.program == "slots":
        named = counted.piece == "rook" and counted.square in SLOT_SQUARES
        return named and counted.bits in SLOT_BITS and counted.level < counted.width - 1
    if counted.piece != "rook" or counted.square[1] not in "12":
        return False
    relevant = mask(Piece(counted.piece), parse_square(counted.square))
    rank = relevant & 0xFF << parse_square(counted.square) // 8 * 8
    shift, top = 64 - counted.bits, counted.width - counted.steps
    finest = shift - CELLS
    file = [bit for bit in range(64) if (relevant & ~rank) >> bit & 1]
    chain, behind = [b for b in file if b <= finest], [b for b in file if b > finest]
    deepest = counted.steps - counted.mirrored
    if not 6 <= counted.bits <= 12 or not counted.level <= deepest or top > finest:
        return False
    if len(chain) < 3 or len(behind) > 1 or finest - chain[0] >= top:
        return False
    spread = max(0, *(bit - shift for bit in behind)) if behind and not counted.mirrored else 0
    return not rank >> (finest - top + 1) and (not spread or finest - chain[-1] + spread <= 6)


def _wrong(row: re.Match[str], magics: tuple[int, ...], counted: Counted) -> Iterator[str]:
    """What is wrong with a line alone: its number, and how many magics of which shard it has."""
    number = int(row[1])
    if number >> counted.level:
        yield f"found shard {number}: expected less than {1 << counted.level}"
    if len(set(magics)) != len(magics) or int(row[5]) != len(magics):
        yield f"found {len(set(magics))} magics: expected {row[5]}"
    for magic in magics:
        if counted.shard_of(magic) != number:
            yield f"found {magic:#x} among the magics of shard {number}: it is none of them"
