"""`magicert check` of what the independent program has counted: its shards, counted again."""

import shutil
import subprocess

import pytest

from magicert.jobs.covers import shards

FIRST = "# recount rook c2 9 18 17: 1 of 131072 shards"


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    """recount.c, compiled once."""
    program = shards.compiled(tmp_path_factory.mktemp("recount"), "recount")
    if program is None:
        pytest.skip("no C compiler (cc) to compile recount.c with")
    return program


@pytest.fixture(scope="module")
def line(program):
    """One shard of rook c2, with a magic, as the program counts it."""
    shard = [*FIRST.partition(":")[0].split()[2:], str(0x2002CAC99FFFA >> 38)]
    return subprocess.run([program, *shard], capture_output=True, text=True, check=True).stdout


@pytest.fixture
def counted(tmp_path, line):
    path = tmp_path / "c2.tsv"
    path.write_text(f"{FIRST}\n{line}")
    return path


def forged(path, column, value) -> None:
    first, row = path.read_text().splitlines()
    columns = row.split("\t")
    columns[column] = value
    path.write_text("\n".join((first, "\t".join(columns), "")))


def test_the_file_alone_decides_nothing(run, counted):
    result = run("check", counted)
    assert result.exit_code == 3
    assert result.stdout.startswith("unknown ")
    assert "it claims 1 magics in 1 of 131,072 shards" in result.stdout


def test_a_shard_is_counted_again_by_the_program(run, counted):
    result = run("check", counted, "--recount", "all")
    assert result.exit_code == 3  # one shard of many
    assert "1 shard counted again by recount.c" in result.stdout


@pytest.mark.parametrize(("column", "value"), [(1, "7"), (2, "0" * 64), (3, "1")])
def test_a_forged_row_is_found(run, counted, program, column, value, monkeypatch):
    monkeypatch.setattr(shards, "compiled", lambda *_: program)
    forged(counted, column, value)
    result = run("check", counted, "--recount", "1")
    assert result.exit_code == 1
    assert result.stdout.startswith("invalid ")


def test_without_a_compiler_our_kernels_count_the_survivors(run, counted, monkeypatch):
    monkeypatch.setattr(shutil, "which", lambda _name: None)
    result = run("check", counted, "--recount", "1")
    assert result.exit_code == 3
    assert "by our kernels: survivors only" in result.stdout
    forged(counted, 2, "0" * 64)
    assert run("check", counted, "--recount", "1").exit_code == 1


@pytest.mark.parametrize(
    ("program", "chosen", "status"), [(True, "all", 0), (True, "1", 3), (False, "all", 3)]
)
def test_valid_is_what_the_program_counted_in_every_shard(
    run, tmp_path, monkeypatch, program, chosen, status
):
    monkeypatch.setattr(shards, "compiled", lambda folder, _: folder if program else None)
    monkeypatch.setattr(shards, "_by_program", lambda *_: [])
    monkeypatch.setattr(shards, "_by_kernels", lambda *_: [])
    path = tmp_path / "d2.tsv"
    rows = (f"{n}\t0\t{n:064x}\t5\t0\t\n" for n in range(2))
    path.write_text("# recount rook d2 9 18 1\n" + "".join(rows))
    result = run("check", path, "--recount", chosen)
    assert result.exit_code == status
    assert ("no magic, counted again in every shard" in result.stdout) == (status == 0)


def test_of_low_bits_a_shard_is_counted_again(run, tmp_path):
    program = shards.compiled(tmp_path, "low")
    if program is None:
        pytest.skip("no C compiler (cc) to compile low.c with")
    command = [program, "bishop", "d8", "4", "3", "0-7"]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    path = tmp_path / "d8.tsv"
    path.write_text(f"# low bishop d8 4 3: all\n{lines}")
    result = run("check", path, "--recount", "all")
    assert result.exit_code == 0
    assert "8 shards counted again by low.c" in result.stdout
    number, alive, *_ = lines.splitlines()[5].split("\t")
    row, other = f"\n{number}\t{alive}\t", f"\n{number}\t{int(alive) + 1}\t"
    path.write_text(path.read_text().replace(row, other))
    assert run("check", path, "--recount", "all").exit_code == 1


def test_what_is_for_covers_is_refused(run, counted):
    assert run("check", counted, "--replay", "1").exit_code == 2
