"""What build.zig and what stands beside it say of a project of Zig: its modules, the options that
become one, and the version of zig that it is for. No build.zig runs.
"""

import os
import re
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from magicert.functions.compile.fills_zig import ReaderOfZig
from magicert.functions.compile.syntax import node_text, nodes_below, parser_of

if TYPE_CHECKING:
    from tree_sitter import Node

_ZIGS_VERSION = re.compile(
    r"\bzig(?: (?:compiler|version))*\W{1,4}v?(0\.\d+\.\d+)\b", re.IGNORECASE
)
MOST_FILES = 200
"""Sources that are looked at for what no later zig takes."""
OLDEST = [0, 11]
"""The first zig that can compile what takes a source in here."""
LAST_WITH_STRINGS = "0.13.0"
"""The last zig whose build.zig.zon names its package by a string."""
_LAST_WITH = {
    r"\.source_file\s*=": "0.11.0",
    r"\{\s*\.path\s*=\s*\"": "0.12.1",
    r"\.addExecutable\(\.\{(?:(?!root_module)[^;])*?\.root_source_file\s*=": "0.14.1",
}
"""What a build.zig has, with the last zig that takes it."""
_LAST_WITH_SOURCES = {
    r"@(?:enumToInt|intToEnum|boolToInt|floatToInt|intToFloat|ptrToInt|intToPtr)\b": "0.10.0",
    r"\bstd\.rand\b": "0.13.0",
    r"\bgetStd(?:Out|Err|In)\b|\busingnamespace\b": "0.14.1",
    r"[\w\]})] \*\* ": "0.16.0",
}
"""The same of the sources of a project."""
_LAST_WITHOUT = {"variable is never mutated": "0.11.0"}
"""Words of a compiler, with the last zig that did not say them."""


@dataclass(frozen=True, slots=True)
class Modules:
    """The flags for a source's modules, and the texts of files that build.zig would make."""

    flags: str
    made: Mapping[str, str] = field(default_factory=dict)

    @property
    def words(self) -> str:
        """A shell's words that make these files."""
        return " && ".join(
            f"printf '%s\\n' {shlex.join(text.splitlines())} > {shlex.quote(name)}"
            for name, text in self.made.items()
        )

    def __str__(self) -> str:
        """What makes them, and the flags."""
        return f"{self.words}; then -- {self.flags}" if self.made else f"-- {self.flags}"


@dataclass(frozen=True, slots=True)
class StatedVersion:
    """The version of zig that a file says a project is for."""

    place: Path
    version: str

    @property
    def is_too_old(self) -> bool:
        """Whether that zig cannot compile what takes a source in here."""
        return _release(self) < OLDEST

    @property
    def program(self) -> str:
        """Where `words` put that zig."""
        return f"zig{self.version}/ziglang/zig"

    @property
    def words(self) -> str:
        """A shell's words that get it; "" where it is no release, or too old to be asked here."""
        if not re.fullmatch(r"\d+\.\d+\.\d+", self.version) or self.is_too_old:
            return ""
        return f"pip install --target zig{self.version} ziglang=={self.version}"


def version_stated(source: Path, words: str | None) -> StatedVersion | None:
    """The version that a build.zig.zon above a source states. Or else, where a compiler's `words`
    are of another version, that of a README, or the last one in which the project's files are
    written as they are.
    """
    above = source.absolute().parents[:4]
    zon, build = ([folder / name for folder in above] for name in ("build.zig.zon", "build.zig"))
    for place in zon:
        version = re.search(r'\.minimum_zig_version\s*=\s*"([^"]+)"', _code_of(place))
        if version:
            return StatedVersion(place, version[1])
    if words is None:
        return None
    for place in (folder / "README.md" for folder in above):
        text = place.read_text("utf-8", "replace") if place.is_file() else ""
        if version := _ZIGS_VERSION.search(text):
            return StatedVersion(place, version[1])
    kinds = (
        (zon, {r'\.name\s*=\s*"': LAST_WITH_STRINGS}), (build, _LAST_WITH),
        (islice(ReaderOfZig(source).files, MOST_FILES), _LAST_WITH_SOURCES),
    )  # fmt: skip
    older = [StatedVersion(source, last) for said, last in _LAST_WITHOUT.items() if said in words]
    for places, forms in kinds:
        for place in places:
            text = _code_of(place)
            older += (StatedVersion(place, forms[one]) for one in forms if re.search(one, text))
    return min(older, key=_release, default=None)


def _code_of(place: Path) -> str:
    """A file without comments; "" where there is none."""
    text = place.read_text("utf-8", "replace") if place.is_file() else ""
    return re.sub(r"(?<!:)//.*", "", text)


def _release(stated: StatedVersion) -> list[int]:
    """A version by its numbers, to be held against another one."""
    return [*map(int, re.findall(r"\d+", stated.version))]


_ZIGS_MODULE = re.compile(
    r"(?:(\w+)\s*=\s*)?\b\w+\.(?:create|add)Module\(\s*(?:\"(\w+)\")?[^;]*?"
    r"root_source_file\s*=[^;]*?\"([^\"]+\.zig)\""
)
_GIVEN_MODULE = re.compile(
    r"addImport\(\s*\"(\w+)\"\s*,\s*(\w+)|\.name\s*=\s*\"(\w+)\"\s*,\s*\.module\s*=\s*(\w+)"
)


def modules_of_build(source: Path) -> Modules | None:
    """The flags for the modules that a source of Zig imports, as far as its build.zig says which
    files these are; None where it says nothing.
    """
    build = next(
        (up / "build.zig" for up in source.absolute().parents if (up / "build.zig").is_file()), None
    )
    if build is None:
        return None
    made = dict[str, str]()
    text = re.sub(r"//.*", "", build.read_text("utf-8", "replace"))
    by_variable, by_name = dict[str, str](), dict[str, str]()
    for variable, name, path in _ZIGS_MODULE.findall(text):
        shown = os.path.relpath(build.parent / path)
        by_variable[variable], by_name[name] = shown, shown
    for one, variable, other, its_variable in _GIVEN_MODULE.findall(text):
        if path := by_variable.get(variable or its_variable):
            by_name[one or other] = path

    def imported(file: str) -> Iterator[str]:
        """The modules that a file imports, and those that it takes in."""
        files, seen = [file], set[str]()
        while files:
            file = files.pop(0)
            if file in seen or not Path(file).is_file():
                continue
            seen.add(file)
            text = Path(file).read_text("utf-8", "replace")
            for name in re.findall(r'@import\("([^"]+)"\)', text):
                if name.endswith(".zig"):
                    files.append(os.path.normpath(Path(file).parent / name))
                elif name not in {"std", "builtin", "root"}:
                    yield name

    def file_of(name: str) -> str:
        """The file of a module: as build.zig gives it, or the one that is called so there, the
        nearest to the source.
        """
        if name in by_name:
            return by_name[name]
        if options := _options_of(build, name):
            made[f"{name}.zig"] = options
            return f"{name}.zig"
        named = [
            os.path.relpath(build.parent / path) for path in re.findall(r'"([^"\n]+\.zig)"', text)
            if name in {Path(path).stem, Path(path).parent.name} and (build.parent / path).is_file()
        ]  # fmt: skip
        here = os.path.relpath(source)
        return max(named, key=lambda path: len(os.path.commonpath([path, here])), default="FILE")

    waiting, flags = [("root", os.path.relpath(source))], list[str]()
    itself = {name for name, path in by_name.items() if path == waiting[0][1]}
    named = {"root", *itself}
    while waiting:
        name, path = waiting.pop(0)
        needed = list(dict.fromkeys(imported(path)))
        words = (f"{one}=root" if one in itself else one for one in needed)
        flags += [*(f"--dep {word}" for word in words), f"-M{name}={path}"]
        waiting += [(one, file_of(one)) for one in needed if one not in named]
        named.update(needed)
    if named <= {"root", *itself}:
        return None
    return Modules(
        " ".join(flags), {name: text for name, text in made.items() if not Path(name).exists()}
    )


def _options_of(build: Path, module: str) -> str:
    """The text of a module that build.zig makes of options, as they are where nobody chooses one;
    "" where it makes none of that name, or where one of them is computed.
    """
    nodes = [*nodes_below(parser_of("zig").parse(build.read_bytes()).root_node)]
    calls = [call for node in nodes if (call := _method_call(node)) is not None]
    constants = {
        node_text(node.named_children[0]): node.named_children[-1]
        for node in nodes if node.type == "variable_declaration" and len(node.named_children) > 1
    }  # fmt: skip
    owner = next(
        (node_text(given[1]) for _, name, given in calls
         if name == "addOptions" and len(given) == 2 and node_text(given[0]) == f'"{module}"'), "",
    )  # fmt: skip
    lines = list[str]()
    for of, name, given in calls:
        if name == "addOption" and of == owner and len(given) == 3:
            value = constants.get(node_text(given[2]), given[2])
            while value.type == "binary_expression" and (
                right := value.child_by_field_name("right")
            ):
                value = right
            if value.type not in {"boolean", "integer", "string", "float"}:
                return ""
            kind, key = node_text(given[0]), node_text(given[1])[1:-1]
            lines.append(f"pub const {key}: {kind} = {node_text(value)};")
    return "\n".join(lines)


def _method_call(node: "Node") -> "tuple[str, str, list[Node]] | None":
    """A call of a method: of what, its name, and what it is given."""
    called = node.child_by_field_name("function") if node.type == "call_expression" else None
    if called is None or called.type != "field_expression":
        return None
    given = [one for one in node.named_children if one != called]
    of, name = (node_text(called.child_by_field_name(key)) for key in ("object", "member"))
    return of, name, given
