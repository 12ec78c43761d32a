// Black magics with fixed shifts, one template for both pieces; squares count from a8. Magics are found at start.
#include <cstdint>

using Bitboard = std::uint64_t;
enum Piece { ROOK, BISHOP };

template <Piece P> struct Table {
    static constexpr int shift = P == ROOK ? 52 : 55;
    static inline Bitboard not_mask[64], magic[64], sets[64][1 << (64 - shift)];
    static Bitboard lookup(int square, Bitboard occupied) {
        return sets[square][(occupied | not_mask[square]) * magic[square] >> shift];
    }
};

template <Piece P> static Bitboard walked(int square, Bitboard occupied) {
    Bitboard attacked = 0;
    for (int down = -1; down <= 1; down++)
        for (int right = -1; right <= 1; right++) {
            if ((P == ROOK) == (down && right) || (!down && !right)) continue;
            int row = square / 8, column = square % 8;
            while ((row += down) >= 0 && row < 8 && (column += right) >= 0 && column < 8) {
                attacked |= Bitboard(1) << (8 * row + column);
                if (occupied >> (8 * row + column) & 1) break;
            }
        }
    return attacked;
}

template <Piece P> static void fill() {
    using T = Table<P>;
    Bitboard state = 88172645463325252u;
    auto random = [&state] {
        state ^= state << 13;
        state ^= state >> 7;
        return state ^= state << 17;
    };
    for (int square = 0; square < 64; square++) {
        Bitboard edges = (0xFF000000000000FFu & ~(Bitboard(0xFF) << (square & 56))) |
                         (0x8181818181818181u & ~(Bitboard(0x0101010101010101) << (square & 7)));
        Bitboard mask = walked<P>(square, 0) & ~edges;
        T::not_mask[square] = ~mask;
        for (bool good = false; !good;) {
            T::magic[square] = random() & random() & random();
            for (Bitboard& set : T::sets[square]) set = 0;
            good = true;
            Bitboard occupied = 0;
            do {
                Bitboard& set = T::sets[square][(occupied | ~mask) * T::magic[square] >> T::shift];
                Bitboard wanted = walked<P>(square, occupied);
                if (set && set != wanted) good = false;
                set = wanted;
                occupied = (occupied - mask) & mask;
            } while (occupied && good);
        }
    }
}

extern "C" {
void init() {
    fill<ROOK>();
    fill<BISHOP>();
}
Bitboard rook_attacks(int square, Bitboard occupied) { return Table<ROOK>::lookup(square, occupied); }
Bitboard bishop_attacks(int square, Bitboard occupied) { return Table<BISHOP>::lookup(square, occupied); }
}
