"""Where a function has its squares: orders, a gap between two words, and holes of the board."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from magicert.board import Board, hexagon, orders, parse_board, squares_of
from magicert.functions.compare.layout import layout_of, layouts_of
from magicert.functions.documents import _what_helps
from magicert.functions.execute import words

HERE = Path(__file__).parent
SQUARES = ("i9", "c1", "b9", "a1", "e4")
"""The first and the last one of each word, and one inside."""
BOARDS = [Board(8, 8), Board(5, 7, 0b1100), Board(9, 9), Board(9, 10), hexagon(11)]


@st.composite
def layouts(draw):
    board = draw(st.sampled_from(BOARDS))
    order = draw(st.sampled_from(orders(board)))
    lower = draw(st.integers(board.squares - 64, 64)) if board.word == 128 else 64
    return layout_of(order if lower == 64 else f"{order}/{lower}", board)


def number_of(word, value):
    return words.number_of(word, {"x": value})


@given(layout=layouts(), data=st.data())
def test_each_square_has_its_bit(layout, data):
    by_number = data.draw(st.integers(0, (1 << layout.board.squares) - 1))
    x = words.variable("x", layout.board.squares)
    passed = number_of(layout.as_passed(x), by_number)
    squares = {layout.squares[n] for n in squares_of(by_number)} & {*layout.board.playable}
    assert layout.squares_given(passed) == squares
    assert passed == layout.number_passed(by_number) == layout.number_given(squares)
    assert {*squares_of(number_of(layout.on_board(x), by_number))} == squares
    assert number_of(layout.from_board(layout.on_board(x)), by_number) == passed
    assert not layout.has_stray_bits(passed)
    free = [bit for bit in range(layout.board.word) if bit not in layout.bits.values()]
    assert all(layout.has_stray_bits(passed | 1 << bit) for bit in free)


@pytest.mark.parametrize(
    ("order", "board", "message"),
    [
        ("a9", "8x8", "expected one of a1, h1"),
        ("b2", "9x9", "or with a gap between the words, such as a1/63"),
        ("a1/63", "8x8", "a board of 64 squares has one word"),
        ("a1/65", "9x9", "expected 17 to 64 squares in the lower word"),
        ("a1/16", "9x9", "expected 17 to 64 squares in the lower word"),
        ("a1/", "9x9", "expected 17 to 64 squares in the lower word"),
    ],
)
def test_a_layout_that_is_none_is_refused(order, board, message):
    with pytest.raises(ValueError, match=message):
        layout_of(order, parse_board(board))


@given(board=st.sampled_from(BOARDS))
def test_a_layout_is_read_by_its_name(board):
    layouts = [*layouts_of(board)]
    assert [layout_of(layout.name, board) for layout in layouts] == layouts
    assert {*orders(board)} <= {layout.name for layout in layouts}


@pytest.mark.parametrize(
    ("order", "function", "right"),
    [
        ("a1", "rook(s, o)", "a1/63 or a1-files/63 or i1/63"),
        ("i9-files/54", "lance(1, s, o)", "i9-files/63"),
        ("i9-files/63", "lance(0, s, o)", "a1-files/63 or i1-files/63"),
        ("i9-files/63", "rook(s, (B){{o.p[0] & ~2ull, o.p[1]}})", ""),
    ],
)
def test_the_layout_that_is_right_on_the_empty_board_is_named(
    certified, tmp_path, order, function, right
):
    file = tmp_path / "walks.c"
    text = (HERE / "walks.h").read_text("utf-8")
    file.write_text(f"{text}B f(int s, B o) {{ return {function}; }}", "utf-8")
    key = "rook" if "rook" in function else "fR"
    result = certified(
        file, functions={key: "f"}, board="9x9", order=order, squares=(), traps=False
    )
    (report,) = result.functions
    assert report.verdict == "invalid"
    hint = _what_helps(report, result)
    assert {*right.split(" or ")} <= {*hint.partition("--order ")[2].split(" or ")}


@pytest.mark.parametrize(
    ("order", "function", "verdict", "message"),
    [
        (None, "rook(s, o)", "unknown", "it is right with --order a1/63"),
        (
            None,
            "rook(s, (B){{o.p[0] & ~2ull, o.p[1]}})",
            "unknown",
            "it is right with --order a1/63",
        ),
        (None, "lance(0, 1, o)", "invalid", ""),
        ("a1", "rook(s, o)", "invalid", ""),
    ],
)
def test_an_order_that_nobody_stated_refutes_nothing(
    certified, tmp_path, order, function, verdict, message
):
    file = tmp_path / "walks.c"
    text = (HERE / "walks.h").read_text("utf-8")
    file.write_text(f"{text}B f(int s, B o) {{ return {function}; }}", "utf-8")
    given = {} if order is None else {"order": order}
    result = certified(file, functions={"rook": "f"}, board="9x9", squares=(), traps=False, **given)
    (report,) = result.functions
    assert report.verdict == verdict
    assert any(message in square.message for square in report.squares)


@pytest.mark.long
def test_words_in_the_other_order_refute_nothing(certified, tmp_path):
    file = tmp_path / "walks.c"
    text = (HERE / "walks.h").read_text("utf-8")
    swapped = "B r = rook(s, (B){{o.p[1], o.p[0]}}); return (B){{r.p[1], r.p[0]}};"
    file.write_text(f"{text}B f(int s, B o) {{ {swapped} }}", "utf-8")
    result = certified(
        file, functions={"rook": "f"}, board="9x9", order="i9-files/63", squares=(), traps=False
    )
    (report,) = result.functions
    assert report.verdict == "unknown"
    assert any("if its upper word comes first" in square.message for square in report.squares)


@pytest.mark.parametrize(
    ("constructor", "verdict"), [("", "valid"), ("o = B(int(o.p[0]));", "invalid")]
)
def test_no_constructor_makes_what_a_function_is_given(certified, tmp_path, constructor, verdict):
    """An engine's set of squares may be made of a shorter number as well, which says another thing."""
    file = tmp_path / "walks.cpp"
    words = "typedef unsigned long long u64; struct B { u64 p[2]; B() {} "
    words += "B(u64 a, u64 b) : p{a, b} {} B(int n) : p{n == 1 ? ~0ull : 0, 0} {} "
    words += "B(const B& o) : p{o.p[0], o.p[1]} {} B& operator=(const B& o) = default; };\n"
    walks = (HERE / "walks.h").read_text("utf-8").split("B;\n", 1)[1].partition("static B king")[0]
    walks = walks.replace("B found = {{0, 0}}", "B found(0, 0)")
    text = f"{words}{walks}inline B f(int s, const B& of) {{ B o(of); {constructor} return rook(s, o); }}"
    file.write_text(text, "utf-8")
    squares = tuple(map(parse_board("9x9").parse, SQUARES))
    how = {"board": "9x9", "order": "i9-files/63", "squares": squares, "traps": False}
    result = certified(file, functions={"rook": "f"}, **how)
    assert result.verdict == verdict


@pytest.mark.cases_of("layouts.tsv")
def test_layouts(certified, tmp_path, board, order, key, verdict, message, text):
    file = tmp_path / "walks.c"
    file.write_text((HERE / "walks.h").read_text("utf-8") + text, "utf-8")
    squares = tuple(map(parse_board("9x9").parse, SQUARES))
    result = certified(
        file, functions={key: "f"}, board=board, order=order, squares=squares, traps=False
    )
    (report,) = result.functions
    found = "\n".join(square.message for square in report.squares)
    assert (result.verdict, message in found) == (verdict, True), found
