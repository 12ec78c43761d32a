"""Finished attack tables against an obvious walk, square by square, with errors planted in them."""

import random
from dataclasses import replace

import numpy as np
import pytest

from magicert.board import DIRECTIONS, Piece
from magicert.data import published_tables
from magicert.table.read import read_table
from magicert.verify.source.attack_lists import Finished, compare, pext_table


def walk(piece: Piece, square: int, occupancy: int) -> int:
    reached = 0
    for by_file, by_rank in DIRECTIONS[piece]:
        file, rank = square % 8 + by_file, square // 8 + by_rank
        while 0 <= file < 8 and 0 <= rank < 8:
            reached |= 1 << (8 * rank + file)
            if occupancy >> (8 * rank + file) & 1:
                break
            file, rank = file + by_file, rank + by_rank
    return reached


def mask_of(piece: Piece, square: int) -> list[int]:
    """The squares whose occupancy matters, the lowest first."""
    empty = walk(piece, square, 0)
    return [s for s in range(64) if empty >> s & 1 and walk(piece, square, 1 << s) != empty]


def listed(piece: Piece, stride: int | None = None, *, together: bool = False) -> list[int]:
    """The finished list of a table by PEXT: counted up like a number, square after square."""
    entries: list[int] = []
    for square in range(64):
        mask, own = mask_of(piece, square), []
        lines = [s for s in range(64) if walk(piece, square, 0) >> s & 1]
        for number in range(1 << len(mask)):
            attacks = walk(
                piece, square, sum(1 << s for i, s in enumerate(mask) if number >> i & 1)
            )
            packed = sum(1 << i for i, s in enumerate(lines) if attacks >> s & 1)
            own.append(packed if together else attacks)
        entries += own + [0xBAD] * ((stride or len(own)) - len(own))
    return entries


BISHOPS = listed(Piece.BISHOP)


def compared(entries: list[int], bits: int = 64, **size: int):
    table = pext_table("a list", {Piece.BISHOP: size["stride"]} if size else None)
    (found,) = compare(table, {"bishop": Finished("moves", np.array(entries, np.uint64), bits)})
    return found


def test_a_right_list_has_no_wrong_entry():
    found = compared(BISHOPS)
    assert (found.list, found.loaded, found.wrong, found.first) == ("moves", 5248, 0, ())


@pytest.mark.parametrize("bits", [16, 64])
def test_each_wrong_entry_is_named_with_its_square_and_occupancy(bits: int):
    entries = BISHOPS if bits == 64 else listed(Piece.BISHOP, together=True)
    for entry in random.Random(bits).sample(range(5248), 20):
        bad = [*entries]
        bad[entry] ^= 1 << 3
        found = compared(bad, bits)
        (one,) = found.first
        assert (found.wrong, one.entry, one.holds, one.wanted) == (
            1, entry, bad[entry], entries[entry],
        )  # fmt: skip
        square = 8 * (int(one.square[1]) - 1) + ord(one.square[0]) - ord("a")
        assert BISHOPS[entry] == walk(Piece.BISHOP, square, one.occupancy)
        sizes = [1 << len(mask_of(Piece.BISHOP, s)) for s in range(square + 1)]
        assert sum(sizes[:-1]) <= entry < sum(sizes)
        shown = f"entry {entry} of moves: bishop {one.square}, occupancy 0x{one.occupancy:016x}: "
        assert str(one).startswith(shown)


def test_what_no_lookup_loads_may_hold_anything():
    found = compared(listed(Piece.BISHOP, 512), stride=512)
    assert (found.loaded, found.wrong) == (5248, 0)


def test_a_list_that_ends_too_early():
    found = compared(BISHOPS[:-2])
    assert found.loaded == 5246
    assert [one.entry for one in found.first] == [5246, 5247]
    assert found.first[0].holds is None


def test_lookups_that_share_a_wrong_magic_s_entry_make_it_wrong():
    """A magic of 0 loads one entry for all: it cannot be right for two attack sets."""
    table = read_table(published_tables()["bbc"]).table
    magics = table.pieces["bishop"].parameters["magic"]
    bad = {**table.pieces["bishop"].parameters, "magic": (0, *magics[1:])}
    broken = replace(table, pieces={"bishop": replace(table.pieces["bishop"], parameters=bad)})
    found = compare(broken, {"bishop": Finished("b", np.full(5248, 1 << 9, np.uint64))})[0]
    assert 0 in {one.entry for one in found.first}


def test_entries_too_narrow_for_the_lines_are_refused():
    with pytest.raises(ValueError, match="entries of 8 bits: a bishop has more squares"):
        compared(BISHOPS, 8)
