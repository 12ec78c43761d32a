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
        self.started = time.monotonic()
        self.line_at = self.started + PATIENCE
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
        """Show how far the work is, if it is time to."""
        now = time.monotonic()
        if now < self.line_at:
            return
        self.line_at = now + (0.1 if self.terminal else LINE_EVERY)
        if self.terminal:
            self._draw(done, total, note)
        else:
            print(self._line(now, done, total, note), file=sys.stderr, flush=True)

    def _draw(self, done: float, total: float | None, note: str) -> None:
        if self.bar is None:
            self.bar, self.task = _bar(self.unit)
            self.bar.start()
        assert self.task is not None
        elapsed = max(1e-9, time.monotonic() - self.started)
        rate = f"{done / elapsed:,.0f} {self.unit}/s {note}"
        self.bar.update(
            self.task, completed=done, total=total, description=self.doing, rate=rate, refresh=True
        )

    def _line(self, now: float, done: float, total: float | None, note: str) -> str:
        elapsed = max(1e-9, now - self.started)
        rate = done / elapsed
        parts = [f"{self.doing}: {done:,.0f} {self.unit}", f"{rate:,.0f}/s"]
        if total:
            parts[0] = f"{self.doing}: {done:,.0f} of {total:,.0f} {self.unit}"
            if rate > 0:
                parts.append(f"{(total - done) / rate:,.0f} s to go")
        return ", ".join([*parts, note] if note else parts)


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
