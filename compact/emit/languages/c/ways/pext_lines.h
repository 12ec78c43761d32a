/* A line is a row of eight squares at most, so 512 bytes serve all of them. The row of a shorter
   line goes on beyond its end, where PDEP drops it. */
$inline uint64_t ${own}along(const uint64_t *squares, unsigned place, uint64_t occ) {
    return _pdep_u64(${own}row[place << 6 | _pext_u64(occ, squares[0])], squares[1]);
}

${SCOPE}_API uint64_t ${own}rook_attacks(unsigned square, uint64_t occ) {
    return ${own}along(${own}rank_squares[square], square & 7, occ)
        | ${own}along(${own}file_squares[square], square >> 3, occ);
}

${SCOPE}_API uint64_t ${own}bishop_attacks(unsigned square, uint64_t occ) {
    return ${own}along(${own}diagonal_squares[square], ${own}diagonal_place[square], occ)
        | ${own}along(${own}antidiagonal_squares[square], ${own}antidiagonal_place[square], occ);
}
