"""The stack: the objects of one call, byte by byte. A byte is a number with its poison, or part of
an address.

A stack is never changed: a store makes a new one, so that states of two paths can be joined.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from magicert.functions.execute import words
from magicert.functions.execute.memory import Object, UndecidedError, held
from magicert.functions.execute.values import (
    Address,
    Lane,
    Value,
    chosen_lane,
    lane,
    lanes_of,
    partly,
)
from magicert.functions.execute.words import Word, constant


@dataclass(frozen=True, slots=True)
class AddressByte:
    """One byte, number `byte_number`, of an address that is stored whole."""

    address: Lane
    byte_number: int


@dataclass(frozen=True, slots=True)
class Copied:
    """The bytes of another object from an offset on, where a whole table was copied."""

    item: Object
    offset: Word


StackByte = Lane | AddressByte
Content = list[StackByte] | Copied
Stack = dict[Object, Content]


def bytes_in(content: Content, size: int) -> list[StackByte]:
    """The content, byte by byte."""
    if not isinstance(content, Copied):
        return content
    if content.item.links:
        raise UndecidedError(f"a copy of {content.item.name}, in which addresses lie, is changed")
    width = content.offset.width
    return [
        lane(held(content.item, words.add(content.offset, constant(n, width)), 1))
        for n in range(size)
    ]


def cells_of(value: Value, size: int) -> list[StackByte]:
    """The bytes of a scalar or vector, the lowest first."""
    lanes = lanes_of(value)
    if isinstance(lanes[0].bits, Address):
        step = size // len(lanes)
        return [AddressByte(item, n) for item in lanes for n in range(step)]
    width = lanes[0].word.width
    whole = words.concat(*(item.word for item in reversed(lanes)))
    wide = words.zext(whole, 8 * size)
    cells: list[StackByte] = []
    for n in range(size):
        first, last = 8 * n // width, min((8 * n + 7) // width, len(lanes) - 1)
        poison = words.any_of(
            c for k in range(first, last + 1) for mask, c in lanes[k].whole
            if mask << k * width & 255 << 8 * n
        )  # fmt: skip
        cells.append(Lane(words.extract(wide, 8, 8 * n), poison))
    return cells


def unwritten(size: int, poison: Word) -> list[StackByte]:
    """Bytes that nobody wrote."""
    return [Lane(constant(0, 8), poison)] * size


def number_at(
    cells: Sequence[StackByte], offset: Word, size: int, number: Callable[[Address], Word]
) -> Lane:
    """`size` bytes at an offset as a number; `number` turns an address into one."""

    def as_number(cell: StackByte) -> Lane:
        if isinstance(cell, Lane):
            return cell
        word = words.extract(number(cell.address.address), 8, 8 * cell.byte_number)
        return Lane(word, cell.address.poison)

    places = [offset.value] if offset.value is not None else range(len(cells) - size + 1)
    result: Lane | None = None
    for place in places:
        if place + size > len(cells):
            continue
        lanes = [as_number(cell) for cell in cells[place : place + size]]
        word = words.concat(*(cell.word for cell in reversed(lanes)))
        value = partly(word, ((255 << 8 * n, cell.poison) for n, cell in enumerate(lanes)))
        here = words.eq(offset, constant(place, offset.width))
        result = value if result is None else chosen_lane(here, value, result)
    return result or Lane(constant(0, 8 * size), words.boolean(True))


def address_at(cells: Sequence[StackByte], start: int, size: int) -> Lane | None:
    """The address that is stored whole at `start`; None if there is none."""
    address_bytes = [cell for cell in cells[start : start + size] if isinstance(cell, AddressByte)]
    whole = [cell.byte_number for cell in address_bytes] == list(range(size))
    return (
        address_bytes[0].address
        if whole and all(c.address == address_bytes[0].address for c in address_bytes)
        else None
    )


def written(
    cells: Sequence[StackByte], place: Word, new: Sequence[StackByte], condition: Word
) -> list[StackByte]:
    """The bytes after a store that happens if the condition holds."""
    content = list(cells)
    start = place.value
    if start is not None and condition.value == 1:
        content[start : start + len(new)] = new
        return content
    for first in range(len(content) - len(new) + 1):
        here = words.and_(condition, words.eq(place, constant(first, place.width)))
        for n, cell in enumerate(new):
            content[first + n] = _chosen(here, cell, content[first + n])
    return content


def joined(condition: Word, x: Stack, y: Stack) -> Stack:
    """The stack of one path or the other."""
    if x is y:
        return x
    stack: Stack = {}
    for item in {**x, **y}:
        if item not in x or item not in y:
            stack[item] = x[item] if item in x else y[item]
        elif x[item] is y[item]:
            stack[item] = x[item]
        else:
            sides = (bytes_in(side[item], item.size) for side in (x, y))
            pairs = zip(*sides, strict=True)
            stack[item] = [_chosen(condition, a, b) for a, b in pairs]
    return stack


def _chosen(condition: Word, x: StackByte, y: StackByte) -> StackByte:
    if x == y or condition.value == 1:
        return x
    if condition.value == 0:
        return y
    if isinstance(x, Lane) and isinstance(y, Lane):
        return chosen_lane(condition, x, y)
    if isinstance(x, AddressByte) and isinstance(y, AddressByte) and x.byte_number == y.byte_number:
        return AddressByte(chosen_lane(condition, x.address, y.address), x.byte_number)
    # What nobody wrote there may be anything.
    for number, other in ((x, y), (y, x)):
        if isinstance(number, Lane) and number.poison.value == 1 and isinstance(other, AddressByte):
            poison = words.not_(condition) if other is x else condition
            marked = words.or_(other.address.poison, poison)
            return AddressByte(Lane(other.address.bits, marked), other.byte_number)
    raise UndecidedError("an address here, a number there")
