/* What a rook attacks in addition, once the attacked ones of the blockers are gone. */
#include <stdint.h>

static uint64_t attacks(unsigned square, uint64_t occupied) {
    uint64_t attacked = 0;
    for (uint64_t at = UINT64_C(1) << square << 8; at; at = at & occupied ? 0 : at << 8) attacked |= at;
    for (uint64_t at = UINT64_C(1) << square >> 8; at; at = at & occupied ? 0 : at >> 8) attacked |= at;
    for (unsigned to = square + 1; to & 7; to++) {
        attacked |= UINT64_C(1) << to;
        if (occupied >> to & 1) break;
    }
    for (unsigned to = square; to & 7;) {
        attacked |= UINT64_C(1) << --to;
        if (occupied >> to & 1) break;
    }
    return attacked;
}

uint64_t xray_rook(unsigned square, uint64_t occupied, uint64_t blockers) {
    uint64_t before = attacks(square, occupied);
    return before ^ attacks(square, occupied ^ (blockers & before));
}
