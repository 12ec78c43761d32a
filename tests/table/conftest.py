"""Random tables and a small valid file to spoil."""

import pytest
from hypothesis import strategies as st

from magicert.board import MOVEMENTS, ORDERS, Piece
from magicert.formula import parse
from magicert.scheme import SCHEMES
from magicert.table import PieceTable, Provenance, Table, TwoLevel

WORD = st.integers(0, (1 << 64) - 1)
TEXT = st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), max_size=20)


def _values(one: st.SearchStrategy[int], rows: int) -> st.SearchStrategy[tuple[int, ...]]:
    lists = st.lists(one, min_size=rows, max_size=rows)
    return st.one_of(one.map(lambda v: (v,)), lists.map(tuple))


RESULTS = [parse(text) for text in ("word & line", "bswap64(word) & line & ~occ", "word ^ mask")]


@st.composite
def _pieces(
    draw: st.DrawFn, piece: Piece, shared: bool, two_level: bool, literal: str | None, rows: int
) -> PieceTable:
    scheme = draw(st.sampled_from(list(SCHEMES.values())))
    names = sorted(scheme.parameters - {"mask"}) + draw(st.sampled_from([[], ["mask"]]))
    small, size = st.integers(1, 20), st.integers(1, 1 << 32)
    return PieceTable(
        piece=piece,
        movement=MOVEMENTS[piece],
        index=parse(scheme.formula.text),
        parameters={n: draw(_values(small if n == "bits" else WORD, rows)) for n in names},
        result=draw(st.sampled_from([None, *RESULTS])),
        offset=draw(st.none() | _values(st.integers(-(1 << 40), 1 << 40), rows)),
        square_size=draw(st.none() | _values(size, rows)),
        buffer_size=None if shared else draw(st.none() | size),
        literal=None if shared else literal,
        attack_sets=draw(st.none() | size) if two_level else None,
        set_offset=draw(st.none() | _values(st.integers(0, 1 << 32), rows)) if two_level else None,
        literal_sets="sets.bin" if two_level and literal else None,
    )


@st.composite
def _tables(draw: st.DrawFn) -> Table:
    shared, two_level = draw(st.booleans()), draw(st.none() | st.sampled_from([8, 16]))
    literal = draw(st.sampled_from([None, "x.bin", "sub/é.bin"]))
    pieces = draw(st.permutations(list(Piece)))[: draw(st.integers(1, 2))]
    half_board = two_level is None and draw(st.booleans())
    orders = st.just("a1") if half_board else st.sampled_from(ORDERS)
    rows = 32 if half_board else 64
    return Table(
        name=draw(TEXT.filter(str.strip)),
        pieces={p: draw(_pieces(p, shared, two_level is not None, literal, rows)) for p in pieces},
        order=draw(orders),
        listing=draw(orders),
        shared=shared,
        buffer_size=draw(st.none() | st.integers(1, 1 << 32)) if shared else None,
        literal=literal if shared else None,
        two_level=TwoLevel(two_level) if two_level else None,
        half_board=half_board,
        provenance=Provenance(repository=draw(TEXT), notes=draw(TEXT), seed=draw(st.none() | WORD)),
    )


@pytest.fixture(scope="session")
def random_tables() -> st.SearchStrategy[Table]:
    """A strategy for tables, not often valid ones."""
    return _tables()


@pytest.fixture
def good() -> list[str]:
    """The lines of a correct table file; line 8 is the magics."""
    return [
        "magicert = 1",
        'name = "small"',
        'order = "a1"',
        'buffer = "separate"',
        "",
        "[bishop]",
        'index = "((occ & mask) * magic) >> (64 - bits)"',
        "magic = [" + ", ".join(f'"{n:#x}"' for n in range(64)) + "]",
        "bits = 9",
        "buffer_size = 32768",
    ]
