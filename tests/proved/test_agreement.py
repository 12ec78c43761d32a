"""The extracted checker and the one in Python say the same, of certificates and of pipes."""

import json
import os
import random
import re
from collections import Counter
from functools import cache
from pathlib import Path
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from magicert.api.covers.replay import ProvedChecker, check_certificate
from magicert.chess import Piece, parse_square
from magicert.outcome import NullPhase, Quiet
from magicert.problem import InputError
from magicert.scheme import SCHEMES
from magicert.search.problem import Plan
from magicert.search.shards.certificate import CELL_KEYS, write_certificate, write_leaves
from magicert.search.shards.shard import Work, run_shard
from magicert.targets import square_cell
from magicert.verify.cover.checker import check
from magicert.verify.cover.file import SQUARES, read_certificate
from magicert.verify.cover.statement import SchemeName, attack_set, occupancies, statement

ROOT = Path(__file__).parents[2]


def python_says(path):
    """The first word of the other checker's answer."""
    try:
        return check(read_certificate(path)).verdict
    except InputError:
        return "bad"


def coq_says(proved, paths):
    """The first word of each answer."""
    lines = proved(paths)
    assert len(lines) == len(paths) + 1, "a line for each file, and the sum"
    return {path: line.split()[0] for path, line in zip(paths, lines, strict=False)}


@pytest.fixture(scope="module")
def rules(beside):
    return beside("test_rules")


def made(beside):
    """The certificates that the tests of the other checker make, true ones and forged ones."""
    tests, writer, fixtures = (beside(n) for n in ("test_forgeries", "writer", "conftest"))
    small, many = (
        writer.walked(statement("white", "bishop", 59, bits), shards, largest_index=largest)
        for bits, shards, largest in ((2, 2, 3), (5, 4, 31))
    )
    kinds = {"small": small, "with_magics": many, "counted": fixtures._counted(small)}
    yield from kinds.values()
    for kind, change, _ in tests.CHANGES.values():
        certificate = fixtures.Parts(kinds[kind])
        change(certificate)
        yield certificate.join()
    for change in tests.CLAIMS.values():
        certificate = fixtures.Parts(many).without_leaves()
        yield certificate.join()
        change(certificate)
        yield certificate.join()
    for seed in range(60):
        some, certificate = random.Random(seed), fixtures.Parts(small)
        body = bytearray(certificate.body)
        body[some.randrange(len(body))] ^= some.randrange(1, 256)
        certificate.body = bytes(body)
        yield certificate.join()
    header, shards = fixtures._leaves_of(small)
    rest = {key: value for key, value in header.items() if key != "shards"}
    for forge, _ in tests.FORGERIES.values():
        root, leaves = shards[0]
        for place in (0, 1, 5, len(leaves) - 1):
            yield writer.certificate([(root, forge(leaves, place)), *shards[1:]], **rest)
    for change in tests.OF_SHARDS.values():
        yield writer.certificate(change(*shards), **rest)


def test_of_every_forged_certificate(proved, beside, tmp_path):
    paths = []
    for number, data in enumerate(made(beside)):
        paths.append(tmp_path / f"{number}.cover")
        paths[-1].write_bytes(data)
    said = coq_says(proved, paths)
    other = {path: python_says(path) for path in paths}
    assert {path: word for path, word in said.items() if word != other[path]} == {}
    counted = Counter(other.values())
    assert counted["invalid"] > 100, "the forgeries are there"
    assert min(counted["valid"], counted["unknown"], counted["bad"]) > 1


def test_of_every_certificate_that_is_shipped(proved):
    """Those without leaves; the leaves themselves are what `make proved` checks."""
    paths = sorted((ROOT / "tables" / "certificates").glob("*.cover.xz"))
    certificates = {path: read_certificate(path) for path in paths}
    without = [path for path in paths if not certificates[path].header.streams]
    said = coq_says(proved, without)
    assert said == {path: check(certificates[path]).verdict for path in without}


def test_a_forged_stream_breaks_the_rule_that_it_breaks(proved, beside, tmp_path):
    rules, writer, fixtures = (beside(n) for n in ("test_forgeries", "writer", "conftest"))
    about = fixtures.statement("white", "bishop", 59, 2)
    small = writer.walked(about, 2, largest_index=3)
    for name, (forge, words) in rules.FORGERIES.items():
        header, shards = fixtures._leaves_of(small)
        shards[0] = (shards[0][0], forge(shards[0][1], 5))
        rest = {key: value for key, value in header.items() if key != "shards"}
        path = tmp_path / "c.cover"
        path.write_bytes(writer.certificate(shards, **rest))
        line = proved([path])[0]
        assert line.startswith("invalid "), name
        assert words in line, (name, line)


COVER = "the leaves do not cover the shard"


def problem(path, about, root, leaves):
    """A problem as proofs/driver/problem.ml reads it."""
    lines = [
        (about.bits, about.constant, about.least, about.most),
        *(("row", *row) for row in zip(about.x.tolist(), about.attack.tolist(), strict=True)),
        ("root", *root),
        *(("leaf", *leaf) for leaf in leaves),
    ]
    words = (" ".join(w if isinstance(w, str) else hex(int(w)) for w in line) for line in lines)
    path.write_text("\n".join(words))
    return path


def test_a_leaf_breaks_the_rule_that_it_breaks(proved, rules, tmp_path):
    for name, (about, leaf, words) in rules.RULES.items():
        root = leaf[:3] if words == "accepted" else (64, 0, 0)
        (line,) = proved(["--problem", problem(tmp_path / "p", about, root, [leaf])])
        assert line == words or (line.startswith("leaf 0: ") and words in line), (name, line)


def test_what_does_not_cover_is_refused(proved, rules, tmp_path):
    for name, (root, pieces) in rules.NOT_COVERED.items():
        leaves = [(*piece, 0, 1) for piece in pieces]
        (line,) = proved(["--problem", problem(tmp_path / "p", rules.ALWAYS, root, leaves)])
        # Of leaves another rule says that they lie below 2^w.
        expected = "high is not below" if "reaches into" in name else COVER
        assert expected in line, (name, line)


def test_of_all_rows(proved, tmp_path):
    """On all squares, in all schemes, occupancies have the same numbers, multiplicands, slots, and
    the attack sets of a walk.
    """
    constant = 0x123456789
    cells = [(scheme, piece, square) for piece in ("rook", "bishop") for square in range(64)
             for scheme in get_args(SchemeName)]  # fmt: skip
    lines = [
        {"scheme": scheme, "piece": piece, "square": SQUARES[square], "bits": 5,
         "largest_index": 20, "constant": hex(constant if scheme == "constant" else 0)}
        for scheme, piece, square in cells
    ]  # fmt: skip
    path = tmp_path / "cells"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    said = iter(proved(["--rows", path]))
    walked = cache(lambda piece, square: [attack_set(piece, square, o)
                                          for o in occupancies(piece, square)])  # fmt: skip
    for scheme, piece, square in cells:
        about = statement(scheme, piece, square, 5, 20, constant)
        expected = [(5, about.constant, about.least, about.most, about.period),
                    *zip(about.x.tolist(), walked(piece, square), strict=True)]  # fmt: skip
        there = [tuple(int(w, 16) for w in next(said).split()) for _ in expected]
        assert there == expected, (scheme, piece, square)
    assert next(said, None) is None


@settings(max_examples=15)
@given(data=st.data())
def test_of_any_leaf(proved, rules, tmp_path_factory, data):
    folder, cases = tmp_path_factory.mktemp("leaves"), []
    for number in range(30):
        about = data.draw(rules.statements())
        leaf = data.draw(rules.leaves(about))
        path = problem(folder / str(number), about, (64, 0, 0), [leaf])
        cases.append((path, rules.breaks_the_specification(about, leaf)))
    for (path, broken), line in zip(
        cases, proved(["--problem", *(path for path, _ in cases)]), strict=True
    ):
        assert (line != "accepted" and COVER not in line) == broken, path.read_text()


@settings(max_examples=15)
@given(data=st.data())
def test_of_any_cover(proved, rules, tmp_path_factory, data):
    """Roots that were cut in pieces are made up of them; what has lost a piece is not."""
    folder, cases = tmp_path_factory.mktemp("covers"), []
    for number in range(30):
        root = data.draw(rules.ROOTS)
        pieces = data.draw(rules.split(root))
        whole = data.draw(st.booleans()) or len(pieces) < 2
        if not whole:
            pieces.pop(data.draw(st.integers(0, len(pieces) - 1)))
        leaves = [(*piece, 0, 1) for piece in pieces]
        cases.append((problem(folder / str(number), rules.ALWAYS, root, leaves), whole))
    lines = proved(["--problem", *(path for path, _ in cases)])
    for (path, whole), line in zip(cases, lines, strict=True):
        assert (line == "accepted") == whole, path.read_text()
        assert whole or COVER in line


# Leaves without a file: through a pipe, shard by shard, on several machines.

DOWN = Plan(26, ("d1",) * 26, 4, 1)


@pytest.fixture(scope="module")
def with_magics(beside):
    """Bishop d8 at 5 bits, 9,547 magics in four shards."""
    return bytes(beside("writer").walked(statement("white", "bishop", 59, 5), 4, largest_index=31))


def pipe_of(certificate, beside):
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


@pytest.mark.cases_of("headers_are_read_strictly.tsv")
def test_headers_are_read_strictly(proved, with_magics, tmp_path, old, new):
    assert with_magics.count(old.encode()) == 1
    path = tmp_path / "c.cover"
    path.write_bytes(with_magics.replace(old.encode(), new.encode()))
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
        whole = check_certificate(path, 0, None, NullPhase, ProvedChecker())
        assert (whole.report.verdict, whole.proved.split()[0]) == ("valid", "valid")
        part = check_certificate(path, range(1, 3), None, NullPhase, ProvedChecker(kept))
        assert (part.report.verdict, part.proved.split()[0]) == ("unknown", "unknown")
        assert part.report.leaves == sum(run_shard(
            Work(cell, DOWN, 2), number).leaves for number in (1, 2))  # fmt: skip
        with (tmp_path / "leaves").open("wb") as out:
            write_leaves(out, work, results, Quiet().progress)
        assert proved([tmp_path / "leaves"])[0].startswith("valid ")
    assert len(kept.read_text().splitlines()) == 4
    first, line, body = path.read_bytes().split(b"\n", 2)
    header = json.loads(line)
    header["shards"][1] |= {"leaves": 1, "sha256": "0" * 64}
    path.write_bytes(b"\n".join([first, json.dumps(header).encode(), body]))
    forged = check_certificate(path, 0, None, NullPhase, ProvedChecker())
    assert forged.report.verdict == "invalid"
    *_, hashed, refused = forged.report.problems
    assert "sha256" in hashed
    assert "the proved checker: invalid" in refused
