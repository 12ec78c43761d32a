/* How few slots can a rook's attack sets take? A lower bound for every magic (docs/lower-bound.md has the lemmas).
 *
 *     rook WIDTH FILE BITS DIGITS UP DOWN...
 *     rook 8 4 10 8 6 0 5 0 4 1 3 2
 *
 * The rook stands on file FILE (from 0) of a board WIDTH squares wide, with UP inner squares of its file above it and DOWN
 * below; the step of its rank is any number a of slots, of 2^BITS on a circle. First the least slots that the rank's patterns
 * k a + t take: each cell of (a, t) is looked at, so it is exact. Then for each UP and DOWN the least for all attacks:
 * intervals of a are halved until each is above the least that was found, or 2^-DIGITS slots long.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef uint64_t u64;
typedef int64_t i64;
enum { PATTERNS = 64, TOP = 64, SLOTS = 1 << 12, SQUARES = 6, CELLS = 1300, NEVER = 255 };

static int patterns, top_k, slots, bits, shift;
static int k_of[PATTERNS], attack_of[PATTERNS], pattern_of[TOP], alike_at[TOP]; /* pairs of that difference */

static void begin_rank(int width, int file)
{
    int squares[SQUARES], count = 0, key[PATTERNS], kinds = 0;
    for (int square = 1; square < width - 1; square++)
        if (square != file) squares[count++] = square;
    patterns = 1 << count;
    memset(pattern_of, 255, sizeof pattern_of);
    for (int n = 0; n < patterns; n++) {
        int left = 0, right = width - 1, kind = 0;
        for (int i = 0; i < count; i++)
            if (n >> i & 1) {
                k_of[n] |= 1 << (squares[i] - squares[0]);
                if (squares[i] < file) left = squares[i];
                else if (squares[i] < right) right = squares[i];
            }
        while (kind < kinds && key[kind] != left * 8 + right) kind++;
        if (kind == kinds) key[kinds++] = left * 8 + right;
        attack_of[n] = kind;
        pattern_of[k_of[n]] = n;
        if (k_of[n] > top_k) top_k = k_of[n];
    }
    for (int n = 0; n < patterns; n++)
        for (int other = 0; other < patterns; other++)
            if (k_of[n] > k_of[other] && attack_of[n] == attack_of[other]) alike_at[k_of[n] - k_of[other]]++;
}

/* ---- The line alone, exactly: a = whole + theta, theta between neighbours of the Farey sequence (lemma 3). ---- */

static int cells;
static i64 from_p[CELLS], from_q[CELLS];         /* cell c is [p/q, next p/q) */
static unsigned char line_of[SLOTS / 2 + 1][CELLS]; /* its least slots, or no more if that is 7/8 of the
                                                       * patterns; NEVER: two attacks always share one */

/* Slots taken, or `enough` where two attacks share one, or it is so many. */
static int taken(const int place[PATTERNS], int whole, int enough)
{
    static unsigned now, last[SLOTS];
    static int owner[SLOTS];
    int count = 0;
    now++;
    for (int n = 0; n < patterns; n++) {
        int slot = (k_of[n] * whole + place[n]) & (slots - 1);
        if (last[slot] != now) {
            last[slot] = now;
            owner[slot] = attack_of[n];
            if (++count >= enough) return enough;
        } else if (owner[slot] != attack_of[n]) return enough;
    }
    return count;
}

/* How many slots less than patterns there can be: each pair that is alike and less than a slot apart saves at most one. */
static int most_shared(int whole, int p, int q)
{
    int shared = 0;
    for (int e = 1; e <= top_k; e++) /* e a is within a slot of 0 if its whole part is 0 or -1 */
        if (alike_at[e] && ((e * whole + e * p / q + 1) & (slots - 1)) <= 1) shared += alike_at[e];
    return shared;
}

static int count_lines(void)
{
    int p = 0, q = 1, next_p = 1, next_q = top_k, least = NEVER;
    memset(line_of, NEVER, sizeof line_of);
    for (; p < q; cells++) {
        int middle_p = p + next_p, middle_q = q + next_q; /* no two of its multiples have one fraction */
        int place[PATTERNS], part[PATTERNS], order[PATTERNS];
        from_p[cells] = p, from_q[cells] = q;
        for (int n = 0; n < patterns; n++) {
            int i = n;
            place[n] = k_of[n] * middle_p / middle_q;
            part[n] = k_of[n] * middle_p % middle_q;
            for (; i && part[order[i - 1]] < part[n]; i--) order[i] = order[i - 1];
            order[i] = n;
        }
        int near[SLOTS / 2 + 1], count = 0;
        for (int whole = 0; whole <= slots / 2; whole++) {
            int least_here = patterns - most_shared(whole, middle_p, middle_q);
            if (8 * least_here >= 7 * patterns) line_of[whole][cells] = (unsigned char)least_here;
            else near[count++] = whole;
        }
        for (int carried = 0; carried < patterns; carried++) { /* t lifts the largest fractions over the edge first */
            if (carried) place[order[carried - 1]]++;
            for (int i = 0; i < count; i++)
                line_of[near[i]][cells] = (unsigned char)taken(place, near[i], line_of[near[i]][cells]);
        }
        for (int whole = 0; whole <= slots / 2; whole++)
            if (line_of[whole][cells] < least) least = line_of[whole][cells];
        int times = (top_k + q) / next_q, new_p = times * next_p - p, new_q = times * next_q - q;
        p = next_p, q = next_q, next_p = new_p, next_q = new_q;
    }
    return least;
}

/* ---- By intervals: a in [begin, begin + width], in 2^-64 of the circle of slots. ---- */

static u64 begin, width, middle, half;
static i64 one; /* a slot */

typedef struct { u64 at; int overlaps, bars; } event;
static event events[1 << 15];
static int event_count, overlaps_at_0, bars_at_0;

static int by_place(const void *x, const void *y)
{
    u64 a = ((const event *)x)->at, b = ((const event *)y)->at;
    return (a > b) - (a < b);
}

static void add_arc(u64 from, u64 to, int overlaps, int bars) /* closed, on the circle of moves */
{
    events[event_count++] = (event){from, overlaps, bars};
    if (to + 1) events[event_count++] = (event){to + 1, -overlaps, -bars};
    if (to + 1 && to + 1 <= from) overlaps_at_0 += overlaps, bars_at_0 += bars;
}

static i64 between(const u64 *x, int i, int j, int wraps) { return (i64)x[j] - (i64)x[i] + (wraps ? one : 0); }

/* The most that the line can overlap itself, over all moves that are feasible for some a of the interval (lemmas 5, 6). */
static int most_overlap(void)
{
    u64 x[PATTERNS];
    event_count = overlaps_at_0 = bars_at_0 = 0;
    for (int n = 0; n < patterns; n++) x[n] = (u64)k_of[n] * middle & (u64)(one - 1);
    for (int d = -top_k; d <= top_k; d++) {
        int r[PATTERNS], alike[PATTERNS], count = 0, spans = 0;
        i64 gap = 0, slack = (i64)abs(d) * (i64)half, span[PATTERNS];
        for (int n = 0; n < patterns; n++) {
            int to = k_of[n] + d, i = count;
            if (to < 0 || to > top_k || pattern_of[to] < 0) continue;
            for (; i && x[r[i - 1]] > x[n]; i--) r[i] = r[i - 1];
            r[i] = n;
            count++;
        }
        if (!count) continue;
        for (int i = 0; i < count; i++) alike[i] = attack_of[r[i]] == attack_of[pattern_of[k_of[r[i]] + d]];
        for (int i = 0; i < count; i++) {
            int j = (i + 1) % count;
            i64 link = between(x, r[i], r[j], j <= i) + (i64)abs(k_of[r[j]] - k_of[r[i]]) * (i64)half;
            if (link > gap) gap = link;
        }
        if (gap > one) gap = one;
        for (int i = 0; i < count; i++) { /* arcs whose first place is i's */
            i64 near[PATTERNS], stop = 4 * one;
            int held = 0;
            if (!alike[i]) continue;
            for (int s = 0; s < count; s++) {
                int j = (i + s) % count;
                i64 away = between(x, r[i], r[j], j < i), drift = (i64)abs(k_of[r[j]] - k_of[r[i]]) * (i64)half;
                if (!alike[j] && away > drift && away + drift < one && away + drift < stop) stop = away + drift;
            }
            for (int s = 0; s < count; s++) {
                int j = (i + s) % count, p = held;
                i64 away = between(x, r[i], r[j], j < i), drift = (i64)abs(k_of[r[j]] - k_of[r[i]]) * (i64)half;
                i64 least = away - drift < 0 || away + drift >= one ? 0 : away - drift;
                if (!alike[j] || least > gap || least > stop) continue;
                for (; p && near[p - 1] > least; p--) near[p] = near[p - 1];
                near[p] = least;
                held++;
            }
            for (int c = 0; c < held; c++)
                if (c >= spans) span[spans++] = near[c];
                else if (near[c] < span[c]) span[c] = near[c];
        }
        u64 same_place = (u64)0 - (u64)(i64)d * middle; /* the move that lays k + d on k */
        i64 barred = one - gap - slack - 1;
        if (barred >= 0) add_arc(same_place - (u64)barred, same_place + (u64)barred, 0, 1);
        for (int c = 0; c < spans; c++) {
            i64 reach = one - span[c] + slack;
            if (reach >= 0) add_arc(same_place - (u64)reach, same_place + (u64)reach, 1, 0);
        }
    }
    qsort(events, (size_t)event_count, sizeof *events, by_place);
    int most = 0, overlaps = overlaps_at_0, bars = bars_at_0, i = 0;
    for (u64 at = 0;; at = events[i].at) {
        for (; i < event_count && events[i].at == at; i++) overlaps += events[i].overlaps, bars += events[i].bars;
        if (bars <= 0 && overlaps > most) most = overlaps;
        if (i == event_count) break;
    }
    return most < patterns ? most : patterns;
}

/* The last cell that begins no later than a, in 2^-64 of the circle within its slot. */
static int cell_of(u64 a)
{
    int low = 0, high = cells;
    while (high - low > 1) {
        int c = (low + high) / 2;
        if ((u64)from_p[c] << shift <= (a & (u64)(one - 1)) * (u64)from_q[c]) low = c;
        else high = c;
    }
    return low;
}

static int least_line(void)
{
    int least = NEVER, last = cell_of(begin + width);
    for (int c = cell_of(begin); c <= last; c++)
        if (line_of[begin >> shift][c] < least) least = line_of[begin >> shift][c];
    return least;
}

/* ---- The sum over the file's attacks, and the search for the least. ---- */

static int up, down, digits, least_found, found_line, found_overlap;
static u64 found;
static unsigned long long intervals;

/* Copies of `line` slots each, any two with at most `overlap` in common (lemma 4): the best k. */
static i64 joint(i64 line, i64 copies, i64 overlap)
{
    i64 all = line * copies, pairs = copies * (copies - 1) * overlap, k = 1 + pairs / all, over = 2 * k * all - pairs;
    i64 least = over <= 0 ? 0 : (over + k * (k + 1) - 1) / (k * (k + 1));
    return least > line ? least : line;
}

static int sum(int line, int overlap)
{
    i64 all = 0;
    for (int i = 0; i <= up; i++)
        for (int j = 0; j <= down; j++) all += joint(line, ((i64)1 << (i ? up - i : 0)) << (j ? down - j : 0), overlap);
    return (int)all;
}

static void search(u64 top, int known)
{
    begin = top << (64 - known);
    width = ((u64)1 << (64 - known)) - 1;
    half = (width + 1) / 2;
    middle = begin + half;
    intervals++;
    int line = least_line();
    if (line == NEVER || sum(line, patterns) >= least_found) return;
    int overlap = most_overlap(), least = sum(line, overlap);
    if (least >= least_found) return;
    if (known == digits) {
        least_found = least, found = top, found_line = line, found_overlap = overlap;
        return;
    }
    search(2 * top + 1, known + 1);
    search(2 * top, known + 1);
}

static int number(const char *text, int least, int most)
{
    char *end;
    long n = strtol(text, &end, 10);
    if (*end || !*text || n < least || n > most) {
        fprintf(stderr, "rook: %s: expected %d to %d\n", text, least, most);
        exit(2);
    }
    return (int)n;
}

int main(int argc, char **argv)
{
    if (argc < 7 || argc % 2 == 0) {
        fputs("usage: rook WIDTH FILE BITS DIGITS UP DOWN...\n", stderr);
        return 2;
    }
    int files = number(argv[1], 4, 8);
    begin_rank(files, number(argv[2], 0, files - 1));
    bits = number(argv[3], 6, 12);
    slots = 1 << bits;
    shift = 64 - bits;
    one = (i64)1 << shift;
    digits = bits + number(argv[4], 2, 24);
    printf("line %d\n", count_lines());
    for (int i = 5; i < argc; i += 2) {
        up = number(argv[i], 0, SQUARES);
        down = number(argv[i + 1], 0, SQUARES - up);
        least_found = 1 << 30;
        intervals = 0;
        /* Half of the circle is enough (lemma 2); the last interval begins where the half ends. */
        for (u64 top = 0; top <= (u64)1 << (bits + 1); top++) search(top, bits + 2);
        printf("file %d %d least %d line %d overlap %d from 0x%llx digits %d intervals %llu\n", up, down, least_found, found_line,
               found_overlap, (unsigned long long)found, digits, intervals);
    }
    return 0;
}
