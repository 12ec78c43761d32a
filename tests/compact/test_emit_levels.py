"""What is emitted of two-level tables: which numbering, which form, which bytes."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from magicert.board import Piece
from magicert.compact.emit import Unit, binary, make_unit, printer
from magicert.compact.emit.levels import Levels
from magicert.compact.layouts import publish_two_level, two_level
from magicert.data import find_table
from magicert.problem import InputError
from magicert.table import read_table
from magicert.table.write import write_table


def unit_of(name: str | Path) -> Unit:
    path = name if isinstance(name, Path) else find_table(name)
    return make_unit(read_table(path), "magicert emit test")


def looked_up(unit: Unit, pairs: Any) -> list[int]:
    """Lookups by the emitted Python: every 50th of the rooks, every 5th of the bishops."""
    scope: dict[str, Any] = {}
    exec(printer("python").emit(unit, literal=False), scope)
    rooks = [scope["rook_attacks"](*pair) for pair in pairs[:102_400:50]]
    return rooks + [scope["bishop_attacks"](*pair) for pair in pairs[102_400::5]]


def some(answers: Any) -> list[int]:
    return [*answers[:102_400:50], *answers[102_400::5]]


@pytest.fixture
def packed(tmp_path: Path) -> Path:
    """A two-level table of 16-bit numbers with its finished buffers, as the packer writes it."""
    path = tmp_path / "packed.toml"
    publish_two_level(two_level(read_table(find_table("black")).table, 16), path)
    return path


def whole(packed: Path) -> Path:
    """The same with one numbering for all of a piece's attack sets, backwards."""
    table = read_table(packed).table
    unit = unit_of(packed)
    assert unit.levels is not None
    numbers = np.fromfile(packed.parent / "packed.numbers.bin", dtype="<u2")
    pieces = {}
    for piece, half in table.pieces.items():
        sets = unit.levels.sets[piece]
        sets[::-1].astype("<u8").tofile(packed.parent / f"packed.{piece}-sets.bin")
        pieces[piece] = replace(half, set_offset=(0,))
        for row, start in enumerate(unit.levels.starts[piece]):
            slots = slots_of(table.pieces[piece], row)
            numbers[slots] = len(sets) - 1 - start - numbers[slots]
    numbers.tofile(packed.parent / "packed.numbers.bin")
    write_table(replace(table, pieces=pieces), packed)
    return packed


def slots_of(half: Any, row: int) -> Any:
    from magicert.board import mask
    from magicert.formula.tree import evaluate
    from magicert.occupancy import carry_rippler

    relevant = mask(half.piece, row)
    values = {name: v[0] if len(v) == 1 else v[row] for name, v in half.parameters.items()}
    index = [
        evaluate(half.index.tree, {**values, "mask": relevant, "occ": occ})
        for occ in carry_rippler(relevant)
    ]
    return np.unique(np.array(index) + half.offset[row])


def test_numbers_of_16_bits_beside_finished_buffers(packed: Path, all_lookups: Any):
    unit = unit_of(packed)
    assert looked_up(unit, all_lookups.pairs) == some(all_lookups.attacks)


def test_a_numbering_of_its_own_is_emitted(packed: Path, all_lookups: Any):
    unit = unit_of(whole(packed))
    assert looked_up(unit, all_lookups.pairs) == some(all_lookups.attacks)


def test_one_numbering_for_all_squares_needs_its_finished_buffers(packed: Path):
    table = read_table(packed).table
    pieces = {
        p: replace(half, set_offset=(0,), literal_sets=None) for p, half in table.pieces.items()
    }
    path = packed.with_name("numberless.toml")
    write_table(replace(table, pieces=pieces, literal=None), path)
    with pytest.raises(InputError, match="expected the finished buffers"):
        unit_of(path)


def test_the_binary_is_the_numbers_and_then_the_attack_sets(all_lookups: Any):
    unit = unit_of("ankan_byte")  # without set_offsets
    data = binary(unit)
    assert len(data) == unit.bytes == 97_264 + 8 * (4_900 + 1_428)
    words = np.frombuffer(data[97_264:], dtype="<u8")
    assert set(words.tolist()) == set(all_lookups.attacks)
    assert unit.levels is not None
    assert list(unit.levels.sets) == list(Piece)


@pytest.mark.parametrize(
    ("language", "expression"),
    [
        ("c++", "rook_sets[rook[square].set_offset + numbers[rook[square].offset + ("),
        ("rust", "ROOK_SETS[ROOK[square].set_offset + NUMBERS[ROOK[square].offset + ("),
        ("java", "ROOK_SETS[ROOK_SET_OFFSET[square] + (NUMBERS[ROOK_OFFSET[square] + (int) ("),
        ("csharp", "RookSets[RookSetOffset[square] + Numbers[RookOffset[square] + (int) ("),
        ("javascript", "ROOK_SETS[ROOK_SET_OFFSET[square] + NUMBERS[ROOK_OFFSET[square] + Number("),
    ],
)
def test_the_lookup_of_two_levels_is_one_expression(language: str, expression: str):
    unit = unit_of("black_two_level")
    assert isinstance(unit.levels, Levels)
    assert expression in printer(language).emit(unit, literal=False)
