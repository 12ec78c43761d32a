%% if uses rotateHigh(

// The high word of (high, low) rotated left; with the two exchanged, the low one.
function rotateHigh(high, low, amount) {
  const r = amount & 31, [a, b] = amount & 32 ? [low, high] : [high, low];
  return r ? a << r | b >>> (32 - r) : a;
}
%% end
%% if uses rotate(

function rotate(x, amount) {
  return x << (amount & 31) | x >>> (-amount & 31);
}
%% end
%% if uses swapBytes(

function swapBytes(x) {
  return x << 24 | (x & 0xff00) << 8 | x >>> 8 & 0xff00 | x >>> 24;
}
%% end
%% if uses extractBits(

// Bits from `first` on of what (high, low) has at the ones of the mask, moved together.
function extractBits(high, low, maskHigh, maskLow, first) {
  let bits = 0, place = -first;
  for (let n = 0; n < 64; n++) {
    const by = n & 31;
    if (!((n < 32 ? maskLow : maskHigh) >>> by & 1)) continue;
    if (place >= 0 && place < 32) bits |= ((n < 32 ? low : high) >>> by & 1) << place;
    place++;
  }
  return bits;
}
%% end
%% if uses countOnes(

function countOnes(x) {
  let ones = 0;
  for (; x; x &= x - 1) ones++;
  return ones;
}
%% end
%% if uses trailingZeros(

function trailingZeros(x) {
  return x ? 31 - Math.clz32(x & -x) : 32;
}
%% end
%% if uses mulHigh(

// The high 32 bits of the 64-bit product of two 32-bit words.
function mulHigh(a, b) {
  const aLow = a & 0xffff, aHigh = a >>> 16, bLow = b & 0xffff, bHigh = b >>> 16;
  const middle = aHigh * bLow + ((aLow * bLow) >>> 16);
  return aHigh * bHigh + Math.floor(middle / 65536) + (((middle & 0xffff) + aLow * bHigh) >>> 16);
}
%% end
%% if uses carry(

// The carry of the sum of two 32-bit words.
function carry(a, b) {
  return (a >>> 0) + (b >>> 0) > 0xffffffff ? 1 : 0;
}
%% end
%% if uses borrow(

// The borrow of the difference of two 32-bit words.
function borrow(a, b) {
  return (a >>> 0) < (b >>> 0) ? 1 : 0;
}
%% end
