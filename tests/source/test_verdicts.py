"""What is valid, invalid and not decided: only what was read or stated makes a table invalid."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from magicert.board import mask
from magicert.jobs.stated import parse_pins
from magicert.languages.conditions import alternatives
from magicert.problem import InputError, NothingThereError
from magicert.verify.source.judge import judge

OFF = 0x123456789ABCDEF1


def pins(**given_):
    known = {"formula": None, "maps": (), "order": None, "bits": (), "pieces": (), "board": None}
    return parse_pins(**{**known, **given_})


@pytest.fixture(scope="module")
def both(magics, written):
    """bbc's magics as C; `wrong` replaces numbers of the rooks by place."""

    def text(wrong=(), more="", **numbers) -> str:
        rooks = magics("rook")
        for place in wrong:
            rooks[place] = OFF
        lists = {"rook_magics": rooks, "bishop_magics": magics("bishop")} | numbers
        return "".join(written(name, values) for name, values in lists.items()) + more

    return text


def counted(piece):
    return [64 - mask(piece, square).bit_count() for square in range(64)]


def test_what_is_taken_for_the_bits_never_makes_a_table_invalid(both, judged):
    judgement = judged(both(wrong=[28]))
    assert judgement.verdict == "unknown"
    (reading, *_) = judgement.nearest
    assert {f.squares[0] for f in reading.report.findings} == {"rook e4"}
    assert reading.confirmed
    assert not reading.decided
    assert "--bits rook=popcount" in reading.settled_by
    assert judged(both(wrong=[28]), pins=pins(bits=("popcount",))).verdict == "invalid"


def test_a_list_of_shifts_is_read(both, judged, written):
    lists = written("rook_shifts", counted("rook"), "int") + written(
        "bishop_shifts", counted("bishop"), "int"
    )
    assert judged(both(more=lists)).verdict == "valid"
    judgement = judged(both(wrong=[0, 63], more=lists))
    assert judgement.verdict == "invalid"
    found = {f.squares[0] for f in judgement.nearest[0].report.findings}
    assert found == {"rook a1", "rook h8"}


def test_a_wrong_shift_beside_right_magics_is_not_decided(both, judged, written):
    wrong = counted("rook")
    wrong[9] = 57
    lists = written("rook_shifts", wrong, "int") + written(
        "bishop_shifts", counted("bishop"), "int"
    )
    judgement = judged(both(more=lists))
    assert judgement.verdict == "unknown"
    assert "rook_shifts" in judgement.undecided[0]


def test_twelve_bits_do_not_hide_a_wrong_magic(both, judged, magics):
    """It may certify with more bits than the engine takes; then nothing is decided."""
    rooks = magics("rook")
    rooks[27] = rooks[28]
    text = both().replace(f"{magics('rook')[27]:#x}ULL", f"{rooks[27]:#x}ULL", 1)
    assert judged(text).verdict == "unknown"


def test_a_column_that_clashes_everywhere_is_not_the_offsets(judged, magics):
    """The third number of a record may be anything: a length, the highest index."""
    text = ""
    for piece in ("rook", "bishop"):
        shifts, numbers = counted(piece), magics(piece)
        rows = (f"{{{m:#x}ULL, {s}, {(1 << 64 - s) - 1 - i}}}" for i, (m, s) in
                enumerate(zip(numbers, shifts, strict=True)))  # fmt: skip
        text += f"const M {piece}_magics[64] = {{{', '.join(rows)}}};\n"
    judgement = judged(text)
    assert judgement.verdict == "valid"
    assert any("slots of its own" in guess for guess in judgement.valid[0].guesses)


def test_numbers_that_the_language_makes_others_are_refused(judged, magics):
    text = "".join(
        f"const {p}Magics = [{', '.join(map(hex, magics(p)))}];" for p in ("rook", "bishop")
    )
    with pytest.raises(
        InputError, match="rookMagics: JavaScript makes 9979994641325359104 of 0x8a80"
    ):
        judged(text, "engine.js")


def test_entries_of_an_enumeration(judged, magics):
    entries = zip(magics("rook"), magics("bishop"), strict=True)
    names = (
        f"{'ABCDEFGH'[n % 8]}{n // 8 + 1}({r:#x}L, {b:#x}L)" for n, (r, b) in enumerate(entries)
    )
    text = f"enum Magic {{ {', '.join(names)}; private final long a, b; }}"
    assert judged(text, "Magic.java").verdict == "valid"


@pytest.mark.parametrize("count", [63, 65])
def test_a_list_that_is_not_64(both, judged, magics, written, count):
    numbers = (magics("bishop") * 2)[:count]
    with pytest.raises(InputError, match=f"bishop_magics has {count} items: expected 64") as raised:
        judged(both(bishop_magics=numbers))
    assert not isinstance(raised.value, NothingThereError)
    assert judged(both(bishop_magics=[*magics("bishop"), 0])).verdict == "valid"
    with pytest.raises(NothingThereError, match=f"keys has {count} items"):
        judged(written("keys", numbers))


def test_overwritten_items_are_part_of_the_numbers(both, judged, magics):
    right = magics("rook")[28]
    mend = (
        f"enum {{ A4 = 24, B4, C4, D4, E4 }};\nvoid init() {{ rook_magics[E4] = {right:#x}ULL; }}\n"
    )
    assert judged(both(wrong=[28])).verdict == "unknown"
    assert judged(both(wrong=[28], more=mend)).verdict == "valid"
    spoil = "void init() { rook_magics[28] = 0x5ULL; }\n"
    assert judged(both(more=spoil)).verdict == "unknown"


def test_an_item_that_is_a_name_is_its_constant_or_not_known(both, judged, magics):
    number = f"{magics('rook')[20]:#x}ULL"
    named = both().replace(number, "ROOK_E3")
    assert judged(f"#define ROOK_E3 {number}\n{named}").verdict == "valid"
    with pytest.raises(InputError, match="entry 20 is ROOK_E3: its number is not in these sources"):
        judged(named)
    branch = both().replace(number, f"\n#ifdef OLD\nROOK_E3\n#else\n{number}\n#endif\n")
    judgement = judged(branch)
    assert any("ROOK_E3" in note for note in judgement.notes)


def test_every_branch_is_read(both, judged, magics):
    """Sixteen choices, one of them wrong: more than any number of combinations that is tried."""
    numbers = [f"{n:#x}ULL" for n in magics("rook")]
    for place in range(16):
        other = f"{OFF:#x}ULL" if place == 15 else numbers[place]
        numbers[place] = f"\n#if defined(C{place})\n{other}\n#else\n{numbers[place]}\n#endif\n"
    rook = f"const U64 rook_magics[64] = {{{', '.join(numbers)}}};\n"
    text = both().split(";\n", 1)[1] + rook
    assert judged(text).verdict == "unknown"


CONDITIONS = st.recursive(
    st.sampled_from(["A", "B", "defined(C)", "!defined(D)", "X == 3", "A && B", "!(A || B)"]),
    lambda inner: st.tuples(inner, inner).map(lambda pair: f"({pair[0]}) && !({pair[1]})"),
    max_leaves=2,
)


@st.composite
def branched(draw, depth=2):
    parts = []
    for _ in range(draw(st.integers(1, 3))):
        parts.append(f"#if {draw(CONDITIONS)}\n0x{draw(st.integers(1 << 40, 1 << 44)):x},\n")
        if depth and draw(st.booleans()):
            parts.append(draw(branched(depth - 1)))
        parts += [
            f"#elif {draw(CONDITIONS)}\n0x{draw(st.integers(1 << 40, 1 << 44)):x},\n"
            for _ in range(draw(st.integers(0, 2)))
        ]
        parts.append(f"#else\n0x{draw(st.integers(1 << 40, 1 << 44)):x},\n#endif\n")
    return "".join(parts)


@given(branched())
def test_a_branch_is_taken_or_said(text):
    found = alternatives(text)
    numbers = {n for n in text.split() if n.startswith("0x")}
    for one in found.found:
        left = text
        for start, end in one.left_out:
            left = left[:start] + " " * (end - start) + left[end:]
        numbers -= {n for n in left.split() if n.startswith("0x")}
    said = " ".join(text[b.start : b.end] for b in found.not_read)
    assert not numbers - set(said.split())


NAMES = st.from_regex(r"[a-z]{1,8}(_magics|_shift|_offset|_table|Rook|Bishop)?", fullmatch=True)
WORDS = st.integers(0, (1 << 64) - 1)
ADDITIONS = st.one_of(
    st.builds(lambda n, v: f"const int {n}_x = {v};\n", NAMES, st.integers(0, 99)),
    st.builds(lambda n, v: f"#define {n.upper()}_Y {v}\n", NAMES, st.integers(0, 99)),
    st.builds(
        lambda n, v: f"static const U64 {n}_z[{len(v)}] = {{{', '.join(map(hex, v))}}};\n",
        NAMES,
        st.lists(WORDS, min_size=64, max_size=64) | st.lists(WORDS, min_size=1, max_size=70),
    ),
    st.builds(
        lambda n, v: f"static const int {n}_s[64] = {{{', '.join(map(str, v))}}};\n",
        NAMES, st.lists(st.integers(0, 64), min_size=64, max_size=64),
    ),
    NAMES.map(lambda n: f"int {n}_f(U64 magic, U64 mask) {{ return mask * magic >> 56 >= 6; }}\n"),
    NAMES.map(lambda n: f"void {n}_g(void) {{ U64 m = rook_magics[3] ^ 5; use(63 - m); }}\n"),
    st.sampled_from(["surge", "ethereal"]).map(lambda name: f"@{name}"),
)  # fmt: skip


@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
@given(additions=st.lists(ADDITIONS, min_size=1, max_size=4), before=st.booleans())
def test_additions_change_nothing_that_is_valid(additions, before, both, magics, written):
    """Any unused constant, function, list or second correct table."""
    texts = [
        "".join(written(f"other_{p}_magics", magics(p, one[1:])) for p in ("rook", "bishop"))
        if one.startswith("@")
        else one
        for one in additions
    ]  # fmt: skip
    text = "".join(texts) + both() if before else both() + "".join(texts)
    assert judge([(Path("engine.c"), text.encode())]).verdict == "valid"


def test_places_where_a_list_is_used_are_information(both, judged):
    code = "int f(int s) {\n return rook_magics[63 - s] ^ key;\n}\n// rook_magics in a comment\n"
    judgement = judged(both(more=code))
    assert judgement.verdict == "valid"
    (use,) = judgement.valid[0].also_used
    assert (use.name, use.line, use.function) == ("rook_magics", 4, "f")
