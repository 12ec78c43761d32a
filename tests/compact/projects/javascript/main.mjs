%% for tables
import { rooks as rooks${n} } from "./rooks${n}.mjs";
%% end
%% for tables
import { bishops as bishops${n} } from "./bishops${n}.mjs";
%% end
import { readFileSync, writeSync } from "node:fs";
const bytes = readFileSync(0);
const input = new BigUint64Array(new Uint8Array(bytes).buffer);
const output = new BigUint64Array(input.length / 2 * $count);
let place = 0;
for (let n = 0; n < input.length / 2; n++) {
  const square = Number(input[2 * n]), occ = input[2 * n + 1];
%% for tables
  output[place++] = n < 102400 ? rooks${n}(square, occ) : bishops${n}(square, occ);
%% end
}
const answers = new Uint8Array(output.buffer);
for (let start = 0; start < answers.length;) start += writeSync(1, answers, start);
