/* The shortest of several runs, in milliseconds: a magic for each mask of the file; all attack tables. */
#define MAGICS_IMPLEMENTATION
#include "magics.h"
#include <stdio.h>
#include <time.h>

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

int main(int argc, char **argv) {
    static uint64_t masks[1 << 14];
    size_t count = fread(masks, 16, 1 << 13, stdin);
    double best[2] = {1e9, 1e9};
    magics_bitboard sum = 0;
    for (int run = 0; argc == 2 && run < atoi(argv[1]); run++) {
        double start = now();
        for (size_t n = 0; n < count; n++) {
            magics_bitboard mask = (magics_bitboard)masks[2 * n + 1] << 64 | masks[2 * n];
            sum += magics_construct(mask, magics_count(mask));
        }
        double middle = now();
        if (!magics_init(12, 10)) return 1;
        double end = now();
        if (middle - start < best[0]) best[0] = middle - start;
        if (end - middle < best[1]) best[1] = end - middle;
    }
    printf("%.2f %.2f %llx\n", best[0], best[1], (unsigned long long)sum);
    return 0;
}
