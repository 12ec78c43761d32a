%% for lists
    private static final $kind[] $NAME = {
$items
    };

%% end
$body

    /** The squares that a queen on a square attacks; the bits of occ are the occupied squares. */
    public static long queenAttacks(int square, long occ) {
        return rookAttacks(square, occ) | bishopAttacks(square, occ);
    }
