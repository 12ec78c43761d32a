"""One square: is what the function computes what the board says, for all occupancies?"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random

import numpy as np

from magicert.functions.compare import arrays
from magicert.functions.compare.cache import Cache, key_of
from magicert.functions.compare.solvers import (
    QUICK,
    Satisfiable,
    Terms,
    Unsatisfiable,
    WordSolver,
    ask,
    ask_all,
)
from magicert.functions.execute import words
from magicert.functions.execute.memory import UndecidedError
from magicert.functions.execute.state import Violation
from magicert.functions.execute.words import Word
from magicert.outcome import GaveUp

MOST_BITS = 20
"""Bits whose values are all gone through: 2^20 of them."""
LINE_BITS = 8
"""The same for what is made of several lookups: the squares of a line. Of more, each lookup is gone
through by itself: a rook's two lines take a quarter of the time, a queen's four a hundredth.
"""
CONDITION_BITS = 14
"""The same for a condition on products and remainders, which solvers take long over."""
TRIED = 64
"""Random inputs that are tried where nothing can be proved."""
WHOLE = 5
"""A result with so many independent parts is asked as a whole, which is faster: four rays and the
constant bits.
"""
SMALL = 65
"""Entries of a table that a solver is given as they are."""


@dataclass(frozen=True, slots=True)
class Claim:
    """What is to be shown of one square: `computed` equals `expected`, and nothing is violated.

    `hints` are the bits of the variables that may matter; `origins` say where poison comes from.
    """

    computed: Word
    poison: Word
    expected: Word
    violations: Sequence[Violation]
    origins: Sequence[Violation]
    hints: Mapping[str, int]
    assumed: Word | None = None
    """What is known of the variables."""


def claim_key(claim: Claim, solvers: Sequence[str]) -> bytes:
    """A hash of a claim, which has all that its proof is about and made with."""
    asserted = [violation.condition for violation in claim.violations if violation.asserts]
    others = [violation.condition for violation in claim.violations if not violation.asserts]
    fixed = [claim.computed, claim.poison, claim.expected, words.any_of(asserted)]
    fixed += [] if claim.assumed is None else [claim.assumed]
    settings = tuple(solvers), sorted(claim.hints.items()), len(asserted), claim.assumed is None
    return key_of(repr(settings), fixed, others)


@dataclass(frozen=True, slots=True)
class WrongInput:
    """An input on which the function is wrong, or on which its behaviour is undefined."""

    values: dict[str, int]
    violated: Violation | None
    returned: int
    expected: int
    reads: tuple[str, ...] = ()
    """Table entries that were looked up."""


@dataclass(frozen=True, slots=True)
class ClaimResult:
    """What came of one claim. `refutation` and `undecided` are both None where it is proved."""

    refutation: WrongInput | None = None
    undecided: str = ""
    source_line: str = ""
    """Where in the source that stands for which it is undecided."""
    rows: int = 0
    """Values of bits that were gone through, because of tables, products and remainders."""
    question: Word | None = None
    """Where it is proved: the condition that never holds, without tables."""
    earlier: bool = False
    """Whether it was proved before, and is known from the cache."""


@dataclass(slots=True)
class Prover:
    """Solvers, and how long each question may take them."""

    solvers: Sequence[WordSolver]
    milliseconds: int = 60_000
    tries_all: bool = False
    """Whether a claim about few bits is tried for all of their values, without a solver."""
    cache: Cache | None = None
    rows: int = 0
    _settled: dict[Word, Word] = field(default_factory=dict)
    """Words without their tables."""

    def feasible(self, condition: Word) -> bool:
        """Whether a condition can hold; True where that is not known soon."""
        if condition.value is not None:
            return bool(condition.value)
        if arrays.holds_somewhere(condition):  # what a solver would take longer to say
            return True
        plain = self._without_tables(condition, {})
        return not isinstance(ask(self.solvers[0], plain, QUICK), Unsatisfiable)

    def judge(self, claim: Claim) -> ClaimResult:
        """Whether the claim holds. Never raises UndecidedError. What the source asserts is a
        condition that it has itself: inputs for which that is false refute nothing.
        """
        if self.cache is None:
            return self._judged(claim)
        key = claim_key(claim, [solver.name for solver in self.solvers])
        if (rows := self.cache.rows(key)) is not None:
            return ClaimResult(rows=rows, earlier=key not in self.cache.new)
        judged = self._judged(claim)
        if judged.refutation is None and not judged.undecided:
            self.cache.keep(key, judged.rows)
        return judged

    def _judged(self, claim: Claim) -> ClaimResult:
        judged = self._judge(claim)
        wrong, asserted = (
            judged.refutation,
            [violation for violation in claim.violations if violation.asserts],
        )
        fails = [
            violation
            for violation in asserted
            if wrong and words.number_of(violation.condition, wrong.values)
        ]
        if wrong is None or not fails:
            return judged
        holds = words.not_(words.any_of(violation.condition for violation in asserted))
        holds = words.and_(holds, claim.assumed or words.boolean(True))
        others = [violation for violation in claim.violations if not violation.asserts]
        again = self._judge(replace(claim, violations=others, assumed=holds))
        if again.refutation is not None:
            return again
        inputs_text = ", ".join(f"{name} {value:#x}" for name, value in wrong.values.items())
        message = (
            f"what is asserted there does not hold for {inputs_text}: -- -DNDEBUG leaves it out"
        )
        message += f"; and {again.undecided}" if again.undecided else ""
        return ClaimResult(undecided=message, source_line=fails[0].source_line, rows=self.rows)

    def _judge(self, claim: Claim) -> ClaimResult:
        self.rows = 0
        self._settled.clear()
        try:
            wrong = words.ne(claim.computed, claim.expected)
            broken = words.any_of(
                self._gone_through(violation.condition) for violation in claim.violations
            )
            bad = words.or_(words.or_(broken, claim.poison), wrong)
            if claim.assumed is not None:
                bad = words.and_(claim.assumed, bad)
            bits = arrays.bits_of(words.support(bad))
            somewhere = any(name.startswith("&") for name, _ in bits)
            if self.tries_all and not somewhere and len(bits) <= LINE_BITS:
                return self._tried_for_all(claim, bad, bits)
            questions = self._questions(claim, broken)
            if claim.assumed is not None:
                known = self._without_tables(claim.assumed, {})
                questions = [words.and_(known, word) for word in questions]
            question = words.any_of(questions)
            terms: list[Terms | None] = [{} for _ in self.solvers]
            for part in questions:
                answer = ask_all(self.solvers, part, self.milliseconds, terms)
                if not isinstance(answer, Unsatisfiable):
                    break
        except UndecidedError as error:
            wrong_input = _tried(claim, bad)
            return (
                ClaimResult(wrong_input)
                if wrong_input is not None
                else ClaimResult(undecided=str(error))
            )
        match answer:
            case Unsatisfiable():
                return ClaimResult(rows=self.rows, question=question)
            case GaveUp(reason):
                return ClaimResult(undecided=reason, rows=self.rows)
        refutation = refuted(claim, bad, answer)
        if refutation is None:
            message = "the solver's counterexample is none when it is computed: a bug of magicert"
            return ClaimResult(undecided=message)
        unknown = [name for name in refutation.values if name.startswith("&")]
        if unknown and not self._is_wrong_at_any_address(claim, bad, refutation):
            message = f"what it computes depends on where {unknown[0][1:]} lies in memory"
            return ClaimResult(undecided=message)
        return ClaimResult(refutation, rows=self.rows)

    def _tried_for_all(
        self, claim: Claim, bad: Word, bits: Sequence[tuple[str, int]]
    ) -> ClaimResult:
        rows = np.flatnonzero(arrays.all_values(bad, bits))
        if not rows.size:
            return ClaimResult(rows=1 << len(bits), question=words.boolean(False))
        values = dict.fromkeys((name for name, _ in bits), 0)
        for n, (name, place) in enumerate(bits):
            values[name] |= (int(rows[0]) >> n & 1) << place
        wrong_input = refuted(claim, bad, Satisfiable(values))
        return ClaimResult(wrong_input, rows=1 << len(bits))

    def _is_wrong_at_any_address(self, claim: Claim, bad: Word, wrong_input: WrongInput) -> bool:
        """Is the input a wrong one wherever the objects lie?"""
        right = words.and_(words.not_(bad), claim.assumed or words.boolean(True))
        for node in words.walk([bad]):
            if node.op == "variable" and not node.data.startswith("&"):
                fixed_value = words.eq(
                    node, words.constant(wrong_input.values[node.data], node.width)
                )
                right = words.and_(right, fixed_value)
        return not self.feasible(right)

    def _questions(self, claim: Claim, broken: Word) -> list[Word]:
        """What never holds, if the claim is true: undefined behaviour, or a part of the result that
        is wrong. A queen takes a second ray by ray, and minutes as a whole.
        """
        computed, poison, broken = (
            self._without_tables(part, claim.hints)
            for part in (claim.computed, claim.poison, broken)
        )
        parts = independent(claim.expected)
        if len(parts) <= WHOLE:
            return [words.any_of([words.ne(computed, claim.expected), poison, broken])]
        masks = (words.constant(mask, claim.expected.width) for mask in parts)
        return [
            words.any_of([poison, broken]),
            *(words.ne(words.and_(computed, m), words.and_(claim.expected, m)) for m in masks),
        ]

    def _without_tables(self, root: Word, hints: Mapping[str, int]) -> Word:
        """The same word, without lookups in long tables. Raises UndecidedError where that fails."""
        waiting, opened = [root], set[Word]()
        while waiting:
            node = waiting.pop()
            if node in self._settled:
                continue
            if not node.has_table:
                self._settled[node] = self._gone_through(node)
                continue
            if node not in opened:
                bits = arrays.bits_of(words.support(node))
                if len(bits) <= (MOST_BITS if node.op == "table" else LINE_BITS):
                    self.rows += 1 << len(bits)
                    self._settled[node] = arrays.as_conditions(node, bits)
                    continue
                opened.add(node)
                waiting += [node, *reversed(node.args)]
                continue
            args = [self._settled[arg] for arg in node.args]
            lookup = node.op == "table"
            settled = self._lookup(node, args[0], hints) if lookup else words.remade(node, args)
            self._settled[node] = settled
        return self._settled[root]

    def _gone_through(self, node: Word) -> Word:
        """The same condition, known if it has no tables and no value of its few bits changes it."""
        if node.width > 1 or node.has_table or not node.is_hard:
            return node
        bits = arrays.bits_of(words.support(node))
        if not 0 < len(bits) <= CONDITION_BITS:
            return node
        self.rows += 1 << len(bits)
        values = arrays.all_values(node, bits)
        return words.boolean(bool(values[0])) if (values == values[0]).all() else node

    def _lookup(self, root: Word, index: Word, hints: Mapping[str, int]) -> Word:
        """A lookup whose address might depend on many bits: a solver says that it does not."""
        reached = root.data.entries[: index.largest + 1]
        if len(reached) <= SMALL:
            return words.entry(replace(root.data, entries=reached), index)
        composed = self._composed(root, index)
        if composed is not None:
            return composed
        replaced = {}
        for node in words.walk([index]):
            if node.op == "variable" and node.data in hints:
                mask = words.constant(hints[node.data], node.width)
                replaced[id(node)] = words.and_(node, mask)
        masked = words.rebuild(index, replaced)
        bits = arrays.bits_of(words.support(masked))
        if len(bits) > MOST_BITS:
            raise UndecidedError(f"a lookup in {root.data.name} that depends on {len(bits)} bits")
        answer = ask_all(self.solvers, words.ne(index, masked), self.milliseconds)
        if not isinstance(answer, Unsatisfiable):
            why = "depends on squares outside its lines"
            if isinstance(answer, GaveUp):
                why = f"may depend on squares outside its lines ({answer.reason})"
            raise UndecidedError(f"a lookup in {root.data.name} {why}")
        self.rows += 1 << len(bits)
        return arrays.as_conditions(words.entry(root.data, masked), bits)

    def _composed(self, root: Word, index: Word) -> Word | None:
        """A lookup by an index that is made of few bits of some parts; None where it is not."""
        cut = words.narrowest(index)
        names = {f"cut{n}": node for n, node in enumerate(cut)}
        bits = arrays.bits_of({name: cut[node] for name, node in names.items()})
        if len(bits) > MOST_BITS:
            return None
        unknown = {name: words.variable(name, node.width) for name, node in names.items()}
        over = words.rebuild(index, {id(node): unknown[name] for name, node in names.items()})
        self.rows += 1 << len(bits)
        conditions = arrays.as_conditions(words.entry(root.data, over), bits)
        return words.rebuild(conditions, {id(unknown[name]): node for name, node in names.items()})


def independent(word: Word) -> list[int]:
    """The bits of a word in groups that no bit of a variable connects: those of one ray, say. The
    first group is of the constant bits.
    """
    groups: list[tuple[int, dict[str, int]]] = []
    constant = 0
    for place in range(word.width):
        bits, seen = 1 << place, words.support(words.extract(word, 1, place))
        if not seen:
            constant |= bits
            continue
        for other in [g for g in groups if any(g[1].get(n, 0) & seen[n] for n in seen)]:
            groups.remove(other)
            bits |= other[0]
            seen = {n: seen.get(n, 0) | other[1].get(n, 0) for n in {*seen, *other[1]}}
        groups.append((bits, seen))
    return [constant, *(bits for bits, _ in groups)]


def _tried(claim: Claim, bad: Word) -> WrongInput | None:
    """A counterexample among a few random inputs; None where none of them is one."""
    names = {node.data: node.width for node in words.walk([bad]) if node.op == "variable"}
    if any(name.startswith("&") for name in names):
        return None
    random = Random(0)
    for n in range(TRIED):
        values = {
            name: random.getrandbits(width) & (random.getrandbits(width) if n % 2 else -1)
            for name, width in names.items()
        }
        if words.number_of(bad, values):
            return refuted(claim, bad, Satisfiable(values))
    return None


def refuted(claim: Claim, bad: Word, answer: Satisfiable) -> WrongInput | None:
    """The counterexample, computed anew without the solver and made as small as can be; None where
    it is none.
    """
    names = (node.data for node in words.walk([bad]) if node.op == "variable")
    values = {name: answer.values.get(name, 0) for name in names}
    if not words.number_of(bad, values):
        return None
    for name, value in dict(values).items():
        for place in range(value.bit_length()):
            fewer = {**values, name: values[name] & ~(1 << place)}
            if fewer != values and words.number_of(bad, fewer):
                values = fewer
    violated = next((v for v in claim.violations if words.number_of(v.condition, values)), None)
    if violated is None and words.number_of(claim.poison, values):
        violated = next(
            (v for v in claim.origins if words.number_of(v.condition, values)),
            Violation(claim.poison, "the result has no meaning", ""),
        )
    return WrongInput(
        values,
        violated,
        words.number_of(claim.computed, values),
        words.number_of(claim.expected, values),
        tuple(_reads(claim.computed, values)),
    )


def _reads(root: Word, values: Mapping[str, int]) -> list[str]:
    lookups = [node for node in words.walk([root]) if node.op == "table"]
    places = [(node.data, words.number_of(node.args[0], values)) for node in lookups]
    entry_names = [table.where(place) for table, place in places if place < len(table.entries)]
    return list(dict.fromkeys(entry_names))[:4]
