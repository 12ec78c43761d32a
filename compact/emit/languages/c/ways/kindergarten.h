/* A multiplication gathers the six inner squares of a line, one for each file (of a file, one for
   each rank), into an index. The word found has the pattern on every rank. */
$inline uint64_t ${own}by_files(uint64_t line, unsigned square, uint64_t occ) {
    uint64_t inner = (occ & line) * UINT64_C(0x0202020202020202) >> 58;
    return ${own}every_rank[(square & 7) << 6 | inner] & line;
}

${SCOPE}_API uint64_t ${own}rook_attacks(unsigned square, uint64_t occ) {
    unsigned file = square & 7;
    uint64_t inner = (occ >> file & UINT64_C(0x0101010101010101)) * UINT64_C(0x0080402010080400) >> 58;
    return ${own}by_files(${own}rank_line[square], square, occ)
        | ${own}a_file[(square >> 3) << 6 | inner] << file;
}

${SCOPE}_API uint64_t ${own}bishop_attacks(unsigned square, uint64_t occ) {
    return ${own}by_files(${own}diagonal[square], square, occ)
        | ${own}by_files(${own}antidiagonal[square], square, occ);
}
