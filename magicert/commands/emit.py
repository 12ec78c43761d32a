"""`magicert emit`: source for an engine: of a table, a way, a crate, a test of its lookups."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from magicert.arguments import choice
from magicert.board import CHESS, Board
from magicert.commands.command import (
    Answer,
    OutputPath,
    command,
    option,
    recorded_command,
    refuse,
)
from magicert.commands.options import TABLE, BoardSize, PieceName, Suggested, Word
from magicert.outcome import OutcomeKind
from magicert.problem import Problem, printable
from magicert.show.outputs import check_folder, refuse_overwriting
from magicert.show.progress import ProgressDisplay
from magicert.system.whole_file import write_whole

if TYPE_CHECKING:
    from magicert.compact.emit import Printer
    from magicert.compact.emit.crates import Crate
    from magicert.table import TableFile

PACKAGES = "Packages and tests"
START = "Tables made at start-up"
BINARY = "binary"
"""In the place of a language: the finished buffers as bytes."""


def _ways() -> Mapping[str, object]:
    from magicert.compact.emit.ways import ways

    return ways()


class LanguageName(Word):
    """The languages of magicert.compact.emit, which imports numpy: looked up when needed."""

    @property
    def choices(self) -> tuple[str, ...]:  # type: ignore[override]
        from magicert.compact.emit import LANGUAGES

        return (*LANGUAGES, BINARY)

    def read(self, text: str, ctx: click.Context | None) -> str:
        from magicert.compact.emit import own_name

        return choice(own_name(text), self.choices)


@command("emit", json=False, force=True)
@click.argument("table", type=TABLE, required=False)
@option("--lang", type=LanguageName(), required=True, metavar="LANGUAGE",
        help="c, c++, csharp, go, java, javascript, python, rust, typescript or zig; binary: the "
        "finished buffers, little-endian.")  # fmt: skip
@option("--way", type=Suggested(_ways), metavar="WAY",
        help="One file with finished constants, which needs no initialisation (c, c++, rust, zig; "
        "hyperbola and lines_in_bytes in csharp, go, java, javascript, typescript).")  # fmt: skip
@option("--dispatch", is_flag=True,
        help="With --way best: the compiler's target chooses among several ways.")  # fmt: skip
@option("--literal", is_flag=True, help="The finished buffer instead of a fill routine.")
@option("--prefix", metavar="TEXT", help="C: the prefix of all names.  [default: magics_]")
@option("--namespace", metavar="TEXT", seldom=True,
        help="C++, C#: the namespace.  [default in C++: magics]")  # fmt: skip
@option("--package", metavar="TEXT",
        help="Go, Java: the package.  [default in Go: magics]")  # fmt: skip
@option("-o", "--output", type=OutputPath(stream=True, folder=None), metavar="PATH",
        recorded=False, help="The file; standard output if not given.")  # fmt: skip
@option("--crate", type=click.Path(path_type=Path), metavar="DIR", panel=PACKAGES,
        help="Rust: write a crate into DIR.")  # fmt: skip
@option("--constructor", is_flag=True, panel=START,
        help="Instead of a table: a routine that builds magics when the program starts, for any "
        "board and pieces (c, c++, go, javascript, rust).")  # fmt: skip
@option("--board", type=BoardSize(), metavar="WxH", panel=START, is_eager=True,
        help="With --constructor: the largest board; beyond 64 squares words have 128 "
        "bits.  [default: 8x8]")  # fmt: skip
@option("--piece", "pieces", type=PieceName(called=True), multiple=True, metavar="PIECE",
        panel=START,
        help="With --constructor: each piece to write a lookup for, as in cannon=pR.  "
        "[default: rook and bishop]")  # fmt: skip
@option("--check-harness", is_flag=True, panel=PACKAGES,
        help="Instead of a table: a test that an engine which computes its magics at start-up runs "
        "on its own lookups (c, c++, csharp, go, java, rust, zig).")  # fmt: skip
def run(
    table: Path | None, lang: str, way: str | None, dispatch: bool, literal: bool,
    prefix: str | None, namespace: str | None, package: str | None, output: Path | None,
    crate: Path | None, constructor: bool, board: Board | None, pieces: tuple[str, ...],
    check_harness: bool, force: bool,
) -> Answer:  # fmt: skip
    """Write a table as source, with the lookup as one expression.

    TABLE is a table file, the name of a table that ships, an engine's source, or a folder
    with one of them. The table is verified first; the lookup is printed from the formula
    that was verified. Without --literal the source has a fill routine that walks the rays,
    and stops at the first write that would change an entry. The comment at its top says how
    to use it.

        magicert emit cfish_black --lang rust -o src/magics.rs
        magicert emit black --lang c --prefix my_ -o my_magics.h
        magicert emit src/bitboard.cpp --lang zig -o magics.zig
        magicert emit cfish_black --lang binary -o attacks.bin
        magicert emit black --lang rust --crate magics
        magicert emit --check-harness --lang c++ -o check_magics.cpp

    Tables of other boards and pieces are written, too; beyond 64 squares a bitboard is a word
    of 128 bits, or a small type of two words of 64. Layered and two-level tables are always
    written as finished data.

    With --way the file is all that an engine needs, constants and functions: magic and
    two_level (of any TABLE), pext, pext16, pext_lines, hyperbola, hyperbola_avx2, reversal,
    obstruction_difference, kogge_stone, kindergarten or lines_in_bytes. best holds several:
    the target chooses when it is compiled. The comment at the top says what was
    proved. Go, Java, C#, JavaScript and TypeScript have hyperbola and lines_in_bytes.

        magicert emit --way best --dispatch --lang c -o attacks.h
        magicert emit --way lines_in_bytes --lang rust -o src/attacks.rs
        magicert emit --way hyperbola --lang java --package engine -o Attacks.java
        magicert emit --way magic stockfish21_64 --lang c++ -o attacks.hpp
        magicert emit --way best --dispatch --lang rust --crate attacks

    With --constructor no TABLE is needed: the file has a routine that builds magics when the
    program starts, for a board that is chosen then, and all that an engine needs around it.

        magicert emit --constructor --lang go --board 12x10 -o magics.go
        magicert emit --constructor --lang javascript --piece cannon -o magics.mjs

    Exit status: 0 written, or 2 for bad input.
    """
    named = {"prefix": prefix, "namespace": namespace, "package": package}
    scopes = {name: scope for name, scope in named.items() if scope is not None}
    if dispatch and way != "best":
        refuse([Problem("--dispatch needs --way best")])
    if constructor:
        others = {
            "a TABLE": table, "--way": way, "--literal": literal, "--crate": crate,
            "--check-harness": check_harness,
        }  # fmt: skip
        refuse(_conflicts_of_constructor(others, lang, scopes))
        return _constructor(lang, scopes, output, board or CHESS, pieces)
    is_given = {"board": board is not None, "piece": bool(pieces)}
    refuse(Problem(f"--{name} needs --constructor") for name, there in is_given.items() if there)
    refuse(_conflicts(table, lang, way, scopes, output, crate, literal, check_harness))
    if crate is not None:
        check_folder(crate, force=force)
    file_name = None if output is None or str(output) == "-" else output.name
    if way is not None:
        from magicert.compact.emit.ways import refuse_way

        refuse_way(way, lang, with_table=table is not None)
    if check_harness:
        from magicert.compact.emit.harness import harness

        data = harness(lang, package or "magics").encode()
        return _written(output, data, "its head says how to compile it with the engine")
    file = None
    if table is not None:
        from magicert.verify.source.read import table_from

        file = table_from(table, ProgressDisplay)
        if output is not None and file_name is not None:
            refuse_overwriting(output, [file.path])
    if crate is not None:
        return _crate(crate, way, file, literal=literal)
    if way is not None:
        return _written(output, *_way(way, _printer(lang, scopes, file_name), file))
    assert file is not None
    again = recorded_command(table=file.path)
    printer = None if lang == BINARY else _printer(lang, scopes, file_name)
    return _written(output, *_table(file, printer, again, literal=literal))


def _conflicts_of_constructor(
    others: Mapping[str, object], lang: str, scopes: Mapping[str, str]
) -> Iterator[Problem]:
    """Options that --constructor does not go with."""
    from magicert.compact.emit.constructor import constructors

    for name, value in others.items():
        if value:
            yield Problem(f"--constructor cannot be combined with {name}")
    if lang in constructors():
        yield from _problems_of_scopes(scopes, lang)


def _constructor(
    lang: str, scopes: Mapping[str, str], output: Path | None, board: Board, pieces: tuple[str, ...]
) -> Answer:
    """The routine that builds magics, with what an engine needs around it."""
    from magicert.compact.emit.constructor import CHESS_PIECES, constructor, refuse_language

    refuse_language(lang)
    file_name = None if output is None or str(output) == "-" else output.name
    text = constructor(_printer(lang, scopes, file_name), board, pieces or CHESS_PIECES)
    what = f"a constructor of magics, words of {board.word} bits, {len(text.encode()):,} bytes"
    return _written(output, text.encode(), what)


def _conflicts(
    table: Path | None, lang: str, way: str | None, scopes: Mapping[str, str], output: Path | None,
    crate: Path | None, literal: bool, check_harness: bool,
) -> Iterator[Problem]:  # fmt: skip
    """Options that do not go together."""
    if way is not None and (literal or check_harness):
        yield Problem("--way cannot be combined with --literal or --check-harness")
    if check_harness or crate is not None:
        alone = "cannot be combined with --crate or --check-harness"
        yield from (Problem(f"--{name} {alone}") for name in scopes if name != "package")
    if check_harness:
        if crate is not None or table is not None or literal:
            yield Problem("--check-harness cannot be combined with a TABLE, --literal or --crate")
        if "package" in scopes and lang != "go":
            yield Problem(f"--package needs --lang go, not {lang}")
    elif table is None and way is None:
        yield Problem("expected a TABLE, such as black, --way WAY or --constructor")
    elif crate is not None:
        if lang != "rust":
            yield Problem(f"--crate needs --lang rust, not {lang}")
        if output is not None:
            yield Problem("give either -o or --crate DIR, not both")
    else:
        yield from _problems_of_scopes(scopes, lang)


def _problems_of_scopes(scopes: Mapping[str, str], lang: str) -> Iterator[Problem]:
    """Options that say where names live, and which languages take them."""
    from magicert.compact.emit import LANGUAGES

    for name in scopes:
        takes = [row.name for row in LANGUAGES.values() if row.scope_option == name]
        if lang == BINARY:
            yield Problem(f"--{name} cannot be combined with --lang binary, which has no names")
        elif lang not in takes:
            expected = f"needs --lang {' or '.join(takes)}, not {lang}"
            yield Problem(f"--{name} {expected}")


def _printer(lang: str, scopes: Mapping[str, str], file_name: str | None) -> "Printer":
    """The language, with the names that the options ask for."""
    from magicert.compact.emit import LANGUAGES, printer

    return printer(lang, scopes.get(LANGUAGES[lang].scope_option), file_name)


def _table(
    file: "TableFile", printer: "Printer | None", again: str, *, literal: bool
) -> tuple[bytes, str]:
    """A table in a language (None: as bytes), and what it is."""
    from magicert.compact.emit import binary, prepare_table

    unit = prepare_table(file, again)
    data = binary(unit) if printer is None else printer.emit(unit, literal).encode()
    return data, f"{printable(unit.name)}, {unit.entries:,} entries, {len(data):,} bytes"


def _way(way: str, printer: "Printer", file: "TableFile | None") -> tuple[bytes, str]:
    """A way to get attacks, with the magics of a table if one is named, and what it is."""
    from magicert.compact.emit import prepare_table
    from magicert.compact.emit.ways import print_way, unit_of, way_command
    from magicert.table import chess_only

    unit, again = unit_of(way), ""
    if file is not None:
        chess_only(file.table, "emit --way", str(file.path))
        again = way_command(way, printer, file.path.name)
        unit = prepare_table(file, again)
    data = print_way(way, printer, unit, again).encode()
    return data, f"{way}, {len(data):,} bytes"


def _crate(folder: Path, way: str | None, file: "TableFile | None", *, literal: bool) -> Answer:
    """A crate of a way, or of a table alone, in its folder."""
    from magicert.compact.emit.crates import crate_of_table, crate_of_way

    crate: Crate
    if way is not None:
        crate = crate_of_way(way, file)
    else:
        assert file is not None
        crate = crate_of_table(file, literal)
    for path, text in crate.files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        write_whole(folder / path, text)
    size = sum(len(text.encode()) for text in crate.files.values())
    line = f"{printable(folder)}: package {crate.name}, {len(crate.files)} files, {size:,} bytes"
    return Answer(OutcomeKind.VALID, [line])


def _written(output: Path | None, data: bytes, what: str) -> Answer:
    """What was made, in its file, or on standard output."""
    if output is None or str(output) == "-":
        return Answer(OutcomeKind.VALID, raw=data)
    write_whole(output, data)
    return Answer(OutcomeKind.VALID, [f"{printable(output)}: {what}"])
