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
    "main.cpp": "#include <cstdio>\nint main() { return 0; }\n",
    "zobrist.cpp": f"U64 rookKeys[64] = {{{wide(64)}}};\nU64 other[64] = {{{wide(64)}}};",
}


@pytest.mark.parametrize("name", NO_TABLE)
def test_no_table(command, tmp_path, name):
    path = tmp_path / name
    path.write_text(NO_TABLE[name])
    result = command("verify", path)
    assert result.exit_code == 2
    assert "no table" in result.output


def test_another_board(command, tmp_path):
    path = tmp_path / "shogi.cpp"
    path.write_text(f"const u128 ROOK_MAGICS[120] = {{{wide(120, 128)}}};\n")
    result = command("verify", path)
    assert result.exit_code == 2
    assert "--board 12x10 --piece ROOK_MAGICS=R" in result.output


def test_binary(command, tmp_path):
    path = tmp_path / "engine.exe"
    path.write_bytes(bytes(range(256)) * 400)
    result = command("verify", path)
    assert result.exit_code == 2
    assert "is a binary" in result.output


def test_a_file_of_50_megabytes_is_not_read(command, tmp_path):
    path = tmp_path / "large.cpp"
    with path.open("wb") as stream:
        stream.truncate(50_000_000)
    result = command("verify", path)
    assert result.exit_code == 2
    assert "larger than 16 MiB" in result.output


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
