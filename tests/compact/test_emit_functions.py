"""Formulas in every language, compiled and run: each means what magicert's own reading means."""

import random
import shutil
import struct
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from magicert.compact.emit import LANGUAGES, printer
from magicert.compact.emit.pairs import pair
from magicert.formula import parse
from magicert.formula.tree import FUNCTIONS, Call, Node, evaluate, walk

FORMULAS = (
    "rol32(occ, mask)",
    "rol32(hi32(occ), 8) + rol32(u32(occ), 40)",
    "rol32(~occ, u32(mask) >> 5)",
    "rol32(occ + mask, 64) ^ mask",
    "rol64(occ, mask)",
    "rol64(occ, -mask) - rol64(occ & mask, 72)",
    "rol64(u32(occ), 20) | rol64(~hi32(occ), popcount(mask))",
    "rol64(0x123456789abc, mask) + rol32(5, mask)",
    "bswap64(occ)",
    "bswap64(hi32(occ)) + bswap64(~occ & mask)",
    "pext(occ, mask)",
    "pext(occ, 0x7e7e00ff) + pext(u32(occ), ~mask) * pext(mask, hi32(occ))",
    "popcount(occ)",
    "popcount(u32(occ)) * popcount(~mask)",
    "-popcount(occ) ^ popcount(hi32(mask))",
    "ctz(occ)",
    "ctz(u32(occ)) + ctz(hi32(occ))",
    "ctz(occ & mask) << 5 | ctz(u32(occ) & hi32(mask))",
    "~ctz(occ) * mask",
    "u32(rol64(occ, 3)) * u32(popcount(mask)) - hi32(u32(occ))",
    "-(occ - mask) + (occ << 40) + (mask << 3) + (u32(occ) << 7) + (occ >> 5)",
    "occ - (mask - 7)",
    "-(-occ) + ~~mask",
    "(occ + mask << 3) ^ mask >> 60",
    "u32(occ) * u32(mask) + (hi32(mask) ^ u32(3)) + ((u32(occ) << 5) + mask)",
    "-u32(occ) >> 3",
    "u64(occ - mask) * lo64(u32(~occ)) - u64(-mask) ^ hi64(occ) + -lo64(~mask)",
    "((rol32(hi32(occ & mask), 3) | lo32(occ & mask)) * u32(0x41041041)) >> 22 & 255",
)
VARIABLE_SHIFTS = ("200 << (ctz(occ) & 63)", "u32(occ) >> (mask & 31) ^ 1 << ctz(occ | 1 << 63)")
"""What javascript-32 does not write."""

PROGRAMS = {
    "c": """#include <stdint.h>
#include <stdio.h>
HELPERS
static uint64_t fN(uint64_t occ, uint64_t mask) { return EXPRESSION; }
int main(void) {
    uint64_t in[2], out;
    while (fread(in, 8, 2, stdin) == 2) {
        out = fN(in[0], in[1]); fwrite(&out, 8, 1, stdout);
    }
    return 0;
}
""",
    "rust": """use std::io::{Read, Write};
HELPERS
fn fN(occ: u64, mask: u64) -> u64 { let _ = (occ, mask); u64::from(EXPRESSION) }
fn main() {
    let mut input = Vec::new();
    std::io::stdin().read_to_end(&mut input).unwrap();
    let word = |n: usize| u64::from_le_bytes(input[8 * n..8 * n + 8].try_into().unwrap());
    let mut output = Vec::new();
    for n in 0..input.len() / 16 {
        output.extend(fN(word(2 * n), word(2 * n + 1)).to_le_bytes());
    }
    std::io::stdout().write_all(&output).unwrap();
}
""",
    "go": """package main
import ("bufio"; "encoding/binary"; "math/bits"; "os")
HELPERS
func fN(occ uint64, mask uint64) uint64 { return uint64(EXPRESSION) }
var _ = bits.UintSize
func main() {
	in, out := bufio.NewReader(os.Stdin), bufio.NewWriter(os.Stdout)
	defer out.Flush()
	var q [2]uint64
	for binary.Read(in, binary.LittleEndian, &q) == nil {
		binary.Write(out, binary.LittleEndian, fN(q[0], q[1]))
	}
}
""",
    "java": """import java.nio.*;
public class Main {
    HELPERS
    static long fN(long occ, long mask) { return EXPRESSION; }
    public static void main(String[] arguments) throws Exception {
        ByteBuffer in = ByteBuffer.wrap(System.in.readAllBytes()).order(ByteOrder.LITTLE_ENDIAN);
        ByteBuffer out = ByteBuffer.allocate(in.capacity() / 2 * COUNT);
        out.order(ByteOrder.LITTLE_ENDIAN);
        while (in.hasRemaining()) {
            long x = in.getLong(), y = in.getLong();
            out.putLong(fN(x, y));
        }
        System.out.write(out.array());
        System.out.flush();
    }
}
""",
    "javascript": """import { readFileSync, writeSync } from "node:fs";
HELPERS
function fN(occ, mask) { return EXPRESSION; }
const bytes = readFileSync(0), answers = [];
const input = new BigUint64Array(new Uint8Array(bytes).buffer);
for (let n = 0; n < input.length; n += 2) {
  answers.push(fN(input[n], input[n + 1]));
}
const output = BigUint64Array.from(answers);
for (const word of output)
  if (word !== answers.shift()) throw new Error("more than 64 bits");
writeSync(1, new Uint8Array(output.buffer));
""",
    "javascript-32": """import { readFileSync, writeSync } from "node:fs";
HELPERS
function fN(high, low, MASK_HIGH, MASK_LOW) { const square = 0; return EXPRESSION; }
const answers = [];
const input = new Uint32Array(new Uint8Array(readFileSync(0)).buffer);
for (let n = 0; n < input.length; n += 4) {
  answers.push(...fN(input[n + 1], input[n], [input[n + 3]], [input[n + 2]]));
}
writeSync(1, new Uint8Array(Uint32Array.from(answers).buffer));
""",
    "zig": """const std = @import("std");
HELPERS
fn fN(occ: u64, mask: u64) u64 { _ = .{ occ, mask }; return EXPRESSION; }
extern "c" fn read(i32, [*]u8, usize) isize;
extern "c" fn write(i32, [*]const u8, usize) isize;
pub fn main() void {
    var q: [2]u64 = undefined;
    while (read(0, @ptrCast(&q), 16) == 16) {
        { const a = fN(q[0], q[1]); _ = write(1, @ptrCast(&a), 8); }
    }
}
""",
}
PROGRAMS["c++"] = PROGRAMS["c"].replace("static", "constexpr")

WARNINGS = "-O1 -Wall -Wextra -Wno-unused-parameter -Werror"
COMMANDS = {
    "c": ("main.c", [f"gcc -std=c99 {WARNINGS} main.c -o main", "./main"]),
    "c++": ("main.cpp", [f"g++ -std=c++17 {WARNINGS} main.cpp -o main", "./main"]),
    "rust": ("main.rs", ["rustc --edition=2021 -C debug-assertions=on main.rs", "./main"]),
    "go": ("main.go", ["go run main.go"]),
    "java": ("Main.java", ["javac Main.java", "java Main"]),
    "javascript": ("main.mjs", ["node main.mjs"]),
    "javascript-32": ("main.mjs", ["node main.mjs"]),
    "zig": ("main.zig", ["zig build-exe -lc main.zig", "./main"]),
}


def pairs() -> list[tuple[int, int]]:
    """Edges and chance, in words and amounts."""
    chance = random.Random(20)
    edges = [0, 1, 2, 31, 32, 33, 63, 64, 1 << 31, 1 << 32, 1 << 63, (1 << 32) - 1, (1 << 64) - 1]
    edges.append(0xFFFFFFFF00000000)
    found = [(x, y) for x in edges for y in edges]
    for _ in range(300):
        few = chance.getrandbits(64) & chance.getrandbits(64) & chance.getrandbits(64)
        found += [(chance.getrandbits(64), chance.getrandbits(64)), (few, chance.randrange(130))]
    return found


class Every:
    """Calls of everything."""

    def __contains__(self, _: object) -> bool:
        return True


def program(language: str, trees: Sequence[Node]) -> str:
    """One function for each tree, and a loop that answers all of them for each pair read."""
    spell, names = printer(language), {"occ": "occ", "mask": "mask"}
    lines = []
    for line in PROGRAMS[language].replace("COUNT", str(len(trees))).splitlines():
        if line.strip() == "HELPERS":
            # What only a high word calls, no index of a table needs.
            every = language == "javascript-32"
            lines.append(spell.helpers(Every()) if every else spell.needed(trees))
        elif "fN" in line:
            lines += [line.replace("fN", f"index{n}") for n in range(len(trees))]
        else:
            lines.append(line)
    text = "\n".join(lines)
    for tree in trees:
        if language == "javascript-32":
            named = {"occ": ("high", "low"), "mask": ("MASK_HIGH[0]", "MASK_LOW[0]")}
            high, low = pair(tree, named)
            shown = f"[{low}, {high}]"
        else:
            shown = spell.text(tree, names)
        if language == "java" and tree.width == 32:
            shown = spell.put(spell.dialect.widened, f"({shown})")
        text = text.replace("EXPRESSION", shown, 1)
    return text


def answers(trees: Sequence[Node]) -> bytes:
    words = [evaluate(tree, {"occ": x, "mask": y}) for x, y in pairs() for tree in trees]
    return struct.pack(f"<{len(words)}Q", *words)


def test_every_function_is_among_the_formulas():
    trees = [parse(text).tree for text in FORMULAS]
    used = {node.function for tree in trees for node in walk(tree) if isinstance(node, Call)}
    assert used == set(FUNCTIONS)


@pytest.mark.parametrize("language", COMMANDS)
def test_a_compiled_formula_means_what_the_formula_means(language: str, tmp_path: Path):
    file, commands = COMMANDS[language]
    for command in commands:
        tool = command.split()[0]
        if shutil.which(tool) is None and tool != "./main":
            pytest.skip(f"no {tool} here")
    texts = FORMULAS + (() if language == "javascript-32" else VARIABLE_SHIFTS)
    trees = [parse(text).tree for text in texts]
    (tmp_path / file).write_text(program(language, trees))
    queries = b"".join(struct.pack("<QQ", *pair) for pair in pairs())
    for command in commands:
        done = subprocess.run(
            command.split(), cwd=tmp_path, input=queries, capture_output=True, check=False
        )
        assert done.returncode == 0, done.stderr.decode()[-2000:]
    assert done.stdout == answers(trees)


@pytest.mark.parametrize("text", FORMULAS + VARIABLE_SHIFTS)
def test_python_formulas_mean_what_the_formulas_mean(text: str):
    tree = parse(text).tree
    scope: dict[str, object] = {}
    exec(printer("python").needed([tree]), scope)
    code = compile(printer("python").text(tree, {"occ": "occ", "mask": "mask"}), "index", "eval")
    for occ, mask in pairs():
        values = {"occ": occ, "mask": mask}
        assert eval(code, scope, values) == evaluate(tree, values)


def test_the_helpers_of_typescript_are_those_of_javascript_with_types():
    trees = [parse(text).tree for text in FORMULAS]
    typed = printer("typescript").needed(trees)
    assert typed != printer("javascript").needed(trees)
    assert typed.replace(": bigint", "") == printer("javascript").needed(trees)


@pytest.mark.parametrize("language", LANGUAGES)
def test_helpers_are_printed_only_where_they_are_used(language: str):
    plain = parse("(occ | ~mask) & mask").tree
    assert printer(language).needed([plain]) == ""


@pytest.mark.parametrize(
    ("language", "text", "expression"),
    [
        ("rust", "rol64(occ & mask, 72)", "(occ & mask).rotate_left(8)"),
        ("go", "popcount(occ)", "uint64(bits.OnesCount64(occ))"),
        ("java", "bswap64(occ)", "Long.reverseBytes(occ)"),
        ("csharp", "ctz(occ)", "(ulong)BitOperations.TrailingZeroCount(occ)"),
        ("csharp", "rol64(occ, mask)", "BitOperations.RotateLeft(occ, unchecked((int)(mask)))"),
        ("csharp", "bswap64(occ)", "BinaryPrimitives.ReverseEndianness(occ)"),
        ("zig", "popcount(occ ^ mask)", "@as(u64, @popCount(occ ^ mask))"),
        (
            "swift",
            "ctz(u32(occ))",
            "UInt64((UInt32(truncatingIfNeeded: occ)).trailingZeroBitCount)",
        ),
        ("swift", "bswap64(occ)", "occ.byteSwapped"),
        ("c", "rol32(u32(occ), 33)", "magics_rotate_left_32((uint32_t)(occ), 1)"),
    ],
)
def test_functions_are_what_the_language_calls_them(language: str, text: str, expression: str):
    names = {"occ": "occ", "mask": "mask"}
    assert printer(language).text(parse(text).tree, names) == expression
