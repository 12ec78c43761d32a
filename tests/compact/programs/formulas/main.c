#include <stdint.h>
#include <stdio.h>
HELPERS
static uint64_t fN(uint64_t occ, uint64_t mask) { return EXPRESSION; }
int main(void) {
    uint64_t in[2], out;
    while (fread(in, 8, 2, stdin) == 2) {
        out = fN(in[0], in[1]); fwrite(&out, 8, 1, stdout);
    }
    return 0;
}
