"""`magicert emit`: source for an engine: of a table, a way, a package, a lookup of keys."""

import shlex
import sys
from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import click
from click.core import ParameterSource

from magicert.cli.declared import check_output, declared, force, request_of
from magicert.data import find_table, tables_by_name
from magicert.dataclass import dataclass
from magicert.problem import InputError, Problem, printable
from magicert.requests import words
from magicert.requests.request import (
    File,
    Given,
    Kind,
    OneOf,
    Option,
    ShippedName,
    Unsigned,
    WholeNumber,
    asked_by,
    budget,
    option,
)
from magicert.system.whole_file import write_whole

if TYPE_CHECKING:
    from magicert.compact.emit import Printer

OF_PACKAGES = "Packages and tests (--lang typescript --package DIR: a package for npm)"
OF_KEYS = "A lookup of keys (with --keys)"
LANGUAGE = {"crate": "rust", "header-only": "c", "package": "typescript"}
"""The language of each package."""
_key = partial(option, panel=OF_KEYS, seldom=True)


class LanguageName(Kind):
    """The languages of magicert.compact.emit, which imports numpy: looked up when needed."""

    @property
    def choices(self) -> tuple[str, ...]:  # type: ignore[override]
        """The names of the languages, and "binary"."""
        from magicert.compact.emit import LANGUAGES

        return (*LANGUAGES, "binary")

    def read(self, text: str, given: Given) -> str:
        """The language's own name: "c++" where cpp was said."""
        from magicert.compact.emit import own_name

        return OneOf(self.choices).read(own_name(text), given)


@dataclass(frozen=True, slots=True)
class EmitOptions:
    """What is written, in which language, and where to."""

    lang: Annotated[
        str,
        Option(
            "c, c++, csharp, go, java, javascript, javascript-32, python, rust, swift, typescript "
            "or zig; binary: the finished buffers, little-endian.", LanguageName(), "LANGUAGE",
        ),
    ]  # fmt: skip
    table: Path | None = option(
        None, kind=ShippedName(None, tables_by_name, find_table), argument=True
    )
    way: str | None = option(
        None, "One file with nothing to start (c, c++, rust, zig).", metavar="WAY"
    )
    dispatch: bool = option(False, "With --way best: the compiler's target chooses.")
    literal: bool = option(False, "The finished buffer instead of a fill routine.")
    prefix: str | None = option(None, "C: what all names begin with.  [default: magics_]")
    namespace: str | None = option(
        None, "C++, C#: where the names live.  [default in C++: magics]", seldom=True
    )
    package: str | None = option(None, "Go, Java: where the names live.  [default in Go: magics]")
    output: Path | None = option(
        None, "Else stdout.", File(folder=None), "PATH", flags=("-o", "--output")
    )
    force: bool = force()
    crate: Path | None = option(
        None, "Rust: a crate, in DIR.", File(folder=None), "DIR", panel=OF_PACKAGES
    )
    header_only: bool = option(
        False,
        "C: the header with test and bench, in the folder -o.",
        panel=OF_PACKAGES,
        seldom=True,
    )
    check_harness: bool = option(
        False, "No table: a test of an engine's own lookups, which it makes at start-up (c, c++, "
        "csharp, go, java, rust, zig).", panel=OF_PACKAGES,
    )  # fmt: skip
    keys: Path | None = option(
        None, "Not a table, but keys: a line for each, as KEY or KEY VALUE (docs/keys.md).",
        File(there=True), panel=OF_KEYS,
    )  # fmt: skip
    bits: int | None = _key(None, "Index bits; the fewest if not given.", WholeNumber(), "K")
    magic: int | None = _key(None, "This one; one is found if not given.", Unsigned(64, "0x1f"))
    scheme: str = _key("white", "A scheme or a formula.", shows_default=True)
    seconds: float | None = budget(panel=OF_KEYS, seldom=True)
    seed: int = words.seed(panel=OF_KEYS, seldom=True)

    @property
    def scopes(self) -> dict[str, str]:
        """Where names live, by the options that say so."""
        given = {name: getattr(self, name) for name in ("prefix", "namespace", "package")}
        return {name: scope for name, scope in given.items() if scope is not None}

    @property
    def kind(self) -> str:
        """Which package, or ""."""
        if self.crate is not None:
            return "crate"
        npm = self.lang == "typescript" and self.package is not None
        return "header-only" if self.header_only else "package" if npm else ""

    def printer(self) -> "Printer":
        """The language, with the names that the options ask for."""
        from magicert.compact.emit import LANGUAGES, printer

        language = LANGUAGES[self.lang]
        for name in self.scopes:
            if name != language.scope_option:
                takes = [kind.name for kind in LANGUAGES.values() if kind.scope_option == name]
                expected = f"expected --lang {' or '.join(takes)}, not {self.lang}"
                raise click.UsageError(f"--{name}: {expected}")
        scope = self.scopes.get(language.scope_option)
        return printer(self.lang, scope, self.output.stem if self.output else None)

    def check_output(self, inputs: Iterable[Path | None] = ()) -> None:
        """Look at where it is to be written, before any work."""
        if self.output is not None:
            check_output(self.output, inputs, force=self.force)

    def write(self, data: bytes, said: str) -> None:
        """Write the file and say so, or write standard output."""
        if self.output is None:
            sys.stdout.buffer.write(data)
        else:
            write_whole(self.output, data)
            click.echo(f"{printable(self.output)}: {said}")


@click.command("emit")
@declared(EmitOptions)
def command(**given: Any) -> None:  # noqa: ANN401
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
        magicert emit --way best --dispatch --lang rust --crate attacks

    With --keys the source looks keys up (C, Rust, Python): find gives what belongs to a key,
    after it has compared the key.

        magicert emit --keys words.txt --lang c -o words.h

    Exit status: 0 written, or 2 for bad input; of keys 1 or 3 where no magic was found.
    """
    asked = request_of(EmitOptions, given)
    if str(asked.output) == "-":
        asked = replace(asked, output=None)
    is_more = asked.check_harness or bool(asked.kind)
    refuse_of_keys(asked)
    if asked.dispatch and asked.way != "best":
        raise click.UsageError("--dispatch: expected --way best; other ways hold no choice")
    if asked.way is not None and (asked.keys or asked.literal or asked.check_harness):
        raise click.UsageError("--way: expected names, and a TABLE for magic and two_level")
    if asked.way is not None and asked.kind not in ("", "crate"):
        raise click.UsageError("--way: one file is all that it takes; a package only with --crate")
    if asked.way is not None and not is_more:
        write_way(asked, asked.way)
    elif is_more:
        write_more(asked)
    elif asked.keys is not None:
        sys.exit(write_lookup(asked, asked.keys))
    elif asked.table is None:
        raise click.UsageError("expected TABLE, or --keys FILE")
    else:
        write_table(asked, asked.table)


def write_table(asked: EmitOptions, table: Path) -> None:
    """Write a table's source, or its finished buffers."""
    from magicert.cli.progress import ProgressDisplay
    from magicert.compact.emit import binary, make_unit
    from magicert.jobs.read_sources import table_from

    asked.check_output([table])
    printer = None if asked.lang == "binary" else asked.printer()
    if asked.scopes and printer is None:
        raise click.UsageError(f"--{next(iter(asked.scopes))}: binary has no names")
    file = table_from(table, ProgressDisplay)
    asked.check_output([file.path])
    told = ["magicert", "emit", file.path.name, "--lang", asked.lang]
    told += ["--literal"] * asked.literal
    told += [word for name, scope in asked.scopes.items() for word in (f"--{name}", scope)]
    unit = make_unit(file, shlex.join(told))
    data = binary(unit) if printer is None else printer.emit(unit, asked.literal).encode()
    asked.write(data, f"{printable(unit.name)}, {unit.entries:,} entries, {len(data):,} bytes")


def write_way(asked: EmitOptions, way: str) -> None:
    """Write a way as one file."""
    from magicert.cli.progress import ProgressDisplay
    from magicert.compact.emit import make_unit
    from magicert.compact.emit.ways import print_way, refuse_way, unit_of, way_command
    from magicert.jobs.read_sources import table_from
    from magicert.table import chess_only

    refuse_way(way, asked.lang, with_table=asked.table is not None)
    asked.check_output([asked.table])
    printer, unit, told = asked.printer(), unit_of(way), ""
    if asked.table is not None:
        file = table_from(asked.table, ProgressDisplay)
        chess_only(file.table, "emit --way", str(file.path))
        told = way_command(way, printer, file.path.name)
        unit = make_unit(file, told)
    data = print_way(way, printer, unit, told).encode()
    asked.write(data, f"{way}, {len(data):,} bytes")


def refuse_of_keys(asked: EmitOptions) -> None:
    """click.UsageError for what does not go together about keys."""
    if asked.keys is None:
        source = click.get_current_context().get_parameter_source
        for one in asked_by(EmitOptions):
            if one.option.panel == OF_KEYS and source(one.name) is ParameterSource.COMMANDLINE:
                raise click.UsageError(f"{one.flag}: expected together with --keys")
        return
    from magicert.compact.emit.keyed import languages_of_keys

    if asked.table is not None:
        raise click.UsageError("expected TABLE, or --keys FILE")
    if asked.lang not in (known := languages_of_keys()):
        raise click.UsageError(f"--keys: expected --lang {', '.join(known)}, not {asked.lang}")
    if asked.literal:
        raise click.UsageError("--literal: not with --keys, whose lookup is always finished")
    if asked.magic is not None and asked.bits is None:
        raise click.UsageError("--magic: expected together with --bits")


def write_lookup(asked: EmitOptions, keys: Path) -> int:
    """Write a lookup of keys, by the magic given or by one that is found; the exit status.

    All keys get slots of their own, those with the same value, too: each is compared.
    """
    from magicert.cell import Cell
    from magicert.cli.progress import ProgressDisplay
    from magicert.compact.emit.keyed import make_program, print_program
    from magicert.key_file import read_keys
    from magicert.outcome import Exists
    from magicert.requests.find import Find
    from magicert.scheme import resolve_scheme
    from magicert.show.answers import keys_document

    printer = asked.printer()
    asked.check_output([keys])
    file, magic = read_keys(keys), asked.magic
    dialect, scope = printer.dialect, printer.scope if asked.scopes else None
    told = ["magicert", "emit", "--keys", keys.name, "--lang", dialect.name]
    told += [f"--{dialect.scope_option}", printer.scope] * bool(asked.scopes)
    for one in asked_by(EmitOptions):
        if one.name in ("scheme", "bits", "magic", "seed"):
            told += one.words(value) if one.is_given(value := getattr(asked, one.name)) else []
    with ProgressDisplay(f"{file.apart}") as observer:
        if magic is None:
            found = Find(
                keys=file.apart, scheme=asked.scheme, bits=asked.bits, seconds=asked.seconds,
                seed=asked.seed,
            ).answer(observer)  # fmt: skip
            if not isinstance(found.outcome, Exists):
                document = keys_document(file, found)
                click.echo("\n".join([*document.remarks, *document.lines]), err=True)
                return found.exit_status
            cell, magic = found.cell, found.outcome.magic
        else:
            cell = Cell(resolve_scheme(asked.scheme), file.apart, asked.bits or 0)
            cell.check()
        program = make_program(file, cell, magic, shlex.join(told))
        stem = asked.output.stem if asked.output else None
        data = print_program(program, dialect.name, scope, stem).encode()
    for remark in file.remarks:
        click.echo(printable(f"{keys}: {remark}"), err=True)
    asked.write(data, f"{len(file.entries):,} keys, {len(data):,} bytes")
    return 0


def write_more(asked: EmitOptions) -> None:
    """Write a package or a harness. Raises click.UsageError where options do not go together."""
    if asked.keys is not None:
        raise click.UsageError("--keys: expected a source, no package and no harness")
    for name in ("prefix", "namespace"):
        if name in asked.scopes:
            raise click.UsageError(f"--{name}: expected a source, no package and no harness")
    if asked.check_harness:
        _write_harness(asked)
        return
    if asked.table is None and asked.way is None:
        raise click.MissingParameter(param_hint="'TABLE'", param_type="argument")
    from magicert.cli.progress import ProgressDisplay
    from magicert.compact.emit.packages import make_crate, make_package
    from magicert.compact.emit.ways import refuse_way
    from magicert.jobs.read_sources import table_from

    folder = folder_of(asked)
    if asked.way is not None:
        refuse_way(asked.way, asked.lang, with_table=asked.table is not None)
    _check_folder(folder, asked.force)
    file = table_from(asked.table, ProgressDisplay) if asked.table else None
    if asked.way is not None:
        made = make_crate(asked.way, file)
    else:
        assert file is not None  # of tables alone there are packages, too
        made = make_package(asked.kind, file, asked.literal)
    for path, text in made.files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        write_whole(folder / path, text)
    size = sum(len(text.encode()) for text in made.files.values())
    click.echo(f"{printable(folder)}: package {made.name}, {len(made.files)} files, {size:,} bytes")


def folder_of(asked: EmitOptions) -> Path:
    """Where a package goes."""
    wanted = LANGUAGE[asked.kind]
    if asked.lang != wanted:
        raise click.UsageError(f"--{asked.kind}: expected --lang {wanted}, not {asked.lang}")
    if asked.crate is not None and asked.header_only:
        raise click.UsageError("--crate and --header-only: expected one of them")
    if asked.kind == "header-only":
        if asked.output is None:
            raise click.UsageError("--header-only: expected -o FOLDER")
        return asked.output
    if asked.output is not None:
        raise click.UsageError(f"-o and --{asked.kind} DIR: expected one of them")
    return asked.crate or Path(asked.package or "")


def _check_folder(folder: Path, force: bool) -> None:
    """The folder is new or empty, unless `force`."""
    message = ""
    if folder.exists() and not folder.is_dir():
        message = "is a file: expected a folder"
    elif folder.is_dir() and any(folder.iterdir()) and not force:
        message = "is not empty: expected a new folder, or --force"
    elif not folder.absolute().parent.is_dir():
        message = "the folder above it does not exist"
    if message:
        raise InputError([Problem(message, file=str(folder))])


def _write_harness(asked: EmitOptions) -> None:
    from magicert.compact.emit.harness import harness

    if asked.crate or asked.header_only or asked.table is not None or asked.literal:
        raise click.UsageError("--check-harness: expected no TABLE, and no package")
    if asked.package is not None and asked.lang != "go":
        raise click.UsageError(f"--package: expected --lang go, not {asked.lang}")
    data = harness(asked.lang, asked.package or "magics").encode()
    asked.check_output()
    asked.write(data, "its head says how to compile it with the engine")
