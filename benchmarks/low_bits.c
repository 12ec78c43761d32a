/* The plain search that published disproofs used, for comparison: m's low bits first, one value of
 * the next bits after the other.
 *
 *     cc -Ofast -march=native -o low_bits low_bits.c
 *     ./low_bits rook f8 10 [q m]         only numbers that are m modulo 2^q
 *
 * Written from a description of the method, with none of the ideas of search/low: mask bits from the
 * highest down; as soon as one is known, each occupancy with it looks its slot up, in a table of
 * attack sets for the old ones and in one with generation stamps for the new ones; a value that
 * passes gets a table of its own. It prints tests (values looked at), magics and seconds. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef uint64_t Word;
enum { SLOTS = 1 << 12, SQUARES = 12 };

static int squares, shift, bit[SQUARES], attack[1 << SQUARES];
static short table[SQUARES + 1][SLOTS]; /* attack set + 1, 0: free */
static Word product[SQUARES + 1][1 << SQUARES];
static unsigned stamp[SLOTS], generation;
static short stamped[SLOTS];
static Word tests, magics, limit_q, limit_m;

static Word attacks(int rook, int from, Word blockers) {
    Word set = 0;
    for (int way = 0; way < 4; way++) {
        int dx = rook ? (way == 0) - (way == 1) : (way & 1) * 2 - 1;
        int dy = rook ? (way == 2) - (way == 3) : (way & 2) - 1;
        for (int x = from % 8 + dx, y = from / 8 + dy; x >= 0 && x < 8 && y >= 0 && y < 8;
             x += dx, y += dy) {
            set |= (Word)1 << (8 * y + x);
            if (blockers >> (8 * y + x) & 1) break;
        }
    }
    return set;
}

/* The mask: attacked squares that are not the last of their ray. */
static Word mask(int rook, int from) {
    Word all = attacks(rook, from, 0), inner = 0;
    for (int s = 0; s < 64; s++)
        if (all >> s & 1 && attacks(rook, from, (Word)1 << s) != all) inner |= (Word)1 << s;
    return inner;
}

static int passes(int level, Word added) {
    int old = 1 << level;
    short *owners = table[level];
    generation++;
    for (int o = 0; o < old; o++) {
        int slot = (int)((product[level][o] + added) >> shift);
        short own = (short)(attack[o | old] + 1);
        if (owners[slot] && owners[slot] != own) return 0;
        if (stamp[slot] == generation && stamped[slot] != own) return 0;
        stamp[slot] = generation;
        stamped[slot] = own;
    }
    return 1;
}

static void search(int level, int known, Word m) {
    if (level == squares) {
        magics++;
        return;
    }
    int next = 64 - bit[level], old = 1 << level;
    for (Word value = 0; value < (Word)1 << (next - known); value++) {
        Word now = m | value << known;
        int same = limit_q < (Word)next ? (int)limit_q : next;
        if ((now ^ limit_m) & (((Word)1 << same) - 1)) continue;
        Word added = now << bit[level];
        tests++;
        if (!passes(level, added)) continue;
        memcpy(table[level + 1], table[level], sizeof(short) << (64 - shift));
        for (int o = 0; o < old; o++) {
            product[level + 1][o] = product[level][o];
            product[level + 1][o | old] = product[level][o] + added;
            table[level + 1][product[level + 1][o | old] >> shift] = (short)(attack[o | old] + 1);
        }
        search(level + 1, next, now);
    }
}

int main(int count, char **words) {
    if (count != 4 && count != 6) return 2;
    int rook = words[1][0] == 'r', from = words[2][0] - 'a' + 8 * (words[2][1] - '1');
    int bits = atoi(words[3]);
    static Word sets[1 << SQUARES];
    int known_sets = 0;
    Word squares_of_mask = mask(rook, from);
    for (int b = 63; b >= 0; b--)
        if (squares_of_mask >> b & 1) bit[squares++] = b;
    for (int o = 0; o < 1 << squares; o++) {
        Word blockers = 0;
        for (int n = 0; n < squares; n++)
            if (o >> n & 1) blockers |= (Word)1 << bit[n];
        Word set = attacks(rook, from, blockers);
        int number = 0;
        while (number < known_sets && sets[number] != set) number++;
        if (number == known_sets) sets[known_sets++] = set;
        attack[o] = number;
    }
    shift = 64 - bits;
    if (count == 6) {
        limit_q = strtoull(words[4], 0, 0);
        limit_m = strtoull(words[5], 0, 0);
    }
    table[0][0] = (short)(attack[0] + 1);
    clock_t started = clock();
    search(0, 0, 0);
    printf("%llu %llu %.3f\n", (unsigned long long)tests, (unsigned long long)magics,
           (double)(clock() - started) / CLOCKS_PER_SEC);
    return 0;
}
