"""Several targets in one command: a row for each, and the gravest verdict."""

import json
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from click.testing import CliRunner

import magicert
from magicert.commands.app import cli

HERE = Path(__file__).parent
LOW = """
static u64 low(u64 o) {
#ifdef __BMI2__
    return __builtin_ia32_pext_di(o, 5);
#else
    return (o & 1) | (o >> 1 & 2);
#endif
}
static const u64 T[4] = {4, 5, 6, 9};
u64 filled(u64 s, u64 o) { return north(s, o) ^ T[low(o)] ^ T[(o & 1) | (o >> 1 & 2)]; }
"""


@pytest.fixture
def rows(in_this_process):  # noqa: ARG001
    """`rows(file, ...)`: the exit status, and the rows of the certificate, by target."""

    def run(file, *words):
        done = CliRunner().invoke(cli, ["verify", str(file), "--json", *words])
        found = json.loads(done.stdout)
        assert [row["certificate"]["verdict"] for row in found["targets"]] == [
            row["verdict"] for row in found["targets"]
        ]
        return done.exit_code, {row["target"]: row for row in found["targets"]}

    return run


KING = """
typedef unsigned long long u64;
u64 king(int s, u64 o) {
    u64 row = 1L << s, side = row << 1 & ~0x0101010101010101ull | row >> 1 & ~0x8080808080808080ull;
    row |= side;
    return side | row << 8 | row >> 8;
}
"""


@pytest.fixture
def king(tmp_path):
    """A function whose proofs take a second; a rook's take ten."""
    file = tmp_path / "king.c"
    file.write_text(KING, "utf-8")
    return file


@pytest.mark.parametrize("name", ["king=king", pytest.param("R=rook", marks=pytest.mark.long)])
def test_what_is_right_on_one_system_and_wrong_on_another(rows, king, name):
    """As MisterQueen issue 8: 1L << square."""
    file = king if name == "king=king" else HERE / "found" / "long_is_short.c"
    narrow = ("x86_64-windows-gnu", "wasm32", "i386")
    status, found = rows(file, "--function", name, "--target", ",".join(("x86_64", *narrow)))
    verdicts = {target: row["verdict"] for target, row in found.items()}
    assert (status, verdicts) == (1, {"x86_64": "valid", **dict.fromkeys(narrow, "invalid")})


@pytest.mark.usefixtures("in_this_process")
def test_programs_ask_for_several_targets_too(king):
    asked = partial(magicert.certify_function, king, {"king": "king"})
    found = asked(target="x86_64, wasm32, x86_64")
    assert found.verdict == "invalid"
    assert repr(found) == "<TargetCertificates invalid: x86_64 valid, wasm32 invalid>"
    assert found.targets["wasm32"].triple.startswith("wasm32-")
    one = asked(target="x86_64")
    assert one.functions[0].squares == tuple(
        replace(square, seconds=one.functions[0].squares[n].seconds)
        for n, square in enumerate(found.targets["x86_64"].functions[0].squares)
    )


def test_what_a_build_computes_with_is_seen(rows, tmp_path):
    """A build for PEXT without its flag is as right as one with it."""
    file = tmp_path / "north.c"
    file.write_text((HERE / "north.h").read_text("utf-8") + LOW, "utf-8")
    words = "--function", "setwise:fR=filled", "--target", "x86_64,x86_64_v3"
    status, found = rows(file, *words)
    assert status == 0
    texts = [row["computes_with"]["filled"] for row in found.values()]
    assert texts == ["", "pext, 32 bytes of tables"]  # without PEXT both entries are one
    shown = CliRunner().invoke(cli, ["verify", str(file), *words]).stdout
    assert "2 of 2 targets valid" in shown


@pytest.mark.parametrize(
    ("wrong", "status", "verdict"),
    [("", 3, "valid"), pytest.param(" ^ 1", 1, "invalid", marks=pytest.mark.long)],
)
def test_one_target_that_cannot_be_asked_does_not_end_the_others(
    rows, tmp_path, wrong, status, verdict
):
    """It has no such function, or does not compile: the compiler's first error is in its row."""
    file = tmp_path / "north.c"
    text = (HERE / "north.h").read_text("utf-8")
    guards = "#ifdef __wasm__\n#error no wasm here\n#endif\n#ifndef __aarch64__\n"
    body = f"u64 up(u64 s, u64 o) {{ return north(s, o){wrong}; }}"
    file.write_text(f"{text}{guards}{body}\n#endif\n", "utf-8")
    words = "--function", "setwise:fR=up", "--target", "wasm32,x86_64,aarch64"
    done, found = rows(file, *words)
    assert (done, found["x86_64"]["verdict"]) == (status, verdict)
    assert "does not compile: " in found["wasm32"]["reason"]
    assert "no wasm here" in found["wasm32"]["reason"]
    assert "no such function" in found["aarch64"]["reason"]


@pytest.mark.usefixtures("in_this_process")
def test_targets_of_which_none_can_be_asked_are_bad_input(tmp_path):
    file = tmp_path / "none.c"
    file.write_text("#error nowhere\n", "utf-8")
    words = "verify", str(file), "--function", "king=king", "--target", "x86_64,wasm32"
    done = CliRunner().invoke(cli, words)
    assert done.exit_code == 2
    assert "nowhere" in done.stderr


@pytest.mark.parametrize(
    ("triple", "layout", "said"),
    [
        ("s390x-linux-gnu", "", "most significant byte"),
        ("s390x-linux-gnu", "e-m:e-i64:64", "most significant byte"),
        ("i386-linux-gnu", "", "addresses of 64 bits by its data layout, of 32 there"),
        ("x86_64-linux-gnu", "e-p:32:32", "addresses of 32 bits by its data layout, of 64 there"),
        ("powerpc64le-linux-gnu", "", ""),
        ("i386-linux-gnu", "e-p:32:32", ""),
    ],
)
def test_the_layout_of_a_module_is_its_targets(certified, tmp_path, triple, layout, said):
    file, up = (
        tmp_path / "up.ll",
        "define i64 @up(i64 %s) {\n  %u = shl i64 %s, 8\n  ret i64 %u\n}\n",
    )
    stated = f'target datalayout = "{layout}"\n' * bool(layout)
    file.write_text(f'target triple = "{triple}"\n{stated}{up}', "utf-8")
    asked = partial(certified, file, functions={"setwise:fW": "up"})
    if not said:
        assert asked().verdict == "valid"
        return
    with pytest.raises(magicert.InputError, match=said):
        asked()
