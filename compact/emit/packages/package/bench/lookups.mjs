// Nanoseconds a lookup: random squares and occupancies, the best of five turns.

import { bishopAttacks, rookAttacks } from "../dist/$identifier.js";

let state = 88172645463325252n;
function word() {
  state ^= BigInt.asUintN(64, state << 13n);
  state ^= state >> 7n;
  state ^= BigInt.asUintN(64, state << 17n);
  return state;
}
const pairs = Array.from({ length: 1 << 16 }, () => [Number(word() & 63n), word() & word()]);
let best = Infinity, sum = 0n;
for (let turn = 0; turn < 5; turn++) {
  const started = performance.now();
  for (const [square, occ] of pairs) sum ^= rookAttacks(square, occ) ^ bishopAttacks(square, occ);
  best = Math.min(best, performance.now() - started);
}
console.log(`$${(best * 1e6 / (2 * pairs.length)).toFixed(0)} ns a lookup ($${sum.toString(16)})`);
