"""Emitted tables of other boards in the languages that have no fill routine for them: as finished
data, compiled and run, a sample of all lookups. (javascript-32 refuses shifts that differ
by square, which all of these have. No compiler for Swift is at hand.)
"""

import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from magicert.compact.emit import LANGUAGES, make_unit, printer
from magicert.compact.emit.spelling import camel
from magicert.table import read_table

LOW = (1 << 64) - 1
NARROW = ("lances", "horses", "cannons", "levels")
EVERY = 7
"""Of so many lookups one is tried."""


@dataclass(frozen=True)
class Language:
    """A program that reads (square, low, high) and writes (low, high): @CALLS are the loops over
    the lookups of each piece, with @COUNT, @TABLE, its @FUNCTION in the language's spelling.
    """

    file: str
    call: str
    main: str
    commands: tuple[str, ...]
    function: Callable[[str], str] = lambda piece: f"{piece}Attacks"
    tables: tuple[str, ...] = NARROW
    source: str = "@TABLE"
    scope: str | None = None
    head: str = ""


WORDS = """import { readFileSync, writeSync } from "node:fs";
@HEADS
const input = new BigUint64Array(new Uint8Array(readFileSync(0)).buffer), output = [];
let at = 0;
@CALLS
writeSync(1, new Uint8Array(BigUint64Array.from(output).buffer));
"""
JS_HEAD = 'import * as @TABLE from "./@TABLE.mjs";'
RUN = {
    "javascript": Language(
        "main.mjs",
        "for (let n = 0; n < @COUNT; n++, at += 3) {"
        " const word = @TABLE.@FUNCTION(Number(input[at]), input[at + 2] << 64n | input[at + 1]);"
        " output.push(word & (1n << 64n) - 1n, word >> 64n); }",
        WORDS, ("node main.mjs",), tables=(*NARROW, "wide", "wide_levels"), head=JS_HEAD,
    ),
    "zig": Language(
        "main.zig",
        "    for (0..@COUNT) |_| { _ = read(0, @ptrCast(&q), 24);"
        " const word: u128 = @TABLE.@FUNCTION(@intCast(q[0]),"
        " @truncate(@as(u128, q[2]) << 64 | q[1])); _ = write(1, @ptrCast(&word), 16); }",
        'extern "c" fn read(i32, [*]u8, usize) isize;\n'
        'extern "c" fn write(i32, [*]const u8, usize) isize;\n@HEADS\n'
        "pub fn main() void {\n    var q: [3]u64 = undefined;\n@CALLS\n}\n",
        ("zig build-exe -lc main.zig", "./main"),
        tables=(*NARROW, "wide", "wide_levels"), head='const @TABLE = @import("@TABLE.zig");',
    ),
    "go": Language(
        "main.go",
        "\tfor n := 0; n < @COUNT; n++ {\n\t\tread()\n"
        "\t\twrite(@TABLE.@FUNCTION(int(q[0]), q[1]))\n\t}",
        'package main\n\nimport (\n\t"bufio"\n\t"encoding/binary"\n\t"os"\n@HEADS\n)\n\n'
        "var in, out, q = bufio.NewReader(os.Stdin), bufio.NewWriter(os.Stdout), [3]uint64{}\n\n"
        "func read() {\n\tbinary.Read(in, binary.LittleEndian, &q)\n}\n\n"
        "func write(x uint64) {\n\tbinary.Write(out, binary.LittleEndian, [2]uint64{x, 0})\n}\n\n"
        "func main() {\n\tdefer out.Flush()\n@CALLS\n}\n",
        ("go run main.go",), lambda piece: f"{camel(piece)}Attacks", source="@TABLE/magics",
        scope="@TABLE", head='\t"boards/@TABLE"',
    ),
    "java": Language(
        "Main.java",
        "        for (int n = 0; n < @COUNT; n++) { int square = (int) in.getLong();"
        " long occ = in.getLong(); in.getLong();"
        " out.putLong(@TABLE.@FUNCTION(square, occ)).putLong(0); }",
        "import java.nio.*;\npublic class Main {\n"
        "    public static void main(String[] arguments) throws Exception {\n"
        "        ByteBuffer in = ByteBuffer.wrap(System.in.readAllBytes());\n"
        "        in.order(ByteOrder.LITTLE_ENDIAN);\n"
        "        ByteBuffer out = ByteBuffer.allocate(in.capacity() / 3 * 2);\n"
        "        out.order(ByteOrder.LITTLE_ENDIAN);\n@CALLS\n"
        "        System.out.write(out.array());\n        System.out.flush();\n    }\n}\n",
        ("javac Main.java", "java Main"),
    ),
    "csharp": Language(
        "Main.cs",
        "        for (int n = 0; n < @COUNT; n++) { int square = (int)input.ReadUInt64();"
        " ulong occ = input.ReadUInt64(); input.ReadUInt64();"
        " output.Write(@TABLE.@FUNCTION(square, occ)); output.Write(0UL); }",
        "using System;\nusing System.IO;\npublic static class Program {\n"
        "    public static void Main() {\n"
        "        var input = new BinaryReader(Console.OpenStandardInput());\n"
        "        var output = new BinaryWriter(Console.OpenStandardOutput());\n@CALLS\n"
        "        output.Flush();\n    }\n}\n",
        ("mcs -warnaserror -out:main.exe -recurse:*.cs", "mono main.exe"),
        lambda piece: f"{camel(piece)}Attacks",
    ),
}  # fmt: skip


def replaced(text: str, **words: object) -> str:
    for name, word in words.items():
        text = text.replace(f"@{name}", str(word))
    return text


def sample(piece: Any) -> list[tuple[tuple[int, int], int]]:
    return list(zip(piece.queries, piece.answers, strict=True))[::EVERY]


@pytest.mark.parametrize("language", RUN)
def test_finished_tables_of_other_boards(
    asked: Any, small: dict[str, Path], tmp_path: Path, language: str
) -> None:
    own = RUN[language]
    for tool in (command.split(maxsplit=1)[0] for command in own.commands):
        if tool[0] != "." and shutil.which(tool) is None:
            pytest.skip(f"no {tool} here")
    calls, asks = [], []
    for table in own.tables:
        unit = make_unit(read_table(small[table]), "test")
        scope = own.scope and replaced(own.scope, TABLE=table)
        path = tmp_path / f"{replaced(own.source, TABLE=table)}{LANGUAGES[language].suffix}"
        path.parent.mkdir(exist_ok=True)
        path.write_text(printer(language, scope, path.stem).emit(unit, literal=False))
        for piece in asked(small[table]):
            asks += sample(piece)
            function = own.function(piece.function.removesuffix("_attacks"))
            words = {"TABLE": table, "FUNCTION": function, "COUNT": len(sample(piece))}
            calls.append(replaced(own.call, **words))
    heads = "\n".join(replaced(own.head, TABLE=table) for table in own.tables)
    main = replaced(own.main, HEADS=heads, CALLS="\n".join(calls))
    (tmp_path / own.file).write_text(main)
    (tmp_path / "go.mod").write_text("module boards\n\ngo 1.18\n")
    lookups = [(square, occ & LOW, occ >> 64) for (square, occ), _ in asks]
    queries = b"".join(word.to_bytes(8, "little") for lookup in lookups for word in lookup)
    for command in own.commands:
        done = subprocess.run(
            command.split(), cwd=tmp_path, input=queries, capture_output=True, check=False
        )
        assert done.returncode == 0, (done.stdout + done.stderr).decode()[-2000:]
    assert done.stdout == b"".join(attacks.to_bytes(16, "little") for _, attacks in asks)


def test_finished_tables_of_other_boards_in_python(asked: Any, small: dict[str, Path]) -> None:
    for table in ("horses", "levels", "wide", "wide_levels"):
        scope: dict[str, Any] = {}
        unit = make_unit(read_table(small[table]), "test")
        exec(printer("python").emit(unit, literal=False), scope)
        for piece in asked(small[table]):
            for (square, occ), attacks in sample(piece):
                assert scope[piece.function](square, occ) == attacks
