/* Kindergarten: a multiplication gathers the six inner squares of a line, one for each file (for a
   file, one for each rank), into an index. The word found has the pattern on every rank. */

#define A_FILE UINT64_C(0x0101010101010101)
#define B_FILE UINT64_C(0x0202020202020202)
#define C2_TO_H7 UINT64_C(0x0080402010080400)

static uint64_t rank_line[64], diagonal[64], antidiagonal[64];
static uint64_t every_rank[8][64], a_file[8][64];

static inline uint64_t file_index(uint64_t on_a_file) {
    return on_a_file * C2_TO_H7 >> 58;
}

static void way_init(void) {
    for (unsigned square = 0; square < 64; square++) {
        rank_line[square] = whole_line(ALONG_RANK, square);
        diagonal[square] = whole_line(ALONG_DIAGONAL, square);
        antidiagonal[square] = whole_line(ALONG_ANTIDIAGONAL, square);
    }
    for (unsigned place = 0; place < 8; place++)
        for (uint64_t inner = 0; inner < 64; inner++) {
            every_rank[place][inner] = A_FILE * line_attacks(ALONG_RANK, place, inner << 1);
            uint64_t occ = 0;
            for (int rank = 1; rank < 7; rank++) occ |= (inner >> (rank - 1) & 1) << (8 * rank);
            a_file[place][file_index(occ)] = line_attacks(ALONG_FILE, 8 * place, occ);
        }
}

static inline uint64_t by_files(uint64_t line, unsigned square, uint64_t occ) {
    return every_rank[square & 7][(occ & line) * B_FILE >> 58] & line;
}

static inline uint64_t rook_attacks(unsigned square, uint64_t occ) {
    unsigned file = square & 7;
    return by_files(rank_line[square], square, occ)
        | a_file[square >> 3][file_index(occ >> file & A_FILE)] << file;
}

static inline uint64_t bishop_attacks(unsigned square, uint64_t occ) {
    return by_files(diagonal[square], square, occ) | by_files(antidiagonal[square], square, occ);
}

#define TABLE_BYTES (sizeof every_rank + sizeof a_file)
#define SQUARE_BYTES (sizeof rank_line + sizeof diagonal + sizeof antidiagonal)
