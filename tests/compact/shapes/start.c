// An engine whose tables are filled when it starts.
#include <stdint.h>

static uint64_t masks[2][64], table[2][64][4096];
static const int steps[2][4][2] = {
    {{0, 1}, {1, 0}, {0, -1}, {-1, 0}}, {{1, 1}, {1, -1}, {-1, -1}, {-1, 1}}};

static uint64_t walk(int bishop, int square, uint64_t occupied, int inner) {
    uint64_t reached = 0;
    for (int n = 0; n < 4; n++) {
        int x = steps[bishop][n][0], y = steps[bishop][n][1];
        for (int file = square % 8 + x, rank = square / 8 + y;; file += x, rank += y) {
            int beyond = file + x < 0 || file + x > 7 || rank + y < 0 || rank + y > 7;
            if (file < 0 || file > 7 || rank < 0 || rank > 7 || (inner && beyond)) break;
            reached |= UINT64_C(1) << (8 * rank + file);
            if (occupied >> (8 * rank + file) & 1) break;
        }
    }
    return reached;
}

static unsigned index_of(uint64_t occupied, uint64_t mask) {
    unsigned found = 0;
    for (unsigned bit = 1; mask; bit *= 2, mask &= mask - 1)
        if (occupied & mask & (0 - mask)) found |= bit;
    return found;
}

static void init_attacks(void) {
    for (int bishop = 0; bishop < 2; bishop++)
        for (int square = 0; square < 64; square++) {
            uint64_t occupied = 0, mask = walk(bishop, square, 0, 1);
            masks[bishop][square] = mask;
            do table[bishop][square][index_of(occupied, mask)] = walk(bishop, square, occupied, 0);
            while ((occupied = (occupied - mask) & mask));
        }
}

static uint64_t rook_attacks(int square, uint64_t occupied) {
    return table[0][square][index_of(occupied, masks[0][square])];
}

static uint64_t bishop_attacks(int square, uint64_t occupied) {
    return table[1][square][index_of(occupied, masks[1][square])];
}

void engine_init(void) {
    init_attacks();
}

uint64_t engine_rook(int square, uint64_t occupied) { return rook_attacks(square, occupied); }
uint64_t engine_bishop(int square, uint64_t occupied) { return bishop_attacks(square, occupied); }
