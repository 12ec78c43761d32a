"""Layouts: tables in and out, figures, and the packer's promises, by checks of their own.

`plain_slots` shares no code with compact/: it reads a table's numbers and walks the rays.
"""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from magicert.board import WORD, Piece, attack_set, mask
from magicert.compact.anneal.kernel import REFUSED, anneal, cost_of
from magicert.compact.anneal.squares import CONSTANT_MODES, square_data, used_indexes
from magicert.compact.layouts.arrangement import Arrangement, occupied, seat
from magicert.compact.layouts.layout import NotValidError, from_table, publish, to_table
from magicert.compact.pack import Plan, pack
from magicert.compact.squeeze.cutting import cut_table
from magicert.compact.start.fit import first_fit
from magicert.data import find_table, published_tables, record_tables
from magicert.occupancy import carry_rippler
from magicert.problem import InputError
from magicert.table import Provenance, Table, read_table

U = np.uint64
ADDED = {"white": "((occ & mask) *", "black": "((occ | ~mask) *"}


def plain_slots(table: Table) -> dict[int, int]:
    """Every slot with its attack set, by integers and ray walks. Fails on any conflict."""
    buffer: dict[int, int] = {}
    for piece, half in table.pieces.items():
        black = half.index.text.startswith(ADDED["black"])
        bits = half.parameters["bits"]
        for row in range(64):
            board = mask(piece, row)
            magic = half.parameters["magic"][row]
            added = (~board & WORD) * magic if black else 0
            assert half.offset is not None
            for occupancy in carry_rippler(board):
                product = (occupancy * magic + added) & WORD
                slot = half.offset[row] + (product >> (64 - bits[row % len(bits)]))
                attacks = attack_set(piece, row, occupancy)
                assert buffer.setdefault(slot, attacks) == attacks, (piece, row)
    return buffer


@pytest.mark.parametrize("name", record_tables())
def test_a_record_is_valid_by_a_check_that_shares_no_code(name: str):
    table = read_table(record_tables()[name]).table
    assert table.order == table.listing == "a1"
    buffer = plain_slots(table)
    assert min(buffer) >= 0
    assert max(buffer) + 1 == table.buffer_size
    if table.two_level is None:
        assert len(buffer) == from_table(read_table(record_tables()[name])).used_slots
    assert table.provenance.certificate
    assert (record_tables()[name].parent / table.provenance.certificate).exists()


def test_the_records_keep_what_the_project_has_reached():
    lengths = {name: read_table(path).table.buffer_size for name, path in record_tables().items()}
    assert lengths["black"] < 80_000
    assert lengths["white"] < 88_772
    assert lengths["black_two_level"] + 8 * 6_328 < 126_000


@pytest.mark.parametrize("name", ["cfish_plain", "cfish_black", "carp", "seer", "arasan64"])
def test_a_table_survives_the_way_through_a_layout(name: str, tmp_path: Path):
    # carp counts from a8, seer from h1; both and arasan64 list their rows in that order.
    before = from_table(read_table(find_table(name)))
    publish(to_table(before, name, Provenance()), tmp_path / "again.toml")
    after = from_table(read_table(tmp_path / "again.toml"))
    assert (after.length, after.used_slots) == (before.length, before.used_slots)
    assert [s.slots.tolist() for s in after.seats] == [s.slots.tolist() for s in before.seats]


def test_what_cannot_be_packed_is_refused_with_reasons(tmp_path: Path):
    for name, reason in (("ankan_byte", "two-level"), ("glaurung32", "expected white, black")):
        with pytest.raises(InputError, match=reason):
            from_table(read_table(published_tables()[name]))
    broken = tmp_path / "broken.toml"
    text = find_table("cfish_black").read_text()
    broken.write_text(text.replace("  10890,", "  10891,"))
    with pytest.raises(InputError, match="invalid"):
        from_table(read_table(broken))


def test_an_invalid_layout_is_never_written(tmp_path: Path):
    layout = from_table(read_table(find_table("cfish_black")))
    layout.seats[0].offset += 1
    with pytest.raises(NotValidError):
        publish(to_table(layout, "no", Provenance()), tmp_path / "no.toml")
    assert list(tmp_path.iterdir()) == []


@given(st.sampled_from(list(Piece)), st.integers(0, 63), st.integers(0, WORD), st.booleans())
@settings(max_examples=30, deadline=None)
def test_the_kernel_agrees_with_the_definition(piece: Piece, square: int, magic: int, black: bool):
    data = square_data(piece, square)
    bits, board = 10, mask(piece, square)
    added = (~board & WORD) * magic & WORD if black else 0
    price = np.arange(1, (1 << bits) + 6, dtype=np.int32)
    sets: dict[int, int] = {}
    cost = 0
    # Doubling order, so that of two conflicting sets the same one comes first.
    for occupancy in data.occupancies.tolist():
        index = ((occupancy * magic + added) & WORD) >> (64 - bits)
        attacks = attack_set(piece, square, occupancy)
        if index not in sets:
            cost += int(price[5 + index])
        elif sets[index] != attacks:
            cost += 1000
        sets.setdefault(index, attacks)
    seen = np.zeros(1 << bits, dtype=np.uint32)
    products = np.empty(len(data.numbers), dtype=np.uint64)
    arguments = (
        U(magic), U(added), np.int64(5), U(64 - bits), data.shifts, data.numbers, price,
        np.int64(1000),
    )  # fmt: skip
    assert cost_of(*arguments, np.int64(1 << 40), products, seen, np.int64(1)) == cost
    assert cost_of(*arguments, np.int64(cost - 1), products, seen, np.int64(2)) == REFUSED
    conflicts = any(
        sets[((occupancy * magic + added) & WORD) >> (64 - bits)]
        != attack_set(piece, square, occupancy)
        for occupancy in data.occupancies.tolist()
    )
    used = used_indexes(data, bits, int(black), magic, 0)
    assert (used is None) == conflicts
    assert used is None or used.tolist() == sorted(sets)


def test_the_kernels_are_compiled_for_unsigned_words():
    # uint64 * int would have become int64 or float64.
    data = square_data(Piece.BISHOP, 0)
    anneal(
        U(0x1234), U(0), np.int64(0), 1, data.around, U(58), data.shifts, data.numbers,
        np.ones(64, dtype=np.int32), np.int64(9), np.int64(0), np.int64(0), np.int64(1), 2.0, 1.0,
        np.int64(10), np.int64(0), U(1),
    )  # fmt: skip
    assert anneal.nopython_signatures
    for signature in anneal.nopython_signatures:
        assert [str(kind) for kind in signature.return_type] == [
            "uint64", "uint64", "int64", "int64",
        ]  # fmt: skip


@given(
    st.sets(st.integers(0, 255), min_size=1, max_size=40),
    st.sets(st.integers(0, 999), max_size=600),
)
def test_first_fit_is_the_lowest_offset_that_fits(used: set[int], taken: set[int]):
    words = occupied([np.array(sorted(used))], 256)
    board = occupied([np.array(sorted(taken), dtype=np.int64)], 2048)
    expected = next(o for o in range(1001) if not {slot + o for slot in used} & taken)
    assert first_fit(board, words, max(used) // 64 + 1, 0, 1000) == expected


def small_arrangement() -> Arrangement:
    layout = from_table(read_table(find_table("cfish_black")))
    return layout.arrangement([Piece.BISHOP])


def test_the_cut_table_counts_what_would_overlap():
    arrangement = small_arrangement()
    keys, table = cut_table(arrangement, arrangement.by_offset(), 70, 50)
    noise = np.random.default_rng(3)
    for _ in range(40):
        cut, distance = int(noise.integers(1, 64)), int(noise.integers(1, 71))
        if arrangement.seats[keys[cut]].offset < distance:
            continue
        moved = arrangement.copy()
        moved.move(keys[cut:], -distance)
        assert min(51, moved.overlaps()) == min(51, table[cut, distance])


def test_packing_never_gets_worse_and_is_deterministic():
    layout = from_table(read_table(find_table("cfish_black")))
    plan = Plan(seed=7, rounds=1, attempts=4)
    first, second = pack(layout, plan), pack(layout, plan)
    assert first.layout.length <= layout.length
    assert first.layout.length == second.layout.length
    for one, other in zip(first.layout.seats, second.layout.seats, strict=True):
        assert (one.magic, one.offset) == (other.magic, other.offset)
    buffer = plain_slots(to_table(first.layout, "packed", Provenance()))
    assert max(buffer) + 1 == first.layout.length


def test_a_goal_that_is_reached_stops_the_packing():
    layout = from_table(read_table(find_table("cfish_black")))
    result = pack(layout, Plan(goal=87_988, rounds=100))
    assert (result.stopped, result.rounds) == ("goal", 0)


def test_a_seat_with_a_conflict_is_refused():
    with pytest.raises(ValueError, match="conflict"):
        seat(CONSTANT_MODES["white"], Piece.ROOK, 0, 12, 1, 0)
