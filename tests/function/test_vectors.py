"""Readings of vector intrinsics: those of this processor held against it, Arm's against a walk."""

import ctypes

import llvmlite.binding as llvm
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from magicert.verify.function import words
from magicert.verify.function.intrinsics import meaning_of
from magicert.verify.function.values import lane, lanes_of

X86 = {
    "avx2.pshuf.b": ("32xi8 32xi8", "32xi8", "avx2"),
    "avx2.permd": ("8xi32 8xi32", "8xi32", "avx2"),
    "avx512.permvar.qi.128": ("16xi8 16xi8", "16xi8", "avx512vbmi"),
    "avx512.permvar.di.512": ("8xi64 8xi64", "8xi64", "avx512f"),
    "avx512.vpermi2var.qi.128": ("16xi8 16xi8 16xi8", "16xi8", "avx512vbmi"),
    "avx512.pmultishift.qb.128": ("16xi8 16xi8", "16xi8", "avx512vbmi"),
    "avx512.pternlog.q.128": ("2xi64 2xi64 2xi64 i32=178", "2xi64", "avx512f"),
    "vgf2p8affineqb.256": ("32xi8 32xi8 i8=99", "32xi8", "gfni"),
    "pclmulqdq": ("2xi64 2xi64 i8=16", "2xi64", "pclmul"),
    "sse2.pmovmskb.128": ("16xi8", "i32", "sse2"),
    "avx2.pmovmskb": ("32xi8", "i32", "avx2"),
    "sse2.packsswb.128": ("8xi16 8xi16", "16xi8", "sse2"),
    "avx2.packuswb": ("16xi16 16xi16", "32xi8", "avx2"),
    "avx2.packssdw": ("8xi32 8xi32", "16xi16", "avx2"),
    "sse41.packusdw": ("4xi32 4xi32", "8xi16", "sse4.1"),
    "avx512.psllv.q.512": ("8xi64 8xi64", "8xi64", "avx512f"),
    "avx2.psrav.d.256": ("8xi32 8xi32", "8xi32", "avx2"),
    "sse2.psrl.q": ("2xi64 2xi64", "2xi64", "sse2"),
}
"""Arguments (immediate ones with their number), result, and what the processor must have."""


def shape(text):
    count, _, item = text.partition("=")[0].rpartition("x")
    return int(count or 1), int(item[1:])


def llvm_type(text):
    count, width = shape(text)
    return f"<{count} x i{width}>" if "x" in text else f"i{width}"


def reading(name, arguments):
    """What the reading computes, as a function of one number for each argument."""
    given_lanes = []
    for n, text in enumerate(arguments):
        count, width = shape(text)
        whole = words.variable(f"v{n}", count * width)
        if "=" in text:
            whole = words.constant(int(text.partition("=")[2]), width)
        given_lanes.append(
            tuple(lane(words.extract(whole, width, width * k)) for k in range(count))
        )
    found = lanes_of(meaning_of(f"llvm.{name}")(given_lanes))
    assert all(item.poison.value == 0 for item in found)
    result = words.concat(*(item.word for item in reversed(found)))
    return lambda values: words.number_of(result, {f"v{n}": v for n, v in enumerate(values)})


@pytest.fixture(scope="module")
def native():
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    here = llvm.get_host_cpu_features()
    if not here.get("sse2"):
        pytest.skip("another processor")
    lines = [f'target triple = "{llvm.get_process_triple()}"']
    names = [name for name, (*_, need) in X86.items() if here.get(need)]
    for name in names:
        texts, result, _ = X86[name]
        kinds = [llvm_type(text) for text in texts.split()]
        stated = [
            f"{k} immarg" * ("=" in t) or k for k, t in zip(kinds, texts.split(), strict=True)
        ]
        lines.append(f"declare {llvm_type(result)} @llvm.x86.{name}({', '.join(stated)})")
        lines.append(f'define void @"{name}"(ptr %in, ptr %out) {{')
        passed = []
        for n, (kind, text) in enumerate(zip(kinds, texts.split(), strict=True)):
            if "=" in text:
                passed.append(f"{kind} {text.partition('=')[2]}")
                continue
            lines.append(f"%p{n} = getelementptr i8, ptr %in, i64 {64 * n}")
            lines.append(f"%v{n} = load {kind}, ptr %p{n}, align 1")
            passed.append(f"{kind} %v{n}")
        lines.append(f"%r = call {llvm_type(result)} @llvm.x86.{name}({', '.join(passed)})")
        lines.append(f"store {llvm_type(result)} %r, ptr %out, align 1\nret void\n}}")
    machine = llvm.Target.from_triple(llvm.get_process_triple()).create_target_machine(
        cpu=llvm.get_host_cpu_name(), features=here.flatten(), jit=True
    )
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly("\n".join(lines)), machine)
    engine.finalize_object()

    def called(name: str, values: list[int]) -> int:
        out = ctypes.create_string_buffer(64)
        data = b"".join(value.to_bytes(64, "little") for value in values)
        function = ctypes.CFUNCTYPE(None, ctypes.c_char_p, ctypes.c_void_p)
        function(engine.get_function_address(name))(data, ctypes.addressof(out))
        return int.from_bytes(out.raw, "little")

    readings = {name: reading(f"x86.{name}", X86[name][0].split()) for name in names}
    yield readings, called
    engine.close()


BYTES = st.one_of(st.sampled_from([0, 1, 127, 128, 255]), st.integers(0, 255))
WIDE = st.lists(BYTES, min_size=64, max_size=64).map(lambda b: int.from_bytes(bytes(b), "little"))


@settings(max_examples=15, deadline=None)
@given(values=st.tuples(WIDE, WIDE, WIDE))
def test_each_instruction_computes_what_the_processor_computes(native, values):
    readings, called = native
    for name, read in readings.items():
        cut = [
            value % (1 << count * width)
            for value, (count, width) in zip(values, map(shape, X86[name][0].split()), strict=False)
        ]
        assert hex(read(cut)) == hex(called(name, cut)), name


def at(values, index):
    return values[index] if index < len(values) else 0


def shifted(x, amount, width, is_signed):
    by = (amount & 255) - 2 * (amount & 128)
    value = x - (x >> (width - 1) << width) if is_signed else x
    return (value << by if by >= 0 else value >> -by) % (1 << width)


ARM = {
    "tbl1.v16i8": ("16xi8 16xi8", lambda a, i: [at(a, k) for k in i]),
    "tbl2.v8i8": ("16xi8 16xi8 8xi8", lambda a, b, i: [at([*a, *b], k) for k in i]),
    "rbit.v16i8": ("16xi8", lambda a: [int(f"{x:08b}"[::-1], 2) for x in a]),
    "ushl.v2i64": ("2xi64 2xi64", lambda a, b: [shifted(*p, 64, False) for p in zip(a, b, strict=True)]),
    "sshl.v4i32": ("4xi32 4xi32", lambda a, b: [shifted(*p, 32, True) for p in zip(a, b, strict=True)]),
}  # fmt: skip


@settings(max_examples=15, deadline=None)
@given(values=st.tuples(WIDE, WIDE, WIDE))
@pytest.mark.parametrize("name", ARM)
def test_arms_instructions_compute_what_arm_says(name, values):
    texts, slow = ARM[name]
    shapes = list(map(shape, texts.split()))
    cut = [v % (1 << count * width) for v, (count, width) in zip(values, shapes, strict=False)]
    lanes = [
        [value >> width * k & ((1 << width) - 1) for k in range(count)]
        for value, (count, width) in zip(cut, shapes, strict=True)
    ]
    width = shapes[0][1]
    expected = sum(x << width * k for k, x in enumerate(slow(*lanes)))
    assert reading(f"aarch64.neon.{name}", texts.split())(cut) == expected
