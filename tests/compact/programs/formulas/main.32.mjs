import { readFileSync, writeSync } from "node:fs";
HELPERS
function fN(high, low, MASK_HIGH, MASK_LOW) { const square = 0; return EXPRESSION; }
const answers = [];
const input = new Uint32Array(new Uint8Array(readFileSync(0)).buffer);
for (let n = 0; n < input.length; n += 4) {
  answers.push(...fN(input[n + 1], input[n], [input[n + 3]], [input[n + 2]]));
}
writeSync(1, new Uint8Array(Uint32Array.from(answers).buffer));
