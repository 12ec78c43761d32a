#include <stdint.h>
#include <stdio.h>
%% for tables
$head
%% end

enum PieceType { NO_PIECE_TYPE, PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING, ALL_PIECES };
enum Square { A1, B1, C1, NO_SQUARE = 64 };
typedef uint64_t Bitboard;
typedef struct { Bitboard mask, magic; unsigned shift; Bitboard *attacks; } Magic;
static Magic rook_magics[64], bishop_magics[64], RookMagics[64];
static Bitboard RookTable[4], attacks_of[8], rook_sets[2], ROOK_MASK[64], BISHOP_MAGIC[64];
static const int steps[4] = {8, 1, -8, -1};
static inline Bitboard rook_attacks(int square) { return RookTable[square & 3] + ROOK_MASK[0]; }
static inline Bitboard walk(int square) { return attacks_of[square & 7] + (Bitboard)steps[0]; }
static inline Bitboard check(void) {
    return rook_magics[0].mask + bishop_magics[0].mask + RookMagics[0].mask + rook_sets[0]
        + BISHOP_MAGIC[0] + rook_attacks(A1) + walk(B1) + (Bitboard)ROOK + (Bitboard)BISHOP;
}

%% for tables
uint64_t bishops${n}(unsigned square, uint64_t occupied);
%% end
%% for tables
static uint64_t rooks${n}(unsigned square, uint64_t occupied) { $rook return attacks; }
%% end
static uint64_t queries[2 * 107648];
int main(void) {
    if (fread(queries, 16, 107648, stdin) != 107648 || check() == 0) return 1;
%% for tables
    $once
%% end
    for (long n = 0; n < 107648; n++) {
        unsigned square = (unsigned)queries[2 * n];
        uint64_t occ = queries[2 * n + 1], found;
%% for tables
        found = n < 102400 ? rooks${n}(square, occ) : bishops${n}(square, occ); fwrite(&found, 8, 1, stdout);
%% end
    }
    return 0;
}
