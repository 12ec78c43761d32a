// Shogi, 63 squares and 18 in two words: a subtraction from the blockers of a ray reaches the first
// of them, and bytes in the opposite order turn the other rays about, with SSSE3 or AVX2.
#include <cstdint>
#include <immintrin.h>

struct alignas(16) Set {
    union {
        uint64_t word[2];
        __m128i both;
    };
    Set() : both(_mm_setzero_si128()) {}
    Set(__m128i given) : both(given) {}
    Set(const Set &other) { _mm_store_si128(&both, other.both); }
    Set &operator=(const Set &other) {
        _mm_store_si128(&both, other.both);
        return *this;
    }
    void add(int square) { word[square >= 63] |= UINT64_C(1) << (square >= 63 ? square - 63 : square); }
};

// Rays from each square: along the file to its ends, then those whose squares grow, then the others.
static Set rays[81][8];

extern "C" void init() {
    static const int steps[8][2] = {{0, -1}, {0, 1}, {1, 0}, {1, -1}, {1, 1}, {-1, 0}, {-1, 1}, {-1, -1}};
    for (int square = 0; square < 81; square++)
        for (int n = 0; n < 8; n++) {
            rays[square][n] = Set();
            int file = square / 9 + steps[n][0], rank = square % 9 + steps[n][1];
            for (; file >= 0 && file < 9 && rank >= 0 && rank < 9; file += steps[n][0], rank += steps[n][1])
                rays[square][n].add(9 * file + rank);
        }
}

static __m128i reversed(__m128i set) {
    return _mm_shuffle_epi8(set, _mm_set_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
}

// One less, as a number of 128 bits.
static __m128i decremented(__m128i set) {
    __m128i borrows = _mm_cmpeq_epi64(set, _mm_setzero_si128());
    return _mm_add_epi64(set, _mm_alignr_epi8(borrows, _mm_set1_epi8(-1), 8));
}

static __m128i upwards(__m128i occupied, __m128i ray) {
    __m128i blockers = _mm_and_si128(occupied, ray);
    return _mm_and_si128(_mm_xor_si128(blockers, decremented(blockers)), ray);
}

static __m128i downwards(__m128i occupied, __m128i ray) {
    return reversed(upwards(reversed(occupied), reversed(ray)));
}

template <bool up> static Set along_file(int square, const Set &occupied) {
    Set found;
    const int part = square >= 63;
    const uint64_t ray = rays[square][!up].word[part], blockers = occupied.word[part] & ray;
    found.word[part] = up ? ray & ~UINT64_C(0) << (63 - __builtin_clzll(blockers | 1)) : ray & (blockers ^ (blockers - 1));
    return found;
}

Set black_lance(int square, const Set &occupied) { return along_file<true>(square, occupied); }

Set white_lance(int square, const Set &occupied) { return along_file<false>(square, occupied); }

Set rook(int square, const Set &occupied) {
    __m128i ranks = _mm_or_si128(
        upwards(occupied.both, rays[square][2].both), downwards(occupied.both, rays[square][5].both));
    __m128i file = _mm_or_si128(black_lance(square, occupied).both, white_lance(square, occupied).both);
    return Set(_mm_or_si128(ranks, file));
}

// Two rays at once: the lower words of both, and the upper ones.
Set bishop(int square, const Set &occupied) {
    const __m256i turn = _mm256_broadcastsi128_si256(
        _mm_set_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
    const __m256i zero = _mm256_setzero_si256(), ones = _mm256_cmpeq_epi64(zero, zero);
    const __m256i twice = _mm256_broadcastsi128_si256(occupied.both);
    __m256i found[2];
    for (int down = 0; down < 2; down++) {
        __m256i ray = _mm256_set_m128i(rays[square][4 + 3 * down].both, rays[square][3 + 3 * down].both);
        __m256i board = down ? _mm256_shuffle_epi8(twice, turn) : twice;
        if (down) ray = _mm256_shuffle_epi8(ray, turn);
        __m256i blockers = _mm256_and_si256(board, ray);
        __m256i low = _mm256_unpacklo_epi64(blockers, zero), high = _mm256_unpackhi_epi64(blockers, zero);
        high = _mm256_add_epi64(high, _mm256_cmpeq_epi64(low, zero));
        low = _mm256_add_epi64(low, ones);
        __m256i less = _mm256_unpacklo_epi64(low, high);
        found[down] = _mm256_and_si256(_mm256_xor_si256(blockers, less), ray);
        if (down) found[down] = _mm256_shuffle_epi8(found[down], turn);
    }
    __m256i all = _mm256_or_si256(found[0], found[1]);
    return Set(_mm_or_si128(_mm256_castsi256_si128(all), _mm256_extracti128_si256(all, 1)));
}
