"""The language that a source is in, which compiler is called for it, and what that is.

    attack.c   ->  c     ->  clang, or else zig, each looked for on PATH
    attack.rs  ->  rust  ->  the rustc of the default toolchain

Nothing that lies in a folder says which program compiles: names are looked for on PATH where its
folders have whole paths.
"""

import os
import platform
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from magicert.functions.llvm.bindings import llvm_version
from magicert.problem import InputError, Problem, suggestion
from magicert.system.deadline import Deadline

LANGUAGES = {
    ".c": "c", ".h": "c++", ".cc": "c++", ".cpp": "c++", ".cxx": "c++", ".hpp": "c++",
    ".hh": "c++", ".C": "c++", ".rs": "rust", ".zig": "zig", ".ll": "ir", ".bc": "ir",
}  # fmt: skip
C_LANGUAGES = frozenset({"c", "c++"})
"""The languages that clang compiles, by what `#include` finds."""
HEADERS = frozenset({".h", ".hpp", ".hh"})
"""Endings of files that sources include."""
CompileOptions = tuple[Sequence[str], str, str, Deadline]
"""Flags, target, compiler and deadline, as the functions here take them behind a source."""
OLDEST = 15
"""The first version of LLVM whose assembly has opaque pointers, as all later ones."""
LONGEST = 300
"""Seconds that a compiler may take."""
ZIGS_OWN = r"(?<=-march=|-mtune=)x86-64(?:-v[234])?$"
"""Processors that zig writes with underscores only."""
SHORT = {
    "clang": {
        "wasm32": "wasm32-wasi", "armv7": "armv7-unknown-linux-gnueabihf",
        "i386": "i386-unknown-linux-gnu",
    },
    "rustc": {
        "wasm32": "wasm32-unknown-unknown", "armv7": "armv7-unknown-linux-gnueabihf",
        "i386": "i686-unknown-linux-gnu",
    },
    "zig": {"wasm32": "wasm32-wasi", "armv7": "arm-linux-gnueabihf"},
}  # fmt: skip
"""What compilers call a processor of 32 bits with the system that goes with it."""
_ZIG_MACHINES = (("i[3-6]86", "x86"), (r"armv7\w*", "arm"), (r"thumbv7\w*", "thumb"))
_ZIG_SYSTEMS = {
    "unknown": "freestanding", "none": "freestanding", "darwin": "macos", "wasip1": "wasi",
}  # fmt: skip
_VENDORS = frozenset({"unknown", "pc", "apple"})
"""Zig's words for parts of LLVM's triples; it has no vendors."""


def language_of(path: Path) -> str:
    """The language of a file by its ending. Raises InputError for an ending that is none."""
    language = LANGUAGES.get(path.suffix) or LANGUAGES.get(path.suffix.lower())
    if language is None:
        ending = (
            f"{path.suffix}: expected" if path.suffix else "a function wants a source that ends in"
        )
        message = f"{ending} one of {', '.join(LANGUAGES)}"
        message += "; other languages: magicert emit --check-harness"
        raise InputError([Problem(message, file=str(path))])
    return language


def language_in(source: Path, flags: Sequence[str]) -> str:
    """The language in which a source is compiled: flags may say so of a header, for example."""
    language = language_of(source)
    said = re.findall(r"(?:^| )-x ?(c|c\+\+)(?= |$)", " ".join(flags))
    return said[-1] if said and language in C_LANGUAGES else language


@dataclass(frozen=True, slots=True)
class Compiler:
    """How a compiler is called, what it is, and its version as it says it."""

    command: tuple[str, ...]
    kind: str
    version: str


def program(name: str) -> str | None:
    """Where a program lies, by PATH; not where that depends on the folder in which somebody works:
    a program that lies beside a source is not run because of its name.
    """
    folders = [folder for folder in os.get_exec_path() if os.path.isabs(folder)]  # noqa: PTH117
    path = shutil.which(name, path=os.pathsep.join(folders))
    return path if path and os.path.isabs(path) else None  # noqa: PTH117


def compiler_for(language: str, name: str = "") -> Compiler:
    """The compiler called so, or the first that fits. Raises InputError where there is none."""
    if name and name not in {"clang", "zig", "rustc"}:
        path = shutil.which(name) if os.path.dirname(name) else program(name)  # noqa: PTH120
        if not path:
            hint = suggestion(name, ("clang", "zig", "rustc"))
            message = f"no such program: {hint or 'expected clang, zig, rustc or a path'}"
            raise InputError([Problem(message, key=f"compiler {name}")])
        compiler = _looked_at((name,), _kind(name))
        if why := _unreadable(compiler):
            raise InputError([Problem(why, key=f"compiler {name}")])
        return compiler
    kinds = {"rust": ("rustc",), "zig": ("zig",)}.get(language, ("clang", "zig"))
    if name:
        if name not in kinds:
            message = f"does not compile {language}: expected {' or '.join(kinds)}"
            raise InputError([Problem(message, key=f"compiler {name}")])
        kinds = (name,)
    tried: list[str] = []
    for kind in kinds:
        for command in _commands(kind):
            compiler = _looked_at(command, kind)
            if not (why := _unreadable(compiler)):
                return compiler
            tried.append(why)
    message = f"no compiler for {language}: expected {' or '.join(kinds)} on the path"
    if "zig" in kinds:
        message += ", or pip install 'magicert[function]'"
    raise InputError([Problem("; ".join([*tried, message]), key="--function")])


def language_and_compiler(
    source: Path, flags: Sequence[str], compiler: str
) -> tuple[str, Compiler]:
    """The language of a source, and what compiles it."""
    language = language_in(source, flags)
    return language, compiler_for(language, compiler)


def linker(language: str) -> tuple[str, ...]:
    """What makes a shared library: any compiler, also one whose IR could not be read here."""
    for kind in ("zig", "clang", "gcc", "cc"):
        for command in _commands(kind):
            if kind != "zig":
                return command
            triple = zig_target("")[1]
            return (*command, "cc" if language == "c" else "c++", "-target", triple)
    message = "no linker: expected zig, clang or gcc, or pip install 'magicert[function]'"
    raise InputError([Problem(message, key="--init")])


def rust_library() -> str:
    """Rust's own library, shared; "" where there is none."""
    command = (
        [*_commands("rustc")[0], "--print", "target-libdir"] if _commands("rustc") else ["true"]
    )
    result = subprocess.run(command, capture_output=True, text=True, check=False, timeout=LONGEST)
    folder = result.stdout.strip()
    return str(next(iter(Path(folder).glob("libstd-*.*o*")), "")) if folder else ""


def _unreadable(compiler: Compiler) -> str:
    """Why a compiler's IR cannot be read here; "" where it can, or where it does not say."""
    version = re.search(r"(?:clang|LLVM) version:? (\d+)", compiler.version)
    if not version or "Apple" in compiler.version or OLDEST <= int(version[1]) <= llvm_version():
        return ""
    return (
        f"{compiler.version} writes the IR of LLVM {version[1]}: "
        f"llvmlite here reads that of {OLDEST} to {llvm_version()}"
    )


def _kind(name: str) -> str:
    stem = Path(name).name
    return "zig" if "zig" in stem else "rustc" if "rustc" in stem else "clang"


def _commands(kind: str) -> list[tuple[str, ...]]:
    commands: list[tuple[str, ...]] = [(path,)] if (path := program(kind)) else []
    if kind == "rustc" and commands:
        return [(_own_rustc(commands[0][0]),)]
    if kind == "zig" and find_spec("ziglang"):
        commands.append((sys.executable, "-P", "-m", "ziglang"))  # not what lies here by that name
    return commands


@cache
def _own_rustc(path: str) -> str:
    """The compiler itself, where that path is rustup's: rustup looks for a rust-toolchain.toml in
    the folders above, which may name any program.
    """
    command = [path, "--print", "sysroot"]
    top = Path(path).anchor
    result = subprocess.run(
        command, capture_output=True, text=True, check=False, timeout=LONGEST, cwd=top
    )
    toolchain_program = Path(result.stdout.strip() or top, "bin", Path(path).name)
    return str(toolchain_program) if not result.returncode and toolchain_program.is_file() else path


@cache
def _looked_at(command: tuple[str, ...], kind: str) -> Compiler:
    version_options = {"zig": ("cc", "--version"), "rustc": ("--version", "--verbose")}
    result = subprocess.run(
        [*command, *version_options.get(kind, ("--version",))],
        capture_output=True, text=True, timeout=LONGEST, check=False, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    lines = result.stdout.splitlines() or ["an unknown version"]
    version = lines[0]
    if kind == "rustc":
        version += "".join(f", {line}" for line in lines if line.startswith("LLVM"))
    if kind == "zig":
        version = f"zig with {version}"
    return Compiler(command, kind, version)


@cache
def zigs_version() -> str:
    """The version of the zig that compiles here. Raises InputError where there is none."""
    command = [*compiler_for("zig").command, "version"]
    result = subprocess.run(
        command, capture_output=True, text=True, timeout=LONGEST, check=False,
        stdin=subprocess.DEVNULL,
    )  # fmt: skip
    return result.stdout.strip()


def zig_target(target: str) -> tuple[str, str]:
    """The processor and the triple, as zig calls them."""
    if not target:
        machine = platform.machine()
        machine = {"arm64": "aarch64", "AMD64": "x86_64"}.get(machine, machine)
        system = {"darwin": "macos-none", "win32": "windows-gnu"}.get(sys.platform, "linux-gnu")
        return "baseline", f"{machine}-{system}"
    if target.startswith("x86_64_v"):
        return target, "x86_64-linux-gnu"
    full = SHORT["zig"].get(target, target)
    machine, *rest = (full if "-" in full else f"{full}-linux-gnu").split("-")
    machine = next((own for name, own in _ZIG_MACHINES if re.fullmatch(name, machine)), machine)
    if len(rest) > 1 and rest[0] in _VENDORS:
        del rest[0]
    rest[0] = _ZIG_SYSTEMS.get(rest[0], rest[0])
    return "baseline", "-".join([machine, *rest])


def cpu_flags(target: str, before: str, cpu: str, triple: str) -> list[str]:
    """The same for clang and rustc."""
    if not target or target == "x86_64":
        return []
    if target.startswith("x86_64_v"):
        return [
            *filter(None, [before]),
            cpu + target.replace("_v", "-v").replace("x86_64", "x86-64"),
        ]
    full = SHORT["clang" if triple.endswith("=") else "rustc"].get(target, target)
    full = full if "-" in full else f"{full}-unknown-linux-gnu"
    return [triple + full] if triple.endswith("=") else [triple, full]


def rust_target(target: str) -> list[str]:
    """The system for which rustc compiles, and which processor."""
    return cpu_flags(target, "-C", "target-cpu=", "--target")
