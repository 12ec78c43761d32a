"""Masks that are not the true ones, unmasked formulas, sidecars, two levels, orders."""

import hashlib
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from magicert.board import (
    CHESS,
    MOVEMENTS,
    ORDERS,
    WORD,
    Piece,
    attack_set,
    mask,
    parse_square,
    place_of,
    square_at,
)
from magicert.data import published_tables
from magicert.formula import parse
from magicert.occupancy import carry_rippler
from magicert.problem import InputError
from magicert.table import PieceTable, Table, TwoLevel, parse_table, read_table
from magicert.table.write import table_toml
from magicert.verify.table import attack_sets
from magicert.verify.table.attacks import BoardPiece, distinct_attack_sets
from magicert.verify.table.report import Report
from magicert.verify.table.verifier import verify


def mover_of(piece: Piece) -> BoardPiece:
    return BoardPiece(CHESS, MOVEMENTS[piece], "a1")


WHITE = "((occ & mask) * magic) >> (64 - bits)"


def bishops(name: str = "surge") -> Table:
    table = read_table(published_tables()[name]).table
    return replace(table, pieces={Piece.BISHOP: table.pieces[Piece.BISHOP]})


def with_half(table: Table, **fields: Any) -> Table:
    half = table.pieces[Piece.BISHOP]
    parameters = {**half.parameters, **fields.pop("parameters", {})}
    return replace(table, pieces={Piece.BISHOP: replace(half, parameters=parameters, **fields)})


def report_on(table: Table, folder: Path = Path(), **options: Any) -> Report:
    return verify(parse_table(table_toml(table).encode(), folder / "t.toml"), **options)


def masks() -> tuple[int, ...]:
    return tuple(mask(Piece.BISHOP, square) for square in range(64))


def test_a_mask_that_lacks_a_square_breaks_the_table() -> None:
    c1, b2 = parse_square("c1"), parse_square("b2")
    given = tuple(m & ~(1 << b2) if s == c1 else m for s, m in enumerate(masks()))
    report = report_on(with_half(bishops(), parameters={"mask": given}))
    assert report.verdict == "invalid"
    (finding,) = report.findings
    assert finding.squares == ["bishop c1"]
    blockers = [set(lookup.blockers) for lookup in finding.lookups]
    assert blockers[0] ^ blockers[1] == {"b2"}
    assert "bishop c1: the given mask lacks b2" in report.notes


def test_extra_mask_squares_are_decided_not_assumed(slow: Callable[..., Any]) -> None:
    # A mask up to the edge: up to 2^13 subsets, less the squares that leave the product.
    edge = tuple(attack_set(Piece.BISHOP, square, 0) for square in range(64))
    table = with_half(bishops(), parameters={"mask": edge})
    report = report_on(table)
    assert 5248 < report.lookups < sum(1 << board.bit_count() for board in edge)
    answer = slow(table, (Piece.BISHOP,))
    assert (report.verdict == "valid") == answer.valid
    assert {s for f in report.findings for s in f.squares} == answer.bad


def test_an_extra_square_that_the_product_forgets_is_harmless() -> None:
    # h8 is bit 63: times an even magic it leaves the word, so the index cannot see it.
    h8 = 1 << 63
    table = bishops()
    magics = table.pieces[Piece.BISHOP].parameters["magic"]
    given = tuple(m | h8 if magic % 2 == 0 else m for m, magic in zip(masks(), magics, strict=True))
    report = report_on(with_half(table, parameters={"mask": given}))
    assert report.verdict == "valid"
    assert any("has besides h8" in note for note in report.notes)


def test_an_unmasked_formula_is_refuted_within_the_budget() -> None:
    formula = parse("(occ * magic) >> (64 - bits)")
    report = report_on(with_half(bishops(), index=formula))
    assert report.verdict == "invalid"
    assert len(report.findings) >= 10
    assert report.lookups <= 1 << 20, "it is over as soon as a part shows the conflicts"


def test_what_cannot_be_decided_is_unknown() -> None:
    # The index is right for every occupancy inside the masks, and reads all other squares
    # in a way that only the whole board at once can show.
    text = f"({WHITE}) + ((popcount(occ & ~mask) >> 5) << 40)"
    table = with_half(
        bishops(), index=parse(text), square_size=(1 << 9,), parameters={"bits": (9,)}
    )
    report = report_on(table, max_lookups=1 << 18)
    assert report.verdict == "unknown"
    assert report.exit_status == 3
    assert report.notes[-1].startswith("not exhaustive")


def finished(table: Table) -> np.ndarray:
    """The finished buffer of the bishops, built slot by slot without the verifier."""
    half = table.pieces[Piece.BISHOP]
    assert half.offset is not None
    buffer = np.zeros(table.buffer_size or 0, dtype="<u8")
    for row in range(64):
        for occupancy in carry_rippler(mask(Piece.BISHOP, row)):
            values = half.parameters
            product = (occupancy * values["magic"][row]) & WORD
            buffer[half.offset[row] + (product >> (64 - values["bits"][0]))] = attack_set(
                Piece.BISHOP, row, occupancy
            )
    return buffer


def test_a_finished_buffer_is_compared_slot_by_slot(tmp_path: Path) -> None:
    table = replace(bishops("shakmaty"), literal="attacks.bin")
    buffer = finished(table)
    (tmp_path / "attacks.bin").write_bytes(buffer.tobytes())
    report = report_on(table, tmp_path)
    assert report.verdict == "valid"
    digest = hashlib.sha256(buffer.tobytes()).hexdigest()
    assert report.input.sidecars == {"attacks.bin": digest}

    holes = np.flatnonzero(buffer == 0)
    buffer[holes] = 12345
    (tmp_path / "attacks.bin").write_bytes(buffer.tobytes())
    assert report_on(table, tmp_path).verdict == "valid", "holes may hold anything"

    used = int(np.flatnonzero(buffer != 12345)[100])
    buffer[used] ^= np.uint64(1 << 20)
    (tmp_path / "attacks.bin").write_bytes(buffer.tobytes())
    report = report_on(table, tmp_path)
    assert report.verdict == "invalid"
    assert [f.kind for f in report.findings] == ["literal"]
    assert report.findings[0].lookups[0].slot == used


@pytest.mark.parametrize(
    ("make", "problem"),
    [
        (lambda path: path.write_bytes(bytes(8)), "8 bytes: expected 710,176"),
        (lambda path: path.write_bytes(bytes(710_177)), "710,177 bytes"),
        (lambda path: path.with_name("other.bin").touch(), "cannot be read: No such file"),
        (os.mkfifo, "expected a regular file"),
    ],
)
def test_a_sidecar_that_cannot_be_it(
    tmp_path: Path, make: Callable[[Path], object], problem: str
) -> None:
    make(tmp_path / "attacks.bin")
    with pytest.raises(InputError, match=rf"attacks\.bin: .*{problem}"):
        report_on(replace(bishops("shakmaty"), literal="attacks.bin"), tmp_path)


def two_level(folder: Path) -> Table:
    """shakmaty's bishops as bytes over the distinct attack sets, with both sidecars."""
    table = replace(bishops("shakmaty"), literal="numbers.bin", two_level=TwoLevel(8))
    attacks = finished(table)
    sets: list[int] = []
    starts: list[int] = []
    numbers = np.zeros(len(attacks), dtype=np.uint8)
    half = table.pieces[Piece.BISHOP]
    assert half.offset is not None
    for row in range(64):
        own = sorted({attack_set(Piece.BISHOP, row, o) for o in carry_rippler(masks()[row])})
        starts.append(len(sets))
        sets += own
        for occupancy in carry_rippler(masks()[row]):
            product = (occupancy * half.parameters["magic"][row]) & WORD
            slot = half.offset[row] + (product >> 55)
            numbers[slot] = own.index(attack_set(Piece.BISHOP, row, occupancy))
    (folder / "numbers.bin").write_bytes(numbers.tobytes())
    (folder / "sets.bin").write_bytes(np.array(sets, dtype="<u8").tobytes())
    return with_half(
        table, attack_sets=len(sets), set_offset=tuple(starts), literal_sets="sets.bin"
    )


def test_a_two_level_table_is_followed_through_both_levels(tmp_path: Path) -> None:
    table = two_level(tmp_path)
    assert table.pieces[Piece.BISHOP].attack_sets == 1428
    assert report_on(table, tmp_path).verdict == "valid"
    for name, place in (("numbers.bin", 5378), ("sets.bin", 8 * 20)):
        data = bytearray((tmp_path / name).read_bytes())
        data[place] ^= 1
        (tmp_path / name).write_bytes(bytes(data))
        assert report_on(table, tmp_path).verdict == "invalid", name
        data[place] ^= 1
        (tmp_path / name).write_bytes(bytes(data))
    with pytest.raises(InputError, match="expected 11,416"):
        report_on(with_half(table, attack_sets=1427), tmp_path)


def test_a_finished_buffer_that_ends_before_its_last_slot(tmp_path: Path) -> None:
    table = replace(bishops("shakmaty"), literal="attacks.bin", buffer_size=None)
    buffer = finished(replace(table, buffer_size=bishops("shakmaty").buffer_size))
    last = int(np.flatnonzero(buffer)[-1])
    (tmp_path / "attacks.bin").write_bytes(buffer[: last + 1].tobytes())
    assert report_on(table, tmp_path).verdict == "valid"
    (tmp_path / "attacks.bin").write_bytes(buffer[:last].tobytes())
    report = report_on(table, tmp_path)
    assert report.verdict == "invalid"
    assert f"yields nothing at slot {last}" in report.findings[0].message


def test_a_number_one_past_the_last_attack_set(tmp_path: Path) -> None:
    """Even where whoever reads past the end would happen to find the right set again."""
    table = with_half(two_level(tmp_path), attack_sets=None)
    half = table.pieces[Piece.BISHOP]
    assert half.set_offset is not None
    assert half.offset is not None
    sets = np.fromfile(tmp_path / "sets.bin", dtype="<u8")
    numbers = np.fromfile(tmp_path / "numbers.bin", dtype=np.uint8)
    slots = slice(half.offset[63], half.offset[63] + 512)
    own = numbers[slots]
    own[own == len(sets) - 1 - half.set_offset[63]] += 1
    (tmp_path / "numbers.bin").write_bytes(numbers.tobytes())
    report = report_on(table, tmp_path)
    assert report.verdict == "invalid"
    assert any("yields nothing" in finding.message for finding in report.findings)
    (tmp_path / "sets.bin").write_bytes(np.append(sets, sets[-1]).tobytes())
    assert all(f.squares != ["bishop h8"] for f in report_on(table, tmp_path).findings)


@pytest.mark.parametrize("order", ORDERS)
def test_every_square_order_is_a_symmetry(order: str) -> None:
    report = report_on(replace(bishops(), order=order, listing=order))
    assert report.verdict == "valid"
    assert report.squares[1].square == {
        "a1": "b1", "h1": "g1", "a8": "b8", "h8": "g8",
        "a1-files": "a2", "h1-files": "h2", "a8-files": "a7", "h8-files": "h7",
    }[order]  # fmt: skip


def test_rows_may_be_listed_in_another_order_than_the_bits() -> None:
    table = bishops("olah")
    half = table.pieces[Piece.BISHOP]
    row_of = [square_at("a8", row) for row in range(64)]
    turned = {
        name: values if len(values) == 1 else tuple(values[s] for s in row_of)
        for name, values in half.parameters.items()
    }
    listed = replace(table, listing="a8", pieces={Piece.BISHOP: replace(half, parameters=turned)})
    report = report_on(listed)
    assert report.verdict == "valid"
    assert report.squares[0].square == "a8"
    assert not report.notes or all("given mask" not in note for note in report.notes)
    # The same rows read as if they were listed from a1 are another table, and a broken one.
    assert report_on(replace(listed, listing="a1")).verdict == "invalid"
    assert place_of("a8", row_of[5]) == 5


def test_negative_offsets_and_sparse_buffers() -> None:
    table = bishops("cfish_black")
    half = table.pieces[Piece.BISHOP]
    assert half.offset is not None
    moved = replace(half, offset=tuple(offset - 10**9 for offset in half.offset))
    low = report_on(replace(table, buffer_size=None, pieces={Piece.BISHOP: moved}))
    assert low.verdict == "invalid"
    assert {finding.kind for finding in low.findings} == {"outside"}
    # The first square alone, by the one slot before the buffer.
    least = report_on(table).squares[0].index_min
    first = (-1 - least, *half.offset[1:])
    before = report_on(replace(table, pieces={Piece.BISHOP: replace(half, offset=first)}))
    assert "slot -1 is outside" in before.findings[0].message
    high = replace(half, offset=tuple(offset + 10**9 for offset in half.offset))
    far = report_on(replace(table, buffer_size=None, pieces={Piece.BISHOP: high}))
    near = report_on(replace(table, buffer_size=None))
    assert far.verdict == near.verdict == "valid"
    assert far.buffers[0].slots_used == near.buffers[0].slots_used
    assert far.buffers[0].length == near.buffers[0].length + 10**9


def test_a_formula_without_bounds_needs_places() -> None:
    index = parse("(occ & mask) * magic")
    half = PieceTable(Piece.BISHOP, MOVEMENTS[Piece.BISHOP], index, {"magic": (3,)})
    with pytest.raises(InputError, match=r"bishop\.square_size: missing: the index can reach"):
        report_on(Table(name="unbounded", pieces={Piece.BISHOP: half}))


def test_an_index_outside_its_room_is_found() -> None:
    report = report_on(with_half(bishops(), square_size=(16,)))
    assert report.verdict == "invalid"
    assert any("is outside the square's 16 slots" in f.message for f in report.findings)


def test_one_piece_with_offsets_and_one_without_cannot_share() -> None:
    table = read_table(published_tables()["shakmaty"]).table
    half = replace(table.pieces[Piece.ROOK], offset=None)
    with pytest.raises(InputError, match=r"rook\.offset: missing"):
        report_on(replace(table, pieces={**table.pieces, Piece.ROOK: half}))


def test_a_shared_buffer_without_offsets_is_filled_in_the_order_of_the_file() -> None:
    table = replace(read_table(published_tables()["bbc"]).table, shared=True)
    turned = replace(table, pieces=dict(reversed(table.pieces.items())))
    for one, first in ((table, "rook"), (turned, "bishop")):
        report = report_on(one)
        assert report.verdict == "valid"
        assert report.buffers[0].length == 107_648
        assert report.squares[0].piece == first
        assert report.squares[0].offset == 0


def test_no_lookup_inside_the_buffer_at_all() -> None:
    report = report_on(replace(bishops("shakmaty"), buffer_size=1))
    assert report.verdict == "invalid"
    assert report.buffers[0].length <= 1


def test_a_shift_that_depends_on_the_occupancy_is_refused_where_it_happens() -> None:
    formula = parse(f"{WHITE} >> popcount(occ & mask) * 9")
    table = with_half(bishops(), index=formula, square_size=(64,))
    with pytest.raises(InputError, match=r"bishop\.index on d4, e4, d5, e5: shift by 81"):
        report_on(table)


def test_a_shift_that_only_other_squares_can_push_too_far_is_found() -> None:
    # Its value is thrown away, but engines would still execute it.
    formula = parse(f"({WHITE}) | ((1 << (occ & ~mask & 127)) & 0)")
    with pytest.raises(InputError, match="expected less than the word's width"):
        report_on(with_half(bishops(), index=formula, square_size=(512,)))


def test_bounds_of_sums_and_products_are_exact_where_nothing_wraps() -> None:
    table = bishops()
    for text in (f"({WHITE}) + 0", f"({WHITE}) * 1", f"0 + ({WHITE})"):
        report = report_on(with_half(table, index=parse(text), buffer_size=5248))
        assert report.verdict == "valid"
        assert report.buffers[0].length == 5248


def corners(offsets: dict[int, int], **fields: Any) -> Table:
    """Bishops by a lookup of the long diagonal alone: two corners can share an attack set."""
    table = bishops("shakmaty")
    half = table.pieces[Piece.BISHOP]
    assert half.offset is not None
    moved = tuple(offsets.get(row, offset + 1000) for row, offset in enumerate(half.offset))
    return replace(
        table, buffer_size=None, pieces={Piece.BISHOP: replace(half, offset=moved, **fields)}
    )


def test_opposite_corners_may_share_the_attack_set_that_they_have_in_common(
    index_of: Callable[..., int], slow: Callable[..., Any]
) -> None:
    half = bishops("shakmaty").pieces[Piece.BISHOP]
    a8, h1 = parse_square("a8"), parse_square("h1")
    # From a8 blocked at g2, and from h1 blocked at b7: b7 to g2 either way.
    first = index_of(half, a8, a8, 1 << parse_square("g2"))
    second = index_of(half, h1, h1, 1 << parse_square("b7"))
    g2 = attack_set(Piece.BISHOP, a8, 1 << parse_square("g2"))
    assert g2 == attack_set(Piece.BISHOP, h1, 1 << parse_square("b7"))
    low = 200_000
    table = corners({a8: low + second, h1: low + first})
    report, answer = report_on(table), slow(table, (Piece.BISHOP,))
    assert (report.verdict == "valid") == answer.valid
    used = {s.square: s.slots_used for s in report.squares}
    alone = {s.square: s.slots_used for s in report_on(bishops("shakmaty")).squares}
    assert used == alone, "a slot that two corners share is used by both"
    for finding in report.findings:
        assert finding.lookups[0].attacks != finding.lookups[1].attacks


@pytest.mark.parametrize(
    ("offset", "sets", "verdict", "message"),
    [
        (None, 1428, "valid", ""),
        (None, 1427, "invalid", "1,427 declared, but a bishop has 1,428 different attack sets"),
        ((0,), 1428, "invalid", "entries of 8 bits cannot number 1,428 attack sets"),
        ("packed", None, "valid", ""),
        ("crowded", None, "invalid", "the attack sets of two squares overlap"),
        ("far", 1428, "invalid", "which end at"),
    ],
)
def test_the_numbers_of_a_two_level_table_must_fit(
    offset: Any, sets: int | None, verdict: str, message: str
) -> None:
    table = replace(bishops("shakmaty"), two_level=TwoLevel(8))
    counts = [distinct_attack_sets(mover_of(Piece.BISHOP), square) for square in range(64)]
    packed = tuple(sum(counts[:row]) for row in range(64))
    offsets = {
        "packed": packed,
        "crowded": (0, *(start - 1 for start in packed[1:])),
        "far": (*packed[:-1], 1 << 31),
    }
    given = offsets[offset] if isinstance(offset, str) else offset
    report = report_on(with_half(table, set_offset=given, attack_sets=sets))
    assert report.verdict == verdict
    assert all(message in finding.message for finding in report.findings)


@pytest.mark.parametrize(
    ("offset", "sets", "verdict"),
    [(0, 1428, "valid"), (5, 1433, "valid"), (5, 1432, "invalid"), (0, 1427, "invalid")],
)
def test_sixteen_bits_number_all_attack_sets_of_a_piece(
    offset: int, sets: int, verdict: str
) -> None:
    table = replace(bishops("shakmaty"), two_level=TwoLevel(16))
    assert report_on(with_half(table, set_offset=(offset,), attack_sets=sets)).verdict == verdict


@pytest.mark.parametrize(("most", "problems"), [(256, 0), (257, 1)])
def test_bytes_number_256_sets(monkeypatch: pytest.MonkeyPatch, most: int, problems: int) -> None:
    monkeypatch.setattr(attack_sets, "attack_set_counts", lambda _: [most, *[0] * 63])
    table = replace(bishops("shakmaty"), two_level=TwoLevel(8))
    assert len(report_on(with_half(table, attack_sets=None)).findings) == problems


def test_the_problems_of_all_sidecars_in_one_go(tmp_path: Path) -> None:
    table = two_level(tmp_path)
    for path in tmp_path.iterdir():
        path.unlink()
    with pytest.raises(InputError) as caught:
        report_on(table, tmp_path)
    assert len(caught.value.problems) == 2
