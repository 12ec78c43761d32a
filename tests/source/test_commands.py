"""The commands on sources: what they say, write, and exit with; hostile texts end soon."""

import json
import random
import re
import resource
import subprocess
import sys

import pytest

from magicert.board import CHESS, ORDERS, squares_in
from magicert.problem import InputError
from magicert.table import read_table

OFF = 0x123456789ABCDEF1


def test_a_valid_source_takes_two_lines(command, engine, tmp_path):
    result = command("verify", engine())
    assert result.exit_code == 0
    first, last = result.stdout.splitlines()
    assert first.startswith("valid ")
    numbers = "the numbers are valid: rook_magics:1, bishop_magics:2 with ((occ & mask)"
    assert f"engine.c: {numbers}" in first
    assert "rook bits = popcount(mask)" in first.rpartition("; ")[2]
    assert "--function rook=NAME" in last
    full = command("verify", engine(), "--full").output
    assert re.search(r"rook\.bits\s+assumed: popcount", full)
    (report,) = json.loads(command("verify", engine(), "--json").output)["reports"]
    assert report["reading"]["sources"]["rook.magic"] == "rook_magics (engine.c, line 1)"
    assert (report["verdict"], len(report["squares"])) == ("valid", 128)
    output = tmp_path / "engine.toml"
    assert command("import", engine(), "-o", output).exit_code == 0
    assert "rook_magics" in read_table(output).table.provenance.notation
    assert command("verify", output).exit_code == 0


def test_a_broken_source_says_the_place_first(command, engine, c):
    path, right = engine(rook_28=OFF), c.magics("rook")[28]
    column = path.read_text().index(f"{OFF:#x}") + 1
    result = command("verify", path)
    assert result.exit_code == 3
    place = f"{path}:1:{column}: rook e4"
    first = result.stdout.splitlines()[0]
    assert first.startswith(f"{place}: its magic is wrong, or the source uses another index")
    assert re.search(r"4 [.+] [.+] [.+] [.+] R", result.stdout)
    assert f"help: magicert fix {path} changes {OFF:#x}ULL to {right:#x}ULL" in result.output
    assert "--bits rook=popcount" in result.output
    stated = command("verify", path, "--bits", "popcount")
    assert stated.exit_code == 1
    assert f"{place} has a wrong magic" in stated.output
    (report,) = json.loads(command("verify", path, "--json").stdout)["reports"][:1]
    entry = {"list": "rook_magics", "entry": 28, "file": "engine.c", "line": 1, "column": column}
    assert report["reading"]["entries"] == [[{**entry, "number": f"{OFF:#x}"}]]


@pytest.mark.gate_takes(first=3)
@pytest.mark.parametrize("order", ORDERS)
def test_names_of_squares_follow_an_order_that_is_known_or_noted(command, engine, order):
    """By an enum of squares, or by --order; else the order that was taken is noted."""
    names = [CHESS.name(square) for square in squares_in(order, CHESS)]
    plain = engine(rook_35=OFF)
    listed = engine(f"enum Square {{ {', '.join(names)} }};\n", rook_35=OFF, name="listed.c")
    for words, place in (
        ((listed,), names[35]),
        ((plain, "--order", order), names[35]),
        ((plain,), "d5"),
    ):
        result = command("verify", *words)
        assert result.exit_code == 3
        assert f": rook {place}: " in result.stdout.splitlines()[0]
        noted = "as if a1 were bit 0" in result.stdout and "--order a8" in result.stdout
        assert noted == (words == (plain,))


def test_a_page_notes_the_order_that_was_taken(command, engine, tmp_path):
    page = tmp_path / "page.html"
    assert command("report", engine(rook_35=OFF), "-o", page).exit_code == 3
    assert "as if a1 were bit 0" in page.read_text()


def test_the_order_of_a_valid_source_is_not_noted(command, engine):
    assert "were bit 0" not in command("verify", engine(), "--full").output


def test_a_broken_source_is_not_imported(command, tmp_path, samples):
    output = tmp_path / "broken.toml"
    asked = ("import", samples / "broken.rs", "-o", output)
    assert command(*asked).exit_code == 1
    assert not output.exists()
    assert command(*asked, "--broken", "--reading", 1).exit_code == 1
    assert command("verify", output).exit_code == 1


def test_nothing_in_a_folder_is_forgotten(command, engine, tmp_path, c):
    """Random numbers, and what lies in folders of others, do not count."""
    engine(name="good.c")
    (tmp_path / "zobrist.c").write_text(c.list("keys", [i * OFF % 2**64 for i in range(1, 200)]))
    (tmp_path / "deps").mkdir()
    (tmp_path / "deps" / "other.h").write_text(c.list("rook_magics", [OFF] * 64))
    result = command("verify", tmp_path)
    assert result.exit_code == 0
    assert "zobrist.c" not in result.stdout
    assert "other.h" not in result.output


@pytest.mark.gate_takes(first=3, each_of="status")
@pytest.mark.cases_of("folders.tsv")
def test_folders(command, tmp_path, c, files, options, status, said):
    rook, bits = c.magics("rook"), [64 - shift for shift in c.shifts("rook")]
    words = {"RIGHT": rook, "WRONG": [*rook[:28], OFF, *rook[29:]], "SHORT": rook[:63]}
    words |= {"BISHOP": c.magics("bishop"), "BITS": bits, "FEWER": [11, *bits[1:]]}
    for word, numbers in words.items():
        files = files.replace(word, f"{{{', '.join(map(str, numbers))}}};\n")
    for name, text in (file.split(": ", 1) for file in files.split(" | ")):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    result = command("verify", tmp_path, *options.split())
    assert (result.exit_code, said in result.output) == (int(status), True), result.output


def test_files_that_belong_together(command, tmp_path, shipped, c):
    pieces = shipped("cuckoo").pieces
    both = (tmp_path / "magics.h", tmp_path / "bits.h")
    for path, parameter, kind in zip(both, ("magic", "bits"), ("U64", "int"), strict=True):
        lists = (
            c.list(f"{p}_{parameter}", half.parameters[parameter], kind)
            for p, half in pieces.items()
        )
        path.write_text("".join(lists))
    assert command("verify", both[0]).exit_code == 3  # fewer bits are taken than it has
    assert command("verify", both[1]).exit_code == 2
    result = command("verify", *both)
    assert result.exit_code == command("verify", tmp_path).exit_code == 0
    assert "magics.h and" in result.output
    assert command("import", *both, "-o", tmp_path / "t.toml").exit_code == 0
    # Bits are not taken as usual where another file of the folder states them.
    both[0].write_text("".join(c.list(f"{p}_magics", c.magics(p, "bbc")) for p in pieces))
    assert (command("verify", both[0]).exit_code, command("verify", tmp_path).exit_code) == (0, 3)
    named = next(word for word in re.findall(r"--map (\S+)", command("verify", tmp_path).output))
    assert command("verify", tmp_path, "--map", named).exit_code != 2


def test_alternatives_are_listed_and_not_merged(command, engine, c):
    own, other = (", ".join(map(hex, c.magics("rook", name))) for name in ("bbc", "surge"))
    path, output = engine(), engine().with_suffix(".toml")
    rook = f"U64 rook_magics[64] = {{\n#if defined(NEW)\n{own}\n#else\n{other}\n#endif\n}};\n"
    path.write_text(rook + path.read_text().partition("\n")[2])
    result = command("verify", path)
    assert result.exit_code == 0
    assert "under #if defined(NEW)" in result.output
    assert "under #else of #if defined(NEW)" in result.output
    assert command("import", path, "-o", output).exit_code == 2
    assert command("import", path, "-o", output, "--reading", 2).exit_code == 0


@pytest.mark.cases_of("options.tsv")
def test_options(command, engine, options, status):
    result = command("verify", engine(), *options.split())
    assert result.exit_code == int(status), result.output
    assert "Traceback" not in result.output


def test_a_type_that_holds_no_bitboards(command, tmp_path, c):
    path = tmp_path / "a.cpp"
    lists = (c.list(f"{piece}_magics", c.magics(piece), "u32") for piece in ("rook", "bishop"))
    path.write_text(f"typedef unsigned u32;\n{''.join(lists)}")
    assert "bishop_magics (a.cpp, line 3) is of a type of 32 bits" in command("verify", path).output


def test_the_length_in_a_type_ends_no_statement(command, tmp_path, c):
    """Bits that nothing looks up say nothing, as their own declaration is no use of them."""
    lists = {f"{piece}_MAGICS": c.magics(piece) for piece in ("rook", "bishop")}
    text = "".join(
        f"const {name.upper()}: [u64; 64] = {own};\n"
        for name, own in {**lists, "rook_bits": [11] * 64}.items()
    )
    look = "fn f(s: usize, o: u64) -> u64 { o.wrapping_mul(ROOK_MAGICS[s]) >> shift(s) }"
    path = tmp_path / "a.rs"
    path.write_text(f"{text}{look}\n")
    assert command("verify", path).exit_code == 0
    path.write_text(f"{text}{look.replace('shift(s)', '(64 - ROOK_BITS[s])')}\n")
    assert command("verify", path).exit_code == 3


def test_as_written_tries_no_other_order(command, engine, c):
    """Whole ranks from the other end: another order of rows reads them."""
    path = engine(**{p: [c.magics(p)[row ^ 56] for row in range(64)] for p in ("rook", "bishop")})
    assert command("verify", path).exit_code == 0
    assert command("verify", path, "--as-written").exit_code == 3
    stated = ("--as-written", "--scheme", "white", "--bits", "popcount")
    assert command("verify", path, *stated).exit_code == 1
    assert command("verify", engine(), *stated).exit_code == 0


@pytest.mark.long
def test_layered_table_is_read_back(command, tmp_path):
    path = tmp_path / "Attacks.java"
    assert command("emit", "layered", "--lang", "java", "-o", path).exit_code == 0
    result = command("verify", path, "--full")
    assert result.exit_code == 0, result.output
    assert "word & line" in result.output


# What is no table: a clear message, exit status 2, in bounded time and memory.

RNG = random.Random(7)


def wide(count, bits=64):
    return ", ".join(hex(RNG.getrandbits(bits) | 1 << bits - 1) for _ in range(count))


NO_TABLE = {
    "main.cpp": (b"#include <cstdio>\nint main() { return 0; }\n", "no table"),
    "list.cpp": (b'U64 rook_magics[64] = {\n#include "rook.inc"\n};', "list.cpp:2: no table here"),
    "zobrist.cpp": (f"U64 rookKeys[64] = {{{wide(64)}}};".encode(), "no table"),
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


DEEP = ["(", "[{("]
PATHOLOGICAL = [
    "/*", '"', "'", "-", "x<", "a<b<", "{-", "a.b::", "0x1,", '"a${', "#if A\n", "#if 0\n#endif\n",
    "a=>",  # two gigabytes in tree-sitter's grammar of C
    *DEEP,
]  # fmt: skip


@pytest.mark.gate_takes
@pytest.mark.usefixtures("parsed_by_a_copy_first")
@pytest.mark.parametrize("ending", [".c", ".java", ".nim"])
def test_pathological_text_ends(judged, ending):
    for text in PATHOLOGICAL:
        with pytest.raises(InputError) as raised:
            judged("x = [1, 2, " + text * 1_000, f"odd{ending}")
        assert text not in DEEP or "nest more than 400 deep" in str(raised.value)


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
    paths = [tmp_path / name for name in texts]
    for path in paths:
        path.write_text(texts[path.name])
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    asked = [sys.executable, "-P", "-c", MEMORY, *paths]
    out = subprocess.run(asked, capture_output=True, text=True, check=True)
    *_, peak = out.stdout.split()
    assert int(peak) < 300_000
    assert "nest more than 400 deep" in out.stdout
    assert resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before < 20


def test_a_file_beside_a_source_of_chess_leaves_no_list_out(command, engine):
    """Naming one list would turn the check of the other one off."""
    path = engine(rook_28=OFF)
    beside = path.with_name(f"{path.name}.toml")
    beside.write_text('board = "8x8"\n[bishop_magics]\npiece = "B"\nbits = "popcount"\n', "utf-8")
    done = command("verify", path)
    assert done.exit_code == 2
    assert f"--map {beside} uses it" in done.output
    assert command("verify", path, "--map", beside).exit_code == 0
