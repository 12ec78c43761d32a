#include <stdint.h>
#include <stdio.h>
#include <string.h>
%% for tables
#define ${upper}_IMPLEMENTATION
#include "${table}.h"
%% end

int main(void) {
    uint64_t q[5];
%% for tables
    ${table}_init();
%% end
%% for pieces
    for (long n = 0; n < $count; n++) {
        if (fread(q, 8, 5, stdin) != 5) return 1;
        ${table}_bitboard256 occ;
        memcpy(&occ, q + 1, sizeof occ);
        occ = ${table}_$function((unsigned)q[0], occ);
        if (fwrite(occ.word, 8, 4, stdout) != 4) return 1;
    }
%% end
    return 0;
}
