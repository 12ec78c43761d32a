#include <stdint.h>
#include <stdio.h>
$helpers
%% for formulas
$static $bitboard index$n($bitboard occ, $bitboard mask, $bitboard big, uint64_t magic) { return $shown; }
%% end
int main(void) {
    $bitboard in[4], out;
    while (fread(in, 32, 4, stdin) == 4) {
%% for formulas
        out = index$n(in[0], in[1], in[2], in[3].word[0]); fwrite(&out, 32, 1, stdout);
%% end
    }
    return 0;
}
