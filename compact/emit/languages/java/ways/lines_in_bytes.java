    private static final long A_FILE = 0x0101010101010101L;

    /**
     * A multiplication gathers the six inner squares of a line, 512 bytes serve all lines, and
     * another one spreads the byte over all ranks.
     */
    private static long byFiles(long line, int square, long occ) {
        int inner = (int) ((occ & line) * 0x0202020202020202L >>> 58);
        return (ROW[(square & 7) << 6 | inner] & 0xff) * A_FILE & line;
    }

    /** The squares that a rook on a square attacks; the bits of occ are the occupied squares. */
    public static long rookAttacks(int square, long occ) {
        int file = square & 7, first = square & 56;
        long along = ROW[file << 6 | (int) (occ >>> first >>> 1) & 63] & 0xff;
        int inner = (int) ((occ >>> file & A_FILE) * 0x0004081020408000L >>> 58);
        long set = ROW[square >> 3 << 6 | inner] & 0xff;
        // Bit i to bit 8 * i, seven bits at a time: bit 7 would meet bit 0 on its way.
        long up = (set & 127) * 0x0002040810204081L & A_FILE | set >>> 7 << 56;
        return along << first | up << file;
    }

    /** The squares that a bishop on a square attacks; the bits of occ are the occupied squares. */
    public static long bishopAttacks(int square, long occ) {
        return byFiles(DIAGONAL[square], square, occ) | byFiles(ANTIDIAGONAL[square], square, occ);
    }
