/* recount: count again what the chain of a window search leaves alive, and judge it.
 *
 *     cc -O3 -std=c11 -o recount recount.c
 *     ./recount rook g2 9 "55 u1 e2: d1 d1 ... c36.4" LEVEL SHARD...      SHARD: n, or first-last
 *
 * A line for each shard, with tabs between: its number, how many cells of the chain's last
 * square no relation rules out (the survivors), the SHA-256 of where these begin (64-bit words,
 * little-endian, ascending), how many magics there are in the shard, and those magics.
 *
 * Written from docs/rounding-lemma.md (D1, L2, ... below are its statements) and
 * docs/cover-certificates.md. It shares no code with the search: its tables are made by the
 * definition, and each survivor is followed to its end here. White rooks, plans of "d" steps
 * and one chain. Exit status: 0 if all shards were counted, 2 for bad input. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef uint64_t u64;

enum {
    GRID = 6,                     /* a bucket has 2^GRID units */
    STEP = 2,                     /* fractions are 2^STEP units apart */
    FRACTIONS = 1 << (GRID - STEP), /* and one table more: nothing is added */
    SLACK = 5,                    /* all but the last two squares drift by at most 2^-SLACK units */
    WIDER = 2,                    /* the last square is first taken in cells 2^WIDER as long */
    SPACING = 8,                  /* from a square of the chain to the next one */
    MOST_PATTERNS = 64, MOST_STAGES = 9, MOST_KINDS = 8,
    MOST_RELATIONS = 4096, BATCH = 256
};

static void fail(const char *format, ...)
{
    va_list values;
    va_start(values, format);
    fputs("recount: ", stderr);
    vfprintf(stderr, format, values);
    fputc('\n', stderr);
    va_end(values);
    exit(2);
}

static void *memory(size_t count, size_t size)
{
    void *all = calloc(count, size);
    if (!all) fail("no memory for %zu things of %zu bytes", count, size);
    return all;
}

/* ---- SHA-256 (FIPS 180-4) ------------------------------------------------------------ */

typedef struct { uint32_t state[8]; u64 length; unsigned char block[64]; } Sha;

static uint32_t right(uint32_t x, int n) { return x >> n | x << (32 - n); }

static void sha_block(Sha *sha)
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
    uint32_t w[64], v[8];
    for (int i = 0; i < 16; i++) {
        const unsigned char *p = sha->block + 4 * i;
        w[i] = (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
    }
    for (int i = 16; i < 64; i++) {
        uint32_t a = w[i - 15], b = w[i - 2];
        w[i] = w[i - 16] + (right(a, 7) ^ right(a, 18) ^ a >> 3)
             + w[i - 7] + (right(b, 17) ^ right(b, 19) ^ b >> 10);
    }
    memcpy(v, sha->state, sizeof v);
    for (int i = 0; i < 64; i++) {
        uint32_t a = v[0], e = v[4];
        uint32_t one = v[7] + (right(e, 6) ^ right(e, 11) ^ right(e, 25))
                     + ((e & v[5]) ^ (~e & v[6])) + K[i] + w[i];
        uint32_t two = (right(a, 2) ^ right(a, 13) ^ right(a, 22))
                     + ((a & v[1]) ^ (a & v[2]) ^ (v[1] & v[2]));
        memmove(v + 1, v, 7 * sizeof *v);
        v[4] += one;
        v[0] = one + two;
    }
    for (int i = 0; i < 8; i++) sha->state[i] += v[i];
}

static Sha sha_begin(void)
{
    Sha sha = {{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19}, 0, {0}};
    return sha;
}

static void sha_byte(Sha *sha, unsigned char byte)
{
    sha->block[sha->length++ % 64] = byte;
    if (sha->length % 64 == 0) sha_block(sha);
}

static void sha_word(Sha *sha, u64 word)
{
    for (int i = 0; i < 8; i++) sha_byte(sha, (unsigned char)(word >> 8 * i));
}

static void sha_end(Sha *sha, char *hex)
{
    u64 bits = 8 * sha->length;
    for (sha_byte(sha, 0x80); sha->length % 64 != 56;) sha_byte(sha, 0);
    for (int i = 56; i >= 0; i -= 8) sha_byte(sha, (unsigned char)(bits >> i));
    for (int i = 0; i < 8; i++) sprintf(hex + 8 * i, "%08" PRIx32, sha->state[i]);
}

/* ---- The cell: mask, occupancies, attack sets ----------------------------------------- */

static int square, bits, shift;          /* slot = x * m >> shift */
static u64 bucket, unit;                 /* their lengths, as parts of a product */
static int unit_log2;
static u64 mask, occupancy[4096], attacks[4096];
static int occupancies;

/* The squares that a rook attacks, and with `edge` 0 only those that can block it usefully. */
static u64 rook(u64 blockers, int edge)
{
    static const int step[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
    u64 set = 0;
    for (int n = 0; n < 4; n++)
        for (int x = square % 8 + step[n][0], y = square / 8 + step[n][1];
             x >= 0 && x < 8 && y >= 0 && y < 8; x += step[n][0], y += step[n][1]) {
            int beyond_x = x + step[n][0], beyond_y = y + step[n][1];
            if (!edge && (beyond_x < 0 || beyond_x > 7 || beyond_y < 0 || beyond_y > 7)) break;
            set |= (u64)1 << (8 * y + x);
            if (blockers >> (8 * y + x) & 1) break;
        }
    return set;
}

/* A magic of all m from low to high, or a conflict for all of them, or halves (L9). The
 * occupancies come in no order: that finds a conflict soonest. */
static u64 *magics;
static size_t magic_count;

static int one_conflict(u64 low, u64 high, int *all_stay)
{
    static u64 now, seen[1 << 16], holds[1 << 16];
    u64 span = high - low, most = span ? (bucket - 1) / span : UINT64_MAX;
    now++;
    *all_stay = 1;
    for (int n = 0; n < occupancies; n++) {
        u64 x = occupancy[n], value = x * low;
        if (x > most || (value & (bucket - 1)) + x * span >= bucket) {
            *all_stay = 0;
            continue;
        }
        u64 slot = value >> shift;
        if (seen[slot] == now && holds[slot] != attacks[n]) return 1;
        seen[slot] = now;
        holds[slot] = attacks[n];
    }
    return 0;
}

static void follow(u64 low, u64 high)
{
    int all_stay;
    if (one_conflict(low, high, &all_stay)) return;
    if (!all_stay) {
        u64 middle = low + (high - low) / 2;
        follow(low, middle);
        follow(middle + 1, high);
        return;
    }
    for (u64 m = low; m <= high; m++) {
        if ((magic_count & (magic_count - 1)) == 0) {
            magics = realloc(magics, (magic_count ? 2 * magic_count : 1) * sizeof *magics);
            if (!magics) fail("no memory for %zu magics", 2 * magic_count);
        }
        magics[magic_count++] = m;
    }
}

/* ---- The plan and its chain ----------------------------------------------------------- */

static u64 line[MOST_PATTERNS];          /* the patterns of the line */
static int patterns;
static int chain[MOST_STAGES], chained;  /* the squares of the chain */
static int top;                          /* a node has 2^top values of m */
static int cells;                        /* the usual cells are 2^-cells of a bucket */
static u64 units_on;                     /* L6: what a word of the second square leaves open */

/* A set of tables (D6): 2^per units to a cell, `words` words of 64 cells to a row, which has one
 * more that repeats the first. rows: [kind][fraction][unit where the cell begins]. */
typedef struct {
    int per;
    u64 span, moved;
    size_t words;
    u64 *rows, *kept, *merged, *plane, *joined, *turned;
} Shape;

typedef struct { u64 moving, fixed, fraction_mask; const u64 *table; } Relation;

/* A square of the chain, in cells of 2^to values of m below cells of 2^from. */
typedef struct {
    int square, from, to, spread;
    Shape *shape;
    Relation relation[MOST_RELATIONS];
    int relations;
} Stage;

static Shape usual, wide, exact;
static Stage stage[MOST_STAGES];
static int stages, least;                      /* the last cells have 2^least values of m */
static u64 differ[MOST_KINDS][MOST_PATTERNS]; /* differ[kind][r]: R with other attack sets */
static int kinds;
static int merged[MOST_KINDS][4];             /* kinds: head on no side, moving, fixed, both */
static int merges;

static size_t row_of(const Shape *s, int kind, int fraction, u64 first)
{
    return ((((size_t)kind * (FRACTIONS + 1) + (size_t)fraction) << s->per) + first)
         * (s->words + 1);
}

/* The number of the matrix of pairs of patterns with different attack sets (D5). */
static int kind_of(u64 added, u64 kept)
{
    u64 matrix[MOST_PATTERNS] = {0};
    for (int r = 0; r < patterns; r++)
        for (int other = 0; other < patterns; other++)
            if (rook(line[r] | added, 1) != rook(line[other] | kept, 1))
                matrix[r] |= (u64)1 << other;
    for (int kind = 0; kind < kinds; kind++)
        if (!memcmp(matrix, differ[kind], sizeof matrix)) return kind;
    if (kinds == MOST_KINDS) fail("more than %d kinds of pairs", MOST_KINDS);
    memcpy(differ[kinds], matrix, sizeof matrix);
    return kinds++;
}

static int merge_of(u64 added, u64 head)
{
    int four[4] = {kind_of(added, 0), kind_of(added | head, 0),
                   kind_of(added, head), kind_of(added | head, head)};
    for (int n = 0; n < merges; n++)
        if (!memcmp(four, merged[n], sizeof four)) return n;
    if (merges == MOST_KINDS) fail("more than %d merged tables", MOST_KINDS);
    memcpy(merged[merges], four, sizeof four);
    return merges++;
}

/* Relations (D4) of a stage whose key is so much: squares on both sides * 8 + squares fixed.
 * `numbers` are the kind, or -1 - the merged table. */
static void relations_of(Stage *s, int key, int *numbers)
{
    int before = 0;
    while (before < chained && chain[before] < s->square) before++;
    u64 head = before ? (u64)1 << chain[0] : 0;
    for (int states = 0; states < 1 << 2 * before; states++) {
        u64 added = (u64)1 << s->square, kept = 0;
        int cost = 0;
        for (int n = 0; n < before; n++) {
            int state = states >> 2 * n & 3;
            if (state & 1) added |= (u64)1 << chain[n];
            if (state & 2) kept |= (u64)1 << chain[n];
            cost += (state == 3) * 8 + (state > 1);
        }
        if (cost != key) continue;
        int together = before && !(kept & ~head);      /* L6: one lookup for four relations */
        if (together && (kept || added & head)) continue;
        Relation relation = {added, kept, kept ? FRACTIONS - 1 : 0, NULL};
        numbers[s->relations] = together ? -1 - merge_of(added, head) : kind_of(added, kept);
        s->relation[s->relations++] = relation;
    }
}

static void add_stage(int place, int to, Shape *shape, int spread)
{
    Stage *s = &stage[stages];
    s->square = place;
    s->from = stages ? stage[stages - 1].to : top;
    s->to = to;
    s->shape = shape;
    s->spread = spread;
    stages++;
    least = to;
}

/* Shapes (D6, L4): cells of 2^-part of a bucket behind squares whose cells are 2^-cells. */
static Shape shape_of(int per, u64 span, u64 moved)
{
    Shape s = {.per = per, .span = span, .moved = moved};
    s.words = ((size_t)1 << (bits + GRID - per)) / 64;
    if (!s.words) fail("a table of less than 64 cells");
    return s;
}

static Shape cell_shape(int part)
{
    u64 drift = (u64)1 << (shift - part + 6 - SPACING);
    u64 slack = unit >> SLACK;
    return shape_of(GRID - part, ((u64)1 << (shift - part)) + drift + slack,
                    (unit << STEP) + drift + slack);
}

static void rooms(Shape *s)
{
    size_t units = (size_t)1 << s->per, row = s->words + 1;
    s->rows = memory((size_t)kinds * (FRACTIONS + 1) * units * row, sizeof *s->rows);
    s->kept = memory((size_t)kinds * (FRACTIONS + 1) * units * row, sizeof *s->kept);
    s->merged = memory((size_t)(merges + 1) * units * row, sizeof *s->merged);
    s->plane = memory(row, sizeof *s->plane);
    s->turned = memory(row, sizeof *s->turned);
    s->joined = memory((((size_t)1 << (GRID - s->per)) + 1) * row, sizeof *s->joined);
}

/* Which squares the chain has (D3), and everything that does not depend on m. */
static void prepare_chain(int end)
{
    int last_line = -1, left, after = -1;
    u64 within = 0;
    for (int b = 0; b < 64; b++) {
        if (!(mask >> b & 1)) continue;
        if (shift - cells - b >= top) within |= (u64)1 << b, last_line = b;
        else if (shift - cells - b >= end && chained < MOST_STAGES - 3) chain[chained++] = b;
        else if (after < 0) after = b;
    }
    if (chained < 3 || last_line < 0 || cells != 4) fail("no chain that this program knows");
    for (int n = 1; n < chained; n++)
        if (chain[n] != chain[n - 1] + SPACING) fail("the chain's squares are not %d apart", SPACING);
    for (int n = 0; n < occupancies; n++)
        if (!(occupancy[n] & ~within)) {
            if (patterns == MOST_PATTERNS) fail("a line of more than 6 squares");
            line[patterns++] = occupancy[n];
        }
    usual = cell_shape(cells);
    wide = cell_shape(cells - WIDER);
    units_on = (u64)1 << (GRID - cells - 2);
    left = shift - cells - chain[chained - 1];
    for (int n = 0; n < chained - 1; n++) add_stage(chain[n], shift - cells - chain[n], &usual, 0);
    add_stage(chain[chained - 1], left + WIDER, &wide, 0);
    add_stage(chain[chained - 1], left, &usual, 0);
    if (end == 0 && left > 0) {                        /* L7: m's last bits, one more square */
        int spread = after > shift ? after - shift : 0;
        if (after != chain[chained - 1] + SPACING || mask >> after != 1 || (spread && left + spread > 6))
            fail("m's last bits are not one word of the last square");
        u64 drift = unit << (GRID - cells), slack = unit >> SLACK;
        exact = shape_of(GRID - (shift > after ? shift - after : 0), drift + slack,
                         (unit << STEP) + drift + slack);
        add_stage(after, 0, &exact, spread);
    } else if (left != end) {
        fail("the chain's last cells end at p = %d, not %d", left, end);
    }
    static int numbers[MOST_STAGES][MOST_RELATIONS];
    for (int n = 0; n < stages; n++)
        for (int key = 0; key < 9 * MOST_STAGES; key++) relations_of(&stage[n], key, numbers[n]);
    rooms(&usual);
    rooms(&wide);
    if (exact.words) rooms(&exact);
    for (int n = 0; n < stages; n++)
        for (int r = 0; r < stage[n].relations; r++) {
            Shape *s = stage[n].shape;
            Relation *relation = &stage[n].relation[r];
            int which = numbers[n][r];
            relation->table = which >= 0
                ? s->rows + row_of(s, which, relation->fixed ? 0 : FRACTIONS, 0)
                : s->merged + ((size_t)(-1 - which) << s->per) * (s->words + 1);
        }
}

/* ---- Tables, by their definition (D6) -------------------------------------------------- */

/* to[n] = from[n + cell], round and round. */
static void turn(u64 *restrict to, const u64 *restrict from, u64 cell, size_t words)
{
    size_t first = (size_t)(cell >> 6) & (words - 1), n = 0;
    int by = (int)(cell & 63), back = 63 - by;
    for (const u64 *here = from + first; n < words - first; n++)
        to[n] = here[n] >> by | here[n + 1] << 1 << back;
    for (const u64 *here = from - (words - first); n < words; n++)
        to[n] = here[n] >> by | here[n + 1] << 1 << back;
    to[words] = to[0];
}

static void or_in(u64 *restrict to, const u64 *restrict from, size_t words)
{
    for (size_t n = 0; n < words; n++) to[n] |= from[n];
}

/* What moving pattern x rules out, or-ed into the rows of a kind and fraction (L3). joined[by]:
 * cells in the plane with the one `by` cells on; a bucket's length at most, so all between. */
static void or_pattern(Shape *s, u64 *rows, u64 x, u64 base, char *made)
{
    size_t row = s->words + 1;
    u64 value = x * base, at = value >> unit_log2, units = (u64)1 << s->per;
    u64 reach = (value & (unit - 1)) + x * (((u64)1 << top) - 1) + s->span;
    u64 last = (reach + unit - 1) >> unit_log2;
    for (u64 first = 0, next; first < units; first = next) {
        u64 begin = (at + first) >> s->per, end = (at + first + last) >> s->per;
        for (next = first + 1; next < units && (at + next) >> s->per == begin
                               && (at + next + last) >> s->per == end;) next++;
        u64 by = end - begin;
        if (by > (u64)1 << (GRID - s->per)) continue;
        u64 *joined = s->joined + by * row;
        if (!made[by]) {
            turn(joined, s->plane, by, s->words);
            for (size_t n = 0; n < row; n++) joined[n] &= s->plane[n];
            made[by] = 1;
        }
        turn(s->turned, joined, begin, s->words);
        for (u64 u = first; u < next; u++) or_in(rows + u * row, s->turned, row);
    }
}

static void build(Shape *s, u64 base)
{
    size_t row = s->words + 1, units = (size_t)1 << s->per;
    int cells_log2 = GRID - s->per;
    u64 full = ((u64)1 << (1 << cells_log2)) - 1, below = ((u64)1 << top) - 1;
    for (int fraction = 0; fraction <= FRACTIONS; fraction++) {
        int none = fraction == FRACTIONS;
        u64 add = none ? 0 : (u64)fraction << (unit_log2 + STEP), sure = 0, slot[MOST_PATTERNS];
        for (int r = 0; r < patterns; r++) {           /* D6: the fixed side */
            u64 value = line[r] * base + add;
            slot[r] = value >> shift;
            if ((value & (bucket - 1)) + line[r] * below + (none ? 0 : s->moved) < bucket)
                sure |= (u64)1 << r;
        }
        for (int kind = 0; kind < kinds; kind++) {
            u64 *rows = s->rows + row_of(s, kind, fraction, 0);
            char made[(1 << GRID) + 1];
            memset(rows, 0, units * row * sizeof *rows);
            for (int r = 0; r < patterns; r++) {
                if (r == 0 || differ[kind][r] != differ[kind][r - 1]) {
                    memset(s->plane, 0, row * sizeof *s->plane);
                    for (int other = 0; other < patterns; other++)
                        if (sure & differ[kind][r] & (u64)1 << other) {
                            u64 cell = slot[other] << cells_log2;
                            s->plane[cell >> 6] |= full << (cell & 63);
                        }
                    s->plane[s->words] = s->plane[0];
                    memset(made, 0, sizeof made);
                }
                or_pattern(s, rows, line[r], base, made);
            }
        }
    }
    for (int group = 0; group < kinds * (FRACTIONS + 1); group++)   /* L6: kept */
        for (u64 first = 0; first < units; first++) {
            const u64 *rows = s->rows + (size_t)group * units * row;
            u64 *kept = s->kept + ((size_t)group * units + first) * row;
            memcpy(kept, rows + first * row, row * sizeof *kept);
            for (u64 on = 1; on <= units_on; on++) {
                turn(s->turned, rows + ((first + on) & (units - 1)) * row,
                     (first + on) >> s->per, s->words);
                for (size_t n = 0; n < row; n++) kept[n] &= s->turned[n];
            }
        }
}

/* The merged tables (L6) for a word of the second square's cells that begins at m = start. */
static void merge(Shape *s, u64 start)
{
    size_t row = s->words + 1;
    u64 units = (u64)1 << s->per, added = (start << chain[0]) >> unit_log2;
    int fraction = (int)((added & ((1 << GRID) - 1)) >> STEP);
    u64 back = 0 - ((added >> GRID) << (GRID - s->per));
    for (int n = 0; n < merges; n++)
        for (u64 first = 0; first < units; first++) {
            u64 *to = s->merged + (((size_t)n << s->per) + first) * row;
            u64 on = (added + first) >> s->per, at = (added + first) & (units - 1);
            memcpy(to, s->rows + row_of(s, merged[n][0], FRACTIONS, first), row * sizeof *to);
            turn(s->turned, s->kept + row_of(s, merged[n][1], FRACTIONS, at), on, s->words);
            or_in(to, s->turned, row);
            turn(s->turned, s->rows + row_of(s, merged[n][2], fraction, first), back, s->words);
            or_in(to, s->turned, row);
            turn(s->turned, s->kept + row_of(s, merged[n][3], fraction, at), on + back, s->words);
            or_in(to, s->turned, row);
        }
}

/* ---- The walk --------------------------------------------------------------------------- */

static u64 survivors, died;              /* died: cells that relations ruled out, at any square */
static Sha sha;

/* Take what one relation rules out from words of 64 cells (D4, D6). How many words still live. */
static int rule_out(const Shape *shape, const Relation *relation, const u64 *restrict start,
                    u64 *restrict alive, int count)
{
    const u64 *restrict table = relation->table;
    const u64 moving = relation->moving, fixed = relation->fixed;
    const u64 fractions = relation->fraction_mask, buckets = ~(bucket - 1);
    const u64 units = ((u64)1 << shape->per) - 1, row = shape->words + 1;
    const int per = shape->per, to_units = unit_log2, to_fraction = unit_log2 + STEP;
    u64 living = 0;
    for (int n = 0; n < count; n++) {
        u64 f = fixed * start[n];
        u64 y = (moving * start[n] - (f & buckets)) >> to_units;
        u64 at = ((f >> to_fraction & fractions) << per) + (y & units);
        u64 cell = y >> per, word = at * row + (cell >> 6);
        u64 dead = table[word] >> (cell & 63) | table[word + 1] << 1 << (~cell & 63);
        alive[n] &= ~dead;
        living += alive[n] != 0;
    }
    return (int)living;
}

/* Move the words that live to the front, in order. */
static int squeeze(u64 *start, u64 *alive, int count)
{
    int living = 0;
    for (int n = 0; n < count; n++) {
        u64 one = start[n], left = alive[n];
        start[living] = one;
        alive[living] = left;
        living += left != 0;
    }
    return living;
}

static void go(int depth, const u64 *parents, int count)
{
    static u64 room[MOST_STAGES][64 * BATCH];
    static u64 starts[MOST_STAGES][BATCH], alives[MOST_STAGES][BATCH];
    if (depth == stages) {
        for (int n = 0; n < count; n++) {
            u64 length = (u64)1 << least;
            sha_word(&sha, parents[n]);
            follow(parents[n], parents[n] + length - 1);
        }
        survivors += (u64)count;
        return;
    }
    const Stage *s = &stage[depth];
    u64 *start = starts[depth], *alive = alives[depth], all = 0;
    int width = s->from - s->to, words = width > 6 ? 1 << (width - 6) : 1;
    int most = depth == 1 ? 1 : BATCH;                 /* merged tables are of one word */
    for (int n = 0; n < 1 << (width < 6 ? width : 6); n++) all |= (u64)1 << (n << s->spread);
    for (int place = 0; place < count * words;) {
        int living = 0, cells_left = 0;
        for (; living < most && place < count * words; living++, place++) {
            start[living] = parents[place / words] + ((u64)(place % words) << (s->to + 6));
            alive[living] = all;
        }
        died += (u64)living << (width < 6 ? width : 6);
        if (depth == 1) {
            merge(&usual, start[0]);
            merge(&wide, start[0]);
            if (exact.words) merge(&exact, start[0]);
        }
        for (int r = 0; r < s->relations && living; r++) {
            int left = rule_out(s->shape, &s->relation[r], start, alive, living);
            if (4 * left < 3 * living) living = squeeze(start, alive, living);
        }
        for (int n = 0; n < living; n++)
            for (u64 left = alive[n]; left; left &= left - 1) {
                u64 cell = (u64)__builtin_ctzll(left) >> s->spread;
                room[depth][cells_left++] = start[n] + (cell << s->to);
            }
        died -= (u64)cells_left;
        if (cells_left) go(depth + 1, room[depth], cells_left);
    }
}

/* Whether two patterns of the line conflict on a whole node: it is dead then (D2). */
static int dead_line(u64 base)
{
    u64 below = ((u64)1 << top) - 1;
    for (int one = 0; one < patterns; one++)
        for (int other = 0; other < one; other++) {
            u64 x = line[one], y = line[other];
            if (((x * base) ^ (y * base)) >> shift == 0
                && (x * base & (bucket - 1)) + x * below < bucket
                && (y * base & (bucket - 1)) + y * below < bucket && rook(x, 1) != rook(y, 1))
                return 1;
        }
    return 0;
}

static void recount(u64 number, int p)
{
    char digest[65];
    survivors = died = 0;
    magic_count = 0;
    sha = sha_begin();
    for (u64 n = 0; n < (u64)1 << (p - top); n++) {
        u64 base = (number << p) + (n << top);
        if (dead_line(base)) continue;
        build(&usual, base);
        build(&wide, base);
        if (exact.words) build(&exact, base);
        go(0, &base, 1);
    }
    sha_end(&sha, digest);
    printf("%" PRIu64 "\t%" PRIu64 "\t%s\t%" PRIu64 "\t%zu\t", number, survivors, digest, died, magic_count);
    for (size_t n = 0; n < magic_count; n++) printf("%s0x%" PRIx64, n ? "," : "", magics[n]);
    putchar('\n');
    fflush(stdout);
}

/* The plan "START uU eE: d1 d1 ... c33.4k d1 ...": p at a level, `top` and the chain. */
static int read_plan(const char *text, int width, int level)
{
    int p, units, early, used = 0, depth = 0, at_level = -1, ends = -1;
    if (sscanf(text, "%d u%d e%d:%n", &p, &units, &early, &used) != 3 || !used || p != width)
        fail("expected a plan that begins \"%d u1 e2:\", found \"%s\"", width, text);
    for (const char *step = text + used; *step; depth++) {
        int down, part, length = 0;
        if (depth == level) at_level = p;
        if (sscanf(step, " c%d.%d%n", &down, &part, &length) == 2 && length && ends < 0) {
            step += length + (step[length] == 'k');
            top = p;
            cells = part;
            ends = p -= down;
        } else if (sscanf(step, " d%d%n", &down, &length) == 1 && length) {
            step += length;
            p -= down;
        } else {
            fail("expected \"d\" steps and one chain, found \"%s\"", step);
        }
    }
    if (p != 0 || ends < 0) fail("the plan ends at p = %d, and with%s a chain", p, ends < 0 ? "out" : "");
    if (at_level < top) fail("level %d is not before the chain", level);
    prepare_chain(ends);
    return at_level;
}

int main(int count, char **word)
{
    if (count < 7 || strcmp(word[1], "rook") || strlen(word[2]) != 2)
        fail("expected: recount rook SQUARE BITS PLAN LEVEL SHARD...");
    square = word[2][0] - 'a' + 8 * (word[2][1] - '1');
    bits = atoi(word[3]);
    if (square < 0 || square > 63 || bits < 1 || bits > 16) fail("no square or bits: %s %s", word[2], word[3]);
    shift = 64 - bits;
    bucket = (u64)1 << shift;
    unit_log2 = shift - GRID;
    unit = (u64)1 << unit_log2;
    mask = rook(0, 0);
    u64 subset = 0, low = mask & (0 - mask);
    do occupancy[occupancies++] = subset; while ((subset = (subset - mask) & mask));
    for (u64 n = (u64)occupancies - 1, random = 1; n; n--) {   /* L9: in no order */
        random = random * 6364136223846793005u + 1442695040888963407u;
        u64 other = (random >> 33) % (n + 1), one = occupancy[n];
        occupancy[n] = occupancy[other];
        occupancy[other] = one;
    }
    for (int n = 0; n < occupancies; n++) attacks[n] = rook(occupancy[n], 1);
    int width = 64;
    while (low >>= 1) width--;
    int p = read_plan(word[4], width, atoi(word[5]));
    for (int n = 6; n < count; n++) {
        u64 first, last;
        int found = sscanf(word[n], "%" SCNu64 "-%" SCNu64, &first, &last);
        if (found == 1) last = first;
        if (found < 1 || last >> (width - p)) fail("no shard: %s", word[n]);
        for (u64 number = first; number <= last; number++) recount(number, p);
    }
    return 0;
}
