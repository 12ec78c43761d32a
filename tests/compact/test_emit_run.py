"""Emitted sources in projects of two files, with names that engines use, over all lookups.

The projects take the code lines of each source's usage comment as they are: what the comment
says compiles. One project a language holds all tables, so that one compilation tries them all.
"""

import os
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from magicert.compact.emit import LANGUAGES, Unit, binary, make_unit
from magicert.data import find_table
from magicert.table import Table, read_table, write_table

ROOKS, LOOKUPS = 102_400, 107_648
FORMS = (False, True)
"""Filled by the program, and literal."""


@dataclass(frozen=True)
class Project:
    """How one language's project is written, compiled and run.

    A line or a file name with an @ is there once for each table: @N is its number, @HEAD what
    its usage comment has at the top of a file (@SHARED: of all files but one), @ONCE what it
    calls once, @ROOK its lookup, and @BISHOP the same for bishops.
    """

    files: dict[str, str]
    commands: tuple[str, ...]
    source: str = "v@N"
    """Where an emitted source goes, without the ending."""
    scope: str | None = None
    without: tuple[str, ...] = ()
    """What the compilers here have not: a source that says it is left out."""

    @property
    def tools(self) -> list[str]:
        """The programs that it needs."""
        return [command.split()[0] for command in self.commands if command[0] != "."]


C_NAMES = """
enum PieceType { NO_PIECE_TYPE, PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING, ALL_PIECES };
enum Square { A1, B1, C1, NO_SQUARE = 64 };
typedef uint64_t Bitboard;
typedef struct { Bitboard mask, magic; unsigned shift; Bitboard *attacks; } Magic;
static Magic rook_magics[64], bishop_magics[64], RookMagics[64];
static Bitboard RookTable[4], attacks_of[8], rook_sets[2], ROOK_MASK[64], BISHOP_MAGIC[64];
static const int steps[4] = {8, 1, -8, -1};
static inline Bitboard rook_attacks(int square) { return RookTable[square & 3] + ROOK_MASK[0]; }
static inline Bitboard walk(int square) { return attacks_of[square & 7] + (Bitboard)steps[0]; }
static inline Bitboard check(void) {
    return rook_magics[0].mask + bishop_magics[0].mask + RookMagics[0].mask + rook_sets[0]
        + BISHOP_MAGIC[0] + rook_attacks(A1) + walk(B1) + (Bitboard)ROOK + (Bitboard)BISHOP;
}
"""

C_ENGINE = f"""#include <stdint.h>
#include <stdio.h>
@HEAD
{C_NAMES}
uint64_t bishops@N(unsigned square, uint64_t occupied);
static uint64_t rooks@N(unsigned square, uint64_t occupied) {{ @ROOK return attacks; }}
static uint64_t queries[2 * {LOOKUPS}];
int main(void) {{
    if (fread(queries, 16, {LOOKUPS}, stdin) != {LOOKUPS} || check() == 0) return 1;
    @ONCE
    for (long n = 0; n < {LOOKUPS}; n++) {{
        unsigned square = (unsigned)queries[2 * n];
        uint64_t occ = queries[2 * n + 1], found;
        found = n < {ROOKS} ? rooks@N(square, occ) : bishops@N(square, occ); PUT
    }}
    return 0;
}}
""".replace("PUT", "fwrite(&found, 8, 1, stdout);")

C_MOVEGEN = f"""@SHARED
@SHARED
{C_NAMES}
uint64_t bishops@N(unsigned square, uint64_t occupied);
uint64_t bishops@N(unsigned square, uint64_t occupied) {{ @BISHOP return attacks + 0 * check(); }}
"""

C_FLAGS = "-O1 -DNDEBUG -Wall -Wextra -Wshadow -Wconversion -Wpedantic -Werror"

RUST_MAIN = f"""@HEAD
mod movegen;
use std::io::{{Read, Write}};
#[derive(Clone, Copy)]
pub enum PieceType {{ Bishop, Rook }}
pub static ROOK: PieceType = PieceType::Rook;
pub static BISHOP: PieceType = PieceType::Bishop;
fn rooks@N(square: usize, occupied: u64) -> u64 {{ @ROOK attacks }}
fn main() {{
    let mut input = Vec::new();
    std::io::stdin().read_to_end(&mut input).unwrap();
    let word = |n: usize| u64::from_le_bytes(input[8 * n..8 * n + 8].try_into().unwrap());
    let mut output = Vec::new();
    for n in 0..input.len() / 16 {{
        let (square, occ) = (word(2 * n) as usize, word(2 * n + 1));
        let piece = if n < {ROOKS} {{ ROOK }} else {{ BISHOP }};
        let rook = matches!(piece, PieceType::Rook);
        let f = if rook {{ rooks@N }} else {{ movegen::bishops@N }}; PUT
    }}
    std::io::stdout().write_all(&output).unwrap();
}}
""".replace("PUT", "output.extend(f(square, occ).to_le_bytes());")

JAVA_MAIN = f"""import engine.magics.*;
import java.nio.*;
public class Main {{
    enum PieceType {{ PAWN, BISHOP, ROOK }}
    static long rooks@N(int square, long occupied) {{ @ROOK return attacks; }}
    public static void main(String[] arguments) throws Exception {{
        ByteBuffer in = ByteBuffer.wrap(System.in.readAllBytes()).order(ByteOrder.LITTLE_ENDIAN);
        ByteBuffer out = ByteBuffer.allocate(in.capacity() / 2 * TABLES);
        out.order(ByteOrder.LITTLE_ENDIAN);
        for (int n = 0; in.hasRemaining(); n++) {{
            int square = (int) in.getLong();
            long occ = in.getLong();
            out.putLong(n < {ROOKS} ? rooks@N(square, occ) : Movegen.bishops@N(square, occ));
        }}
        System.out.write(out.array());
        System.out.flush();
    }}
}}
"""

CSHARP_MAIN = f"""
using System;
using System.IO;
public enum PieceType {{ Pawn, Bishop, Rook }}
public static class Program {{
    static ulong Rooks@N(int square, ulong occupied) {{ @ROOK return attacks; }}
    public static void Main() {{
        var input = new BinaryReader(Console.OpenStandardInput());
        var output = new BinaryWriter(Console.OpenStandardOutput());
        for (int n = 0; n < {LOOKUPS}; n++) {{
            int square = (int)input.ReadUInt64();
            ulong occ = input.ReadUInt64();
            output.Write(n < {ROOKS} ? Rooks@N(square, occ) : Movegen.Bishops@N(square, occ));
        }}
        output.Flush();
    }}
}}
"""

GO_MAIN = f"""package main

import "encoding/binary"
import "bufio"
import "os"
import "engine/v@N"

type PieceType int

const (
	Pawn PieceType = iota
	Bishop
	Rook
)

var rookMagics, walk, attacks = [64]uint64{{}}, Rook, Bishop

func rooks@N(square int, occupied uint64) uint64 {{ @ROOK; return attacks }}

func main() {{
	in, out := bufio.NewReader(os.Stdin), bufio.NewWriter(os.Stdout)
	defer out.Flush()
	var query [2]uint64
	for n := 0; binary.Read(in, binary.LittleEndian, &query) == nil; n++ {{
		square, occ := int(query[0]), query[1]+rookMagics[walk-attacks]
		if n < {ROOKS} {{
			binary.Write(out, binary.LittleEndian, rooks@N(square, occ))
		}} else {{
			binary.Write(out, binary.LittleEndian, bishops@N(square, occ))
		}}
	}}
}}
"""

GO_MOVEGEN = """package main

import "engine/v@N"

func bishops@N(square int, occupied uint64) uint64 { @BISHOP; return attacks }
"""

ZIG_MAIN = f"""const movegen = @import("movegen.zig");
@HEAD
pub const PieceType = enum {{ pawn, bishop, rook }};
extern "c" fn read(i32, [*]u8, usize) isize;
extern "c" fn write(i32, [*]const u8, usize) isize;
fn rooks@N(square: usize, occupied: u64) u64 {{ @ROOK return attacks; }}
pub fn main() void {{
    @ONCE
    var query: [2]u64 = undefined;
    var n: usize = 0;
    while (read(0, @ptrCast(&query), 16) == 16) : (n += 1) {{
        const square: usize = @intCast(query[0]);
        const occ = query[1];
        const rook = n < {ROOKS};
        {{ const found = if (rook) rooks@N(square, occ) else movegen.bishops@N(square, occ); PUT }}
    }}
}}
""".replace("PUT", "_ = write(1, @ptrCast(&found), 8);")

JS_MAIN = f"""import {{ rooks as rooks@N }} from "./rooks@N.mjs";
import {{ bishops as bishops@N }} from "./bishops@N.mjs";
import {{ readFileSync, writeSync }} from "node:fs";
const bytes = readFileSync(0);
const input = new BigUint64Array(new Uint8Array(bytes).buffer);
const output = new BigUint64Array(input.length / 2 * TABLES);
let place = 0;
for (let n = 0; n < input.length / 2; n++) {{
  const square = Number(input[2 * n]), occ = input[2 * n + 1];
  output[place++] = n < {ROOKS} ? rooks@N(square, occ) : bishops@N(square, occ);
}}
const answers = new Uint8Array(output.buffer);
for (let start = 0; start < answers.length;) start += writeSync(1, answers, start);
"""

WORDS = """@HEAD
export function NAME(square, occupied) {
  const occupiedHigh = Number(occupied >> 32n), occupiedLow = Number(occupied & 0xffffffffn);
  @LOOKUP
  return BigInt(high) << 32n | BigInt(low);
}
"""


def javascript(name: str, lookup: str, text: str) -> str:
    return text.replace("NAME", name).replace("@LOOKUP", lookup)


PLAIN = "@HEAD\nexport function NAME(square, occupied) { @LOOKUP return attacks; }\n"

PROJECTS = {
    "c": Project(
        {"engine.c": C_ENGINE, "movegen.c": C_MOVEGEN},
        (f"gcc -std=c99 {C_FLAGS} engine.c movegen.c -o main", "./main"),
        scope="v@N_",
    ),
    "c++": Project(
        {"engine.cpp": C_ENGINE, "movegen.cpp": C_MOVEGEN},
        # Without optimisation: what is inlined hides two copies of a table.
        (f"g++ -std=c++17 {C_FLAGS} -O0 engine.cpp movegen.cpp -o main", "./main"),
        scope="engine::v@N",
    ),
    "rust": Project(
        {
            "main.rs": RUST_MAIN,
            "movegen.rs": "use crate::v@N;\n"
            "pub fn bishops@N(square: usize, occupied: u64) -> u64 { @BISHOP attacks }\n",
        },
        # Debug assertions on: arithmetic that does not wrap in so many words panics.
        ("rustc --edition=2021 -Dwarnings -Cdebug-assertions=on -Copt-level=1 main.rs", "./main"),
    ),
    "java": Project(
        {
            "Main.java": JAVA_MAIN,
            "Movegen.java": "import engine.magics.*;\nclass Movegen {\n"
            "static long bishops@N(int square, long occupied) { @BISHOP return attacks; }\n}\n",
        },
        ("javac -Xlint:all -Werror Main.java", "java -XX:TieredStopAtLevel=1 Main"),
        source="engine/magics/v@N",
        scope="engine.magics",
    ),
    "csharp": Project(
        {
            "Main.cs": CSHARP_MAIN,
            "Movegen.cs": "public static class Movegen {\n public static "
            "ulong Bishops@N(int square, ulong occupied) { @BISHOP return attacks; }\n}\n",
        },
        ("mcs -checked+ -warnaserror -out:main.exe -recurse:*.cs", "mono main.exe"),
        scope="Engine.Magics",
        without=("System.Numerics", "System.Buffers"),  # Mono's library is an older one
    ),
    "go": Project(
        {"go.mod": "module engine\n\ngo 1.18\n", "main.go": GO_MAIN, "movegen.go": GO_MOVEGEN},
        ("go vet ./...", "go build -o main .", "./main"),
        source="v@N/v@N",
        scope="v@N",
    ),
    "zig": Project(
        {
            "main.zig": ZIG_MAIN,
            "movegen.zig": "@SHARED\n"
            "pub fn bishops@N(square: usize, occupied: u64) u64 { @BISHOP return attacks; }\n",
        },
        ("zig build-exe -lc main.zig", "./main"),
    ),
    "javascript": Project(
        {
            "main.mjs": JS_MAIN,
            "rooks@N.mjs": javascript("rooks", "@ROOK", PLAIN),
            "bishops@N.mjs": javascript("bishops", "@BISHOP", PLAIN).replace("@HEAD", "@SHARED"),
        },
        ("node main.mjs",),
    ),
    "javascript-32": Project(
        {
            "main.mjs": JS_MAIN,
            "rooks@N.mjs": javascript("rooks", "@ROOK", WORDS),
            "bishops@N.mjs": javascript("bishops", "@BISHOP", WORDS).replace("@HEAD", "@SHARED"),
        },
        ("node main.mjs",),
    ),
}


def usage(source: str) -> list[str]:
    """The code of a source's usage comment."""
    return [line[2:].strip() for line in source.splitlines()[:40] if line.startswith("//     ")]


def filled(text: str, sources: Sequence[str]) -> str:
    """A project's text, with the lines of each table."""
    lines = []
    for line in text.replace("TABLES", str(len(sources))).splitlines():
        marked = any(mark in line for mark in ("@N", "@HEAD", "@SHARED", "@ONCE", "@ROOK"))
        if not marked and "@BISHOP" not in line:
            lines.append(line)
            continue
        lines += [replaced(line, number, usage(source)) for number, source in enumerate(sources)]
    return "\n".join(lines) + "\n"


def replaced(text: str, number: int, code: Sequence[str]) -> str:
    """A line for one table."""
    *above, lookup = code
    once = [line for line in above if line.endswith("init();")]
    head = [line for line in above if line not in once]
    shared = [line for line in head if "#define" not in line]
    bishop = lookup.replace("rook", "bishop").replace("Rook", "Bishop")
    marks = {
        "@HEAD": "\n".join(head),
        "@SHARED": "\n".join(shared).replace("rook", "bishop"),
        "@ONCE": " ".join(once),
        "@ROOK": lookup,
        "@BISHOP": bishop,
        "@N": str(number),
    }
    for mark, what in marks.items():
        text = text.replace(mark, what)
    return text


def run(folder: Path, command: str, queries: bytes = b"") -> bytes:
    environment = {**os.environ, "GOCACHE": str(folder / "gocache"), "GOFLAGS": "-mod=mod"}
    done = subprocess.run(
        command.split(),
        cwd=folder,
        input=queries,
        capture_output=True,
        check=False,
        env=environment,
    )
    assert done.returncode == 0, (done.stdout + done.stderr).decode()[-3000:]
    return done.stdout


def turned_text() -> str:
    """A table of all functions of the formula language, which undo one another."""
    index = (
        "rol32(rol32(((bswap64(bswap64(rol64(rol64(occ | ~mask, popcount(mask)), -popcount(mask))))"
        " * magic) >> (64 - bits)) + ctz(mask & -mask) - ctz(mask), 8), -8)"
    )
    plain = "((occ | ~mask) * magic) >> (64 - bits)"
    text = find_table("cfish_black").read_text()
    assert text.count(plain) == 2
    return text.replace(plain, index)


@pytest.fixture(scope="session")
def black() -> Unit:
    return make_unit(read_table(find_table("cfish_black")), "magicert emit test")


@pytest.fixture(scope="session")
def tables(
    black: Unit, half_board: Table, tmp_path_factory: pytest.TempPathFactory
) -> list[tuple[Unit, bool]]:
    """Tables of every kind, and whether they are to be written with their finished buffers."""
    folder = tmp_path_factory.mktemp("tables")
    write_table(half_board, folder / "half.toml")
    (folder / "turned.toml").write_text(turned_text())

    def unit(path: Path) -> Unit:
        return make_unit(read_table(path), "magicert emit test")

    two_level, layered = (unit(find_table(name)) for name in ("black_two_level", "layered_48036"))
    both = [(t, form) for t in (black, two_level, layered) for form in FORMS]
    both.append((unit(find_table("two_level_79593")), True))
    single = (folder / "half.toml", folder / "turned.toml", find_table("stockfish21_64"))
    return [*both, *((unit(path), False) for path in single)]


def sources(language: str, project: Project, tables: Sequence[tuple[Unit, bool]]) -> Iterator[str]:
    """The emitted sources of the tables that the language can write and the compilers take."""
    number = 0
    for unit, literal in tables:
        separate = len(unit.buffers) > 1
        if language == "javascript-32" and separate:
            continue  # shifts by an amount of the square's own
        scope = project.scope and project.scope.replace("@N", str(number))
        text = LANGUAGES[language](scope, f"v{number}").emit(unit, literal)
        if not any(word in text for word in project.without):
            number += 1
            yield text


@pytest.mark.parametrize("language", PROJECTS)
def test_a_project_of_two_files_answers_all_lookups_of_all_tables(
    language: str, tables: list[tuple[Unit, bool]], all_lookups: Any, tmp_path: Path
):
    project = PROJECTS[language]
    missing = [tool for tool in project.tools if shutil.which(tool) is None]
    if missing:
        pytest.skip(f"no {missing[0]} here")
    texts = list(sources(language, project, tables))
    for number, text in enumerate(texts):
        path = tmp_path / f"{project.source.replace('@N', str(number))}{LANGUAGES[language].suffix}"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    for name, text in project.files.items():
        if "@N" not in name:
            (tmp_path / name).write_text(filled(text, texts))
            continue
        for number, source in enumerate(texts):
            own = replaced(text, number, usage(source))
            (tmp_path / name.replace("@N", str(number))).write_text(own)
    for command in project.commands:
        answers = run(tmp_path, command, all_lookups.queries)
    found = np.frombuffer(answers, dtype="<u8").reshape(-1, len(texts))
    wanted = np.array(all_lookups.attacks, dtype=np.uint64)
    assert [int((column != wanted).sum()) for column in found.T] == [0] * len(texts)


def test_python_modules_answer_the_lookups(tables: list[tuple[Unit, bool]], all_lookups: Any):
    for unit, literal in tables:
        scope: dict[str, Any] = {}
        text = LANGUAGES["python"]().emit(unit, literal)
        exec(compile(text, "magics.py", "exec"), scope)
        pairs = list(zip(all_lookups.pairs, all_lookups.attacks, strict=True))
        for (square, occ), attacks in pairs[:ROOKS:20]:
            assert scope["rook_attacks"](square, occ) == attacks
        for (square, occ), attacks in pairs[ROOKS:]:
            assert scope["bishop_attacks"](square, occ) == attacks


@pytest.mark.parametrize("language", ["c", "c++"])
def test_the_fill_routine_stops_at_a_write_that_changes_an_entry(
    language: str, black: Unit, tmp_path: Path
):
    compiler = {"c": "gcc", "c++": "g++"}[language]
    if shutil.which(compiler) is None:
        pytest.skip(f"no {compiler} here")
    source = LANGUAGES[language]().emit(black, literal=False)
    magic = black.pieces[0].columns[1].values[0]
    broken = source.replace(f"UINT64_C(0x{magic:x})", f"UINT64_C(0x{magic ^ 1 << 30:x})")
    assert broken != source
    init = "magics_init();" if language == "c" else ""
    main = tmp_path / f"main.{language}"
    main.write_text(f"{broken}\nint main(void) {{ {init} return 0; }}\n")
    flags = ["-DNDEBUG", "-DMAGICS_IMPLEMENTATION", "-O1", "-x", language]
    subprocess.run([compiler, *flags, main, "-o", tmp_path / "main"], check=True)
    done = subprocess.run([tmp_path / "main"], capture_output=True, check=False)
    assert done.returncode != 0
    assert b"a write would change an entry" in done.stderr


def test_clippy_has_nothing_to_say(tables: list[tuple[Unit, bool]], tmp_path: Path):
    if shutil.which("clippy-driver") is None:
        pytest.skip("no clippy-driver here")
    texts = [LANGUAGES["rust"](stem=f"v{n}").emit(*table) for n, table in enumerate(tables)]
    for number, text in enumerate(texts):
        (tmp_path / f"v{number}.rs").write_text(text)
    for name, text in PROJECTS["rust"].files.items():
        (tmp_path / name).write_text(filled(text, texts))
    run(tmp_path, "clippy-driver --edition=2021 --emit=metadata -Dwarnings main.rs")


def test_gofmt_changes_nothing(tables: list[tuple[Unit, bool]], tmp_path: Path):
    if shutil.which("gofmt") is None:
        pytest.skip("no gofmt here")
    for number, (unit, literal) in enumerate(tables[:5]):
        (tmp_path / f"v{number}.go").write_text(LANGUAGES["go"]().emit(unit, literal))
    assert run(tmp_path, "gofmt -l .") == b""


def test_the_binary_is_the_buffer(black: Unit, all_lookups: Any):
    words = np.frombuffer(binary(black), dtype="<u8")
    assert len(words) == 87_988
    assert set(words[words != 0].tolist()) == set(all_lookups.attacks)
