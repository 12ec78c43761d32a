"""What is left of a shard whose search has stopped, and going on from there.

A search goes through its tree depth-first, in one order. So a node's *path* says where it stands:
the nodes from the shard's root down. What is left of a shard is a `Rest`: from a node on, up to the
end of a subtree. Whoever goes on with a rest goes down the path again, which takes milliseconds,
and counts only what comes then. So the counts and magics of a shard's stretches, added up in the
order of the search, are those of the shard done in one go.

When: a shard that only counts lasts longer than some seconds (ledger/settle.py).

Why paths: they are a few numbers, which a ledger keeps and a cluster sends. Nothing of a kernel's
memory is kept, so that a damaged or invented rest finds its node or does not, and does no harm.

Not divided are shards whose leaves or survivors are hashed, for a hash is of all of them in a row;
and those of the program that counts slots, which goes through a whole step of the line at a time.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

from magicert.search.chain.chain import Chain
from magicert.search.kernel.node import DONE, ENTERING, INTERVALS, LEVEL, PAIRS, State
from magicert.search.low.node import LowState
from magicert.search.problem import MIRROR, AnyPlan, SlotPlan, bits_of, down, recalls, up

Node = tuple[int, int]
"""Where a node's m begins; and 1 if it is about ~m, on a mirrored plan's second side, else 0."""
Search = Callable[[int, int], int]
"""Goes on with a shard for so many nodes, or until so many magics are found: how it ended."""
SOME = 2
"""Intervals of magics that a step has room for: it finds none."""


class CutWork(Protocol):
    """What a rest is told of its shard's work (shard.py)."""

    @property
    def plan(self) -> AnyPlan:
        """The plan."""

    @property
    def level(self) -> int:
        """Its level at which the shards' roots are."""

    @property
    def record(self) -> bool:
        """Whether leaves are hashed."""

    def root(self, number: int) -> tuple[int, int, int]:
        """The interval of a part, whose second number is where it begins."""


class StrayRestError(ValueError):
    """A rest whose path leads to no node."""


@dataclass(frozen=True, slots=True)
class Rest:
    """What is left of a shard, in the order of the search: the node at the end of `path` and all
    behind it (only what is `behind` it, without the node), up to the end of the subtree of the
    node path[top]. `pairs` are those that a chain with a memory tries first.
    """

    path: tuple[Node, ...]
    behind: bool = False
    top: int = 0
    pairs: tuple[tuple[int, int], ...] = ()

    def __post_init__(self) -> None:
        last = len(self.path) - 1
        if not 0 <= self.top <= last or (self.behind and self.top == last):
            raise ValueError(f"top {self.top} of a path of {len(self.path)} nodes")

    def halves(self, work: CutWork) -> tuple["Rest", ...]:
        """The rest in two that two processes can do at once: the subtree in which it begins, and
        what is behind that. Itself alone, where there is only one, or where what comes first
        leaves pairs for what comes then.
        """
        if self.behind or recalls(work.plan.chain):
            return (self,)
        for level in range(self.top + 1, len(self.path)):
            index, children = _child(work, self.path, level)
            if index < children - 1:
                behind = Rest(self.path[: level + 1], behind=True, top=self.top)
                return replace(self, top=level), behind
        return (self,)

    def share(self, work: CutWork) -> float:
        """Which part of the shard's m is left in it."""
        start, width = _begins(work, self.path)
        end, end_width = _begins(work, self.path[: self.top + 1])
        return max(0.0, end + end_width - start - (width if self.behind else 0.0))


def can_divide(work: CutWork) -> bool:
    """Whether shards of the work can be done in stretches."""
    return not work.record and not isinstance(work.plan, SlotPlan)


def whole(work: CutWork, number: int) -> Rest:
    """A shard of which nothing is done."""
    _, base, _ = work.root(number)
    return Rest(((base, 0),))


def _child(work: CutWork, path: Sequence[Node], level: int) -> tuple[int, int]:
    """Which of its parent's children path[level] is, in the order of the search, and of how many
    there may be.
    """
    step = work.plan.steps[work.level + level - 1]
    p, q = work.plan.windows[work.level + level - 1]
    (before, _), (base, side) = path[level - 1], path[level]
    if step == MIRROR:
        return side, 2
    bits = bits_of(step)
    if up(step):
        index = int(f"{(base - before) >> q & ((1 << bits) - 1):0{bits}b}"[::-1], 2)
        return index, 1 << bits
    index = (base - before) >> (p - down(step)) & ((1 << bits) - 1)
    return ((1 << bits) - 1 - index if side and step[0] == "c" else index), 1 << bits


def _begins(work: CutWork, path: Sequence[Node]) -> tuple[float, float]:
    """Where in the shard the node at the end of a path begins, as a part of it, and how much of the
    shard the node is.
    """
    begin, width = 0.0, 1.0
    for level in range(1, len(path)):
        index, children = _child(work, path, level)
        width /= children
        begin += index * width
    return begin, width


# Where a search stands, and going there.


def rest_of(state: State | LowState, search: Search, top: int) -> Rest | None:
    """What is left of a search that has stopped, after a few more steps if it is not about to visit
    a node; None where these are all that was left. Call with room for intervals of magics.
    """
    while not state.register[ENTERING]:
        if search(0, SOME) == DONE:
            return None
    level = int(state.register[LEVEL])
    path = tuple(_node(state, depth) for depth in range(level + 1))
    pairs: tuple[tuple[int, int], ...] = ()
    if isinstance(state, State) and state.pads.recent.any():
        pairs = tuple((int(first), int(second)) for first, second in state.pads.recent)
    return Rest(path, top=top, pairs=pairs)


def left_of(work: CutWork, state: State | LowState, top: int) -> float:
    """Which part of the shard's m a search has still to do, for a display."""
    level = max(top, int(state.register[LEVEL]))
    return Rest(tuple(_node(state, depth) for depth in range(level + 1)), top=top).share(work)


def go_to(state: State | LowState, search: Search, rest: Rest, chain: Chain | None) -> None:
    """Bring a search that has just begun to where a rest begins, and let it end where that ends.
    Its counts are those of the way. `chain` is the task's, of a window plan.

    Raises StrayRestError where the path leads nowhere.
    """
    chain_level = -1 if chain is None else chain.level
    if not _is_at(state, rest.path[0], 0, chain_level):
        raise StrayRestError("it is of another shard")
    for level in range(len(rest.path) - 1):
        if level == chain_level and rest.path[level][1] and not _node(state, level)[1]:
            _take_second_side(state, search, level)
        _step(state, search, 1, level)
        if chain is not None and level == chain_level and isinstance(state, State):
            _follow_chain(state, search, rest.path[level + 1], chain)
        while not _is_at(state, rest.path[level + 1], level + 1, chain_level):
            _leave(state, level)
            _step(state, search, 0, level)
    last = len(rest.path) - 1
    if last == chain_level and rest.path[last] != _node(state, last):
        _take_second_side(state, search, last)
    if rest.path[last] != _node(state, last):
        raise StrayRestError("there is no such node")
    if rest.behind:
        _leave(state, last - 1)
    for level in range(rest.top):
        _close(state, level, chain_level)
    if rest.pairs:
        _remember(state, rest.pairs)
    state.register[INTERVALS] = 0


def _node(state: State | LowState, level: int) -> Node:
    if isinstance(state, LowState):
        return int(state.pads.m[level]), 0
    return int(state.pads.base[level]), int(state.pads.mirrored[level] != 0)


def _is_at(state: State | LowState, node: Node, level: int, chain_level: int) -> bool:
    """Whether a child is the node, or is to become it: at a chain the sides may part later."""
    base, side = _node(state, level)
    return base == node[0] and (side == node[1] or level == chain_level)


def _leave(state: State | LowState, level: int) -> None:
    """Pass over the child of the node at that level which is about to be visited."""
    state.register[LEVEL], state.register[ENTERING] = level, 0


def _step(state: State | LowState, search: Search, nodes: int, level: int) -> None:
    """Visit so many nodes (1 or none), and stop before a child of the node at that level."""
    status = search(nodes, SOME)
    while not state.register[ENTERING] and status != DONE and state.register[LEVEL] == level:
        status = search(0, SOME)
    if status == DONE or not state.register[ENTERING] or state.register[LEVEL] != level + 1:
        raise StrayRestError("its path ends before its node")


def _follow_chain(state: State, search: Search, node: Node, chain: Chain) -> None:
    """Go on to a node below a chain, and look at none of those before it: there may be millions."""
    level, pads = chain.level, state.pads
    if _node(state, level + 1) == node:
        return
    low, high = pads.low[level], pads.high[level]
    length = 1 << int(chain.below[-1])
    pads.low[level] = max(int(low), node[0])
    pads.high[level] = min(int(high), node[0] + length - 1)
    _leave(state, level)
    _step(state, search, 0, level)
    pads.low[level], pads.high[level] = low, high


def _take_second_side(state: State | LowState, search: Search, level: int) -> None:
    """From before a node at a chain, whose two sides are taken apart, to before its second one."""
    assert isinstance(state, State)
    search(1, SOME)
    if not (state.register[ENTERING] and state.register[LEVEL] == level):  # the first is no leaf
        if not state.pads.sides[level]:
            raise StrayRestError("its path takes sides apart that are together")
        state.chain.depth[0] = -1
        _leave(state, level)
        search(0, SOME)
    if not (state.register[ENTERING] and state.register[LEVEL] == level):
        raise StrayRestError("its path ends before its node")


def _close(state: State | LowState, level: int, chain_level: int) -> None:
    """Let the node at a level have no other child, nor a second side."""
    if isinstance(state, LowState):
        state.pads.place[level] = np.uint64(1 << 32)
        return
    state.pads.alive[level] = 0
    state.pads.word[level] = 1 << 32
    state.pads.sides[level] = 0
    if level == chain_level:
        state.chain.depth[0] = -1


def _remember(state: State | LowState, pairs: Sequence[tuple[int, int]]) -> None:
    rows = state.pads.pending.shape[1] if isinstance(state, State) else 0
    if len(pairs) != PAIRS or not all(0 <= row < rows for pair in pairs for row in pair):
        raise StrayRestError("its pairs are none of occupancies")
    assert isinstance(state, State)
    state.pads.recent[:] = pairs
