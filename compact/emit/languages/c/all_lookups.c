static const int STEPS[2][4][2] = {
    {{0, 1}, {1, 0}, {0, -1}, {-1, 0}},
    {{1, 1}, {1, -1}, {-1, -1}, {-1, 1}}
};
static const char *const NAMES[2] = {"rook", "bishop"};
static unsigned long lookups = 0;

static int on_board(int file, int rank) {
    return file >= 0 && file < 8 && rank >= 0 && rank < 8;
}

/* The attacked squares: each ray up to its first blocker. */
static uint64_t walk(int piece, unsigned square, uint64_t occupied) {
    uint64_t reached = 0;
    for (int d = 0; d < 4; d++) {
        int by_file = STEPS[piece][d][0], by_rank = STEPS[piece][d][1];
        int file = (int)(square & 7) + by_file, rank = (int)(square >> 3) + by_rank;
        for (; on_board(file, rank); file += by_file, rank += by_rank) {
            uint64_t bit = (uint64_t)1 << (8 * rank + file);
            reached |= bit;
            if (occupied & bit) break;
        }
    }
    return reached;
}

/* The relevant occupancy: the rays without the last square of each. */
static uint64_t relevant(int piece, unsigned square) {
    uint64_t squares = 0;
    for (int d = 0; d < 4; d++) {
        int by_file = STEPS[piece][d][0], by_rank = STEPS[piece][d][1];
        int file = (int)(square & 7) + by_file, rank = (int)(square >> 3) + by_rank;
        for (; on_board(file + by_file, rank + by_rank); file += by_file, rank += by_rank)
            squares |= (uint64_t)1 << (8 * rank + file);
    }
    return squares;
}

static int wrong(int piece, unsigned square, uint64_t occupied, uint64_t expected) {
    uint64_t found = piece ? bishop_attacks(square, occupied) : rook_attacks(square, occupied);
    lookups++;
    if (found == expected) return 0;
    printf("wrong: %s on %c%u, occupied 0x%016llx, of it in the mask 0x%016llx:\n",
        NAMES[piece], "abcdefgh"[square & 7], (square >> 3) + 1, (unsigned long long)occupied,
        (unsigned long long)(occupied & relevant(piece, square)));
    printf("  expected 0x%016llx, found 0x%016llx\n",
        (unsigned long long)expected, (unsigned long long)found);
    return 1;
}

static uint64_t random_word(uint64_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

/* One occupancy of the mask, with all that is tried outside the mask. */
static int wrong_around(int piece, unsigned square, uint64_t occ, uint64_t mask, uint64_t *state) {
    uint64_t expected = walk(piece, square, occ), outside = ~mask;
    if (wrong(piece, square, occ, expected)) return 1;
    if (wrong(piece, square, occ | outside, expected)) return 1;
    for (uint64_t rest = outside; rest; rest &= rest - 1)
        if (wrong(piece, square, occ | (rest & (0 - rest)), expected)) return 1;
    for (int n = 0; n < 4; n++)
        if (wrong(piece, square, occ | (random_word(state) & outside), expected)) return 1;
    return 0;
}

int main(void) {
    uint64_t state = 88172645463325252u;
#ifdef CHECK_INIT
    CHECK_INIT();
#endif
    for (int piece = 0; piece < 2; piece++) {
        for (unsigned square = 0; square < 64; square++) {
            uint64_t mask = relevant(piece, square), occ = 0;
            do {
                if (wrong_around(piece, square, occ, mask, &state)) return 1;
                occ = (occ - mask) & mask;
            } while (occ);
        }
    }
    printf("right: %lu lookups, all occupancies of all masks\n", lookups);
    return 0;
}
