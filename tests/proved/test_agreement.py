"""The extracted checker and the one in Python say the same of every certificate there is."""

import json
import random
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from magicert.problem import InputError
from magicert.verify.cover.checker import check
from magicert.verify.cover.file import SQUARES, read_certificate
from magicert.verify.cover.statement import SchemeName, attack_set, occupancies, statement

ROOT = Path(__file__).parents[2]


def python_says(path) -> str:
    """The first word of the other checker's answer."""
    try:
        return check(read_certificate(path)).verdict
    except InputError:
        return "bad"


def coq_says(proved, paths) -> dict[Path, str]:
    """The first word of each answer."""
    lines = proved(paths)
    assert len(lines) == len(paths) + 1, "a line for each file, and the sum"
    return {path: line.split()[0] for path, line in zip(paths, lines, strict=False)}


@pytest.fixture(scope="module")
def leaf_rules(beside):
    return beside("test_rules")


@pytest.fixture(scope="module")
def cover_rules(beside):
    return beside("test_rules")


def made(beside) -> Iterator[bytes]:
    """The certificates that the tests of the other checker make, true ones and forged ones."""
    tests, writer, fixtures = (beside(n) for n in ("test_forgeries", "writer", "conftest"))
    small, many = (
        writer.walked(statement("white", "bishop", 59, bits), shards, largest_index=largest)
        for bits, shards, largest in ((2, 2, 3), (5, 4, 31))
    )
    kinds = {"small": small, "with_magics": many, "counted": fixtures._counted(small)}
    yield from kinds.values()
    changes = [(kind, change) for _, kind, change in tests.INVALID]
    for kind, change in [*changes, *(("small", change) for _, change in tests.BAD)]:
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


def problem(path, about, root, leaves) -> Path:
    """A problem as proofs/driver/problem.ml reads it."""
    lines: list[tuple[object, ...]] = [
        (about.bits, about.constant, about.least, about.most),
        *(("row", *row) for row in zip(about.x.tolist(), about.attack.tolist(), strict=True)),
        ("root", *root),
        *(("leaf", *leaf) for leaf in leaves),
    ]
    words = (" ".join(w if isinstance(w, str) else hex(int(w)) for w in line) for line in lines)  # type: ignore[call-overload]
    path.write_text("\n".join(words))
    return path


def test_a_leaf_breaks_the_rule_that_it_breaks(proved, leaf_rules, tmp_path):
    for name, (about, leaf, words) in leaf_rules.BROKEN.items():
        (line,) = proved(["--problem", problem(tmp_path / "p", about, (64, 0, 0), [leaf])])
        assert line.startswith("leaf 0: "), name
        assert words in line, (name, line)
    for name, (about, leaf) in leaf_rules.HOLDS.items():
        (line,) = proved(["--problem", problem(tmp_path / "p", about, leaf[:3], [leaf])])
        assert line == "accepted", (name, line)


def test_what_does_not_cover_is_refused(proved, cover_rules, tmp_path):
    for name, (root, pieces) in cover_rules.NOT_COVERED.items():
        leaves = [(*piece, 0, 1) for piece in pieces]
        (line,) = proved(["--problem", problem(tmp_path / "p", cover_rules.ALWAYS, root, leaves)])
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
def test_of_any_leaf(proved, leaf_rules, tmp_path_factory, data):
    rules, folder, cases = leaf_rules, tmp_path_factory.mktemp("leaves"), []
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
def test_of_any_cover(proved, cover_rules, tmp_path_factory, data):
    """Roots that were cut in pieces are made up of them; what has lost a piece is not."""
    rules, folder, cases = cover_rules, tmp_path_factory.mktemp("covers"), []
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
