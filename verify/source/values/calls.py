"""What a call, a cast or a record makes of the numbers in it."""

import re
from collections.abc import Sequence
from dataclasses import replace

from magicert.verify.source.languages.arithmetic import Kind, complement
from magicert.verify.source.languages.numbers import read_text_number
from magicert.verify.source.languages.types import ONLY, Width, as_narrow
from magicert.verify.source.values.definitions import ROUNDING, Definitions
from magicert.verify.source.values.leaf import (
    NOTHING,
    Leaf,
    Row,
    Value,
    collapsed,
    doubted,
    guessed,
    widened,
)

_RADIX_READERS = re.compile(r"(?i)parse|int|from|bigint|val|strto|uint64|u64|long")
_LAST_ARGUMENT = re.compile(r"as_?u?int_?n$", re.IGNORECASE)
RECORDS = frozenset({"C", "Go", "Rust", "Zig"})
"""Languages in which `Name { ... }` runs no code."""
HALVES = {"UInt128": (1, 0), "MakeUint128": (1, 0), "_mm_set_epi64x": (1, 0)}
"""Functions of libraries that put two halves together: the places of the low and the high one."""
HALF = 64
"""Bits of half a word of 128."""


def called(known: Definitions, name: str, row: Row) -> Value:
    """The arguments of a call, without those that say how to read the first."""
    children = row.children
    if _LAST_ARGUMENT.search(name) and len(children) == 2:
        width = children[0].value if isinstance(children[0], Leaf) else None
        if width is not None and width < known.word:
            return doubted(children[1], row.place, f"{name} keeps {width} bits")
        return children[1]
    first = children[0] if children else NOTHING
    if isinstance(first, Leaf) and first.text and _RADIX_READERS.search(name):
        for other in children[1:]:
            if isinstance(other, Leaf) and other.value in (2, 8, 10, 16):
                number = read_text_number(first.text.removeprefix("0x"), other.value)
                return replace(first, value=number, text="")
    if len(children) == 2 and isinstance(first, Leaf) and first.base and _is_typed(name):
        # Zig's @as(u32, x).
        return cast_to(known, [first.base], children[1], row.place)
    if len(children) == 2 and name.lower() == "int":
        # Fortran's int(x, kind).
        kind = children[1].value if isinstance(children[1], Leaf) else None
        if kind in (1, 2, 4):
            return doubted(children[0], row.place, f"{name} keeps {8 * kind} bits")
        return children[0]
    if len(children) == 1 and known.language.name == "Swift":
        # An argument's label: UInt64(bitPattern: x), UInt64(bigEndian: x).
        label = row.keys[0]
        if isinstance(label, str) and known.effect(label) == "changes":
            return doubted(children[0], row.place, f"{label}: may change the number")
        return children[0]
    if name in HALVES and len(children) == 2 and known.word > HALF:
        return put_together([children[at] for at in HALVES[name]], row.place)
    return collapsed(row)


def put_together(halves: Sequence[Value], place: int) -> Value:
    """A word of 128 bits of its low and its high half."""
    low, high = halves
    if not isinstance(low, Leaf) or not isinstance(high, Leaf) or None in (low.value, high.value):
        return NOTHING
    found = replace(low, objection=low.objection or high.objection, guess=low.guess or high.guess)
    if low.number().value >> HALF or high.number().value >> HALF:
        found = found.doubted(place, f"a half has more than {HALF} bits")
    value = low.number().value | high.number().value << HALF
    return replace(found, value=value, text="", kind="wide")


def converted(
    known: Definitions,
    name: str,
    types: list[str],
    value: Value,
    place: int,
    record: bool = False,
) -> Value:
    """What a call of this name makes of its arguments. A `record` only holds them."""
    if value == NOTHING or (isinstance(value, Leaf) and value.value is None and not value.text):
        return value
    if isinstance(value, Leaf):
        if _makes_a_float(known, name, value):
            return value.doubted(place, f"{name}(...) makes a floating-point number of it")
        width = known.narrow([*types, name])
        if width is not None:
            return narrowed(value, width, place)
        value = held(known, [*types, name], value)
        if known.word > HALF and known.is_wide([name]):
            return value
        if value.base or (
            value.value is not None and abs(value.value) >> 16 == 0 and not value.text
        ):
            return value
    value = _stored(known, name, value, place)
    if record and isinstance(value, Row):
        return value
    rounds = known.language.rounds and name in ROUNDING
    if rounds and isinstance(value, Leaf) and abs(value.value or 0) <= 1 << 53:
        return value
    match known.effect(name):
        case "same":
            return value if known.word > HALF else widened(value)
        case "complement" if isinstance(value, Leaf) and value.value is not None:
            return value.becoming(complement(value.number(), known.language), place)
        case "constructor":
            return guessed(value, f"{name}(...)")
        case "unknown" if isinstance(value, Row):
            return guessed(value, f"{name}(...)")
        case _:
            return doubted(value, place, f"{name}(...) may change the number in it")


def cast_to(known: Definitions, types: Sequence[str], value: Value, place: int) -> Value:
    """The value as a type holds it."""
    width = known.narrow(types)
    if width is not None or not isinstance(value, Leaf):
        return narrowed(value, width, place)
    return held(known, types, value)


def held(known: Definitions, types: Sequence[str], value: Leaf) -> Leaf:
    """The value in a word of 128 bits, where the type that is named has them, or may have them."""
    if known.word <= HALF or value.value is None or value.base or value.kind in ("wide", "big"):
        return value
    if known.is_wide(types):
        return replace(value, kind="wide")
    name = types[-1] if types else ""
    plain = name[:1].isalpha() and not re.search(r"64|32|ULL|ull", name)
    if plain and known.effect(name) in ("same", "constructor"):
        return replace(value, kind="wide", guess=value.guess or f"{name} = {known.word} bits")
    return value


def _makes_a_float(known: Definitions, name: str, value: Leaf) -> bool:
    """Lua's tonumber of decimal digits beyond its integers."""
    decimal = value.text.isdecimal() and int(value.text) > known.language.largest
    return known.language.name == "Lua" and name == "tonumber" and decimal


def _stored(known: Definitions, name: str, value: Value, place: int) -> Value:
    """The value as the fields of a record of this name hold it."""
    fields = known.fields([name]) if name in known.text else {}
    if not fields:
        return value
    if isinstance(value, Leaf):
        return _fitting(fields.get(ONLY), value, place)
    children = [
        _fitting(fields.get(at if key is None else key), child, place)
        for at, (child, key) in enumerate(zip(value.children, value.keys, strict=True))
    ]
    return replace(value, children=tuple(children))


def _fitting(width: Width | None, value: Value, place: int) -> Value:
    """The value, doubted where a field of this width does not hold it."""
    if width is None or not isinstance(value, Leaf) or value.value is None:
        return value
    if not width.is_float and value.value >> width.bits in (0, -1):
        return value
    return value.doubted(place, f"{width.name} does not hold the number")


def narrowed(value: Value, width: Width | None, place: int) -> Value:
    """The value as a narrow type holds it."""
    if width is None or not isinstance(value, Leaf) or value.value is None or value.base:
        return value
    if width.is_float:
        return value.doubted(place, f"{width.name} holds no integers of 64 bits")
    kind: Kind = "word" if width.bits == HALF else ""
    return replace(value, value=as_narrow(value.value, width), text="", kind=kind)


def _is_typed(name: str) -> bool:
    """A conversion whose first argument is a type."""
    return name.startswith("@") or name in ("reinterpret", "convert", "unsafe_trunc")
