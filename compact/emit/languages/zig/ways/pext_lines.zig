/// PEXT and PDEP by their names in LLVM.
extern fn @"llvm.x86.bmi.pext.64"(u64, u64) u64;
extern fn @"llvm.x86.bmi.pdep.64"(u64, u64) u64;

/// A line is a row of eight squares at most, so 512 bytes serve all of them. The row of a shorter
/// line goes on beyond its end, where PDEP drops it.
inline fn along(squares: [2]u64, place: usize, occ: u64) u64 {
    const inner: usize = @intCast(@"llvm.x86.bmi.pext.64"(occ, squares[0]));
    return @"llvm.x86.bmi.pdep.64"(row[place << 6 | inner], squares[1]);
}

pub inline fn rookAttacks(square: usize, occ: u64) u64 {
    return along(rank_squares[square], square & 7, occ) |
        along(file_squares[square], square >> 3, occ);
}

pub inline fn bishopAttacks(square: usize, occ: u64) u64 {
    return along(diagonal_squares[square], diagonal_place[square], occ) |
        along(antidiagonal_squares[square], antidiagonal_place[square], occ);
}
