"""Words in compiled code, against Python's integers."""

import numpy as np
import pytest

from magicert.search import compiled
from magicert.search.compiled import Word, entry


@entry
def lowest(word: Word) -> Word:
    return compiled.lowest(word)


@pytest.mark.parametrize("place", range(64))
def test_the_lowest_bit_is_found(place: int):
    assert lowest(np.uint64((1 << place) | (1 << 63))) == place
    assert lowest(np.uint64(1 << place)) == place


def test_a_word_without_bits_has_no_lowest_one():
    assert lowest(np.uint64(0)) == 64
