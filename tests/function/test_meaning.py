"""What instructions mean, held against the processor: each is compiled by LLVM and run."""

import ctypes
import random
import re
from pathlib import Path

import llvmlite.binding as llvm
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from magicert.verify.function import arrays, words
from magicert.verify.function.intrinsics import meaning_of
from magicert.verify.function.ir import Module
from magicert.verify.function.meaning import Run
from magicert.verify.function.memory import Memory, UndecidedError, lane, lanes_of
from magicert.verify.function.proofs import WordClauses
from magicert.verify.function.prove import Claim, Prover
from magicert.verify.function.solvers import Z3, Bitwuzla, GaveUp, Holds, Never, ask

FLOW = Path(__file__).with_name("flow.ll").read_text("utf-8")
CALLED = {
    "bswap": (1, (16, 32, 64)), "bitreverse": (1, (8, 16, 32, 64)), "ctpop": (1, (8, 32, 64)),
    "fshl": (3, (8, 32, 64)), "fshr": (3, (8, 32, 64)), "umin": (2, (8, 64)), "umax": (2, (8, 64)),
    "smin": (2, (8, 64)), "smax": (2, (8, 64)), "uadd.sat": (2, (8, 64)), "usub.sat": (2, (8, 64)),
    "sadd.sat": (2, (8, 64)), "ssub.sat": (2, (8, 64)),
}  # fmt: skip
"""Arguments and widths of intrinsics that take numbers alone."""

NEEDS = {"pshufb": "ssse3", "bextr": "bmi"} | dict.fromkeys(("pext", "pdep", "bzhi", "pext.constant", "pdep.constant"), "bmi2")  # fmt: skip


def rows(name):
    _, *lines = Path(__file__).with_name(name).read_text("utf-8").splitlines()
    return [line.split("\t") for line in lines]


X86 = {name: row for name, *row in rows("intrinsics.tsv")}
VECTORS = dict(rows("vectors.tsv"))
"""%q from %b, or from %v: both arguments as sixteen bytes, or as two words."""


def scalar(width, *lines):
    """%r of iW from %a and %b of iW, and %s, an amount below W, as a function of two words."""
    t = f"i{width}"
    cut = [f"%a = trunc i64 %x to {t}", f"%b = trunc i64 %y to {t}"]
    out = [f"%z = zext {t} %r to i64", "ret i64 %z"]
    if width == 64:
        cut, out = ["%a = add i64 %x, 0", "%b = add i64 %y, 0"], ["ret i64 %r"]
    return [*cut, f"%s = and {t} %b, {width - 1}", *lines, *out]


def vector(lines):
    """%q of sixteen bytes, as a function of two words."""
    return [
        "%v0 = insertelement <2 x i64> poison, i64 %x, i32 0",
        "%v = insertelement <2 x i64> %v0, i64 %y, i32 1",
        "%b = bitcast <2 x i64> %v to <16 x i8>", *lines.split("; "),
        "%w = bitcast <16 x i8> %q to <2 x i64>",
        "%r0 = extractelement <2 x i64> %w, i32 0", "%r1 = extractelement <2 x i64> %w, i64 1",
        "%r2 = mul i64 %r1, 3", "%r = xor i64 %r0, %r2", "ret i64 %r",
    ]  # fmt: skip


def programs():
    """The lines of each function, by its name."""
    made = {name: vector(lines) for name, lines in VECTORS.items()}
    for width in (8, 16, 32, 64):
        t = f"i{width}"
        for name in ("add", "sub", "mul", "and", "or", "xor"):
            made[f"{name}{width}"] = scalar(width, f"%r = {name} {t} %a, %b")
        for name in ("shl", "lshr", "ashr"):
            made[f"{name}{width}"] = scalar(width, f"%r = {name} {t} %a, %s")
        for name in ("udiv", "urem", "sdiv", "srem"):
            divided = f"%d = or {t} %s, 1", f"%r = {name} {t} %a, %d"
            made[f"{name}{width}"] = scalar(width, *divided)
        for name in ("eq", "ne", "ult", "ule", "ugt", "uge", "slt", "sle", "sgt", "sge"):
            compared = f"%c = icmp {name} {t} %a, %b", f"%r = sext i1 %c to {t}"
            made[f"icmp.{name}{width}"] = scalar(width, *compared)
        for name in ("cttz", "ctlz", "abs"):
            call = f"%r = call {t} @llvm.{name}.{t}({t} %a, i1 false)"
            made[f"{name}{width}"] = scalar(width, call)
        for name in ("sadd", "uadd", "ssub", "usub", "smul", "umul"):
            kind = f"{{{t}, i1}}"
            made[f"{name}.with.overflow{width}"] = scalar(
                width, f"%p = call {kind} @llvm.{name}.with.overflow.{t}({t} %a, {t} %b)",
                f"%v = extractvalue {kind} %p, 0", f"%o = extractvalue {kind} %p, 1",
                f"%e = sext i1 %o to {t}", f"%r = xor {t} %v, %e",
            )  # fmt: skip
    for name, (count, widths) in CALLED.items():
        for width in widths:
            arguments = ", ".join(f"i{width} %{x}" for x in "abb"[:count])
            call = f"%r = call i{width} @llvm.{name}.i{width}({arguments})"
            made[f"{name}{width}"] = scalar(width, call)
    for name, kind in (("pext", "bmi"), ("pdep", "bmi"), ("bextr", "bmi"), ("bzhi", "bmi")):
        made[name] = scalar(64, f"%r = call i64 @llvm.x86.{kind}.{name}.64(i64 %a, i64 %b)")
    for name in ("pext", "pdep"):
        call = f"%r = call i64 @llvm.x86.bmi.{name}.64(i64 %a, i64 36170086419038334)"
        made[f"{name}.constant"] = scalar(64, call)
    select = "%c = icmp ult i64 %a, %b", "%r = select i1 %c, i64 %b, i64 %s"
    product = (
        "%i = zext i64 %a to i128", "%j = zext i64 %b to i128", "%p = mul i128 %i, %j",
        "%h = lshr i128 %p, 64", "%r = trunc i128 %h to i64",
    )  # fmt: skip
    made |= {"select": scalar(64, *select), "wide": scalar(64, *product)}
    return made | {"sext": scalar(64, "%t = trunc i64 %a to i8", "%r = sext i8 %t to i64")}


def kinds(text):
    """The lanes of each argument, their width, and its number if it is immediate."""
    for one in text.split():
        lanes, _, immediate = one.partition("=")
        count, _, item = lanes.rpartition("x")
        yield int(count or 1), int(item[1:]), int(immediate) if immediate else None


def typed(text):
    return [f"<{n} x i{w}>" if one[0] != "i" else one.partition("=")[0]
            for one, (n, w, _) in zip(text.split(), kinds(text), strict=True)]  # fmt: skip


def through_memory(name):
    """A function that loads the arguments of an intrinsic, 64 bytes apart, and stores its result."""
    (texts, returned, _), lines, passed = X86[name], [], []
    (result,) = typed(returned)
    for n, (kind, (*_, immediate)) in enumerate(zip(typed(texts), kinds(texts), strict=True)):
        lines += [f"%p{n} = getelementptr i8, ptr %in, i64 {64 * n}"]
        lines += [f"%v{n} = load {kind}, ptr %p{n}, align 1"]
        passed.append(f"{kind} {f'%v{n}' if immediate is None else immediate}")
    lines += [f"%r = call {result} @llvm.x86.{name}({', '.join(passed)})"]
    lines += [f"store {result} %r, ptr %out, align 1", "ret void"]
    return "\n  ".join([f'define void @"{name}"(ptr %in, ptr %out) {{', *lines]) + "\n}"


def declarations(text):
    """A `declare` for each intrinsic that is called; its small constants are immediate."""
    found = {}
    for result, name, given_ in re.findall(r"call (.+) @(llvm\.[\w.]+)\((.*)\)", text):
        arguments = re.findall(r"(<[^>]*>|\w+) ([^,]+)", given_)
        stated = [
            f"{kind} immarg" if value[0] != "%" and kind in ("i1", "i8", "i32") else kind
            for kind, value in arguments
        ]
        found[name] = f"declare {result} @{name}({', '.join(stated)})"
    return [line for name, line in found.items() if f"@{name}(" not in FLOW]


@pytest.fixture(scope="module")
def processor():
    """The text of all functions, and where the processor has them by name."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    here, triple = llvm.get_host_cpu_features(), llvm.get_process_triple()
    if not here.get("sse2"):
        pytest.skip("another processor")
    texts = [through_memory(name) for name, (*_, need) in X86.items() if here.get(need)]
    for name, lines in programs().items():
        need = NEEDS.get(name)
        if not need or here.get(need):
            feature = f' "target-features"="+{need}"' if need else ""
            body = "\n  ".join(lines)
            texts.append(f'define i64 @"{name}"(i64 %x, i64 %y){feature} {{\n  {body}\n}}')
    text = "\n".join([f'target triple = "{triple}"', FLOW, *texts])
    module = llvm.parse_assembly("\n".join([text, *declarations(text)]))
    plain = str(module)  # making code of it changes it
    machine = llvm.Target.from_triple(triple).create_target_machine(
        cpu=llvm.get_host_cpu_name(), features=here.flatten(), jit=True
    )
    engine = llvm.create_mcjit_compiler(module, machine)
    engine.finalize_object()
    names = re.findall(r'^define i64 @"?([\w.]+)', text, re.MULTILINE)
    yield plain, {name: engine.get_function_address(name) for name in [*names, *X86]}
    engine.close()


def meaning(module, name, *arguments):
    """What a function returns, as a word, and the condition under which it has no meaning."""
    solver = Z3()
    run = Run(
        module, Memory(module), lambda condition: not isinstance(ask(solver, condition, 999), Never)
    )
    value, _, _ = run.call(name, [(lane(one),) for one in arguments], words.boolean(True), {})
    (result,) = lanes_of(value)
    broken = words.any_of([result.poison, *(v.condition for v in run.violations)])
    return result.word, broken


@pytest.fixture(scope="module")
def found(processor):
    """The meaning of each function of x and y."""
    text, addresses = processor
    module, xy = Module(text), [words.variable(name, 64) for name in "xy"]
    return {name: meaning(module, name, *xy) for name in addresses if name not in X86}


CORNERS = st.sampled_from([0, 1, 2, 63, 64, 127, 128, 255, 1 << 31, 1 << 63, (1 << 64) - 1])
WORDS = st.one_of(CORNERS, st.integers(0, (1 << 64) - 1))


@given(x=WORDS, y=WORDS)
def test_every_instruction_computes_what_the_processor_computes(found, processor, x, y):
    kind = ctypes.CFUNCTYPE(ctypes.c_uint64, ctypes.c_uint64, ctypes.c_uint64)
    values = {"x": x, "y": y}
    native = {name: kind(processor[1][name])(x, y) for name in found}
    assert {name: words.number_of(word, values) for name, (word, _) in found.items()} == native
    assert not [name for name in found if words.number_of(found[name][1], values)]


@settings(max_examples=5)
@given(rows=st.lists(st.tuples(WORDS, WORDS), min_size=1, max_size=20))
def test_arrays_compute_the_same(found, rows):
    columns = {
        name: np.array([row[n] for row in rows], np.uint64) for n, name in enumerate(("x", "y"))
    }
    for name, (word, _) in found.items():
        slow = [words.number_of(word, {"x": x, "y": y}) for x, y in rows]
        assert [int(n) for n in arrays.evaluated(word, columns)] == slow, name


@pytest.fixture
def chance():
    return {name: random.getrandbits(64) for name in "xy"}


@pytest.mark.parametrize("solver", [Z3, Bitwuzla])
def test_solvers_compute_the_same(found, solver, chance):
    x, y = (words.eq(words.variable(n, 64), words.constant(chance[n], 64)) for n in "xy")
    solver = solver()
    for name, (word, _) in found.items():
        number = words.number_of(word, chance)
        other = words.ne(word, words.constant(number, word.width))
        asked = words.and_(words.and_(x, y), other)
        assert isinstance(ask(solver, asked, 60_000), Never), (name, chance)


def test_clauses_compute_the_same(found, chance):
    pysat = pytest.importorskip("pysat.solvers")
    made, bits = WordClauses(), {}
    for name, (word, _) in found.items():
        try:
            bits[name] = made.bits(word)
        except UndecidedError:
            assert "div" in name or "rem" in name
    fixed = [
        bit if chance[name] >> n & 1 else -bit
        for name, own in made.inputs.items()
        for n, bit in enumerate(own)
    ]
    with pysat.Solver(name="glucose4", bootstrap_with=made.clauses) as solver:
        assert solver.solve(fixed), chance
        true = set(solver.get_model())
    read = {n: sum(1 << i for i, bit in enumerate(own) if bit in true) for n, own in bits.items()}
    assert read == {name: words.number_of(found[name][0], chance) for name in bits}, chance


BYTES = st.one_of(st.sampled_from([0, 1, 127, 128, 255]), st.integers(0, 255))
WIDE = st.lists(BYTES, min_size=64, max_size=64).map(lambda b: int.from_bytes(bytes(b), "little"))


def read(name, arguments, values):
    """What an intrinsic's reading computes of one number for each argument."""
    lanes, named = [], {}
    for n, ((count, width, immediate), value) in enumerate(zip(arguments, values, strict=True)):
        whole, named[f"v{n}"] = words.variable(f"v{n}", count * width), value
        if immediate is not None:
            whole = words.constant(immediate, width)
        lanes.append(tuple(lane(words.extract(whole, width, width * k)) for k in range(count)))
    result = lanes_of(meaning_of(f"llvm.{name}")(lanes))
    assert all(item.poison.value == 0 for item in result)
    return words.number_of(words.concat(*(item.word for item in reversed(result))), named)


def cut(arguments, values):
    return [
        value % (1 << count * width)
        for (count, width, _), value in zip(arguments, [*values, 0], strict=False)
    ]


@settings(max_examples=10)
@given(values=st.tuples(WIDE, WIDE, WIDE))
def test_vector_instructions_compute_what_the_processor_computes(processor, values):
    function = ctypes.CFUNCTYPE(None, ctypes.c_char_p, ctypes.c_void_p)
    for name, (texts, *_) in X86.items():
        if address := processor[1][name]:
            arguments = list(kinds(texts))
            given_ = cut(arguments, values)
            out = ctypes.create_string_buffer(64)
            data = b"".join(value.to_bytes(64, "little") for value in given_)
            function(address)(data, ctypes.addressof(out))
            native = int.from_bytes(out.raw, "little")
            assert hex(read(f"x86.{name}", arguments, given_)) == hex(native), name


def shifted(x, amount, width, is_signed):
    by = (amount & 255) - 2 * (amount & 128)
    value = x - (x >> (width - 1) << width) if is_signed else x
    return (value << by if by >= 0 else value >> -by) % (1 << width)


ARM = {
    "tbl1.v16i8": ("16xi8 16xi8", lambda a, i: [dict(enumerate(a)).get(k, 0) for k in i]),
    "tbl2.v8i8": ("16xi8 16xi8 8xi8", lambda a, b, i: [dict(enumerate([*a, *b])).get(k, 0) for k in i]),
    "rbit.v16i8": ("16xi8", lambda a: [int(f"{x:08b}"[::-1], 2) for x in a]),
    "ushl.v2i64": ("2xi64 2xi64", lambda a, b: [shifted(*p, 64, False) for p in zip(a, b, strict=True)]),
    "sshl.v4i32": ("4xi32 4xi32", lambda a, b: [shifted(*p, 32, True) for p in zip(a, b, strict=True)]),
}  # fmt: skip


@settings(max_examples=10)
@given(values=st.tuples(WIDE, WIDE, WIDE))
def test_arms_instructions_compute_what_arm_says(values):
    for name, (texts, slow) in ARM.items():
        arguments = list(kinds(texts))
        given_, width = cut(arguments, values), arguments[0][1]
        lanes = [
            [value >> own * k & ((1 << own) - 1) for k in range(count)]
            for value, (count, own, _) in zip(given_, arguments, strict=True)
        ]
        expected = sum(x << width * k for k, x in enumerate(slow(*lanes)))
        assert read(f"aarch64.neon.{name}", arguments, given_) == expected, name


def signed(x):
    return x - 256 if x & 128 else x


POISON = {
    "add nsw i8": lambda x, y: not -128 <= signed(x) + signed(y) < 128,
    "add nuw i8": lambda x, y: x + y > 255,
    "sub nsw i8": lambda x, y: not -128 <= signed(x) - signed(y) < 128,
    "sub nuw i8": lambda x, y: x < y,
    "mul nsw i8": lambda x, y: not -128 <= signed(x) * signed(y) < 128,
    "mul nuw i8": lambda x, y: x * y > 255,
    "shl i8": lambda x, y: y >= 8,
    "shl nuw i8": lambda x, y: y >= 8 or x << y > 255,
    "shl nsw i8": lambda x, y: y >= 8 or not -128 <= signed(x) << y < 128,
    "lshr exact i8": lambda x, y: y >= 8 or x & ((1 << y) - 1) != 0,
    "ashr exact i8": lambda x, y: y >= 8 or x & ((1 << y) - 1) != 0,
    "udiv exact i8": lambda x, y: y == 0 or x % y != 0,
    "sdiv i8": lambda x, y: y == 0 or (x == 128 and y == 255),
    "or disjoint i8": lambda x, y: x & y != 0,
    "icmp samesign ult i8": lambda x, y: (x ^ y) & 128 != 0,
    "cttz": lambda x, y: x == 0,
    "ctlz": lambda x, y: x == 0,
    "abs": lambda x, y: x == 128,
}
PAIRS = [(a, b) for a in range(256) for b in range(256)]


@pytest.mark.parametrize("op", POISON)
def test_what_has_no_meaning_is_known(op):
    kind = "i1" if op.startswith("icmp") else "i8"
    line = f"{op} %x, %y" if " " in op else f"call i8 @llvm.{op}.i8(i8 %x, i1 true)"
    text = f"define {kind} @f(i8 %x, i8 %y) {{\n  %r = {line}\n  ret {kind} %r\n}}"
    _, broken = meaning(Module(text), "f", *(words.variable(name, 8) for name in "xy"))
    columns = dict(zip("xy", np.array(PAIRS, np.uint64).T, strict=True))
    known = arrays.evaluated(broken, columns).astype(bool).tolist()
    assert known == [POISON[op](a, b) for a, b in PAIRS]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("uitofp i64 %x to double", "uitofp"),
        ("load volatile i64, ptr %p", "volatile"),
        ("call i64 @llvm.x86.rdtsc()", "not understood"),
        ("load i64, ptr @variable", "--init"),
    ],
)
def test_what_is_not_known_is_not_decided(line, message):
    text = f"@variable = global i64 0\ndefine i64 @f(i64 %x) {{\n  %p = alloca i64\n  %f = {line}\n  ret i64 %x\n}}\n"
    with pytest.raises(UndecidedError, match=message):
        meaning(Module(text), "f", words.variable("x", 64))


def test_two_lookups_in_one_result_are_gone_through_one_by_one():
    """64 + 64 rows instead of 4,096: a queen's four lines would have a million."""
    x = words.variable("x", 64)
    table = words.WordTable("squares", np.arange(64, dtype=np.uint64) ** 2, 64, 0, 8)
    looked = [words.entry(table, words.zext(words.extract(x, 6, place), 64)) for place in (0, 6)]
    low = [words.and_(words.lshr(x, words.constant(n, 64)), words.constant(63, 64)) for n in (0, 6)]
    right = words.add(*(words.mul(part, part) for part in low))
    claim = Claim(words.add(*looked), words.boolean(False), right, (), (), {"x": 4095})
    judged = Prover([Z3()]).judge(claim)
    assert (judged.refutation, judged.undecided, judged.rows) == (None, "", 128)


class Liar(Bitwuzla):
    def solved(self, condition, milliseconds):
        return lambda unknown: 0


def test_a_model_that_is_none_is_not_believed():
    one = words.eq(words.variable("x", 8), words.constant(1, 8))
    assert isinstance(ask(Bitwuzla(), one, 999), Holds)
    assert isinstance(ask(Liar(), one, 999), GaveUp)
