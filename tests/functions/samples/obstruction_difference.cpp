// Obstruction difference: twice the first blocker above, less the first one below, is all squares from one to the other.
#include <array>
#include <cstdint>

namespace {

using Word = std::uint64_t;
struct Halves { Word lower = 0, upper = 0; };

constexpr Halves halves(int square, int files, int ranks) {
    Halves made;
    for (int sign = -1; sign <= 1; sign += 2) {
        int file = square % 8 + sign * files, rank = square / 8 + sign * ranks;
        for (; file >= 0 && file < 8 && rank >= 0 && rank < 8; file += sign * files, rank += sign * ranks)
            (sign < 0 ? made.lower : made.upper) |= Word{1} << (8 * rank + file);
    }
    return made;
}

constexpr auto lines = [] {
    std::array<std::array<Halves, 64>, 4> all{};
    for (int square = 0; square < 64; square++) {
        all[0][square] = halves(square, 1, 0);
        all[1][square] = halves(square, 0, 1);
        all[2][square] = halves(square, 1, 1);
        all[3][square] = halves(square, -1, 1);
    }
    return all;
}();

Word between(const Halves& half, Word occupied) {
    Word below = half.lower & occupied;
    Word above = half.upper & occupied;
    Word from = ~Word{0} << (63 - __builtin_clzll(below | 1));
    return (2 * (above & (0 - above)) + from) & (half.lower | half.upper);
}

}  // namespace

extern "C" Word rook_attacks(unsigned square, Word occupied) {
    return between(lines[0][square], occupied) | between(lines[1][square], occupied);
}

extern "C" Word bishop_attacks(unsigned square, Word occupied) {
    return between(lines[2][square], occupied) | between(lines[3][square], occupied);
}
