"""The command line: `magicert COMMAND`. Commands are imported when they are called."""

import sys

INTERRUPTED = 3
"""The exit status of whatever was not brought to its end."""


def main() -> None:
    """The entry point of the `magicert` command."""
    try:
        from magicert.cli.app import cli
    except KeyboardInterrupt:  # before there is anything that could tell it better
        sys.exit(INTERRUPTED)
    cli.main(prog_name="magicert")
