"""Progress as plain lines: how far, how fast, how long still."""

from threading import Event
from typing import Any

import pytest

from magicert.cli import progress
from magicert.cli.progress import ProgressDisplay


class Clock:
    """A clock that is set by hand."""

    now = 100.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(progress, "time", clock)
    monkeypatch.setattr(progress, "SILENCE", 3600)
    return clock


def lines(capsys: Any) -> list[str]:
    return capsys.readouterr().err.splitlines()


@pytest.mark.parametrize(
    ("unit", "steps", "told"),
    [
        pytest.param(
            "shards", [(0, 402, 4096), (20, 412, 4096, "2 magics")],
            ["work: 412 of 4,096 shards, 0.5/s, about 7,368 s to go, 2 magics"],
            id="what was done before does not count for the rate",
        ),
        pytest.param("", [(0.1, 1, 2)] * 5, [], id="what is over in a moment says nothing"),
        pytest.param(
            "shards", [(0, 3, 8), (12, 3, 8)], ["work: 3 of 8 shards"],
            id="without a rate there is no time to go",
        ),
        pytest.param(
            "", [(0, 90, 100, "sampling"), (20, 5, 40, "shards"), (20, 25, 40, "shards"),
                 (20, 50, 40, "shards")],
            ["work: 5 of 40, shards", "work: 25 of 40, 1/s, about 15 s to go, shards",
             "work: 50 of 40, 1.1/s, about 0 s to go, shards"],
            id="a new phase starts anew: neither rate nor time is negative",
        ),
        pytest.param(
            "nodes", [(0, 0, 1_000_000), (10, 1, 1_000_000), (15, 100_000, 1_000_000)],
            ["work: 1 of 1,000,000 nodes, 0.1/s",
             "work: 100,000 of 1,000,000 nodes, 4,000/s, about 225 s to go"],
            id="a first step says nothing of the rest",
        ),
    ],
)  # fmt: skip
def test_what_is_told_of_steps(clock, capsys, unit, steps, told):
    with ProgressDisplay("work", unit) as show:
        for seconds, *step in steps:
            clock.now += seconds
            show(*step)
    assert lines(capsys) == told


def test_lines_come_seldom(clock, capsys):
    show = ProgressDisplay("verifying", "lookups")
    for _ in range(200):
        clock.now += 0.25
        show((clock.now - 100) * 4000, None)
    told = lines(capsys)
    assert len(told) == 5
    assert told[-1] == "verifying: 200,000 lookups, 4,000/s"


def test_an_interruption_shows_how_far_the_work_came(capsys):
    show = ProgressDisplay("checking", "bytes")
    show.__exit__(KeyboardInterrupt, KeyboardInterrupt(), None)
    assert lines(capsys) == ["checking: nothing finished yet"]
    show(10, 1200)
    show(600, 1200)
    show.__exit__(KeyboardInterrupt, KeyboardInterrupt(), None)
    assert lines(capsys) == ["checking: 600 of 1,200 bytes"]


@pytest.mark.parametrize(
    ("steps", "first", "rest"),
    [([], "planning: ...", "planning: "), ([(1, 5)], "planning: 1 of 5", "planning: 1 of 5, ")],
)
def test_silent_work_is_heard_of_again(steps, first, rest, monkeypatch):
    monkeypatch.setattr(progress, "SILENCE", 0.01)
    monkeypatch.setattr(progress, "LINE_EVERY", 0.02)
    told, shown = Event(), []

    class Show(ProgressDisplay):
        def say(self, message: str) -> None:
            self.spoken = 0.0
            shown.append(message)
            if len(shown) == 3:
                told.set()

    show = Show("planning")
    for step in steps:
        show(*step)  # before the timer runs, which may be the faster one
    with show:
        assert told.wait(60)
    assert shown[0] == first
    assert all(line.startswith(rest) and line.endswith(" s so far") for line in shown[1:3])
