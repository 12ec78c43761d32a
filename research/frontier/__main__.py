"""`python -m research.frontier`: bytes against time, of many ways to get attacks."""

import sys
from collections.abc import Mapping, Sequence
from typing import ClassVar

import click

from magicert.commands.app import Group


class Frontier(Group):
    """Its command."""

    groups: ClassVar[Mapping[str, Sequence[str]]] = {"Bytes against time": ("measure",)}
    program: ClassVar[str] = "python -m research.frontier"

    def load(self, name: str) -> click.Command:
        from research.frontier import commands

        loaded: click.Command = commands.measure
        return loaded


@click.group(cls=Frontier, context_settings={"help_option_names": ["-h", "--help"]})
def main() -> None:
    """Which way to get attacks is smaller, and which is faster: research/frontier/README.md."""


if __name__ == "__main__":
    sys.exit(main(prog_name="python -m research.frontier"))
