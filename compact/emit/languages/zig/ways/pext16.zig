/// PEXT and PDEP by their names in LLVM.
extern fn @"llvm.x86.bmi.pext.64"(u64, u64) u64;
extern fn @"llvm.x86.bmi.pdep.64"(u64, u64) u64;

/// An entry has a bit for each square of the lines, 14 at most, and PDEP puts them in their places.
inline fn spread(squares: [3]u64, occ: u64) u64 {
    const index: usize = @intCast(squares[2] + @"llvm.x86.bmi.pext.64"(occ, squares[0]));
    return @"llvm.x86.bmi.pdep.64"(packed_sets[index], squares[1]);
}

pub inline fn rookAttacks(square: usize, occ: u64) u64 {
    return spread(rook_squares[square], occ);
}

pub inline fn bishopAttacks(square: usize, occ: u64) u64 {
    return spread(bishop_squares[square], occ);
}
