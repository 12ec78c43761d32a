import { readFileSync, writeSync } from "node:fs";
import * as @TABLE from "./@TABLE.mjs";
const input = new BigUint64Array(new Uint8Array(readFileSync(0)).buffer), output = [];
let at = 0;
for (let n = 0; n < @COUNT; n++, at += 3) { const word = @TABLE.@FUNCTION(Number(input[at]), input[at + 2] << 64n | input[at + 1]); output.push(word & (1n << 64n) - 1n, word >> 64n); }
writeSync(1, new Uint8Array(BigUint64Array.from(output).buffer));
