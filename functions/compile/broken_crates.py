"""A crate of Rust that does not compile here: rustc says what is broken, and what is left compiles.

    crate_of                 the crate of a source without its broken items
    script_without_crates    the same of a build script
    error_of_root            what rustc says of the whole crate, not of one of its modules alone

Which items these are, `crates` finds out of rustc's errors, round by round.
"""

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from magicert.functions.compile.cargo import cargos_flags, edition_of
from magicert.functions.compile.compiler_commands import compile_command, environment_of
from magicert.functions.compile.compiler_runs import (
    DoesNotCompileError,
    compile_source,
    until_done,
)
from magicert.functions.compile.compilers import compiler_for
from magicert.functions.compile.crates import Crate, root_of, without_broken_items
from magicert.functions.compile.projects import LINK, project_of, whole_path
from magicert.functions.compile.rust_errors import PATTERN_LINTS
from magicert.functions.compile.stand_ins import stand_in_flags, stand_ins_for
from magicert.system.deadline import Deadline

_AS_JSON = ("--error-format=json", *(f"--force-warn={lint}" for lint in PATTERN_LINTS))
"""With these rustc says what is broken for programs to read, and which patterns it doubts."""


def crate_of(
    source: Path, flags: Sequence[str], target: str, compiler: str, deadline: Deadline,
    *, stand_ins: bool = True,
) -> Crate | None:  # fmt: skip
    """The crate of a source of Rust that does not compile, without the items that are the reason,
    with `stand_ins` for crates that are not here; None where that comes to nothing.
    """
    used = compiler_for("rust", compiler)
    edition = edition_of(source)
    root, project = root_of(source), project_of(whole_path(source))
    others = tuple(stand_ins_for(source, flags)) if stand_ins else ()
    flags = (*flags, *cargos_flags(source, flags), *stand_in_flags(others, used, target))
    with TemporaryDirectory(prefix="magicert-") as folder:
        out = Path(folder) / "module.ll"
        environment = environment_of(used, out.parent, source)

        def compile_root(root: Path) -> tuple[int, str]:
            command = compile_command(used, "rust", root, out, flags, target, traps=False)
            command = [f"--emit=metadata={out}" if w.startswith("--emit") else w for w in command]
            return until_done([*command, *_AS_JSON], deadline, environment)

        return without_broken_items(
            root, project, Path(folder) / LINK, compile_root, edition, others
        )


def script_without_crates(script: Path, edition: str, deadline: Deadline) -> str:
    """A build script's text without what does not compile here, if that makes an executable: it
    calls nothing that was left out. "" where it does not.
    """
    script, used = whole_path(script), compiler_for("rust")
    with TemporaryDirectory(prefix="magicert-") as folder:
        flags = "--cap-lints=allow", "-O", f"--edition={edition}", *_AS_JSON
        out, link = Path(folder) / "script", Path(folder) / LINK

        def compile_script(root: Path) -> tuple[int, str]:
            command = [*used.command, *flags, "-o", str(out), str(root)]
            return until_done(command, deadline, environment_of(used, out.parent))

        crate = without_broken_items(script, project_of(script), link, compile_script, edition)
    texts = crate.texts if crate is not None else {}
    return texts[script] if [*texts] == [script] else ""


def error_of_root(
    source: Path, flags: Sequence[str], target: str, compiler: str, deadline: Deadline
) -> DoesNotCompileError | None:
    """What the compiler says of a source's crate, where another file is its root: of a module alone
    it says that all else is missing.
    """
    root = root_of(source)
    if root == whole_path(source):
        return None
    here = Path.cwd()
    root = root.relative_to(here) if root.is_relative_to(here) else root
    with TemporaryDirectory(prefix="magicert-") as folder:
        out, used = Path(folder) / "module.ll", compiler_for("rust", compiler)
        known = stand_in_flags(stand_ins_for(source, flags), used, target)
        more = (*flags, *cargos_flags(source, flags), *known)
        try:
            compile_source(used, "rust", root, out, more, target, deadline, root, traps=False)
        except DoesNotCompileError as error:
            return error
    return None
