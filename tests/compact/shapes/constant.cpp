// An engine with a constant table: rays, cut off behind the first blocker.
#include <array>
#include <cstdint>

using Bitboard = std::uint64_t;

constexpr int steps[8][2] = {{0, 1}, {1, 0}, {1, 1}, {-1, 1}, {0, -1}, {-1, 0}, {-1, -1}, {1, -1}};

constexpr std::array<std::array<Bitboard, 64>, 8> make_rays() {
    std::array<std::array<Bitboard, 64>, 8> rays{};
    for (int n = 0; n < 8; n++)
        for (int square = 0; square < 64; square++) {
            int file = square % 8 + steps[n][0], rank = square / 8 + steps[n][1];
            while (file >= 0 && file < 8 && rank >= 0 && rank < 8) {
                rays[n][square] |= Bitboard(1) << (8 * rank + file);
                file += steps[n][0];
                rank += steps[n][1];
            }
        }
    return rays;
}

constexpr auto RAYS = make_rays();

Bitboard along(int n, int square, Bitboard occupied) {
    Bitboard blockers = RAYS[n][square] & occupied;
    if (!blockers) return RAYS[n][square];
    return RAYS[n][square] ^ RAYS[n][n < 4 ? __builtin_ctzll(blockers) : 63 - __builtin_clzll(blockers)];
}

Bitboard rook_attacks(int square, Bitboard occupied) {
    return along(0, square, occupied) | along(1, square, occupied) | along(4, square, occupied) | along(5, square, occupied);
}

Bitboard bishop_attacks(int square, Bitboard occupied) {
    return along(2, square, occupied) | along(3, square, occupied) | along(6, square, occupied) | along(7, square, occupied);
}

extern "C" {
void engine_init() {}
Bitboard engine_rook(int square, Bitboard occupied) { return rook_attacks(square, occupied); }
Bitboard engine_bishop(int square, Bitboard occupied) { return bishop_attacks(square, occupied); }
}
