/* Nanoseconds a lookup: random squares and occupancies, the best of five turns. */

#define ${IDENTIFIER}_IMPLEMENTATION
#include "../$identifier.h"
#include <stdio.h>
#include <time.h>

enum { PAIRS = 1 << 16, TIMES = 16 };
static unsigned squares[PAIRS];
static uint64_t occupancies[PAIRS];

static uint64_t random_word(void) {
    static uint64_t state = 88172645463325252u;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

int main(void) {
    double best = 1e9;
    uint64_t sum = 0;
    ${identifier}_init();
    for (int n = 0; n < PAIRS; n++) {
        squares[n] = (unsigned)(random_word() & 63);
        occupancies[n] = random_word() & random_word();
    }
    for (int turn = 0; turn < 5; turn++) {
        clock_t started = clock();
        double seconds;
        for (int n = 0; n < TIMES * PAIRS; n++) {
            unsigned square = squares[n & (PAIRS - 1)];
            uint64_t occ = occupancies[n & (PAIRS - 1)];
            sum += ${identifier}_rook_attacks(square, occ);
            sum += ${identifier}_bishop_attacks(square, occ);
        }
        seconds = (double)(clock() - started) / CLOCKS_PER_SEC;
        if (seconds < best) best = seconds;
    }
    printf("%.2f ns a lookup (%llx)\n", best * 1e9 / (2.0 * TIMES * PAIRS),
        (unsigned long long)sum);
    return 0;
}
