// How the attacks are computed is chosen at start: pointers to functions, and to a constant list.
#include <stdint.h>

typedef uint64_t (*attacks_of)(int square, uint64_t occupied);

static const int steps[2][4] = {{8, 1, -1, -8}, {9, 7, -7, -9}};
static const uint64_t rims[3] = {0x0101010101010101, 0x8080808080808080, 0};
const uint64_t *rim;
attacks_of chosen[2];

static uint64_t along(int square, uint64_t occupied, int step) {
    uint64_t found = 0;
    int side = (step & 7) == 0 ? 2 : (step & 7) == 1;
    while (!(rim[side] >> square & 1) && (square += step) >= 0 && square < 64) {
        found |= UINT64_C(1) << square;
        if (occupied >> square & 1) break;
    }
    return found;
}

static uint64_t forwards(int square, uint64_t occupied) {
    uint64_t found = 0;
    for (int n = 0; n < 4; n++) found |= along(square, occupied, steps[0][n]);
    return found;
}

static uint64_t backwards(int square, uint64_t occupied) {
    uint64_t found = 0;
    for (int n = 3; n >= 0; n--) found |= along(square, occupied, steps[0][n]);
    return found;
}

static uint64_t nothing(void) { return rims[2]; }

void choose(void) {
    rim = rims;
    chosen[0] = forwards;
    chosen[1] = backwards;
}

uint64_t rook_attacks(int square, uint64_t occupied) {
    return chosen[occupied >> 63](square, occupied);
}
