/* Magics of few bits for rooks of rank 1 whose line moves by whole slots.
 *
 *     cc -O3 -march=native benchmarks/whole_steps.c -o whole_steps
 *     ./whole_steps g1 10 > magics
 *
 * Prints every magic that it finds, bit 63 clear, and at the end how many. Each has been tried with all
 * occupancies. There are others: that it finds none proves nothing.
 *
 * Say a square of the line moves the index by nearly a whole number of slots, its step. Then so does every
 * pattern of the line, and a subset F of the file's six squares moves them all by floor(s(F)) slots. Two
 * subsets with different attacks must not meet. Two with the same may, best slot by slot: with one bit
 * fewer than squares, half of the 64 subsets have to lie on others. So m is fixed from its lowest bit up,
 * which takes the file's highest square first, and of each square only those values are looked at that
 * lay enough subsets on others. A set, with a bit for each step, says which steps are still possible.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SQUARES = 6, SUBSETS = 64, WORDS = 32 };

typedef struct {
    int subsets, floors, close; /* neighbours in order that are less than a slot apart */
    uint64_t sum[SUBSETS];
    int floor[SUBSETS];
    uint64_t steps[WORDS];
} node;

static int bits, shift, first, lowest, patterns, room, words;
static int line[SUBSETS], line_attack[SUBSETS];
/* The steps with which two moves, so many slots apart, never meet: with different attacks on the
 * file, and with the same. */
static uint64_t (*apart)[WORDS], (*alike)[WORDS];
static unsigned long long found, solutions;

static int file_attack(int subset) { return subset ? __builtin_ctz(subset) : SQUARES; }

static int is_magic(uint64_t m)
{
    static unsigned char slot[1 << 12];
    uint64_t sum[SUBSETS];
    memset(slot, 255, (size_t)1 << bits);
    for (int f = 0; f < SUBSETS; f++) {
        sum[f] = 0;
        for (int j = 0; j < SQUARES; j++)
            if (f >> j & 1) sum[f] += m << (first + 8 * j);
    }
    for (int k = 0; k < patterns; k++)
        for (int f = 0; f < SUBSETS; f++) {
            unsigned char attack = (unsigned char)(file_attack(f) * 32 + line_attack[k]);
            unsigned char *at = &slot[(sum[f] + (m << lowest) * (uint64_t)line[k]) >> shift];
            if (*at == 255) *at = attack;
            else if (*at != attack) return 0;
        }
    return 1;
}

static void try_tops(uint64_t low)
{
    int known = 64 - first;
    solutions++;
    for (uint64_t top = 0; top < (uint64_t)1 << (63 - known); top++)
        if (is_magic(low | top << known)) {
            printf("0x%llx\n", (unsigned long long)(low | top << known));
            found++;
        }
}

/* The least number of slots that the sums lie in, wherever slots begin; if more than `most`, any such. */
static int least_slots(node *at, int most)
{
    int count = at->subsets, least = count;
    uint64_t order[SUBSETS];
    for (int i = 0; i < count; i++) {
        int k = i;
        for (; k && order[k - 1] > at->sum[i]; k--) order[k] = order[k - 1];
        order[k] = at->sum[i];
    }
    at->close = 0;
    for (int i = 0; i < count; i++)
        at->close += (order[(i + 1) % count] - order[i]) >> shift == 0;
    if (count - at->close > most) return count;
    for (int begin = 0; begin < count && least > most; begin++) {
        uint64_t last = 0;
        int slots = 1;
        for (int i = 1; i < count; i++) {
            uint64_t slot = (order[(begin + i) % count] - order[begin]) >> shift;
            slots += slot != last;
            last = slot;
        }
        if (slots < least) least = slots;
    }
    return least;
}

/* Add a square that moves every sum so far. Whether two that meet may, with some step, and all have room. */
static int add_square(const node *old, node *new, uint64_t move)
{
    int count = old->subsets;
    new->subsets = 2 * count;
    new->floors = old->floors;
    memcpy(new->floor, old->floor, sizeof old->floor);
    memcpy(new->steps, old->steps, sizeof old->steps);
    memcpy(new->sum, old->sum, sizeof old->sum);
    for (int i = 0; i < count; i++) {
        uint64_t sum = new->sum[count + i] = old->sum[i] + move, any = 0;
        int floor = (int)(sum >> shift), k = old->floors;
        while (k < new->floors && new->floor[k] != floor) k++;
        if (k < new->floors) continue;
        for (k = 0; k < new->floors; k++) {
            int by = (floor - new->floor[k]) & ((1 << bits) - 1);
            const uint64_t *may = k < old->floors ? apart[by] : alike[by];
            for (int w = 0; w < words; w++) new->steps[w] &= may[w];
        }
        for (int w = 0; w < words; w++) any |= new->steps[w];
        if (!any || new->floors == room) return 0;
        new->floor[new->floors++] = floor;
    }
    return 1;
}

/* Take square `j`, the first of the file is 0; m's lowest `known` bits are `low`. */
static void take(int j, uint64_t low, int known, const node *old)
{
    if (j < 0) {
        try_tops(low);
        return;
    }
    int f = first + 8 * j, more = 64 - f - known, count = old->subsets;
    static unsigned char close[SQUARES][1 << 9];
    static node made[SQUARES];
    uint64_t base = low << f, slot = (uint64_t)1 << shift, unit = (uint64_t)1 << (64 - more);
    int rare = unit > 2 * slot; /* few values lay a sum within a slot of another: count them */
    if (rare) memset(close[j], 0, sizeof close[j]);
    for (int a = 0; rare && a < count; a++)
        for (int b = 0; b < count; b++) {
            uint64_t least = old->sum[b] - old->sum[a] - base - slot + 1;
            uint64_t x = least > (uint64_t)0 - unit ? 0 : (least + unit - 1) / unit;
            if (x * unit - least <= 2 * slot - 2) close[j][x]++;
        }
    for (uint64_t x = (uint64_t)1 << more; x-- > 0;) { /* a little below 0 moves few subsets far */
        if (rare) {
            int slots = 2 * count - 2 * old->close - close[j][x];
            int so_far = old->floors + count - old->close;
            if (slots < 1) slots = 1;
            if (so_far < slots) so_far = slots;
            if (so_far + j * slots > room) continue;
        }
        if (!add_square(old, &made[j], base + x * unit)) continue;
        int most = j ? (room - made[j].floors) / j : SUBSETS;
        if (least_slots(&made[j], most) <= most) take(j - 1, low | x << known, known + more, &made[j]);
    }
}

int main(int argc, char **argv)
{
    if (argc != 3 || argv[1][0] < 'a' || argv[1][0] > 'h' || argv[1][1] != '1') {
        fprintf(stderr, "usage: whole_steps SQUARE BITS, such as g1 10\n");
        return 2;
    }
    int file = argv[1][0] - 'a', squares[SQUARES], count = 0;
    bits = atoi(argv[2]);
    if (bits < 6 || bits > 11) {
        fprintf(stderr, "whole_steps: %s bits: expected 6 to 11\n", argv[2]);
        return 2;
    }
    setvbuf(stdout, NULL, _IOLBF, 1 << 12);
    shift = 64 - bits;
    first = 8 + file;
    for (int square = 1; square < 7; square++)
        if (square != file) squares[count++] = square;
    lowest = squares[0];
    patterns = 1 << count;
    int slots = 1 << bits;
    room = slots / patterns;
    words = (slots + 63) / 64;
    for (int k = 0; k < patterns; k++) {
        for (int i = 0; i < count; i++)
            if (k >> i & 1) line[k] |= 1 << (squares[i] - lowest);
    }
    /* Attacks on the line by number, in the order of their first pattern. */
    int kind[SUBSETS], kinds = 0;
    for (int k = 0; k < patterns; k++) {
        int left = 0, right = 7, rank = line[k] << lowest;
        for (int square = 0; square < 8; square++)
            if (rank >> square & 1) {
                if (square < file) left = square;
                else if (square < right) right = square;
            }
        int at = 0;
        while (at < kinds && kind[at] != left * 8 + right) at++;
        if (at == kinds) kind[kinds++] = left * 8 + right;
        line_attack[k] = at;
    }
    apart = malloc((size_t)slots * sizeof *apart);
    alike = malloc((size_t)slots * sizeof *alike);
    if (!apart || !alike) return 2;
    memset(apart, 255, (size_t)slots * sizeof *apart);
    memset(alike, 255, (size_t)slots * sizeof *alike);
    static node root;
    for (int a = 0; a < slots; a++) {
        int may = 1;
        uint64_t bit = (uint64_t)1 << (a & 63);
        for (int k = 0; k < patterns; k++)
            for (int l = 0; l < patterns; l++) {
                int by = a * (line[l] - line[k]) & (slots - 1), differ = line_attack[k] != line_attack[l];
                if (!by && differ) may = 0;
                apart[by][a >> 6] &= ~bit;
                if (differ) alike[by][a >> 6] &= ~bit;
            }
        if (may) root.steps[a >> 6] |= bit;
    }
    root.subsets = root.floors = 1;
    take(SQUARES - 1, 0, 0, &root);
    fprintf(stderr, "%s with %d bits: %llu magics, %llu ways to take the file\n", argv[1], bits, found, solutions);
    return !found;
}
