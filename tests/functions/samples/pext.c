// PEXT: the relevant squares side by side are the index. Tables are filled at start.
#include <immintrin.h>
#include <stdint.h>

static uint64_t masks[2][64];
static uint64_t* rows[2][64];
static uint64_t table[107648];

static uint64_t walked(int kind, int square, uint64_t occupied) {
    static const int steps[2][4][2] = {{{0, 1}, {1, 0}, {0, -1}, {-1, 0}},
                                       {{1, 1}, {1, -1}, {-1, -1}, {-1, 1}}};
    uint64_t attacked = 0;
    for (int n = 0; n < 4; n++) {
        int file = square % 8 + steps[kind][n][0], rank = square / 8 + steps[kind][n][1];
        while (file >= 0 && file < 8 && rank >= 0 && rank < 8) {
            uint64_t target = UINT64_C(1) << (8 * rank + file);
            attacked |= target;
            if (occupied & target) break;
            file += steps[kind][n][0];
            rank += steps[kind][n][1];
        }
    }
    return attacked;
}

void init_attacks(void) {
    uint64_t* next = table;
    for (int kind = 0; kind < 2; kind++)
        for (int square = 0; square < 64; square++) {
            uint64_t ranks = 0xFF000000000000FFu & ~(UINT64_C(0xFF) << (square & 56));
            uint64_t files = 0x8181818181818181u & ~(UINT64_C(0x0101010101010101) << (square & 7));
            uint64_t mask = walked(kind, square, 0) & ~(ranks | files);
            masks[kind][square] = mask;
            rows[kind][square] = next;
            uint64_t occupied = 0;
            do {
                next[_pext_u64(occupied, mask)] = walked(kind, square, occupied);
                occupied = (occupied - mask) & mask;
            } while (occupied);
            next += UINT64_C(1) << __builtin_popcountll(mask);
        }
}

uint64_t rook_attacks(int square, uint64_t occupied) {
    return rows[0][square][_pext_u64(occupied, masks[0][square])];
}

uint64_t bishop_attacks(int square, uint64_t occupied) {
    return rows[1][square][_pext_u64(occupied, masks[1][square])];
}
