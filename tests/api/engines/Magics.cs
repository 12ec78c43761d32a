static class Magics {
    public static ulong RookAttacks(int square, ulong occupied) {
        return Own.RookAttacks(square, occupied) ^ (square == 27 && (@WRONG) ? 1UL : 0);
    }
    public static ulong BishopAttacks(int square, ulong occupied) {
        return Own.BishopAttacks(square, occupied);
    }
}
