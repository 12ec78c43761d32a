@SHARED
export function bishops(square, occupied) {
  const occupiedHigh = Number(occupied >> 32n), occupiedLow = Number(occupied & 0xffffffffn);
  @BISHOP
  return BigInt(high) << 32n | BigInt(low);
}
