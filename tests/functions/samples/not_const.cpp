// Tables that nothing writes, though nothing says that they are constant.
#include <array>
#include <cstdint>

typedef std::uint64_t (*ray)(const int *step, int square, std::uint64_t occupied);

static int steps[4] = {8, 1, -1, -8};
std::array<std::uint64_t, 3> rims = {0x0101010101010101, 0x8080808080808080, 0};

static std::uint64_t along(const int *step, int square, std::uint64_t occupied) {
    std::uint64_t found = 0;
    int side = (*step & 7) == 0 ? 2 : (*step & 7) == 1;
    while (!(rims[side] >> square & 1) && (square += *step) >= 0 && square < 64) {
        found |= UINT64_C(1) << square;
        if (occupied >> square & 1) break;
    }
    return found;
}

static ray rays[2] = {along, along};

extern "C" std::uint64_t rook_attacks(int square, std::uint64_t occupied) {
    std::uint64_t found = 0;
    for (const int *step = steps; step != steps + 4; step++)
        found |= rays[*step > 0](step, square, occupied);
    return found;
}
