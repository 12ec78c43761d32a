"""A piece as lines, each a piece of its own: a rook is its file and its rank.

The attack set of the piece is the OR of those of its lines: one lookup a line, in far smaller
tables, because the mask of a line has few squares.
"""

import re
from dataclasses import replace
from math import gcd

from magicert.board.betza import NAMES
from magicert.board.movement import Atom, Movement, Step

SUFFIXES: dict[Step, str] = {(1, 0): "h", (0, 1): "v", (1, 1): "d", (1, -1): "a"}
"""Horizontal, vertical, diagonal and antidiagonal."""
LETTERS: dict[Step, tuple[str, ...]] = {
    (1, 0): ("s",), (0, 1): ("v",), (1, 1): ("fr", "bl"), (1, -1): ("fl", "br"),
}  # fmt: skip
"""Betza's letters for these lines."""


def lines_of(movement: Movement) -> dict[str, Movement]:
    """The lines by the ends of their names: "h" and "v" of a rook, "1_2" of a nightrider.

    Lame leapers have short masks; all their steps stay together, as "leaps".
    """
    atoms: dict[str, list[Atom]] = {}
    for atom in movement.atoms:
        if atom.kind == "lame leaper":
            atoms.setdefault("leaps", []).append(atom)
            continue
        steps: dict[str, list[Step]] = {}
        for step in atom.steps:
            steps.setdefault(_suffix(step), []).append(step)
        for suffix, own in steps.items():
            atoms.setdefault(suffix, []).append(replace(atom, steps=tuple(own)))
    if len(atoms) == 1:
        return {next(iter(atoms)): movement}
    return {
        suffix: replace(movement, atoms=tuple(own), name=_notation(movement.name, suffix))
        for suffix, own in atoms.items()
    }


def _suffix(step: Step) -> str:
    """The end of the name of a step's line: the same for a step and its opposite."""
    across, up = max(step, (-step[0], -step[1]))
    length = gcd(across, up)
    short = SUFFIXES.get((across // length, up // length))
    if short is not None:
        return short if length == 1 else f"{short}{length}"
    return f"{across}_{up}".replace("-", "m")


def _notation(name: str, suffix: str) -> str:
    """The line in Betza's notation where the piece is a rook or bishop of some sort, else ""."""
    found = re.fullmatch("([npg]*)([RB])", NAMES.get(name, name))
    step = next((step for step, own in SUFFIXES.items() if own == suffix), None)
    if not found or step is None:
        return ""
    return "".join(f"{letters}{found[1]}{found[2]}" for letters in LETTERS[step])
