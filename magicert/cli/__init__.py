"""The command line: `magicert COMMAND`. Commands are imported when they are called.

app         the group of commands; errors become exit statuses
commands    one module a command: parse, call one job, show what came of it
display     progress, reports, boards, JSON
options     options and arguments that several commands share
"""

import os
import sys
from pathlib import Path

INTERRUPTED = 3
"""The exit status of whatever was not brought to its end."""

VERDICT_STATUS = {"valid": 0, "invalid": 1, "bad input": 2, "unknown": INTERRUPTED}
"""The exit status of a verdict about a file."""


def main() -> None:
    """The entry point of the `magicert` command."""
    for stream in ("stdout", "stderr"):
        if getattr(sys, stream) is None:  # closed by our caller: the exit status still counts
            setattr(sys, stream, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115
    try:
        from magicert.cli.app import cli
    except KeyboardInterrupt:  # before there is anything that could tell it better
        sys.exit(INTERRUPTED)
    cli.main(prog_name="magicert")
