$heading

using System;
%% if uses BinaryPrimitives.
using System.Buffers.Binary;
%% end
%% if uses BitOperations.
using System.Numerics;
%% end

%% if scope
namespace $scope {

%% end
public static class $stem {
%% for pieces
%% for columns

    private static readonly $kind[] $Piece$Column = {
$items
    };
%% end
%% end
%% for buffers
%% if literal
%% if flat

    private static readonly $kind[] $array = Bitboards(new ulong[] {
$items
    });
%% else

    private static readonly $kind[] $array = {
$items
    };
%% end
%% else

    private static readonly $kind[] $array = new $kind[$length];
%% end
%% end
%% include helpers.cs
%% for lookups

    /// <summary>
%% if occ_argument
    /// The squares that $a_piece on a square attacks; the bits of occ are the occupied squares.
%% else
    /// The squares that $a_piece on a square attacks.
%% end
    /// </summary>
    public static $bitboard $called(int square$occ_parameter) {
        return unchecked($expression);
    }
%% end
%% if not literal

    static $stem() {
        unchecked {
%% for pieces
        for (int square = 0; square < $squares; square++) {
            ulong mask = $mask, occ = 0;
            do {
                ulong reached = walk(square, occ, new int[][] {$steps});
                int slot = $slot;
                if ($array[slot] != 0 && $array[slot] != reached) throw new InvalidOperationException("a write would change an entry");
                $array[slot] = reached;
                occ = (occ - mask) & mask;
            } while (occ != 0);
        }
%% end
        }
    }

    private static ulong walk(int square, ulong occ, int[][] steps) {
        ulong reached = 0;
        foreach (int[] step in steps) {
            int file = (square & 7) + step[0], rank = (square >> 3) + step[1];
            while (file >= 0 && file < 8 && rank >= 0 && rank < 8) {
                ulong bit = 1UL << (8 * rank + file);
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
%% if scope

}
%% end
