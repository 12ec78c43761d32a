%% if uses rotateLeft(

function rotateLeft(x$bigint, amount$bigint, width$bigint)$bigint {
  const r = amount % width;
  return BigInt.asUintN(Number(width), x << r | x >> (width - r));
}
%% end
%% if uses swapBytes(

function swapBytes(x$bigint)$bigint {
  let swapped = 0n;
  for (let n = 0; n < 8; n++, x >>= 8n) swapped = swapped << 8n | x & 0xffn;
  return swapped;
}
%% end
%% if uses extractBits(

function extractBits(x$bigint, mask$bigint)$bigint {
  let bits = 0n;
  for (let bit = 1n; mask; bit <<= 1n, mask &= mask - 1n) if (x & mask & -mask) bits |= bit;
  return bits;
}
%% end
%% if uses countOnes(

function countOnes(x$bigint)$bigint {
  let ones = 0n;
  for (; x; x &= x - 1n) ones++;
  return ones;
}
%% end
%% if uses trailingZeros(

function trailingZeros(x$bigint, width$bigint)$bigint {
  let zeros = 0n;
  while (zeros < width && !(x >> zeros & 1n)) zeros++;
  return zeros;
}
%% end
