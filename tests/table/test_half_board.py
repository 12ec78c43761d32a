"""Half boards as table files: lists of 32, and what cannot be one."""

from pathlib import Path

import pytest

from magicert.problem import InputError
from magicert.table import Table, parse_table
from magicert.table.write import table_toml


def problems(text: str) -> list[str]:
    with pytest.raises(InputError) as error:
        parse_table(text.encode(), Path("t.toml"))
    return [str(problem) for problem in error.value.problems]


def halved(good: list[str]) -> str:
    magics = "magic = [" + ", ".join(f'"{n:#x}"' for n in range(32)) + "]"
    return "\n".join([*good[:3], 'board = "ranks 1-4"', *good[3:7], magics, *good[8:]])


def test_a_half_board_says_so_and_has_lists_of_32(half_board: Table) -> None:
    text = table_toml(half_board)
    assert 'board = "ranks 1-4"' in text
    assert parse_table(text.encode(), Path("t.toml")).table == half_board


def test_the_whole_board_may_be_said_too(good: list[str]) -> None:
    plain = parse_table("\n".join(good).encode(), Path("t.toml")).table
    said = ['board = "whole"', *good]
    assert parse_table("\n".join(said).encode(), Path("t.toml")).table == plain


def test_64_values_are_too_many_for_a_half_board(good: list[str]) -> None:
    good[2:2] = ['board = "ranks 1-4"']
    (problem,) = problems("\n".join(good))
    assert "t.toml:9: bishop.magic: 64 values: expected 32, one a square of ranks 1-4" in problem


def test_32_values_are_too_few_for_the_whole_board(good: list[str]) -> None:
    (problem,) = problems(halved(good).replace('"ranks 1-4"', '"whole"'))
    assert "32 values: expected 64, one a square, or one for all" in problem


@pytest.mark.parametrize(
    ("line", "key", "message"),
    [
        ('listing = "a8"', "listing", '\'a8\': expected "a1" with board = "ranks 1-4"'),
        ("[two_level]\nentry_bits = 8", "two_level", "a two-level table: expected one level"),
    ],
)
def test_what_does_not_go_with_a_half_board(
    good: list[str], line: str, key: str, message: str
) -> None:
    place = 9 if line.startswith("[") else 3
    lines = halved(good).split("\n")
    text = "\n".join([*lines[:3], line, *lines[3:]]) if place == 3 else halved(good) + "\n" + line
    (problem,) = problems(text)
    assert f"{key}: {message}" in problem


@pytest.mark.parametrize("order", ["h1", "a8-files"])
def test_a_half_board_begins_with_a1(good: list[str], order: str) -> None:
    (problem,) = problems(halved(good).replace('order = "a1"', f'order = "{order}"'))
    assert f"order: '{order}': expected \"a1\"" in problem


def test_another_half_is_unknown(good: list[str]) -> None:
    found = problems(halved(good).replace('"ranks 1-4"', '"ranks 5-8"'))
    assert "board: 'ranks 5-8': expected one of whole, ranks 1-4" in found[0]
