/* Settles cells of the white scheme a second time, m's low bits first, and shares nothing with the
 * search: docs/cover-certificates.md defines a cell.
 *
 *     cc -O3 -std=c11 -march=native -o low low.c
 *     ./low rook e8 9 LEVEL SHARD...     SHARD: a number, or a range such as 0-63
 *
 * Squares of the mask come from the highest one down. When m is known modulo 2^(64 - s), s the lowest
 * square so far, each occupancy of these squares has its slot, whatever m's other bits are. So if two
 * of them conflict, no m that ends so is a magic. A word that ends so and in which none conflict is
 * *alive*; below it are the words with the digits up to the next square. Shard n are the m that are n
 * modulo 2^LEVEL.
 *
 * It prints for each shard: its number, how many words are alive, at all squares together; how many
 * magics there are, and these.
 *
 * `separate` and `join` decide what is alive. All else, `sweep` above all, only finds sooner, for many
 * values of the next digits at once, that there is a conflict. It takes gcc or clang, little-endian. */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef uint64_t u64;
typedef unsigned char byte;
typedef u64 wide __attribute__((vector_size(32), aligned(1), may_alias));
enum { SQUARES = 12, SETS = 1 << SQUARES, LEAST_DIGITS = 3, MOST_DIGITS = 10, FEW = 3, TRIES = 8,
       WIDES = (1 << MOST_DIGITS) / 256, COMBS = SETS / 8 * 9 + (int)sizeof(wide) };

static int squares, bits, shift, level, place[SQUARES + 1]; /* of the mask's squares, falling */
static byte attack[SETS];               /* the number of each occupancy's attack set, from 1 */
static int order[SQUARES][SETS];        /* the occupancies: those that do not hide square n, then */
static int seen[SQUARES], near[SQUARES]; /* those that hide it by square n - 1; where these end */
static int known[SQUARES];              /* how many of m's digits come before those of square n */
static int high[SQUARES];               /* of these, how many move slots by whole slots */
static int layout[SQUARES];             /* digits of a comb, below; 0: none */
static wide never[SQUARES][WIDES];      /* what is no value in it */
static u64 product[SETS];               /* o m, exact for the squares so far */
static byte owner[SQUARES + 1][SETS];   /* of each slot: an attack set, 0: free */
static byte added[SQUARES][2 * SETS];   /* the same of the occupancies with square n, twice over */
static byte comb[SQUARES][COMBS], added_comb[SQUARES][2 * COMBS];
static u64 shard, alive, magics, magic[1 << 16];

static void fail(const char *what, const char *found)
{
    fprintf(stderr, "low: %s: %s\n", what, found);
    exit(2);
}

static u64 attacks(int rook, int from, u64 blockers)
{
    u64 set = 0;
    for (int way = 0; way < 4; way++) {
        int dx = rook ? (way == 0) - (way == 1) : (way & 1) * 2 - 1;
        int dy = rook ? (way == 2) - (way == 3) : (way & 2) - 1;
        for (int x = from % 8 + dx, y = from / 8 + dy; x >= 0 && x < 8 && y >= 0 && y < 8;
             x += dx, y += dy) {
            set |= (u64)1 << (8 * y + x);
            if (blockers >> (8 * y + x) & 1) break;
        }
    }
    return set;
}

/* The occupancies of the first n squares in the order in which they are tried: first those with which a
 * slot that another has is a conflict for sure. With square n, an occupancy that does not hide it has an
 * attack set that ends there: none without it has the same. So it is with square n - 1. Else in no order:
 * neighbours say the same. */
static void arrange(int n, const u64 *sets)
{
    int mixed[SETS], count = 0;
    for (int o = 0; o < 1 << n; o++) {
        int at = (int)(((u64)o * 0x9e3779b97f4a7c15 >> 33) % (u64)(o + 1));
        mixed[o] = mixed[at];
        mixed[at] = o;
    }
    for (int group = 0; group < 3; group++) {
        for (int i = 0; i < 1 << n; i++) {
            u64 o = (u64)mixed[i], set = sets[attack[o] - 1];
            int hides = !(set >> place[n] & 1);
            int ends = n && o >> (n - 1) & 1 && set >> place[n - 1] & 1;
            if ((hides ? ends ? 1 : 2 : 0) == group) order[n][count++] = (int)o;
        }
        if (group < 2) *(group ? &near[n] : &seen[n]) = count;
    }
}

static void prepare(int rook, int from)
{
    static u64 sets[SETS + 1];
    u64 open = attacks(rook, from, 0);
    int kinds = 0;
    for (int s = 63; s >= 0; s--)
        if (open >> s & 1 && attacks(rook, from, (u64)1 << s) != open) place[squares++] = s;
    for (int o = 0; o < 1 << squares; o++) {
        u64 blockers = 0;
        for (int n = 0; n < squares; n++)
            if (o >> n & 1) blockers |= (u64)1 << place[n];
        sets[kinds] = attacks(rook, from, blockers);
        int number = 0;
        while (sets[number] != sets[kinds]) number++;
        kinds += number == kinds;
        attack[o] = (byte)(number + 1);
    }
    for (int n = 0; n < squares; n++) {
        known[n] = n ? 64 - place[n - 1] : 0;
        high[n] = 64 - place[n] - known[n];
        if (high[n] > bits) high[n] = bits;
        if (high[n] > MOST_DIGITS) high[n] = MOST_DIGITS;
        if (n && bits >= 6 && high[n] >= LEAST_DIGITS) layout[n] = high[n] < 6 ? 6 : high[n];
        int width = 1 << layout[n] >> 3, each = layout[n] > high[n] ? 1 << (layout[n] - high[n]) : 1;
        memset(never[n], 255, sizeof never[n]);
        for (int i = 0; i < width; i += each) ((byte *)never[n])[i] = 0;
        arrange(n, sets);
    }
}

/* Whether the occupancies with square n are separate: no two of them with other attack sets get one
 * slot. Their products are `more` than without it; whole slots more change nothing. */
static int separate(int n, u64 more)
{
    byte *slots = added[n];
    int bad = 0;
    memset(slots, 0, (size_t)1 << bits);
    for (int o = 0; o < 1 << n; o++) {
        byte *own = &slots[(product[o] + more) >> shift], set = attack[o | 1 << n];
        bad |= *own && *own != set;
        *own = set;
        if (o % 16 == 15 && bad) break;
    }
    memcpy(slots + ((size_t)1 << bits), slots, (size_t)1 << bits);
    return !bad;
}

/* Whether those with square n, `turn` slots on, can join those without. */
static int join(int n, int turn)
{
    const byte *restrict with = added[n] + (1 << bits) - turn, *restrict without = owner[n];
    byte *restrict own = owner[n + 1], bad = 0;
    for (int s = 0; s < 1 << bits; s++) {
        byte x = with[s], y = without[s], least = x < y ? x : y;
        bad |= x == y ? 0 : least; /* so neither is 0 */
        own[s] = x | y;
    }
    return !bad;
}

/* Tries some of the occupancies, from number i on, that no sweep has tried: 0 where one conflicts. */
static int may_live(int n, int i, u64 more)
{
    int bad = 0;
    for (int end = i + TRIES < 1 << n ? i + TRIES : 1 << n; i < end; i++) {
        int o = order[n][i], own = owner[n][(product[o] + more) >> shift];
        bad |= own && own != attack[o | 1 << n];
    }
    return !bad;
}

/* ---- Many values of the next digits at once ------------------------------------------------
 * A digit more moves the slots of what has the next square by 2^(bits - digits): slots so far apart are
 * a ring of 2^digits places. Its comb has 9 W bytes, W = 2^digits / 8, and byte i has as bit k whether
 * place i + k W, around the ring, is taken. So with what is at place p, and is moved by v places, v is
 * bit v / W of byte v % W of the W bytes from byte p on: whether the place that it comes to is taken. */

/* The combs of all rings; with 17 W bytes, so that they can be read from any place on. */
static inline void make_comb(const byte *slots, int digits, int blocks, byte *made)
{
    const u64 sevens = 0x7f7f7f7f7f7f7f7f;
    const int width = 1 << (digits - 3);
    int apart = bits - digits, eighth = 1 << (bits - 3), words = eighth / 8;
    u64 first[SETS / 64] = {0}, block[SETS / 64];
    const byte *from = (const byte *)first;
    byte *to = (byte *)block;
    for (int k = 0; k < 8; k++) /* a bit for each byte that is not 0, from the top */
        for (int w = 0; w < words; w++) {
            u64 own;
            memcpy(&own, slots + k * eighth + 8 * w, sizeof own);
            first[w] = first[w] >> 1 | ((((own & sevens) + sevens) | own) & ~sevens);
        }
    if (apart == 1) /* the same in all cases: constants make it fast */
        for (int i = 0; i < width; i++) to[i] = from[2 * i], to[width + i] = from[2 * i + 1];
    else
        for (int c = 0; c < 1 << apart; c++)
            for (int i = 0; i < width; i++) to[c * width + i] = from[i << apart | c];
    for (int k = 0; k < blocks; k++) {
        for (int c = 0; c < 1 << apart; c++)
            memcpy(made + (c * blocks + k) * width, to + c * width, (size_t)width);
        for (int w = 0; w < words; w++)
            block[w] = (block[w] >> 1 & sevens) | (block[w] << 7 & ~sevens);
    }
}

__attribute__((noinline)) /* or compilers take seconds */
static void make_combs(const byte *slots, int digits, int blocks, byte *made)
{
    if (digits == 8) make_comb(slots, 8, blocks, made); /* mostly */
    else make_comb(slots, digits, blocks, made);
}

/* The combs at square n, of those of the square before and of what was added there, `turn` slots on. */
static void join_combs(int n, int turn, byte *restrict made)
{
    int apart = bits - layout[n], low = (1 << apart) - 1, round = 1 << layout[n], size = round / 8 * 9;
    for (int c = 0; c <= low; c++) {
        int from = (c - turn) & low, on = ((from + turn) >> apart) & (round - 1);
        const byte *restrict a = comb[n - 1] + c * size;
        const byte *restrict b = added_comb[n - 1] + from * (size + round) + round - on;
        for (int i = 0; i < size; i++) made[c * size + i] = a[i] | b[i];
    }
}

static inline int sweep_by(int n, int i, int end, u64 more, const byte *combs, int wides, wide *dead)
{
    int apart = bits - layout[n], size = 9 << (layout[n] - 3);
    u64 low = ((u64)1 << apart) - 1;
    wide now[WIDES];
    memcpy(now, dead, sizeof(wide) * (size_t)wides);
    for (; i < end; i++) {
        u64 slot = (product[order[n][i]] + more) >> shift;
        const wide *at = (const wide *)(combs + (int)(slot & low) * size + (slot >> apart));
        for (int w = 0; w < wides; w++) now[w] |= at[w];
        if (i % 8 == 7) {
            wide all = now[0];
            for (int w = 1; w < wides; w++) all &= now[w];
            if (!~(all[0] & all[1] & all[2] & all[3])) return 0;
        }
    }
    memcpy(dead, now, sizeof(wide) * (size_t)wides);
    return 1;
}

/* Adds to `dead` the values with which one of the occupancies from number i on, with square n, comes to
 * a place that is taken in the combs; 0 where these are all values. */
static int sweep(int n, int i, int end, u64 more, const byte *combs, wide *dead)
{
    switch (layout[n]) {
    case 9: return sweep_by(n, i, end, more, combs, 2, dead);
    case 10: return sweep_by(n, i, end, more, combs, 4, dead);
    default: return sweep_by(n, i, end, more, combs, 1, dead);
    }
}

static void add_square(int n, u64 more)
{
    const u64 *restrict from = product;
    u64 *restrict to = product + (1 << n);
    for (int o = 0; o < 1 << n; o++) to[o] = from[o] + more;
}

/* Below m, which is alive at square n - 1. With it products came to be `last` more; slots are `turn` on,
 * or turn is -1, and no combs of the square before were made. */
static void search(int n, u64 m, u64 last, int turn)
{
    if (n == squares) {
        if (magics == sizeof magic / sizeof *magic) fail("too many magics", "");
        magic[magics++] = m;
        return;
    }
    int same = 64 - place[n], at = same - high[n], made = 0, width = 1 << layout[n] >> 3;
    u64 fixed = ((u64)1 << (level < same ? level : same)) - 1;
    short value[1 << MOST_DIGITS];
    byte combs[COMBS];
    if (n) add_square(n - 1, last);
    if (layout[n] && turn < 0) make_combs(owner[n], layout[n], 9, combs);
    if (layout[n] && turn >= 0) join_combs(n, turn, combs);
    /* The lower digits one by one, the others at once: they move slots by whole slots. */
    for (u64 part = 0; !(part >> (at - known[n])); part++) {
        u64 base = m | part << known[n], more = base << place[n];
        int values = 0, tried = turn < 0 ? seen[n] : near[n];
        if ((base ^ shard) & fixed & (((u64)1 << at) - 1)) continue;
        if (layout[n]) {
            wide dead[WIDES];
            memcpy(dead, never[n], sizeof dead);
            if (!sweep(n, 0, seen[n], more, combs, dead)) continue;
            if (turn >= 0 && !sweep(n, seen[n], near[n], more, comb[n - 1], dead)) continue;
            for (int w = 0; w < width / 8; w++)
                for (u64 left = ~dead[w / 4][w % 4]; left; left &= left - 1) {
                    int bit = __builtin_ctzll(left);
                    value[values++] =
                        (short)((bit % 8 * width + 8 * w + bit / 8) >> (layout[n] - high[n]));
                }
        } else {
            for (tried = 0; values < 1 << high[n]; values++) value[values] = (short)values;
        }
        int left = 0;
        for (int i = 0; i < values; i++) {
            u64 now = base | (u64)value[i] << at;
            if (!((now ^ shard) & fixed) &&
                may_live(n, tried, more + ((u64)value[i] << (64 - high[n]))))
                value[left++] = value[i];
        }
        if (!left || !separate(n, more)) continue;
        int next = n + 1 < squares && left >= FEW ? layout[n + 1] : 0;
        if (next && !made++) make_combs(owner[n], next, 9, comb[n]);
        if (next) make_combs(added[n], next, 17, added_comb[n]);
        for (int i = 0; i < left; i++) {
            int by = value[i] << (bits - high[n]);
            if (!join(n, by)) continue;
            alive++;
            search(n + 1, base | (u64)value[i] << at, more + ((u64)value[i] << (64 - high[n])),
                   next ? by : -1);
        }
    }
}

static int by_number(const void *a, const void *b)
{
    u64 x = *(const u64 *)a, y = *(const u64 *)b;
    return (x > y) - (x < y);
}

int main(int count, char **word)
{
    if (count < 6 || (strcmp(word[1], "rook") && strcmp(word[1], "bishop")) || strlen(word[2]) != 2)
        fail("expected", "low PIECE SQUARE BITS LEVEL SHARD...");
    int x = word[2][0] - 'a', y = word[2][1] - '1';
    if (x < 0 || x > 7 || y < 0 || y > 7) fail("no square", word[2]);
    bits = atoi(word[3]);
    level = atoi(word[4]);
    shift = 64 - bits;
    if (bits < 1 || bits > SQUARES) fail("bits", word[3]);
    prepare(word[1][0] == 'r', 8 * y + x);
    if (level < 0 || level > 64 - place[squares - 1]) fail("level", word[4]);
    owner[0][0] = attack[0];
    for (int n = 5; n < count; n++) {
        u64 last;
        int found = sscanf(word[n], "%" SCNu64 "-%" SCNu64, &shard, &last);
        if (found < 2) last = shard;
        if (found < 1 || shard > last || last >> level) fail("no shard", word[n]);
        for (; shard <= last; shard++) {
            alive = magics = 0;
            search(0, 0, 0, -1);
            qsort(magic, magics, sizeof *magic, by_number);
            printf("%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t", shard, alive, magics);
            for (u64 i = 0; i < magics; i++) printf("%s0x%" PRIx64, i ? "," : "", magic[i]);
            puts("");
            fflush(stdout);
        }
    }
    return 0;
}
