/* Hyperbola quintessence with bit reversal: all four lines alike, and no table. The reversal of a
   line is that line of the opposite square. ARM has an instruction for it, x86 has none. */

static uint64_t full_line[4][64];

static inline uint64_t reversed(uint64_t word) {
#if defined(__aarch64__)
    __asm__("rbit %0, %1" : "=r"(word) : "r"(word));
    return word;
#else
    word = (word & UINT64_C(0x5555555555555555)) << 1 | (word >> 1 & UINT64_C(0x5555555555555555));
    word = (word & UINT64_C(0x3333333333333333)) << 2 | (word >> 2 & UINT64_C(0x3333333333333333));
    word = (word & UINT64_C(0x0f0f0f0f0f0f0f0f)) << 4 | (word >> 4 & UINT64_C(0x0f0f0f0f0f0f0f0f));
    return __builtin_bswap64(word);
#endif
}

static void way_init(void) {
    for (int line = 0; line < 4; line++)
        for (unsigned square = 0; square < 64; square++)
            full_line[line][square] = whole_line(line, square);
}

/* The attacks above a square, on two lines. */
static inline uint64_t above(int one, int other, unsigned square, uint64_t occ) {
    uint64_t bit = (uint64_t)1 << square;
    uint64_t first = full_line[one][square], second = full_line[other][square];
    return (((occ & first) - bit) & first) | (((occ & second) - bit) & second);
}

static inline uint64_t both_lines(int one, int other, unsigned square, uint64_t occ) {
    return above(one, other, square, occ)
        ^ reversed(above(one, other, 63 ^ square, reversed(occ)));
}

static inline uint64_t rook_attacks(unsigned square, uint64_t occ) {
    return both_lines(ALONG_RANK, ALONG_FILE, square, occ);
}

static inline uint64_t bishop_attacks(unsigned square, uint64_t occ) {
    return both_lines(ALONG_DIAGONAL, ALONG_ANTIDIAGONAL, square, occ);
}

#define TABLE_BYTES 0
#define SQUARE_BYTES sizeof full_line
