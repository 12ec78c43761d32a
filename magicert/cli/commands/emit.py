"""`magicert emit`: the source of a table, to paste into an engine."""

import shlex
import sys
from pathlib import Path

import rich_click as click

from magicert.cli.options.types import TableType


class LanguageType(click.Choice[str]):
    """The languages of magicert.compact.emit, which imports numpy: looked up when needed."""

    def __init__(self) -> None:
        self.case_sensitive = True

    @property
    def choices(self) -> tuple[str, ...]:  # type: ignore[override]
        """The names of the languages, and "binary"."""
        from magicert.compact.emit import LANGUAGES

        return (*LANGUAGES, "binary")


@click.command("emit")
@click.argument("table", type=TableType())
@click.option(
    "--lang", type=LanguageType(), required=True,
    help="The language; binary: the finished buffers, little-endian.",
)  # fmt: skip
@click.option("--literal", is_flag=True, help="The finished buffer instead of a fill routine.")
@click.option("-o", "output", type=click.Path(dir_okay=False, path_type=Path), help="Else stdout.")
def command(table: Path, lang: str, literal: bool, output: Path | None) -> None:
    """Write a table as source, with the lookup as one expression.

    The table is verified first; the lookup is printed from the formula that was verified.
    Without --literal the source has a fill routine that walks the rays, and stops at the
    first write that would change an entry.

    \b
    magicert emit cfish_black --lang rust -o src/magics.rs
    magicert emit tables/records/black.toml --lang c --literal > magics.h
    magicert emit cfish_black --lang binary -o attacks.bin
    """
    from magicert.compact.emit import LANGUAGES, binary, make_unit
    from magicert.table import read_table

    shown = f"magicert emit {shlex.quote(table.name)} --lang {lang}{' --literal' * literal}"
    unit = make_unit(read_table(table), shown)
    data = binary(unit) if lang == "binary" else LANGUAGES[lang].emit(unit, literal).encode()
    if output is None:
        sys.stdout.buffer.write(data)
        return
    output.write_bytes(data)
    click.echo(f"{output}: {unit.name}, {unit.entries:,} entries, {len(data):,} bytes")
