"""Columns of numbers come to what one number after another does, of each width."""

from random import Random

import numpy as np
import pytest

from magicert.functions.compare import arrays
from magicert.functions.execute import words

WIDE, PART = 90, 50


def nodes():
    x, y = words.variable("x", WIDE), words.variable("y", WIDE)
    low = words.extract(y, PART, 7)
    return {
        **{op: getattr(words, op)(x, y) for op in ("add", "sub", "mul")},
        "and": words.and_(x, y), "or": words.or_(x, y), "xor": words.xor(x, y),
        "not": words.not_(x), "eq": words.eq(x, words.and_(x, y)), "ult": words.ult(x, y),
        "ite": words.ite(words.extract(y, 1, 3), x, y), "extract": words.extract(x, 70, 11),
        "narrow": words.extract(x, PART, 30), "concat": words.concat(low, x, low),
        "shl": words.shl(x, words.constant(5, WIDE)), "out": words.shl(x, words.constant(91, WIDE)),
        "lshr": words.lshr(x, words.constant(5, WIDE)), "by": words.lshr(x, y),
        "zext": words.zext(low, WIDE), "sext": words.sext(low, WIDE),
        "popcount": words.popcount(x),
    }  # fmt: skip


@pytest.mark.parametrize("name", nodes())
def test_words_beyond_64_bits_by_columns(name):
    node, random = nodes()[name], Random(name)
    rows = [
        {v: random.getrandbits(WIDE) >> random.choice((0, 0, 84)) for v in "xy"} for _ in range(40)
    ]
    columns = {v: np.array([row[v] for row in rows], object) for v in "xy"}
    found = arrays.evaluated(node, columns)
    assert found.dtype == (object if node.width > 64 else np.uint64)
    assert list(map(int, found)) == [words.number_of(node, row) for row in rows]
    one = arrays.evaluated(words.add(words.constant(3, WIDE), words.constant(1 << 80, WIDE)), {})
    assert int(one[0]) == (1 << 80) + 3
