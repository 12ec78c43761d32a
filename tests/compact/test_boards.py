"""Movers of any board in one buffer, held against dictionaries and the slow walk."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise, product
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from magicert import find_set
from magicert.api.forms import TableForm, pieces_of
from magicert.board import Board, parse_board
from magicert.cell import Cell, first_conflict
from magicert.compact import boards, sharing
from magicert.compact.boards import BoardFound, BoardJob, Levels
from magicert.compact.bounds import shortest
from magicert.compact.job import PackSettings
from magicert.compact.kernels import FREE, WalkEffort, fullest_fit, lowest_fit
from magicert.compact.movers import Anneal, Mover, MoverPlacement, SlotPrices, annealed, mover_of
from magicert.compact.sharing import SharedBuffer, first_fit
from magicert.data import find_table, small_board_tables
from magicert.movement import attacks_of
from magicert.occupancy import carry_rippler
from magicert.outcome import NullPhase, Unknown
from magicert.problem import InputError
from magicert.scheme import resolve_scheme
from magicert.search.finders.trial import construct_magic
from magicert.system.deadline import FOREVER
from magicert.table import Table, TableFile, read_table
from magicert.targets import piece_on
from magicert.verify.table.verifier import verify

SLOT = st.integers(0, 40)
SETS = st.integers(0, 3)
BOARDS = {"4x4": ("rook", "cannon"), "5x4": ("bishop", "horse"), "3x3": ("rook", "lance")}
WIDE = {"9x10": ("elephant", "lance")}


@pytest.fixture
def hasty(monkeypatch):
    """Short walks and short rounds."""
    monkeypatch.setattr(sharing, "MOST_STEPS", 300)
    monkeypatch.setattr(boards, "ATTEMPTS", 40)


def movers_on(size: str, names: tuple[str, ...], *, lines: bool = True) -> list[Mover]:
    """The movers of attack sets."""
    board = parse_board(size)
    parts = TableForm(lines=lines).parts_of(pieces_of(names, board))
    number: dict[int, int] = {}
    movers = []
    for name, movement in parts.items():
        for square in board.playable:
            mask = piece_on(board, movement, square, "least").mask
            bits = (mask.bit_count() or 1, mask.bit_count() + 1)
            mover, attacks = mover_of((name, square), board, movement, mask, bits)
            sets = [number.setdefault(attack, len(number)) for attack in attacks]
            movers.append(replace(mover, sets=np.array(sets, np.int32)))
    return movers


@given(st.dictionaries(SLOT, SETS, min_size=1, max_size=12), st.dictionaries(SLOT, SETS))
def test_a_fit_has_nothing_else_in_its_slots_and_the_fullest_takes_the_fewest(wanted, held):
    slots = np.full(120, FREE, dtype=np.int32)
    for slot, number in held.items():
        slots[slot] = number
    used = sorted(wanted)
    arrays = slots, np.array(used), np.array([wanted[slot] for slot in used], np.int32)

    def cost(offset: int) -> int | None:
        there = [held.get(slot + offset) for slot in used]
        if any(h not in (None, wanted[slot]) for h, slot in zip(there, used, strict=True)):
            return None
        return there.count(None)

    fits = [(free, offset) for offset in range(61) if (free := cost(offset)) is not None]
    assert lowest_fit(*arrays, 60) == min(offset for _, offset in fits)
    assert fullest_fit(*arrays, 60) == min(fits)[1]
    (_, first), none = min(fits), 61
    assert fullest_fit(*arrays, first) == first
    blocked = np.full_like(slots, 9)
    assert lowest_fit(blocked, *arrays[1:], 60) == fullest_fit(blocked, *arrays[1:], 60) == none


@settings(max_examples=30)
@given(
    st.sampled_from(
        [("8x8", "bishop"), ("9x10", "cannon=vpR"), ("5x4", "horse"), ("9x9", "lance")]
    ),
    st.integers(0, (1 << 128) - 1), st.integers(0, 1 << 30), st.booleans(),
)  # fmt: skip
def test_a_mover_is_placed_if_and_only_if_its_magic_is_one(asked, magic, draw, is_built):
    size, piece = asked
    board = parse_board(size)
    ((name, movement),) = pieces_of((piece,), board).items()
    square = draw % board.squares
    target = piece_on(board, movement, square, "least")
    bits = max(1, target.mask.bit_count())
    magic &= (1 << board.word) - 1
    if is_built:
        magic = construct_magic(target.mask, bits, board.word, draw) or 0
    mover, attacks = mover_of((name, square), board, movement, target.mask, (bits,))
    cell = Cell(resolve_scheme("white", board.word), target, bits)
    occupancies = list(carry_rippler(target.mask))
    assert sorted(mover.indexes(magic, bits)) == sorted(cell.index(magic, o) for o in occupancies)
    placed = mover.placed(magic, bits, 3)
    assert (placed is None) == (first_conflict(cell, magic) is not None)
    if placed is not None:
        found = dict(zip(placed.slots.tolist(), placed.holds.tolist(), strict=True))
        for occupied in occupancies:
            slot = 3 + cell.index(magic, occupied)
            assert attacks[found[slot]] == attacks_of(board, movement, square, occupied)


@pytest.mark.parametrize("size", ["8x8", "9x9"])
def test_annealing_follows_from_the_seed_and_keeps_to_offsets_and_prices(size):
    """Its cost is that of each slot, asked for one by one."""
    (mover,) = (m for m in movers_on(size, ("bishop",)) if m.key == ("bishop_d", 11))
    bits = mover.bits[1]
    magic = construct_magic(mover.mask, bits, mover.width, 1)
    assert magic is not None
    held = np.where(np.arange(400) % 3 == 0, np.arange(400) % 5, FREE).astype(np.int32)
    prices = SlotPrices(held, 4, 24, 32, 120, 1000)
    how = Anneal(bits, magic, 50, 20, 8, WalkEffort(2_000, 24.0, 2.0))

    def price(placed: MoverPlacement | None) -> int:
        assert placed is not None
        cost = 0
        for slot, wanted in zip(placed.slots.tolist(), placed.holds.tolist(), strict=True):
            cost += 32 * (slot >= 120)
            cost += 4 if held[slot] == FREE else 24 * (held[slot] != wanted)
        return cost

    before = price(mover.placed(magic, bits, 50))
    for seed in range(4):
        first, again = (annealed(mover, how, prices, np.random.default_rng(seed)) for _ in "ab")
        assert first is not None
        assert again is not None
        assert (first.magic, first.offset) == (again.magic, again.offset)
        assert 30 <= first.offset <= 70
        assert price(first) <= before


def test_what_is_put_and_taken_leaves_what_others_hold():
    random = np.random.default_rng(5)
    movers = movers_on("4x4", ("rook", "cannon"))
    placements = {}
    for mover in movers:
        magic = construct_magic(mover.mask, mover.bits[0], mover.width, 1)
        placements[mover.key] = mover.placed(magic or 0, mover.bits[0])
    buffer = SharedBuffer(200)
    for _ in range(300):
        key = movers[int(random.integers(len(movers)))].key
        placed = placements[key].at(int(random.integers(40)))
        if key in buffer.placements:
            buffer.take(key)
        elif buffer.fits(placed):
            buffer.put(placed)
        slow: dict[int, set[int]] = {}
        for there in buffer.placements.values():
            for slot, number in zip(there.slots.tolist(), there.holds.tolist(), strict=True):
                slow.setdefault(slot, set()).add(number)
        assert all(len(numbers) == 1 for numbers in slow.values())
        assert {s: {int(buffer.held[s])} for s in np.flatnonzero(buffer.held != FREE)} == slow
        assert buffer.figures == (max(slow, default=-1) + 1, len(slow))


@settings(max_examples=15, deadline=None)
@given(st.data())
def test_two_movers_are_packed_as_short_as_trying_all_offsets(data):
    """An exact search of their offsets is as short as the shortest of all, and first fit, which
    takes the fewest slots, is valid and no shorter.
    """
    mover = movers_on("3x3", ("rook",))[0]
    used = st.dictionaries(st.integers(1, 7), SETS, max_size=5)
    two = []
    for number in range(2):
        held = {0: data.draw(SETS)} | data.draw(used)
        slots = np.array(sorted(held))
        holds = np.array([held[slot] for slot in slots], np.int32)
        of = replace(mover, key=("rook", number), bits=(3,))
        two.append(MoverPlacement(of, 0, 3, 0, slots, holds))
    lengths = []
    for offsets in product(range(9), repeat=2):
        placed = [p.at(offset) for p, offset in zip(two, offsets, strict=True)]
        try:
            lengths.append(SharedBuffer.of(placed).length)
        except ValueError:
            continue
    found = shortest([(p.used, p.words) for p in two], 10)
    assert found is not None
    assert found.length == found.bound == min(lengths)
    pools = {p.key: [p] for p in two}
    fitted = first_fit(pools, sharing.capacity_of(pools), sharing.by_size(pools), FOREVER)
    assert SharedBuffer.of(fitted.placements.values()).length >= min(lengths)


def walked(table: Table) -> Iterator[tuple[str, int, int, int]]:
    """Of each part and square each occupancy of the mask, and what is attacked."""
    for name, piece in table.pieces.items():
        for square in table.board.playable:
            mask = piece_on(table.board, piece.movement, square, "least").mask
            for occupied in carry_rippler(mask):
                yield name, square, occupied, mask


def read_plainly(file: TableFile) -> None:
    """Every lookup of a table of two levels, by Python's integers and the walk."""
    table, folder = file.table, file.path.parent
    assert table.two_level is not None
    numbers = np.fromfile(folder / str(table.literal), f"<u{table.two_level.entry_bits // 8}")
    size, word = table.board.word // 8, table.board.word
    data = (folder / str(table.two_level.literal_words)).read_bytes()
    sets = [int.from_bytes(data[n : n + size], "little") for n in range(0, len(data), size)]
    assert (len(numbers), len(sets)) == (table.buffer_size, table.two_level.words)
    for name, square, occupied, _ in walked(table):
        piece = table.pieces[name]
        bits = piece.parameters["bits"]
        product_ = occupied * piece.parameters["magic"][square] & (1 << word) - 1
        assert piece.offset is not None
        assert piece.set_offset is not None
        slot = piece.offset[square] + (product_ >> word - bits[square % len(bits)])
        found = sets[piece.set_offset[square] + int(numbers[slot])]
        assert found == attacks_of(table.board, piece.movement, square, occupied)


def packed(source: TableFile, output: Path, rounds: int = 1, **more: Any) -> Any:
    given = PackSettings(output=output, seconds=1e6, source=source, rounds=rounds, **more)
    return BoardJob(given, NullPhase).outcome()


def set_of(size: str, form: str = "lines", **more: Any) -> TableFile:
    return find_set({**BOARDS, **WIDE}[size], board=size, form=form, **more)


@pytest.mark.usefixtures("hasty")
@pytest.mark.parametrize(
    ("size", "form", "levels"),
    [
        ("4x4", "lines", 8), ("5x4", "whole", None),
        pytest.param("3x3", "whole", 16, marks=pytest.mark.long),
        pytest.param("5x4", "lines", 8, marks=pytest.mark.long),
        pytest.param("9x10", "lines", 8, marks=pytest.mark.long),
    ],
)  # fmt: skip
def test_a_packed_table_is_smaller_and_answers_each_lookup(tmp_path, size, form, levels):
    source = set_of(size, form)
    found = packed(source, tmp_path / "out.toml", two_level=levels)
    assert isinstance(found, BoardFound)
    file = read_table(tmp_path / "out.toml")
    report = verify(file)
    assert report.verdict == "valid"
    own = sum(buffer.length for buffer in verify(source).buffers)
    assert (found.slots, found.first) == (own, own * file.table.board.word // 8)
    assert found.layout.bytes < found.first
    assert found.bound <= found.size
    assert found.layout.least <= found.layout.length
    assert report.buffers[0].length == found.layout.length
    files = [tmp_path / str(file.table.literal)] * bool(levels)
    if levels:
        read_plainly(file)
        assert file.table.two_level is not None
        files.append(tmp_path / str(file.table.two_level.literal_words))
        assert sum(path.stat().st_size for path in files) == found.layout.bytes
    assert sorted(tmp_path.glob("*.bin")) == sorted(files)


@pytest.mark.usefixtures("hasty")
def test_the_same_seed_gives_the_same_layout_and_a_packed_table_goes_on(tmp_path):
    source = set_of("4x4")
    first, again = (packed(source, tmp_path / f"{n}.toml", two_level=8) for n in "ab")
    magics = [
        [(p.key, p.magic, p.offset) for p in found.layout.placements] for found in (first, again)
    ]
    assert magics[0] == magics[1]
    output = tmp_path / "a.toml"
    on = packed(read_table(output), output, resumed=True, seed=2)
    assert (on.layout.length, on.layout.used_slots) <= (
        first.layout.length, first.layout.used_slots,
    )  # fmt: skip
    assert verify(read_table(output)).verdict == "valid"
    other = packed(read_table(output), tmp_path / "c.toml", rounds=0)
    assert isinstance(other, Unknown) or other.layout.bytes < first.layout.bytes


def test_the_figures_are_those_of_the_file(tmp_path, monkeypatch):
    """A layout that is as long and less full is gone on with, and not written."""
    written = []
    monkeypatch.setattr(boards, "save_layout", lambda layout, *_: written.append(layout))
    job = BoardJob(
        PackSettings(output=tmp_path / "out.toml", seconds=1.0, from_set=True), NullPhase
    )
    job.squeezing = 0.0
    first, emptier = (
        SimpleNamespace(length=9, used_slots=used, bytes=9, levels=Levels((), None, {}), size=9)
        for used in (8, 7)
    )
    for layout in (first, emptier):
        job.save(layout)
    found = job.found("rounds")
    assert found is not None
    assert (written, job.layout, found.layout) == ([first], emptier, first)


def test_squares_of_a_line_share_their_attack_sets():
    """All words are there, each once for a line; squares that are alike are one mover."""
    board = Board(4, 5)
    file = find_set("cannon", board="4x5", form="lines")
    squares = boards.squares_read(file)
    movers, levels = boards.two_levels(squares, board, 8)
    assert levels.starts is not None
    keys = [key for mover in movers for key in (mover.key, *mover.others)]
    assert sorted(keys) == sorted(square.mover.key for square in squares)
    assert len(movers) == board.files + board.ranks
    sets_of = {key: mover.sets for mover in movers for key in (mover.key, *mover.others)}
    for square in squares:
        key = square.mover.key
        numbers = sets_of[key].tolist()
        assert [levels.attacks[levels.starts[key] + n] for n in numbers] == square.attacks
    own: dict[tuple[str, int], set[int]] = {}
    for square in squares:
        piece, number = square.mover.key
        line = number % board.files if piece == "cannon_v" else number // board.files
        own.setdefault((piece, line), set()).update(square.attacks)
    assert len(levels.attacks) == sum(map(len, own.values()))


@pytest.mark.parametrize(
    ("size", "bits", "most"), [("4x4", 8, 256), ("9x9", 8, 256), ("9x9", 16, 65536)]
)
def test_numbers_fit_into_entries(size, bits, most):
    file = find_set(("bishop",), board=size, form="lines")
    movers, levels = boards.two_levels(boards.squares_read(file), file.table.board, bits)
    assert max(int(mover.sets.max()) for mover in movers) < most
    every = {a for square in boards.squares_read(file) for a in square.attacks}
    assert set(levels.attacks) == every


def test_entries_that_are_too_narrow_are_refused():
    first, *others = boards.squares_read(find_set("rook", board="3x3"))
    wide = replace(first, attacks=list(range(257)))
    with pytest.raises(InputError, match="8 bits cannot number the 257 attack sets of rook a1"):
        boards.two_levels([wide, *others], Board(3, 3), 8)


@pytest.mark.usefixtures("hasty")
def test_attempts_never_make_a_buffer_worse():
    movers = movers_on("4x4", ("rook", "cannon"))
    pools = {}
    for mover in movers:
        magic = construct_magic(mover.mask, mover.bits[0], mover.width, 1) or 0
        first = mover.placed(magic, mover.bits[0])
        assert first is not None
        pools[mover.key] = sharing.fill_pool(1, FOREVER, first)
        assert any(p.magic == magic for p in pools[mover.key]) or len(pools[mover.key]) > 1
        assert all(
            len(a.used) <= len(b.used) for a, b in pairwise(pools[mover.key])
        )  # the best come first
    buffer = first_fit(pools, sharing.capacity_of(pools), sharing.by_size(pools), FOREVER)
    improver = sharing.Improver(buffer.placements.values(), pools, [3])
    before = improver.buffer.figures
    for attempt in (improver.thin, improver.shorten, improver.shuffle) * 12:
        attempt()
        after = SharedBuffer.of(improver.buffer.placements.values())
        assert after.figures == improver.buffer.figures <= before
        assert set(after.placements) == set(pools)
        before = after.figures
    improver.fit_anew(FOREVER)
    assert improver.buffer.figures <= before


def test_a_table_that_cannot_be_packed_is_refused():
    """The words of `tests/commands` say what; an engine's xiangqi rook can be."""
    boards.refuse_unpackable(read_table(find_table("pikafish_rook")))
    with pytest.raises(InputError, match="expected \\(occ & mask\\) \\* magic"):
        boards.refuse_unpackable(read_table(find_table("haitaka_rook")))


@pytest.mark.parametrize("name", ["xiangqi-packed", "shogi-packed"])
def test_a_packed_table_that_ships_is_valid_and_its_figures_are_those_of_the_page(name):
    file = read_table(small_board_tables()[name])
    layout, is_packed = boards.layout_of(file, 8)
    assert is_packed
    page = (Path(__file__).parents[2] / "docs" / "packing.md").read_text("utf-8")
    for figure in (layout.bytes, layout.length, boards.bound_of(layout), layout.least):
        assert f"{figure:,}" in page
    levels = file.table.two_level
    assert levels is not None
    files = [file.path.parent / str(each) for each in (file.table.literal, levels.literal_words)]
    assert sum(path.stat().st_size for path in files) == layout.bytes
