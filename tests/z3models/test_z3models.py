"""Bit-vector models: interpretations of formulas, toy boards where every magic can be tried, real
cells, engines, cubes, limits, interruption.
"""

import multiprocessing
import sqlite3
import sys
import time
from contextlib import closing
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import z3
from hypothesis import given, settings
from hypothesis import strategies as st

from magicert.betza import parse_piece
from magicert.board import WORD, Board
from magicert.cell import Cell, first_conflict
from magicert.chess import Piece, parse_square
from magicert.engine import EngineRequest, load, option_values
from magicert.formula import parse
from magicert.formula.tree import evaluate
from magicert.movement import attacks_of, usual_mask
from magicert.occupancy import carry_rippler, numbered
from magicert.outcome import Exists, Impossible, Outcome, Quiet, Unknown
from magicert.problem import InputError
from magicert.scheme import resolve_scheme
from magicert.targets import square_cell
from magicert.z3models import methods as conquering
from magicert.z3models.interpretations.bit_vectors import Z3Interpretation
from magicert.z3models.interpretations.circuit import TRUE, BitsInterpretation, Circuit, wired_bits
from magicert.z3models.lemmas import live_bits
from magicert.z3models.methods import pigeonhole, solve_directly
from magicert.z3models.question import Question, question_of
from magicert.z3models.solvers import child as solver_process
from magicert.z3models.solvers.backend import Answer, Candidates, GaveUp, Model
from magicert.z3models.solvers.bitwuzla_solver import BitwuzlaBackend
from magicert.z3models.solvers.sat_solver import SatBackend
from magicert.z3models.solvers.z3_solver import ENCODINGS, LOGIC, Z3Backend


class Silent(Quiet):
    """A report whose words nobody hears, of a share of the work."""

    def __init__(self, share: int = 0, shares: int = 1) -> None:
        self.share, self.shares = share, shares
        self.magics: list[int] = []

    def add_magic(self, magic: int) -> None:
        self.magics.append(magic)


def cell(piece: str, square: str, bits: int, scheme: str = "white") -> Cell:
    return square_cell(resolve_scheme(scheme), Piece(piece), parse_square(square), bits)


def ask(piece: str, square: str, bits: int, scheme: str = "white") -> Question:
    return question_of(cell(piece, square, bits, scheme))


@pytest.mark.parametrize("amount", [31, 32, 64, 1 << 32, 1 << 63])
def test_a_shift_by_an_unknown_amount_of_the_width_or_more_gives_0(amount):
    tree, wanted = parse("u32(magic) << r").tree, 7 << 31 & 0xFFFFFFFF if amount < 32 else 0
    term = Z3Interpretation().term(tree, {"magic": 7, "r": z3.BitVecVal(amount, 64)})
    assert z3.simplify(term).as_long() == wanted
    circuit = Circuit()
    r = tuple(circuit.variable() for _ in range(64))
    bits = BitsInterpretation(circuit).read(tree, {"magic": 7, "r": r})
    known = {TRUE: True} | {bit: amount >> n & 1 == 1 for n, bit in enumerate(r)}
    gates = {"and": lambda a, b: a and b, "mux": lambda a, b, c: b if a else c}
    for gate, (kind, operands) in sorted(circuit.gates.items()):
        known[gate] = gates[kind](*(known[abs(one)] == (one > 0) for one in operands))
    assert sum((known[abs(bit)] == (bit > 0)) << n for n, bit in enumerate(bits)) == wanted


@settings(max_examples=20)
@given(st.integers(0, WORD), st.lists(st.integers(0, WORD), min_size=1, max_size=5))
def test_candidates_read_as_the_plain_reading_does(magic, occupancies):
    formula = parse("(occ & mask) * magic ^ rol32(u32(occ), r) + pext(magic, ~mask)")
    fixed, count = {"mask": 0x7E8080876080800, "r": 9}, len(occupancies)
    question = Question(formula, "magic", fixed, tuple(occupancies), (0,) * count, WORD)
    (found,) = Candidates(question).indexes.of([magic])
    values = {**fixed, "magic": magic}
    assert found.tolist() == [evaluate(formula.tree, values | {"occ": o}) for o in occupancies]


@pytest.mark.parametrize(
    ("text", "word", "magic", "error", "said"),
    [
        ("u64(occ) * magic", 128, None, ValueError, "of 128 bits is used at 64"),
        ("u64(occ) * magic", 128, 1 << 64, InputError, "expected less than 2"),
        *((text, 64, 5, InputError, "expected less than the word's width")
          for text in ("occ << 64", "u32(magic) >> 32", "(occ & mask) >> (60 + bits)")),
    ],
)  # fmt: skip
def test_what_is_too_wide_for_its_place_is_refused_by_every_interpretation(
    text, word, magic, error, said
):
    """An unknown magic (None) of 128 bits, a known one, an amount of the whole width."""
    formula = parse(text, word=word)
    values: dict[str, Any] = {"occ": 1, "mask": 3, "bits": 4}
    bits = tuple(range(2, 2 + word))
    term = z3.BitVec("magic", word) if magic is None else magic
    with pytest.raises(error, match=said):
        Z3Interpretation().read(formula.tree, {**values, "magic": term})
    with pytest.raises(error, match=said):
        BitsInterpretation(Circuit()).read(
            formula.tree, {**values, "magic": bits if magic is None else magic}
        )
    if word == 64:
        question = Question(formula, "magic", values, (1,), (0,), 15)
        with pytest.raises(error, match=said):
            Candidates(question).indexes.of([magic])


@pytest.mark.parametrize("text", ["(occ & mask) * magic", "(occ | ~mask) * magic"])
def test_sums_are_shared_along_the_subset_tree(text):
    """2^c occupancies cost 2^c - 1 sums at most, whatever the base (white or black)."""
    interpretation, mask, tree = Z3Interpretation(), 0x402010080400, parse(text).tree
    every = list(carry_rippler(mask))
    for subset in every:
        interpretation.read(tree, {"occ": subset, "mask": mask, "magic": z3.BitVec("m", 64)})
    assert len(interpretation.sums) <= len(every) + (64 - mask.bit_count() if "~" in text else 0)


TOY = Board(4, 4)
WHITE = parse("(((occ & mask) * magic) & 0xffff) >> (16 - bits)")
NARROW = parse("(((occ & mask) * (magic & 0xff)) & 0xffff) >> (16 - bits)")
BLACK = parse("(((occ | ~mask) * magic) & 0xffff) >> (16 - bits)")


def toy_question(piece: str, square: int, bits: int, formula: Any = WHITE) -> Question:
    """A cell of a 4x4 board with 16-bit magics."""
    movement = parse_piece(piece)
    mask = usual_mask(TOY, movement, square)
    occupancies = tuple(carry_rippler(mask))
    sets = numbered(attacks_of(TOY, movement, square, occupancy) for occupancy in occupancies)
    values = {"mask": mask, "bits": bits}
    return Question(formula, "magic", values, occupancies, sets, (1 << bits) - 1)


def valid_magics(question: Question) -> set[int]:
    """Every 16-bit magic is tried, in 16-bit arithmetic of its own."""
    black = question.formula is BLACK
    mask, bits = question.values["mask"], question.values["bits"]
    base = ~mask & 0xFFFF if black else 0
    occupancies = np.array([(o | base) & 0xFFFF for o in question.occupancies], dtype=np.uint32)
    magics = np.arange(1 << (8 if question.formula is NARROW else 16), dtype=np.uint32)
    index = ((magics[:, None] * occupancies[None, :]) & 0xFFFF) >> (16 - bits)
    attacks = np.array(question.attacks)
    good = np.ones(len(magics), dtype=bool)
    for i in range(len(attacks)):
        for j in range(i):
            if attacks[i] != attacks[j]:
                good &= index[:, i] != index[:, j]
    return set(np.flatnonzero(good).tolist())


def outcome(question: Question, how: str, report: Any, everything: bool = False) -> Outcome:
    solver, encoding = how.split("-")
    if (none := pigeonhole(question)) is not None:
        return none
    backend: Any
    if solver in ("z3", "multiply", "bitwuzla"):
        kind: Any = BitwuzlaBackend if solver == "bitwuzla" else Z3Backend
        more = {"shift_add": False} if solver == "multiply" else {}
        backend = kind(question, live_bits(question), logic=LOGIC[encoding], **more)
    else:
        backend = SatBackend(question, wired_bits(question), solver)
    return solve_directly(question, backend, encoding, report, argument="", all_magics=everything)


def agrees(question: Question, expected: set[int], how: str, report: Any) -> type[Outcome]:
    """The kind of the answer, which is that of trying all magics."""
    answer = outcome(question, how, report)
    if isinstance(answer, Exists):
        assert answer.magic in expected
    else:
        assert isinstance(answer, Impossible)
        assert not expected
    return type(answer)


HOW = [
    *(f"z3-{encoding}" for encoding in ENCODINGS),
    "multiply-pairwise",
    "bitwuzla-table",
    "cadical195-table",
    "glucose42-pairwise",
]


@pytest.mark.parametrize("how", HOW)
def test_every_toy_cell_agrees_with_trying_all_magics(how):
    verdicts = set()
    for formula, square, bits in product((WHITE, NARROW), (0, 3, 6, 9), (1, 2, 3, 4)):
        question = toy_question("R", square, bits, formula)
        verdict = agrees(question, valid_magics(question), how, Silent())
        verdicts.add((verdict, question.attack_sets <= 1 << bits))
    # Both answers occur, and the "no" not only by counting.
    assert {(Exists, True), (Impossible, False), (Impossible, True)} <= verdicts


@pytest.mark.parametrize("how", ["z3-table", "cadical195-pairwise"])
def test_all_magics_are_found(how):
    """Up to the bits that do not matter, which both engines leave 0."""
    found_any = 0
    for square in range(0, TOY.squares, 3):
        question = toy_question("R", square, 4, NARROW)
        expected, live = valid_magics(question), wired_bits(question)
        answer = outcome(question, how, Silent(), everything=True)
        if isinstance(answer, Impossible):
            assert not expected
            continue
        assert isinstance(answer, Exists)
        assert answer.complete
        assert sorted(answer.magics) == sorted({magic & live for magic in expected})
        found_any += 1
    assert found_any


# The same toy in words of 128 bits, where it lies across both lanes, and its magic has 128 bits.
SHIFTED = parse("((((occ & mask) >> 56) * magic) & 0xffff) >> (16 - bits)", word=128)
# In a product of 64 bits the magic has 64.
FOLDED = parse("((u64((occ & mask) >> 56) * magic) & 0xffff) >> (16 - bits)", word=128)


@pytest.mark.parametrize(
    "how", ["z3-table", "multiply-pairwise", "bitwuzla-table", "cadical195-table"]
)
@pytest.mark.parametrize("formula", [SHIFTED, FOLDED])
def test_toy_cells_of_128_bit_words_agree_as_well(how, formula):
    verdicts = set()
    for square, bits in ((0, 3), (5, 3), (6, 4), (9, 3), (12, 2)):
        toy = toy_question("R", square, bits)
        question = replace(
            toy,
            formula=formula,
            values={**toy.values, "mask": toy.values["mask"] << 56},
            occupancies=tuple(occupancy << 56 for occupancy in toy.occupancies),
        )
        assert live_bits(question) >> 16 == 0
        verdicts.add(agrees(question, valid_magics(toy), how, Silent()))
    assert verdicts == {Exists, Impossible}


def test_black_toy_cells_agree_as_well():
    for square, bits, how in product((0, 5, 15), (2, 3), ("z3-table", "glucose42-table")):
        question = toy_question("B", square, bits, BLACK)
        agrees(question, valid_magics(question), how, Silent())


def test_two_live_bits_sets_agree():
    """Z3 proves what the circuit shows: the same dead bits. White's are those of the period."""
    for scheme in ("white", "black", "two-halves", "two-halves-add"):
        for piece, square in (("bishop", "d8"), ("rook", "a5"), ("bishop", "c1")):
            question = ask(piece, square, 5, scheme)
            live, mask = wired_bits(question), question.values["mask"]
            assert live_bits(question) == live
            if scheme == "white":
                assert live == (1 << 64 - ((mask & -mask).bit_length() - 1)) - 1
            if scheme == "black":
                assert live == (1 << 64) - 1


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


@pytest.mark.parametrize("engine", ["z3", "sat"])
def test_engines_find_and_disprove(engine):
    outcome = solved(engine, cell("bishop", "g1", 4))
    assert first_conflict(cell("bishop", "g1", 4), outcome.magic) is None
    assert isinstance(solved(engine, cell("bishop", "d1", 4)), Impossible)
    # A cell that lacks slots needs no solver.
    outcome = solved(engine, cell("rook", "a1", 4))
    assert isinstance(outcome, Impossible)
    assert "49 distinct attack sets, 16 slots" in outcome.argument


def test_two_halves_are_found_and_disproved_in_the_same_way():
    for bits, kind in ((5, Exists), (4, Impossible)):
        question = ask("bishop", "d8", bits, "two-halves-add")
        for backend in (
            Z3Backend(question, live_bits(question)),
            SatBackend(question, wired_bits(question), "glucose42"),
        ):
            found = conquering.solve_directly(question, backend, "table", Silent(), argument="")
            assert isinstance(found, kind)


@pytest.mark.parametrize("solver", ["z3", "minicard"])
def test_refinement_finds_a_magic_for_a_larger_mask(solver):
    question = ask("bishop", "c3", 8)
    live = wired_bits(question)
    backend: Any = (
        Z3Backend(question, live) if solver == "z3" else SatBackend(question, live, solver)
    )
    outcome = conquering.refine(question, backend, live, conquering.Sparsity(), 1, Silent())
    assert question.first_conflict(outcome.magic) is None
    assert outcome.magic & ~live == 0


def test_cubes_disprove_split_and_resume(tmp_path):
    question, path = ask("bishop", "d8", 4), tmp_path / "d8.sqlite"
    live = wired_bits(question)
    cutting = conquering.Cutting(depth=3, conflicts=50, ledger=str(path))

    def share(number: int, of: int, solver: str = "cadical195") -> dict[str, Any]:
        """The figures of a share's answer, which is "no"."""
        backend, report = SatBackend(question, live, "cadical195"), Silent(number, of)
        outcome = conquering.conquer(question, backend, "table", live, cutting, solver, report)
        assert isinstance(outcome, Impossible)
        assert solver in outcome.argument
        assert conquering.program() in outcome.argument
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


@pytest.mark.cases_of("refuted_cubes_make_up_everything.tsv")
def test_refuted_cubes_make_up_everything(cubes, wanted, told):
    assert conquering.make_up(eval(cubes), eval(wanted)) == eval(told)


def test_cubes_that_are_not_everything_are_no_answer(monkeypatch):
    monkeypatch.setattr(conquering.CubeLedger, "verdict", lambda *_: "refuted")
    monkeypatch.setattr(conquering, "make_up", lambda *_: False)
    with pytest.raises(AssertionError, match="do not make up all magics"):
        conquered(ask("bishop", "d8", 4), Mute(), 0b111, 2, Silent())


def conquered(question: Question, backend: Any, live: int, depth: int, report: Any) -> Outcome:
    cutting = conquering.Cutting(depth=depth)
    return conquering.conquer(question, backend, "table", live, cutting, "none", report)


class Mute:
    """A solver that gives up on everything, or from its second answer on."""

    conflicts = 0

    def __init__(self, *answers: Model) -> None:
        self.answers = list(answers)

    def state_validity(self, encoding: str) -> None:
        pass

    def state_apart(self, pair: tuple[int, int]) -> None:
        pass

    def exclude(self, magic: int) -> None:
        pass

    def solve(self, ones: int = 0, zeros: int = 0, conflicts: int | None = None) -> Answer:
        return self.answers.pop(0) if self.answers else GaveUp("tired")


def test_a_solver_that_gave_up_has_refuted_nothing():
    question, magic = ask("bishop", "d8", 5), 0x208800
    outcomes = [conquered(question, Mute(), 0b11, 1, Silent())]
    for answers in ((), (Model(magic),)):
        report, mute = Silent(), Mute(*answers)
        outcomes.append(
            conquering.solve_directly(
                question, mute, "table", report, argument="none", all_magics=True
            )
        )
        assert report.magics == [magic] * len(answers)
    for outcome in outcomes:
        assert isinstance(outcome, Unknown)
        assert "tired" in outcome.reason


def test_cubes_find_what_there_is():
    question = ask("bishop", "d8", 5)
    live = wired_bits(question)
    assert isinstance(conquered(question, Z3Backend(question, live), live, 4, Silent()), Exists)


@pytest.mark.parametrize("theirs", ["magicert 0.1.0 cubes 0123456789abcdef", None])
def test_cubes_that_another_program_stated_are_refused(tmp_path, theirs):
    """Also those of a file that does not say which one that was; and a seal is of its program."""
    question, path = ask("bishop", "d8", 4), tmp_path / "ledger.sqlite"
    ledger = conquering.CubeLedger(str(path), question, (3, 2, 1), "none")
    ledger.settle((1, 0), "refuted", 0, 0.0)
    assert ledger.verdict((1, 0)) == "refuted"
    with closing(sqlite3.connect(path)) as file, file:
        file.execute("update about set value = ? where name = 'program'", [theirs or ""])
        if theirs is None:
            file.execute("delete from about where name = 'program'")
    with pytest.raises(InputError, match=r"of another program .*expected magicert .* cubes"):
        conquering.CubeLedger(str(path), question, (3, 2, 1), "none")


def test_a_cube_that_another_program_sealed_is_solved_again(tmp_path, monkeypatch):
    question, path = ask("bishop", "d8", 4), tmp_path / "ledger.sqlite"
    with monkeypatch.context() as other:
        other.setattr(conquering, "program", lambda: "another")
        ledger = conquering.CubeLedger(str(path), question, (3, 2, 1), "none")
        ledger.settle((1, 0), "refuted", 0, 0.0)
    with closing(sqlite3.connect(path)) as file, file:
        own = conquering.program()
        file.execute("update about set value = ? where name = 'program'", [own])
    ledger = conquering.CubeLedger(str(path), question, (3, 2, 1), "none")
    assert (ledger.verdict((1, 0)), ledger.damaged) == (None, 1)


def test_a_ledger_of_another_question_is_refused(tmp_path):
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
    with closing(sqlite3.connect(path)) as file, file:
        file.execute("delete from about")
    opened()  # without cubes it is anybody's
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
    assert asked == [solver_process.WAIT_SECONDS] * 2


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
    with pytest.raises(InputError, match="needs z3: pip install z3-solver"):
        load("z3")
    for arguments in (("lemma", "shakmaty"), ("lemma", "--shape", "3,2", "--bits", "4")):
        assert "needs z3: pip install z3-solver" in run(*arguments, status=2).output
