"""Calls that this package puts into a module, and what each of them stands for.

LLVM's passes know nothing of the functions that are called so, and leave the calls where they are.
Those who put them in are `specialise`, `variables` and `operations`; `calls` says what each does.
"""

from dataclasses import dataclass

TRAP = "magicert.trap."
"""It is reached only if a check has failed."""
CHECK = "magicert.check."
"""It stops at a trap if it is told to."""
UNWRITTEN = "magicert.unwritten."
"""It gives what stands in a variable that nobody wrote. Objects called so hold what nobody knows.
"""
ALIGNED = "magicert.aligned."
"""It looks at an address: whether that is a multiple of the number in its name."""
ALLOCATES = "magicert.allocates."
"""It is a function that allocates memory, by that and its own name."""
CHANGED = "magicert.changed"
"""It is told whether the function wrote to what it is given."""
LEFT_OUT = "magicert_left_out"
"""Code that does not compile here, which a function must not need."""

ASSERTIONS = frozenset({
    "__assert_fail", "__assert_perror_fail", "__assert", "__assert2", "__assert_func",
    "__assert_rtn", "__assert13", "__assert_c99", "_assert", "_wassert",
})  # fmt: skip
"""What the macro `assert` calls, in the libraries of C: a header's, not this source's own."""


@dataclass(frozen=True, slots=True)
class Trap:
    """A call that stands for a check: what it says when it fails, and where it stands. The source
    itself may `assert` that; or something lies `outside` of what it is meant for.
    """

    message: str
    source_line: str
    asserts: bool = False
    outside: bool = False
