"""Names of symbols, as the source calls them."""

import re
from collections import Counter

from magicert.functions.llvm.ir import Module
from magicert.functions.llvm.mangled_names import is_of_rust, plain_name
from magicert.functions.llvm.reader import NAME, unquoted


def without_aliases(text: str) -> str:
    """A module in which another name of a function is a function of its own: compilers merge what
    is the same once it is optimised, and what is checked of one is not checked of the other. Not so
    where somebody may compare its address: it is the other's.
    """
    name = f"@({NAME})"
    alias = re.compile(rf"^{name} = .*\balias .*, ptr {name}$", re.MULTILINE)
    if alias.search(text) is None:
        return text
    bodies = Module(text).bodies
    used = Counter(unquoted(one) for one, called in re.findall(rf"{name}(\(?)", text) if not called)

    def copied(match: re.Match[str]) -> str:
        body = bodies.get(unquoted(match[2]))
        shared = used[unquoted(match[1])] > 1 and "unnamed_addr" not in match[0]
        if body is None or shared or "= weak " in match[0]:
            return match[0]
        head, rest = body.split("\n", 1)
        head = re.sub(
            r" comdat(?!\()| !dbg !\d+", "", head.replace(f"@{match[2]}(", f"@{match[1]}(", 1)
        )
        return f"{head}\n{rest}"

    return alias.sub(copied, text)


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
