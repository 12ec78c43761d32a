/* What never fails: all masks of a line, as a rider or hopper on any board has them (squares of equal
   distance, of which one may be left out), and all masks of up to three squares. */
#define MAGICS_IMPLEMENTATION
#include "magics.h"
#include <stdio.h>

typedef magics_bitboard B;
#define BITS (8 * (int)sizeof(B))

static long masks, missing;

static void look(B mask) {
    int bits = magics_count(mask);
    if (bits > 31) return;
    masks++;
    missing += !magics_construct(mask, bits);
}

int main(void) {
    for (int by = 1; by < BITS; by++)
        for (int first = 0; first < BITS; first++)
            for (int count = 1; first + by * (count - 1) < BITS; count++)
                for (int without = 0; without == 0 || without < count - 1; without++) {
                    B mask = 0;
                    for (int n = 0; n < count; n++)
                        if (!without || n != without) mask |= (B)1 << (first + by * n);
                    look(mask);
                }
    printf("lines %ld %ld\n", masks, missing);
    masks = missing = 0;
    for (int a = 0; a < BITS; a++)
        for (int b = a; b < BITS; b++)
            for (int c = b; c < BITS; c++) look((B)1 << a | (B)1 << b | (B)1 << c);
    printf("three %ld %ld\n", masks, missing);
    return 0;
}

