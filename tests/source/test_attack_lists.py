"""Finished attack tables in a source: right ones, wrong entries, and ones without magics."""

import random
from dataclasses import replace

import numpy as np
import pytest

from magicert.board import Piece, attack_set, mask, parse_square, squares_of
from magicert.data import published_tables
from magicert.occupancy import pdep_order
from magicert.problem import NothingThereError
from magicert.table.read import TableFile, read_table
from magicert.verify.source.attack_lists import compare, pext_table
from magicert.verify.table import MAX_LOOKUPS
from magicert.verify.table.layout import lay_out
from magicert.verify.table.lookups import Lookups

BBC = read_table(published_tables()["bbc"]).table
SIZES = [1 << bits for bits in BBC.pieces["bishop"].parameters["bits"]]


def filled():
    """The finished buffer of bbc's bishops."""
    (layout,) = (one for one in lay_out(TableFile.unsaved(BBC, "")) if one.name == "bishop")
    entries = np.zeros(sum(SIZES), np.uint64)
    for block in Lookups(layout, MAX_LOOKUPS):
        entries[block.slots] = block.attacks
    return [int(entry) for entry in entries]


def by_pext(stride=None, *, together=False):
    """The bishop's finished list by PEXT: counted up like a number, square after square."""
    entries = []
    for square in range(64):
        own = [attack_set(Piece.BISHOP, square, o) for o in pdep_order(mask(Piece.BISHOP, square))]
        if together:  # the bits of its lines, pushed together
            lines = list(squares_of(attack_set(Piece.BISHOP, square, 0)))
            own = [sum(1 << i for i, s in enumerate(lines) if one >> s & 1) for one in own]
        entries += own + [0xBAD] * ((stride or len(own)) - len(own))
    return entries


BISHOP = filled()
BY_PEXT = {64: by_pext(), 16: by_pext(together=True)}


def listed(entries):
    return f"const U64 bishop_attacks[{len(entries)}] = {{\n" + ",\n".join(map(hex, entries)) + "};"


def in_rows(entries):
    """A list of 64 lists."""
    parts = iter(entries)
    rows = ("{" + ", ".join(hex(next(parts)) for _ in range(n)) + "}" for n in SIZES)
    return "U64 bishop_attacks[64][512] = {" + ",\n".join(rows) + "};\n"


@pytest.fixture(scope="module")
def magics(c):
    bits = {piece: BBC.pieces[piece].parameters["bits"] for piece in BBC.pieces}
    return c.source(c.ints("bits", **bits))


def test_a_list_is_right_or_of_something_else(judged, magics):
    (one,) = judged(magics + listed(BISHOP)).valid[0].finished
    assert str(one) == "5,248 of 5,248 entries of bishop_attacks:5"
    other = [0x9E3779B97F4A7C15 * n % (1 << 64) for n in range(1, 5249)]
    judgement = judged(magics + listed(other))
    assert (judgement.verdict, judgement.valid[0].finished) == ("valid", ())
    # In another order it is said, and not judged.
    judgement = judged(magics + listed([*BISHOP[1:], BISHOP[0]]))
    (one,) = judgement.valid[0].finished
    assert (judgement.verdict, one.fits, one.right) == ("valid", False, True)


@pytest.mark.parametrize("write", [listed, in_rows])
def test_a_wrong_entry_is_invalid_and_named(judged, magics, c, write):
    entries = [*BISHOP]
    entries[4711] ^= 0x10
    text = magics + write(entries)
    judgement = judged(text)
    assert judgement.verdict == "invalid"
    ((line, column, wrong),) = judgement.valid[0].finished[0].wrong
    assert text.splitlines()[line - 1][column - 1 :].startswith(hex(entries[4711]))
    assert str(wrong).startswith("entry 4711 of bishop_attacks: bishop ")
    # The magics alone say nothing about bits: then a wrong entry is not decided.
    assert judged(c.source(write(BISHOP))).verdict == "valid"
    assert judged(c.source(write(entries))).verdict == "unknown"


@pytest.mark.parametrize("bits", [16, 64])
def test_lists_without_magics_follow_pext(judged, bits):
    entries = [*BY_PEXT[bits]]
    (reading,) = judged(listed(entries)).valid
    assert reading.report.formulas == {"bishop": "pext(occ, mask)"}
    assert reading.remarks[0].endswith("index = pext(occ, mask), one square after another")
    entries[77] ^= 1
    assert judged(listed(entries)).verdict == "unknown"
    with pytest.raises(NothingThereError):
        judged(listed(BISHOP[::-1]))


# Entry by entry, in PEXT's order, against an obvious walk.


def compared(entries, bits=64, **size):
    table = pext_table("a list")
    bishop = replace(table.pieces["bishop"], square_size=(size["stride"],) if size else None)
    table = replace(table, pieces={"bishop": bishop})
    return compare(table, "moves", np.array(entries, np.uint64), bits)


@pytest.mark.parametrize("bits", [16, 64])
def test_each_wrong_entry_is_named_with_its_square_and_occupancy(bits):
    entries = BY_PEXT[bits]
    for entry in random.Random(bits).sample(range(5248), 10):
        bad = [*entries]
        bad[entry] ^= 1 << 3
        found = compared(bad, bits)
        (one,) = found.first
        named = (found.wrong, one.entry, one.holds, one.wanted)
        assert named == (1, entry, bad[entry], entries[entry])
        square = parse_square(one.square)
        assert BY_PEXT[64][entry] == attack_set(Piece.BISHOP, square, one.occupancy)
        assert sum(SIZES[:square]) <= entry < sum(SIZES[: square + 1])
        shown = f"entry {entry} of moves: bishop {one.square}, occupancy 0x{one.occupancy:016x}: "
        assert str(one).startswith(shown)


def test_lists_of_other_lengths():
    """What no lookup loads may hold anything; what is missing is wrong."""
    found = compared(by_pext(512), stride=512)
    assert (found.loaded, found.wrong) == (5248, 0)
    found = compared(BY_PEXT[64][:-2])
    assert found.loaded == 5246
    assert [(one.entry, one.holds) for one in found.first] == [(5246, None), (5247, None)]


def test_lookups_that_share_a_wrong_magic_s_entry_make_it_wrong():
    """A magic of 0 loads one entry for all: it cannot be right for two attack sets."""
    half = BBC.pieces["bishop"]
    bad = {**half.parameters, "magic": (0, *half.parameters["magic"][1:])}
    broken = replace(BBC, pieces={"bishop": replace(half, parameters=bad)})
    found = compare(broken, "b", np.full(5248, 1 << 9, np.uint64))
    assert 0 in {one.entry for one in found.first}
