// Four lines at a time: the far halves by one byte shuffle. The file and both diagonals are turned
// by swapping bytes; the rank by bits, in a table of its reversed bytes.
#include <immintrin.h>
#include <stdint.h>

static uint64_t walked(int square, int across, int up) {
    uint64_t squares = 0;
    for (int sign = -1; sign <= 1; sign += 2) {
        int file = square % 8 + sign * across, rank = square / 8 + sign * up;
        while (file >= 0 && file < 8 && rank >= 0 && rank < 8) {
            squares |= UINT64_C(1) << (8 * rank + file);
            file += sign * across;
            rank += sign * up;
        }
    }
    return squares;
}

static __m256i swapped(__m256i words) {
    const __m256i order = _mm256_set_epi8(
        8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7,
        8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7);
    return _mm256_shuffle_epi8(words, order);
}

static __m128i halves(__m256i lines) {
    return _mm_or_si128(_mm256_castsi256_si128(lines), _mm256_extracti128_si256(lines, 1));
}

static uint64_t reversed(uint64_t x) {
    return __builtin_bitreverse64(x);
}

uint64_t queen_attacks(int square, uint64_t occupied) {
    uint64_t slider = UINT64_C(1) << square;
    uint64_t rank = walked(square, 1, 0);
    __m256i masks = _mm256_set_epi64x(0, walked(square, 0, 1), walked(square, 1, 1),
                                      walked(square, 1, -1));
    __m256i blockers = _mm256_and_si256(_mm256_set1_epi64x((long long)occupied), masks);
    __m256i far = swapped(blockers);
    __m256i one = _mm256_set1_epi64x((long long)slider);
    __m256i up = _mm256_sub_epi64(blockers, one);
    __m256i down = swapped(_mm256_sub_epi64(far, swapped(one)));
    __m128i both = halves(_mm256_and_si256(_mm256_xor_si256(up, down), masks));
    uint64_t row = occupied & rank;
    uint64_t along = (row - slider) ^ reversed(reversed(row) - reversed(slider));
    return (uint64_t)(_mm_cvtsi128_si64(both) | _mm_extract_epi64(both, 1)) | (along & rank);
}
