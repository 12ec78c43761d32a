"""The child process in which `native` lets a compiled module run: it loads the module, calls its
init and its functions, and reads its memory. It imports little: each proof that runs an init begins
one.

    python -P -m magicert.functions.native_child     reads orders as JSON, one a line
"""

import base64
import ctypes
import json
import os
import signal
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from typing import Any

from magicert.system.processes import die_with_parent

SECONDS = 60
"""Processor seconds of this process."""
MEMORY = 4 << 30
"""Bytes of address space that it may add."""
LEAST_SECONDS = 5
"""Seconds that an init may take when it runs again, besides twice what it took."""
RUN = "magicert.run"
"""The function, put into the module, that calls the static initialisers and the init."""


class Child:
    """The compiled module, loaded: a method an order."""

    def __init__(self) -> None:
        self.library: Any = None
        self.memory: Any = None
        self.twin: Connection | None = None
        self.init = ctypes.c_void_p()
        self.seconds = 0.0
        """How long the init took."""

    def load(self, path: str, init: str, rust: str) -> None:
        for name in ("libstdc++.so.6", "libm.so.6", *filter(None, [rust])):
            with suppress(OSError):
                ctypes.CDLL(name, ctypes.RTLD_GLOBAL)
        # ctypes itself would ask for all functions at once, also for those that nobody calls.
        system = ctypes.CDLL(None)
        system.dlopen.restype, system.dlerror.restype = ctypes.c_void_p, ctypes.c_char_p
        handle = system.dlopen(os.fsencode(path), 1)
        if handle is None:
            sys.stderr.write(system.dlerror().decode(errors="replace"))
            sys.stderr.flush()
            os._exit(1)
        self.library = ctypes.CDLL(path, handle=handle)
        if init:
            self.init = ctypes.cast(self.library[init], ctypes.c_void_p)
        began = time.monotonic()
        if hasattr(os, "fork"):
            self._run_twice(self.init)
        else:
            self.library[RUN](self.init, 0, 0, None, None, None, None)
        self.seconds = time.monotonic() - began

    def _run_twice(self, init: ctypes.c_void_p) -> None:
        """Run in a copy of this process first, with other garbage in memory that nobody wrote. As
        the copy ends, this one ends.
        """
        here, there = Pipe()
        ready, done = os.pipe()
        system = ctypes.CDLL(None)
        functions = (getattr(system, name, 0) for name in ("fork", "close", "read", "prctl"))
        calls = [ctypes.cast(call, ctypes.c_void_p) for call in functions]
        copy = self.library[RUN](init, ready, done, *calls)
        if copy < 0:
            status = os.waitstatus_to_exitcode(os.waitpid(-copy, 0)[1])
            if status < 0:
                os.kill(os.getpid(), -status)
            os._exit(status)
        if sys.platform == "linux":
            self.memory = os.fdopen(os.open("/proc/self/mem", os.O_RDONLY), "rb", buffering=0)
        if copy:
            self.twin = here
            there.close()
            return
        try:
            here.close()
            os.write(done, b".")
            while True:
                there.send(self.read(*there.recv()))
        finally:
            os._exit(1)

    def again(self, address: int, size: int) -> str | None:
        """What stands there in the other run."""
        if self.twin is None:
            return self.read(address, size)
        self.twin.send((address, size))
        return self.twin.recv()

    def changed(self, places: Sequence[tuple[int, int]]) -> list[int] | None:
        """Which of these addresses, each with a number of bytes, hold something else once the init
        has run again; None where it does not come to its end. It runs in a copy of this process.
        """
        if not self.init.value or not hasattr(os, "fork"):
            return []
        here, there = Pipe(duplex=False)
        copy = os.fork()
        if not copy:
            try:
                self._change(there, places)
            finally:
                os._exit(1)
        there.close()
        try:
            return here.recv()
        except EOFError:
            return None
        finally:
            here.close()
            os.waitpid(copy, 0)

    def _change(self, answer: Connection, places: Sequence[tuple[int, int]]) -> None:
        """Run the init again, here."""
        signal.setitimer(signal.ITIMER_REAL, LEAST_SECONDS + 2 * self.seconds)
        if self.memory is not None:  # what was opened is the other process's
            self.memory = os.fdopen(os.open("/proc/self/mem", os.O_RDONLY), "rb", buffering=0)
        before = [self.read(*place) for place in places]
        ctypes.cast(self.init, ctypes.CFUNCTYPE(None))()
        after = [self.read(*place) for place in places]
        pairs = zip(places, before, after, strict=True)
        answer.send([address for (address, _), first, second in pairs if first != second])

    def address(self, name: str) -> int:
        try:
            return ctypes.addressof(ctypes.c_char.in_dll(self.library, name))
        except ValueError:
            return 0

    def read(self, address: int, size: int) -> str | None:
        if self.memory is None:
            return base64.b64encode(ctypes.string_at(address, size)).decode()
        try:
            self.memory.seek(address)
            data = self.memory.read(size)
        except (OSError, OverflowError, ValueError):
            return None
        return base64.b64encode(data).decode() if len(data) == size else None

    def call(self, name: str, square: int, boards: Sequence[str], size: int) -> str:
        number = ctypes.create_string_buffer(32)
        words = b"".join(int(board, 16).to_bytes(16, "little") for board in boards)
        arguments = ctypes.create_string_buffer(16 * len(boards) + 32)
        # What is read as words of 128 bits must lie at a multiple of 16.
        places = [-(-ctypes.addressof(one) // 16) * 16 for one in (number, arguments)]
        ctypes.memmove(places[0], square.to_bytes(16, "little"), 16)
        ctypes.memmove(places[1], words, len(words))
        out = ctypes.create_string_buffer(size)
        function = self.library[name]
        function.restype, function.argtypes = None, [ctypes.c_void_p] * 3
        function(*places, ctypes.addressof(out))
        return hex(int.from_bytes(out.raw, "little"))


def main() -> None:
    """Answer orders until there are no more."""
    _limit()
    # What the user's code prints must not be taken for an answer.
    answers = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)
    child = Child()
    for line in sys.stdin.buffer:
        what, order = json.loads(line)
        answer = getattr(child, what)(**order)
        answers.write(json.dumps({"answer": answer}).encode() + b"\n")


def _limit() -> None:
    with suppress(ImportError):
        import resource

        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    die_with_parent()


if __name__ == "__main__":
    main()
