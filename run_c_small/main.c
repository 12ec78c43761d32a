#include <stdint.h>
#include <stdio.h>
#pragma GCC diagnostic ignored "-Wpedantic"
#pragma GCC diagnostic ignored "-Wshift-count-overflow"

static int next(uint64_t *q) { return fread(q, 8, 3, stdin) == 3; }
static int told(uint64_t low, uint64_t high) {
    uint64_t words[2] = {low, high};
    return fwrite(words, 8, 2, stdout) == 2;
}
#define HIGH(x) (uint64_t)(sizeof(x) > 8 ? (x) >> (8 * sizeof(x) - 64) : 0)
#define UP(type, word) (sizeof(type) > 8 ? (type)(word) << (8 * sizeof(type) - 64) : 0)
#define BOTH(type, q) (type)(UP(type, q[2]) | q[1])
#define WITH(type, q) , BOTH(type, q)
#define WITHOUT(type, q)
#define ALL(count, type, attacks, with)                    \
    for (long n = 0; n < count; n++) {                     \
        if (!next(q)) return 1;                            \
        type found = attacks((unsigned)q[0] with(type, q)); \
        if (!told((uint64_t)found, HIGH(found))) return 1; \
    }

int main(void) {
    uint64_t q[3];
    return 0;
}
