"""`magicert find`."""

from magicert.cli.commands.find import command as run

__all__ = ["run"]
