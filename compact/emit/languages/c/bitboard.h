
/* A bit for each square, as words of 64 bits, the lowest first. */
typedef struct { uint64_t word[4]; } $bitboard;

$inline $bitboard ${own}bitboard_256(uint64_t a, uint64_t b, uint64_t c, uint64_t d) {
    $bitboard x = {{a, b, c, d}};
    return x;
}

$inline uint64_t ${own}word_256($bitboard x, int n) {
    return x.word[n];
}

$inline $bitboard ${own}and_256($bitboard x, $bitboard y) {
    for (int n = 0; n < 4; n++) x.word[n] &= y.word[n];
    return x;
}

$inline $bitboard ${own}or_256($bitboard x, $bitboard y) {
    for (int n = 0; n < 4; n++) x.word[n] |= y.word[n];
    return x;
}

$inline $bitboard ${own}xor_256($bitboard x, $bitboard y) {
    for (int n = 0; n < 4; n++) x.word[n] ^= y.word[n];
    return x;
}

$inline $bitboard ${own}not_256($bitboard x) {
    for (int n = 0; n < 4; n++) x.word[n] = ~x.word[n];
    return x;
}

$inline $bitboard ${own}add_256($bitboard x, $bitboard y) {
    unsigned __int128 sum = 0;
    for (int n = 0; n < 4; n++) {
        sum += (unsigned __int128)x.word[n] + y.word[n];
        x.word[n] = (uint64_t)sum;
        sum >>= 64;
    }
    return x;
}

$inline $bitboard ${own}subtract_256($bitboard x, $bitboard y) {
    unsigned borrow = 0;
    for (int n = 0; n < 4; n++) {
        uint64_t less = x.word[n] - y.word[n] - borrow;
        borrow = borrow ? x.word[n] <= y.word[n] : x.word[n] < y.word[n];
        x.word[n] = less;
    }
    return x;
}

/* The lowest 256 bits of the product. */
$inline $bitboard ${own}multiply_256($bitboard x, $bitboard y) {
    $bitboard product = {{0, 0, 0, 0}};
    for (int m = 0; m < 4; m++) {
        unsigned __int128 sum = 0;
        for (int n = 0; m + n < 4; n++) {
            sum += (unsigned __int128)x.word[m] * y.word[n] + product.word[m + n];
            product.word[m + n] = (uint64_t)sum;
            sum >>= 64;
        }
    }
    return product;
}

$inline $bitboard ${own}shift_left_256($bitboard x, uint64_t by) {
    $bitboard moved = {{0, 0, 0, 0}};
    for (int n = (int)(by / 64), m = 0; n < 4; n++, m++) {
        moved.word[n] = x.word[m] << (by & 63);
        if (m && (by & 63)) moved.word[n] |= x.word[m - 1] >> (64 - (by & 63));
    }
    return moved;
}

$inline $bitboard ${own}shift_right_256($bitboard x, uint64_t by) {
    $bitboard moved = {{0, 0, 0, 0}};
    for (int n = 0, m = (int)(by / 64); m < 4; n++, m++) {
        moved.word[n] = x.word[m] >> (by & 63);
        if (m < 3 && (by & 63)) moved.word[n] |= x.word[m + 1] << (64 - (by & 63));
    }
    return moved;
}

$inline uint64_t ${own}count_ones_256($bitboard x) {
    uint64_t ones = 0;
    for (int n = 0; n < 4; n++)
        for (; x.word[n]; x.word[n] &= x.word[n] - 1) ones++;
    return ones;
}

$inline uint64_t ${own}trailing_zeros_256($bitboard x) {
    uint64_t zeros = 0;
    while (zeros < 256 && !(x.word[zeros / 64] >> (zeros & 63) & 1)) zeros++;
    return zeros;
}

$inline int ${own}equal_256($bitboard x, $bitboard y) {
    int same = 1;
    for (int n = 0; n < 4; n++) same &= x.word[n] == y.word[n];
    return same;
}
