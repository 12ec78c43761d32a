// A method whose arguments are references, and a function that calls itself.
struct Bitboard { unsigned long bits; };
struct Lines { enum Way { EAST, WEST, BOTH }; static Bitboard both(const int &, const Bitboard &); };

static unsigned long line(int square, unsigned long occupied, Lines::Way way) {
    if (way == Lines::BOTH)
        return line(square, occupied, Lines::EAST) | line(square, occupied, Lines::WEST);
    unsigned long found = 0;
    for (int s = square; way == Lines::EAST ? s % 8 < 7 : s % 8 > 0;) {
        s += way == Lines::EAST ? 1 : -1;
        found |= 1ul << s;
        if (occupied >> s & 1) break;
    }
    return found;
}

Bitboard Lines::both(const int &square, const Bitboard &occupied) {
    return {line(square, occupied.bits, BOTH)};
}
