#include <stdint.h>
#include <stdio.h>
$helpers
%% for formulas
$static uint64_t index$n(uint64_t occ, uint64_t mask) { return $shown; }
%% end
int main(void) {
    uint64_t in[2], out;
    while (fread(in, 8, 2, stdin) == 2) {
%% for formulas
        out = index$n(in[0], in[1]); fwrite(&out, 8, 1, stdout);
%% end
    }
    return 0;
}
