"""`magicert atlas`."""

from magicert.cli.commands.atlas import command as run

__all__ = ["run"]
