"""What numba compiled: every word must have stayed a uint64."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from magicert.search.kernel import descent as kernel

# In a process of its own with an empty cache: a cached function does not tell its types.
COMPILE = """
import json
import numpy as np
from magicert.search.chain import descent as chain_kernel, tables as chain_tables
from magicert.search.kernel import below_chain as chain_nodes, descent as kernel, fan, leaves
from magicert.search.chain.chain import chain_of
from magicert.search.problem.plan import Plan, arrays_of
from magicert.search.kernel.state import begin, new_state
from magicert.search.problem.terms import terms

toy = terms([0, 1 << 60, 1 << 62, 5 << 60], [0, 1, 2, 3], 2)
plan = Plan(4, ("d2", "d2"), 4, 1)
arrays = arrays_of(plan, toy)
chain = chain_of(plan, toy, 0, 2)
state = new_state(toy, arrays, chain, plan.units_log2, True)
products = kernel.Products(toy.multiplicand, toy.constant, toy.attack)
begin(state, 0, 4)
shift, units = np.uint64(toy.shift), np.uint64(plan.units_log2)
assert kernel.search(products, arrays, chain, state, shift, units, True, 1000, 8) == kernel.DONE
types = {}
for module in (kernel, fan, leaves, chain_kernel, chain_nodes, chain_tables):
    for name, function in vars(module).items():
        for overload in getattr(function, "overloads", {}).values():
            typemap = overload.type_annotation.typemap
            types[name] = {n.split(".")[0]: str(kind) for n, kind in typemap.items()}
            types[name]["return"] = str(overload.signature.return_type)
print(json.dumps(types))
"""

WORDS = {
    "sort_out": ["low", "span", "bucket", "within", "x", "value"],
    "tighten": ["low", "high", "x", "value", "reach", "step", "slot"],
    "fan": ["unit", "cells", "x", "value", "at", "kill", "drift", "alive", "return"],
    "next_word": ["cell", "low", "high", "start", "last", "alive", "before"],
    "descend": ["cell", "alive", "start", "last"],
    "write_killed": ["low", "top", "last", "x", "value", "stays", "stop"],
    "take": ["unit", "bits"],
    "undo": ["slot", "unit", "bits"],
    "shifted": ["word", "by", "here", "after", "return"],
    "rule_out": ["unit_log2", "buckets", "units", "words_log2", "within", "living"],
    "squeeze": ["alive"],
    "next_batch": [
        "p",
        "below",
        "width",
        "words",
        "cells",
        "most",
        "place",
        "within",
        "total",
        "count",
        "alive",
        "start",
        "base",
        "return",
    ],
    "next_survivor": ["alive", "cell"],
    "merge_first": ["added"],
    "find_slots": ["bucket", "x", "value"],
    "build": ["unit_log2", "units", "add", "x", "value", "last", "first"],
    "add_pattern": ["units", "start", "unit", "by", "end", "low", "high"],
    "write_rows": ["node", "n", "start", "row"],
    "join": ["n"],
    "rotate_in": ["word", "by", "here"],
    "keep": ["words", "units", "first", "other", "by", "here"],
    "turn_in": ["word", "by", "back", "here"],
    "merge": ["fraction", "buckets", "rows", "first", "on", "begin", "cell"],
    "recall": ["low", "span", "bucket", "within", "x", "y", "value", "against"],
    "glance": ["low", "span", "bucket", "within", "x", "value", "slot"],
    "bit_count": ["word", "return"],
    "lowest": ["return"],
}


@pytest.fixture(scope="module")
def types(tmp_path_factory: pytest.TempPathFactory):
    cache = tmp_path_factory.mktemp("cache")
    run = subprocess.run(
        [sys.executable, "-P", "-c", COMPILE],
        env={**os.environ, "NUMBA_CACHE_DIR": str(Path(cache))},
        check=True, capture_output=True, text=True,
    )  # fmt: skip
    return json.loads(run.stdout)


def test_words_are_unsigned(types: dict[str, dict[str, str]]):
    found = {name: {v: types[name][v] for v in names} for name, names in WORDS.items()}
    assert found == {name: dict.fromkeys(names, "uint64") for name, names in WORDS.items()}


def test_nothing_became_a_float(types: dict[str, dict[str, str]]):
    assert not [(f, v) for f, kinds in types.items() for v, k in kinds.items() if "float" in k]


@pytest.mark.parametrize("word", [0, 1, 1 << 63, (1 << 64) - 1, 0x8000_0000_0000_0001])
def test_bits_are_counted(word: int):
    assert kernel.bit_count(np.uint64(word)) == word.bit_count()


@pytest.mark.parametrize("place", range(64))
def test_the_lowest_bit_is_found(place: int):
    assert kernel.lowest(np.uint64((1 << place) | (1 << 63))) == place
