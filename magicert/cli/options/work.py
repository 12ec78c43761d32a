"""Options of work that takes long, and of every command that prints JSON."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from magicert.cli.options.types import DurationType

Decorator = Callable[[Any], Any]

WORKERS = click.option(
    "--workers", type=click.IntRange(1, 1024), default=1, show_default=True, metavar="N",
    help="How many processes or threads work at a time.",
)  # fmt: skip
SEED = click.option(
    "--seed", type=click.IntRange(min=0), default=1, show_default=True, metavar="N",
    help="The same seed gives the same result.",
)  # fmt: skip
BUDGET = click.option("--budget", "seconds", type=DurationType(), help="Stop after 90s, 10m or 2h.")
MEMORY = click.option(
    "--memory", type=click.IntRange(min=64), metavar="MIB", help="Memory limit of a solver."
)
CLUSTER = click.option(
    "--cluster", default="", metavar="tcp://...", help="Run the shards on a Dask cluster."
)
JSON = click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")


def file_option(*names: str, help: str, default: Path | None = None) -> Decorator:  # noqa: A002
    """An option that names a file, which need not exist."""
    path = click.Path(dir_okay=False, path_type=Path)
    shown = default is not None
    return click.option(
        *names, type=path, default=default, show_default=shown, metavar="FILE", help=help
    )


def keys_option(help: str) -> Decorator:  # noqa: A002
    """The option --keys, a file that must be there."""
    path = click.Path(exists=True, dir_okay=False, path_type=Path)
    return click.option("--keys", type=path, metavar="FILE", help=help)


def options(*decorators: Decorator, panel: str | None = None, seldom: bool = False) -> Decorator:
    """Several options as one decorator; help lists them in this order, under a title if given.
    `seldom` ones only --help-all shows.
    """

    def decorate(command: Any) -> Any:  # noqa: ANN401
        for decorator in reversed(decorators):
            command = decorator(command)
            if panel is not None:
                command.__click_params__[-1].panel = panel
            command.__click_params__[-1].seldom = seldom
        return command

    return decorate
