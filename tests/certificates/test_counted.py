"""What other programs have counted: checked again, and what it says beside a certificate."""

import json
import lzma
import runpy
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from magicert.api.atlas_files import contradictions, evidence_of, proof_of
from magicert.api.covers import shards
from magicert.api.covers.counted import counted_beside, read_counted
from magicert.atlas import read_atlas, write_atlas
from magicert.chess import Piece, parse_square
from magicert.data import tables_folder
from magicert.known_magics import known_magics
from magicert.outcome import Evidence
from magicert.problem import InputError
from magicert.scheme import SCHEMES
from magicert.system.c_program import c_program
from magicert.targets import square_cell
from magicert.verify.cover.file import read_certificate

FIRST = "# recount rook c2 9 18 17: 1 of 131072 shards"


@pytest.fixture(scope="module")
def programs():
    """recount.c and low.c, compiled once."""
    return {name: c_program(shards.SOURCES / f"{name}.c") for name in ("recount", "low")}


def counts(program, *arguments):
    command = [program, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


@pytest.fixture(scope="module")
def line(programs):
    """One shard of rook c2, with a magic, as the program counts it."""
    shard = [*FIRST.partition(":")[0].split()[2:], 0x2002CAC99FFFA >> 38]
    return counts(programs["recount"], *shard)


@pytest.fixture
def stored(tmp_path, line):
    path = tmp_path / "c2.tsv"
    path.write_text(f"{FIRST}\n{line}")
    return path


@pytest.mark.parametrize("rows", [range(1 << 9), range(20, 60)])
def test_a_recount_that_leaves_out_a_known_magic_is_invalid(run, tmp_path, rows):
    """Rook g1 with 10 bits: whole, or only the shards about the magic, as slots.c would count."""
    path = tmp_path / "g1.tsv"
    path.write_text("# slots rook g1 10 9\n" + "".join(f"{n}\t5\t0\t\n" for n in rows))
    (known,) = known_magics(read_counted(path).cell)
    result = run("check", path)
    has = read_counted(path).shard_of(known.magic) in rows
    assert has or len(rows) < 1 << 9
    assert (result.exit_code, "it leaves out 0x" in result.output) == (1 if has else 3, has)


def forged(path, column, value):
    first, row = path.read_text().splitlines()
    columns = row.split("\t")
    columns[column] = value
    path.write_text("\n".join((first, "\t".join(columns), "")))


def test_the_file_alone_decides_nothing(run, stored):
    result = run("check", stored)
    assert (result.exit_code, result.stdout.split()[0]) == (3, "unknown")
    assert "it claims 1 magics in 1 of 131,072 shards" in result.stdout
    assert run("check", stored, "--replay", "1").exit_code == 2  # that is for covers
    result = run("check", stored, "--recount", "all")
    assert result.exit_code == 3  # one shard of many
    assert "1 shard counted again by recount.c" in result.stdout


@pytest.mark.parametrize(("column", "value"), [(1, "7"), (2, "0" * 64), (3, "1")])
def test_a_forged_row_is_found(run, stored, column, value):
    forged(stored, column, value)
    result = run("check", stored, "--recount", "1")
    assert (result.exit_code, result.stdout.split()[0]) == (1, "invalid")


def test_without_a_compiler_nothing_is_counted(run, stored, monkeypatch):
    monkeypatch.setattr(shards, "c_program", lambda _source: None)
    result = run("check", stored, "--recount", "1")
    assert result.exit_code == 2
    assert "recount.c wants a C compiler: cc, or the package ziglang" in result.stderr


def test_a_mirrored_shard_is_counted_again(run, tmp_path, programs):
    shard = ("rook", "c2", 9, "18m", 17, 0x2002CAC99FFFA >> 37)
    path = tmp_path / "c2.tsv"
    path.write_text("# recount rook c2 9 18m 17\n" + counts(programs["recount"], *shard))
    result = run("check", path, "--recount", "all")
    assert result.exit_code == 3
    assert "1 shard counted again by recount.c" in result.stdout


@pytest.mark.parametrize(("chosen", "status"), [("all", 0), ("1", 3)])
def test_valid_is_what_the_program_counted_in_every_shard(
    run, tmp_path, monkeypatch, chosen, status
):
    monkeypatch.setattr(shards, "c_program", lambda source: source)
    monkeypatch.setattr(shards, "_by_program", lambda *_: [])
    path = tmp_path / "d2.tsv"
    rows = (f"{n}\t0\t{n:064x}\t5\t0\t\n" for n in range(2))
    path.write_text("# recount rook d2 8 18 1\n" + "".join(rows))
    result = run("check", path, "--recount", chosen)
    assert result.exit_code == status
    assert ("no magic, counted again in every shard" in result.stdout) == (status == 0)


def test_of_low_bits_a_shard_is_counted_again(run, tmp_path, programs):
    lines = counts(programs["low"], "bishop", "d8", 4, 3, "0-7")
    path = tmp_path / "d8.tsv"
    path.write_text(f"# low bishop d8 4 3: all\n{lines}")
    result = run("check", path, "--recount", "all")
    assert result.exit_code == 0
    assert "8 shards counted again by low.c" in result.stdout
    number, alive, *_ = lines.splitlines()[5].split("\t")
    row, other = f"\n{number}\t{alive}\t", f"\n{number}\t{int(alive) + 1}\t"
    path.write_text(path.read_text().replace(row, other))
    assert run("check", path, "--recount", "all").exit_code == 1


# What lies beside a certificate counts, too: a proof, and what another program has counted.


@pytest.fixture
def cover(tmp_path):
    """The place of a certificate, with folders for what lies beside it."""
    for folder in ("certificates", "proofs", "recounts", "settled"):
        (tmp_path / folder).mkdir()
    return tmp_path / "certificates" / "x.cover"


@pytest.mark.cases_of("a_proof_of_the_same_cell_stands_beside_a_certificate.tsv")
def test_a_proof_of_the_same_cell_stands_beside_a_certificate(tmp_path, scheme, name):
    (tmp_path / "proofs").mkdir()
    cell = square_cell(SCHEMES[scheme], Piece.BISHOP, parse_square("d8"), 2)
    assert proof_of(cell, tmp_path) == ""
    path = tmp_path / "proofs" / f"{name}.drup.xz"
    black = "" if scheme == "white" else "black "
    about, other = f"cell {scheme} bishop d8", f"cell {scheme} bishop e8"
    if "shape" in name:
        about, other = f"shape {black}3,2", f"shape {black}4,1"
    for subject, expected in ((f"{about} 2", True), (f"{about} 3", False), (f"{other} 2", False)):
        lines = ("c magicert proof 1", f"c {subject}", f"c formula {'0' * 64}", "c solver none")
        path.write_bytes(lzma.compress("\n".join([*lines, "0", ""]).encode()))
        assert proof_of(cell, tmp_path) == (f"proofs/{path.name}" if expected else "")


ROOK = {"piece": "rook", "square": "c2", "bits": 9, "largest_index": 511, "level": 2}


@pytest.mark.cases_of("only_a_whole_recount_of_the_same_cell_counts.tsv")
def test_only_a_whole_recount_of_the_same_cell_counts(
    tmp_path, cover, counted, parts, first, which, header, declared, kind
):
    certificate = parts(counted)
    certificate.header |= ROOK | json.loads(header)
    shard = certificate.header["shards"][0]
    certificate.header["shards"] = [
        shard | ({"survivors": {"count": n, "sha256": f"{n:064x}"}} if str(n) == declared else {})
        for n in (range(4) if declared != "7" else [7] * 4)
    ]
    cover.write_bytes(certificate.join())
    rows = [f"{n}\t{n}\t{n:064x}\t5\t0\t" for n in range(4 if which != "without the last" else 3)]
    if which == "a magic":
        rows[0] = f"0\t3\t{3:064x}\t5\t1\t0x2002cac99fffa"
    text = "\n".join((f"# recount rook {first}: so many", "# other", *rows, ""))
    (tmp_path / "recounts" / "x.tsv").write_text(text)
    if kind == "refused":
        with pytest.raises(InputError, match="counted again"):
            evidence_of(cover)
    else:
        assert evidence_of(cover) is Evidence(kind)


@pytest.mark.cases_of("what_is_no_recount_is_refused.tsv")
def test_what_is_no_recount_is_refused(tmp_path, text, line):
    path = tmp_path / "x.tsv"
    path.write_text(text.replace("\\t", "\t"))
    with pytest.raises(InputError, match=rf"x\.tsv:{line}"):
        read_counted(path)


@pytest.mark.parametrize("magics", [(), (0x123,)])
def test_a_recount_has_the_same_magics(magics):
    """One magic fewer, or another one, in one of its shards."""
    path = tables_folder() / "certificates" / "rook-c2-9.cover.xz"
    counted, header = counted_beside(path), read_certificate(path).header
    assert list(contradictions(counted, header)) == []
    number = next(number for number, row in counted.rows.items() if len(row.magics) == 1)
    rows = {**counted.rows, number: replace(counted.rows[number], magics=magics)}
    assert len(list(contradictions(replace(counted, rows=rows), header))) == 1


# research/atlas/evidence.py: what was counted again or settled is entered, and only if it is whole.

CELL = "rook-g8-9"
CERTIFICATE = f"certificates/{CELL}.cover.xz"


@pytest.fixture
def enter(monkeypatch):
    """The tool; it draws one of the three quick shards of the four."""
    monkeypatch.setattr("magicert.api.covers.shards.secrets.randbits", lambda _: 5)
    return runpy.run_path(str(Path(__file__).parents[2] / "research" / "atlas" / "evidence.py"))[
        "main"
    ]


@pytest.fixture
def tables(tmp_path, cover):
    """As the tables were before anything was known of the cell but its certificate."""
    shutil.copy(tables_folder() / CERTIFICATE, cover.parent)
    atlas = read_atlas(tables_folder() / "atlas.toml")
    (entry,) = (e for e in atlas if e.certificate == CERTIFICATE)
    entry.evidence, entry.by_leaves = Evidence.COUNTS, 0.0
    write_atlas(tmp_path / "atlas.toml", atlas)
    shutil.copy(tables_folder() / "settled" / f"{CELL}.settled", tmp_path)
    return tmp_path


def entered(tables):
    atlas = read_atlas(tables / "atlas.toml")
    (entry,) = (e for e in atlas if e.certificate == CERTIFICATE)
    return entry.evidence, entry.by_leaves


def lines_of(path):
    return lzma.decompress(path.read_bytes()).decode().splitlines()


SHARDS = lines_of(tables_folder() / "recounts" / f"{CELL}.tsv.xz")


def test_all_shards_in_any_order_are_evidence(enter, tables):
    first, machine, *rows = SHARDS
    counted, settled = tables / f"{CELL}.tsv", tables / f"{CELL}.settled"
    counted.write_text("\n".join([first.partition(":")[0], machine, *rows[::-1], ""]))
    enter([counted, settled], tables)
    assert entered(tables) == (Evidence.RECOUNT, 0.125)
    assert lines_of(tables / "recounts" / f"{CELL}.tsv.xz") == SHARDS
    enter([settled], tables)  # the same again
    assert (tables / "settled" / settled.name).read_text() == settled.read_text()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda lines: lines[:-1], "not counted: 1 of 4 shards (3)"),
        (lambda lines: [*lines, lines[-1]], "expected a shard's line, once"),
        (lambda lines: [*lines[:-1], lines[-2]], "expected a shard's line, once"),
        (lambda lines: [lines[0], *lines[2:]], "line 2: expected such as"),
        (lambda lines: [lines[0].replace("g8 9", "f8 9"), *lines[1:]], "expected the cell"),
        (lambda lines: [*lines[:2], *(f"{n}\t7\t0\t" for n in range(4))], "shard 2: counted"),
    ],
)
def test_what_is_not_whole_is_refused_and_nothing_written(enter, tables, change, said):
    counted, settled = tables / f"{CELL}.tsv", tables / f"{CELL}.settled"
    counted.write_text("\n".join([*change(SHARDS), ""]))
    with pytest.raises(InputError) as error:
        enter([settled, counted], tables)
    assert said in str(error.value)
    other = (tables_folder() / "settled" / "rook-h7-9.settled").read_text()
    for text in ("", "{", other):  # lines that settle nothing of the cell
        settled.write_text(text)
        with pytest.raises(InputError):
            enter([settled], tables)
    assert entered(tables) == (Evidence.COUNTS, 0.0)
    assert not [*(tables / "recounts").iterdir(), *(tables / "settled").iterdir()]
