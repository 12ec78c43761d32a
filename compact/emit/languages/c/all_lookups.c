static const int STEPS[2][4][2] = {
    {{0, 1}, {1, 0}, {0, -1}, {-1, 0}},
    {{1, 1}, {1, -1}, {-1, -1}, {-1, 1}}
};
static unsigned long lookups = 0;
static uint64_t state = 88172645463325252u;

static int on_board(int file, int rank) {
    return file >= 0 && file < 8 && rank >= 0 && rank < 8;
}

/* Each ray up to its first blocker; where less is 1, without its last square. */
static uint64_t reached(int piece, unsigned square, uint64_t occupied, int less) {
    uint64_t squares = 0;
    for (int d = 0; d < 4; d++) {
        int x = STEPS[piece][d][0], y = STEPS[piece][d][1];
        int file = (int)(square & 7) + x, rank = (int)(square >> 3) + y;
        for (; on_board(file + less * x, rank + less * y); file += x, rank += y) {
            uint64_t bit = (uint64_t)1 << (8 * rank + file);
            squares |= bit;
            if (occupied & bit) break;
        }
    }
    return squares;
}

static uint64_t answer(int piece, unsigned square, uint64_t occupied) {
    lookups++;
    return piece ? bishop_attacks(square, occupied) : rook_attacks(square, occupied);
}

/* What is tried outside of the mask: each square, none, all, and some at random. */
static uint64_t others(int n) {
    if (n < 64) return (uint64_t)1 << n;
    if (n < 66) return n == 64 ? 0 : ~(uint64_t)0;
    state ^= state << 13;
    state ^= state >> 7;
    return state ^= state << 17;
}

static int count(uint64_t squares) {
    int n = 0;
    for (; squares; squares &= squares - 1) n++;
    return n;
}

/* Of the occupancies that are answered wrongly, the one with the fewest squares is shown. */
static int wrong(int piece, unsigned square) {
    uint64_t mask = reached(piece, square, 0, 1), occ = 0, shown = 0;
    int fewest = 65;
    do {
        uint64_t expected = reached(piece, square, occ, 0);
        for (int n = 0; n < 70; n++) {
            uint64_t more = others(n), occupied = occ | (more & ~mask);
            if (n < 64 && (more & mask)) continue;
            if (answer(piece, square, occupied) == expected || count(occupied) >= fewest) continue;
            fewest = count(occupied);
            shown = occupied;
        }
        occ = (occ - mask) & mask;
    } while (occ);
    if (fewest == 65) return 0;
    printf("wrong: %s on %c%u, occupied 0x%016llx, of it in the mask 0x%016llx:\n",
        piece ? "bishop" : "rook", "abcdefgh"[square & 7], (square >> 3) + 1,
        (unsigned long long)shown, (unsigned long long)(shown & mask));
    printf("  expected 0x%016llx, found 0x%016llx\n",
        (unsigned long long)reached(piece, square, shown, 0),
        (unsigned long long)answer(piece, square, shown));
    return 1;
}

int main(void) {
#ifdef CHECK_INIT
    CHECK_INIT();
#endif
    for (unsigned n = 0; n < 128; n++)
        if (wrong(n > 63, n & 63)) return 1;
    printf("right: %lu lookups, all occupancies of all masks\n", lookups);
    return 0;
}
