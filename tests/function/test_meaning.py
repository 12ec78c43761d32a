"""What instructions mean, held against the processor: each is compiled by LLVM and run."""

import ctypes
import re

import llvmlite.binding as llvm
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from magicert.verify.function import arrays, words
from magicert.verify.function.clauses import WordClauses
from magicert.verify.function.ir import Module
from magicert.verify.function.meaning import Run
from magicert.verify.function.memory import Memory, UndecidedError
from magicert.verify.function.prove import Claim, Prover
from magicert.verify.function.solvers import Z3, Bitwuzla, GaveUp, Holds, Never, ask
from magicert.verify.function.values import lane, lanes_of

CALLED = {
    "bswap": (1, (16, 32, 64)), "bitreverse": (1, (8, 16, 32, 64)), "ctpop": (1, (8, 32, 64)),
    "fshl": (3, (8, 32, 64)), "fshr": (3, (8, 32, 64)), "umin": (2, (8, 64)), "umax": (2, (8, 64)),
    "smin": (2, (8, 64)), "smax": (2, (8, 64)), "uadd.sat": (2, (8, 64)), "usub.sat": (2, (8, 64)),
    "sadd.sat": (2, (8, 64)), "ssub.sat": (2, (8, 64)),
}  # fmt: skip


def scalar(width, lines):
    """%r of iW from %a and %b of iW, and %s, an amount below W, as a function of two words."""
    t = f"i{width}"
    cut = (
        ["%a = add i64 %x, 0", "%b = add i64 %y, 0"]
        if width == 64
        else [f"%a = trunc i64 %x to {t}", f"%b = trunc i64 %y to {t}"]
    )
    out = ["ret i64 %r"] if width == 64 else [f"%z = zext {t} %r to i64", "ret i64 %z"]
    return [*cut, f"%s = and {t} %b, {width - 1}", *lines, *out]


def programs():
    """name: (body, features that it needs)."""
    made = {}
    for width in (8, 16, 32, 64):
        t = f"i{width}"
        for name in ("add", "sub", "mul", "and", "or", "xor"):
            made[f"{name}{width}"] = scalar(width, [f"%r = {name} {t} %a, %b"])
        for name in ("shl", "lshr", "ashr"):
            made[f"{name}{width}"] = scalar(width, [f"%r = {name} {t} %a, %s"])
        for name in ("udiv", "urem", "sdiv", "srem"):
            lines = [f"%d = or {t} %s, 1", f"%r = {name} {t} %a, %d"]
            made[f"{name}{width}"] = scalar(width, lines)
        for name in ("eq", "ne", "ult", "ule", "ugt", "uge", "slt", "sle", "sgt", "sge"):
            lines = [f"%c = icmp {name} {t} %a, %b", f"%r = sext i1 %c to {t}"]
            made[f"icmp.{name}{width}"] = scalar(width, lines)
        for name in ("cttz", "ctlz", "abs"):
            lines = [f"%r = call {t} @llvm.{name}.{t}({t} %a, i1 false)"]
            made[f"{name}{width}"] = scalar(width, lines)
        for name in ("sadd", "uadd", "ssub", "usub", "smul", "umul"):
            kind = f"{{{t}, i1}}"
            call = f"%p = call {kind} @llvm.{name}.with.overflow.{t}({t} %a, {t} %b)"
            lines = [call, f"%v = extractvalue {kind} %p, 0", f"%o = extractvalue {kind} %p, 1"]
            lines += [f"%e = sext i1 %o to {t}", f"%r = xor {t} %v, %e"]
            made[f"{name}.with.overflow{width}"] = scalar(width, lines)
    for name, (count, widths) in CALLED.items():
        for width in widths:
            t = f"i{width}"
            arguments = ", ".join([f"{t} %a", f"{t} %b", f"{t} %s"][:count])
            if count == 3:
                arguments = f"{t} %a, {t} %b, {t} %b"
            made[f"{name}{width}"] = scalar(width, [f"%r = call {t} @llvm.{name}.{t}({arguments})"])
    made["select"] = scalar(64, ["%c = icmp ult i64 %a, %b", "%r = select i1 %c, i64 %b, i64 %s"])
    made["sext"] = ["%t = trunc i64 %x to i8", "%r = sext i8 %t to i64", "ret i64 %r"]
    made["wide"] = [
        "%a = zext i64 %x to i128", "%b = zext i64 %y to i128", "%p = mul i128 %a, %b",
        "%h = lshr i128 %p, 64", "%r = trunc i128 %h to i64", "ret i64 %r",
    ]  # fmt: skip
    made.update(vectors())
    return made


TWICE = [
    "%v0 = insertelement <2 x i64> poison, i64 %x, i32 0",
    "%v = insertelement <2 x i64> %v0, i64 %y, i32 1",
    "%b = bitcast <2 x i64> %v to <16 x i8>",
]
FOLD = ["%w = bitcast <16 x i8> %q to <2 x i64>"]
OUT = [
    "%r0 = extractelement <2 x i64> %w, i32 0", "%r1 = extractelement <2 x i64> %w, i64 1",
    "%r2 = mul i64 %r1, 3", "%r = xor i64 %r0, %r2", "ret i64 %r",
]  # fmt: skip


def vectors():
    order = ", ".join(f"i32 {(7 * n + 3) % 32}" for n in range(16))
    control = "bitcast (<2 x i64> <i64 578437695752307201, i64 -506097522914230529> to <16 x i8>)"
    bytes_ = "<16 x i8>"
    return {
        "shufflevector": [*TWICE, f"%q = shufflevector {bytes_} %b, {bytes_} splat (i8 7), <16 x i32> <{order}>", *FOLD, *OUT],
        "vector.add": [*TWICE, f"%q = add {bytes_} %b, splat (i8 77)", *FOLD, *OUT],
        "vector.shl": [*TWICE, "%w = shl <2 x i64> %v, <i64 3, i64 9>", *OUT],
        "vector.select": [*TWICE, f"%c = icmp slt {bytes_} %b, zeroinitializer", f"%q = select <16 x i1> %c, {bytes_} %b, {bytes_} splat (i8 1)", *FOLD, *OUT],
        "vector.bits": [*TWICE, f"%c = icmp slt {bytes_} %b, zeroinitializer", "%m = bitcast <16 x i1> %c to i16", "%r = zext i16 %m to i64", "ret i64 %r"],
        "vector.bitreverse": [*TWICE, f"%q = call {bytes_} @llvm.bitreverse.v16i8({bytes_} %b)", *FOLD, *OUT],
        "vector.reduce": [*TWICE, f"%t = call i8 @llvm.vector.reduce.add.v16i8({bytes_} %b)", "%r = zext i8 %t to i64", "ret i64 %r"],
        "pshufb": [*TWICE, f"%q = call {bytes_} @llvm.x86.ssse3.pshuf.b.128({bytes_} {control}, {bytes_} %b)", *FOLD, *OUT],
        "pext": ["%r = call i64 @llvm.x86.bmi.pext.64(i64 %x, i64 %y)", "ret i64 %r"],
        "pdep": ["%r = call i64 @llvm.x86.bmi.pdep.64(i64 %x, i64 %y)", "ret i64 %r"],
        "pext.constant": ["%r = call i64 @llvm.x86.bmi.pext.64(i64 %x, i64 36170086419038334)", "ret i64 %r"],
        "bextr": ["%r = call i64 @llvm.x86.bmi.bextr.64(i64 %x, i64 %y)", "ret i64 %r"],
        "bzhi": ["%r = call i64 @llvm.x86.bmi.bzhi.64(i64 %x, i64 %y)", "ret i64 %r"],
        "pclmulqdq": [*TWICE, "%w = call <2 x i64> @llvm.x86.pclmulqdq(<2 x i64> %v, <2 x i64> %v, i8 16)", *OUT],
        "psrlv": [*TWICE, "%k = and <2 x i64> %v, splat (i64 127)", "%w = call <2 x i64> @llvm.x86.avx2.psrlv.q(<2 x i64> %v, <2 x i64> %k)", *OUT],
        "psll": [*TWICE, "%k = and <2 x i64> %v, splat (i64 127)", "%w = call <2 x i64> @llvm.x86.sse2.psll.q(<2 x i64> %v, <2 x i64> %k)", *OUT],
    }  # fmt: skip


NEEDS = {
    "pshufb": "ssse3", "pext": "bmi2", "pdep": "bmi2", "pext.constant": "bmi2", "bextr": "bmi",
    "bzhi": "bmi2", "pclmulqdq": "pclmul", "psrlv": "avx2", "psll": "sse2",
}  # fmt: skip

LOOP = """
define i64 @loop(i64 %x, i64 %y) {
entry:
  br label %head
head:
  %n = phi i64 [ 0, %entry ], [ %m, %next ]
  %v = phi i64 [ %x, %entry ], [ %w, %next ]
  %low = and i64 %v, 3
  switch i64 %low, label %next [
    i64 1, label %out
    i64 2, label %twice
  ]
twice:
  %t = add i64 %n, %y
  br label %next
next:
  %k = phi i64 [ %n, %head ], [ %t, %twice ]
  %w = lshr i64 %v, 2
  %m = add i64 %k, 1
  %go = icmp ne i64 %w, 0
  br i1 %go, label %head, label %out
out:
  %r = phi i64 [ %n, %head ], [ %m, %next ]
  ret i64 %r
}
define i64 @stack(i64 %x, i64 %y) {
  %room = alloca [4 x i64], align 8
  %i = and i64 %x, 3
  %j = and i64 %y, 3
  call void @llvm.memset.p0.i64(ptr %room, i8 5, i64 32, i1 false)
  %p = getelementptr inbounds [4 x i64], ptr %room, i64 0, i64 %i
  store i64 %y, ptr %p, align 8
  %q = getelementptr inbounds [4 x i64], ptr %room, i64 0, i64 %j
  %a = load i64, ptr %q, align 8
  %b = getelementptr inbounds i8, ptr %room, i64 3
  %c = load i32, ptr %b, align 1
  %d = zext i32 %c to i64
  %r = add i64 %a, %d
  ret i64 %r
}
@text = private constant [8 x i8] c"a\\5C\\22\\00\\\\z\\FF~"
@links = private constant { i64, ptr, ptr } { i64 3, ptr getelementptr (i8, ptr @text, i64 2), ptr null }
define i64 @linked(i64 %x, i64 %y) {
  %v = load <2 x i64>, ptr @links, align 8
  %n = extractelement <2 x i64> %v, i64 1
  %p = inttoptr i64 %n to ptr
  %i = and i64 %x, 3
  %q = getelementptr i8, ptr %p, i64 %i
  %a = load i8, ptr %q, align 1
  %z = zext i8 %a to i64
  %some = icmp ne ptr %p, null
  %r = select i1 %some, i64 %z, i64 %y
  ret i64 %r
}
define i64 @frames(i64 %x, i64 %y) {
  %r = call i64 @frame(i64 %x, i64 1, i64 %y)
  ret i64 %r
}
define internal i64 @frame(i64 %x, i64 %depth, i64 %outer) noinline {
  %p = alloca i64
  %kept = alloca ptr
  store i64 %x, ptr %p
  store ptr %p, ptr %kept
  %n = load i64, ptr %kept
  %last = icmp eq i64 %depth, 0
  br i1 %last, label %inner, label %deeper
inner:
  %q = inttoptr i64 %outer to ptr
  %v = load i64, ptr %q
  %o = inttoptr i64 %n to ptr
  %w = load i64, ptr %o
  %z = mul i64 %v, %w
  ret i64 %z
deeper:
  %more = add i64 %x, 100
  %d = sub i64 %depth, 1
  %a = call i64 @frame(i64 %more, i64 %d, i64 %n)
  ret i64 %a
}
define i64 @bytes(i64 %x, i64 %y) {
  %i = and i64 %x, 7
  %q = getelementptr i8, ptr @text, i64 %i
  %a = load i8, ptr %q, align 1
  %z = zext i8 %a to i64
  ret i64 %z
}
@table = private constant [8 x { i32, i16 }] [{ i32, i16 } { i32 1, i16 -2 }, { i32, i16 } { i32 -3, i16 4 }, { i32, i16 } { i32 5, i16 6 }, { i32, i16 } zeroinitializer, { i32, i16 } { i32 7, i16 8 }, { i32, i16 } { i32 9, i16 10 }, { i32, i16 } { i32 11, i16 12 }, { i32, i16 } { i32 13, i16 14 }]
define i64 @table_lookup(i64 %x, i64 %y) {
  %i = and i64 %x, 7
  %p = getelementptr inbounds [8 x { i32, i16 }], ptr @table, i64 0, i64 %i, i32 1
  %a = load i16, ptr %p, align 2
  %b = sext i16 %a to i64
  %r = call i64 @helper(i64 %b, i64 %y)
  ret i64 %r
}
define internal i64 @helper(i64 %x, i64 %y) noinline {
  %big = icmp ugt i64 %x, 9
  br i1 %big, label %one, label %two
one:
  ret i64 %y
two:
  ret i64 %x
}
"""


@pytest.fixture(scope="module")
def compiled():
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    here = llvm.get_host_cpu_features()
    triple = llvm.get_process_triple()
    texts = [f'target triple = "{triple}"', LOOP]
    names = ["loop", "stack", "table_lookup", "linked", "frames", "bytes"]
    for name, body in programs().items():
        need = NEEDS.get(name)
        if need and not here.get(need):
            continue
        feature = f' "target-features"="+{need}"' if need else ""
        lines = "\n  ".join(body)
        texts.append(f'define i64 @"{name}"(i64 %x, i64 %y){feature} {{\n  {lines}\n}}')
        names.append(name)
    declared = declarations("\n".join(texts))
    module = llvm.parse_assembly("\n".join([*texts, *declared]))
    text = str(module)
    machine = llvm.Target.from_triple(triple).create_target_machine(
        cpu=llvm.get_host_cpu_name(), features=here.flatten(), jit=True
    )
    engine = llvm.create_mcjit_compiler(module, machine)
    engine.finalize_object()
    kind = ctypes.CFUNCTYPE(ctypes.c_uint64, ctypes.c_uint64, ctypes.c_uint64)
    native = {name: kind(engine.get_function_address(name)) for name in names}
    yield {name: meaning(text, name) for name in names}, native
    engine.close()


def declarations(text):
    """A `declare` for each intrinsic that is called."""
    found = {}
    for line in text.splitlines():
        call = re.search(r"call ([^@]*)@(llvm\.[\w.]+)\((.*)\)", line)
        if call:
            depth, kinds, part = 0, [], ""
            for char in call[3] + ",":
                depth += (char in "([{<") - (char in ")]}>")
                if char == "," and depth == 0:
                    kinds.append(re.match(r"(<[^>]*>|\S+)", part.strip())[1])
                    part = ""
                else:
                    part += char
            if "memset" in call[2]:
                kinds[-1] = "i1 immarg"
            if any(name in call[2] for name in ("cttz", "ctlz", "abs")):
                kinds[-1] = "i1 immarg"
            if "pclmul" in call[2]:
                kinds[-1] = "i8 immarg"
            found[call[2]] = f"declare {call[1]}@{call[2]}({', '.join(kinds)})"
    return list(found.values())


def meaning(text, name):
    module = Module(text)
    solver = Z3()
    run = Run(
        module, Memory(module), lambda condition: not isinstance(ask(solver, condition, 999), Never)
    )
    arguments = [(lane(words.variable(n, 64)),) for n in ("x", "y")]
    value, _, _ = run.call(name, arguments, words.boolean(True), {})
    (result,) = lanes_of(value)
    broken = words.any_of([result.poison, *(v.condition for v in run.violations)])
    return result.word, broken


CORNERS = st.sampled_from([0, 1, 2, 63, 64, 127, 128, 255, 1 << 31, 1 << 63, (1 << 64) - 1])
WORDS = st.one_of(CORNERS, st.integers(0, (1 << 64) - 1))


@settings(max_examples=40, deadline=None)
@given(x=WORDS, y=WORDS)
def test_every_instruction_computes_what_the_processor_computes(compiled, x, y):
    found, native = compiled
    values = {"x": x, "y": y}
    wrong = {
        name: (hex(words.number_of(word, values)), hex(native[name](x, y)))
        for name, (word, broken) in found.items()
        if words.number_of(word, values) != native[name](x, y) or words.number_of(broken, values)
    }
    assert wrong == {}


@settings(max_examples=5, deadline=None)
@given(rows=st.lists(st.tuples(WORDS, WORDS), min_size=1, max_size=20))
def test_arrays_compute_the_same(compiled, rows):
    columns = {
        name: np.array([row[n] for row in rows], np.uint64) for n, name in enumerate(("x", "y"))
    }
    for name, (word, _) in compiled[0].items():
        slow = [words.number_of(word, {"x": x, "y": y}) for x, y in rows]
        assert [int(n) for n in arrays.evaluated(word, columns)] == slow, name


@settings(max_examples=2, deadline=None)
@given(x=WORDS, y=WORDS)
def test_both_solvers_compute_the_same(compiled, x, y):
    given_inputs = [
        words.eq(words.variable(name, 64), words.constant(value, 64))
        for name, value in (("x", x), ("y", y))
    ]
    for solver in (Z3(), Bitwuzla()):
        for name, (word, _) in compiled[0].items():
            number = words.number_of(word, {"x": x, "y": y})
            other = words.ne(word, words.constant(number, word.width))
            asked = words.and_(words.and_(*given_inputs), other)
            assert isinstance(ask(solver, asked, 60_000), Never), (solver.name, name)


@settings(max_examples=2, deadline=None)
@given(x=WORDS, y=WORDS)
def test_clauses_compute_the_same(compiled, x, y):
    pysat = pytest.importorskip("pysat.solvers")
    for name, (word, _) in compiled[0].items():
        made = WordClauses()
        try:
            bits = made.bits(word)
        except UndecidedError:
            assert "div" in name or "rem" in name
            continue
        number = words.number_of(word, {"x": x, "y": y})
        fixed = [
            bit if value >> n & 1 else -bit
            for key, value in (("x", x), ("y", y))
            for n, bit in enumerate(made.inputs.get(key, ()))
        ]
        with pysat.Solver(name="glucose4", bootstrap_with=made.clauses) as solver:
            assert solver.solve(fixed), name
            true = set(solver.get_model())
        assert sum(1 << n for n, bit in enumerate(bits) if bit in true) == number, name


POISON = {
    "add nsw i8": (lambda x, y: not -128 <= signed(x) + signed(y) < 128),
    "add nuw i8": (lambda x, y: x + y > 255),
    "sub nsw i8": (lambda x, y: not -128 <= signed(x) - signed(y) < 128),
    "sub nuw i8": (lambda x, y: x < y),
    "mul nsw i8": (lambda x, y: not -128 <= signed(x) * signed(y) < 128),
    "mul nuw i8": (lambda x, y: x * y > 255),
    "shl i8": (lambda x, y: y >= 8),
    "shl nuw i8": (lambda x, y: y >= 8 or x << y > 255),
    "shl nsw i8": (lambda x, y: y >= 8 or not -128 <= signed(x) << y < 128),
    "lshr exact i8": (lambda x, y: y >= 8 or x & ((1 << y) - 1) != 0),
    "ashr exact i8": (lambda x, y: y >= 8 or x & ((1 << y) - 1) != 0),
    "udiv exact i8": (lambda x, y: y == 0 or x % y != 0),
    "sdiv i8": (lambda x, y: y == 0 or (x == 128 and y == 255)),
    "or disjoint i8": (lambda x, y: x & y != 0),
    "icmp samesign ult i8": (lambda x, y: (x ^ y) & 128 != 0),
    "cttz": (lambda x, _: x == 0),
    "ctlz": (lambda x, _: x == 0),
    "abs": (lambda x, _: x == 128),
}


def signed(x):
    return x - 256 if x & 128 else x


@pytest.mark.parametrize("op", POISON)
def test_what_has_no_meaning_is_known(op):
    """For all 2^16 pairs of bytes."""
    kind = "i1" if op.startswith("icmp") else "i8"
    line = f"{op} %x, %y" if " " in op else f"call i8 @llvm.{op}.i8(i8 %x, i1 true)"
    text = f"define {kind} @f(i8 %x, i8 %y) {{\n  %r = {line}\n  ret {kind} %r\n}}"
    module = Module(text)
    run = Run(module, Memory(module), lambda _: True)
    x, y = (words.variable(name, 8) for name in "xy")
    value, _, _ = run.call("f", [(lane(x),), (lane(y),)], words.boolean(True), {})
    broken = words.any_of([lanes_of(value)[0].poison, *(v.condition for v in run.violations)])
    pairs = [(a, b) for a in range(256) for b in range(256)]
    columns = {
        name: np.array([pair[n] for pair in pairs], np.uint64) for n, name in enumerate("xy")
    }
    found = arrays.evaluated(broken, columns).astype(bool).tolist()
    assert found == [POISON[op](a, b) for a, b in pairs]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("%f = uitofp i64 %x to double", "uitofp"),
        ("%f = call i64 asm \"nop\", \"=r\"()", "asm"),
        ("%f = load volatile i64, ptr %p", "volatile"),
        ("%f = call i64 @unknown(i64 %x)", "defined elsewhere"),
        ("%f = call i64 @llvm.x86.rdtsc()", "not understood"),
        ("store i64 %x, ptr @variable", "side effects"),
        ("%f = load i64, ptr @variable", "--init"),
        ("%f = call i64 @f(i64 %x)", "recursion"),
    ],
)  # fmt: skip
def test_what_is_not_known_is_not_decided(line, message):
    text = f"@variable = global i64 0\ndefine i64 @f(i64 %x) {{\n  %p = alloca i64\n  {line}\n  ret i64 %x\n}}\n"
    text += "declare i64 @unknown(i64)\n"
    module = Module(text)
    run = Run(module, Memory(module), lambda _: True)
    with pytest.raises(UndecidedError, match=message):
        run.call("f", [(lane(words.variable("x", 64)),)], words.boolean(True), {})


def test_a_table_copied_to_the_stack_is_read_and_changed():
    """A table that the stack has a copy of, before and after one byte of the copy is written."""
    text = """
@table = constant [16 x i8] c"\\03\\01\\04\\01\\05\\09\\02\\06\\05\\03\\05\\08\\09\\07\\09\\03"
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
define i8 @f(i64 %x, i64 %y) {
  %p = alloca [16 x i8]
  call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr @table, i64 16, i1 false)
  %i = and i64 %x, 15
  %q = getelementptr [16 x i8], ptr %p, i64 0, i64 %i
  %a = load i8, ptr %q
  store i8 100, ptr %p
  %b = load i8, ptr %q
  %r = add i8 %a, %b
  ret i8 %r
}
"""
    word, broken = meaning(text, "f")
    table = [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3]
    found = [words.number_of(word, {"x": x, "y": 0}) for x in range(16)]
    assert found == [103, *(2 * entry for entry in table[1:])]
    assert not any(words.number_of(broken, {"x": x, "y": 0}) for x in range(16))


def test_two_lookups_in_one_result_are_gone_through_one_by_one():
    """64 + 64 rows instead of 4,096: a queen's four lines would have a million."""
    x = words.variable("x", 64)
    table = words.WordTable("squares", np.arange(64, dtype=np.uint64) ** 2, 64, 0, 8)
    looked = [
        words.entry(table, words.zext(words.extract(x, 6, place), 64)) for place in (0, 6)
    ]  # fmt: skip
    low = [words.and_(words.lshr(x, words.constant(n, 64)), words.constant(63, 64)) for n in (0, 6)]
    right = words.add(*(words.mul(part, part) for part in low))
    none = words.boolean(False)
    claim = Claim(words.add(*looked), none, right, (), (), {"x": 4095})
    judged = Prover([Z3()]).judge(claim)
    assert (judged.refutation, judged.undecided, judged.rows) == (None, "", 128)


class Liar(Bitwuzla):
    def solved(self, condition, milliseconds):
        return lambda unknown: 0


def test_a_model_that_is_none_is_not_believed():
    one = words.eq(words.variable("x", 8), words.constant(1, 8))
    assert isinstance(ask(Bitwuzla(), one, 999), Holds)
    assert isinstance(ask(Liar(), one, 999), GaveUp)
