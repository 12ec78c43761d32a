"""How each compiler is called for a source: the words of the command, and its environment.

    clang -S -emit-llvm -g -O2 ... attack.c                       as the user compiles
    clang -S -emit-llvm ... -fsanitize=undefined ... attack.i     with undefined behaviour as traps

In C and C++ the second command compiles what the first one's macros leave, in Rust both have the
same `cfg`, and of Zig, whose mode says what is checked, no source may ask for its mode: so both
are of one program.
"""

import os
import re
import time
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

from magicert.functions.compile.cargo import cargos_variables
from magicert.functions.compile.compilers import (
    ZIGS_OWN,
    Compiler,
    cpu_flags,
    rust_target,
    zig_target,
)
from magicert.functions.compile.crates import is_unstable
from magicert.functions.compile.stand_in_headers import as_compilers_take_them

CONSTEXPR_STEPS = 1_000_000_000
"""For tables that are made while compiling: clang alone stops at 2^20, GCC at 2^25."""
KEEPS_APART = 20
"""The first version of clang that can keep checks of one kind apart, each with its line."""
PRINTS_NOTHING_ALONE = 16
"""The last version of clang whose zig (0.11) has no function in a module that it only prints."""
NIGHTLY = "RUSTC_BOOTSTRAP"
"""What makes the nightly compiler of its version out of a stable rustc."""
UB_CHECKS = 78
"""The first version of rustc (1.78) whose library can check unsafe code by itself, apart from the
source's `debug_assert!`.
"""
NEUTRAL = ("-U_FORTIFY_SOURCE", "-UNDEBUG")
"""What some compilers define unasked, and others do not: zig NDEBUG from -O1 on."""
# Where an address may point is looked at here, load by load. A signed number that is shifted out of
# its type wraps: C++20 says so, of C GCC does, and clang has nothing else.
TRAPS = (
    "-fsanitize=undefined", "-fsanitize-trap=undefined",
    "-fno-sanitize=function,vptr,alignment,pointer-overflow,object-size,shift-base",
)  # fmt: skip


def compile_command(
    compiler: Compiler, language: str, source: Path, out: Path, flags: Sequence[str],
    target: str, *, traps: bool, step: str = "",
) -> list[str]:  # fmt: skip
    """What is called, the user's flags included. Of C and C++ a `step` is to "expand" macros, or to
    compile what was "expanded".
    """
    if language == "rust":
        return _rustc_command(compiler, source, out, flags, target, traps=traps)
    if language == "zig":
        return _zig_command(compiler, source, out, flags, target, traps=traps)
    flags = as_compilers_take_them(flags)
    driver, where, flags = _driver_of_c(compiler, language, flags, target)
    # The first does nothing: a flag before it whose value is missing would take it for that.
    checks = ["-pipe", "-fno-sanitize=all"]
    if traps:
        # Where zig reads ours itself, it hands on what others turn off, behind them.
        flags = [flag for flag in flags if not flag.startswith(("-fsanitize", "-fno-sanitize"))]
        checks = ["-pipe", *TRAPS, "-O1", "-Xclang", "-disable-llvm-passes"]
        if _clangs_version(compiler) >= KEEPS_APART:
            checks.append("-fno-sanitize-merge")
    if step == "expanded":
        flags, checks = [*_without_macros(flags)], [*checks, "-undef"]
    level = [] if any(flag.startswith("-O") for flag in flags) else ["-O2"]
    if language == "c++" and not any(flag.startswith("-fconstexpr-steps") for flag in flags):
        level.append(f"-fconstexpr-steps={CONSTEXPR_STEPS}")
    makes = ["-E"] if step == "expand" else ["-S", "-emit-llvm", "-g"]
    return [
        *driver, *makes, *NEUTRAL, *where, *level, *flags, *checks, "-o", str(out), str(source),
    ]  # fmt: skip


def _rustc_command(
    compiler: Compiler, source: Path, out: Path, flags: Sequence[str], target: str, *, traps: bool
) -> list[str]:
    # That integers wrap is defined in Rust, unless the user's flags ask for a panic.
    wraps = () if any("overflow-checks" in flag for flag in flags) else ("overflow-checks=off",)
    settings = *wraps, "no-prepopulate-passes"
    checks = [word for check in settings for word in ("-C", check)] if traps else []
    if traps:  # debug_assert! is the source's own: it is there where its flags say so
        version = re.search(r"rustc 1\.(\d+)", compiler.version)
        new = not version or int(version[1]) >= UB_CHECKS
        checks += ["-Z", "ub-checks=yes"] if new else ["-C", "debug-assertions=on"]
    level = [] if any("opt-level" in flag or flag == "-O" for flag in flags) else ["-O"]
    where = rust_target(target)
    return [  # without a folder, rustc's own files of two runs in one place are the same
        *compiler.command, "--crate-type=lib", "--cap-lints=allow", f"--emit=llvm-ir={out}",
        f"--out-dir={out.parent}", "-g",
        "-C", "codegen-units=1", "-C", "panic=abort", *level, *where, *flags, *checks,
        str(source),
    ]  # fmt: skip


def _zig_command(
    compiler: Compiler, source: Path, out: Path, flags: Sequence[str], target: str, *, traps: bool
) -> list[str]:
    mode = [] if any(flag.startswith("-O") for flag in flags) else ["-OReleaseFast"]
    emitted = [f"-femit-llvm-ir={out}"]
    if traps:
        pairs = zip(("", *flags), flags, strict=False)  # the mode may be a word of its own
        flags = [flag for last, flag in pairs if last != "-O" and not flag.startswith("-O")]
        mode = ["-OReleaseSafe"]
        alone = _clangs_version(compiler) > PRINTS_NOTHING_ALONE
        passed = [] if alone else [f"-femit-llvm-ir={out}.passed"]
        emitted = [f"--verbose-llvm-ir={out}", *passed]  # before any pass
    cpu, triple = zig_target(target)
    # Flags that name modules name the root as well: zig takes no file beside them.
    modules = any(flag.startswith("-Mroot=") for flag in flags)
    root = [] if modules else [str(source)]
    if source.parent == out.parent:  # it takes the source in, and is the root in its place
        flags = [f"-Mroot={source}" if flag.startswith("-Mroot=") else flag for flag in flags]
    return [
        *compiler.command, "build-obj", "-fno-emit-bin", *emitted, "-fno-strip",
        "-target", triple, f"-mcpu={cpu}", *mode, *flags, *root,
    ]  # fmt: skip


def _driver_of_c(
    compiler: Compiler, language: str, flags: Sequence[str], target: str
) -> tuple[list[str], list[str], Sequence[str]]:
    """What compiles C or C++ by its language, what says for which processor, and the flags as it
    takes them.
    """
    if compiler.kind != "zig":
        where = cpu_flags(target, "", "-march=", "--target=") if target else []
        return [*compiler.command, "-x", language], where, flags
    # Without -x it would make a precompiled header of a .h or .hpp.
    driver = [*compiler.command, "cc" if language == "c" else "c++", "-x", language]
    cpu, triple = zig_target(target)
    flags = as_zig_takes_them(flags)
    has_processor = any(flag.startswith(("-march", "-mcpu")) for flag in flags)
    where = [] if "-target" in flags else ["-target", triple]
    where += [] if has_processor else [f"-mcpu={cpu}"]
    where += ["-Wno-date-time"]  # zig refuses __DATE__, which other compilers take
    return driver, where, flags


def _clangs_version(compiler: Compiler) -> int:
    """The version of clang that a compiler is, or that zig has; 0 where it does not say it."""
    version = re.search(r"clang version (\d+)", compiler.version)
    return int(version[1]) if version else 0


def as_zig_takes_them(flags: Sequence[str]) -> list[str]:
    """Flags with processors by the names that zig has for them."""
    return [re.sub(ZIGS_OWN, lambda cpu: cpu[0].replace("-", "_"), flag) for flag in flags]


def _without_macros(flags: Sequence[str]) -> Iterator[str]:
    """Flags but for those that define macros or bring files in: that is done already."""
    skips = False
    for flag in flags:
        if skips or flag in {"-D", "-U", "-include", "-imacros"}:
            skips = not skips
        elif not re.match(r"-[DU]|-include|-imacros|--include=|--imacros=", flag):
            yield flag


def environment_of(
    compiler: Compiler, folder: Path, source: Path | None = None, *, checks: bool = False
) -> dict[str, str]:
    """What a compiler finds in its environment: one time for all builds, and for what zig has
    compiled a temporary `folder`. What that has from earlier runs it takes without a look at where
    an #include finds its file now. A `source` of Rust reads there what cargo says of its package,
    and may ask for what only nightly compilers have: the stable one of the same version has it,
    too, if it is told so.
    """
    of_cargo = cargos_variables(source) if source is not None else {}
    epoch, working = str(_now()), str(Path.cwd())
    here = {**of_cargo, "SOURCE_DATE_EPOCH": epoch, **os.environ, "PWD": working}
    if compiler.kind == "zig":
        here["ZIG_LOCAL_CACHE_DIR"] = str(folder / "zig")
    if checks or (source is not None and is_unstable(source)):
        here[NIGHTLY] = "1"  # also for -Z, which is asked for below
    return here


@cache
def _now() -> int:
    return int(time.time())
