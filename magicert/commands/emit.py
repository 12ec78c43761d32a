"""`magicert emit`."""

from magicert.cli.commands.emit import command as run

__all__ = ["run"]
