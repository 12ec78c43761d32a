/* Xiangqi, 9 files by 10 ranks: rook, cannon and horse, squares in a 128-bit word. */
typedef unsigned __int128 Board;

static const int steps[4][2] = {{0, 1}, {1, 0}, {0, -1}, {-1, 0}};

static int on_board(int file, int rank) { return file >= 0 && file < 9 && rank >= 0 && rank < 10; }

static Board bit(int file, int rank) { return (Board)1 << (9 * rank + file); }

Board rook(int square, Board occupied) {
    Board attacked = 0;
    for (int n = 0; n < 4; n++) {
        int file = square % 9 + steps[n][0], rank = square / 9 + steps[n][1];
        for (; on_board(file, rank); file += steps[n][0], rank += steps[n][1]) {
            attacked |= bit(file, rank);
            if (occupied & bit(file, rank)) break;
        }
    }
    return attacked;
}

Board cannon(int square, Board occupied) {
    Board attacked = 0;
    for (int n = 0; n < 4; n++) {
        int file = square % 9 + steps[n][0], rank = square / 9 + steps[n][1], hurdles = 0;
        for (; on_board(file, rank) && hurdles < 2; file += steps[n][0], rank += steps[n][1]) {
            if (hurdles) attacked |= bit(file, rank);
            hurdles += (occupied & bit(file, rank)) != 0;
        }
    }
    return attacked;
}

Board horse(int square, Board occupied) {
    Board attacked = 0;
    int file = square % 9, rank = square / 9;
    for (int n = 0; n < 4; n++) {
        int x = steps[n][0], y = steps[n][1];
        if (!on_board(file + x, rank + y) || occupied & bit(file + x, rank + y)) continue;
        for (int side = -1; side <= 1; side += 2)
            if (on_board(file + 2 * x + side * y, rank + 2 * y + side * x))
                attacked |= bit(file + 2 * x + side * y, rank + 2 * y + side * x);
    }
    return attacked;
}
