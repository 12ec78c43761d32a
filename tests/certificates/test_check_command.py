"""What `magicert check` says: its words, and which shards it rebuilds."""

import lzma
from collections.abc import Callable
from dataclasses import replace as changed
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from magicert.data import tables_folder
from magicert.jobs.atlas_files import contradictions, evidence_of, proof_of
from magicert.jobs.covers.counted import counted_beside, read_counted
from magicert.outcome import Evidence
from magicert.problem import InputError
from magicert.verify.cover.file import read_certificate

Run = Callable[..., Result]


def first_line(result: Result) -> str:
    return str(result.stdout.splitlines()[0])


def test_only_a_valid_certificate_says_that_no_magic_exists(
    run: Run, tmp_path: Path, small: bytes, counted: bytes, with_magics: bytes, parts: Any
) -> None:
    path = tmp_path / "c.cover"
    forged = parts(counted)
    forged.header["bits"] = 9
    broken, fewer = small + b"\0", parts(with_magics)
    fewer.header["shards"][0]["magic_count"] = "0x0"
    cases = [
        (small, "valid", 0, "evidence in the file: leaves"),
        (with_magics, "valid", 0, "9,547"),
        (counted, "unknown", 3, "--replay"),
        (forged.join(), "unknown", 3, "evidence in the file: counts"),
        (broken, "invalid", 1, ""),
        (fewer.join(), "invalid", 1, ""),
    ]
    for data, verdict, status, more in cases:
        path.write_bytes(data)
        result = run("check", path)
        line = first_line(result)
        assert (line.split()[0], result.exit_code) == (verdict, status)
        assert more in result.output
        assert ("no magic exists" in line) == (data == small), line
    paths = [tmp_path / name for name in ("a.cover.xz", "b.cover.xz", "c.cover.xz")]
    for path, data in zip(paths, (small, broken, counted), strict=True):
        path.write_bytes(lzma.compress(data))
    assert [run("check", *some).exit_code for some in (paths[:1], paths)] == [0, 1]
    assert run("check", tmp_path / "nothing").exit_code == 2


def test_a_proof_of_the_same_cell_stands_beside_a_certificate(
    tmp_path: Path, counted: bytes
) -> None:
    for folder in ("certificates", "proofs"):
        (tmp_path / folder).mkdir()
    path, proof = tmp_path / "certificates" / "x.cover", tmp_path / "proofs" / "x.drup"
    path.write_bytes(counted)
    assert proof_of(path) == ""
    for cell, name in (("d8 2", "proofs/x.drup"), ("d8 3", "")):
        proof.write_text(
            f"c magicert proof 1\nc cell white bishop {cell}\n"
            f"c formula {'0' * 64}\nc solver none\n0\n"
        )
        assert proof_of(path) == name
        assert evidence_of(path) is Evidence.COUNTS


ROOK = {"piece": "rook", "square": "c2", "bits": 9, "largest_index": 511, "level": 2}
CHAINED = ROOK | {"plan": "54 u1 e0: " + 18 * "d1 " + "c36.4"}
ROW_WITH_A_MAGIC = f"0\t3\t{3:064x}\t5\t1\t0x2002cac99fffa"
ROWS = tuple(f"{n}\t{n}\t{n:064x}\t5\t0\t" for n in range(4))


@pytest.mark.parametrize(
    ("first", "rows", "header", "declared", "kind"),
    [
        ("c2 9 18 2", ROWS, ROOK, 7, Evidence.RECOUNT),
        ("c2 9 18 2", ROWS, CHAINED, 3, Evidence.RECOUNT),
        ("c2 9 18 2", ROWS, CHAINED, None, Evidence.RECOUNT),
        ("c2 9 18 2", ROWS, CHAINED, 7, None),
        ("c2 9 18 2", ROWS[:3], CHAINED, 7, None),
        ("c2 9 18 2", ROWS[:3], ROOK, None, Evidence.COUNTS),
        ("c2 9 18 3", ROWS, ROOK, None, Evidence.COUNTS),
        ("c2 8 18 2", ROWS, ROOK, None, Evidence.COUNTS),
        ("d2 9 18 2", ROWS, ROOK, None, Evidence.COUNTS),
        ("c2 9 18 2", (ROW_WITH_A_MAGIC, *ROWS[1:]), ROOK, None, None),
        ("c2 9 18 2", ROWS, ROOK | {"scheme": "black"}, None, Evidence.COUNTS),
        ("c2 9 18 2", ROWS, ROOK | {"largest_index": 500}, None, Evidence.COUNTS),
    ],
)
def test_only_a_whole_recount_of_the_same_cell_counts(
    tmp_path: Path, counted: bytes, parts: Any, first: str, rows: tuple[str, ...],
    header: dict[str, Any], declared: int | None, kind: Evidence | None,
) -> None:  # fmt: skip
    for folder in ("certificates", "recounts"):
        (tmp_path / folder).mkdir()
    path = tmp_path / "certificates" / "x.cover"
    certificate = parts(counted)
    certificate.header |= header
    shard = certificate.header["shards"][0]
    certificate.header["shards"] = [
        shard | ({"survivors": {"count": n, "sha256": f"{n:064x}"}} if n == declared else {})
        for n in (range(4) if declared != 7 else [7] * 4)
    ]
    path.write_bytes(certificate.join())
    text = "\n".join((f"# recount rook {first}: so many", "# other", *rows, ""))
    (tmp_path / "recounts" / "x.tsv").write_text(text)
    if kind is None:
        with pytest.raises(InputError, match="counted again"):
            evidence_of(path)
    else:
        assert evidence_of(path) is kind


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", 1),
        ("# recount king c2 9 2 2\n", 1),
        ("# recount rook c2 9 2 2\n", 1),  # the program has no chain behind 2 steps
        ("# recount rook c2 9 18 2\n0\t1\tabc\t0\t0\t\n", 2),
        (f"# recount rook c2 9 18 2\n{ROWS[0]}\n{ROWS[0]}\n", 3),
        (f"# recount rook c2 9 18 2\n4{ROWS[0][1:]}\n", 2),
        (f"# recount rook c2 9 18 2\n{ROW_WITH_A_MAGIC}1\n", 2),
        (f"# recount rook c2 9 18 2\n{ROW_WITH_A_MAGIC},0x2002cac99fffa\n", 2),
        (f"# recount rook c2 9 18 2\n1{ROW_WITH_A_MAGIC[1:]}\n", 2),
    ],
)
def test_what_is_no_recount_is_refused(tmp_path: Path, text: str, line: int) -> None:
    path = tmp_path / "x.tsv"
    path.write_text(text)
    with pytest.raises(InputError, match=rf"x\.tsv:{line}"):
        read_counted(path)


@pytest.mark.parametrize("magics", [(), (0x123,)])
def test_a_recount_has_the_same_magics(magics: tuple[int, ...]) -> None:
    """One magic fewer, or another one, in one of its shards."""
    path = tables_folder() / "certificates" / "rook-c2-9.cover.xz"
    counted, header = counted_beside(path), read_certificate(path).header
    assert counted is not None
    assert list(contradictions(counted, header)) == []
    number = next(number for number, row in counted.rows.items() if len(row.magics) == 1)
    rows = {**counted.rows, number: changed(counted.rows[number], magics=magics)}
    assert len(list(contradictions(changed(counted, rows=rows), header))) == 1
