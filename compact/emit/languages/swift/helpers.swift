%% if uses rotateLeft(
    @inline(__always)
    private static func rotateLeft<Word: FixedWidthInteger>(_ x: Word, _ amount: Word) -> Word {
        return (x &<< amount) | (x &>> (0 &- amount))
    }

%% end
%% if uses extractBits(
    @inline(__always)
    private static func extractBits(_ x: UInt64, _ mask: UInt64) -> UInt64 {
        var bits: UInt64 = 0, bit: UInt64 = 1, rest = mask
        while rest != 0 {
            if x & rest & (0 &- rest) != 0 { bits |= bit }
            bit = bit &<< 1
            rest &= rest - 1
        }
        return bits
    }

%% end
