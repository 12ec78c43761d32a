import { rooks as rooks@N } from "./rooks@N.mjs";
import { bishops as bishops@N } from "./bishops@N.mjs";
import { readFileSync, writeSync } from "node:fs";
const bytes = readFileSync(0);
const input = new BigUint64Array(new Uint8Array(bytes).buffer);
const output = new BigUint64Array(input.length / 2 * TABLES);
let place = 0;
for (let n = 0; n < input.length / 2; n++) {
  const square = Number(input[2 * n]), occ = input[2 * n + 1];
  output[place++] = n < 102400 ? rooks@N(square, occ) : bishops@N(square, occ);
}
const answers = new Uint8Array(output.buffer);
for (let start = 0; start < answers.length;) start += writeSync(1, answers, start);
