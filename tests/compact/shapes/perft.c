/* Counts the moves of five positions, with an engine's sliders. The numbers are those that everybody
   publishes; main fails where one differs. */

#include <stdint.h>
#include <stdio.h>
#include <string.h>

void engine_init(void);
uint64_t engine_rook(int square, uint64_t occupied);
uint64_t engine_bishop(int square, uint64_t occupied);

/* Squares hold letters, small ones for black, or 0. castling: bits K Q k q. */
typedef struct { char on[64]; int white, castling, passant; } Position;

static const struct { const char *board; int white; const char *castling; int passant, depth; long nodes; } tests[] = {
    {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR", 1, "KQkq", -1, 3, 8902},
    {"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R", 1, "KQkq", -1, 3, 97862},
    {"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8", 1, "", -1, 4, 43238},
    {"r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1", 1, "kq", -1, 3, 9467},
    {"rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R", 1, "KQ", -1, 3, 62379},
};

static int is_white(char piece) { return piece < 'a'; }
static char kind(char piece) { return (char)(piece | 32); }

static uint64_t steps(int square, const int (*by)[2], int count) {
    uint64_t found = 0;
    for (int n = 0; n < count; n++) {
        int file = square % 8 + by[n][0], rank = square / 8 + by[n][1];
        if (file >= 0 && file < 8 && rank >= 0 && rank < 8) found |= UINT64_C(1) << (8 * rank + file);
    }
    return found;
}

static const int knight[8][2] = {{1, 2}, {2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}};
static const int king[8][2] = {{0, 1}, {1, 1}, {1, 0}, {1, -1}, {0, -1}, {-1, -1}, {-1, 0}, {-1, 1}};
static const int pawn[2][2][2] = {{{-1, -1}, {1, -1}}, {{-1, 1}, {1, 1}}};

static uint64_t reached(char piece, int square, uint64_t occupied) {
    switch (kind(piece)) {
    case 'n': return steps(square, knight, 8);
    case 'k': return steps(square, king, 8);
    case 'r': return engine_rook(square, occupied);
    case 'b': return engine_bishop(square, occupied);
    case 'q': return engine_rook(square, occupied) | engine_bishop(square, occupied);
    default: return steps(square, pawn[is_white(piece)], 2);
    }
}

static uint64_t occupied_of(const Position *p) {
    uint64_t all = 0;
    for (int s = 0; s < 64; s++) if (p->on[s]) all |= UINT64_C(1) << s;
    return all;
}

static int attacked(const Position *p, int square, int by_white) {
    uint64_t all = occupied_of(p);
    for (int s = 0; s < 64; s++)
        if (p->on[s] && is_white(p->on[s]) == by_white && reached(p->on[s], s, all) >> square & 1) return 1;
    return 0;
}

static long perft(const Position *p, int depth);

static long moved(const Position *p, int from, int to, char becomes, int depth) {
    static const int corners[4] = {7, 0, 63, 56};
    Position next = *p;
    char piece = p->on[from];
    if (kind(piece) == 'p' && to == p->passant) next.on[to + (p->white ? -8 : 8)] = 0;
    next.on[to] = becomes;
    next.on[from] = 0;
    next.passant = kind(piece) == 'p' && (to - from == 16 || from - to == 16) ? (from + to) / 2 : -1;
    if (kind(piece) == 'k' && (to - from == 2 || from - to == 2)) {
        int rook = to > from ? to + 1 : to - 2;
        next.on[(from + to) / 2] = next.on[rook];
        next.on[rook] = 0;
    }
    if (kind(piece) == 'k') next.castling &= p->white ? ~3 : ~12;
    for (int n = 0; n < 4; n++) if (from == corners[n] || to == corners[n]) next.castling &= ~(1 << n);
    next.white = !p->white;
    for (int s = 0; s < 64; s++)
        if (next.on[s] == (p->white ? 'K' : 'k')) return attacked(&next, s, next.white) ? 0 : perft(&next, depth - 1);
    return 0;
}

static long pawn_moved(const Position *p, int from, int to, int depth) {
    long nodes = 0;
    if (to > 7 && to < 56) return moved(p, from, to, p->on[from], depth);
    for (const char *name = "QRBN"; *name; name++)
        nodes += moved(p, from, to, p->white ? *name : kind(*name), depth);
    return nodes;
}

static long castled(const Position *p, int from, int depth) {
    long nodes = 0;
    if (attacked(p, from, !p->white)) return 0;
    for (int side = 0; side < 2; side++) {
        int by = side ? -1 : 1, clear = 1;
        if (!(p->castling >> (side + (p->white ? 0 : 2)) & 1)) continue;
        for (int n = 1; n <= (side ? 3 : 2); n++) clear &= !p->on[from + n * by];
        if (clear && !attacked(p, from + by, !p->white)) nodes += moved(p, from, from + 2 * by, p->on[from], depth);
    }
    return nodes;
}

static long perft(const Position *p, int depth) {
    long nodes = 0;
    if (depth == 0) return 1;
    uint64_t all = occupied_of(p);
    for (int from = 0; from < 64; from++) {
        char piece = p->on[from];
        if (!piece || is_white(piece) != p->white) continue;
        uint64_t to = reached(piece, from, all);
        int up = p->white ? 8 : -8;
        for (int s = 0; s < 64; s++) {
            int taken = p->on[s] && is_white(p->on[s]) != p->white;
            if (!(to >> s & 1) || (p->on[s] && !taken)) continue;
            if (kind(piece) != 'p') nodes += moved(p, from, s, piece, depth);
            else if (taken || s == p->passant) nodes += pawn_moved(p, from, s, depth);
        }
        if (kind(piece) == 'k') nodes += castled(p, from, depth);
        if (kind(piece) == 'p' && !p->on[from + up]) {
            nodes += pawn_moved(p, from, from + up, depth);
            if (from / 8 == (p->white ? 1 : 6) && !p->on[from + 2 * up]) nodes += moved(p, from, from + 2 * up, piece, depth);
        }
    }
    return nodes;
}

int main(void) {
    engine_init();
    for (unsigned n = 0; n < sizeof tests / sizeof *tests; n++) {
        Position p = {{0}, tests[n].white, 0, tests[n].passant};
        int square = 56;
        for (const char *c = tests[n].board; *c; c++) {
            if (*c == '/') square -= 16;
            else if (*c >= '1' && *c <= '8') square += *c - '0';
            else p.on[square++] = *c;
        }
        for (int bit = 0; bit < 4; bit++) if (strchr(tests[n].castling, "KQkq"[bit])) p.castling |= 1 << bit;
        long found = perft(&p, tests[n].depth);
        printf("%ld ", found);
        if (found != tests[n].nodes) return 1;
    }
    return 0;
}
