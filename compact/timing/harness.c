/* The clock around every way: the same loops, the same lookups, the same order.

     PROGRAM                             prints bytes, and the time that the start took
     PROGRAM check                       looks everything up, and compares it with a walk
     PROGRAM measure FILE FIRST KIB...   ns a lookup, a line for each figure

   A file of lookups has LOOKUPS for each kind of positions and each piece, in that order. Warm:
   all of them, twice, and the second time counts. With other data: BATCH at a time, from FIRST on;
   before each batch so many KiB of other memory are read, and only the lookups are timed. What the
   clock itself takes is measured in the same way, and taken off. */

#define LOOKUPS 8192
#define BATCH 8
#define BATCHES 256
#define SLOWEST 4
#define LINE_BYTES 64
#ifndef PIECES /* all: also queens, and lookups that wait */
#define PIECES 3
#define KINDS 2
#endif

struct lookup { uint64_t occ; uint32_t square, unused; };

static struct lookup lookup_file[2][3][LOOKUPS];
static unsigned char *other_data;
static volatile uint64_t no_bits = 0;
static const char *const position_names[2] = {"random", "games"};
static const char *const piece_names[3] = {"rook", "bishop", "queen"};

#ifndef OWN_QUEEN
static inline uint64_t queen_attacks(unsigned square, uint64_t occ) {
    return rook_attacks(square, occ) | bishop_attacks(square, occ);
}
#endif

static double nanoseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

/* Independent lookups, and lookups whose square and occupancy wait for the answer before. The
   assembly keeps each answer, and keeps a compiler from joining lookups. */
#define LOOPS(attacks) \
    static void independent_##attacks(const struct lookup *at, size_t count) { \
        for (size_t n = 0; n < count; n++) { \
            uint64_t answer = attacks(at[n].square, at[n].occ); \
            __asm__ volatile("" : : "r"(answer)); \
        } \
    } \
    static void chained_##attacks(const struct lookup *at, size_t count) { \
        uint64_t none = no_bits, link = 0; \
        for (size_t n = 0; n < count; n++) { \
            uint64_t answer = attacks(at[n].square ^ (unsigned)link, at[n].occ ^ link); \
            link = answer & none; \
            __asm__ volatile("" : "+r"(link)); \
        } \
    }
LOOPS(rook_attacks)
LOOPS(bishop_attacks)
LOOPS(queen_attacks)

typedef void loop(const struct lookup *, size_t);
static loop *const loops[2][3] = {
    {independent_rook_attacks, independent_bishop_attacks, independent_queen_attacks},
    {chained_rook_attacks, chained_bishop_attacks, chained_queen_attacks},
};
static const char *const kind_names[2] = {"throughput", "latency"};

static void read_other(size_t bytes) {
    for (size_t n = 0; n < bytes; n += LINE_BYTES) {
        unsigned char byte = other_data[n];
        __asm__ volatile("" : : "r"(byte));
    }
}

static double warm(loop *run, const struct lookup *at) {
    run(at, LOOKUPS);
    double start = nanoseconds();
    run(at, LOOKUPS);
    return (nanoseconds() - start) / LOOKUPS;
}

static int by_time(const void *one, const void *other) {
    double a = *(const double *)one, b = *(const double *)other;
    return (a > b) - (a < b);
}

/* The time of a batch of so many lookups: the mean of all but the slowest few, into which
   something else may have come. */
static double batches(loop *run, const struct lookup *at, size_t first, size_t count, size_t bytes) {
    double times[BATCHES], total = 0;
    for (size_t n = 0; n < BATCHES; n++) {
        struct lookup batch[BATCH];
        read_other(bytes);
        for (size_t k = 0; k < BATCH; k++) batch[k] = at[(first + n * BATCH + k) % LOOKUPS];
        __asm__ volatile("" : : "r"(batch) : "memory");
        double start = nanoseconds();
        run(batch, count);
        times[n] = nanoseconds() - start;
    }
    qsort(times, BATCHES, sizeof *times, by_time);
    for (size_t n = 0; n < BATCHES - SLOWEST; n++) total += times[n];
    return total / (BATCHES - SLOWEST);
}

static void figures(size_t kib, size_t first) {
    for (int positions = 0; positions < 2; positions++)
        for (int piece = 0; piece < PIECES; piece++)
            for (int kind = 0; kind < KINDS; kind++) {
                const struct lookup *at = lookup_file[positions][piece];
                loop *run = loops[kind][piece];
                double ns;
                if (kib == 0) {
                    ns = warm(run, at);
                } else {
                    double clock = batches(run, at, first, 0, kib * 1024);
                    double all = batches(run, at, first, BATCH, kib * 1024);
                    ns = (all - clock) / BATCH;
                }
                printf("%s %s %s %zu %.4f\n", position_names[positions], piece_names[piece],
                    kind_names[kind], kib, ns);
            }
}

static int measure(const char *name, size_t first, char *const *sizes) {
    size_t most = 1;
    FILE *file = fopen(name, "rb");
    if (!file || fread(lookup_file, sizeof lookup_file, 1, file) != 1) return 1;
    fclose(file);
    for (char *const *size = sizes; *size; size++) {
        size_t kib = (size_t)atol(*size);
        if (kib > most) most = kib;
    }
    other_data = malloc(most * 1024);
    if (!other_data) return 1;
    memset(other_data, 1, most * 1024);
    for (char *const *size = sizes; *size; size++) figures((size_t)atol(*size), first);
    return 0;
}

int main(int count, char **words) {
    double start = nanoseconds();
    way_init();
    double took = nanoseconds() - start;
    if (count > 1 && strcmp(words[1], "check") == 0) return check_all();
    if (count > 3 && strcmp(words[1], "measure") == 0)
        return measure(words[2], (size_t)atol(words[3]), words + 4);
    printf("%zu %zu %.0f\n", (size_t)(TABLE_BYTES), (size_t)(SQUARE_BYTES), took);
    return 0;
}
