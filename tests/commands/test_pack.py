"""`magicert pack`: where it begins, what is on disk whenever it ends, what cannot be."""

import json
import shlex
import signal
import tomllib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import Result

import magicert
from magicert.board import Board
from magicert.chess import Piece, attack_set, mask
from magicert.compact import anneal, boards, layouts, plain, sharing, start
from magicert.compact.bounds import lower_bound
from magicert.compact.job import PackSettings
from magicert.compact.pack import squeezed
from magicert.compact.pages import bishops as pages
from magicert.compact.pages.columns import Library, LibraryOrder, collect, save_libraries
from magicert.compact.pages.interleave import half_library
from magicert.compact.placements import CellData, Choice, Key, Placement, cell_data
from magicert.compact.plain import PackFound, PlainJob, proved_bound
from magicert.compact.progress import Workers
from magicert.compact.publish import publish
from magicert.compact.two_level import two_level
from magicert.data import PackRun, find_table, pack_runs, record_tables, tables_folder
from magicert.occupancy import carry_rippler
from magicert.outcome import NullPhase, Observer, Quiet
from magicert.problem import InputError
from magicert.system import deadline as deadline_module
from magicert.system.deadline import BudgetOverError, Deadline
from magicert.table import Provenance, TableFile, read_table
from magicert.table.write import table_toml
from magicert.verify.table.verifier import verify

Run = Callable[..., Result]
BISHOPS = "--piece bishop --bishop-bits 10"


def outcome_of(output: Path, seconds: float = 1e6, source: Path | None = None, **more: Any) -> Any:
    """What a run comes to that nobody watches."""
    file = None if source is None else read_table(source)
    settings = PackSettings(output=output, seconds=seconds, source=file, **more)
    return PlainJob(settings, NullPhase).outcome()


def done_by(run: Run, output: Path, arguments: str, *more: str | Path) -> Result:
    """A run that ends well, and whose table is valid."""
    done = run("pack", *arguments.split(), *more, "-o", output, status=0)
    assert verify(read_table(output)).verdict == "valid"
    return done


def packed(run: Run, output: Path, arguments: str, *more: str | Path) -> TableFile:
    done_by(run, output, arguments, *more)
    return read_table(output)


REFUSALS = (Path(__file__).parent / "refusals.toml").read_text()


@pytest.mark.parametrize(("status", "asked", "said"), tomllib.loads(REFUSALS)["pack"])
def test_what_cannot_be_packed_is_refused_before_the_search(
    run, tmp_path, monkeypatch, lacking, status, asked, said
):
    monkeypatch.chdir(tmp_path)
    done = run(*shlex.split(asked.replace("BOARDS", str(tables_folder() / "boards"))))
    assert done.exit_code == status, done.output
    assert lacking([said], " ".join(done.output.replace("│", " ").split())) == []
    assert not list(tmp_path.iterdir())


def test_packing_a_published_table_writes_a_valid_table_and_its_certificate(run, tmp_path):
    output = tmp_path / "out.toml"
    done = done_by(run, output, "--from cfish_black --rounds 0 --two-level 8")
    for said in (
        "87,988 entries (black)",
        "72,118 used, 15,870 holes",
        "138,612 bytes",  # 87,988 numbers, and 6,328 sets of eight bytes, each square's own
    ):
        assert said in done.output
    command = read_table(output).table.provenance.command
    assert command.startswith("magicert pack --from cfish_black --seed 1")
    assert (tmp_path / "out.certificate.json").exists()
    assert verify(read_table(tmp_path / "out-two-level.toml")).verdict == "valid"
    short = run("pack", "--resume", "--rounds", "0", "--limit", "60000", "-o", output)
    said = "UNKNOWN at most 60,000 entries: the shortest found has 87,988"
    assert (short.exit_code, said in short.output) == (3, True)


def test_a_limit_is_impossible_below_what_is_proved_only(run, tmp_path):
    """The attack sets are counted one by one here; a record's own length is reached."""
    sets_of = [
        {
            attack_set(p, square, occupancy)
            for p in Piece
            for occupancy in carry_rippler(mask(p, square))
        }
        for square in range(64)
    ]
    for squares, wanted in ((range(64), 6326), (range(32), 3164)):
        sets = set().union(*(sets_of[square] for square in squares))
        assert (lower_bound(list(Piece), squares), len(sets)) == (wanted, wanted)
    data = tomllib.loads((tables_folder() / "bounds" / "lower-bound.toml").read_text("utf-8"))
    bound = data["entries"]
    length = read_table(tables_folder() / "records" / "black.toml").table.buffer_size
    for limit, status, word in (
        (bound - 1, 1, "IMPOSSIBLE"), (bound, 3, "UNKNOWN"), (bound + 1, 3, "UNKNOWN"),
        (6325, 1, "6,326 different attack sets"), (bound - 1, 1, data["page"]),
        (length - 1, 3, "UNKNOWN"), (length, 0, f"{length:,} entries"),
    ):  # fmt: skip
        output = tmp_path / f"{limit}.toml"
        done = run("pack", "--from", "black", "--rounds", 0, "--limit", limit, "-o", output)
        assert (done.exit_code, word in done.output) == (status, True), done.output
        assert ("IMPOSSIBLE" in done.output) == (status == 1)


def test_the_proved_bound_is_for_rooks_of_its_bits_only():
    """With other bits, or of bishops alone, nothing but the attack sets counts."""
    assert proved_bound([Piece.ROOK], {8, 12})[0] > 4900
    for bits in ({7}, {12, 13}, {10, 6}):
        assert proved_bound(list(Piece), bits)[0] == 0
    assert proved_bound([Piece.BISHOP], {9})[0] == 0


@pytest.mark.parametrize(("piece", "bound"), [(Piece.ROOK, 14_840), (Piece.BISHOP, 1426)])
@pytest.mark.parametrize("option", ["both", "rook", "bishop"])
def test_what_is_impossible_is_so_of_the_pieces_of_the_table_that_is_given(
    run, tmp_path, piece, bound, option
):
    """Whatever --piece says, which counts from nothing only."""
    table = read_table(find_table("shakmaty")).table
    alone = replace(table, pieces={piece: table.pieces[piece]})
    given = tmp_path / "given.toml"
    given.write_text(table_toml(alone))
    for limit, status in ((bound - 1, 1), (bound, 3)):
        asked = ("--from", given, "--piece", option, "--rounds", 0, "--limit", limit)
        done = run("pack", *asked, "-o", tmp_path / f"{limit}.toml")
        assert (done.exit_code, "IMPOSSIBLE" in done.output) == (status, status == 1), done.output


def test_seven_bits_for_a_bishop_on_d4_are_not_found():
    cells = {(Piece.BISHOP, 27): cell_data("black", Piece.BISHOP, 27, 7)}
    with pytest.raises(start.NoPlaceError, match=r"d4: no magic of 7 bits found") as error:
        start.fill_pools(cells, 1, dict.fromkeys(Piece, (1, 2_000)))
    assert not error.value.impossible


@pytest.mark.usefixtures("hasty")
def test_private_buffers_do_not_overlap_and_pools_are_used_again(run, tmp_path):
    pools, output = tmp_path / "pools.npz", tmp_path / "private.toml"
    report = verify(packed(run, output, f"--private {BISHOPS} --pools", pools))
    kept = pools.read_bytes()
    ends = [square.offset + square.index_max + 1 for square in report.squares]
    assert [square.offset for square in report.squares] == [0, *ends[:-1]]
    again = packed(run, output, f"--private {BISHOPS} --force --seed 2 --pools", pools)
    assert verify(again).buffers[0].length == report.buffers[0].length
    assert pools.read_bytes() == kept


def test_a_two_level_table_is_not_numbered_again():
    with pytest.raises(InputError, match="already"):
        two_level(two_level(read_table(find_table("cfish_black")).table, 8), 8)


@pytest.mark.gate_takes
@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGKILL])
def test_whoever_ends_a_run_leaves_a_valid_table_that_can_be_resumed(run, child, sent, tmp_path):
    output = tmp_path / "ended.toml"
    run("pack", "--from", "cfish_black", "--rounds", 0, "-o", output, status=0)
    arguments = ("pack", "--resume", "--budget", "10h", "-o", output)
    with child.start(*arguments, command=child.impatient) as process:
        try:
            # The end of the errors is the end of the process: nothing is waited for that long.
            assert any("squeezing" in line for line in process.stderr)
            process.send_signal(sent)
            said, _ = process.communicate(timeout=child.lost)
        finally:
            process.kill()
    assert process.returncode == (3 if sent == signal.SIGINT else -sent)
    assert ("interrupted" in said) == (sent == signal.SIGINT)
    report = verify(read_table(output))
    assert report.verdict == "valid"
    assert report.buffers[0].length <= 87_988
    assert run("pack", "--resume", "--rounds", "0", "-o", output).exit_code == 0


# Budgets and what is said meanwhile.

OVER = Deadline(0.0)
CELL = cell_data("black", Piece.BISHOP, 0, 9)
PAGE = (pages.PagePlacement(18, 1, (1 << 64) - 1, 0, 64),)
ONE_MAGIC = Library(18, np.ones(1, np.uint64), np.ones(1, np.uint64), np.zeros(1, np.uint8))


def bishops(scheme: str, squares: int) -> dict[Key, CellData]:
    keys = [(Piece.BISHOP, square) for square in range(squares)]
    return {key: cell_data(scheme, *key, 10) for key in keys}


def test_every_kind_of_work_ends_at_its_deadline(tmp_path):
    path = tmp_path / "libraries.npz"
    save_libraries([ONE_MAGIC], path)
    placement, late = Placement(CELL, Choice(1), np.arange(3)), Workers(deadline=OVER)
    d4 = cell_data("black", Piece.BISHOP, 27, 9)
    works: list[Callable[[], object]] = [
        lambda: start.place({placement.key: CELL}, {placement.key: [placement]}, 1, (), late),
        lambda: anneal.fill_pool(start.EFFORTS, 1, OVER, CELL),
        lambda: collect(LibraryOrder(18, True, 1, OVER)),
        lambda: pages.fill_page(path, (18,), OVER, (1,)),
        lambda: pages.refill(path, (PAGE,), OVER, (1,)),
        lambda: pages.bishop_shelf([d4], 1, late),
        lambda: half_library(OVER, (25, 16, 1)),
    ]
    for work in works:
        with pytest.raises(BudgetOverError):
            work()
    # Pages that are there are kept.
    plan = start.StartPlan({(Piece.ROOK, 18): CELL}, refills=5)
    first = start.Paged("constant", (PAGE,))
    refilled = start.refilled_pages(plan, [ONE_MAGIC], first, lambda *_: None, late, {})
    assert refilled == (first, 0)


def test_a_budget_that_ends_before_the_first_layout_is_unknown(tmp_path):
    outcome = outcome_of(tmp_path / "no.toml", 1e-9)
    assert ("no layout in 0 s" in outcome.reason, outcome.exit_status) == (True, 3)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("name", "record", "shorter"), [("cfish_black", "", "black"), ("black", "black", "black")]
)
def test_a_budget_that_is_over_leaves_no_copy_of_the_table_given(tmp_path, name, record, shorter):
    """Unless it is within the limit, no round is wanted, or a second file is made of it."""
    given, output = find_table(name), tmp_path / "same.toml"
    length = layouts.from_table(read_table(given)).length
    outcome = outcome_of(output, 1e-9, given, record=record)
    assert (outcome.kind, outcome.exit_status) == ("unknown", 3)
    for fact in (f"{length:,} entries", "--budget", f"magicert emit {shorter}"):
        assert fact in outcome.reason
    assert not list(tmp_path.iterdir())
    for more in ({"limit": length}, {"rounds": 0}, {"two_level": 8}):
        outcome = outcome_of(output, 1e-9, given, record=record, **more)
        assert (outcome.rounds, outcome.exit_status, outcome.entries) == (0, 0, length)
        assert layouts.from_table(read_table(output)).length == length
        output.unlink()


def test_a_round_that_the_budget_interrupts_counts_for_nothing(monkeypatch):
    # A clock that goes on by a second at every look: the third attempt of four is too late.
    looks = iter(range(1, 100))
    monkeypatch.setattr(deadline_module.time, "time", lambda: float(next(looks)))
    layout = layouts.from_table(read_table(find_table("cfish_black")))
    (start,) = map(layout.arrangement, layout.buffers)
    with pytest.raises(BudgetOverError):
        squeezed(start, [(1, 0, 0)], Deadline(3.0), attempts=4)
    assert next(looks) == 4


@pytest.mark.usefixtures("hasty")
def test_phases_say_what_they_count(tmp_path):
    phases: list[tuple[str, str]] = []
    amounts: list[tuple[float, float | None]] = []

    class Noting(Quiet):
        def progress(self, done: float, total: float | None, note: str = "") -> None:
            amounts.append((done, total))

    @contextmanager
    def watch(doing: str, unit: str) -> Iterator[Observer]:
        phases.append((doing, unit))
        yield Noting()

    few: dict[str, Any] = {"pieces": "bishop", "bishop_bits": 10, "rounds": 0}
    settings = PackSettings(output=tmp_path / "out.toml", seconds=1e6, **few)
    assert isinstance(PlainJob(settings, watch).outcome(), PackFound)
    placing = ("placing squares in the buffer", "squares")
    assert phases == [("magics for every square", "squares"), placing, ("squeezing", "rounds")]
    assert all(total is not None and 0 <= done <= total for done, total in amounts)


def test_a_table_is_told_what_shorter_one_ships(tmp_path):
    record = min(
        (table.buffer_size or 0, name)
        for name, path in record_tables().items()
        if not (table := read_table(path).table).two_level
        and not table.half_board
        # A layered table is of another category: its lookup ends with an AND.
        and all(half.result is None for half in table.pieces.values())
    )
    for name, shorter in (("cfish_black", record[::-1]), (record[1], None)):
        outcome = outcome_of(tmp_path / "out.toml", source=find_table(name), rounds=0)
        assert outcome.shorter == shorter


@pytest.fixture
def apart(hasty: None, tmp_path: Path) -> Path:  # noqa: ARG001
    """Bishops that share nothing, counted from a8."""
    pools = start.ready_pools(bishops("white", 64), 1)
    layout = layouts.Layout("white", tuple(start.in_a_row(pools.values())), order="a8")
    publish(layouts.to_table(layout, "apart", Provenance()), tmp_path / "apart.toml")
    return tmp_path / "apart.toml"


def test_a_table_without_sharing_is_packed_from_nothing(apart, tmp_path):
    length, output = layouts.from_table(read_table(apart)).length, tmp_path / "out.toml"
    outcome = outcome_of(output, source=apart, limit=length * 4 // 5)
    assert (outcome.stopped, outcome.anew, outcome.first) == ("goal", True, length)
    for layout in (outcome.layout, layouts.from_table(read_table(output))):
        assert (layout.scheme, layout.order, layout.shares) == ("white", "a8", True)
        assert {placement.cell.bits for placement in layout.placements} == {10}
    again = outcome_of(output, source=output, resumed=True, limit=length)
    assert again.anew is None


@pytest.mark.parametrize("why", ["no time", "no magic", "no rounds"])
def test_what_is_no_shorter_than_the_table_given_is_not_written(apart, tmp_path, monkeypatch, why):
    """And the run says what would help, and is no success."""
    if why == "no magic":
        monkeypatch.setattr(start, "fill_pool", lambda *_order: [])
        monkeypatch.setattr(plain, "squeezed", lambda before, *_more: before)
    output = tmp_path / "out.toml"
    seconds, rounds = (1e-9, 1) if why == "no time" else (1e6, 0 if why == "no rounds" else 1)
    outcome = outcome_of(output, seconds, apart, rounds=rounds)
    assert (outcome.kind, outcome.exit_status) == ("unknown", 3)
    given = layouts.from_table(read_table(apart)).length
    assert (f"{given:,} entries" in outcome.reason, "--budget" in outcome.reason) == (True, True)
    assert [path.name for path in tmp_path.iterdir()] == ["apart.toml", "apart.certificate.json"]


def test_a_shipped_record_is_named_where_nothing_shorter_was_found(run, tmp_path):
    output = tmp_path / "out.toml"
    done = run("pack", "--from", "stockfish21_64", "--rounds", 0, "-o", output, status=3)
    assert done.stdout.startswith("UNKNOWN")
    for fact in ("107,648 entries", "72,696 entries", "magicert emit black"):
        assert fact in done.stdout
    assert not list(tmp_path.iterdir())
    # Where they are in one buffer, a second, smaller file is made of them.
    levels = ("--rounds", 0, "--two-level", 8, "-o", output)
    done = run("pack", "--from", "stockfish21_64", *levels, status=2)
    assert "--two-level needs a table with one shared buffer" in done.output
    assert not list(tmp_path.iterdir())
    run("pack", "--from", "chess_jl", *levels, status=0)
    assert verify(read_table(tmp_path / "out-two-level.toml")).verdict == "valid"


def test_what_a_minute_comes_to_is_said_before_it_begins(run, tmp_path, monkeypatch):
    """The figures are those of the data, for the scheme and the shifts of the table given."""
    shown = PackRun(["rook", "bishop"], "white", "square", 60, 123_456, "a machine", "a day")
    others = [replace(shown, entries=9), replace(shown, entries=8), replace(shown, entries=7)]
    others = [
        replace(others[0], scheme="black"), replace(others[1], shifts="fixed"),
        replace(others[2], pieces=["rook"]),
    ]  # fmt: skip
    monkeypatch.setattr(plain, "pack_runs", lambda: [*others, shown])
    asked = ("pack", "--from", "stockfish21_64", "--budget", "0.01s", "-o", tmp_path / "out.toml")
    done = run(*asked, status=3)
    assert "no two squares share an entry (107,648 entries)" in done.stderr
    assert "1m 123,456, 10m not measured, 1h not measured" in done.stderr
    assert "on a machine, a day" in done.stderr
    monkeypatch.setattr(plain, "pack_runs", lambda: others)
    assert "was not measured" in run(*asked, status=3).stderr
    sharing = run("pack", "--from", "black", "--rounds", 0, "-o", tmp_path / "black.toml", status=0)
    assert sharing.stderr == ""


def test_the_runs_that_ship_are_of_what_can_be_packed():
    for measured in pack_runs():
        assert measured.pieces == ["rook", "bishop"]
        assert measured.scheme in ("white", "black", "constant")
        assert measured.shifts in ("fixed", "square")
        assert measured.seconds > 0
        assert measured.entries < 107_648


# Where a run begins that is given no table.


@pytest.mark.parametrize(
    ("options", "record"),
    [
        ("", "black"),
        ("--scheme white", "white"),
        ("--rook-bits 12 --bishop-bits 9", "black"),
        ("--scheme constant", ""),
        ("--square-shifts", ""),
        ("--rook-bits 11", ""),
        ("--bishop-bits 10", ""),
        ("--piece bishop", ""),
        ("--apart", ""),
        ("--private", ""),
        ("--refills 3", ""),
        ("--pools POOLS", ""),
        ("--from-nothing", ""),
    ],
)
def test_without_a_table_a_run_begins_with_the_shortest_record_that_fits(
    run, tmp_path, options, record
):
    """Each option that a record does not fit leaves it out, by itself; and the run says so."""
    output, asked = tmp_path / "out.toml", options.replace("POOLS", str(tmp_path / "pools"))
    done = run("pack", *asked.split(), "--rounds", 0, "--budget", "0.001s", "-o", output)
    if record:
        assert f"starting from the record {record}, which ships" in done.stderr
        made, shipped = (read_table(one).table for one in (output, find_table(record)))
        assert (made.pieces, made.buffer_size) == (shipped.pieces, shipped.buffer_size)
        assert f"nothing shorter found: this is the record {record}" in done.stdout
        notes = f"from the record {record} ({shipped.buffer_size:,} entries): nothing shorter"
        assert made.provenance.notes.startswith(notes)
        assert made.provenance.command.startswith(f"magicert pack --from {record} --seed 1")
    else:
        assert (done.exit_code, output.exists()) == (3, False), done.output
        starts_afresh = "starting afresh, as with --from-nothing" in done.stderr
        assert starts_afresh == (options != "--from-nothing")


def test_a_shorter_one_says_from_which_record_it_comes(tmp_path):
    """The record is a longer table here, bishops with nothing before the last of them, so that a
    round makes it shorter.
    """
    table = read_table(find_table("cfish_black")).table
    half = table.pieces[Piece.BISHOP]
    last = max(range(64), key=half.offset.__getitem__)
    moved = (*half.offset[:last], half.offset[last] + 4096, *half.offset[last + 1 :])
    pieces = {Piece.BISHOP: replace(half, offset=moved)}
    (tmp_path / "long.toml").write_text(table_toml(replace(table, pieces=pieces, buffer_size=None)))
    length = layouts.from_table(read_table(tmp_path / "long.toml")).length
    outcome = outcome_of(
        tmp_path / "out.toml", source=tmp_path / "long.toml", record="long", rounds=8,
        limit=length - 1,
    )  # fmt: skip
    assert outcome.entries < length
    notes = read_table(tmp_path / "out.toml").table.provenance.notes
    assert notes.startswith(f"from the record long ({length:,} entries); history: 0s {length:,}")


def test_from_nothing_is_for_no_table(run, tmp_path):
    done = run("pack", "--from-nothing", "--from", "black", "-o", tmp_path / "out.toml", status=2)
    assert "--from-nothing cannot be combined with --from" in done.output


@pytest.mark.usefixtures("hasty")
def test_the_command_of_a_table_says_where_it_began(run, tmp_path):
    output = tmp_path / "out.toml"
    begun = ("pack", *BISHOPS.split(), "--from-nothing", "--rounds", 0, "-o", output)
    run(*begun, status=0)
    command = "magicert pack --from-nothing --scheme black --bishop-bits 10 --piece bishop --seed 1"
    assert read_table(output).table.provenance.command.startswith(command)
    run("pack", "--resume", "--rounds", 0, "-o", output, status=0)
    resumed = "magicert pack --resume --seed 1 --workers 1 --rounds 0 --budget 24h"
    assert read_table(output).table.provenance.command == resumed


@pytest.mark.usefixtures("hasty")
def test_pools_are_kept_in_a_file_and_used_by_another_scheme_where_they_are_valid(tmp_path):
    path, cells = tmp_path / "pools.npz", bishops("constant", 8)
    first = start.ready_pools(cells, 1, saved=path)
    loaded = anneal.load_pools(path, cells)
    choices = [{key: [s.choice for s in pool] for key, pool in p.items()} for p in (first, loaded)]
    assert choices[0] == choices[1]
    pools = start.ready_pools(bishops("white", 8), 1, saved=path)
    placements = [placement for pool in pools.values() for placement in pool]
    assert {(placement.cell.scheme, placement.choice.constant) for placement in placements} == {
        ("white", 0)
    }


@pytest.fixture
def short_walks(monkeypatch):
    """Short walks and short rounds of boards' pieces."""
    monkeypatch.setattr(sharing, "MOST_STEPS", 200)
    monkeypatch.setattr(boards, "ATTEMPTS", 20)


@pytest.mark.usefixtures("short_walks")
def test_a_boards_pieces_are_packed_resumed_and_emitted(run, tmp_path):
    output, asked = tmp_path / "out.toml", "--board 4x4 --piece rook --piece cannon --form lines"
    done = done_by(run, output, f"{asked} --two-level 8 --rounds 1 --json")
    told = json.loads(done.stdout)
    table = read_table(output).table
    assert table.two_level is not None
    assert (told["entries"], told["words"]) == (table.buffer_size, table.two_level.words)
    assert told["bytes"] < told["first"]["bytes"]
    command = table.provenance.command
    assert command.startswith(f"magicert pack {asked} --seed 1 --workers 1 --rounds ")
    assert command.endswith("--two-level 8")
    assert set(table.joined) == {"rook", "cannon"}
    before = output.read_bytes()
    refused = run("pack", *asked.split(), "-o", output, status=2)
    assert "add --resume" in refused.output
    assert output.read_bytes() == before
    other = asked.replace("4x4", "5x4")
    said = run("pack", *other.split(), "--resume", "-o", output, status=2).output
    assert "a table of 4x4: expected one of 5x4" in said
    other = f"{asked} --piece bishop"
    said = run("pack", *other.split(), "--resume", "-o", output, status=2).output
    assert "bishop" in said.partition("expected one of")[2]
    more = done_by(run, output, f"{asked} --two-level 8 --rounds 1 --seed 2 --resume")
    assert "1 rounds, stopped: rounds" in more.output
    assert (read_table(output).table.buffer_size or 0) <= told["entries"]
    assert "rook_attacks" in run("emit", output, "--lang", "c", status=0).output


@pytest.mark.usefixtures("short_walks")
def test_a_given_table_of_a_board_is_packed_or_nothing_is_written(run, tmp_path, monkeypatch):
    given = tmp_path / "given.toml"
    run("find-set", "--board", "4x4", "--piece", "rook", "--form", "lines", "-o", given, status=0)
    output = tmp_path / "out.toml"
    done_by(run, output, "--rounds 1", "--from", given)
    table = read_table(output).table
    assert table.provenance.command.startswith("magicert pack --from given.toml --seed 1")
    assert (table.two_level, table.shared, table.board) == (None, True, Board(4, 4))
    with monkeypatch.context() as nothing:
        nothing.setattr(boards.BoardJob, "fitted", lambda _job, layout, _pools: layout)
        again = run("pack", "--from", output, "--rounds", 0, "-o", tmp_path / "no.toml")
    assert (again.exit_code, "nothing was written" in again.output) == (3, True)
    assert not (tmp_path / "no.toml").exists()
    packed_again = magicert.pack(tmp_path / "api.toml", 1e6, source=given, two_level=8, rounds=0)
    assert isinstance(packed_again, magicert.Packed)
    assert packed_again.table.table.two_level is not None


@pytest.mark.usefixtures("short_walks")
def test_ctrl_c_keeps_the_best_of_a_board(run, tmp_path, monkeypatch):
    def stopped(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(sharing.Improver, "step", stopped)
    output = tmp_path / "out.toml"
    done = run("pack", "--board", "3x3", "--piece", "rook", "-o", output)
    assert (done.exit_code, "--resume continues" in done.output) == (3, True)
    assert verify(read_table(output)).verdict == "valid"
