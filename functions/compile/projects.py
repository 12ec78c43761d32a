"""The folder of a source's project, and links to it beside what a compiler is given.

    /home/me/engine/src/attacks.zig      the source, of the project /home/me/engine
    /tmp/magicert-x/kept.zig             what the compiler is given: it imports "project/src/..."
    /tmp/magicert-x/project          ->  /home/me/engine

Zig reads no file above the one that it is given, and Rust finds modules beside it: so the project
lies below by a link, or as a folder of links where some of its files have another text. What the
compiler then says of such a file, it says of the file itself.
"""

import os
import re
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

LINK = "project"
"""Beside what a compiler is given of Zig or Rust: the source's project, by links."""


def whole_path(path: Path) -> Path:
    """Where a file lies, without `..`; a symbolic link stays what it is."""
    return Path(os.path.abspath(path))  # noqa: PTH100


def project_of(source: Path) -> Path:
    """The folder of a source's project, as Zig knows it, or of the whole workspace of a crate: its
    files may name others of that. Its own where there is none.
    """
    if source.suffix == ".rs":
        folders = [up for up in source.parents if (up / "Cargo.toml").exists()][-1:]
    else:
        folders = [up for up in source.parents if (up / "build.zig").exists()]
    return folders[0] if folders else source.parent


def linked(source: Path, folder: Path) -> str:
    """The source by a link to its project beside the file that takes it in: it has to lie below."""
    project = project_of(source)
    with suppress(OSError):
        (folder / LINK).symlink_to(project, target_is_directory=True)
    return f"{LINK}/{source.relative_to(project).as_posix()}"


def mirrored(project: Path, folder: Path, texts: Mapping[Path, str]) -> None:
    """A folder that has all of a project by links, but for files that have another text."""
    folder.mkdir(exist_ok=True)
    above = {path for inside in texts for path in inside.parents}
    for path in project.iterdir():
        copy = folder / path.name
        if (path in texts or path in above) and copy.is_symlink():
            copy.unlink()  # or the text would go into the file itself
        if path in texts:
            copy.write_text(texts[path], "utf-8", "surrogateescape")
        elif path in above:
            mirrored(path, copy, texts)
        elif not copy.is_symlink():
            with suppress(OSError):  # then the compiler says what it misses
                copy.symlink_to(path, target_is_directory=path.is_dir())


def with_source_paths(
    compiler_output: str, folder: Path, source: Path, before: str = "(?<![^\"'\\s])"
) -> str:
    """What a compiler says of files behind the links in a folder, by where they are."""
    if not (folder / LINK).exists():
        return compiler_output
    project = project_of(whole_path(source))
    with suppress(ValueError):  # another drive
        project = Path(os.path.relpath(project))
    behind = rf"{before}[^\"'\s:]*{re.escape(folder.name)}/{LINK}/([^\"'\s:]+)"
    return re.sub(behind, lambda match: (project / match[1]).as_posix(), compiler_output)
