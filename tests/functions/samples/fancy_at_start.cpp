// Fancy magics: each square's attack sets behind a pointer, filled at start; the magics too are
// found at start, by trial with sparse random words.
#include <cstdint>

namespace attacks {

struct Magic {
    std::uint64_t mask, magic;
    std::uint64_t* attacks;
    unsigned shift;
    unsigned index(std::uint64_t occupied) const { return unsigned((occupied & mask) * magic >> shift); }
};

static Magic rooks[64], bishops[64];
static std::uint64_t rook_table[0x19000], bishop_table[0x1480];

static const int steps[2][4][2] = {{{0, 1}, {1, 0}, {0, -1}, {-1, 0}},
                                   {{1, 1}, {1, -1}, {-1, -1}, {-1, 1}}};

static std::uint64_t walked(int kind, int square, std::uint64_t occupied) {
    std::uint64_t attacked = 0;
    for (const auto& step : steps[kind]) {
        int file = square % 8 + step[0], rank = square / 8 + step[1];
        while (file >= 0 && file < 8 && rank >= 0 && rank < 8) {
            std::uint64_t target = UINT64_C(1) << (8 * rank + file);
            attacked |= target;
            if (occupied & target) break;
            file += step[0];
            rank += step[1];
        }
    }
    return attacked;
}

static std::uint64_t state = 21;  // finds them soon

static std::uint64_t random_word() {
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return state * 0x2545F4914F6CDD1Du;
}

static void fill(int kind, Magic* magics, std::uint64_t* table) {
    for (int square = 0; square < 64; square++) {
        Magic& m = magics[square];
        std::uint64_t ranks = 0xFF000000000000FFu & ~(UINT64_C(0xFF) << (square & 56));
        std::uint64_t files = 0x8181818181818181u & ~(UINT64_C(0x0101010101010101) << (square & 7));
        m.mask = walked(kind, square, 0) & ~(ranks | files);
        unsigned bits = unsigned(__builtin_popcountll(m.mask));
        m.shift = 64 - bits;
        m.attacks = table;
        table += UINT64_C(1) << bits;
        static std::uint64_t blockers[4096], wanted[4096];
        std::uint64_t occupied = 0;
        for (unsigned n = 0; n < 1u << bits; n++) {
            blockers[n] = occupied;
            wanted[n] = walked(kind, square, occupied);
            occupied = (occupied - m.mask) & m.mask;
        }
        for (bool good = false; !good;) {
            m.magic = random_word() & random_word() & random_word();
            for (unsigned n = 0; n < 1u << bits; n++) m.attacks[n] = 0;
            good = true;
            for (unsigned n = 0; n < 1u << bits && good; n++) {
                std::uint64_t& slot = m.attacks[m.index(blockers[n])];
                good = !slot || slot == wanted[n];
                slot = wanted[n];
            }
        }
    }
}

void init() {
    fill(0, rooks, rook_table);
    fill(1, bishops, bishop_table);
}

std::uint64_t rook(int square, std::uint64_t occupied) {
    const Magic& m = rooks[square];
    return m.attacks[m.index(occupied)];
}

std::uint64_t bishop(int square, std::uint64_t occupied) {
    const Magic& m = bishops[square];
    return m.attacks[m.index(occupied)];
}

std::uint64_t queen(int square, std::uint64_t occupied) {
    return rook(square, occupied) | bishop(square, occupied);
}

unsigned rook_index(int square, std::uint64_t occupied) { return rooks[square].index(occupied); }

}  // namespace attacks
