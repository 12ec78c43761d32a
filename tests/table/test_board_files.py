"""Table files of other boards, and of half boards: read back, and everything wrong is named."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from magicert.betza import NAMES, parse_piece
from magicert.board import CHESS, KINDS, Atom, Board, Movement, Piece, Region, orders
from magicert.data import board_tables
from magicert.formula import parse
from magicert.problem import InputError
from magicert.table import PieceTable, Table, chess_only, parse_table, read_table
from magicert.table.model import MASK_RULES
from magicert.table.read import moves_at_all
from magicert.table.write import table_toml

FILE = Path("t.toml")
NAMED = [*NAMES, "pR", "NN", "WnA", "vR", "FpR"]


@st.composite
def movements(draw: st.DrawFn, board: Board) -> Movement:
    """A piece that moves somewhere: by its name or notation, or atom by atom."""
    file, rank = st.integers(0, board.files - 1), st.integers(0, board.ranks - 1)
    corners = st.tuples(st.tuples(file, rank), st.tuples(file, rank))
    regions = tuple(
        Region(
            (min(one[0], other[0]), min(one[1], other[1])),
            (max(one[0], other[0]), max(one[1], other[1])),
        )
        for one, other in draw(st.lists(corners, max_size=2))
    )
    regions = tuple(dict.fromkeys(regions))
    if draw(st.booleans()):
        named = parse_piece(draw(st.sampled_from(NAMED)))
        return Movement(named.atoms, regions, named.name)
    across, up = (st.integers(1 - size, size - 1) for size in (board.files, board.ranks))
    steps = st.lists(st.tuples(across, up).filter(any), min_size=1, max_size=3, unique=True).map(
        tuple
    )
    atoms = draw(st.lists(st.tuples(st.sampled_from(KINDS), steps), min_size=1, max_size=2))
    made = []
    for kind, some in atoms:
        lame = kind == "lame leaper"
        limit = 0 if lame else draw(st.integers(0, 3))
        made.append(Atom(kind, some, limit, lame and draw(st.booleans())))
    return Movement(tuple(dict.fromkeys(made)), regions)


@st.composite
def tables(draw: st.DrawFn) -> Table:
    files = draw(st.integers(2, 16))
    board = Board(files, draw(st.integers(2, min(16, 128 // files))))
    words = st.integers(0, (1 << board.word) - 1)
    rows = st.lists(words, min_size=board.squares, max_size=board.squares).map(tuple)
    pieces: dict[str, PieceTable] = {}
    for name in draw(st.lists(st.sampled_from(["a", "b-2", "horse"]), min_size=1, unique=True)):
        movement = draw(movements(board).filter(lambda one: moves_at_all(board, one)))
        mask = {"mask": (draw(words) & board.full,)} if draw(st.booleans()) else {}
        pieces[name] = PieceTable(
            name, movement, parse("(occ & mask) * magic >> 3", word=board.word),
            {"magic": draw(rows)} | mask,
            masks="usual" if mask else draw(st.sampled_from(MASK_RULES)),
        )  # fmt: skip
    order, listing = (draw(st.sampled_from(orders(board))) for _ in range(2))
    return Table("random", pieces, order, listing, board=board)


@given(tables())
def test_a_table_of_any_board_is_read_back(table: Table) -> None:
    assert parse_table(table_toml(table).encode(), FILE).table == table


def test_a_piece_of_that_name_with_a_region_keeps_it() -> None:
    elephant = parse_piece("elephant")
    half = Movement(elephant.atoms, (Region((0, 0), (8, 4)),), "elephant")
    for movement in (elephant, half):
        piece = PieceTable("elephant", movement, parse("occ & 1", word=128), {})
        table = Table("t", {"elephant": piece}, board=Board(9, 10))
        assert parse_table(table_toml(table).encode(), FILE).table == table


@pytest.mark.parametrize("name", board_tables())
def test_shared_tables_are_in_our_own_handwriting(name: str) -> None:
    path = board_tables()[name]
    assert table_toml(read_table(path).table) == path.read_text("utf-8")
    assert read_table(path).table.provenance.repository


def text(section: str, board: str = "9x10") -> str:
    """Section lines begin on line 4."""
    index = 'index = "((occ & mask) * magic) >> (128 - popcount(mask))"\nmagic = 3\n'
    return f'magicert = 1\nname = "t"\nboard = "{board}"\n{section}\n{index}'


def problems(document: str) -> list[str]:
    with pytest.raises(InputError) as caught:
        parse_table(document.encode(), FILE)
    return [str(problem).splitlines()[0] for problem in caught.value.problems]


@pytest.mark.parametrize(
    ("section", "expected"),
    [
        ("[canon]", "4: canon.piece: missing: 'canon' is no piece's name"),
        ('[a]\npiece = "canon"', "5: a.piece: unknown piece 'canon': did you mean cannon?"),
        ('[a]\npiece = "Rq"', "5: a.piece: 'Rq': 'q' is not Betza's notation"),
        ("[a]\npiece = 3", "5: a.piece: 3: expected a piece's name"),
        ("[a]\npiece = []", "5: a.piece: a list of 0: expected a piece's name"),
        ("[a]\npiece = [3]", "5: a.piece[0]: 3: expected a section"),
        ('[a]\npiece = { kind = "rider" }', "5: a.piece.steps: missing: expected a list of"),
        (
            '[a]\npiece = { kind = "rder", steps = [[0, 1]] }',
            "5: a.piece.kind: 'rder': expected one of rider, hopper, lame leaper",
        ),
        (
            '[a]\npiece = { kind = "rider", steps = [[0, 1], [1]] }',
            "5: a.piece.steps[1]: a list of 1: expected files",
        ),
        (
            '[a]\npiece = { kind = "rider", steps = [[0, 10]] }',
            "5: a.piece.steps[0]: the step [0, 10] leaves the board 9x10 from every square",
        ),
        (
            '[a]\npiece = { kind = "rider", steps = [[0, 1], [-9, 1]] }',
            "5: a.piece.steps[1]: the step [-9, 1] leaves the board 9x10 from every square",
        ),
        (
            '[a]\npiece = { kind = "rider", steps = [[0, 0]] }',
            "5: a.piece: the step [0, 0] goes nowhere",
        ),
        (
            '[a]\npiece = { kind = "rider", steps = [[0, 1]], limit = -1 }',
            "5: a.piece.limit: -1: expected a limit",
        ),
        (
            '[a]\npiece = { kind = "lame leaper", steps = [[1, 2]], limit = 2 }',
            "5: a.piece: a lame leaper has no limit",
        ),
        (
            '[a]\npiece = { kind = "rider", steps = [[0, 1]], from_target = 1 }',
            "5: a.piece.from_target: 1: expected true or false",
        ),
        (
            '[a]\npiece = { kind = "rider", steps = [[0, 1]], leg = 1 }',
            "5: a.piece.leg: unknown key: expected one of kind, steps",
        ),
        (
            '[a]\npiece = { betza = "R", region = "a1" }',
            "5: a.piece.region: 'a1': expected two corners",
        ),
        (
            '[a]\npiece = { betza = "R", region = ["a1-j5"] }',
            "5: a.piece.region[0]: square 'j5': expected a1..i10",
        ),
        ('[a]\npiece = { betza = "R", region = [] }', "5: a.piece.region: empty: expected squares"),
        (
            '[a]\npiece = { betza = "nA", region = ["a1-b2"] }',
            "5: a.piece: a piece without moves: it attacks nothing from any square of 9x10",
        ),
        ('[rook]\nmask = ["0x1"]', "5: rook.mask: 1 values: expected 90, one a square of 9x10"),
        (
            '[rook]\nmask = "0x400000000000000000000000"',
            "5: rook.mask: 0x400000000000000000000000: bit 94 is no square of 9x10: expected bits",
        ),
        ('[rook]\nmask = "lest"', "5: rook.mask: 'lest': expected usual or least, or numbers"),
        ('order = "h1"\n[rook]', "4: order: 'h1': expected one of a1, i1, a10, i10, a1-files"),
        ('["a b"]\npiece = "R"', "4: a b: expected a name of at most 40 letters"),
        ("[provenence]\nx = 1\n[rook]", "4: provenence: unknown key: expected one of magicert"),
    ],
)
def test_what_is_wrong_is_named_with_its_key_and_line(section: str, expected: str) -> None:
    found = problems(text(section))
    assert any(problem.startswith(f"t.toml:{expected}") for problem in found), found


@pytest.mark.parametrize(
    ("board", "expected"),
    [
        ("12x11", "t.toml:3: board: board 12x11: 132 squares, expected at most 128"),
        ("27x2", "t.toml:3: board: board 27x2: expected 1 to 26 files, and ranks from 1"),
        ("9by10", "t.toml:3: board: '9by10': expected one of whole, ranks 1-4, or files and ranks"),
        ("0x4", "t.toml:3: board: '0x4': expected one of whole"),
    ],
)
def test_a_board_that_is_none(board: str, expected: str) -> None:
    assert problems(text("[rook]", board)) == [problems(text("[rook]", board))[0]]
    assert problems(text("[rook]", board))[0].startswith(expected)


def test_all_problems_of_a_file_in_one_go() -> None:
    document = text(
        '[a]\npiece = { kind = "hopper", steps = [[0, 12]], region = ["a1-z9"], limit = -2 }'
    )
    document += '[b]\npiece = "Rx"\nindex = "oc * magic"\nmagic = [1, 2]\n'
    keys = [problem.split(": ")[1] for problem in problems(document)]
    assert keys == [
        "a.piece.steps[0]", "a.piece.limit", "a.piece.region[0]", "b.piece", "b.index", "b.magic",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("notation", "moves"),
    [
        ("R", True),
        ('{ kind = "rider", steps = [[1, 0], [0, 1], [-1, 0], [0, -1]] }', True),
        ("pR", False),
    ],
)
def test_a_section_called_rook_on_the_chessboard_is_chess_s_rook(
    notation: str, moves: bool
) -> None:
    value = notation if notation.startswith("{") else f'"{notation}"'
    document = text(f"[rook]\npiece = {value}", "8x8").replace("128", "64")
    if moves:
        table = parse_table(document.encode(), FILE).table
        assert (table.board, list(table.pieces), table.extent) == (CHESS, [Piece.ROOK], "whole")
        assert table.is_chess()
    else:
        assert "rook.piece: does not move as chess's rook" in problems(document)[0]


def test_a_half_board_has_chess_s_pieces_only() -> None:
    document = text('[cannon]\npiece = "pR"', "ranks 1-4").replace("128", "64")
    assert 'cannon: expected rook or bishop with board = "ranks 1-4"' in problems(document)[0]


def test_what_serves_chess_only_says_so() -> None:
    table = read_table(board_tables()["pikafish_cannon"]).table
    with pytest.raises(InputError, match="a table of cannon on 9x10: packing serves chess only"):
        chess_only(table, "packing")


# Half boards: lists of 32, and what cannot be one.


def halved(good: list[str]) -> str:
    magics = "magic = [" + ", ".join(f'"{n:#x}"' for n in range(32)) + "]"
    return "\n".join([*good[:3], 'board = "ranks 1-4"', *good[3:7], magics, *good[8:]])


def test_a_half_board_says_so_and_has_lists_of_32(half_board: Table) -> None:
    text = table_toml(half_board)
    assert 'board = "ranks 1-4"' in text
    assert parse_table(text.encode(), FILE).table == half_board


def test_the_whole_board_may_be_said_too(good: list[str]) -> None:
    plain = parse_table("\n".join(good).encode(), FILE).table
    said = ['board = "whole"', *good]
    assert parse_table("\n".join(said).encode(), FILE).table == plain


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
