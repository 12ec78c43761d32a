"""C++ (C++17 and later): the lookups of C in a header that needs no other file and no call."""

from textwrap import indent
from typing import ClassVar

from magicert.compact.emit.languages.c import C
from magicert.compact.emit.unit import Unit

NAMESPACE = r"[A-Za-z_]\w*"


class Cpp(C):
    """C++: an inline variable, one in the whole program, whose constructor fills the table."""

    name = "c++"
    suffix = ".hpp"
    scope_option = "namespace"
    scope = "magics"
    scope_form = rf"{NAMESPACE}(::{NAMESPACE})*"
    usage = """
Usage, in any number of files; the table is made before main() begins:
    #include "$filename"
Then, where the bits of occupied are the occupied squares:
    $std$bitboard attacks = ${scope}::$called(square, occupied);
"""
    helpers: ClassVar = {
        name: text.replace("static inline", "constexpr") for name, text in C.helpers.items()
    }
    read = "$piece[square].$column"
    nothing_to_fill = ""
    record = """
struct ${Piece}Magic { $fields };

inline constexpr ${Piece}Magic $piece[$squares] = {
$rows};
"""
    empty = "    $kind $array[$length] = {};\n"
    finished = "    static constexpr $kind $array[$length] = {\n$items    };\n"
    function = """
    inline $bitboard $called(unsigned square, $bitboard occ) const {
        return $expression;
    }
"""
    free_function = """
$inline $bitboard $called(unsigned square, $bitboard occ) {
    return tables.$called(square, occ);
}
"""
    file = """$heading
#ifndef ${SCOPE}_HPP
#define ${SCOPE}_HPP

#include <cstdint>
$imports$before_wide
namespace $scope {

using std::uint8_t;
using std::uint16_t;
using std::uint32_t;
using std::uint64_t;
$columns$helpers
class Tables {
public:$filling$lookups
private:$private
$buffers};

inline $const Tables tables{};
$free_functions
}
$after_wide
#endif
"""
    filling = """
    Tables() {
$fills    }
"""
    piece_moves = """
static constexpr moves ${piece}_moves = {
    $step_count, $region_count, {$steps}, {$regions}
};
"""
    private = """$walk
static void check(bool right) {
    if (right) return;
    std::fputs("$filename: a write would change an entry of the buffer\\n", stderr);
    std::abort();
}
"""
    """What only the constructor calls."""

    @property
    def own(self) -> str:
        """The namespace is no part of a name."""
        return ""

    def parts(self, unit: Unit, literal: bool) -> dict[str, str]:
        """A class that holds the buffers and looks up in them, and functions that call it."""
        inline, const = ("constexpr", "constexpr") if literal else ("inline", "const")
        parts = super().parts(unit, literal)
        private = "" if literal else self.write(self.private, walk=self.walk_of(unit))
        free = (
            self.write(self.free_function, called=self.called(piece, "attacks"), inline=inline)
            for piece in unit.pieces
        )
        return {
            **parts,
            "imports": "" if literal else "#include <cstdio>\n#include <cstdlib>\n",
            "lookups": parts["lookups"].replace("inline ", "constexpr " * literal),
            "private": indent(private, "    "),
            "const": const,
            "free_functions": "".join(free),
        }

    def loops(self, unit: Unit) -> str:
        """Inside of a class."""
        return indent(super().loops(unit), "    ")
