// What leaps and what shifts: no occupancy, a square or a whole set.

#include <cstdint>

using u64 = std::uint64_t;
enum Color { WHITE, BLACK };
enum Direction { NORTH = 8, SOUTH = -8, EAST = 1, WEST = -1 };

constexpr u64 FILE_A = 0x0101010101010101, FILE_H = FILE_A << 7;

template <Direction d> constexpr u64 shift(u64 b) {
    if (d == EAST) return (b & ~FILE_H) << 1;
    if (d == WEST) return (b & ~FILE_A) >> 1;
    return d == NORTH ? b << 8 : b >> 8;
}

template <Color c> constexpr u64 pawns(u64 b) {
    u64 up = shift<c == WHITE ? NORTH : SOUTH>(b);
    return shift<EAST>(up) | shift<WEST>(up);
}

constexpr u64 kings(u64 b) {
    u64 row = b | shift<EAST>(b) | shift<WEST>(b);
    return shift<EAST>(b) | shift<WEST>(b) | shift<NORTH>(row) | shift<SOUTH>(row);
}

struct Table {
    u64 pawn[2][64], king[64];
};

constexpr Table make() {
    Table t{};
    for (int s = 0; s < 64; s++) {
        t.pawn[WHITE][s] = pawns<WHITE>(u64(1) << s);
        t.pawn[BLACK][s] = pawns<BLACK>(u64(1) << s);
        t.king[s] = kings(u64(1) << s);
    }
    return t;
}

constexpr Table table = make();
constexpr auto &PAWN_ATTACKS = table.pawn;
inline u64 king_attacks(int square) { return table.king[square]; }
