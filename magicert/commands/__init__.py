"""The command line: `magicert COMMAND`. Commands are imported when they are called.

Here nothing is imported that takes time: a Ctrl-C is an error of Python's until `main` has begun.
"""

import atexit
import os
import signal
import sys
from contextlib import suppress

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TextIO

INTERRUPTED = 3
"""The exit status of whatever was not brought to its end."""

LIKE_CTRL_C = ("SIGTERM", "SIGHUP")
"""Signals at which work ends as it does at Ctrl-C: it says how far it came and leaves nothing."""


def _dependable(stream: "TextIO | None") -> "TextIO":
    """A stream that takes all that is written to it, or says that it cannot."""
    from io import BufferedWriter, RawIOBase, TextIOWrapper
    from pathlib import Path

    if stream is None:  # closed by our caller: the exit status still counts
        return Path(os.devnull).open("w", encoding="utf-8")
    if isinstance(stream, TextIOWrapper) and isinstance(raw := stream.buffer, RawIOBase):
        # PYTHONUNBUFFERED: what does not fit on a full disk would be lost without a word.
        encoding, errors = stream.encoding, stream.errors
        stream.detach()
        return TextIOWrapper(BufferedWriter(raw), encoding, errors, line_buffering=True)
    return stream


_status: list[object] = []
"""With which status the command ends, once that is known."""


def _end_as_interrupted() -> None:
    """Last of all that Python calls at its end: `python -m` would end by the signal itself where
    Ctrl-C came in code that is made from a text, as that of a dataclass is, whatever we made of it.
    """
    if INTERRUPTED in _status:
        for stream in (sys.stdout, sys.stderr):
            with suppress(OSError, ValueError):
                stream.flush()
        os._exit(INTERRUPTED)


MOMENT = 0.05
"""Seconds after which a Ctrl-C that was dropped comes again."""


def _not_lost(dropped: "sys.UnraisableHookArgs") -> None:
    """What becomes of an error that Python drops. A Ctrl-C that comes while C calls a function of
    ours (LLVM does, when numba compiles) would be lost so: it comes again, a moment later, when
    that function has been left.
    """
    if not issubclass(dropped.exc_type, KeyboardInterrupt):
        sys.__unraisablehook__(dropped)
        return
    from _thread import interrupt_main
    from threading import Timer

    again = Timer(MOMENT, interrupt_main)
    again.daemon = True
    again.start()


def main() -> None:
    """The entry point of the `magicert` command."""
    atexit.register(_end_as_interrupted)
    sys.unraisablehook = _not_lost
    try:
        for name in LIKE_CTRL_C:
            ending = getattr(signal, name, None)  # not every system has all of them
            if ending is not None and signal.getsignal(ending) is signal.SIG_DFL:
                signal.signal(ending, signal.default_int_handler)
        for name in ("stdout", "stderr"):  # of __stdout__ libraries ask how wide the terminal is
            vars(sys)[name] = vars(sys)[f"__{name}__"] = _dependable(getattr(sys, name))
        from magicert.commands.app import cli

        cli.main(prog_name="magicert")
    except SystemExit as end:
        _status.append(end.code)
        raise
    except KeyboardInterrupt:  # before there is anything that could tell it better, or while told
        _status.append(INTERRUPTED)
        sys.exit(INTERRUPTED)
    finally:
        # All is said: another Ctrl-C must not change the exit status.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
