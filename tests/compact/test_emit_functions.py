"""Formulas in every language, compiled and run: each means what magicert's own reading means."""

import random
import struct
from collections.abc import Callable, Sequence
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

WARNINGS = "-O1 -Wall -Wextra -Wno-unused-parameter -Werror"
PROGRAMS = Path(__file__).parent / "programs" / "formulas"
"""fN is there once for each formula, HELPERS are what they call."""
COMMANDS = {
    "c": ("main.c", [f"gcc -std=c99 {WARNINGS} main.c -o main", "./main"]),
    "c++": ("main.c", [f"g++ -std=c++17 {WARNINGS} -x c++ main.c -o main", "./main"]),
    "rust": ("main.rs", ["rustc --edition=2021 -C debug-assertions=on main.rs", "./main"]),
    "go": ("main.go", ["go run main.go"]),
    "java": ("Main.java", ["javac Main.java", "java Main"]),
    "javascript": ("main.mjs", ["node main.mjs"]),
    "javascript-32": ("main.32.mjs", ["node main.32.mjs"]),
    "zig": ("main.zig", ["zig build-exe -lc main.zig", "./main"]),
}


def pairs() -> list[tuple[int, int]]:
    """Edges and chance, in words and amounts."""
    chance = random.Random(20)
    edges = [0, 1, 2, 31, 32, 33, 63, 64, 1 << 31, 1 << 32, 1 << 63, (1 << 32) - 1, (1 << 64) - 1]
    edges.append(0xFFFFFFFF00000000)
    found = [(x, y) for x in edges for y in edges]
    for _ in range(200):
        few = chance.getrandbits(64) & chance.getrandbits(64) & chance.getrandbits(64)
        found += [(chance.getrandbits(64), chance.getrandbits(64)), (few, chance.randrange(130))]
    return found


NAMES = {"occ": "occ", "mask": "mask"}


class Every:
    """Calls of everything."""

    def __contains__(self, _: object) -> bool:
        return True


def program(language: str, trees: Sequence[Node]) -> str:
    """One function for each tree, and a loop that answers all of them for each pair read."""
    spell, lines = printer(language), []
    text = (PROGRAMS / COMMANDS[language][0]).read_text().replace("COUNT", str(len(trees)))
    if language == "c++":
        text = text.replace("static", "constexpr")
    for line in text.splitlines():
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
            shown = spell.text(tree, NAMES)
        if language == "java" and tree.width == 32:
            shown = spell.put(spell.dialect.widened, f"({shown})")
        text = text.replace("EXPRESSION", shown, 1)
    return text


def test_every_function_is_among_the_formulas():
    trees = [parse(text).tree for text in FORMULAS]
    used = {node.function for tree in trees for node in walk(tree) if isinstance(node, Call)}
    assert used == set(FUNCTIONS)


@pytest.mark.parametrize("language", COMMANDS)
def test_a_compiled_formula_means_what_the_formula_means(
    language: str, ran: Callable[..., bytes], tmp_path: Path
):
    file, commands = COMMANDS[language]
    texts = FORMULAS + (() if language == "javascript-32" else VARIABLE_SHIFTS)
    trees = [parse(text).tree for text in texts]
    (tmp_path / file).write_text(program(language, trees))
    queries = b"".join(struct.pack("<QQ", *pair) for pair in pairs())
    words = [evaluate(tree, {"occ": x, "mask": y}) for x, y in pairs() for tree in trees]
    assert ran(tmp_path, *commands, queries=queries) == struct.pack(f"<{len(words)}Q", *words)


def test_helpers_of_typescript_are_those_of_javascript_with_types_and_stand_where_they_are_used():
    trees = [parse(text).tree for text in FORMULAS]
    typed, plain = (printer(each).needed(trees) for each in ("typescript", "javascript"))
    assert typed != plain
    assert typed.replace(": bigint", "") == plain
    for language in LANGUAGES:
        assert printer(language).needed([parse("(occ | ~mask) & mask").tree]) == ""


@pytest.mark.parametrize(
    ("language", "text", "expression"),
    [
        ("csharp", "ctz(occ)", "(ulong)BitOperations.TrailingZeroCount(occ)"),
        ("csharp", "rol64(occ, mask)", "BitOperations.RotateLeft(occ, unchecked((int)(mask)))"),
        ("csharp", "bswap64(occ)", "BinaryPrimitives.ReverseEndianness(occ)"),
        ("swift", "ctz(u32(occ))",
         "UInt64((UInt32(truncatingIfNeeded: occ)).trailingZeroBitCount)"),
        ("swift", "bswap64(occ)", "occ.byteSwapped"),
    ],
)  # fmt: skip
def test_functions_are_what_the_language_calls_them(language: str, text: str, expression: str):
    assert printer(language).text(parse(text).tree, NAMES) == expression
