"""A TypeScript package, for npm."""

import json
from string import Template

from magicert.compact.emit.languages.typescript import TypeScript
from magicert.compact.emit.packages.parts import Files, Parcel

CONFIG = {
    "compilerOptions": {
        "target": "ES2020",
        "module": "NodeNext",
        "moduleResolution": "NodeNext",
        "rootDir": "src",
        "outDir": "dist",
        "declaration": True,
        "strict": True,
        "skipLibCheck": True,
    },
    "include": ["src"],
}

HOW = """
    import { rookAttacks, bishopAttacks } from "$name";
    const attacks: bigint = rookAttacks(square, occupied);

`npm test` looks up every occupancy of every square, `npm run bench` measures nanoseconds.
"""

TEST = """// Every occupancy of every mask, and squares outside of it, against a walk along rays.

import assert from "node:assert/strict";
import test from "node:test";
import { bishopAttacks, rookAttacks } from "../dist/$stem.js";

const ROOK = [[0, 1], [1, 0], [0, -1], [-1, 0]];
const BISHOP = [[1, 1], [1, -1], [-1, -1], [-1, 1]];

function ray(square, [byFile, byRank]) {
  const squares = [];
  let file = (square & 7) + byFile, rank = (square >> 3) + byRank;
  for (; file >= 0 && file < 8 && rank >= 0 && rank < 8; file += byFile, rank += byRank)
    squares.push(1n << BigInt(8 * rank + file));
  return squares;
}

function walk(rays, occupied) {
  let reached = 0n;
  for (const ray of rays)
    for (const bit of ray) {
      reached |= bit;
      if (occupied & bit) break;
    }
  return reached;
}

function check(lookup, steps) {
  let lookups = 0;
  for (let square = 0; square < 64; square++) {
    const rays = steps.map((step) => ray(square, step));
    const mask = rays.flatMap((ray) => ray.slice(0, -1)).reduce((a, b) => a | b, 0n);
    const outside = BigInt.asUintN(64, ~mask);
    let occ = 0n, turn = 0n;
    do {
      const expected = walk(rays, occ);
      // Each single square outside, in turns: here every lookup is slow.
      for (const rest of [0n, outside, outside & (1n << (turn++ % 64n))])
        if (lookup(square, occ | rest) !== expected)
          assert.fail(`square $${square}, occupied 0x$${(occ | rest).toString(16)}`);
      lookups++;
      occ = BigInt.asUintN(64, occ - mask) & mask;
    } while (occ !== 0n);
  }
  return lookups;
}

test("all rook lookups", () => assert.equal(check(rookAttacks, ROOK), 102400));
test("all bishop lookups", () => assert.equal(check(bishopAttacks, BISHOP), 5248));
"""

BENCH = """// Nanoseconds a lookup: random squares and occupancies, the best of five turns.

import { bishopAttacks, rookAttacks } from "../dist/$stem.js";

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
"""


def npm(parcel: Parcel) -> Files:
    """The files of a package."""
    stem = parcel.identifier
    manifest = {
        "name": parcel.name,
        "version": parcel.version,
        "description": parcel.description,
        "license": "MIT",
        "keywords": ["chess", "bitboard", "magic"],
        "type": "module",
        "main": f"dist/{stem}.js",
        "types": f"dist/{stem}.d.ts",
        "files": ["dist", "src"],
        "scripts": {
            "build": "tsc",
            "prepare": "tsc",
            "test": "tsc && node --test test/",
            "bench": "tsc && node bench/lookups.mjs",
        },
        "devDependencies": {"typescript": "^5.0.0"},
    }
    words = {"name": parcel.name, "stem": stem}
    texts = {"test/all-lookups.test.mjs": TEST, "bench/lookups.mjs": BENCH}
    return {
        "package.json": json.dumps(manifest, indent=2) + "\n",
        "tsconfig.json": json.dumps(CONFIG, indent=2) + "\n",
        f"src/{stem}.ts": TypeScript(stem=stem).emit(parcel.unit, parcel.literal),
        **{path: Template(text).substitute(words) for path, text in texts.items()},
        **parcel.common(Template(HOW).substitute(words)),
    }
