typedef unsigned long long u64;
typedef struct { u64 p[2]; } B;

/* Shogi, 9 x 9: square 0 is i9, 1 is i8, ... The first 63 have their bits in p[0], the rest in p[1]. */
static int part(int s) { return s >= 63; }
static u64 bit(int s) { return 1ull << (part(s) ? s - 63 : s); }

static B walk(int s, B o, const int (*steps)[2], int count) {
    B found = {{0, 0}};
    for (int n = 0; n < count; n++) {
        int file = s / 9 + steps[n][0], rank = s % 9 + steps[n][1];
        for (; file >= 0 && file < 9 && rank >= 0 && rank < 9; file += steps[n][0], rank += steps[n][1]) {
            int to = 9 * file + rank;
            found.p[part(to)] |= bit(to);
            if (o.p[part(to)] & bit(to)) break;
        }
    }
    return found;
}
static const int sides[4][2] = {{0, -1}, {0, 1}, {1, 0}, {-1, 0}};
static const int corners[4][2] = {{1, 1}, {1, -1}, {-1, 1}, {-1, -1}};
static B lance(int black, int s, B o) { return walk(s, o, black ? sides : sides + 1, 1); }
static B rook(int s, B o) { return walk(s, o, sides, 4); }
static B bishop(int s, B o) { return walk(s, o, corners, 4); }
static B king(int s) { B all = {{~0ull, ~0ull}}, r = rook(s, all), b = bishop(s, all); r.p[0] |= b.p[0]; r.p[1] |= b.p[1]; return r; }
