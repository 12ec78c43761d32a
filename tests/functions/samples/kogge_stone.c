/* Kogge-Stone fills of one slider: eight directions, each in three doubling steps. */
#include <stdint.h>

#define NOT_A UINT64_C(0xfefefefefefefefe)
#define NOT_H UINT64_C(0x7f7f7f7f7f7f7f7f)

static uint64_t up(uint64_t reached, uint64_t open, int by, uint64_t edge) {
    open &= edge;
    reached |= open & reached << by;
    open &= open << by;
    reached |= open & reached << 2 * by;
    open &= open << 2 * by;
    reached |= open & reached << 4 * by;
    return reached << by & edge;
}

static uint64_t down(uint64_t reached, uint64_t open, int by, uint64_t edge) {
    open &= edge;
    reached |= open & reached >> by;
    open &= open >> by;
    reached |= open & reached >> 2 * by;
    open &= open >> 2 * by;
    reached |= open & reached >> 4 * by;
    return reached >> by & edge;
}

uint64_t rook_attacks(int square, uint64_t occupied) {
    uint64_t slider = UINT64_C(1) << square, open = ~occupied;
    return up(slider, open, 8, ~UINT64_C(0)) | down(slider, open, 8, ~UINT64_C(0)) |
           up(slider, open, 1, NOT_A) | down(slider, open, 1, NOT_H);
}

uint64_t bishop_attacks(int square, uint64_t occupied) {
    uint64_t slider = UINT64_C(1) << square, open = ~occupied;
    return up(slider, open, 9, NOT_A) | down(slider, open, 9, NOT_H) |
           up(slider, open, 7, NOT_H) | down(slider, open, 7, NOT_A);
}

/* North-east of many sliders at once. */
uint64_t north_east(uint64_t sliders, uint64_t occupied) { return up(sliders, ~occupied, 9, NOT_A); }
