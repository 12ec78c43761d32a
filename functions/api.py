"""The function of Python that proves an engine's functions."""

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from os import PathLike
from pathlib import Path

from magicert.arguments import Arguments, path_of, several
from magicert.functions.certificate import FunctionCertificate, TargetCertificates
from magicert.outcome import Observer, Quiet, Unknown
from magicert.problem import Problem, libraries, readable

AnyPath = str | PathLike[str]
Paths = AnyPath | Sequence[AnyPath]


def certify_function(
    source: Paths,
    functions: Mapping[str, str] | None = None,
    *,
    function_file: AnyPath | None = None,
    flags: Sequence[str] = (),
    init: str = "",
    run: bool = False,
    target: str = "",
    compiler: str = "",
    order: str = "",
    board: str = "",
    traps: bool | None = None,
    seconds: float = 600,
    memory: int = 2048,
    observer: Observer | None = None,
) -> FunctionCertificate | TargetCertificates | Unknown:
    """Prove functions of a source, or of several that belong together, for all occupancies.

    >>> magicert.certify_function("attacks.h", {"rook": "rook_attacks"}, flags=["-O2"]).verdict
    'valid'

    source
        The path of a source in C, C++, Rust or Zig, of LLVM's IR, or several.
    functions
        What each function is, as in {"rook": "rook_attacks", "setwise:fR": "north_fill"}; without
        it `function_file` must say so.
    function_file
        A file with the same keys as these arguments, whose `compiler`, `init` and `run` are obeyed
        as if they stood here. Arguments come before what it says.
    flags
        The compiler's, such as ["-O2", "-mavx2"].
    init
        A function of the source that is run before tables are read. It and `run` allow to run the
        source's code, which is never done without them.
    run
        Load and call the compiled code: static initialisers run, counterexamples are confirmed.
    target, compiler
        As in "aarch64", and "clang", "zig", "rustc" or a path. Empty: those of this machine. Of
        several, as in "x86_64,wasm32", the result has `targets`: the certificate of each by its
        name. All its limits are for each.
    order, board
        The square of bit 0, such as "a8" ("a1" if empty), and of two words with a gap how many
        squares the lower one has, as in "i9-files/63"; a board such as "9x10" (8x8 if empty).
    traps
        Look for undefined behaviour in a second build as well. None is True.
    seconds, memory
        Limits of all the work, in seconds and MiB. The result is Unknown where they were not
        enough.
    observer
        Is told how far the work is; see `Observer`.

    Raises InputError where the source does not compile, and for a function that is not there or
    has another signature.
    """
    arguments = Arguments()
    paths = arguments.read("source", source, lambda value: several(value, "a path"))
    sources = tuple(arguments.read("source", path, path_of) for path in paths or ())
    if paths == ():
        arguments.problems.append(Problem("expected the path of a source", key="source"))
    file_path: Path | None = arguments.optional("function_file", function_file, path_of)
    arguments.refuse()
    options = {
        "functions": functions or {}, "flags": flags, "init": init,
        "run": run or None, "target": target, "compiler": compiler, "order": order,
        "board": board, "traps": traps, "seconds": seconds, "memory": memory,
    }  # fmt: skip
    with libraries():
        from magicert.functions.question import question_of, read_function_file
        from magicert.functions.work import certify_targets

        with readable(sources[0]):
            file = None if file_path is None else read_function_file(file_path)
            question, heard = question_of(sources, options, file), observer or Quiet()
            certified = certify_targets(question, lambda _: nullcontext(heard))
            results = {each.target: result for each, result in certified}
    if len(results) > 1:
        return TargetCertificates(results)
    (result,) = results.values()
    return result
