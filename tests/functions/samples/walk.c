// Square by square, as the rules say it.
#include <stdint.h>

static const int steps[8][2] = {{0, 1}, {1, 0}, {0, -1}, {-1, 0}, {1, 1}, {1, -1}, {-1, -1}, {-1, 1}};

static uint64_t walked(int square, uint64_t occupied, int first, int end) {
    uint64_t attacked = 0;
    for (int n = first; n < end; n++) {
        int file = square % 8 + steps[n][0], rank = square / 8 + steps[n][1];
        while (file >= 0 && file < 8 && rank >= 0 && rank < 8) {
            uint64_t target = UINT64_C(1) << (8 * rank + file);
            attacked |= target;
            if (occupied & target) break;
            file += steps[n][0];
            rank += steps[n][1];
        }
    }
    return attacked;
}

uint64_t rook_attacks(int square, uint64_t occupied) { return walked(square, occupied, 0, 4); }
uint64_t bishop_attacks(int square, uint64_t occupied) { return walked(square, occupied, 4, 8); }
