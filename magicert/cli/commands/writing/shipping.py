"""`magicert emit` with --check-harness, or with an option that asks for a package."""

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import click

from magicert.cli.options.output import check_output
from magicert.cli.options.work import options
from magicert.problem import InputError, Problem, printable
from magicert.system.whole_file import write_whole

SHIPPING = options(
    click.option(
        "--crate", type=click.Path(path_type=Path), metavar="DIR", help="Rust: a crate, in DIR."
    ),
    click.option(
        "--header-only", is_flag=True, help="C: the header with test and bench, in the folder -o."
    ),
    click.option(
        "--check-harness", is_flag=True,
        help="No table: a test of an engine's own lookups, which it makes at start-up (c, c++, "
        "csharp, go, java, rust, zig).",
    ),
    panel="Packages and tests (--lang typescript --package DIR: a package for npm)",
)  # fmt: skip
"""The options that ask for more than a source."""
LANGUAGE = {"crate": "rust", "header-only": "c", "package": "typescript"}
"""The language of each package."""


@dataclass(frozen=True, slots=True)
class PackageOptions:
    """What the options ask for besides the source of a table."""

    lang: str
    crate: Path | None
    header_only: bool
    check_harness: bool
    scopes: Mapping[str, str | None]

    @property
    def package(self) -> str | None:
        """The name of a package, or its folder."""
        return self.scopes["package"]

    @property
    def kind(self) -> str:
        """Which package, or ""."""
        if self.crate is not None:
            return "crate"
        npm = self.lang == "typescript" and self.package is not None
        return "header-only" if self.header_only else "package" if npm else ""

    @property
    def is_more_than_source(self) -> bool:
        """Whether a source alone will not do."""
        return self.check_harness or bool(self.kind)


def ship(
    asked: PackageOptions,
    table: Path | None,
    keys: Path | None,
    *,
    literal: bool,
    output: Path | None,
    force: bool,
) -> None:
    """Write what is asked for. Raises click.UsageError where options do not go together."""
    if keys is not None:
        raise click.UsageError("--keys: expected a source, no package and no harness")
    for name in ("prefix", "namespace"):
        if asked.scopes[name] is not None:
            raise click.UsageError(f"--{name}: expected a source, no package and no harness")
    if not asked.check_harness:
        if table is None:
            raise click.MissingParameter(param_hint="'TABLE'", param_type="argument")
        folder = folder_of(asked, output)
        _write_package(asked.kind, table, literal, folder, force)
    elif asked.crate or asked.header_only or table is not None or literal:
        raise click.UsageError("--check-harness: expected no TABLE, and no package")
    else:
        _write_harness(asked, output, force)


def folder_of(asked: PackageOptions, output: Path | None) -> Path:
    """Where a package goes."""
    wanted = LANGUAGE[asked.kind]
    if asked.lang != wanted:
        raise click.UsageError(f"--{asked.kind}: expected --lang {wanted}, not {asked.lang}")
    if asked.crate is not None and asked.header_only:
        raise click.UsageError("--crate and --header-only: expected one of them")
    if asked.kind == "header-only":
        if output is None:
            raise click.UsageError("--header-only: expected -o FOLDER")
        return output
    if output is not None:
        raise click.UsageError(f"-o and --{asked.kind} DIR: expected one of them")
    return asked.crate or Path(asked.package or "")


def _write_package(kind: str, table: Path, literal: bool, folder: Path, force: bool) -> None:
    from magicert.cli.display.progress import ProgressDisplay
    from magicert.compact.emit.packages import make_package
    from magicert.jobs.any_table import table_from

    _check_folder(folder, force)
    made = make_package(kind, table_from(table, ProgressDisplay), literal)
    _write_all(made.files, folder)
    size = sum(len(text.encode()) for text in made.files.values())
    click.echo(f"{printable(folder)}: package {made.name}, {len(made.files)} files, {size:,} bytes")


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


def _write_all(files: Mapping[str, str], folder: Path) -> None:
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        write_whole(folder / path, text)


def _write_harness(asked: PackageOptions, output: Path | None, force: bool) -> None:
    from magicert.compact.emit.harness import harness

    if asked.package is not None and asked.lang != "go":
        raise click.UsageError(f"--package: expected --lang go, not {asked.lang}")
    text = harness(asked.lang, asked.package or "magics")
    if output is None:
        sys.stdout.write(text)
        return
    check_output(output, [], force=force)
    write_whole(output, text)
    click.echo(f"{printable(output)}: its head says how to compile it with the engine")
