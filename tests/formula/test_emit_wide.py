"""Formulas of 128-bit words in the languages that have such words, compiled and run."""

import random
import shutil
import struct
import subprocess
from pathlib import Path

import pytest

from magicert.compact.emit import LANGUAGES, printer
from magicert.compact.emit.pairs import pair
from magicert.formula import parse
from magicert.formula.tree import FUNCTIONS, Call, evaluate, walk
from magicert.problem import InputError

WIDE = ("c", "c++", "javascript", "python", "rust", "typescript", "zig")

FORMULAS = (
    "((occ & mask) * big) >> (128 - popcount(mask | 1))",
    "u64((occ & mask) | ((occ & mask) >> 63)) * magic >> 50",
    "(occ & mask) * magic >> (magic & 127)",
    "occ * big + (mask - occ) * (magic - big)",
    "~(occ ^ mask) + -occ - ~magic",
    "-u64(occ) + (magic << 3) + occ",
    "(magic << (occ & 127)) | (big >> 100) | (magic << 70)",
    "occ << 64 | occ >> 64 | occ << 127 | occ >> 127 | occ << 0",
    "hi64(occ) * lo64(mask) ^ magic & 0xffffffffffffffff ^ hi64(u64(occ)) + hi64(magic * big)",
    "u64(occ + mask) - magic * 3 + lo64(-occ) - u64(~big)",
    "u32(occ) * u32(big) + hi32(occ) ^ lo32(~mask) - hi32(u64(occ))",
    "(u32(occ) * magic) ^ occ + u32(mask)",
    "rol32(occ, magic) + rol32(u64(occ), 40) ^ rol32(mask & occ, u32(magic))",
    "rol64(occ, magic) ^ rol64(u64(occ) + 1, occ & 63) + rol64(u32(occ), 9)",
    "bswap64(occ) + bswap64(magic) ^ bswap64(occ | mask)",
    "pext(occ, mask) + pext(u32(occ), magic) ^ pext(magic, 0xff00ff)",
    "popcount(occ) * popcount(u64(occ)) + popcount(big) + popcount(u32(occ)) + popcount(~occ)",
    "ctz(occ) + ctz(mask & occ) * ctz(u64(occ)) + ctz(u32(occ)) + ctz(occ << 90)",
    "occ + 5 - 300 ^ 0x1234567890abcdef1234567890abcdef * 0x123456789abcdef0",
    "(5 - occ) * (300 - magic) + (0x10000000000000000 - occ)",
)
"""`big` has 128 bits and is used at 128; `magic` has 64 and is used at both."""

WIDTHS = {"occ": 128, "mask": 128, "big": 128}

PROGRAMS = {
    "c": """#include <stdint.h>
#include <stdio.h>
typedef unsigned __int128 u128;
HELPERS
static u128 fN(u128 occ, u128 mask, u128 big, uint64_t magic) { return EXPRESSION; }
int main(void) {
    u128 in[4], out;
    while (fread(in, 16, 4, stdin) == 4) {
        out = fN(in[0], in[1], in[2], (uint64_t)in[3]); fwrite(&out, 16, 1, stdout);
    }
    return 0;
}
""",
    "rust": """#![allow(unused_variables)]
use std::io::{Read, Write};
HELPERS
fn fN(occ: u128, mask: u128, big: u128, magic: u64) -> u128 { u128::from(EXPRESSION) }
fn main() {
    let mut input = Vec::new();
    std::io::stdin().read_to_end(&mut input).unwrap();
    let word = |n: usize| u128::from_le_bytes(input[16 * n..16 * n + 16].try_into().unwrap());
    let mut output = Vec::new();
    for n in 0..input.len() / 64 {
        let (a, b, c, d) = (word(4 * n), word(4 * n + 1), word(4 * n + 2), word(4 * n + 3) as u64);
        output.extend(fN(a, b, c, d).to_le_bytes());
    }
    std::io::stdout().write_all(&output).unwrap();
}
""",
    "javascript": """import { readFileSync, writeSync } from "node:fs";
HELPERS
function fN(occ, mask, big, magic) { return EXPRESSION; }
const input = new BigUint64Array(new Uint8Array(readFileSync(0)).buffer), words = [];
const word = (n) => input[2 * n + 1] << 64n | input[2 * n], low = (1n << 64n) - 1n;
for (let n = 0; n < input.length / 2; n += 4) {
  words.push(fN(word(n), word(n + 1), word(n + 2), input[2 * n + 6]));
}
const output = BigUint64Array.from(words.flatMap((x) => [x & low, x >> 64n]));
if (words.some((x) => x < 0n || x >> 128n)) throw new Error("more than 128 bits");
writeSync(1, new Uint8Array(output.buffer));
""",
    "zig": """const std = @import("std");
HELPERS
const W = u128;
fn fN(occ: W, mask: W, big: W, magic: u64) W { _ = .{ occ, mask, big, magic }; return EXPRESSION; }
extern "c" fn read(i32, [*]u8, usize) isize;
extern "c" fn write(i32, [*]const u8, usize) isize;
pub fn main() void {
    var q: [4]u128 = undefined;
    while (read(0, @ptrCast(&q), 64) == 64) {
        { const a = fN(q[0], q[1], q[2], @truncate(q[3])); _ = write(1, @ptrCast(&a), 16); }
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
    "javascript": ("main.mjs", ["node main.mjs"]),
    "zig": ("main.zig", ["zig build-exe -lc main.zig", "./main"]),
}


def rows() -> list[tuple[int, int, int, int]]:
    """Edges and chance: occ, mask, big, magic."""
    chance = random.Random(20)
    edges = [0, 1, 1 << 63, 1 << 64, 1 << 127, (1 << 64) - 1, (1 << 128) - 1, 3 << 63, 1 << 32]
    found = [(x, y, x ^ y, (x + y) % 2**64) for x in edges for y in edges]
    for _ in range(200):
        few = chance.getrandbits(128) & chance.getrandbits(128) & chance.getrandbits(128)
        words = [chance.getrandbits(128) for _ in range(3)]
        found += [(*words, chance.getrandbits(64)), (few, words[0], words[1], few % 130)]
    return found


def program(language: str) -> str:
    spell, trees = printer(language), [parse(text, word=128).tree for text in FORMULAS]
    lines = []
    for line in PROGRAMS[language].splitlines():
        if line.strip() == "HELPERS":
            lines.append(spell.needed(trees))
        elif "fN" in line:
            lines += [line.replace("fN", f"index{n}") for n in range(len(trees))]
        else:
            lines.append(line)
    text = "\n".join(lines)
    for tree in trees:
        names = {name: name for name in ("occ", "mask", "big", "magic")}
        text = text.replace("EXPRESSION", spell.text(tree, names, WIDTHS), 1)
    return text


def answers() -> list[int]:
    trees = [parse(text, word=128).tree for text in FORMULAS]
    named = [dict(zip(("occ", "mask", "big", "magic"), row, strict=True)) for row in rows()]
    return [evaluate(tree, row) for row in named for tree in trees]


def test_every_function_is_among_the_formulas():
    trees = [parse(text, word=128).tree for text in FORMULAS]
    used = {node.function for tree in trees for node in walk(tree) if isinstance(node, Call)}
    assert used == set(FUNCTIONS)


@pytest.mark.parametrize("language", COMMANDS)
def test_a_compiled_formula_means_what_the_formula_means(language: str, tmp_path: Path):
    file, commands = COMMANDS[language]
    if shutil.which(commands[0].split()[0]) is None:
        pytest.skip(f"no {commands[0].split()[0]} here")
    (tmp_path / file).write_text(program(language))
    queries = b"".join(word.to_bytes(16, "little") for row in rows() for word in row)
    for command in commands:
        done = subprocess.run(
            command.split(), cwd=tmp_path, input=queries, capture_output=True, check=False
        )
        assert done.returncode == 0, done.stderr.decode()[-2000:]
    wide = [low | high << 64 for low, high in struct.iter_unpack("<QQ", done.stdout)]
    assert wide == answers()


@pytest.mark.parametrize("language", [name for name in LANGUAGES if name not in WIDE])
def test_other_languages_say_that_they_have_no_such_words(language: str):
    spell = printer(language)
    tree = parse("u64(occ & mask) * magic >> 50", word=128).tree
    with pytest.raises(InputError, match="no words of 128 bits"):
        spell.text(tree, {name: f"{name}_LOW[0]" for name in ("occ", "mask", "magic")})


def test_two_words_of_32_bits_are_no_word_of_128():
    names = {"occ": ("high", "low")}
    with pytest.raises(InputError, match="no words of 128 bits"):
        pair(parse("u64(occ)", word=128).tree, names)
