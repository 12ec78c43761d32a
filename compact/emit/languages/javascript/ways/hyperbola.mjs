function swapBytes(x$number)$number {
  return x << 24 | (x & 0xff00) << 8 | x >>> 8 & 0xff00 | x >>> 24;
}

/** occupied - square runs to the first blocker above; on the board with its ranks swapped, to the
 * first one below. What is attacked on a square's line is added to HALVES. Ranks, which a byte swap
 * does not turn round, are looked up in 512 bytes.
 */
function addBothWays(lines$halves, square$number, low$number, high$number)$nothing {
  const lineLow = lines[2 * square + LOW], lineHigh = lines[2 * square + HIGH];
  const bitLow = square < 32 ? 1 << square : 0, bitHigh = square < 32 ? 0 : 1 << square;
  const onLow = low & lineLow, onHigh = high & lineHigh;
  const swappedLow = swapBytes(onHigh), swappedHigh = swapBytes(onLow);
  const squareLow = swapBytes(bitHigh), squareHigh = swapBytes(bitLow);
  const borrow = onLow >>> 0 < bitLow >>> 0 ? 1 : 0;
  const swappedBorrow = swappedLow >>> 0 < squareLow >>> 0 ? 1 : 0;
  HALVES[LOW] |= (onLow - bitLow ^ swapBytes(swappedHigh - squareHigh - swappedBorrow)) & lineLow;
  HALVES[HIGH] |= (onHigh - bitHigh - borrow ^ swapBytes(swappedLow - squareLow)) & lineHigh;
}

/** The squares that a rook on a square attacks; the bits of occ are the occupied squares. */
export function rookAttacks(square$number, occ$bigint)$bigint {
  WORD[0] = occ;
  const low = HALVES[LOW], high = HALVES[HIGH];
  const first = square & 24, half = square < 32 ? LOW : HIGH;
  const rank = ROW[(square & 7) << 6 | HALVES[half] >>> first >>> 1 & 63] << first;
  WORD[0] = 0n;
  HALVES[half] = rank;
  addBothWays(FILE_LINE, square, low, high);
  return WORD[0];
}

/** The squares that a bishop on a square attacks; the bits of occ are the occupied squares. */
export function bishopAttacks(square$number, occ$bigint)$bigint {
  WORD[0] = occ;
  const low = HALVES[LOW], high = HALVES[HIGH];
  WORD[0] = 0n;
  addBothWays(DIAGONAL, square, low, high);
  addBothWays(ANTIDIAGONAL, square, low, high);
  return WORD[0];
}
