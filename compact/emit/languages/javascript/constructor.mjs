$heading
//
// Usage; when the board is chosen, and whenever it changes:
//     import { Pieces } from "./$filename";
//     const pieces = new Pieces(files, ranks);
// A bitboard is a Uint32Array (or another array of such numbers), 32 squares a word: square
// s = files * rank + file (a1 = 0) is bit s % 32 of word s >> 5. Then:
//     const attacks = pieces.${first}Attacks(square, occupied);
// or, without a new array each time, pieces.${first}Attacks(square, occupied, attacks).
// A piece that is known only at run time is a list of steps, made and looked up in the same way:
//     const camel = new Piece(files, ranks, [[RIDER, 1, 3, 1], [RIDER, 3, 1, 1]]);
//     const attacks = camel.attacks(square, occupied);

// A rider goes on along its step up to the first blocker, which it attacks; a hopper does so behind
// the first blocker. A lame piece makes its step unless a square on the way is occupied; LAME_BACK:
// on the way from its target. A step is [rule, files to the right, ranks up, limit]: a rider or
// hopper attacks `limit` squares at most, unless that is 0 (a leaper is a rider with limit 1).
export const RIDER = 0, HOPPER = 1, LAME = 2, LAME_BACK = 3;

// Whole pieces are looked up at once unless a mask has more squares than this.
export const MOST_BITS = 12;
// The same of a line: boards of up to 18 files and ranks.
export const MOST_BITS_OF_LINES = 16;

const has = (set, n) => set[n >> 5] >>> (n & 31) & 1;
const put = (set, n) => { set[n >> 5] |= 1 << (n & 31); };
const squaresOf = (set, squares) => [...Array(squares).keys()].filter((n) => has(set, n));

%% include construct.mjs
/**
 * A piece on a board. It has one part, or one for each line, where the masks of the whole piece have
 * more than MOST_BITS squares, or have no magic.
 *
 * The product with a magic of $width bits is taken 16 squares at a time: as no carry comes up below the
 * index, the index of an occupancy is the sum of those of its parts. Of the magic, 16 squares
 * need the bits that move one of them into the index or right below: a word of 32 bits.
 */
export class Piece {
  constructor(files, ranks, steps) {
    if (!(files > 0 && ranks > 0 && files * ranks <= $width && Number.isInteger(files) && Number.isInteger(ranks)))
      throw new RangeError(`$${files}x$${ranks}: expected a board of 1 to $width squares`);
    if (!steps.length || steps.some(([, x, y]) => !x && !y))
      throw new RangeError("expected steps, each of which goes somewhere");
    Object.assign(this, { files, ranks, words: files * ranks + 31 >> 5, chunks: files * ranks + 15 >> 4 });
    const lines = [];
    for (const step of steps) {
      const line = lines.find(([one]) => onALine(one, step));
      if (line) line.push(step);
      else lines.push([step]);
    }
    if (!this.make([steps], MOST_BITS) && !this.make(lines, MOST_BITS_OF_LINES))
      throw new RangeError(`a piece that cannot be made: more than $${MOST_BITS_OF_LINES} squares of a line matter`);
  }

  /** What the piece attacks: `found`, which must be another array than `occupied`. */
  attacks(square, occupied, found = new Uint32Array(this.words)) {
    const { parts, chunks, words, masks, windows, offsets, limits, entries } = this;
    for (let w = 0; w < words; w++) found[w] = 0;
    for (let n = parts * square; n < parts * (square + 1); n++) {
      let index = 0;
      for (let c = 0, at = chunks * n; c < chunks; c++, at++)
        index += Math.imul(occupied[c >> 1] >>> 16 * (c & 1) & masks[at], windows[at]) >>> 15;
      const from = words * (offsets[n] + (index & limits[n]));
      for (let w = 0; w < words; w++) found[w] |= entries[from + w];
    }
    return found;
  }

  make(parts, mostBits) {
    const { files, ranks, words, chunks } = this, squares = files * ranks, lookups = [];
    let length = 0;
    for (let square = 0; square < squares; square++) {
      for (const steps of parts) {
        const walks = steps.map((step) => this.walk(step, square)), mask = new Uint32Array(words);
        for (const { blockers } of walks) for (const n of blockers) put(mask, n);
        const around = squaresOf(mask, squares), bits = Math.max(1, around.length);
        const ones = bits <= mostBits && construct(around, bits);
        if (!ones) return false;
        lookups.push({ walks, mask, around, bits, ones, offset: length });
        length += 2 ** around.length;
      }
    }
    this.parts = parts.length;
    this.masks = new Uint16Array(chunks * lookups.length);
    this.windows = new Uint32Array(chunks * lookups.length);
    this.offsets = Uint32Array.from(lookups, ({ offset }) => offset);
    this.limits = Uint32Array.from(lookups, ({ bits }) => 2 ** bits - 1);
    this.entries = new Uint32Array(words * length);
    lookups.forEach((lookup, n) => this.fill(lookup, n));
    return true;
  }

  /** Puts in a lookup, and the attack set of each occupancy of its mask. */
  fill({ walks, mask, around, bits, ones, offset }, n) {
    const { chunks, words, entries } = this, indexes = around.map((square) => {
      const first = $width - bits - square;
      return ones.reduce((sum, one) => one < first || one >= first + bits ? sum : sum + 2 ** (one - first), 0);
    });
    for (let c = 0; c < chunks; c++) {
      const lowest = $width - bits - 16 * c - 15;
      this.masks[chunks * n + c] = mask[c >> 1] >>> 16 * (c & 1);
      for (const one of ones)
        if (one >= lowest && one < lowest + 15 + bits) this.windows[chunks * n + c] |= 1 << (one - lowest);
    }
    // Occupancies are numbered: bit i of the number is square i of the mask.
    const bit = (square) => around.includes(square) ? 1 << around.indexOf(square) : 0;
    for (const walk of walks) {
      walk.bits = walk.way.map(bit);
      walk.barred = walk.blockers.reduce((sum, square) => sum | bit(square), 0);
    }
    const places = new Uint32Array(2 ** around.length);
    for (let number = 0; number < places.length; number++) {
      if (number) places[number] = places[number & number - 1] + indexes[31 - Math.clz32(number & -number)];
      const from = words * (offset + (places[number] & 2 ** bits - 1));
      for (const walk of walks) reach(walk, number, entries, from);
    }
  }

  /** The squares on a step's way, and those among them, or between it and its target, that can bar it. */
  walk([rule, byX, byY, limit], square) {
    const { files, ranks } = this, fromX = square % files, fromY = (square - fromX) / files, way = [];
    let x = fromX + byX, y = fromY + byY;
    for (; x >= 0 && x < files && y >= 0 && y < ranks; x += byX, y += byY) {
      way.push(files * y + x);
      if (rule === LAME) return { rule, way, blockers: this.between(fromX, fromY, x, y) };
      if (rule === LAME_BACK) return { rule, way, blockers: this.between(x, y, fromX, fromY) };
      if (rule === RIDER && way.length === limit) break;
    }
    return { rule, limit, way, blockers: way.slice(0, -1) };
  }

  /** The squares between two: the longer distance is shortened first, equal ones are gone diagonally. */
  between(x, y, toX, toY) {
    for (const found = [];;) {
      const across = toX - x, up = toY - y, wide = Math.abs(across), high = Math.abs(up);
      if (wide >= high) x += Math.sign(across);
      if (high >= wide) y += Math.sign(up);
      if (x === toX && y === toY) return found;
      found.push(this.files * y + x);
    }
  }
}

/** Adds what a step attacks to the words of `found` behind `from`. */
function reach({ rule, limit, way, bits, barred }, number, found, from) {
  if ((rule === LAME || rule === LAME_BACK) && number & barred) return;
  let hits = rule !== HOPPER, gone = 0;
  for (let n = 0; n < way.length; n++) {
    const square = way[n], blocked = number & bits[n];
    if (hits) found[from + (square >> 5)] |= 1 << (square & 31);
    if (hits && (blocked || ++gone === limit)) return;
    if (blocked) hits = true;
  }
}

const onALine = ([, x, y], [, toX, toY]) => x === toX && y === toY || x === -toX && y === -toY;

/** The pieces of this file, on one board of at most $width squares. */
export class Pieces {
  constructor(files, ranks) {
%% for pieces
    this.$piece = new Piece(files, ranks, ${PIECE}_STEPS);
%% end
  }
%% for pieces

  ${piece}Attacks(square, occupied, found) {
    return this.${piece}.attacks(square, occupied, found);
  }
%% end
}
%% for pieces

const ${PIECE}_STEPS = [
%% for steps
  [$RULE, $x, $y, $limit],
%% end
];
%% end
