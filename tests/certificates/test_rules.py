"""Each rule about leaves and covers: the smallest that breaks it, and slow readings of all."""

from pathlib import Path
from types import SimpleNamespace
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from magicert.chess import Piece, mask
from magicert.chess import attack_set as ray_walk
from magicert.occupancy import carry_rippler
from magicert.verify.cover.checker import (
    Intervals,
    LeafBlock,
    StreamCheck,
    finish_shard,
    is_everything,
    reduced,
    wrong_leaves,
    wrong_magics,
)
from magicert.verify.cover.file import MOST_LISTED, Shard
from magicert.verify.cover.statement import Statement, attack_set, occupancies, statement

WORD = (1 << 64) - 1


class Leaf(NamedTuple):
    """One leaf of docs/cover-certificates.md."""

    w: int
    low: int
    high: int
    first: int
    second: int


def block(*leaves):
    w, low, high, first, second = zip(*leaves, strict=True)
    return LeafBlock(
        np.array(w, np.uint8), np.array(low, np.uint64), np.array(high, np.uint64),
        np.array(first, np.int64), np.array(second, np.int64),
    )  # fmt: skip


def refused(about, leaf):
    """The checker's verdict: magics have a check of their own behind the one of all leaves."""
    if wrong_leaves(about, block(leaf))[0]:
        return True
    return leaf[3:] == (1, 0) and wrong_magics(about, leaf.w, leaf.low, leaf.high)


def breaks_the_specification(about, leaf):
    """The rules, word for word, in Python's integers."""
    w, low, high, first, second = leaf
    x, attack = about.x.tolist(), about.attack.tolist()
    bucket = 1 << (64 - about.bits)
    magics = (first, second) == (1, 0)
    if not (0 <= w <= 64 and 0 <= low <= high < 1 << w):
        return True
    rows = list(range(len(x))) if magics else [first, second]
    if not magics and (first > second or second >= len(x)):
        return True
    slot = {}
    for n in rows:
        value = (x[n] * low + about.constant) & WORD
        if x[n] * 2**w & WORD or value % bucket + x[n] * (high - low) >= bucket:
            return True
        slot[n] = value // bucket
    allowed = {n: about.least <= slot[n] <= about.most for n in rows}
    if magics:
        clash = any(slot[a] == slot[b] and attack[a] != attack[b] for a in rows for b in rows)
        return w != about.period or not all(allowed.values()) or clash
    if first == second:
        return allowed[first]
    return slot[first] != slot[second] or attack[first] == attack[second]


def toy(x, attack, bits, **more):
    """A statement with these multiplicands; all slots are allowed unless `more` says otherwise."""
    limits = {"constant": 0, "least": 0, "most": (1 << bits) - 1} | more
    return Statement(np.array(x, np.uint64), attack=np.array(attack, np.int64), bits=bits, **limits)


@st.composite
def statements(draw):
    """Small periods, so that buckets, wrapping and all values of w are met often."""
    period = draw(st.integers(1, 6) | st.just(64))
    rows = draw(st.integers(2, 5))
    words = st.integers(0, (1 << period) - 1) if period < 64 else st.integers(0, WORD)
    x = [word << (64 - period) for word in draw(st.lists(words, min_size=rows, max_size=rows))]
    attack = draw(st.lists(st.integers(0, 2), min_size=rows, max_size=rows))
    bits = draw(st.integers(1, 4))
    least = draw(st.sampled_from([0, 0, 1]))
    most = draw(st.integers(least, (1 << bits) - 1))
    constant = draw(st.sampled_from([0, 0, WORD]) | st.integers(0, WORD))
    return toy(x, attack, bits, constant=constant, least=least, most=most)


@st.composite
def leaves(draw, about):
    w = draw(st.sampled_from([about.period, about.period, 64]) | st.integers(0, 64))
    most = (1 << w) - 1
    small = st.integers(0, min(most, 70))
    low = draw(small | st.integers(0, most))
    high = min(WORD, low + draw(st.sampled_from([0, 0, 1, 2]) | small))
    pair = st.tuples(st.integers(0, 5), st.integers(0, 5)) | st.just((1, 0))
    return Leaf(w, low, high, *draw(pair))


def rows(name):
    _, *lines = Path(__file__).with_name(name).read_text("utf-8").splitlines()
    return [line.split("\t") for line in lines]


# x = 0 stays in slot 0. 2^62 has two bits of m at 2 index bits: its slot is m mod 4.
ALWAYS = toy([0, 0], [0, 1], 1)  # both in slot 0 whatever m is
STATEMENTS = {
    "ALWAYS": ALWAYS,
    "FIRST": toy([1 << 62, 0], [0, 1], 2),
    "LAST": toy([1, 0], [0, 1], 1),
    "TWO": toy([0, 1 << 62], [0, 1], 2),
    "SAME": toy([0, 1 << 62], [0, 0], 2),
    "FINE": toy([1 << 62, 1 << 62, 1 << 61], [0, 1, 1], 1),
    "SLOTS": toy([0, 1 << 62], [0, 1], 2, least=1, most=2),
    "MOVED": toy([0, 1 << 62], [0, 1], 2, constant=1 << 62, least=1, most=2),
    "MOST": toy([1 << 62, 0], [0, 1], 2, most=2),
}
RULES = {
    name: (STATEMENTS[about], Leaf(*map(int, leaf)), said)
    for name, about, *leaf, said in rows("leaves.tsv")
}
"""By what it breaks or keeps: a statement, the leaf, and what the proved checker says of it."""


@pytest.mark.parametrize("name", RULES)
def test_a_leaf_that_breaks_one_rule_is_refused(name):
    about, leaf, said = RULES[name]
    broken = said != "accepted"
    assert breaks_the_specification(about, leaf) == refused(about, leaf) == broken


@given(piece=st.sampled_from(list(Piece)), square=st.integers(0, 63), board=st.integers(0, WORD))
@example(Piece.ROOK, 0, 0)
def test_the_checker_s_own_board_is_the_other_one(piece, square, board):
    assert attack_set(piece.value, square, board) == ray_walk(piece, square, board)


@pytest.mark.parametrize("piece", list(Piece))
@pytest.mark.parametrize("square", [0, 7, 12, 27, 35, 56, 63])
def test_occupancies_are_numbered_in_pdep_order(piece, square):
    assert occupancies(piece.value, square) == list(carry_rippler(mask(piece, square)))


@pytest.mark.parametrize(("scheme", "constant"), [("white", 0), ("constant", 12345), ("black", 0)])
def test_a_statement_has_the_scheme_s_slots(scheme, constant):
    about = statement(scheme, "bishop", 3, 5, 20, constant)
    magic, relevant = 0x123456789ABCDEF1, mask(Piece.BISHOP, 3)
    for n, occupancy in enumerate(carry_rippler(relevant)):
        slot = (int(about.x[n]) * magic + about.constant & WORD) >> 59
        match scheme:
            case "white":
                assert slot == (occupancy * magic & WORD) >> 59
            case "constant":
                assert slot == (occupancy * magic + constant & WORD) >> 59
            case _:
                black = ((occupancy | ~relevant & WORD) * magic & WORD) >> 59
                assert slot == 31 - black
    assert (about.least, about.most) == ((11, 31) if scheme == "black" else (0, 20))
    assert about.period == (64 if scheme == "black" else 64 - 10)


@given(data=st.data())
def test_the_checker_is_the_specification(data):
    about = data.draw(statements())
    for _ in range(8):
        leaf = data.draw(leaves(about))
        assert refused(about, leaf) == breaks_the_specification(about, leaf), (about, leaf)


# Covers: whether intervals make up a root.


def members(interval, period):
    w, low, high = interval
    return [m for m in range(1 << period) if low <= m % (1 << w) <= high]


@st.composite
def split(draw, root):
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


def interval(text):
    return tuple(map(int, text.split()))


NOT_COVERED = {
    name: (interval(root), [*map(interval, pieces.split(", "))])
    for name, root, pieces in rows("not_covered.tsv")
}


def problems_of(writer, root, leaves):
    stream = StreamCheck(ALWAYS, root)
    for block in writer.blocks_of(list(leaves), root[1]):
        stream.add(block)
    stream.finish()
    return stream.problems


@pytest.mark.parametrize("name", NOT_COVERED)
def test_a_cover_that_breaks_one_rule_is_refused(name, writer):
    root, pieces = NOT_COVERED[name]
    assert problems_of(writer, root, [(*piece, 0, 1) for piece in pieces])


def test_a_stream_of_two_blocks_goes_on_where_the_first_one_ends(writer):
    """The second block's gap counts from the first one's last leaf."""
    leaves = [(17, m, m, 0, 1) for m in range(writer.FULL + 1)]
    assert problems_of(writer, (17, 0, writer.FULL), leaves) == []


def test_a_stream_s_magics_are_checked_without_a_header(writer):
    """A replay has the stream only."""
    assert "no magics" in problems_of(writer, (0, 0, 0), [(0, 0, 0, 1, 0)])[0]


def test_twins_are_intervals_below_2_to_the_w():
    """Of leaves another rule says so; roots are joined, too."""
    pieces = [(3, 0, 4), (3, 4, 8)]
    assert reduced(Intervals.of(pieces)).triples() == pieces


@pytest.mark.parametrize(
    ("intervals", "everything"),
    [([(0, 0, 0)], True), ([(2, 0, 3)], True), ([(64, 0, (1 << 64) - 1)], True), ([], False),
     ([(2, 0, 2)], False), ([(2, 1, 3)], False), ([(2, 0, 3), (2, 0, 3)], False)],
)  # fmt: skip
def test_everything_is_all_of_it(intervals, everything):
    assert is_everything(Intervals.of(intervals)) == everything


@given(data=st.data())
def test_what_was_split_is_joined_again(writer, data):
    root = data.draw(ROOTS)
    leaves = [(*piece, 0, 1) for piece in data.draw(split(root))]
    assert problems_of(writer, root, leaves) == []


@given(data=st.data())
def test_what_is_joined_is_covered_once(data):
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


def test_more_magics_than_are_listed_are_listed_as_they_are_cut():
    """Of the first ones only: joined in another way they could stand for any of the others."""
    magics = [(64, low, low) for low in range(MOST_LISTED + 1)]
    count = hex(len(magics))
    cuts = [[(hex(low), hex(high)) for _, low, high in magics[:MOST_LISTED]]]
    cuts.append([("0x0", hex(MOST_LISTED - 1))])
    found = []
    for listed in cuts:
        stream = SimpleNamespace(magics=magics, leaves=5, problems=[], finish=lambda: "sha")
        root = (64, "0x0", hex(MOST_LISTED))
        shard = Shard(root, 5, "sha", (1, 1, 1, 1, 1), listed, count)
        found.append(finish_shard(stream, shard))
    assert found[0] == []
    assert "not those declared" in found[1][0]
