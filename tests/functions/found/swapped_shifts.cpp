// Sets shifted by a square; east and west have each other's place.
using Bitboard = unsigned long long;
enum Direction { EAST, WEST };

template <Direction d> constexpr Bitboard shift(Bitboard set) {
    constexpr Bitboard a = 0x0101010101010101, h = a << 7;
    return d == EAST ? (set & ~a) >> 1 : (set & ~h) << 1;
}
