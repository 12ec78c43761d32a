"""Progress of long work: a bar with rate and remaining time on a terminal, plain lines
when piped, nothing at all for work that is over in a moment. Everything goes to stderr.
"""

import sys
import time
from types import TracebackType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

PATIENCE = 0.7
"""Seconds before anything is shown."""
LINE_EVERY = 10.0
"""Seconds between two lines when piped."""


class ProgressDisplay:
    """`with ProgressDisplay("verifying", "lookups") as show: show(done, total)`.

    `total` may be None while it is unknown; `note` is shown behind the figures.
    """

    def __init__(self, doing: str, unit: str = "") -> None:
        self.doing = doing
        self.unit = unit
        self.line_at = time.monotonic() + PATIENCE
        self.since: tuple[float, float] | None = None
        self.terminal = sys.stderr.isatty()
        self.bar: Progress | None = None
        self.task: TaskID | None = None

    def __enter__(self) -> "ProgressDisplay":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self.bar is not None:
            self.bar.stop()

    def __call__(self, done: float, total: float | None, note: str = "") -> None:
        """Show how far the work is, if it is time to. What is done at the first call was done
        before: it does not count for the rate.
        """
        now = time.monotonic()
        if self.since is None:
            self.since = now, done
        if now < self.line_at:
            return
        self.line_at = now + (0.1 if self.terminal else LINE_EVERY)
        if self.terminal:
            self._draw(self._rate(now, done), done, total, note)
        else:
            line = self._line(self._rate(now, done), done, total, note)
            print(line, file=sys.stderr, flush=True)

    def _rate(self, now: float, done: float) -> float:
        assert self.since is not None
        started, before = self.since
        return (done - before) / max(1e-9, now - started)

    def _draw(self, rate: float, done: float, total: float | None, note: str) -> None:
        if self.bar is None:
            self.bar, self.task = _bar(self.unit)
            self.bar.start()
        assert self.task is not None
        self.bar.update(
            self.task, completed=done, total=total, description=self.doing,
            rate=f"{_short(rate)} {self.unit}/s {note}", refresh=True,
        )  # fmt: skip

    def _line(self, rate: float, done: float, total: float | None, note: str) -> str:
        parts = [f"{self.doing}: {done:,.0f} {self.unit}", f"{_short(rate)}/s"]
        if total:
            parts[0] = f"{self.doing}: {done:,.0f} of {total:,.0f} {self.unit}"
            if rate > 0:
                parts.append(f"{(total - done) / rate:,.0f} s to go")
        return ", ".join([*parts, note] if note else parts)


def _short(rate: float) -> str:
    return f"{rate:,.0f}" if rate >= 10 else f"{rate:.2g}"


def _bar(unit: str) -> "tuple[Progress, TaskID]":
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(bar_width=None),
        TextColumn("{task.percentage:>3.0f}%"),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
        auto_refresh=False,
    )
    return bar, bar.add_task("", total=None, rate=unit)
