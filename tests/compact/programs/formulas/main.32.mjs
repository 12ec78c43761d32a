import { readFileSync, writeSync } from "node:fs";
$helpers
%% for formulas
function index$n(high, low, MASK_HIGH, MASK_LOW) { const square = 0; return $shown; }
%% end
const answers = [];
const input = new Uint32Array(new Uint8Array(readFileSync(0)).buffer);
for (let n = 0; n < input.length; n += 4) {
%% for formulas
  answers.push(...index$n(input[n + 1], input[n], [input[n + 3]], [input[n + 2]]));
%% end
}
writeSync(1, new Uint8Array(Uint32Array.from(answers).buffer));
