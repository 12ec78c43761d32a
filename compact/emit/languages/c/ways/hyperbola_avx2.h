/* occupied - square runs to the first blocker above; on the board with its ranks swapped, to the
   first one below. Lines go two or four at a time: diagonal, antidiagonal, file. Ranks, which a byte
   swap does not turn round, are looked up in 512 bytes. */
$inline __m256i ${own}swapped(__m256i words) {
    return _mm256_shuffle_epi8(words, _mm256_set_epi8(
        8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7,
        8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7));
}

$inline __m128i ${own}swapped_two(__m128i words) {
    return _mm_shuffle_epi8(words, _mm_set_epi8(
        8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7));
}

$inline uint64_t ${own}along_rank(unsigned square, uint64_t occ) {
    unsigned first = square & 56;
    return (uint64_t)${own}row[(square & 7) << 6 | (occ >> first >> 1 & 63)] << first;
}

${SCOPE}_API uint64_t ${own}rook_attacks(unsigned square, uint64_t occ) {
    uint64_t line = ${own}lines[square][2], bit = UINT64_C(1) << square;
    uint64_t below = ${own}swap_bytes(${own}swap_bytes(occ & line) - ${own}swap_bytes(bit));
    return ((((occ & line) - bit) ^ below) & line) | ${own}along_rank(square, occ);
}

${SCOPE}_API uint64_t ${own}bishop_attacks(unsigned square, uint64_t occ) {
    __m128i line = _mm_load_si128((const __m128i *)(const void *)${own}lines[square]);
    __m128i bit = _mm_set1_epi64x((long long)(UINT64_C(1) << square));
    __m128i on = _mm_and_si128(_mm_set1_epi64x((long long)occ), line);
    __m128i above = _mm_sub_epi64(on, bit);
    __m128i below = ${own}swapped_two(_mm_sub_epi64(${own}swapped_two(on), ${own}swapped_two(bit)));
    __m128i both = _mm_and_si128(_mm_xor_si128(above, below), line);
    return (uint64_t)(_mm_cvtsi128_si64(both) | _mm_extract_epi64(both, 1));
}

${SCOPE}_API uint64_t ${own}queen_attacks(unsigned square, uint64_t occ) {
    __m256i line = _mm256_load_si256((const __m256i *)(const void *)${own}lines[square]);
    __m256i bit = _mm256_set1_epi64x((long long)(UINT64_C(1) << square));
    __m256i on = _mm256_and_si256(_mm256_set1_epi64x((long long)occ), line);
    __m256i above = _mm256_sub_epi64(on, bit);
    __m256i below = ${own}swapped(_mm256_sub_epi64(${own}swapped(on), ${own}swapped(bit)));
    __m256i four = _mm256_and_si256(_mm256_xor_si256(above, below), line);
    __m128i two = _mm_or_si128(_mm256_castsi256_si128(four), _mm256_extracti128_si256(four, 1));
    __m128i one = _mm_or_si128(two, _mm_unpackhi_epi64(two, two));
    return (uint64_t)_mm_cvtsi128_si64(one) | ${own}along_rank(square, occ);
}
