"""`python -m research.packing`: layered tables, and those of two levels that overlay."""

import sys
from collections.abc import Mapping, Sequence
from typing import ClassVar

import click

from magicert.commands.app import Group


class Packing(Group):
    """Its commands."""

    groups: ClassVar[Mapping[str, Sequence[str]]] = {
        "Tables with one AND more": ("layered", "overlaid"),
        "Plain tables": ("exact", "replay"),
    }
    program: ClassVar[str] = "python -m research.packing"

    def load(self, name: str) -> click.Command:
        from research.packing import commands

        loaded: click.Command = getattr(commands, name)
        return loaded


@click.group(cls=Packing, context_settings={"help_option_names": ["-h", "--help"]})
def main() -> None:
    """Pack tables that are not plain, and make records anew.

    From a checkout only: research/packing/README.md says what came of it.
    """


if __name__ == "__main__":
    sys.exit(main(prog_name="python -m research.packing"))
