/* An instruction gathers the squares of the mask into the index. */
${SCOPE}_API uint64_t ${own}rook_attacks(unsigned square, uint64_t occ) {
    const uint64_t *place = ${own}rook_place[square];
    return ${own}sets[place[1] + _pext_u64(occ, place[0])];
}

${SCOPE}_API uint64_t ${own}bishop_attacks(unsigned square, uint64_t occ) {
    const uint64_t *place = ${own}bishop_place[square];
    return ${own}sets[place[1] + _pext_u64(occ, place[0])];
}
