/* Obstruction difference: twice the first blocker above, less the first one below, is all squares
   from one to the other. */

static struct { uint64_t lower, upper; } half[4][64];

static void way_init(void) {
    for (int line = 0; line < 4; line++)
        for (unsigned square = 0; square < 64; square++) {
            half[line][square].lower = half_line(line, square, -1);
            half[line][square].upper = half_line(line, square, 1);
        }
}

static inline uint64_t between(int line, unsigned square, uint64_t occ) {
    uint64_t lower = half[line][square].lower, upper = half[line][square].upper;
    uint64_t above = upper & occ;
    uint64_t from_below = ~(uint64_t)0 << (63 - __builtin_clzll((lower & occ) | 1));
    return (2 * (above & (0 - above)) + from_below) & (lower | upper);
}

static inline uint64_t rook_attacks(unsigned square, uint64_t occ) {
    return between(ALONG_RANK, square, occ) | between(ALONG_FILE, square, occ);
}

static inline uint64_t bishop_attacks(unsigned square, uint64_t occ) {
    return between(ALONG_DIAGONAL, square, occ) | between(ALONG_ANTIDIAGONAL, square, occ);
}

#define TABLE_BYTES 0
#define SQUARE_BYTES sizeof half
