"""`magicert fix`."""

from magicert.cli.commands.sources import fix as run

__all__ = ["run"]
