"""What cargo would make before it compiles a crate of Rust, as the words of a shell: the crates of
its own project, and what its build script writes. Nothing of it runs here: who types it runs it.

    export OUT_DIR=$(mktemp -d)
    rustc -O --crate-type=rlib --crate-name=types ../types/src/lib.rs --out-dir $OUT_DIR
    rustc -O build.rs -L $OUT_DIR --extern types -o $OUT_DIR/build && $OUT_DIR/build

Where one of these wants a crate of a registry, its stand-in is compiled before; where there is
none, or it is not enough, cargo makes them. A script that is an executable without such crates is
compiled so, by edits of its own lines. What cargo has made earlier is taken.
"""

import os
import re
import shlex
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from magicert.functions.compile.cargo import (
    build_script,
    cargos_flags,
    cargos_variables,
    edition_of,
    manifest_in,
    package_of,
    workspace_of,
)
from magicert.functions.compile.compilers import LONGEST, compiler_for
from magicert.functions.compile.crates import is_unstable
from magicert.functions.compile.stand_ins import StandIn, needed_by, stand_ins_of
from magicert.problem import InputError

_ASKS = re.compile(r'env!\s*\(\s*"OUT_DIR"')


@dataclass(frozen=True, slots=True)
class MadeBefore:
    """The words that make it, which end in what exports its folder, and the flags that name it."""

    words: str
    flags: str
    stand_ins: tuple[str, ...] = ()
    """Crates in whose place others are compiled."""

    def __str__(self) -> str:
        """The words, and what is to be asked then."""
        return f"{self.words}; then the same command" + (
            f" with -- {self.flags}" * bool(self.flags)
        )


@dataclass(frozen=True, slots=True)
class _OwnCrate:
    """A crate of the project: the name by which others use it, its folder, and what it needs."""

    name: str
    folder: Path
    own: "tuple[_OwnCrate, ...]"
    others: bool
    """Whether it needs a crate of a registry that nothing stands in for, or more of its script than
    files.
    """
    stand_ins: tuple[StandIn, ...] = ()
    script: Path | None = None
    for_script: "tuple[_OwnCrate, ...]" = ()
    """What its build script needs."""

    @property
    def root(self) -> Path:
        """The file that is compiled."""
        return self.folder / str(manifest_in(self.folder).get("lib", {}).get("path", "src/lib.rs"))


def crates_of_registries(source: Path, flags: Sequence[str]) -> MadeBefore | None:
    """Cargo's build of all crates that a source's own needs, each named; None where it needs none
    of a registry, or where some are named.
    """
    folder, manifest = package_of(source)
    if folder is None or "--extern" in flags:
        return None
    if all(place is not None for _, place in _dependencies(folder, manifest, "dependencies")):
        return None
    names = [name.replace("-", "_") for name, _ in _dependencies(folder, manifest, "dependencies")]
    return MadeBefore(_cargo_build(folder), _by_cargo_flags(folder, names))


def made_before(
    source: Path, flags: Sequence[str] = (), script_text: str = ""
) -> MadeBefore | None:
    """What a source's crate lacks of what its project makes; None where it lacks nothing. With its
    `script_text` a script that wants a crate of a registry needs none.
    """
    folder, manifest = package_of(source)
    if folder is None:
        return None
    script = build_script(source)
    if "OUT_DIR" in os.environ or not (script and _asks_for_its_folder(folder)):
        script = None
    given = {flag.partition("=")[0] for flag in flags}
    crates = [one for one in _own(folder, manifest, "dependencies") if one.name not in given]
    if script is None and not crates:
        return None
    for_script = [*_own(folder, manifest, "build-dependencies")] if script else []
    if script is not None and (made := _made_earlier(folder, manifest)):
        return MadeBefore(
            f"export OUT_DIR={shlex.quote(str(made))}",
            _by_cargo_flags(folder, [one.name for one in crates]),
        )
    registry = script is not None and _wants_others(manifest, "build-dependencies", folder)
    every = _all_of([*crates, *for_script])
    if (registry and not script_text) or any(one.others for one in every):
        return _by_cargo(folder, manifest, crates, script)
    by_rustc = _by_rustc(folder, crates, for_script, script, script_text)
    if by_rustc.stand_ins and not _compiles(by_rustc.words):
        return _by_cargo(folder, manifest, crates, script)
    return by_rustc


@cache
def _compiles(words: str) -> bool:
    """Whether rustc makes all that it is to make, and nothing of that is run. What it is to make of
    a crate of the project is a library, which has no part in the compiler.
    """
    try:
        rustc = compiler_for("rust").command
    except InputError:
        return False
    with TemporaryDirectory(prefix="magicert-") as folder:
        for step in words.replace("$OUT_DIR", folder).split(" && "):
            if step.startswith("rustc "):
                command = [*rustc, *shlex.split(step)[1:], "--cap-lints=allow"]
                command = [word for word in command if word != "-O"]
                result = subprocess.run(
                    command, capture_output=True, check=False, timeout=LONGEST,
                    stdin=subprocess.DEVNULL, env={**os.environ, "OUT_DIR": folder},
                )  # fmt: skip
                if result.returncode:
                    return False
    return True


def script_to_edit(source: Path) -> Path | None:
    """The build script of a source's crate that wants crates of a registry, and takes in no other
    file; None where it has none.
    """
    folder, manifest = package_of(source)
    script = build_script(source)
    if folder is None or script is None or not _asks_for_its_folder(folder):
        return None
    wants = _wants_others(manifest, "build-dependencies", folder)
    alone = not any(_own(folder, manifest, "build-dependencies"))
    takes_in = re.search(r"\bmod\s+\w+\s*;|\binclude\w*!", script.read_text("utf-8", "replace"))
    return script if wants and alone and not takes_in else None


def _asks_for_its_folder(folder: Path) -> bool:
    return any(
        _ASKS.search(path.read_text("utf-8", "replace"))
        for path in sorted((folder / "src").rglob("*.rs"))
    )


def _by_rustc(
    folder: Path, crates: Sequence[_OwnCrate], for_script: Sequence[_OwnCrate],
    script: Path | None, script_text: str,
) -> MadeBefore:  # fmt: skip
    steps = ["export OUT_DIR=$(mktemp -d)"]
    of_script = stand_ins_of(folder, manifest_in(folder), "build-dependencies") if script else []
    of_script = [] if script_text else of_script
    every = _all_of([*crates, *for_script])
    stand_ins = [*of_script, *(two for one in every for two in one.stand_ins)]
    for two in needed_by(stand_ins):
        words = [
            "rustc", "-O", "--edition=2021", f'--cfg=major="{two.major}"',
            f"--crate-type={two.kind}",
            f"--crate-name={two.crate}", str(two.source),
        ]  # fmt: skip
        steps.append(f"{shlex.join(words)} -L $OUT_DIR --out-dir $OUT_DIR")
    for one in every:
        root, out = one.root, f"$OUT_DIR/{one.name}"
        if one.script is not None:
            steps.append(f"mkdir {out}")
            steps += _script_steps(one.script, one.folder, out, _externs(one.for_script))
        stated = [flag for flag in cargos_flags(root, ()) if not flag.startswith("-C")]
        words = [
            "rustc",
            "-O",
            *stated,
            "--crate-type=rlib",
            f"--crate-name={one.name}",
            _shown(root),
        ]
        externs = _externs((*one.own, *one.stand_ins))
        before = f"OUT_DIR={out} " if one.script is not None else ""
        steps.append(f"{before}{shlex.join(words)} --out-dir $OUT_DIR{externs}")
    if script is not None:
        steps[0] = " ".join([steps[0], *_variables_read(script)])
        place = shlex.quote(_shown(script))
        if script_text:
            text = script.read_bytes().decode("utf-8", "surrogateescape")
            steps.append(f"{_edited(text, script_text)} {place} > $OUT_DIR/build.rs")
            place = "$OUT_DIR/build.rs"
        externs = _externs((*for_script, *of_script))
        steps += _script_steps(script, folder, "$OUT_DIR", externs, place)
    scripts = (script, *(one.script for one in every))
    roots = [one.root for one in every] + [one for one in scripts if one is not None]
    steps[0] = " ".join([steps[0], *_which_compiler(folder, roots)])
    names = tuple(dict.fromkeys(one.name for one in stand_ins))
    return MadeBefore(" && ".join(steps), _externs(crates).strip(), names)


def _script_steps(
    script: Path, folder: Path, out: str, externs: str, place: str = ""
) -> Iterator[str]:
    """The words that make a program of a package's build script, and run it in the package's
    folder: it writes into the folder `out`.
    """
    rustc = shlex.join(["rustc", "-O", f"--edition={edition_of(script)}"])
    yield f"{rustc} {place or shlex.quote(_shown(script))}{externs} -o {out}/build"
    runs = f"{out}/build"
    if out != "$OUT_DIR":
        runs = " ".join([f"OUT_DIR={out}", *_variables_read(script), runs])
    yield runs if folder == Path.cwd() else f"(cd {shlex.quote(_shown(folder))} && {runs})"


def _variables_read(script: Path) -> list[str]:
    """What cargo tells a build script, and this one asks for."""
    text = script.read_bytes().decode("utf-8", "surrogateescape")
    variables = {**cargos_variables(script), "PROFILE": "release", "OPT_LEVEL": "3"}
    return [f"{key}={shlex.quote(value)}" for key, value in variables.items() if f'"{key}"' in text]


def _which_compiler(folder: Path, roots: Sequence[Path]) -> Iterator[str]:
    """What makes `rustc` the compiler that is used here, where a file of the project names another
    one for rustup, and lets it compile what asks for a nightly one.
    """
    names = ("rust-toolchain", "rust-toolchain.toml")
    if any((up / name).is_file() for up in (folder, *folder.parents) for name in names):
        with suppress(InputError):
            path = Path(compiler_for("rust").command[0])
            if path.parent.parent.parent.name == "toolchains":
                yield f"RUSTUP_TOOLCHAIN={path.parent.parent.name}"
    if any(map(is_unstable, roots)):
        yield "RUSTC_BOOTSTRAP=1"


def _edited(old: str, new: str) -> str:
    """The words that make one text of another one, which has as many lines."""
    pairs = enumerate(zip(old.split("\n"), new.split("\n"), strict=True), 1)
    changed = [(number, line) for number, (before, line) in pairs if before != line]
    words, begin = ["sed"], 0
    for (number, line), (behind, next_line) in zip(changed, [*changed[1:], (0, "")], strict=True):
        begin = begin or number
        if behind == number + 1 and not line and not next_line:
            continue
        by = re.sub(r"[\\/&]", r"\\\g<0>", line)
        words += ["-e", f"{begin},{number}s/.*/{by}/" if begin < number else f"{number}s/.*/{by}/"]
        begin = 0
    return shlex.join(words)


def _made_earlier(folder: Path, manifest: Mapping[str, Any]) -> Path | None:
    """The newest folder that a package's build script has written in a build here."""
    name, places = manifest["package"].get("name", "NAME"), list[Path]()
    for top in {folder, workspace_of(folder)}:
        places += [
            path for path in (top / "target").glob(f"*/build/{name}-*/out") if any(path.iterdir())
        ]
    return max(places, key=os.path.getmtime, default=None)


def _by_cargo(
    folder: Path, manifest: Mapping[str, Any], crates: Sequence[_OwnCrate], script: Path | None
) -> MadeBefore:
    steps = [_cargo_build(folder)]
    if script is not None:
        name = manifest["package"].get("name", "NAME")
        made = f"{shlex.quote(str(workspace_of(folder) / 'target'))}/release/build/{name}-*/out"
        steps.append(f"export OUT_DIR=$(ls -td {made} | head -1)")
    return MadeBefore(" && ".join(steps), _by_cargo_flags(folder, [one.name for one in crates]))


def _cargo_build(folder: Path) -> str:
    whole = ["cargo", "build", "--release"]
    whole += [] if folder == Path.cwd() else ["--manifest-path", _shown(folder / "Cargo.toml")]
    return shlex.join(whole)


def _by_cargo_flags(folder: Path, names: Sequence[str]) -> str:
    """Where cargo has the crates of these names."""
    deps = shlex.quote(_shown(workspace_of(folder) / "target" / "release" / "deps"))
    return f"-L {deps}{''.join(f' --extern {name}' for name in names)}" if names else ""


def _externs(crates: Sequence[_OwnCrate | StandIn]) -> str:
    """The flags that name crates in $OUT_DIR to rustc."""
    each = (
        f" --extern {one.name}=$OUT_DIR/lib{one.crate}.rlib"
        if isinstance(one, StandIn) and one.name != one.crate
        else f" --extern {one.name}"
        for one in crates
    )
    return " -L $OUT_DIR" + "".join(each) if crates else ""


def _all_of(crates: Sequence[_OwnCrate]) -> list[_OwnCrate]:
    """Crates with all that these need, what is needed first."""
    found: dict[_OwnCrate, None] = {}
    for one in crates:
        found |= dict.fromkeys([*_all_of((*one.own, *one.for_script)), one])
    return list(found)


def _own(
    folder: Path, manifest: Mapping[str, Any], key: str, seen: frozenset[Path] = frozenset()
) -> Iterator[_OwnCrate]:
    """The crates of the project that one needs."""
    for name, place in _dependencies(folder, manifest, key):
        if place is None or place in seen or not manifest_in(place):
            continue
        its = manifest_in(place)
        own = tuple(_own(place, its, "dependencies", seen | {folder}))
        others = _wants_others(its, "dependencies", place)
        others |= bool(its.get("lib", {}).get("proc-macro"))
        stand_ins = tuple(stand_ins_of(place, its, "dependencies"))
        for_script = tuple[_OwnCrate, ...]()
        if script := build_script(place / "Cargo.toml"):
            for_script = tuple(_own(place, its, "build-dependencies", seen | {folder}))
            wanted = [*_dependencies(place, its, "build-dependencies")]
            others |= any(where is None for _, where in wanted)
            others |= "rustc-" in script.read_text("utf-8", "replace")  # what cargo is to do
        name = name.replace("-", "_")  # noqa: PLW2901
        yield _OwnCrate(name, place, own, others, stand_ins, script, for_script)


def _wants_others(manifest: Mapping[str, Any], key: str, folder: Path) -> bool:
    """Whether a package needs crates of a registry for which nothing stands in."""
    known = {one.name for one in stand_ins_of(folder, manifest, key)}
    return any(
        place is None and name.replace("-", "_") not in known
        for name, place in _dependencies(folder, manifest, key)
    )


def _dependencies(
    folder: Path, manifest: Mapping[str, Any], key: str
) -> Iterator[tuple[str, Path | None]]:
    """What a package needs in any case, each with its folder; None where it is none of the
    project's.
    """
    for name, stated in manifest.get(key, {}).items():
        where = folder
        if isinstance(stated, dict) and stated.get("workspace"):
            where = workspace_of(folder)
            workspace = manifest_in(where).get("workspace", {})
            stated = workspace.get("dependencies", {}).get(name, "")  # noqa: PLW2901
        if isinstance(stated, dict) and stated.get("optional"):
            continue
        path = stated.get("path") if isinstance(stated, dict) else None
        yield name, Path(os.path.normpath(where / path)) if path else None


def _shown(path: Path) -> str:
    return os.path.relpath(path)
