const Four = @Vector(4, u64);
const Two = @Vector(2, u64);

/// occupied - square runs to the first blocker above; on the board with its ranks swapped, to the
/// first one below. Lines go two or four at a time: diagonal, antidiagonal, file. Ranks, which a
/// byte swap does not turn round, are looked up in 512 bytes.
inline fn bothWays(comptime Words: type, line: Words, square: usize, occ: u64) Words {
    const bit: Words = @splat(@as(u64, 1) << @intCast(square));
    const on = line & @as(Words, @splat(occ));
    const below = @byteSwap(@byteSwap(on) -% @byteSwap(bit));
    return ((on -% bit) ^ below) & line;
}

inline fn alongRank(square: usize, occ: u64) u64 {
    const first: u6 = @intCast(square & 56);
    return @as(u64, row[(square & 7) << 6 | @as(usize, @intCast(occ >> first >> 1 & 63))]) << first;
}

pub inline fn rookAttacks(square: usize, occ: u64) u64 {
    const line = lines[square][2];
    const bit = @as(u64, 1) << @intCast(square);
    const below = @byteSwap(@byteSwap(occ & line) -% @byteSwap(bit));
    return (((occ & line) -% bit) ^ below) & line | alongRank(square, occ);
}

pub inline fn bishopAttacks(square: usize, occ: u64) u64 {
    const line = Two{ lines[square][0], lines[square][1] };
    return @reduce(.Or, bothWays(Two, line, square, occ));
}

pub inline fn queenAttacks(square: usize, occ: u64) u64 {
    return @reduce(.Or, bothWays(Four, lines[square], square, occ)) | alongRank(square, occ);
}
