$heading

public enum $Stem {
%% for pieces
%% for columns
    private static let ${piece}_$column: [UInt64] = [
$items
    ]

%% end
%% end
%% for buffers
%% if literal
    private static let $array: [$kind] = [
$items
    ]

%% else
    private static let $array: [$kind] = {
        var $array = [$kind](repeating: 0, count: $length)
%% for pieces
        for square in 0..<$squares {
            let mask = $mask
            var occ: UInt64 = 0
            repeat {
                let reached = walk(square, occ, [$steps])
                let slot = $slot
                precondition($array[slot] == 0 || $array[slot] == reached)
                $array[slot] = reached
                occ = (occ &- mask) & mask
            } while occ != 0
        }
%% end
        return $array
    }()

%% end
%% end
%% include helpers.swift
%% for lookups
    /// The squares that a $piece on a square attacks; the bits of occ are the occupied squares.
    @inline(__always)
%% if public
    public static func $called(_ square: Int, _ occ: UInt64) -> UInt64 {
%% else
    static func $called(_ square: Int, _ occ: UInt64) -> UInt64 {
%% end
        return $expression
    }

%% end
%% if not literal
    private typealias Steps = [(Int, Int)]

    private static func walk(_ square: Int, _ occ: UInt64, _ steps: Steps) -> UInt64 {
        var reached: UInt64 = 0
        for (byFile, byRank) in steps {
            var file = (square & 7) + byFile, rank = (square >> 3) + byRank
            while (0..<8).contains(file) && (0..<8).contains(rank) {
                let bit = UInt64(1) &<< UInt64(8 * rank + file)
                reached |= bit
                if occ & bit != 0 { break }
                file += byFile
                rank += byRank
            }
        }
        return reached
    }
%% end
}
