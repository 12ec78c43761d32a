"""Which earlier clauses each step of a refutation needs (as drat-trim does it, backwards).

A step of a DRUP proof says "this clause follows by unit propagation", and leaves it to the
reader from which clauses. Here the proof is walked from its end to its beginning: a step that
is needed is propagated, and the clauses that took part in the conflict are needed in turn
(Heule, Hunt, Wetzler, "Trimming while checking clausal proofs", 2013). Steps that nobody needs
fall away. Nothing that is said here has to be believed: the checker sees every step again.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from magicert.system.compiled import compiled

Clause = Sequence[int]
Numbers = NDArray[np.int64]
Flags = NDArray[np.bool_]

NOBODY = -1
"""No clause: the end of a list, or the reason of an assumption."""


@dataclass(frozen=True, slots=True)
class Step:
    """A clause, and the places of the clauses that it follows from, counted through the formula
    and the steps before it.
    """

    clause: tuple[int, ...]
    antecedents: tuple[int, ...]


class WalkState(NamedTuple):
    """What the walk works on. A literal is 2 * variable + (1 if negated); clause c has those from
    starts[c] to starts[c + 1], and is watched by its first two.

    `heads` (2, literals) begin the lists of clauses that watch a literal, row 1 those that are
    `needed`; `following` links them. A node of such a list is 2 * clause + (0 or 1: which watch).
    `true`, `reason`, `trail` and `seen` are of one propagation: what is assigned, by which
    clause, in which order, and what took part in the conflict.
    """

    literals: Numbers
    starts: Numbers
    units: Numbers
    heads: Numbers
    following: Numbers
    needed: Flags
    true: Flags
    reason: Numbers
    trail: Numbers
    seen: Flags


def state_of(literals: Numbers, starts: Numbers, needed: Flags) -> WalkState:
    """The state before the walk: nothing assigned, every clause of two or more watched."""
    codes = 2 * (int(literals.max(initial=2)) // 2 + 1)
    heads = np.full((2, codes), NOBODY)
    following = np.full(2 * len(needed), NOBODY)
    lengths = np.diff(starts)
    for clause in np.flatnonzero(lengths >= 2).tolist():
        for place in range(2):
            row, code = int(needed[clause]), literals[starts[clause] + place]
            following[2 * clause + place] = heads[row, code]
            heads[row, code] = 2 * clause + place
    return WalkState(
        literals, starts, np.flatnonzero(lengths == 1), heads, following, needed,
        true=np.zeros(codes, dtype=np.bool_), reason=np.full(codes // 2, NOBODY),
        trail=np.zeros(codes, dtype=np.int64), seen=np.zeros(codes // 2, dtype=np.bool_),
    )  # fmt: skip


def steps_of(
    formula: Sequence[Clause], proof: Sequence[Clause], *, every: bool = False
) -> list[Step] | int:
    """The steps that the empty clause needs, first to last; with `every`, all of them.

    Instead: the place of a step that does not follow by unit propagation. The proof's last step
    must be the empty clause, its only one.
    """
    clauses = [*formula, *proof]
    lengths = np.array([len(clause) for clause in clauses], dtype=np.int64)
    starts = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    signed = np.array([literal for clause in clauses for literal in clause], dtype=np.int64)
    literals = 2 * np.abs(signed) + (signed < 0)
    needed = np.zeros(len(clauses), dtype=np.bool_)
    needed[len(formula) if every else -1 :] = True
    failed, used, spans = walk_back(state_of(literals, starts, needed), len(formula))
    if failed != NOBODY:
        return int(failed) - len(formula)
    places = list(range(len(formula)))
    steps: list[Step] = []
    for clause, is_needed, (first, end) in zip(
        proof, needed[len(formula) :].tolist(), spans.tolist(), strict=True
    ):
        places.append(len(formula) + len(steps) if is_needed else NOBODY)
        if is_needed:
            antecedents = tuple(places[step] for step in used[first:end].tolist())
            steps.append(Step(tuple(clause), antecedents))
    return steps


@compiled()
def walk_back(state: WalkState, given: int) -> tuple[int, Numbers, Numbers]:
    """Explain each needed clause, from the last one back to number `given`.

    Returns (a clause that does not follow, or NOBODY; antecedents; the (first, end) of each
    clause's among them).
    """
    count = len(state.needed)
    spans = np.zeros((count - given, 2), dtype=np.int64)
    used = np.zeros(1 << 16, dtype=np.int64)
    many = 0
    for clause in range(count - 1, given - 1, -1):
        if not state.needed[clause]:
            continue
        conflict, length = propagate(state, clause)
        if conflict == NOBODY:
            return clause, used, spans
        if many + length + 1 > len(used):
            used = np.concatenate((used, np.zeros(len(used) + length + 1, dtype=np.int64)))
        spans[clause - given, 0] = many
        many = explain(state, conflict, length, used, many)
        spans[clause - given, 1] = many
    return NOBODY, used, spans


@compiled()
def propagate(state: WalkState, step: int) -> tuple[int, int]:
    """(The clause before `step` that the negation of `step` contradicts, or NOBODY; how many
    literals are assigned).
    """
    length = 0
    for at in range(state.starts[step], state.starts[step + 1]):
        length = assign(state, state.literals[at] ^ 1, NOBODY, length)
    for unit in state.units:
        if unit >= step:
            break
        code = state.literals[state.starts[unit]]
        if state.true[code ^ 1]:
            return unit, length
        length = assign(state, code, unit, length)
    # Clauses that are needed anyway come first, so that fewer others are.
    others = mine = 0
    while others < length:
        if mine < length:
            conflict, length = visit(state, 1, state.trail[mine] ^ 1, step, length)
            mine += 1
        else:
            conflict, length = visit(state, 0, state.trail[others] ^ 1, step, length)
            others += 1
        if conflict != NOBODY:
            return conflict, length
    return NOBODY, length


@compiled()
def assign(state: WalkState, code: int, clause: int, length: int) -> int:
    """Make a literal true because of a clause; how many are assigned now."""
    if state.true[code]:
        return length
    state.true[code] = True
    state.reason[code >> 1] = clause
    state.trail[length] = code
    return length + 1


@compiled()
def visit(state: WalkState, row: int, false: int, step: int, length: int) -> tuple[int, int]:
    """Look at the clauses of one row that watch a literal which has become false.

    Returns (a clause with no literal left, or NOBODY; how many literals are assigned).
    """
    before = NOBODY
    node = state.heads[row, false]
    while node != NOBODY:
        after = state.following[node]
        clause = node >> 1
        conflict = False
        # Clauses from `step` on are not asked for again.
        keep = clause < step
        if keep:
            other = state.literals[state.starts[clause] + 1 - (node & 1)]
            if not state.true[other]:
                keep = not watch_another(state, node)
                conflict = keep and state.true[other ^ 1]
                if keep and not conflict:
                    length = assign(state, other, clause, length)
            if keep and row == 0 and state.needed[clause]:
                keep = False
                link(state, node, false)
        if keep:
            before = node
        elif before == NOBODY:
            state.heads[row, false] = after
        else:
            state.following[before] = after
        if conflict:
            return clause, length
        node = after
    return NOBODY, length


@compiled()
def watch_another(state: WalkState, node: int) -> bool:
    """Let a clause watch a literal that is not false, in place of the node's; whether it can."""
    first = state.starts[node >> 1]
    mine = first + (node & 1)
    for at in range(first + 2, state.starts[(node >> 1) + 1]):
        code = state.literals[at]
        if not state.true[code ^ 1]:
            state.literals[at] = state.literals[mine]
            state.literals[mine] = code
            link(state, node, code)
            return True
    return False


@compiled()
def link(state: WalkState, node: int, code: int) -> None:
    """Put a node at the head of a literal's list."""
    row = 1 if state.needed[node >> 1] else 0
    state.following[node] = state.heads[row, code]
    state.heads[row, code] = node


@compiled()
def explain(state: WalkState, conflict: int, length: int, used: Numbers, many: int) -> int:
    """Write down the clauses behind a conflict, which are needed from now on, and take all
    assignments back; how many clauses are written now.
    """
    clause = conflict
    for at in range(length - 1, -2, -1):
        if clause != NOBODY:
            state.needed[clause] = True
            used[many] = clause
            many += 1
            for place in range(state.starts[clause], state.starts[clause + 1]):
                state.seen[state.literals[place] >> 1] = True
        if at >= 0:
            variable = state.trail[at] >> 1
            clause = state.reason[variable] if state.seen[variable] else NOBODY
    for at in range(length):
        state.true[state.trail[at]] = False
        state.seen[state.trail[at] >> 1] = False
    return many
