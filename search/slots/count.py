"""Counting slots, a shard at a time: the program `count.c`, compiled and run.

With few index bits most occupancies of a rook must share a slot with another one, and few prefixes
of a magic allow that. The program counts how many slots a prefix takes at least; where these are
more than there are, no m of it is a magic.

When: White rooks of b1 to h1 with 8 to 11 bits, where no leaves are wanted and a C compiler is
there. Two shards are tried first, and the plan is taken if it is cheaper than windows.

Why: Rook g1 with 9 bits takes 81 s of one core; the same shards by windows 138 times as long.

Sound: L14 to L22 of proofs/rounding-lemma.md, proved on paper only. Nothing checks a node's
arithmetic afterwards: what comes of it is counts. `verify/recount/slots.c` counts them again. How
it goes: docs/window-search.md, "Counting slots".
"""

import os
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from threading import TIMEOUT_MAX, Timer

from magicert import __version__
from magicert.problem import InputError, Problem
from magicert.search.problem import SlotPlan, Terms, file_of
from magicert.system.c_program import c_program
from magicert.system.deadline import FOREVER, Deadline

SOURCE = Path(__file__).with_name("count.c")
NUMBERS = 9
"""What the program says of a shard: tables built, lines, sums with 1 to 6 squares, and words."""


@dataclass(frozen=True, slots=True)
class CountedSlots:
    """What came of a shard: no `numbers` where it was not finished. `seconds` are of one core."""

    numbers: tuple[int, ...]
    magics: tuple[int, ...]
    seconds: float


@cache
def slot_engine() -> str:
    """What counts here: the version, and a hash of the program's source."""
    return f"magicert {__version__} slot count {sha256(SOURCE.read_bytes()).hexdigest()[:16]}"


def can_count() -> bool:
    """Whether something here compiles the program."""
    return c_program(SOURCE) is not None


def count_shard(
    terms: Terms,
    plan: SlotPlan,
    step: int,
    first_only: bool = False,
    deadline: Deadline = FOREVER,
    progress: Callable[[int, float], None] | None = None,
) -> CountedSlots:
    """Run the program for a whole step of the line, and stop it at the deadline, or with
    `first_only` at the first magic. `progress` is told its nodes, and which part of the step is
    left: it goes through the upper half of a slot in equal parts.

    Raises InputError where nothing compiles it.
    """
    program = c_program(SOURCE)
    if program is None:
        message = "counting slots wants a C compiler: cc, or the package ziglang"
        raise InputError([Problem(message, key=plan.text)])
    square = "abcdefgh"[file_of(terms)] + "1"
    command = [str(program), square, str(terms.bits), *map(str, plan.numbers), str(step)]
    numbers: tuple[int, ...] = ()
    magics: list[int] = []
    parts, parts_done = 1 << (plan.known_bits - 1), 0
    stopped = True
    seconds_before = _child_seconds()
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        timer = Timer(min(deadline.left, TIMEOUT_MAX), process.kill)
        timer.daemon = True
        timer.start()
        try:
            for line in process.stdout:
                kind, *fields = line.split()
                if kind == "magic":
                    magics.append(int(fields[0], 16))
                    if first_only:
                        break
                elif kind == "shard":
                    numbers = tuple(map(int, fields[1:]))
                else:
                    parts_done += 1
                    if progress:
                        progress(int(fields[0]), max(0.0, 1 - parts_done / parts))
            else:
                stopped = False
        finally:
            timer.cancel()
            if stopped:
                process.kill()
    if not stopped and process.returncode and not deadline.over:
        raise AssertionError(f"{' '.join(command)}: ended with {process.returncode}")
    if stopped or process.returncode:
        numbers = ()
    return CountedSlots(numbers, tuple(magics), _child_seconds() - seconds_before)


def _child_seconds() -> float:
    """Seconds of one core that children of this process took, which it waited for."""
    times = os.times()
    return times.children_user + times.children_system
