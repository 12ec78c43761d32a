/* Rotated boards: the board is turned until the line is a rank, and eight bits of it look up the row.
   Diagonals are turned so that they lie in bytes: each file is rotated by its number. */
#include <stdint.h>

static uint8_t rows[8][64];

static uint64_t flipped(uint64_t board) {  /* files and ranks change places */
    uint64_t moved;
    moved = UINT64_C(0x0f0f0f0f00000000) & (board ^ board << 28);
    board ^= moved ^ moved >> 28;
    moved = UINT64_C(0x3333000033330000) & (board ^ board << 14);
    board ^= moved ^ moved >> 14;
    moved = UINT64_C(0x5500550055005500) & (board ^ board << 7);
    return board ^ moved ^ moved >> 7;
}

void init(void) {
    for (int place = 0; place < 8; place++)
        for (int inner = 0; inner < 64; inner++) {
            int attacked = 0;
            for (int to = place + 1; to < 8; to++) {
                attacked |= 1 << to;
                if (inner << 1 >> to & 1) break;
            }
            for (int to = place - 1; to >= 0; to--) {
                attacked |= 1 << to;
                if (inner << 1 >> to & 1) break;
            }
            rows[place][inner] = (uint8_t)attacked;
        }
}

static uint64_t row(int place, int rank, uint64_t board) {
    return (uint64_t)rows[place][board >> (8 * rank + 1) & 63] << 8 * rank;
}

uint64_t rook_attacks(int square, uint64_t occupied) {
    int file = square & 7, rank = square >> 3;
    return row(file, rank, occupied) | flipped(row(rank, file, flipped(occupied)));
}
