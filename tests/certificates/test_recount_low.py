"""low.c, which settles cells by m's low bits a second time: against our magics and counts."""

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from magicert.board import Piece, mask, parse_square
from magicert.jobs.covers.counted import is_recount, read_counted
from magicert.verify.cover.file import read_certificate

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "verify" / "recount" / "low.c"
Run = Callable[..., Result]
STORED = [path for path in sorted((ROOT / "tables" / "recounts").glob("*.xz")) if is_recount(path)]


@pytest.fixture(scope="module")
def low(tmp_path_factory: pytest.TempPathFactory) -> Path:
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("no C compiler (cc) to compile low.c with")
    program = tmp_path_factory.mktemp("low") / "low"
    warnings = ["-Wall", "-Wextra", "-Werror", "-std=c11"]
    subprocess.run([compiler, "-O3", *warnings, "-o", program, SOURCE], check=True)
    return program


def test_all_magics_of_a_shard_are_found(low: Path):
    """Three words of rook d7's 354; the others that end alike are in the same shard."""
    path = ROOT / "tables" / "certificates" / "rook-d7-9.cover.xz"
    shards = read_certificate(path).header.shards
    magics = [m for one in shards for a, b in one.intervals for m in range(a, b + 1)]
    assert len(magics) == 354
    for magic in magics[::150]:
        shard = magic % (1 << 22)
        command = [low, "rook", "d7", "9", "22", str(shard)]
        line = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        number, _, count, listed = line.rstrip("\n").split("\t")
        found = [int(text, 16) for text in listed.split(",")]
        assert (int(number), int(count)) == (shard, len(found))
        assert sorted(found) == sorted(m for m in magics if m % (1 << 22) == shard)


def test_as_many_words_are_alive_as_the_search_has_nodes():
    """Where all shards begin no later than at the first square of the mask. The search has nodes
    before that, too; and a shard's root, which is a node even if it is dead, as m = 0 is.
    """
    seen = 0
    for counted in map(read_counted, STORED):
        if counted.program != "low" or not counted.is_whole:
            continue
        name = f"{counted.piece}-{counted.square}-{counted.bits}.cover.xz"
        header = read_certificate(ROOT / "tables" / "certificates" / name).header
        digits = [int(step) for step in header.plan.removeprefix("low: ").split()]
        relevant = mask(Piece(counted.piece), parse_square(counted.square))
        squares = {64 - s for s in range(64) if relevant >> s & 1}
        first, cut = min(squares), len(header.shards).bit_length() - 1
        others = {sum(digits[:n]) for n in range(len(digits))} - squares
        if cut > first or max(others) > first:
            continue
        nodes = sum(shard.counts[0] for shard in header.shards)
        alive = sum(row.survivors for row in counted.rows.values())
        assert nodes == alive + sum(1 << q for q in others if q >= cut) + (cut == first)
        seen += 1
    assert seen >= 5


def test_the_command_counts_a_shard_again(run: Run, tmp_path: Path, low: Path):
    command = [low, "bishop", "d8", "4", "3", "0-7"]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    path = tmp_path / "d8.tsv"
    path.write_text(f"# low bishop d8 4 3: all\n{lines}")
    result = run("check", path, "--recount", "all")
    assert result.exit_code == 0
    assert "8 shards counted again by low.c" in result.stdout
    number, alive, *_ = lines.splitlines()[5].split("\t")
    row, forged = f"\n{number}\t{alive}\t", f"\n{number}\t{int(alive) + 1}\t"
    path.write_text(path.read_text().replace(row, forged))
    assert run("check", path, "--recount", "all").exit_code == 1


@pytest.mark.parametrize(
    "first", ["# low rook e8 9 10 2", "# recount rook e2 9 2", "# low rook a1 12 64"]
)
def test_what_the_program_refuses_is_no_recount(run: Run, tmp_path: Path, first: str):
    path = tmp_path / "bad.tsv"
    path.write_text(f"{first}\n0\t1\t0\t\n")
    result = run("check", path)
    assert result.exit_code == 2
    assert "bad.tsv:1" in result.stderr
