import { readFileSync, writeSync } from "node:fs";
$helpers
%% for formulas
function index$n(occ, mask) { return $shown; }
%% end
const bytes = readFileSync(0), answers = [];
const input = new BigUint64Array(new Uint8Array(bytes).buffer);
for (let n = 0; n < input.length; n += 2) {
%% for formulas
  answers.push(index$n(input[n], input[n + 1]));
%% end
}
const output = BigUint64Array.from(answers);
for (const word of output)
  if (word !== answers.shift()) throw new Error("more than 64 bits");
writeSync(1, new Uint8Array(output.buffer));
