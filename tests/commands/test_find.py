"""`magicert find` and `disprove`: what is known, what is checked before it is shown, documents."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

import magicert
from magicert.api.known import known
from magicert.atlas import Atlas, read_atlas
from magicert.cell import Cell, first_conflict
from magicert.chess import Piece, mask, parse_square
from magicert.data import atlas_path, tables_folder
from magicert.known_magics import known_magics
from magicert.outcome import Exists, Impossible, Unknown
from magicert.scheme import SCHEMES
from magicert.targets import square_cell

MAGIC = 0x2020202020200
"""A magic of bishop a1 with 6 bits; so is every word with the same 55 low bits."""


@pytest.fixture(scope="module")
def white() -> Atlas:
    return read_atlas(atlas_path())


def cell(piece: str, square: str, bits: int, largest: int | None = None) -> Cell:
    scheme, bit = SCHEMES["white"], parse_square(square)
    return square_cell(scheme, Piece(piece), bit, bits, largest_index=largest)


def answered(run: Any, words: str, *more: str | Path) -> tuple[int, Any]:
    """The exit status, and the document."""
    result = run(*words.split(), *more, "--json")
    return result.exit_code, json.loads(result.stdout)


def test_what_is_known_is_said_with_its_finder_and_evidence(run, white):
    entry = white.cells[Piece.ROOK, parse_square("c2"), -9]
    result = run("find", "rook", "c2", "--bits", "9")
    assert result.exit_code == 0
    assert result.stdout.startswith(f"known: exists, {entry.credit}\n")
    assert f"  magic {int(entry.magic, 16):#018x}\n" in result.stdout
    entry = white.cells[Piece.BISHOP, parse_square("c1"), -4]
    for command, status in (("find", 1), ("disprove", 0)):
        result = run(command, "bishop", "c1", "--bits", "4")
        first = result.stdout.splitlines()[0]
        assert result.exit_code == status
        assert first.startswith("known: impossible, first claimed by ")
        assert f"evidence: {entry.evidence} (bishop-c1-4 and bishop-c1-4.drup)" in first
        (shown,) = re.findall("^  certificate: (.*)$", result.stdout, re.MULTILINE)
        assert Path(shown).samefile(tables_folder() / entry.certificate), "it can be opened"
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
        assert all(tried in found.line for tried in (*entry.tried, entry.credit))
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
    monkeypatch.setattr("magicert.api.known.atlas_path", lambda _: tmp_path / "atlas.toml")
    result = run("find", "rook", "c2", "--bits", "9")
    assert result.exit_code == 70
    assert "which is no magic" in result.stderr


def test_a_search_that_is_asked_for_is_made(run, say):
    say(Unknown("given up"))
    for arguments in (["--search"], ["--engine", "guess"], ["--all"]):
        result = run("find", "bishop", "d8", "--bits", "4", *arguments)
        assert (result.exit_code, "  given up\n" in result.stdout) == (3, True)
        assert result.stdout.startswith("known: impossible")


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
        result = run("find-set", "--piece", "bishop", *arguments)
        assert (result.exit_code, result.stdout) == (70, "")
        assert not output.exists()
    say(Exists(()))
    assert run("find", "bishop", "a1").exit_code == 70


def test_outcomes_as_json(run, say):
    magics = (MAGIC, *(known.magic for known in known_magics(cell("bishop", "a1", 6))))
    say(Exists(magics, complete=True, figures={"tests": 3}))
    status, said = answered(run, "find bishop a1")
    assert (status, said["outcome"]) == (0, "exists")
    assert said["magics"] == [f"{magic:#018x}" for magic in magics]
    assert (said["piece"], said["square"], said["bits"]) == ("bishop", "a1", 6)
    assert (said["complete"], said["figures"]) == (True, {"tests": 3})
    say(Impossible("nothing fits"))
    status, said = answered(run, "disprove bishop a1 --bits 4 --search")
    assert (status, said["outcome"], said["argument"]) == (0, "impossible", "nothing fits")
    assert said["evidence"] == "a solver alone"
    say(Unknown("out of time", "3 of 4 shards done"))
    status, said = answered(run, "find bishop a1")
    assert (status, said["outcome"], said["progress"]) == (3, "unknown", "3 of 4 shards done")


def test_the_api_does_the_same():
    found = magicert.find("rook", "c2", 9)
    assert (found.magic, found.shift) == (0xCAE2002CAC99FFFA, 55)
    assert found.mask == mask(Piece.ROOK, parse_square("c2"))
    assert magicert.find("bishop", "a8", order="a8").mask == mask(Piece.BISHOP, 0)
    assert isinstance(magicert.disprove("rook", "c2", 8), Impossible)
    with pytest.raises(magicert.InputError, match="a9"):
        magicert.find("rook", "a1", order="a9")
    number = magicert.find("bishop", "a1", magic=MAGIC)
    assert (number.kind, number.magics) == ("exists", (MAGIC,))
    assert magicert.find("bishop", "a1", magic="0x1").kind == "invalid"


def test_the_old_name_of_all_magics_works(say):
    """Until 0.3.0."""
    say(Exists((MAGIC,)))
    with pytest.warns(DeprecationWarning, match="all_magics"):
        old = magicert.find("bishop", "a1", everything=True)
    assert old == magicert.find("bishop", "a1", all_magics=True)


def test_what_is_wrong_with_an_option_of_an_engine_is_a_document_too(run):
    """It is read while click reads the words, wherever --json stands."""
    for words in (("-O", "ands", "--json"), ("--json", "-O", "ands"), ("-O", "ands=99", "--json")):
        result = run("find", "rook", "e4", *words, status=2)
        assert json.loads(result.stdout)["verdict"] == "bad input"
        assert "ands" in result.stderr


FOLD = "((lo32(occ ^ occ - 1) ^ hi32(occ ^ occ - 1)) * u32(magic)) >> 26"
"""Glaurung's fold hash of a word's lowest bit: 64 words of one bit in 64 slots."""


def test_the_fold_hash_of_the_lowest_bit(run):
    known = ("find", "lowest-bit", "--scheme", FOLD, "--magic")
    assert run(*known, "0x783a9b23", status=0).stdout.startswith("EXISTS")
    wrong = run(*known, "0x783a9b25", status=1).stdout
    assert wrong.startswith("NO MAGIC")
    assert "occupancies 0x400000 and 0x2000000 share the index 6" in wrong
    plan = "23 u1 e0:" + " d1" * 23 + " u" * 9  # the planner's, or a slower one: it is not asked
    by_window = ("--engine", "window", "-O", f"plan={plan}")
    found = run("find", "lowest-bit", "--scheme", FOLD, *by_window, status=0).stdout
    assert "magic 0x0000000078291acf" in found
    assert "shift" not in found  # the formula has its own
    assert run(*known, "0x78291acf", status=0)


def test_a_number_is_checked_for_any_cell(run):
    by_hand = run("find", "rook", "a1", "--bits", "12", "--magic", "0x1234", "--json")
    assert (by_hand.exit_code, json.loads(by_hand.stdout)["outcome"]) == (1, "no magic")
    found = json.loads(run("find", "rook", "a1", "--json", status=0).stdout)["magics"][0]
    again = json.loads(run("find", "rook", "a1", "--magic", found, "--json", status=0).stdout)
    assert (again["outcome"], again["engine"]) == ("exists", "check")
    small = run("find", "rook", "a1", "--magic", found, "--largest-index", "7", status=1).stdout
    assert "larger than allowed" in small


def test_one_square_of_any_board(run):
    for piece, square, board, bits in (("pR", "e5", "9x10", 13), ("R", "c3", "5x5", 4)):
        document = json.loads(
            run("find", piece, square, "--board", board, "--json", status=0).stdout
        )
        assert (document["piece"], document["board"]) == (piece, board)
        assert (document["square"], document["bits"]) == (square, bits)
        assert document["outcome"] == "exists"
    large = ("pR", "e5", "--board", "9x10", "--bits")
    assert run("disprove", *large, "8").exit_code == 0
    open_ = run("find", *large, "12", "-O", "candidates=10", status=3)
    assert open_.stdout.startswith("UNKNOWN")


@pytest.mark.gate_takes(each_of="parts")
@pytest.mark.parametrize(("piece", "parts"), [("queen", True), ("Q", True), ("amazon", False)])
def test_a_mask_too_large_for_trial_gets_advice(run, piece, parts):
    """A chancellor's is built, and nothing is said."""
    done = run("find", piece, "e4", "-O", "candidates=1", status=3)
    for facts in (done.stdout, done.stderr):
        assert ("19 squares" in facts, "rook and bishop" in facts) == (True, parts)
        assert f"magicert find-set --board 8x8 --piece {piece} --sizes" in facts
    assert "--sizes" not in run("find", "chancellor", "e4", status=0).output
