// Every occupancy of every mask, and squares outside of it, against a walk along rays.

import assert from "node:assert/strict";
import test from "node:test";
import { bishopAttacks, rookAttacks } from "../dist/$identifier.js";

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
