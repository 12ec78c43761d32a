"""The C program that counts a chain's survivors again: against what is stored, and the kernels."""

import lzma
import random
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from magicert.board import Piece, parse_square
from magicert.cell import square_cell
from magicert.jobs.covers.counted import Counted, is_counted_by_program
from magicert.scheme import SCHEMES
from magicert.search.problem import Plan
from magicert.search.shards.shard import Work, recount_shard, run_shard
from magicert.verify.cover.file import read_certificate

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "verify" / "recount" / "recount.c"
STORED = [
    path
    for path in sorted((ROOT / "tables" / "recounts").glob("*.tsv.xz"))
    if lzma.decompress(path.read_bytes()).startswith(b"# recount ")
]
WARNINGS = ["-std=c11", "-Wall", "-Wextra", "-Werror"]
Run = Callable[..., "subprocess.CompletedProcess[str]"]


@dataclass(frozen=True)
class Row:
    """A line of the program."""

    text: str

    @property
    def values(self) -> tuple[int, int, str, int, int]:
        """Number, survivors, digest, cells ruled out, magics."""
        number, survivors, digest, died, magics, _ = self.text.split("\t")
        return int(number), int(survivors), digest, int(died), int(magics)

    @property
    def magics(self) -> list[int]:
        listed = self.text.split("\t")[5]
        return [int(m, 16) for m in listed.split(",")] if listed else []


def stored(path: Path) -> tuple[list[str], list[Row]]:
    """The arguments of a stored file, and its lines."""
    lines = lzma.decompress(path.read_bytes()).decode().splitlines()
    arguments = lines[0].removeprefix("# recount ").partition(":")[0].split()
    return arguments, [Row(line) for line in lines if not line.startswith("#")]


def compiled(folder: Path, *options: str) -> Run:
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("no C compiler (cc) to compile recount.c with")
    program = folder / "recount"
    subprocess.run([compiler, *options, *WARNINGS, "-o", program, SOURCE], check=True)

    def run(*arguments: object) -> "subprocess.CompletedProcess[str]":
        command = [str(program), *map(str, arguments)]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    return run


@pytest.fixture(scope="module")
def recount(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return compiled(tmp_path_factory.mktemp("recount"), "-O3")


def rows(answer: "subprocess.CompletedProcess[str]") -> list[Row]:
    assert (answer.returncode, answer.stderr) == (0, "")
    return [Row(line) for line in answer.stdout.splitlines()]


def work(square: str, bits: int, steps: int, chain: str, level: int) -> Work:
    cell = square_cell(SCHEMES["white"], Piece.ROOK, parse_square(square), bits)
    width = {"b2": 54}.get(square, 55)
    end = width - steps - int(chain[1:3])
    plan = Plan(width, ("d1",) * steps + (chain,) + ("d1",) * end, 1, 2)
    return Work(cell, plan, level, record=False)


def test_the_program_is_read_in_one_sitting():
    assert len(SOURCE.read_text().splitlines()) <= 500


def by_name(path: Path) -> str:
    return path.name.partition(".")[0]


LONG = ("a2-10", "h2-10", "c2-9", "d2-9")  # a shard takes a second, or several


def marked(path: Path) -> Any:
    long = any(cell in path.name for cell in LONG)
    return pytest.param(path, id=by_name(path), marks=[pytest.mark.slow] if long else [])


@pytest.mark.parametrize("path", [marked(path) for path in STORED if "-8" not in path.name])
def test_what_is_stored_is_counted_again(recount: Run, path: Path):
    """The quickest shard in which anything dies."""
    arguments, lines = stored(path)
    row = min(lines, key=lambda row: (row.values[3] == 0, row.values[3]))
    assert recount(*arguments, row.values[0]).stdout == row.text + "\n"


@pytest.mark.slow
@pytest.mark.parametrize("path", STORED, ids=by_name)
def test_many_that_are_stored_are_counted_again(recount: Run, path: Path):
    arguments, lines = stored(path)
    for row in random.Random(1).sample(lines, min(8, len(lines))):
        assert recount(*arguments, row.values[0]).stdout == row.text + "\n"


@pytest.mark.parametrize(
    ("square", "bits", "steps", "chain"),
    [
        ("g2", 9, 19, "c36.4"),
        ("h2", 10, 21, "c34.4"),
        ("a2", 10, 19, "c34.4"),
        ("b2", 9, 17, "c35.4"),
        ("c2", 8, 17, "c36.4"),
    ],
)
def test_our_kernels_leave_the_same_cells(
    recount: Run, square: str, bits: int, steps: int, chain: str
):
    rng = random.Random(square)
    numbers = sorted(rng.sample(range(1 << 16), 2))
    counted = rows(recount("rook", square, bits, steps, 16, *numbers))
    assert [row.values[0] for row in counted] == numbers
    asked = work(square, bits, steps, chain, 16)
    for number, row in zip(numbers, counted, strict=True):
        ours = recount_shard(asked, number)
        assert (ours.survivors, ours.sha256) == row.values[1:3]
        assert run_shard(asked, number).magic_count == row.values[4]


def test_a_magic_is_found(recount: Run):
    magic = 0x2002CAC99FFFA
    (row,) = rows(recount("rook", "c2", 9, 18, 17, magic >> 38))
    assert row.magics == [magic]
    assert row.values[1] > 0


def test_the_shipped_counts_of_g2_and_h2_are_those_counted_again():
    seen = 0
    for path in STORED:
        (_, square, bits, steps, level), lines = stored(path)
        if square not in ("g2", "h2"):
            continue
        name = f"rook-{square}-{bits}.cover.xz"
        shards = read_certificate(ROOT / "tables" / "certificates" / name).header.shards
        above = (2 << int(steps) - int(level)) - 1
        for row in lines:
            number, survivors, _, died, magics = row.values
            nodes, _, cells, _, _ = shards[number].counts
            # The search may prune nodes above a chain, the recount does not.
            assert survivors + above >= nodes
            assert died >= cells
            assert magics == int(shards[number].magic_count, 16)
            seen += (survivors + above, died) == (nodes, cells)
    assert seen >= 10


def test_whole_cells_have_the_magics_of_their_certificates():
    whole = 0
    for path in STORED:
        (_, square, bits, _, level), lines = stored(path)
        name = f"rook-{square}-{bits}.cover.xz"
        shards = read_certificate(ROOT / "tables" / "certificates" / name).header.shards
        pieces = [piece for shard in shards for piece in shard.intervals]
        known = {m for low, high in pieces for m in range(low, high + 1)}
        found = [m for row in lines for m in row.magics]
        assert set(found) <= known
        assert len(found) == sum(row.values[4] for row in lines)
        if len(lines) == 1 << int(level):
            whole += 1
            assert [row.values[0] for row in lines] == list(range(len(lines)))
            assert sorted(found) == sorted(known)
    assert whole >= 3


@pytest.mark.parametrize(
    "arguments",
    [
        "rook g2 9",
        "bishop g2 9 19 12 1",
        "rook g3 9 19 12 1",
        "rook g2 9 16 12 1",
        "rook g2 9 30 12 1",
        "rook g2 9 19 20 1",
        "rook g2 9 19 12 4096",
        "rook g2 9 19 12 7-6",
        "rook g2 9 19 12 x",
        "rook g2 13 19 12 1",
    ],
)
def test_bad_input_is_refused(recount: Run, arguments: str):
    answer = recount(*arguments.split())
    assert (answer.returncode, answer.stdout) == (2, "")
    assert answer.stderr.startswith("recount: ")


@pytest.mark.parametrize(
    ("square", "bits"), [("a1", 11), ("c2", 9), ("f2", 9), ("g2", 12), ("h2", 10), ("d1", 6)]
)
def test_what_it_refuses_is_no_recount(recount: Run, square: str, bits: int):
    """A file with such a first line would label a cell."""
    for steps in (*range(12, 30), 59):
        for level in (0, steps, steps + 1):
            about = ("rook", square, bits, steps, level)
            taken = is_counted_by_program(Counted("recount", *about, {}))
            assert (recount(*about).returncode == 0) == taken, about


def test_no_access_is_out_of_bounds_and_nothing_is_undefined(tmp_path: Path):
    try:
        checked = compiled(tmp_path, "-O1", "-fsanitize=address,undefined")
    except subprocess.CalledProcessError:
        pytest.skip("this C compiler has no sanitizers")
    for arguments in ("c2 8 17 17 99999", "e2 9 18 17 99999", "h2 10 21 21 1234567"):
        assert rows(checked("rook", *arguments.split()))
