"""Each rule about a cover: the smallest stream that breaks it, and intervals that are joined."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from magicert.verify.cover.checker import Intervals, StreamCheck, is_everything, reduced
from magicert.verify.cover.statement import Statement

Interval = tuple[int, int, int]

# Two occupancies that share slot 0 whatever m is: every leaf is true, only the cover counts.
ALWAYS = Statement(np.zeros(2, np.uint64), 0, np.array([0, 1]), 1, 0, 1)


def members(interval: Interval, period: int) -> list[int]:
    w, low, high = interval
    return [m for m in range(1 << period) if low <= m % (1 << w) <= high]


@st.composite
def split(draw: st.DrawFn, root: Interval) -> list[Interval]:
    """Intervals that make up a root, by the two rules read backwards."""
    w, low, high = root
    match draw(st.sampled_from(["leaf", "cut", "cut", "twins"])):
        case "cut" if low < high:
            middle = draw(st.integers(low, high - 1))
            return draw(split((w, low, middle))) + draw(split((w, middle + 1, high)))
        case "twins" if w < 5:
            half = 1 << w
            return draw(split((w + 1, low, high))) + draw(split((w + 1, low + half, high + half)))
        case _:
            return [root]


ROOTS = st.sampled_from([(0, 0, 0), (2, 0, 3), (3, 2, 5), (4, 0, 15), (4, 8, 15)])


NOT_COVERED: dict[str, tuple[Interval, list[Interval]]] = {
    "a gap": ((2, 0, 3), [(2, 0, 0), (2, 2, 3)]),
    "a gap before the first": ((2, 0, 3), [(2, 1, 3)]),
    "a gap behind the last": ((2, 0, 3), [(2, 0, 2)]),
    "an overlap": ((2, 0, 3), [(2, 0, 2), (2, 2, 3)]),
    "neighbours of different w": ((2, 0, 3), [(2, 0, 1), (3, 2, 3)]),
    "twins of different w": ((2, 0, 3), [(3, 0, 3), (4, 4, 7)]),
    "twins of different ends": ((2, 0, 3), [(3, 0, 3), (3, 4, 6)]),
    "twins half of another w apart": ((1, 0, 0), [(3, 0, 0), (3, 2, 2)]),
    "twins whose lower half reaches into the upper": ((2, 0, 3), [(3, 0, 4), (3, 4, 8)]),
    "an order that wraps": ((2, 0, 3), [(2, 2, 3), (2, 0, 1)]),
    "twice around 64 bits": ((64, 0, 7), [(64, 0, (1 << 64) - 1), (64, 0, 7)]),
    "another root": ((3, 0, 3), [(3, 4, 7)]),
    "the root of another w": ((3, 0, 3), [(2, 0, 3)]),
    "more than the root": ((3, 0, 3), [(3, 0, 7)]),
}


@pytest.mark.parametrize("name", NOT_COVERED)
def test_a_cover_that_breaks_one_rule_is_refused(name: str, writer: Any):
    root, pieces = NOT_COVERED[name]
    leaves = [(*piece, 0, 1) for piece in pieces]
    stream = StreamCheck(ALWAYS, root)
    for block in writer.blocks_of(leaves, root[1]):
        stream.add(block)
    stream.finish()
    assert stream.problems


def test_a_stream_of_two_blocks_goes_on_where_the_first_one_ends(writer: Any):
    """The second block's gap counts from the first one's last leaf."""
    leaves = [(17, m, m, 0, 1) for m in range(writer.FULL + 1)]
    stream = StreamCheck(ALWAYS, (17, 0, writer.FULL))
    for block in writer.blocks_of(leaves):
        stream.add(block)
    stream.finish()
    assert (stream.problems, stream.leaves) == ([], writer.FULL + 1)


def test_twins_are_intervals_below_2_to_the_w():
    """Of leaves another rule says so; roots are joined, too."""
    pieces = [(3, 0, 4), (3, 4, 8)]
    assert reduced(Intervals.of(pieces)).triples() == pieces


def test_a_stream_s_magics_are_checked_without_a_header(writer: Any):
    """A replay has the stream only."""
    stream = StreamCheck(ALWAYS, (0, 0, 0))
    for block in writer.blocks_of([(0, 0, 0, 1, 0)]):
        stream.add(block)
    stream.finish()
    assert "no magics" in stream.problems[0]


@pytest.mark.parametrize(
    ("intervals", "everything"),
    [([(0, 0, 0)], True), ([(2, 0, 3)], True), ([(64, 0, (1 << 64) - 1)], True), ([], False),
     ([(2, 0, 2)], False), ([(2, 1, 3)], False), ([(2, 0, 3), (2, 0, 3)], False)],
)  # fmt: skip
def test_everything_is_all_of_it(intervals: list[Interval], everything: bool):
    assert is_everything(Intervals.of(intervals)) == everything


@given(data=st.data())
def test_what_was_split_is_joined_again(writer: Any, data: st.DataObject):
    root = data.draw(ROOTS)
    stream = StreamCheck(ALWAYS, root)
    leaves = [(*piece, 0, 1) for piece in data.draw(split(root))]
    for block in writer.blocks_of(leaves, root[1]):
        stream.add(block)
    stream.finish()
    assert stream.problems == []


@given(data=st.data())
def test_what_is_joined_is_covered_once(data: st.DataObject):
    """Whatever is done to the pieces: if they still reduce to one, they are its members."""
    pieces = data.draw(split(data.draw(ROOTS)))
    for _ in range(data.draw(st.integers(1, 2))):
        place = data.draw(st.integers(0, len(pieces) - 1))
        w, low, high = pieces[place]
        change = data.draw(st.sampled_from(["drop", "twice", "w", "low", "high", "swap"]))
        if change == "drop" and len(pieces) > 1:
            pieces.pop(place)
        elif change == "twice":
            pieces.insert(place, pieces[place])
        elif change == "swap":
            pieces[place], pieces[place - 1] = pieces[place - 1], pieces[place]
        else:
            delta = data.draw(st.sampled_from([-1, 1]))
            moved = (w + delta * (change == "w"), low + delta * (change == "low"),
                     high + delta * (change == "high"))  # fmt: skip
            if 0 <= moved[0] <= 6 and 0 <= moved[1] <= moved[2] < 1 << moved[0]:
                pieces[place] = moved
    left = reduced(Intervals.of(pieces)).triples()
    everything = sorted(m for piece in pieces for m in members(piece, 6))
    assert sorted(m for piece in left for m in members(piece, 6)) == everything
