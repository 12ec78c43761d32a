/* Rooks of rank 1: is there a magic? By counting the slots that the attack sets take.
 *
 *     cc -O3 -march=native benchmarks/slot_count.c -o slot_count
 *     ./slot_count g1 9 0 512       all shards; one for each whole step of the line
 *
 * Prints each magic (bits that do not matter are 0), and of each shard its number, what was found, and how many nodes
 * of each depth were gone into. Why a node is dead: docs/finders.md, "Counting slots". Nothing in the atlas rests on
 * this program yet.
 *
 * m and -m are searched together, by the one whose line's step a has its part of a slot in the upper half. Their
 * products are each other's mirror image; only one that lies on a slot's boundary falls on different sides, and is
 * looked at for each. If neither half has a, the highest square of the file does not move, and there is no magic.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef uint64_t u64;
typedef int64_t i64;
typedef uint8_t u8;
typedef u8 row __attribute__((vector_size(64), aligned(1), may_alias));

enum { SQUARES = 6, MOST_PATTERNS = 64, GRAIN = 4, WIDTH = 256, MOST_ROWS = 128, DEPTHS = 8, FREE = 255 };

static int bits, shift, first, lowest, patterns, most_k, slots, cells, steps;
static int k_of[MOST_PATTERNS], attack_of[MOST_PATTERNS], pattern_of[256], kinds;
static unsigned long long nodes[DEPTHS], built, refined, magics;

/* ---- The line: what moves it may be shifted by, and how much of it falls on itself then. ---- */

static u64 line_begin, line_width; /* the step a is in [begin, begin + width] */
static int least_line;             /* it takes at least so many slots */
static int most_overlap;
static u8 overlap[MOST_ROWS][2 * WIDTH], half[MOST_ROWS][2 * WIDTH], may[MOST_ROWS][2 * WIDTH];

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
        int k[MOST_PATTERNS], same[MOST_PATTERNS], count = 0, alike = 0, most = 0;
        for (int i = 0; i < patterns; i++) {
            int n = order[i], to = k_of[n] + d;
            if (to < 0 || to > most_k || pattern_of[to] < 0) continue;
            at[count] = (i64)part[n];
            k[count] = k_of[n];
            alike += same[count++] = attack_of[n] == attack_of[pattern_of[to]];
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
    for (int y = 0; y < cells; y++) {
        u8 q = e[y] ? f[y] : 0;
        if (q > most_overlap) most_overlap = q;
        for (int copy = 0; copy < 2 * WIDTH; copy += WIDTH) {
            overlap[y & (steps - 1)][y / steps + copy] = q;
            half[y & (steps - 1)][y / steps + copy] = (u8)((q + 1) / 2);
            may[y & (steps - 1)][y / steps + copy] = e[y] ? 255 : 0;
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
static u8 owner[2][SQUARES + 1][2048]; /* for m, and for -m: who owns a slot for certain */
static int sides[SQUARES + 1];         /* which of the two are open: bits 0 and 1 */
static double held[SQUARES + 1];       /* slots that the known squares take, at least */

static int begin_line(void)
{
    sides[0] = 0;
    held[0] = least_line;
    for (int side = 0; side < 2; side++) {
        u8 *own = owner[side][0];
        int good = 1;
        memset(own, FREE, (size_t)slots);
        for (int n = 0; n < patterns && good; n++) {
            u64 low = (u64)k_of[n] * line_begin - (u64)side, high = low + (u64)k_of[n] * line_width;
            if (low >> shift != high >> shift) continue;
            u8 *at = &own[low >> shift];
            if (*at != FREE && *at != attack_of[n]) good = 0;
            *at = (u8)attack_of[n];
        }
        sides[0] |= good << side;
    }
    return sides[0];
}

/* Whether the next square may move by v, by its exact sums alone. */
static int quick(int known, u64 v)
{
    int good = sides[known];
    for (int side = 0; side < 2; side++)
        for (int n = 0; n < 1 << known && good >> side & 1; n++)
            if (owner[side][known][(sum[n] + v - (u64)side) >> shift] != FREE) good &= ~(1 << side);
    return good;
}

/* Put the next square in, if no two occupancies with different attacks share a slot for certain. */
static int put(int known, u64 v)
{
    int good = quick(known, v), count = 1 << known, fewest = slots;
    for (int side = 0; side < 2; side++) {
        if (!(good >> side & 1)) continue;
        u8 *old = owner[side][known], *own = owner[side][known + 1];
        int fine = 1, taken_ = 0;
        for (int n = 0; n < patterns && fine; n++) {
            u64 base = (u64)k_of[n] * line_begin + v - (u64)side, more = (u64)k_of[n] * line_width;
            for (int i = 0; i < count && fine; i++) {
                u64 low = sum[i] + base;
                if (old[low >> shift] != FREE && low >> shift == (low + more) >> shift) fine = 0;
            }
        }
        if (fine) memcpy(own, old, (size_t)slots);
        for (int n = 0; n < patterns && fine; n++) {
            u64 base = (u64)k_of[n] * line_begin + v - (u64)side, more = (u64)k_of[n] * line_width;
            u8 mine = (u8)((known + 1) * kinds + attack_of[n]);
            for (int i = 0; i < count && fine; i++) {
                u64 low = sum[i] + base;
                if (low >> shift != (low + more) >> shift) continue;
                u8 *at = &own[low >> shift];
                if (*at == FREE) *at = mine, taken_++;
                else if (*at != mine) fine = 0;
            }
        }
        if (!fine) good &= ~(1 << side);
        else if (taken_ < fewest) fewest = taken_;
    }
    if (!good) return 0;
    sides[known + 1] = good;
    if (held[known] + fewest > held[known + 1]) held[known + 1] = held[known] + fewest;
    for (int i = 0; i < count; i++) sum[count + i] = sum[i] + v;
    if (known + 1 < SQUARES) {
        int old = differences[known], new = 0;
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
    nodes[known + 1]++;
    return 1;
}

static int feasible(int known, u64 v)
{
    for (int i = 0; i < differences[known]; i++)
        if (!*place(may, cell(v + difference[known][i]))) return 0;
    return 1;
}

static int overlap_of(int known, u64 v)
{
    int all = 0;
    for (int i = 0; i < differences[known]; i++)
        all += *place(overlap, cell(v + difference[known][i])) << times[known][i];
    return all;
}

/* ---- The count. ---- */

static double shared[SQUARES + 1]; /* Z: over ordered pairs of the known translates */
static double least[SQUARES + 1];  /* what one attack of the file takes at least with so many squares known */

static double taken(double points, double pairs) { return points * points / (points + pairs); }

/* Whether all has room, if no move lays the known squares on themselves more than `most` times. */
static int has_room(int known, double most)
{
    double points = (double)least_line * (1 << known), all = held[known] + least[known], cap = (double)patterns * (1 << known);
    if (most > cap) most = cap;
    for (int i = 1; i < SQUARES - known; i++) {
        double n = 1 << i, one = taken(n * points, n * shared[known] + n * (n - 1) * most);
        all += one < least[known] ? least[known] : one;
    }
    return all <= slots;
}

static void count_in(int known, int f)
{
    int cap = patterns << known;
    shared[known + 1] = 2 * shared[known] + 2.0 * (f > cap ? cap : f);
    least[known + 1] = taken((double)least_line * (2 << known), shared[known + 1]);
    held[known + 1] = held[known] + least[known];
}

/* The least overlap of the next square with which all may have room. */
static int least_overlap(int known, double most)
{
    int low = -1, high = (patterns << known) + 1;
    while (high - low > 1) {
        int f = (low + high) / 2;
        count_in(known, f);
        if (has_room(known + 1, most)) high = f;
        else low = f;
    }
    return high;
}

static int least_most(int known)
{
    int low = -1, high = (patterns << known) + 1;
    while (high - low > 1) {
        int f = (low + high) / 2;
        if (has_room(known, f)) high = f;
        else low = f;
    }
    return high;
}

/* ---- Overlaps of what is known with itself, for all moves: by cells, halves rounded up, plus 1; 0: not feasible. ---- */

static u8 table[3][MOST_ROWS][2 * WIDTH] __attribute__((aligned(64)));

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
    row limit = {0}, good = (row)(a >= limit + (u8)most);
    u64 mask = 0, word[8];
    memcpy(word, &good, sizeof word);
    for (int i = 0; i < 8; i++) mask |= ((word[i] & 0x0101010101010101) * 0x0102040810204080 >> 56) << 8 * i;
    return mask;
}
/* table[known + 1] from table[known], with the move of the next square. The largest overlap. */
static int fill(int known, u64 v)
{
    int c = cell(v), exact = !(v & (((u64)1 << (shift - GRAIN)) - 1));
    row most = {0};
    for (int r = 0; r < steps; r++) {
        u8 *x = table[known][r], *to = table[known + 1][r];
        u8 *u = place(table[known], r + c), *u1 = exact ? u : place(table[known], r + c + 1);
        u8 *w = place(table[known], r - c), *w1 = exact ? w : place(table[known], r - c - 1);
        for (int i = 0; i < WIDTH; i += 64) {
            row q = join(load(x + i), larger(load(u + i), load(u1 + i)), larger(load(w + i), load(w1 + i)));
            most = larger(most, q);
            store(to + i, q);
            store(to + WIDTH + i, q);
        }
    }
    u8 all[64];
    int largest = 0;
    store(all, most);
    for (int i = 0; i < 64; i++) largest = all[i] > largest ? all[i] : largest;
    return largest ? 2 * (largest - 1) : 0;
}

/* Whether table[2] would have a value of `code` or more: only where table[1] has a quarter of it. */

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

static int joined(int y, int c, int exact)
{
    int x = *place(table[1], y), u, w;
    if (!x) return 0;
    u = *place(table[1], y + c);
    w = *place(table[1], y - c);
    if (!exact) {
        int u1 = *place(table[1], y + c + 1), w1 = *place(table[1], y - c - 1);
        u = u1 > u ? u1 : u;
        w = w1 > w ? w1 : w;
    }
    return u && w ? 2 * x + u + w - 3 : 0;
}

static int reaches(u64 v, int code)
{
    int c = cell(v), exact = !(v & (((u64)1 << (shift - GRAIN)) - 1));
    for (int i = 0; i < anchors; i++) {
        int y = anchor[i];
        if (4 * anchor_code[i] - 3 < code) return 0;
        if (joined(y, c, exact) >= code || joined(y - c, c, exact) >= code || joined(y + c, c, exact) >= code) return 1;
        if (!exact && (joined(y - c - 1, c, 0) >= code || joined(y + c + 1, c, 0) >= code)) return 1;
    }
    return 0;
}

/* ---- The search: the file's squares from the highest down, 2^own values each. ---- */

static int most_of_two; /* most overlap of two known squares with themselves */
static int line_known;  /* how many of the step's top bits are known */

static int is_magic(u64 m)
{
    static u8 seen[1 << 11];
    memset(seen, FREE, (size_t)slots);
    for (int f = 0; f < 1 << SQUARES; f++) {
        u64 file = 0;
        for (int j = 0; j < SQUARES; j++)
            if (f >> j & 1) file += m << (first + 8 * j);
        int kind = f ? __builtin_ctz(f) + 1 : 0;
        for (int n = 0; n < patterns; n++) {
            u8 attack = (u8)(kind * kinds + attack_of[n]), *at = &seen[(file + (m << lowest) * (u64)k_of[n]) >> shift];
            if (*at == FREE) *at = attack;
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
        if (is_magic(m)) {
            printf("magic 0x%llx\n", (unsigned long long)m);
            magics++;
        }
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

static void take_last(u64 low, int bits_known)
{
    u64 below = low << first;
    for (int x = 0; x < WIDTH; x++) {
        u64 v = below + ((u64)x << 56), m = low | (u64)x << bits_known;
        /* The top bits of these are the line's low ones. */
        int common = 64 - first - (64 - lowest - line_known);
        if (common > 0 && (m >> (64 - lowest - line_known)) != (line_begin >> (64 - line_known) & (((u64)1 << common) - 1)))
            continue;
        if (quick(5, v) && feasible(5, v) && put(5, v)) finish(m);
    }
}

static void take_fifth(u64 low, int bits_known, u64 v3, u64 v4)
{
    u64 below = low << (first + 8);
    int need = least_overlap(4, 1e9);
    if (need > patterns << 4) return;
    u64 by[9] = {0, v3, (u64)0 - v3, v4, (u64)0 - v4, v3 + v4, v3 - v4, v4 - v3, (u64)0 - v3 - v4};
    static const int log[9] = {2, 1, 1, 1, 1, 0, 0, 0, 0};
    uint16_t all[WIDTH] = {0};
    u8 alive[WIDTH];
    memset(alive, 1, sizeof alive);
    for (int i = 0; i < 9; i++) {
        const u8 *at = place(table[2], cell(below + by[i]));
        for (int x = 0; x < WIDTH; x++) {
            all[x] = (uint16_t)(all[x] + ((uint16_t)(at[x] - (at[x] > 0)) << log[i]));
            alive[x] &= at[x] > 0;
        }
    }
    for (int x = 0; x < WIDTH; x++) {
        if (!alive[x] || 2 * all[x] < need) continue;
        u64 v = below + ((u64)x << 56);
        if (!quick(4, v) || !feasible(4, v)) continue;
        int f = overlap_of(4, v);
        if (f < need) continue;
        count_in(4, f);
        if (put(4, v)) take_last(low | (u64)x << bits_known, bits_known + 8);
    }
}

static short need_fourth[MOST_PATTERNS * 4 + 1];

static void take_fourth(u64 low, int bits_known, u64 v3, int f3)
{
    u64 below = low << (first + 16);
    count_in(2, f3);
    short *cached = &need_fourth[f3 > 4 * patterns ? 4 * patterns : f3];
    if (*cached < 0) *cached = (short)least_overlap(3, 16.0 * most_of_two), count_in(2, f3);
    int need = *cached, in = 0;
    if (need > patterns << 3) return;
    int code = need / 2 + 1;
    if (code > 252) code = 252;
    const u8 *at = place(table[2], cell(below)), *up = place(table[2], cell(below + v3)), *down = place(table[2], cell(below - v3));
    u64 mask[4];
    for (int b = 0; b < 4; b++) mask[b] = at_least(join(load(at + 64 * b), load(up + 64 * b), load(down + 64 * b)), code);
    FOR_EACH(x, mask) {
        u64 v = below + ((u64)x << 56);
        if (!in) {
            if (!put(2, v3)) return;
            in = 1;
        }
        if (!quick(3, v) || !feasible(3, v)) continue;
        int f = overlap_of(3, v);
        if (f < need) continue;
        count_in(3, f);
        if (put(3, v)) take_fifth(low | (u64)x << bits_known, bits_known + 8, v3, v);
    }
}

static void take_third(u64 low, int bits_known)
{
    u64 below = low << (first + 24), mask[4];
    u8 values[WIDTH];
    if (!has_room(2, most_of_two)) return;
    int need = least_overlap(2, 4.0 * most_of_two);
    if (need > patterns << 2 || !masks(2, below, need, mask, values)) return;
    memset(need_fourth, 255, sizeof need_fourth);
    FOR_EACH(x, mask) {
        u64 v = below + ((u64)x << 56);
        if (!quick(2, v)) continue;
        take_fourth(low | (u64)x << bits_known, bits_known + 8, v, 2 * values[x]);
    }
}

static void take_second(u64 low, int bits_known, int most)
{
    u64 below = low << (first + 32), mask[4];
    u8 values[WIDTH];
    int searched = 0;
    short code_of[MOST_PATTERNS + 2];
    if (!has_room(1, most)) return;
    int need = least_overlap(1, 4.0 * most);
    if (need > patterns << 1 || !masks(1, below, need, mask, values)) return;
    memset(code_of, 255, sizeof code_of);
    FOR_EACH(x, mask) {
        u64 v = below + ((u64)x << 56);
        int f = 2 * values[x] > 2 * patterns ? 2 * patterns : 2 * values[x];
        if (!quick(1, v)) continue;
        count_in(1, f);
        if (code_of[f / 2] < 0) code_of[f / 2] = (short)(least_most(2) / 2 + 1);
        int code = code_of[f / 2] > 252 ? 252 : code_of[f / 2];
        if (code > 1) {
            if (!searched) {
                int best = most < 2 * patterns ? most : 2 * patterns;
                count_in(1, best);
                int least_code = least_most(2) / 2 + 1;
                find_anchors((least_code + 6) / 4 > 1 ? (least_code + 6) / 4 > 250 ? 250 : (least_code + 6) / 4 : 1);
                count_in(1, f);
                searched = 1;
            }
            if (anchors < 400 && !reaches(v, code)) continue;
        }
        if (!put(1, v)) continue;
        most_of_two = fill(1, v);
        take_third(low | (u64)x << bits_known, bits_known + 8);
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
    need = least_overlap(0, 4.0 * most_overlap);
    for (int r = 0; r < steps; r++)
        for (int x = 0; x < 2 * WIDTH; x++) table[0][r][x] = may[r][x] ? (u8)(half[r][x] + 1) : 0;
    for (u64 x = 0; x < (u64)1 << own; x++) {
        u64 v = x << (64 - own);
        int c = cell(v), f = *place(overlap, c);
        if (!*place(may, c) || f < need) continue;
        count_in(0, f);
        if (put(0, v)) take_second(x, own, fill(0, v));
    }
}

/* A node whose line has a largest overlap between these is cut in two, at most so often. */
enum { LEAST_CUT = 12, MOST_CUT = 39, CUTS = 3, FIRST_BITS = 8 };

static void search_node(u64 begin, int known)
{
    build(begin, ((u64)1 << (64 - known)) - 1);
    nodes[0]++;
    if (most_overlap >= LEAST_CUT && most_overlap <= MOST_CUT && known < bits + FIRST_BITS + CUTS) {
        refined++;
        search_node(begin, known + 1);
        search_node(begin + ((u64)1 << (63 - known)), known + 1);
        return;
    }
    line_known = known;
    search_line();
}
static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int main(int argc, char **argv)
{
    int squares[SQUARES], count = 0;
    const char *usage = "usage: slot_count SQUARE BITS FIRST LAST, such as h1 11 0 2048: shards FIRST to LAST - 1\n";
    if (argc != 5 || argv[1][0] < 'b' || argv[1][0] > 'h' || strcmp(argv[1] + 1, "1")) {
        fputs(usage, stderr);
        return 2;
    }
    int file = argv[1][0] - 'a';
    long number[3];
    for (int i = 0; i < 3; i++) {
        char *end;
        number[i] = strtol(argv[2 + i], &end, 10);
        if (*end || !*argv[2 + i] || (i == 0 ? number[0] < 8 || number[0] > 11 : number[i] < 0 || number[i] > 1 << number[0])) {
            fprintf(stderr, "slot_count: %s: expected %s\n%s", argv[2 + i], i ? "a shard, 0 to 2^BITS" : "8 to 11 bits", usage);
            return 2;
        }
    }
    bits = (int)number[0];
    shift = 64 - bits;
    first = 8 + file;
    slots = 1 << bits;
    cells = slots << GRAIN;
    steps = cells / WIDTH;
    for (int square = 1; square < 7; square++)
        if (square != file) squares[count++] = square;
    lowest = squares[0];
    patterns = 1 << count;
    memset(pattern_of, 255, sizeof pattern_of);
    int kind[MOST_PATTERNS];
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
    int least_known = bits + FIRST_BITS; /* of the step's top bits, to begin with */
    for (long shard = number[1]; shard < number[2]; shard++) {
        double begun = now();
        memset(nodes, 0, sizeof nodes);
        built = refined = magics = 0;
        /* Of a and -a one has its part of a slot in the upper half. */
        for (int part = 1 << (least_known - bits - 1); part < 1 << (least_known - bits); part++)
            search_node(((u64)shard << (least_known - bits) | (u64)part) << (64 - least_known), least_known);
        printf("shard %ld magics %llu lines %llu built %llu nodes", shard, magics, nodes[0] - refined, built);
        for (int i = 1; i < DEPTHS; i++) printf(" %llu", nodes[i]);
        printf(" seconds %.2f\n", now() - begun);
        fflush(stdout);
    }
    return 0;
}
