"""One function a square: LLVM puts the square in, inlines, unrolls and folds.

Checks that the compiler put in as calls that never return are given names of their own first, so
that LLVM cannot merge two of them, and each keeps its line.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any

from magicert.functions.llvm.bindings import leave_out, parsed, pass_builder, set_linkage
from magicert.functions.llvm.call_shapes import (
    BY_VALUE,
    CallShape,
    given_in,
    held_type,
    type_text,
    width_of,
)
from magicert.functions.llvm.constants import optimisable, variables_of
from magicert.functions.llvm.ir import Module
from magicert.functions.llvm.ir_types import Array, Integer, PointerType
from magicert.functions.llvm.markers import CHANGED, CHECK
from magicert.functions.llvm.reader import convention, quoted
from magicert.problem import InputError, Problem

MOST_INSTRUCTIONS = 50_000
"""Of all functions that one function calls: more would be inlined for each square."""


@dataclass(frozen=True, slots=True)
class SpecialisedModule:
    """A module with one function for each square, each of the bitboards only."""

    module: Module
    names: Mapping[int | None, str]


def specialised(
    text: str,
    symbol: str,
    shape: CallShape,
    squares: Sequence[int | None],
    word: int,
    held: Set[str] = frozenset(),
) -> SpecialisedModule:
    """Wrappers with constant squares, inlined and folded. `squares` are the numbers that the
    function takes; the functions `held` stay.
    """
    module = Module(text)
    size = reached(module, symbol)
    if size > MOST_INSTRUCTIONS:
        message = f"{size:,} instructions with all that it calls: expected at most"
        raise InputError([Problem(f"{message} {MOST_INSTRUCTIONS:,}", key=symbol)])
    names = {square: f"magicert.square.{square}" for square in squares}
    wrappers = [
        _wrapper(module, symbol, shape, square, name, word) for square, name in names.items()
    ]
    if any(CHANGED in wrapper for wrapper in wrappers) and f'@"{CHANGED}"(' not in text:
        wrappers.append(f'declare void @"{CHANGED}"(i1) nounwind')
    llvm_module = parsed(optimisable(text) + "\n" + "\n".join(wrappers), symbol)
    preserved = {*names.values(), *held}
    _fold(llvm_module, preserved, variables_of(module), module.triple)
    return SpecialisedModule(Module(str(llvm_module)), names)


def reached(module: Module, symbol: str) -> int:
    """The instructions of a function and of all that it calls."""
    names = module.reached(symbol, without=CHECK)
    return sum(module.bodies.get(name, "").count("\n") for name in names)


def _wrapper(
    module: Module, symbol: str, shape: CallShape, square: int | None, name: str, word: int
) -> str:
    """A function of the bitboards alone."""
    parameters = ", ".join(f"i{word} %board{n}" for n in range(len(shape.boards)))
    wrappers = []
    if shape.target is not None:
        parameters = f"i{shape.target_bits} %number"
        wrappers = [_resized(module, symbol, shape.target, f"i{shape.target_bits}", "%number")]
    body = wrappers + _called(module, symbol, shape, str(square), word, looked=True)
    kind = type_text(shape.result)
    head = f'define {kind} @"{name}"({parameters}) {_group(module, symbol)} {{'
    return "\n".join([head, *body, f"  ret {kind} %result", "}"])


def by_value(module: Module, shapes: Mapping[str, CallShape], word: int) -> str:
    """For each symbol a function (square, bitboards) that gives values, where this one takes or
    gives them in memory: see `_by_value`.
    """
    wrappers = [_by_value(module, symbol, shape, word) for symbol, shape in shapes.items()]
    if any(wrappers):
        wrappers.append(f'declare void @"{CHANGED}"(i1) nounwind')
    return "\n".join(wrappers)


def _by_value(module: Module, symbol: str, shape: CallShape, word: int) -> str:
    """A function (square, bitboards) that gives values, where this one takes or gives them in
    memory: what lies there is a variable as others are. "" where it does not.
    """
    parameters = module.signature(symbol)[1]
    if not any(isinstance(kind, PointerType) for kind, *_ in parameters):
        return ""
    given = [f"i{word} %board{n}" for n in range(len(shape.boards))]
    if shape.target is not None:
        given.append(f"{type_text(held_type(module, parameters[shape.target]))} %target")
    if shape.square is not None:
        given.insert(0, f"{type_text(held_type(module, parameters[shape.square]))} %square")
    body = _called(module, symbol, shape, "%square", word, looked=True)
    kind = type_text(shape.result)
    name = quoted(BY_VALUE + symbol)
    head = f"define {kind} @{name}({', '.join(given)}) {_group(module, symbol)} {{"
    return "\n".join([head, *body, f"  ret {kind} %result", "}"])


def callable_from_outside(
    module: Module, symbol: str, shape: CallShape, name: str, word: int
) -> str:
    """A function (square, bitboards, result) of addresses, whatever the shape is."""
    body = []
    if shape.square is not None:
        kind = type_text(held_type(module, module.signature(symbol)[1][shape.square]))
        body.append(f"  %square = trunc i128 %number to {kind}")
    if shape.target is not None:
        body.append("  %second = load i128, ptr %given, align 16")
        body.append(_resized(module, symbol, shape.target, "i128", "%second"))
    for n in range(len(shape.boards)):
        body.append(f"  %at{n} = getelementptr i8, ptr %given, i64 {16 * n}")
        body.append(f"  %board{n} = load i{word}, ptr %at{n}, align 16")
    body += _called(module, symbol, shape, "%square", word, looked=False)
    body.append(f"  store {type_text(shape.result)} %result, ptr %out, align 1")
    head = f'define void @"{name}"(ptr %numbers, ptr %given, ptr %out) {_group(module, symbol)} {{'
    return "\n".join([head, "  %number = load i128, ptr %numbers", *body, "  ret void", "}"])


def _resized(module: Module, symbol: str, place: int, source: str, value: str) -> str:
    """The instruction that makes %target of a number, as wide as the function takes it."""
    held = type_text(held_type(module, module.signature(symbol)[1][place]))
    if held == source:
        return f"  %target = or {held} {value}, 0"
    return f"  %target = {'trunc' if source == 'i128' else 'zext'} {source} {value} to {held}"


def _group(module: Module, symbol: str) -> str:
    """The attribute group of a function, with the processor that it is for."""
    line = module.bodies[symbol].partition("\n")[0]
    match = re.search(r" (#\d+)", line.rpartition(")")[2])
    return match[1] if match else ""


def _called(
    module: Module, symbol: str, shape: CallShape, square: str, word: int, *, looked: bool
) -> list[str]:
    """Instructions that call a function with %board0 ... and leave %result. What it was given in
    memory is looked at afterwards if that is asked for.
    """
    _, parameters = module.signature(symbol)
    line = module.bodies[symbol].partition("\n")[0]
    body, arguments = [], [""] * len(parameters)
    rooms: list[tuple[str, str, str]] = []
    if shape.through:
        kind = type_text(shape.result)
        body.append(f"  %room = alloca {kind}, align 16")
        arguments[0] = f"ptr sret({kind}) %room"
    for place, value, room in (
        (shape.square, square, "%here"),
        (shape.target, "%target", "%there"),
    ):
        if place is None:
            continue
        number, _, text = parameters[place]
        extended = next((w for w in ("zeroext ", "signext ") if w in text), "")
        held = type_text(held_type(module, parameters[place]))
        arguments[place] = f"{held} {extended}{value}"
        if isinstance(number, PointerType):
            body += [f"  {room} = alloca {held}, align 16", f"  store {held} {value}, ptr {room}"]
            arguments[place] = given_in(
                room, width_of(held_type(module, parameters[place])) // 8, text
            )
            rooms.append((held, room, value))
        elif isinstance(number, Array):
            whole = type_text(number)
            body.append(f"  {room}.in = insertvalue {whole} poison, {held} {value}, 0")
            arguments[place] = f"{whole} {room}.in"
    for n, places in enumerate(shape.boards):
        if len(places) == 2:
            body.append(f"  %low{n} = trunc i128 %board{n} to i64")
            body.append(f"  %up{n} = lshr i128 %board{n}, 64")
            body.append(f"  %high{n} = trunc i128 %up{n} to i64")
            arguments[places[0]] = f"i64 %low{n}"
            arguments[places[1]] = f"i64 %high{n}"
        elif isinstance(parameters[places[0]][0], Integer):
            arguments[places[0]] = f"i{word} %board{n}"
        else:
            kind = type_text(parameters[places[0]][0])
            body.append(f"  %room{n} = alloca i{word}, align 16")
            body.append(f"  store i{word} %board{n}, ptr %room{n}, align 16")
            if kind == "ptr":
                arguments[places[0]] = given_in(f"%room{n}", word // 8, parameters[places[0]][2])
                rooms.append((f"i{word}", f"%room{n}", f"%board{n}"))
                continue
            body.append(f"  %cast{n} = load {kind}, ptr %room{n}, align 16")
            arguments[places[0]] = f"{kind} %cast{n}"
    calls = f"@{quoted(symbol)}({', '.join(arguments)}) alwaysinline"
    prefix = f"call {convention(line)} "
    kind = type_text(shape.result)
    if shape.through:
        body.append(f"  {prefix}void {calls}")
        body.append(f"  %result = load {kind}, ptr %room, align 16")
    else:
        body.append(f"  %result = {prefix}{kind} {calls}")
    return [*body, *(_look_again(rooms) if looked else ())]


def _look_again(rooms: Iterable[tuple[str, str, str]]) -> Iterator[str]:
    """Instructions that look at what was given in memory: its type, where it lies, what it was."""
    for kind, room, given in rooms:
        yield f"  {room}.after = load {kind}, ptr {room}, align 16"
        yield f"  {room}.changed = icmp ne {kind} {room}.after, {given}"
        yield f'  call void @"{CHANGED}"(i1 {room}.changed)'


def _fold(llvm_module: Any, preserved: set[str], variables: Set[str], triple: str) -> None:  # noqa: ANN401
    """Everything but the wrappers becomes internal, is inlined, unrolled, folded and left out."""
    # What fills them may be gone by now: LLVM must not take their initial values for the last.
    set_linkage(llvm_module, variables, "external")
    leave_out(llvm_module, preserved)  # the passes would go over all of it first
    for _ in range(2):
        builder = pass_builder(triple, unrolls=True)
        builder.getModulePassManager().run(llvm_module, builder)


def batches(squares: Sequence[int | None], size: int) -> Iterator[Sequence[int | None]]:
    """Squares in groups: a long function times all squares would be too much at once."""
    most = max(1, min(len(squares), 40_000 // max(1, size)))
    for start in range(0, len(squares), most):
        yield squares[start : start + most]
