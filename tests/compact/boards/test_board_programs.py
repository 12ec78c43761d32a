"""Emitted tables of other boards and pieces, compiled and run: in C, C++ and Rust, which fill them,
all lookups; in the others, which have them as finished data, a sample. One program a language holds
all tables, so that one compilation tries them all. (javascript-32 refuses shifts that differ by
square, which all of these have. No compiler for Swift is at hand.)
"""

import re
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
ALL = (*NARROW, "wide", "wide_levels")
PROGRAMS = Path(__file__).parents[1] / "programs" / "boards"
"""They read (square, low, high) and write (low, high). A line with @FUNCTION is there for each
piece, with the @COUNT of its lookups, and @WIDE(one : other) is one where words have 128 bits.
Another line with @TABLE is there for each table.
"""
WARNINGS = "-O1 -DNDEBUG -Wall -Wextra -Wshadow -Wconversion -Wpedantic -Werror"


@dataclass(frozen=True)
class Language:
    """Its program, the tables that it can have, every which lookup is tried, and its names."""

    file: str
    commands: tuple[str, ...]
    tables: tuple[str, ...] = NARROW
    every: int = 7
    function: Callable[[str], str] = "{}Attacks".format
    source: str = "@TABLE"
    scope: str | None = None


def filled(file: str, command: str, scope: str | None = None) -> Language:
    """A language that has a routine which fills tables of any board."""
    return Language(file, (command, "./main"), (), 1, "{}_attacks".format, scope=scope)


LANGUAGE = {
    "c": filled("main.c", f"gcc -std=c99 {WARNINGS} main.c -o main", "@TABLE_"),
    "c++": filled("main.cpp", f"g++ -std=c++17 {WARNINGS} main.cpp -o main", "@TABLE"),
    "rust": filled("main.rs", "rustc --edition=2021 -O -Dwarnings main.rs"),
    "javascript": Language("main.mjs", ("node main.mjs",), ALL),
    "zig": Language("main.zig", ("zig build-exe -lc main.zig", "./main"), ALL),
    "go": Language(
        "main.go", ("go run main.go",), function=lambda piece: f"{camel(piece)}Attacks",
        source="@TABLE/magics", scope="@TABLE",
    ),
    "java": Language("Main.java", ("javac Main.java", "java Main")),
    "csharp": Language(
        "Main.cs", ("mcs -warnaserror -out:main.exe -recurse:*.cs", "mono main.exe"),
        function=lambda piece: f"{camel(piece)}Attacks",
    ),
}  # fmt: skip


def answered(
    language: str, tables: dict[str, Path], asked: Any, folder: Path, literal: bool = False
) -> int:
    """Compile a program of these tables and run it; how many of its lookups were right: all."""
    own = LANGUAGE[language]
    for tool in (command.split(maxsplit=1)[0] for command in own.commands):
        if tool[0] != "." and shutil.which(tool) is None:
            pytest.skip(f"no {tool} here")
    pieces, asks = [], []
    for table, path in tables.items():
        unit = make_unit(read_table(path), "test")
        scope = own.scope and own.scope.replace("@TABLE", table)
        source = folder / f"{own.source.replace('@TABLE', table)}{LANGUAGES[language].suffix}"
        source.parent.mkdir(exist_ok=True)
        source.write_text(printer(language, scope, source.stem).emit(unit, literal))
        for piece in asked(path):
            some = list(zip(piece.queries, piece.answers, strict=True))[:: own.every]
            asks += some
            pieces.append((piece, len(some)))
    lines = []
    for line in (PROGRAMS / own.file).read_text().splitlines():
        if "@FUNCTION" not in line:
            of = tables if "@TABLE" in line or "@UPPER" in line else ("",)
            lines += [line.replace("@TABLE", n).replace("@UPPER", n.upper()) for n in of]
            continue
        for piece, count in pieces:
            text = re.sub(r"@WIDE\((.*?) : (.*?)\)", r"\1" if piece.wide else r"\2", line)
            function = own.function(piece.function.removesuffix("_attacks"))
            words = {"@TABLE": piece.table, "@FUNCTION": function, "@COUNT": str(count)}
            for mark, word in words.items():
                text = text.replace(mark, word)
            lines.append(text)
    (folder / own.file).write_text("\n".join(lines) + "\n")
    (folder / "go.mod").write_text("module boards\n\ngo 1.18\n")
    lookups = [(square, occ & LOW, occ >> 64) for (square, occ), _ in asks]
    queries = b"".join(word.to_bytes(8, "little") for lookup in lookups for word in lookup)
    for command in own.commands:
        done = subprocess.run(
            command.split(), cwd=folder, input=queries, capture_output=True, check=False
        )
        assert done.returncode == 0, (done.stdout + done.stderr).decode()[-2000:]
    assert done.stdout == b"".join(attacks.to_bytes(16, "little") for _, attacks in asks)
    return len(asks)


@pytest.mark.parametrize(
    ("language", "literal"),
    # The finished buffers of C are those of C++.
    [*((language, False) for language in LANGUAGE), ("c++", True), ("rust", True)],
)
def test_every_kind_of_piece(
    asked: Any, small: dict[str, Path], tmp_path: Path, language: str, literal: bool
) -> None:
    names = LANGUAGE[language].tables or tuple(small)
    count = answered(language, {name: small[name] for name in names}, asked, tmp_path, literal)
    assert count > (8_000 if LANGUAGE[language].every == 1 else 300)


def test_finished_tables_of_other_boards_in_python(asked: Any, small: dict[str, Path]) -> None:
    for table in ("horses", "levels", "wide", "wide_levels"):
        scope: dict[str, Any] = {}
        unit = make_unit(read_table(small[table]), "test")
        exec(printer("python").emit(unit, literal=False), scope)
        for piece in asked(small[table]):
            for (square, occ), attacks in list(zip(piece.queries, piece.answers, strict=True))[::7]:
                assert scope[piece.function](square, occ) == attacks


@pytest.mark.slow
@pytest.mark.parametrize("language", ["c", "c++", "rust"])
@pytest.mark.parametrize("name", ["haitaka_rook", "pikafish_cannon", "fairy_cannon_diag"])
def test_large_tables(
    asked: Any, shipped: Callable[[str], Path], tmp_path: Path, language: str, name: str
) -> None:
    assert answered(language, {name: shipped(name)}, asked, tmp_path) > 200_000
