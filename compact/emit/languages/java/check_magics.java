$heading
//
// Save it as CheckMagics.java beside the engine's own files. Then:
//     javac CheckMagics.java && java CheckMagics

final class CheckMagics {
    interface Lookup {
        long attacks(int square, long occupied);
    }

    // The engine's two lookups. If yours have other names or types, change these lines.
    static final Lookup ROOK = (square, occupied) -> Magics.rookAttacks(square, occupied);
    static final Lookup BISHOP = (square, occupied) -> Magics.bishopAttacks(square, occupied);

    static final int[][] ROOK_STEPS = {{0, 1}, {1, 0}, {0, -1}, {-1, 0}};
    static final int[][] BISHOP_STEPS = {{1, 1}, {1, -1}, {-1, -1}, {-1, 1}};
    static long state = 88172645463325252L;
    static int lookups = 0;

    /** Each ray up to its first blocker; where less is 1, without its last square. */
    static long reached(int square, int[][] steps, long occupied, int less) {
        long squares = 0;
        for (int[] step : steps) {
            int x = step[0], y = step[1], file = (square & 7) + x, rank = (square >> 3) + y;
            for (; ((file + less * x | rank + less * y) & ~7) == 0; file += x, rank += y) {
                long bit = 1L << (8 * rank + file);
                squares |= bit;
                if ((occupied & bit) != 0) break;
            }
        }
        return squares;
    }

    /** What is tried outside of the mask: each square, none, all, and some at random. */
    static long others(int n) {
        if (n < 64) return 1L << n;
        if (n < 66) return n == 64 ? 0 : ~0L;
        state ^= state << 13;
        state ^= state >>> 7;
        return state ^= state << 17;
    }

    /** Of the occupancies that are answered wrongly, the one with the fewest squares is shown. */
    static boolean right(String name, Lookup lookup, int[][] steps, int square) {
        long mask = reached(square, steps, 0, 1), occ = 0, shown = 0;
        int fewest = 65;
        do {
            long expected = reached(square, steps, occ, 0);
            for (int n = 0; n < 70; n++) {
                long more = others(n), occupied = occ | more & ~mask;
                if (n < 64 && (more & mask) != 0) continue;
                lookups++;
                if (lookup.attacks(square, occupied) == expected) continue;
                if (Long.bitCount(occupied) >= fewest) continue;
                fewest = Long.bitCount(occupied);
                shown = occupied;
            }
            occ = occ - mask & mask;
        } while (occ != 0);
        if (fewest == 65) return true;
        System.out.printf("wrong: %s on square %d, occupied 0x%016x, of it in the mask 0x%016x: "
                + "expected 0x%016x, found 0x%016x%n", name, square, shown, shown & mask,
                reached(square, steps, shown, 0), lookup.attacks(square, shown));
        return false;
    }

    public static void main(String[] arguments) {
        for (int square = 0; square < 64; square++) {
            if (!right("rook", ROOK, ROOK_STEPS, square)) System.exit(1);
            if (!right("bishop", BISHOP, BISHOP_STEPS, square)) System.exit(1);
        }
        System.out.printf("right: %d lookups, all occupancies of all masks%n", lookups);
    }
}
