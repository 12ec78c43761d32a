/* occupied - square runs to the first blocker above; with all bits reversed, to the first one below.
   ARM has an instruction for it. */
$inline uint64_t ${own}reversed(uint64_t x) {
#if defined(__clang__)
    return __builtin_bitreverse64(x);
#else
#if defined(__aarch64__) && __GNUC__ >= 12
    if (!__builtin_constant_p(x)) return __builtin_aarch64_rbitll(x);
#endif
    x = (x & UINT64_C(0x5555555555555555)) << 1 | (x >> 1 & UINT64_C(0x5555555555555555));
    x = (x & UINT64_C(0x3333333333333333)) << 2 | (x >> 2 & UINT64_C(0x3333333333333333));
    x = (x & UINT64_C(0x0f0f0f0f0f0f0f0f)) << 4 | (x >> 4 & UINT64_C(0x0f0f0f0f0f0f0f0f));
    return ${own}swap_bytes(x);
#endif
}

$inline uint64_t ${own}both_ways(uint64_t line, uint64_t bit, uint64_t occ) {
    uint64_t above = (occ & line) - bit;
    uint64_t below = ${own}reversed(${own}reversed(occ & line) - ${own}reversed(bit));
    return (above ^ below) & line;
}

${SCOPE}_API uint64_t ${own}rook_attacks(unsigned square, uint64_t occ) {
    uint64_t bit = UINT64_C(1) << square;
    return ${own}both_ways(${own}rank_line[square], bit, occ)
        | ${own}both_ways(${own}file_line[square], bit, occ);
}

${SCOPE}_API uint64_t ${own}bishop_attacks(unsigned square, uint64_t occ) {
    uint64_t bit = UINT64_C(1) << square;
    return ${own}both_ways(${own}diagonal[square], bit, occ)
        | ${own}both_ways(${own}antidiagonal[square], bit, occ);
}
