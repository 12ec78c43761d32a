"""C++ (C++17 and later)."""

from typing import ClassVar

from magicert.compact.emit.languages.c import C
from magicert.compact.emit.unit import Unit


class Cpp(C):
    """C++: the same in constexpr."""

    name = "c++"
    suffix = ".hpp"
    file = C.file.replace("assert.h", "cassert")
    record = C.record.replace("static const", "constexpr")
    finished = C.finished.replace("static const", "constexpr")
    function = C.function.replace("static ", "")
    filling = C.filling.replace("static ", "")
    helpers: ClassVar = {
        name: text.replace("static inline", "constexpr") for name, text in C.helpers.items()
    }

    def source(self, unit: Unit, literal: bool) -> str:
        """A finished buffer makes the lookup itself constexpr."""
        text = super().source(unit, literal)
        return text.replace("inline uint64_t", "constexpr uint64_t") if literal else text
