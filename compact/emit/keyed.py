"""Lookups of keys, as source: the index, and in each slot the key that belongs there."""

from collections.abc import Mapping
from dataclasses import dataclass

from magicert import __version__
from magicert.cell import Cell
from magicert.compact.emit.dialect import dialects
from magicert.compact.emit.printer import WORDS_PER_LINE, Printer
from magicert.compact.emit.spelling import commented, lines
from magicert.compact.emit.unit import fold
from magicert.formula.tree import OCCUPANCY, Binary, Name, Node, children, evaluate, with_children
from magicert.key_file import KeyFile, KeyLine
from magicert.problem import InputError, Problem

PREFIX = "keys_"
"""What names begin with in C, if nobody says."""


@dataclass(frozen=True, slots=True)
class Program:
    """A lookup. `index` is a tree over the key (`occ`); `keys[slot]` is the key of a slot, and
    `values[slot]` what is found for it.

    A slot of no key holds a key of another slot, which is never looked up there. So a lookup is
    one comparison, whatever it is asked about. `bounded`: an index may lie behind the last slot.
    """

    heading: tuple[str, ...]
    index: Node
    keys: tuple[int, ...]
    values: tuple[int, ...]
    bounded: bool
    is_text: bool


def make_program(file: KeyFile, cell: Cell, magic: int, command: str) -> Program:
    """The lookup of all keys of a file by a magic of the cell that keeps them all apart.

    Raises InputError, with the lines, where two keys share an index, or one is too large.
    """
    by_slot: dict[int, KeyLine] = {}
    problems: list[Problem] = []
    for entry in file.entries:
        slot = cell.index(magic, entry.key.word)
        other = by_slot.setdefault(slot, entry)
        if other is not entry:
            message = f"{entry.key} has the index {slot}, as {other.key} of line {other.line}"
            problems.append(Problem(message, str(file.path), line=entry.line))
        if slot > cell.last_index:
            message = f"{entry.key} has the index {slot}: expected at most {cell.last_index}"
            problems.append(Problem(message, str(file.path), line=entry.line))
    if problems:
        raise InputError(problems)
    places = {entry.line: place for place, entry in enumerate(file.entries)}
    chosen = [by_slot.get(slot, file.entries[0]) for slot in range(max(by_slot) + 1)]
    values = [e.value.word if e.value else places[e.line] for e in chosen]
    named = {"bits": cell.bits, **cell.fixed, "mask": cell.mask, cell.scheme.free: magic}
    index = fold(_without_mask(cell.scheme.formula.tree), named)
    _check(index, cell, magic)
    return Program(
        _heading(file, cell, magic, command),
        index,
        tuple(entry.key.word for entry in chosen),
        tuple(values),
        len(chosen) < 1 << cell.bits,
        file.is_text,
    )


def _without_mask(node: Node) -> Node:
    """The tree with `occ` in place of `occ & mask`: for keys that is the same, and whatever else
    is looked up is compared with a key.
    """
    if isinstance(node, Binary) and node.operator == "&":
        sides = {side.name for side in (node.left, node.right) if isinstance(side, Name)}
        if sides == {OCCUPANCY, "mask"}:
            return next(s for s in (node.left, node.right) if s.name == OCCUPANCY)  # type: ignore[union-attr]
    return with_children(node, tuple(map(_without_mask, children(node))))


def _check(index: Node, cell: Cell, magic: int) -> None:
    """Nobody is believed: the emitted tree has each key where the cell's formula has it."""
    for word in cell.words:
        named: Mapping[str, int] = {OCCUPANCY: word}
        if evaluate(index, named) != cell.index(magic, word):
            raise AssertionError(f"the emitted index of {word:#x} is another one ({cell})")


def _heading(file: KeyFile, cell: Cell, magic: int, command: str) -> tuple[str, ...]:
    sort = "strings" if file.is_text else "numbers"
    value = "the value of the file" if file.has_values else "its place in the file, from 0"
    slots = cell.last_index + 1
    return (
        f"{len(file.entries):,} keys ({sort}) of {file.path.name}: {slots:,} slots.",
        f"Written by magicert {__version__}; {cell.scheme.formula.text}, magic {magic:#018x},",
        f"{cell.bits} bits. Verified: no two keys have one slot.",
        f"What is found for a key is {value}.",
        "A slot of no key holds a key of another slot, which is never looked up there.",
        f"This file: {command}",
    )


def languages_of_keys() -> list[str]:
    """The languages that a lookup can be written in."""
    return [name for name, row in dialects().items() if row.keys]


def print_program(program: Program, lang: str, scope: str | None, stem: str | None) -> str:
    """The source. Raises InputError where the language cannot have such a scope."""
    row = dialects()[lang]
    printer = Printer(row, PREFIX if row.prefixed and scope is None else scope, stem)
    expression = printer.text(program.index, {OCCUPANCY: "key"})
    given = {
        "heading": commented(row.comment, program.heading).removesuffix("\n"),
        "length": len(program.keys),
        "keys": lines([*map(printer.literal, program.keys)], row.indent, WORDS_PER_LINE),
        "values": lines([*map(printer.literal, program.values)], row.indent, WORDS_PER_LINE),
        "expression": expression,
        "calls": expression,
        "bounded": program.bounded,
        "is_text": program.is_text,
    }
    return printer.shown(row.keys, given)
