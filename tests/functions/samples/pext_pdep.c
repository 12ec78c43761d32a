/* PEXT to an index, 16 bits an entry, and PDEP back to the lines. */
#include <immintrin.h>
#include <stdint.h>

typedef struct { uint64_t mask, line; uint16_t *entries; } Place;

static Place places[2][64];
static uint16_t entries[107648];

static uint64_t walked(int kind, int square, uint64_t occupied) {
    static const int steps[2][4] = {{8, 1, -8, -1}, {9, -7, -9, 7}};
    uint64_t attacked = 0;
    for (int n = 0; n < 4; n++)
        for (int at = square;;) {
            int to = at + steps[kind][n], files = to % 8 - at % 8;
            if (to < 0 || to > 63 || files > 1 || files < -1) break;
            attacked |= UINT64_C(1) << to;
            if (occupied >> to & 1) break;
            at = to;
        }
    return attacked;
}

void init(void) {
    uint16_t *next = entries;
    for (int kind = 0; kind < 2; kind++)
        for (int square = 0; square < 64; square++) {
            uint64_t ranks = UINT64_C(0xff000000000000ff) & ~(UINT64_C(0xff) << (square & 56));
            uint64_t files = UINT64_C(0x8181818181818181) & ~(UINT64_C(0x0101010101010101) << (square & 7));
            uint64_t line = walked(kind, square, 0), mask = line & ~(ranks | files);
            places[kind][square] = (Place){mask, line, next};
            uint64_t sets = UINT64_C(1) << _mm_popcnt_u64(mask);
            for (uint64_t n = 0; n < sets; n++)
                *next++ = (uint16_t)_pext_u64(walked(kind, square, _pdep_u64(n, mask)), line);
        }
}

uint64_t rook_attacks(int square, uint64_t occupied) {
    const Place *place = &places[0][square];
    return _pdep_u64(place->entries[_pext_u64(occupied, place->mask)], place->line);
}

uint64_t bishop_attacks(int square, uint64_t occupied) {
    const Place *place = &places[1][square];
    return _pdep_u64(place->entries[_pext_u64(occupied, place->mask)], place->line);
}
