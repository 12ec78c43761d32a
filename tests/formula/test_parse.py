import pytest

from magicert.formula import parse
from magicert.formula.tree import evaluate
from magicert.problem import InputError

DEFINED = {"occ", "mask", "magic", "bits", "s"}


def refused(text: str) -> list[str]:
    """The problems of a formula, each with its underlined text if it has one."""
    with pytest.raises(InputError) as caught:
        parse(text, DEFINED)
    found = []
    for problem in caught.value.problems:
        under = problem.text[problem.span.start : problem.span.end] if problem.span else ""
        found.append(f"{problem.message} <{under}>")
    return found


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1 + 2 * 3", 7),
        ("1 | 2 ^ 3 & 4 << 1 + 1", 1 | (2 ^ (3 & (4 << (1 + 1))))),
        ("10 - 3 - 2", 5),
        ("~0 >> 60", 15),
        ("-1 >> 63", 1),
        ("-1 * -1", 1),
        ("1 << 2 << 3", 32),
        ("0x_ff + 0b1_01 + 0o17 + 1_000", 255 + 5 + 15 + 1000),
        ("u32(1) - u32(2)", 0xFFFF_FFFF),
        ("u32(1) - 2", 0xFFFF_FFFF_FFFF_FFFF),
        ("u32(~0) * u32(~0)", 1),
        ("~u32(0) + 1", 1 << 32),
        ("hi32(0x1_0000_0002)", 1),
        ("rol32(0x80000001, 1)", 3),
        ("rol64(1, 64 + 5)", 32),
        ("bswap64(1)", 1 << 56),
        ("pext(0xabcdef, 0xf0f00f) << 64 - 16 >> 64 - 16", 0xACF),
        ("pext(~0, ~0) + pext(~0, 0) + pext(1 << 63, 1 << 63)", 0),
        ("popcount(~0) + ctz(0) + ctz(u32(0)) + ctz(8)", 64 + 64 + 32 + 3),
    ],
)
def test_values(text: str, value: int) -> None:
    assert evaluate(parse(text).tree, {}, text) == value


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("occ.real", "'.': no attribute access <.>"),
        ("occ[0]", "'[': no subscripts"),
        ("occ ** 2", "'**': no power operator <**>"),
        ("occ / 2", "'/': no division </>"),
        ("occ // 2", "'//': no division <//>"),
        ("occ % 8", "'%': no remainder"),
        ("occ < 2", "'<': no comparisons <<>"),
        ("occ == 2", "'==': no comparisons <==>"),
        ("occ >>> 2", "'>>>': '>>' is already unsigned <>>>>"),
        ("exec(occ)", "unknown function 'exec': expected one of u32"),
        ("occ & foo", "unknown name 'foo': expected one of bits, magic, mask, occ, s <foo>"),
        ("__import__('os')", "unknown function '__import__'"),
        ("occ & 12ULL", "number '12ULL': expected decimal"),
        ("occ & 010", "number '010': expected decimal"),
        ("occ & 1e5", "number '1e5': expected decimal"),
        ("occ & 0x1_0000_0000_0000_0000", "expected less than 2^64"),
        ("occ &", "the end of the formula: expected a number"),
        ("", "the end of the formula: expected a number"),
        ("(occ", "the end of the formula: expected an operator or ')'"),
        ("occ)", "')': expected an operator or the end of the formula <)>"),
        ("occ occ", "'occ': expected an operator"),
        ("u32", "function 'u32' without its arguments <u32>"),
        ("rol32(occ)", "rol32 with 1 arguments: expected 2 <rol32(occ)>"),
        ("u32()", "u32 with 0 arguments: expected 1"),
        ("lambda: 1", "':': not part of the formula language <:>"),
        ("öcc", "'ö': not part of the formula language <ö>"),
        ("(" * 10_000 + "occ" + ")" * 10_000, "nested deeper than 40 <(>"),
        ("~" * 10_000 + "occ", "nested deeper than 40 <~>"),
        ("occ" + " + occ" * 10_000, "more than 40 operations deep"),
        ("u32(1|1^1&1<<1+1*" * 39 + "occ" + ")" * 39, "more than 40 operations deep"),
        ("occ" * 100_000, "formula of 300,000 characters: expected at most 65,536"),
    ],
)
def test_what_is_refused_is_underlined(text: str, problem: str) -> None:
    assert any(found.startswith(problem) or problem in found for found in refused(text)), refused(
        text
    )


def test_all_problems_are_reported_in_their_order() -> None:
    found = refused("foo(occ) & bar < 3 + baz.x")
    assert [f.split(":")[0] for f in found] == [
        "unknown function 'foo'",
        "unknown name 'bar'",
        "'<'",
        "unknown name 'baz'",
        "'.'",
        "unknown name 'x'",
    ]


def test_the_message_shows_the_text_with_a_line_under_it() -> None:
    with pytest.raises(InputError) as caught:
        parse("(occ & mask) * magik", DEFINED)
    assert str(caught.value).splitlines()[1:] == [
        "    (occ & mask) * magik",
        "                   ^^^^^",
    ]


def test_a_shift_by_the_width_is_an_error_at_the_amount() -> None:
    for text, amount in (("occ >> 64", "64"), ("u32(occ) << (30 + 2)", "30 + 2")):
        with pytest.raises(InputError) as caught:
            evaluate(parse(text).tree, {"occ": 1}, text)
        (problem,) = caught.value.problems
        assert problem.span
        assert text[problem.span.start : problem.span.end] == amount
        assert "expected less than the word's width" in problem.message


def test_the_tree_knows_no_interpreter() -> None:
    from magicert.formula import tree

    modules = {getattr(value, "__module__", "") for value in vars(tree).values()}
    assert not [m for m in modules if m and m.partition(".")[0] in ("numpy", "z3", "verify")]
