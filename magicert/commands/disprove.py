"""`magicert disprove`."""

from magicert.cli.commands.find import disprove as run

__all__ = ["run"]
