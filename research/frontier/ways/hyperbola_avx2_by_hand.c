/* Hyperbola quintessence in AVX2 as one would write it for one compiler: what the emitted one is held
   against. Tables are made at the start; the queen takes three lines at a time. */

#include <immintrin.h>

static struct { _Alignas(32) uint64_t line[4]; } three[64];
static uint8_t rank_table[8][64];

static void way_init(void) {
    for (unsigned square = 0; square < 64; square++) {
        three[square].line[0] = whole_line(ALONG_DIAGONAL, square);
        three[square].line[1] = whole_line(ALONG_ANTIDIAGONAL, square);
        three[square].line[2] = whole_line(ALONG_FILE, square);
    }
    for (unsigned file = 0; file < 8; file++)
        for (unsigned inner = 0; inner < 64; inner++)
            rank_table[file][inner] = (uint8_t)line_attacks(ALONG_RANK, file, inner << 1);
}

static inline __m256i turned(__m256i x) {
    return _mm256_shuffle_epi8(x, _mm256_broadcastsi128_si256(
        _mm_set_epi64x(0x08090a0b0c0d0e0f, 0x0001020304050607)));
}

static inline uint64_t on_rank(unsigned square, uint64_t occ) {
    unsigned first = square & 56;
    return (uint64_t)rank_table[square & 7][occ >> first >> 1 & 63] << first;
}

static inline uint64_t rook_attacks(unsigned square, uint64_t occ) {
    uint64_t line = three[square].line[2], bit = (uint64_t)1 << square, on = occ & line;
    uint64_t down = __builtin_bswap64(__builtin_bswap64(on) - __builtin_bswap64(bit));
    return (((on - bit) ^ down) & line) | on_rank(square, occ);
}

static inline uint64_t bishop_attacks(unsigned square, uint64_t occ) {
    __m128i order = _mm_set_epi64x(0x08090a0b0c0d0e0f, 0x0001020304050607);
    __m128i line = _mm_load_si128((const __m128i *)&three[square]);
    __m128i bit = _mm_set1_epi64x((long long)((uint64_t)1 << square));
    __m128i on = _mm_and_si128(_mm_set1_epi64x((long long)occ), line);
    __m128i down = _mm_sub_epi64(_mm_shuffle_epi8(on, order), _mm_shuffle_epi8(bit, order));
    __m128i both = _mm_xor_si128(_mm_sub_epi64(on, bit), _mm_shuffle_epi8(down, order));
    both = _mm_and_si128(both, line);
    return (uint64_t)(_mm_cvtsi128_si64(both) | _mm_extract_epi64(both, 1));
}

#define OWN_QUEEN
static inline uint64_t queen_attacks(unsigned square, uint64_t occ) {
    __m256i line = _mm256_load_si256((const __m256i *)&three[square]);
    __m256i bit = _mm256_set1_epi64x((long long)((uint64_t)1 << square));
    __m256i on = _mm256_and_si256(_mm256_set1_epi64x((long long)occ), line);
    __m256i down = turned(_mm256_sub_epi64(turned(on), turned(bit)));
    __m256i all = _mm256_and_si256(_mm256_xor_si256(_mm256_sub_epi64(on, bit), down), line);
    __m128i two = _mm_or_si128(_mm256_castsi256_si128(all), _mm256_extracti128_si256(all, 1));
    two = _mm_or_si128(two, _mm_unpackhi_epi64(two, two));
    return (uint64_t)_mm_cvtsi128_si64(two) | on_rank(square, occ);
}

#define TABLE_BYTES sizeof rank_table
#define SQUARE_BYTES sizeof three
