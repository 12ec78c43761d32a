// Tables of two squares that an init fills, in one piece of memory.

#include <stdint.h>
#include <stdlib.h>

typedef uint64_t u64;

u64 between[64][64];
static u64 line_of[64][64];
static u64 (*rays)[64];

static u64 one(int square) { return (u64)1 << square; }

static int to(int square, int d) {
    static const int dx[8] = {1, 0, 1, -1, -1, 0, -1, 1}, dy[8] = {0, 1, 1, 1, 0, -1, -1, -1};
    int x = square % 8 + dx[d], y = square / 8 + dy[d];
    return x < 0 || x > 7 || y < 0 || y > 7 ? -1 : 8 * y + x;
}

void init(void) {
    rays = malloc(64 * sizeof *rays);
    for (int a = 0; a < 64; a++)
        for (int b = 0; b < 64; b++) between[a][b] = one(b), line_of[a][b] = 0, rays[a][b] = 0;
    for (int a = 0; a < 64; a++)
        for (int d = 0; d < 8; d++) {
            u64 set = 0;
            for (int b = to(a, d); b >= 0; b = to(b, d)) {
                between[a][b] = set |= one(b);
                for (int s = a; s >= 0; s = to(s, d)) line_of[a][b] |= one(s);
                for (int s = a; s >= 0; s = to(s, d ^ 4)) line_of[a][b] |= one(s);
                for (int s = b; s >= 0; s = to(s, d)) rays[a][b] |= one(s);
            }
        }
}

u64 line(int a, int b) { return line_of[a][b]; }
u64 ray(int a, int b) { return rays[a][b]; }
