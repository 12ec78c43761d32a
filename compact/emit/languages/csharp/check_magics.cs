$heading
//
// Compile it with the engine's own files, and let its Main run:
//     csc -optimize -main:CheckMagics -out:check.exe *.cs && ./check.exe

using System;

public static class CheckMagics {
    // The engine's two lookups. If yours have other names or types, change these lines.
    static readonly Func<int, ulong, ulong> Rook = (square, occupied) => Magics.RookAttacks(square, occupied);
    static readonly Func<int, ulong, ulong> Bishop = (square, occupied) => Magics.BishopAttacks(square, occupied);

    static readonly int[,] RookSteps = {{0, 1}, {1, 0}, {0, -1}, {-1, 0}};
    static readonly int[,] BishopSteps = {{1, 1}, {1, -1}, {-1, -1}, {-1, 1}};
    static ulong state = 88172645463325252;
    static int lookups = 0;

    // Each ray up to its first blocker; where less is 1, without its last square.
    static ulong Reached(int square, int[,] steps, ulong occupied, int less) {
        ulong squares = 0;
        for (int d = 0; d < 4; d++) {
            int x = steps[d, 0], y = steps[d, 1], file = (square & 7) + x, rank = (square >> 3) + y;
            for (; ((file + less * x | rank + less * y) & ~7) == 0; file += x, rank += y) {
                ulong bit = 1UL << (8 * rank + file);
                squares |= bit;
                if ((occupied & bit) != 0) break;
            }
        }
        return squares;
    }

    // What is tried outside of the mask: each square, none, all, and some at random.
    static ulong Others(int n) {
        if (n < 64) return 1UL << n;
        if (n < 66) return n == 64 ? 0 : ~0UL;
        state ^= state << 13;
        state ^= state >> 7;
        return state ^= state << 17;
    }

    static int Count(ulong squares) {
        int n = 0;
        for (; squares != 0; squares &= squares - 1) n++;
        return n;
    }

    // Of the occupancies that are answered wrongly, the one with the fewest squares is shown.
    static bool Right(string name, Func<int, ulong, ulong> lookup, int[,] steps, int square) {
        ulong mask = Reached(square, steps, 0, 1), occ = 0, shown = 0;
        int fewest = 65;
        do {
            ulong expected = Reached(square, steps, occ, 0);
            for (int n = 0; n < 70; n++) {
                ulong more = Others(n), occupied = occ | more & ~mask;
                if (n < 64 && (more & mask) != 0) continue;
                lookups++;
                if (lookup(square, occupied) == expected || Count(occupied) >= fewest) continue;
                fewest = Count(occupied);
                shown = occupied;
            }
            occ = unchecked(occ - mask) & mask;
        } while (occ != 0);
        if (fewest == 65) return true;
        Console.WriteLine("wrong: {0} on square {1}, occupied 0x{2:x16}, of it in the mask 0x{3:x16}: "
            + "expected 0x{4:x16}, found 0x{5:x16}", name, square, shown, shown & mask,
            Reached(square, steps, shown, 0), lookup(square, shown));
        return false;
    }

    public static int Main() {
        for (int square = 0; square < 64; square++) {
            if (!Right("rook", Rook, RookSteps, square)) return 1;
            if (!Right("bishop", Bishop, BishopSteps, square)) return 1;
        }
        Console.WriteLine("right: {0} lookups, all occupancies of all masks", lookups);
        return 0;
    }
}
