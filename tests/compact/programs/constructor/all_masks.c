/* Magics for all masks of the pieces on all boards of so many files and ranks, whole and by lines. Each
   must meet the conditions of the proof; those of few squares are tried with all occupancies. Tells for
   each piece how many masks there are, and for how many of them there is no magic. */
#define MAGICS_IMPLEMENTATION
#include "magics.h"
#include <stdio.h>
#include <string.h>

typedef magics_bitboard B;
#define TRIED 10
#define BITS (8 * (int)sizeof(B))

static int meets_conditions(B mask, int bits, B magic) {
    B unit = (B)1 << (BITS - bits), below = 0, places = 0;
    for (int square = 0; square < BITS; square++) {
        if (!(mask >> square & 1)) continue;
        B moved = magic << square, place = moved / unit & (0 - moved / unit);
        below += moved % unit;
        if (!place || (places & place) || below >= unit) return 0;
        places |= place;
    }
    return 1;
}

static int collides(B mask, int bits, B magic) {
    static unsigned char used[1 << TRIED];
    B occupied = 0;
    memset(used, 0, sizeof used);
    do {
        if (used[(size_t)(occupied * magic >> (BITS - bits))]++) return 1;
        occupied = (occupied - mask) & mask;
    } while (occupied);
    return 0;
}

static long masks, missing;

static void look(B mask) {
    int bits = magics_count(mask);
    if (!mask) return;
    B magic = magics_construct(mask, bits);
    masks++;
    missing += !magic;
    if (!magic) return;
    if (!meets_conditions(mask, bits, magic) || (bits <= TRIED && collides(mask, bits, magic))) {
        printf("wrong %llx\n", (unsigned long long)mask);
        exit(1);
    }
}

static void look_at(const char *name, const struct magics_step *steps, int count, int least, int most) {
    long whole[2] = {0, 0}, lines[2] = {0, 0};
    for (int by_lines = 0; by_lines < 2; by_lines++) {
        masks = missing = 0;
        for (int files = 3; files <= 12; files++)
            for (int ranks = 3; ranks <= 10; ranks++) {
                struct magics_piece board = {files, ranks, 0, 0, NULL, NULL};
                if (files * ranks < least || files * ranks > most) continue;
                for (int square = 0; square < files * ranks; square++)
                    for (int first = 0; first < (by_lines ? count : 1); first++) {
                        B mask = 0;
                        struct magics_part part = {&board, steps, count, first, by_lines, 0};
                        magics_reached(&part, square, 0, &mask);
                        look(mask);
                    }
            }
        long *to = by_lines ? lines : whole;
        to[0] = masks;
        to[1] = missing;
    }
    printf("%s %ld %ld %ld %ld\n", name, whole[0], whole[1], lines[0], lines[1]);
}

int main(int count, char **words) {
    if (count != 3) return 2;
    int least = atoi(words[1]), most = atoi(words[2]);
%% for pieces
    look_at("$piece", magics_${piece}_steps, $step_count, least, most);
%% end
    return 0;
}
