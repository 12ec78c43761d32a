"""What clang says of a source of C or C++ without compiling it: names, macros, its syntax tree.

    declared_names  ->  attacks::rook, attacks::Table, ...
    macros          ->  #define SQUARES 64
    syntax_tree     ->  |-FunctionDecl 0x... line:7:10 rook 'U64 (int, U64)' ...

Clang is asked with the flags of the user, and so knows what its macros and headers make of a name.
"""

import re
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from magicert.functions.compile.compiler_commands import compile_command, environment_of
from magicert.functions.compile.compiler_runs import until_done
from magicert.functions.compile.compilers import CompileOptions, Compiler, language_and_compiler
from magicert.functions.compile.once import once
from magicert.system.deadline import Deadline


def syntax_tree(
    source: Path, flags: Sequence[str], target: str, compiler: str, deadline: Deadline,
    folder: Path, dump: Sequence[str] = ("-ast-dump",), more: Sequence[str] = (),
) -> tuple[Path, str]:  # fmt: skip
    """A file with the syntax tree that clang makes of a source, or what else it is to `dump` of
    that; empty where it makes none. And what the compiler says, with `more` flags.

    Tables that are made while compiling are left out where the tree is whole without them: clang
    takes minutes to make and to print one.
    """
    language, used = language_and_compiler(source, flags, compiler)
    out = folder / "module.ll"
    words = [word for option in dump for word in ("-Xclang", option)]
    tree_file, output_file = folder / "tree", folder / "said"
    for limits in (NO_TABLES, ()):
        whole = (*flags, *words, *more, *limits, "-fno-color-diagnostics")
        command = compile_command(used, language, source, out, whole, target, traps=False)
        with tree_file.open("wb") as tree, output_file.open("wb") as errors:
            until_done(command, deadline, environment_of(used, folder), tree, errors)
        output = output_file.read_text("utf-8", "replace")
        # Zig looks for a file that clang does not write beside the tree.
        lines = (line for line in output.splitlines() if "failed to rename" not in line)
        errors_said = [line for line in lines if "error:" in line]
        if not errors_said or (limits and all(map(_OF_A_TABLE.search, errors_said))):
            return tree_file, output
    tree_file.write_bytes(b"")
    return tree_file, output


NO_TABLES = "-fconstexpr-steps=20000", "-ferror-limit=0"
_OF_A_TABLE = re.compile(
    r"error: (?:constexpr variable '[^']*' must be initialized by a constant expression"
    r"|constexpr function never produces a constant expression"
    r"|static(?: |_)assert(?:ion)? expression is not an integral constant expression)"
)
"""What clang says of a table that takes more steps: all that stands in the tree is as it was."""


_OF_A_SCOPE = re.compile(
    r"^Dumping .*\n(?:NamespaceDecl|CXXRecordDecl|ClassTemplate\w*Decl|EnumDecl) ", re.MULTILINE
)


def declared_as(source: Path, name: str, among: str, *how: *CompileOptions) -> str:
    """What clang dumps of all that has `name` in its name. It is asked for what has `among`, a part
    of `name` that other names have as well, so that it is asked once for all of these.
    """
    flags, target, compiler, _ = how
    dumped: dict[str, str] = once((source, "-ast-dump", tuple(flags), target, compiler), dict)

    for part in dict.fromkeys((*(part for part in dumped if part in name), among, name)):
        if part not in dumped:
            with TemporaryDirectory(prefix="magicert-") as folder:
                dump = "-ast-dump", "-ast-dump-filter", part
                tree, _ = syntax_tree(source, *how, Path(folder), dump)
                dumped[part] = tree.read_text("utf-8", "replace")
        # Of a scope that has it in its name, clang does not say which functions are in it.
        if not _OF_A_SCOPE.search(dumped[part]):
            break
    return dumped[part]


def declared_names(source: Path, *how: *CompileOptions) -> list[str]:
    """The names of all that a source of C or C++ declares, but for a library's own."""
    with TemporaryDirectory(prefix="magicert-") as folder:
        tree, _ = syntax_tree(source, *how, Path(folder), ("-ast-list",))
        names = tree.read_text("utf-8", "replace")
    own_names = (
        name for name in names.splitlines() if name and not re.match(r"std::|.*__|_[A-Z]", name)
    )
    return list(dict.fromkeys(own_names))


def macros(source: Path, *how: *CompileOptions) -> str:
    """The #define lines of all macros that there are at the end of a source of C or C++."""
    flags, target, compiler, _ = how
    key = (source, "#define", tuple(flags), target, compiler)
    return once(key, lambda: preprocessed(source, ("-dM",), *how)[0])


def preprocessed(
    source: Path, more: Sequence[str], flags: Sequence[str], target: str, compiler: str,
    deadline: Deadline,
) -> tuple[str, str, Compiler]:  # fmt: skip
    """What a source of C or C++ is before it is compiled, by its flags and `more` ones: "" where
    the compiler refuses it. And what the compiler says, and which one that is.
    """
    language, used = language_and_compiler(source, flags, compiler)
    with TemporaryDirectory(prefix="magicert-") as folder:
        out, said = Path(folder) / "expanded.i", Path(folder) / "said"
        whole = (*flags, *more)
        command = compile_command(
            used, language, source, out, whole, target, traps=False, step="expand"
        )
        with said.open("wb") as errors:
            environment = environment_of(used, Path(folder))
            status, _ = until_done(command, deadline, environment, stderr=errors)
        text = out.read_text("utf-8", "replace") if out.is_file() and not status else ""
        return text, said.read_text("utf-8", "replace").replace(folder, "."), used
