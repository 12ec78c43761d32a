"""A child process in which the compiled module is loaded, initialised and called.

Loading somebody's library, running its static initialisers, its init and its functions is running
their code. So this happens only where the user asked for it, in a process of its own with limits on
time and memory, and with nothing on its standard input.

    python -P -m magicert.verify.function.native     reads orders as JSON, one a line
"""

import base64
import ctypes
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from magicert.problem import InputError, Problem
from magicert.verify.function.ir import Module
from magicert.verify.function.specialise import library, parsed, set_linkage

SECONDS = 60
"""Processor seconds of the child."""
STATIC = frozenset(["atexit", "stat", "fstat", "lstat", "stat64", "fstat64", "lstat64", "mknod"])
"""Functions that stand in no shared library: LLVM knows where they are."""
MEMORY = 4 << 30
"""Bytes of address space that the child may add."""


class Process:
    """The compiled module in a running child. It is a context manager."""

    def __init__(self, text: str, kept: Sequence[str], init: str, file: str) -> None:
        self.file = file
        self.folder = TemporaryDirectory(prefix="magicert-")
        path = Path(self.folder.name) / "module.bc"
        path.write_bytes(_prepared(text, kept, init))
        self.said = Path(self.folder.name) / "said"
        with self.said.open("wb") as said:
            self.child = subprocess.Popen(
                [sys.executable, "-P", "-m", "magicert.verify.function.native"],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=said,
            )  # fmt: skip
        try:
            self._ask(load=str(path), init=init)
        except InputError:
            self.close()
            raise

    def __enter__(self) -> "Process":
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """End the child."""
        self.child.kill()
        self.child.wait()
        for pipe in (self.child.stdin, self.child.stdout):
            if pipe:
                with suppress(OSError):
                    pipe.close()
        self.folder.cleanup()

    def _ask(self, **order: Any) -> Any:  # noqa: ANN401
        assert self.child.stdin
        assert self.child.stdout
        try:
            self.child.stdin.write(json.dumps(order).encode() + b"\n")
            self.child.stdin.flush()
            line = self.child.stdout.readline()
        except OSError:
            line = b""
        if not line:
            status = self.child.wait()
            raise InputError([Problem(self._death(status), file=self.file, key=_doing(order))])
        answer = json.loads(line)
        if "error" in answer:
            raise InputError([Problem(answer["error"], file=self.file, key=_doing(order))])
        return answer["answer"]

    def _death(self, status: int) -> str:
        said = self.said.read_text("utf-8", "replace").strip().splitlines()
        missing = [
            line for line in said if "could not be resolved" in line or "Symbols not found" in line
        ]
        if missing:
            quoted = re.search(r"'([^']*)'", missing[-1])
            symbol = quoted[1] if quoted else missing[-1]
            return f"it needs {symbol}, which none of the sources defines: give that source, too"
        if -status in {signal.SIGXCPU, signal.SIGKILL}:
            return f"stopped after {SECONDS} s of processor time"
        name = signal.Signals(-status).name if status < 0 else f"status {status}"
        last = f": {said[-1][:200]}" if said else ""
        return f"the process ended with {name}{last}"

    @cache  # noqa: B019 - the child lives as long as what it said is of use
    def address(self, symbol: str) -> int | None:
        """Where a global begins; None where it is not in the module."""
        found = self._ask(address=symbol)
        return int(found) if found else None

    def read(self, address: int, size: int) -> bytes | None:
        """Bytes of the child's memory; None where it has none there."""
        found = self._ask(read=address, size=size)
        return base64.b64decode(found) if found is not None else None

    def block(self, address: int) -> tuple[int, int] | None:
        """Begin and size of the allocated block around an address."""
        found = self._ask(block=address)
        return (int(found[0]), int(found[1])) if found else None

    def call(self, name: str, square: int | None, boards: Sequence[int], size: int) -> int:
        """What a function returns that can be called from outside, as `size` bytes."""
        found = self._ask(call=name, square=square or 0, boards=[hex(b) for b in boards], size=size)
        return int(found, 16)


def _doing(order: dict[str, Any]) -> str:
    if "load" in order:
        return f"--init {order['init']}" if order["init"] else "--run"
    return str(order.get("call", ""))


def _prepared(text: str, kept: Sequence[str], init: str) -> bytes:
    """The module as bitcode: what the kept functions reach, with all variables visible."""
    llvm = library()
    made = parsed(text, "module")
    wanted = {*kept, *([init] if init else [])}
    for function in made.functions:
        if not function.is_declaration and function.name not in wanted:
            function.linkage = "internal"
    machine = llvm.Target.from_default_triple().create_target_machine()
    passes = llvm.create_new_module_pass_manager()
    passes.add_global_dead_code_eliminate_pass()
    options = llvm.create_pipeline_tuning_options()
    passes.run(made, llvm.create_pass_builder(machine, options))
    plain = Module(str(made))
    variables = [v.name for v in plain.globals.values() if not (v.constant or v.external)]
    set_linkage(made, (name for name in variables if not name.startswith("llvm.")), "external")
    return bytes(made.as_bitcode())


def is_native(triple: str) -> bool:
    """Whether a module can run on this machine."""
    here = library().get_process_triple().split("-")
    there = triple.split("-")
    same = here[0] == there[0] or {here[0], there[0]} == {"arm64", "aarch64"}
    systems = ("linux", "darwin", "macos", "windows")
    names = ["darwin" if "macos" in part else part for part in ("-".join(here), triple)]
    return not triple or (
        same and all((s in names[0]) == (s in names[1]) for s in systems if s != "macos")
    )


class _Heap:
    """malloc and its like, with a book of the blocks that they gave."""

    def __init__(self, llvm: Any) -> None:  # noqa: ANN401
        self.blocks: dict[int, int] = {}
        libc = ctypes.CDLL(None)
        for name in ("malloc", "calloc", "aligned_alloc", "realloc"):
            getattr(libc, name).restype = ctypes.c_void_p
        sizes = ctypes.c_size_t
        self.kept: list[Any] = []

        def given(
            name: str, count: int, allocate: Callable[..., int | None], size: Callable[..., int]
        ) -> None:
            def called(*arguments: int) -> int | None:
                address = allocate(*arguments)
                if address:
                    self.blocks[address] = size(*arguments)
                return address

            made = ctypes.CFUNCTYPE(ctypes.c_void_p, *[sizes] * count)(called)
            self.kept.append(made)
            llvm.add_symbol(name, ctypes.cast(made, ctypes.c_void_p).value)

        def malloc(size: int, *_: int) -> int | None:
            return libc.malloc(sizes(size))

        def aligned(alignment: int, size: int) -> int | None:
            return libc.aligned_alloc(sizes(alignment), sizes(-(-size // alignment) * alignment))

        for name in ("malloc", "_Znwm", "_Znam"):
            given(name, 1, malloc, lambda size: size)
        given(
            "calloc",
            2,
            lambda n, size: libc.calloc(sizes(n), sizes(size)),
            lambda n, size: n * size,
        )
        given("aligned_alloc", 2, aligned, lambda _, size: size)
        for name in ("_ZnwmSt11align_val_t", "_ZnamSt11align_val_t"):
            given(name, 2, lambda size, alignment: aligned(alignment, size), lambda size, _: size)

    def around(self, address: int) -> tuple[int, int] | None:
        return next(
            (
                (start, size)
                for start, size in self.blocks.items()
                if start <= address <= start + size
            ),
            None,
        )


def _missing(name: str) -> None:
    """What is called in place of a function that nobody defines; else that were a call of null."""
    sys.stderr.write(f"'{name}' could not be resolved\n")
    sys.stderr.flush()
    os._exit(1)


class _Child:
    """The child's side."""

    def __init__(self) -> None:
        self.engine: Any = None
        self.heap: _Heap | None = None
        self.memory: Any = None

    def load(self, path: str, init: str) -> str:
        import llvmlite.binding as llvm

        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
        for name in ("libstdc++.so.6", "libm.so.6"):
            with suppress(OSError):
                ctypes.CDLL(name, ctypes.RTLD_GLOBAL)
        self.heap = _Heap(llvm)
        module = llvm.parse_bitcode(Path(path).read_bytes())
        for name in re.findall(
            r'^declare [^\n]*@"?(magicert\.trap\.\d+)', str(module), re.MULTILINE
        ):
            llvm.add_symbol(name, ctypes.cast(ctypes.CDLL(None).abort, ctypes.c_void_p).value)
        machine = llvm.Target.from_default_triple().create_target_machine(
            cpu=llvm.get_host_cpu_name(), features=llvm.get_host_cpu_features().flatten(),
            jit=True, opt=2,
        )  # fmt: skip
        self.engine = llvm.create_mcjit_compiler(module, machine)
        for function in module.functions:
            name = function.name
            known = not function.is_declaration or name.startswith("llvm.") or name in STATIC
            if not known and llvm.address_of_symbol(name) is None:
                made = ctypes.CFUNCTYPE(None)(partial(_missing, name))
                self.heap.kept.append(made)
                llvm.add_symbol(name, ctypes.cast(made, ctypes.c_void_p).value)
        self.engine.finalize_object()
        self.engine.run_static_constructors()
        if init:
            ctypes.CFUNCTYPE(None)(self.engine.get_function_address(init))()
        if sys.platform == "linux":
            self.memory = os.fdopen(os.open("/proc/self/mem", os.O_RDONLY), "rb", buffering=0)
        return "loaded"

    def read(self, address: int, size: int) -> str | None:
        if self.memory is None:
            return base64.b64encode(ctypes.string_at(address, size)).decode()
        try:
            self.memory.seek(address)
            found = self.memory.read(size)
        except (OSError, OverflowError, ValueError):
            return None
        return base64.b64encode(found).decode() if len(found) == size else None

    def call(self, name: str, square: int, boards: Sequence[str], size: int) -> str:
        number = ctypes.create_string_buffer(32)
        words = b"".join(int(board, 16).to_bytes(16, "little") for board in boards)
        given = ctypes.create_string_buffer(16 * len(boards) + 32)
        # What is read as words of 128 bits must lie at a multiple of 16.
        places = [-(-ctypes.addressof(one) // 16) * 16 for one in (number, given)]
        ctypes.memmove(places[0], square.to_bytes(16, "little"), 16)
        ctypes.memmove(places[1], words, len(words))
        out = ctypes.create_string_buffer(size)
        kinds = [ctypes.c_void_p] * 3
        function = ctypes.CFUNCTYPE(None, *kinds)(self.engine.get_function_address(name))
        function(*places, ctypes.addressof(out))
        return hex(int.from_bytes(out.raw, "little"))

    def answer(self, order: dict[str, Any]) -> Any:  # noqa: ANN401
        if "load" in order:
            return self.load(order["load"], order["init"])
        if "address" in order:
            return self.engine.get_global_value_address(order["address"])
        if "read" in order:
            return self.read(order["read"], order["size"])
        if "block" in order:
            assert self.heap
            return self.heap.around(order["block"])
        return self.call(order["call"], order["square"], order["boards"], order["size"])


def main() -> None:
    """Answer orders until there are no more."""
    _limit()
    # What the user's code prints must not be taken for an answer.
    answers = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)
    child = _Child()
    for line in sys.stdin.buffer:
        answers.write(json.dumps({"answer": child.answer(json.loads(line))}).encode() + b"\n")


def _limit() -> None:
    with suppress(ImportError):
        import resource

        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    if sys.platform == "linux":
        pr_set_pdeathsig = 1
        ctypes.CDLL(None).prctl(pr_set_pdeathsig, signal.SIGKILL)


if __name__ == "__main__":
    main()
