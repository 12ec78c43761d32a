"""Small crates of our own that stand in for well-known crates of a registry which are not here.

    [dependencies]                    use lazy_static::lazy_static;
    lazy_static = "1"                 stand_in_crates/lazy_static.rs is compiled in its place

Each has a few of the names of its crate, and does with them what the crate's documentation says:
what is not in it does not compile, and is left out as if there were no such crate. A certificate
names them among what is assumed. Those of random numbers give other numbers than their crates.
What several have in common is included from stand_in_crates/parts, where no crate is looked for.
"""

import re
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from magicert.functions.compile.cargo import manifest_in, package_of, workspace_of
from magicert.functions.compile.compilers import LONGEST, Compiler, rust_target

FOLDER = Path(__file__).with_name("stand_in_crates")
_NEEDS = re.compile(r"^(?:pub )?extern crate (\w+)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class StandIn:
    """A crate by the name that its user has for it, its own name, and the first number of its
    version that is not 0.
    """

    name: str
    crate: str
    major: str

    @property
    def source(self) -> Path:
        """Where it is."""
        return FOLDER / f"{self.crate}.rs"

    @property
    def kind(self) -> str:
        """What rustc makes of it: what writes code is a part of the compiler."""
        writes = "extern crate proc_macro" in self.source.read_text("utf-8")
        return "proc-macro" if writes else "rlib"


def stand_ins_for(
    source: Path, flags: Sequence[str] = (), key: str = "dependencies"
) -> list[StandIn]:
    """Those for the crates that Cargo.toml names as a source's, but for what flags name."""
    folder, manifest = package_of(source)
    given = re.findall(r"--extern[= ](?:\w+:)?(\w+)", " ".join(flags))
    if folder is None:
        return []
    return [one for one in stand_ins_of(folder, manifest, key) if one.name not in given]


def stand_ins_of(folder: Path, manifest: Mapping[str, Any], key: str) -> list[StandIn]:
    """Those for the crates that a package names and uses."""
    found = [*_stated(folder, manifest, key)]
    paths = sorted(folder.rglob("*.rs")) if found else []
    texts = [path.read_text("utf-8", "replace") for path in paths]
    return [one for one in found if any(re.search(rf"\b{one.name}\b", text) for text in texts)]


def needed_by(stand_ins: Sequence[StandIn]) -> list[StandIn]:
    """The same, each once, behind those that it uses itself."""
    found = dict[str, StandIn]()
    for one in stand_ins:
        for name in _NEEDS.findall(one.source.read_text("utf-8")):
            needed = StandIn(name, name, one.major)
            if needed.source.is_file():
                found.setdefault(name, needed)
        found.setdefault(one.crate, one)
    return [*found.values()]


def _stated(folder: Path, manifest: Mapping[str, Any], key: str) -> Iterator[StandIn]:
    for name, own in manifest.get(key, {}).items():
        stated = own
        if isinstance(own, dict) and own.get("workspace"):
            workspace = manifest_in(workspace_of(folder)).get("workspace", {})
            stated = workspace.get("dependencies", {}).get(name, "")
        table = stated if isinstance(stated, dict) else {"version": stated}
        crate = str(table.get("package", name)).replace("-", "_")
        number = re.search(r"0\.\d+|\d+", str(table.get("version", "")))
        one = StandIn(name.replace("-", "_"), crate, number[0] if number else "")
        if "path" not in table and one.source.is_file():
            yield one


def stand_in_flags(stand_ins: Sequence[StandIn], compiler: Compiler, target: str = "") -> list[str]:
    """The flags that name them to rustc, which compiles each once."""
    system = tuple(rust_target(target))
    words = [flag for one in stand_ins for flag in _externs(one, compiler, system)]
    return [*words, *(["-L", f"dependency={_folder(compiler, system).name}"] if words else [])]


def as_shown(text: str) -> str:
    """The words of a command without the folder in which they lie in this process."""
    return re.sub(
        r"(--extern \w+)=\S*/lib\w+\.\w+|(?: -L dependency=\S*magicert-crates-\S*)", r"\1", text
    )


@cache
def _folder(_compiler: Compiler, _target: tuple[str, ...]) -> "TemporaryDirectory[str]":
    return TemporaryDirectory(prefix="magicert-crates-")


def _externs(one: StandIn, compiler: Compiler, target: tuple[str, ...]) -> Iterator[str]:
    if (library := _library(one.crate, one.major, compiler, target)) is not None:
        yield from ("--extern", f"{one.name}={library}")


@cache
def _library(crate: str, major: str, compiler: Compiler, target: tuple[str, ...]) -> Path | None:
    """A stand-in as a library; None where this compiler does not make one of it."""
    source, folder = FOLDER / f"{crate}.rs", Path(_folder(compiler, target).name)
    for needed in needed_by([StandIn(crate, crate, major)])[:-1]:
        _library(needed.crate, needed.major, compiler, target)
    kind = StandIn(crate, crate, major).kind
    ending = {"darwin": "dylib", "win32": "dll"}.get(sys.platform, "so")
    out = folder / f"lib{crate}.{ending if kind == 'proc-macro' else 'rlib'}"
    command = [
        *compiler.command, "-O", "--edition=2021", f"--crate-type={kind}", f"--crate-name={crate}",
        f'--cfg=major="{major}"', "--cap-lints=allow", f"--remap-path-prefix={FOLDER}=stand_ins",
        *target, "-L", f"dependency={folder}", "-L", str(folder), "-o", str(out), str(source),
    ]  # fmt: skip
    result = subprocess.run(
        command, capture_output=True, check=False, timeout=LONGEST, stdin=subprocess.DEVNULL
    )
    return out if not result.returncode else None
