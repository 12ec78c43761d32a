"""Solving in a child process: the only way to stop a solver at once, whatever it is doing.

Z3 and the SAT solvers run for minutes inside one call. Neither Ctrl-C nor a clock stops such a
call reliably, and a solver that runs out of memory takes its process with it. So each runs in
a process of its own, with its own memory limit. The parent watches the clock and kills.
"""

import multiprocessing
import os
import signal
import sys
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from types import ModuleType
from typing import Any, Generic, NamedTuple, TypeVar

from magicert.outcome import Exists, Figures, Impossible, Observer, Outcome, Unknown, say_verbose
from magicert.problem import InputError, Problem, missing
from magicert.system.deadline import Deadline
from magicert.system.processes import die_with_parent, safe_path

# Seconds of one wait. A Ctrl-C that arrives between two waits, or in another thread, does not
# end the wait that follows: it is seen when that wait is over.
WAIT_SECONDS = 0.5


class ChildObserver:
    """The child's way to speak: an Observer whose words arrive at the parent's.

    `share` of `shares` says which part of the work is this child's.
    """

    def __init__(self, pipe: Connection, share: int, shares: int) -> None:
        self.pipe = pipe
        self.share = share
        self.shares = shares

    def progress(self, done: float, total: float | None, note: str = "") -> None:
        self.pipe.send(("progress", (done, total, note)))

    def say(self, message: str) -> None:
        self.pipe.send(("say", message))

    def say_verbose(self, message: str) -> None:
        self.pipe.send(("say_verbose", message))

    def add_magic(self, magic: int) -> None:
        """A magic, verified: it is kept even if the work is stopped later."""
        self.pipe.send(("found", magic))

    def so_far(self, result: object) -> None:
        """A result that is kept if the work is stopped later."""
        self.pipe.send(("so far", result))


class Budget(NamedTuple):
    """Wall-clock seconds, and MiB of address space for each process; None for no limit."""

    seconds: float | None = None
    memory: int | None = None


RequestT = TypeVar("RequestT")
ResultT = TypeVar("ResultT")


@dataclass(slots=True)
class _Child(Generic[ResultT]):
    """One child: its process, our end of its pipe, and what it has said."""

    process: Any  # multiprocessing's processes have no common public type
    pipe: Connection
    done: float = 0
    total: float | None = None
    outcome: ResultT | Outcome | None = None


def supervise(
    work: Callable[[RequestT, ChildObserver], ResultT],
    request: RequestT,
    observer: Observer,
    budget: Budget,
    shares: int = 1,
    unfinished: Callable[[ResultT, str], ResultT] | None = None,
) -> ResultT | Outcome:
    """Run `work(request, report)` in child processes, within the budget.

    `work` is a function of a module; each of `shares` children is told its share. One
    EXISTS ends the work, IMPOSSIBLE takes all of them. Timeouts, Ctrl-C, memory limits and
    crashes of the solver become UNKNOWN with the last progress, or EXISTS if magics had
    been found, or what `unfinished` makes of the latest result so far and the reason.
    Raises InputError if the work does.
    """
    children = _Children[RequestT, ResultT](request, observer, budget, unfinished)
    try:
        with safe_path(), _interrupts_blocked():
            for share in range(shares):
                children.start_child(share, shares)
        children.send_request(work)
        return children.wait_for_outcome()
    except KeyboardInterrupt:
        return children.stopped_outcome("interrupted")
    finally:
        children.kill_all()


class _Children(Generic[RequestT, ResultT]):
    def __init__(
        self,
        request: RequestT,
        observer: Observer,
        budget: Budget,
        unfinished: Callable[[ResultT, str], ResultT] | None,
    ) -> None:
        self.request = request
        self.budget = budget
        self.observer = observer
        self.unfinished = unfinished
        self.latest_result: ResultT | None = None
        self.children: list[_Child[ResultT]] = []
        self.magics: list[int] = []
        self.note = ""
        self.deadline = Deadline.after(budget.seconds)

    def start_child(self, share: int, shares: int) -> None:
        """A child that waits for its request. As an argument this might be more than a pipe holds,
        and a child that dies before it has read that keeps its parent waiting for ever.
        """
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        arguments = (theirs, self.budget.memory, share, shares)
        process = context.Process(target=_child_main, args=arguments, daemon=True)
        with _without_main():
            process.start()
        self.children.append(_Child(process, ours))
        theirs.close()

    def send_request(self, work: Callable[[RequestT, ChildObserver], ResultT]) -> None:
        """To each child; that one has died is seen where it is heard."""
        for child in self.children:
            with suppress(BrokenPipeError, ConnectionResetError):
                child.pipe.send((work, self.request))

    def kill_all(self) -> None:
        for child in self.children:
            if hasattr(os, "killpg"):
                # With what it has begun itself, a compiler for example.
                with suppress(ProcessLookupError, PermissionError):
                    os.killpg(child.process.pid, signal.SIGKILL)
            if child.process.is_alive():
                child.process.kill()
            child.process.join()
            child.pipe.close()

    def wait_for_outcome(self) -> ResultT | Outcome:
        """Hear the children until one finds a magic or all have ended."""
        while waiting := [child for child in self.children if child.outcome is None]:
            if self.deadline.over:
                return self.stopped_outcome(f"timeout of {self.budget.seconds:g} s")
            ready = wait([child.pipe for child in waiting], min(self.deadline.left, WAIT_SECONDS))
            for child in waiting:
                if child.pipe in ready:
                    self.receive(child)
                if isinstance(child.outcome, Exists):
                    return child.outcome
        return self.combined_outcome()

    def receive(self, child: _Child[ResultT]) -> None:
        """One message of one child."""
        try:
            kind, content = child.pipe.recv()
        except (EOFError, ConnectionResetError):
            child.process.join()
            child.outcome = self.stopped_outcome(
                _death_reason(child.process.exitcode, self.budget.memory)
            )
            return
        match kind:
            case "progress":
                self.progress(child, *content)
            case "say":
                self.observer.say(content)
            case "say_verbose":
                say_verbose(self.observer)(content)
            case "found":
                self.magics.append(content)
            case "so far":
                self.latest_result = content
            case "outcome":
                child.outcome = content
            case "problems":
                raise InputError(content)
            case "memory":
                child.outcome = self.stopped_outcome(_death_reason(None, self.budget.memory))
            case "crash":
                raise RuntimeError(f"in the solver's process:\n{content}")

    def progress(self, child: _Child[ResultT], done: float, total: float | None, note: str) -> None:
        child.done, child.total = done, total
        done = sum(each.done for each in self.children)
        totals = [each.total for each in self.children]
        total = None if None in totals else sum(filter(None, totals))
        of = f" of {total:,.0f}" if total else ""
        self.note = f"{done:,.0f}{of} {note}"
        self.observer.progress(done, total, note)

    def stopped_outcome(self, reason: str) -> ResultT | Outcome:
        if self.unfinished is not None and self.latest_result is not None:
            return self.unfinished(self.latest_result, reason)
        if self.magics:
            return Exists(tuple(self.magics), progress=reason)
        return Unknown(reason, self.note)

    def combined_outcome(self) -> ResultT | Outcome:
        """The outcome of all shares, none of which has found a magic."""
        outcomes = [child.outcome for child in self.children]
        for outcome in outcomes:
            if isinstance(outcome, Unknown):
                return self.stopped_outcome(outcome.reason) if self.magics else outcome
        last = outcomes[-1]
        assert last is not None
        if not isinstance(last, Impossible):
            return last
        shares = [outcome.figures for outcome in outcomes if isinstance(outcome, Impossible)]
        return replace(last, figures={name: _sum(shares, name) for name in last.figures})


def _sum(shares: Sequence[Figures], name: str) -> float | int:
    """A figure of all shares together."""
    return sum(value for figures in shares if not isinstance(value := figures[name], str))


ABORTED = "the solver's process was aborted"
"""How the reason begins where a library ended the child by itself (SIGABRT, SIGSEGV)."""


OUT_OF_MEMORY = 101
"""The status with which Z3 ends a process whose memory is not enough."""


def _death_reason(status: int | None, memory: int | None) -> str:
    if status in {-signal.SIGABRT, -signal.SIGSEGV}:
        limit = "" if memory is None else f", or came to its memory limit of {memory:,} MiB"
        return f"{ABORTED} by a library{limit}"
    if memory is not None and status in {None, -signal.SIGKILL, OUT_OF_MEMORY}:
        return f"the solver reached its memory limit of {memory:,} MiB"
    return f"the solver's process ended unexpectedly (status {status})"


def _child_main(pipe: Connection, memory: int | None, share: int, shares: int) -> None:
    """The child's main function."""
    # Ctrl-C goes to every process of a terminal; it is the parent's to answer.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    die_with_parent()
    if hasattr(os, "setpgid"):
        os.setpgid(0, 0)
    try:
        try:
            work, request = pipe.recv()
        except EOFError:
            return  # the parent has gone
        if memory is not None:
            _limit_memory(memory)
        pipe.send(("outcome", work(request, ChildObserver(pipe, share, shares))))
    except InputError as error:
        pipe.send(("problems", error.problems))
    except ImportError as error:
        pipe.send(("problems", missing(error).problems))
    except MemoryError:
        pipe.send(("memory", ""))
    except BrokenPipeError:
        pass  # the parent has gone, and nobody is left to hear why
    except Exception as error:
        ours = isinstance(error, AttributeError | LookupError | NameError | TypeError)
        if memory is not None and not ours and "memory" in str(error).lower():
            pipe.send(("memory", ""))
        else:
            pipe.send(("crash", traceback.format_exc()))


def _limit_memory(mebibytes: int) -> None:
    """So much on top of what the interpreter and its libraries have mapped already."""
    try:
        import resource
    except ImportError:
        message = "memory limits need a POSIX system"
        raise InputError([Problem(message, key="memory")]) from None
    limit = _mapped() + (mebibytes << 20)
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))


def _mapped() -> int:
    """Bytes of address space in use (Linux; 1 GiB elsewhere)."""
    try:
        with open("/proc/self/statm", encoding="ascii") as statm:  # noqa: PTH123
            return int(statm.read().split()[0]) * 4096
    except OSError:
        return 1 << 30


@contextmanager
def _without_main() -> Iterator[None]:
    """A child runs the caller's script anew, which without a guard would ask once more: it sees
    none. All that it needs is in modules.
    """
    main = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main


@contextmanager
def _interrupts_blocked() -> Iterator[None]:
    """A child that starts with SIGINT blocked never sees the Ctrl-C that is meant for us.

    Not on Windows: there a child that is still starting may die of it.
    """
    if sys.platform == "win32":
        yield
        return
    # The first child starts this tracker, and its start unblocks the signal.
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
