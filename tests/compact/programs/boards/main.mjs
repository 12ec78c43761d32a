import { readFileSync, writeSync } from "node:fs";
%% for tables
import * as ${table} from "./${table}.mjs";
%% end
const input = new BigUint64Array(new Uint8Array(readFileSync(0)).buffer), output = [];
let at = 0;
%% for pieces
for (let n = 0; n < $count; n++, at += 3) { const word = ${table}.$function(Number(input[at])$cut, input[at + 2] << 64n | input[at + 1]$uncut); output.push(word & (1n << 64n) - 1n, word >> 64n); }
%% end
writeSync(1, new Uint8Array(BigUint64Array.from(output).buffer));
