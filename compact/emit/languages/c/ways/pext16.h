/* An entry has a bit for each square of the lines, 14 at most, and PDEP puts them in their places. */
$inline uint64_t ${own}spread(const uint64_t *squares, uint64_t occ) {
    return _pdep_u64(${own}packed_sets[squares[2] + _pext_u64(occ, squares[0])], squares[1]);
}

${SCOPE}_API uint64_t ${own}rook_attacks(unsigned square, uint64_t occ) {
    return ${own}spread(${own}rook_squares[square], occ);
}

${SCOPE}_API uint64_t ${own}bishop_attacks(unsigned square, uint64_t occ) {
    return ${own}spread(${own}bishop_squares[square], occ);
}
