// The same without any table: step by step, and by differences of ranks and files.

#include <stdint.h>

typedef uint64_t u64;

static int sign(int n) { return (n > 0) - (n < 0); }

static int step(int a, int b) {
    int x = b % 8 - a % 8, y = b / 8 - a / 8;
    if (x && y && x != y && x != -y) return 0;
    return sign(x) + 8 * sign(y);
}

u64 between(int a, int b) {
    u64 set = 0;
    int by = step(a, b);
    if (by == 0) return 0;
    for (int s = a + by; s != b; s += by) set |= (u64)1 << s;
    return set;
}

u64 line(int a, int b) {
    int by = step(a, b), x = sign(b % 8 - a % 8);
    if (by == 0) return ~(u64)0;
    u64 set = 0;
    int from = a, file = a % 8;
    while (file - x >= 0 && file - x < 8 && from - by >= 0 && from - by < 64) from -= by, file -= x;
    while (file >= 0 && file < 8 && from >= 0 && from < 64) {
        set |= (u64)1 << from;
        from += by, file += x;
    }
    return set;
}

u64 ray(uint8_t a, uint8_t b) { return line(a, b) & ~between(a, b) & ~((u64)1 << a) & (b > a ? ~(u64)1 << b : ((u64)1 << b) - 1) & -(u64)(step(a, b) != 0); }
