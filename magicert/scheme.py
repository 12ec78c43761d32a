"""Schemes by name: the index formulas that engines use, as data.

A scheme is a formula over per-square or scalar parameters. `occ` is the occupancy,
`mask` the square's relevant occupancy. docs/formula.md explains the language.
"""

import re
from dataclasses import dataclass

from magicert.formula import Formula, parse
from magicert.formula.tree import OCCUPANCY
from magicert.problem import InputError, Problem


@dataclass(frozen=True, slots=True)
class Scheme:
    """A named formula, with the one parameter that a finder may choose, `free`."""

    name: str
    formula: Formula
    free: str
    meaning: str

    @property
    def parameters(self) -> frozenset[str]:
        """The names that a table of this scheme gives values to."""
        return self.formula.names - {OCCUPANCY}


def _scheme(name: str, text: str, meaning: str) -> Scheme:
    return Scheme(name, parse(text), "magic", meaning)


SCHEMES: dict[str, Scheme] = {
    scheme.name: scheme
    for scheme in (
        _scheme(
            "white",
            "((occ & mask) * magic) >> (64 - bits)",
            "the classic index (Kannan, Romstad, 2007)",
        ),
        _scheme(
            "black",
            "((occ | ~mask) * magic) >> (64 - bits)",
            "the complement of the mask is added, so no AND is needed twice (Fiekas, Annuss)",
        ),
        _scheme(
            "constant",
            "((occ & mask) * magic + constant) >> (64 - bits)",
            "white with an added constant; black is constant = ~mask * magic",
        ),
        _scheme(
            "two-halves",
            "((u32(occ & mask) * u32(magic)) ^ (hi32(occ & mask) * hi32(magic))) >> (32 - bits)",
            "two 32-bit multiplications joined by xor (Romstad)",
        ),
        _scheme(
            "two-halves-add",
            "((u32(occ & mask) * u32(magic)) + (hi32(occ & mask) * hi32(magic))) >> (32 - bits)",
            "two 32-bit multiplications joined by addition",
        ),
    )
}


def resolve_scheme(text: str) -> Scheme:
    """A scheme by name, or a formula of the user's own (its free parameter is `magic`).

    Raises InputError for an unknown name or a bad formula.
    """
    if text in SCHEMES:
        return SCHEMES[text]
    if re.fullmatch(r"[A-Za-z][A-Za-z0-9-]*", text):
        message = f"unknown scheme: expected one of {', '.join(SCHEMES)}, or a formula"
        raise InputError([Problem(message, key=text)])
    return Scheme("custom", parse(text), "magic", text)
