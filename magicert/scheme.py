"""Schemes by name: the index formulas that engines use, as data.

A scheme is a formula over per-square or scalar parameters. `occ` is the occupancy,
`mask` the square's relevant occupancy. docs/formula.md explains the language.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache

from magicert.formula import Formula, parse
from magicert.formula.tree import OCCUPANCY, evaluate
from magicert.problem import InputError, Problem, suggestion


@dataclass(frozen=True, slots=True)
class Product:
    """The form `(multiplicand * magic + constant) >> (64 - bits)`, where a scheme has it; on boards
    beyond 64 squares it is 128 - bits.

    `multiplicand` is a formula of `occ` and `mask` alone; `constant` is the name of the
    parameter that is added ("" where none is).
    """

    multiplicand: Formula
    constant: str = ""

    @property
    def formula(self) -> Formula:
        added = f" + {self.constant}" if self.constant else ""
        word = self.multiplicand.word
        return parse(f"(({self.multiplicand}) * magic{added}) >> ({word} - bits)", word=word)

    def multiplicands(self, words: tuple[int, ...], mask: int) -> tuple[int, ...]:
        return _multiplicands(self.multiplicand, words, mask)

    def period(self, words: tuple[int, ...], mask: int) -> int:
        """Magics that are congruent modulo this have the same products.

        It is 2^64 (2^128 on large boards) divided by the power of two that all multiplicands have
        in common.
        """
        whole = joined = 1 << self.multiplicand.word
        for multiplicand in self.multiplicands(words, mask):
            joined |= multiplicand
        return whole // (joined & -joined)


@lru_cache(maxsize=256)
def _multiplicands(formula: Formula, words: tuple[int, ...], mask: int) -> tuple[int, ...]:
    return tuple(
        evaluate(formula.tree, {OCCUPANCY: word, "mask": mask}, formula.text) for word in words
    )


@dataclass(frozen=True, slots=True)
class Scheme:
    """A named formula, with the one parameter that a finder may choose, `free`.

    `product` is there if the index is the top bits of one 64-bit product.
    """

    name: str
    formula: Formula
    free: str
    meaning: str
    product: Product | None = None

    @property
    def parameters(self) -> frozenset[str]:
        """The names that a table of this scheme gives values to."""
        return self.formula.names - {OCCUPANCY}


def _scheme(name: str, text: str, meaning: str) -> Scheme:
    return Scheme(name, parse(text), "magic", meaning)


def _product(
    name: str, multiplicand: str, meaning: str, constant: str = "", word: int = 64
) -> Scheme:
    product = Product(parse(multiplicand, word=word), constant)
    return Scheme(name, product.formula, "magic", meaning, product)


SCHEMES: dict[str, Scheme] = {
    scheme.name: scheme
    for scheme in (
        _product("white", "occ & mask", "the classic index (Kannan, Romstad, 2007)"),
        _product(
            "black",
            "occ | ~mask",
            "the complement of the mask is added, so no AND is needed twice (Fiekas, Annuss)",
        ),
        _product(
            "constant",
            "occ & mask",
            "white with an added constant; black is constant = ~mask * magic",
            constant="constant",
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


@cache
def scheme_of(name: str, word: int) -> Scheme:
    """A scheme by name, for words of so many bits. Raises InputError where it has no such words."""
    scheme = SCHEMES[name]
    if word == scheme.formula.word:
        return scheme
    if scheme.product is None:
        message = f"it takes a word of 64 bits apart: expected a scheme of one product on {word}"
        raise InputError([Problem(message, key=f"scheme {name}")])
    text, constant = scheme.product.multiplicand.text, scheme.product.constant
    return _product(name, text, scheme.meaning, constant, word)


def refuse_unknown(text: str, schemes: Iterable[str]) -> None:
    """InputError for what looks like a scheme's name, and is none of these."""
    if re.fullmatch(r"[A-Za-z][A-Za-z0-9-]*", text):
        near = suggestion(text, schemes)
        known = f"expected one of {', '.join(schemes)}, or a formula"
        message = f"unknown scheme {text!r}: {near}{' ' * bool(near)}{known}"
        raise InputError([Problem(message, key=text)])


def resolve_scheme(text: str, word: int = 64) -> Scheme:
    """A scheme by name, or a formula of the user's own (its free parameter is `magic`), in words
    of 64 bits or, beyond 64 squares, of 128.

    A formula that is another spelling of a scheme's has the product of that scheme.
    Raises InputError for an unknown name or a bad formula.
    """
    if text in SCHEMES:
        return scheme_of(text, word)
    refuse_unknown(text, SCHEMES)
    formula = parse(text, word=word)
    products = [scheme_of(name, word) for name, scheme in SCHEMES.items() if scheme.product]
    same = next((s for s in products if s.formula.tree == formula.tree), None)
    return Scheme("custom", formula, "magic", text, same.product if same else None)
