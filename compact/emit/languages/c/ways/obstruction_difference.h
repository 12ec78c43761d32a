/* Twice the first blocker above, less the first one below, is all squares from one to the other. */
$inline uint64_t ${own}between(uint64_t line, unsigned square, uint64_t occ) {
    uint64_t upper = line & (~UINT64_C(0) << square), blockers = occ & line & upper;
    uint64_t below = (occ & line & ~upper) | 1;
    below |= below >> 1;
    below |= below >> 2;
    below |= below >> 4;
    below |= below >> 8;
    below |= below >> 16;
    below |= below >> 32;
    return (2 * (blockers & (0 - blockers)) - (below ^ below >> 1)) & line;
}

${SCOPE}_API uint64_t ${own}rook_attacks(unsigned square, uint64_t occ) {
    return ${own}between(${own}rank_line[square], square, occ)
        | ${own}between(${own}file_line[square], square, occ);
}

${SCOPE}_API uint64_t ${own}bishop_attacks(unsigned square, uint64_t occ) {
    return ${own}between(${own}diagonal[square], square, occ)
        | ${own}between(${own}antidiagonal[square], square, occ);
}
