// An engine with one template for all sliders.
#include <cstdint>

using Bitboard = std::uint64_t;
enum Square : int {};
enum PieceType { BISHOP, ROOK };

template<PieceType Pt> Bitboard sliding_attacks(Square square, Bitboard occupied) {
    Bitboard reached = 0;
    for (int x = -1; x <= 1; x++)
        for (int y = -1; y <= 1; y++) {
            if ((x != 0) + (y != 0) != (Pt == ROOK ? 1 : 2)) continue;
            for (int file = square % 8 + x, rank = square / 8 + y;
                 file >= 0 && file < 8 && rank >= 0 && rank < 8; file += x, rank += y) {
                reached |= Bitboard(1) << (8 * rank + file);
                if (occupied >> (8 * rank + file) & 1) break;
            }
        }
    return reached;
}

template<PieceType Pt> Bitboard attacks_bb(Square square, Bitboard occupied) {
    return sliding_attacks<Pt>(square, occupied);
}

extern "C" {
void engine_init() {}
Bitboard engine_rook(int square, Bitboard occupied) { return attacks_bb<ROOK>(Square(square), occupied); }
Bitboard engine_bishop(int square, Bitboard occupied) { return attacks_bb<BISHOP>(Square(square), occupied); }
}
