/* All sliders of a set at once: their squares spread over free ones, each step twice as far. */
$inline uint64_t ${own}spread_up(uint64_t from, uint64_t open, unsigned by, uint64_t kept) {
    open &= kept;
    from |= open & from << by;
    open &= open << by;
    from |= open & from << 2 * by;
    open &= open << 2 * by;
    from |= open & from << 4 * by;
    return from << by & kept;
}

$inline uint64_t ${own}spread_down(uint64_t from, uint64_t open, unsigned by, uint64_t kept) {
    open &= kept;
    from |= open & from >> by;
    open &= open >> by;
    from |= open & from >> 2 * by;
    open &= open >> 2 * by;
    from |= open & from >> 4 * by;
    return from >> by & kept;
}

${SCOPE}_API uint64_t ${own}all_rook_attacks(uint64_t rooks, uint64_t occ) {
    const uint64_t not_a = UINT64_C(0xfefefefefefefefe), not_h = UINT64_C(0x7f7f7f7f7f7f7f7f);
    return ${own}spread_up(rooks, ~occ, 8, ~UINT64_C(0)) | ${own}spread_up(rooks, ~occ, 1, not_a)
        | ${own}spread_down(rooks, ~occ, 8, ~UINT64_C(0)) | ${own}spread_down(rooks, ~occ, 1, not_h);
}

${SCOPE}_API uint64_t ${own}all_bishop_attacks(uint64_t bishops, uint64_t occ) {
    const uint64_t not_a = UINT64_C(0xfefefefefefefefe), not_h = UINT64_C(0x7f7f7f7f7f7f7f7f);
    return ${own}spread_up(bishops, ~occ, 9, not_a) | ${own}spread_up(bishops, ~occ, 7, not_h)
        | ${own}spread_down(bishops, ~occ, 9, not_h) | ${own}spread_down(bishops, ~occ, 7, not_a);
}

${SCOPE}_API uint64_t ${own}rook_attacks(unsigned square, uint64_t occ) {
    return ${own}all_rook_attacks(UINT64_C(1) << square, occ);
}

${SCOPE}_API uint64_t ${own}bishop_attacks(unsigned square, uint64_t occ) {
    return ${own}all_bishop_attacks(UINT64_C(1) << square, occ);
}
