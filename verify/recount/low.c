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
 * magics there are, and these. */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef uint64_t u64;
enum { SQUARES = 12, SETS = 1 << SQUARES, LEAST_DIGITS = 3, MOST_DIGITS = 10,
       WORDS = (1 << MOST_DIGITS) / 64, RINGS = 1 << (SQUARES - LEAST_DIGITS) };

static int squares, bits, shift, level, place[SQUARES + 1]; /* of the mask's squares, falling */
static int attack[SETS];               /* the number of each occupancy's attack set, from 1 */
static int visible[SQUARES][SETS];     /* the occupancies that do not hide square n, then the others */
static int seen[SQUARES];              /* how many do not */
static short owner[SQUARES + 1][SETS]; /* of each slot: an attack set, 0: free */
static u64 product[SETS];              /* o m, exact for the squares so far */
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

static void prepare(int rook, int from)
{
    static u64 sets[SETS + 1];
    u64 open = attacks(rook, from, 0);
    int known = 0;
    for (int s = 63; s >= 0; s--)
        if (open >> s & 1 && attacks(rook, from, (u64)1 << s) != open) place[squares++] = s;
    for (int o = 0; o < 1 << squares; o++) {
        u64 blockers = 0, set;
        for (int n = 0; n < squares; n++)
            if (o >> n & 1) blockers |= (u64)1 << place[n];
        sets[known] = set = attacks(rook, from, blockers);
        int number = 0;
        while (sets[number] != set) number++;
        known += number == known;
        attack[o] = number + 1;
        for (int n = 0; n < squares; n++)
            if (o < 1 << n && set >> place[n] & 1) visible[n][seen[n]++] = o;
    }
    for (int n = 0; n < squares; n++) /* the others, those with one attack set together */
        for (int set = 1, all = seen[n]; set <= known; set++)
            for (int o = 0; o < 1 << n; o++)
                if (attack[o] == set && !(sets[set - 1] >> place[n] & 1)) visible[n][all++] = o;
}

/* Whether no two occupancies of the first n + 1 squares conflict, those with the last one added:
 * their products are `added` more than without it. `mine` becomes the owners of all slots. */
static int lives(int n, u64 added, short *mine)
{
    memcpy(mine, owner[n], sizeof *mine << bits);
    for (int o = 0; o < 1 << n; o++) {
        short *own = &mine[(product[o] + added) >> shift], set = (short)attack[o | 1 << n];
        if (*own && *own != set) return 0;
        *own = set;
    }
    return 1;
}

/* ---- Many values of the next digits at once ------------------------------------------------
 * A digit more moves the slot of what has the next square by `apart` slots: slots so far apart are a
 * ring, bits one after another, twice. */
typedef u64 Ring[WORDS * 2 + 1];

static void close_ring(u64 *ring, int digits, int words)
{
    if (digits < 6) /* again and again, until a word is full */
        ring[0] &= ((u64)1 << (1 << digits)) - 1;
    if (digits < 6)
        for (int d = 1 << digits; d < 64; d *= 2) ring[0] |= ring[0] << d;
    for (int w = 0; w <= words; w++) ring[words + w] = ring[w];
}

/* Or a ring in, from its bit `on` on. */
static inline void or_in(u64 *restrict dead, const u64 *restrict ring, u64 on, int words)
{
    const u64 *at = ring + (on >> 6);
    int by = (int)(on & 63), back = 63 - by;
    if (words == 4)
        for (int w = 0; w < 4; w++) dead[w] |= at[w] >> by | at[w + 1] << 1 << back;
    else
        for (int w = 0; w < words; w++) dead[w] |= at[w] >> by | at[w + 1] << 1 << back;
}

static int is_full(const u64 *dead, int words)
{
    u64 all = dead[0];
    for (int w = 1; w < words; w++) all &= dead[w];
    return all == ~(u64)0;
}

/* The values with which an occupancy that has square n gets a slot of one that lacks it and has
 * another attack set: bits of `dead`. Where n is seen the sets differ, as only the former ends at n;
 * where it is hidden, adding it changes nothing. */
static void rule_out(int n, u64 added, int digits, u64 *dead)
{
    static Ring taken[RINGS], other[RINGS];
    static unsigned char is_taken[SETS];
    int apart = bits - digits, words = ((1 << digits) + 63) / 64;
    u64 low = ((u64)1 << apart) - 1;
    memset(is_taken, 0, (size_t)1 << bits);
    for (int o = 0; o < 1 << n; o++) {
        u64 slot = product[o] >> shift;
        is_taken[(slot & low) << digits | slot >> apart] = 1;
    }
    for (u64 c = 0; c <= low; c++) /* eight bytes of 0 or 1 are multiplied to eight bits */
        for (int w = 0; w < words; w++) {
            u64 word = 0, eight;
            for (int at = 0; at < 64 && at < 1 << digits; at += 8) {
                memcpy(&eight, is_taken + ((c << digits) + (u64)(64 * w + at)), sizeof eight);
                word |= (eight * 0x0102040810204080 >> 56) << at;
            }
            taken[c][w] = word;
        }
    for (u64 c = 0; c <= low; c++) close_ring(taken[c], digits, words);
    memset(dead, 0, sizeof(u64) * (size_t)words);
    int i = 0, end;
    for (; i < seen[n] && (i % 8 || !is_full(dead, words)); i++) {
        u64 slot = (product[visible[n][i]] + added) >> shift;
        or_in(dead, taken[slot & low], slot >> apart, words);
    }
    for (; i < 1 << n && !is_full(dead, words); i = end) {
        for (u64 c = 0; c <= low; c++) memcpy(other[c], taken[c], sizeof(u64) * (size_t)words);
        for (end = i; end < 1 << n && attack[visible[n][end]] == attack[visible[n][i]]; end++) {
            u64 slot = product[visible[n][end]] >> shift, on = slot >> apart;
            other[slot & low][on >> 6] &= ~((u64)1 << (on & 63));
        }
        for (u64 c = 0; c <= low; c++) close_ring(other[c], digits, words);
        for (; i < end; i++) {
            u64 slot = (product[visible[n][i]] + added) >> shift;
            or_in(dead, other[slot & low], slot >> apart, words);
        }
    }
}

static void search(int n, u64 m)
{
    if (n == squares) {
        if (magics == sizeof magic / sizeof *magic) fail("too many magics", "");
        magic[magics++] = m;
        return;
    }
    int known = n ? 64 - place[n - 1] : 0, digits = 64 - place[n] - known, same = 64 - place[n];
    u64 dead[WORDS] = {0}, added = m << place[n], step = (u64)1 << (64 - digits);
    u64 fixed = ((u64)1 << (level < same ? level : same)) - 1;
    int filter = digits >= LEAST_DIGITS && digits <= MOST_DIGITS && digits <= bits;
    if (filter) rule_out(n, added, digits, dead);
    for (u64 value = 0; !(value >> digits); value++) {
        if (filter && dead[value >> 6] >> (value & 63) & 1) {
            u64 left = ~dead[value >> 6] >> (value & 63);
            value += left ? (u64)__builtin_ctzll(left) : 63 - (value & 63);
            if (!left || value >> digits) continue;
        }
        u64 now = m | value << known, more = added + value * step;
        if ((now ^ shard) & fixed || !lives(n, more, owner[n + 1])) continue;
        for (int o = 0; o < 1 << n; o++) product[o | 1 << n] = product[o] + more;
        alive++;
        search(n + 1, now);
    }
}

int main(int count, char **word)
{
    if (count < 6 || (strcmp(word[1], "rook") && strcmp(word[1], "bishop")) || strlen(word[2]) != 2)
        fail("expected", "low PIECE SQUARE BITS LEVEL SHARD...");
    int x = word[2][0] - 'a', y = word[2][1] - '1';
    if (x < 0 || x > 7 || y < 0 || y > 7) fail("no square", word[2]);
    prepare(word[1][0] == 'r', 8 * y + x);
    bits = atoi(word[3]);
    level = atoi(word[4]);
    shift = 64 - bits;
    if (bits < 1 || bits > SQUARES) fail("bits", word[3]);
    if (level < 0 || level > 64 - place[squares - 1]) fail("level", word[4]);
    owner[0][0] = (short)attack[0];
    for (int n = 5; n < count; n++) {
        u64 last;
        int found = sscanf(word[n], "%" SCNu64 "-%" SCNu64, &shard, &last);
        if (found < 2) last = shard;
        if (found < 1 || shard > last || last >> level) fail("no shard", word[n]);
        for (; shard <= last; shard++) {
            alive = magics = 0;
            search(0, 0);
            printf("%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t", shard, alive, magics);
            for (u64 i = 0; i < magics; i++) printf("%s0x%" PRIx64, i ? "," : "", magic[i]);
            puts("");
            fflush(stdout);
        }
    }
    return 0;
}
