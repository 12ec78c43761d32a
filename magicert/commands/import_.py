"""`magicert import`."""

from magicert.cli.commands.sources import import_table as run

__all__ = ["run"]
