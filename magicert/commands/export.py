"""`magicert export`."""

from magicert.cli.commands.export import command as run

__all__ = ["run"]
