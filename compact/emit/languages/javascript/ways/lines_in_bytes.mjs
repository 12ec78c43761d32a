const A_FILE = 0x01010101;

/** What is attacked on a diagonal's rank, for each rank: all its squares, one a file, fall on one
 * byte, and 512 bytes serve all lines.
 */
function byFiles(square$number, line$number)$number {
  const across = line | line >>> 16, inner = (across | across >>> 8) >>> 1 & 63;
  return ROW[(square & 7) << 6 | inner] * A_FILE;
}

/** The squares that a rook on a square attacks; the bits of occ are the occupied squares. */
export function rookAttacks(square$number, occ$bigint)$bigint {
  WORD[0] = occ;
  const low = HALVES[LOW], high = HALVES[HIGH];
  const file = square & 7, first = square & 24, half = square < 32 ? LOW : HIGH;
  const along = ROW[file << 6 | HALVES[half] >>> first >>> 1 & 63] << first;
  // Four ranks at a time: a multiplication gathers their squares of the file, another spreads them.
  const below = Math.imul(low >>> file & A_FILE, 0x10204080) >>> 28;
  const above = Math.imul(high >>> file & A_FILE, 0x10204080) >>> 28;
  const set = ROW[square >> 3 << 6 | (below >>> 1 | above << 3) & 63];
  HALVES[LOW] = ((set & 15) * 0x00204081 & A_FILE) << file;
  HALVES[HIGH] = ((set >>> 4) * 0x00204081 & A_FILE) << file;
  HALVES[half] |= along;
  return WORD[0];
}

/** The squares that a bishop on a square attacks; the bits of occ are the occupied squares. */
export function bishopAttacks(square$number, occ$bigint)$bigint {
  WORD[0] = occ;
  const low = HALVES[LOW], high = HALVES[HIGH], own = 2 * square;
  const upLow = DIAGONAL[own + LOW], upHigh = DIAGONAL[own + HIGH];
  const downLow = ANTIDIAGONAL[own + LOW], downHigh = ANTIDIAGONAL[own + HIGH];
  const up = byFiles(square, low & upLow | high & upHigh);
  const down = byFiles(square, low & downLow | high & downHigh);
  HALVES[LOW] = up & upLow | down & downLow;
  HALVES[HIGH] = up & upHigh | down & downHigh;
  return WORD[0];
}
