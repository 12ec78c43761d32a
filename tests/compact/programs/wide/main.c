#include <stdint.h>
#include <stdio.h>
typedef unsigned __int128 u128;
$helpers
%% for formulas
$static u128 index$n(u128 occ, u128 mask, u128 big, uint64_t magic) { return $shown; }
%% end
int main(void) {
    u128 in[4], out;
    while (fread(in, 16, 4, stdin) == 4) {
%% for formulas
        out = index$n(in[0], in[1], in[2], (uint64_t)in[3]); fwrite(&out, 16, 1, stdout);
%% end
    }
    return 0;
}
