"""Headers of C and C++ that are not here, and what stands in for them."""

import subprocess
import sys

import pytest

from magicert import InputError
from magicert.functions.compile.compiler_runs import DoesNotCompileError
from magicert.functions.compile.stand_in_headers import FOLDER, flag_for

pytest.importorskip("llvmlite")

TEXT = """#include <intrin.h>
#include "tb/probe.h"
#ifdef HAS_TABLEBASES
#error "never"
#endif
unsigned long long north(int s, unsigned long long o) {
    unsigned long n;
    if (!_BitScanForward64(&n, 1ull << s)) return 1;
    return n < UP ? 256ull << n : 0;
}
"""
FLAGS = ("--stand-in=intrin.h", "--stand-in=tb/probe.h")
SAME = """#include <assert.h>
#include <intrin.h>
int main(void) {
    unsigned long long high, words[] = {1, 6, 1ull << 63, 0x123456789abcdef0, ~0ull};
    unsigned long at = 77;
    assert(!_BitScanForward64(&at, 0) && !_BitScanReverse64(&at, 0) && at == 77);
    assert(!_BitScanForward(&at, 1ul << 32) && !_BitScanReverse(&at, 0) && at == 77);
    for (int n = 0; n < 5; n++) {
        unsigned long long word = words[n];
        int first = 0, last = 63, count = 0;
        while (!(word >> first & 1)) first++;
        while (!(word >> last & 1)) last--;
        for (int bit = 0; bit < 64; bit++) count += word >> bit & 1;
        assert(_BitScanForward64(&at, word) == 1 && at == first);
        assert(_BitScanReverse64(&at, word) == 1 && at == last);
        assert(__popcnt64(word) == count);
        assert((int)_BitScanForward(&at, word) == ((unsigned)word != 0));
        assert(!(unsigned)word || at == first);
        assert(_byteswap_uint64(_byteswap_uint64(word)) == word);
        assert(_umul128(word, 4, &high) == word << 2 && high == word >> 62);
        assert(__umulh(word, 256) == word >> 56);
    }
    assert(_BitScanReverse(&at, 0x90) && at == 7);
    assert(_byteswap_uint64(0x0102030405060708) == 0x0807060504030201);
    assert(_byteswap_ulong(0x01020304) == 0x04030201 && _byteswap_ushort(0x0102) == 0x0201);
    assert(__popcnt(0x101) == 2 && __popcnt16(0x8001) == 2);
    return 0;
}
"""


def _source(folder, ending="cpp", up="56"):
    (folder / "README.md").write_text("", "utf-8")
    source = folder / f"north.{ending}"
    source.write_text(TEXT.replace("UP", up), "utf-8")
    return source


@pytest.mark.parametrize("ending", ["c", "cpp"])
def test_what_it_compiles_with_is_named_and_assumed(certified, tmp_path, ending):
    source = _source(tmp_path, ending)
    with pytest.raises(DoesNotCompileError) as refused:
        certified(source, functions={"fW": "north"})
    assert set(FLAGS) <= {*refused.value.flags}
    answer = certified(source, functions={"fW": "north"}, flags=FLAGS)
    assert answer.verdict == "valid"
    assert " ".join(FLAGS) in answer.command
    assert answer.assumed == (
        "the functions of intrin.h do what those of magicert's stand-in do",
        "tb/probe.h, which is not here, changes nothing: an empty file stands in for it",
    )


def test_what_is_wrong_with_a_stand_in_is_not_decided(certified, tmp_path):
    answer = certified(_source(tmp_path, up="56"), functions={"fW": "north"}, flags=FLAGS)
    assert answer.verdict == "valid"
    answer = certified(_source(tmp_path, up="20"), functions={"fW": "north"}, flags=FLAGS)
    assert answer.verdict == "unknown"
    assert "what stands in for intrin.h, tb/probe.h" in answer.functions[0].findings[0].message


def test_a_header_that_is_there_is_taken(certified, tmp_path):
    (tmp_path / "tb").mkdir()
    (tmp_path / "tb" / "probe.h").write_text("#define HAS_TABLEBASES\n", "utf-8")
    with pytest.raises(DoesNotCompileError, match="never"):
        certified(_source(tmp_path), functions={"fW": "north"}, flags=FLAGS)


def test_what_needs_the_header_does_not_compile(certified, tmp_path):
    source = _source(tmp_path)
    source.write_text(source.read_text("utf-8") + "int most = TB_LARGEST;\n", "utf-8")
    with pytest.raises(DoesNotCompileError, match="TB_LARGEST") as refused:
        certified(source, functions={"fW": "north"})
    assert not refused.value.flags


@pytest.mark.parametrize("header", ["../up.h", "/etc/passwd", "a/../b.h", "-x", "a b.h", ""])
def test_no_name_leads_elsewhere(header):
    assert not flag_for(header)


@pytest.mark.parametrize("flags", [[], ["-fms-extensions"], ["-xc++"]])
def test_the_functions_for_windows_give_what_they_are_said_to(tmp_path, flags):
    source, program = tmp_path / "same.c", tmp_path / "same"
    source.write_text(SAME, "utf-8")
    command = [sys.executable, "-P", "-m", "ziglang", "cc", "-idirafter", str(FOLDER), "-UNDEBUG"]
    subprocess.run([*command, *flags, str(source), "-o", str(program)], check=True)
    subprocess.run([str(program)], check=True)


@pytest.mark.parametrize("name", ["", "/etc/passwd", "../a.h", "a b.h"])
def test_a_name_that_is_no_headers_is_refused(certified, tmp_path, name):
    flag = f"--stand-in={name}"
    with pytest.raises(InputError, match="expected the name of a header"):
        certified(_source(tmp_path), functions={"fR": "north"}, flags=[flag])
