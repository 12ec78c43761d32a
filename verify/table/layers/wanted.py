"""Which bits of its word a lookup asks for, so that the result formula yields the attack set.

Where every bit of the result comes from one bit of the word at most, the values for the word 0 and
for the word of all ones say everything: where they differ, that bit decides; where they agree,
no word can change the bit. With `word & line`: ones on the attack set, zeros on the rest of the
line, and nothing elsewhere.
"""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from magicert.formula import Formula
from magicert.formula.numpy_reading import evaluate
from magicert.formula.tree import OCCUPANCY, WORD
from magicert.formula.wide import (
    WIDE,
    Words,
    bit_and,
    bit_not,
    bit_or,
    bit_xor,
    full,
    nonzero,
    single_bits,
    widened,
    width_of,
)
from magicert.verify.table.layers.sources import Sources, sources_of
from magicert.verify.table.layout import PieceLayout
from magicert.verify.table.lookups import Block


class WantedBits(NamedTuple):
    """Of lookups: the bits of the word that must be one, those that must be zero, and where no
    word will do.
    """

    ones: Words
    zeros: Words
    hopeless: NDArray[np.bool_]


def single_sources(formula: Formula) -> Sources | None:
    """The bit of the word that each bit of the result comes from, as a set of one or none; None
    where a bit of the result may come from several.
    """
    sources = sources_of(formula)
    return sources if all(bits & (bits - 1) == 0 for bits in sources) else None


def wanted(block: Block) -> WantedBits:
    """What the lookups of a block want. Their formula has single sources; without one the word is
    the attack set.
    """
    formula = block.layout.table.result
    if formula is None:
        nowhere = np.zeros(block.slots.shape, dtype=np.bool_)
        return WantedBits(block.attacks, bit_not(block.attacks), nowhere)
    sources = single_sources(formula)
    assert sources is not None
    lowest, highest = (results(block, full((), word, formula.word)) for word in (0, -1))
    decided, wrong = bit_xor(lowest, highest), bit_xor(highest, block.attacks)
    ones = _moved(bit_and(decided, bit_not(wrong)), sources)
    zeros = _moved(bit_and(decided, wrong), sources)
    hopeless = nonzero(bit_or(bit_and(wrong, bit_not(decided)), bit_and(ones, zeros)))
    return WantedBits(ones, zeros, hopeless)


def results(block: Block, words: Words) -> Words:
    """What the result formula makes of loaded words, one a lookup or one for all."""
    layout = block.layout
    formula = layout.table.result
    assert formula is not None
    values = values_of(layout, block)
    values[WORD] = np.broadcast_to(words, block.slots.shape)
    value = evaluate(formula.tree, values, formula.text)
    if value.dtype != WIDE:  # of 32 bits, or of 64 on a large board
        value = widened(value.astype(np.uint64), formula.word)
    return np.broadcast_to(value, block.slots.shape)


def values_of(layout: PieceLayout, block: Block) -> dict[str, Words]:
    """What the names of the formulas stand for: occupancies as the table reads them."""
    values: Mapping[str, Words] = layout.parameters
    rows = {name: words[block.rows] for name, words in values.items()}
    turned = block.occupancies
    if any(layout.mirrored):
        mirrored = np.array([[layout.mirrored[row]] for row in block.rows])
        turned = np.where(mirrored, turned.byteswap(), turned)
    return {**rows, OCCUPANCY: turned}


def _moved(bits: Words, sources: Sources) -> Words:
    """Bits of the result as the bits of the word that they come from."""
    if all(source in (0, 1 << bit) for bit, source in enumerate(sources)):
        return bits
    width = width_of(bits)
    moved = np.zeros_like(bits)
    for one, source in zip(single_bits(width), sources, strict=True):
        asked = nonzero(bit_and(bits, one))
        moved = bit_or(moved, np.where(asked, full((), source, width), full((), 0, width)))
    return moved
