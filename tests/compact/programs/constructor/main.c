#define MAGICS_IMPLEMENTATION
#include "magics.h"
#include <stdio.h>
#pragma GCC diagnostic ignored "-Wpedantic"
#pragma GCC diagnostic ignored "-Wshift-count-overflow"

typedef magics_bitboard B;
#define WIDE (sizeof(B) > 8)

int main(void) {
    const struct magics_piece *pieces[] = {
%% for pieces
        &magics_${piece}_piece,
%% end
    };
    uint64_t q[4];
    while (fread(q, 8, 4, stdin) == 4) {
        B set = (B)((WIDE ? (B)q[3] << (WIDE ? 64 : 0) : 0) | q[2]), found;
        if (q[0] == 0) found = magics_construct(set, (int)q[1]);
        else if (q[0] == 1) found = (B)magics_init((int)q[1], (int)q[2]);
        else found = magics_attacks(pieces[q[0] - 2], (unsigned)q[1], set);
        uint64_t words[2] = {(uint64_t)found, (uint64_t)(WIDE ? found >> (WIDE ? 64 : 0) : 0)};
        if (fwrite(words, 8, 2, stdout) != 2) return 1;
    }
%% for pieces
    magics_discard(&magics_${piece}_piece);
%% end
    return 0;
}
