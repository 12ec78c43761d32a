"""`magicert report`."""

from magicert.cli.commands.sources import report as run

__all__ = ["run"]
