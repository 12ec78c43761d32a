// Tables of two squares that the compiler makes, and functions that look into them.

#include <cstdint>

using u64 = std::uint64_t;
enum Square : int {};

constexpr int DX[8] = {1, -1, 0, 0, 1, -1, 1, -1};
constexpr int DY[8] = {0, 0, 1, -1, 1, -1, -1, 1};

struct Tables {
    u64 between[64][64], line[64][64], ray[64][64];
};

constexpr bool on_board(int x, int y) { return x >= 0 && x < 8 && y >= 0 && y < 8; }

constexpr u64 walk(int from, int d) {
    u64 set = 0;
    for (int x = from % 8 + DX[d], y = from / 8 + DY[d]; on_board(x, y); x += DX[d], y += DY[d])
        set |= u64(1) << (8 * y + x);
    return set;
}

constexpr Tables make() {
    Tables t{};
    for (int a = 0; a < 64; a++) {
        for (int b = 0; b < 64; b++) {
            t.between[a][b] = 0;
            t.line[a][b] = 0;
            t.ray[a][b] = 0;
        }
        for (int d = 0; d < 8; d++) {
            u64 inside = 0;
            for (int x = a % 8 + DX[d], y = a / 8 + DY[d]; on_board(x, y); x += DX[d], y += DY[d]) {
                int b = 8 * y + x;
                u64 second = u64(1) << b;
                t.between[a][b] = inside;
                t.line[a][b] = walk(a, d) | walk(a, d ^ 1) | u64(1) << a;
                t.ray[a][b] = walk(b, d);
                inside |= second;
            }
        }
    }
    // here an entry may be changed
    return t;
}

constexpr Tables tables = make();
constexpr auto &Between = tables.between;

u64 between(Square a, Square b) { return tables.between[a][b]; }
inline u64 line(Square a, Square b) { return tables.line[a][b]; }
static u64 ray(Square a, Square b) { return tables.ray[a][b]; }
