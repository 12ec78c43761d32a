"""The extracted checker and the one in Python say the same of every certificate there is."""

import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from magicert.problem import InputError
from magicert.verify.cover.checker import check
from magicert.verify.cover.file import SQUARES, read_certificate
from magicert.verify.cover.statement import SchemeName, attack_set, occupancies, statement

ROOT = Path(__file__).parents[2]
FORGING = ("test_forgeries.py", "test_check_command.py")
Proved = Callable[[Sequence[object]], list[str]]
Beside = Callable[[str], ModuleType]


def python_says(path: Path) -> str:
    """The first word of the other checker's answer."""
    try:
        return check(read_certificate(path)).verdict
    except InputError:
        return "bad"


def coq_says(proved: Proved, paths: list[Path]) -> dict[Path, str]:
    """The first word of each answer."""
    lines = proved(paths)
    assert len(lines) == len(paths) + 1, "a line for each file, and the sum"
    return {path: line.split()[0] for path, line in zip(paths, lines, strict=False)}


@pytest.fixture(scope="module")
def leaf_rules(beside: Beside) -> ModuleType:
    return beside("test_rules")


@pytest.fixture(scope="module")
def cover_rules(beside: Beside) -> ModuleType:
    return beside("test_rules")


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory, built: Path) -> list[Path]:
    """All certificates that the tests of the other checker make, true ones and forged ones."""
    assert built.is_dir()
    folder = tmp_path_factory.mktemp("recorded")
    paths = [str(ROOT / "tests" / "certificates" / name) for name in FORGING]
    options = ["-q", "-p", "recorder", "-p", "no:cacheprovider", "-k", "not z3 and not replay"]
    search = os.pathsep.join([str(Path(__file__).parent), os.environ.get("PYTHONPATH", "")])
    more = {"PYTHONPATH": search.rstrip(os.pathsep), "MAGICERT_RECORD": str(folder)}
    run = subprocess.run([sys.executable, "-P", "-m", "pytest", *options, *paths], cwd=ROOT,
                         env=os.environ | more, capture_output=True, check=False)  # fmt: skip
    assert run.returncode == 0, run.stdout.decode()
    return sorted(folder.iterdir())


def test_of_every_forged_certificate(proved: Proved, recorded: list[Path]):
    said = coq_says(proved, recorded)
    other = {path: python_says(path) for path in recorded}
    assert {path: word for path, word in said.items() if word != other[path]} == {}
    counted = Counter(other.values())
    assert counted["invalid"] > 100, "the forgeries are there"
    assert min(counted["valid"], counted["unknown"], counted["bad"]) > 1


def test_of_every_certificate_that_is_shipped(proved: Proved):
    """Those without leaves; the leaves themselves are what `make proved` checks."""
    paths = sorted((ROOT / "tables" / "certificates").glob("*.cover.xz"))
    certificates = {path: read_certificate(path) for path in paths}
    without = [path for path in paths if not certificates[path].header.streams]
    said = coq_says(proved, without)
    assert said == {path: check(certificates[path]).verdict for path in without}


# Forgeries of whole streams, and the rule that each breaks.
STREAMS = {
    "dropped": "do not cover the shard",
    "twice": "do not cover the shard",
    "behind all others": "do not cover the shard",
    "widened": "leaves its bucket",
    "a pair turned round": "first is above second",
    "magics that are none": "magics: ",
    "a pair of one": "the slot is allowed",
    "the wrong way round": "first is above second",
    "an occupancy that is none": "no such occupancy",
    "the largest number": "no such occupancy",
}


def test_a_forged_stream_breaks_the_rule_that_it_breaks(
    proved: Proved, beside: Beside, tmp_path: Path
):
    rules, writer, fixtures = (beside(n) for n in ("test_forgeries", "writer", "conftest"))
    about = fixtures.statement("white", "bishop", 59, 2)
    small = writer.walked(about, 2, largest_index=3)
    assert set(rules.FORGERIES) == set(STREAMS)
    for name, forge in rules.FORGERIES.items():
        header, shards = fixtures._leaves_of(small)
        shards[0] = (shards[0][0], forge(shards[0][1], 5))
        rest = {key: value for key, value in header.items() if key != "shards"}
        path = tmp_path / "c.cover"
        path.write_bytes(writer.certificate(shards, **rest))
        line = proved([path])[0]
        assert line.startswith("invalid "), name
        assert STREAMS[name] in line, (name, line)


# Forgeries of single leaves.
LEAVES = {
    "low above high": "low is above high",
    "low above high, where nothing moves": "low is above high",
    "the last bit is above w": "sees bits of m above w",
    "high of 2^w": "high is not below 2^w",
    "w above 64": "w is above 64",
    "an occupancy that is none": "no such occupancy",
    "a pair the wrong way round": "first is above second",
    "equal attack sets": "attack sets are equal",
    "two slots": "in two slots",
    "the first leaves its bucket": "leaves its bucket",
    "the second leaves its bucket": "leaves its bucket",
    "the first sees above w": "sees bits of m above w",
    "the second sees above w": "sees bits of m above w",
    "a slot that is allowed": "the slot is allowed",
    "a slot that is allowed, the last": "the slot is allowed",
    "a slot that the constant allows": "the slot is allowed",
    "a slot, not allowed, that moves": "leaves its bucket",
    "a slot, not allowed, that sees above w": "sees bits of m above w",
    "magics that conflict": "magics: two occupancies conflict",
    "magics that move": "magics: an occupancy leaves its bucket",
    "magics below the first slot": "magics: a slot is not allowed",
    "magics above the last slot": "magics: a slot is not allowed",
    "magics above the period, twice": "magics: 2^w is not the period",
    "magics below the period": "magics: 2^w is not the period",
}
COVER = "the leaves do not cover the shard"


def problem(path: Path, about: Any, root: Sequence[int], leaves: Sequence[Sequence[int]]) -> Path:
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


def test_a_leaf_breaks_the_rule_that_it_breaks(
    proved: Proved, leaf_rules: ModuleType, tmp_path: Path
):
    assert set(leaf_rules.BROKEN) == set(LEAVES)
    for name, (about, leaf) in leaf_rules.BROKEN.items():
        (line,) = proved(["--problem", problem(tmp_path / "p", about, (64, 0, 0), [leaf])])
        assert line.startswith("leaf 0: "), name
        assert LEAVES[name] in line, (name, line)
    for name, (about, leaf) in leaf_rules.HOLDS.items():
        (line,) = proved(["--problem", problem(tmp_path / "p", about, leaf[:3], [leaf])])
        assert line == "accepted", (name, line)


def test_what_does_not_cover_is_refused(proved: Proved, cover_rules: ModuleType, tmp_path: Path):
    for name, (root, pieces) in cover_rules.NOT_COVERED.items():
        leaves = [(*piece, 0, 1) for piece in pieces]
        (line,) = proved(["--problem", problem(tmp_path / "p", cover_rules.ALWAYS, root, leaves)])
        # Of leaves another rule says that they lie below 2^w.
        expected = "high is not below" if "reaches into" in name else COVER
        assert expected in line, (name, line)


def test_of_all_rows(proved: Proved, tmp_path: Path):
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
def test_of_any_leaf(
    proved: Proved, leaf_rules: ModuleType, tmp_path_factory: pytest.TempPathFactory,
    data: st.DataObject,
):  # fmt: skip
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
def test_of_any_cover(
    proved: Proved, cover_rules: ModuleType, tmp_path_factory: pytest.TempPathFactory,
    data: st.DataObject,
):  # fmt: skip
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
