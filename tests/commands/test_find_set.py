"""`magicert find-set`, for chess and any board: verified, reproducible, resumable; the forms of its
table: their bytes, and that they can be written.
"""

import itertools
import json
import re
import signal
import subprocess
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest
from click.shell_completion import get_completion_class
from click.testing import Result

import magicert
from magicert.api.forms import TableForm, attack_sets, entry_bits, pieces_of, size_of, sizes
from magicert.betza import parse_piece
from magicert.board import Board
from magicert.cell import first_conflict
from magicert.chess import Piece, mask
from magicert.commands.app import cli
from magicert.compact.emit import prepare_table
from magicert.data import small_board_tables
from magicert.engine import EngineRequest
from magicert.movement import attacks_of
from magicert.occupancy import carry_rippler
from magicert.outcome import Observer, Outcome
from magicert.problem import InputError
from magicert.scheme import SCHEMES
from magicert.search.finders import trial
from magicert.search.sets import atlas_magics
from magicert.table import Table, read_table
from magicert.table.write import MARK
from magicert.targets import square_cell
from magicert.verify.table.verifier import verify

TRIED = ("-O", "construct=no")
Find = Callable[..., Result]
GOLDEN = Path(__file__).parent / "golden_set_seed_1.toml"


@pytest.fixture
def find(run):
    """`magicert find-set`, which must end well or as the test says."""
    return lambda *words, status=0: run("find-set", *words, status=status)


def numbers(table: Table) -> dict[str, object]:
    """What a table computes with, without its name and provenance."""
    return {p.value: (half.index.text, dict(half.parameters)) for p, half in table.pieces.items()}


@pytest.mark.parametrize("workers", ["1", "3"])
def test_seed_1_gives_the_golden_table(find, tmp_path, workers):
    path = tmp_path / "set.toml"
    result = find("-o", path, "--workers", workers, *TRIED)
    first, second, *_ = result.stdout.splitlines()
    assert first == "EXISTS set of magics, scheme white, 128 squares"
    assert second == "  rook 102,400 slots"
    written = read_table(path)
    assert numbers(written.table) == numbers(read_table(GOLDEN).table)
    assert verify(written).verdict == "valid"
    assert [p.name for p in tmp_path.iterdir()] == ["set.toml"]
    provenance = written.table.provenance
    assert provenance.seed == 1
    assert provenance.command == "magicert find-set -O construct=no --seed 1"


def test_a_set_is_built_without_a_trial(find, tmp_path, monkeypatch):
    monkeypatch.setattr("magicert.search.finders.trial._Search.run", None)
    find("-o", tmp_path / "set.toml")
    assert verify(read_table(tmp_path / "set.toml")).verdict == "valid"


def test_without_output_the_table_goes_to_standard_output(find):
    result = find("--piece", "bishop", "--scheme", "black", "--seed", "7")
    document = tomllib.loads(result.stdout)
    assert "rook" not in document
    assert "~mask" in document["bishop"]["index"]
    assert document["provenance"]["command"] == (
        "magicert find-set --piece bishop --scheme black --seed 7"
    )
    assert "verified exhaustively, 5,248 lookups" in result.stderr


OWN = "((occ & mask) * magic + 0x1234) >> (64 - bits)"


@pytest.mark.parametrize(
    ("words", "bits", "slots"),
    [
        (["--fixed-shift"], {"rook": 12, "bishop": 9}, 64 * 4096 + 64 * 512),
        (["--bits", "13", "--piece", "rook"], {"rook": 13}, 64 * 8192),
        (["--fixed-shift", "--scheme", "two-halves"], {"rook": 12, "bishop": 9}, 294_912),
        (["--fixed-shift", "--scheme", "two-halves-add", "--piece", "bishop"],
         {"bishop": 9}, 32_768),
        (["--fixed-shift", "--scheme", OWN, "--piece", "bishop"], {"bishop": 9}, 0),
    ],
)  # fmt: skip
def test_one_shift_for_all(find, tmp_path, words, bits, slots):
    find("-o", tmp_path / "set.toml", *words)
    table = read_table(tmp_path / "set.toml").table
    found = {piece.value: half.parameters["bits"] for piece, half in table.pieces.items()}
    assert found == {piece: (k,) for piece, k in bits.items()}
    assert sum(half.buffer_size or 0 for half in table.pieces.values()) == slots
    assert OWN not in words or table.pieces[Piece.BISHOP].index.text == OWN


def test_fewer_bits_takes_the_known_magics(find, tmp_path):
    find("--fewer-bits", "-o", tmp_path / "set.toml")
    read = read_table(tmp_path / "set.toml")
    assert verify(read).verdict == "valid"
    bits = {piece: half.parameters["bits"] for piece, half in read.table.pieces.items()}
    squares = itertools.product(Piece, range(64))
    assert sum(bits[p][square] < mask(p, square).bit_count() for p, square in squares) >= 40


def test_the_old_spelling_works_and_says_the_new_one(run, find, tmp_path):
    """Until 0.3.0; a shell that completes words is told nothing."""
    old, new = tmp_path / "old.toml", tmp_path / "new.toml"
    result = run("find", "--piece", "bishop", "--set", "-o", old, status=0)
    assert result.stderr.startswith("find --set is now find-set\n")
    assert "now find-set" not in find("--piece", "bishop", "-o", new).stderr
    assert old.read_text() == new.read_text()
    completion = get_completion_class("bash")(cli, {}, "magicert", "_MAGICERT_COMPLETE")
    offered = completion.get_completions(["find", "--set"], "--fix")
    assert [item.value for item in offered] == ["--fixed-shift"]


def test_a_python_call_records_itself(find):
    """Its provenance is a call that gives the same table; budgets do not belong to it."""
    table = magicert.find_set("bishop", seed=7, options={"construct": "no"}, seconds=60)
    command = table.table.provenance.command
    assert command == "magicert.find_set(pieces=('bishop',), options={'construct': 'no'}, seed=7)"
    again = eval(command, {"magicert": magicert})
    by_command = find("--piece", "bishop", "--seed", "7", *TRIED).stdout
    assert numbers(again.table) == numbers(table.table)
    assert all(hex(magic)[2:] in by_command for magic in numbers(table.table)["bishop"][1]["magic"])
    with pytest.raises(InputError, match="only one of --bits, --fixed-shift"):
        magicert.find_set("rook", bits=3, fixed_shift=True)


class Interrupting:
    """The trial engine, but somebody presses Ctrl-C at the given request."""

    OPTIONS = trial.OPTIONS

    def __init__(self, at: int) -> None:
        self.at = at
        self.asked = 0

    def solve(self, request: EngineRequest, observer: Observer) -> Outcome:
        self.asked += 1
        if self.asked >= self.at:
            raise KeyboardInterrupt
        return trial.solve(request, observer)


def interrupted(find: Find, monkeypatch: pytest.MonkeyPatch, at: int, *words: object) -> Result:
    """`find-set`, whose engine is interrupted at the given request."""
    with monkeypatch.context() as patch:
        patch.setattr("magicert.api.sets.load", lambda _: Interrupting(at))
        return find(*words, status=3)


@pytest.mark.parametrize("workers", ["1", "2"])
def test_an_interrupted_set_keeps_what_it_has_and_resumes(find, tmp_path, monkeypatch, workers):
    path, partial = tmp_path / "set.toml", tmp_path / "set.toml.partial"
    result = interrupted(find, monkeypatch, 11, "-o", path, "--workers", workers, *TRIED)
    assert "UNKNOWN set of magics, scheme white: 10 of 128" in result.stdout
    assert result.stdout.count("0x") == 0  # the file has them
    assert partial.read_text("utf-8").count("0x") >= 10
    assert f"kept in {partial}" in result.stderr
    assert not path.exists()
    before = partial.read_text().replace("magicert find-set", "magicert find --set")
    partial.write_text(before)  # as versions before 0.2.0 left it
    assert "10 squares" in find("-o", path, *TRIED).stderr
    assert not partial.exists()
    assert numbers(read_table(path).table) == numbers(read_table(GOLDEN).table)


def test_what_is_kept_is_checked_when_it_is_read(find, tmp_path, monkeypatch):
    path, partial = tmp_path / "set.toml", tmp_path / "set.toml.partial"
    interrupted(find, monkeypatch, 4, "-o", path)
    other = find("-o", path, "--seed", "2", status=2)
    assert "left by another command (magicert find-set --seed 1)" in other.stderr
    assert "remove it, or choose another output" in other.stderr
    kept = partial.read_text()
    for pattern, new, message in (
        ('(?<="rook b1": )\\[\n *11', "[10", "rook b1: 10 bits: expected 11"),
        ('"0x', '"0x1"]}} ', "trailing characters"),
        ('"0x[0-9a-f]*"', '"0x1"', "0x1 is no magic of 12 bits"),
        ("12", "0", r"Expected `int` >= 1 - at `$.magics[...][0]`"),
        ('"0x', '"', "Expected `str` matching regex"),
        ('"rook a1"', '"rook z9"', "rook z9: no square of this set"),
        ('"command"', '"order"', "unknown field `order`"),
        ("}", "", "truncated"),
    ):
        partial.write_text(re.sub(pattern, new, kept, count=1))
        assert message in find("-o", path, status=2).stderr
    assert not path.exists()


@pytest.mark.cases_of("what_no_slots_can_hold_is_impossible.tsv")
def test_what_no_slots_can_hold_is_impossible(run, tmp_path, words, message):
    output = ["-o", tmp_path / "set.toml"] if words.startswith("find-set") else []
    result = run(*words.split(), *output, status=1)
    assert result.stdout.startswith("IMPOSSIBLE ")
    assert message in result.output
    assert not list(tmp_path.iterdir())


def test_an_interruption_while_verifying_loses_nothing(find, tmp_path, monkeypatch):
    def stop(*_: object, **_options: object) -> None:
        raise KeyboardInterrupt

    path = tmp_path / "set.toml"
    with monkeypatch.context() as patch:
        patch.setattr("magicert.api.sets.verify", stop)
        result = find("--piece", "bishop", "-o", path, status=3)
    assert "UNKNOWN set of magics, scheme white: 64 of 64" in result.stdout
    assert not path.exists()
    find("--piece", "bishop", "-o", path)


def test_a_table_that_the_verifier_refuses_is_not_written(find, tmp_path, monkeypatch):
    monkeypatch.setattr("magicert.search.finders.trial.constructed_magic", lambda _: 1)
    result = find("-o", tmp_path / "set.toml", status=70)  # a bug is no verdict
    assert "the set is invalid: two positions share slot 0" in result.stderr
    assert not (tmp_path / "set.toml").exists()


@pytest.mark.gate_takes(first=8)
@pytest.mark.cases_of("a_set_is_written_and_verifies.tsv")
def test_a_set_is_written_and_verifies(run, find, tmp_path, board, words):
    """The window search proves that a grasshopper on a1 of 4x5 has no magic of 7 bits."""
    output, again = tmp_path / "table.toml", tmp_path / "again.toml"
    result = find("--board", board, *words.split(), "-o", output)
    assert result.stdout.startswith("EXISTS set of ")
    assert run("verify", output).stdout.startswith("valid")
    table = read_table(output).table
    assert run(*table.provenance.command.split()[1:], "-o", again).exit_code == 0
    assert again.read_text() == output.read_text()
    if board == "4x5":
        run("find", "gQ", "a1", "--board", board, "--engine", "window", status=1)
        assert table.pieces["a"].parameters["bits"][0] == 8


OFTEN = """
import sys
from magicert.commands.app import cli
from magicert.show import progress
progress.LINE_EVERY = 0.05
cli(sys.argv[1:])
"""


def test_ctrl_c_keeps_what_is_found(run, child, tmp_path):
    """Rooks of 12 bits would take chance many minutes; the horses before them are kept."""
    output = tmp_path / "table.toml"
    words = "find-set --board 9x10 --piece horse --piece rook --bits 12 -o"
    process = subprocess.Popen(
        [*child.python, "-c", OFTEN, *words.split(), str(output)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stderr
    assert "set of magics for horse, rook on 9x10" in process.stderr.readline()
    for line in process.stderr:
        done = re.search(r"(\d+) of 180", line)
        if done and int(done[1]) >= 90:
            break
    process.send_signal(signal.SIGINT)
    printed, errors = process.communicate()
    assert process.returncode == 3
    assert printed.startswith("UNKNOWN set of magics on 9x10, scheme white")
    assert "the same command resumes" in errors
    assert "Traceback" not in errors
    partial = tmp_path / "table.toml.partial"
    assert len(json.loads(partial.read_text())["magics"]) >= 90
    assert not output.exists()
    kept = partial.read_text()
    partial.write_text(re.sub('"0x[0-9a-f]*"', '"0x0"', kept, count=1))
    assert "is no magic of" in run(*words.split(), output).stderr


def test_sizes_are_those_of_the_engines(find):
    words = ["--board", "9x10", "--piece", "rook", "--piece", "cannon", "--sizes"]
    document = json.loads(find(*words, "--json").stdout)
    forms = {form["options"]: form["bytes"] for form in document["forms"]}
    assert forms["--masks usual"] == 2 * 1_081_344 * 16  # Pikafish
    assert forms["--form lines"] == 667_648
    assert forms["--two-level"] == 2 * 1_081_344 * 2 + (13_800 + 152_106) * 16
    # One index of both pieces, a byte for each line, and what both see on it together.
    assert forms["--form pairs"] == 2 * 1_081_344 + 15_096 * 16
    assert "198,368       41,728        2  --form lines --two-level" in find(*words).stdout


SIZED = [
    ("5x6", "rook cannon horse", {"source"}),
    ("9x9", "rook amazon", {"nothing", "source"}),
    ("10x10", "rook cannon", {"binary", "source"}),
    ("12x11", "rook", {"binary", "source", "table"}),
]


@pytest.mark.parametrize(("board", "pieces", "there"), SIZED)
def test_sizes_say_what_cannot_be_written(find, board, pieces, there):
    named = [word for piece in pieces.split() for word in ("--piece", piece)]
    words = ["--board", board, *named, "--sizes"]
    forms = json.loads(find(*words, "--json").stdout)["forms"]
    assert {form["written"] for form in forms} == there
    shown = find(*words).stdout
    assert ("too large for find-set" in shown) == ("nothing" in there)
    assert ("emit --lang binary" in shown) == ("binary" in there)


@pytest.mark.parametrize("place", range(7))
def test_what_sizes_offer_can_be_written(run, find, tmp_path, place):
    """Each line, as it is printed, gives a table of these bytes, which verify certifies and emit
    writes.
    """
    words = ["--board", "5x5", *(w for p in ("cannon", "dragon-king") for w in ("--piece", p))]
    form = json.loads(find(*words, "--sizes", "--json").stdout)["forms"][place]
    assert form["written"] == "source"
    table, source = tmp_path / "t.toml", tmp_path / "t.h"
    result = find(*words, *form["options"].split(), "-o", table, "--json")
    assert json.loads(result.stdout)["bytes"] == form["bytes"]
    assert run("verify", table, status=0).stdout.startswith("valid")
    run("emit", table, "--lang", "c", "-o", source, status=0)
    assert prepare_table(read_table(table), "test").bytes == form["bytes"]


def test_what_nothing_blocks_is_no_lookup(run, tmp_path):
    """And a line that several pieces have is one part, called after the simpler piece."""
    pieces = [word for name in ("amazon", "rook", "knight") for word in ("--piece", name)]
    words = ["find-set", "--board", "5x4", "--form", "lines", *pieces]
    run(*words, "-o", tmp_path / "t.toml", status=0)
    table = read_table(tmp_path / "t.toml").table
    assert list(table.pieces) == ["rook_v", "rook_h", "amazon_d", "amazon_a"]
    parts = {name: piece.parts for name, piece in table.joined.items()}
    assert parts == {"amazon": tuple(table.pieces), "rook": ("rook_v", "rook_h"), "knight": ()}
    assert table.leaps_of("amazon") == table.leaps_of("knight")
    assert table.leaps_of("rook") is None
    # Nothing but leaps is looked up: a table has pieces.
    run(*words[:5], "--piece", "knight", "-o", tmp_path / "k.toml", status=0)
    assert list(read_table(tmp_path / "k.toml").table.pieces) == ["knight"]
    twice = run(*words[:5], "--piece", "rook", "--piece", "rook_v=sR", status=2)
    assert "two pieces are called rook_v: expected another name" in twice.stderr


@pytest.mark.parametrize(
    "name",
    ["xiangqi-small",
     *(pytest.param(f"12x10-{form}", marks=pytest.mark.slow) for form in ("small", "lines"))],
)  # fmt: skip
def test_the_tables_that_ship_are_what_their_commands_give(run, tmp_path, name):
    path, output = small_board_tables()[name], tmp_path / "table.toml"
    result = run(*read_table(path).table.provenance.command.split()[1:], "-o", output, status=0)
    assert "find --set is now find-set" in result.stderr
    written = output.read_text().removeprefix(MARK)
    assert written.replace("magicert find-set", "magicert find --set") == path.read_text()


def test_the_atlas_knows_magics_of_fewer_bits():
    for scheme, least in (("white", 40), ("black", 20)):
        known = atlas_magics(scheme)
        assert len(known) >= least
        for (piece, square), magic in known.items():
            cell = square_cell(SCHEMES[scheme], Piece(piece), square, magic.bits)
            assert magic.bits < cell.mask.bit_count()
            assert first_conflict(cell, magic.magic) is None, (piece, square)


def test_bytes_are_slots_times_words_and_numbers_with_sets_behind():
    board = Board(5, 5)
    pieces = pieces_of(["rook"], board)
    sets = 0
    for square in range(25):
        rank, file = divmod(square, 5)
        line = sum(1 << s for s in range(25) if (s // 5 == rank) != (s % 5 == file))
        seen = {attacks_of(board, pieces["rook"], square, o) for o in carry_rippler(line)}
        sets += len(seen)
    plain, levels = (size_of(board, pieces, TableForm(two_level=two)) for two in (False, True))
    assert plain.bytes == plain.slots * 8
    assert (levels.sets, levels.entry) == (sets, 1)
    assert levels.bytes == levels.slots + sets * 8
    assert [" ".join(size.form.options) for size in sizes(board, pieces)] == [
        "--masks usual", "", "--fixed-shift", "--two-level", "--form lines",
        "--form lines --two-level", "--form pairs",
    ]  # fmt: skip
    with pytest.raises(InputError, match="more than 16 bits can number"):
        entry_bits([attack_sets(Board(11, 11), parse_piece("pQ"))])
