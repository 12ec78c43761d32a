// A board of 9 files and 10 ranks, in one word of 128 bits.

typedef unsigned __int128 u128;

u128 between(int a, int b) {
    u128 set = 0;
    if (a % 9 != b % 9 && a / 9 != b / 9) return 0;
    int by = a % 9 == b % 9 ? 9 : 1;
    if (a > b) by = -by;
    if (a == b) return 0;
    for (int s = a + by; s != b; s += by) set |= (u128)1 << s;
    return set;
}
