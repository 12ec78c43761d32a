$shared
export function bishops(square, occupied) {
  const occupiedHigh = Number(occupied >> 32n), occupiedLow = Number(occupied & 0xffffffffn);
  $bishop
  return BigInt(high) << 32n | BigInt(low);
}
