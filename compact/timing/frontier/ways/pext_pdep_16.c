/* PEXT and PDEP: an entry has a bit for each square of the lines, at most 14, and PDEP puts them
   where they belong; 16 bits an entry. */

#include <immintrin.h>

static uint16_t entries[107648];
static struct place { uint64_t mask, lines; uint32_t offset; } places[2][64];

static void way_init(void) {
    uint32_t next = 0;
    for (int piece = 0; piece < 2; piece++)
        for (unsigned square = 0; square < 64; square++) {
            int one = 2 * piece, other = one + 1;
            uint64_t mask = inner_line(one, square) | inner_line(other, square);
            uint64_t lines = whole_line(one, square) | whole_line(other, square);
            places[piece][square] = (struct place){mask, lines, next};
            for (uint64_t index = 0; index < (uint64_t)1 << __builtin_popcountll(mask); index++) {
                uint64_t occ = _pdep_u64(index, mask);
                uint64_t set = line_attacks(one, square, occ) | line_attacks(other, square, occ);
                entries[next++] = (uint16_t)_pext_u64(set, lines);
            }
        }
}

static inline uint64_t gathered(int piece, unsigned square, uint64_t occ) {
    const struct place *place = &places[piece][square];
    return _pdep_u64(entries[place->offset + _pext_u64(occ, place->mask)], place->lines);
}

static inline uint64_t rook_attacks(unsigned square, uint64_t occ) {
    return gathered(0, square, occ);
}

static inline uint64_t bishop_attacks(unsigned square, uint64_t occ) {
    return gathered(1, square, occ);
}

#define TABLE_BYTES sizeof entries
#define SQUARE_BYTES sizeof places
