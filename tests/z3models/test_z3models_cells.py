"""Real cells: agreement with what is known, engines, methods, budgets, interruption."""

import multiprocessing
import sqlite3
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from magicert.board import Piece, parse_square
from magicert.cell import Cell, first_conflict, square_cell
from magicert.engine import EngineRequest, load, option_values
from magicert.outcome import Exists, Impossible, Outcome, Quiet, Unknown
from magicert.problem import InputError
from magicert.scheme import resolve_scheme
from magicert.z3models import methods as conquering
from magicert.z3models.lemmas import live_bits
from magicert.z3models.question import Question
from magicert.z3models.readings.circuit import wired_bits
from magicert.z3models.solvers import child as solver_process
from magicert.z3models.solvers.backend import Answer, GaveUp, Model
from magicert.z3models.solvers.sat_solver import SatBackend
from magicert.z3models.solvers.z3_solver import Z3Backend

Ask = Callable[..., Question]


def solved(
    engine: str,
    one: Cell,
    observer: Quiet | None = None,
    *,
    method: str = "",
    seconds: float | None = 60,
    **limits: Any,
) -> Outcome:
    module = load(engine)
    options = option_values(module, {"method": method} if method else {})
    asked = EngineRequest(one, seconds=seconds, options=options, **limits)
    return module.solve(asked, observer or Quiet())


def cell(piece: str, square: str, bits: int, scheme: str = "white") -> Cell:
    return square_cell(resolve_scheme(scheme), Piece(piece), parse_square(square), bits)


@pytest.mark.parametrize("engine", ["z3", "sat"])
def test_engines_find_and_disprove(engine):
    outcome = solved(engine, cell("bishop", "g1", 4))
    assert isinstance(outcome, Exists)
    assert first_conflict(cell("bishop", "g1", 4), outcome.magic) is None
    assert isinstance(solved(engine, cell("bishop", "d1", 4)), Impossible)
    # A cell that lacks slots needs no solver.
    outcome = solved(engine, cell("rook", "a1", 4))
    assert isinstance(outcome, Impossible)
    assert "49 distinct attack sets, 16 slots" in outcome.argument


def test_two_halves_are_found_and_disproved_in_the_same_way(ask, silent):
    for bits, kind in ((5, Exists), (4, Impossible)):
        question = ask("bishop", "d8", bits, "two-halves-add")
        for backend in (
            Z3Backend(question, live_bits(question)),
            SatBackend(question, wired_bits(question), "glucose42"),
        ):
            found = conquering.settle(question, backend, "table", silent(), argument="")
            assert isinstance(found, kind)


@pytest.mark.parametrize("solver", ["z3", "minicard"])
def test_refinement_finds_a_magic_for_a_larger_mask(solver, ask, silent):
    question = ask("bishop", "c3", 8)
    live = wired_bits(question)
    backend: Any = (
        Z3Backend(question, live) if solver == "z3" else SatBackend(question, live, solver)
    )
    outcome = conquering.refine(question, backend, live, conquering.Sparsity(), 1, silent())
    assert question.first_conflict(outcome.magic) is None
    assert outcome.magic & ~live == 0


def test_cubes_disprove_split_and_resume(ask, silent, tmp_path):
    question, path = ask("bishop", "d8", 4), tmp_path / "d8.sqlite"
    live = wired_bits(question)
    cutting = conquering.Cutting(depth=3, conflicts=50, ledger=str(path))

    def share(number: int, of: int, solver: str = "cadical195") -> dict[str, Any]:
        """The figures of a share's answer, which is "no"."""
        backend, report = SatBackend(question, live, "cadical195"), silent(number, of)
        outcome = conquering.conquer(question, backend, "table", live, cutting, solver, report)
        assert isinstance(outcome, Impossible)
        assert solver in outcome.argument
        return dict(outcome.figures)

    half = share(1, 2)
    assert half["cubes"] > 4  # 50 conflicts are few: cubes were split
    assert half["read from the ledger"] == 0
    everything = share(0, 1)
    assert everything["read from the ledger"] == half["cubes"] < everything["cubes"]
    again = share(0, 1)
    assert again["read from the ledger"] == again["cubes"] == everything["cubes"]
    # A line that was edited, or invented, is none: its cube is solved again.
    with closing(sqlite3.connect(path)) as file, file:
        file.execute("update sealed set conflicts = conflicts + 1 where verdict = 'refuted'")
        file.execute("insert or replace into sealed values (3, 0, 'refuted', 0, 0, '')")
    mended = share(0, 1)
    assert mended["read from the ledger"] == 0
    assert mended["conflicts"] > 0
    with pytest.raises(InputError, match="of another solver"):
        share(0, 1, "glucose42")


@pytest.mark.parametrize(
    ("cubes", "wanted", "told"),
    [
        ([(1, 0), (2, 2), (2, 3)], [(1, 0), (1, 1)], True),
        ([(2, 0), (2, 1), (1, 1)], [(0, 0)], True),
        ([(1, 0), (2, 2)], [(1, 0), (1, 1)], False),
        ([(1, 0), (2, 0), (1, 1)], [(1, 0), (1, 1)], False),
        ([(1, 0), (1, 1)], [(1, 0)], False),
        ([], [(0, 0)], False),
    ],
)
def test_refuted_cubes_make_up_everything(cubes, wanted, told):
    assert conquering.are_everything(cubes, wanted) == told


def test_cubes_that_are_not_everything_are_no_answer(ask, silent, monkeypatch):
    monkeypatch.setattr(conquering.CubeLedger, "verdict", lambda *_: "refuted")
    monkeypatch.setattr(conquering, "are_everything", lambda *_: False)
    with pytest.raises(AssertionError, match="do not make up all magics"):
        conquered(ask("bishop", "d8", 4), Mute(), 0b111, 2, silent())


def conquered(question: Question, backend: Any, live: int, depth: int, report: Any) -> Outcome:
    cutting = conquering.Cutting(depth=depth)
    return conquering.conquer(question, backend, "table", live, cutting, "none", report)


class Mute:
    """A solver that gives up on everything, or from its second answer on."""

    conflicts = 0

    def __init__(self, *answers: Model) -> None:
        self.answers = list(answers)

    def state_everything(self, encoding: str) -> None:
        pass

    def state_apart(self, pair: tuple[int, int]) -> None:
        pass

    def exclude(self, magic: int) -> None:
        pass

    def ask(self, ones: int = 0, zeros: int = 0, conflicts: int | None = None) -> Answer:
        return self.answers.pop(0) if self.answers else GaveUp("tired")


def test_a_solver_that_gave_up_has_refuted_nothing(ask, silent):
    question, magic = ask("bishop", "d8", 5), 0x208800
    outcomes = [conquered(question, Mute(), 0b11, 1, silent())]
    for answers in ((), (Model(magic),)):
        report, mute = silent(), Mute(*answers)
        outcomes.append(
            conquering.settle(question, mute, "table", report, argument="none", everything=True)
        )
        assert report.magics == [magic] * len(answers)
    for outcome in outcomes:
        assert isinstance(outcome, Unknown)
        assert "tired" in outcome.reason


def test_cubes_find_what_there_is(ask, silent):
    question = ask("bishop", "d8", 5)
    live = wired_bits(question)
    assert isinstance(conquered(question, Z3Backend(question, live), live, 4, silent()), Exists)


def test_a_ledger_of_another_question_is_refused(ask, tmp_path):
    path, text = tmp_path / "ledger.sqlite", tmp_path / "text"
    question, bits = ask("bishop", "d8", 4), (3, 2, 1)

    def opened(asked: Question = question, cut: tuple[int, ...] = bits, at: Path = path) -> Any:
        return conquering.CubeLedger(str(at), asked, cut, "none")

    opened()
    opened()
    for other in ((ask("bishop", "d8", 5), bits), (question, (1, 2, 3))):
        with pytest.raises(InputError, match="holds cubes of another question"):
            opened(*other)
    with closing(sqlite3.connect(path)) as file, file:  # one digit, the last, is another one
        file.execute("update about set value = substr(value, 1, 63) || 'x' where name = 'question'")
    with pytest.raises(InputError, match="holds cubes of another question"):
        opened()
    text.write_text("this is no database at all, and never was one\n" * 99)
    with pytest.raises(InputError, match="cannot be used as a ledger"):
        opened(at=text)
    with pytest.raises(sqlite3.IntegrityError):
        opened(at=Path(":memory:")).settle((1, 0), None, 0, 0)


@pytest.mark.parametrize(
    ("engine", "cell_", "limits", "reason"),
    [
        ("sat", ("bishop", "c3", 6), {"seconds": 0.5, "method": "cubes"}, "timeout of 0.5 s"),
        ("z3", ("bishop", "e4", 9), {"memory": 2, "method": "direct"}, "memory limit of 2 MiB"),
    ],
)
def test_a_limit_is_unknown(engine, cell_, limits, reason):
    outcome = solved(engine, cell(*cell_), **limits)
    assert isinstance(outcome, Unknown)
    assert reason in outcome.reason


class Interrupting(Quiet):
    """Ctrl-C, as soon as the solver's process says that it is at work."""

    def __init__(self, note: str) -> None:
        self.note = note

    def progress(self, done: float, total: float | None, note: str = "") -> None:
        if self.note in note:
            raise KeyboardInterrupt


@pytest.mark.parametrize(
    ("engine", "method", "note"), [("z3", "direct", "magics"), ("sat", "cubes", "cubes")]
)
def test_an_interruption_is_unknown_and_says_how_far(engine, method, note):
    asked, noted = cell("bishop", "c3", 6), Interrupting(note)
    outcome = solved(engine, asked, noted, method=method, seconds=None, workers=2)
    assert isinstance(outcome, Unknown)
    assert outcome.reason == "interrupted"
    assert note in outcome.progress
    assert multiprocessing.active_children() == []


def test_no_wait_for_a_solver_is_long(monkeypatch):
    """Ctrl-C that comes between two waits, or in another thread, ends none of them."""
    asked: list[float | None] = []

    def interrupted(_pipes: object, timeout: float | None) -> list[object]:
        asked.append(timeout)
        raise KeyboardInterrupt

    monkeypatch.setattr(solver_process, "wait", interrupted)
    for seconds in (None, 3600.0):
        outcome = solved("sat", cell("bishop", "c3", 6), seconds=seconds, method="direct")
        assert isinstance(outcome, Unknown)
    assert asked == [solver_process.LISTEN] * 2


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere it ends at its next report")
def test_a_killed_parent_leaves_no_solver_behind(child):
    words = ("disprove", "bishop", "c3", "--bits", 6, "--engine", "sat", "-O", "method=direct")
    process = child.start(*words, command=child.impatient)
    seen = ""
    while "magics" not in seen:  # the solver's process is at work, which takes hours
        seen = process.stderr.readline()
        assert seen, "the work ended"
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    assert children
    process.kill()
    process.communicate()  # its end of the pipes is open as long as a child lives
    while any(_runs(child) for child in children):
        time.sleep(0.05)


def _runs(pid: str) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def test_a_missing_or_old_z3_is_named(monkeypatch, run):
    import z3

    monkeypatch.setattr(z3, "get_version", lambda: (4, 8, 17, 0))
    with pytest.raises(InputError, match=r"version 4\.8: expected 4\.13 or newer"):
        solved("z3", cell("bishop", "d8", 5))
    monkeypatch.undo()
    for name in [
        name for name in sys.modules if name == "z3" or name.startswith("magicert.z3models")
    ]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "z3", None)
    with pytest.raises(InputError, match=r"needs z3: pip install 'magicert\[z3\]'"):
        load("z3")
    for arguments in (("lemma", "shakmaty"), ("lemma", "--shape", "3,2", "--bits", "4")):
        result = run(*arguments)
        assert result.exit_code == 2
        assert "z3: needs pip install 'magicert[z3]'" in result.output
