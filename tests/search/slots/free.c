/* The count of search/slots/count.c against free magics, and its tables of overlaps against their sums.
 *
 *     cc -O3 -march=native -I search/slots tests/search/slots/free.c -o free
 *     ./free d1 10 300
 *
 * A free magic is a line's step a and moves v of the six squares of the file, chosen freely, not as multiples of one
 * m: what is said of all m must hold for them, too, and their translates may lie on each other far more often.
 *
 * - Of a line of three squares moves are chosen one after the other, so that few slots are taken. Each bound on the way
 *   must be at most what all takes in the end.
 * - The extreme: every square's translates on each other. No line does that, but the count knows lines as numbers of
 *   points and pairs only, and must allow it: each attack of the file takes as many slots as the line, seven in all.
 * - An entry of a table of overlaps is at least what the sum over the entries before it is, at any move of the cell;
 *   and where `reach` says what the largest one would be, it is at least what it is.
 *
 * Exit status 1 if not.
 */
#define main count_main
#include "count.c"
#undef main

enum { TRIES = 150 };

static u64 random_word(void)
{
    static u64 s = 88172645463325252ULL;
    s ^= s << 13, s ^= s >> 7, s ^= s << 17;
    return s * 2685821657736338717ULL;
}

static long free_magics, not_feasible, close_;

/* Whether all is said to have room in so many slots. */
static int fits(int used, int known, double most)
{
    int kept = slots;
    slots = used;
    int yes = has_room(known, most);
    slots = kept;
    return yes;
}

/* A line of three squares, with attacks at random: of those that a rook has free magics are too rare. */
static void random_line(void)
{
    int squares[3] = {1 + (int)(random_word() % 2), 3 + (int)(random_word() % 2), 5 + (int)(random_word() % 2)};
    patterns = 8;
    kinds = 1 + (int)(random_word() % 4);
    lowest = squares[0];
    most_k = 0;
    memset(pattern_of, 255, sizeof pattern_of);
    for (int n = 0; n < patterns; n++) {
        k_of[n] = 0;
        for (int i = 0; i < 3; i++)
            if (n >> i & 1) k_of[n] |= 1 << (squares[i] - lowest);
        attack_of[n] = n < kinds ? n : (int)(random_word() % (u64)kinds);
        pattern_of[k_of[n]] = n;
        if (k_of[n] > most_k) most_k = k_of[n];
    }
}

static void random_node(void)
{
    int known = bits + 8 + (int)(random_word() % 5);
    u64 begin = random_word();
    switch (random_word() % 4) {
    case 0: begin = (begin >> shift << shift) - (random_word() % 40 << (shift - 9)); break; /* whole steps */
    case 1: begin = random_word() % 6 << shift | random_word() >> bits; break;              /* small ones */
    case 2: begin = (u64)((unsigned __int128)(random_word() % 64) * ~(u64)0 / (1 + random_word() % 64)); /* fractions */
    }
    build(begin >> (64 - known) << (64 - known), ((u64)1 << (64 - known)) - 1);
    memset(shared, 0, sizeof shared);
    sum[0] = difference[0][0] = 0;
    times[0][0] = 0;
    held[0] = least[0] = least_line;
    for (int r = 0; r < steps; r++)
        for (int x = 0; x < 2 * WIDTH; x++) table[0][r][x] = may[r][x] ? (u8)(half[r][x] + 1) : 0;
}

/* A move that may well lay what is known on itself. */
static u64 random_move(u64 a, const u64 *v, int known)
{
    u64 little = (u64)((i64)random_word() >> (bits - 1 + (int)(random_word() % 5)));
    switch (random_word() % 5) {
    case 0: return random_word();
    case 1: return (u64)0 - a * (random_word() % 64) + little;
    case 2: return (u64)((i64)random_word() >> (bits - 6 + (int)(random_word() % 8)));
    case 3: if (known) return v[random_word() % (u64)known] * (random_word() % 3) + little;
    }
    return (random_word() % (u64)slots << shift) + little;
}

/* Put the line's translates by all known sums and y down as one attack of the file: how many slots are new; -1: in conflict. */
static int put_down(short *own, u64 a, u64 t, const u64 *sums, int count, u64 y, int kind)
{
    int new = 0;
    for (int f = 0; f < count; f++)
        for (int n = 0; n < patterns; n++) {
            short mine = (short)(kind * kinds + attack_of[n]), *at = &own[((u64)k_of[n] * a + t + sums[f] + y) >> shift];
            if (*at >= 0 && *at != mine) return -1;
            new += *at < 0;
            *at = mine;
        }
    return new;
}

/* One free magic in few slots, if chance meets one: how often it is said to need more. */
static long try_free_magic(void)
{
    static short own[1 << 11], tried[1 << 11];
    u64 a = line_begin + (random_word() & line_width), t = random_word(), v[SQUARES], sums[1 << SQUARES] = {0};
    if (random_word() & 1) t = (u64)0 - a * (random_word() % 64) - (random_word() >> (bits + 4));
    memset(own, 255, sizeof own);
    int used = put_down(own, a, t, sums, 1, 0, 0);
    if (used < 0) return 0;
    long wrong = used < least_line;
    for (int known = 0; known < SQUARES; known++) {
        int fewest = -1;
        for (int i = 0; i < TRIES; i++) {
            u64 y = random_move(a, v, known);
            memcpy(tried, own, sizeof own);
            int new = put_down(tried, a, t, sums, 1 << known, y, known + 1);
            if (new >= 0 && (fewest < 0 || new < fewest)) fewest = new, v[known] = y;
        }
        if (fewest < 0) return wrong;
        used += put_down(own, a, t, sums, 1 << known, v[known], known + 1);
        for (int f = 0; f < 1 << known; f++) sums[f + (1 << known)] = sums[f] + v[known];
    }
    free_magics++;
    int most = most_overlap;
    wrong += !fits(used, 0, most);
    for (int known = 0; known < SQUARES; known++) {
        int f = overlap_of(known, v[known]);
        if (f < 0) return not_feasible++, wrong + 1; /* its translates miss each other */
        count_in(known, f);
        extend(known, v[known]);
        most = known == 0 ? fill(0, v[0]) : known == 1 ? fill(1, v[1]) : 4 * most;
        if (known + 1 == SQUARES) break;
        wrong += !fits(used, known + 1, most);
        close_ += !fits(used * 9 / 10, known + 1, most);
    }
    return wrong;
}

/* Every square's translates on each other. */
static long lie_on_each_other(void)
{
    long wrong = 0;
    least_line = patterns;
    shared[0] = 0;
    held[0] = least[0] = patterns;
    for (int known = 0; known < SQUARES; known++) {
        int f = patterns << 2 * known; /* 4^known pairs of translates, all their points */
        wrong += !fits(7 * patterns, known, f) + !fits(7 * patterns, known, 4.0 * f);
        wrong += f > all_pairs(known);
        count_in(known, f);
        wrong += least[known + 1] > patterns + 1e-6;
    }
    return wrong;
}

/* Of tables of overlaps: how often an entry is less than the sum at some move of its cell. */
static long too_small(void)
{
    long wrong = 0;
    u64 v[2] = {0};
    for (int known = 0; known < 2; known++) {
        do v[known] = random_move(line_begin, v, known); while (random_word() % 8 && overlap_of(known, v[known]) < 0);
        if (random_word() % 4 == 0) v[known] = v[known] >> (shift - GRAIN) << (shift - GRAIN); /* exactly a cell's begin */
        fill(known, v[known]);
        extend(known, v[known]);
        for (int i = 0; i < 20000; i++) {
            u64 y = i & 1 ? random_word() : random_move(line_begin, v, known + 1);
            int f = overlap_of(known + 1, y), code = *place(table[known + 1], cell(y));
            wrong += f >= 0 && (!code || overlap_by(code) < f);
        }
        if (known) break;
        /* What fill would find of 256 moves, which reach says without it. */
        u8 best[WIDTH];
        u64 below = v[0] + (u64)((i64)random_word() >> (bits + 2));
        int code = 2 + (int)(random_word() % 12);
        if (random_word() % 4 == 0) below = below >> (shift - GRAIN) << (shift - GRAIN);
        find_anchors((code + 3) / 4);
        if (anchors >= MOST_ANCHORS) continue;
        fill_second();
        reach(below, code, best);
        for (int x = 0; x < WIDTH; x += 1 + (int)(random_word() % 16)) {
            int most = fill(1, below + ((u64)x << 56));
            wrong += most > overlap_by(best[x]) && most >= overlap_by(code);
        }
    }
    return wrong;
}

int main(int argc, char **argv)
{
    long few = 0, extreme = 0, small = 0;
    if (argc != 4) return 2;
    bits = (int)number_of(argv[2], "BITS", 8, 11);
    begin_square(argv[1][0] - 'a');
    extreme = lie_on_each_other();
    for (long node = 0; node < atol(argv[3]); node += 20) {
        random_node();
        small += too_small();
    }
    for (long node = 0; node < atol(argv[3]); node++) {
        random_line();
        random_node();
        few += try_free_magic();
    }
    printf("%s, %s bits: %ld free magics, %ld not feasible, %ld bounds within a tenth; wrong: %ld bounds, %ld of the extreme, "
           "%ld entries\n", argv[1], argv[2], free_magics, not_feasible, close_, few, extreme, small);
    return few || extreme || small;
}
