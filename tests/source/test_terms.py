"""What terms come to: as a processor computes it, also where a language leaves that open."""

import pytest

from magicert.languages.brackets import Tree
from magicert.languages.language import Int
from magicert.languages.terms import Term, UndefinedError, function_in, leaf

X, Y = leaf("x"), leaf("y")
WORD = (1 << 64) - 1


NOTHING = Int(0)


def value(term, x, y=NOTHING):
    return term.value({"x": x, "y": y}).value


@pytest.mark.parametrize(
    ("operation", "x", "y", "expected"),
    [
        ("*", Int(WORD, 64, False), Int(3, 64, False), WORD - 2),
        ("+", Int(WORD, 64, False), Int(1), 0),
        ("*", Int(1 << 30, 32, True), Int(2, 32, True), -1 << 31),
        ("-", Int(0, 64, False), Int(1, 32, True), WORD),
        (">>", Int(-8, 64, True), Int(1), -4),
        (">>>", Int(-1, 64, True), Int(60), 15),
        ("<<", Int(0xFF, 8, False), Int(8), 0xFF00),
        ("&^", Int(7, 64, False), Int(2, 64, False), 5),
        ("%", Int(-7, 32, True), Int(4, 32, True), -3),
        ("/", Int(-7, 32, True), Int(4, 32, True), -1),
        ("**", Int(2), Int(64), 1 << 64),
        ("==", Int(3), Int(3), 1),
        ("rotated right", Int(1, 64, False), Int(1), 1 << 63),
    ],
)
def test_what_an_operator_makes(operation, x, y, expected):
    assert value(Term(operation, (X, Y)), x, y) == expected


@pytest.mark.parametrize(
    ("operation", "x", "expected"),
    [
        ("~", Int(0, 64, False), WORD),
        ("-", Int(1, 32, False), (1 << 32) - 1),
        ("popcount", Int(-1, 64, True), 64),
        ("bytes turned", Int(1, 64, False), 1 << 56),
        ("bits turned", Int(1, 64, True), -1 << 63),
    ],
)
def test_what_is_made_of_one(operation, x, expected):
    assert value(Term(operation, (X,)), x) == expected


def test_a_cast_and_a_choice():
    cast = Term("cast", (X,), number=Int(0, 32, True))
    assert value(cast, Int(0xFFFFFFFF, 64, False)) == -1
    choice = Term("choice", (X, cast, Y))
    assert [value(choice, Int(n), Int(5)) for n in (0, 1)] == [5, 1]


@pytest.mark.parametrize(("operation", "y"), [(">>", 64), ("<<", -1), ("%", 0), ("/", 0)])
def test_what_is_not_defined(operation, y):
    with pytest.raises(UndefinedError):
        value(Term(operation, (X, Y)), Int(1, 64, False), Int(y))


@pytest.mark.parametrize(
    ("kind", "called", "operands", "expected"),
    [
        ("call", "__builtin_bswap64", "x", "bytes turned"),
        ("call", "reverseBytes", "Long x", "bytes turned"),
        ("field", "byteSwapped", "x", "bytes turned"),
        ("call", "@popCount", "x", "popcount"),
        ("call", "rotate_left", "x n", "rotated left"),
        ("call", "rotl", "x", ""),
        ("call", "relevant", "x", ""),
        ("name", "bswap", "", ""),
    ],
)
def test_functions_of_bits_by_their_names(kind, called, operands, expected):
    children = tuple(Tree("name", 0, 0, name) for name in operands.split())
    function, taken = function_in(Tree(kind, 0, 0, called, children))
    assert function == expected
    assert not function or taken[0].word == "x"
