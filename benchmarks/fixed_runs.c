/* Rooks' magics of few bits by random words with fixed bits, one square at a time.
 *
 *     cc -O3 -march=native benchmarks/fixed_runs.c -o fixed_runs
 *     ./fixed_runs g1 10 1 180 0xc6000b13534dffff 0x3c100808887bfffc
 *
 * The square, the index bits, a seed, the seconds of CPU to spend, and any magics of other squares.
 * The way is Michal Witanowski's (Caissa, 2026); the program is written anew. A family of words has
 * fixed bits, and the others are random. Fixed are: a run of zeros and a run of ones, where magics of
 * few bits have them; or bits of another square's magic, moved by up to four files; or those of a
 * good family, but for up to three. A family is tried 2^19 times, and 2^26 times if its words come far.
 *
 * The occupancies that most often conflict are tried first, learned anew for each family. Each word
 * that is printed as FOUND has been tried with all of them.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST = 4096, GOOD = 64, LEARN = 30000 };

typedef struct { uint64_t fixed, value; double score; } family;

static uint64_t state[4];
static int count, bits;
static uint64_t mask, occupancy[MOST], ordered[MOST];
static uint32_t attack[MOST], ordered_attack[MOST], table[MOST], generation;
static int order[MOST];

static uint64_t turned(uint64_t x, int k) { return x << k | x >> (64 - k); }

static uint64_t draw(void) /* xoshiro256**: Blackman and Vigna, 2018 */
{
    uint64_t result = turned(state[1] * 5, 7) * 9, shifted = state[1] << 17;
    state[2] ^= state[0];
    state[3] ^= state[1];
    state[1] ^= state[2];
    state[0] ^= state[3];
    state[2] ^= shifted;
    state[3] = turned(state[3], 45);
    return result;
}

static uint64_t mixed(uint64_t x)
{
    x += 0x9E3779B97F4A7C15ull;
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9ull;
    x = (x ^ x >> 27) * 0x94D049BB133111EBull;
    return x ^ x >> 31;
}

static uint64_t walk(int square, uint64_t occupied)
{
    static const int steps[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
    uint64_t attacked = 0;
    for (int k = 0; k < 4; k++)
        for (int r = square / 8 + steps[k][0], f = square % 8 + steps[k][1];
             r >= 0 && r < 8 && f >= 0 && f < 8; r += steps[k][0], f += steps[k][1]) {
            attacked |= 1ull << (8 * r + f);
            if (occupied >> (8 * r + f) & 1) break;
        }
    return attacked;
}

static void list_occupancies(int square)
{
    uint64_t occupied = 0, seen[256];
    int rank = square / 8, file = square % 8, different = 0;
    for (int i = 1; i < 7; i++) {
        if (i != file) mask |= 1ull << (8 * rank + i);
        if (i != rank) mask |= 1ull << (8 * i + file);
    }
    do {
        uint64_t attacked = walk(square, occupied);
        int number = 0;
        while (number < different && seen[number] != attacked) number++;
        if (number == different) seen[different++] = attacked;
        occupancy[count] = occupied;
        attack[count++] = number;
        occupied = (occupied - mask) & mask;
    } while (occupied);
}

/* Lookups until the first conflict, whose other occupancy is `partner`; `count` for a magic. */
static int depth(uint64_t magic, int *partner)
{
    if (++generation == 1u << 12) {
        memset(table, 0, sizeof table);
        generation = 1;
    }
    for (int i = 0; i < count; i++) {
        uint32_t *slot = &table[ordered[i] * magic >> (64 - bits)];
        if (*slot >> 20 != generation) {
            *slot = generation << 20 | ordered_attack[i] << 12 | i;
        } else if ((*slot >> 12 & 255) != ordered_attack[i]) {
            if (partner) *partner = *slot & 4095;
            return i;
        }
    }
    return count;
}

/* How many occupancies find another attack set in their slot. */
static int conflicting(uint64_t magic)
{
    static uint32_t first[MOST];
    int found = 0;
    memset(first, 0, sizeof first);
    for (int i = 0; i < count; i++) {
        uint32_t *slot = &first[occupancy[i] * magic >> (64 - bits)];
        if (!*slot) *slot = attack[i] + 1;
        found += *slot != attack[i] + 1;
    }
    return found;
}

static void set_order(void)
{
    for (int i = 0; i < count; i++) {
        ordered[i] = occupancy[order[i]];
        ordered_attack[i] = attack[order[i]];
    }
    memset(table, 0, sizeof table);
    generation = 0;
}

static void learn_order(const family *f)
{
    static uint64_t conflicts[MOST];
    memset(conflicts, 0, sizeof conflicts);
    for (int i = 0; i < count; i++) order[i] = i;
    for (int i = count - 1; i > 0; i--) {
        int j = draw() % (i + 1), other = order[i];
        order[i] = order[j];
        order[j] = other;
    }
    for (int round = 0; round < 2; round++) {
        set_order();
        for (int k = 0; k < LEARN; k++) {
            int partner = 0, at = depth((draw() & ~f->fixed) | f->value, &partner);
            if (at < count) {
                conflicts[order[at]]++;
                conflicts[order[partner]]++;
            }
        }
        for (int gap = count / 2; gap > 0; gap /= 2)
            for (int i = gap; i < count; i++) {
                int one = order[i], j = i;
                for (; j >= gap && conflicts[order[j - gap]] < conflicts[one]; j -= gap)
                    order[j] = order[j - gap];
                order[j] = one;
            }
    }
    set_order();
}

static uint64_t run(int from, int to) { return ~0ull << from & ~(~0ull << to); }

static family runs(void)
{
    int zero = 36 + draw() % 12, zero_end = zero + 3 + draw() % 14;
    int one = draw() % 10, one_end = one + 4 + draw() % 17;
    if (zero_end > 60) zero_end = 60;
    return (family){run(zero, zero_end) | run(one, one_end), run(one, one_end), 0};
}

static family neighbour(uint64_t magic)
{
    int by = (int)(draw() % 9) - 4;
    uint64_t keep, same, inside;
    magic = by >= 0 ? magic << by : magic >> -by;
    switch (draw() % 4) {
    case 0: keep = 0xFFFFFFFFull; break;
    case 1: keep = ~0xFFFFFFFFull; break;
    case 2: keep = draw() | draw(); break;
    default: /* its runs of four or more equal bits */
        same = ~(magic ^ magic << 1);
        inside = same & same >> 1 & same >> 2;
        keep = inside | inside << 1 | inside << 2 | inside << 3;
        keep |= inside >> 1;
    }
    return (family){keep, magic & keep, 0};
}

static family changed(family f)
{
    int changes = 1 + draw() % 3;
    for (int i = 0; i < changes; i++) {
        int bit = draw() % 64;
        f.fixed ^= 1ull << bit;
        if (f.fixed >> bit & 1) f.value |= (draw() & 1) << bit;
    }
    f.value &= f.fixed;
    return f;
}

int main(int given, char **text)
{
    if (given < 5) return fputs("expected SQUARE BITS SEED SECONDS [MAGIC...]\n", stderr), 2;
    int square = text[1][0] - 'a' + 8 * (text[1][1] - '1'), good_count = 0, best, found = 0;
    uint64_t seed = strtoull(text[3], 0, 0), words = 0, families = 0, best_magic = 0;
    double limit = atof(text[4]), told = 0;
    family good[GOOD];
    bits = atoi(text[2]);
    for (int i = 0; i < 4; i++) state[i] = seed = mixed(seed);
    list_occupancies(square);
    for (best = count;;) {
        family f;
        uint64_t quota = 1 << 19, far = 0;
        if (good_count > 16 && draw() % 100 < 40) f = changed(good[draw() % good_count]);
        else if (given == 5 || draw() % 100 < 50) f = runs();
        else f = neighbour(strtoull(text[5 + draw() % (given - 5)], 0, 0));
        int room = __builtin_popcountll(~f.fixed & ((1ull << (64 - __builtin_ctzll(mask))) - 1));
        if (room < 16) continue;
        learn_order(&f);
        families++;
        for (uint64_t k = 0; k < quota; k++, words++) {
            uint64_t magic = (draw() & ~f.fixed) | f.value;
            int at = depth(magic, 0);
            far += at >= count / 32;
            if (at >= count / 10) {
                int wrong = conflicting(magic);
                if (!wrong) printf("FOUND %s, %d bits: 0x%016llx\n", text[1], bits, (unsigned long long)magic);
                found += !wrong;
                if (wrong < best) best = wrong, best_magic = magic;
            }
            if (k == (1 << 19) - 1 && quota == 1 << 19) { /* is the family worth more? */
                int worst = 0;
                double mean = 0;
                f.score = far;
                for (int i = 1; i < good_count; i++)
                    if (good[i].score < good[worst].score) worst = i;
                if (good_count < GOOD) good[good_count++] = f;
                else if (f.score > good[worst].score) good[worst] = f;
                for (int i = 0; i < good_count; i++) mean += good[i].score / good_count;
                if (f.score > 0 && f.score >= 0.8 * mean) quota = 1ull << (room < 26 ? room : 26);
            }
        }
        double spent = clock() / (double)CLOCKS_PER_SEC;
        if (spent - told > 60 || spent > limit) {
            told = spent;
            printf("%s, %d bits: %.0f s, %.3g words in %llu families, %d found; best 0x%016llx, %d conflicting\n",
                   text[1], bits, spent, (double)words, (unsigned long long)families, found,
                   (unsigned long long)best_magic, best);
            fflush(stdout);
        }
        if (spent > limit) return found == 0;
    }
}
