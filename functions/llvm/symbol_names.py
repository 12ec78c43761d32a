"""Names of symbols, as the source calls them."""

import ctypes
import re
from contextlib import suppress
from functools import cache

from magicert.functions.llvm.ir import Module
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


def is_hashed(symbol: str) -> bool:
    """Whether it is one of Rust's older symbols, which end in a hash."""
    return bool(re.fullmatch(r"_ZN.*17h[0-9a-f]{16}E", symbol))


def whole_name(symbol: str) -> str:
    """A function's name in its source, with its namespaces, and without what it takes."""
    return with_source_names(symbol).partition("(")[0]


def name_in_crate(symbol: str) -> str:
    """The same, in Rust without the crate's own name."""
    rest = whole_name(symbol).partition("::")[2]
    return rest if is_hashed(symbol) or symbol.startswith("_R") else whole_name(symbol)


@cache
def _demangled(name: str) -> str:
    """A name as the C++ library that LLVM needs here reads it; as it is where that does not."""
    status = ctypes.c_int()
    for file in ("libstdc++.so.6", "libc++abi.dylib"):
        with suppress(OSError, AttributeError):
            demangle = ctypes.CDLL(file)["__cxa_demangle"]
            demangle.restype = ctypes.c_char_p
            demangled = demangle(name.encode(), None, None, ctypes.byref(status))
            return demangled.decode(errors="replace") if demangled else name
    return name


def plain_name(name: str) -> str:
    """A mangled Rust name as its path, as far as it is one; one of C++ as it reads."""
    match = re.match(r'"?_(?:ZN(?=.*E"?$)|R)([\w$.]+)"?$', name)
    if not match:
        return _demangled(name.strip('"'))
    rest, parts = match[1], []
    # Letters say of what kind the next part is, a hash between s and _ which crate's; between B and
    # _ stands what was there before: at the end that is the crate for which it was compiled.
    while not re.fullmatch(r"B[0-9A-Za-z]*_", rest) and (
        number := re.match(r"[A-Za-z]*?(?:[sB]\w*?_)?(\d+)", rest)
    ):
        length = int(number[1])
        parts.append(rest[number.end() : number.end() + length])
        rest = rest[number.end() + length :]
    if "_ZN" in name and rest.strip('"') != "E":  # the E of a C++ function's parameters
        return _demangled(name.strip('"'))
    return "::".join(parts[:-1] if parts and re.fullmatch(r"h[0-9a-f]{16}", parts[-1]) else parts)
