import json
from collections.abc import Callable

import pytest
from click.testing import Result

from magicert.data import published_tables

Run = Callable[..., Result]


def test_show_draws_mask_and_attacks(run: Run) -> None:
    result = run("show", "rook", "e4", "--occupancy", "e6,c4")
    assert result.exit_code == 0
    assert "mask 0x001010106e101000    attacks 0x00001010ec101010" in result.stdout
    assert "4 . + + + R + + .          4 . . * + R + + +" in result.stdout


def test_show_looks_up_in_a_table_of_another_square_order(run: Run) -> None:
    result = run("show", "rook", "e4", "--occupancy", "e6,c4", "--table", "bbc")
    assert "occ        0x0000000400100000 in the table's square order, a8" in result.stdout
    assert "slot       56345" in result.stdout


def test_an_occupancy_may_be_a_bitboard(run: Run) -> None:
    named = run("show", "bishop", "C1", "--occupancy", "b2, h8").stdout
    assert named == run("show", "bishop", "c1", "--occupancy", "0x8000000000000200").stdout


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (("rook", "z9"), "square 'z9': expected a1..h8"),
        (("queen", "a1"), "'queen' is not one of 'rook', 'bishop'"),
        (("rook", "a1", "--occupancy", "e9"), "square 'e9': expected a1..h8; or a bitboard"),
        (("rook", "a1", "--occupancy", "0x1ffffffffffffffff"), "expected at most 64 bits"),
        (("rook", "a1", "--table", "nope"), "no such file, and no published table or record"),
    ],
)
def test_show_refuses(run: Run, arguments: tuple[str, ...], problem: str) -> None:
    result = run("show", *arguments)
    assert result.exit_code == 2
    assert problem in " ".join(result.stderr.replace("│", " ").split())


def test_tables_lists_what_is_published(run: Run) -> None:
    result = run("tables")
    assert result.exit_code == 0
    rows = [line.split("\t") for line in result.stdout.splitlines() if "\t" in line]
    assert [row[0] for row in rows] == list(published_tables())
    assert rows[[r[0] for r in rows].index("cfish_black")][1:3] == ["87988", "72118"]


def test_tables_as_json_and_one_in_detail(run: Run) -> None:
    rows = json.loads(run("tables", "--json").stdout)
    assert all(row["provenance"]["repository"] for row in rows)
    assert "repository   github:syzygy1/Cfish" in run("tables", "cfish_black").stdout
    assert run("tables", "nope").exit_code == 2


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_scripts(run: Run, shell: str) -> None:
    result = run("completion", shell)
    assert result.exit_code == 0
    assert "_MAGICERT_COMPLETE" in result.stdout
