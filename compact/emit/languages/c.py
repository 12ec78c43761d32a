"""C (C99 and later) and C++ (C++17 and later)."""

from typing import ClassVar

from magicert.board import Piece
from magicert.compact.emit.helpers import C_HELPERS
from magicert.compact.emit.language import (
    Language,
    buffer_name,
    lines,
    sets_name,
    steps_text,
    title,
)
from magicert.compact.emit.unit import PieceUnit, Unit

_WALK = """
static uint64_t walk(unsigned square, uint64_t occ, const int steps[4][2]) {
    uint64_t attacks = 0;
    for (int d = 0; d < 4; d++) {
        int file = (int)(square & 7) + steps[d][0], rank = (int)(square >> 3) + steps[d][1];
        while (file >= 0 && file < 8 && rank >= 0 && rank < 8) {
            uint64_t bit = (uint64_t)1 << (8 * rank + file);
            attacks |= bit;
            if (occ & bit) break;
            file += steps[d][0];
            rank += steps[d][1];
        }
    }
    return attacks;
}
"""


class C(Language):
    """C: tables as static const structs, the buffer static."""

    name = "c"
    suffix = ".h"
    constant = "static const"
    inline = "static inline"
    helpers: ClassVar = {
        name: text.replace("INLINE", "static inline") for name, text in C_HELPERS.items()
    }
    two_level = True
    includes = "#include <assert.h>\n#include <stdint.h>\n"

    def literal(self, value: int) -> str:
        """UINT64_C keeps the literal's type out of the compiler's hands."""
        return str(value) if value < 256 else f"UINT64_C(0x{value:x})"

    def word(self, value: int) -> str:
        """UINT64_C also for small numbers: a plain 1 would be an int, and so would 1 << 40."""
        return f"UINT64_C({value if value < 256 else hex(value)})"

    def narrow(self, function: str, word: str, width: int) -> str:
        """The narrowing casts."""
        if function == "hi32":
            return f"(uint32_t)(({word}) >> 32)" if width == 64 else "(uint32_t)0"
        return f"(uint32_t)({word})"

    def rotate(self, word: str, amount: str, width: int) -> str:
        """Standard C has no rotation before C23."""
        return f"rotate_left_{width}({word}, {amount})"

    def swap_bytes(self, word: str) -> str:
        """Standard C cannot swap bytes."""
        return f"swap_bytes({word})"

    def ones(self, word: str, width: int) -> str:
        """Standard C cannot count before C23."""
        return f"count_ones({word})"

    def trailing_zeros(self, word: str, width: int) -> str:
        """What compilers offer has no value for 0."""
        return f"trailing_zeros_{width}({word})"

    def widen(self, text: str) -> str:
        """A cast, because an int-sized left side would shift and multiply in 32 bits."""
        return f"(uint64_t){text}"

    def source(self, unit: Unit, literal: bool) -> str:
        """Header, columns, buffers, lookups and, unless literal, the fill routine."""
        parts = [self.heading(unit), "\n", self.includes]
        parts += [self.columns(piece) for piece in unit.pieces]
        parts += [self.buffer(unit, name, literal) for name in unit.buffers]
        if unit.levels:
            sets = unit.levels.sets.items()
            parts += [self.sets(piece, words.tolist(), literal) for piece, words in sets]
        parts.append(self.helping(unit))
        parts += [self.lookup(unit, piece) for piece in unit.pieces]
        if not literal:
            parts.append(_WALK)
            fill = self.fill_levels if unit.levels else self.fill
            parts += [fill(unit, piece) for piece in unit.pieces]
            calls = "".join(f"    fill_{piece.piece}();\n" for piece in unit.pieces)
            if unit.levels:
                # Only when all is written: squares may share slots.
                calls += "".join(f"    check_{piece.piece}();\n" for piece in unit.pieces)
            parts.append(
                "\n/* Call once before the first lookup. */\n"
                f"{self.inline} void init_attacks(void) {{\n{calls}}}\n"
            )
        return "".join(parts)

    def columns(self, piece: PieceUnit) -> str:
        """A struct type and the array of it."""
        fields = " ".join(
            f"{'uint64_t' if column.hexadecimal else 'uint32_t'} {column.name};"
            for column in piece.columns
        )
        name = title(piece.piece)
        return (
            f"\ntypedef struct {{ {fields} }} {name}Magic;\n\n"
            f"{self.constant} {name}Magic {piece.piece.upper()}[{piece.squares}] = {{\n"
            f"{self.rows(piece, '{', '}')}}};\n"
        )

    def buffer(self, unit: Unit, name: str, literal: bool) -> str:
        """The buffer, empty or finished."""
        array, length = buffer_name(name).upper(), len(unit.buffers[name])
        bits = unit.levels.entry_bits if unit.levels else 64
        if not literal:
            size = f"\nenum {{ {array}_LENGTH = {length} }};" * (bits == 64)
            return f"{size}\nstatic uint{bits}_t {array}[{length}];\n"
        values = unit.buffers[name].tolist()
        words = self.words(values) if bits == 64 else lines([*map(str, values)], "    ", 16)
        return f"\n{self.constant} uint{bits}_t {array}[{length}] = {{\n{words}}};\n"

    def sets(self, piece: Piece, words: list[int], literal: bool) -> str:
        """The attack sets of a piece in a two-level table, empty or finished."""
        array = f"{sets_name(piece).upper()}[{len(words)}]"
        if not literal:
            return f"\nstatic uint64_t {array};\n"
        return f"\n{self.constant} uint64_t {array} = {{\n{self.words(words)}}};\n"

    def start(self, piece: PieceUnit) -> str:
        """A column."""
        return f"{piece.piece.upper()}[square].set_offset"

    def expression(self, unit: Unit, piece: PieceUnit) -> str:
        """A read of the buffer."""
        name = piece.piece.upper()
        index = self.index(piece, name + "[square].{}")
        return self.entry(unit, piece, f"{name}[square].offset + ({index})")

    def called(self, unit: Unit, piece: PieceUnit, name: str) -> str:
        """In small letters: "rook_attacks"."""
        return f"{piece.piece}_{name}"

    def function(self, unit: Unit, piece: PieceUnit, name: str, expression: str) -> str:
        """A function that can be inlined."""
        called = self.called(unit, piece, name)
        return (
            f"\n{self.inline} uint64_t {called}(unsigned square, uint64_t occ) {{\n"
            f"    return {expression};\n}}\n"
        )

    def fill(self, unit: Unit, piece: PieceUnit) -> str:
        """Every subset of every mask; no entry is ever changed by a second write."""
        name = piece.piece.upper()
        array = buffer_name(piece.buffer).upper()
        index = self.index(piece, name + "[square].{}")
        return f"""
static void fill_{piece.piece}(void) {{
    static const int steps[4][2] = {{{steps_text(piece.piece, "{", "}")}}};
    for (unsigned square = 0; square < {piece.squares}; square++) {{
        uint64_t occ = 0;
        do {{
            uint64_t attacks = walk(square, occ, steps);
            uint64_t slot = {name}[square].offset + ({index});
            assert(slot < {array}_LENGTH && ({array}[slot] == 0 || {array}[slot] == attacks));
            {array}[slot] = attacks;
            occ = (occ - {name}[square].mask) & {name}[square].mask;
        }} while (occ);
    }}
}}
"""

    def fill_levels(self, unit: Unit, piece: PieceUnit) -> str:
        """The attack sets in increasing order, their numbers, and a look at every lookup."""
        assert unit.levels is not None
        name = piece.piece.upper()
        array = buffer_name(piece.buffer).upper()
        index = self.index(piece, name + "[square].{}")
        return f"""
static void fill_{piece.piece}(void) {{
    static const int steps[4][2] = {{{steps_text(piece.piece, "{", "}")}}};
    for (unsigned square = 0; square < {piece.squares}; square++) {{
        uint64_t mask = {name}[square].mask, occ = 0;
        uint64_t *sets = {name}_SETS + {name}[square].set_offset;
        unsigned count = 0;
        do {{
            uint64_t attacks = walk(square, occ, steps);
            unsigned place = count;
            while (place > 0 && sets[place - 1] > attacks) place--;
            if (place == 0 || sets[place - 1] != attacks) {{
                for (unsigned n = count++; n > place; n--) sets[n] = sets[n - 1];
                sets[place] = attacks;
            }}
            occ = (occ - mask) & mask;
        }} while (occ);
        do {{
            uint64_t attacks = walk(square, occ, steps);
            unsigned number = 0;
            while (sets[number] != attacks) number++;
            {array}[{name}[square].offset + ({index})] = (uint{unit.levels.entry_bits}_t)number;
            occ = (occ - mask) & mask;
        }} while (occ);
    }}
}}

static void check_{piece.piece}(void) {{
    static const int steps[4][2] = {{{steps_text(piece.piece, "{", "}")}}};
    for (unsigned square = 0; square < {piece.squares}; square++) {{
        uint64_t occ = 0;
        do {{
            uint64_t attacks = walk(square, occ, steps);
            assert({piece.piece}_attacks(square, occ) == attacks);
            (void)attacks;
            occ = (occ - {name}[square].mask) & {name}[square].mask;
        }} while (occ);
    }}
}}
"""


class Cpp(C):
    """C++: the same in constexpr."""

    name = "c++"
    suffix = ".hpp"
    constant = "constexpr"
    inline = "inline"
    helpers: ClassVar = {
        name: text.replace("INLINE", "constexpr") for name, text in C_HELPERS.items()
    }
    includes = "#include <cassert>\n#include <stdint.h>\n"

    def source(self, unit: Unit, literal: bool) -> str:
        """A finished buffer makes the lookup itself constexpr."""
        text = super().source(unit, literal)
        return text.replace("inline uint64_t", "constexpr uint64_t") if literal else text
