/* What the ways need when they start: lines, and a walk along them. Lookups use nothing of it. */

enum { ALONG_RANK, ALONG_FILE, ALONG_DIAGONAL, ALONG_ANTIDIAGONAL };
static const int line_step[4][2] = {{1, 0}, {0, 1}, {1, 1}, {-1, 1}};
/* Steps by file and rank towards higher squares; a rook's lines come first. */

/* The squares from one square on (without it), up to and with the first that is occupied. */
static uint64_t ray_squares(unsigned square, int by_file, int by_rank, uint64_t occupied) {
    uint64_t reached = 0;
    int file = (int)(square & 7), rank = (int)(square >> 3);
    while ((file += by_file) >= 0 && file < 8 && (rank += by_rank) >= 0 && rank < 8) {
        uint64_t bit = (uint64_t)1 << (8 * rank + file);
        reached |= bit;
        if (occupied & bit) break;
    }
    return reached;
}

/* Half of a line: the squares above (1) or below (-1) a square. */
static inline uint64_t half_line(int line, unsigned square, int side) {
    return ray_squares(square, side * line_step[line][0], side * line_step[line][1], 0);
}

/* A line without the square itself. */
static inline uint64_t whole_line(int line, unsigned square) {
    return half_line(line, square, 1) | half_line(line, square, -1);
}

static inline uint64_t line_attacks(int line, unsigned square, uint64_t occupied) {
    int by_file = line_step[line][0], by_rank = line_step[line][1];
    return ray_squares(square, by_file, by_rank, occupied)
        | ray_squares(square, -by_file, -by_rank, occupied);
}

/* A line without its two ends, on which nothing can stand in the way. */
static inline uint64_t inner_line(int line, unsigned square) {
    uint64_t inner = 0;
    for (int side = -1; side <= 1; side += 2) {
        uint64_t half = half_line(line, square, side);
        for (uint64_t rest = half; rest; rest &= rest - 1) {
            unsigned other = (unsigned)__builtin_ctzll(rest);
            if (half_line(line, other, side)) inner |= (uint64_t)1 << other;
        }
    }
    return inner;
}
