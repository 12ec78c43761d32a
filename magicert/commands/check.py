"""`magicert check`."""

from magicert.cli.commands.check import command as run

__all__ = ["run"]
