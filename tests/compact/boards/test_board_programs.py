"""Emitted tables of other boards and pieces: gcc, g++ and rustc compile them, all lookups run.

One program a language holds all tables, so that one compilation tries them all; their own self-test
runs when they are filled.
"""

import shutil
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from magicert.compact.emit import make_unit, printer
from magicert.table import read_table

Asked = Any
"""The lookups of a piece, as conftest says them."""
AllAsked = Callable[[Path], list[Asked]]

WARNINGS = ["-Wall", "-Wextra", "-Wshadow", "-Wconversion", "-Wpedantic", "-Werror"]
LOW = (1 << 64) - 1

READ = """
static int next(uint64_t *q) { return fread(q, 8, 3, stdin) == 3; }
static int told(uint64_t low, uint64_t high) {
    uint64_t words[2] = {low, high};
    return fwrite(words, 8, 2, stdout) == 2;
}
#define HIGH(x) (uint64_t)(sizeof(x) > 8 ? (x) >> (8 * sizeof(x) - 64) : 0)
#define UP(type, word) (sizeof(type) > 8 ? (type)(word) << (8 * sizeof(type) - 64) : 0)
#define BOTH(type, q) (type)(UP(type, q[2]) | q[1])
"""


def bytes_of(words: Sequence[Sequence[int]]) -> bytes:
    return b"".join(word.to_bytes(8, "little") for row in words for word in row)


def compiled(command: Sequence[str | Path], folder: Path) -> None:
    if shutil.which(str(command[0])) is None:
        pytest.skip(f"there is no {command[0]}")
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[:3000]


def c_program(pieces: list[Asked], call: Callable[[Asked], str]) -> str:
    """The loops over the lookups, in C and C++; both are asked piece by piece."""
    loops = []
    for piece in pieces:
        kind = "unsigned __int128" if piece.wide else "uint64_t"
        loops.append(
            f"    for (long n = 0; n < {len(piece.queries)}; n++) {{\n"
            f"        if (!next(q)) return 1;\n"
            f"        {kind} found = {call(piece)}((unsigned)q[0], BOTH({kind}, q));\n"
            f"        if (!told((uint64_t)found, HIGH(found))) return 1;\n    }}\n"
        )
    return "".join(loops)


def built_c(folder: Path, tables: dict[str, Path], pieces: list[Asked], literal: bool) -> Path:
    includes, starts = [], []
    for name, path in tables.items():
        text = printer("c", f"{name}_", name).emit(make_unit(read_table(path), "test"), literal)
        (folder / f"{name}.h").write_text(text)
        includes.append(f'#define {name.upper()}_IMPLEMENTATION\n#include "{name}.h"\n')
        starts.append(f"    {name}_init();\n")
    loops = c_program(pieces, lambda piece: f"{piece.table}_{piece.function}")
    pragma = '#pragma GCC diagnostic ignored "-Wpedantic"\n#pragma GCC diagnostic ignored'
    main = (
        f"#include <stdio.h>\n#include <stdint.h>\n{''.join(includes)}{pragma} "
        f'"-Wshift-count-overflow"\n{READ}int main(void) {{\n    uint64_t q[3];\n'
        f"{''.join(starts)}{loops}    return 0;\n}}\n"
    )
    (folder / "main.c").write_text(main)
    compiled(["gcc", "-O1", "-DNDEBUG", "-std=c99", *WARNINGS, "main.c", "-o", "run_c"], folder)
    return folder / "run_c"


def built_cpp(folder: Path, tables: dict[str, Path], pieces: list[Asked], literal: bool) -> Path:
    includes = []
    for name, path in tables.items():
        unit = make_unit(read_table(path), "test")
        (folder / f"{name}.hpp").write_text(printer("c++", name, name).emit(unit, literal))
        includes.append(f'#include "{name}.hpp"\n')
    loops = c_program(pieces, lambda piece: f"{piece.table}::{piece.function}")
    pragma = '#pragma GCC diagnostic ignored "-Wpedantic"\n#pragma GCC diagnostic ignored'
    main = (
        f"#include <cstdio>\n#include <cstdint>\n{''.join(includes)}{pragma} "
        f'"-Wshift-count-overflow"\nusing std::uint64_t;\n{READ}int main() {{\n'
        f"    uint64_t q[3];\n{loops}    return 0;\n}}\n"
    )
    (folder / "main.cpp").write_text(main)
    command = ["g++", "-O1", "-DNDEBUG", "-std=c++17", *WARNINGS, "main.cpp", "-o", "run_cpp"]
    compiled(command, folder)
    return folder / "run_cpp"


def built_rust(folder: Path, tables: dict[str, Path], pieces: list[Asked], literal: bool) -> Path:
    modules, calls = [], []
    for name, path in tables.items():
        unit = make_unit(read_table(path), "test")
        (folder / f"{name}.rs").write_text(printer("rust", None, name).emit(unit, literal))
        modules.append(f"#[rustfmt::skip]\nmod {name};\n")
    for piece in pieces:
        kind = "u128" if piece.wide else "u64"
        calls.append(
            f"    for _ in 0..{len(piece.queries)} {{\n        let (square, occ) = next(&mut at);\n"
            f"        let found = {piece.table}::{piece.function}(square, occ as {kind});\n"
            "        output.extend(u128::from(found).to_le_bytes());\n    }\n"
        )
    main = (
        f"{''.join(modules)}use std::io::{{Read, Write}};\nfn main() {{\n"
        "    let mut input = Vec::new();\n    std::io::stdin().read_to_end(&mut input).unwrap();\n"
        "    let bytes = |n: usize| input[8 * n..8 * n + 8].try_into().unwrap();\n"
        "    let word = |n: usize| u64::from_le_bytes(bytes(n));\n"
        "    let next = |at: &mut usize| {\n        *at += 3;\n"
        "        let occ = u128::from(word(*at - 1)) << 64 | u128::from(word(*at - 2));\n"
        "        (word(*at - 3) as usize, occ)\n    };\n"
        f"    let mut at = 0;\n    let mut output = Vec::new();\n{''.join(calls)}"
        "    std::io::stdout().write_all(&output).unwrap();\n}\n"
    )
    (folder / "main.rs").write_text(main)
    command = ["rustc", "--edition", "2021", "-O", "-D", "warnings", "main.rs", "-o", "run_rust"]
    compiled(command, folder)
    return folder / "run_rust"


BUILT = {"c": built_c, "c++": built_cpp, "rust": built_rust}


def right(
    asked: AllAsked, language: str, folder: Path, tables: dict[str, Path], literal: bool = False
) -> int:
    """Compile all tables, and run all their lookups; how many there were."""
    pieces = [piece for path in tables.values() for piece in asked(path)]
    program = BUILT[language](folder, tables, pieces, literal)
    queries = [(bit, occ & LOW, occ >> 64) for piece in pieces for bit, occ in piece.queries]
    answers = [(a & LOW, a >> 64) for piece in pieces for a in piece.answers]
    done = subprocess.run([program], input=bytes_of(queries), capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout == bytes_of(answers)
    return len(queries)


@pytest.mark.parametrize("literal", [False, True])
@pytest.mark.parametrize("language", BUILT)
def test_every_lookup_of_every_kind_of_piece(
    asked: AllAsked, small: dict[str, Path], tmp_path: Path, language: str, literal: bool
) -> None:
    if literal and language == "c":
        pytest.skip("its finished buffers are those of C++")
    assert right(asked, language, tmp_path, small, literal) > 8_000


@pytest.mark.slow
@pytest.mark.parametrize("language", BUILT)
@pytest.mark.parametrize("name", ["haitaka_rook", "pikafish_cannon", "fairy_cannon_diag"])
def test_large_tables(
    asked: AllAsked, shipped: Callable[[str], Path], tmp_path: Path, language: str, name: str
) -> None:
    assert right(asked, language, tmp_path, {name: shipped(name)}) > 200_000
