    /**
     * occupied - square runs to the first blocker above; on the board with its ranks swapped, to
     * the first one below. Ranks, which a byte swap does not turn round, are looked up in 512 bytes.
     */
    private static long bothWays(long line, long bit, long occ) {
        long above = (occ & line) - bit;
        long below = Long.reverseBytes(Long.reverseBytes(occ & line) - Long.reverseBytes(bit));
        return (above ^ below) & line;
    }

    /** The squares that a rook on a square attacks; the bits of occ are the occupied squares. */
    public static long rookAttacks(int square, long occ) {
        int first = square & 56;
        long rank = ROW[(square & 7) << 6 | (int) (occ >>> first >>> 1) & 63] & 0xff;
        return bothWays(FILE_LINE[square], 1L << square, occ) | rank << first;
    }

    /** The squares that a bishop on a square attacks; the bits of occ are the occupied squares. */
    public static long bishopAttacks(int square, long occ) {
        long bit = 1L << square;
        return bothWays(DIAGONAL[square], bit, occ) | bothWays(ANTIDIAGONAL[square], bit, occ);
    }
