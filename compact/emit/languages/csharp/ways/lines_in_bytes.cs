    private const ulong AFile = 0x0101010101010101UL;

    // A multiplication gathers the six inner squares of a line, 512 bytes serve all lines, and
    // another one spreads the byte over all ranks.
    private static ulong ByFiles(ulong line, int square, ulong occ) {
        int inner = (int)(unchecked((occ & line) * 0x0202020202020202UL) >> 58);
        return Row[(square & 7) << 6 | inner] * AFile & line;
    }

    /// <summary>
    /// The squares that a rook on a square attacks; the bits of occ are the occupied squares.
    /// </summary>
    public static ulong RookAttacks(int square, ulong occ) {
        int file = square & 7, first = square & 56;
        ulong along = Row[file << 6 | (int)(occ >> first >> 1 & 63)];
        int inner = (int)(unchecked((occ >> file & AFile) * 0x0004081020408000UL) >> 58);
        ulong set = Row[square >> 3 << 6 | inner];
        // Bit i to bit 8 * i, seven bits at a time: bit 7 would meet bit 0 on its way.
        ulong up = (set & 127) * 0x0002040810204081UL & AFile | set >> 7 << 56;
        return along << first | up << file;
    }

    /// <summary>
    /// The squares that a bishop on a square attacks; the bits of occ are the occupied squares.
    /// </summary>
    public static ulong BishopAttacks(int square, ulong occ) {
        return ByFiles(Diagonal[square], square, occ) | ByFiles(Antidiagonal[square], square, occ);
    }
