/// An instruction gathers the squares of the mask into the index. This is its name in LLVM.
extern fn @"llvm.x86.bmi.pext.64"(u64, u64) u64;

inline fn lookedUp(place: [2]u64, occ: u64) u64 {
    return sets[@intCast(place[1] + @"llvm.x86.bmi.pext.64"(occ, place[0]))];
}

pub inline fn rookAttacks(square: usize, occ: u64) u64 {
    return lookedUp(rook_place[square], occ);
}

pub inline fn bishopAttacks(square: usize, occ: u64) u64 {
    return lookedUp(bishop_place[square], occ);
}
