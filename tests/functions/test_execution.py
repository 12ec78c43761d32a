"""What instructions mean, held against the processor: each is compiled by LLVM and run."""

import ctypes
import random
import re
from functools import reduce
from itertools import product
from operator import xor
from pathlib import Path
from string import Template

import llvmlite.binding as llvm
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from magicert.functions.compare import arrays
from magicert.functions.compare.proofs import WordClauses
from magicert.functions.compare.prove import Claim, Prover, independent, refuted
from magicert.functions.compare.solvers import Z3, Bitwuzla, GaveUp, Satisfiable, Unsatisfiable, ask
from magicert.functions.execute import execution, words
from magicert.functions.execute.intrinsics import meaning_of, overflows
from magicert.functions.execute.memory import Memory, UndecidedError
from magicert.functions.execute.state import Run, Violation
from magicert.functions.execute.values import Aggregate, lane, lanes_of
from magicert.functions.llvm.ir import Module

HERE = Path(__file__).parent


def rows(name):
    _, *lines = (HERE / name).read_text("utf-8").splitlines()
    return [line.split("\t") for line in lines]


X86 = {name: row for name, *row in rows("intrinsics.tsv")}
FIRST = {id(meaning_of(f"llvm.x86.{name}")): name for name in reversed(X86)}
"""One intrinsic for each meaning, the first of the table: these are the gate's."""


def programs(has):
    """The functions of two words that instructions.tsv has for this processor."""
    for number, (names, widths, need, text) in enumerate(rows("instructions.tsv")):
        there = has.get(need, not need)
        for name, width in product(names.split(), widths.split() if there else ()):
            t = f"i{width}"
            lines = Template(text).substitute(name=name, t=t).split("; ")
            head = f'define {t} @"{name}.{width}.{number}"({t} %a, {t} %b) {{'
            amount = f"%s = and {t} %b, {int(width) - 1}"
            yield "\n  ".join([head, amount, *lines, f"ret {t} %r"]) + "\n}"


def kinds(text):
    """The lanes of each argument, their width, and its number if it is immediate."""
    found = re.findall(r"(?:<(\d+) x )?i(\d+)>? (%?)v?(\d+)", text)
    return [(int(n or 1), int(w), None if v else int(number)) for n, w, v, number in found]


def through_memory(name):
    """A function that loads the arguments of an intrinsic, 64 bytes apart, and stores its result."""
    result, arguments, _ = X86[name]
    lines = []
    for n, kind in enumerate(re.findall(r"(<[^>]*>|i\d+) %", arguments)):
        lines += [f"%p{n} = getelementptr i8, ptr %in, i64 {64 * n}"]
        lines += [f"%v{n} = load {kind}, ptr %p{n}, align 1"]
    lines += [f"%r = call {result} @llvm.x86.{name}({arguments})"]
    lines += [f"store {result} %r, ptr %out, align 1", "ret void"]
    return "\n  ".join([f'define void @"{name}"(ptr %in, ptr %out) {{', *lines]) + "\n}"


def features_and_intrinsics(names):
    """What this processor has, and those of the intrinsics for which that is enough."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    here = llvm.get_host_cpu_features()
    if not here.get("sse2"):
        pytest.skip("another processor")
    return here, [name for name in names if all(map(here.get, X86[name][2].split("+")))]


def compiled(texts):
    """Functions in this process, and their text: making code of it changes it."""
    triple = llvm.get_process_triple()
    module = llvm.parse_assembly("\n".join([f'target triple = "{triple}"', *texts]))
    plain = str(module)
    machine = llvm.Target.from_triple(triple).create_target_machine(
        cpu=llvm.get_host_cpu_name(), features=llvm.get_host_cpu_features().flatten(), jit=True
    )
    engine = llvm.create_mcjit_compiler(module, machine)
    engine.finalize_object()
    return engine, plain


@pytest.fixture(scope="module")
def processor():
    """The text of all functions; where the processor has those of words, by their width and name,
    and the first intrinsic of each meaning.
    """
    here, there = features_and_intrinsics(FIRST.values())
    flow = (HERE / "flow.ll").read_text("utf-8")
    texts = [flow, *map(through_memory, there), *programs(here)]
    engine, plain = compiled(texts)
    place = engine.get_function_address
    found = re.findall(r'^define i(\d+) @"?([^"(]+)', "\n".join(texts), re.MULTILINE)
    yield plain, {n: (int(w), place(n)) for w, n in found}, {name: place(name) for name in there}
    engine.close()


def meaning(module, name, *arguments):
    """What a function returns, as a word, and the condition under which it has no meaning."""
    solver = Z3()
    run = Run(
        module,
        Memory(module),
        lambda condition: not isinstance(ask(solver, condition, 999), Unsatisfiable),
    )
    value, _, _ = execution.call(
        run, name, [(lane(one),) for one in arguments], words.boolean(True), {}
    )
    (result,) = lanes_of(value)
    broken = words.any_of([result.poison, *(v.condition for v in run.violations)])
    return result.word, broken


@pytest.fixture(scope="module")
def found(processor):
    """The meaning of each function of x and y."""
    text, functions, _ = processor
    module, xy = Module(text), [words.variable(name, 64) for name in "xy"]
    return {
        name: meaning(module, name, *(words.extract(one, width, 0) for one in xy))
        for name, (width, _) in functions.items()
    }


CORNERS = st.sampled_from([0, 1, 2, 63, 64, 127, 128, 255, 1 << 31, 1 << 63, (1 << 64) - 1])
WORDS = st.one_of(CORNERS, st.integers(0, (1 << 64) - 1))


@given(x=WORDS, y=WORDS)
def test_every_instruction_computes_what_the_processor_computes(found, processor, x, y):
    kind = ctypes.CFUNCTYPE(ctypes.c_uint64, ctypes.c_uint64, ctypes.c_uint64)
    values = {"x": x, "y": y}
    native = {name: kind(at)(x, y) % (1 << w) for name, (w, at) in processor[1].items()}
    assert {name: words.number_of(word, values) for name, (word, _) in found.items()} == native
    assert not [name for name in found if words.number_of(found[name][1], values)]


@settings(max_examples=5)
@given(rows=st.lists(st.tuples(WORDS, WORDS), min_size=1, max_size=6))
def test_arrays_compute_the_same(found, rows):
    columns = dict(zip("xy", np.array(rows, np.uint64).T, strict=True))
    for name, (word, _) in found.items():
        slow = [words.number_of(word, {"x": x, "y": y}) for x, y in rows]
        assert [int(n) for n in arrays.evaluated(word, columns)] == slow, name
    found_words: dict[int, np.ndarray] = {}
    for part in words.walk([word for word, _ in found.values()]):
        args = [found_words[id(arg)] for arg in part.args]
        column = columns[part.data] if part.op == "variable" else arrays.one_node(part, args)
        found_words[id(part)] = column
        assert max(map(int, np.ravel(column))) <= part.largest, part.op


def test_the_place_behind_a_bit_scan_is_near():
    """Else it may be where an address begins anew, and a lookup depends on where its table lies."""
    number = words.popcount(words.variable("x", 64))
    scanned = words.xor(number, words.constant(63, 64))
    place = words.add(words.mul(scanned, words.constant(8, 64)), words.constant(56, 64))
    assert place.largest == 127 * 8 + 56


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
        assert isinstance(ask(solver, asked, 60_000), Unsatisfiable), (name, chance)


@pytest.mark.parametrize("solver", [Z3, Bitwuzla])
def test_what_was_asked_before_changes_no_counterexample(solver):
    a, b = words.variable("a", 64), words.variable("b", 64)
    asked, found = words.ult(words.mul(a, b), words.and_(a, words.constant(1 << 40, 64))), []
    for name in ("x", "y", "z"):
        found.append(ask(solver(), asked, 60_000))
        other = words.variable(name, 64)
        ask(solver(), words.ne(words.and_(other, a), words.or_(other, b)), 60_000)
    assert isinstance(found[0], Satisfiable)
    assert found[0] == found[1] == found[2]


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


def reading(name, arguments):
    """What an intrinsic's reading computes, as a word of its result's bytes."""
    lanes = []
    for n, (count, width, immediate) in enumerate(arguments):
        whole = words.variable(f"v{n}", count * width)
        if immediate is not None:
            whole = words.constant(immediate, width)
        lanes.append(tuple(lane(words.extract(whole, width, width * k)) for k in range(count)))
    result = meaning_of(f"llvm.{name}")(lanes)
    if isinstance(result, Aggregate):  # a carry, and from the next place that is wide enough on
        (carry,), (number,) = map(lanes_of, result.items)
        padded = words.zext(carry.word, number.word.width)
        lanes_given = (carry, number)
        parts = [number.word, padded]
    else:
        lanes_given = lanes_of(result)
        parts = [item.word for item in reversed(lanes_given)]
    assert all(item.poison.value == 0 for item in lanes_given)
    return words.concat(*parts)


def read(name, arguments, values):
    """What that is for one number for each argument."""
    named = {f"v{n}": value for n, value in enumerate(values)}
    return words.number_of(reading(name, arguments), named)


def cut(arguments, values):
    sizes = [count * width for count, width, _ in arguments]
    return [value % (1 << size) for size, value in zip(sizes, values, strict=False)]


def executed(address, values):
    """What the processor gives for these."""
    function = ctypes.CFUNCTYPE(None, ctypes.c_char_p, ctypes.c_void_p)
    out = ctypes.create_string_buffer(64)
    data = b"".join(value.to_bytes(64, "little") for value in values)
    function(address)(data, ctypes.addressof(out))
    return int.from_bytes(out.raw, "little")


@settings(max_examples=10)
@given(values=st.tuples(WIDE, WIDE, WIDE, WIDE))
def test_vector_instructions_compute_what_the_processor_computes(processor, values):
    for name, address in processor[2].items():
        arguments = kinds(X86[name][1])
        given_ = cut(arguments, values)
        native = executed(address, given_)
        assert hex(read(f"x86.{name}", arguments, given_)) == hex(native), name


def drawn(count, width):
    """Lanes of one kind or another: small ones are amounts and places."""
    kinds_of_lanes = (
        lambda: 0, lambda: random.getrandbits(width), lambda: (1 << width) - 1,
        lambda: random.randrange(2 * width) % (1 << width), lambda: 1 << width - 1,
    )  # fmt: skip
    some = random.choices(kinds_of_lanes, k=random.choice([1, 2, 5]))
    return sum(random.choice(some)() << width * n for n in range(count))


@pytest.fixture(scope="module")
def all_intrinsics():
    """Where the processor has each intrinsic that it knows."""
    _, there = features_and_intrinsics(X86)
    engine, _ = compiled(map(through_memory, there))
    yield {name: engine.get_function_address(name) for name in there}
    engine.close()


@pytest.mark.long
@pytest.mark.parametrize("name", X86)
def test_every_vector_instruction_computes_what_the_processor_computes(all_intrinsics, name):
    if name not in all_intrinsics:
        pytest.skip("this processor has it not")
    arguments = kinds(X86[name][1])
    word = reading(f"x86.{name}", arguments)
    for _ in range(60):
        values = [drawn(count, width) for count, width, _ in arguments]
        named = {f"v{n}": value for n, value in enumerate(values)}
        native = executed(all_intrinsics[name], values)
        assert hex(words.number_of(word, named)) == hex(native), [*map(hex, values)]


SUFFIXES = "", ".v16i8", ".i32.v16i8"
"""What LLVM adds to the names of some."""


def test_the_tables_have_every_intrinsic_that_is_read():
    """LLVM's library has the names of all that there are; where it does not, nothing is known."""
    (library, *_) = [*Path(llvm.ffi.__file__).parent.glob("*llvmlite.*")]
    names = re.findall(rb"llvm\.(x86|aarch64)\.([a-z0-9_.]+)", library.read_bytes())
    tables = {"x86": list(X86), "aarch64": list(ARM)}
    for processor_name, name in {(a.decode(), b.decode()) for a, b in names}:
        if any(meaning_of(f"llvm.{processor_name}.{name}{suffix}") for suffix in SUFFIXES):
            listed = tables[processor_name]
            assert any(known == name or known.startswith(f"{name}.") for known in listed), name


def shifted(x, amount, width, is_signed):
    by = (amount & 255) - 2 * (amount & 128)
    value = x - (x >> (width - 1) << width) if is_signed else x
    return (value << by if by >= 0 else value >> -by) % (1 << width)


def halves(lanes):
    return zip(lanes[::2], lanes[1::2], strict=True)


BYTES = (16, 8, None)
QUADS = (2, 64, None)
ONES = (1 << 64) - 1
ARM = {
    "neon.tbl1.v16i8": ([BYTES] * 2, 8, lambda a, i: [dict(enumerate(a)).get(k, 0) for k in i]),
    "neon.tbl2.v8i8": ([BYTES] * 2 + [(8, 8, None)], 8, lambda a, b, i: [dict(enumerate([*a, *b])).get(k, 0) for k in i]),
    "neon.tbl3.v16i8": ([BYTES] * 4, 8, lambda a, b, c, i: [dict(enumerate([*a, *b, *c])).get(k, 0) for k in i]),
    "neon.tbl4.v16i8": ([BYTES] * 5, 8, lambda a, b, c, d, i: [dict(enumerate([*a, *b, *c, *d])).get(k, 0) for k in i]),
    "neon.rbit.v16i8": ([BYTES], 8, lambda a: [int(f"{x:08b}"[::-1], 2) for x in a]),
    "neon.ushl.v2i64": ([QUADS] * 2, 64, lambda a, b: [shifted(*p, 64, False) for p in zip(a, b, strict=True)]),
    "neon.sshl.v4i32": ([(4, 32, None)] * 2, 32, lambda a, b: [shifted(*p, 32, True) for p in zip(a, b, strict=True)]),
    "neon.ushl.v16i8": ([BYTES] * 2, 8, lambda a, b: [shifted(*p, 8, False) for p in zip(a, b, strict=True)]),
    "neon.sshl.v16i8": ([BYTES] * 2, 8, lambda a, b: [shifted(*p, 8, True) for p in zip(a, b, strict=True)]),
    "neon.ushl.i64": ([(1, 64, None)] * 2, 64, lambda a, b: [shifted(a[0], b[0], 64, False)]),
    "neon.uqadd.v2i64": ([QUADS] * 2, 64, lambda a, b: [min(ONES, x + y) for x, y in zip(a, b, strict=True)]),
    "neon.uqadd.v16i8": ([BYTES] * 2, 8, lambda a, b: [min(255, x + y) for x, y in zip(a, b, strict=True)]),
    "neon.uqsub.v2i64": ([QUADS] * 2, 64, lambda a, b: [max(0, x - y) for x, y in zip(a, b, strict=True)]),
    "neon.umin.v16i8": ([BYTES] * 2, 8, lambda a, b: list(map(min, a, b))),
    "neon.umax.v16i8": ([BYTES] * 2, 8, lambda a, b: list(map(max, a, b))),
    "neon.addp.v16i8": ([BYTES] * 2, 8, lambda a, b: [x + y & 255 for x, y in halves([*a, *b])]),
    "neon.uaddlp.v8i16.v16i8": ([BYTES], 16, lambda a: [x + y for x, y in halves(a)]),
    "neon.uaddlv.i32.v16i8": ([BYTES], 32, lambda a: [sum(a)]),
    "neon.uaddlv.i32.v8i16": ([(8, 16, None)], 32, lambda a: [sum(a)]),
    "neon.uaddlv.i64.v4i32": ([(4, 32, None)], 64, lambda a: [sum(a)]),
    "neon.addp.v2i64": ([QUADS] * 2, 64, lambda a, b: [x + y & ONES for x, y in halves([*a, *b])]),
    "neon.pmull64": ([(1, 64, None)] * 2, 128, lambda a, b: [reduce(xor, (a[0] << n for n in range(64) if b[0] >> n & 1), 0)]),
    "crypto.eor3u.v2i64": ([QUADS] * 3, 64, lambda a, b, c: [x ^ y ^ z for x, y, z in zip(a, b, c, strict=True)]),
    "crypto.bcaxu.v2i64": ([QUADS] * 3, 64, lambda a, b, c: [x ^ (y & ~z) for x, y, z in zip(a, b, c, strict=True)]),
    "crypto.eor3s.v16i8": ([BYTES] * 3, 8, lambda a, b, c: [x ^ y ^ z for x, y, z in zip(a, b, c, strict=True)]),
    "crypto.bcaxs.v16i8": ([BYTES] * 3, 8, lambda a, b, c: [x ^ (y & ~z) for x, y, z in zip(a, b, c, strict=True)]),
    "crypto.rax1": ([QUADS] * 2, 64, lambda a, b: [x ^ (y << 1 & ONES | y >> 63) for x, y in zip(a, b, strict=True)]),
    "crypto.xar": ([QUADS] * 2 + [(1, 64, 5)], 64, lambda a, b, _: [(x ^ y) << 59 & ONES | (x ^ y) >> 5 for x, y in zip(a, b, strict=True)]),
}  # fmt: skip


@settings(max_examples=10)
@given(values=st.tuples(WIDE, WIDE, WIDE, WIDE, WIDE))
def test_arms_instructions_compute_what_arm_says(values):
    for name, (arguments, width, slow) in ARM.items():
        given_ = cut(arguments, values)
        lanes = [
            [value >> own * k & ((1 << own) - 1) for k in range(count)]
            for value, (count, own, _) in zip(given_, arguments, strict=True)
        ]
        expected = sum(x << width * k for k, x in enumerate(slow(*lanes)))
        assert read(f"aarch64.{name}", arguments, given_) == expected, name


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


@pytest.mark.cases_of("what_is_not_known_is_not_decided.tsv")
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


def test_a_remainder_of_few_squares_is_gone_through():
    """A solver takes minutes over it. The numbers are BasJansweijer's for a1 (ChessBitBoards)."""
    x, zero = words.variable("x", 64), words.constant(0, 64)
    mask, magic, size, never = 0x000101010101017E, 8048494271608728149, 6933, 6
    product = words.mul(words.and_(x, words.constant(mask, 64)), words.constant(magic, 64))
    place = words.urem(product, words.constant(size, 64))
    broken = Violation(words.eq(place, words.constant(never, 64)), "an entry that is not there", "")
    claim = Claim(zero, words.boolean(False), zero, (broken,), (), {})
    judged = Prover([Z3()], milliseconds=1).judge(claim)
    assert (judged.refutation, judged.undecided, judged.rows) == (None, "", 4096)
    low = words.urem(words.extract(x, 8, 0), words.constant(7, 8))
    reached = Violation(words.eq(low, words.constant(3, 8)), "an entry that is there", "")
    claim = Claim(zero, words.boolean(False), zero, (reached,), (), {})
    assert Prover([Z3()]).judge(claim).refutation.violated == reached


class Liar(Bitwuzla):
    def solve(self, condition, milliseconds):
        return lambda unknown: 0


def test_a_model_that_is_none_is_not_believed():
    one = words.eq(words.variable("x", 8), words.constant(1, 8))
    assert isinstance(ask(Bitwuzla(), one, 999), Satisfiable)
    assert isinstance(ask(Liar(), one, 999), GaveUp)
    rare = words.eq(words.variable("y", 64), words.constant(0x9E3779B97F4A7C15, 64))
    assert not arrays.holds_somewhere(rare)
    assert Prover([Liar()]).feasible(rare)
    assert not Prover([Bitwuzla()]).feasible(words.and_(one, words.extract(one.args[0], 1, 1)))


def test_hundreds_of_lookups_one_behind_another_are_followed():
    table = words.WordTable("squares", np.arange(16, dtype=np.uint64), 8, 0, 1)
    occupied = words.variable("occupied", 64)
    word = words.constant(0, 8)
    for n in range(400):
        found = words.entry(table, words.extract(occupied, 4, n % 60))
        word = words.add(words.mul(word, words.constant(3, 8)), found)
    assert Prover([Z3()]).feasible(words.eq(word, words.constant(0, 8)))


@pytest.mark.parametrize("bits", [0, 0b1, 0xFF, 0x0101_0101_0101_0100, (1 << 64) - 1])
def test_a_condition_that_holds_for_a_sample_needs_no_solver(bits):
    """A walk goes on where few squares are occupied, and ends where many are."""
    board = words.variable("occupied", 64)
    empty = words.eq(words.and_(board, words.constant(bits, 64)), words.constant(0, 64))
    full = words.eq(words.and_(board, words.constant(bits, 64)), words.constant(bits, 64))
    assert Prover([]).feasible(empty)
    assert Prover([]).feasible(full)
    assert arrays.holds_somewhere(words.and_(empty, full)) is (bits == 0)
    of_a_large_board = words.eq(words.variable("occupied", 90), words.constant(0, 90))
    assert not arrays.holds_somewhere(of_a_large_board)  # not tried


# Memory, prove and arrays by small functions: each claims that it returns what `want` does.

MEMORY = """
@t = private constant [4 x i64] [i64 5, i64 7, i64 9, i64 11]
@u = private constant [4 x i64] [i64 1, i64 2, i64 3, i64 4]
@z = private constant [4 x i64] zeroinitializer
@small = private constant [8 x i8] c"\\01\\02\\03\\04\\05\\06\\07\\F8"
@open = private constant [4 x i64] [i64 5, i64 7, i64 undef, i64 11]
@gap = private constant [2 x { i8, i32 }] [{ i8, i32 } { i8 1, i32 2 }, { i8, i32 } { i8 3, i32 4 }]
@to = private constant [2 x ptr] [ptr @t, ptr @u]
@ends = private constant { i64, ptr } { i64 3, ptr getelementptr (i8, ptr @t, i64 8) }
"""
PLACE = "%i = and i64 %x, 3; %p = getelementptr i64, ptr @{}, i64 %i; "
HALVES = (
    "%a = alloca ptr; %b = alloca ptr; %c = alloca ptr; store ptr @t, ptr %a; store ptr @{}, ptr %b; "
    "%a1 = getelementptr i8, ptr %a, i64 {}; %b1 = getelementptr i8, ptr %b, i64 {}; "
    "%c1 = getelementptr i8, ptr %c, i64 4; "
    "call void @llvm.memcpy.p0.p0.i64(ptr %c, ptr %a1, i64 4, i1 false); "
    "call void @llvm.memcpy.p0.p0.i64(ptr %c1, ptr %b1, i64 4, i1 false); "
    "%q = load ptr, ptr %c; %r = load i64, ptr %q"
)
PART = "%p = alloca i32; store i16 0, ptr %p; %w = load i32, ptr %p; "
SMALL = [
    (PLACE.format("t") + "%r = load i64, ptr %p", "%d = mul i64 %j, 2; %r = add i64 %d, 5", ""),
    (PLACE.format("t") + "%r = load i64, ptr %p", "%d = mul i64 %j, 2; %r = add i64 %d, 4", "refuted"),
    ("%i = and i64 %x, 4; %p = getelementptr i64, ptr @t, i64 %i; %r = load i64, ptr %p", "%r = add i64 0, 5", "a load outside t"),
    ("%i = and i64 %x, 3; %m = sub i64 %i, 1; %p = getelementptr i64, ptr @t, i64 %m; %r = load i64, ptr %p", "%r = add i64 0, 5", "a load outside t"),
    ("%i = and i64 %x, 1; %m = sub i64 %i, 2; %e = getelementptr i64, ptr @z, i64 3; %p = getelementptr i64, ptr %e, i64 %m; %r = load i64, ptr %p", "%r = add i64 0, 0", ""),
    ("%i = and i64 %x, 7; %p = getelementptr i8, ptr @small, i64 %i; %b = load i8, ptr %p; %r = sext i8 %b to i64", "%k = and i64 %x, 7; %last = icmp eq i64 %k, 7; %one = add i64 %k, 1; %r = select i1 %last, i64 -8, i64 %one", ""),
    ("%i = and i64 %x, 6; %p = getelementptr i8, ptr @small, i64 %i; %b = load i16, ptr %p; %w = zext i16 %b to i64; %r = and i64 %w, 255", "%k = and i64 %x, 6; %r = add i64 %k, 1", ""),
    (PLACE.format("open") + "%r = load i64, ptr %p", "%r = add i64 0, 5", "refuted"),
    ("%i = and i64 %x, 1; %p = getelementptr i64, ptr @open, i64 %i; %r = load i64, ptr %p", "%i = and i64 %x, 1; %d = mul i64 %i, 2; %r = add i64 %d, 5", ""),
    (PLACE.format("open") + "%v = load i64, ptr %p; %r = and i64 %v, 0", "%r = add i64 0, 0", ""),
    ("%v = load i64, ptr @gap; %r = and i64 %v, -4294967041", "%r = add i64 0, 8589934593", ""),
    ("%v = load i64, ptr @gap; %r = and i64 %v, -4294966785", "%r = add i64 0, 8589934593", "refuted"),
    ("%i = and i64 %x, 1; %p = getelementptr ptr, ptr @to, i64 %i; %q = load ptr, ptr %p; %r = load i64, ptr %q", "%i = and i64 %x, 1; %d = mul i64 %i, 4; %r = sub i64 5, %d", ""),
    ("%p = getelementptr i8, ptr @ends, i64 8; %q = load ptr, ptr %p; %r = load i64, ptr %q", "%r = add i64 0, 7", ""),
    ("%p = getelementptr i8, ptr @ends, i64 4; %q = load ptr, ptr %p; %r = load i64, ptr %q", "%r = add i64 0, 7", "a part of an address in ends"),
    (HALVES.format("t", 0, 4), "%r = add i64 0, 5", ""),
    (HALVES.format("t", 4, 0), "%r = add i64 0, 5", "a number is turned into an address"),
    (HALVES.format("u", 0, 4), "%r = add i64 0, 5", "a number is turned into an address"),
    (HALVES.format("t", 0, 0), "%r = add i64 0, 5", "a number is turned into an address"),
    ("%p = getelementptr i8, ptr @t, i64 %x; %c = icmp eq ptr %p, null; %r = zext i1 %c to i64", "%r = add i64 0, 0", "depends on where t lies"),
    (PLACE.format("t") + "%c = icmp eq ptr %p, null; %r = zext i1 %c to i64", "%r = add i64 0, 0", ""),
    ("%p = getelementptr i8, ptr @t, i64 %x; %c = icmp eq ptr null, %p; %r = zext i1 %c to i64", "%r = add i64 0, 0", "depends on where t lies"),
    ("%p = alloca i64; store i64 %x, ptr %p; %r = load i64, ptr %p", "%r = add i64 %x, 0", ""),
    ("%p = alloca i64; %r = load i64, ptr %p", "%r = add i64 0, 0", "before it is written"),
    ("%p = alloca [4 x i64]; store i64 %x, ptr %p; %i = and i64 %x, 1; %q = getelementptr i64, ptr %p, i64 %i; store i64 3, ptr %q; %r = load i64, ptr %p", "%o = and i64 %x, 1; %c = icmp eq i64 %o, 0; %r = select i1 %c, i64 3, i64 %x", ""),
    ("%p = alloca [2 x i64]; store i64 %x, ptr %p; %i = and i64 %x, 1; %q = getelementptr i64, ptr %p, i64 %i; %r = load i64, ptr %q", "%r = add i64 %x, 0", "before it is written"),
    (PART + "%v = and i32 %w, 65535; %r = zext i32 %v to i64", "%r = add i64 0, 0", ""),
    (PART + "%v = and i32 %w, 65536; %r = zext i32 %v to i64", "%r = add i64 0, 0", "before it is written"),
    (PART + "%v = and i32 %w, 32768; %s = lshr i32 %v, 15; %r = zext i32 %s to i64", "%r = add i64 0, 0", ""),
    (PART + "%s = lshr i32 %w, 15; %r = zext i32 %s to i64", "%r = add i64 0, 0", "before it is written"),
    (PART + "%s = shl i32 %w, 16; %r = zext i32 %s to i64", "%r = add i64 0, 0", ""),
    (PART + "%s = shl i32 %w, 15; %r = zext i32 %s to i64", "%r = add i64 0, 0", "before it is written"),
    (PART + "%s = lshr exact i32 %w, 16; %v = and i32 %s, 0; %r = zext i32 %v to i64", "%r = add i64 0, 0", ""),
    (PART + "%s = lshr exact i32 %w, 17; %v = and i32 %s, 0; %r = zext i32 %v to i64", "%r = add i64 0, 0", "refuted"),
    (PART + "%s = trunc i32 %w to i16; %r = zext i16 %s to i64", "%r = add i64 0, 0", ""),
    (PART + "%s = trunc i32 %w to i17; %r = zext i17 %s to i64", "%r = add i64 0, 0", "before it is written"),
    (PART + "%v = or i32 %w, -65536; %r = zext i32 %v to i64", "%r = add i64 0, 4294901760", ""),
    (PART + "%v = or i32 %w, -131072; %r = zext i32 %v to i64", "%r = add i64 0, 4294836224", "before it is written"),
    (PART + "%f = freeze i32 %w; %v = and i32 %f, 65535; %r = zext i32 %v to i64", "%r = add i64 0, 0", ""),
    (PART + "%f = freeze i32 %w; %r = zext i32 %f to i64", "%r = add i64 0, 0", "refuted"),
    (PART + "%o = trunc i64 %x to i1; %f = select i1 %o, i32 %w, i32 7; %v = and i32 %f, 255; %r = zext i32 %v to i64", "%o = trunc i64 %x to i1; %r = select i1 %o, i64 0, i64 7", ""),
    (PART + "%o = trunc i64 %x to i1; %f = select i1 %o, i32 7, i32 %w; %r = zext i32 %f to i64", "%o = trunc i64 %x to i1; %r = select i1 %o, i64 7, i64 0", "before it is written"),
    (PART + "%q = alloca i32; store i32 %w, ptr %q; %l = load i16, ptr %q; %r = zext i16 %l to i64", "%r = add i64 0, 0", ""),
    (PART + "%q = alloca i32; store i32 %w, ptr %q; %e = getelementptr i8, ptr %q, i64 1; %l = load i16, ptr %e; %r = zext i16 %l to i64", "%r = add i64 0, 0", "before it is written"),
    (PART + "%v = sub i32 %w, %w; %r = zext i32 %v to i64", "%r = add i64 0, 0", "before it is written"),
    (PART + "%c = icmp eq i32 %w, 0; %r = zext i1 %c to i64", "%r = add i64 0, 0", "before it is written"),
    ("%p = alloca [32 x i8]; call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr @t, i64 32, i1 false); %i = and i64 %x, 3; %q = getelementptr i64, ptr %p, i64 %i; %r = load i64, ptr %q", "%d = mul i64 %j, 2; %r = add i64 %d, 5", ""),
    ("%p = alloca [32 x i8]; call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr @t, i64 32, i1 false); store i64 0, ptr %p; %r = load i64, ptr %p", "%r = add i64 0, 5", "refuted"),
    ("%p = alloca [16 x i8]; call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr @t, i64 32, i1 false); %r = load i64, ptr %p", "%r = add i64 0, 5", "a store outside p"),
    ("store i64 1, ptr @t; %r = add i64 %x, 0", "%r = add i64 %x, 0", "side effects"),
]  # fmt: skip


def judged(module, **limits):
    """The verdict on @f, with what is said of it."""
    solver, x = Z3(), words.variable("x", 64)
    run = Run(module, Memory(module), Prover([solver]).feasible)
    found = []
    try:
        for name in "f", "want":
            value, _, _ = execution.call(run, name, [(lane(x),)], words.boolean(True), {})
            never = lane(words.constant(0, 64))
            found.append(lanes_of(value)[0] if value is not None else never)
    except UndecidedError as error:
        return f"undecided: {error}"
    computed, want = found
    claim = Claim(
        computed.word, computed.poison, want.word, run.violations, run.origins, {"x": 255},
        run.lies_somewhere(),
    )  # fmt: skip
    result = Prover([solver], **limits).judge(claim)
    if result.refutation is None:
        return f"undecided: {result.undecided}" if result.undecided else ""
    violated = result.refutation.violated
    return f"refuted: {violated.message if violated else 'a wrong set'}"


@pytest.mark.parametrize(("text", "want", "said"), SMALL)
def test_memory_is_read_as_it_lies_there(text, want, said):
    bodies = {"f": text, "want": f"%j = and i64 %x, 3; {want}"}
    functions = (
        "\n  ".join([f"define i64 @{n}(i64 %x) {{", *body.split("; "), "ret i64 %r"]) + "\n}\n"
        for n, body in bodies.items()
    )
    declared = "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)\n"
    module = str(llvm.parse_assembly(MEMORY + "".join(functions) + declared))
    found = judged(Module(module))
    assert bool(found) == bool(said), found
    assert said in found


NUMBERS = st.integers(0, (1 << 70) - 1)


@st.composite
def graphs(draw):
    """A word of any operation on x and y, of 1 to 70 bits."""
    width = draw(st.sampled_from([1, 3, 8, 32, 63, 64, 65, 70]))
    x, y = (words.variable(name, width) for name in "xy")
    made = [
        x,
        y,
        words.constant(draw(NUMBERS), width),
        words.constant(draw(st.integers(0, 3)), width),
    ]
    for _ in range(draw(st.integers(1, 6))):
        op = draw(
            st.sampled_from(
                [
                    "and",
                    "or",
                    "xor",
                    "add",
                    "sub",
                    "mul",
                    "udiv",
                    "urem",
                    "shl",
                    "lshr",
                    "ashr",
                    "eq",
                    "ult",
                    "slt",
                    "not",
                    "ite",
                    "sext",
                    "extract",
                    "concat",
                    "popcount",
                    "reverse",
                    "table",
                ]
            )
        )
        a, b, c = (draw(st.sampled_from(made)) for _ in range(3))
        low = draw(st.integers(0, width - 1))
        part = words.extract(a, width - low, low)
        match op:
            case "not":
                made.append(words.not_(a))
            case "eq" | "ult" | "slt":
                made.append(words.zext(words.OPERATIONS[op](a, b), width))
            case "ite":
                made.append(words.ite(words.ult(a, b), b, c))
            case "sext":
                made.append(words.sext(part, width))
            case "extract":
                made.append(words.zext(part, width))
            case "concat":
                made.append(words.extract(words.concat(a, b), width, low))
            case "popcount":
                made.append(words.popcount(a))
            case "reverse":
                made.append(words.reverse(a, 1))
            case "table" if width <= 64:
                entries = np.array([draw(NUMBERS) % (1 << width) for _ in range(5)], np.uint64)
                made.append(words.entry(words.WordTable("t", entries, width, 0, 8), a))
            case "table":
                pass
            case _:
                made.append(words.OPERATIONS[op](a, b))
    return made[-1], width


@settings(max_examples=150)
@given(graph=graphs(), rows=st.lists(st.tuples(NUMBERS, NUMBERS), min_size=1, max_size=5))
def test_a_column_of_numbers_is_each_of_them(graph, rows):
    word, width = graph
    rows = [(x % (1 << width), y % (1 << width)) for x, y in rows]
    columns = {
        name: np.array(own, object if width > 64 else np.uint64)
        for name, own in zip("xy", zip(*rows, strict=True), strict=True)
    }
    slow = [words.number_of(word, dict(zip("xy", row, strict=True))) for row in rows]
    assert [int(n) for n in arrays.evaluated(word, columns)] == slow
    assert max(slow) <= word.largest


@settings(max_examples=60)
@given(graph=graphs(), mask=st.integers(0, 63))
def test_conditions_say_what_a_word_is(graph, mask):
    word, width = graph
    names = {node.data for node in words.walk([word]) if node.op == "variable"}
    bits = [(name, n) for name in sorted(names) for n in range(min(width, 3)) if mask >> n & 1]
    plain = arrays.as_conditions(word, bits)
    assert not plain.has_table
    for n in range(1 << len(bits)):
        values = {"x": 0, "y": 0}
        for number, (name, place) in enumerate(bits):
            values[name] |= (n >> number & 1) << place
        assert words.number_of(plain, values) == words.number_of(word, values)


@pytest.mark.parametrize("signed_", [False, True])
@pytest.mark.parametrize("op", ["add", "sub", "mul"])
def test_what_overflows_with_a_constant_is_known(op, signed_):
    x, width = words.variable("x", 4), 4
    for other in range(16):
        for swapped in (False, True):
            pair = (x, words.constant(other, width))[:: -1 if swapped else 1]
            word = overflows(op, *pair, signed_)
            for number in range(16):
                a, b = (number, other)[:: -1 if swapped else 1]
                a, b = (words.signed(n, 4) if signed_ else n for n in (a, b))
                exact = {"add": a + b, "sub": a - b, "mul": a * b}[op]
                fits = -8 <= exact < 8 if signed_ else 0 <= exact < 16
                assert words.number_of(word, {"x": number}) == (not fits), (a, op, b)


def claimed(computed, expected, *, hints, violations=(), poison=None, assumed=None):
    poison = poison if poison is not None else words.boolean(False)
    return Claim(computed, poison, expected, violations, (), hints, assumed)


def test_a_counterexample_is_made_small():
    x = words.variable("x", 64)
    wrong = words.or_(x, words.constant(1 << 40, 64))
    found = Prover([Z3()]).judge(claimed(wrong, x, hints={"x": 1})).refutation
    assert (found.values, found.returned, found.expected) == ({"x": 0}, 1 << 40, 0)


def test_a_lookup_is_proved_where_its_squares_are_known_to_be_enough():
    """The index takes all of x, and the solver says that only four bits of it matter."""
    x, mask = words.variable("x", 64), words.constant(15, 64)
    table = words.WordTable("t", np.arange(100, dtype=np.uint64) * np.uint64(3), 64, 0, 8)
    high = words.and_(x, words.not_(mask))
    index = words.xor(words.sub(x, high), words.constant(64, 64))
    low = words.and_(x, mask)
    right = words.mul(words.add(low, words.constant(64, 64)), words.constant(3, 64))
    # What it would be, did only three bits matter.
    low = words.and_(x, words.constant(7, 64))
    three = words.mul(words.add(low, words.constant(64, 64)), words.constant(3, 64))
    cases = (15, right, 0, True), (7, right, 0, False), (15, right, 1, False), (7, three, 0, False)
    for hints, known, added, settled in cases:
        expected = words.add(known, words.constant(added, 64))
        judged = Prover([Z3()]).judge(
            claimed(words.entry(table, index), expected, hints={"x": hints})
        )
        assert (judged.refutation is None and not judged.undecided) == settled, (hints, judged)


def test_a_counterexample_is_one_of_what_is_assumed():
    x = words.variable("x", 8)
    for assumed, least in (words.ne(x, words.constant(0, 8)), 1), (words.extract(x, 1, 5), 1 << 5):
        wrong = claimed(words.not_(x), x, hints={}, assumed=assumed)
        for tries_all in (False, True):
            found = Prover([Z3()], tries_all=tries_all).judge(wrong).refutation
            assert found.values["x"].bit_count() == 1
            assert found.values["x"] >= least


@settings(max_examples=40)
@given(graph=graphs())
def test_parts_that_are_asked_alone_are_all_and_share_no_bit(graph):
    word, width = graph
    constant, *parts = independent(word)
    assert sum(parts) + constant == words.ones(width)
    assert not words.support(words.and_(word, words.constant(constant, width)))
    seen = set()
    for part in parts:
        masked = words.support(words.and_(word, words.constant(part, width)))
        bits = set(arrays.bits_of(masked))
        assert not bits & seen
        seen |= bits


@pytest.mark.parametrize("parts", ["one", "eight"])
def test_what_is_assumed_and_what_is_violated_count(parts):
    """Also where a result is asked part by part."""
    x = words.variable("x", 8)
    same, seven = words.constant(0, 8) if parts == "one" else x, words.constant(7, 8)
    broken = Violation(words.eq(x, seven), "seven", "here")
    for assumed, violated in (None, True), (words.ne(x, seven), False), (words.eq(x, seven), True):
        claim = claimed(same, same, hints={}, violations=(broken,), assumed=assumed)
        found = Prover([Z3()]).judge(claim).refutation
        assert (found is not None) == violated
        assert found is None or (found.violated, found.values) == (broken, {"x": 7})
    poison = words.eq(x, seven)
    found = Prover([Z3()]).judge(claimed(same, same, hints={}, poison=poison)).refutation
    assert found.violated.message == "the result has no meaning"


def test_a_counterexample_is_computed_again():
    x = words.variable("x", 8)
    claim = claimed(words.constant(1, 8), x, hints={})
    bad = words.ne(claim.computed, claim.expected)
    assert refuted(claim, bad, Satisfiable({"x": 1})) is None
    assert refuted(claim, bad, Satisfiable({"x": 3})).values == {"x": 0}


def test_a_lookup_by_a_small_number_of_many_squares_is_proved():
    """By how many are occupied: the table has more entries than that."""
    count = words.extract(words.popcount(words.variable("x", 24)), 8, 0)
    table = words.WordTable("t", np.arange(40, dtype=np.uint64) * np.uint64(3), 8, 0, 1)
    for factor, proved in (3, True), (5, False):
        expected = words.mul(count, words.constant(factor, 8))
        result = Prover([Z3()]).judge(claimed(words.entry(table, count), expected, hints={}))
        assert (result.refutation is None, result.undecided) == (proved, "")


def test_where_an_assertion_does_not_hold_nothing_is_refuted():
    x, zero = words.variable("x", 8), words.constant(0, 8)
    asserted = Violation(words.eq(x, words.constant(7, 8)), "assert", "here", asserts=True)
    wrong = words.zext(asserted.condition, 8)
    result = Prover([Z3()]).judge(claimed(wrong, zero, hints={}, violations=(asserted,)))
    assert (result.refutation, result.source_line) == (None, "here")
    assert "asserted" in result.undecided
    wrong = words.and_(x, words.constant(4, 8))
    result = Prover([Z3()]).judge(claimed(wrong, zero, hints={}, violations=(asserted,)))
    assert result.refutation.values == {"x": 4}


def test_what_is_wrong_wherever_an_object_lies_is_refuted():
    at, zero, one = words.variable("&T", 8), words.constant(0, 8), words.constant(1, 8)
    result = Prover([Z3()]).judge(claimed(words.or_(at, one), zero, hints={}))
    assert result.refutation.values == {"&T": 0}
    result = Prover([Z3()]).judge(claimed(words.and_(at, one), zero, hints={}))
    assert result.refutation is None
    assert "where T lies" in result.undecided
