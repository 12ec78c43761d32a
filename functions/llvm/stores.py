"""Which functions write to a variable, or to what it points to, by its name.

    store 7, ptr @T
    %p = getelementptr @T, ...    store 7, ptr %p       an address goes with what is made of it,
    store ptr @T, ptr %local      ... load, store       and through a variable on the stack
    %p = load ptr, ptr @T         store 7, ptr %p       what it points to
    call @fill(ptr @T)                                  as fill does with what it is given

Whoever puts the address where others find it, or gives it to a function that is not here and does
not promise to read, counts as a writer. No order of instructions is looked at.
"""

from collections.abc import Iterator, Set
from functools import cache

from magicert.functions.llvm.ir import Module
from magicert.functions.llvm.ir_types import PointerType
from magicert.functions.llvm.metadata import SourceLine
from magicert.functions.llvm.reader import BINARY, CASTS, Instruction, Operand, quoted

_MADE_OF_ADDRESSES = frozenset({
    "getelementptr", "phi", "select", "freeze", "insertvalue", "extractvalue", "insertelement",
    "extractelement", "shufflevector", *CASTS, *BINARY,
})  # fmt: skip
_OF_NO_SOURCE = ("llvm.", "magicert.")
_WRITES_FIRST = ("llvm.memcpy", "llvm.memmove", "llvm.memset")
"""LLVM's own functions that write, to what they are given first; others of that name do not."""


class Stores:
    """The functions of a module, and what they write to; what some of them write, the `known` ones,
    is no matter of those that call them.
    """

    def __init__(self, module: Module, known: Set[str] = frozenset()) -> None:
        self.module = module
        self.known = known
        self.writes_to_parameter = cache(self._writes_to_parameter)
        self._open = set[tuple[str, int]]()

    def to_variable(self, variable: str) -> Iterator[tuple[str, SourceLine]]:
        """The functions that write to a variable, which they name, and where."""
        name = f"@{quoted(variable)}"
        for symbol, body in self.module.bodies.items():
            if name in body and (found := self._first(symbol, ("global", variable))):
                yield symbol, self.module.names.source_line(found.debug)

    def _writes_to_parameter(self, symbol: str, place: int) -> bool:
        """Whether a function writes to what one of its parameters points to."""
        if symbol not in self.module.bodies:
            return not self._only_reads(symbol, place)
        if (symbol, place) in self._open:
            return False  # what it does itself is looked at already
        parameters = self.module.function(symbol).parameters
        if place >= len(parameters):  # one of a list without end
            return True
        self._open.add((symbol, place))
        found = self._first(symbol, ("local", parameters[place][1]))
        self._open.discard((symbol, place))
        return found is not None

    def _only_reads(self, symbol: str, place: int) -> bool:
        """Whether a function that is not here promises to do no more with a parameter."""
        parameters = self.module.signature(symbol)[1] if symbol in self.module.declared else []
        stated = parameters[place][2].split() if place < len(parameters) else []
        return bool({"readonly", "readnone"} & set(stated))

    def _first(self, symbol: str, start: tuple[str, str]) -> Instruction | None:
        """The first instruction of a function that writes to an address; None where none does."""
        blocks = self.module.function(symbol).blocks.values()
        instructions = [one for block in blocks for one in block.instructions]
        stack = {one.result: one.result for one in instructions if one.op == "alloca"}
        addresses, holders, known = {start}, set[str](), -1
        while known != len(addresses) + len(holders) + len(stack):
            known = len(addresses) + len(holders) + len(stack)
            for one in instructions:
                if self._writes(one, addresses, holders, stack):
                    return one
        return None

    def _writes(
        self, one: Instruction, addresses: set[tuple[str, str]], holders: set[str],
        stack: dict[str, str],
    ) -> bool:  # fmt: skip
        """Whether an instruction writes to one of these addresses; else what it makes of them is
        added. `holders` are variables on the stack that hold one, and `stack` has for each address
        there whose it is.
        """

        def is_in(operand: Operand) -> bool:
            if operand.kind == "expression" and isinstance(operand.data, Instruction):
                return any(map(is_in, operand.data.operands))
            if operand.kind == "list" and isinstance(operand.data, list):
                return any(map(is_in, operand.data))
            return (operand.kind, operand.data) in addresses

        def holder(operand: Operand) -> str:
            return stack.get(str(operand.data), "") if operand.kind == "local" else ""

        given = [is_in(operand) for operand in one.operands]
        result = ("local", one.result)
        if one.op == "unknown":
            sigils = {"global": "@", "local": "%"}
            return any(f"{sigils[kind]}{quoted(name)}" in one.text for kind, name in addresses)
        if one.op == "store":
            if given[0] and (place := holder(one.operands[1])):
                holders.add(place)
            return given[1] or (given[0] and not holder(one.operands[1]))
        if one.op == "load":
            if isinstance(one.type, PointerType) and (
                given[0] or holder(one.operands[0]) in holders
            ):
                addresses.add(result)
        elif one.op in {"call", "invoke"}:
            held = [bool(holders) and holder(operand) in holders for operand in one.operands]
            callee = one.names[0]
            arguments = len(given) - (not callee)  # behind them stands a pointer to the callee
            for number, reached in enumerate([*map(max, given, held)][:arguments]):
                if reached and self._callee_writes(callee, number):
                    return True
            if any(given) and isinstance(one.type, PointerType):
                addresses.add(result)
        elif one.op in _MADE_OF_ADDRESSES:
            base = given[:1] if one.op == "getelementptr" else given
            if any(base):
                addresses.add(result)
            if one.op in {"getelementptr", "bitcast"} and (place := holder(one.operands[0])):
                stack[one.result] = place
        return False

    def _callee_writes(self, callee: str, place: int) -> bool:
        if callee.startswith(_OF_NO_SOURCE) and callee not in self.module.bodies:
            return callee.startswith(_WRITES_FIRST) and place == 0
        if callee in self.known:
            return False
        return not callee or self.writes_to_parameter(callee, place)
