"""Functions that a language lacks, as small functions of its own, printed only where used.

Each set maps a function's name to its text. No text calls another, so those that an index
calls are all that it needs. Amounts of rotation are taken modulo the width here, because
a shift by the width means nothing in C, and everything else means nothing to a BigInt.
"""

C_HELPERS = {
    "rotate_left_32": """
INLINE uint32_t rotate_left_32(uint32_t x, uint64_t amount) {
    return x << (amount & 31) | x >> ((32 - (amount & 31)) & 31);
}
""",
    "rotate_left_64": """
INLINE uint64_t rotate_left_64(uint64_t x, uint64_t amount) {
    return x << (amount & 63) | x >> ((64 - (amount & 63)) & 63);
}
""",
    "swap_bytes": """
INLINE uint64_t swap_bytes(uint64_t x) {
    x = (x & UINT64_C(0xff00ff00ff00ff)) << 8 | (x >> 8 & UINT64_C(0xff00ff00ff00ff));
    x = (x & UINT64_C(0xffff0000ffff)) << 16 | (x >> 16 & UINT64_C(0xffff0000ffff));
    return x << 32 | x >> 32;
}
""",
    "count_ones": """
INLINE uint64_t count_ones(uint64_t x) {
    x -= x >> 1 & UINT64_C(0x5555555555555555);
    x = (x & UINT64_C(0x3333333333333333)) + (x >> 2 & UINT64_C(0x3333333333333333));
    x = (x + (x >> 4)) & UINT64_C(0xf0f0f0f0f0f0f0f);
    return (x * UINT64_C(0x101010101010101)) >> 56;
}
""",
    "trailing_zeros_32": """
INLINE uint64_t trailing_zeros_32(uint32_t x) {
    uint64_t zeros = 0;
    while (zeros < 32 && !(x >> zeros & 1)) zeros++;
    return zeros;
}
""",
    "trailing_zeros_64": """
INLINE uint64_t trailing_zeros_64(uint64_t x) {
    uint64_t zeros = 0;
    while (zeros < 64 && !(x >> zeros & 1)) zeros++;
    return zeros;
}
""",
}
"""INLINE stands for what the dialect says: static inline in C, constexpr in C++."""

TYPESCRIPT_HELPERS = {
    "rotateLeft": """
function rotateLeft(x: bigint, amount: bigint, width: bigint): bigint {
  const r = amount % width;
  return BigInt.asUintN(Number(width), x << r | x >> (width - r));
}
""",
    "swapBytes": """
function swapBytes(x: bigint): bigint {
  let swapped = 0n;
  for (let n = 0; n < 8; n++, x >>= 8n) swapped = swapped << 8n | x & 0xffn;
  return swapped;
}
""",
    "countOnes": """
function countOnes(x: bigint): bigint {
  let ones = 0n;
  for (; x; x &= x - 1n) ones++;
  return ones;
}
""",
    "trailingZeros": """
function trailingZeros(x: bigint, width: bigint): bigint {
  let zeros = 0n;
  while (zeros < width && !(x >> zeros & 1n)) zeros++;
  return zeros;
}
""",
}

PYTHON_HELPERS = {
    "_rotate_left": """

def _rotate_left(x: int, amount: int, width: int) -> int:
    amount %= width
    return (x << amount | x >> (width - amount)) & ((1 << width) - 1)
""",
    "_trailing_zeros": """

def _trailing_zeros(x: int, width: int) -> int:
    return (x & -x).bit_length() - 1 if x else width
""",
}

SWIFT_HELPERS = {
    "rotateLeft": """    @inline(__always)
    static func rotateLeft<Word: FixedWidthInteger>(_ x: Word, _ amount: Word) -> Word {
        return (x &<< amount) | (x &>> (0 &- amount))
    }

""",
}
"""`&<<` and `&>>` take their amounts modulo the width."""

WORD_HELPERS = {
    "rotateHigh": """
// The high word of (high, low) rotated left; with the two exchanged, the low one.
function rotateHigh(high, low, amount) {
  const r = amount & 31, [a, b] = amount & 32 ? [low, high] : [high, low];
  return r ? a << r | b >>> (32 - r) : a;
}
""",
    "rotate": """
function rotate(x, amount) {
  return x << (amount & 31) | x >>> (-amount & 31);
}
""",
    "swapBytes": """
function swapBytes(x) {
  return x << 24 | (x & 0xff00) << 8 | x >>> 8 & 0xff00 | x >>> 24;
}
""",
    "countOnes": """
function countOnes(x) {
  let ones = 0;
  for (; x; x &= x - 1) ones++;
  return ones;
}
""",
    "trailingZeros": """
function trailingZeros(x) {
  return x ? 31 - Math.clz32(x & -x) : 32;
}
""",
    "mulHigh": """
// The high 32 bits of the 64-bit product of two 32-bit words.
function mulHigh(a, b) {
  const aLow = a & 0xffff, aHigh = a >>> 16, bLow = b & 0xffff, bHigh = b >>> 16;
  const middle = aHigh * bLow + ((aLow * bLow) >>> 16);
  return aHigh * bHigh + Math.floor(middle / 65536) + (((middle & 0xffff) + aLow * bHigh) >>> 16);
}
""",
    "carry": """
// The carry of the sum of two 32-bit words.
function carry(a, b) {
  return (a >>> 0) + (b >>> 0) > 0xffffffff ? 1 : 0;
}
""",
    "borrow": """
// The borrow of the difference of two 32-bit words.
function borrow(a, b) {
  return (a >>> 0) < (b >>> 0) ? 1 : 0;
}
""",
}
