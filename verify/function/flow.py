"""The flow of control in a function: an order of its blocks, and which values each still uses.

The order is Bourdoncle's (Efficient chaotic iteration strategies with widenings, 1993): blocks,
and lists of blocks that are loops, each with its loops inside. Every edge either goes on in the
order or back inside a loop that holds both of its ends.
"""

from dataclasses import dataclass
from typing import Any

from magicert.verify.function.ir import Instruction, IrFunction


@dataclass(frozen=True, slots=True)
class Flow:
    """`order` as above; `inside`: of each loop, by its id, all blocks; `live`: of each block the
    values that it or a later one uses, its phis left out; `phis`: of each block.
    """

    order: list[Any]
    inside: dict[int, frozenset[str]]
    live: dict[str, frozenset[str]]
    phis: dict[str, list[Instruction]]


_FLOWS: dict[int, tuple[IrFunction, Flow]] = {}


def flow_of(function: IrFunction) -> Flow:
    """The flow of a function, which is remembered."""
    found = _FLOWS.get(id(function))
    if found is None or found[0] is not function:
        found = _FLOWS[id(function)] = (function, _flow(function))
    return found[1]


def _flow(function: IrFunction) -> Flow:
    after = {name: _targets(block.instructions[-1]) for name, block in function.blocks.items()}
    order = _Order(after).of(next(iter(function.blocks)))
    inside: dict[int, frozenset[str]] = {}
    _collect(order, inside)
    phis = {
        name: [i for i in block.instructions if i.op == "phi"]
        for name, block in function.blocks.items()
    }
    return Flow(order, inside, _live(function, after), phis)


def _targets(last: Instruction) -> tuple[str, ...]:
    if last.op == "invoke":
        return (last.names[1],)
    return tuple(dict.fromkeys(last.names)) if last.op in {"br", "switch"} else ()


def _collect(order: list[Any], inside: dict[int, frozenset[str]]) -> frozenset[str]:
    found: set[str] = set()
    for part in order:
        if isinstance(part, list):
            inside[id(part)] = _collect(part, inside)
            found |= inside[id(part)]
        else:
            found.add(part)
    return frozenset(found)


class _Order:
    """Bourdoncle's algorithm; the recursion is as deep as loops and blocks, with a stack of our own
    for the long chains that unrolling leaves.
    """

    def __init__(self, after: dict[str, tuple[str, ...]]) -> None:
        self.after = after

    def of(self, first: str) -> list[Any]:
        return self._ordered(first, frozenset(self.after))

    def _ordered(self, first: str, within: frozenset[str]) -> list[Any]:
        """The order of what can be reached from a block, without leaving some blocks."""
        result: list[Any] = []
        for part in _components(first, self.after, within):
            (head, *rest) = part
            if not rest and head not in self.after[head]:
                result.append(head)
                continue
            # A loop: its head, then the rest without the edges back to the head.
            body = frozenset(part) - {head}
            inner: list[Any] = [head]
            seen: set[str] = set()
            for start in self.after[head]:
                if start in body and start not in seen:
                    found = self._ordered(start, body - seen)
                    names = _flat(found)
                    seen |= names
                    inner = [head, *found, *inner[1:]]
            result.append(inner)
        return result


def _flat(order: list[Any]) -> set[str]:
    found: set[str] = set()
    for part in order:
        found |= _flat(part) if isinstance(part, list) else {part}
    return found


def _components(
    first: str, after: dict[str, tuple[str, ...]], within: frozenset[str]
) -> list[list[str]]:
    """Tarjan's strongly connected components in topological order, each with the block first by
    which it is entered.
    """
    numbers: dict[str, int] = {}
    lowest: dict[str, int] = {}
    open_: list[str] = []
    found: list[list[str]] = []
    stack: list[tuple[str, int]] = [(first, 0)]
    while stack:
        block, place = stack.pop()
        if place == 0:
            if block in numbers:
                continue
            numbers[block] = lowest[block] = len(numbers)
            open_.append(block)
        targets = [target for target in after[block] if target in within]
        if place > 0 and targets[place - 1] in open_:
            lowest[block] = min(lowest[block], lowest[targets[place - 1]])
        if place < len(targets):
            stack.append((block, place + 1))
            if targets[place] not in numbers:
                stack.append((targets[place], 0))
            elif targets[place] in open_:
                lowest[block] = min(lowest[block], numbers[targets[place]])
        elif lowest[block] == numbers[block]:
            start = open_.index(block)
            found.append(open_[start:])
            del open_[start:]
    return found[::-1]


def _live(function: IrFunction, after: dict[str, tuple[str, ...]]) -> dict[str, frozenset[str]]:
    uses: dict[str, set[str]] = {}
    made: dict[str, set[str]] = {}
    edges: dict[str, set[str]] = {name: set() for name in function.blocks}
    for name, block in function.blocks.items():
        made[name], uses[name] = set(), set()
        for i in block.instructions:
            if i.op == "phi":
                for operand, source in zip(i.operands, i.names, strict=True):
                    edges[source] |= _locals(operand)
            else:
                for operand in i.operands:
                    uses[name] |= _locals(operand) - made[name]
            if i.result:
                made[name].add(i.result)
    live: dict[str, set[str]] = {name: set(uses[name]) for name in function.blocks}
    changed = True
    while changed:
        changed = False
        for name in reversed(list(function.blocks)):
            out = set(edges[name])
            for target in after[name]:
                out |= live[target]
            new = uses[name] | (out - made[name])
            if new != live[name]:
                live[name], changed = new, True
    phis = {
        name: {i.result for i in block.instructions if i.op == "phi"}
        for name, block in function.blocks.items()
    }
    return {name: frozenset(live[name] - phis[name]) for name in live}


def _locals(operand: Any) -> set[str]:  # noqa: ANN401
    if operand.kind == "local":
        return {str(operand.data)}
    if operand.kind == "list":
        return {name for item in operand.data for name in _locals(item)}
    if operand.kind == "expression":
        return {name for item in operand.data.operands for name in _locals(item)}
    return set()
