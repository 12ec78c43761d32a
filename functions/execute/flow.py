"""The flow of control in a function: an order of its blocks, and which values each still uses.

The order is Bourdoncle's (Efficient chaotic iteration strategies with widenings, 1993): blocks,
and lists of blocks that are loops, each with its loops inside. Every edge either goes on in the
order or back inside a loop that holds both of its ends.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from magicert.functions.llvm.reader import Instruction, IrFunction


@dataclass(frozen=True, slots=True)
class Flow:
    """`order` as above; `inside`: of each loop, by its id, all blocks; `live`: of each block the
    values that it or a later one uses, its phis left out; `phis`: of each block.
    """

    order: list[Any]
    inside: dict[int, frozenset[str]]
    live: dict[str, frozenset[str]]
    phis: dict[str, list[Instruction]]


@lru_cache(1 << 10)
def flow_of(function: IrFunction) -> Flow:
    """The flow of a function, which is remembered."""
    after = {name: _targets(block.instructions[-1]) for name, block in function.blocks.items()}
    order = _ordered(next(iter(after)), after, frozenset(after))
    inside = {id(loop): frozenset(_blocks(loop)) for loop in _loops(order)}
    phis = {
        name: [i for i in block.instructions if i.op == "phi"]
        for name, block in function.blocks.items()
    }
    return Flow(order, inside, _live(function, after, phis), phis)


def _targets(last: Instruction) -> tuple[str, ...]:
    if last.op == "invoke":
        return (last.names[1],)
    return tuple(dict.fromkeys(last.names)) if last.op in {"br", "switch"} else ()


def returns(function: IrFunction, block: str) -> bool:
    """Whether control may come from a block to a return, also by an exception that is caught."""
    seen, waiting = set[str](), [block]
    while waiting:
        name = waiting.pop()
        if name in seen:
            continue
        seen.add(name)
        last = function.blocks[name].instructions[-1]
        if last.op in {"br", "switch"}:
            waiting += last.names
        elif last.op == "invoke":
            waiting += last.names[1:]
        elif last.op not in {"resume", "unreachable"}:
            return True
    return False


def _loops(order: list[Any]) -> Iterator[list[Any]]:
    for part in order:
        if isinstance(part, list):
            yield part
            yield from _loops(part)


def _blocks(order: list[Any]) -> Iterator[str]:
    for part in order:
        yield from _blocks(part) if isinstance(part, list) else (part,)


def _ordered(first: str, after: dict[str, tuple[str, ...]], within: frozenset[str]) -> list[Any]:
    """Bourdoncle's order of what can be reached from a block, without leaving some blocks. The
    recursion is as deep as loops nest.
    """
    result: list[Any] = []
    for head, *rest in _components(first, after, within):
        if not rest and head not in after[head]:
            result.append(head)
            continue
        # A loop: its head, then the rest without the edges back to the head.
        body, inner = frozenset(rest), list[Any]()
        for start in after[head]:
            if start in body:
                order = _ordered(start, after, body)
                body -= frozenset(_blocks(order))
                inner = [*order, *inner]
        result.append([head, *inner])
    return result


def _components(
    first: str, after: dict[str, tuple[str, ...]], within: frozenset[str]
) -> list[list[str]]:
    """Tarjan's strongly connected components in topological order, each with the block first by
    which it is entered.
    """
    numbers: dict[str, int] = {}
    lowest: dict[str, int] = {}
    open_: list[str] = []
    components: list[list[str]] = []
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
            components.append(open_[start:])
            del open_[start:]
    return components[::-1]


def _live(
    function: IrFunction, after: dict[str, tuple[str, ...]], phis: dict[str, list[Instruction]]
) -> dict[str, frozenset[str]]:
    uses: dict[str, set[str]] = {}
    definitions: dict[str, set[str]] = {}
    edges: dict[str, set[str]] = {name: set() for name in function.blocks}
    for name, block in function.blocks.items():
        definitions[name], uses[name] = set(), set()
        for i in block.instructions:
            if i.op == "phi":
                for operand, source in zip(i.operands, i.names, strict=True):
                    edges[source] |= _locals(operand)
            else:
                for operand in i.operands:
                    uses[name] |= _locals(operand) - definitions[name]
            if i.result:
                definitions[name].add(i.result)
    live: dict[str, set[str]] = {name: set(uses[name]) for name in function.blocks}
    changed = True
    while changed:
        changed = False
        for name in reversed(list(function.blocks)):
            out = set(edges[name])
            for target in after[name]:
                out |= live[target]
            new = uses[name] | (out - definitions[name])
            if new != live[name]:
                live[name], changed = new, True
    return {name: frozenset(live[name] - {phi.result for phi in phis[name]}) for name in live}


def _locals(operand: Any) -> set[str]:  # noqa: ANN401
    if operand.kind == "local":
        return {str(operand.data)}
    items = {"list": operand.data, "expression": getattr(operand.data, "operands", ())}
    return {name for item in items.get(operand.kind, ()) for name in _locals(item)}
