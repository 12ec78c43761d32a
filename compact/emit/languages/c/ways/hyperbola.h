/* occupied - square runs to the first blocker above; on the board with its ranks swapped, to the
   first one below. Ranks, which a byte swap does not turn round, are looked up in 512 bytes. */
$inline uint64_t ${own}both_ways(uint64_t line, uint64_t bit, uint64_t occ) {
    uint64_t above = (occ & line) - bit;
    uint64_t below = ${own}swap_bytes(${own}swap_bytes(occ & line) - ${own}swap_bytes(bit));
    return (above ^ below) & line;
}

${SCOPE}_API uint64_t ${own}rook_attacks(unsigned square, uint64_t occ) {
    unsigned first = square & 56;
    uint64_t rank = ${own}row[(square & 7) << 6 | (occ >> first >> 1 & 63)];
    return ${own}both_ways(${own}file_line[square], UINT64_C(1) << square, occ) | rank << first;
}

${SCOPE}_API uint64_t ${own}bishop_attacks(unsigned square, uint64_t occ) {
    uint64_t bit = UINT64_C(1) << square;
    return ${own}both_ways(${own}diagonal[square], bit, occ)
        | ${own}both_ways(${own}antidiagonal[square], bit, occ);
}
