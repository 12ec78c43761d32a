"""`magicert pack`."""

from magicert.cli.commands.pack import command as run

__all__ = ["run"]
