"""What is no table: a clear message, exit status 2, in bounded time and memory."""

import random
import resource
import subprocess
import sys

import pytest

RNG = random.Random(7)


def wide(count, bits=64):
    return ", ".join(hex(RNG.getrandbits(bits) | 1 << bits - 1) for _ in range(count))


NO_TABLE = {
    "main.cpp": (b"#include <cstdio>\nint main() { return 0; }\n", "no table"),
    "zobrist.cpp": (
        f"U64 rookKeys[64] = {{{wide(64)}}};\nU64 other[64] = {{{wide(64)}}};".encode(),
        "no table",
    ),
    "shogi.cpp": (
        f"const u128 ROOK_MAGICS[120] = {{{wide(120, 128)}}};\n".encode(),
        "--board 12x10 --piece ROOK_MAGICS=R",
    ),
    "engine.exe": (bytes(range(256)) * 400, "is a binary"),
    "large.cpp": (bytes(17 << 20), "larger than 16 MiB"),
}


@pytest.mark.parametrize("name", NO_TABLE)
def test_no_table(command, tmp_path, name):
    path, (data, message) = tmp_path / name, NO_TABLE[name]
    path.write_bytes(data)
    result = command("verify", path)
    assert result.exit_code == 2
    assert message in result.output


PATHOLOGICAL = [
    "/*",
    '"',
    "'",
    "-",
    "x<",
    "a<b<",
    "{-",
    "a.b::",
    "0x1,",
    '"a${',
    "#if A\n",
    "#if 0\n#endif\n",
    "a=>",  # two gigabytes in tree-sitter's grammar of C
]
DEEP = ["(", "[{("]


@pytest.mark.parametrize("ending", [".c", ".java", ".nim"])
def test_pathological_text_ends(command, tmp_path, ending):
    for number, text in enumerate(PATHOLOGICAL + DEEP):
        path = tmp_path / f"odd{number}{ending}"
        path.write_text("x = [1, 2, " + text * 5_000)
        result = command("verify", path)
        assert result.exit_code == 2
        assert "Traceback" not in result.output
        assert text not in DEEP or "nest more than 400 deep" in result.output


MEMORY = r"""
import re, sys
from pathlib import Path
from magicert.problem import InputError
from magicert.verify.source.judge import judge
for path in sys.argv[1:]:
    try:
        judge([(Path(path), Path(path).read_bytes())])
        sys.exit(f"{path} was read")
    except InputError as error:
        print(error.problems[0])
# Not ru_maxrss, which begins with what the parent had.
print(re.search(r"VmHWM:\s+(\d+)", Path("/proc/self/status").read_text())[1])
"""


def test_large_comments_and_deep_brackets_stay_small(tmp_path):
    """A comment of 250,000 letters, 10^6 brackets, a blob of 2 MB: under 300 MB, in seconds."""
    texts = {
        "comment.c": "/* " + "letters " * 31_250 + "*/ int x;",
        "brackets.c": "int a[] = " + "{" * 1_000_000 + "}" * 1_000_000 + ";",
        "literal.c": f"static const U64 attacks[100000] = {{{wide(100_000)}}};",
    }
    paths = []
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
        paths.append(str(tmp_path / name))
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    out = subprocess.run(
        [sys.executable, "-P", "-c", MEMORY, *paths], capture_output=True, text=True, check=True
    )
    *_, peak = out.stdout.split()
    assert int(peak) < 300_000
    assert "nest more than 400 deep" in out.stdout
    assert resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before < 20
