#include <stdio.h>
%% for ways
#include "$file"
%% end
typedef uint64_t attacks(unsigned, uint64_t);
static const struct { const char *name; attacks *one[3]; } ways[] = {
%% for ways
    {"$way", {${scope}rook_attacks, ${scope}bishop_attacks, ${scope}queen_attacks}},
%% end
};

static uint64_t walk(unsigned square, uint64_t occ, int bishop, uint64_t *mask) {
    static const int steps[2][4][2] = {
        {{0, 1}, {1, 0}, {0, -1}, {-1, 0}}, {{1, 1}, {1, -1}, {-1, -1}, {-1, 1}}};
    uint64_t reached = 0;
    for (int n = 0; n < 4; n++) {
        const int *step = steps[bishop][n];
        int file = (int)(square & 7) + step[0], rank = (int)(square >> 3) + step[1], going = 1;
        while (file >= 0 && file < 8 && rank >= 0 && rank < 8) {
            uint64_t bit = UINT64_C(1) << (8 * rank + file);
            if (going) reached |= bit;
            if (occ & bit) going = 0;
            file += step[0];
            rank += step[1];
            if (file >= 0 && file < 8 && rank >= 0 && rank < 8) *mask |= bit;
        }
    }
    return reached;
}

int main(void) {
    unsigned lookups = 0;
    for (unsigned n = 0; n < 128; n++) {
        uint64_t occ = 0, mask = 0;
        do {
            uint64_t right = walk(n & 63, occ, n > 63, &mask);
            for (unsigned w = 0; w < sizeof ways / sizeof *ways; w++, lookups++)
                for (int outside = 0; outside < 2; outside++) {
                    uint64_t all = outside ? occ | ~mask : occ;
                    uint64_t found[3];
                    for (int k = 0; k < 3; k++) found[k] = ways[w].one[k](n & 63, all);
                    if (found[n > 63] == right && found[2] == (found[0] | found[1])) continue;
                    printf("%s: wrong\n", ways[w].name);
                    return 1;
                }
            occ = (occ - mask) & mask;
        } while (occ);
    }
    printf("%u", lookups);
    return 0;
}
