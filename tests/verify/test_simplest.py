"""Of millions of conflicting lookups few are kept: in parts as they come, or all at once."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from magicert.verify.table.counterexample import _all_simplest, _entry

small = st.integers(0, 3)
lookups = st.lists(st.lists(st.tuples(small, small, small, small), max_size=12), min_size=1)


@given(lookups)
def test_in_parts_and_all_at_once(parts):
    """Of each square in each slot the simplest, and the simplest with another attack set."""
    made = []
    for part in parts:
        entries = np.zeros(len(part), dtype=_entry(np.dtype("u8")))
        for place, (slot, member, occupied, attacks) in enumerate(part):
            entries[place] = (slot, member, occupied.bit_count(), occupied, occupied, attacks)
        made.append(entries)
    found = [(int(e["slot"]), int(e["member"]), int(e["occupancy"]), int(e["attacks"]))
             for e in _all_simplest(iter(made))]  # fmt: skip
    every = [entry for part in parts for entry in part]
    expected = []
    for slot, member in sorted({(slot, member) for slot, member, *_ in every}):
        here = sorted((e for e in every if e[:2] == (slot, member)),
                      key=lambda e: (e[2].bit_count(), e[2]))  # fmt: skip
        others = [entry for entry in here if entry[3] != here[0][3]]
        expected.append((here, others))
    assert len(found) == sum(1 + bool(others) for _, others in expected)
    kept = iter(found)
    for here, others in expected:
        first = next(kept)
        assert (first[0], first[1], first[2]) == here[0][:3]
        if others:
            second = next(kept)
            assert second[3] != first[3]
            assert second in here
