"""What Cargo.toml says of a crate: its edition, its roots, the features that are on, and what cargo
tells the compiler of it. No build script runs, and no configuration of cargo is read.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

PACKAGE = ("name", "version", "authors", "description", "repository", "homepage", "license")
"""What Cargo.toml says of a package and cargo tells its crate."""

_SETS_CFG = re.compile(r"rustc-cfg\b|\bautocfg\b|\bcfg_aliases\b|\brustversion\b")
_CFG = re.compile(r"\bcfg(?:_attr)?!?\s*\(((?:[^()]|\([^()]*(?:\([^()]*\)[^()]*)*\))*)\)")
_KNOWN_CFGS = frozenset({
    "all", "any", "not", "feature", "test", "unix", "windows", "debug_assertions", "doc",
    "doctest", "docsrs", "miri", "panic", "proc_macro", "overflow_checks", "ub_checks", "true",
    "false", "clippy", "rustfmt", "sanitize", "version", "accessible", "relocation_model",
    "derive", "inline", "allow", "repr", "always", "warn", "deny", "path", "must_use", "no_std",
})  # fmt: skip
"""Conditions that the compiler or cargo answers, and attributes that stand behind one."""


def cargos_flags(source: Path, flags: Sequence[str]) -> tuple[str, ...]:
    """The edition, the default features, and the checks of the release profile, as Cargo.toml
    states them; none of these where the flags do. What a panic does is said to those who ask.
    """
    has_edition = any(flag.startswith("--edition") for flag in flags)
    has_features = any(re.search(r"(?:^|=)feature\b", flag) for flag in flags)
    edition = () if has_edition else (f"--edition={edition_of(source)}",)
    features = () if has_features else _default_features(source)
    checks = (check for check in _checks_of_release(source) if check not in " ".join(flags))
    return (
        *edition, *(f'--cfg=feature="{one}"' for one in features),
        *(f"-C{check}=on" for check in checks), *_panic_strategy(source, flags),
    )  # fmt: skip


def _checks_of_release(source: Path) -> Iterator[str]:
    """The checks that `cargo build --release` leaves in: with them an integer does not wrap."""
    release = _release_profile(source)
    for check in ("overflow-checks", "debug-assertions"):
        if release.get(check) is True:
            yield check


def _panic_strategy(source: Path, flags: Sequence[str]) -> Iterator[str]:
    """What a panic does in cargo's release, where the code is another one by that: for others there
    is no need to unwind.
    """
    folder, _ = package_of(source)
    beside = (folder / "src").rglob("*.rs") if folder else source.parent.glob("*.rs")
    texts = (path.read_text("utf-8", "replace") for path in {source, *beside} if path.is_file())
    if not any("panic=" in flag for flag in flags) and any(map(_asks_for_panic, texts)):
        stated = _release_profile(source).get("panic")
        yield f"-Cpanic={stated if stated == 'abort' else 'unwind'}"


def _asks_for_panic(text: str) -> bool:
    """Whether a condition of some code is what a panic does."""
    return "panic" in text and any(re.search(r"\bpanic\s*=", one) for one in _CFG.findall(text))


def _release_profile(source: Path) -> Mapping[str, Any]:
    """What Cargo.toml, or that of the workspace, says of `cargo build --release`."""
    above = [manifest for _, manifest in _manifests(source)]
    top = next((one for one in above if "workspace" in one), next(iter(above), {}))
    release = top.get("profile", {}).get("release", {})
    return release if isinstance(release, dict) else {}


def _default_features(source: Path) -> tuple[str, ...]:
    """What `cargo build` turns on in a source's package."""
    _, manifest = package_of(source)
    stated = manifest.get("features", {})
    found: dict[str, None] = {}
    new = ["default"] if "default" in stated else []
    while new:
        name = new.pop()
        # dep:NAME and NAME?/FEATURE turn on none of the package's own.
        name, of_another, _ = name.partition("/")
        if of_another and not _is_optional(manifest, name):
            continue
        if name and not name.startswith("dep:") and name not in found:
            found[name] = None
            new += stated.get(name, ())
    return tuple(found)


def _is_optional(manifest: Mapping[str, Any], name: str) -> bool:
    """Whether a dependency is one that a feature of its own name turns on."""
    stated = manifest.get("dependencies", {}).get(name)
    return isinstance(stated, dict) and bool(stated.get("optional"))


def build_script(source: Path) -> Path | None:
    """The program that cargo runs before it compiles a source's package; None where it has none."""
    folder, manifest = package_of(source)
    stated = manifest.get("package", {}).get("build", "build.rs")
    script = folder / stated if folder is not None and isinstance(stated, str) else None
    return script if script is not None and script.is_file() else None


def unset_cfgs(source: Path, flags: Sequence[str]) -> tuple[str, ...]:
    """The names that code of a crate asks for by `cfg`, that its build script may set, and flags do
    not.
    """
    folder, script = package_of(source)[0], build_script(source)
    text = script.read_text("utf-8", "replace") if script else ""
    if folder is None or not _SETS_CFG.search(text):
        return ()
    asked = dict.fromkeys(
        name
        for path in sorted((folder / "src").rglob("*.rs"))
        for condition in _CFG.findall(path.read_text("utf-8", "replace"))
        for name in re.findall(r"[A-Za-z_]\w*", re.sub(r'"[^"]*"', "", condition))
        if name not in _KNOWN_CFGS and not name.startswith("target_")
    )
    named = [name for name in asked if re.search(rf"\b{name}\b", text)]
    given = re.findall(r"--cfg[ =]([A-Za-z_]\w*)", " ".join(flags))
    return tuple(name for name in named or asked if name not in given)


def roots_of(source: Path) -> tuple[Path | None, list[str]]:
    """The folder of a source's package, and the roots that its Cargo.toml names."""
    folder, manifest = package_of(source)
    targets = [manifest.get("lib", {}), *manifest.get("bin", [])]
    return folder, [str(target["path"]) for target in targets if "path" in target]


def edition_of(source: Path) -> str:
    """Rust's edition, as the crate's own Cargo.toml or its workspace's states it."""
    for package, workspace, _ in _packages(source):
        if package:
            package.setdefault("edition", "2015")
        for stated in package, workspace:
            if isinstance(edition := stated.get("edition"), str):
                return edition
    return "2021"


def manifest_in(folder: Path) -> dict[str, Any]:
    """What a folder's Cargo.toml says; nothing where there is none that can be read."""
    with suppress(OSError, UnicodeDecodeError, tomllib.TOMLDecodeError):
        return tomllib.loads((folder / "Cargo.toml").read_text("utf-8"))
    return {}


def workspace_of(folder: Path) -> Path:
    """The folder of the workspace that a package is of; its own where it is of none."""
    above = (up for up in (folder, *folder.parents) if "workspace" in manifest_in(up))
    return next(above, folder)


def _manifests(source: Path) -> Iterator[tuple[Path, dict[str, Any]]]:
    """What each Cargo.toml above a source says, the nearest first, with its folder."""
    for folder in source.absolute().parents:
        if manifest := manifest_in(folder):
            yield folder, manifest


def package_of(source: Path) -> tuple[Path | None, dict[str, Any]]:
    """The folder of a source's package, and its Cargo.toml; None and nothing where it has none."""
    return next((found for found in _manifests(source) if "package" in found[1]), (None, {}))


def _packages(source: Path) -> Iterator[tuple[dict[str, Any], dict[str, Any], Path]]:
    """What each Cargo.toml above a source says of its package and its workspace's, the nearest
    first, with its folder.
    """
    for folder, manifest in _manifests(source):
        with suppress(AttributeError):
            package, workspace = manifest.get("package", {}), manifest.get("workspace", {})
            yield dict(package), dict(workspace.get("package", {})), folder


def cargos_variables(source: Path) -> dict[str, str]:
    """What cargo tells a crate of its package, and `env!` reads: only what Cargo.toml states."""
    above = [*_packages(source)]
    package, folder = next(((one, folder) for one, _, folder in above if one), ({}, None))
    workspace = next((one for _, one, _ in above if one), {})
    if folder is None:
        return {}
    texts = {}
    for name in PACKAGE:
        stated = package.get(name, "0.0.0" if name == "version" else "")
        stated = workspace.get(name, "") if isinstance(stated, dict) else stated  # workspace = true
        texts[name] = ":".join(map(str, stated)) if isinstance(stated, list) else str(stated)
    numbers = re.split(r"[-+]", texts["version"])[0].split(".")
    texts |= zip(("version_major", "version_minor", "version_patch"), numbers, strict=False)
    variables = {f"CARGO_PKG_{name.upper()}": text for name, text in texts.items()}
    crate = texts["name"].replace("-", "_")
    return {"CARGO_MANIFEST_DIR": str(folder), "CARGO_CRATE_NAME": crate, **variables}
