%% if by_parts
%% include bitboard.cs
%% end
%% if uses ExtractBits(

    static ulong ExtractBits(ulong x, ulong mask) {
        if (System.Runtime.Intrinsics.X86.Bmi2.X64.IsSupported)
            return System.Runtime.Intrinsics.X86.Bmi2.X64.ParallelBitExtract(x, mask);
        ulong bits = 0;
        for (ulong bit = 1; mask != 0; bit <<= 1, mask &= mask - 1)
            if ((x & mask & (~mask + 1)) != 0) bits |= bit;
        return bits;
    }
%% end
