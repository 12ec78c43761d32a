// What the library of .NET has, and Mono's, an older one, has not.
namespace System.Numerics {
    static class BitOperations {
        public static uint RotateLeft(uint x, int n) { return x << n | x >> -n; }
        public static ulong RotateLeft(ulong x, int n) { return x << n | x >> -n; }
        public static int PopCount(ulong x) { int n = 0; for (; x != 0; x &= x - 1) n++; return n; }
        public static int TrailingZeroCount(ulong x) { int n = 0; while (n < 64 && (x >> n & 1) == 0) n++; return n; }
    }
}
