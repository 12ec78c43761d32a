"""Betza's notation and the names of pieces."""

import pytest

from magicert.betza import NAMES, parse_piece

ORTHOGONAL = {(0, 1), (0, -1), (1, 0), (-1, 0)}
DIAGONAL = {(1, 1), (1, -1), (-1, 1), (-1, -1)}


def atoms(text: str) -> set[tuple[str, int, frozenset[tuple[int, int]]]]:
    return {(a.kind, a.limit, frozenset(a.steps)) for a in parse_piece(text).atoms}


@pytest.mark.parametrize(
    ("text", "kind", "limit", "steps"),
    [
        ("R", "rider", 0, ORTHOGONAL),
        ("WW", "rider", 0, ORTHOGONAL),
        ("W0", "rider", 0, ORTHOGONAL),
        ("B", "rider", 0, DIAGONAL),
        ("W", "rider", 1, ORTHOGONAL),
        ("R3", "rider", 3, ORTHOGONAL),
        ("pR", "hopper", 0, ORTHOGONAL),
        ("gB", "hopper", 1, DIAGONAL),
        ("nA", "lame leaper", 0, {(2, 2), (2, -2), (-2, 2), (-2, -2)}),
        ("fR", "rider", 0, {(0, 1)}),
        ("vR", "rider", 0, {(0, 1), (0, -1)}),
        ("fbR", "rider", 0, {(0, 1), (0, -1)}),
        ("sR", "rider", 0, {(1, 0), (-1, 0)}),
        ("flR", "rider", 0, {(0, 1), (-1, 0)}),
        ("fB", "rider", 0, {(1, 1), (-1, 1)}),
        ("flB", "rider", 0, {(-1, 1)}),
        ("ffN", "rider", 1, {(1, 2), (-1, 2)}),
        ("llNN", "rider", 0, {(-2, 1), (-2, -1)}),
        ("vN", "rider", 1, {(1, 2), (-1, 2), (1, -2), (-1, -2)}),
        ("pfR", "hopper", 0, {(0, 1)}),
        ("spR", "hopper", 0, {(1, 0), (-1, 0)}),
    ],
)
def test_one_atom(text: str, kind: str, limit: int, steps: set[tuple[int, int]]):
    assert atoms(text) == {(kind, limit, frozenset(steps))}


def test_atoms_join_and_every_name_is_a_piece():
    assert atoms("Q") == atoms("R") | atoms("B") == atoms("RB")
    assert atoms("BN") == atoms("B") | atoms("N")
    assert len(atoms("N").pop()[2]) == 8
    assert [parse_piece(name).name for name in NAMES] == list(NAMES)
    assert parse_piece("horse-to").atoms[0].from_target


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("", "unknown piece"),
        ("rok", "did you mean rook"),
        ("X", "unknown X"),
        ("R!", "'!'"),
        ("mRcpR", "without m"),
        ("fN", "two or four"),
        ("vB", "nothing on a diagonal"),
        ("nR", "one step"),
        ("nN2", "one step"),
        ("RR", "without being doubled"),
        ("pW", "needs a line"),
        ("gR2", "no number"),
        ("npR", "one of n, p, g"),
        ("zR", "unknown z"),
    ],
)
def test_what_cannot_be_read_is_refused(text: str, word: str):
    with pytest.raises(ValueError, match=word):
        parse_piece(text)
