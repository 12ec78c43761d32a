final class Magics {
    static long rookAttacks(int square, long occupied) {
        return Own.rookAttacks(square, occupied) ^ (square == 27 && (@WRONG) ? 1 : 0);
    }
    static long bishopAttacks(int square, long occupied) {
        return Own.bishopAttacks(square, occupied);
    }
}
