"""C (C99 and later)."""

from typing import ClassVar

from magicert.compact.emit.language import Records
from magicert.compact.emit.unit import Column, PieceUnit, Unit


class C(Records):
    """C: tables as static const structs, the buffer static."""

    name = "c"
    suffix = ".h"
    helpers: ClassVar = {
        "rotate_left_32": """
static inline uint32_t rotate_left_32(uint32_t x, uint64_t amount) {
    return x << (amount & 31) | x >> ((32 - (amount & 31)) & 31);
}
""",
        "rotate_left_64": """
static inline uint64_t rotate_left_64(uint64_t x, uint64_t amount) {
    return x << (amount & 63) | x >> ((64 - (amount & 63)) & 63);
}
""",
        "swap_bytes": """
static inline uint64_t swap_bytes(uint64_t x) {
    x = (x & UINT64_C(0xff00ff00ff00ff)) << 8 | (x >> 8 & UINT64_C(0xff00ff00ff00ff));
    x = (x & UINT64_C(0xffff0000ffff)) << 16 | (x >> 16 & UINT64_C(0xffff0000ffff));
    return x << 32 | x >> 32;
}
""",
        "count_ones": """
static inline uint64_t count_ones(uint64_t x) {
    x -= x >> 1 & UINT64_C(0x5555555555555555);
    x = (x & UINT64_C(0x3333333333333333)) + (x >> 2 & UINT64_C(0x3333333333333333));
    x = (x + (x >> 4)) & UINT64_C(0xf0f0f0f0f0f0f0f);
    return (x * UINT64_C(0x101010101010101)) >> 56;
}
""",
        "trailing_zeros_32": """
static inline uint64_t trailing_zeros_32(uint32_t x) {
    uint64_t zeros = 0;
    while (zeros < 32 && !(x >> zeros & 1)) zeros++;
    return zeros;
}
""",
        "trailing_zeros_64": """
static inline uint64_t trailing_zeros_64(uint64_t x) {
    uint64_t zeros = 0;
    while (zeros < 64 && !(x >> zeros & 1)) zeros++;
    return zeros;
}
""",
    }
    kinds: ClassVar = {8: "uint8_t", 16: "uint16_t", 64: "uint64_t"}
    read = "$PIECE[square].$column"
    declared = "$kind $column;"
    between = " "
    record = """
typedef struct { $fields } ${Piece}Magic;

static const ${Piece}Magic $PIECE[$squares] = {
$rows};
"""
    empty = "\nstatic $kind $array[$length];\n"
    finished = "\nstatic const $kind $array[$length] = {\n$items};\n"
    function = """
static inline uint64_t $called(unsigned square, uint64_t occ) {
    return $expression;
}
"""
    file = """$heading
#include <assert.h>
#include <stdint.h>
$columns$buffers$helpers$lookups$filling"""
    filling = """$walk$fills
/* Call once before the first lookup. */
static inline void init_attacks(void) {
$calls}
"""
    walk = """
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
    fill = """
static void fill_$piece(void) {
    static const int steps[4][2] = {$steps};
    for (unsigned square = 0; square < $squares; square++) {
        uint64_t occ = 0;
        do {
            uint64_t attacks = walk(square, occ, steps);
            uint64_t slot = $slot;
            assert(slot < ${array}_LENGTH && ($array[slot] == 0 || $array[slot] == attacks));
            $array[slot] = attacks;
            occ = (occ - $mask) & $mask;
        } while (occ);
    }
}
"""
    fill_levels = """
static void fill_$piece(void) {
    static const int steps[4][2] = {$steps};
    for (unsigned square = 0; square < $squares; square++) {
        uint64_t mask = $mask, occ = 0;
        uint64_t *sets = ${PIECE}_SETS + $start;
        unsigned count = 0;
        do {
            uint64_t attacks = walk(square, occ, steps);
            unsigned place = count;
            while (place > 0 && sets[place - 1] > attacks) place--;
            if (place == 0 || sets[place - 1] != attacks) {
                for (unsigned n = count++; n > place; n--) sets[n] = sets[n - 1];
                sets[place] = attacks;
            }
            occ = (occ - mask) & mask;
        } while (occ);
        do {
            uint64_t attacks = walk(square, occ, steps);
            unsigned number = 0;
            while (sets[number] != attacks) number++;
            $array[$slot] = ($kind)number;
            occ = (occ - mask) & mask;
        } while (occ);
    }
}

static void check_$piece(void) {
    static const int steps[4][2] = {$steps};
    for (unsigned square = 0; square < $squares; square++) {
        uint64_t occ = 0;
        do {
            uint64_t attacks = walk(square, occ, steps);
            assert($attacks(square, occ) == attacks);
            (void)attacks;
            occ = (occ - $mask) & $mask;
        } while (occ);
    }
}
"""
    check_levels = ""

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

    def column_kind(self, column: Column) -> str:
        """Amounts and places are small."""
        return "uint64_t" if column.hexadecimal else "uint32_t"

    def buffer(self, array: str, words: list[int], literal: bool, bits: int) -> str:
        """With its length, which the fill routine of one level looks at."""
        text = super().buffer(array, words, literal, bits)
        sized = not literal and bits == 64 and not array.endswith("_SETS")
        return f"\nenum {{ {array}_LENGTH = {len(words)} }};" * sized + text

    def called(self, piece: PieceUnit, name: str) -> str:
        """In small letters: "rook_attacks"."""
        return f"{piece.piece}_{name}"

    def fill_routine(self, unit: Unit) -> str:
        """All calls of checks behind all calls of fills."""
        self_calls = ["fill", "check"][: 1 + bool(unit.levels)]
        calls = "".join(f"    {c}_{p.piece}();\n" for c in self_calls for p in unit.pieces)
        return self.write(self.filling, walk=self.walk, fills=self.loops(unit), calls=calls)
