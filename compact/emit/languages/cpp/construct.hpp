inline int count(Bitboard set) {
    int found = 0;
    for (; set; set &= set - 1) found++;
    return found;
}

// A one in the magic, at bit t, moves the square b to bit b + t of the product, whose top bits
// are the index. The place of a square is the lowest index bit that some one moves it to. Ones
// are chosen for the squares from the highest down, so that all get different places, and so
// that what falls below the index adds up to less than 1 of it: no carry comes up. Then the
// index is a sum of numbers v_b, each an odd multiple of 2^place, and two occupancies differ in
// it at the lowest place of the squares in which they differ.
class Constructor {
public:
    Constructor(Bitboard mask, int bits_) : low($width - bits_), bits(bits_) {
        for (int square = $width - 1; square >= 0; square--)
            if (mask >> square & 1) squares.push_back(square);
    }

    // The magic, or 0.
    Bitboard magic() {
        Bitboard found = 0;
        for (first = bits - 1; first >= 0 && !found; first--) {
            left = 200;
            found = complete({0, (uint64_t{1} << bits) - 1, 0, 0});
        }
        return found;
    }

private:
    struct Ones { std::size_t placed; uint64_t free; Bitboard below, magic; };

    std::vector<int> squares;
    int low, bits, first = 0, left = 0;

    // One more: false if two squares would share a place, or a carry could come up.
    bool add_one(Ones& ones, int one) const {
        for (std::size_t n = ones.placed; n < squares.size(); n++) {
            int bit = squares[n] + one;
            uint64_t place = bit < low ? 0 : uint64_t{1} << (bit - low);
            if (place & ~ones.free) return false;
            ones.free &= ~place;
            ones.placed += place != 0;
            if (!place) ones.below += static_cast<Bitboard>(1) << bit;
            if (ones.below >> low) return false;
        }
        ones.magic |= static_cast<Bitboard>(1) << one;
        return true;
    }

    // The magic that goes on from these ones, or 0.
    Bitboard complete(Ones ones) {
        if (ones.placed == squares.size()) return ones.magic;
        if (--left < 0) return 0;
        Bitboard found = 0;
        for (int n = 0; n < bits && left >= 0 && !found; n++) {
            int one = low + (first + bits - n) % bits - squares[ones.placed];
            Ones more = ones;
            if (one >= 0 && add_one(more, one)) found = complete(more);
        }
        return found;
    }
};

// A magic for a mask: with ((occupied & mask) * magic) >> ($width - bits) different occupancies of
// the mask have different indexes. 0 where it was not built, and with fewer bits than squares.
inline Bitboard construct(Bitboard mask, int bits) {
    if (bits < 1 || bits > 31 || count(mask) > bits) return 0;
    return mask ? Constructor(mask, bits).magic() : 1;
}
