"""Bit-vector models: readings of formulas, toy boards where every magic can be tried, real cells,
engines, cubes, limits, interruption.
"""

import multiprocessing
import sqlite3
import sys
import time
from collections.abc import Iterator
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

from magicert.board import Piece, parse_square
from magicert.cell import Cell, first_conflict, square_cell
from magicert.engine import EngineRequest, load, option_values
from magicert.formula import Formula, parse
from magicert.formula import tree as trees
from magicert.formula.arrays import evaluate as numpy_evaluate
from magicert.occupancy import carry_rippler, numbered
from magicert.outcome import Exists, Impossible, Outcome, Quiet, Unknown
from magicert.problem import InputError
from magicert.scheme import resolve_scheme
from magicert.z3models import methods as conquering
from magicert.z3models.lemmas import live_bits
from magicert.z3models.methods import pigeonhole, settle
from magicert.z3models.question import Question, question_of
from magicert.z3models.readings.bit_vectors import Z3Reading
from magicert.z3models.readings.circuit import TRUE, BitsReading, Circuit, wired_bits
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

    def found(self, magic: int) -> None:
        self.magics.append(magic)


def cell(piece: str, square: str, bits: int, scheme: str = "white") -> Cell:
    return square_cell(resolve_scheme(scheme), Piece(piece), parse_square(square), bits)


def ask(piece: str, square: str, bits: int, scheme: str = "white") -> Question:
    return question_of(cell(piece, square, bits, scheme))


NAMES = ("occ", "mask", "magic", "r")
JOINING = [operator for operator in trees.OPERATORS if operator not in trees.SHIFTS]
UNARY, BINARY = ([n for n, f in trees.FUNCTIONS.items() if f.arity == arity] for arity in (1, 2))
WORDS = st.one_of(
    st.integers(0, 2**64 - 1),
    st.integers(0, 40),
    st.sampled_from([2**32, 2**32 - 1, 2**63, 2**64 - 1, 0x7E8080876080800]),
)


def formulas() -> st.SearchStrategy[str]:
    leaves = st.one_of(st.sampled_from(NAMES[:3]), st.integers(0, 2**64 - 1).map(hex))
    amounts = st.one_of(st.integers(0, 31).map(str), st.just("r"))

    def deeper(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
        return st.one_of(
            st.tuples(inner, st.sampled_from(JOINING), inner).map(
                lambda t: f"({t[0]} {t[1]} {t[2]})"
            ),
            st.tuples(inner, st.sampled_from(trees.SHIFTS), amounts).map(
                lambda t: f"({t[0]} {t[1]} {t[2]})"
            ),
            st.tuples(st.sampled_from(list(trees.SIGNS)), inner).map("".join),
            st.tuples(st.sampled_from(UNARY), inner).map(lambda t: f"{t[0]}({t[1]})"),
            st.tuples(st.sampled_from(BINARY), inner, amounts).map(
                lambda t: f"{t[0]}({t[1]}, {t[2]})"
            ),
        )

    return st.recursive(leaves, deeper, max_leaves=8)


def values_of(word: int = 64) -> st.SearchStrategy[dict[str, int]]:
    board = st.one_of(WORDS, WORDS.map(lambda w: w << word - 64), st.integers(0, 2**word - 1))
    names = {"occ": board, "mask": board, "magic": WORDS, "r": st.integers(0, 31)}
    return st.fixed_dictionaries(names)


def width_of(formula: Formula, name: str) -> int:
    """The bits of an unknown word: the occupancy's and the mask's are the board's."""
    return formula.word if name in trees.WHOLE_BOARD else trees.used_width(formula.tree, name)


def by_z3(
    formula: Formula, values: dict[str, int], widths: dict[str, int], shift_add: bool = True
) -> int:
    """What Z3 makes of it where some words are unknown, and then become known."""
    words = {name: z3.BitVec(name, width) for name, width in widths.items()}
    term = Z3Reading(shift_add=shift_add).term(formula.tree, {**values, **words})
    assert term.size() == formula.tree.width
    given = [(word, z3.BitVecVal(values[name], word.size())) for name, word in words.items()]
    return int(z3.simplify(z3.substitute(term, *given)).as_long())


def by_circuit(formula: Formula, values: dict[str, int], widths: dict[str, int]) -> int:
    """The same by a circuit's gates."""
    circuit = Circuit()
    words = {name: tuple(circuit.variable() for _ in range(w)) for name, w in widths.items()}
    bits = BitsReading(circuit).read(formula.tree, {**values, **words})
    assert len(bits) == formula.tree.width
    known = {TRUE: True}
    for name, literals in words.items():
        known.update({literal: values[name] >> i & 1 == 1 for i, literal in enumerate(literals)})
    return sum(circuit_value(circuit, known, bit) << i for i, bit in enumerate(bits))


def circuit_value(circuit: Circuit, known: dict[int, bool], literal: int) -> bool:
    """The plain meaning of a gate, by recursion."""
    if abs(literal) not in known:
        kind, operands = circuit.gates[abs(literal)]
        a, b, *c = (circuit_value(circuit, known, operand) for operand in operands)
        known[abs(literal)] = {
            "and": lambda: a and b,
            "xor": lambda: a != b,
            "mux": lambda: b if a else c[0],
            "odd": lambda: (a + b + c[0]) % 2 == 1,
            "majority": lambda: a + b + c[0] >= 2,
        }[kind]()
    return known[abs(literal)] == (literal > 0)


@pytest.mark.parametrize("word", [64, 128])
@settings(max_examples=40)
@given(st.data())
def test_each_reading_is_the_plain_reading(word, data):
    formula, values = parse(data.draw(formulas()), word=word), data.draw(values_of(word))
    unknown, shift_add = data.draw(st.sets(st.sampled_from(NAMES))), data.draw(st.booleans())
    widths = {name: width_of(formula, name) for name in unknown}
    expected = trees.evaluate(formula.tree, values)
    assert by_z3(formula, values, widths, shift_add) == expected
    assert by_circuit(formula, values, widths) == expected


def test_a_parameter_that_is_used_at_both_widths_is_widened_where_it_must_be():
    formula = parse("u64(occ) * magic ^ (occ + (magic << 70) - (occ ^ ~magic >> 60))", word=128)
    values, widths = {"occ": 0x1234 << 61, "magic": 0x9E37_79B9_7F4A_7C15}, {"magic": 64}
    expected = trees.evaluate(formula.tree, values)
    assert by_z3(formula, values, widths) == by_circuit(formula, values, widths) == expected


def test_a_shift_by_an_unknown_amount_loses_no_high_bits_of_the_amount():
    """u32(x) << r with r = 2^32 must not look like a shift by 0."""
    formula = parse("u32(magic) << r")
    assert by_z3(formula, {"magic": 7, "r": 2**32}, {"magic": 64, "r": 64}) == 0


@settings(max_examples=30)
@given(formulas(), values_of(), st.lists(WORDS, min_size=1, max_size=5))
def test_candidates_read_as_numpy_and_the_plain_reading_do(text, values, occupancies):
    formula, count = parse(text), len(occupancies)
    fixed = {name: values[name] for name in ("mask", "r")}
    question = Question(formula, "magic", fixed, tuple(occupancies), (0,) * count, 2**64 - 1)
    (found,) = Candidates(question).all.of([values["magic"]])
    everywhere = [trees.evaluate(formula.tree, {**values, "occ": o}) for o in occupancies]
    assert found.tolist() == everywhere
    arrays = {name: np.array([[value]], dtype=np.uint64) for name, value in values.items()}
    arrays["occ"] = np.array([occupancies], dtype=np.uint64)
    by_numpy = np.broadcast_to(numpy_evaluate(formula.tree, arrays), (1, count))
    assert by_numpy[0].tolist() == everywhere


@pytest.mark.parametrize(
    ("text", "word", "magic", "error", "said"),
    [
        ("u64(occ) * magic", 128, None, ValueError, "of 128 bits is used at 64"),
        ("u64(occ) * magic", 128, 1 << 64, InputError, "expected less than 2"),
        *((text, 64, 5, InputError, "expected less than the word's width")
          for text in ("occ << 64", "u32(magic) >> 32", "(occ & mask) >> (60 + bits)")),
    ],
)  # fmt: skip
def test_what_is_too_wide_for_its_place_is_refused_by_every_reading(text, word, magic, error, said):
    """An unknown magic (None) of 128 bits, a known one, an amount of the whole width."""
    formula = parse(text, word=word)
    values: dict[str, Any] = {"occ": 1, "mask": 3, "bits": 4}
    bits = tuple(range(2, 2 + word))
    term = z3.BitVec("magic", word) if magic is None else magic
    with pytest.raises(error, match=said):
        Z3Reading().read(formula.tree, {**values, "magic": term})
    with pytest.raises(error, match=said):
        BitsReading(Circuit()).read(
            formula.tree, {**values, "magic": bits if magic is None else magic}
        )
    if word == 64:
        question = Question(formula, "magic", values, (1,), (0,), 15)
        with pytest.raises(error, match=said):
            Candidates(question).all.of([magic])


@pytest.mark.parametrize("text", ["(occ & mask) * magic", "(occ | ~mask) * magic"])
def test_sums_are_shared_along_the_subset_tree(text):
    """2^c occupancies cost 2^c - 1 sums at most, whatever the base (white or black)."""
    reading, mask, tree = Z3Reading(), 0x402010080400, parse(text).tree
    every = list(carry_rippler(mask))
    for subset in every:
        reading.read(tree, {"occ": subset, "mask": mask, "magic": z3.BitVec("m", 64)})
    assert len(reading.sums) <= len(every) + (64 - mask.bit_count() if "~" in text else 0)


SIDE = 4
STEPS = {"rook": ((0, 1), (1, 0), (0, -1), (-1, 0)), "bishop": ((1, 1), (1, -1), (-1, -1), (-1, 1))}
WHITE = parse("(((occ & mask) * magic) & 0xffff) >> (16 - bits)")
NARROW = parse("(((occ & mask) * (magic & 0xff)) & 0xffff) >> (16 - bits)")
BLACK = parse("(((occ | ~mask) * magic) & 0xffff) >> (16 - bits)")


def toy_rays(square: int, piece: str) -> Iterator[list[int]]:
    for step in STEPS[piece]:
        file, rank = square % SIDE, square // SIDE
        squares = []
        while 0 <= file + step[0] < SIDE and 0 <= rank + step[1] < SIDE:
            file, rank = file + step[0], rank + step[1]
            squares.append(rank * SIDE + file)
        yield squares


def toy_question(piece: str, square: int, bits: int, formula: Any = WHITE) -> Question:
    """A cell of a 4x4 board with 16-bit magics."""
    rays = list(toy_rays(square, piece))
    mask = sum(1 << s for ray in rays for s in ray[:-1])
    occupancies = tuple(carry_rippler(mask))

    def attacks(occupancy: int) -> int:
        reached = 0
        for ray in rays:
            for s in ray:
                reached |= 1 << s
                if occupancy >> s & 1:
                    break
        return reached

    sets = numbered(map(attacks, occupancies))
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
    return settle(question, backend, encoding, report, argument="", everything=everything)


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
        question = toy_question("rook", square, bits, formula)
        verdict = agrees(question, valid_magics(question), how, Silent())
        verdicts.add((verdict, question.attack_sets <= 1 << bits))
    # Both answers occur, and the "no" not only by counting.
    assert {(Exists, True), (Impossible, False), (Impossible, True)} <= verdicts


@pytest.mark.parametrize("how", ["z3-table", "cadical195-pairwise"])
def test_all_magics_are_found(how):
    """Up to the bits that do not matter, which both engines leave 0."""
    found_any = 0
    for square in range(0, SIDE * SIDE, 3):
        question = toy_question("rook", square, 4, NARROW)
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
        toy = toy_question("rook", square, bits)
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
    for square, bits in product((0, 5, 15), (2, 3)):
        question = toy_question("bishop", square, bits, BLACK)
        for how in ("z3-table", "glucose42-table"):
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
    assert isinstance(outcome, Exists)
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
            found = conquering.settle(question, backend, "table", Silent(), argument="")
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


def test_cubes_that_are_not_everything_are_no_answer(monkeypatch):
    monkeypatch.setattr(conquering.CubeLedger, "verdict", lambda *_: "refuted")
    monkeypatch.setattr(conquering, "are_everything", lambda *_: False)
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

    def state_everything(self, encoding: str) -> None:
        pass

    def state_apart(self, pair: tuple[int, int]) -> None:
        pass

    def exclude(self, magic: int) -> None:
        pass

    def ask(self, ones: int = 0, zeros: int = 0, conflicts: int | None = None) -> Answer:
        return self.answers.pop(0) if self.answers else GaveUp("tired")


def test_a_solver_that_gave_up_has_refuted_nothing():
    question, magic = ask("bishop", "d8", 5), 0x208800
    outcomes = [conquered(question, Mute(), 0b11, 1, Silent())]
    for answers in ((), (Model(magic),)):
        report, mute = Silent(), Mute(*answers)
        outcomes.append(
            conquering.settle(question, mute, "table", report, argument="none", everything=True)
        )
        assert report.magics == [magic] * len(answers)
    for outcome in outcomes:
        assert isinstance(outcome, Unknown)
        assert "tired" in outcome.reason


def test_cubes_find_what_there_is():
    question = ask("bishop", "d8", 5)
    live = wired_bits(question)
    assert isinstance(conquered(question, Z3Backend(question, live), live, 4, Silent()), Exists)


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
