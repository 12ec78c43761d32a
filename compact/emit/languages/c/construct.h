/* A one in the magic, at bit t, moves the square b to bit b + t of the product, whose top bits
   are the index. The place of a square is the lowest index bit that some one moves it to. Ones
   are chosen for the squares from the highest down, so that all get different places, and so
   that what falls below the index adds up to less than 1 of it: no carry comes up. Then the
   index is a sum of numbers v_b, each an odd multiple of 2^place, and two occupancies differ in
   it at the lowest place of the squares in which they differ. */
struct ${own}search { int squares[$width], count, low, bits, first, left; };
struct ${own}ones { int placed; uint64_t free; ${scope}bitboard below, magic; };

static int ${own}count(${scope}bitboard set) {
    int count = 0;
    for (; set; set &= set - 1) count++;
    return count;
}

/* One more: 0 if two squares would share a place, or a carry could come up. */
static int ${own}add_one(const struct ${own}search *s, struct ${own}ones *ones, int one) {
    for (int n = ones->placed; n < s->count; n++) {
        int bit = s->squares[n] + one;
        uint64_t place = bit < s->low ? 0 : (uint64_t)1 << (bit - s->low);
        if (place & ~ones->free) return 0;
        ones->free &= ~place;
        ones->placed += place != 0;
        if (!place) ones->below += (${scope}bitboard)1 << bit;
        if (ones->below >> s->low) return 0;
    }
    ones->magic |= (${scope}bitboard)1 << one;
    return 1;
}

/* The magic that goes on from these ones, or 0. */
static ${scope}bitboard ${own}complete(struct ${own}search *s, struct ${own}ones ones) {
    ${scope}bitboard magic = 0;
    if (ones.placed == s->count) return ones.magic;
    if (--s->left < 0) return 0;
    for (int n = 0; n < s->bits && s->left >= 0 && !magic; n++) {
        int place = (s->first + s->bits - n) % s->bits;
        int one = s->low + place - s->squares[ones.placed];
        struct ${own}ones more = ones;
        if (one >= 0 && ${own}add_one(s, &more, one)) magic = ${own}complete(s, more);
    }
    return magic;
}

${scope}bitboard ${scope}construct(${scope}bitboard mask, int bits) {
    ${scope}bitboard magic = 0;
    struct ${own}search s = {.low = $width - bits, .bits = bits};
    struct ${own}ones none = {.free = ((uint64_t)1 << (bits & 63)) - 1};
    if (bits < 1 || bits > 31 || ${own}count(mask) > bits) return 0;
    if (!mask) return 1;
    for (int square = $width - 1; square >= 0; square--)
        if (mask >> square & 1) s.squares[s.count++] = square;
    for (s.first = bits - 1; s.first >= 0 && !magic; s.first--) {
        s.left = 200;
        magic = ${own}complete(&s, none);
    }
    return magic;
}
