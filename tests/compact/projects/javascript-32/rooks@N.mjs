$head
export function rooks(square, occupied) {
  const occupiedHigh = Number(occupied >> 32n), occupiedLow = Number(occupied & 0xffffffffn);
  $rook
  return BigInt(high) << 32n | BigInt(low);
}
