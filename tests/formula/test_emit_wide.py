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

PROGRAMS = Path(__file__).parent / "programs"
FORMULAS = (PROGRAMS / "formulas.txt").read_text("utf-8").splitlines()
"""`big` has 128 bits and is used at 128; `magic` has 64 and is used at both."""
TREES = [parse(text, word=128).tree for text in FORMULAS]

WIDTHS = {"occ": 128, "mask": 128, "big": 128}

WARNINGS = "-O1 -Wall -Wextra -Wno-unused-parameter -Werror"
COMMANDS = {
    "c": ("main.c", [f"gcc -std=c99 {WARNINGS} main.c -o main", "./main"]),
    "c++": ("main.cpp", [f"g++ -std=c++17 {WARNINGS} main.cpp -o main", "./main"]),
    "rust": ("main.rs", ["rustc --edition=2021 -C debug-assertions=on main.rs", "./main"]),
    "javascript": ("main.mjs", ["node main.mjs"]),
    "zig": ("main.zig", ["zig build-exe -lc main.zig", "./main"]),
}
NAMES = ("occ", "mask", "big", "magic")


def rows():
    """Edges and chance: a value for each name."""
    chance = random.Random(20)
    edges = [0, 1, 1 << 63, 1 << 64, 1 << 127, (1 << 64) - 1, (1 << 128) - 1, 3 << 63, 1 << 32]
    found = [(x, y, x ^ y, (x + y) % 2**64) for x in edges for y in edges]
    for _ in range(200):
        few = chance.getrandbits(128) & chance.getrandbits(128) & chance.getrandbits(128)
        words = [chance.getrandbits(128) for _ in range(3)]
        found += [(*words, chance.getrandbits(64)), (few, words[0], words[1], few % 130)]
    return found


def program(language, file):
    """The template of a language, with a function and a call for each formula."""
    spell = printer(language)
    text = (PROGRAMS / file.replace("cpp", "c")).read_text("utf-8")
    if language == "c++":
        text = text.replace("static", "constexpr")
    lines = []
    for line in text.replace("HELPERS", spell.needed(TREES)).splitlines():
        numbered = [line.replace("fN", f"index{n}") for n in range(len(TREES))]
        lines += numbered if "fN" in line else [line]
    text = "\n".join(lines)
    for tree in TREES:
        spelt = spell.text(tree, {name: name for name in NAMES}, WIDTHS)
        text = text.replace("EXPRESSION", spelt, 1)
    return text


def test_every_function_is_among_the_formulas():
    used = {node.function for tree in TREES for node in walk(tree) if isinstance(node, Call)}
    assert used == set(FUNCTIONS)


@pytest.mark.parametrize("language", COMMANDS)
def test_a_compiled_formula_means_what_the_formula_means(language, tmp_path):
    file, commands = COMMANDS[language]
    if shutil.which(commands[0].split()[0]) is None:
        pytest.skip(f"no {commands[0].split()[0]} here")
    (tmp_path / file).write_text(program(language, file))
    queries = b"".join(word.to_bytes(16, "little") for row in rows() for word in row)
    for command in commands:
        done = subprocess.run(
            command.split(), cwd=tmp_path, input=queries, capture_output=True, check=False
        )
        assert done.returncode == 0, done.stderr.decode()[-2000:]
    wide = [low | high << 64 for low, high in struct.iter_unpack("<QQ", done.stdout)]
    named = [dict(zip(NAMES, row, strict=True)) for row in rows()]
    assert wide == [evaluate(tree, row) for row in named for tree in TREES]


@pytest.mark.parametrize("language", [name for name in LANGUAGES if name not in WIDE])
def test_other_languages_say_that_they_have_no_such_words(language):
    spell = printer(language)
    tree = parse("u64(occ & mask) * magic >> 50", word=128).tree
    with pytest.raises(InputError, match="no words of 128 bits"):
        spell.text(tree, {name: f"{name}_LOW[0]" for name in ("occ", "mask", "magic")})


def test_two_words_of_32_bits_are_no_word_of_128():
    names = {"occ": ("high", "low")}
    with pytest.raises(InputError, match="no words of 128 bits"):
        pair(parse("u64(occ)", word=128).tree, names)
