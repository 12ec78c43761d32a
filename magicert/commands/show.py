"""`magicert show`."""

from magicert.cli.commands.show import command as run

__all__ = ["run"]
