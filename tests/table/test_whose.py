"""Whose numbers a table has: shipped sets, as they are and modulo the LCM period."""

import runpy
from dataclasses import replace
from pathlib import Path

import pytest

from magicert.board import Piece
from magicert.data import published_tables, tables_folder
from magicert.table import Table
from magicert.table.read import read_table
from magicert.whose import MOST_OTHERS, SETS, whose


def table(name) -> Table:
    return read_table(published_tables()[name]).table


def changed(table, piece, magics) -> Table:
    half = table.pieces[piece]
    half = replace(half, parameters={**half.parameters, "magic": magics})
    return replace(table, pieces={**table.pieces, piece: half})


def test_the_file_of_all_sets_is_current():
    document = runpy.run_path(str(Path(__file__).parents[2] / "tools/sets.py"))["document"]
    assert (tables_folder() / SETS).read_bytes() == document()


def test_a_copy_is_told_by_its_numbers():
    same = "the same numbers as bbc (2020), found by Maksim Korzh"
    assert {piece: str(found) for piece, found in whose(table("barond")).items()} == {
        "rook": same,
        "bishop": same,
    }


def test_numbers_that_agree_modulo_the_period_are_the_same_in_the_white_scheme_only():
    rook = table("bbc").pieces["rook"].parameters["magic"]
    # The lowest square of e4's mask is e2, bit 12: the upper 12 bits of its magic do nothing.
    other = (*rook[:28], rook[28] ^ 0x8010 << 48, *rook[29:])
    assert other[28] != rook[28]
    assert whose(changed(table("bbc"), "rook", other))["rook"].others == 0
    low = (*rook[:28], rook[28] ^ 1 << 51, *rook[29:])
    found = whose(changed(table("bbc"), "rook", low))["rook"]
    assert str(found).startswith("but for one square the same numbers as bbc (2020)")
    black = table("carp").pieces["rook"].parameters["magic"]
    other = (*black[:28], black[28] ^ 1 << 63, *black[29:])
    assert whose(changed(table("carp"), "rook", other))["rook"].others == 1


@pytest.mark.parametrize("more", [0, 1])
def test_numbers_that_differ_on_many_squares_are_nobody_s(more):
    bishop = table("donna").pieces["bishop"].parameters["magic"]
    some = MOST_OTHERS + more
    other = (*(magic ^ 0b100 for magic in bishop[:some]), *bishop[some:])
    assert (str(Piece.BISHOP) in whose(changed(table("donna"), "bishop", other))) == (not more)
