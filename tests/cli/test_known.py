"""`magicert find` and `disprove` say what is known, and answer in the user's square order."""

import json
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from click.testing import Result

import magicert
from magicert.atlas import Atlas, read_atlas
from magicert.board import Piece, mask, parse_square
from magicert.cell import Cell, Slider, first_conflict, square_cell
from magicert.data import atlas_path
from magicert.engine import EngineRequest
from magicert.outcome import Exists, Impossible, Observer, Outcome, Unknown
from magicert.requests.find import known
from magicert.scheme import SCHEMES

Run = Callable[..., Result]


@cache
def white() -> Atlas:
    return read_atlas(atlas_path())


def first_line(result: Result) -> str:
    return result.stdout.splitlines()[0]


def test_what_exists_is_said_with_its_finder_and_date(run: Run) -> None:
    entry = white().entries[Piece.ROOK, parse_square("c2"), -9]
    result = run("find", "rook", "c2", "--bits", "9")
    assert result.exit_code == 0
    assert first_line(result) == f"known: exists, {entry.credit}"
    assert f"  magic {int(entry.magic, 16):#018x}\n" in result.stdout


def test_what_is_impossible_is_said_with_its_evidence(run: Run) -> None:
    entry = white().entries[Piece.BISHOP, parse_square("c1"), -4]
    for command, status in (("find", 1), ("disprove", 0)):
        result = run(command, "bishop", "c1", "--bits", "4")
        assert result.exit_code == status
        assert first_line(result).startswith("known: impossible, first said by ")
        assert f"evidence: {entry.evidence} ({entry.certificate}" in first_line(result)
    fewer = run("find", "bishop", "c1", "--bits", "3")
    assert (fewer.exit_code, "even with 4 bits" in first_line(fewer)) == (1, True)


class Asked:
    """An engine that gives up at once."""

    OPTIONS = ()

    def solve(self, request: EngineRequest, observer: Observer) -> Outcome:
        return Unknown("asked")


@pytest.mark.parametrize("arguments", [["--search"], ["--engine", "guess"], ["--all"]])
def test_a_search_that_is_asked_for_is_made(
    run: Run, arguments: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("magicert.requests.find.load", lambda _: Asked())
    result = run("find", "bishop", "d8", "--bits", "4", *arguments)
    assert (result.exit_code, "  asked\n" in result.stdout) == (3, True)
    assert first_line(result).startswith("known: impossible")


@pytest.mark.parametrize(
    ("cold", "arguments", "engine"),
    [
        (True, ["bishop", "d1", "--bits", "4", "--search"], "z3"),
        (False, ["bishop", "d1", "--bits", "4", "--search"], "window"),
        (True, ["bishop", "d1", "--bits", "4", "--engine", "window"], "window"),
        (True, ["bishop", "d1", "--bits", "4", "-O", "record=yes"], "window"),
        (True, ["bishop", "d1", "--bits", "4", "--scheme", "black", "--search"], "window"),
        (True, ["rook", "c2", "--bits", "8", "--search"], "window"),
    ],
)
def test_nobody_waits_for_a_compiler_where_z3_answers(
    run: Run, cold: bool, arguments: list[str], engine: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    named: list[str] = []
    monkeypatch.setattr("magicert.search.window.is_cold", lambda: cold)
    monkeypatch.setattr("magicert.requests.find.load", lambda name: named.append(name) or Asked())
    monkeypatch.setattr("magicert.requests.find.option_values", lambda *_: {})
    result = run("disprove", *arguments)
    assert (result.exit_code, named) == (3, [engine])
    assert ("Z3 answers: the window search" in result.stderr) == (engine == "z3")


def test_where_chance_finds_at_once_nothing_is_looked_up(run: Run) -> None:
    result = run("find", "bishop", "a1", "--json")
    said = json.loads(result.stdout)
    assert (said["engine"], said["known"]) == ("trial", "")
    said = json.loads(run("disprove", "bishop", "a1", "--bits", "6", "--json").stdout)
    assert (said["engine"], said["outcome"]) == ("atlas", "exists")


def cell(piece: str, square: str, bits: int, largest: int | None = None) -> Cell:
    about = Slider(Piece(piece), parse_square(square))
    return Cell(SCHEMES["white"], about, bits, largest_index=largest)


def test_ranges_answer_about_largest_indexes() -> None:
    """At the range, one below it, and below a bound whose certificate goes less far."""
    compared = 0
    for entry in white():
        given = entry.range
        if given is None:
            continue
        held = known(cell(entry.piece, entry.square, entry.bits, given.largest))
        assert held is not None
        assert held.outcome == Exists((int(given.magic, 16),))
        if given.largest > 0:
            less = known(cell(entry.piece, entry.square, entry.bits, given.largest - 1))
            impossible = less is not None and isinstance(less.outcome, Impossible)
            assert impossible == bool(given.is_smallest and given.certificate), str(entry)
            compared += impossible
    assert compared >= 40


def test_of_an_open_cell_what_was_tried_is_said() -> None:
    for entry in white().open():
        found = known(cell(entry.piece, entry.square, entry.bits))
        assert found is not None
        assert found.outcome is None
        assert all(tried in found.said for tried in entry.tried)
        assert entry.credit in found.said


def test_the_atlas_is_not_believed(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    forged = atlas_path().read_text("utf-8").replace("0xcae2002cac99fffa", "0xcae2002cac99fffb")
    (tmp_path / "atlas.toml").write_text(forged)
    monkeypatch.setattr("magicert.requests.find.atlas_path", lambda _: tmp_path / "atlas.toml")
    result = run("find", "rook", "c2", "--bits", "9")
    assert result.exit_code == 70
    assert "which is no magic" in result.stderr


@pytest.mark.parametrize(
    ("order", "square", "bit"),
    [("a1", "a8", 56), ("a8", "a8", 0), ("h1", "g3", 17), ("a1-files", "b1", 8)],
)
def test_an_order_finds_the_magic_of_its_bit(run: Run, order: str, square: str, bit: int) -> None:
    result = run("find", "bishop", square, "--order", order)
    assert result.exit_code == 0
    (magic,) = re.findall("  magic (0x[0-9a-f]{16})", result.stdout)
    place = square_cell(SCHEMES["white"], Piece.BISHOP, bit, mask(Piece.BISHOP, bit).bit_count())
    assert first_conflict(place, int(magic, 16)) is None
    assert f"  mask {mask(Piece.BISHOP, bit):#018x}, index " in result.stdout
    assert f"  shift {64 - place.bits}\n" in result.stdout
    corner = order.removesuffix("-files")
    assert f"  order {order}: {corner} is bit 0\n" in result.stdout
    said = json.loads(run("find", "bishop", square, "--order", order, "--json").stdout)
    assert (said["square"], said["order"]) == (square, order)
    assert (said["mask"], said["shift"]) == (f"{place.mask:#018x}", 64 - place.bits)


def test_an_order_is_for_a_square_of_chess(run: Run) -> None:
    for arguments in (["--set"], ["pR", "e5", "--board", "9x10"]):
        assert run("find", "--order", "a8", *arguments).exit_code == 2


def test_the_api_does_the_same() -> None:
    found = magicert.find("rook", "c2", 9)
    assert isinstance(found, Exists)
    assert (found.magic, found.shift) == (0xCAE2002CAC99FFFA, 55)
    assert found.mask == mask(Piece.ROOK, parse_square("c2"))
    turned = magicert.find("bishop", "a8", order="a8")
    assert isinstance(turned, Exists)
    assert turned.mask == mask(Piece.BISHOP, 0)
    assert isinstance(magicert.disprove("rook", "c2", 8), Impossible)
    with pytest.raises(magicert.InputError, match="a9"):
        magicert.find("rook", "a1", order="a9")
