"""Names of symbols, as the source calls them."""

import re

from magicert.functions.llvm.ir import Module
from magicert.functions.llvm.mangled_names import is_of_rust, plain_name
from magicert.functions.llvm.reader import NAME, global_of, unquoted


def without_aliases(text: str) -> str:
    """A module in which another name of a function is a function of its own: compilers merge what
    is the same once it is optimised, and what is checked of one is not checked of the other. Not so
    where somebody may compare its address: it is the other's.
    """
    bodies = Module(text).bodies

    def copied(match: re.Match[str]) -> str:
        body = bodies.get(unquoted(match[2]))
        taken = re.findall(rf"{global_of(unquoted(match[1]))}(?!\()", text)
        shared = len(taken) > 1 and "unnamed_addr" not in match[0]
        if body is None or shared or "= weak " in match[0]:
            return match[0]
        head, rest = body.split("\n", 1)
        head = re.sub(
            r" comdat(?!\()| !dbg !\d+", "", head.replace(f"@{match[2]}(", f"@{match[1]}(", 1)
        )
        return f"{head}\n{rest}"

    name = f"@({NAME})"
    return re.sub(rf"^{name} = .*\balias .*, ptr {name}$", copied, text, flags=re.MULTILINE)


def with_source_names(message: str) -> str:
    """What is said, with the source's names for mangled ones."""
    return re.sub(r"\b_[ZR][\w$.]+", lambda match: plain_name(match[0]), message)


def whole_name(symbol: str) -> str:
    """A function's name in its source, with its namespaces, and without what it takes."""
    return with_source_names(symbol).partition("(")[0]


def name_in_crate(symbol: str) -> str:
    """The same, in Rust without the crate's own name."""
    rest = whole_name(symbol).partition("::")[2]
    return rest if is_of_rust(symbol) else whole_name(symbol)
