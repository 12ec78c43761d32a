"""Words for solvers: Z3's terms, and Bitwuzla's, each translated from the graph by itself."""

import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

from magicert.functions.execute import words
from magicert.functions.execute.words import Word
from magicert.outcome import GaveUp
from magicert.problem import InputError, Problem

QUICK = 2000
"""Milliseconds for a question whose answer only saves work."""


@dataclass(frozen=True, slots=True)
class Satisfiable:
    """Values of the variables under which the condition holds."""

    values: dict[str, int]


@dataclass(frozen=True, slots=True)
class Unsatisfiable:
    """There are no such values."""


Answer = Satisfiable | Unsatisfiable | GaveUp
Model = Callable[[Any], int]
"""The number of an unknown, as a solver makes it."""


class WordSolver(Protocol):
    """How a solver makes terms, and what it says of one: numbers of unknowns with which it is 1,
    None where it never is, or why nobody knows.
    """

    @property
    def name(self) -> str: ...
    def constant(self, value: int, width: int) -> Any: ...  # noqa: ANN401
    def variable(self, name: str, width: int) -> Any: ...  # noqa: ANN401
    def apply(self, op: str, node: Word, args: Sequence[Any]) -> Any: ...  # noqa: ANN401
    def solve(self, condition: Any, milliseconds: int) -> Model | str | None: ...  # noqa: ANN401


def term(root: Word, language: WordSolver, terms: dict[int, Any]) -> Any:  # noqa: ANN401
    """The term of a word; those of its parts are kept in `terms`."""
    for node in words.walk([root]):
        if id(node) in terms:
            continue
        match node.op:
            case "constant":
                terms[id(node)] = language.constant(node.data, node.width)
            case "variable":
                terms[id(node)] = language.variable(node.data, node.width)
            case "table" | "popcount" | "reverse":
                terms[id(node)] = term(plain_of(node), language, terms)
            case _:
                args = [terms[id(arg)] for arg in node.args]
                terms[id(node)] = language.apply(node.op, node, args)
    return terms[id(root)]


def plain_of(node: Word) -> Word:
    """A lookup, a population count or a reversal by other operations."""
    if node.op == "reverse":
        (x,) = node.args
        places = range(0, node.width, node.data)
        return words.concat(*(words.extract(x, node.data, place) for place in places))
    return _tree(node) if node.op == "table" else _counted(node.args[0], node.width)


def _tree(node: Word) -> Word:
    """A lookup as a tree of choices."""
    index = node.args[0]
    entries = [int(entry) for entry in node.data.entries]
    bits = max(1, (len(entries) - 1).bit_length())
    entries += [0] * ((1 << bits) - len(entries))
    level = [words.constant(entry, node.width) for entry in entries]
    for place in range(min(bits, index.width)):
        bit = words.extract(index, 1, place)
        level = [words.ite(bit, level[n + 1], level[n]) for n in range(0, len(level), 2)]
    if index.width <= bits:
        return level[0]
    outside = words.ne(
        words.extract(index, index.width - bits, bits), words.constant(0, index.width - bits)
    )
    return words.ite(outside, words.constant(0, node.width), level[0])


def _counted(x: Word, width: int) -> Word:
    """A population count as a tree of sums."""
    level = [words.extract(x, 1, place) for place in range(x.width)]
    while len(level) > 1:
        if len(level) % 2:
            level.append(words.constant(0, level[0].width))
        wide = level[0].width + 1
        level = [
            words.add(words.zext(level[n], wide), words.zext(level[n + 1], wide))
            for n in range(0, len(level), 2)
        ]
    return words.resized(level[0], width)


def _z3() -> Any:  # noqa: ANN401
    try:
        import z3
    except ImportError:
        message = "needs z3-solver: pip install 'magicert[function]'"
        raise InputError([Problem(message, key="--function")]) from None
    return z3


Terms = dict[int, Any]
"""A solver's terms of words that are kept, by their identity."""


def ask(
    solver: WordSolver, condition: Word, milliseconds: int, terms: Terms | None = None
) -> Answer:
    """Whether a condition, a word of one bit, can hold. What a model says is computed: Z3 sometimes
    leaves a name without a number. `terms`: terms of questions that share parts.
    """
    answer = solver.solve(term(condition, solver, {} if terms is None else terms), milliseconds)
    if answer is None:
        return Unsatisfiable()
    if isinstance(answer, str):
        return GaveUp(f"{solver.name}: {answer}")
    unknown = [node for node in words.walk([condition]) if node.op == "variable"]
    values = {node.data: answer(solver.variable(node.data, node.width)) for node in unknown}
    if words.number_of(condition, values) != 1:
        return GaveUp(f"{solver.name}: its model is not one")
    return Satisfiable(values)


class Z3:
    """Z3's bit-vectors, in a context of their own: in a shared one, what was asked before decides
    which of several counterexamples is found. A condition is a word of one bit.
    """

    def __init__(self) -> None:
        self.z3 = z3 = _z3()
        self.binary: dict[str, Callable[[Any, Any], Any]] = {
            **words.PLAIN, "udiv": z3.UDiv, "urem": z3.URem, "shl": operator.lshift,
            "lshr": z3.LShR, "ashr": operator.rshift,
        }  # fmt: skip

    @cached_property
    def context(self) -> Any:  # noqa: ANN401
        """Made for the first question: it takes ten milliseconds, and many squares ask none."""
        return self.z3.Context()

    @property
    def name(self) -> str:
        return f"Z3 {self.z3.get_version_string()}"

    def constant(self, value: int, width: int) -> Any:  # noqa: ANN401
        return self.z3.BitVecVal(value, width, self.context)

    def variable(self, name: str, width: int) -> Any:  # noqa: ANN401
        return self.z3.BitVec(name, width, self.context)

    def apply(self, op: str, node: Word, args: Sequence[Any]) -> Any:  # noqa: ANN401
        z3 = self.z3
        match op:
            case "not":
                return ~args[0]
            case "eq" | "ult" | "slt":
                compared = {"eq": lambda x, y: x == y, "ult": z3.ULT, "slt": lambda x, y: x < y}
                return z3.If(compared[op](*args), self.constant(1, 1), self.constant(0, 1))
            case "ite":
                return z3.If(args[0] == 1, args[1], args[2])
            case "concat":
                return z3.Concat(*args)
            case "extract":
                return z3.Extract(node.data + node.width - 1, node.data, args[0])
            case "sext":
                return z3.SignExt(node.width - node.args[0].width, args[0])
        return self.binary[op](*args)

    def solve(self, condition: Any, milliseconds: int) -> Model | str | None:  # noqa: ANN401
        z3 = self.z3
        solver = z3.SolverFor("QF_BV", self.context)
        solver.set("timeout", milliseconds)
        solver.add(condition == 1)
        result = solver.check()
        if result != z3.sat:
            return None if result == z3.unsat else str(solver.reason_unknown())
        model = solver.model()

        def number(unknown: Any) -> int:  # noqa: ANN401
            value = model.eval(unknown, True)
            return int(value.as_long()) if z3.is_bv_value(value) else 0

        return number


class Bitwuzla:
    """Bitwuzla's bit-vectors, as a second opinion."""

    def __init__(self) -> None:
        import bitwuzla

        self.b = bitwuzla
        self.terms = bitwuzla.TermManager()
        self.unknowns: dict[str, Any] = {}
        kind = bitwuzla.Kind
        self.kinds = {
            "not": kind.BV_NOT, "and": kind.BV_AND, "or": kind.BV_OR, "xor": kind.BV_XOR,
            "add": kind.BV_ADD, "sub": kind.BV_SUB, "mul": kind.BV_MUL, "udiv": kind.BV_UDIV,
            "urem": kind.BV_UREM, "shl": kind.BV_SHL, "lshr": kind.BV_SHR, "ashr": kind.BV_ASHR,
            "concat": kind.BV_CONCAT, "ult": kind.BV_ULT, "slt": kind.BV_SLT,
        }  # fmt: skip

    @property
    def name(self) -> str:
        return f"Bitwuzla {self.b.version()}"

    def constant(self, value: int, width: int) -> Any:  # noqa: ANN401
        return self.terms.mk_bv_value(self.terms.mk_bv_sort(width), str(value), 10)

    def variable(self, name: str, width: int) -> Any:  # noqa: ANN401
        if name not in self.unknowns:
            self.unknowns[name] = self.terms.mk_const(self.terms.mk_bv_sort(width), name)
        return self.unknowns[name]

    def apply(self, op: str, node: Word, args: Sequence[Any]) -> Any:  # noqa: ANN401
        b, terms = self.b, self.terms
        if op == "extract":
            return self._extract(args[0], node.data + node.width - 1, node.data)
        if op == "ite":
            return terms.mk_term(b.Kind.ITE, [self._is_one(args[0]), args[1], args[2]])
        if op == "eq":
            return self._bit(terms.mk_term(b.Kind.EQUAL, list(args)))
        if op in {"ult", "slt"}:
            return self._bit(terms.mk_term(self.kinds[op], list(args)))
        if op == "sext":
            extended = node.width - node.args[0].width
            return terms.mk_term(b.Kind.BV_SIGN_EXTEND, [args[0]], [extended])
        return terms.mk_term(self.kinds[op], list(args))

    def _extract(self, x: Any, high: int, low: int) -> Any:  # noqa: ANN401
        return self.terms.mk_term(self.b.Kind.BV_EXTRACT, [x], [high, low])

    def _is_one(self, x: Any) -> Any:  # noqa: ANN401
        return self.terms.mk_term(self.b.Kind.EQUAL, [x, self.constant(1, 1)])

    def _bit(self, condition: Any) -> Any:  # noqa: ANN401
        values = [condition, self.constant(1, 1), self.constant(0, 1)]
        return self.terms.mk_term(self.b.Kind.ITE, values)

    def solve(self, condition: Any, milliseconds: int) -> Model | str | None:  # noqa: ANN401
        b = self.b
        options = b.Options()
        options.set(b.Option.PRODUCE_MODELS, True)
        options.set(b.Option.TIME_LIMIT_PER, milliseconds)
        solver = b.Bitwuzla(self.terms, options)
        solver.assert_formula(self._is_one(condition))
        result = solver.check_sat()
        if result != b.Result.SAT:
            return None if result == b.Result.UNSAT else "unknown"
        return lambda unknown: int(solver.get_value(unknown).value(10))


def ask_all(
    solvers: Sequence[WordSolver],
    condition: Word,
    milliseconds: int,
    terms_by_solver: Sequence[Terms | None] | None = None,
) -> Answer:
    """What all solvers say. Where they contradict one another, nobody knows."""
    if condition.value is not None:
        return Satisfiable({}) if condition.value else Unsatisfiable()
    each = zip(solvers, terms_by_solver or [None] * len(solvers), strict=True)
    answers = [ask(solver, condition, milliseconds, terms) for solver, terms in each]
    kinds = {type(answer) for answer in answers}
    if len(kinds) > 1:
        return GaveUp("the solvers disagree: " + ", ".join(type(a).__name__ for a in answers))
    return answers[0]
