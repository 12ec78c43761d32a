$heading

%% if scope
package $scope;

%% end
public final class $stem {
    private $stem() {}
%% if boards
%% for pieces

    // A class initialiser may have 64 KiB of code: each piece has its own.
    private static final class ${Piece}Numbers {
%% for columns
        static final $kind[] ${PIECE}_$COLUMN = {
$items
        };
%% end
    }

%% for columns
    private static final $kind[] ${PIECE}_$COLUMN = ${Piece}Numbers.${PIECE}_$COLUMN;
%% end
%% end
%% else
%% for pieces
%% for columns

    private static final $kind[] ${PIECE}_$COLUMN = {
$items
    };
%% end
%% end
%% end
%% for buffers

    private static final $kind[] $array = new $kind[$length];
%% if literal
%% for parts

    private static final class $array$number {
%% if flat
        static final long[] PART = {
%% else
        static final $kind[] PART = {
%% end
$items
        };
    }
%% end

    static {
%% for parts
%% if flat
        put($array, $start, $array$number.PART);
%% else
        System.arraycopy($array$number.PART, 0, $array, $start, $size);
%% end
%% end
    }
%% end
%% end
%% include helpers.java
%% for lookups

%% if occ_argument
    /** The squares that $a_piece on a square attacks; the bits of occ are the occupied squares. */
%% else
    /** The squares that $a_piece on a square attacks. */
%% end
    public static $bitboard $called(int square$occ_parameter) {
        return $expression;
    }
%% end
%% if not literal

    static {
%% for pieces
        for (int square = 0; square < $squares; square++) {
            long mask = $mask, occ = 0;
            do {
                long reached = walk(square, occ, new int[][] {$steps});
                int slot = $slot;
                if ($array[slot] != 0 && $array[slot] != reached) throw new AssertionError("a write would change an entry");
                $array[slot] = reached;
                occ = (occ - mask) & mask;
            } while (occ != 0);
        }
%% end
    }

    private static long walk(int square, long occ, int[][] steps) {
        long reached = 0;
        for (int[] step : steps) {
            int file = (square & 7) + step[0], rank = (square >> 3) + step[1];
            while (file >= 0 && file < 8 && rank >= 0 && rank < 8) {
                long bit = 1L << (8 * rank + file);
                reached |= bit;
                if ((occ & bit) != 0) break;
                file += step[0];
                rank += step[1];
            }
        }
        return reached;
    }
%% end
}
