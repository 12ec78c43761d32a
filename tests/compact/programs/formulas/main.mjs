import { readFileSync, writeSync } from "node:fs";
HELPERS
function fN(occ, mask) { return EXPRESSION; }
const bytes = readFileSync(0), answers = [];
const input = new BigUint64Array(new Uint8Array(bytes).buffer);
for (let n = 0; n < input.length; n += 2) {
  answers.push(fN(input[n], input[n + 1]));
}
const output = BigUint64Array.from(answers);
for (const word of output)
  if (word !== answers.shift()) throw new Error("more than 64 bits");
writeSync(1, new Uint8Array(output.buffer));
