// Certify magics in the browser: every occupancy of every square, no library, no network.
//
//   magicertCheck.check(text, options)   what a paste says, and whether it is valid
//
// A 64-bit word is a pair of 32-bit lanes, high and low. Squares have a1=0; a row of a list stands
// for a bit of the engine's bitboards. Where all eight square orders give the same answer, because
// each is a symmetry of the board, only the names of the squares differ.
"use strict";

const magicertCheck = (() => {
  const {Beyond, BadInput, number, withoutComments, tree, toml, beside} = typeof require === "undefined"
    ? magicertReading : require("./reading.js");
  const boards = typeof require === "undefined" ? magicertBoardTables : require("./board_tables.js");
  const PIECES = ["rook", "bishop"];
  const STEPS = {rook: [[0, 1], [1, 0], [0, -1], [-1, 0]], bishop: [[1, 1], [1, -1], [-1, -1], [-1, 1]]};
  const FIXED = {rook: 12, bishop: 9};
  const ORDERS = ["a1", "h1", "a8", "h8", "a1-files", "h1-files", "a8-files", "h8-files"];
  const LOOKUPS = 107648;
  const LONGEST = 1 << 24;
  const LARGEST = 16 << 20;
  // As many as the command reads of a file.
  const MISREAD = 40;
  const SEARCHED = 8;
  const MOSTLY = 40;
  // Of 64 numbers so many must be magics, or the list is taken for something else.
  const CONFIRMED = 8;
  // With no more wrong squares than this, all others confirm the scheme that was taken.

  // -- boards

  const squareName = (square) => "abcdefgh"[square & 7] + ((square >> 3) + 1);

  // The square that stands at a place of an order.
  function squareAt(order, place) {
    let [file, rank] = order.endsWith("files") ? [place >> 3, place & 7] : [place & 7, place >> 3];
    if (order[0] === "h") file = 7 - file;
    if (order[1] === "8") rank = 7 - rank;
    return rank * 8 + file;
  }

  const has = (high, low, square) => ((square < 32 ? low >>> square : high >>> (square - 32)) & 1) === 1;

  // The squares of the rays, nearest first.
  function rays(piece, square) {
    return STEPS[piece].map(([across, up]) => {
      const found = [];
      let file = (square & 7) + across, rank = (square >> 3) + up;
      for (; file >= 0 && file < 8 && rank >= 0 && rank < 8; file += across, rank += up) {
        found.push(rank * 8 + file);
      }
      return found;
    });
  }

  function boardOf(squares) {
    let high = 0, low = 0;
    for (const square of squares) {
      if (square < 32) low |= 1 << square;
      else high |= 1 << (square - 32);
    }
    return [high >>> 0, low >>> 0];
  }

  const squaresOf = (high, low) => [...Array(64).keys()].filter((square) => has(high, low, square));

  // All occupancies of a square's mask with their attack sets, by ray walks.
  const domains = {};
  function domain(piece, square) {
    const key = piece + square;
    if (domains[key]) return domains[key];
    const lines = rays(piece, square);
    const [maskHigh, maskLow] = boardOf(lines.flatMap((line) => line.slice(0, -1)));
    const places = squaresOf(maskHigh, maskLow);
    const size = 1 << places.length;
    const made = {maskHigh, maskLow, c: places.length, size};
    for (const name of ["high", "low", "attackHigh", "attackLow"]) made[name] = new Uint32Array(size);
    for (let number = 0; number < size; number++) {
      let high = 0, low = 0;
      for (let place = 0; place < places.length; place++) {
        if (number >> place & 1) {
          if (places[place] < 32) low |= 1 << places[place];
          else high |= 1 << (places[place] - 32);
        }
      }
      made.high[number] = high;
      made.low[number] = low;
      let attackHigh = 0, attackLow = 0;
      for (const line of lines) {
        for (const target of line) {
          if (target < 32) attackLow |= 1 << target;
          else attackHigh |= 1 << (target - 32);
          if (has(high, low, target)) break;
        }
      }
      made.attackHigh[number] = attackHigh;
      made.attackLow[number] = attackLow;
    }
    return (domains[key] = made);
  }

  // -- arithmetic: the upper 32 bits of a 64-bit product

  function upper(high, low, magicHigh, magicLow) {
    const a = low >>> 16, b = low & 0xffff, c = magicLow >>> 16, d = magicLow & 0xffff;
    const first = Math.imul(b, d) >>> 0;
    const second = (Math.imul(a, d) >>> 0) + (first >>> 16);
    const third = (Math.imul(b, c) >>> 0) + (second & 0xffff);
    const carried = (Math.imul(a, c) >>> 0) + (second >>> 16) + (third >>> 16);
    return (carried + Math.imul(high, magicLow) + Math.imul(low, magicHigh)) >>> 0;
  }

  // The indexes of all occupancies of a row. Black adds the complement of the mask.
  function indexes(where, magic, bits, scheme) {
    const high = Number(magic >> 32n & 0xffffffffn), low = Number(magic & 0xffffffffn);
    const black = scheme === "black";
    const addHigh = black ? ~where.maskHigh : 0, addLow = black ? ~where.maskLow : 0;
    const found = new Uint32Array(where.size), shift = 32 - bits;
    if (scheme === "two-halves") {
      for (let n = 0; n < where.size; n++) {
        found[n] = (Math.imul(where.low[n], low) ^ Math.imul(where.high[n], high)) >>> shift;
      }
      return found;
    }
    for (let n = 0; n < where.size; n++) {
      found[n] = upper(where.high[n] | addHigh, where.low[n] | addLow, high, low) >>> shift;
    }
    return found;
  }

  // Whether a magic keeps different attack sets of a row apart.
  const scratchHigh = new Uint32Array(1 << 16), scratchLow = new Uint32Array(1 << 16);
  function rowIsValid(where, magic, bits, scheme) {
    const size = 1 << bits, at = indexes(where, magic, bits, scheme);
    scratchHigh.fill(0, 0, size);
    scratchLow.fill(0, 0, size);
    for (let n = 0; n < where.size; n++) {
      const i = at[n];
      if (scratchHigh[i] === 0 && scratchLow[i] === 0) {
        scratchHigh[i] = where.attackHigh[n];
        scratchLow[i] = where.attackLow[n];
      } else if (scratchHigh[i] !== where.attackHigh[n] || scratchLow[i] !== where.attackLow[n]) {
        return false;
      }
    }
    return true;
  }

  // -- what a paste holds

  // What this page cannot decide; it may know less than the command, never more.
  const UNDECIDED = "not decided here";

  // The square order that a paste's names of squares run in, such as an enum's; null without one.
  // (As the command finds it.) Nine names in a row tell all orders apart.
  function namedOrder(text) {
    let names = [];
    const follows = () => ORDERS.filter((order) => names.length <= 64 && names.every(
      (name, place) => squareName(squareAt(order, place)) === name));
    const bare = withoutComments(text);
    for (const match of bare.matchAll(/(?<![A-Za-z0-9])(?:SQ_?|SQUARE_?|sq_?)?([a-h][1-8])(?![A-Za-z0-9_])/gi)) {
      names.push(match[1].toLowerCase());
      const found = follows();
      if (!found.length) {
        names = names.slice(-1);
      } else if (names.length >= 9 && found.length === 1) {
        const value = /^\s*[=:]\s*(\d+)/.exec(bare.slice(match.index + match[0].length));
        return value && ![names.length - 1, names.length].includes(Number(value[1])) ? null : found[0];
      }
    }
    return null;
  }

  // Lists of 64: nodes of the tree of brackets, each row with as many numbers as the others.
  // Numbers outside of all brackets, 64 or a multiple of it, are lists, too.
  function lists(text) {
    const bare = withoutComments(text), {found, open, ends} = tree(bare);
    const columns = [];
    let lists = 0;
    const add = (rows, name, node) => {
      const wide = rows[0].length;
      if (!wide || wide > 8 || rows.some((row) => row.length !== wide)) return;
      lists++;
      const whole = node && {start: node.from, end: ends.get(node.from) ?? bare.length};
      for (let at = 0; at < wide; at++) columns.push({name, list: lists, whole, values: rows.map((row) => row[at])});
    };
    for (const node of found) {
      if (node.items.length % 64 || node.items.length > 512) continue;
      for (let at = 0; at < node.items.length; at += 64) add(node.items.slice(at, at + 64), node.name, node);
    }
    const loose = open[0].own;
    if (!columns.length && loose.length >= 64 && loose.length % 64 === 0) {
      for (let at = 0; at < loose.length; at += 64) {
        add(loose.slice(at, at + 64).map((value) => [value]), "");
      }
    }
    return columns;
  }

  const between = (values, low, high) => values.every((value) => value >= low && value <= high);

  // Which part a column can play: "magic", "bits" (shifts are turned into bits), "offset" or none.
  function roleOf({values}) {
    if (values.some((value) => value >> 64n)) return null;
    if (between(values, 4n, 16n)) return "bits";
    if (between(values, 48n, 60n)) return "shift";
    const large = values.filter((value) => value >> 32n).length;
    const different = new Set(values).size;
    if (large >= 32) return different >= 32 ? "magic" : null;
    return between(values, 0n, BigInt(LONGEST)) && different >= 8 ? "offset" : null;
  }

  const isMask = (piece, values) => {
    const masks = new Set();
    for (let square = 0; square < 64; square++) {
      const {maskHigh, maskLow} = domain(piece, square);
      masks.add(BigInt(maskHigh) << 32n | BigInt(maskLow));
    }
    return values.filter((value) => masks.has(value)).length > 48;
  };

  const sixtyFour = (value, key) => {
    const list = Array.isArray(value) ? value : Array(64).fill(value);
    if (list.length !== 64) throw new BadInput(`${key}: ${list.length} values, expected 64`);
    return list.map((one) => {
      let big;
      try {
        // Texts are hexadecimal, as in table files.
        big = BigInt(typeof one === "string" && !/^0x[\da-f]+(_[\da-f]+)*$/i.test(one) ? "none" : String(one).replace(/_/g, ""));
      } catch {
        throw new BadInput(`${key}: ${one}: expected a number`);
      }
      if (big < 0n || big >> 64n) throw new BadInput(`${key}: ${one}: expected 0 to 2^64 - 1`);
      return big;
    });
  };

  const FORMULAS = {
    "((occ&mask)*magic)>>(64-bits)": ["white", "bits"],
    "(occ&mask)*magic>>(64-bits)": ["white", "bits"],
    "((occ&mask)*magic)>>shift": ["white", "shift"],
    "(occ&mask)*magic>>shift": ["white", "shift"],
    "((occ|~mask)*magic)>>(64-bits)": ["black", "bits"],
    "(occ|~mask)*magic>>(64-bits)": ["black", "bits"],
    "((occ|~mask)*magic)>>shift": ["black", "shift"],
    "(occ|~mask)*magic>>shift": ["black", "shift"],
    "((u32(occ&mask)*u32(magic))^(hi32(occ&mask)*hi32(magic)))>>(32-bits)": ["two-halves", "bits"],
    "((u32(occ&mask)*u32(magic))^(hi32(occ&mask)*hi32(magic)))>>shift": ["two-halves", "shift"],
  };

  const INDEX = {
    white: "((occ & mask) * magic) >> (64 - bits)",
    black: "((occ | ~mask) * magic) >> (64 - bits)",
    "two-halves": "((u32(occ & mask) * u32(magic)) ^ (hi32(occ & mask) * hi32(magic))) >> (32 - bits)",
  };

  const LAYERED = "word & line";
  // A table in which several squares share an entry: `line` is the attack set on the empty board.

  const KEYS = {
    "": ["magicert", "name", "order", "listing", "board", "buffer", "buffer_size", "literal", "provenance",
      ...PIECES],
    piece: ["index", "result", "magic", "bits", "shift", "mask", "offset", "square_size", "buffer_size", "literal"],
  };

  const PROVENANCE = ["repository", "path", "commit", "licence", "language", "found_by", "found_on", "notation",
    "notes", "command", "seed", "certificate", "replay"];

  // Sizes that the command takes; null where a table gives none.
  function sizeOf(value, key) {
    if (value === undefined) return null;
    if (typeof value !== "bigint" || value < 1n || value >> 32n) throw new BadInput(`${key}: expected a size`);
    return Number(value);
  }

  // A table file: nothing has to be guessed.
  function readTable(text) {
    const refuse = (what) => {
      throw new Beyond(`${what} is beyond this page`);
    };
    const file = toml(text), halves = {};
    if (file.board !== undefined && !["whole", "8x8"].includes(file.board)) refuse("a half board");
    const known = (section, kind, where) => {
      const odd = Object.keys(section).filter((key) => !KEYS[kind].includes(key));
      if (odd.length) refuse(`a table with ${where}${odd.join(", ")}`);
    };
    known(file, "", "");
    if (typeof file.name !== "string") throw new BadInput("name: expected text");
    for (const [key, value] of Object.entries(file.provenance ?? {})) {
      const whole = key === "seed" ? typeof value === "bigint" && value >= 0n && !(value >> 64n) : typeof value === "string";
      if (!PROVENANCE.includes(key) || !whole) refuse(`provenance.${key}`);
    }
    if (file.magicert !== 1n) throw new BadInput("expected magicert = 1");
    const buffer = file.buffer ?? "separate";
    if (buffer !== "separate" && buffer !== "shared") throw new BadInput(`buffer ${buffer}`);
    if (file.buffer_size !== undefined && buffer !== "shared") {
      throw new BadInput("buffer_size: only for a shared buffer");
    }
    if (file.literal !== undefined) refuse("a finished buffer");
    const order = file.order ?? "a1", listing = file.listing ?? order;
    for (const name of [order, listing]) {
      if (!ORDERS.includes(name)) throw new BadInput(`${name}: expected one of ${ORDERS.join(", ")}`);
    }
    for (const piece of PIECES) {
      const half = file[piece];
      if (!half) continue;
      known(half, "piece", `${piece}.`);
      const [scheme, amount] = FORMULAS[String(half.index).replace(/\s/g, "")] ?? [];
      if (!scheme) refuse(`the formula ${half.index}`);
      if (half.literal !== undefined) refuse("a finished buffer");
      if (half.result !== undefined && half.result !== LAYERED) refuse(`the result ${half.result}`);
      if (half[amount === "bits" ? "shift" : "bits"] !== undefined) refuse("both bits and shift");
      if (half.buffer_size !== undefined && file.buffer === "shared") {
        throw new BadInput(`${piece}.buffer_size: the buffer is shared`);
      }
      const whole = scheme === "two-halves" ? 32n : 64n;
      const given = sixtyFour(half[amount] ?? -1n, `${piece}.${amount}`);
      const made = {
        scheme, layered: half.result === LAYERED,
        magics: sixtyFour(half.magic ?? -1n, `${piece}.magic`),
        bits: given.map((one) => Number(amount === "bits" ? one : whole - one)),
        offsets: half.offset === undefined ? null : sixtyFour(half.offset, `${piece}.offset`).map(Number),
        sizes: half.square_size === undefined ? null : sixtyFour(half.square_size, "size").map((size) => sizeOf(size, "square_size")),
        declared: sizeOf(half.buffer_size, `${piece}.buffer_size`),
      };
      for (const key of ["offset", "square_size", amount]) {
        if ([half[key]].flat().some((one) => typeof one === "string")) refuse(`${key} as text`);
      }
      if (half.mask !== undefined) {
        sixtyFour(half.mask, `${piece}.mask`).forEach((mask, row) => {
          const {maskHigh, maskLow} = domain(piece, rowBit(order, listing, row));
          if (mask !== (BigInt(maskHigh) << 32n | BigInt(maskLow))) {
            refuse("a mask that is not the usual one");
          }
        });
      }
      halves[piece] = made;
    }
    if (!Object.keys(halves).length) throw new BadInput("neither [rook] nor [bishop]");
    const order_of = Object.keys(file).filter((name) => PIECES.includes(name));
    if (file.buffer === "shared" && new Set(order_of.map((piece) => halves[piece].offsets === null)).size > 1) {
      throw new BadInput("offsets for one piece only: expected them for both, or for none");
    }
    return {
      halves, order, listing, shared: file.buffer === "shared", pieces: order_of,
      declared: sizeOf(file.buffer_size, "buffer_size"),
      layered: Object.values(halves).some(({layered}) => layered),
      name: file.name ?? "a table", guesses: [], open: [], guessed: [],
    };
  }

  const rowBit = (order, listing, row) => {
    const square = squareAt(listing, row);
    for (let bit = 0; bit < 64; bit++) if (squareAt(order, bit) === square) return bit;
    throw new Error("no such square");
  };

  // How many rows of a column are valid magics of a piece, listed in one of the relative orders.
  function score(values, piece, scheme, relative, bits) {
    let good = 0;
    for (let row = 0; row < 64; row++) {
      const where = domain(piece, squareAt(relative, row));
      const wanted = bits ? bits[row] : FIXED[piece];
      if (rowIsValid(where, values[row], wanted, scheme)) good++;
      else if (row - good > 64 - MOSTLY) break;
    }
    return good;
  }

  // A paste of lists: which is what, by trying.
  function readLists(text, wish) {
    const columns = lists(text).map((column) => ({...column, role: roleOf(column)}));
    for (const column of columns) {
      if (column.role === "shift") {
        Object.assign(column, {role: "bits", values: column.values.map((value) => 64n - value)});
      }
    }
    const magics = columns.filter(
      ({role, values}) => role === "magic" && !PIECES.some((piece) => isMask(piece, values)));
    if (!magics.length) throw new BadInput("no list of 64 long numbers");
    const schemes = wish.scheme ? [wish.scheme] : ["white", "black"];
    // Magics of both pieces stand in one order, and have one scheme.
    let best = null;
    for (const scheme of schemes) {
      for (const relative of ORDERS) {
        const chosen = {};
        let total = 0;
        for (const piece of PIECES) {
          for (const column of magics.slice(0, 12)) {
            const good = score(column.values, piece, scheme, relative, null);
            if (good >= MOSTLY && good > (chosen[piece]?.good ?? 0)) chosen[piece] = {column, good};
          }
          total += chosen[piece]?.good ?? 0;
        }
        if (!best || total > best.total) best = {total, scheme, relative, chosen};
      }
      if (best && best.total === 128) break;
    }
    const pieces = PIECES.filter((piece) => best.chosen[piece]);
    if (!pieces.length) {
      throw new BadInput("no list of 64 numbers that are nearly all white or black magics");
    }
    const halves = {}, guesses = [], open = [], guessed = [], parts = [];
    if (!wish.scheme) guesses.push(`scheme ${best.scheme}`);
    for (const piece of pieces) {
      const {column} = best.chosen[piece];
      const other = best.chosen[PIECES.find((name) => name !== piece)];
      const place = other && columns.indexOf(other.column) < columns.indexOf(column) ? 1 : 0;
      const bits = bitsOf(piece, column, columns, best, wish, guesses, guessed, place);
      const places = nearest(columns, "offset", column, piece, place);
      const offsets = places?.values.map(Number) ?? null;
      const amounts = wish.shifts ? null : nearest(columns, "bits", column, piece, place);
      parts.push(...[column, amounts, places].filter(Boolean).map((part) => ({piece, column: part, of: column})));
      if (offsets) guesses.push(`${piece}: a list of offsets`);
      halves[piece] = {scheme: best.scheme, magics: column.values, bits, offsets, sizes: null, declared: null};
    }
    const offset = pieces.filter((piece) => halves[piece].offsets).length;
    if (offset && offset < pieces.length) {
      throw new BadInput("offsets for one piece only: expected them for both, or for none");
    }
    if (best.relative !== "a1") guesses.push(`the lists stand in the order ${best.relative} if the bits stand in the order a1`);
    // Which square bit 0 is cannot be seen from the numbers: only the names depend on it.
    const named = wish.order ? null : namedOrder(text);
    const order = wish.order || named || "a1";
    if (named) guesses.push(`bit 0 is ${named.slice(0, 2)}, as the names of squares run`);
    if (!wish.order && !named) {
      open.push("Which square bit 0 is. Squares are named as if it were a1: if it is another in your engine, choose it above.");
    }
    for (const piece of guessed) {
      open.push(`How many bits the index of a ${piece} has: no list of bits or shifts was found beside the magics.`);
    }
    const listing = ORDERS.find((name) => [...Array(64).keys()].every(
      (row) => squareAt(name, row) === squareAt(order, squareAt(best.relative, row))));
    const doubts = [...unread(text, columns, parts, best.relative, guessed.length > 0)];
    return {halves, order, listing, shared: offset > 0, pieces, declared: null,
            name: "pasted magics", guesses, open, guessed, schemeTaken: !wish.scheme,
            mayBeApart: true, doubts};
  }

  // What of a paste is not read: why nothing is decided here.
  function* unread(text, columns, parts, relative, guessed) {
    for (const piece of PIECES) {
      if (!parts.some((part) => part.piece === piece)) {
        yield `a list of 64 ${piece} magics (if there is none, tell the command so by --piece)`;
      }
    }
    const bare = withoutComments(text), wholes = new Map();
    for (const column of columns) {
      if (!column.whole) {
        yield "numbers outside of all lists";
        return;
      }
      wholes.set(column.whole.start, column.whole);
    }
    for (const column of columns) {
      const own = parts.filter((part) => part.column === column);
      const magic = own.find((part) => part.of === column);
      for (const {piece, of} of own) {
        const other = PIECES.find((name) => name !== piece);
        if (speaksOf(column.name, other) && !speaksOf(column.name, piece)) {
          yield `the ${piece}'s numbers stand in a list that is named after the ${other}`;
        }
        if (!magic && column.list !== of.list && !speaksOf(column.name, piece)) {
          yield `which list of bits, shifts or offsets belongs to the ${piece}`;
        }
      }
      const mask = !own.length && PIECES.find((piece) => column.values.every((value, row) => {
        const {maskHigh, maskLow} = domain(piece, squareAt(relative, row));
        return value === (BigInt(maskHigh) << 32n | BigInt(maskLow));
      }));
      const of = parts.find((part) => part.piece === mask && part.of === part.column);
      const its = of && (of.column.list === column.list || speaksOf(column.name, mask));
      if (!own.length && !its) yield `the list ${column.name || "without a name"}`;
    }
    const narrow = (head, named) => !/128/.test(named);
    const large = (start) => parts.some(({column, of}) => column === of && column.whole.start === start);
    yield* beside(bare, wholes, large, narrow, guessed);
  }

  const speaksOf = (name, piece) =>
    (piece === "rook" ? /rook|orth|straight|\bR/i : /bishop|diag|\bB/i).test(name);

  // The list of a role that belongs to a list of magics: beside it in one struct, or by its name.
  function nearest(columns, role, magic, piece, place) {
    const other = PIECES.find((name) => name !== piece);
    const fit = columns.filter((column) => column.role === role);
    return fit.find((column) => column.list === magic.list) ??
      fit.find((column) => speaksOf(column.name, piece) && !speaksOf(column.name, other)) ??
      (fit.length === 2 ? fit[place] : null) ?? null;
  }

  function bitsOf(piece, magic, columns, best, wish, guesses, guessed, place) {
    const popcount = [...Array(64).keys()].map((row) => domain(piece, squareAt(best.relative, row)).c);
    const fixed = Array(64).fill(FIXED[piece]);
    if (wish.shifts === "fancy") return popcount;
    if (wish.shifts === "fixed") return fixed;
    const given = nearest(columns, "bits", magic, piece, place);
    if (given) {
      guesses.push(`${piece}: a list of bits or shifts`);
      return given.values.map(Number);
    }
    const is = (bits) => score(magic.values, piece, best.scheme, best.relative, bits);
    const fancy = is(popcount) >= is(fixed);
    guessed.push(piece);
    guesses.push(`${piece}: ${fancy ? "as many bits as the mask has" : `${FIXED[piece]} bits for every square`}`);
    return fancy ? popcount : fixed;
  }

  // -- the check itself

  function popcount(high, low) {
    let count = 0;
    for (; high; high &= high - 1) count++;
    for (; low; low &= low - 1) count++;
    return count;
  }

  // The names of squares, whatever the table's order: bit -> square.
  function shown(table, piece, row, where, n, index, slot) {
    const names = (high, low) => squaresOf(high, low).map((bit) => squareAt(table.order, bit));
    const word = (high, low) => "0x" + (BigInt(high >>> 0) << 32n | BigInt(low >>> 0)).toString(16).padStart(16, "0");
    return {
      piece, square: squareAt(table.listing, row), entry: row, bit: rowBit(table.order, table.listing, row),
      index, slot, magic: "0x" + table.halves[piece].magics[row].toString(16),
      blockers: names(where.high[n], where.low[n]), occupancy: word(where.high[n], where.low[n]),
      attacked: names(where.attackHigh[n], where.attackLow[n]),
      attacks: word(where.attackHigh[n], where.attackLow[n]),
    };
  }

  // Which of a row's lookups reads a slot and wants another word there; only a layered entry, which
  // several squares make together, needs this search.
  function against(table, rows, slot, ones, zeros) {
    for (const one of rows) {
      const half = table.halves[one.piece];
      const where = domain(one.piece, rowBit(table.order, table.listing, one.row));
      const at = indexes(where, half.magics[one.row], one.bits, half.scheme);
      for (let n = 0; n < where.size; n++) {
        if (one.offset + at[n] !== slot) continue;
        const clash = (word, zero, line) => word[n] & zero | ones[word === where.attackLow ? 1 : 0] & line & ~word[n];
        if (clash(where.attackHigh, zeros[0], half.layered ? where.attackHigh[0] : ~0) ||
            clash(where.attackLow, zeros[1], half.layered ? where.attackLow[0] : ~0)) {
          return {there: one, other: where, m: n};
        }
      }
    }
    throw new Error("a conflict without a counterpart");
  }

  // All lookups of one buffer. An entry is the bits that must be one and those that must be zero: all
  // others of the word, or of the square's line where the table is layered.
  function checkBuffer(table, pieces, declared) {
    const findings = [], rows = [];
    let start = 0;
    for (const piece of pieces) {
      const half = table.halves[piece];
      for (let row = 0; row < 64; row++) {
        const bits = half.bits[row];
        if (!(bits >= 1 && bits <= 16)) throw new Beyond(`${piece}: an index of ${bits} bits is beyond this page`);
        const size = half.sizes?.[row] ?? 2 ** bits;
        const offset = half.offsets ? half.offsets[row] : start;
        if (!half.offsets) start += size;
        rows.push({piece, row, bits, offset, limit: half.offsets && !half.sizes ? Infinity : size});
      }
    }
    const end = Math.max(...rows.map(({offset, bits}) => offset + 2 ** bits));
    if (end > LONGEST) throw new Beyond("a buffer of so many slots is beyond this page");
    const onesHigh = new Int32Array(end), onesLow = new Int32Array(end);
    const zerosHigh = new Int32Array(end), zerosLow = new Int32Array(end);
    const owner = new Int32Array(end), first = new Int32Array(end);
    let length = 0, used = 0;
    rows.forEach((one, number) => {
      const half = table.halves[one.piece];
      const where = domain(one.piece, rowBit(table.order, table.listing, one.row));
      const at = indexes(where, half.magics[one.row], one.bits, half.scheme);
      const lineHigh = half.layered ? where.attackHigh[0] : ~0;
      const lineLow = half.layered ? where.attackLow[0] : ~0;
      let wrong = 0, simplest = null, outside = 0;
      for (let n = 0; n < where.size; n++) {
        const slot = one.offset + at[n];
        if (at[n] >= one.limit || (declared !== null && slot >= declared)) {
          outside++;
          simplest ??= {cost: -1, n, slot};
          continue;
        }
        const high = where.attackHigh[n], low = where.attackLow[n];
        const zeroHigh = lineHigh & ~high, zeroLow = lineLow & ~low;
        if (onesHigh[slot] & zeroHigh | zerosHigh[slot] & high | onesLow[slot] & zeroLow | zerosLow[slot] & low) {
          wrong++;
          const there = rows[owner[slot]];
          const other = domain(there.piece, rowBit(table.order, table.listing, there.row));
          const m = first[slot];
          const cost = popcount(where.high[n], where.low[n]) + popcount(other.high[m], other.low[m]);
          if (!simplest || cost < simplest.cost) simplest = {cost, n, slot, there, other, m};
          continue;
        }
        if (onesHigh[slot] === 0 && onesLow[slot] === 0) {
          owner[slot] = number;
          first[slot] = n;
          used++;
          if (slot >= length) length = slot + 1;
        }
        onesHigh[slot] |= high;
        onesLow[slot] |= low;
        zerosHigh[slot] |= zeroHigh;
        zerosLow[slot] |= zeroLow;
      }
      if (!simplest) return;
      const lookups = [shown(table, one.piece, one.row, where, simplest.n, at[simplest.n], simplest.slot)];
      // The search for counterparts takes a moment each: a broken layered table can have many.
      if (simplest.there && !(table.layered && findings.length >= SEARCHED)) {
        const {slot, n} = simplest;
        const ones = [where.attackHigh[n], where.attackLow[n]];
        const zeros = [lineHigh & ~ones[0], lineLow & ~ones[1]];
        const {there, other, m} = table.layered ? against(table, rows, slot, ones, zeros) : simplest;
        lookups.unshift(shown(table, there.piece, there.row, other, m, slot - there.offset, slot));
      }
      findings.push({kind: outside ? "outside" : "conflict", count: outside || wrong, lookups});
    });
    return {length, used, findings};
  }

  // Squares whose slots are also another's: another magic there is a matter of all of them.
  function sharesSlots(table) {
    const ends = table.pieces.flatMap((piece) => table.halves[piece].offsets?.map(
      (offset, row) => [offset, offset + 2 ** table.halves[piece].bits[row]]) ?? []);
    ends.sort(([one], [other]) => one - other);
    return ends.some(([start], number) => number > 0 && start < ends[number - 1][1]);
  }

  // The atlas numbers bits as a1 = 0 does. All orders are symmetries of the board: what is known of the
  // square that has a bit there holds for the engine's square of that bit, whatever its name.
  function fewerBits(table, atlas) {
    const found = [];
    if (sharesSlots(table)) return found;
    for (const piece of table.pieces) {
      const half = table.halves[piece];
      for (let row = 0; row < 64; row++) {
        const square = squareAt(table.listing, row);
        const bit = rowBit(table.order, table.listing, row), where = domain(piece, bit);
        let own = half.bits[row];
        while (own > 1 && rowIsValid(where, half.magics[row], own - 1, half.scheme)) own--;
        const [known, magic] = (half.scheme === "white" && atlas?.[piece]?.[squareName(bit)]) || [];
        const least = Math.min(own, known ?? own);
        if (least < half.bits[row]) {
          found.push({piece, square, entry: row, bit, bits: half.bits[row], own, known: known ?? null, magic: magic ?? null});
        }
      }
    }
    return found;
  }

  // What `magicert verify` reads: the numbers of a reading as a table file.
  function tableFile(table) {
    const taken = table.open.length && table.open[0].startsWith("Which square") ? " # assumed: not in the paste" : "";
    const lines = ["magicert = 1", `name = ${JSON.stringify(table.name)}`, `order = "${table.order}"${taken}`];
    if (table.listing !== table.order) lines.push(`listing = "${table.listing}"`);
    if (table.shared) lines.push('buffer = "shared"');
    if (table.declared !== null) lines.push(`buffer_size = ${table.declared}`);
    const list = (values, step) => {
      const rows = [];
      for (let at = 0; at < 64; at += step) rows.push("  " + values.slice(at, at + step).join(", ") + ",");
      return `[\n${rows.join("\n")}\n]`;
    };
    const few = (values) => (new Set(values).size === 1 ? `${values[0]}` : list(values, 16));
    for (const piece of table.pieces) {
      const half = table.halves[piece];
      lines.push("", `[${piece}]`, `index = "${INDEX[half.scheme]}"`);
      if (half.layered) lines.push(`result = "${LAYERED}"`);
      lines.push(`bits = ${few(half.bits)}`);
      if (half.declared !== null) lines.push(`buffer_size = ${half.declared}`);
      if (half.sizes) lines.push(`square_size = ${few(half.sizes)}`);
      if (half.offsets) lines.push(`offset = ${list(half.offsets, 8)}`);
      lines.push(`magic = ${list(half.magics.map((m) => `"0x${m.toString(16)}"`), 4)}`);
    }
    return lines.join("\n") + "\n";
  }

  function certify(table, atlas) {
    const groups = table.shared ? [table.pieces] : table.pieces.map((piece) => [piece]);
    const parts = groups.map((pieces) =>
      checkBuffer(table, pieces, table.shared ? table.declared : table.halves[pieces[0]].declared));
    const findings = parts.flatMap((part) => part.findings);
    // What was guessed can make numbers valid, never invalid.
    const taken = findings.some(({lookups}) => lookups.some(({piece}) => table.guessed.includes(piece)));
    const scheme = table.schemeTaken && findings.length > CONFIRMED;
    const wrong = taken || scheme ? UNDECIDED : "invalid";
    const doubts = table.doubts ?? [];
    return {
      verdict: doubts.length ? UNDECIDED : findings.length ? wrong : "valid", doubts, open: table.open, name: table.name, pieces: table.pieces,
      lookups: table.pieces.reduce((sum, piece) => sum + (piece === "rook" ? 102400 : 5248), 0),
      slots: parts.reduce((sum, part) => sum + part.length, 0),
      used: parts.reduce((sum, part) => sum + part.used, 0),
      shared: table.shared, layered: table.layered ?? false, order: table.order, listing: table.listing, guesses: table.guesses, findings,
      schemes: Object.fromEntries(table.pieces.map((piece) => [piece, table.halves[piece].scheme])),
      bits: Object.fromEntries(table.pieces.map((piece) => [piece, table.halves[piece].bits])),
      fewer: findings.length || table.layered ? [] : fewerBits(table, atlas), table: tableFile(table),
    };
  }

  const NUMBER = /(?<![\w.])(?:-?0[xX][\da-fA-F_']+(?:[uUlLn]+|u64|i64)?|-?\d[\d_']*(?:[uUlLn]+|u64|i64)?)(?![\w.])/g;

  // Where a number stands in a paste: nowhere (null) if it stands there twice.
  function placeOf(text, value) {
    const found = [...text.matchAll(NUMBER)].filter(([token]) => {
      try {
        return number(token) === value;
      } catch {
        return false;
      }
    });
    if (found.length !== 1) return null;
    const [{0: token, index}] = found;
    return {token, index, line: text.slice(0, index).split("\n").length};
  }

  // A number in the spelling of the one that it replaces.
  function spelled(token, value) {
    const [, hex, digits, suffix] = /^-?(0[xX])?([\da-fA-F_']*?)([uUlLn]*|u64|i64)$/.exec(token);
    if (!hex) return (token[0] === "-" && value >> 63n ? value - (1n << 64n) : value) + suffix;
    const same = value.toString(16).padStart(digits.length, "0");
    return hex + (/[A-F]/.test(digits) ? same.toUpperCase() : same) + suffix;
  }

  // Each finding with the line of its number; and the paste mended by magics of the atlas, if all of it
  // can be: what is offered has been checked as a whole.
  function withPlaces(found, text, wish, atlas) {
    const changes = new Map();
    let whole = found.findings.length > 0;
    for (const finding of found.findings) {
      const [{piece, square, entry, bit, magic}] = finding.lookups;
      finding.place = placeOf(text, BigInt(magic));
      const alone = finding.lookups.every((one) => one.piece === piece && one.entry === entry);
      const bits = found.bits[piece][entry], [known, other] = atlas?.[piece]?.[squareName(bit)] ?? [64, "0"];
      if (!alone || !finding.place || known > bits ||
          !rowIsValid(domain(piece, bit), BigInt(other), bits, found.schemes[piece])) {
        whole = false;
        continue;
      }
      const {token, index, line} = finding.place;
      changes.set(index, {piece, square, index, line, token, by: spelled(token, BigInt(other))});
    }
    found.repair = null;
    if (!whole) return found;
    let mended = text;
    for (const {index, token, by} of [...changes.values()].sort((one, other) => other.index - one.index)) {
      mended = mended.slice(0, index) + by + mended.slice(index + token.length);
    }
    const again = check(mended, wish);
    if (again.findings && !again.findings.length) found.repair = {changes: [...changes.values()], text: mended};
    return found;
  }

  // The same for another board: the lines alone.
  function withLines({plain, ...found}) {
    for (const finding of found.findings) finding.place = placeOf(plain, BigInt(finding.lookups[0].magic));
    return found;
  }

  // The verdict on a paste: "valid", "invalid", or "not decided here" with what was not read (`doubts`),
  // or with a message where no table was. `wish` may say scheme, shifts ("fancy" or "fixed"), order
  // (which square bit 0 is), and of lists for another board than chess's `board` and `pieces`; `open` is what nobody has said.
  function check(text, wish = {}, atlas = null) {
    const isTable = /^\s*magicert\s*=/m.test(text);
    try {
      if (text.length > LARGEST) throw new BadInput("more than 16 MiB: paste the lists alone");
      if (isTable) {
        const file = toml(text), chess = Object.keys(file).every((key) => KEYS[""].includes(key));
        const whole = ["whole", "8x8", "ranks 1-4", undefined].includes(file.board);
        if (!whole || (!chess && file.board === "8x8")) return withLines(boards.ofFile(file, text));
        return withPlaces(certify(readTable(text), atlas), text, wish, atlas);
      }
      if (wish.board?.trim()) return withLines(boards.ofLists(text, wish));
      const table = readLists(text, wish);
      let found = certify(table, atlas);
      if (found.findings.length && table.shared && table.mayBeApart) {
        const apart = certify({...table, shared: false}, atlas);
        if (!apart.findings.length) found = {...apart, verdict: UNDECIDED, doubts: [...apart.doubts, "whether the pieces share a buffer"]};
      }
      if (found.findings.length > MISREAD) {
        throw new Beyond(`no reading that this page knows fits: in the nearest one ${found.findings.length} ` +
                         "squares have conflicts. Another reading");
      }
      if (table.shared) found.guesses.push(found.shared ? "one buffer for both pieces" : "a buffer for each piece");
      return withPlaces(found, text, wish, atlas);
    } catch (error) {
      if ([Beyond, BadInput, SyntaxError, RangeError].some((kind) => error instanceof kind)) {
        const other = isTable || text.length > LARGEST || wish.board?.trim() ? null : boards.suggested(text);
        return {verdict: UNDECIDED, message: error.message, ...(isTable ? {command: "magicert verify my-engine.toml"} : {}), ...other};
      }
      throw error;
    }
  }

  return {check, squareName, squareAt, LOOKUPS, ORDERS, LARGEST};
})();

if (typeof module !== "undefined") module.exports = magicertCheck;
