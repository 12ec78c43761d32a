"""Where a header comes from that a project does not have itself: the repository that its build
would fetch, as `.gitmodules`, CMake's FetchContent or a wrap of meson states it.

    'magic/sets.hpp' file not found     git clone -- https://github.com/author/magic deps/magic
"""

import re
import shlex
from collections.abc import Iterator
from configparser import ConfigParser, Error
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from magicert.functions.compile.hints import project_folders

_DECLARED = re.compile(
    r"(?:FetchContent_Declare|ExternalProject_Add|CPMAddPackage)\s*\(\s*(?:NAME\s+)?([\w.-]+)([^()]*)\)"
)
_REPOSITORY = re.compile(r"GIT_REPOSITORY\s+\"?(\S+?)\"?\s")
_TAG = re.compile(r"GIT_TAG\s+\"?([\w./-]+)")
_OF_TESTS = frozenset({
    "benchmark", "catch", "catch2", "doctest", "googlebenchmark", "googletest", "gtest",
})  # fmt: skip
"""What a build fetches for its tests alone: no engine's code wants a header of these."""
_URL = re.compile(r"https://[\w.-]+/[\w./~-]+")
"""What may stand in a command: no other way to fetch than the web's."""


@dataclass(frozen=True, slots=True)
class Dependency:
    """A repository that a build fetches: its name there, which commit, and where it is to lie."""

    name: str
    url: str
    folder: Path
    tag: str = ""

    @property
    def words(self) -> str:
        """The command that fetches it."""
        folder = shlex.quote(str(self.folder))
        if re.fullmatch(r"[0-9a-f]{40}", self.tag):
            return f"git clone -- {self.url} {folder} && git -C {folder} checkout {self.tag}"
        branch = f" --branch {shlex.quote(self.tag)}" if self.tag else ""
        return f"git clone --depth 1{branch} -- {self.url} {folder}"


def dependency_with(header: str, source: Path) -> Dependency | None:
    """The repository that is likely to have a header: the one of its name, or else the only one
    that is not there.
    """
    missing = [one for one in _stated(source) if not any(one.folder.glob("*"))]
    parts = [_plain(part) for part in (*Path(header).parts[:-1], Path(header).stem)]
    named = [one for one in missing if {_plain(one.name), _plain(one.folder.name)} & {*parts}]
    found = named or [one for one in missing if _plain(one.name) not in _OF_TESTS]
    return found[0] if len({one.url for one in found}) == 1 else None


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())


def _stated(source: Path) -> Iterator[Dependency]:
    """What the files of a project's build fetch."""
    here, top = Path.cwd(), next(project_folders(source))
    top = top.relative_to(here) if top.is_relative_to(here) else top
    for section in _sections(top / ".gitmodules"):
        if _URL.fullmatch(section.get("url", "")) and ".." not in section.get("path", ".."):
            folder = top / section["path"]
            yield Dependency(folder.name, section["url"], folder, section.get("branch", ""))
    for path in sorted((top / "subprojects").glob("*.wrap")):
        for section in _sections(path):
            if _URL.fullmatch(section.get("url", "")):
                folder = path.parent / Path(section.get("directory", path.stem)).name
                tag = section.get("revision", "").replace("head", "").replace("HEAD", "")
                yield Dependency(path.stem, section["url"], folder, tag)
    for path in [top / "CMakeLists.txt", *sorted(top.glob("*/CMakeLists.txt"))]:
        with suppress(OSError):
            for name, text in _DECLARED.findall(path.read_text("utf-8", "replace")):
                repository, stated = _REPOSITORY.search(f"{text} "), _TAG.search(text)
                if repository and _URL.fullmatch(url := repository[1]):
                    last = url.rstrip("/").rpartition("/")[2].removesuffix(".git")
                    commit = stated[1] if stated and stated[1][0] != "-" else ""
                    yield Dependency(name, url, top / "deps" / last, commit)


def _sections(path: Path) -> Iterator[dict[str, str]]:
    """The sections of a file that is written as git and meson write theirs."""
    parser = ConfigParser(interpolation=None, strict=False)
    with suppress(OSError, Error, UnicodeDecodeError):
        parser.read_string(path.read_text("utf-8"))
        yield from (dict(parser[name]) for name in parser.sections())
