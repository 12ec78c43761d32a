/* 32-bit bit gatherers (tables/gatherers/six_bits.toml): a line's six inner squares, gathered by one
   32-bit multiplication, choose its attacks. So a rook or a bishop takes two of them, where a magic
   takes one of 64 bits. */

static uint64_t line_mask[4][64], line_table[4][64][64];

static inline unsigned gathered(int line, unsigned square, uint64_t occ) {
    uint64_t on = occ & line_mask[line][square];
    uint32_t lo = (uint32_t)on, hi = (uint32_t)(on >> 32);
    if (line > ALONG_FILE) return (hi | lo) * UINT32_C(0x02020202) >> 26;
    return ((hi << 1 | hi >> 31) | lo) * UINT32_C(0x41041041) >> 26;
}

static void way_init(void) {
    for (int line = 0; line < 4; line++)
        for (unsigned square = 0; square < 64; square++) {
            uint64_t inner = inner_line(line, square), on = 0;
            line_mask[line][square] = inner;
            do {
                line_table[line][square][gathered(line, square, on)] = line_attacks(line, square, on);
                on = (on - inner) & inner;
            } while (on);
        }
}

static inline uint64_t along(int line, unsigned square, uint64_t occ) {
    return line_table[line][square][gathered(line, square, occ)];
}

static inline uint64_t rook_attacks(unsigned square, uint64_t occ) {
    return along(ALONG_RANK, square, occ) | along(ALONG_FILE, square, occ);
}

static inline uint64_t bishop_attacks(unsigned square, uint64_t occ) {
    return along(ALONG_DIAGONAL, square, occ) | along(ALONG_ANTIDIAGONAL, square, occ);
}

#define TABLE_BYTES sizeof line_table
#define SQUARE_BYTES sizeof line_mask
