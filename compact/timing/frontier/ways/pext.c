/* PEXT: an instruction gathers the mask's bits into the index; 64 bits an entry. */

#include <immintrin.h>

static uint64_t entries[107648];
static struct place { uint64_t mask; uint32_t offset; } places[2][64];

static void way_init(void) {
    uint32_t next = 0;
    for (int piece = 0; piece < 2; piece++)
        for (unsigned square = 0; square < 64; square++) {
            int one = 2 * piece, other = one + 1;
            uint64_t mask = inner_line(one, square) | inner_line(other, square);
            places[piece][square] = (struct place){mask, next};
            for (uint64_t index = 0; index < (uint64_t)1 << __builtin_popcountll(mask); index++) {
                uint64_t occ = _pdep_u64(index, mask);
                entries[next++] = line_attacks(one, square, occ) | line_attacks(other, square, occ);
            }
        }
}

static inline uint64_t gathered(int piece, unsigned square, uint64_t occ) {
    const struct place *place = &places[piece][square];
    return entries[place->offset + _pext_u64(occ, place->mask)];
}

static inline uint64_t rook_attacks(unsigned square, uint64_t occ) {
    return gathered(0, square, occ);
}

static inline uint64_t bishop_attacks(unsigned square, uint64_t occ) {
    return gathered(1, square, occ);
}

#define TABLE_BYTES sizeof entries
#define SQUARE_BYTES sizeof places
