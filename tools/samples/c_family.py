"""C and C++, CUDA, D."""

from tools.samples.printing import Numbers, grouped, older, rows, sample

RANKS_FROM_8 = [f"{file}{rank}" for rank in "87654321" for file in "abcdefgh"]


@sample("bbc.c", "bbc", "a8 order by an enumeration, array not const, one number a line")
def bbc(rook: Numbers, bishop: Numbers) -> str:
    squares = rows(RANKS_FROM_8, 8)
    return f"""#include <stdio.h>
#define U64 unsigned long long

enum {{
{squares}, no_sq
}};

U64 rook_magic_numbers[64] = {{
{rows((f"0x{m:x}ULL" for m in rook.magic), 1)}
}};

U64 bishop_magic_numbers[64] = {{
{rows((f"0x{m:x}ULL" for m in bishop.magic), 1)}
}};

U64 bishop_attacks[64][512];
U64 rook_attacks[64][4096];
"""


@sample("upper.c", "ethereal", "upper-case hexadecimal, a symbolic bound, blocks in a comment")
def upper(rook: Numbers, bishop: Numbers) -> str:
    return f"""/* Tables of 64: {{ 0x1234567890ABCDEFull, 0x2222222222222222ull }}
 * and a bracket that never closes: {{ [ (
 */
const uint64_t RookMagics[SQUARE_NB] = {{
{rows(f"0x{m:016X}ull" for m in rook.magic)},
}};

const uint64_t BishopMagics[SQUARE_NB] = {{
{rows(f"0x{m:016X}ull" for m in bishop.magic)},
}};
"""


@sample("black_pairs.c", "cfish_black", "black magics, bishops first, padded offsets in structs")
def black_pairs(rook: Numbers, bishop: Numbers) -> str:
    def listed(numbers: Numbers) -> str:
        pairs = zip(numbers.magic, numbers.offset, strict=True)
        return rows((f"{{ 0x{m:016x}ull, {o:6}u }}" for m, o in pairs), 2)

    return f"""struct MagicInit {{
  uint64_t magic;
  unsigned index;
}};

static struct MagicInit bishop_init[64] = {{
{listed(bishop)}
}};

static struct MagicInit rook_init[64] = {{
{listed(rook)}
}};
"""


@sample("commented_out.c", "cfish_plain", "older tables in comments and #if 0, before and after")
def commented_out(rook: Numbers, bishop: Numbers) -> str:
    def listed(numbers: Numbers, magics: list[int] | tuple[int, ...]) -> str:
        pairs = zip(magics, numbers.offset, strict=True)
        return rows(f"{{0x{m:x}u, {o}u}}" for m, o in pairs)

    old = listed(rook, older(rook.magic))
    return f"""/*
static struct MagicInit rook_init[64] = {{
{old}
}};
*/
static const struct MagicInit bishop_init[64] = {{
{listed(bishop, bishop.magic)} // 0x0123456789abcdef, 77
}};

static const struct MagicInit rook_init[64] = {{
{listed(rook, rook.magic)} /* the last: {{0x1111111111111111, 9}}, */
}};

// static const struct MagicInit rook_init[64] = {{
//{old.replace(chr(10), chr(10) + "//")}
// }};
#if 0
static const struct MagicInit rook_init[64] = {{
{old}
}};
#endif
"""


@sample("octal_subscripts.c", "syzygy_tb", "designated subscripts, octal, out of order")
def octal_subscripts(rook: Numbers, bishop: Numbers) -> str:
    def listed(numbers: Numbers) -> str:
        entries = [
            f"[{square:03o}] = {{ 0x{numbers.magic[square]:x}ull, {numbers.offset[square]} }}"
            for square in [*range(32, 64), *range(32)]
        ]
        return rows(entries, 2)

    return f"""static const struct magic_entry rook_magics[64] = {{
{listed(rook)}
}};
static const struct magic_entry bishop_magics[64] = {{
{listed(bishop)}
}};
"""


def _alternative(name: str, numbers: Numbers, word: str) -> str:
    return f"""const uint64_t {name}Mult[64] = {{
{rows((f"{word}(0x{m:X}ULL)" if word else f"0x{m:x}ULL" for m in numbers.magic), 3, "  ")}
}};
const int {name}Shift[64] = {{
{rows(map(str, numbers.shift), 8, "  ")}
}};
"""


@sample("halves.cpp", "glaurung32", "32-bit halves; the same names under #if with nothing else")
def halves(rook: Numbers, bishop: Numbers) -> str:
    return f"""#if defined(USE_32BIT_ATTACKS)
{_alternative("R", rook, "")}
#else
// The table for 64 bits stands in another file.
#endif
#if defined(USE_32BIT_ATTACKS)
{_alternative("B", bishop, "")}
#endif
uint64_t RAttacks[0x19000], BAttacks[0x1480];
"""


@sample("constructors.cpp", "arasan64", "constructor calls, shift lists, flat arrays")
def constructors(rook: Numbers, bishop: Numbers) -> str:
    return f"""#include "attacks.h"
namespace Attacks {{
{_alternative("rook", rook, "Bitboard")}
{_alternative("bishop", bishop, "Bitboard")}
static Bitboard rook_attacks[102400];
}}
"""


@sample("in_lambda.cpp", "magic_bits", "decimals in a lambda, no names, 'shifts' hold bit counts")
def in_lambda(rook: Numbers, bishop: Numbers) -> str:
    def array(values: tuple[int, ...], suffix: str) -> str:
        return rows((f"{value}{suffix}" for value in values), 3, " " * 8)

    return f"""template <Slider S> class Magics {{
  static constexpr std::array<std::uint64_t, 64> magics_ = [] {{
    if constexpr (S == Slider::Bishop) {{
      return std::array<std::uint64_t, 64>{{
{array(bishop.magic, "ULL")}
      }};
    }} else {{
      return std::array<std::uint64_t, 64>{{
{array(rook.magic, "ULL")}
      }};
    }}
  }}();
  static constexpr std::array<int, 64> shifts_ = [] {{
    if constexpr (S == Slider::Bishop) {{
      return std::array<int, 64>{{
{array(bishop.bits, "")}
      }};
    }} else {{
      return std::array<int, 64>{{
{array(rook.bits, "")}
      }};
    }}
  }}();
}};
"""


@sample(
    "pointers.cpp",
    "gigantua_var",
    "structs with table + offset, all decimal, CRLF, Latin-1",
    "latin-1",
)
def pointers(rook: Numbers, bishop: Numbers) -> str:
    def listed(numbers: Numbers, table: str) -> str:
        entries = zip(numbers.offset, numbers.mask, numbers.magic, numbers.shift, strict=True)
        return rows((f"{{ {table} + {o}, {k}ull, {m}ull, {s} }}" for o, k, m, s in entries), 1)

    return f"""// Gr\u00f6\u00dfe: 88064 + 4800
struct Entry {{ const uint64_t* attacks; uint64_t mask; uint64_t magic; int shift; }};
constexpr Entry b_magics[64] = {{
{listed(bishop, "b_table")}
}};
constexpr Entry r_magics[64] = {{
{listed(rook, "r_table")}
}};
""".replace("\n", "\r\n")


@sample(
    "separate_masks.hpp",
    "gigantua_plain",
    "magics and masks in lists of their own, literal attacks",
)
def separate_masks(rook: Numbers, bishop: Numbers) -> str:
    def listed(values: tuple[int, ...]) -> str:
        return rows((f"0x{value:016x}" for value in values), 4)

    attacks = rows(f"0x{m * 3 & 0xFFFFFFFFFFFFFFFF:x}" for m in rook.mask)
    names = {"rook": rook, "bishop": bishop}
    lists = "\n".join(
        f"static constexpr uint64_t {name}_{what}[64] = {{\n{listed(values)}\n}};"
        for name, numbers in names.items()
        for what, values in (("magic", numbers.magic), ("mask", numbers.mask))
    )
    return f"""#pragma once
{lists}
static constexpr uint64_t first_attacks[1][64] = {{ {{
{attacks}
}} }};
inline uint64_t rooks(int sq, uint64_t occ) {{
  return rook_attacks[sq][((occ & rook_mask[sq]) * rook_magic[sq]) >> 52];
}}
inline uint64_t bishops(int sq, uint64_t occ) {{
  return bishop_attacks[sq][((occ & bishop_mask[sq]) * bishop_magic[sq]) >> 55];
}}
"""


@sample("fixed_shift.h", "seer", "fancy magics under a fixed shift, h1 order by an enumeration")
def fixed_shift(rook: Numbers, bishop: Numbers) -> str:
    squares = [f"{file}{rank}" for rank in "12345678" for file in "hgfedcba"]
    return f"""enum class square : int {{
{rows(squares, 8, "  ")}
}};
constexpr std::array<std::uint64_t, 64> rook_magics = {{
{rows((f"0x{m:x}ull" for m in rook.magic), 4, "  ")} }};
constexpr std::array<std::uint64_t, 64> bishop_magics = {{
{rows((f"0x{m:x}ull" for m in bishop.magic), 4, "  ")} }};
constexpr std::size_t rook_shift = 64 - 12;
constexpr std::size_t bishop_shift = 64 - 9;
"""


@sample("partial_structs.cu", "ankan_byte", "the last field of each struct is left out")
def partial_structs(rook: Numbers, bishop: Numbers) -> str:
    def listed(numbers: Numbers) -> str:
        pairs = zip(numbers.magic, numbers.offset, strict=True)
        return rows((f"{{ 0x{m:016x}ull,  {o:5} }}" for m, o in pairs), 2)

    return f"""struct FancyMagicEntry {{ uint64 factor; int position; int offset; }};
FancyMagicEntry bishop_magics_fancy[64] = {{
{listed(bishop)}
}};
FancyMagicEntry rook_magics_fancy[64] = {{
{listed(rook)}
}};
"""


@sample(
    "quotes.cc", "texel_rtb", "digit separators, an apostrophe in a comment, bits below popcount"
)
def quotes(rook: Numbers, bishop: Numbers) -> str:
    def half(name: str, numbers: Numbers) -> str:
        return f"""// {name}'s numbers, "quoted
const U64 {name}Magics[] = {{
{rows(f"0x{grouped(m, chr(39))}ULL" for m in numbers.magic)}
}};
const int {name}Bits[] {{ {", ".join(map(str, numbers.bits))} }};
"""

    return half("rook", rook) + half("bishop", bishop)


@sample("not_pext.cc", "lc0", "an unsized array inside #if, mentions in strings")
def not_pext(rook: Numbers, bishop: Numbers) -> str:
    return f"""static const char* help = "{{ 0x8a80104000800020, /* not a comment";
#if defined(NO_PEXT)
static const BitBoard kRookMagicNumbers[] = {{
{rows(f"0x{m:X}ULL" for m in rook.magic)} }};
static const BitBoard kBishopMagicNumbers[] = {{
{rows(f"0x{m:X}ULL" for m in bishop.magic)} }};
#endif
"""


@sample("both_in_one.cpp", "stockfish21_64", "one array [2][64] for both pieces")
def both_in_one(rook: Numbers, bishop: Numbers) -> str:
    return f"""static constexpr Bitboard Magics[2][64] = {{
  {{
{rows((f"0x{m:016x}" for m in bishop.magic), 4)}
  }}, {{
{rows((f"0x{m:016x}" for m in rook.magic), 4)}
  }}
}};
"""


@sample("nested_ranks.d", "surge", "nested 8x8 lists, UL, nesting comments")
def nested_ranks(rook: Numbers, bishop: Numbers) -> str:
    def ranks(numbers: Numbers) -> str:
        lists = [numbers.magic[at : at + 8] for at in range(0, 64, 8)]
        return ",\n".join(
            "  [" + ", ".join(f"0x{grouped(m, '_')}UL" for m in rank) + "]" for rank in lists
        )

    return f"""module magics;
/+ nested /+ 0x1, 0x2 +/ comment: immutable ulong[8][8] rookMagic = [[0x3UL]]; +/
immutable ulong[8][8] rookMagic = [
{ranks(rook)}
];
immutable ulong[8][8] bishopMagic = [
{ranks(bishop)}
];
"""
