"""Finished attack tables in a source: right ones, wrong entries, and ones without magics."""

import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from magicert.board import Piece, attack_set, mask, parse_square, squares_of
from magicert.data import published_tables
from magicert.occupancy import pdep_order
from magicert.problem import NothingThereError
from magicert.table import Table
from magicert.table.read import TableFile, read_table
from magicert.verify.source.attack_lists import Finished, compare, pext_table
from magicert.verify.source.judge import Judgement, judge
from magicert.verify.table import MAX_LOOKUPS
from magicert.verify.table.layout import lay_out
from magicert.verify.table.lookups import Lookups

BBC = read_table(published_tables()["bbc"]).table


def filled(table: Table, piece: str) -> list[int]:
    """The finished buffer of a piece."""
    (layout,) = (one for one in lay_out(TableFile.unsaved(table, "")) if one.name == piece)
    blocks = list(Lookups(layout, MAX_LOOKUPS))
    entries = np.zeros(1 + max(int(block.slots.max()) for block in blocks), np.uint64)
    for block in blocks:
        entries[block.slots] = block.attacks
    return [int(entry) for entry in entries]


def rows(entries: list[int], sizes: list[int]) -> str:
    """A list of 64 lists."""
    parts = iter(entries)
    return ",\n".join("{" + ", ".join(hex(next(parts)) for _ in range(n)) + "}" for n in sizes)


def listed(name: str, entries: list[int]) -> str:
    return f"const U64 {name}[{len(entries)}] = {{\n" + ",\n".join(map(hex, entries)) + "\n};\n"


def magics() -> str:
    text = ""
    for piece in ("rook", "bishop"):
        numbers = ", ".join(hex(magic) for magic in BBC.pieces[piece].parameters["magic"])
        bits = ", ".join(map(str, BBC.pieces[piece].parameters["bits"]))
        text += f"const U64 {piece}_magics[64] = {{ {numbers} }};\n"
        text += f"const int {piece}_bits[64] = {{ {bits} }};\n"
    return text


BISHOP = filled(BBC, "bishop")
SIZES = [1 << bits for bits in BBC.pieces["bishop"].parameters["bits"]]


def by_pext(stride: int | None = None, *, together: bool = False) -> list[int]:
    """The bishop's finished list by PEXT: counted up like a number, square after square."""
    entries: list[int] = []
    for square in range(64):
        sets = (
            attack_set(Piece.BISHOP, square, one) for one in pdep_order(mask(Piece.BISHOP, square))
        )
        lines = list(squares_of(attack_set(Piece.BISHOP, square, 0)))
        own = [
            sum(1 << i for i, s in enumerate(lines) if one >> s & 1) if together else one
            for one in sets
        ]
        entries += own + [0xBAD] * ((stride or len(own)) - len(own))
    return entries


BY_PEXT = by_pext()


def judged(text: str) -> Judgement:
    return judge([(Path("engine.c"), text.encode())])


def test_a_right_list_is_said_to_be_right():
    judgement = judged(magics() + listed("bishop_attacks", BISHOP))
    assert judgement.verdict == "valid"
    (one,) = judgement.valid[0].finished
    assert str(one) == "5,248 of 5,248 entries of bishop_attacks:5"


@pytest.mark.parametrize(
    "write",
    [
        lambda entries: listed("bishop_attacks", entries),
        lambda entries: f"U64 bishop_attacks[64][512] = {{ {rows(entries, SIZES)} }};\n",
    ],
    ids=["flat", "rows"],
)
def test_a_wrong_entry_is_invalid_and_named(write: Callable[[list[int]], str]):
    entries = [*BISHOP]
    entries[4711] ^= 0x10
    judgement = judged(magics() + write(entries))
    assert judgement.verdict == "invalid"
    ((line, column, wrong),) = judgement.valid[0].finished[0].wrong
    text = (magics() + write(entries)).splitlines()[line - 1]
    assert text[column - 1 :].startswith(hex(entries[4711]))
    assert str(wrong).startswith("entry 4711 of bishop_attacks: bishop ")


def test_bits_that_were_taken_do_not_accuse():
    """The magics say nothing about bits: then a wrong entry is not decided."""
    bare = "\n".join(line for line in magics().splitlines() if "_bits" not in line)
    entries = [*BISHOP]
    entries[9] ^= 1
    assert judged(f"{bare}\n{listed('bishop_attacks', BISHOP)}").verdict == "valid"
    assert judged(f"{bare}\n{listed('bishop_attacks', entries)}").verdict == "unknown"


def test_a_list_of_something_else_changes_nothing():
    other = [0x9E3779B97F4A7C15 * n % (1 << 64) for n in range(1, 5249)]
    judgement = judged(magics() + listed("bishop_attacks", other))
    assert (judgement.verdict, judgement.valid[0].finished) == ("valid", ())


def test_a_list_in_another_order_is_said_and_not_judged():
    judgement = judged(magics() + listed("bishop_attacks", [*BISHOP[1:], BISHOP[0]]))
    (one,) = judgement.valid[0].finished
    assert (judgement.verdict, one.fits, one.right) == ("valid", False, True)


@pytest.mark.parametrize("bits", [16, 64])
def test_lists_without_magics_follow_pext(bits: int):
    entries = by_pext(together=bits == 16)
    judgement = judged(listed("bishop_attacks", entries))
    assert judgement.verdict == "valid"
    assert judgement.valid[0].report.formulas == {"bishop": "pext(occ, mask)"}
    assert (
        judgement.valid[0].remarks[0].endswith("index = pext(occ, mask), one square after another")
    )
    entries[77] ^= 1
    assert judged(listed("bishop_attacks", entries)).verdict == "unknown"


def test_without_magics_and_without_an_order_there_is_no_table():
    with pytest.raises(NothingThereError):
        judged(listed("bishop_attacks", BISHOP[::-1]))


# Entry by entry, in PEXT's order, against an obvious walk.


def compared(entries: list[int], bits: int = 64, **size: int):
    table = pext_table("a list", {Piece.BISHOP: size["stride"]} if size else None)
    (found,) = compare(table, {"bishop": Finished("moves", np.array(entries, np.uint64), bits)})
    return found


@pytest.mark.parametrize("bits", [16, 64])
def test_each_wrong_entry_is_named_with_its_square_and_occupancy(bits: int):
    entries = BY_PEXT if bits == 64 else by_pext(together=True)
    for entry in random.Random(bits).sample(range(5248), 20):
        bad = [*entries]
        bad[entry] ^= 1 << 3
        found = compared(bad, bits)
        (one,) = found.first
        assert (found.wrong, one.entry, one.holds, one.wanted) == (
            1, entry, bad[entry], entries[entry],
        )  # fmt: skip
        square = parse_square(one.square)
        assert BY_PEXT[entry] == attack_set(Piece.BISHOP, square, one.occupancy)
        assert sum(SIZES[:square]) <= entry < sum(SIZES[: square + 1])
        shown = f"entry {entry} of moves: bishop {one.square}, occupancy 0x{one.occupancy:016x}: "
        assert str(one).startswith(shown)


def test_what_no_lookup_loads_may_hold_anything():
    found = compared(by_pext(512), stride=512)
    assert (found.loaded, found.wrong) == (5248, 0)


def test_a_list_that_ends_too_early():
    found = compared(BY_PEXT[:-2])
    assert found.loaded == 5246
    assert [one.entry for one in found.first] == [5246, 5247]
    assert found.first[0].holds is None


def test_lookups_that_share_a_wrong_magic_s_entry_make_it_wrong():
    """A magic of 0 loads one entry for all: it cannot be right for two attack sets."""
    half = BBC.pieces["bishop"]
    bad = {**half.parameters, "magic": (0, *half.parameters["magic"][1:])}
    broken = replace(BBC, pieces={"bishop": replace(half, parameters=bad)})
    found = compare(broken, {"bishop": Finished("b", np.full(5248, 1 << 9, np.uint64))})[0]
    assert 0 in {one.entry for one in found.first}


def test_entries_too_narrow_for_the_lines_are_refused():
    with pytest.raises(ValueError, match="entries of 8 bits: a bishop has more squares"):
        compared(BY_PEXT, 8)
