"""`magicert verify`."""

from magicert.cli.commands.verify import command as run

__all__ = ["run"]
