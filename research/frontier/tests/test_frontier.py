"""Bytes against time: every way is checked before it is timed, and nothing that is done is lost."""

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from itertools import product
from typing import Any

import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st

from magicert.commands.bench import COMPILERS
from magicert.compact.emit.ways import ways
from magicert.compact.timing import games, programs
from magicert.compact.timing.programs import HARNESS
from magicert.data import find_table, tables_folder
from magicert.outcome import NullPhase
from magicert.problem import InputError
from magicert.table import read_table
from research.frontier import commands, machine, survey
from research.frontier import figures as shown
from research.frontier import measure as job
from research.frontier.__main__ import main
from research.frontier.measure import measure_frontier
from research.frontier.ways import FOLDER, GEOMETRY, WAYS

Run = Callable[..., Result]
COMPILER = next((name for name in COMPILERS if shutil.which(name)), "")
compiled = pytest.mark.skipif(not COMPILER, reason="no C compiler here")
BY_NAME = {way.name: way for way in WAYS}
GAMES = tables_folder() / "games"
WARM = shown.Measure("queen", "games", "throughput", 0)
MEASURES = [
    shown.Measure(*of) for of in product(games.PIECES, games.POSITIONS, shown.KINDS, shown.TOUCHED)
]


@pytest.fixture
def run():
    """Run a command of research.frontier in this process."""

    def command(*words, status=None):
        result = CliRunner().invoke(main, [str(word) for word in words])
        assert status is None or result.exit_code == status, result.output
        return result

    return command


def way(name: str, size: int, ns: float) -> shown.Measured:
    figures = [shown.Figure(measure, ns, ns, ns) for measure in MEASURES]
    return shown.Measured(name, name, "", size - 1, 1, 0, 1, 1, figures)


def test_every_way_is_a_table_or_emitted_or_a_file_here():
    assert len(WAYS) >= 12
    for each in WAYS:
        assert [bool(each.table), bool(each.emits), bool(each.sources)].count(True) == 1
    ours = {*FOLDER.glob("*.c")} - {FOLDER / "machine.c"}
    assert ours == {path for each in WAYS for path in each.sources} - {GEOMETRY}
    tables = {name for name, row in ways().items() if row.table}
    assert {each.emits for each in WAYS if each.emits} == {*ways()} - tables - {"best"}
    assert f"#define LOOKUPS {games.LOOKUPS}\n" in HARNESS.read_text("utf-8")


ONE_OF_EACH_KIND = {"two_level", "pext_lines", "rays", "hyperbola_avx2_by_hand"}
"""A table, what emit writes (test_emit_ways runs all of it), and what is written here."""


@compiled
@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[] if name in ONE_OF_EACH_KIND else pytest.mark.slow)
     for name in sorted(BY_NAME)],
)  # fmt: skip
def test_every_way_answers_every_lookup(name, tmp_path):
    asked, (found, has) = BY_NAME[name], machine.machine(COMPILER, tmp_path)
    if asked.needs and asked.needs not in has:
        pytest.skip(f"no {asked.needs} here")
    file = read_table(find_table(asked.table)) if asked.table else None
    flags = f"{found.flags} -O1 -Wall -Wextra -Werror -Wno-unused-function -Wno-unused-variable"
    program = programs.program_of(asked, file, tmp_path, COMPILER, flags)
    assert program.lookups > 107_648
    assert program.square_bytes > 0 or name == "kogge_stone"


@compiled
@pytest.mark.parametrize(
    ("right", "wrong", "why"),
    [
        ("| 1)", "| 2)", "wrong: "),  # where nothing stands below
        ("#define TABLE_BYTES 0", "no C", "does not compile here: "),
    ],
)
def test_a_way_that_answers_wrongly_or_does_not_compile_is_not_timed(right, wrong, why, tmp_path):
    text = (FOLDER / "rays.c").read_text("utf-8")
    assert right in text
    (tmp_path / "rays.c").write_text(text.replace(right, wrong), "utf-8")
    changed = replace(BY_NAME["rays"], sources=(GEOMETRY, tmp_path / "rays.c"))
    found = measure_frontier([], 0, 1, "", ways=[changed])
    (left,) = found.left_out
    assert (left.name, left.wrong, found.ways) == ("rays", why == "wrong: ", [])
    assert left.why.startswith(why)


@compiled
def test_without_bmi2_or_time_some_ways_are_left_out_and_others_measured_once(monkeypatch):
    bare = shown.Machine("old", "", {}, "cc", "-O2")
    monkeypatch.setattr(survey, "machine", lambda *_: (bare, frozenset()))
    found = measure_frontier([], 0, None, "", ways=[BY_NAME["pext"], BY_NAME["rays"]])
    assert [(each.name, each.repetitions) for each in found.ways] == [("rays", 1)]
    assert [(left.name, left.wrong) for left in found.left_out] == [("pext", False)]
    assert "BMI2" in found.left_out[0].why


@compiled
def test_an_interruption_keeps_what_is_done():
    class Impatient(NullPhase):
        def progress(self, done: float, total: float | None, note: str = "") -> None:
            if total is None and done == 3:  # in the second turn, one way is done once more
                raise KeyboardInterrupt

    asked = [BY_NAME["rays"], BY_NAME["kindergarten"]]
    found = measure_frontier([], 1e6, None, "", Impatient, asked)
    assert found.interrupted
    assert {each.name: each.repetitions for each in found.ways} == {"rays": 2, "kindergarten": 1}


@given(st.dictionaries(st.text("ab", min_size=1), st.tuples(st.integers(1, 9), st.integers(1, 9))))
def test_the_frontier_is_who_is_not_beaten(points):
    ways = [way(name, size, ns) for name, (size, ns) in points.items()]
    found = shown.frontier(ways, WARM)
    for name, (size, ns) in points.items():
        beaten = any((a < size and b <= ns) or (a <= size and b < ns) for a, b in points.values())
        assert (name in found) == (not beaten)


def test_figures_that_are_unsteady_are_marked():
    steady, other = shown.Figure(WARM, 4.0, 3.6, 4.6), shown.Figure(WARM, 4.0, 3.4, 4.6)
    idle = shown.Machine("cpu", "", {}, "cc", "-O2", 2, 0.2)
    ways = [shown.Measured("a", "a", "", 1, 1, 0, 1, 9, [each]) for each in (steady, other)]
    assert [figure.wide for each in ways for figure in each.figures] == [False, True]
    assert shown.unsteady(ways, [WARM]).startswith("~ (1 of 2): the middle half")
    assert shown.unsteady(ways[:1], [WARM]) == idle.busy == ""


def test_it_says_where_tables_lose():
    big, lose = "the fastest is big (800,000 bytes, 4.0 ns)", "lose to none (2,048 bytes,"
    for size, ns, said in (
        (2048, 4.5, f"{big}; 1 of 2 tables {lose} 4.5 ns)"),
        (2048, 9.0, f"{big}; no table {lose.replace('lose', 'loses')} 9.0 ns)"),
        (2048, 1.0, f"all 2 tables {lose} 1.0 ns)"),
        (20_480, 1.0, "nothing to compare"),
    ):
        measured = [way("big", 800_000, 4.0), way("less", 80_000, 5.0), way("none", size, ns)]
        assert shown.losing(measured, [WARM]) == [f"throughput, caches warm: {said}"]


@compiled
def test_the_command_takes_every_measure_shows_a_table_and_writes_all_figures(
    run, tmp_path, monkeypatch
):
    some = [BY_NAME[name] for name in ("rays", "fancy", "overlaid")]
    monkeypatch.setattr(job.measure_frontier, "__defaults__", (NullPhase, some))
    output = tmp_path / "found.json"
    asked = ("measure", "layered", "--turns", "1", "-o", output)
    result = run(*asked, "--json", status=0)
    said = json.loads(result.stdout)
    assert (said["format"], len(said["ways"])) == ("magicert-frontier", 4)
    found = shown.read_survey(output)
    by_name = {each.name: each for each in found.ways}
    assert list(by_name) == ["rays", "overlaid", "table_1", "fancy"]
    for each in found.ways:
        assert {figure.of for figure in each.figures} == set(MEASURES)
        assert all(0 < f.ns < 1e5 and f.low <= f.ns <= f.high for f in each.figures)
        assert each.repetitions == 1
    assert (by_name["overlaid"].table_bytes, by_name["fancy"].table_bytes) == (79_593, 861_184)
    assert [by_name[name].start_us > 0 for name in ("overlaid", "fancy")] == [False, True]
    assert shown.survey_json(found) == output.read_bytes()
    monkeypatch.setattr(commands, "measure_frontier", lambda *_: found)
    result = run(*asked)
    assert "magicert layered, pushed together" in result.stdout
    assert "to rays and bit scans (4,096 bytes" in result.stdout
    (tmp_path / "notes.txt").write_text("mine")
    assert run(*asked[:-1], tmp_path / "notes.txt").exit_code == 2
    assert (tmp_path / "notes.txt").read_text() == "mine"
    output.write_bytes(output.read_bytes().replace(b'"ns":', b'"seconds":'))
    with pytest.raises(InputError, match="no survey of lookups"):
        shown.read_survey(output)


@pytest.mark.parametrize(
    ("found", "status"),
    [({}, 0), ({"interrupted": True}, 3),
     ({"left_out": [shown.UnmeasuredWay("a", "a", "wrong: rook on a1", wrong=True)]}, 1),
     ({"left_out": [shown.UnmeasuredWay("a", "a", "no BMI2")]}, 0)],
)  # fmt: skip
def test_exit_statuses(run, monkeypatch, found, status):
    cpu = shown.Machine("cpu", "Linux", {"L1d": 48}, "cc", "-O2", 2, 6.0)
    texts = dict.fromkeys(("date", "command", "tool"), "")
    whole: dict[str, Any] = {"machine": cpu, "ways": [way("a", 2, 1.0)], "left_out": [], **texts}
    monkeypatch.setattr(commands, "measure_frontier", lambda *_: shown.Survey(**whole | found))
    result = run("measure", status=status)
    assert "L1d 48 KiB" in result.stdout
    assert "busy with other work (a load of 6.0, 2 processors)" in result.stdout
    assert "~" not in result.stdout


def test_caches_as_the_system_says(tmp_path):
    caches = [("Data", 1, "48K"), ("Instruction", 1, "32K"), ("Unified", 2, "2048K")]
    for n, texts in enumerate(caches):
        (tmp_path / f"index{n}").mkdir()
        for name, text in zip(("type", "level", "size"), texts, strict=True):
            (tmp_path / f"index{n}" / name).write_text(f"{text}\n")
    (tmp_path / "index9").mkdir()
    assert machine.caches(tmp_path) == {"L1d": 48, "L2": 2048}
