typedef unsigned __int128 B;
typedef unsigned long long u64;

static B up(int square, B occupied) {
    B found = 0;
    for (square += 9; square < 90; square += 9) {
        found |= (B)1 << square;
        if (occupied >> square & 1) break;
    }
    return found;
}

