"""The files of Zig and Rust that a compiler reads for a source: what it imports, or has as modules.

    attacks.rs: mod magics; include!("table.in")  ->  attacks.rs, magics.rs, table.in
    attacks.zig: @import("magics.zig")            ->  attacks.zig, magics.zig

Rustc says which ones it has read; Zig's imports are followed by their paths.
"""

import os
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from magicert.functions.compile.cargo import cargos_flags
from magicert.functions.compile.compiler_commands import compile_command, environment_of
from magicert.functions.compile.compiler_runs import CompilerRun
from magicert.functions.compile.compilers import compiler_for, language_of
from magicert.functions.compile.crates import Crate
from magicert.functions.compile.projects import LINK, mirrored, project_of
from magicert.functions.compile.stand_ins import stand_in_flags
from magicert.functions.compile.syntax import leaves_of, node_text, parser_of
from magicert.system.deadline import Deadline

if TYPE_CHECKING:
    from tree_sitter import Node


def files_of(
    sources: Sequence[Path], flags: Sequence[str], target: str, compiler: str, deadline: Deadline,
    crate: Crate | None = None,
) -> dict[Path, str]:  # fmt: skip
    """The files of Zig or Rust that the compiler reads for these sources, as texts; of a `crate`
    with what that leaves out.
    """
    if language_of(sources[0]) == "zig":
        return {path: text for path, text, _ in _imported([*sources, *_modules(flags)])}
    files = list[Path]()
    for source in sources:
        files += files_read(source, flags, target, compiler, deadline, crate)
    contents = {path: path.read_bytes() for path in files}
    # Code that is taken in by include!() may have any ending; a file of numbers often is no text.
    takes_code = any(re.search(rb"\binclude\b", data) for data in contents.values())
    texts = dict[Path, str]()
    for path, data in contents.items():
        if path.suffix == ".rs" or takes_code:
            with suppress(UnicodeDecodeError):
                texts[path] = data.decode("utf-8")
    return texts


def files_read(
    source: Path, flags: Sequence[str], target: str, compiler: str, deadline: Deadline,
    crate: Crate | None = None,
) -> list[Path]:  # fmt: skip
    """The files that rustc reads for a source. Raises InputError where it does not compile."""
    used = compiler_for("rust", compiler)
    with TemporaryDirectory(prefix="magicert-") as folder:
        out = Path(folder) / "module.ll"
        more: tuple[str, ...] = (*cargos_flags(source, flags), f"--emit=dep-info={folder}/files")
        place = source
        if crate is not None:
            project = project_of(crate.root)
            link = Path(folder) / LINK
            mirrored(project, link, crate.texts)
            place = link / crate.root.relative_to(project)
            more = (*more, *stand_in_flags(crate.stand_ins, used, target))

        def command_with(other: Sequence[str]) -> list[str]:
            given = *flags, *more, *other
            command = compile_command(used, "rust", place, out, given, target, traps=False)
            return [word for word in command if not word.startswith("--emit=llvm-ir")]

        environment = environment_of(used, out.parent, source)
        CompilerRun(command_with, used, source, deadline, environment).run()
        lines = (Path(folder) / "files").read_text("utf-8", "replace").splitlines()
        files = [Path(line[:-1].replace("\\ ", " ")) for line in lines if line.endswith(":")]
        if crate is not None:
            files = [project / os.path.relpath(path, link) for path in files]
    return files


def place_of_mode(sources: Sequence[Path], flags: Sequence[str]) -> str:
    """Where sources of Zig, or what they import, may ask for the mode in which they are compiled;
    "" where they do not. It is the mode that has checks, so the build that looks for undefined
    behaviour is in another one.
    """
    places, builtin = list[str](), False
    for path, _, leaves in _imported([*sources, *_modules(flags)]):
        for leaf in leaves if path.suffix == ".zig" else ():
            word = node_text(leaf)
            if word in {"mode", "runtime_safety"}:
                places.append(f"{path}:{leaf.start_point[0] + 1}")
            builtin |= word in {"builtin", "runtime_safety"}
    return places[0] if places and builtin else ""


def _modules(flags: Sequence[str]) -> list[Path]:
    """The roots of the modules that flags of Zig name."""
    return [Path(flag.partition("=")[2]) for flag in flags if flag.startswith("-M")]


def _imported(roots: Sequence[Path]) -> Iterator[tuple[Path, str, list["Node"]]]:
    """The files of Zig with all that they import by a path: their texts, and the words of these."""
    waiting, seen = list(roots), set[Path]()
    while waiting:
        path = waiting.pop()
        if path in seen or not path.is_file():
            continue
        seen.add(path)
        text = path.read_text("utf-8", "replace")
        leaves = _words_of(text)
        yield path, text, leaves
        words = [*map(node_text, leaves)]
        imports = (words[n + 3] for n, word in enumerate(words[:-3]) if word == "@import")
        names = (name for name in imports if name.endswith(".zig"))
        waiting += [Path(os.path.normpath(path.parent / name)) for name in names]


def _words_of(text: str) -> list["Node"]:
    """The words and signs of a text of Zig, without its comments; what a string holds is one."""
    root = parser_of("zig").parse(text.encode()).root_node
    return [leaf for leaf in leaves_of(root) if leaf.type != "comment"]
