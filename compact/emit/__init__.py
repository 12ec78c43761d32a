"""Source of a table, in the languages that engines are written in.

`LANGUAGES` are the printers by name; `emit` writes one, `binary` the finished buffers.
"""

from compact.emit.c import C, Cpp
from compact.emit.csharp import CSharp
from compact.emit.go import Go
from compact.emit.java import Java
from compact.emit.javascript import JavaScript, TypeScript
from compact.emit.language import Language
from compact.emit.python import Python
from compact.emit.rust import Rust
from compact.emit.swift import Swift
from compact.emit.unit import Unit, make_unit
from compact.emit.words import JavaScriptWords
from compact.emit.zig import Zig

LANGUAGES: dict[str, Language] = {
    language.name: language
    for language in (
        C(),
        Cpp(),
        Rust(),
        Go(),
        Java(),
        CSharp(),
        JavaScript(),
        JavaScriptWords(),
        TypeScript(),
        Python(),
        Zig(),
        Swift(),
    )
}


def binary(unit: Unit) -> bytes:
    """The finished buffers one after another, little-endian 64-bit words, holes 0.

    Of a two-level table: the numbers, of its 8 or 16 bits each, then the attack sets by piece.
    """
    sets = unit.levels.sets.values() if unit.levels else ()
    return b"".join(
        words.astype(words.dtype.newbyteorder("<")).tobytes()
        for words in (*unit.buffers.values(), *sets)
    )


__all__ = ["LANGUAGES", "Language", "Unit", "binary", "make_unit"]
