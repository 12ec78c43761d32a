/* A multiplication gathers the six inner squares of a line, 512 bytes serve all lines, and another
   one spreads the byte: over all ranks for diagonals, along one file for files. */
$inline uint64_t ${own}by_files(uint64_t line, unsigned square, uint64_t occ) {
    uint64_t inner = (occ & line) * UINT64_C(0x0202020202020202) >> 58;
    return ${own}row[(square & 7) << 6 | inner] * UINT64_C(0x0101010101010101) & line;
}

${SCOPE}_API uint64_t ${own}rook_attacks(unsigned square, uint64_t occ) {
    const uint64_t a_file = UINT64_C(0x0101010101010101);
    unsigned file = square & 7, rank = square >> 3;
    uint64_t along = ${own}row[file << 6 | (occ >> 8 * rank >> 1 & 63)];
    uint64_t inner = (occ >> file & a_file) * UINT64_C(0x0004081020408000) >> 58;
    uint64_t byte = ${own}row[rank << 6 | inner];
    /* Bit i to bit 8 * i, seven bits at a time: bit 7 would meet bit 0 on its way. */
    uint64_t up = ((byte & 127) * UINT64_C(0x0002040810204081) & a_file) | byte >> 7 << 56;
    return along << 8 * rank | up << file;
}

${SCOPE}_API uint64_t ${own}bishop_attacks(unsigned square, uint64_t occ) {
    return ${own}by_files(${own}diagonal[square], square, occ)
        | ${own}by_files(${own}antidiagonal[square], square, occ);
}
