"""C (C99 and later)."""

from typing import ClassVar

from magicert.compact.emit.moves import LAME_FROM_TARGET
from magicert.compact.emit.records import Records
from magicert.compact.emit.unit import Column, Unit


class C(Records):
    """C: a header that is also the source, where a macro asks for it."""

    name = "c"
    suffix = ".h"
    scope_option = "prefix"
    scope = "magics_"
    scope_form = r"([A-Za-z_]\w*)?"
    usage = """
Usage: one C file of the program makes the tables,
    #define ${SCOPE}_IMPLEMENTATION
    #include "$filename"
and all others that look something up only include the file. Once, before the first lookup:
    ${scope}init();
Then, where the bits of occupied are the occupied squares:
    $bitboard attacks = $called(square, occupied);
"""
    helpers: ClassVar = {
        "rotate_left_32": """
static inline uint32_t ${own}rotate_left_32(uint32_t x, uint64_t amount) {
    return x << (amount & 31) | x >> ((32 - (amount & 31)) & 31);
}
""",
        "rotate_left_64": """
static inline uint64_t ${own}rotate_left_64(uint64_t x, uint64_t amount) {
    return x << (amount & 63) | x >> ((64 - (amount & 63)) & 63);
}
""",
        "swap_bytes": """
static inline uint64_t ${own}swap_bytes(uint64_t x) {
    x = (x & UINT64_C(0xff00ff00ff00ff)) << 8 | (x >> 8 & UINT64_C(0xff00ff00ff00ff));
    x = (x & UINT64_C(0xffff0000ffff)) << 16 | (x >> 16 & UINT64_C(0xffff0000ffff));
    return x << 32 | x >> 32;
}
""",
        "count_ones": """
static inline uint64_t ${own}count_ones(uint64_t x) {
    x -= x >> 1 & UINT64_C(0x5555555555555555);
    x = (x & UINT64_C(0x3333333333333333)) + (x >> 2 & UINT64_C(0x3333333333333333));
    x = (x + (x >> 4)) & UINT64_C(0xf0f0f0f0f0f0f0f);
    return (x * UINT64_C(0x101010101010101)) >> 56;
}
""",
        "trailing_zeros_32": """
static inline uint64_t ${own}trailing_zeros_32(uint32_t x) {
    uint64_t zeros = 0;
    while (zeros < 32 && !(x >> zeros & 1)) zeros++;
    return zeros;
}
""",
        "trailing_zeros_64": """
static inline uint64_t ${own}trailing_zeros_64(uint64_t x) {
    uint64_t zeros = 0;
    while (zeros < 64 && !(x >> zeros & 1)) zeros++;
    return zeros;
}
""",
        "count_ones_128": """
static inline uint64_t ${own}count_ones_128(unsigned __int128 x) {
    uint64_t ones = 0;
    for (; x; x &= x - 1) ones++;
    return ones;
}
""",
        "trailing_zeros_128": """
static inline uint64_t ${own}trailing_zeros_128(unsigned __int128 x) {
    uint64_t zeros = 0;
    while (zeros < 128 && !(x >> zeros & 1)) zeros++;
    return zeros;
}
""",
    }
    # UINT64_C keeps the type out of the compiler's hands: a plain 1 is an int, and so is 1 << 40.
    widest = 128
    large = "UINT64_C($value)"
    typed = "UINT64_C($value)"
    low32 = "(uint32_t)($word)"
    high32 = "(uint32_t)(($word) >> 32)"
    no_high32 = "(uint32_t)0"
    low64 = "(uint64_t)($word)"
    high64 = "(uint64_t)(($word) >> 64)"
    # Standard C has none of these before C23, and what compilers offer has no zeros of 0.
    rotated = "${own}rotate_left_$width($word, $amount)"
    swapped = "${own}swap_bytes($word)"
    counted = "${own}count_ones($word)"
    counted_128 = "${own}count_ones_128($word)"
    trailing = "${own}trailing_zeros_$width($word)"
    # An int-sized left side would shift and multiply in 32 bits.
    widened = "(uint64_t)$word"
    widened_128 = "(unsigned __int128)$word"
    array_name = "$own$name"
    call = "${own}${piece}_$name"
    kinds: ClassVar = {8: "uint8_t", 16: "uint16_t", 64: "uint64_t", 128: "unsigned __int128"}
    addend_128 = "(uint64_t)($index)"
    before_wide = """
#ifndef __SIZEOF_INT128__
#error "$filename needs unsigned __int128: expected GCC or Clang, for a 64-bit machine"
#endif
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"
"""
    after_wide = """
#pragma GCC diagnostic pop
"""
    read = "${scope}$piece[square].$column"
    declared = "$kind $column;"
    between = " "
    record = """
struct ${scope}${piece}_magic { $fields };
extern const struct ${scope}${piece}_magic ${scope}${piece}[$squares];
"""
    rows = """
const struct ${scope}${piece}_magic ${scope}${piece}[$squares] = {
$rows};
"""
    """The definition of what the record declares."""
    declarations = "extern $const$kind $array[$length];\n"
    empty = "\n$kind $array[$length];\n"
    finished = "\nconst $kind $array[$length] = {\n$items};\n"
    function = """
static inline $bitboard $called(unsigned square, $bitboard occ) {
    return $expression;
}
"""
    file = """$heading
#ifndef ${SCOPE}_H
#define ${SCOPE}_H

#include <stdint.h>
$before_wide
#ifdef __cplusplus
extern "C" {
#endif
$columns
$declarations
void ${scope}init(void);
$helpers$lookups
#ifdef __cplusplus
}
#endif
$after_wide
#endif

#ifdef ${SCOPE}_IMPLEMENTATION
#undef ${SCOPE}_IMPLEMENTATION
$before_wide$rows$buffers$filling$after_wide
#endif
"""
    nothing_to_fill = """
void ${scope}init(void) {}
"""
    """So that an engine calls the same whether its table is finished or not."""
    filling = """
#include <stdio.h>
#include <stdlib.h>

static void ${own}check(int right) {
    if (right) return;
    fputs("$filename: a write would change an entry of the buffer\\n", stderr);
    abort();
}
$walk
void ${scope}init(void) {
$fills}
"""
    walk = """
static uint64_t ${own}walk(unsigned square, uint64_t occ, const int steps[4][2]) {
    uint64_t reached = 0;
    for (int d = 0; d < 4; d++) {
        int file = (int)(square & 7) + steps[d][0], rank = (int)(square >> 3) + steps[d][1];
        while (file >= 0 && file < 8 && rank >= 0 && rank < 8) {
            uint64_t bit = (uint64_t)1 << (8 * rank + file);
            reached |= bit;
            if (occ & bit) break;
            file += steps[d][0];
            rank += steps[d][1];
        }
    }
    return reached;
}
"""
    walk_moves = """
/* Square n stands at x = n % $across, y = n / $across. A rider goes on along its step up to the
   first blocker, which it attacks; a hopper does so behind the first blocker; so many squares at
   most, if there is a limit. A lame piece makes its step unless a leg, a square on the way, is
   occupied; rule_lame_back: on the way from its target. Nobody goes where no region holds both
   squares. */
enum { ${own}rule_rider, ${own}rule_hopper, ${own}rule_lame, ${own}rule_lame_back };

struct ${own}moves {
    int steps, regions;
    struct { int rule, x, y, limit; } step[$most_steps];
    struct { int left, low, right, high; } region[$most_regions];
};
$pieces
static int ${own}inside(const struct ${own}moves *moves, int n, int x, int y) {
    return moves->region[n].left <= x && x <= moves->region[n].right
        && moves->region[n].low <= y && y <= moves->region[n].high;
}

static int ${own}allowed(const struct ${own}moves *moves, int from_x, int from_y, int x, int y) {
    for (int n = 0; n < moves->regions; n++)
        if (${own}inside(moves, n, from_x, from_y) && ${own}inside(moves, n, x, y)) return 1;
    return 0;
}

static $bitboard ${own}single(int x, int y) {
    return ($bitboard)1 << ($across * y + x);
}

/* The legs: the longer distance is shortened first; equal ones are gone diagonally. */
static int ${own}leg_taken(int x, int y, int to_x, int to_y, $bitboard occ) {
    for (;;) {
        int across = to_x - x, up = to_y - y;
        int wide = across < 0 ? -across : across, high = up < 0 ? -up : up;
        if (wide >= high) x += (across > 0) - (across < 0);
        if (high >= wide) y += (up > 0) - (up < 0);
        if (x == to_x && y == to_y) return 0;
        if (occ & ${own}single(x, y)) return 1;
    }
}

static $bitboard ${own}walk(unsigned square, $bitboard occ, const struct ${own}moves *moves) {
    $bitboard reached = 0;
    int from_x = (int)(square % $across), from_y = (int)(square / $across);
    for (int n = 0; n < moves->steps; n++) {
        int rule = moves->step[n].rule, by_x = moves->step[n].x, by_y = moves->step[n].y;
        int x = from_x + by_x, y = from_y + by_y, gone = 0, attacks = rule == ${own}rule_rider;
        for (; ${own}allowed(moves, from_x, from_y, x, y); x += by_x, y += by_y) {
            $bitboard bit = ${own}single(x, y);
            if (rule == ${own}rule_lame || rule == ${own}rule_lame_back) {
                int taken = rule == ${own}rule_lame ? ${own}leg_taken(from_x, from_y, x, y, occ)
                                      : ${own}leg_taken(x, y, from_x, from_y, occ);
                if (!taken) reached |= bit;
                break;
            }
            if (attacks) {
                reached |= bit;
                if ((occ & bit) || ++gone == moves->step[n].limit) break;
            } else if (occ & bit) {
                attacks = 1;
            }
        }
    }
    return reached;
}
"""
    piece_moves = """
static const struct ${own}moves ${own}${piece}_moves = {
    $step_count, $region_count, {$steps}, {$regions}
};
"""
    move = "{$rule, $x, $y, $limit}"
    region = "{$left, $low, $right, $high}"
    rules: ClassVar = {
        "rider": "${own}rule_rider",
        "hopper": "${own}rule_hopper",
        "lame leaper": "${own}rule_lame",
        LAME_FROM_TARGET: "${own}rule_lame_back",
    }
    stepping = "        static const int steps[4][2] = {$steps};\n"
    listed = "${own}$piece"
    walked = "${own}walk(square, occ, steps)"
    walked_moves = "${own}walk(square, occ, &${own}${piece}_moves)"
    write_any = """${own}check(slot < $length);
            $array[slot] = reached;"""
    write_once = """${own}check(slot < $length && ($array[slot] == 0 || $array[slot] == reached));
            $array[slot] = reached;"""
    add_layer = """${own}check(slot < $length);
            $array[slot] |= reached;"""
    check_layer = "${own}check(($found) == reached);"
    fill = """    for (unsigned square = 0; square < $squares; square++) {
$stepping        $bitboard mask = $mask, occ = 0;
        do {
            $bitboard reached = $walked;
            uint64_t slot = $slot;
            $write
            occ = (occ - mask) & mask;
        } while (occ);
    }
"""
    fill_levels = """    for (unsigned square = 0; square < $squares; square++) {
$stepping        $bitboard mask = $mask, occ = 0;
        $bitboard *sets = $sets + $start;
        unsigned count = 0;
        do {
            $bitboard reached = $walked;
            unsigned place = count;
            while (place > 0 && sets[place - 1] > reached) place--;
            if (place == 0 || sets[place - 1] != reached) {
                for (unsigned n = count++; n > place; n--) sets[n] = sets[n - 1];
                sets[place] = reached;
            }
            occ = (occ - mask) & mask;
        } while (occ);
        do {
            $bitboard reached = $walked;
            unsigned number = 0;
            while (sets[number] != reached) number++;
            $array[$slot] = ($kind)number;
            occ = (occ - mask) & mask;
        } while (occ);
    }
"""
    search_sets = """
static unsigned ${own}place_of($bitboard wanted, const $bitboard *sets, unsigned count) {
    unsigned low = 0, high = count;
    while (low < high) {
        unsigned middle = (low + high) / 2;
        if (sets[middle] < wanted) low = middle + 1;
        else high = middle;
    }
    return low;
}
"""
    fill_many_levels = """    for (unsigned square = 0; square < $squares; square++) {
        $bitboard mask = $mask, occ = 0;
        $bitboard *sets = $sets + $start;
        unsigned count = 0;
        do {
            $bitboard reached = $walked;
            unsigned place = ${own}place_of(reached, sets, count);
            if (place == count || sets[place] != reached) {
                for (unsigned n = count++; n > place; n--) sets[n] = sets[n - 1];
                sets[place] = reached;
            }
            occ = (occ - mask) & mask;
        } while (occ);
        do {
            $array[$slot] = ($kind)${own}place_of($walked, sets, count);
            occ = (occ - mask) & mask;
        } while (occ);
    }
"""
    check_levels = """    for (unsigned square = 0; square < $squares; square++) {
$stepping        $bitboard mask = $mask, occ = 0;
        do {
            $bitboard reached = $walked;
            ${own}check($sets[$start + $array[$slot]] == reached);
            occ = (occ - mask) & mask;
        } while (occ);
    }
"""

    def literal(self, value: int, *, typed: bool = False, width: int = 64) -> str:
        """C has no literals of more than 64 bits."""
        if width == 64:
            return super().literal(value, typed=typed)
        high, low = super().literal(value >> 64), super().literal(value & ((1 << 64) - 1))
        word = "(unsigned __int128)"
        return f"({word}{high} << 64 | {low})" if value >> 64 else f"{word}{low}"

    @property
    def own(self) -> str:
        """The prefix is a part of all names."""
        return self.scope

    def parts(self, unit: Unit, literal: bool) -> dict[str, str]:
        """What a header declares, and what its source defines."""
        const = "const " * literal
        parts = super().parts(unit, literal)
        return {
            **parts,
            "filling": parts["filling"] or self.write(self.nothing_to_fill),
            "rows": "".join(self.recorded(self.rows, piece) for piece in unit.pieces),
            "declarations": self.each(self.declarations.replace("$const", const), unit),
        }

    def column_kind(self, column: Column) -> str:
        """Amounts and places are small."""
        return self.kinds[column.bits] if column.hexadecimal else "uint32_t"
