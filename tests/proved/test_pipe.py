"""Leaves without a file: through a pipe, shard by shard, on several machines."""

import json
import os
import re
from typing import Any

import pytest

from magicert.board import Piece, parse_square
from magicert.cell import square_cell
from magicert.jobs.covers.replay import ProvedChecker, check_certificate
from magicert.outcome import Quiet, Unseen
from magicert.scheme import SCHEMES
from magicert.search.problem import Plan
from magicert.search.shards.certificate import CELL_KEYS, write_certificate, write_leaves
from magicert.search.shards.shard import Work, run_shard
from magicert.verify.cover.statement import statement

DOWN = Plan(26, ("d1",) * 26, 4, 1)


@pytest.fixture(scope="module")
def with_magics(beside):
    """Bishop d8 at 5 bits, 9,547 magics in four shards."""
    return bytes(beside("writer").walked(statement("white", "bishop", 59, 5), 4, largest_index=31))


def pipe_of(certificate, beside) -> list[bytes]:
    """What a pipe has for a certificate: its first lines, and each shard."""
    header, shards = beside("conftest")._leaves_of(certificate)
    cell = {key: header[key] for key in CELL_KEYS}
    parts = [b"magicert leaves 2\n" + json.dumps(cell).encode() + b"\n"]
    for number, (root, leaves) in enumerate(shards):
        declared = header["shards"][number]
        begin = {"shard": number, "root": declared["root"]}
        end = {key: declared[key] for key in ("leaves", "magics", "magic_count")}
        blocks = b"".join(beside("writer").blocks_of(leaves, root[1]))
        lines = json.dumps(begin).encode() + b"\n", json.dumps(end).encode() + b"\n"
        parts.append(lines[0] + blocks + bytes(8) + lines[1])
    return [*parts, b'{"end":true}\n']


def test_what_a_pipe_brings(proved, with_magics, beside, tmp_path):
    """All shards are a proof; without one they are none; what is wrong is refused."""
    first, *shards, end = pipe_of(with_magics, beside)
    wrong = shards[1].replace(b'"magic_count": "0x', b'"magic_count": "0x1')
    torn = shards[1].replace(bytes(8) + b"{", b"{")
    cases = [
        ([first, *shards, end], "valid "),
        ([first, *reversed(shards), end], "valid "),
        ([first, *shards[:2], shards[3], end], "unknown "),
        ([first, end], "unknown "),
        ([first, *shards], "bad "),
        ([first, *shards, end, b"\n"], "bad "),
        ([first, shards[0], *shards, end], "bad "),
        ([first, shards[0], wrong, end], "invalid "),
        ([first, shards[0], torn, end], "invalid "),
    ]
    for number, (parts, answer) in enumerate(cases):
        path = tmp_path / "pipe"
        path.write_bytes(b"".join(parts))
        line, _ = proved([path])
        assert line.startswith(answer), (number, line)


def test_machines_share_a_cell(proved, with_magics, tmp_path):
    """What two runs have settled is everything together, and nothing less is."""
    path, kept = tmp_path / "c.cover", [tmp_path / "one", tmp_path / "two"]
    path.write_bytes(with_magics)
    for number in range(4):
        line, _ = proved(["--settled", kept[number % 2], "--shard", number, path])
        assert line.startswith("unknown "), line
        assert "1 shards are settled" in line
        assert "0.25 of all m" in line
    (line,) = proved(["--join", kept[0]])
    assert line.startswith("unknown "), line
    (line,) = proved(["--join", *kept, kept[0]])
    assert line.startswith("valid "), line
    assert "its magics are the 9547 (0x254b) listed" in line
    kept[1].write_text(kept[1].read_text().replace('"bits":5', '"bits":6'))
    (line,) = proved(["--join", *kept])
    assert line.startswith("bad "), line


def test_magics_are_printed_twice(proved, with_magics, tmp_path):
    path = tmp_path / "c.cover"
    path.write_bytes(with_magics)
    header = json.loads(with_magics.split(b"\n")[1])
    expected = [
        tuple(int(word, 16) for word in pair)
        for shard in header["shards"] for pair in shard["magics"]
    ]  # fmt: skip
    _, *lines, _ = proved(["--magics", path])
    found = [[(int(a), int(b, 16)) for a, b in re.findall(r"(\d+) \((0x\w+)\)", line)]
             for line in lines]  # fmt: skip
    assert all(decimal == word for line in found for decimal, word in line)
    assert [(line[0][0], line[-1][0]) for line in found] == expected


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b'"bits": 5', b'"bits": 05'),
        (b'"bits": 5', b'"bits": +5'),
        (b'"bits": 5', b'"bits": 5.'),
        (b'"seconds": 0.0', b'"seconds": .0'),
        (b'"seconds": 0.0', b'"seconds": 1e'),
        (b'"piece"', rb'"\u0_70iece"'),
        (b'"piece"', rb'"\u+070iece"'),
    ],
)
def test_headers_are_read_strictly(proved, with_magics, tmp_path, old, new):
    assert with_magics.count(old) == 1
    path = tmp_path / "c.cover"
    path.write_bytes(with_magics.replace(old, new))
    assert proved([path])[0].startswith("bad ")


def test_a_replay_goes_to_the_proved_checker(proved, built, tmp_path, monkeypatch):
    """Whole or in part, with hashes or counts only; and what is declared is compared."""
    monkeypatch.setenv("PATH", str(built), prepend=os.pathsep)
    cell = square_cell(SCHEMES["white"], Piece.BISHOP, parse_square("d8"), 2)
    path, kept = tmp_path / "c.cover", tmp_path / "settled"
    for record in (True, False):
        work = Work(cell, DOWN, 2, record=record)
        results = [run_shard(work, number) for number in range(work.shards)]
        write_certificate(path, work, results, streams=False)
        whole = check_certificate(path, 0, None, Unseen, ProvedChecker())
        assert (whole.report.verdict, whole.proved.split()[0]) == ("valid", "valid")
        part = check_certificate(path, range(1, 3), None, Unseen, ProvedChecker(kept))
        assert (part.report.verdict, part.proved.split()[0]) == ("unknown", "unknown")
        assert part.report.leaves == sum(run_shard(
            Work(cell, DOWN, 2), number).leaves for number in (1, 2))  # fmt: skip
        with (tmp_path / "leaves").open("wb") as out:
            write_leaves(out, work, results, Quiet().progress)
        assert proved([tmp_path / "leaves"])[0].startswith("valid ")
    assert len(kept.read_text().splitlines()) == 4
    first, line, body = path.read_bytes().split(b"\n", 2)
    header: dict[str, Any] = json.loads(line)
    header["shards"][1] |= {"leaves": 1, "sha256": "0" * 64}
    path.write_bytes(b"\n".join([first, json.dumps(header).encode(), body]))
    forged = check_certificate(path, 0, None, Unseen, ProvedChecker())
    assert forged.report.verdict == "invalid"
    *_, hashed, refused = forged.report.problems
    assert "sha256" in hashed
    assert "the proved checker: invalid" in refused
