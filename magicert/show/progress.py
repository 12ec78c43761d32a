"""Progress of long work on stderr: a bar on a terminal, plain lines when piped.

Work that is over in a moment shows nothing. On a terminal work that has not reported anything for
a second shows its name, so that nobody waits before an empty screen; piped, the first line comes
after ten. An interruption shows how far the work came.
"""

import sys
import time
from math import floor
from threading import RLock, Timer
from types import TracebackType
from typing import TYPE_CHECKING, cast

import click

from magicert.problem import printable

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

PATIENCE = 0.7
"""Seconds before anything is shown."""
SILENCE = 1.0
"""Seconds after which work that reports nothing shows its name."""
ENOUGH = 1 / 1000
"""The part of the work after which its rate says how long the rest takes."""
LINE_EVERY = 10.0
"""Seconds between two lines when piped."""
DRAW_EVERY = 0.1
"""Seconds between two states of the bar."""


def level() -> int:
    """How much the running command tells on the way: -1 with -q, 1 with -v, else 0."""
    context = click.get_current_context(silent=True)
    return 0 if context is None else cast("int", context.meta.get("magicert.level", 0))


class ProgressDisplay:
    """`with ProgressDisplay("verifying", "lookups") as show: show(done, total)`.

    `total` may be None while it is unknown; `note` is shown behind the figures. It is an
    observer as well: `show.progress(done, total, note)` and `show.say(message)`.
    """

    def __init__(self, doing: str, unit: str = "") -> None:
        self.doing = printable(doing)
        self.unit = unit
        self.level = level()
        self.terminal = sys.stderr.isatty()
        self.line_at = time.monotonic() + (PATIENCE if self.terminal else LINE_EVERY)
        self.since: tuple[float, float] | None = None
        self.last: tuple[float, float | None, str] | None = None
        self.bar: Progress | None = None
        self.task: TaskID | None = None
        self.lock = RLock()
        self.timer: Timer | None = None
        self.entered = time.monotonic()
        self.spoken: float | None = None
        self.over = False
        self.time_in_notes = False

    def __enter__(self) -> "ProgressDisplay":
        self.entered = time.monotonic()
        self._listen(SILENCE if self.terminal else LINE_EVERY)
        return self

    def _listen(self, seconds: float) -> None:
        """Speak if nothing else is shown for so long."""
        if self.level < 0:
            return
        self.timer = Timer(seconds, self._speak)
        self.timer.daemon = True
        self.timer.start()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with self.lock:
            self.over = True
            if self.timer is not None:
                self.timer.cancel()
            if self.bar is not None:
                self.bar.stop()
            if isinstance(error, KeyboardInterrupt):
                done, total, note = self.last or (0, None, "nothing finished yet")
                self.say(self._line(0.0, done, total, note))

    def __call__(self, done: float, total: float | None, note: str = "") -> None:
        """Show how far the work is, if it is time to. What is done at the first call was done
        before: it does not count for the rate. Where `done` falls, a new phase begins.
        """
        with self.lock:
            now = time.monotonic()
            if self.since is None or (self.last is not None and done < self.last[0]):
                self.since = now, done
            self.last = done, total, note
            if self.level < 0 or now < self.line_at:
                return
            self.line_at = now + (DRAW_EVERY if self.terminal else LINE_EVERY)
            started, before = self.since
            rate = (done - before) / max(1e-9, now - started)
            if self.terminal:
                self._draw(rate, done, total, note)
            else:
                self.say(self._line(rate, done, total, note))

    progress = __call__

    def leave_time_to_notes(self) -> None:
        """Show no rate of the units, and no time left from it."""
        self.time_in_notes = True

    def say(self, message: str) -> None:
        """One line on stderr, unless -q is given."""
        if self.level < 0:
            return
        with self.lock:
            self.spoken = time.monotonic()
            print(message, file=sys.stderr, flush=True)

    def say_verbose(self, message: str) -> None:
        """One line for who asks for it by -v."""
        if self.level > 0:
            self.say(message)

    def _speak(self) -> None:
        """Called by the timer. A bar shows its own clock once it is there; lines come again
        whenever nothing has been shown for a while.
        """
        with self.lock:
            if self.over:
                return
            now = time.monotonic()
            done, total, note = self.last or (0.0, None, "")
            if self.terminal:
                if self.bar is None:
                    self._draw(0.0, done, total, note)
                return
            if self.spoken is None:
                self.say(self._line(0.0, done, total, note))
            elif now - self.spoken >= LINE_EVERY:
                waited = f"{now - self.entered:,.0f} s so far"
                self.say(self._line(0.0, done, total, ", ".join(filter(None, [note, waited]))))
            self._listen(LINE_EVERY)

    def _draw(self, rate: float, done: float, total: float | None, note: str) -> None:
        if self.bar is None:
            self.bar, self.task = _bar()
            self.bar.start()
        assert self.task is not None
        figures = self._figures(rate, done, total)
        self.bar.update(
            self.task, completed=done, total=total, description=self.doing,
            figures=", ".join(filter(None, [*figures, note])),
        )  # fmt: skip

    def _line(self, rate: float, done: float, total: float | None, note: str) -> str:
        figures = self._figures(rate, done, total)
        return f"{self.doing}: {', '.join(filter(None, [*figures, note])) or '...'}"

    def _figures(self, rate: float, done: float, total: float | None) -> list[str]:
        if not done and not total:
            return []
        of = f" of {total:,.0f}" if total else ""
        figures = [f"{floor(done):,}{of} {self.unit}".rstrip()]  # what is begun is not done
        if self.since is not None and rate > 0 and not self.time_in_notes:
            figures.append(f"{_short(rate)}/s")
            if total and done - self.since[1] >= total * ENOUGH:
                figures.append(f"about {max(0.0, total - done) / rate:,.0f} s to go")
        return figures


def _short(rate: float) -> str:
    return f"{rate:,.0f}" if rate >= 10 else f"{rate:.2g}"


def _bar() -> "tuple[Progress, TaskID]":
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(bar_width=None),
        TextColumn("{task.fields[figures]}"),
        TimeElapsedColumn(),
        console=Console(stderr=True),
        transient=True,
    )
    return bar, bar.add_task("", total=None, figures="")
