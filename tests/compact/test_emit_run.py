"""Emitted sources, compiled and run over all lookups where their toolchain is present."""

import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from magicert.compact.emit import LANGUAGES, Unit, binary, make_unit
from magicert.data import find_table
from magicert.table import Table, read_table, write_table

ROOKS = 102_400

C_MAIN = """
#include <stdio.h>
int main(void) {
    uint64_t query[2];
    INIT
    for (long n = 0; fread(query, 8, 2, stdin) == 2; n++) {
        uint64_t attacks = n < ROOKS ? rook_attacks((unsigned)query[0], query[1])
                                  : bishop_attacks((unsigned)query[0], query[1]);
        fwrite(&attacks, 8, 1, stdout);
    }
    return 0;
}
""".replace("ROOKS", str(ROOKS))

RUST_MAIN = """
use std::io::{Read, Write};
fn main() {
    let mut input = Vec::new();
    std::io::stdin().read_to_end(&mut input).unwrap();
    INIT
    let word = |n: usize| u64::from_le_bytes(input[8 * n..8 * n + 8].try_into().unwrap());
    let mut output = Vec::new();
    for n in 0..input.len() / 16 {
        let (square, occ) = (word(2 * n) as usize, word(2 * n + 1));
        let rook = n < ROOKS;
        let attacks =
            if rook { PREFIXrook_attacks(square, occ) } else { PREFIXbishop_attacks(square, occ) };
        output.extend_from_slice(&attacks.to_le_bytes());
    }
    std::io::stdout().write_all(&output).unwrap();
}
""".replace("ROOKS", str(ROOKS))

JAVA_MAIN = """
import java.nio.*;
public class Main {
    public static void main(String[] arguments) throws Exception {
        ByteBuffer in = ByteBuffer.wrap(System.in.readAllBytes()).order(ByteOrder.LITTLE_ENDIAN);
        ByteBuffer out = ByteBuffer.allocate(in.capacity() / 2).order(ByteOrder.LITTLE_ENDIAN);
        for (int n = 0; in.hasRemaining(); n++) {
            int square = (int) in.getLong();
            long occ = in.getLong();
            boolean rook = n < ROOKS;
            long attacks = rook
                ? Attacks.rookAttacks(square, occ) : Attacks.bishopAttacks(square, occ);
            out.putLong(attacks);
        }
        System.out.write(out.array());
        System.out.flush();
    }
}
""".replace("ROOKS", str(ROOKS))

JS_MAIN = """
import { rookAttacks, bishopAttacks } from "./MODULE";
import { readFileSync, writeFileSync } from "node:fs";
const bytes = readFileSync(process.argv[2]);
const input = new BigUint64Array(bytes.buffer, bytes.byteOffset, bytes.length / 8);
const output = new BigUint64Array(input.length / 2);
for (let n = 0; n < output.length; n++)
  output[n] = (n < ROOKS ? rookAttacks : bishopAttacks)(Number(input[2 * n]), input[2 * n + 1]);
writeFileSync(process.argv[3], Buffer.from(output.buffer));
""".replace("ROOKS", str(ROOKS))

JS_WORDS_MAIN = """
import { rookAttacks, bishopAttacks } from "./MODULE";
import { readFileSync, writeFileSync } from "node:fs";
const bytes = readFileSync(process.argv[2]);
const input = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
const output = new Uint32Array(input.length / 2);
for (let n = 0; n < output.length / 2; n++) {
  const lookup = n < ROOKS ? rookAttacks : bishopAttacks;
  const [high, low] = lookup(input[4 * n], input[4 * n + 3], input[4 * n + 2]);
  output[2 * n] = low;
  output[2 * n + 1] = high;
}
writeFileSync(process.argv[3], Buffer.from(output.buffer));
""".replace("ROOKS", str(ROOKS))

GO_MAIN = """
package main
import ("bufio"; "encoding/binary"; "os"; "magics/attacks")
func main() {
	in, out := bufio.NewReader(os.Stdin), bufio.NewWriter(os.Stdout)
	defer out.Flush()
	var query [2]uint64
	for n := 0; binary.Read(in, binary.LittleEndian, &query) == nil; n++ {
		lookup := attacks.BishopAttacks
		if n < ROOKS {
			lookup = attacks.RookAttacks
		}
		binary.Write(out, binary.LittleEndian, lookup(int(query[0]), query[1]))
	}
}
""".replace("ROOKS", str(ROOKS))

ZIG_MAIN = """
const attacks = @import("attacks.zig");
extern "c" fn read(i32, [*]u8, usize) isize;
extern "c" fn write(i32, [*]const u8, usize) isize;
pub fn main() void {
    INIT
    var query: [2]u64 = undefined;
    var n: usize = 0;
    while (read(0, @ptrCast(&query), 16) == 16) : (n += 1) {
        const square: usize = @intCast(query[0]);
        const rook = n < ROOKS;
        const found = if (rook)
            attacks.rookAttacks(square, query[1])
        else
            attacks.bishopAttacks(square, query[1]);
        _ = write(1, @ptrCast(&found), 8);
    }
}
""".replace("ROOKS", str(ROOKS))

STRIP_TYPES = r"""
import { readFileSync, writeFileSync } from "node:fs";
// Only what the emitter writes: ": readonly bigint[]", ": number", ": BigUint64Array" ...
const source = readFileSync(process.argv[2], "utf8");
writeFileSync(process.argv[3], source.replace(
  /: (readonly )?(bigint|number|BigUint64Array|Uint8Array)(\[\])*(?=[ ,)])/g, ""));
"""

NEEDS = {
    "c": ["gcc"], "c++": ["g++"], "rust": ["rustc"], "java": ["javac", "java"],
    "javascript": ["node"], "javascript-32": ["node"], "typescript": ["node"], "python": [],
    "go": ["go"], "zig": ["zig"],
}  # fmt: skip


def run(folder: Path, *command: str | Path, **options: Any) -> bytes:
    done = subprocess.run(command, cwd=folder, capture_output=True, check=False, **options)
    assert done.returncode == 0, done.stderr.decode()[-2000:]
    return done.stdout


def c_like(folder: Path, source: str, literal: bool, compiler: str, *flags: str) -> None:
    suffix = ".cpp" if compiler == "g++" else ".c"
    main = C_MAIN.replace("INIT", "" if literal else "init_attacks();")
    (folder / f"main{suffix}").write_text(source + main)
    run(folder, compiler, *flags, "-Wall", "-Wextra", "-Werror", f"main{suffix}", "-o", "main")


def answer(language: str, folder: Path, unit: Unit, literal: bool, lookups: Any) -> bytes:
    """All lookups by the emitted program."""
    source = LANGUAGES[language].emit(unit, literal)
    queries = lookups.queries
    match language:
        case "c":
            c_like(folder, source, literal, "gcc", "-std=c99", "-O1")
        case "c++":
            c_like(folder, source, literal, "g++", "-std=c++17", "-O1")
        case "rust":
            main = RUST_MAIN.replace("INIT", "" if literal else "let table = Attacks::new();")
            main = main.replace("PREFIX", "" if literal else "table.")
            (folder / "main.rs").write_text(source + main)
            # Debug assertions on: arithmetic that does not wrap in so many words panics.
            run(
                folder,
                "rustc",
                "--edition=2021",
                "-C",
                "debug-assertions=on",
                "-C",
                "opt-level=1",
                "main.rs",
            )
        case "java":
            (folder / "Attacks.java").write_text(source)
            (folder / "Main.java").write_text(JAVA_MAIN)
            run(folder, "javac", "Main.java", "Attacks.java")
            return run(folder, "java", "-XX:TieredStopAtLevel=1", "Main", input=queries)
        case "javascript" | "javascript-32" | "typescript":
            module = "attacks.mjs"
            if language == "typescript":
                (folder / "attacks.ts").write_text(source)
                (folder / "strip.mjs").write_text(STRIP_TYPES)
                run(folder, "node", "strip.mjs", "attacks.ts", module)
            else:
                (folder / module).write_text(source)
            main = JS_WORDS_MAIN if language == "javascript-32" else JS_MAIN
            (folder / "main.mjs").write_text(main.replace("MODULE", module))
            (folder / "queries").write_bytes(queries)
            run(folder, "node", "main.mjs", "queries", "answers")
            return (folder / "answers").read_bytes()
        case "go":
            (folder / "go.mod").write_text("module magics\n\ngo 1.18\n")
            (folder / "attacks").mkdir()
            (folder / "attacks" / "attacks.go").write_text(source)
            (folder / "main.go").write_text(GO_MAIN)
            run(folder, "go", "vet", "./attacks")
            run(folder, "go", "build", "-o", "main", ".")
        case "zig":
            (folder / "attacks.zig").write_text(source)
            main = ZIG_MAIN.replace("INIT", "" if literal else "attacks.init();")
            (folder / "main.zig").write_text(main)
            run(folder, "zig", "build-exe", "-lc", "main.zig")
        case "python":
            scope = {}
            exec(compile(source, "emitted.py", "exec"), scope)
            looked_up = [
                scope["rook_attacks" if n < ROOKS else "bishop_attacks"](*pair)
                for n, pair in enumerate(lookups.pairs)
            ]
            return b"".join(word.to_bytes(8, "little") for word in looked_up)
    return run(folder, Path(folder) / "main", input=queries)


@pytest.fixture(scope="session")
def black():
    return make_unit(read_table(find_table("cfish_black")), "magicert emit test")


@pytest.mark.parametrize("literal", [False, True], ids=["fill", "literal"])
@pytest.mark.parametrize("language", NEEDS)
def test_an_emitted_program_answers_all_lookups(
    language: str, literal: bool, black: Unit, all_lookups: Any, tmp_path: Path
):
    missing = [tool for tool in NEEDS[language] if shutil.which(tool) is None]
    if missing:
        pytest.skip(f"no {missing[0]} here")
    assert answer(language, tmp_path, black, literal, all_lookups) == all_lookups.answers


@pytest.fixture(scope="session")
def bytes_of_black():
    return make_unit(read_table(find_table("black_two_level")), "magicert emit test")


@pytest.mark.parametrize("literal", [False, True], ids=["fill", "literal"])
@pytest.mark.parametrize("language", NEEDS)
def test_a_two_level_program_answers_all_lookups(
    language: str, literal: bool, bytes_of_black: Unit, all_lookups: Any, tmp_path: Path
):
    missing = [tool for tool in NEEDS[language] if shutil.which(tool) is None]
    if missing:
        pytest.skip(f"no {missing[0]} here")
    answers = answer(language, tmp_path, bytes_of_black, literal, all_lookups)
    assert answers == all_lookups.answers


@pytest.fixture(scope="session")
def half_of_black(half_board: Table, tmp_path_factory: pytest.TempPathFactory):
    path = tmp_path_factory.mktemp("half") / "half.toml"
    write_table(half_board, path)
    return make_unit(read_table(path), "magicert emit test")


@pytest.mark.parametrize("literal", [False, True], ids=["fill", "literal"])
@pytest.mark.parametrize("language", NEEDS)
def test_a_half_board_answers_the_lookups_of_the_whole(
    language: str, literal: bool, half_of_black: Unit, all_lookups: Any, tmp_path: Path
):
    missing = [tool for tool in NEEDS[language] if shutil.which(tool) is None]
    if missing:
        pytest.skip(f"no {missing[0]} here")
    answers = answer(language, tmp_path, half_of_black, literal, all_lookups)
    assert answers == all_lookups.answers


@pytest.fixture(scope="session")
def turned(tmp_path_factory: pytest.TempPathFactory):
    """The same table by all functions of the formula language, which undo one another."""
    index = (
        "rol32(rol32(((bswap64(bswap64(rol64(rol64(occ | ~mask, popcount(mask)), -popcount(mask))))"
        " * magic) >> (64 - bits)) + ctz(mask ^ mask) - 64, 8), -8)"
    )
    plain = "((occ | ~mask) * magic) >> (64 - bits)"
    text = find_table("cfish_black").read_text()
    assert text.count(plain) == 2
    path = tmp_path_factory.mktemp("turned") / "turned.toml"
    path.write_text(text.replace(plain, index))
    return make_unit(read_table(path), "magicert emit test")


@pytest.mark.parametrize("language", NEEDS)
def test_a_table_of_functions_answers_all_lookups(
    language: str, turned: Unit, all_lookups: Any, tmp_path: Path
):
    missing = [tool for tool in NEEDS[language] if shutil.which(tool) is None]
    if missing:
        pytest.skip(f"no {missing[0]} here")
    assert answer(language, tmp_path, turned, False, all_lookups) == all_lookups.answers


@pytest.mark.parametrize("table", ["stockfish21_32", "glaurung32", "bbc"])
def test_other_formulas_and_square_orders_in_c(table: str, all_lookups: Any, tmp_path: Path):
    if shutil.which("gcc") is None:
        pytest.skip("no gcc here")
    # bbc counts its squares from a8; the lookups are symmetric, so its answers must be right
    # in its own numbering as well.
    unit = make_unit(read_table(find_table(table)), "magicert emit test")
    assert answer("c", tmp_path, unit, False, all_lookups) == all_lookups.answers


def test_the_fill_routine_stops_at_a_write_that_changes_an_entry(black: Unit, tmp_path: Path):
    if shutil.which("gcc") is None:
        pytest.skip("no gcc here")
    source = LANGUAGES["c"].emit(black, literal=False)
    magic = black.pieces[0].columns[1].values[0]
    broken = source.replace(f"UINT64_C(0x{magic:x})", f"UINT64_C(0x{magic ^ 1 << 30:x})")
    assert broken != source
    (tmp_path / "main.c").write_text(broken + C_MAIN.replace("INIT", "init_attacks();"))
    run(tmp_path, "gcc", "-O1", "main.c", "-o", "main")
    # No core file: the abort is what is wanted.
    done = subprocess.run([tmp_path / "main"], input=b"", capture_output=True, check=False)
    assert done.returncode != 0
    assert b"Assertion" in done.stderr


def test_the_binary_is_the_buffer(black: Unit, all_lookups: Any):
    words = np.frombuffer(binary(black), dtype="<u8")
    assert len(words) == 87_988
    assert set(words[words != 0].tolist()) == set(all_lookups.attacks)
