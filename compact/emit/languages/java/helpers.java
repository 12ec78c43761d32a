%% if by_parts
%% include bitboard.java
%% end
%% if uses extractBits(

    private static long extractBits(long x, long mask) {
        long bits = 0;
        for (long bit = 1; mask != 0; bit <<= 1, mask &= mask - 1)
            if ((x & mask & -mask) != 0) bits |= bit;
        return bits;
    }
%% end
