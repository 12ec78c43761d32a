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
// The same of a line: boards of up to 18 files and ranks. Neither may be more than 17, as the
// products of 16 squares have 32 bits.
export const MOST_BITS_OF_LINES = 16;

const has = (set, n) => set[n >> 5] >>> (n & 31) & 1;
const put = (set, n) => { set[n >> 5] |= 1 << (n & 31); };
const squaresOf = (set, squares) => [...Array(squares).keys()].filter((n) => has(set, n));

%% include construct.mjs
/**
 * A piece on a board. It has one part, or one for each line, where the masks of the whole piece
 * have more than MOST_BITS squares, or no magic is built for one of them.
 *
 * The product with a magic of $width bits is taken 16 squares at a time. As no carry comes up from
 * below the index, the index of an occupancy is the sum of the indexes of such parts. Of the magic,
 * 16 squares need the bits that move one of them into the index, or to the 15 bits below it.
 */
export class Piece {
  constructor(files, ranks, steps) {
    const whole = Number.isInteger(files) && Number.isInteger(ranks);
    if (!whole || files < 1 || ranks < 1 || files * ranks > $width)
      throw new RangeError(`$${files}x$${ranks}: expected a board of 1 to $width squares`);
    if (!steps.length || steps.some(([, x, y]) => !x && !y))
      throw new RangeError("expected steps, each of which goes somewhere");
    this.files = files;
    this.ranks = ranks;
    this.words = files * ranks + 31 >> 5;
    this.chunks = files * ranks + 15 >> 4;
    const lines = [], leaps = ([rule, , , limit]) => rule === RIDER && limit === 1;
    for (const step of steps) {
      if (leaps(step)) continue;
      const line = lines.find(([one]) => onALine(one, step));
      if (line) line.push(step);
      else lines.push([step]);
    }
    lines[0]?.push(...steps.filter(leaps)); // nothing bars them
    if (!this.make([steps], MOST_BITS) && !this.make(lines, MOST_BITS_OF_LINES))
      throw new RangeError(`more than $${MOST_BITS_OF_LINES} squares of a line matter`);
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
    const { chunks, words, entries } = this;
    // The ones of the magic from bit `first` on, `count` of its bits.
    const part = (first, count) => ones.filter((one) => one >= first && one < first + count)
      .reduce((sum, one) => sum + 2 ** (one - first), 0);
    const indexes = around.map((square) => part($width - bits - square, bits));
    for (let c = 0; c < chunks; c++) {
      this.masks[chunks * n + c] = mask[c >> 1] >>> 16 * (c & 1);
      this.windows[chunks * n + c] = part($width - bits - 16 * c - 15, bits + 15);
    }
    // Occupancies are numbered: bit i of the number is square i of the mask.
    const bit = (square) => around.includes(square) ? 1 << around.indexOf(square) : 0;
    for (const walk of walks) {
      walk.bits = walk.way.map(bit);
      walk.barred = walk.blockers.reduce((sum, square) => sum | bit(square), 0);
    }
    const places = new Uint32Array(2 ** around.length);
    for (let number = 0; number < places.length; number++) {
      const lowest = 31 - Math.clz32(number & -number);
      if (number) places[number] = places[number & number - 1] + indexes[lowest];
      const from = words * (offset + (places[number] & 2 ** bits - 1));
      for (const walk of walks) reach(walk, number, entries, from);
    }
  }

  /** The squares on a step's way, and the blockers: those that can change what it attacks. */
  walk([rule, byX, byY, limit], square) {
    const { files, ranks } = this, way = [];
    const fromX = square % files, fromY = (square - fromX) / files;
    let x = fromX + byX, y = fromY + byY;
    for (; x >= 0 && x < files && y >= 0 && y < ranks; x += byX, y += byY) {
      way.push(files * y + x);
      if (rule === LAME) return { rule, way, blockers: this.between(fromX, fromY, x, y) };
      if (rule === LAME_BACK) return { rule, way, blockers: this.between(x, y, fromX, fromY) };
      if (rule === RIDER && way.length === limit) break;
    }
    return { rule, limit, way, blockers: way.slice(0, -1) };
  }

  /**
   * The squares between two: the longer distance is shortened first, equal ones are gone
   * diagonally.
   */
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
