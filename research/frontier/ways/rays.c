/* Rays and bit scans: cut each ray off behind its first blocker. A blocker at the end of the board
   is added, whose own ray is empty, so that nothing branches. */

static uint64_t ray_up[4][64], ray_down[4][64];

static void way_init(void) {
    for (int line = 0; line < 4; line++)
        for (unsigned square = 0; square < 64; square++) {
            ray_up[line][square] = half_line(line, square, 1);
            ray_down[line][square] = half_line(line, square, -1);
        }
}

static inline uint64_t both_rays(int line, unsigned square, uint64_t occ) {
    uint64_t up = ray_up[line][square], down = ray_down[line][square];
    int first_up = __builtin_ctzll((up & occ) | (uint64_t)1 << 63);
    int first_down = 63 - __builtin_clzll((down & occ) | 1);
    return (up ^ ray_up[line][first_up]) | (down ^ ray_down[line][first_down]);
}

static inline uint64_t rook_attacks(unsigned square, uint64_t occ) {
    return both_rays(ALONG_RANK, square, occ) | both_rays(ALONG_FILE, square, occ);
}

static inline uint64_t bishop_attacks(unsigned square, uint64_t occ) {
    return both_rays(ALONG_DIAGONAL, square, occ) | both_rays(ALONG_ANTIDIAGONAL, square, occ);
}

#define TABLE_BYTES 0
#define SQUARE_BYTES (sizeof ray_up + sizeof ray_down)
