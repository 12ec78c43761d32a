/* The clock around the lookups of any board's pieces: PROGRAM FILE PASSES.

   FILE has LOOKUPS for each function of FUNCTIONS, with the attack sets that they must give. All
   are compared first. Then each function looks its own up once, to warm the caches, and PASSES
   times more: a line "NAME NANOSECONDS" each, of one lookup. */

#define LOOKUPS 4096

struct lookup { word occ, attacks; uint32_t square, unused[3]; };

static struct lookup lookups[LOOKUPS];

static double nanoseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

/* The assembly keeps each answer, and keeps a compiler from joining lookups. */
#if WORD > 128
#define KEPT(answer) __asm__ volatile("" : : "m"(answer))
#else
#define KEPT(answer) \
    __asm__ volatile("" : : "r"((uint64_t)(answer)), "r"((uint64_t)((answer) >> WORD / 2)))
#endif
#define TIMED(f) \
    static int timed_##f(FILE *file, long passes) { \
        if (fread(lookups, sizeof lookups, 1, file) != 1) return 1; \
        for (size_t n = 0; n < LOOKUPS; n++) { \
            word answer = f(lookups[n].square, lookups[n].occ); \
            if (memcmp(&answer, &lookups[n].attacks, sizeof answer)) { \
                printf("wrong: lookup %zu of " #f "\n", n); \
                return 1; \
            } \
        } \
        double start = nanoseconds(); \
        for (long pass = 0; pass < passes; pass++) \
            for (size_t n = 0; n < LOOKUPS; n++) { \
                word answer = f(lookups[n].square, lookups[n].occ); \
                KEPT(answer); \
            } \
        printf(#f " %.4f\n", (nanoseconds() - start) / ((double)passes * LOOKUPS)); \
        return 0; \
    }
FUNCTIONS(TIMED)

int main(int count, char **words) {
    FILE *file = count == 3 ? fopen(words[1], "rb") : NULL;
    if (!file) return 1;
    magics_init();
    long passes = atol(words[2]);
#define CALLED(f) if (timed_##f(file, passes)) return 1;
    FUNCTIONS(CALLED)
    return 0;
}
