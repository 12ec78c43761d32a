using System;
using System.IO;
public static class Program {
$helpers
%% for formulas
    static object index$n(Bitboard256 occ, Bitboard256 mask, Bitboard256 big, ulong magic) { unchecked { return $shown; } }
%% end
    static Bitboard256 wide(object x) {
        if (x is Bitboard256) return (Bitboard256)x;
        return new Bitboard256(x is uint ? (uint)x : (ulong)x, 0, 0, 0);
    }
    public static void Main() {
        var bytes = new MemoryStream();
        Console.OpenStandardInput().CopyTo(bytes);
        bytes.Position = 0;
        var input = new BinaryReader(bytes);
        var output = new BinaryWriter(new BufferedStream(Console.OpenStandardOutput()));
        var q = new Bitboard256[4];
        while (bytes.Position < bytes.Length) {
            for (int n = 0; n < 4; n++) q[n] = new Bitboard256(input.ReadUInt64(), input.ReadUInt64(), input.ReadUInt64(), input.ReadUInt64());
            Bitboard256 x;
%% for formulas
            x = wide(index$n(q[0], q[1], q[2], q[3].Word0)); output.Write(x.Word0); output.Write(x.Word1); output.Write(x.Word2); output.Write(x.Word3);
%% end
        }
        output.Flush();
    }
}
// Mono's library is an older one.
static class BitOperations {
    public static uint RotateLeft(uint x, int n) { return x << n | x >> -n; }
    public static ulong RotateLeft(ulong x, int n) { return x << n | x >> -n; }
    public static int PopCount(ulong x) { int n = 0; for (; x != 0; x &= x - 1) n++; return n; }
    public static int TrailingZeroCount(uint x) { int n = 0; while (n < 32 && (x >> n & 1) == 0) n++; return n; }
    public static int TrailingZeroCount(ulong x) { int n = 0; while (n < 64 && (x >> n & 1) == 0) n++; return n; }
}
static class BinaryPrimitives {
    public static ulong ReverseEndianness(ulong x) { ulong y = 0; for (int n = 0; n < 8; n++, x >>= 8) y = y << 8 | x & 255; return y; }
}
namespace System.Runtime.Intrinsics.X86 {
    static class Bmi2 {
        public static class X64 {
            public static bool IsSupported { get { return false; } }
            public static ulong ParallelBitExtract(ulong x, ulong mask) { return 0; }
        }
    }
}
