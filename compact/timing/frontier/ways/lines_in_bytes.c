/* Lines in bytes: kindergarten with rows of one byte. A multiplication gathers the six inner squares
   of a line, 512 bytes serve all lines, and a multiplication spreads the byte: over all ranks for
   ranks and diagonals, or along one file. */

#define A_FILE UINT64_C(0x0101010101010101)
#define B_FILE UINT64_C(0x0202020202020202)
#define INNER_OF_A_FILE UINT64_C(0x0004081020408000)
#define SEVEN_STEPS UINT64_C(0x0002040810204081)

static uint8_t row[8][64];
static uint64_t diagonal[64], antidiagonal[64];

static void way_init(void) {
    for (unsigned square = 0; square < 64; square++) {
        diagonal[square] = whole_line(ALONG_DIAGONAL, square);
        antidiagonal[square] = whole_line(ALONG_ANTIDIAGONAL, square);
    }
    for (unsigned place = 0; place < 8; place++)
        for (uint64_t inner = 0; inner < 64; inner++)
            row[place][inner] = (uint8_t)line_attacks(ALONG_RANK, place, inner << 1);
}

/* Bit i of a byte to bit 8 * i. Seven bits at a time: bit 7 would meet bit 0 on its way. */
static inline uint64_t to_a_file(uint64_t byte) {
    return ((byte & 127) * SEVEN_STEPS & A_FILE) | byte >> 7 << 56;
}

static inline uint64_t by_files(uint64_t line, unsigned square, uint64_t occ) {
    return row[square & 7][(occ & line) * B_FILE >> 58] * A_FILE & line;
}

static inline uint64_t rook_attacks(unsigned square, uint64_t occ) {
    unsigned file = square & 7, rank = square >> 3;
    uint64_t on_rank = row[file][occ >> (8 * rank + 1) & 63];
    uint64_t inner = (occ >> file & A_FILE) * INNER_OF_A_FILE >> 58;
    return on_rank << (8 * rank) | to_a_file(row[rank][inner]) << file;
}

static inline uint64_t bishop_attacks(unsigned square, uint64_t occ) {
    return by_files(diagonal[square], square, occ) | by_files(antidiagonal[square], square, occ);
}

#define TABLE_BYTES sizeof row
#define SQUARE_BYTES (sizeof diagonal + sizeof antidiagonal)
