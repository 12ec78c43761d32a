"""What mangled names of symbols say: paths of Rust, and what C++ has in the place of one."""

import ctypes
import re
from contextlib import suppress
from functools import cache


def is_hashed(symbol: str) -> bool:
    """Whether it is one of Rust's older symbols, which end in a hash."""
    return bool(re.fullmatch(r"_ZN.*17h[0-9a-f]{16}E", symbol))


def is_of_rust(symbol: str) -> bool:
    """Whether it is one of Rust's symbols."""
    return symbol.startswith("_R") or is_hashed(symbol)


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
