"""Vectors, structs and arrays: what moves values between lanes and computes nothing."""

from collections.abc import Sequence

from magicert.functions.execute import words
from magicert.functions.execute.memory import UndecidedError
from magicert.functions.execute.state import Run
from magicert.functions.execute.values import (
    Address,
    Aggregate,
    Lane,
    Value,
    chosen,
    chosen_lane,
    lane,
    lanes_of,
    with_poison,
)
from magicert.functions.execute.words import constant
from magicert.functions.llvm import ir_types, reader


def cast(source: ir_types.Type, target: ir_types.Type, value: Value) -> Value:
    """What `bitcast` gives: the same bits in other lanes."""
    if isinstance(target, ir_types.PointerType) or source == target:
        return value
    lanes = lanes_of(value)
    width = lanes[0].word.width
    item_type = target.item if isinstance(target, ir_types.Vector) else target
    if not isinstance(item_type, ir_types.Integer):
        raise UndecidedError(f"a value of type {named(item_type)}")
    whole = words.concat(*(item.word for item in reversed(lanes)))
    found = []
    for start in range(0, whole.width, item_type.width):
        first, last = start // width, (start + item_type.width - 1) // width
        bad = words.any_of(item.poison for item in lanes[first : last + 1])
        found.append(Lane(words.extract(whole, item_type.width, start), bad))
    return tuple(found)


def filled(layout: ir_types.DataLayout, kind: ir_types.Type, *, poison: bool) -> Value:
    """A value of zeros, or one that is all poison."""
    match kind:
        case ir_types.Integer(width):
            return (Lane(constant(0, width), words.boolean(poison)),)
        case ir_types.PointerType():
            pointer = layout.pointer
            choice = (words.boolean(True), None, constant(0, pointer))
            return (Lane(Address((choice,)), words.boolean(poison)),)
        case ir_types.Vector(count, item):
            return lanes_of(filled(layout, item, poison=poison)) * count
        case ir_types.Array(count, item):
            return Aggregate((filled(layout, item, poison=poison),) * count)
        case ir_types.Struct(items):
            return Aggregate(tuple(filled(layout, item, poison=poison) for item in items))
    raise UndecidedError(f"a value of type {named(kind)}")


def selected(arguments: Sequence[Value]) -> Value:
    """What `select` gives."""
    conditions, x, y = arguments
    choices = lanes_of(conditions)
    if len(choices) == 1:
        return with_poison(chosen(choices[0].word, x, y), choices[0].poison)
    lanes = (((c,), (a,), (b,)) for c, a, b in zip(choices, lanes_of(x), lanes_of(y), strict=True))
    return tuple(item for parts in lanes for item in lanes_of(selected(parts)))


def frozen(run: Run, value: Value) -> Value:
    """What `freeze` gives: open bits are any, but the same wherever the value is used."""
    if isinstance(value, Aggregate):
        return Aggregate(tuple(frozen(run, item) for item in value.items))
    lanes = []
    for item in value:
        if item.poison.value == 0:
            lanes.append(item)
            continue
        any_word, word = run.anything(item.word.width), item.word
        for mask, condition in item.whole:
            bits = constant(mask, word.width)
            mixed = words.or_(words.and_(word, words.not_(bits)), words.and_(any_word, bits))
            word = words.ite(condition, mixed, word)
        lanes.append(lane(word))
    return tuple(lanes)


def element(run: Run, i: reader.Instruction, arguments: Sequence[Value]) -> Value:
    """What `extractelement` and `insertelement` give."""
    lanes = lanes_of(arguments[0])
    (index,) = lanes_of(arguments[-1])
    number = index.word.value
    if number is None:
        width = index.word.width
        outside = words.not_(words.ult(index.word, constant(len(lanes), width)))
        bad = words.or_(index.poison, run.poison(outside, "a lane that is not there"))
        here = [words.eq(index.word, constant(n, width)) for n in range(len(lanes))]
        if i.op == "insertelement":
            (new,) = lanes_of(arguments[1])
            made = (chosen_lane(c, new, item) for c, item in zip(here, lanes, strict=True))
            return with_poison(tuple(made), bad)
        lane, *others = lanes
        for condition, item in zip(here[1:], others, strict=True):
            lane = chosen_lane(condition, item, lane)
        return with_poison((lane,), bad)
    if number >= len(lanes):
        return filled(run.module.layout, i.type, poison=True)
    if i.op == "extractelement":
        return (lanes[number],)
    return (*lanes[:number], *lanes_of(arguments[1]), *lanes[number + 1 :])


def shuffled(
    layout: ir_types.DataLayout, i: reader.Instruction, arguments: Sequence[Value]
) -> Value:
    """What `shufflevector` gives."""
    lanes = (*lanes_of(arguments[0]), *lanes_of(arguments[1]))
    assert isinstance(i.type, ir_types.Vector)
    nothing = lanes_of(filled(layout, i.type.item, poison=True))[0]
    found = []
    for choice in lanes_of(arguments[2]):
        number = choice.word.value
        found.append(nothing if choice.poison.value or number is None else lanes[number])
    return tuple(found)


def named(kind: ir_types.Type) -> str:
    """A type as messages name it."""
    return kind.name if isinstance(kind, ir_types.Other) else str(kind)
