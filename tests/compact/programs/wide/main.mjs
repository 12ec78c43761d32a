import { readFileSync, writeSync } from "node:fs";
$helpers
%% for formulas
function index$n(occ, mask, big, magic) { return $shown; }
%% end
const input = new BigUint64Array(new Uint8Array(readFileSync(0)).buffer), words = [];
const word = (n) => input[2 * n + 1] << 64n | input[2 * n], low = (1n << 64n) - 1n;
for (let n = 0; n < input.length / 2; n += 4) {
%% for formulas
  words.push(index$n(word(n), word(n + 1), word(n + 2), input[2 * n + 6]));
%% end
}
const output = BigUint64Array.from(words.flatMap((x) => [x & low, x >> 64n]));
if (words.some((x) => x < 0n || x >> 128n)) throw new Error("more than 128 bits");
writeSync(1, new Uint8Array(output.buffer));
