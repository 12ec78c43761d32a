"""Source of a table, in the languages that engines are written in.

`LANGUAGES` are the printers by name; `emit` writes one, `binary` the finished buffers.
"""

from magicert.compact.emit.language import Language
from magicert.compact.emit.languages.c import C, Cpp
from magicert.compact.emit.languages.csharp import CSharp
from magicert.compact.emit.languages.go import Go
from magicert.compact.emit.languages.java import Java
from magicert.compact.emit.languages.javascript import JavaScript, TypeScript
from magicert.compact.emit.languages.javascript_words import JavaScriptWords
from magicert.compact.emit.languages.python import Python
from magicert.compact.emit.languages.rust import Rust
from magicert.compact.emit.languages.swift import Swift
from magicert.compact.emit.languages.zig import Zig
from magicert.compact.emit.unit import Unit, make_unit

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
