"""`magicert find` and `disprove`: what is known, what is checked before it is shown, documents."""

import json
import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import magicert
from magicert.atlas import Atlas, Entry, atlas_toml, read_atlas
from magicert.board import Piece, mask, parse_square
from magicert.cell import Cell, first_conflict, square_cell
from magicert.data import atlas_path
from magicert.outcome import Exists, Impossible, Unknown
from magicert.requests.find import known
from magicert.scheme import SCHEMES

MAGIC = 0x2020202020200
"""A magic of bishop a1 with 6 bits; so is every word with the same 55 low bits."""


@pytest.fixture(scope="module")
def white() -> Atlas:
    return read_atlas(atlas_path())


def cell(piece: str, square: str, bits: int, largest: int | None = None) -> Cell:
    scheme, bit = SCHEMES["white"], parse_square(square)
    return square_cell(scheme, Piece(piece), bit, bits, largest_index=largest)


def asked(run: Any, words: str, *more: str | Path) -> tuple[int, Any]:
    """The exit status, and the document."""
    result = run(*words.split(), *more, "--json")
    return result.exit_code, json.loads(result.stdout)


# -- what is known


def test_what_is_known_is_said_with_its_finder_and_evidence(run, white):
    entry = white.entries[Piece.ROOK, parse_square("c2"), -9]
    result = run("find", "rook", "c2", "--bits", "9")
    assert result.exit_code == 0
    assert result.stdout.startswith(f"known: exists, {entry.credit}\n")
    assert f"  magic {int(entry.magic, 16):#018x}\n" in result.stdout
    entry = white.entries[Piece.BISHOP, parse_square("c1"), -4]
    for command, status in (("find", 1), ("disprove", 0)):
        result = run(command, "bishop", "c1", "--bits", "4")
        first = result.stdout.splitlines()[0]
        assert result.exit_code == status
        assert first.startswith("known: impossible, first said by ")
        assert f"evidence: {entry.evidence} ({entry.certificate}" in first
    fewer = run("find", "bishop", "c1", "--bits", "3")
    assert (fewer.exit_code, "even with 4 bits" in fewer.stdout.splitlines()[0]) == (1, True)


def test_ranges_and_open_cells_are_known(white):
    """At the range, one below it, and below a bound whose certificate goes less far; of an open
    cell it is said what was tried.
    """
    compared = 0
    for entry in white.open():
        found = known(cell(entry.piece, entry.square, entry.bits))
        assert found.outcome is None
        assert all(tried in found.said for tried in (*entry.tried, entry.credit))
    for entry in white:
        given = entry.range
        if given is None:
            continue
        held = known(cell(entry.piece, entry.square, entry.bits, given.largest))
        assert held.outcome == Exists((int(given.magic, 16),))
        if given.largest > 0:
            less = known(cell(entry.piece, entry.square, entry.bits, given.largest - 1))
            impossible = less is not None and isinstance(less.outcome, Impossible)
            assert impossible == bool(given.is_smallest and given.certificate), str(entry)
            compared += impossible
    assert compared >= 40


def test_the_atlas_is_not_believed(run, tmp_path, monkeypatch):
    forged = atlas_path().read_text("utf-8").replace("0xcae2002cac99fffa", "0xcae2002cac99fffb")
    (tmp_path / "atlas.toml").write_text(forged)
    monkeypatch.setattr("magicert.requests.find.atlas_path", lambda _: tmp_path / "atlas.toml")
    result = run("find", "rook", "c2", "--bits", "9")
    assert result.exit_code == 70
    assert "which is no magic" in result.stderr


# -- engines


@pytest.fixture
def say(monkeypatch):
    """Each engine gives this outcome; the names of those that are asked for are listed."""

    def put(outcome):
        named = []
        engine = SimpleNamespace(OPTIONS=(), solve=lambda *_: outcome)
        for job in ("find", "set_search"):
            load = f"magicert.requests.{job}.load"
            monkeypatch.setattr(load, lambda name: named.append(name) or engine)
        return named

    return put


def test_a_search_that_is_asked_for_is_made(run, say):
    say(Unknown("given up"))
    for arguments in (["--search"], ["--engine", "guess"], ["--all"]):
        result = run("find", "bishop", "d8", "--bits", "4", *arguments)
        assert (result.exit_code, "  given up\n" in result.stdout) == (3, True)
        assert result.stdout.startswith("known: impossible")


def test_nobody_waits_for_a_compiler_where_z3_answers(run, say, monkeypatch):
    monkeypatch.setattr("magicert.requests.find.option_values", lambda *_: {})
    for cold, words, engine in (
        (True, "bishop d1 --bits 4 --search", "z3"),
        (False, "bishop d1 --bits 4 --search", "window"),
        (True, "bishop d1 --bits 4 --engine window", "window"),
        (True, "bishop d1 --bits 4 -O record=yes", "window"),
        (True, "bishop d1 --bits 4 --scheme black --search", "window"),
        (True, "rook c2 --bits 8 --search", "window"),
    ):
        named = say(Unknown("given up"))
        monkeypatch.setattr("magicert.search.window.is_cold", lambda answer=cold: answer)
        result = run("disprove", *words.split())
        assert (result.exit_code, named) == (3, [engine])
        assert ("Z3 answers: the window search" in result.stderr) == (engine == "z3")


def test_every_magic_is_checked_before_anybody_sees_one(run, say, tmp_path):
    place = cell("bishop", "a1", 6)
    assert (first_conflict(place, MAGIC), place.period) == (None, 1 << 55)
    magics = [MAGIC + (n << 55) for n in range(251)]
    say(Exists(tuple(magics)))
    whole = run("find", "bishop", "a1", "--all")
    assert (whole.exit_code, whole.stdout.count("  magic 0x")) == (0, 251)
    output = tmp_path / "set.toml"
    for wrong in (0, 99, 100, 250):
        say(Exists((*magics[:wrong], 1, *magics[wrong + 1 :])))
        for command in ("find bishop a1 --all", "disprove bishop a1 --search --json"):
            result = run(*command.split())
            assert result.exit_code == 70
            assert "0x1, which is no magic" in result.stderr
            assert "magic 0x" not in result.stdout
    say(Exists((1,)))
    for arguments in (["-o", output], []):
        result = run("find", "--set", "--piece", "bishop", *arguments)
        assert (result.exit_code, result.stdout) == (70, "")
        assert not output.exists()
    say(Exists(()))
    assert run("find", "bishop", "a1").exit_code == 70


# -- documents


def test_outcomes_as_json(run, say):
    say(Exists((MAGIC,), complete=True, figures={"tests": 3}))
    status, said = asked(run, "find bishop a1")
    assert (status, said["outcome"], said["magics"]) == (0, "exists", [f"{MAGIC:#018x}"])
    assert (said["piece"], said["square"], said["bits"]) == ("bishop", "a1", 6)
    assert (said["complete"], said["figures"]) == (True, {"tests": 3})
    say(Impossible("nothing fits"))
    status, said = asked(run, "disprove bishop a1 --search")
    assert (status, said["outcome"], said["argument"]) == (0, "impossible", "nothing fits")
    assert said["evidence"] == "a solver alone"
    say(Unknown("out of time", "3 of 4 shards done"))
    status, said = asked(run, "find bishop a1")
    assert (status, said["outcome"], said["progress"]) == (3, "unknown", "3 of 4 shards done")


def test_where_chance_finds_at_once_nothing_is_looked_up(run):
    _, said = asked(run, "find bishop a1")
    assert (said["engine"], said["known"]) == ("trial", "")
    _, said = asked(run, "disprove bishop a1 --bits 6")
    assert (said["engine"], said["outcome"]) == ("atlas", "exists")


def test_sets_and_packed_tables_as_json(run, tmp_path):
    output = tmp_path / "set.toml"
    status, said = asked(run, "find --set --piece bishop -o", output)
    assert (status, said["outcome"], said["squares"]) == (0, "exists", 64)
    assert said["magics"]["bishop"]["a1"]["bits"] == 6
    assert (said["output"], output.exists()) == (str(output), True)
    status, said = asked(run, "find --set --piece bishop --bits 5")
    assert (status, said["outcome"]) == (1, "impossible")
    assert "attack sets do not fit in 32 slots" in said["left"]["bishop d4"]
    short, output = "pack --from cfish_black --rounds 0 -o", tmp_path / "packed.toml"
    status, said = asked(run, short, output)
    assert (said["outcome"], said["entries"], said["output"]) == ("packed", 87_988, str(output))
    for limit, (status, outcome) in {60_000: (3, "unknown"), 6_000: (1, "impossible")}.items():
        found, said = asked(run, short, output, "--limit", str(limit))
        assert (found, said["outcome"]) == (status, outcome)


@pytest.mark.parametrize(("only", "settled"), [("bishop:d1", ["d1"]), ("bishop:e1", [])])
def test_settled_cells_as_json(run, tmp_path, only, settled):
    pytest.importorskip("numba")
    given = Entry(piece="bishop", square="d1", bits=4, state="open")
    (tmp_path / "in.toml").write_text(atlas_toml(Atlas([given])))
    _, said = asked(
        run, f"atlas --settle --only {only} --atlas", tmp_path / "in.toml",
        "--ledger", tmp_path / "a.db", "--output", tmp_path / "out.toml",
    )  # fmt: skip
    assert (said["finished"], [one["square"] for one in said["settled"]]) == (True, settled)


# -- square orders


def test_an_order_finds_the_magic_of_its_bit(run):
    asked_for = {"a1": ("a8", 56), "a8": ("a8", 0), "h1": ("g3", 17), "a1-files": ("b1", 8)}
    for order, (square, bit) in asked_for.items():
        result = run("find", "bishop", square, "--order", order)
        assert result.exit_code == 0
        (magic,) = re.findall("  magic (0x[0-9a-f]{16})", result.stdout)
        relevant = mask(Piece.BISHOP, bit)
        place = square_cell(SCHEMES["white"], Piece.BISHOP, bit, relevant.bit_count())
        assert first_conflict(place, int(magic, 16)) is None
        assert f"  mask {relevant:#018x}, index " in result.stdout
        assert f"  shift {64 - place.bits}\n" in result.stdout
        assert f"  order {order}: {order.removesuffix('-files')} is bit 0\n" in result.stdout
        _, said = asked(run, f"find bishop {square} --order {order}")
        assert (said["square"], said["order"]) == (square, order)
        assert (said["mask"], said["shift"]) == (f"{place.mask:#018x}", 64 - place.bits)
    for words in ("--set", "pR e5 --board 9x10"):  # an order is for a square of chess
        assert run("find", "--order", "a8", *words.split()).exit_code == 2


def test_the_api_does_the_same():
    found = magicert.find("rook", "c2", 9)
    assert (found.magic, found.shift) == (0xCAE2002CAC99FFFA, 55)
    assert found.mask == mask(Piece.ROOK, parse_square("c2"))
    assert magicert.find("bishop", "a8", order="a8").mask == mask(Piece.BISHOP, 0)
    assert isinstance(magicert.disprove("rook", "c2", 8), Impossible)
    with pytest.raises(magicert.InputError, match="a9"):
        magicert.find("rook", "a1", order="a9")
