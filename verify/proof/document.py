"""The file of a proof: a few lines that say of what, then the steps.

    c magicert proof 1
    c cell white bishop d1 4   or all squares of a shape: c shape 3,2 4, c shape black 3,2 4
    c formula 39f7...          the SHA-256 of the clauses, as DIMACS text
    c solver maplecm (python-sat 1.9.dev17)
    -3 17 0
    ...
    0

A step is a clause in DIMACS notation that follows by unit propagation from these clauses
and the steps above it: a DRUP proof without deletions, which other checkers read as it stands.
The last step is the empty clause. A file may be packed with xz.
"""

import lzma
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from magicert.cell import Cell
from magicert.chess import Piece, parse_square
from magicert.problem import InputError, Problem, read_at_most
from magicert.scheme import SCHEMES
from magicert.shapes import Shape, parse_rays
from magicert.system.whole_file import write_precious
from magicert.targets import slider_of, square_cell
from magicert.verify.cover.file import first_bytes, unpacked

FIRST_LINE = "c magicert proof 1"
CELL = re.compile(
    r"c (?:cell (white|black) (rook|bishop) ([a-h][1-8])|shape (black )?([1-6](?:,[1-6]){0,3}))"
    r" ([1-9]|[12]\d|3[0-2])"
)
FORMULA = re.compile(r"c formula ([0-9a-f]{64})")
SOLVER = re.compile(r"c solver ([ -~]+)")
HEADER = (re.compile(FIRST_LINE), CELL, FORMULA, SOLVER)
LARGEST, MOST_LINES = 1 << 27, 1 << 23
"""Bytes of a proof at most, unpacked, and its lines: the longest that ships has a quarter."""
MOST_ABOUT = 1 << 12
"""Bytes of its first lines at most."""
STEP = re.compile(r"(?:-?[1-9]\d{0,8} )*0")

Clause = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Proof:
    """That there is no magic, if every step holds. `formula` is the digest of its clauses."""

    cell_or_shape: Cell | Shape
    formula: str
    solver: str
    steps: Sequence[Clause]


def write_proof(proof: Proof, path: Path) -> int:
    """Write the file in one step, packed if its name ends in .xz; its bytes."""
    proved = proof.cell_or_shape
    if isinstance(proved, Shape):
        scheme = "" if proved.scheme == "white" else f"{proved.scheme} "
        subject = f"c shape {scheme}{','.join(map(str, proved.rays))} {proved.bits}"
    else:
        subject = f"c cell {proved.scheme.name} {slider_of(proved)} {proved.bits}"
    lines = [
        FIRST_LINE,
        subject,
        f"c formula {proof.formula}",
        f"c solver {proof.solver}",
        # In this order xz finds more that repeats.
        *(" ".join(map(str, (*sorted(step, key=abs), 0))) for step in proof.steps),
    ]
    data = ("\n".join(lines) + "\n").encode()
    if path.suffix == ".xz":
        data = lzma.compress(data, preset=9 | lzma.PRESET_EXTREME)
    write_precious(path, data)
    return len(data)


def read_proof(path: Path) -> Proof:
    """Read the file. Raises InputError, with the line, for whatever is not as it should be."""
    header, steps = _read(path)
    first = len(HEADER) + 1
    problems = [
        Problem(f"found {line[:60]!r}: expected a clause that ends in 0", str(path), line=number)
        for number, line in enumerate(steps, first)
        if not STEP.fullmatch(line)
    ][:1]
    if not problems and "0" in steps[:-1]:
        number = steps.index("0") + first + 1
        problems.append(Problem("a line after the empty clause", str(path), line=number))
    if problems:
        raise InputError(problems)
    (formula,), (solver,) = header[2].groups(), header[3].groups()
    clauses = [tuple(map(int, line.split()[:-1])) for line in steps]
    return Proof(_cell_or_shape(header), formula, solver, clauses)


def read_cell_or_shape(path: Path) -> Cell | Shape:
    """What the file is about. Raises InputError where its first lines do not say; its steps are
    not read.
    """
    with _readable(path):
        first = first_bytes(path, MOST_ABOUT).decode("ascii").split("\n")
    return _cell_or_shape(_header(path, first[: len(HEADER)]))


def settles(proved: Cell | Shape, cell: Cell) -> bool:
    """Whether a proof of it shows that the cell has no magic."""
    if isinstance(proved, Shape):
        there = square_cell(SCHEMES[proved.scheme], *slider_of(cell).piece_square, proved.bits)
        return cell == there and slider_of(cell).piece_square in proved.squares()
    return cell == proved


def _cell_or_shape(header: Sequence[re.Match[str]]) -> Cell | Shape:
    scheme, piece, square, black, rays, bits = header[1].groups()
    if rays is not None:
        return Shape(parse_rays(rays), int(bits), "black" if black else "white")
    return square_cell(SCHEMES[scheme], Piece(piece), parse_square(square), int(bits))


def _read(path: Path) -> tuple[list[re.Match[str]], list[str]]:
    """The first lines, as their rules find them, and the lines of the steps."""
    with _readable(path):
        data = unpacked(read_at_most(path, LARGEST), LARGEST)
        if data.count(b"\n") > MOST_LINES:
            raise ValueError(f"more than {MOST_LINES:,} lines")
        lines = data.decode("ascii").split("\n")
    if lines.pop() != "":
        raise InputError([Problem("the last line does not end", str(path), line=len(lines) + 1)])
    return _header(path, lines), lines[len(HEADER) :]


@contextmanager
def _readable(path: Path) -> Iterator[None]:
    """InputError for whatever makes a file unreadable."""
    try:
        yield
    except InputError:
        raise
    except (OSError, EOFError, ValueError, lzma.LZMAError) as error:
        raise InputError([Problem(f"cannot be read: {error}", file=str(path))]) from None


def _header(path: Path, lines: Sequence[str]) -> list[re.Match[str]]:
    """The first lines, as their rules find them."""
    lines = [*lines, *[""] * len(HEADER)]
    matches = [rule.fullmatch(line) for rule, line in zip(HEADER, lines, strict=False)]
    problems = [
        Problem(f"found {lines[n][:60]!r}: expected {rule.pattern}", str(path), line=n + 1)
        for n, rule in enumerate(HEADER)
        if matches[n] is None
    ]
    if problems:
        raise InputError(problems)
    return [match for match in matches if match]
