    // occupied - square runs to the first blocker above; on the board with its ranks swapped, to
    // the first one below. Ranks, which a byte swap does not turn round, are looked up in 512 bytes.
    private static ulong BothWays(ulong line, ulong bit, ulong occ) {
        unchecked {
            ulong above = (occ & line) - bit;
            ulong below = BinaryPrimitives.ReverseEndianness(
                BinaryPrimitives.ReverseEndianness(occ & line)
                - BinaryPrimitives.ReverseEndianness(bit));
            return (above ^ below) & line;
        }
    }

    /// <summary>
    /// The squares that a rook on a square attacks; the bits of occ are the occupied squares.
    /// </summary>
    public static ulong RookAttacks(int square, ulong occ) {
        int first = square & 56;
        ulong rank = Row[(square & 7) << 6 | (int)(occ >> first >> 1 & 63)];
        return BothWays(FileLine[square], 1UL << square, occ) | rank << first;
    }

    /// <summary>
    /// The squares that a bishop on a square attacks; the bits of occ are the occupied squares.
    /// </summary>
    public static ulong BishopAttacks(int square, ulong occ) {
        ulong bit = 1UL << square;
        return BothWays(Diagonal[square], bit, occ) | BothWays(Antidiagonal[square], bit, occ);
    }
