"""Targets whose addresses have 32 bits: wasm32, ARM and i386."""

import random
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import llvmlite.binding as llvm
import pytest
from hypothesis import given
from hypothesis import strategies as st

from magicert import InputError
from magicert.chess import parse_square
from magicert.compact.emit import printer
from magicert.compact.emit.ways import TARGETS, functions, linkage, print_way, unit_of, ways
from magicert.functions import work
from magicert.functions.certificate import TRUSTED, TRUSTED_NARROW
from magicert.functions.llvm.ir import Module
from magicert.functions.llvm.ir_types import Array, DataLayout, Integer, Other, PointerType, Struct
from magicert.functions.question import question_of
from magicert.outcome import Quiet

HERE = Path(__file__).parent
NORTH = (HERE / "north.h").read_text("utf-8")
ROWS = (HERE / "what_is_right_in_64_bits.tsv").read_text("utf-8").splitlines()[2:]
SQUARE = parse_square("e6")
SHIFTED = "u64 rook(int s, u64 o) { return north(1ull << s, o); }"


def cases():
    for number, line in enumerate(ROWS):
        ending, targets, text = line.split("\t")
        for one in targets.split(","):
            target, _, verdict = one.partition("=")
            yield pytest.param(ending, target, verdict, text, id=f"{number}-{target}")


def written(tmp_path, ending, text):
    file = tmp_path / f"rook.{ending}"
    before = NORTH if ending in {"c", "cpp"} else ""
    file.write_text(before + text.replace("\\n", "\n"), "utf-8")
    return file


@pytest.mark.parametrize(("ending", "target", "verdict", "text"), list(cases()))
def test_what_is_right_in_64_bits_may_be_wrong_in_32(
    certified, tmp_path, ending, target, verdict, text
):
    if ending == "zig":
        pytest.importorskip("ziglang")
    file = written(tmp_path, ending, text)
    result = certified(file, functions={"fR": "rook"}, target=target, squares=(SQUARE,))
    assert result.verdict == verdict, [one.findings for one in result.functions]
    narrow = target != "x86_64"  # x86_64-linux-gnux32 has addresses of 32 bits, too
    assert set(result.trusted) > set(TRUSTED_NARROW if narrow else TRUSTED)


# What a processor of 32 bits does with the same sources.

RUN = """
const { readFileSync } = require("node:fs");
const [file, ...given] = process.argv.slice(1);
WebAssembly.instantiate(readFileSync(file)).then(({ instance }) => {
    for (const one of given) {
        const set = instance.exports.rook(SQUARE, BigInt(one));
        console.log(BigInt.asUintN(64, set).toString());
    }
});
"""


def north(occupied):
    """The ray north of the square, one square after another."""
    found, at = 0, SQUARE + 8
    while at < 64:
        found |= 1 << at
        if occupied >> at & 1:
            break
        at += 8
    return found


@pytest.mark.toolchain
@pytest.mark.parametrize(
    ("ending", "target", "verdict", "text"),
    [
        case for case in cases()
        if case.values[:2] == ("c", "wasm32") and "__asm__" not in case.values[3]  # of others
    ],
)  # fmt: skip
def test_webassembly_in_node_agrees_with_the_verdict(
    certified, tmp_path, ending, target, verdict, text
):
    """Node runs it: what is valid is right, what is refuted by a set gives that set."""
    if not (find_spec("ziglang") and shutil.which("node")):
        pytest.skip("no zig or no node")
    file = written(tmp_path, ending, text)
    out = tmp_path / "rook.wasm"
    words = "cc -target wasm32-freestanding -O2 -nostdlib -Wl,--no-entry -Wl,--export=rook -o"
    command = [sys.executable, "-P", "-m", "ziglang", *words.split(), str(out), str(file)]
    subprocess.run(command, check=True, capture_output=True)
    result = certified(file, functions={"fR": "rook"}, target=target, squares=(SQUARE,))
    (finding,) = result.functions[0].squares
    random_ = random.Random(1)
    wanted = {o: north(o) for o in (random_.getrandbits(64) for _ in range(200))}
    if verdict == "invalid":
        wanted = {int(finding.inputs["occupied"], 16): int(finding.found or "0", 16)}
        if not finding.found:
            pytest.skip("undefined behaviour: any set will do")
    run = RUN.replace("SQUARE", str(SQUARE))
    done = subprocess.run(
        ["node", "-e", run, str(out), *map(str, wanted)],
        check=True, capture_output=True, text=True,
    )  # fmt: skip
    found = [*map(int, done.stdout.split())]
    if verdict != "unknown":
        assert found == [*wanted.values()]


# Where values lie.

LAYOUTS = (
    "e-m:e-p:32:32-p270:32:32-p271:32:32-p272:64:64-i128:128-f64:32:64-f80:32-n8:16:32-S128",
    "e-m:e-p:32:32-p10:8:8-p20:8:8-i64:64-i128:128-n32:64-S128-ni:1:10:20",
    "e-m:e-p:32:32-Fi8-i64:64-v128:64:128-a:0:32-n32-S64",
    "e-m:x-p:32:32-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:32-n8:16:32-a:0:32-S32",
    "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128",
    "e-m:e-p:32:32-i1:8:32-i8:8:32-i64:32-f64:32-a:0:32-n32",
    "",
)
SCALARS = st.one_of(
    st.integers(1, 140).map(Integer),
    st.just(PointerType()),
    st.sampled_from(["half", "float", "double", "x86_fp80", "fp128"]).map(Other),
)
TYPES = st.recursive(
    SCALARS,
    lambda item: st.one_of(
        st.builds(Array, st.integers(1, 3), item),
        st.builds(Struct, st.lists(item, min_size=1, max_size=4).map(tuple), st.booleans()),
    ),
    max_leaves=6,
)


def as_text(kind):
    match kind:
        case Integer(width):
            return f"i{width}"
        case Array(count, item):
            return f"[{count} x {as_text(item)}]"
        case Struct(items, packed):
            inside = ", ".join(map(as_text, items))
            return f"<{{ {inside} }}>" if packed else f"{{ {inside} }}"
        case Other(name):
            return name
    return "ptr"


@given(kind=TYPES, layout=st.sampled_from(LAYOUTS))
def test_values_lie_where_llvm_puts_them(kind, layout):
    text = f'target datalayout = "{layout}"\n@x = external global {as_text(kind)}\n'
    theirs = llvm.create_target_data(layout)
    own = llvm.parse_assembly(text).get_global_variable("x").global_value_type
    ours = DataLayout(layout)
    assert not ours.strange
    assert ours.size(kind) == theirs.get_abi_size(own)
    assert ours.align(kind) == theirs.get_abi_alignment(own)
    if isinstance(kind, Struct):
        places = [theirs.get_element_offset(own, n) for n in range(len(kind.items))]
        assert [place for place, _ in ours.parts(kind)] == places


@pytest.mark.parametrize(
    ("layout", "part"),
    [
        ("E-m:e-p:32:32-i64:64-n32", "E"),
        ("e-P1-p:16:8-i8:8-n8-a:8", "P1"),
        ("e-p:16:16-n16", "p:16:16"),
        ("e-p:64:64:64:32", "p:64:64:64:32"),
        ("e-p:32:32-i64:64-A5-G1", "A5"),
    ],
)
def test_a_layout_that_is_not_understood_is_refused(certified, tmp_path, layout, part):
    assert DataLayout(layout).strange == part
    assert DataLayout("e-p:32:32-q8").strange == "q8"  # LLVM itself refuses these
    assert DataLayout("e-pe:64:64").strange == "pe:64:64"
    file = tmp_path / "rook.ll"
    file.write_text(
        f'target datalayout = "{layout}"\ntarget triple = "riscv32-unknown-linux"\n'
        "define i64 @rook(i64 %s, i64 %o) {\n  ret i64 %o\n}\n",
        "utf-8",
    )
    with pytest.raises(InputError, match="expected") as caught:
        certified(file, functions={"rook": "rook"})
    assert f"{file}: riscv32-unknown-linux: " in str(caught.value)


HEAD = """target datalayout = "e-m:e-p:32:32-i64:64-n32:64-S128"
target triple = "wasm32-unknown-unknown"
@T = constant [2 x i64] [i64 0, i64 0]
@U = global i64 1
define i64 @rook(i64 %s, i64 %o) {
"""


@pytest.mark.parametrize(
    ("ending", "line", "verdict"),
    [
        (
            "ll",
            "%a = or i64 %o, 1099511627776\n %b = and i64 %a, 1099511627777\n"
            " %p = getelementptr i64, ptr @T, i64 %b",
            "valid",
        ),
        (
            "ll",
            "%a = ptrtoint ptr @T to i64\n %b = add i64 %a, 8\n %p = inttoptr i64 %b to ptr",
            "valid",
        ),
        (
            "ll",
            "%a = ptrtoint ptr @T to i64\n %b = lshr i64 %a, 32\n %c = trunc i64 %b to i32\n"
            " %p = getelementptr i64, ptr @T, i32 %c",
            "valid",
        ),
    ],
)
def test_an_address_has_as_many_bits_as_the_layout_says(certified, tmp_path, ending, line, verdict):
    """It is cut off where more bits than that are made one. On d8 nothing lies north."""
    file = tmp_path / f"rook.{ending}"
    end = " %r = load i64, ptr %p, align 8\n ret i64 %r\n}\n"
    file.write_text(f"{HEAD} {line}\n{end}", "utf-8")
    result = certified(file, functions={"fW1": "rook"}, squares=(parse_square("d8"),))
    assert result.verdict == verdict, result.functions[0].findings


@pytest.mark.parametrize(
    ("stated", "init", "said"),
    [
        ("static u64 T[64];", "T[s] = 1ull << s", ""),
        (
            "static struct { u64 m; const u64 *p; } E[64]; static u64 T[64];",
            "E[s].p = T, T[s] = 1ull << s",
            "another size of E",
        ),
        (
            "static const u64 *volatile P; static u64 T[64];",
            "P = T, T[s] = 1ull << s",
            "another size of P",
        ),
        (
            "static unsigned long L; static u64 T[64];",
            "L = (unsigned long)&L, T[s] = (1ull << s) + 0 * L",
            "addresses of 32 bits in init",
        ),
        ("int rand(void); static u64 T[64];", "T[s] = (1ull << s) + 0 * rand()", "rand, whose"),
    ],
)
@pytest.mark.long
def test_an_init_runs_here_only_if_no_address_lies_in_memory(
    certified, tmp_path, stated, init, said
):
    text = f"{stated}\nu64 rook(int s, u64 o) {{ return north(T[s], o); }}\n"
    text += f"void init(void) {{ for (int s = 0; s < 64; s++) {{ {init}; }} }}\n"
    file = written(tmp_path, "c", text)
    asked = {"functions": {"fR": "rook"}, "init": "init", "target": "i386", "squares": (SQUARE,)}
    if said:
        with pytest.raises(InputError, match=said):
            certified(file, **asked)
        return
    assert certified(file, **asked).verdict == "valid"


def test_sources_with_addresses_of_two_widths_are_no_program(certified, tmp_path):
    narrow, wide = tmp_path / "narrow.ll", tmp_path / "rook.c"
    narrow.write_text(HEAD.partition("@T")[0], "utf-8")
    wide.write_text(NORTH + SHIFTED, "utf-8")
    with pytest.raises(InputError, match="expected one target"):
        certified(wide, narrow, functions={"fR": "rook"})


def test_assembly_of_a_narrow_processor_has_no_wide_registers():
    assert Module('target triple = "i386-linux"').unaligned == 8
    assert Module('target triple = "armv7-linux"\ntarget datalayout = "e-p:32:32"').unaligned == 4


NARROW = TARGETS[3:]
EMITTED = ("kogge_stone", *(way for way in ways() if way != "kogge_stone"))
FIRST = (EMITTED[0], NARROW[0])


@pytest.mark.usefixtures("in_this_process")
@pytest.mark.parametrize(
    ("way", "target"),
    [
        pytest.param(way, target, marks=[pytest.mark.long] * ((way, target) != FIRST))
        for way in EMITTED
        for target in NARROW
    ],
)
def test_what_is_emitted_is_proved_for_short_addresses(tmp_path, way, target):
    """All squares: tools/kits.py."""
    spoken = printer("c")
    file = tmp_path / "way.c"
    file.write_text(print_way(way, spoken, unit_of(way)), "utf-8")
    given = {
        "functions": functions(way, spoken), "target": target, "flags": linkage(spoken),
        "squares": (SQUARE,),
    }  # fmt: skip
    assert work.certify_functions(question_of((file,), given), Quiet()).verdict == "valid"
