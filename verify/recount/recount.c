/* recount: count again what the chain of a window search leaves alive, and judge it.
 *
 *     cc -O3 -march=native -std=c11 -o recount recount.c
 *     ./recount rook g2 9 STEPS LEVEL SHARD...                        SHARD: n, or first-last
 *
 * STEPS: the "d1" before the plan's chain. LEVEL: how many of them cut the cell in shards. With an
 * "m" behind it (as in 21m) only the m whose first bit is clear are walked, each for ~m, too (L13):
 * LEVEL more bits cut that half in shards, and a shard has the magics of both sides.
 *
 * A line for each shard, with tabs between: its number; how many cells of the chain's last stage
 * are not ruled out (the survivors); the SHA-256 of where these begin; how many cells were
 * ruled out, at any stage; how many magics there are; and those. Exit status: 0, 2 for bad input.
 *
 * Written from docs/rounding-lemma.md (D1, L2, ... are its statements). No code is the search's: tables
 * are made by their definition, and each survivor is followed to its end here. It knows white rooks
 * of rank 1 and 2, and the plan that takes the rook's rank first and then its whole file in one
 * chain, in cells of 1/16 bucket. */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef uint64_t u64;

enum {
    GRID = 6,                       /* a bucket has 2^GRID units */
    CELLS = 4,                      /* a usual cell is 2^-CELLS of a bucket */
    WIDER = 2,                      /* the last square is first taken in cells 2^WIDER as long */
    STEP = 2,                       /* fractions are 2^STEP units apart */
    FRACTIONS = 1 << (GRID - STEP), /* and one table more, for nothing added */
    SLACK = 5,                      /* what drifts beside the square before: 2^-SLACK units */
    SPACING = 8,                    /* from a square of the chain to the next one */
    UNITS_ON = 1 << (GRID - CELLS - 2), /* by which the first square moves in a word (L5) */
    PATTERNS = 64, CHAIN = 6, STAGES = CHAIN + 2, KINDS = 2, MERGED = 16, RELATIONS = 1 << 2 * CHAIN,
    GLANCE = 120,                   /* mirrored: the relations, less one, before a glance */
    BATCH = 512                     /* words that are looked up together */
};

static void fail(const char *what, const char *found)
{
    fprintf(stderr, "recount: %s: %s\n", what, found);
    exit(2);
}

static u64 *memory(u64 *old, size_t words)
{
    u64 *all = realloc(old, words * sizeof *all);
    return all ? all : (fail("realloc", "no memory"), NULL);
}

/* ---- SHA-256 of 64-bit words, little-endian (FIPS 180-4) --------------------------------- */
static const uint32_t sha_first[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
static uint32_t sha[8], sha_block[16];
static u64 sha_words;

static uint32_t right(uint32_t x, int n) { return x >> n | x << (32 - n); }
static uint32_t mix(uint32_t x, int a, int b, uint32_t y) { return right(x, a) ^ right(x, b) ^ y; }

static void sha_next_block(void)
{
    static const uint32_t K[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};
    uint32_t *w = sha_block, v[8];
    memcpy(v, sha, sizeof v);
    for (int i = 0; i < 64; i++) {
        uint32_t a = v[0], e = v[4], near = w[(i + 1) % 16], far = w[(i + 14) % 16];
        if (i >= 16)
            w[i % 16] += mix(near, 7, 18, near >> 3) + w[(i + 9) % 16] + mix(far, 17, 19, far >> 10);
        uint32_t one = v[7] + mix(e, 6, 11, right(e, 25)) + ((e & v[5]) ^ (~e & v[6])) + K[i] + w[i % 16];
        uint32_t two = mix(a, 2, 13, right(a, 22)) + ((a & v[1]) ^ (a & v[2]) ^ (v[1] & v[2]));
        memmove(v + 1, v, 7 * sizeof *v);
        v[4] += one, v[0] = one + two;
    }
    for (int i = 0; i < 8; i++) sha[i] += v[i];
}

static void sha_big_endian(u64 word)
{
    sha_block[sha_words % 8 * 2] = (uint32_t)(word >> 32);
    sha_block[sha_words % 8 * 2 + 1] = (uint32_t)word;
    if (++sha_words % 8 == 0) sha_next_block();
}

static void sha_word(u64 word) { sha_big_endian(__builtin_bswap64(word)); }
static void sha_end(void)
{
    u64 length = 64 * sha_words;
    for (sha_word(0x80); sha_words % 8 != 7;) sha_word(0);
    sha_big_endian(length);
}

/* ---- The cell: mask, occupancies, attack sets (D1) --------------------------------------- */
static int square, bits, shift, unit_log2, width; /* slot = x * m >> shift, m < 2^width */
static int mirrored;                              /* what dies is dead for m and for ~m */
static u64 bucket, unit;                          /* their lengths */
static u64 mask, occupancies, occupancy[4096], attacks[4096];

/* What a rook attacks; with `edges` 0 without the last square of each ray. */
static u64 rook(u64 blockers, int edges)
{
    static const int step[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
    u64 set = 0;
    for (int n = 0; n < 4; n++)
        for (int x = square % 8 + step[n][0], y = square / 8 + step[n][1]; !((x | y) & ~7);) {
            u64 here = (u64)1 << (8 * y + x);
            x += step[n][0], y += step[n][1];
            if (edges || !((x | y) & ~7)) set |= here;
            if (blockers & here) break;
        }
    return set;
}

static void prepare_cell(void)
{
    shift = 64 - bits, bucket = (u64)1 << shift;
    unit_log2 = shift - GRID, unit = (u64)1 << unit_log2;
    mask = rook(0, 0);
    width = 64 - __builtin_ctzll(mask);
    occupancies = (u64)1 << __builtin_popcountll(mask);
    u64 subset = 0;
    for (size_t n = 0; n < occupancies; n++, subset = (subset - mask) & mask) {
        size_t first = n ? 1ull << (63 - __builtin_clzll(n)) : 0, place = first | (n * 2654435761u & (first - 1));
        occupancy[place] = subset, attacks[place] = rook(subset, 1); /* short ones first, and mixed */
    }
}

/* ---- Survivors, followed to their ends (L8) ----------------------------------------------- */
/* Occupancies that are not laid out: those that wait, and all from `next` on. */
typedef struct { size_t next, count; uint16_t wait[1 << 12]; } Rest;

static const Rest all_rest;
static u64 *magics, magic_count, holds[1 << 12]; /* what is laid out: the attack set of a slot, or 0 */
static size_t laid_out[1 << 12], laid;           /* and the slots, in the order of their coming */

static void take_back(size_t to) { while (laid > to) holds[laid_out[--laid]] = 0; }

/* Lay out what stays on low..high. -1: two that lie there conflict on all of it; 1: all occupancies lie
 * there, and none do; else 0. What stays does so for real t (L12) if `both`. What lay there before stays
 * on more than low..high. */
static int look(u64 low, u64 high, int both, const Rest *of, Rest *rest)
{
    u64 span = high - low + (u64)both, most = span ? (bucket - 1 + (u64)both) / span : UINT64_MAX;
    size_t waited = 0, next = of->next;
    rest->count = 0;
    while (waited < of->count || (next < occupancies && occupancy[next] <= most)) {
        size_t n = waited < of->count ? of->wait[waited++] : next++;
        u64 x = occupancy[n], value = x * low, slot = value >> shift;
        if ((value & (bucket - 1)) + x * span - (u64)both >= bucket)
            rest->wait[rest->count++] = (uint16_t)n;
        else if (!holds[slot])
            holds[slot] = attacks[n], laid_out[laid++] = slot;
        else if (holds[slot] != attacks[n])
            return -1;
    }
    rest->next = next;
    return next == occupancies && !rest->count;
}

/* Magics of cells of `length` that begin at `low`, or of ~m for their m (flip: ~0): a look at all
 * of them, then at their halves, and in the end at a cell's. */
static void follow(const u64 *low, int count, u64 length, u64 flip, const Rest *of)
{
    Rest rest;
    size_t before = laid;
    int half = count / 2;
    u64 first = low[0], last = low[count - 1] + length - 1, middle = first + length / 2;
    int found = look(flip ? flip - last : first, flip ? flip - first : last, 0, of, &rest);
    if (found > 0) {
        magics = memory(magics, magic_count + (u64)count * length);
        for (int n = 0; n < count; n++)
            for (u64 m = low[n]; m < low[n] + length; m++) magics[magic_count++] = flip ? flip - m : m;
    } else if (!found && half) {
        follow(low, half, length, flip, &rest);
        follow(low + half, count - half, length, flip, &rest);
    } else if (!found) {
        follow(low, 1, length / 2, flip, &rest);
        follow(&middle, 1, length / 2, flip, &rest);
    }
    take_back(before);
}

/* ---- The chain: its squares, relations and kinds (D2 to D5) ------------------------------- */
/* Tables for cells of 2^per units (D6), of the node `built` and the word `merged_at` (D8). A row is
 * `words` words of 64 cells and a repeated first one; rows: [kind][fraction][unit of the cell]. */
typedef struct {
    int per;
    size_t words, row;
    u64 span, moved, built, merged_at, *rows, *merged, *joined, *plane, *blocks, *kept;
} Shape;

typedef struct { u64 moving, fixed, fractions; const u64 *table; double killed, seen; } Relation;

/* A square (D3), in cells of 2^to values of m below cells of 2^from. */
typedef struct {
    int square, from, to, spread, relations;
    Shape *shape;
    Relation relation[RELATIONS];
    u64 start[BATCH], alive[BATCH], cell[64 * BATCH];
} Stage;

static u64 line[PATTERNS]; /* the patterns of the line */
static int patterns, chain[CHAIN], chained, shapes, stages, least, top;
static u64 differ[KINDS][PATTERNS]; /* differ[kind][r]: the patterns with another attack set */
static int merged;                  /* bit n: table n is wanted; its bits are four kinds (D8) */
static Shape shape[3];              /* of usual, wide and exact cells */
static Stage stage[STAGES];
static u64 node, head_at; /* where the node begins, and the word of the second square's cells */

/* D5. The line is the rook's rank and the chain its file, so attack sets are equal if both parts
 * are: where the parts of the file differ (kind 1), all pairs of patterns do. */
static int kind_of(u64 added, u64 kept) { return rook(added, 1) != rook(kept, 1); }

static size_t row_of(const Shape *s, int kind, int fraction, u64 first)
{
    size_t group = (size_t)kind * (FRACTIONS + 1) + (size_t)fraction;
    return ((group << s->per) + first) * s->row;
}

/* The relations (D4) of a stage behind so many squares of the chain. Four that differ only in the
 * head's place, and fix no other square, are one lookup (D8). */
static void relate(Stage *s, int before)
{
    u64 head = (u64)1 << chain[0];
    for (int states = 0; states < 1 << 2 * before; states++) {
        u64 added = (u64)1 << s->square, kept = 0;
        for (int n = 0; n < before; n++) {
            added |= (u64)(states >> n & 1) << chain[n];
            kept |= (u64)(states >> (before + n) & 1) << chain[n];
        }
        Relation one = {added, kept, kept ? FRACTIONS - 1 : 0, NULL, 0, 0};
        if (before == 0 || kept & ~head) {
            one.table = s->shape->rows + row_of(s->shape, kind_of(added, kept), kept ? 0 : FRACTIONS, 0);
        } else {
            if ((added | kept) & head) continue;
            int four = kind_of(added, 0) | kind_of(added | head, 0) << 1
                     | kind_of(added, head) << 2 | kind_of(added | head, head) << 3;
            merged |= 1 << four;
            one.table = s->shape->merged + ((size_t)four << s->shape->per) * s->shape->row;
        }
        s->relation[s->relations++] = one;
    }
}

static void add_stage(int before, int place, int to, Shape *of, int spread)
{
    stage[stages] = (Stage){.square = place, .from = least, .to = to, .spread = spread, .shape = of};
    relate(&stage[stages++], before);
    least = to;
}

/* A set of tables: span and moved are those of L3. A cell of length 0 is one m (L7). */
static Shape *new_shape(int per, u64 cell, u64 drift)
{
    Shape *s = &shape[shapes++];
    size_t words = ((size_t)1 << (bits + GRID - per)) / 64, row = words + 1;
    u64 moves = drift + (unit >> SLACK), moved = (unit << STEP) + moves, none = UINT64_MAX;
    *s = (Shape){per, words, row, cell + moves, moved, none, none, 0, 0, 0, 0, 0, 0};
    s->rows = memory(NULL, row_of(s, KINDS, 0, 0));
    s->merged = memory(NULL, ((size_t)MERGED << per) * row);
    s->joined = memory(NULL, (((size_t)1 << (GRID - per)) + 1) * row);
    s->plane = memory(NULL, row);
    s->kept = memory(NULL, row_of(s, KINDS, 0, 0));
    s->blocks = memory(NULL, ((size_t)(per + 1) << per) * row);
    return s;
}

/* Which squares the line and the chain have (D2, D3), and all that does not depend on m. */
static void prepare_chain(void)
{
    u64 rank = mask & (u64)255 << square / 8 * 8, file = mask & ~rank;
    int cell = shift - CELLS, after = 0, last = __builtin_ctzll(file);
    least = top;
    for (size_t n = 0; n < occupancies; n++)
        if (!(occupancy[n] & ~rank)) line[patterns++] = occupancy[n];
    for (int r = 0; r < patterns; r++, differ[1][r - 1] = UINT64_MAX)
        for (int other = 0; other < patterns; other++)
            differ[0][r] |= (u64)(rook(line[r], 1) != rook(line[other], 1)) << other;
    for (int b = last; file >> b; b += SPACING) {
        if (b > cell) after = after ? fail("bits", "two squares behind the chain"), 0 : b;
        else chain[chained++] = last = b;
    }
    if (chained < 3 || cell - chain[0] >= top || rank >> (cell - top + 1))
        fail("bits or steps", "no chain behind the line");
    Shape *usual = new_shape(GRID - CELLS, bucket >> CELLS, bucket >> CELLS >> (SPACING - 6));
    Shape *wide = new_shape(GRID - CELLS + WIDER, bucket >> CELLS << WIDER,
                            bucket >> CELLS << WIDER >> (SPACING - 6));
    for (int n = 0; n < chained - 1; n++) add_stage(n, chain[n], cell - chain[n], usual, 0);
    add_stage(chained - 1, last, cell - last + WIDER, wide, 0);
    add_stage(chained - 1, last, cell - last, usual, 0);
    if (!after || mirrored) return;
    int per = GRID - (shift > after ? shift - after : 0), spread = after > shift ? after - shift : 0;
    if (spread && cell - last + spread > 6) fail("bits", "m's last bits are more than a word (L7)");
    add_stage(chained, after, 0, new_shape(per, 0, bucket >> CELLS), spread);
}

/* ---- Tables, by their definition (D6) ----------------------------------------------------- */
/* to[n] |= row[n + cell], round and round; or &=. */
static void turn(const Shape *s, u64 *restrict to, const u64 *restrict row, u64 cell, int and)
{
    size_t first = (size_t)(cell >> 6) & (s->words - 1), end = s->words - first;
    int by = (int)(cell & 63), back = 63 - by;
    for (size_t n = 0; n < s->words; n = end, end = s->words, row -= s->words)
        for (; n < end; n++) {
            u64 word = row[first + n] >> by | row[first + n + 1] << 1 << back;
            to[n] = and ? to[n] & word : to[n] | word;
        }
    to[s->words] = to[0];
}

/* What is or'ed into 2^log rows of a group, from one on: in the end, block 0 is the row itself. */
static u64 *block(const Shape *s, int log, u64 first)
{ return s->blocks + (((size_t)log << s->per) + first) * s->row; }

/* Or what a moving pattern rules out (D6) into the blocks. Rows whose cell begins and ends in the same
 * cells go together, in one block or two; joined[by]: those whose by-th next is in the plane (L2). */
static void or_pattern(const Shape *s, u64 x, int again)
{
    static char made[(1 << GRID) + 1];
    u64 value = x * node, at = value >> unit_log2, units = (u64)1 << s->per, next;
    u64 last = ((value & (unit - 1)) + x * (((u64)1 << top) - 1) + s->span + unit - 1) >> unit_log2;
    if (!again) memset(made, 0, sizeof made);
    for (u64 first = 0; first < units; first = next) {
        u64 begin = (at + first) >> s->per, end = (at + first + last) >> s->per, by = end - begin;
        for (next = first + 1; next < units && (at + next) >> s->per == begin
                               && (at + next + last) >> s->per == end;) next++;
        if (by > (u64)1 << (GRID - s->per)) continue;
        u64 *joined = s->joined + by * s->row;
        if (!made[by]++) turn(s, memcpy(joined, s->plane, s->row * sizeof *joined), s->plane, by, 1);
        int log = 63 - __builtin_clzll(next - first);
        u64 other = next - ((u64)1 << log);
        turn(s, block(s, log, first), joined, begin, 0);
        if (other > first) turn(s, block(s, log, other), joined, begin, 0);
    }
}

/* The cells of the slots that the fixed patterns in a set surely have. */
static void lay_out(const Shape *s, u64 set, const u64 *slot)
{
    u64 cells = (u64)1 << (GRID - s->per), full = ((u64)1 << cells) - 1;
    memset(s->plane, 0, s->words * sizeof *s->plane);
    for (; set; set &= set - 1) {
        u64 cell = slot[__builtin_ctzll(set)] * cells;
        s->plane[cell / 64] |= full << cell % 64;
    }
    s->plane[s->words] = s->plane[0];
}

/* The patterns that stay in one slot in the node, with `add` and whatever up to `moved` more. */
static u64 sure_ones(u64 add, u64 moved, u64 *slot)
{
    u64 sure = 0;
    for (int r = 0; r < patterns; r++) {
        u64 value = line[r] * node + add, move = line[r] * (((u64)1 << top) - 1) + moved;
        slot[r] = value >> shift;
        if (mirrored && !line[r] && !moved) continue; /* nothing at all: 0 for m, and for ~m */
        sure |= (u64)((value & (bucket - 1)) + move < bucket) << r;
    }
    return sure;
}

static void build(Shape *s)
{
    size_t group = s->row << s->per;
    for (int fraction = 0; fraction <= FRACTIONS; fraction++) {
        int none = fraction == FRACTIONS;
        u64 add = none ? 0 : (u64)fraction << (unit_log2 + STEP), slot[PATTERNS];
        u64 sure = sure_ones(add, none ? 0 : s->moved, slot);
        for (int kind = 0; kind < KINDS; kind++) {
            memset(s->blocks, 0, (size_t)(s->per + 1) * group * sizeof *s->blocks);
            for (int r = 0; r < patterns; r++) {
                int again = r && differ[kind][r] == differ[kind][r - 1];
                if (!again) lay_out(s, sure & differ[kind][r], slot);
                or_pattern(s, line[r], again);
            }
            for (int log = s->per; log > 0; log--)
                for (u64 first = 0; first + ((u64)1 << log) <= (u64)1 << s->per; first++)
                    for (u64 half = 0; half < 2; half++)
                        turn(s, block(s, log - 1, first + (half << (log - 1))), block(s, log, first), 0, 0);
            u64 *rows = s->rows + row_of(s, kind, fraction, 0), *kept = s->kept + (rows - s->rows);
            memcpy(kept, memcpy(rows, s->blocks, group * sizeof *rows), group * sizeof *kept);
            for (u64 at = 0, units = (u64)1 << s->per; at < units; at++) /* what is kept (D7) from there */
                for (u64 on = at + 1; on <= at + UNITS_ON; on++)
                    turn(s, kept + at * s->row, rows + (on & (units - 1)) * s->row, on >> s->per, 1);
        }
    }
    s->built = node, s->merged_at = UINT64_MAX;
}

/* The merged tables (D8) for a word of the second square's cells that begins at m = start. */
static void merge(Shape *s, u64 start)
{
    u64 units = (u64)1 << s->per, added = (start << chain[0]) >> unit_log2;
    u64 back = 0 - ((added >> GRID) << (GRID - s->per));
    int fraction = (int)(added % (1 << GRID) >> STEP);
    for (int n = 0; n < MERGED; n++)
        for (u64 first = 0; merged >> n & 1 && first < units; first++) {
            u64 *to = s->merged + (((size_t)n << s->per) + first) * s->row;
            u64 on = (added + first) >> s->per, at = (added + first) & (units - 1);
            memcpy(to, s->rows + row_of(s, n & 1, FRACTIONS, first), s->row * sizeof *to);
            turn(s, to, s->kept + row_of(s, n >> 1 & 1, FRACTIONS, at), on, 0);
            turn(s, to, s->rows + row_of(s, n >> 2 & 1, fraction, first), back, 0);
            turn(s, to, s->kept + row_of(s, n >> 3, fraction, at), on + back, 0);
        }
    s->merged_at = start;
}

/* ---- The walk (D9) ------------------------------------------------------------------------ */
static u64 survivors, died; /* died: cells that relations ruled out, at any stage */

/* Take what one relation rules out from words of 64 cells (D4, D6). How many words are left: if
 * many died, those that live move to the front, in order. */
static int rule_out(const Shape *shape, Relation *relation, u64 *restrict start,
                    u64 *restrict alive, int count)
{
    const u64 *restrict table = relation->table, fractions = relation->fractions, row = shape->row;
    const u64 moving = relation->moving, fixed = relation->fixed, buckets = ~(bucket - 1);
    const int per = shape->per, to_units = unit_log2, to_fraction = unit_log2 + STEP;
    u64 units = ((u64)1 << shape->per) - 1, living = 0, place = 0, killed = 0;
    for (int n = 0; n < count; n++) {
        u64 f = fixed * start[n], y = (moving * start[n] - (f & buckets)) >> to_units;
        u64 at = ((f >> to_fraction & fractions) << per) + (y & units);
        u64 cell = y >> per, word = at * row + (cell >> 6);
        u64 dead = alive[n] & (table[word] >> (cell & 63) | table[word + 1] << 1 << (~cell & 63));
        killed += (u64)__builtin_popcountll(dead);
        alive[n] ^= dead;
        living += alive[n] != 0;
    }
    relation->killed += (double)killed, relation->seen += count;
    if (4 * living >= 3 * (u64)count) return count; /* not worth it */
    for (int n = 0; n < count; n++) {
        start[place] = start[n], alive[place] = alive[n];
        place += alive[place] != 0;
    }
    return (int)living;
}

/* Of words of wide cells, each a cell of the stage before, none stays alive that is dead by L12. */
static void glance(const u64 *start, u64 *alive, int count, u64 length, const Rest *of)
{
    Rest rest;
    size_t before = laid;
    int half = count / 2;
    if (look(*start, start[count - 1] + length - 1, 1, of, &rest) < 0) {
        memset(alive, 0, (size_t)count * sizeof *alive);
    } else if (half) {
        glance(start, alive, half, length, &rest);
        glance(start + half, alive + half, count - half, length, &rest);
    }
    take_back(before);
}

/* Go on below cells that begin at `parents`, at stage `s`. */
static void go(Stage *s, const u64 *parents, int count)
{
    if (s == stage + stages && count) {
        for (int n = 0; n < count; n++, survivors++) sha_word(parents[n]);
        follow(parents, count, (u64)1 << least, 0, &all_rest);
        if (mirrored) follow(parents, count, (u64)1 << least, ((u64)1 << width) - 1, &all_rest);
    }
    if (s == stage + stages) return;
    u64 *start = s->start, *alive = s->alive, all = 0;
    int width = s->from - s->to, log = width < 6 ? 0 : width - 6, cells = 1 << (width - log);
    int second = s == stage + 1, most = second ? 1 : BATCH; /* merged tables are of one word */
    int at_last = !mirrored ? -1 : s->relations > GLANCE ? GLANCE : s->relations - 1;
    for (int n = 0; n < cells; n++) all |= (u64)1 << (n << s->spread);
    for (int place = 0; place < count << log;) {
        int living = 0, left = 0;
        for (; living < most && place < count << log; living++, place++) {
            start[living] = parents[place >> log] + ((u64)(place & ((1 << log) - 1)) << (s->to + 6));
            alive[living] = all;
        }
        died += (u64)(living * cells);
        if (second) head_at = start[0];
        if (s->shape->built != node) build(s->shape);
        if (s > stage && s->shape->merged_at != head_at) merge(s->shape, head_at);
        for (int r = 0; r < s->relations && living; r++) {
            living = rule_out(s->shape, &s->relation[r], start, alive, living);
            if (r == at_last && s->shape == &shape[1] && living)
                glance(start, alive, living, (u64)1 << s->from, &all_rest);
        }
        for (Relation *one = s->relation, was; one < s->relation + s->relations - 1; one++)
            if (one[1].killed * one->seen > one->killed * one[1].seen)
                was = one[0], one[0] = one[1], one[1] = was; /* what kills more comes first */
        for (int n = 0; n < living; n++)
            for (u64 cell = alive[n]; cell; cell &= cell - 1)
                s->cell[left++] = start[n] + ((u64)(__builtin_ctzll(cell) >> s->spread) << s->to);
        died -= (u64)left;
        go(s + 1, s->cell, left);
    }
}

/* Whether two patterns of the line conflict on the whole node: then it is dead (L1). */
static int dead_line(void)
{
    u64 slot[PATTERNS], sure = sure_ones(0, 0, slot);
    for (int one = 0; one < patterns; one++)
        for (int other = 0; other < one; other++)
            if (sure >> one & sure >> other & differ[0][one] >> other & (slot[one] == slot[other]))
                return 1;
    return 0;
}

static void recount(u64 number, int p)
{
    survivors = died = magic_count = sha_words = 0;
    memcpy(sha, sha_first, sizeof sha);
    for (node = number << p; node >> p == number; node += (u64)1 << top)
        if (!dead_line()) go(stage, &node, 1);
    sha_end();
    printf("%" PRIu64 "\t%" PRIu64 "\t", number, survivors);
    for (int i = 0; i < 8; i++) printf("%08" PRIx32, sha[i]);
    printf("\t%" PRIu64 "\t%" PRIu64 "\t", died, magic_count);
    for (size_t n = 0; n < magic_count; n++) printf("%s0x%" PRIx64, n ? "," : "", magics[n]);
    puts(""), fflush(stdout);
}

int main(int count, char **word)
{
    if (count < 6 || strcmp(word[1], "rook") || strlen(word[2]) != 2)
        fail("expected", "recount rook SQUARE BITS STEPS LEVEL SHARD...");
    square = word[2][0] - 'a' + 8 * (word[2][1] - '1');
    bits = atoi(word[3]), mirrored = strchr(word[4], 'm') != NULL;
    if (square < 0 || square > 15 || bits < 6 || bits > 12) fail("square or bits", word[2]);
    prepare_cell();
    int walked = width - mirrored, p = walked - atoi(word[5]);
    top = width - atoi(word[4]);
    if (p > walked || p < top || top > shift - CELLS) fail("steps or level", word[4]);
    prepare_chain();
    for (int n = 6; n < count; n++) {
        u64 first, last;
        int found = sscanf(word[n], "%" SCNu64 "-%" SCNu64, &first, &last);
        if (found < 2) last = first;
        if (found < 1 || first > last || last >> (walked - p)) fail("no shard", word[n]);
        for (; first <= last; first++) recount(first, p);
    }
    return 0;
}
