/* Hyperbola quintessence with byte swaps: occupied - square runs to the first blocker above, and on
   the board with its ranks swapped to the first one below. Ranks, which a byte swap does not turn
   round, are looked up in 512 bytes. */

static uint64_t file_line[64], diagonal[64], antidiagonal[64];
static uint8_t rank_table[8][64];

static void way_init(void) {
    for (unsigned square = 0; square < 64; square++) {
        file_line[square] = whole_line(ALONG_FILE, square);
        diagonal[square] = whole_line(ALONG_DIAGONAL, square);
        antidiagonal[square] = whole_line(ALONG_ANTIDIAGONAL, square);
    }
    for (unsigned file = 0; file < 8; file++)
        for (unsigned inner = 0; inner < 64; inner++)
            rank_table[file][inner] = (uint8_t)line_attacks(ALONG_RANK, file, inner << 1);
}

static inline uint64_t up(uint64_t line, uint64_t bit, uint64_t occ) {
    return ((occ & line) - bit) & line;
}

static inline uint64_t rook_attacks(unsigned square, uint64_t occ) {
    unsigned first = square & 56, turned = square ^ 56;
    uint64_t line = file_line[square], bit = (uint64_t)1 << square;
    uint64_t down = up(file_line[turned], (uint64_t)1 << turned, __builtin_bswap64(occ));
    uint64_t rank = rank_table[square & 7][occ >> (first + 1) & 63];
    return (up(line, bit, occ) ^ __builtin_bswap64(down)) | rank << first;
}

static inline uint64_t bishop_attacks(unsigned square, uint64_t occ) {
    unsigned turned = square ^ 56;
    uint64_t bit = (uint64_t)1 << square, bit_turned = (uint64_t)1 << turned;
    uint64_t swapped = __builtin_bswap64(occ);
    uint64_t above = up(diagonal[square], bit, occ) | up(antidiagonal[square], bit, occ);
    /* On the swapped board a diagonal is an antidiagonal; both are there. */
    uint64_t below = up(diagonal[turned], bit_turned, swapped)
        | up(antidiagonal[turned], bit_turned, swapped);
    return above ^ __builtin_bswap64(below);
}

#define TABLE_BYTES sizeof rank_table
#define SQUARE_BYTES (sizeof file_line + sizeof diagonal + sizeof antidiagonal)
