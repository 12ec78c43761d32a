"""The command group: which commands there are, and how errors become exit statuses."""

import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any

import rich_click as click

from magicert import __version__
from magicert.problem import InputError

COMMANDS: dict[str, str] = {
    "verify": "magicert.cli.verify:command",
    "show": "magicert.cli.show:command",
    "find": "magicert.cli.find:command",
    "disprove": "magicert.cli.find:disprove",
    "lemma": "magicert.cli.lemma:command",
    "gather": "magicert.cli.gather:command",
    "tables": "magicert.cli.tables:command",
    "completion": "magicert.cli.completion:command",
}
"""Where each command is. These modules import numpy, numba and solvers inside their
functions only, so that help stays quick."""

INTERRUPTED = 3


class Group(click.RichGroup):
    """Loads commands by name, and gives every error its exit status."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The commands in the order of COMMANDS."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the command's module."""
        if cmd_name not in COMMANDS:
            return None
        module, _, name = COMMANDS[cmd_name].partition(":")
        command: click.Command = getattr(import_module(module), name)
        return command

    def main(self, args: Sequence[str] | None = None, *rest: Any, **extra: Any) -> Any:  # noqa: ANN401
        """Run, and exit with the status of the outcome: see docs/commands.md."""
        extra["standalone_mode"] = False
        try:
            status = super().main(args, *rest, **extra)
            sys.stdout.flush()
        except click.ClickException as error:
            error.show()
            status = error.exit_code
        except InputError as error:
            for problem in error.problems:
                click.echo(problem, err=True)
            status = error.exit_status
        except (click.Abort, KeyboardInterrupt):
            click.echo("interrupted", err=True)
            status = INTERRUPTED
        except BrokenPipeError:
            # The reader has gone: what Python would still flush has nowhere to go.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            status = INTERRUPTED
        sys.exit(status if isinstance(status, int) else 0)


@click.group(
    cls=Group,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Exit status: 0 yes/valid/found, 1 no/invalid/impossible, 2 bad input or usage, "
    "3 unknown (budget or interruption).",
)
@click.version_option(__version__, prog_name="magicert")
def cli() -> None:
    """Certify, settle and compact magic-bitboard tables.

    Start with one table: magicert verify shakmaty
    """
