/* Settles white rooks of rank 1 by a count of slots, and shares nothing with the search:
 * docs/cover-certificates.md defines a cell.
 *
 *     cc -O3 -std=c11 -march=native -o slots slots.c
 *     ./slots rook g1 9 LEVEL SHARD...     SHARD: a number, or a range such as 0-63
 *
 * m's top digits give the *line*: the products of the squares of rank 1 lie in intervals. Its lowest
 * digits give exactly by how much the highest squares of the file move the line. Then the squares of the
 * file come from rank 7 down, each with the digits of m that it needs. A *move* is the sum of some of
 * these, each plus or minus, at most once. Let two occupancies differ by a set F of the file and a set
 * G, F other than G. Without the squares of both they have other attacks. So the line moved by F and by
 * G must not meet when these squares are left out: every move must be *feasible*, with some place where
 * a slot may begin.
 *
 * Shard n of 2^LEVEL are the words m, 0 < m < 2^(w - 1), whose bits from w - 2 down are n, and 2^w - m;
 * w is 64 less the lowest square of the mask. 0 and 2^(w - 1) are no magics: with them 0 and any set of
 * the line without its lowest square have the product 0.
 *
 * m and 2^w - m: their products are p and -p, modulo 2^64. So the slots of -m are those of m, mirrored,
 * but for products where a slot begins: for -m these belong to the slot before. That is as if all slots
 * of m began one later. What is said of any place where slots may begin holds for both. Where it matters,
 * in `clashes`, `add_square` and `search_line`, p and p - 1 must be in one slot. So that it does not
 * cost a line whose interval begins there, the first word of each is tried by itself.
 *
 * It prints for each shard: its number; how many are alive: lines and ends of m that no count ruled out,
 * and words that came to the full test, m and 2^w - m being two; how many magics there are, and these.
 *
 * All numbers are integers and are rounded so that more stays alive. `is_magic` alone decides what a
 * magic is. It takes gcc or clang, little-endian. */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef uint64_t u64;
typedef int64_t i64;
typedef unsigned char byte;
enum { FILES = 6, MOST_BITS = 11, SETS = 1 << 12, FINE = 4, CELLS = 1 << (MOST_BITS + FINE),
       LANES = 32, OWNS = 512,
       DIGITS = 8,                      /* of m, beyond `bits`, that make a line; with 64 patterns, up */
       MOST_DIGITS = 11, FEW = 32 };    /* to so many if no move lays it on itself so often */
typedef short lanes __attribute__((vector_size(2 * LANES), aligned(2), may_alias));

static int bits, shift, cell_shift, cells, width, level, lowest; /* of moves: cells, 16 to a slot */
static int place[FILES + 1], known[FILES + 1]; /* of square n of the file, 1: rank 7; m's digits for it */
static int patterns;                    /* of the line, */
static u64 pattern[64];                 /* each divided by its lowest square, rising */
static u64 occupancy[SETS];             /* number f * patterns + p: square n of the file is bit n - 1 of f */
static byte attack[SETS];               /* its attack set's number, from 1 */
static u64 member[64], good[64];        /* bit R: R and R + d are patterns; and of one attack */
static u64 spread[64];                  /* the highest such R less the lowest */

static u64 first_word, last_word;       /* of a line, which leaves so many digits open; */
static int left;
static u64 begin, length;               /* and the step, the product of its lowest square: where it lies */
static u64 move[FILES + 1], sum[1 << FILES]; /* by the squares known, and by sets of them */
static short table[FILES][2 * CELLS + LANES]; /* with n squares known, for a move y in a cell: -1: not */
static i64 most[FILES];                 /* feasible; or what two sets of translates, y apart, share at */
static i64 points, twice[FILES + 1];    /* most; the highest. A line's slots; shared within one set */
static byte owner[FILES + 1][1 << MOST_BITS]; /* of slots: an attack set that is there for certain */
static int large[FILES][CELLS + 1], listed[FILES], asked[FILES][OWNS]; /* see `reaches` */
static u64 alive, magics, magic[1 << 16];

static void fail(const char *what, const char *found, const char *expected)
{
    fprintf(stderr, "slots: %s: %s, %s\n", what, found, expected);
    exit(2);
}

static u64 attacks(int from, u64 blockers)
{
    static const int dx[4] = {1, -1, 0, 0}, dy[4] = {0, 0, 1, -1};
    u64 set = 0;
    for (int way = 0; way < 4; way++) {
        int x = from % 8, y = from / 8;
        do {
            x += dx[way];
            y += dy[way];
            if (x < 0 || x > 7 || y < 0 || y > 7) break;
            set |= (u64)1 << (8 * y + x);
        } while (!(blockers >> (8 * y + x) & 1));
    }
    return set;
}

static void prepare(int file)
{
    static u64 sets[SETS];
    u64 line = 0x7e & ~((u64)1 << file);
    int kinds = 0;
    lowest = __builtin_ctzll(line);
    width = 64 - lowest;
    line >>= lowest;
    for (u64 k = 0; k <= line; k++)
        if (!(k & ~line)) pattern[patterns++] = k;
    for (int n = 1; n <= FILES; n++) {
        place[n] = 8 * (7 - n) + file;
        known[n] = 64 - place[n];
    }
    for (int f = 0; f < 1 << FILES; f++)
        for (int p = 0; p < patterns; p++) {
            u64 o = pattern[p] << lowest;
            for (int n = 1; n <= FILES; n++)
                if (f >> (n - 1) & 1) o |= (u64)1 << place[n];
            int i = f * patterns + p, number = 0;
            occupancy[i] = o;
            sets[kinds] = attacks(file, o);
            while (sets[number] != sets[kinds]) number++;
            kinds += number == kinds;
            attack[i] = (byte)(number + 1);
        }
    for (int d = 0; d <= (int)line; d++) {
        u64 least = 64, top = 0;
        for (int p = 0; p < patterns; p++)
            for (int q = 0; q < patterns; q++)
                if (pattern[q] == pattern[p] + (u64)d) {
                    member[d] |= (u64)1 << pattern[p];
                    if (attack[p] == attack[q]) good[d] |= (u64)1 << pattern[p];
                    if (pattern[p] < least) least = pattern[p];
                    if (pattern[p] > top) top = pattern[p];
                }
        spread[d] = member[d] ? top - least : 0;
    }
}

static int is_magic(u64 m)
{
    byte own[1 << MOST_BITS] = {0};
    for (int i = 0; i < patterns << FILES; i++) {
        byte *slot = &own[occupancy[i] * m >> shift];
        if (*slot && *slot != attack[i]) return 0;
        *slot = attack[i];
    }
    return 1;
}

/* ---- The table of the line ------------------------------------------------------------------ */
/* The table is the sum of `change`, from cell 0 on: 1 for each pair that may be shared, 1 << 16 and
 * more where not feasible. */
static void mark(int *change, int start, int count, int value)
{
    if (count <= 0) return;
    change[start] += value;
    if (start + count < cells) change[start + count] -= value;
    else {
        change[0] += value;
        change[start + count - cells] -= value;
    }
}

/* Moves that are at most `half` from `centre`: adds to the cells that hold some of these. */
static void mark_meet(int *change, u64 centre, i64 half, int value)
{
    if (half < 0) return;
    u64 start = (centre - (u64)half) >> cell_shift, end = (centre + (u64)half) >> cell_shift;
    mark(change, (int)start, (int)((end - start) & (u64)(cells - 1)) + 1, value);
}

/* To the cells that hold no others. */
static void mark_inside(int *change, u64 centre, i64 half, int value)
{
    if (half < 0) return;
    u64 cell = (u64)1 << cell_shift, from = centre - (u64)half, whole = 2 * (u64)half + 1;
    u64 pad = -from & (cell - 1);
    if (whole < pad) return;
    mark(change, (int)((from + pad) >> cell_shift), (int)((whole - pad) >> cell_shift), value);
}

/* The step is `centre`, give or take `half`. Two patterns that differ by d come to lie delta = y + d step
 * apart, and R is somewhere in a slot. They miss each other if a slot ends between them: then no R of d
 * is in a certain arc of slot - |delta|. What shares slots lies in that arc, and what has other attacks
 * does not. As the step is not known, two R may come closer or farther by `loose`, and delta differs by
 * `slack`. A set of slots that is shared has one R and d for each; -d does as d, from the other side. */
static void make_table(void)
{
    static int change[CELLS + 1];
    u64 slot = (u64)1 << shift, half = (length + 1) / 2, centre = begin + half, at[64];
    int order[64];
    memset(change, 0, sizeof(int) * (size_t)cells);
    for (int p = 0; p < patterns; p++) {
        u64 x = pattern[p] * centre & (slot - 1);
        int i = p;
        for (; i && at[i - 1] > x; i--) {
            at[i] = at[i - 1];
            order[i] = order[i - 1];
        }
        at[i] = x;
        order[i] = (int)pattern[p];
    }
    for (u64 d = 0; d < 64; d++) {
        if (!member[d]) continue;
        u64 x[128];
        i64 least[65];
        int fits[128], n = 0, counts = 0;
        for (int i = 0; i < patterns; i++)
            if (member[d] >> order[i] & 1) {
                x[n] = at[i];
                fits[n++] = good[d] >> order[i] & 1;
            }
        u64 loose = half * spread[d], gap = 0;
        for (int i = 0; i < n; i++) {
            x[n + i] = x[i] + slot;
            fits[n + i] = fits[i];
        }
        for (int i = 0; i < n; i++)
            if (x[i + 1] - x[i] > gap) gap = x[i + 1] - x[i];
        i64 slack = (i64)(d * half), closed = (i64)(slot - gap - loose) - slack;
        mark_inside(change, -d * centre, closed, 1 << 16);
        if (d) mark_inside(change, d * centre, closed, 1 << 16);
        for (int i = 0; i < n; i++) {
            if (!fits[i]) continue;
            u64 limit = 2 * slot;
            int count = 0;
            for (int j = i; j < i + n && x[j] - x[i] <= limit; j++) {
                i64 p = (i64)(x[j] - x[i]) - (i64)loose;
                if (!fits[j]) {
                    if (p > 0 && limit == 2 * slot) limit = x[j] - x[i] + loose;
                    continue;
                }
                if (p < 0) p = 0;
                if (count == counts) least[counts++] = p;
                else if (p < least[count]) least[count] = p;
                count++;
            }
        }
        for (int i = 0; i < counts; i++) {
            i64 reach = (i64)slot - 1 - least[i] + slack;
            mark_meet(change, -d * centre, reach, 1);
            if (d) mark_meet(change, d * centre, reach, 1);
        }
    }
    int now = 0, max = -1;
    for (int c = 0; c < cells; c++) {
        now += change[c];
        int value = now >> 16 ? -1 : now < patterns ? now : patterns;
        table[0][c] = (short)value;
        if (value > max) max = value;
    }
    most[0] = max;
    memcpy(table[0] + cells, table[0], sizeof(short) * (size_t)cells);
    points = 0;
    for (int p = 0; p < patterns; p++) {
        int alone = 1;
        for (int q = 0; q < p; q++) {
            u64 d = pattern[p] - pattern[q], y = d * centre;
            if (attack[p] != attack[q]) continue;
            if (y >> 63) y = -y;
            alone &= y >= slot + d * half;
        }
        points += alone;
    }
}

#define LARGER(a, b) (((a) & ((a) > (b))) | ((b) & ~((a) > (b))))

/* The table with square n from that without. */
static void double_table(int n)
{
    u64 v = move[n];
    int by = (int)(v >> cell_shift), part = (v & (((u64)1 << cell_shift) - 1)) != 0;
    const short *from = table[n - 1], *up = from + by, *down = from + cells - by;
    short *to = table[n];
    lanes max = (lanes){0} - 1;
    for (int c = 0; c < cells; c += LANES) {
        lanes a = *(const lanes *)(from + c);
        lanes b = *(const lanes *)(up + c), b2 = *(const lanes *)(up + part + c);
        lanes e = *(const lanes *)(down + c), e2 = *(const lanes *)(down - part + c);
        b = LARGER(b, b2);
        e = LARGER(e, e2);
        lanes now = (2 * a + b + e) | ((a | b | e) >> 15);
        *(lanes *)(to + c) = now;
        *(lanes *)(to + cells + c) = now;
        max = LARGER(max, now);
    }
    most[n] = -1;
    for (int i = 0; i < LANES; i++)
        if (max[i] > most[n]) most[n] = max[i];
}

/* The same for one move, exactly. */
static i64 overlap(int n, u64 y)
{
    if (!n) return table[0][y >> cell_shift];
    i64 a = overlap(n - 1, y), b, c;
    if (a < 0 || (b = overlap(n - 1, y + move[n])) < 0 || (c = overlap(n - 1, y - move[n])) < 0)
        return -1;
    return 2 * a + b + c;
}

/* The slots that all must take, with n squares known. What has one attack on the file: translates of the
 * line by all sets of the squares above; each has `points` or more slots, and they share z, so that
 * they take x^2 / (x + z) in all (Cauchy and Schwarz). */
static i64 slots_taken(int n, i64 last_twice, i64 max)
{
    i64 all = points;
    for (int class = 1; class <= FILES; class++) {
        i64 x = points << (class - 1), z;
        if (class - 1 < n) z = twice[class - 1];
        else {
            i64 t = (i64)1 << (class - 1 - n);
            z = t * last_twice + t * (t - 1) * max;
        }
        all += (x * x + x + z - 1) / (x + z);
    }
    return all;
}

/* Whether an occupancy with square n + 1 has a slot for certain that another without it has: their
 * attacks differ. */
static int clashes(int n, u64 v)
{
    const byte *own = owner[n];
    for (int f = 0; f < 1 << n; f++)
        for (int p = 0; p < patterns; p++) {
            u64 from = pattern[p] * begin + sum[f] + v, slot = (from - 1) >> shift;
            if (slot == (from + pattern[p] * length) >> shift && own[slot]) return 1;
        }
    return 0;
}

/* Adds these to the owners; 0 if two of them conflict. */
static int add_square(int n, u64 v)
{
    byte *next = owner[n + 1];
    memcpy(next, owner[n], (size_t)1 << bits);
    for (int f = 0; f < 1 << n; f++)
        for (int p = 0; p < patterns; p++) {
            u64 from = pattern[p] * begin + sum[f] + v, slot = (from - 1) >> shift;
            if (slot != (from + pattern[p] * length) >> shift) continue;
            byte set = attack[((1 << n) + f) * patterns + p];
            if (next[slot] && next[slot] != set) return 0;
            next[slot] = set;
        }
    for (int f = 0; f < 1 << n; f++) sum[1 << n | f] = sum[f] + v;
    return 1;
}

static void try_word(u64 m)
{
    alive++;
    if (!is_magic(m)) return;
    if (magics == sizeof magic / sizeof *magic) fail("magics", "too many", "expected fewer");
    magic[magics++] = m;
}

/* What the most of a move must be with the next square, whose own overlap is `own`, so that all has
 * room. */
static i64 least_most(int n, i64 own)
{
    i64 low = 0, high = 4 * most[n] + 1, room = (i64)1 << bits;
    if (own < OWNS && asked[n][own]) return asked[n][own] - 1;
    while (low < high) {
        i64 max = (low + high) / 2;
        if (slots_taken(n + 1, 2 * twice[n] + 2 * own, max) > room) low = max + 1;
        else high = max;
    }
    if (own < OWNS) asked[n][own] = (int)low + 1;
    return low;
}

/* The cells with at least this, falling. */
static void list_large(int n, int bound)
{
    byte is_large[CELLS];
    int found[CELLS], count = 0, span = (int)most[n] - bound, ends[span + 1];
    memset(ends, 0, sizeof ends);
    for (int c = 0; c < cells; c++) is_large[c] = table[n][c] >= bound;
    for (int c = 0; c < cells; c += 8) {
        u64 eight;
        memcpy(&eight, &is_large[c], sizeof eight);
        for (; eight; eight &= eight - 1) {
            found[count] = c + __builtin_ctzll(eight) / 8;
            ends[most[n] - table[n][found[count++]]]++;
        }
    }
    for (int i = 1; i <= span; i++) ends[i] += ends[i - 1];
    for (int i = 0; i < count; i++) large[n][--ends[most[n] - table[n][found[i]]]] = found[i];
    large[n][count] = -1;
    listed[n] = bound;
}

/* Whether the next table, with v, has a value of at least `least`. As 2 f(y) + f(y + v) + f(y - v) is at
 * most 2 f(y) + 2 most, f(y) must be large. Where that says little: 1. */
static int reaches(int n, u64 v, i64 least)
{
    i64 bound = (least - 2 * most[n] + 1) / 2;
    if (bound * 4 <= most[n]) return 1;
    if (bound < listed[n]) list_large(n, (int)(bound - bound / 4));
    int by = (int)(v >> cell_shift), part = (v & (((u64)1 << cell_shift) - 1)) != 0, hit = 0;
    const short *at = table[n], *up = at + by, *down = at + cells - by;
    for (int i = 0; large[n][i] >= 0; i++) {
        int c = large[n][i], a = at[c];
        if (a < bound) break;
        int b = up[c] > up[c + part] ? up[c] : up[c + part];
        int e = down[c] > down[c - part] ? down[c] : down[c - part];
        hit |= ((b | e) >= 0) & (2 * a + b + e >= least);
        if (i % 16 == 15 && hit) break;
    }
    return hit;
}

/* n squares known, by m's lowest digits `low`. */
static void search(int n, u64 low)
{
    if (n == FILES - 1) {
        alive++;
        for (u64 x = first_word >> known[n]; x <= last_word >> known[n]; x++) {
            u64 m = x << known[n] | low;
            if (m < first_word || m > last_word) continue;
            try_word(m);
            try_word(((u64)1 << width) - m);
        }
        return;
    }
    if (n) double_table(n);
    if (most[n] < 0 || slots_taken(n, twice[n], most[n]) > (i64)1 << bits) return;
    alive++;
    i64 room = (i64)1 << bits, need = 0, end = most[n] + 1;
    while (need < end) {
        i64 own = (need + end) / 2;
        if (slots_taken(n + 1, 2 * twice[n] + 2 * own, 4 * most[n]) > room) need = own + 1;
        else end = own;
    }
    if (need > most[n]) return;
    memset(asked[n], 0, sizeof asked[n]);
    listed[n] = (int)most[n] + 1;
    for (u64 x = 0; x < (u64)1 << (known[n + 1] - known[n]); x++) {
        u64 next = x << known[n] | low, v = next << place[n + 1];
        if (known[n + 1] > left && (next ^ last_word) << place[n + 1] >> (left + place[n + 1])) continue;
        if (table[n][v >> cell_shift] < need) continue;
        if (n > 1 && clashes(n, v)) continue; /* the cheaper test first */
        i64 own = overlap(n, v);
        if (own < need || (n <= 1 && clashes(n, v))) continue;
        if (!reaches(n, v, least_most(n, own))) continue;
        if (!add_square(n, v)) continue;
        move[n + 1] = v;
        twice[n + 1] = 2 * twice[n] + 2 * own;
        search(n + 1, next);
    }
}

/* All m with these top digits; `fresh`: whether nothing has tried the first of them. */
static void search_line(u64 top, int digits, int fresh)
{
    left = width - digits;
    first_word = top << left;
    last_word = first_word + ((u64)1 << left) - 1;
    if (first_word && fresh) {
        try_word(first_word);
        try_word(((u64)1 << width) - first_word);
    }
    first_word++;
    begin = first_word << lowest;
    length = (last_word - first_word) << lowest;
    memset(owner[0], 0, sizeof owner[0]);
    sum[0] = 0;
    for (int p = 0; p < patterns; p++) {
        u64 from = pattern[p] * begin, slot = (from - 1) >> shift;
        if (slot != (from + pattern[p] * length) >> shift) continue;
        if (owner[0][slot] && owner[0][slot] != attack[p]) return;
        owner[0][slot] = attack[p];
    }
    make_table();
    if (patterns == 64 && digits < bits + MOST_DIGITS && most[0] < FEW) {
        search_line(2 * top, digits + 1, 0);
        search_line(2 * top + 1, digits + 1, 1);
        return;
    }
    search(0, 0);
}

static int by_number(const void *a, const void *b)
{
    u64 x = *(const u64 *)a, y = *(const u64 *)b;
    return (x > y) - (x < y);
}

/* A number, or two with a "-" between. */
static int numbers(const char *text, u64 *first, u64 *last)
{
    char *end;
    if (*text < '0' || *text > '9') return 0;
    *first = *last = strtoull(text, &end, 10);
    if (*end == '-' && end[1] >= '0' && end[1] <= '9') *last = strtoull(end + 1, &end, 10);
    return !*end;
}

int main(int count, char **word)
{
    u64 first, last;
    if (count < 6 || strcmp(word[1], "rook"))
        fail("arguments", count < 2 ? "none" : word[1], "expected rook SQUARE BITS LEVEL SHARD...");
    if (strlen(word[2]) != 2 || word[2][0] < 'b' || word[2][0] > 'h' || word[2][1] != '1')
        fail("square", word[2], "expected b1 to h1");
    if (!numbers(word[3], &first, &last) || first != last || first < 8 || first > MOST_BITS)
        fail("bits", word[3], "expected 8 to 11");
    bits = (int)first;
    shift = 64 - bits;
    cell_shift = shift - FINE;
    cells = 1 << (bits + FINE);
    prepare(word[2][0] - 'a');
    if (!numbers(word[4], &first, &last) || first != last || first > (u64)width - 2)
        fail("level", word[4], "expected fewer than m's digits");
    level = (int)first;
    for (int n = 5; n < count; n++) {
        if (!numbers(word[n], &first, &last) || first > last || last >> level)
            fail("shard", word[n], "expected a number");
        for (u64 shard = first; shard <= last; shard++) {
            int digits = bits + DIGITS > level + 1 ? bits + DIGITS : level + 1;
            u64 lines = (u64)1 << (digits - level - 1);
            alive = magics = 0;
            for (u64 i = 0; i < lines; i++) search_line(shard * lines + i, digits, 1);
            qsort(magic, magics, sizeof *magic, by_number);
            printf("%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t", shard, alive, magics);
            for (u64 i = 0; i < magics; i++) printf("%s0x%" PRIx64, i ? "," : "", magic[i]);
            puts("");
            fflush(stdout);
        }
    }
    return 0;
}
