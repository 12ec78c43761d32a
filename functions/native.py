"""A child process in which the compiled module is loaded, initialised and called.

Loading somebody's library, running its static initialisers, its init and its functions is running
their code. So this happens only where the user asked for it, in a process of its own with limits on
time and memory, and with nothing on its standard input: `native_child` is that process.

The module becomes a shared library, by the linker of the compiler that is there. Functions that
nobody defines stay open until they are called: an engine's init seldom needs its search.
"""

import base64
import ctypes
import json
import re
import signal
import struct
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import cache
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Timer
from typing import Any

import numpy as np

from magicert.functions.certificate import Lacking, ProcessEnded
from magicert.functions.compile.compilers import LONGEST, linker, rust_library
from magicert.functions.compile.forced_function import FORCED_PREFIX
from magicert.functions.llvm.bindings import export, leave_out, library, parsed, set_linkage
from magicert.functions.llvm.constants import defined_globals, pointed_to
from magicert.functions.llvm.ir import Module
from magicert.functions.llvm.ir_types import PointerType, Type
from magicert.functions.llvm.reader import NAME, global_of, unquoted
from magicert.functions.llvm.symbol_names import with_source_names
from magicert.functions.native_child import RUN, SECONDS
from magicert.problem import InputError, Problem

BEGIN = "magicert.begin"
CXX = "NSt3__1"
"""In the names of what stands in zig's C++ library. The others are in libstdc++, too."""
RUST = re.compile(r"_R[NICMXY]|_ZN(4core|3std|5alloc)")
"""How the names of Rust's own library begin."""
OTHER_INIT = "perhaps what it reads is made by another init, which has to come first, as in "
OTHER_INIT += "--init 'first(), second()'"
LINKED_IN = 5.0
"""Seconds in which that library is linked where it was built before."""
MOST_NOTES = 1 << 18
"""Blocks that are allocated or given back, which are remembered: of more, none is known."""
LAST_NOTES = 64
"""So many of the last notes are looked at for one of the same address, which then is not needed any
more: whoever looks for a magic by trial allocates the same block a million times.
"""
ALLOCATORS: Mapping[str, tuple[str, str, str, str]] = {
    r"malloc|valloc|_Zn[wa]m": ("ptr", "i64", "add i64 %0, 0", "0"),
    r"_Zn[wa]mRKSt9nothrow_t": ("ptr", "i64 ptr", "add i64 %0, 0", "0"),
    r"_Zn[wa]mSt11align_val_t|\w*__rust_alloc": ("ptr", "i64 i64", "add i64 %0, 0", "0"),
    r"_Zn[wa]mSt11align_val_tRKSt9nothrow_t": ("ptr", "i64 i64 ptr", "add i64 %0, 0", "0"),
    r"\w*__rust_alloc_zeroed": ("ptr", "i64 i64", "add i64 %0, 0", "%size"),
    r"aligned_alloc|memalign": ("ptr", "i64 i64", "add i64 %1, 0", "0"),
    r"calloc": ("ptr", "i64 i64", "mul i64 %0, %1", "%size"),
    r"realloc": ("ptr", "ptr i64", "add i64 %1, 0", "%before"),
    r"reallocarray": ("ptr", "ptr i64 i64", "mul i64 %1, %2", "%before"),
    r"\w*__rust_realloc": ("ptr", "ptr i64 i64 i64", "add i64 %3, 0", "%before"),
    r"posix_memalign": ("i32", "ptr i64 i64", "add i64 %2, 0", "0"),
    r"mmap(64)?": ("ptr", "ptr i64 i32 i32 i32 i64", "add i64 %1, 0", "%size"),
    r"free|_Zd[la]Pv": ("void", "ptr", "", ""),
    r"_Zd[la]Pvm|_Zd[la]PvSt11align_val_t": ("void", "ptr i64", "", ""),
    r"_Zd[la]PvRKSt9nothrow_t": ("void", "ptr ptr", "", ""),
    r"_Zd[la]PvmSt11align_val_t|\w*__rust_dealloc": ("void", "ptr i64 i64", "", ""),
}
"""Functions that give memory or take it back: what they return and take, how many bytes they give,
and from which on these are what nobody knows.
"""
APART = "magicert.apart."
GARBAGE, OTHER = 0xA5, 0x5A
"""What stands in memory that nobody wrote, in either of the two runs of an init."""
GONE = (1 << 64) - 1
"""The size of a block that is given back."""
NOTE = f"""
@magicert.blocks = global [{2 * MOST_NOTES} x i64] zeroinitializer
@magicert.count = global i64 2
@magicert.garbage = global i8 {GARBAGE}
define internal void @magicert.note(ptr %p, i64 %size) {{
  %n = load i64, ptr @magicert.count
  %begin = ptrtoint ptr %p to i64
  %full = icmp uge i64 %n, {2 * MOST_NOTES}
  br i1 %full, label %out, label %window
window:
  %few = icmp ult i64 %n, {2 * LAST_NOTES + 2}
  %far = sub i64 %n, {2 * LAST_NOTES}
  %least = select i1 %few, i64 2, i64 %far
  %place = call i64 @magicert.last(i64 %begin, i64 %least)
  %none = icmp eq i64 %place, -1
  br i1 %none, label %append, label %shift
shift:
  %here = phi i64 [ %place, %window ], [ %after, %move ]
  %after = add i64 %here, 2
  %more = icmp ult i64 %after, %n
  br i1 %more, label %move, label %again
move:
  %to = getelementptr i64, ptr @magicert.blocks, i64 %here
  %behind = getelementptr i64, ptr @magicert.blocks, i64 %after
  %pair = load [2 x i64], ptr %behind
  store [2 x i64] %pair, ptr %to
  br label %shift
again:
  %last = sub i64 %n, 2
  br label %write
append:
  %count = add i64 %n, 2
  store i64 %count, ptr @magicert.count
  br label %write
write:
  %where = phi i64 [ %last, %again ], [ %n, %append ]
  %at = getelementptr i64, ptr @magicert.blocks, i64 %where
  store i64 %begin, ptr %at
  %next_to_it = getelementptr i64, ptr %at, i64 1
  store i64 %size, ptr %next_to_it
  br label %out
out:
  ret void
}}
define internal i64 @magicert.last(i64 %begin, i64 %least) {{
  %n = load i64, ptr @magicert.count
  br label %next
next:
  %from = phi i64 [ %n, %0 ], [ %place, %look ]
  %none = icmp ule i64 %from, %least
  br i1 %none, label %out, label %look
look:
  %place = sub i64 %from, 2
  %at = getelementptr i64, ptr @magicert.blocks, i64 %place
  %one = load i64, ptr %at
  %same = icmp eq i64 %one, %begin
  br i1 %same, label %out, label %next
out:
  %found = phi i64 [ -1, %next ], [ %place, %look ]
  ret i64 %found
}}
define internal i64 @magicert.size(ptr %p) {{
  %begin = ptrtoint ptr %p to i64
  %place = call i64 @magicert.last(i64 %begin, i64 0)
  %none = icmp eq i64 %place, -1
  br i1 %none, label %unknown, label %known
unknown:
  ret i64 {GONE}
known:
  %at = getelementptr i64, ptr @magicert.blocks, i64 %place
  %behind = getelementptr i64, ptr %at, i64 1
  %size = load i64, ptr %behind
  ret i64 %size
}}
define internal void @magicert.fill(ptr %p, i64 %from, i64 %to) {{
  %there = icmp ne ptr %p, null
  %garbage = load i8, ptr @magicert.garbage
  br label %next
next:
  %place = phi i64 [ %from, %0 ], [ %after, %in ]
  %more = icmp ult i64 %place, %to
  %goes = and i1 %there, %more
  br i1 %goes, label %in, label %out
in:
  %at = getelementptr i8, ptr %p, i64 %place
  store i8 %garbage, ptr %at
  %after = add i64 %place, 1
  br label %next
out:
  ret void
}}
define i32 @magicert.run(
  ptr %init, i32 %ready, i32 %done, ptr %fork, ptr %close, ptr %read, ptr %prctl
) {{
  %byte = alloca i8
  %twice = icmp ne ptr %fork, null
  br i1 %twice, label %both, label %begin
both:
  %copy = call i32 %fork()
  switch i32 %copy, label %wait [ i32 0, label %copied  i32 -1, label %failed ]
copied:
  store i8 {OTHER}, ptr @magicert.garbage
  %linux = icmp ne ptr %prctl, null
  br i1 %linux, label %tie, label %begin
tie:
  call i32 (i32, ...) %prctl(i32 1, i64 9)
  br label %begin
failed:
  ret i32 -1
wait:
  call i32 %close(i32 %done)
  %got = call i64 %read(i32 %ready, ptr %byte, i64 1)
  %well = icmp eq i64 %got, 1
  br i1 %well, label %begin, label %ended
ended:
  %negative = sub i32 0, %copy
  ret i32 %negative
begin:
  %result = phi i32 [ 1, %0 ], [ 0, %copied ], [ 0, %tie ], [ %copy, %wait ]
  call void @magicert.begin()
  %any = icmp ne ptr %init, null
  br i1 %any, label %call, label %out
call:
  call void %init()
  br label %out
out:
  ret i32 %result
}}
"""
"""A book of the blocks that were allocated: address and size, one after another, at first those of
a null pointer; of one address the last note counts. A look into it, and what fills that which
nobody wrote.

And what runs the init twice. It stands here and not in Python, for from the fork on both must do
the same, or what is allocated lies at other addresses. The copy ends with its parent (prctl's
option 1).
"""


class Process:
    """The compiled module in a running child."""

    def __init__(
        self, text: str, exported: Sequence[str], init: str, file: str, say: Callable[[str], None]
    ) -> None:
        self.file = file
        self.callable = frozenset(exported)
        self.folder = TemporaryDirectory(prefix="magicert-")
        self.log_file = Path(self.folder.name) / "said"
        self.child: subprocess.Popen[bytes] | None = None
        self.blocks: list[tuple[int, int]] | None = None
        self.sizes: Mapping[str, int] = {}
        self.kinds: Mapping[str, Type] = {}
        self.tables: dict[int, int] = {}
        """What was looked at, so far: address and bytes."""
        self.functions = Module(text).declared.keys()
        text, self.left_out = _embedded(text, Path(file).parent)
        try:
            module, self.sizes, self.kinds = _prepared(text, exported, init, file)
            object_file = Path(self.folder.name) / "module.o"
            object_file.write_bytes(_machine().emit_object(module))
            rust = rust_library() if any(RUST.match(f.name) for f in module.functions) else ""
            objects = [v.name for v in module.global_variables if v.is_declaration]
            needed = any(CXX in name for name in objects)
            if not needed:
                needed = not self._start(object_file, init, rust, cxx=False)
            if needed:
                message = "linking zig's C++ library: the first time zig builds it, for minutes"
                slow = Timer(LINKED_IN, say, [message])
                slow.start()
                try:
                    self._start(object_file, init, rust, cxx=True)
                finally:
                    slow.cancel()
        except BaseException:
            self.close()
            raise

    def _start(self, object_file: Path, init: str, rust: str, *, cxx: bool) -> bool:
        """Link, load, initialise. False where zig's C++ library was needed and not there."""
        path = object_file.with_name(f"module{cxx:d}.so")
        _link(object_file, path, self.file, cxx=cxx)
        with self.log_file.open("wb") as log:
            self.child = subprocess.Popen(
                [sys.executable, "-P", "-m", "magicert.functions.native_child"],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log,
            )  # fmt: skip
        try:
            self._request("load", path=str(path), init=init, rust=rust)
        except InputError:
            if cxx or not re.search(r"\b_Z[A-Z]*St", self._missing()):
                raise
            return False
        return True

    def close(self) -> None:
        if self.child is not None:
            self.child.kill()
            self.child.wait()
            for pipe in (self.child.stdin, self.child.stdout):
                if pipe:
                    with suppress(OSError):
                        pipe.close()
        self.folder.cleanup()

    def _request(self, what: str, **order: Any) -> Any:  # noqa: ANN401
        """What a method of `native_child.Child` answers."""
        assert self.child is not None
        assert self.child.stdin
        assert self.child.stdout
        try:
            self.child.stdin.write(json.dumps([what, order]).encode() + b"\n")
            self.child.stdin.flush()
            line = self.child.stdout.readline()
        except OSError:
            line = b""
        if not line:
            key = f"--init {order['init']}" if order.get("init") else "--run"
            key = key if what == "load" else str(order.get("name", "")) if what == "call" else ""
            raise InputError([self._death(self.child.wait(), key)])
        return json.loads(line)["answer"]

    def _death(self, status: int, key: str) -> Problem:
        if symbol := self._missing():
            name = with_source_names(symbol)
            said = f"it, or a static initialiser, needs {name}, which none of the sources defines"
            advice = ": give that source, too"
            if symbol in self.functions:
                advice += " (an inline function is there only if that uses it)"
            lacks = Lacking(name, variable=False, said=said, advice=advice)
            return ProcessEnded(lacks.message(), file=self.file, key=key, lacks=lacks)
        if -status in {signal.SIGXCPU, signal.SIGKILL}:
            stopped = f"stopped after {SECONDS} s of processor time: {OTHER_INIT}"
            return Problem(stopped, file=self.file, key=key)
        name = _ending(status)
        if status == -signal.SIGILL:
            name += ": an instruction that this processor does not have"
        if status == -signal.SIGSEGV:
            name += f": {OTHER_INIT}"
        log_lines = self.log_file.read_text("utf-8", "replace").strip().splitlines()
        last = f": {log_lines[-1][:200]}" if log_lines else ""
        message = f"the process ended with {name}{last}"
        return ProcessEnded(message, file=self.file, key=key)

    def _missing(self) -> str:
        """The symbol for which the process ended; "" where it was for something else."""
        match = re.search(
            r"undefined symbol: ([^\s,]+)", self.log_file.read_text("utf-8", "replace")
        )
        return match[1] if match else ""

    @cache  # noqa: B019 - the child lives as long as what it said is of use
    def address(self, symbol: str) -> int | None:
        """Where a global begins; None where it is not in the module."""
        reply = self._request("address", name=symbol)
        return int(reply) if reply else None

    def read(self, address: int, size: int) -> bytes | None:
        """Bytes of the child's memory; None where it has none there."""
        reply = self._request("read", address=address, size=size)
        return base64.b64decode(reply) if reply is not None else None

    def unsure(self, address: int, data: bytes) -> tuple[bytes, bytes]:
        """Which bytes of its memory nobody wrote, and which are others after each run: those have
        all bits.
        """
        self.tables[address] = len(data)
        reply = self._request("again", address=address, size=len(data))
        if reply is None:
            return bytes(len(data)), b"\xff" * len(data)
        first, again = (np.frombuffer(one, np.uint8) for one in (data, base64.b64decode(reply)))
        unwritten = (first == GARBAGE) & (again == OTHER)
        other = (first != again) & ~unwritten
        return (np.uint8(255) * unwritten).tobytes(), (np.uint8(255) * other).tobytes()

    def changed(self) -> list[str] | None:
        """What of that which was looked at is another thing once the init runs again: the symbols
        of variables, and "" for memory that was allocated. None where it does not end.
        """
        addresses = self._request("changed", places=[*self.tables.items()])
        if not addresses:
            return addresses
        symbols = {self.address(name): name for name, size in self.sizes.items() if size}
        return sorted({symbols.get(address, "") for address in addresses})

    def block(self, address: int) -> tuple[int, int] | None:
        """Begin and size of the allocated block around an address, the latest one that is not given
        back. An end that is another's begin, too, may be either's.
        """
        if self.blocks is None:
            self.blocks = self._allocated()
        inside = (block for block in self.blocks if 0 <= address - block[0] < block[1])
        ends = [block for block in self.blocks if address == sum(block)]
        block = next(inside, None)
        if block is None or block[0] != address:
            return block or next(iter(ends), None)
        return None if ends else block

    def _allocated(self) -> list[tuple[int, int]]:
        """The blocks, the latest first."""
        places = [self.address(f"magicert.{name}") for name in ("count", "blocks")]
        if not places[0] or not places[1]:
            return []
        (count,) = struct.unpack("<Q", self.read(places[0], 8) or bytes(8))
        if count >= 2 * MOST_NOTES:
            return []
        sizes: dict[int, int] = {}
        book = self.read(places[1], 8 * count) or b""
        for begin, size in struct.iter_unpack("<QQ", book):
            sizes.pop(begin, None)
            if begin and size != GONE:
                sizes[begin] = size
        return list(reversed(sizes.items()))

    def call(self, name: str, square: int | None, boards: Sequence[int], size: int) -> int:
        """What a function returns that can be called from outside, as `size` bytes."""
        arguments = {
            "square": square or 0,
            "boards": [hex(board) for board in boards],
            "size": size,
        }
        return int(self._request("call", name=name, **arguments), 16)


def _prepared(
    text: str, exported: Sequence[str], init: str, file: str
) -> tuple[Any, dict[str, int], dict[str, Type]]:
    """LLVM's module for this machine: what the kept functions reach, all that a pointer may point
    to visible, allocations noted. And the bytes of these; a function has none, for nobody reads
    them. And the variables' types. Raises InputError where it needs another processor.
    """
    original = Module(text)
    native = is_native(original)
    text = re.sub(r"\bnonlazybind\b ?", "", text)  # of Rust: it would be looked for uncalled
    text = _WITH_VERSION.sub(lambda name: f"{name[1]}{name[2].replace('@', '.at.')}", text)
    llvm_module = parsed(
        _noting(_with_separating_bytes(text if native else _for_this_machine(text))), "module"
    )
    entry_points = {*exported, RUN, *([init] if init else [])}
    leave_out(llvm_module, entry_points)
    module = Module(str(llvm_module))
    if not native:
        _check_foreign(
            original, module, str(llvm_module), f"--init {init}" if init else "--run", file
        )
    functions = pointed_to(module)
    items = {name for name in defined_globals(module) if not name.startswith(APART)}
    set_linkage(llvm_module, items, "external")
    export(llvm_module, entry_points | functions)
    for item in (*llvm_module.functions, *llvm_module.global_variables):
        if item.name in entry_points | functions | items:
            item.visibility = "default"  # Rust's and some flags' are hidden: nobody would find them
    kinds = {name: module.tokens(module.globals[name].initial).type() for name in items}
    sizes = {name: module.layout.size(kind) for name, kind in kinds.items()}
    return llvm_module, dict.fromkeys(functions, 0) | sizes, kinds


def _for_this_machine(text: str) -> str:
    """The module of another processor: its code says nothing of one but in a few lines."""
    machine = _machine()
    lines = {"datalayout": str(machine.target_data), "triple": machine.triple}
    for name, here in lines.items():
        text = re.sub(rf'^target {name} = ".*"', f'target {name} = "{here}"', text, flags=re.M)
    return re.sub(r' "(?:target-cpu|target-features|tune-cpu)"="[^"]*"', "", text)


def _check_foreign(original: Module, adapted: Module, text: str, key: str, file: str) -> None:
    """Raises InputError for what this machine cannot run of another processor's code."""
    machine_specific = r'@(llvm\.(?:aarch64|arm|x86|riscv|loongarch)\.[\w.]+)|\basm (?:side|")'
    elsewhere = _processor(original.triple) != _processor(adapted.triple)
    match = re.search(machine_specific, text) if elsewhere else None
    needs = (match[1] or "assembly") if match else ""
    if not needs and original.layout.pointer != adapted.layout.pointer:
        needs = _of_another_width(original, adapted)
    for name, variable in adapted.globals.items():
        unread = name.startswith("llvm.") or FORCED_PREFIX in name
        lies = not variable.external and not unread
        kind = adapted.tokens(variable.initial).type() if lies else None
        if kind is not None and original.layout.size(kind) != adapted.layout.size(kind):
            needs = f"another size of {name}"
    if needs:
        message = f"{original.triple} does not run on this machine: it needs {needs}"
        raise InputError([Problem(message, file=file, key=key)])


_TYPED = re.compile(
    r"^  (?:%\S+ = )?(?:alloca|load|store|getelementptr)(?: (?:atomic|inbounds|nusw|nuw))* "
    r"((?:[\[{<i%]|ptr|float|double).*)",
    re.MULTILINE,
)


def _of_another_width(original: Module, adapted: Module) -> str:
    """What of this code depends on how wide an address is; "" for nothing."""
    for name, body in adapted.bodies.items():
        if re.search(r"\b(?:ptrtoint|inttoptr|ptrtoaddr)\b|<\d+ x ptr>", body):
            return f"addresses of {original.layout.pointer} bits in {with_source_names(name)}"
        for text in _TYPED.findall(body):
            kind = adapted.tokens(text).type()
            if isinstance(kind, PointerType) or original.layout.size(kind) != adapted.layout.size(
                kind
            ):
                return f"addresses of {original.layout.pointer} bits in {with_source_names(name)}"
    called = {unquoted(one) for body in adapted.bodies.values() for one in re.findall(CALLED, body)}
    known_prefixes = ("llvm.", "magicert.")
    for name in sorted(called & adapted.declared.keys()):
        if not name.startswith(known_prefixes) and "noreturn" not in adapted.stated(name):
            return f"{name}, whose numbers may be wider here"
    return ""


_WITH_VERSION = re.compile(rf'(@")([^"\n]*{re.escape(FORCED_PREFIX)}[^"\n]*@[^"\n]*")')
"""The name of a call in Zig: what stands behind an @ a linker takes for the symbol's version."""
CALLED = rf"(?:call|invoke) [^\n]*?@({NAME})\("
"""Whom an instruction calls."""


def _embedded(text: str, folder: Path) -> tuple[str, list[str]]:
    """The module with the files that its assembly brings in, by whole paths, and those that are not
    there: a network's weights are left out, where LLVM would end the process.
    """
    left_out: list[str] = []

    def embed(line: re.Match[str]) -> str:
        for path in (Path(line[2]), folder / line[2]):
            if path.is_file():
                return f"{line[1]}{path.resolve()}{line[3]}"
        left_out.append(line[2])
        return ""

    bring_in = r'^(module asm ".*\.incbin\s*\\22)([^\\"]*)(\\22.*")$'
    return re.sub(bring_in, embed, text, flags=re.M), left_out


def _machine() -> Any:  # noqa: ANN401
    llvm = library()
    return llvm.Target.from_default_triple().create_target_machine(
        cpu=llvm.get_host_cpu_name(), features=llvm.get_host_cpu_features().flatten(),
        reloc="pic", codemodel="small", opt=2,
    )  # fmt: skip


def _with_separating_bytes(text: str) -> str:
    """The module with a byte behind each variable, wherever such variables are put: no end of one
    is another's begin.
    """
    number = count()

    def followed(line: re.Match[str]) -> str:
        name = f"@{APART}{next(number)}"
        kinds = (("zero", "global i8 0"), ("one", "global i8 1"), ("constant", "constant i8 1"))
        return "\n".join([line[0], *(f"{name}.{last} = {kind}" for last, kind in kinds)])

    defined = rf'^@{NAME} = (?:[^\n"]*? )?(?:constant|global) .*$'
    return re.sub(defined, followed, text, flags=re.MULTILINE)


def _noting(text: str) -> str:
    """The module with a book of what it allocates."""
    lines = [NOTE]
    # Nothing is torn down at the end: what it would need is not asked for.
    # What is our own here must not stand for what a library has under the same name.
    text = re.sub(r"^((?:define|@).*?),? comdat(?:\(\$[^)]*\))?(?=[, {])", r"\1", text, flags=re.M)
    text = re.sub(r"(?:tail )?call i32 @__cxa_atexit\([^\n]*", "add i32 0, 0", text)
    for name, line in Module(text).declared.items():
        allocator = next((ALLOCATORS[p] for p in ALLOCATORS if re.fullmatch(p, name)), None)
        if allocator is None:
            continue
        result, kinds, size, unknown = allocator
        noting_name = f"magicert.noted.{name}"
        text = text.replace(f"{line}\n", "")
        text = re.sub(global_of(name), f"@{noting_name}", text)
        parameters = ", ".join(f"{kind} %{n}" for n, kind in enumerate(kinds.split()))
        lines += [
            f"declare {result} @{name}({', '.join(kinds.split())})",
            f"define internal {result} @{noting_name}({parameters}) {{",
        ]
        called = f"call {result} @{name}({parameters})"
        if name.startswith("mmap"):  # pages would lie side by side
            lines.append("  %any = icmp eq ptr %0, null\n  %one = zext i1 %any to i64")
            lines.append("  %more = add i64 %1, %one")
            called = called.replace("i64 %1,", "i64 %more,")
        gone = f"  call void @magicert.note(ptr %0, i64 {GONE})"
        if result == "void":
            lines += [f"  {called}", gone, "  ret void\n}"]
            continue
        if unknown == "%before":
            lines.append("  %before = call i64 @magicert.size(ptr %0)")
        lines.append(f"  %given = {called}")
        if unknown == "%before":
            lines.append(gone)
        where = "  %p = getelementptr i8, ptr %given, i64 0"
        if result == "i32":  # it says where by its first argument
            where = "  %at = load ptr, ptr %0\n  %bad = icmp ne i32 %given, 0\n"
            where += "  %p = select i1 %bad, ptr null, ptr %at"
        lines += [
            where,
            f"  %size = {size}",
            "  call void @magicert.note(ptr %p, i64 %size)",
            f"  call void @magicert.fill(ptr %p, i64 {unknown}, i64 %size)",
            f"  ret {result} %given\n}}",
        ]
    return "\n".join([_begun_by_us(text), *lines])


def _begun_by_us(text: str) -> str:
    """The module with its static initialisers in a function, in their order: an object file of LLVM
    would name them in a way that today's loaders do not look at.
    """
    stated = re.search(r"^@llvm\.global_ctors = .*\n", text, re.MULTILINE)
    lines = stated[0] if stated else ""
    constructors = re.findall(rf"\{{ i32 (\d+), ptr (@{NAME})", lines)
    calls = [
        f"  call void {name}()" for _, name in sorted(constructors, key=lambda one: int(one[0]))
    ]
    head = f"define void @{BEGIN}() {{"
    return "\n".join([text.replace(lines, "") if lines else text, head, *calls, "  ret void", "}"])


def _link(object_file: Path, path: Path, file: str, *, cxx: bool) -> None:
    """A shared library of an object file, with zig's C++ library or without any."""
    options = ["-Wl,-z,lazy", "-Wl,-Bsymbolic"] if sys.platform == "linux" else []
    options += [] if cxx else ["-nostdlib"]
    command = [
        *linker("c++" if cxx else "c"),
        "-shared",
        *options,
        "-o",
        str(path),
        str(object_file),
    ]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, errors="replace", timeout=LONGEST, check=False,
            stdin=subprocess.DEVNULL,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        message = (
            f"linking it took more than {LONGEST} s: zig makes its C++ library first; try again"
        )
        raise InputError([Problem(message, file=file)]) from None
    if done.returncode:
        words = " ".join(done.stderr.split())[:300]
        if not words:
            words = f"the linker ended with {_ending(done.returncode)} and gave no reason"
            words += ", as it does where there is too little memory: try again, or with --memory"
        raise InputError([Problem(f"cannot be linked: {words}", file=file)])


def _ending(status: int) -> str:
    """How a process ended."""
    return signal.Signals(-status).name if status < 0 else f"status {status}"


def is_native(module: Module) -> bool:
    """Whether a module can run on this machine: x86-64 has addresses of 32 bits, too."""
    here, triple = library().get_process_triple(), module.triple
    if triple and module.layout.pointer != 8 * ctypes.sizeof(ctypes.c_void_p):
        return False
    systems = ("linux", "darwin", "windows")
    names = [name.replace("macos", "darwin") for name in (here, triple)]
    return not triple or (
        _processor(here) == _processor(triple)
        and all((system in names[0]) == (system in names[1]) for system in systems)
    )


def _processor(triple: str) -> str:
    return triple.partition("-")[0].replace("arm64", "aarch64")
