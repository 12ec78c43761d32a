"""`magicert emit --keys`: a lookup of keys."""

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click import get_current_context
from click.core import ParameterSource

from magicert.cli.options.output import check_output
from magicert.cli.options.types import WordType
from magicert.cli.options.work import BUDGET, SEED, keys_option, options
from magicert.problem import printable
from magicert.system.whole_file import write_whole

if TYPE_CHECKING:
    from magicert.compact.emit import Printer

OWN = {"bits": "--bits", "magic": "--magic", "scheme": "--scheme", "seconds": "--budget",
       "seed": "--seed"}  # fmt: skip
"""The options that go with --keys only, as they are typed."""

OF_KEYS = options(
    keys_option("Not a table, but keys: a line for each, as KEY or KEY VALUE (docs/keys.md)."),
    click.option("--bits", type=int, metavar="K", help="Index bits; the fewest if not given."),
    click.option("--magic", type=WordType(), help="This one; one is found if not given."),
    click.option("--scheme", default="white", show_default=True, help="A scheme or a formula."),
    BUDGET, SEED, panel="A lookup of keys (with --keys)",
)  # fmt: skip


def lookup_asked(
    given: dict[str, Any], table: Path | None, lang: str, literal: bool
) -> dict[str, Any]:
    """Take the options of a lookup out of those that were given; empty where none is asked for.

    Raises click.UsageError for what does not go together.
    """
    keys = given.pop("keys")
    own = {name: given.pop(name) for name in OWN}
    context = get_current_context()
    typed = [n for n in OWN if context.get_parameter_source(n) is not ParameterSource.DEFAULT]
    if keys is None:
        if typed:
            raise click.UsageError(f"{OWN[typed[0]]}: expected together with --keys")
        return {}
    from magicert.compact.emit.keyed import languages_of_keys

    if table is not None:
        raise click.UsageError("expected TABLE, or --keys FILE")
    if lang not in (known := languages_of_keys()):
        raise click.UsageError(f"--keys: expected --lang {', '.join(known)}, not {lang}")
    if literal:
        raise click.UsageError("--literal: not with --keys, whose lookup is always finished")
    if "magic" in typed and "bits" not in typed:
        raise click.UsageError("--magic: expected together with --bits")
    return {"keys": keys, **own}


def write_lookup(
    asked: dict[str, Any], printer: "Printer", scoped: bool, output: Path | None, force: bool
) -> int:
    """Write the lookup in a language; the exit status. `scoped`: its names live where an option
    says.
    """
    from magicert.cli.display.answers import show_keys
    from magicert.cli.display.progress import ProgressDisplay
    from magicert.key_file import read_keys
    from magicert.requests.emit_keys import EmitWanted, emit_keys

    own = {**asked}
    keys: Path = own.pop("keys")
    if output is not None:
        check_output(output, [keys], force=force)
    file = read_keys(keys)
    words = ["magicert", "emit", "--keys", keys.name, "--lang", printer.dialect.name]
    words += [f"--{printer.dialect.scope_option}", printer.scope] * scoped
    for name, usual in {"scheme": "white", "bits": None, "magic": None, "seed": 1}.items():
        if own[name] != usual:
            words += [OWN[name], f"{own[name]:#x}" if name == "magic" else str(own[name])]
    stem = output.stem if output else None
    scope = printer.scope if scoped else None
    lang = printer.dialect.name
    wanted = EmitWanted(file, lang, shlex.join(words), scope=scope, stem=stem, **own)
    with ProgressDisplay(f"{file.apart}") as display:
        source = emit_keys(wanted, display)
    if not isinstance(source, str):
        show_keys(file, source, as_json=False, to_stderr=True)
        return source.exit_status
    for remark in file.remarks:
        click.echo(printable(f"{keys}: {remark}"), err=True)
    if output is None:
        sys.stdout.buffer.write(source.encode())
        return 0
    write_whole(output, source.encode())
    click.echo(f"{printable(output)}: {len(file.entries):,} keys, {len(source.encode()):,} bytes")
    return 0
