/* 1L has 64 bits on Linux, and 32 on Windows. */
typedef unsigned long long u64;

u64 rook(int square, u64 occupied) {
    static const int steps[4][2] = {{0, 1}, {1, 0}, {0, -1}, {-1, 0}};
    u64 set = 0;
    for (int n = 0; n < 4; n++) {
        int file = square % 8 + steps[n][0], rank = square / 8 + steps[n][1];
        for (; file >= 0 && file < 8 && rank >= 0 && rank < 8; file += steps[n][0], rank += steps[n][1]) {
            u64 bit = 1L << (8 * rank + file);
            set |= bit;
            if (occupied & bit) break;
        }
    }
    return set;
}
