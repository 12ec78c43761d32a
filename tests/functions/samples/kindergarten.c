/* Kindergarten: one multiplication gathers the six inner squares of a line into an index. */
#include <stdint.h>

#define A_FILE UINT64_C(0x0101010101010101)
#define B_FILE UINT64_C(0x0202020202020202)
#define DIAGONAL UINT64_C(0x0080402010080400)

static uint64_t rank_fill[8][64], file_fill[8][64], diagonals[2][64];

static unsigned row_attacks(int place, unsigned occupied) {
    unsigned attacked = 0;
    for (int to = place + 1; to < 8; to++) {
        attacked |= 1u << to;
        if (occupied >> to & 1) break;
    }
    for (int to = place - 1; to >= 0; to--) {
        attacked |= 1u << to;
        if (occupied >> to & 1) break;
    }
    return attacked;
}

void init(void) {
    for (int place = 0; place < 8; place++)
        for (unsigned inner = 0; inner < 64; inner++) {
            uint64_t attacked = row_attacks(place, inner << 1);
            rank_fill[place][inner] = attacked * A_FILE;
            uint64_t blockers = 0, file = 0;
            for (int rank = 0; rank < 8; rank++) {
                blockers |= (uint64_t)(inner << 1 >> rank & 1) << 8 * rank;
                file |= (attacked >> rank & 1) << 8 * rank;
            }
            file_fill[place][blockers * DIAGONAL >> 58] = file;
        }
    for (int square = 0; square < 64; square++)
        for (int to = 0; to < 64; to++) {
            int files = to % 8 - square % 8, ranks = to / 8 - square / 8;
            if (to == square) continue;
            if (files == ranks) diagonals[0][square] |= UINT64_C(1) << to;
            if (files == -ranks) diagonals[1][square] |= UINT64_C(1) << to;
        }
}

static uint64_t by_files(int square, uint64_t line, uint64_t occupied) {
    return rank_fill[square & 7][(occupied & line) * B_FILE >> 58] & line;
}

uint64_t rook_attacks(int square, uint64_t occupied) {
    int file = square & 7, rank = square >> 3;
    uint64_t row = UINT64_C(0xff) << 8 * rank;
    uint64_t on_rank = by_files(square, row, occupied);
    return on_rank | file_fill[rank][(occupied >> file & A_FILE) * DIAGONAL >> 58] << file;
}

uint64_t bishop_attacks(int square, uint64_t occupied) {
    return by_files(square, diagonals[0][square], occupied) | by_files(square, diagonals[1][square], occupied);
}
