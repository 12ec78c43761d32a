/* Rooks of rank 1: is there a magic? By counting the slots that the attack sets take.
 *
 *     cc -O3 -march=native -std=gnu11 -o count count.c
 *     ./count SQUARE BITS KNOWN LEAST MOST CUTS SHARD...
 *     ./count g1 9 8 12 39 2 300
 *
 * A shard is a whole step of the line: those m for which a, the move of the line's lowest square, has these top BITS
 * bits, and is in the upper half of its slot; and their -m, as the products of m and -m are each other's mirror image.
 * All m are in some shard, but those whose a is exactly whole slots: they do not move the file's highest square, and
 * are no magics. A node knows KNOWN bits of a beyond BITS, and up to CUTS more where the line may lie on itself LEAST
 * to MOST times. Why a node is dead: docs/window-search.md, "Counting slots".
 *
 * Prints "magic 0x..." for each magic (bits that do not matter are 0), "nodes N" now and then, and of each shard
 * "shard", its number, how many tables were built, and how many lines, sums of 1, 2, ... 6 squares and words were left.
 * It takes gcc or clang, little-endian.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __AVX512BW__
#include <immintrin.h>
#endif

typedef uint64_t u64;
typedef int64_t i64;
typedef uint8_t u8;
typedef u8 row __attribute__((vector_size(64), aligned(1), may_alias));

enum { SQUARES = 6, MOST_PATTERNS = 64, GRAIN = 4, WIDTH = 256, MOST_ROWS = 128, DEPTHS = 8 };

static int bits, shift, first, lowest, patterns, most_k, slots, cells, steps;
static int k_of[MOST_PATTERNS], attack_of[MOST_PATTERNS], pattern_of[256], kinds;
static unsigned long long nodes[DEPTHS], built;
static int line_bits, least_cut, most_cut, cuts; /* the plan */

/* ---- Rows of 64 bytes, and what stands in tables by cells of a move: 1/16 of a slot. ---- */

static row load(const u8 *at) { row r; memcpy(&r, at, sizeof r); return r; }
static void store(u8 *at, row r) { memcpy(at, &r, sizeof r); }
static row larger(row a, row b) { row m = (row)(a > b); return (a & m) | (b & ~m); }
static row add(row a, row b) { row r = a + b; return r | (row)(r < a); }
static row join(row x, row u, row w)
{
    row zero = {0}, three = zero + 3, alive = (row)((x != zero) & (u != zero) & (w != zero));
    return (add(add(x, x), add(u, w)) - three) & alive; /* where alive the sum is 4 or more */
}
static u64 at_least(row a, int most)
{
#ifdef __AVX512BW__ /* what follows, in one instruction */
    return _mm512_cmpge_epu8_mask((__m512i)a, _mm512_set1_epi8((char)most));
#else
    row limit = {0}, good = (row)(a >= limit + (u8)most);
    u64 mask = 0, word[8];
    memcpy(word, &good, sizeof word);
    for (int i = 0; i < 8; i++) mask |= ((word[i] & 0x0101010101010101) * 0x0102040810204080 >> 56) << 8 * i;
    return mask;
#endif
}

/* ---- The line: what moves it may be shifted by, and how much of it falls on itself then. ---- */

static u64 line_begin, line_width; /* the step a is in [begin, begin + width] */
static int least_line;             /* it takes at least so many slots */
static int most_overlap;
static u8 overlap[MOST_ROWS][2 * WIDTH], half[MOST_ROWS][2 * WIDTH], may[MOST_ROWS][2 * WIDTH], either[MOST_ROWS][2 * WIDTH];

static int by_cell(int y) { return y & (cells - 1); }
static u8 *place(u8 (*table)[2 * WIDTH], int y) { y &= cells - 1; return &table[y & (steps - 1)][y / steps]; }
static int cell(u64 y) { return (int)(y >> (shift - GRAIN)); }
static i64 magnitude(i64 x) { return x < 0 ? -x : x; }

static void build(u64 begin, u64 width)
{
    static u8 f[MOST_ROWS * WIDTH], e[MOST_ROWS * WIDTH];
    int order[MOST_PATTERNS];
    u64 unit = (u64)1 << shift, grain = unit >> GRAIN;
    i64 one = (i64)unit, w = (i64)width, drift = most_k * w;
    line_begin = begin;
    line_width = width;
    built++;
    memset(f, 0, (size_t)cells);
    memset(e, 1, (size_t)cells);
    u64 part[MOST_PATTERNS];
    for (int n = 0; n < patterns; n++) {
        part[n] = (u64)k_of[n] * begin & (unit - 1);
        int i = n;
        for (; i && part[order[i - 1]] > part[n]; i--) order[i] = order[i - 1];
        order[i] = n;
    }
    for (int d = -most_k; d <= most_k; d++) {
        i64 at[MOST_PATTERNS], gap = 0, span[MOST_PATTERNS + 2];
        int k[MOST_PATTERNS], same[MOST_PATTERNS], count = 0, most = 0;
        for (int i = 0; i < patterns; i++) {
            int n = order[i], to = k_of[n] + d;
            if (to < 0 || to > most_k || pattern_of[to] < 0) continue;
            at[count] = (i64)part[n];
            k[count] = k_of[n];
            same[count++] = attack_of[n] == attack_of[pattern_of[to]];
        }
        if (!count) continue;
        /* The largest gap between neighbours, for any step of the node. */
        for (int i = 0; i < count; i++) {
            int j = (i + 1) % count;
            i64 q = at[j] - at[i] + (j <= i ? one : 0);
            if (k[j] > k[i]) q += (k[j] - k[i]) * w;
            if (q > gap) gap = q;
        }
        if (gap > one) gap = one;
        /* span[c]: how long an arc must be that holds c alike and none that differ. */
        for (int c = 0; c <= MOST_PATTERNS; c++) span[c] = 4 * one;
        for (int i = 0; i < count; i++) {
            if (!same[i]) continue;
            i64 need[MOST_PATTERNS];
            int held = 0, stop = -1;
            for (int step = 0; step < count; step++) {
                int j = (i + step) % count;
                i64 away = at[j] - at[i] + (j < i ? one : 0), move = (k[j] - k[i]) * w;
                int round = away + (move > 0 ? move : 0) >= one;
                if (away > gap + drift && away + drift < one) { /* too far: on to those that may come round */
                    continue;
                }
                if (!same[j]) {
                    if (stop < 0 && !round && away + (move < 0 ? move : 0) > 0) stop = j;
                    continue;
                }
                i64 least = round ? 0 : away + (move < 0 ? move : 0);
                if (least < 0) least = 0;
                if (least > gap) continue;
                if (stop >= 0 && !round) {
                    i64 from = at[j] - at[stop] + (j < stop ? one : 0), moved = (k[j] - k[stop]) * w;
                    if (from + (moved < 0 ? moved : 0) > 0) continue;
                }
                int at_ = held++;
                for (; at_ && need[at_ - 1] > least; at_--) need[at_] = need[at_ - 1];
                need[at_] = least;
            }
            for (int c = 0; c < held; c++)
                if (need[c] < span[c + 1]) span[c + 1] = need[c];
            if (held > most) most = held;
        }
        u64 base = (u64)0 - (u64)(i64)d * begin; /* there y + d a is 0, at the node's begin */
        i64 moves = d * w;
        int from = cell(base - unit - (u64)(moves > 0 ? moves : 0)) - 1;
        int number = (int)((2 * one + magnitude(moves)) / (i64)grain) + 4;
        for (int i = 0; i < number; i++) {
            int c = by_cell(from + i);
            i64 low = (i64)(((u64)c << (shift - GRAIN)) - base), high = low + (i64)grain;
            if (moves > 0) high += moves;
            else low += moves;
            i64 far = magnitude(low) > magnitude(high) ? magnitude(low) : magnitude(high);
            i64 near = low <= 0 && high >= 0 ? 0 : magnitude(low) < magnitude(high) ? magnitude(low) : magnitude(high);
            if (near >= one) continue;
            if (one - far > gap) {
                e[c] = 0;
                continue;
            }
            i64 arc = one - near < gap ? one - near : gap;
            int c_ = 0;
            while (c_ < most && span[c_ + 1] <= arc) c_++;
            f[c] = (u8)(f[c] + c_ > patterns ? patterns : f[c] + c_);
        }
    }
    most_overlap = 0;
    /* A move and its opposite are one question. */
    for (int y = 0; y < cells; y++) {
        int mirror = cells - 1 - y;
        if (f[mirror] > f[y]) f[y] = f[mirror];
        e[y] |= e[mirror];
    }
    for (int y = 0; y < cells; y++) {
        u8 q = e[y] ? f[y] : 0;
        if (q > most_overlap) most_overlap = q;
        for (int copy = 0; copy < 2 * WIDTH; copy += WIDTH) {
            overlap[y & (steps - 1)][y / steps + copy] = q;
            half[y & (steps - 1)][y / steps + copy] = (u8)((q + 1) / 2);
            may[y & (steps - 1)][y / steps + copy] = e[y] ? 255 : 0;
            either[y & (steps - 1)][y / steps + copy] = e[y] ? q + 1 : 0;
        }
    }
    least_line = patterns;
    for (int d = 1; d <= most_k; d++) {
        i64 low = (i64)((u64)d * begin), high = low + d * w;
        if (high < 0 && low > 0) high = INT64_MAX; /* beyond half of all: far from 0 */
        if (high <= -one || low >= one) continue;
        for (int n = 0; n < patterns; n++) {
            int to = k_of[n] + d;
            least_line -= to <= most_k && pattern_of[to] >= 0 && attack_of[n] == attack_of[pattern_of[to]];
        }
    }
    /* Or: those that are a slot or more apart, whatever the step, one after the other. */
    u64 at[MOST_PATTERNS];
    int who[MOST_PATTERNS], apart = 1, last = 0;
    for (int n = 0; n < patterns; n++) {
        u64 x = (u64)k_of[n] * begin;
        int i = n;
        for (; i && at[i - 1] > x; i--) at[i] = at[i - 1], who[i] = who[i - 1];
        at[i] = x;
        who[i] = k_of[n];
    }
    for (int n = 1; n < patterns; n++) {
        i64 back = (who[last] - who[n]) * w, round = (who[n] - who[0]) * w;
        if (at[n] - at[last] < unit + (u64)(back > 0 ? back : 0)) continue;
        if (at[0] - at[n] < unit + (u64)(round > 0 ? round : 0)) continue;
        last = n;
        apart++;
    }
    if (apart > least_line) least_line = apart;
    /* Or: the slots that hold a pattern for certain, wherever slots begin. */
    for (int t = 0, fewest_ = patterns; t < 64; t++) {
        u64 moved = (u64)t << (shift - 6);
        int count = 0;
        i64 before = -1; /* at is in order, so equal slots are neighbours */
        for (int n = 0; n < patterns; n++) {
            u64 low = at[n] + moved, high = low + (u64)(who[n] * w) + (unit >> 6);
            if (low >> shift != high >> shift || (i64)(low >> shift) == before) continue;
            before = (i64)(low >> shift);
            count++;
        }
        count -= count > 1 && before == (i64)((at[0] + moved) >> shift); /* all the way round */
        if (count < fewest_) fewest_ = count;
        if (t == 63 && fewest_ > least_line) least_line = fewest_;
    }
}

/* ---- What is known exactly: m's low bits, so the moves of the highest squares of the file. ---- */

/* Of so many squares: 3^n. */
static const int differences[] = {1, 3, 9, 27, 81, 243};

static u64 sum[1 << SQUARES], difference[SQUARES][243];
static int times[SQUARES][243];  /* log2 of how often it occurs */
static double held[SQUARES + 1]; /* slots that the known squares take, at least */

/* Who owns a slot for certain, for m and for -m; FREE: nobody. Slot s is at [s % phases][s / phases], and once more
 * WIDTH later, so that what a square's 256 moves fall on lies side by side.
 */
enum { FREE = 0, MOST_PHASES = 8 };
static u8 owner[SQUARES + 1][MOST_PHASES + 1][2 * WIDTH] __attribute__((aligned(64)));
static int phases, phases_log;

/* Beside them a row that nobody owns, for those that may fall on two slots. */
enum { NOWHERE = MOST_PHASES * 2 * WIDTH };

typedef u64 words __attribute__((vector_size(64)));
typedef int numbers __attribute__((vector_size(32)));

static u64 line_at[MOST_PATTERNS], line_more[MOST_PATTERNS]; /* its patterns, mixed; how far the step moves them */
static u8 line_attack[MOST_PATTERNS];

/* Where in a table of owners eight patterns of the line are, moved by `v` and each sum: count * 8 places. */
static void find_places(int n, const u64 *sums, int count, u64 v, int *places)
{
    words at, more;
    memcpy(&at, line_at + n, sizeof at);
    memcpy(&more, line_more + n, sizeof more);
    at += v;
    for (int i = 0; i < count; i++) {
        words low = at + sums[i], slot = low >> shift, sure = (words)(((low - 1) ^ (low + more)) >> shift == 0);
        words at_slot = (slot & (u64)(phases - 1)) * (2 * WIDTH) + (slot >> phases_log);
        at_slot = (at_slot & sure) | (NOWHERE & ~sure);
        numbers all = __builtin_convertvector(at_slot, numbers);
        memcpy(places + 8 * i, &all, sizeof all);
    }
}

/* The translates of the line by the known sums, and v: whether no two attacks share a slot for certain. */
static int own_slots(int known, const u64 *sums, int count, u64 v, int first_attack, int *taken_)
{
    int places[8 << SQUARES], all = patterns, taken_now = 0;
    u8 *owners = owner[known][0];
    for (int n = 0; n < all; n += 8) {
        u8 mine[8];
        for (int i = 0; i < 8; i++) mine[i] = (u8)(first_attack + line_attack[n + i]);
        find_places(n, sums, count, v, places);
        for (int i = 0; i < 8 * count; i++) {
            if (places[i] == NOWHERE) continue;
            u8 *at = owners + places[i], old = *at;
            if (old == FREE) at[0] = at[WIDTH] = mine[i & 7], taken_now++;
            else if (old != mine[i & 7]) return 0;
        }
    }
    *taken_ += taken_now;
    return 1;
}

static int begin_line(void)
{
    int taken_ = 0;
    held[0] = least_line;
    memset(owner[0], FREE, (size_t)phases * sizeof owner[0][0]);
    for (int n = 0; n < patterns; n++) {
        int mixed = n * 37 & (patterns - 1);
        line_at[n] = (u64)k_of[mixed] * line_begin;
        line_more[n] = (u64)k_of[mixed] * line_width;
        line_attack[n] = (u8)attack_of[mixed];
    }
    return own_slots(0, sum, 1, 0, 1, &taken_);
}

/* Of moves of the square after `count` sums, below + x * 2^56, only those stay whose translates fall on no slot for
 * certain that `known` squares own.
 */
static int leave_free(int known, int count, u64 below, u64 mask[4])
{
    const u8 *owners = owner[known][0];
    int some = count < 2 ? 1 : 2, places[16];
    for (int step = 0; step < patterns / 8 * count; step += some) { /* most die in the first steps */
        find_places(step / count * 8, sum + step % count, some, below, places);
        for (int from = 0; from < 4; from++) {
            if (!mask[from]) continue;
            row hit = {0};
            for (int i = 0; i < 8 * some; i++) hit |= load(owners + places[i] + 64 * from);
            mask[from] &= ~at_least(hit, FREE + 1);
        }
        if (!(mask[0] | mask[1] | mask[2] | mask[3])) return 0;
    }
    return (mask[0] | mask[1] | mask[2] | mask[3]) != 0;
}

static void extend(int known, u64 v)
{
    int count = 1 << known, old = differences[known], new = 0;
    for (int i = 0; i < count; i++) sum[count + i] = sum[i] + v;
    if (known + 1 == SQUARES) return;
    for (int i = 0; i < old; i++) {
        difference[known + 1][new] = difference[known][i];
        times[known + 1][new++] = times[known][i] + 1;
    }
    for (int i = 0; i < old; i++)
        for (int sign = 0; sign < 2; sign++) {
            difference[known + 1][new] = difference[known][i] + (sign ? (u64)0 - v : v);
            times[known + 1][new++] = times[known][i];
        }
}

/* Put the next square in, which falls on no owned slot, if no two of its own attacks share a slot for certain. */
static int put(int known, u64 v)
{
    int count = 1 << known, taken_ = 0;
    memcpy(owner[known + 1], owner[known], (size_t)phases * sizeof owner[0][0]);
    if (!own_slots(known + 1, sum, count, v, 1 + (known + 1) * kinds, &taken_)) return 0;
    if (held[known] + taken_ > held[known + 1]) held[known + 1] = held[known] + taken_;
    extend(known, v);
    nodes[known + 1]++;
    return 1;
}

/* How much the next square's move lays what is known on itself, at most; -1: it is not feasible. */
static int overlap_of(int known, u64 v)
{
    int all = 0;
    for (int i = 0; i < differences[known]; i++) {
        int code = *place(either, cell(v + difference[known][i]));
        if (!code) return -1;
        all += (code - 1) << times[known][i];
    }
    return all;
}

/* ---- The count. ---- */

static double shared[SQUARES + 1]; /* Z: over ordered pairs of the known translates */
static double least[SQUARES + 1];  /* what one attack of the file takes at least with so many squares known */

static double taken(double points, double pairs) { return points * points / (points + pairs); }

/* The most that any move can lay so many known squares on themselves: 4^known pairs of translates. Not patterns << known:
 * translates that lie on each other are hit as often as there are.
 */
static int all_pairs(int known) { return patterns << 2 * known; }

/* Whether all has room, if no move lays the known squares on themselves more than `most` times. */
static int has_room(int known, double most)
{
    double points = (double)least_line * (1 << known), all = held[known] + least[known];
    if (most > all_pairs(known)) most = all_pairs(known);
    for (int i = 1; i < SQUARES - known; i++) {
        double n = 1 << i, one = taken(n * points, n * shared[known] + n * (n - 1) * most);
        all += one < least[known] ? least[known] : one;
    }
    return all <= slots + 1e-6; /* sums of quotients are rounded */
}

static void count_in(int known, int f)
{
    shared[known + 1] = 2 * shared[known] + 2.0 * f;
    least[known + 1] = taken((double)least_line * (2 << known), shared[known + 1]);
    held[known + 1] = held[known] + least[known];
}

/* The least overlap of the next square with which all may have room, if it is above `low`; top + 1: none up to top. */
static int least_overlap(int known, double most, int low, int top)
{
    int high = top + 1, f = top;
    while (high - low > 1) {
        count_in(known, f);
        if (has_room(known + 1, most)) high = f;
        else low = f;
        f = (low + high) / 2;
    }
    return high;
}

static int largest(row a)
{
    u8 all[64], most = 0;
    store(all, a);
    for (int i = 0; i < 64; i++) most = all[i] > most ? all[i] : most;
    return most;
}

static int least_most(int known)
{
    int low = -1, high = all_pairs(known) + 1;
    while (high - low > 1) {
        int f = (low + high) / 2;
        if (has_room(known, f)) high = f;
        else low = f;
    }
    return high;
}

/* ---- Overlaps of what is known with itself, for all moves: by cells, halves rounded up, plus 1; 0: not feasible. ---- */

static u8 table[3][MOST_ROWS][2 * WIDTH] __attribute__((aligned(64)));

static row reverse(row a)
{
    return __builtin_shufflevector(a, a, 63, 62, 61, 60, 59, 58, 57, 56, 55, 54, 53, 52, 51, 50, 49, 48, 47, 46, 45, 44, 43, 42, 41, 40,
        39, 38, 37, 36, 35, 34, 33, 32, 31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7,
        6, 5, 4, 3, 2, 1, 0);
}

enum { MOST_CODE = 252 }; /* of tables: 251 halves, or more */

static int overlap_by(int code) { return code == MOST_CODE ? all_pairs(2) : code ? 2 * (code - 1) : 0; }

/* table[known + 1] from table[known], with the move of the next square. The largest overlap. */
static int fill(int known, u64 v)
{
    int c = cell(v), exact = !(v & (((u64)1 << (shift - GRAIN)) - 1));
    row most = {0};
    for (int r = 0; r < steps / 2; r++) {
        u8 *x = table[known][r], *to = table[known + 1][r], *mirror = table[known + 1][steps - 1 - r];
        u8 *u = place(table[known], r + c), *u1 = exact ? u : place(table[known], r + c + 1);
        u8 *w = place(table[known], r - c), *w1 = exact ? w : place(table[known], r - c - 1);
        for (int i = 0; i < WIDTH; i += 64) {
            row q = join(load(x + i), larger(load(u + i), load(u1 + i)), larger(load(w + i), load(w1 + i)));
            most = larger(most, q);
            store(to + i, q);
            store(to + WIDTH + i, q);
            q = reverse(q);
            store(mirror + WIDTH - 64 - i, q);
            store(mirror + 2 * WIDTH - 64 - i, q);
        }
    }
    return overlap_by(largest(most));
}

/* Whether table[2] has a value of `code` or more, before it is filled: only where table[1] has a quarter of it. */

enum { MOST_ANCHORS = 3000 };
static int anchor[MOST_ROWS * WIDTH], anchors;
static u8 anchor_code[MOST_ROWS * WIDTH];

static void find_anchors(int code)
{
    static int unsorted[MOST_ROWS * WIDTH];
    int from[257] = {0}, count = 0;
    for (int r = 0; r < steps; r++)
        for (int i = 0; i < WIDTH; i += 64)
            for (u64 m = at_least(load(&table[1][r][i]), code); m; m &= m - 1)
                unsorted[count++] = (i + __builtin_ctzll(m)) * steps + r;
    for (int i = 0; i < count; i++) from[256 - *place(table[1], unsorted[i])]++;
    for (int i = 1; i < 257; i++) from[i] += from[i - 1];
    for (int i = 0; i < count; i++) {
        u8 value = *place(table[1], unsorted[i]);
        int at = from[255 - value]++;
        anchor[at] = unsorted[i];
        anchor_code[at] = value;
    }
    anchors = count;
}

/* table[1] with every second move only. */
static u8 second[MOST_ROWS][2][2 * WIDTH];

static u8 *from_second(int y)
{
    y = by_cell(y);
    int at = y / steps;
    return &second[y & (steps - 1)][at & 1][at >> 1];
}

static void fill_second(void)
{
    for (int r = 0; r < steps; r++)
        for (int odd = 0; odd < 2; odd++) {
            u8 *to = second[r][odd];
            for (int i = 0; i < WIDTH / 2; i++) to[i] = table[1][r][2 * i + odd];
            for (int i = WIDTH / 2; i <= WIDTH; i += WIDTH / 2) memcpy(to + i, to, WIDTH / 2);
        }
}

/* The largest value that table[2] would have, for each of the next square's 256 moves, if it is `code` or more. */
static void reach(u64 below, int code, u8 best[WIDTH])
{
    int c = cell(below), exact = !(below & (((u64)1 << (shift - GRAIN)) - 1));
    row all[4] = {{0}};
    for (int i = 0; i < anchors && 4 * anchor_code[i] - 3 >= code; i++) {
        int y = anchor[i];
        row zero = {0}, here = zero + *place(table[1], y);
        int up = *place(table[1], y + 1), down = *place(table[1], y - 1), at = *place(table[1], y);
        row higher = zero + (u8)(!exact && up > at ? up : at), lower = zero + (u8)(!exact && down > at ? down : at);
        const u8 *plus = place(table[1], y + c), *plus1 = exact ? plus : place(table[1], y + c + 1);
        const u8 *minus = place(table[1], c - y - 1), *minus1 = exact ? minus : place(table[1], c - y);
        const u8 *two = from_second(y + 2 * c), *two1 = exact ? two : from_second(y + 2 * c + 1), *two2 = exact ? two : from_second(y + 2 * c + 2);
        /* table[1] is its own mirror image, cell for cell: at -y - 1 as at y. */
        const u8 *less = from_second(2 * c - y - 1), *less1 = exact ? less : from_second(2 * c - y), *less2 = exact ? less : from_second(2 * c - y + 1);
        for (int b = 0; b < 4; b++) {
            int o = 64 * b;
            row p = load(plus + o), p1 = load(plus1 + o), m = load(minus + o), m1 = load(minus1 + o);
            row t1 = load(two1 + o), l1 = load(less1 + o);
            row q = join(here, larger(p, p1), larger(m, m1));
            q = larger(q, join(m, higher, larger(load(less + o), l1)));
            q = larger(q, join(p, larger(load(two + o), t1), lower));
            if (!exact) {
                q = larger(q, join(m1, lower, larger(l1, load(less2 + o))));
                q = larger(q, join(p1, larger(t1, load(two2 + o)), higher));
            }
            all[b] = larger(all[b], q);
        }
    }
    for (int b = 0; b < 4; b++) store(best + 64 * b, all[b]);
}

/* ---- The search: the file's squares from the highest down, 2^own values each. ---- */

static int most_of_two; /* most overlap of two known squares with themselves */
static int line_known;  /* how many of the step's top bits are known */

static int is_magic(u64 m)
{
    static u8 seen[1 << 11];
    memset(seen, 255, (size_t)slots);
    for (int f = 0; f < 1 << SQUARES; f++) {
        u64 file = 0;
        for (int j = 0; j < SQUARES; j++)
            if (f >> j & 1) file += m << (first + 8 * j);
        int kind = f ? __builtin_ctz(f) + 1 : 0;
        for (int n = 0; n < patterns; n++) {
            u8 attack = (u8)(kind * kinds + attack_of[n]), *at = &seen[(file + (m << lowest) * (u64)k_of[n]) >> shift];
            if (*at == 255) *at = attack;
            else if (*at != attack) return 0;
        }
    }
    return 1;
}

static void finish(u64 low) /* all of m is known */
{
    u64 all = ((u64)1 << (64 - lowest)) - 1;
    int known = 64 - first; /* low bits */
    u64 m = line_begin >> lowest, keep = ((u64)1 << known) - 1;
    m = (m & ~keep) | low;
    if (((m << lowest) - line_begin) > line_width) return;
    nodes[7]++;
    for (int side = 0; side < 2; side++, m = ((u64)0 - m) & all)
        if (is_magic(m)) printf("magic 0x%llx\n", (unsigned long long)m);
}

static int masks(int known, u64 below, int need, u64 mask[4], u8 values[WIDTH])
{
    const u8 *at[6][243];
    int count[6] = {0};
    for (int i = 0; i < differences[known]; i++)
        at[times[known][i]][count[times[known][i]]++] = place(half, cell(below + difference[known][i]));
    row sum_[4] = {{0}};
    for (int log = known; log >= 0; log--) {
        for (int b = 0; b < 4; b++) sum_[b] = add(sum_[b], sum_[b]);
        for (int i = 0; i < count[log]; i++)
            for (int b = 0; b < 4; b++) sum_[b] = add(sum_[b], load(at[log][i] + 64 * b));
    }
    int limit = (need + 1) / 2 > 255 ? 255 : (need + 1) / 2;
    u64 some = 0;
    row alive[4];
    for (int b = 0; b < 4; b++) {
        some |= mask[b] = at_least(sum_[b], limit);
        store(values + 64 * b, sum_[b]);
    }
    if (!some) return 0;
    for (int b = 0; b < 4; b++) alive[b] = load(place(may, cell(below)) + 64 * b);
    for (int i = 1; i < differences[known]; i++)
        for (int b = 0; b < 4; b++) alive[b] &= load(place(may, cell(below + difference[known][i])) + 64 * b);
    for (int b = 0; b < 4; b++) mask[b] &= at_least(alive[b], 255);
    return 1;
}

#define FOR_EACH(x, mask) \
    for (int b_ = 0; b_ < 4; b_++) for (u64 m_ = mask[b_]; m_; m_ &= m_ - 1) \
        for (int x = 64 * b_ + __builtin_ctzll(m_), once_ = 1; once_; once_ = 0)

static void take_last(u64 low, int bits_known, u64 v5)
{
    u64 below = low << first, mask[4] = {0};
    int common = 64 - first - (64 - lowest - line_known), free = common > 8 ? 0 : 8 - common;
    /* The top bits of these are the line's low ones. */
    u64 top = line_begin >> (64 - line_known) & (((u64)1 << common) - 1);
    if (common > 8) { /* then some bits below are known to be the line's as well */
        if ((low >> (bits_known + 8 - common)) != (top & (((u64)1 << (common - 8)) - 1))) return;
        top >>= common - 8;
    }
    for (u64 x = top << free; x < (top + 1) << free; x++) mask[x / 64] |= (u64)1 << (x & 63);
    for (int i = 0; i < 16; i++) sum[16 + i] = sum[i] + v5;
    if (!leave_free(4, 32, below, mask) || !put(4, v5) || !leave_free(5, 32, below, mask)) return;
    FOR_EACH(x, mask) {
        u64 v = below + ((u64)x << 56), m = low | (u64)x << bits_known;
        if (overlap_of(5, v) >= 0 && put(5, v)) finish(m);
    }
}

static void take_fifth(u64 low, int bits_known, u64 v3, u64 v4)
{
    u64 below = low << (first + 8);
    u64 by[9] = {0, v3, (u64)0 - v3, v4, (u64)0 - v4, v3 + v4, v3 - v4, v4 - v3, (u64)0 - v3 - v4};
    u64 mask[4];
    const u8 *at[9];
    row value[4], most = {0};
    for (int i = 0; i < 9; i++) at[i] = place(table[2], cell(below + by[i]));
    for (int b = 0; b < 4; b++) {
        row zero = {0}, all = zero, alive = ~zero, one = zero + 1;
        for (int i = 0; i < 9; i++) {
            row code = load(at[i] + 64 * b), some = (row)(code != zero);
            alive &= some;
            if (i == 1 || i == 5) all = add(all, all);
            all = add(all, (code - (some & one)) | (row)(code >= zero + MOST_CODE));
        }
        value[b] = all & alive;
        most = larger(most, value[b]);
    }
    int best = largest(most), top = best == 255 ? all_pairs(4) : 2 * best;
    int need = least_overlap(4, 1e9, -1, top), limit = (need + 1) / 2 > 255 ? 255 : (need + 1) / 2;
    if (need > top) return;
    for (int b = 0; b < 4; b++) mask[b] = at_least(value[b], limit);
    for (int i = 0; i < 8; i++) sum[8 + i] = sum[i] + v4;
    if (!leave_free(3, 16, below, mask) || !put(3, v4) || !leave_free(4, 16, below, mask)) return;
    need = least_overlap(4, 1e9, need - 1, top); /* with the slots that are owned now */
    FOR_EACH(x, mask) {
        u64 v = below + ((u64)x << 56);
        int f = overlap_of(4, v);
        if (f < need) continue;
        count_in(4, f);
        take_last(low | (u64)x << bits_known, bits_known + 8, v);
    }
}

/* By the third square's overlap: what the fourth needs, -1 where that is not known yet; what is less than that for certain. */
static short need_fourth[16 * MOST_PATTERNS + 1], none_up_to[16 * MOST_PATTERNS + 1];

static void take_fourth(u64 low, int bits_known, u64 v3, int f3)
{
    u64 below = low << (first + 16);
    const u8 *at = place(table[2], cell(below)), *up = place(table[2], cell(below + v3)), *down = place(table[2], cell(below - v3));
    u64 mask[4];
    row code[4];
    for (int b = 0; b < 4; b++) code[b] = join(load(at + 64 * b), load(up + 64 * b), load(down + 64 * b));
    int best = largest(larger(larger(code[0], code[1]), larger(code[2], code[3])));
    int top = best == MOST_CODE ? all_pairs(3) : 2 * best - 1; /* the largest that any move has */
    if (top <= none_up_to[f3]) return;
    if (need_fourth[f3] < 0) {
        count_in(2, f3);
        int found = least_overlap(3, 16.0 * most_of_two, none_up_to[f3], top);
        none_up_to[f3] = (short)(found - 1);
        if (found > top) return;
        need_fourth[f3] = (short)found;
    }
    int need = need_fourth[f3], least_code = need / 2 + 1 > MOST_CODE ? MOST_CODE : need / 2 + 1;
    for (int b = 0; b < 4; b++) mask[b] = at_least(code[b], least_code);
    count_in(2, f3);
    for (int i = 0; i < 4; i++) sum[4 + i] = sum[i] + v3;
    if (!leave_free(2, 8, below, mask) || !put(2, v3) || !leave_free(3, 8, below, mask)) return; /* the cheapest first */
    FOR_EACH(x, mask) {
        u64 v = below + ((u64)x << 56);
        int f = overlap_of(3, v);
        if (f < need) continue;
        count_in(3, f);
        take_fifth(low | (u64)x << bits_known, bits_known + 8, v3, v);
    }
}

static void take_third(u64 low, int bits_known, u64 v1, int filled)
{
    u64 below = low << (first + 24), mask[4];
    u8 values[WIDTH];
    if (!has_room(2, most_of_two)) return;
    int need = least_overlap(2, 4.0 * most_of_two, -1, all_pairs(2));
    if (need > all_pairs(2) || !masks(2, below, need, mask, values) || !leave_free(2, 4, below, mask)) return;
    if (!filled) fill(1, v1); /* only here: half of the nodes do not come so far */
    memset(need_fourth, 255, sizeof need_fourth);
    memset(none_up_to, 255, sizeof none_up_to);
    FOR_EACH(x, mask) {
        u64 v = below + ((u64)x << 56);
        take_fourth(low | (u64)x << bits_known, bits_known + 8, v, values[x] == 255 ? all_pairs(2) : 2 * values[x]);
    }
}

static void take_second(u64 low, int bits_known, int most)
{
    u64 below = low << (first + 32), mask[4];
    u8 values[WIDTH], best[WIDTH], code_at[WIDTH];
    int least_code = 255;
    short code_of[2 * MOST_PATTERNS + 1];
    if (!has_room(1, most)) return;
    int need = least_overlap(1, 4.0 * most, -1, all_pairs(1));
    if (need > all_pairs(1) || !masks(1, below, need, mask, values) || !leave_free(1, 2, below, mask)) return;
    memset(code_of, 255, sizeof code_of);
    FOR_EACH(x, mask) {
        short *code = &code_of[values[x]];
        if (*code < 0) {
            count_in(1, 2 * values[x]);
            *code = (short)(least_most(2) / 2 + 1);
        }
        code_at[x] = (u8)(*code > MOST_CODE ? MOST_CODE : *code);
        if (code_at[x] < least_code) least_code = code_at[x];
    }
    if (least_code == 255) return;
    int searched = least_code > 1;
    if (searched) {
        find_anchors((least_code + 3) / 4);
        searched = anchors < MOST_ANCHORS;
    }
    if (searched) {
        fill_second();
        reach(below, least_code, best);
    }
    FOR_EACH(x, mask) {
        u64 v = below + ((u64)x << 56);
        if (searched && best[x] < code_at[x]) continue;
        count_in(1, 2 * values[x]);
        if (!put(1, v)) continue;
        most_of_two = searched ? overlap_by(best[x]) : fill(1, v);
        take_third(low | (u64)x << bits_known, bits_known + 8, v, !searched);
    }
}

static void search_line(void)
{
    int own = 64 - first - 40, need;
    sum[0] = difference[0][0] = 0;
    times[0][0] = 0;
    shared[0] = 0;
    least[0] = least_line;
    if (!begin_line() || !has_room(0, most_overlap)) return;
    need = least_overlap(0, 4.0 * most_overlap, -1, patterns);
    for (int r = 0; r < steps; r++)
        for (int x = 0; x < 2 * WIDTH; x++) table[0][r][x] = may[r][x] ? (u8)(half[r][x] + 1) : 0;
    for (u64 low = 0; low < (u64)1 << (own - 8); low++) {
        u64 below = low << (64 - own), mask[4] = {~(u64)0, ~(u64)0, ~(u64)0, ~(u64)0};
        if (!leave_free(0, 1, below, mask)) continue;
        FOR_EACH(x, mask) {
            u64 v = below + ((u64)x << 56);
            int f = overlap_of(0, v);
            if (f < need) continue;
            count_in(0, f);
            if (put(0, v)) take_second(low | (u64)x << (own - 8), own, fill(0, v));
        }
    }
}

static void search_node(u64 begin, int known)
{
    build(begin, ((u64)1 << (64 - known)) - 1);
    if (most_overlap >= least_cut && most_overlap <= most_cut && known < bits + line_bits + cuts) {
        search_node(begin, known + 1);
        search_node(begin + ((u64)1 << (63 - known)), known + 1);
        return;
    }
    nodes[0]++;
    line_known = known;
    search_line();
}

static unsigned long long all_nodes(void)
{
    unsigned long long all = 0;
    for (int i = 0; i < DEPTHS; i++) all += nodes[i];
    return all;
}

static void run_shard(u64 shard)
{
    int known = bits + line_bits;
    memset(nodes, 0, sizeof nodes);
    built = 0;
    for (u64 part = (u64)1 << (line_bits - 1); part < (u64)1 << line_bits; part++) {
        search_node((shard << line_bits | part) << (64 - known), known);
        printf("nodes %llu\n", all_nodes());
        fflush(stdout);
    }
    printf("shard %llu %llu", (unsigned long long)shard, built);
    for (int i = 0; i < DEPTHS; i++) printf(" %llu", nodes[i]);
    printf("\n");
    fflush(stdout);
}

static long number_of(const char *text, const char *name, long least_, long most)
{
    char *end;
    long number = strtol(text, &end, 10);
    if (*end || !*text || number < least_ || number > most) {
        fprintf(stderr, "count: %s %s: expected %ld to %ld\n", name, text, least_, most);
        exit(2);
    }
    return number;
}

static void begin_square(int file)
{
    int squares[SQUARES], count = 0, kind[MOST_PATTERNS];
    shift = 64 - bits;
    first = 8 + file;
    slots = 1 << bits;
    phases = slots / WIDTH;
    phases_log = bits - 8;
    cells = slots << GRAIN;
    steps = cells / WIDTH;
    for (int square = 1; square < 7; square++)
        if (square != file) squares[count++] = square;
    lowest = squares[0];
    patterns = 1 << count;
    memset(pattern_of, 255, sizeof pattern_of);
    for (int n = 0; n < patterns; n++) {
        int left = 0, right = 7;
        for (int i = 0; i < count; i++)
            if (n >> i & 1) {
                k_of[n] |= 1 << (squares[i] - lowest);
                if (squares[i] < file) left = squares[i];
                else if (squares[i] < right) right = squares[i];
            }
        int at = 0;
        while (at < kinds && kind[at] != left * 8 + right) at++;
        if (at == kinds) kind[kinds++] = left * 8 + right;
        attack_of[n] = at;
        pattern_of[k_of[n]] = n;
        if (k_of[n] > most_k) most_k = k_of[n];
    }
}

int main(int argc, char **argv)
{
    if (argc < 8 || argv[1][0] < 'b' || argv[1][0] > 'h' || strcmp(argv[1] + 1, "1")) {
        fputs("usage: count SQUARE BITS KNOWN LEAST MOST CUTS SHARD..., SQUARE from b1 to h1\n", stderr);
        return 2;
    }
    bits = (int)number_of(argv[2], "BITS", 8, 11);
    line_bits = (int)number_of(argv[3], "KNOWN", 6, 12);
    least_cut = (int)number_of(argv[4], "LEAST", 0, 999);
    most_cut = (int)number_of(argv[5], "MOST", 0, 999);
    cuts = (int)number_of(argv[6], "CUTS", 0, 8);
    begin_square(argv[1][0] - 'a');
    for (int i = 7; i < argc; i++) run_shard((u64)number_of(argv[i], "SHARD", 0, slots - 1));
    return 0;
}
