import { readFileSync, writeSync } from "node:fs";
import { Pieces, construct } from "./magics.mjs";

const bytes = readFileSync(0);
const input = new BigUint64Array(new Uint8Array(bytes).buffer), output = [];
const halves = (word) => [Number(word & 0xffffffffn), Number(word >> 32n)];
let pieces = [];

function made(files, ranks) {
  try {
    const all = new Pieces(files, ranks);
    pieces = [
%% for pieces
      all.$piece,
%% end
    ];
    return 1n;
  } catch (error) {
    if (error instanceof RangeError) return 0n;
    throw error;
  }
}

for (let at = 0; at < input.length; at += 4) {
  const [kind, first] = [Number(input[at]), Number(input[at + 1])];
  const set = Uint32Array.of(...halves(input[at + 2]), ...halves(input[at + 3]));
  let found = 0n;
  if (kind === 0) {
    const squares = [...Array(128).keys()].filter((n) => set[n >> 5] >>> (n & 31) & 1);
    for (const one of construct(squares, first) ?? []) found |= 1n << BigInt(one);
  } else if (kind === 1) {
    found = made(first, Number(input[at + 2]));
  } else {
    pieces[kind - 2].attacks(first, set).forEach((word, n) => { found |= BigInt(word) << BigInt(32 * n); });
  }
  output.push(found & (1n << 64n) - 1n, found >> 64n);
}
const told = new Uint8Array(BigUint64Array.from(output).buffer);
for (let at = 0; at < told.length;) at += writeSync(1, told, at);
