"""`magicert emit`: the source of a table, to paste into an engine."""

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from magicert.cli.commands.writing.lookup import OF_KEYS, lookup_asked, write_lookup
from magicert.cli.commands.writing.shipping import SHIPPING, PackageOptions, ship
from magicert.cli.options.output import FORCE, check_output
from magicert.cli.options.types import TABLE, NearChoice
from magicert.problem import printable
from magicert.system.whole_file import write_whole

if TYPE_CHECKING:
    from magicert.compact.emit import Printer


class LanguageType(NearChoice):
    """The languages of magicert.compact.emit, which imports numpy: looked up when needed."""

    def __init__(self) -> None:
        self.case_sensitive = True

    @property
    def choices(self) -> tuple[str, ...]:  # type: ignore[override]
        """The names of the languages, and "binary"."""
        from magicert.compact.emit import LANGUAGES

        return (*LANGUAGES, "binary")

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:  # noqa: ANN401
        """The language's own name: "c++" where cpp was said."""
        from magicert.compact.emit import own_name

        return super().convert(own_name(str(value)), param, ctx)


@click.command("emit")
@click.argument("table", type=TABLE, required=False)
@click.option(
    "--lang", type=LanguageType(), required=True, metavar="LANGUAGE",
    help="c, c++, csharp, go, java, javascript, javascript-32, python, rust, swift, typescript or "
    "zig; binary: the finished buffers, little-endian.",
)  # fmt: skip
@click.option("--way", metavar="WAY", help="One file with nothing to start (c, c++, rust, zig).")
@click.option("--dispatch", is_flag=True, help="With --way best: the compiler's target chooses.")
@click.option("--literal", is_flag=True, help="The finished buffer instead of a fill routine.")
@click.option("--prefix", help="C: what all names begin with.  [default: magics_]")
@click.option("--namespace", help="C++, C#: where the names live.  [default in C++: magics]")
@click.option("--package", help="Go, Java: where the names live.  [default in Go: magics]")
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Else stdout.")
@FORCE
@SHIPPING
@OF_KEYS
def command(
    table: Path | None, lang: str, way: str | None, dispatch: bool, literal: bool,
    output: Path | None, force: bool, crate: Path | None, header_only: bool, check_harness: bool,
    **scopes: Any,  # noqa: ANN401
) -> None:  # fmt: skip
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

    Tables of other boards and pieces are written, too, beyond 64 squares where the language
    has words of 128 bits. Layered and two-level tables are always written as finished data.

    With --way the file is all that an engine needs, constants and functions: magic and
    two_level (of any TABLE), pext, pext16, pext_lines, hyperbola, hyperbola_avx2, reversal,
    obstruction_difference, kogge_stone, kindergarten or lines_in_bytes. best holds several:
    the target chooses when it is compiled. The head says what was proved of the text.

        magicert emit --way best --dispatch --lang c -o attacks.h
        magicert emit --way lines_in_bytes --lang rust -o src/attacks.rs
        magicert emit --way magic stockfish21_64 --lang c++ -o attacks.hpp

    With --keys the source looks keys up (C, Rust, Python): find gives what belongs to a key,
    after it has compared the key.

        magicert emit --keys words.txt --lang c -o words.h

    Exit status: 0 written, or 2 for bad input; of keys 1 or 3 where no magic was found.
    """
    asked = PackageOptions(lang, crate, header_only, check_harness, scopes)
    lookup = lookup_asked(scopes, table, lang, literal)
    if dispatch and way != "best":
        raise click.UsageError("--dispatch: expected --way best; other ways hold no choice")
    if way is not None:
        if lookup or literal or asked.is_more_than_source:
            raise click.UsageError("--way: expected names, and a TABLE for magic and two_level")
        _write_way(way, table, lang, scopes, output, force)
        return
    if asked.is_more_than_source:
        ship(asked, table, lookup.get("keys"), literal=literal, output=output, force=force)
        return
    if lookup:
        given = {name: scope for name, scope in scopes.items() if scope is not None}
        sys.exit(write_lookup(lookup, _printer(lang, given, output), bool(given), output, force))
    if table is None:
        raise click.UsageError("expected TABLE, or --keys FILE")
    from magicert.cli.display.progress import ProgressDisplay
    from magicert.compact.emit import binary, make_unit
    from magicert.jobs.any_table import table_from

    if output is not None:
        check_output(output, [table], force=force)
    given = {name: scope for name, scope in scopes.items() if scope is not None}
    printer = None if lang == "binary" else _printer(lang, given, output)
    if given and printer is None:
        raise click.UsageError(f"--{next(iter(given))}: binary has no names")
    file = table_from(table, ProgressDisplay)
    if output is not None:
        check_output(output, [file.path], force=force)
    words = ["magicert", "emit", file.path.name, "--lang", lang, *(["--literal"] * literal)]
    words += [word for name, scope in given.items() for word in (f"--{name}", scope)]
    unit = make_unit(file, shlex.join(words))
    data = binary(unit) if printer is None else printer.emit(unit, literal).encode()
    if output is None:
        sys.stdout.buffer.write(data)
        return
    write_whole(output, data)
    entries = f"{unit.entries:,} entries, {len(data):,} bytes"
    click.echo(f"{printable(output)}: {printable(unit.name)}, {entries}")


def _write_way(
    way: str,
    table: Path | None,
    lang: str,
    scopes: dict[str, Any],
    output: Path | None,
    force: bool,
) -> None:
    """Write a way as one file."""
    from magicert.cli.display.progress import ProgressDisplay
    from magicert.compact.emit import make_unit
    from magicert.compact.emit.ways import print_way, refuse_way, unit_of, way_command
    from magicert.jobs.any_table import table_from
    from magicert.table import chess_only

    refuse_way(way, lang, with_table=table is not None)
    if output is not None:
        check_output(output, [table] if table else [], force=force)
    given = {name: scope for name, scope in scopes.items() if scope is not None}
    printer = _printer(lang, given, output)
    unit = unit_of(way)
    if table is not None:
        file = table_from(table, ProgressDisplay)
        chess_only(file.table, "emit --way", str(file.path))
        unit = make_unit(file, way_command(way, printer, file.path.name))
    text = print_way(way, printer, unit)
    if output is None:
        sys.stdout.write(text)
        return
    write_whole(output, text)
    click.echo(f"{printable(output)}: {way}, {len(text.encode()):,} bytes")


def _printer(lang: str, given: dict[str, str], output: Path | None) -> "Printer":
    """The language, with the names that the options ask for."""
    from magicert.compact.emit import LANGUAGES, printer

    language = LANGUAGES[lang]
    for name in given:
        if name != language.scope_option:
            takes = [kind.name for kind in LANGUAGES.values() if kind.scope_option == name]
            raise click.UsageError(f"--{name}: expected --lang {' or '.join(takes)}, not {lang}")
    return printer(lang, given.get(language.scope_option), output.stem if output else None)
