/* PEXT and PDEP line by line: every line is a row of at most eight squares, so one table of 512
   bytes serves all lines. The row of a shorter line goes on beyond its end, where PDEP drops it. */

#include <immintrin.h>

static uint8_t row[8][64];
static struct along { uint64_t inner, line; } lines[4][64];
static uint8_t place[4][64];

static void way_init(void) {
    for (unsigned at = 0; at < 8; at++)
        for (uint64_t inner = 0; inner < 64; inner++)
            row[at][inner] = (uint8_t)line_attacks(ALONG_RANK, at, inner << 1);
    for (int line = 0; line < 4; line++)
        for (unsigned square = 0; square < 64; square++) {
            uint64_t bit = (uint64_t)1 << square, whole = whole_line(line, square) | bit;
            int below = half_line(line, square, -1) != 0, above = half_line(line, square, 1) != 0;
            uint64_t inner = inner_line(line, square) | (below && above ? bit : 0);
            lines[line][square] = (struct along){inner, whole};
            place[line][square] = (uint8_t)__builtin_popcountll(whole & (bit - 1));
        }
}

static inline uint64_t along(int line, unsigned square, uint64_t occ) {
    const struct along *masks = &lines[line][square];
    return _pdep_u64(row[place[line][square]][_pext_u64(occ, masks->inner)], masks->line);
}

static inline uint64_t rook_attacks(unsigned square, uint64_t occ) {
    return along(ALONG_RANK, square, occ) | along(ALONG_FILE, square, occ);
}

static inline uint64_t bishop_attacks(unsigned square, uint64_t occ) {
    return along(ALONG_DIAGONAL, square, occ) | along(ALONG_ANTIDIAGONAL, square, occ);
}

#define TABLE_BYTES sizeof row
#define SQUARE_BYTES (sizeof lines + sizeof place)
