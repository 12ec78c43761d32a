%% if by_parts
%% include bitboard.h
%% end
%% if uses rotate_left_32(

$inline uint32_t ${own}rotate_left_32(uint32_t x, uint64_t amount) {
    return x << (amount & 31) | x >> ((32 - (amount & 31)) & 31);
}
%% end
%% if uses rotate_left_64(

$inline uint64_t ${own}rotate_left_64(uint64_t x, uint64_t amount) {
    return x << (amount & 63) | x >> ((64 - (amount & 63)) & 63);
}
%% end
%% if uses swap_bytes(

$inline uint64_t ${own}swap_bytes(uint64_t x) {
    x = (x & UINT64_C(0xff00ff00ff00ff)) << 8 | (x >> 8 & UINT64_C(0xff00ff00ff00ff));
    x = (x & UINT64_C(0xffff0000ffff)) << 16 | (x >> 16 & UINT64_C(0xffff0000ffff));
    return x << 32 | x >> 32;
}
%% end
%% if uses extract_bits(
%% if constant

$inline uint64_t ${own}extract_bits(uint64_t x, uint64_t mask) {
#if defined(__BMI2__) && defined(__x86_64__)
    if (!__builtin_is_constant_evaluated()) return __builtin_ia32_pext_di(x, mask);
#endif
    uint64_t bits = 0;
    for (uint64_t bit = 1; mask; bit += bit, mask &= mask - 1)
        if (x & mask & (0 - mask)) bits |= bit;
    return bits;
}
%% else

$inline uint64_t ${own}extract_bits(uint64_t x, uint64_t mask) {
#if defined(__BMI2__) && defined(__x86_64__)
    return __builtin_ia32_pext_di(x, mask);
#else
    uint64_t bits = 0;
    for (uint64_t bit = 1; mask; bit += bit, mask &= mask - 1)
        if (x & mask & (0 - mask)) bits |= bit;
    return bits;
#endif
}
%% end
%% end
%% if uses count_ones(

$inline uint64_t ${own}count_ones(uint64_t x) {
    x -= x >> 1 & UINT64_C(0x5555555555555555);
    x = (x & UINT64_C(0x3333333333333333)) + (x >> 2 & UINT64_C(0x3333333333333333));
    x = (x + (x >> 4)) & UINT64_C(0xf0f0f0f0f0f0f0f);
    return (x * UINT64_C(0x101010101010101)) >> 56;
}
%% end
%% if uses trailing_zeros_32(

$inline uint64_t ${own}trailing_zeros_32(uint32_t x) {
    uint64_t zeros = 0;
    while (zeros < 32 && !(x >> zeros & 1)) zeros++;
    return zeros;
}
%% end
%% if uses trailing_zeros_64(

$inline uint64_t ${own}trailing_zeros_64(uint64_t x) {
    uint64_t zeros = 0;
    while (zeros < 64 && !(x >> zeros & 1)) zeros++;
    return zeros;
}
%% end
%% if uses count_ones_128(

$inline uint64_t ${own}count_ones_128(unsigned __int128 x) {
    uint64_t ones = 0;
    for (; x; x &= x - 1) ones++;
    return ones;
}
%% end
%% if uses trailing_zeros_128(

$inline uint64_t ${own}trailing_zeros_128(unsigned __int128 x) {
    uint64_t zeros = 0;
    while (zeros < 128 && !(x >> zeros & 1)) zeros++;
    return zeros;
}
%% end
