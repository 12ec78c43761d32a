// Hyperbola quintessence: the far half of a line by swapping bytes. A rank has no such swap: it is
// turned by hand, bit by bit.
#include <stdint.h>

static uint64_t diagonal(int square) {
    int shift = (square & 7) - (square >> 3);
    uint64_t mask = 0x8040201008040201u;
    return shift >= 0 ? mask >> (8 * shift) : mask << (-8 * shift);
}

static uint64_t antidiagonal(int square) {
    int shift = 7 - (square & 7) - (square >> 3);
    uint64_t mask = 0x0102040810204080u;
    return shift >= 0 ? mask >> (8 * shift) : mask << (-8 * shift);
}

static uint64_t line(uint64_t occupied, uint64_t mask, int square) {
    uint64_t slider = UINT64_C(1) << square;
    uint64_t others = mask & ~slider;
    uint64_t up = occupied & others;
    uint64_t down = __builtin_bswap64(up);
    up -= slider;
    down -= __builtin_bswap64(slider);
    return (up ^ __builtin_bswap64(down)) & others;
}

static uint64_t rank_attacks(uint64_t occupied, int square) {
    int file = square & 7, base = square & 56;
    unsigned row = occupied >> base & 255, attacked = 0;
    for (int to = file + 1; to < 8; to++) {
        attacked |= 1u << to;
        if (row >> to & 1) break;
    }
    for (int to = file - 1; to >= 0; to--) {
        attacked |= 1u << to;
        if (row >> to & 1) break;
    }
    return (uint64_t)attacked << base;
}

uint64_t bishop_attacks(int square, uint64_t occupied) {
    return line(occupied, diagonal(square), square) | line(occupied, antidiagonal(square), square);
}

uint64_t rook_attacks(int square, uint64_t occupied) {
    uint64_t file = 0x0101010101010101u << (square & 7);
    return line(occupied, file, square) | rank_attacks(occupied, square);
}
