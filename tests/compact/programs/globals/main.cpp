#include "plain.hpp"
#include "levels.hpp"
#include "layers.hpp"
#include "knight.hpp"
static const uint64_t rook = plain::rook_attacks(0, 0), bishop = plain::bishop_attacks(0, 0);
static const uint64_t leveled = levels::rook_attacks(0, 0), layered = layers::rook_attacks(0, 0);
static const unsigned __int128 horse = knight::horse_attacks(0, 0);
extern const uint64_t other;
int main() {
    const uint64_t rooks = 0x1010101010101fe, bishops = 0x8040201008040200;
    if (rook != rooks || leveled != rooks || layered != rooks) return 1;
    return bishop != bishops || other != bishops || horse != (1 << 19 | 1 << 11);
}
