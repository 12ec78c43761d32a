"""The verifier against the slow reference, corruption of every field, and the corpus's figures."""

import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from magicert.board import Piece, attack_set, parse_square, square_name
from magicert.data import published_tables, tables_folder
from magicert.problem import InputError
from magicert.table import Table, parse_table, read_table
from magicert.table.write import table_toml
from magicert.verify.table.report import Report
from magicert.verify.table.verifier import verify

BISHOP = (Piece.BISHOP,)


def table_of(name: str, *pieces: Piece) -> Table:
    table = read_table(published_tables()[name]).table
    return replace(table, pieces={p: table.pieces[p] for p in pieces or tuple(Piece)})


def report_on(table: Table) -> Report:
    return verify(parse_table(table_toml(table).encode(), Path("mutant.toml")))


def confirm(table: Table, report: Report, index_of: Callable[..., int]) -> None:
    """Every counterexample holds by the plain reading and the ray walk."""
    assert report.findings
    for finding in report.findings:
        for lookup in finding.lookups:
            piece = Piece(lookup.piece)
            square = parse_square(lookup.square)
            row = next(r for r in range(64) if table.row_square(r) == square)
            occupancy = int(lookup.occupancy, 16)
            bit = table.row_bit(row)
            assert index_of(table.pieces[piece], row, bit, occupancy) == lookup.index
            assert f"{attack_set(piece, bit, occupancy):#018x}" == lookup.attacks
            blockers = {table.bit_square(b) for b in range(64) if occupancy >> b & 1}
            assert {square_name(b) for b in blockers} == set(lookup.blockers)
        if finding.kind == "conflict":
            first, second = finding.lookups
            assert (first.slot == second.slot) & (first.attacks != second.attacks)


@pytest.mark.parametrize("name", ["carp", "glaurung32"])
def test_figures_agree_with_the_reference(name: str, slow: Callable[..., Any]) -> None:
    table = table_of(name)
    report, answer = report_on(table), slow(table)
    assert answer.valid
    assert report.verdict == "valid"
    assert report.lookups == answer.lookups
    for buffer in report.buffers:
        slots = answer.slots[buffer.name]
        assert buffer.slots_used == len(slots)
        assert (buffer.min_slot, buffer.length) == (min(slots), max(slots) + 1)
    owners = [owner for slots in answer.slots.values() for _, owner in slots.values()]
    for square in report.squares:
        assert square.slots_used == owners.count(f"{square.piece} {square.square}")


def changed(values: tuple[int, ...], row: int, value: int) -> tuple[int, ...]:
    spread = values * 64 if len(values) == 1 else values
    return (*spread[:row], value, *spread[row + 1 :])


def mutants(table: Table, piece: Piece, rng: random.Random) -> list[tuple[str, Table]]:
    """One corruption of each kind, at a random place."""
    half = table.pieces[piece]
    row, other = rng.sample(range(64), 2)
    magics = half.parameters["magic"]
    flipped = changed(magics, row, magics[row] ^ 1 << rng.randrange(64))
    swapped = changed(changed(magics, row, magics[other]), other, magics[row])
    halves: list[tuple[str, Any]] = [
        ("a flipped magic bit", {"parameters": {**half.parameters, "magic": flipped}}),
        ("two squares swapped", {"parameters": {**half.parameters, "magic": swapped}}),
    ]
    for key in ("bits", "shift"):
        if key in half.parameters:
            values = half.parameters[key]
            spread = values * 64 if len(values) == 1 else values
            step = rng.choice([-1, 1])
            halves.append(
                (f"a wrong {key}", {
                    "parameters": {
                        **half.parameters, key: changed(values, row, spread[row] + step)
                    }
                })
            )  # fmt: skip
    if half.offset is not None:
        moved = changed(half.offset, row, max(0, half.offset[row] + rng.choice([-64, -1, 1, 64])))
        halves.append(("a moved offset", {"offset": moved}))
    if "mask" in half.parameters:
        masks = half.parameters["mask"]
        bent = changed(masks, row, masks[row] ^ 1 << rng.randrange(64))
        halves.append(("a bent mask", {"parameters": {**half.parameters, "mask": bent}}))
    if half.buffer_size is not None:
        halves.append(("a smaller buffer", {"buffer_size": half.buffer_size - rng.choice([1, 60])}))
    made = [
        (what, replace(table, pieces={**table.pieces, piece: replace(half, **fields)}))
        for what, fields in halves
    ]
    if table.buffer_size is not None:
        made.append(("a smaller buffer", replace(table, buffer_size=table.buffer_size - 1)))
    return made


def judge(what: str, mutant: Table, slow: Callable[..., Any], index_of: Callable[..., int]) -> str:
    answer = slow(mutant, tuple(mutant.pieces))
    report = report_on(mutant)
    assert (report.verdict == "valid") == answer.valid, what
    if report.verdict != "valid":
        confirm(mutant, report, index_of)
        found = {square for finding in report.findings for square in finding.squares}
        # The reference blames whoever came first in a slot; every square it blames within
        # its own indexes is blamed here, and nobody is blamed without a counterexample.
        assert found, what
        if not mutant.shared:
            assert found == answer.bad, what
    return report.verdict


@pytest.mark.parametrize("name", ["gigantua_var", "bbc", "cfish_black", "stockfish21_32"])
def test_corrupted_bishops(
    name: str, slow: Callable[..., Any], index_of: Callable[..., int]
) -> None:
    rng = random.Random(name)
    table = table_of(name, Piece.BISHOP)
    verdicts = [
        judge(what, mutant, slow, index_of)
        for _ in range(2)
        for what, mutant in mutants(table, Piece.BISHOP, rng)
    ]
    assert "invalid" in verdicts


def test_a_corrupted_rook(slow: Callable[..., Any], index_of: Callable[..., int]) -> None:
    """Beside bishops that share its slots."""
    rng, table = random.Random("cozy_chess"), table_of("cozy_chess")
    judge(*rng.choice(mutants(table, Piece.ROOK, rng)), slow, index_of)


def test_a_smaller_buffer_is_found_outside() -> None:
    table = table_of("shakmaty")
    assert table.buffer_size is not None
    report = report_on(replace(table, buffer_size=table.buffer_size - 1))
    assert [f.kind for f in report.findings] == ["outside"]
    assert report.findings[0].lookups[0].slot == table.buffer_size - 1
    assert "outside the buffer of 88,771 slots" in report.findings[0].message


def test_a_shift_by_the_width_is_bad_input_with_its_square() -> None:
    table = table_of("bbc", Piece.BISHOP)
    half = table.pieces[Piece.BISHOP]
    bits = changed(half.parameters["bits"], 8, 0)
    spoilt = replace(half, parameters={**half.parameters, "bits": bits})
    with pytest.raises(InputError, match=r"bishop\.index on a7: shift by 64: expected less"):
        report_on(replace(table, pieces={Piece.BISHOP: spoilt}))


# What an independent check says of the corpus.
FILES = sorted(
    p for folder in ("published", "broken") for p in (tables_folder() / folder).glob("*")
)


def summary(report: Report) -> dict[str, Any]:
    return {
        ("all" if buffer.name == "shared" else buffer.name): {
            "slots_used": buffer.slots_used,
            "max_slot_plus1": buffer.length,
            "min_slot": buffer.min_slot,
            "holes": buffer.holes,
        }
        for buffer in report.buffers
    }


def test_the_corpus_is_complete(expected: dict[str, Any]) -> None:
    assert {path.stem for path in FILES} == set(expected)
    assert len(FILES) == 45


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_corpus(path: Path, expected: dict[str, Any]) -> None:
    report = verify(read_table(path))
    wanted = expected[path.stem]
    assert (report.verdict == "valid") == wanted["valid"]
    assert (path.parent.name == "published") == wanted["valid"]
    assert summary(report) == wanted["tables"]
    found = {square for finding in report.findings for square in finding.squares}
    assert found == {f"{piece} {square_name(square)}" for piece, square in wanted["bad_squares"]}
    assert report.lookups == 107_648
    assert sum(square.lookups for square in report.squares) == report.lookups
    for square in report.squares:
        assert square.constructive_collisions == square.lookups - square.slots_used
        assert 0 <= square.index_min <= square.index_max
        assert square.holes == square.index_max - square.index_min + 1 - square.slots_used


def test_what_is_worth_knowing_is_noted() -> None:
    notes = verify(read_table(tables_folder() / "published" / "arasan64.toml")).notes
    assert notes == [
        "buffer rook: 102,400 slots declared, 96,256 needed: the last 6,144 are never used",
        "rook: fewer bits than the mask has on a8 b8 c8 h8",
    ]
