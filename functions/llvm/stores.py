"""Which functions write to a variable, or to what it points to, by its name.

    store 7, ptr @T
    %p = getelementptr @T, ...    store 7, ptr %p       an address goes with what is made of it,
    store ptr @T, ptr %local      ... load, store       and through a variable on the stack,
    @P = global ptr @T            load @P, store        or one that begins with it
    %p = load ptr, ptr @T         store 7, ptr %p       what it points to
    call @fill(ptr @T)                                  as fill does with what it is given
    %p = call ptr @table()        store 7, ptr %p       and with what table returns

Whoever puts the address where others find it, or gives it to a function that is not here and does
not promise to read, counts as a writer. No order of instructions is looked at.
"""

import re
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass, field
from functools import cached_property

from magicert.functions.llvm.ir import Module
from magicert.functions.llvm.ir_types import Other, PointerType
from magicert.functions.llvm.metadata import SourceLine
from magicert.functions.llvm.reader import (
    BINARY,
    CASTS,
    NAME,
    Instruction,
    Operand,
    quoted,
    unquoted,
)

_MADE_OF_ADDRESSES = frozenset({
    "getelementptr", "phi", "select", "freeze", "insertvalue", "extractvalue", "insertelement",
    "extractelement", "shufflevector", *CASTS, *BINARY,
})  # fmt: skip
_COPIES = ("llvm.memcpy.", "llvm.memmove.")
_WRITES_FIRST = (*_COPIES, "llvm.memset.")
"""LLVM's own functions that write to what they are given first, and to nothing else."""
_NO_WRITERS = (
    "magicert.", "llvm.lifetime.", "llvm.invariant.", "llvm.dbg.", "llvm.prefetch", "llvm.assume",
    "llvm.launder.", "llvm.strip.", "llvm.objectsize.", "llvm.ptr", "llvm.va_",
)  # fmt: skip
"""Functions of no source that write nothing, whatever their heads say."""
_READS = {"none", "read"}
Given = tuple[str, int]
"""A function, "" for one that a pointer points to, and which of its parameters."""
_UNSEEN = Instruction("unknown", "", Other("unknown"))
"""What a function does that is not here."""


@dataclass(slots=True)
class _Effects:
    """What a function does with an address: the instructions that write there, or give it to
    another function, in their order; and whether it returns one.
    """

    events: list[tuple[Instruction, Given | None]] = field(default_factory=list)
    returns: bool = False


@dataclass(slots=True)
class _Places:
    """What is such an address in a function, and which variables, of the stack or of the module,
    hold one. `variables` has for each address of a variable whose it is.
    """

    addresses: set[tuple[str, str]]
    holders: set[tuple[str, str]]
    variables: dict[tuple[str, str], tuple[str, str]]
    givers: Set[str]
    """Functions that return one."""

    @property
    def size(self) -> int:
        """It grows for as long as there is something new."""
        return len(self.addresses) + len(self.holders) + len(self.variables)

    def has(self, operand: Operand) -> bool:
        """Whether an operand is such an address, or is made of one."""
        if operand.kind == "expression" and isinstance(operand.data, Instruction):
            return any(map(self.has, operand.data.operands))
        if operand.kind == "list" and isinstance(operand.data, list):
            return any(map(self.has, operand.data))
        return (operand.kind, operand.data) in self.addresses

    def variable(self, operand: Operand) -> tuple[str, str] | None:
        """The variable of which an operand is an address."""
        if operand.kind == "expression" and isinstance(operand.data, Instruction):
            return next(filter(None, map(self.variable, operand.data.operands)), None)
        return self.variables.get((operand.kind, str(operand.data)))

    def holds(self, operand: Operand) -> bool:
        """Whether an operand is an address of a variable that holds one."""
        return self.variable(operand) in self.holders

    def hold(self, operand: Operand) -> bool:
        """Note that one is put to where an operand points, if that is a variable on the stack."""
        place = self.variable(operand)
        if place is None or place[0] == "global":
            return False
        self.holders.add(place)
        return True


class Stores:
    """The functions of a module, and what they write to; what some of them write, the `known` ones,
    is no matter of those that call them.
    """

    def __init__(self, module: Module, known: Set[str] = frozenset()) -> None:
        self.module = module
        self.known = known
        self._of_parameters = dict[Given, _Effects]()
        self._known = dict[Given, bool]()

    def to_variable(self, variable: str) -> Iterator[tuple[str, SourceLine]]:
        """The functions that write to a variable, and where."""
        names = _that_name({variable}, self._aliases)
        holders = _that_name(names, self._initial_values) - names
        effects, givers, known = dict[str, _Effects](), set[str](), -1
        while known != len(givers):
            known = len(givers)
            mentions = [f"@{quoted(name)}" for name in (*names, *holders, *givers)]
            for symbol, body in self.module.bodies.items():
                if any(mention in body for mention in mentions):
                    addresses = {("global", name) for name in names}
                    held = {("global", name) for name in holders}
                    places = _Places(addresses, held, {one: one for one in held}, givers)
                    effects[symbol] = self._effects(symbol, places)
            givers = {symbol for symbol, effect in effects.items() if effect.returns}
        for symbol in self.module.bodies:
            found = self._first_write(effects[symbol]) if symbol in effects else None
            if found is not None:
                yield symbol, self.module.names.source_line(found.debug)

    @cached_property
    def _aliases(self) -> dict[str, set[str]]:
        """What each other name is the name of."""
        lines = re.findall(
            rf'^@({NAME}) = (?:[^\n"]*? )?alias (.*)$', self.module.text, re.MULTILINE
        )
        return {unquoted(name): _named(of) for name, of in lines}

    @cached_property
    def _initial_values(self) -> dict[str, set[str]]:
        """What the initial value of each variable names."""
        return {name: _named(one.initial) for name, one in self.module.globals.items()}

    def writes_to_parameter(self, symbol: str, place: int) -> bool:
        """Whether a function, or one that it calls, writes to what a parameter points to."""
        waiting, seen = [(symbol, place)], {(symbol, place)}
        while waiting:
            given = waiting.pop()
            effects = self._on_parameter(*given)
            called = {to for _, to in effects.events if to is not None}
            if self._known.get(given) or any(to is None for _, to in effects.events):
                self._known[symbol, place] = True
                return True
            if given not in self._known:
                waiting += called - seen
                seen |= called
        self._known |= dict.fromkeys(seen, False)  # nor does any that was come by
        return False

    def _on_parameter(self, symbol: str, place: int) -> _Effects:
        """What a function does with what one of its parameters points to."""
        if (symbol, place) not in self._of_parameters:
            self._of_parameters[symbol, place] = self._looked_at(symbol, place)
        return self._of_parameters[symbol, place]

    def _looked_at(self, symbol: str, place: int) -> _Effects:
        writes = _Effects([(_UNSEEN, None)])
        if symbol not in self.module.bodies:
            return _Effects() if self._only_reads(symbol, place) else writes
        parameters = self.module.function(symbol).parameters
        if place >= len(parameters):  # one of a list without end
            return writes
        start = {("local", parameters[place][1])}
        return self._effects(symbol, _Places(start, set(), {}, frozenset()))

    def _only_reads(self, symbol: str, place: int) -> bool:
        """Whether a function that is not here promises to do no more with a parameter."""
        if symbol.startswith(_WRITES_FIRST):
            return place > 0
        if symbol.startswith(_NO_WRITERS):
            return True
        line = self.module.declared.get(symbol, "")
        parameters = self.module.signature(symbol)[1] if line else []
        stated = parameters[place][2].split() if place < len(parameters) else []
        if symbol.startswith("llvm."):
            stated += self.module.stated(symbol)
            groups = (self.module.attributes.get(word, "") for word in line.split())
            promised = re.search(r"\bmemory\(([^)]*)\)", " ".join([line, *groups]))
            stated += ["readonly"] * (promised is not None and _access(promised[1]) in _READS)
        return bool({"readonly", "readnone"} & set(stated))

    def _first_write(self, effects: _Effects) -> Instruction | None:
        """The first instruction that writes, or that calls a function which does."""
        return next(
            (one for one, to in effects.events if to is None or self.writes_to_parameter(*to)), None
        )

    def _effects(self, symbol: str, places: _Places) -> _Effects:
        """What a function does with these addresses, and what it makes of them."""
        blocks = self.module.function(symbol).blocks.values()
        instructions = [one for block in blocks for one in block.instructions]
        for one in instructions:
            if one.op == "alloca":
                places.variables["local", one.result] = ("local", one.result)
        known, events = -1, list[tuple[Instruction, Given | None]]()
        while known != places.size:
            known = places.size
            events = [(one, to) for one in instructions for to in self._follow(one, places)]
        ends = (one for one in instructions if one.op == "ret")
        return _Effects(events, any(places.has(value) for one in ends for value in one.operands))

    def _follow(self, one: Instruction, places: _Places) -> Iterator[Given | None]:
        """What an instruction does with these addresses: None where it writes, else to which
        functions it gives them. What it makes of them is added.
        """
        result, operands = ("local", one.result), one.operands
        if one.op == "unknown":
            sigils = {"global": "@", "local": "%"}
            names = (f"{sigils[kind]}{quoted(name)}" for kind, name in places.addresses)
            if any(name in one.text for name in names):
                yield None
        elif one.op == "store":
            is_put = places.has(operands[0]) and not places.hold(operands[1])
            if is_put or places.has(operands[1]):
                yield None
        elif one.op == "load":
            if isinstance(one.type, PointerType) and (
                places.has(operands[0]) or places.holds(operands[0])
            ):
                places.addresses.add(result)
        elif one.op in {"call", "invoke"}:
            yield from self._called(one, places)
            is_given = one.names[0] in places.givers or any(map(places.has, operands))
            if is_given and isinstance(one.type, PointerType):
                places.addresses.add(result)
        elif one.op in _MADE_OF_ADDRESSES:
            bases = operands[:1] if one.op == "getelementptr" else operands
            if any(map(places.has, bases)):
                places.addresses.add(result)
            variable = next(filter(None, map(places.variable, bases)), None)
            is_sure = one.op in {"getelementptr", "bitcast"}
            if variable is not None and (is_sure or variable[0] == "global"):
                places.variables.setdefault(result, variable)

    def _called(self, one: Instruction, places: _Places) -> Iterator[Given | None]:
        """What a call does with these addresses."""
        callee, operands = one.names[0], one.operands
        if callee.startswith(_COPIES) and places.holds(operands[1]):
            if not places.hold(operands[0]):
                yield None
        elif callee not in self.known:
            arguments = len(operands) - (not callee)  # behind them stands a pointer to the callee
            for number, operand in enumerate(operands[:arguments]):
                if places.has(operand) or places.holds(operand):
                    yield (callee, number)


def _named(text: str) -> set[str]:
    """The functions and variables that a text of LLVM's names."""
    return {unquoted(name) for name in re.findall(rf"@({NAME})", text)}


def _that_name(names: Set[str], by_name: Mapping[str, Set[str]]) -> set[str]:
    """These names, and those of what names them, and so on."""
    known, size = {*names}, 0
    while size != len(known):
        size = len(known)
        known |= {name for name, others in by_name.items() if not known.isdisjoint(others)}
    return known


def _access(promised: str) -> str:
    """How one who promises so about the memory uses what it is given."""
    parts = [one.rpartition(": ") for one in promised.split(", ")]
    by_place = {place: access for place, _, access in parts}
    return by_place.get("argmem", by_place.get("", "none"))
