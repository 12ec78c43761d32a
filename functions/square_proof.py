"""One square of a function, in one build: what it computes, and whether the board says the same.

rook, a1, as compiled   ->   proved; or refuted, with the occupied squares and both sets
"""

import re
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import replace

import numpy as np

from magicert.functions.builds import PLAIN, Build, digest
from magicert.functions.certificate import SquareReport
from magicert.functions.compare import arrays, pairs, solvers
from magicert.functions.compare import specification as board_says
from magicert.functions.compare.cache import Cache
from magicert.functions.compare.claim import KINDS, FunctionClaim
from magicert.functions.compare.entries import TARGET, AllTargets, Entries
from magicert.functions.compare.layout import layout_of
from magicert.functions.compare.proofs import prove
from magicert.functions.compare.prove import MOST_BITS, Claim, ClaimResult, Prover, WrongInput
from magicert.functions.execute import execution, words
from magicert.functions.execute.memory import HOLE, Memory, UndecidedError, UnfilledError
from magicert.functions.execute.state import Run
from magicert.functions.execute.values import Aggregate, Lane, Value, lane
from magicert.functions.execute.words import Word
from magicert.functions.llvm import call_shapes, specialise
from magicert.functions.processes import Processes
from magicert.functions.question import FunctionQuestion
from magicert.problem import InputError

SOLVERS: Mapping[str, Callable[[], solvers.WordSolver]] = {
    "z3": solvers.Z3,
    "bitwuzla": solvers.Bitwuzla,
}


class SquareProver:
    """Asks of squares of one function, in any of its builds."""

    def __init__(
        self, question: FunctionQuestion, claim: FunctionClaim, symbol: str, processes: Processes,
        cache: Cache | None = None,
    ) -> None:  # fmt: skip
        self.question = question
        self.claim = claim
        self.symbol = symbol
        self.processes = processes
        self.board = question.board
        self.word = question.board.word
        self.layout = layout_of(question.order, question.board)
        self.places = self.layout.squares
        chosen_solvers = [SOLVERS[name]() for name in question.solvers]
        # With a proof to be written, clauses say what a trial of all values would.
        tries_all = claim.of_two_squares and question.proof is None
        self.prover = Prover(chosen_solvers, tries_all=tries_all, cache=cache)
        self.entries = Entries(claim, self.layout) if claim.of_two_squares else None
        self.every: AllTargets | None = None
        self.slots = 0
        self.right = set[int | None]()
        """The squares that are right on the empty board, or with themselves alone occupied."""
        self.variables: Set[str] = set()
        """Those of the first build."""
        self.unfilled = set[int | None]()
        """Squares on which one build reads a variable that nobody has filled, and that another one
        has left out: a compiler takes a table that nothing fills for zeros.
        """

    def report(
        self, build: Build, special: specialise.SpecialisedModule, memory: Memory,
        number: int | None, shape: call_shapes.CallShape,
    ) -> SquareReport:  # fmt: skip
        """What comes of one square, by its number; None stands for whole sets of sliders."""
        inputs = self._inputs()
        try:
            run, computed = self._computed(build, special, memory, number, shape, inputs)
        except UndecidedError as error:
            unfilled = isinstance(error, UnfilledError)
            if isinstance(error, UnfilledError) and error.symbol not in self.variables:
                self.unfilled.add(number)
            return SquareReport(
                "not decided", str(error), error.place, lacks=error.lacks, unfilled=unfilled
            )
        if self.claim.kind == "index":
            return self._index(build, number, run, computed, inputs)
        undecided = ""
        if number is not None and self.entries is not None:
            expected, undecided = self.entries.expected(number, computed.word)
        else:
            expected = self._expected(number, inputs)
        assumed = words.and_(self._in_range(inputs), run.lies_somewhere())
        claim = Claim(
            computed.word, computed.poison, expected, run.violations, run.origins,
            words.support(expected), assumed,
        )  # fmt: skip
        judged = self.prover.judge(claim)
        report = self._reported(build, number, judged)
        if self.claim.kind == "attacks" and number is not None:
            if report.outcome == "refuted" and self._is_right_off_itself(claim, judged, number):
                report = replace(report, off_itself=True)
            empty, alone = (
                words.number_of(computed.word, {"occupied": n}) for n in (0, 1 << number)
            )
            report = replace(report, empty=empty, alone=alone)
            sets = {0: empty, 1 << number: alone}
            right = (words.number_of(expected, {"occupied": n}) == sets[n] for n in sets)
            if report.outcome == "proved" or any(right):
                self.right.add(number)
        if undecided and report.outcome == "proved":
            return SquareReport("not decided", undecided, rows=report.rows)
        return report

    def add_entries(
        self, build: Build, special: specialise.SpecialisedModule, memory: Memory,
        number: int | None, shape: call_shapes.CallShape,
    ) -> SquareReport:  # fmt: skip
        """Read the entries of a first square, for what they follow; whether they are known."""
        assert number is not None
        assert self.entries is not None
        try:
            run, computed = self._computed(build, special, memory, number, shape, self._inputs())
        except UndecidedError:
            return SquareReport("not decided")
        assert self.every is not None
        self.entries.add_entries(number, run, computed, self.every)
        return SquareReport("proved")

    def statement(self) -> str:
        """What is to be shown of all squares."""
        if self.entries is not None:
            return pairs.statement(self.claim.kind, self.entries.conventions.stated)
        squares = len(self.board.playable)
        inputs = len(KINDS[self.claim.kind]) * squares
        everything, piece = f"for all 2^{inputs} inputs", self.claim.piece
        match self.claim.kind:
            case "index":
                return f"{everything}, equal indexes mean equal attack sets of the {piece}"
            case "setwise":
                return f"{everything}, {self.claim.sets}"
            case "xray":
                boards = f"all 3^{squares} occupancies with blockers among them"
                return f"for every square, for {boards}, the {piece}'s x-ray attacks"
        return f"for every square, {everything}, {self.claim.sets}"

    def _is_right_off_itself(self, claim: Claim, judged: ClaimResult, number: int) -> bool:
        """Whether what is refuted on an occupied square is right wherever that is empty."""
        wrong, is_call = judged.refutation, "(" in self.claim.name  # which says how it is called
        if wrong is None or is_call or not wrong.values.get("occupied", 0) >> number & 1:
            return False
        own = words.extract(words.variable("occupied", self.board.squares), 1, number)
        assumed = words.boolean(True) if claim.assumed is None else claim.assumed
        off = replace(claim, assumed=words.and_(assumed, words.not_(own)))
        again = self.prover.judge(off)
        return again.refutation is None and not again.undecided

    def _inputs(self) -> dict[str, Word]:
        """What the function is given besides a constant square, by the squares' numbers."""
        if self.entries is not None:
            return {TARGET: self.entries.target()}
        names = KINDS[self.claim.kind]
        inputs = {name: words.variable(name, self.board.squares) for name in names}
        if self.claim.kind == "xray":
            inputs["blockers"] = words.and_(inputs["blockers"], inputs["occupied"])
        return inputs

    def _in_range(self, inputs: Mapping[str, Word]) -> Word:
        """That a second square is one of the board's."""
        return self.entries.in_range(inputs[TARGET]) if self.entries else words.boolean(True)

    def _computed(
        self, build: Build, special: specialise.SpecialisedModule, memory: Memory,
        number: int | None, shape: call_shapes.CallShape, inputs: Mapping[str, Word],
    ) -> tuple[Run, Lane]:  # fmt: skip
        """What the function computes. Raises UndecidedError."""
        two = self.entries is not None
        self.every = AllTargets(self.board.squares) if two else None
        run = Run(special.module, memory, self._can_hold, build.traps)
        argument_words = [inputs[name] for name in KINDS[self.claim.kind][: shape.open_arguments]]
        arguments: list[Value] = [
            (lane(x if two else self.layout.as_passed(x)),) for x in argument_words
        ]
        start = self._in_range(inputs)
        value, _, _ = execution.call(run, special.names[number], arguments, start, {})
        if value is None:
            nothing = words.constant(0, call_shapes.bits(shape.result) or self.word)
            return run, Lane(nothing, words.boolean(False))
        return run, _as_one_lane(value)

    def _can_hold(self, condition: Word) -> bool:
        """Whether a condition can hold: of two squares it is tried for each second one."""
        if self.every is None or not self.every.is_known(condition):
            return self.prover.feasible(condition)
        return bool(self.every.of(condition).any())

    def name_of(self, number: int | None) -> str:
        """A square as a certificate names it."""
        return "all" if number is None else self.board.name(self.places[number])

    def _expected(self, number: int | None, inputs: Mapping[str, Word]) -> Word:
        board, movement = self.board, self.claim.movement
        occupied = self.layout.on_board(inputs["occupied"])
        empty = board_says.emptiness(occupied)
        if number is None:
            expected_set = board_says.set_wise(
                board, movement, self.layout.on_board(inputs["sliders"]), empty
            )
        elif self.claim.kind == "xray":
            blockers = self.layout.on_board(inputs["blockers"])
            expected_set = board_says.xray(board, movement, self.places[number], occupied, blockers)
        else:
            expected_set = board_says.attack_set(board, movement, self.places[number], empty)
        return self.layout.from_board(expected_set)

    def _reported(self, build: Build, number: int | None, judged: ClaimResult) -> SquareReport:
        if judged.undecided:
            return SquareReport(
                "not decided", judged.undecided, judged.source_line, rows=judged.rows
            )
        if judged.refutation is None:
            proof = self._proof(build, number, judged)
            return SquareReport("proved", rows=judged.rows, proof=proof, earlier=judged.earlier)
        report = self._refuted(number, judged.refutation)
        names = (name.partition(" ")[0] for name in judged.refutation.values)
        trap = next((build.traps[name] for name in names if name in build.traps), None)
        if trap is not None and report.found:
            message, place = trap.message, trap.source_line
            return replace(report, message=message, place=place, outside=trap.outside)
        return report

    def _proof(self, build: Build, number: int | None, judged: ClaimResult) -> str:
        """Written where it is asked for."""
        folder, question = self.question.proof, judged.question
        if folder is None or question is None:
            return ""
        square, which = self.name_of(number), "" if build.name == PLAIN else "-traps"
        comments = [
            f"magicert function proof: {self.claim.key}={self.claim.name}, {square}, {build.name}",
            f"satisfied just by an input for which this is false: {self.statement()}",
            f"IR: SHA-256 {digest(build.text.encode())}",
        ]
        folder.mkdir(parents=True, exist_ok=True)
        stem = folder / f"{_file_names(self.question.functions)[self.claim]}-{square}{which}"
        try:
            return prove(question, comments, stem)
        except UndecidedError as error:
            return f"none: {error}"

    def _refuted(self, number: int | None, wrong: WrongInput) -> SquareReport:
        names = KINDS[self.claim.kind]
        boards = {name: wrong.values.get(name, 0) for name in names}
        if self.claim.kind == "xray":
            boards["blockers"] &= boards["occupied"]
        if self.entries is None:
            boards = {name: self.layout.number_passed(board) for name, board in boards.items()}
        inputs = {name: hex(board) for name, board in boards.items()}
        message, place, outcome, confirmed = "a wrong set", "", "refuted", ""
        if number is not None and self.entries is not None:
            inputs[TARGET], message = self.entries.explain(number, boards[TARGET], wrong.returned)
        sets = (hex(wrong.returned), hex(wrong.expected))
        if wrong.violated is not None:
            message, place = wrong.violated.message, wrong.violated.source_line
            sets = ("", sets[1])
        elif hole := next((name for name in wrong.values if name.startswith(HOLE)), ""):
            message = f"{message}, by {hole.rpartition(' ')[0]}"
            confirmed = "computed from the IR; no call is needed to show it"
        elif self.processes.can_call(self.symbol) and self.claim.kind != "index":
            called = list(boards.values())
            outcome, explanation, confirmed = self._confirmed(number, called, wrong.returned)
            message = message if outcome == "refuted" else explanation
        return SquareReport(
            outcome, message, place, inputs, *sets, confirmed, wrong.reads,
            outside=wrong.violated is not None and wrong.violated.outside,
        )  # fmt: skip

    def _confirmed(
        self, number: int | None, boards: Sequence[int], returned: int
    ) -> tuple[str, str, str]:
        """The outcome, the message, and what the compiled function says to a counterexample."""
        try:
            called = self.processes.call(self.symbol, number, boards, self.word // 8)
        except InputError as error:
            return "refuted", "a wrong set", f"calling it: {error.problems[0].message}"
        confirmed = f"the compiled function returns {called:#x}"
        if called == returned:
            return "refuted", "a wrong set", confirmed
        message = f"computed {returned:#x}, but {confirmed}: a bug of magicert, please report it"
        return "not decided", message, confirmed

    def _index(
        self, build: Build, number: int | None, run: Run, computed: Lane,
        inputs: Mapping[str, Word],
    ) -> SquareReport:  # fmt: skip
        """Whether equal indexes mean equal attack sets."""
        expected = self._expected(number, inputs)
        support = words.support(computed.word)
        relevant = words.support(expected)
        both = {
            name: support.get(name, 0) | relevant.get(name, 0) for name in {*support, *relevant}
        }
        claim = Claim(
            computed.word, computed.poison, computed.word, run.violations, run.origins, relevant
        )
        judged = self.prover.judge(claim)
        if judged.refutation is not None or judged.undecided:
            return self._reported(build, number, judged)
        bits = arrays.bits_of(both)
        if len(bits) > MOST_BITS:
            message = f"the index depends on {len(bits)} squares: expected at most {MOST_BITS}"
            return SquareReport("not decided", message)
        indexes, sets = arrays.all_values(computed.word, bits), arrays.all_values(expected, bits)
        self.slots = max(self.slots, int(indexes.max()) + 1)
        order = np.lexsort((sets, indexes))
        same = (indexes[order][1:] == indexes[order][:-1]) & (sets[order][1:] != sets[order][:-1])
        if not same.any():
            return SquareReport("proved", rows=1 << len(bits))
        first = int(np.argmax(same))
        rows = order[[first, first + 1]].astype(np.uint64)
        column = arrays.columns(rows, bits, {"occupied": self.board.squares})["occupied"]
        first_board, other = (hex(self.layout.number_passed(int(n))) for n in column[:2])
        shown = {"occupied": first_board, "other": other}
        message = f"two occupancies with index {int(indexes[rows[0]])} and different attack sets"
        return SquareReport("refuted", message, inputs=shown, rows=1 << len(bits))


def _file_names(claims: Sequence[FunctionClaim]) -> dict[FunctionClaim, str]:
    """How the files of each claim's proofs begin: with its key, and its name where several claims
    have that key.
    """
    names: dict[FunctionClaim, str] = {}
    for claim in claims:
        key = claim.key.replace(":", "-")
        if [one.key for one in claims].count(claim.key) > 1:
            key = "-".join([key, *re.findall(r"\w+", claim.name)])
        taken = set(names.values())
        same = (f"{key}-{number}" for number in range(2, len(claims) + 2))
        names[claim] = next(name for name in (key, *same) if name not in taken)
    return names


def _as_one_lane(value: Value) -> Lane:
    """A returned value as one number."""
    parts = tuple(map(_as_one_lane, value.items)) if isinstance(value, Aggregate) else value
    poison = words.any_of(part.poison for part in parts)
    return Lane(words.concat(*(part.word for part in reversed(parts))), poison)
