%% for lists
    private static readonly $kind[] $Name = {
$items
    };

%% end
$body

    /// <summary>
    /// The squares that a queen on a square attacks; the bits of occ are the occupied squares.
    /// </summary>
    public static ulong QueenAttacks(int square, ulong occ) {
        return RookAttacks(square, occ) | BishopAttacks(square, occ);
    }
