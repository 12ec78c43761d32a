"""Certify a compiled function: is it right, for every square and all occupancies?"""

from collections.abc import Mapping, Sequence
from os import PathLike
from typing import TYPE_CHECKING

from magicert.api.asked import libraries, path_of
from magicert.engine import Observer, Quiet
from magicert.outcome import Unknown
from magicert.problem import readable

if TYPE_CHECKING:
    from magicert.verify.function.certificate import FunctionCertificate

AnyPath = str | PathLike[str]
Paths = AnyPath | Sequence[AnyPath]


def certify_function(
    source: Paths,
    functions: Mapping[str, str] | None = None,
    *,
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
) -> "FunctionCertificate | Unknown":
    """Prove functions of a source, or of several that belong together, for all occupancies.

    `functions` says what each is: {"rook": "rook_attacks", "setwise:fR": "north_fill"}; without it
    a file beside the source must. `flags` are the compiler's. `init` names a function that is run
    before tables are read; it and `run` allow to run the source's code, which is never done
    without them. The result is Unknown where `seconds` or `memory` (MiB) were not enough.

    Raises InputError where the source does not compile, and for a function that is not there or
    has another signature.
    """
    given_sources = [source] if isinstance(source, str | PathLike) else source
    sources = tuple(path_of(one, "source") for one in given_sources)
    given = {
        "functions": dict(functions or {}), "flags": tuple(flags), "init": init,
        "run": run or None, "target": target, "compiler": compiler, "order": order,
        "board": board, "traps": traps, "seconds": seconds, "memory": memory,
    }  # fmt: skip
    with libraries():
        from magicert.jobs.verify_functions import certify_functions
        from magicert.verify.function.question import question_of

        with readable(sources[0]):
            return certify_functions(question_of(sources, given), observer or Quiet())
