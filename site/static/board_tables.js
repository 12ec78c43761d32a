// Tables of any board and piece, for the page that checks magics: from a table file, or from lists whose board
// and pieces are said.
//
//   magicertBoardTables.ofFile(file)               the verdict on a table file that has a board
//   magicertBoardTables.ofLists(text, wish)        the same on lists; wish.board, wish.pieces ("RookMagics=R")
//   magicertBoardTables.suggested(text)            a board and pieces that the lists of a paste may be for
"use strict";

const magicertBoardTables = (() => {
  const {Beyond, BadInput, number, withoutComments, tree, beside, WIDE} = typeof require === "undefined"
    ? magicertReading : require("./reading.js");
  const boards = typeof require === "undefined" ? magicertBoards : require("./boards.js");

  const UNDECIDED = "not decided here";
  // With no more wrong squares than the first the lists are meant for the reading; with no more than the second all
  // others confirm it.
  const MISREAD = 40, CONFIRMED = 8;

  // -- one answer for tables of files and of lists

  // Rows of pieces with all that a lookup needs; the squares that are holes have none.
  function rowsOf(table, piece, order) {
    const {board} = table, {half} = piece, square = boards.squaresIn(board, table.listing), bit = [];
    boards.squaresIn(board, table.order).forEach((one, place) => (bit[one] = place));
    const on = table.placed(piece.movement), rows = [];
    let start = order.start;
    square.forEach((one, entry) => {
      if (board.isHole[one]) return;
      const where = on[bit[one]], mask = half.masks === "usual" ? where.usual : half.masks === "least" ? where.least : half.masks[entry];
      const bits = half.amount === "popcount" ? boards.bitsOf(mask).length : half.bits[entry];
      if (!(bits >= (mask || half.scheme === "black" ? 1 : 0) && bits <= half.width)) throw new Beyond(`${piece.name}: an index of ${bits} bits`);
      const reach = boards.reachOf({...half, mask, magic: half.magics[entry], bits}, board), size = half.sizes?.[entry] ?? reach, offset = half.offsets ? half.offsets[entry] : start;
      if (!half.offsets) start += size;
      rows.push({piece: piece.name, square: one, entry, bit: bit[one], on: where, mask, bits, offset, reach, scheme: half.scheme, width: half.width,
        magic: half.magics[entry], limit: half.offsets && !half.sizes ? Infinity : size, place: order.place++});
    });
    order.start = start;
    return rows;
  }

  function certify(table) {
    const {board} = table, groups = table.shared ? [table.pieces] : table.pieces.map((piece) => [piece]);
    const order = {place: 0}, parts = groups.map((pieces) => {
      order.start = 0;
      return {pieces, rows: pieces.flatMap((piece) => rowsOf(table, piece, order))};
    });
    const lookups = parts.flatMap(({rows}) => rows).reduce((sum, row) => sum + 2 ** boards.trialOf(row).length, 0);
    if (lookups > boards.MOST_LOOKUPS) throw new Beyond(`${lookups.toLocaleString("en")} lookups are beyond this page. So many`);
    const found = parts.map(({pieces, rows}) => boards.checkBuffer(board, rows, table.shared ? table.declared : pieces[0].half.declared));
    const findings = found.flatMap((part) => part.findings).map((finding) => ({...finding, lookups: finding.lookups.map((one) => told(table, one))}));
    const doubts = [...table.doubts];
    if (!findings.length) doubts.push(...levels(table, parts.flatMap(({rows}) => rows)), ...joined(table));
    const sum = (key) => found.reduce((all, part) => all + part[key], 0);
    return {
      verdict: doubts.length ? UNDECIDED : findings.length ? (table.assumed ? UNDECIDED : "invalid") : "valid",
      doubts, open: table.open, name: table.name, pieces: table.pieces.map(({name}) => name), lookups, slots: sum("length"), used: sum("used"),
      shared: table.shared, layered: false, order: table.order, listing: table.listing, guesses: table.guesses, findings,
      schemes: Object.fromEntries(table.pieces.map(({name, half}) => [name, half.scheme])), fewer: [], repair: null,
      board: board.text, files: board.files, ranks: board.ranks, holes: boards.bitsOf(boards.setOf([...board.isHole.keys()].filter((s) => board.isHole[s]))),
      table: table.text ?? tableFile(table), plain: table.plain ?? table.text,
    };
  }

  // A lookup, its squares named whatever the table's order.
  function told(table, {row, occupancy, index, slot, attacks}) {
    const square = boards.squaresIn(table.board, table.order);
    const hex = (set) => "0x" + set.toString(16).padStart(table.board.word / 4, "0");
    const names = (set) => boards.bitsOf(set).map((bit) => square[bit]);
    return {piece: row.piece, square: row.square, entry: row.entry, bit: row.bit, index, slot, magic: "0x" + row.magic.toString(16),
      blockers: names(occupancy), occupancy: hex(occupancy), attacked: names(attacks), attacks: hex(attacks)};
  }

  // Whether a number of the first level can say each attack set of its square.
  function* levels(table, rows) {
    if (!table.entryBits) return;
    for (const row of rows) {
      if (row.bits > table.entryBits && boards.setsOf(row, table.board) > 2 ** table.entryBits) {
        yield `whether ${row.piece} ${boards.nameOf(table.board, row.square)} has no more attack sets than numbers of ${table.entryBits} bits`;
      }
    }
  }

  // A joined piece whose steps are those of its parts, and leaps, needs no lookups of its own.
  function* joined(table) {
    for (const {name, movement, parts, leaps} of table.joined ?? []) {
      const of = parts.map((part) => table.pieces.find((piece) => piece.name === part)?.movement);
      const region = (piece) => JSON.stringify(piece.regions);
      if (of.some((part) => !part || region(part) !== region(movement))) {
        yield `${name}: whether its parts move as it does`;
        continue;
      }
      const had = new Set(of.flatMap((part) => [...boards.stepsOf(part)])), all = boards.stepsOf(movement);
      const left = movement.atoms.flatMap(({steps, ...atom}) => steps.map((step) => ({...atom, steps: [step]})))
        .filter((atom) => !had.has([...boards.stepsOf({atoms: [atom]})][0]));
      const leapt = table.placed({...movement, atoms: left, text: ""});
      const bits = boards.squaresIn(table.board, table.order), bit = [];
      bits.forEach((one, place) => (bit[one] = place));
      const same = leaps === null ? left.every(boards.isLeap) : boards.squaresIn(table.board, table.listing).every((square, entry) =>
        table.board.isHole[square] || leaps[entry] === leapt[bit[square]].steps.reduce((set, {targets}) => set | boards.setOf(targets), 0n));
      if (![...had].every((step) => all.has(step)) || !left.every(boards.isLeap) || !same) yield `${name}: whether its parts and leaps make it`;
    }
  }

  // -- table files

  const MASKED = "\\(occ&mask\\)", FOLD = `u64\\((?:${MASKED}\\|\\(?${MASKED}>>63\\)?|\\(?${MASKED}>>63\\)?\\|${MASKED})\\)`;
  const AMOUNT = "(shift|\\((\\d+)-(bits|popcount\\(mask\\))\\))";
  const either = (product) => [new RegExp(`^\\(${product}\\)>>${AMOUNT}$`), new RegExp(`^${product}>>${AMOUNT}$`)];
  const SCHEMES = {
    white: either(`${MASKED}\\*magic`), black: either("\\(occ\\|~mask\\)\\*magic"), folded: either(`${FOLD}\\*magic`),
    cut: either(`\\(${MASKED}\\*magic\\)&(?:0x[0-9a-f]+)`),
  };

  // The scheme of an index, the width of its product, and whether bits, shifts or the mask's squares count it.
  function schemeOf(index, board) {
    const text = String(index).replace(/\s/g, "");
    for (const [scheme, patterns] of Object.entries(SCHEMES)) {
      const parsed = patterns.map((pattern) => pattern.exec(text)).find(Boolean);
      if (!parsed) continue;
      const width = {folded: 64, cut: board.squares}[scheme] ?? board.word;
      const ones = /&(0x[0-9a-f]+)\)?>>/.exec(text);
      if ((parsed[2] && Number(parsed[2]) !== width) || (scheme === "folded" && board.word === 64)) break;
      if (scheme === "cut" && (parsed[1] === "shift" || BigInt(ones[1]) !== (1n << BigInt(width)) - 1n)) break;
      return {scheme: scheme === "cut" ? "white" : scheme, width, amount: parsed[1] === "shift" ? "shift" : parsed[3].slice(0, 8)};
    }
    throw new Beyond(`the formula ${index} is beyond this page`);
  }

  // A number, or a list of one for each square.
  function numbers(value, key, board, width, texts = true) {
    const list = Array.isArray(value) ? value : Array(board.squares).fill(value);
    if (list.length !== board.squares) throw new BadInput(`${key}: ${list.length} values, expected ${board.squares}`);
    return list.map((one) => {
      const text = typeof one === "string" && texts && /^0x[\da-f]+(_[\da-f]+)*$/i.test(one);
      if (typeof one !== "bigint" && !text) throw new BadInput(`${key}: ${one}: expected a number`);
      const big = text ? BigInt(one.replace(/_/g, "")) : one;
      if (big < 0n || big >> BigInt(width)) throw new BadInput(`${key}: ${one}: expected a number of ${width} bits`);
      return big;
    });
  }

  const sizeOf = (value, key) => {
    if (value === undefined) return null;
    if (typeof value !== "bigint" || value < 1n || value >> 32n) throw new BadInput(`${key}: expected a size`);
    return Number(value);
  };

  const TOP = ["magicert", "name", "order", "listing", "board", "buffer", "buffer_size", "provenance", "two_level"];
  const PIECE = ["piece", "index", "magic", "bits", "shift", "mask", "offset", "square_size", "buffer_size", "attack_sets"];

  function movementOf(section, name, board) {
    const said = section.piece ?? name;
    if (typeof said === "string") return boards.parsePiece(said, board);
    const parts = [said].flat();
    const atoms = [], regions = new Set();
    for (const part of parts) {
      if (typeof part !== "object" || part === null) throw new BadInput(`${name}.piece: expected a piece`);
      const known = part.betza === undefined ? ["kind", "steps", "limit", "from_target", "region"] : ["betza", "region"];
      if (Object.keys(part).some((key) => !known.includes(key))) throw new BadInput(`${name}.piece: unknown key`);
      let own = null;
      if (part.betza !== undefined) {
        own = boards.parsePiece(String(part.betza), board);
        atoms.push(...own.atoms);
      } else {
        atoms.push(atomOf(part, name, board));
      }
      const area = part.region === undefined ? own?.regions ?? [] : boards.regionsOf(board, [part.region].flat().map(String));
      if (part.region !== undefined && own?.regions.length) throw new BadInput(`${name}.piece: two regions`);
      regions.add(JSON.stringify(area));
    }
    if (regions.size !== 1) throw new BadInput(`${name}.piece: several regions`);
    return {atoms, regions: JSON.parse([...regions][0]), text: ""};
  }

  function atomOf({kind, steps, limit = 0n, from_target: turned = false}, name, board) {
    const refuse = () => {
      throw new BadInput(`${name}.piece: expected a rider, hopper or lame leaper with its steps`);
    };
    if (!["rider", "hopper", "lame leaper"].includes(kind) || !Array.isArray(steps) || !steps.length || typeof turned !== "boolean") refuse();
    if (typeof limit !== "bigint" || limit < 0n || limit > 127n || (kind === "lame leaper" && limit) || (turned && kind !== "lame leaper")) refuse();
    const read = steps.map((step) => {
      if (!Array.isArray(step) || step.length !== 2 || step.some((n) => typeof n !== "bigint")) refuse();
      const [across, up] = step.map(Number);
      if ((!across && !up) || Math.abs(across) >= board.files || Math.abs(up) >= board.ranks) refuse();
      return [across, up];
    });
    if (new Set(read.map(String)).size < read.length) refuse();
    return {kind, steps: read, limit: Number(limit), from_target: turned};
  }

  const PROVENANCE = ["repository", "path", "commit", "licence", "language", "found_by", "found_on", "notation", "notes", "command", "certificate", "replay"];

  function tableOf(file) {
    const refuse = (what) => {
      throw new Beyond(`${what} is beyond this page`);
    };
    if (file.magicert !== 1n || typeof file.name !== "string") throw new BadInput("expected magicert = 1 and a name");
    const board = boards.parseBoard(String(file.board));
    const sections = Object.entries(file).filter(([key, value]) => !TOP.includes(key) && typeof value === "object" && !Array.isArray(value));
    const odd = Object.keys(file).filter((key) => !TOP.includes(key) && !sections.some(([name]) => name === key));
    if (odd.length) refuse(`a table with ${odd.join(", ")}`);
    for (const [key, value] of Object.entries(file.provenance ?? {})) {
      if (key === "seed" ? typeof value !== "bigint" || value < 0n || value >> 64n : !PROVENANCE.includes(key) || typeof value !== "string") refuse(`provenance.${key}`);
    }
    const order = file.order ?? "a1", listing = file.listing ?? order, known = boards.orders(board);
    for (const one of [order, listing]) if (!known.includes(one)) throw new BadInput(`${one}: expected one of ${known.join(", ")}`);
    const buffer = file.buffer ?? "separate", shared = buffer === "shared";
    if (!shared && (buffer !== "separate" || file.buffer_size !== undefined)) throw new BadInput("buffer: expected separate or shared");
    if (file.two_level && (Object.keys(file.two_level).join() !== "entry_bits" || ![8n, 16n].includes(file.two_level.entry_bits))) refuse("this table of two levels");
    const pieces = [], joined = [];
    for (const [name, section] of sections) {
      if (!/^[A-Za-z][\w-]{0,39}$/.test(name)) throw new BadInput(`[${name}]: expected a piece's name`);
      const movement = movementOf(section, name, board), key = (one) => `${name}.${one}`;
      if (section.parts !== undefined) {
        if (Object.keys(section).some((one) => !["piece", "parts", "leaps"].includes(one)) || !Array.isArray(section.parts)) refuse(`[${name}]`);
        joined.push({name, movement, parts: section.parts, leaps: section.leaps === undefined ? null : numbers(section.leaps, key("leaps"), board, board.word)});
        continue;
      }
      const unknown = Object.keys(section).filter((one) => !PIECE.includes(one));
      if (unknown.length) refuse(`a table with ${unknown.map(key).join(", ")}`);
      if (section.attack_sets !== undefined) refuse(key("attack_sets"));
      const {scheme, width, amount} = schemeOf(section.index, board);
      for (const one of ["bits", "shift"]) {
        if ((section[one] !== undefined) !== (one === amount)) refuse(`${key(one)} with the formula ${section.index}`);
      }
      if (shared && section.buffer_size !== undefined) throw new BadInput(`${key("buffer_size")}: the buffer is shared`);
      const given = amount === "popcount" ? null : numbers(section[amount], key(amount), board, 64, false).map(Number);
      const masks = section.mask ?? "usual";
      pieces.push({name, movement, half: {
        scheme, width, amount, bits: given?.map((one) => (amount === "shift" ? width - one : one)),
        magics: numbers(section.magic, key("magic"), board, width),
        masks: masks === "usual" || masks === "least" ? masks : numbers(masks, key("mask"), board, board.word),
        offsets: section.offset === undefined ? null : numbers(section.offset, key("offset"), board, 40, false).map(Number),
        sizes: section.square_size === undefined ? null
          : numbers(section.square_size, key("square_size"), board, 32, false).map((size) => sizeOf(size, key("square_size"))),
        declared: sizeOf(section.buffer_size, key("buffer_size")),
      }});
    }
    if (!pieces.length) throw new BadInput("no piece with an index");
    if (shared && new Set(pieces.map(({half}) => half.offsets === null)).size > 1) throw new BadInput("offsets for some pieces only");
    return {board, order, listing, shared, pieces, joined, declared: sizeOf(file.buffer_size, "buffer_size"),
      entryBits: file.two_level ? Number(file.two_level.entry_bits) : 0,
      name: file.name, guesses: [], open: [], doubts: [], assumed: false, placed: placing(board, order)};
  }

  // The steps and masks of pieces on a board, each made once.
  function placing(board, order) {
    const made = new Map();
    return (movement) => {
      const key = JSON.stringify([movement.atoms, movement.regions]);
      if (!made.has(key)) {
        const on = boards.placed(board, movement, order);
        const moves = ({kind, targets}) => targets.length > (kind === "hopper" ? 1 : 0);
        if (movement.text && !on.some((where) => where?.steps.some(moves))) throw new BadInput(`${movement.text}: a piece without moves on ${board.text}`);
        made.set(key, on);
      }
      return made.get(key);
    };
  }

  function ofFile(file, text) {
    return certify({...tableOf(file), text});
  }

  // -- lists

  const NAMED = /([A-Za-z_]\w*)\s*(?::(?:[^=;{}[\]]|\[[^\]]*\])*|(?:\[[^\]]*\]\s*)*)=\s*&?\s*(?:\[\d*\]\s*\w+\s*)?$/;
  const nameBefore = (bare, start) => NAMED.exec(bare.slice(Math.max(0, start - 400), start))?.[1];
  const wordsIn = (name) => new Set((name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g) ?? []).map((word) => word.toLowerCase()));

  // The piece that a list is for by its name, as the command takes it (verify/source/larger_boards.py).
  function likely(words, size) {
    const has = (...some) => some.some((word) => words.has(word));
    if (size === "9x10" && has("bishop", "elephant")) return "elephant@a1-i5,a6-i10";
    const {likelyPieces} = globalThis.magicertPieces;
    const notation = likelyPieces[Object.keys(likelyPieces).find((word) => has(word))] ?? "R";
    if (notation === "nA" && has("janggi")) return "nZ";
    if (notation === "nN" && has("to")) return "horse-to";
    if (has("diag", "diagonal", "d") && ["pR", "gQ"].includes(notation)) return `${notation[0]}B`;
    const line = has("h", "horizontal") ? "s" : has("v", "vertical") ? "v" : "";
    return line && ["R", "pR", "gQ"].includes(notation) ? `${notation.slice(0, -1)}${line}R` : notation;
  }

  // The board and pieces that lists may be for; null where there are none such.
  function suggested(text) {
    const {likelyBoards, likelyPieces} = globalThis.magicertPieces, bare = withoutComments(spelledOut(text).text), lists = new Map();
    for (const {items, start} of tree(bare).found) {
      const board = likelyBoards[items.length], name = board && nameBefore(bare, start);
      if (!name || !items.flat().some((value) => value >> 32n)) continue;
      const words = wordsIn(name);
      if (!Object.keys(likelyPieces).some((piece) => words.has(piece)) && ![...words].some((word) => /^(?:magics?|mults?)$/.test(word))) continue;
      if (!lists.has(items.length)) lists.set(items.length, []);
      lists.get(items.length).push(`${name}=${likely(words, board)}`);
    }
    const [first] = [...lists].sort((one, other) => other[1].length - one[1].length);
    if (!first) return null;
    const [count, pieces] = first, size = likelyBoards[count];
    return {
      message: `${pieces.length > 1 ? `${pieces.length} lists` : "a list"} of ${count} numbers, which are not for chess's board. ` +
        "No source says for which board they are, and how its pieces move: put that into the fields above",
      command: `magicert verify FILE --board ${size} ${pieces.map((one) => `--piece ${one}`).join(" ")}`,
      board: size, wanted: pieces.join(" "),
    };
  }

  // Words made of two halves by a macro, such as B(0x1, 0x2) of Pikafish and Fairy-Stockfish, spelled out.
  const MACRO = /^[ \t]*#define\s+(\w+)\(\s*(\w+)\s*,\s*(\w+)\s*\)[ \t]+(.+?)[ \t]*$/m;
  function spelledOut(text) {
    const found = MACRO.exec(text);
    if (!found) return {text, type: null};
    const [line, name, high, low, body] = found;
    const type = "(Bitboard|__uint128_t|unsigned__int128|uint128_t)", cast = (of) => `(?:${type}\\(${of}\\)|\\(${type}\\)\\(?${of}\\)?)`;
    const shape = new RegExp(`^(\\()?(\\()?${cast(high)}<<64(\\))?[|^](?:${cast(low)}|${low})(\\))?$`).exec(body.replace(/\s/g, ""));
    const wide = new RegExp(`\\b${name}\\(\\s*0[xX]([\\dA-Fa-f]{1,16})(?:[uU]?[lL]{0,2})\\s*,\\s*0[xX]([\\dA-Fa-f]{1,16})(?:[uU]?[lL]{0,2})\\s*\\)`, "g");
    if (!shape || (body.match(/\(/g) ?? []).length !== (body.match(/\)/g) ?? []).length) return {text, type: null};
    const blank = text.replace(line, " ".repeat(line.length));
    return {text: blank.replace(wide, (_, one, other) => `0x${one}${other.padStart(16, "0")}`), type: shape.slice(3).find((one) => one && /^[A-Za-z_]/.test(one))};
  }

  function piecesSaid(text, board) {
    const said = String(text ?? "").trim().split(/\s+/).filter(Boolean).map((one) => {
      const [, name, piece] = /^([A-Za-z_$][\w$]*)=(.+)$/.exec(one) ?? [];
      if (!name) throw new BadInput(`pieces: ${one}: expected LIST=PIECE, such as RookMagics=R`);
      return [name, boards.parsePiece(piece, board)];
    });
    if (!said.length) throw new BadInput("pieces: expected LIST=PIECE, such as RookMagics=R");
    if (new Set(said.map(([name]) => name)).size < said.length) throw new BadInput("pieces: a list is named twice");
    return said;
  }

  const whole = (values, width) => values.every((value) => value >= 0n && !(value >> BigInt(width)));

  // What a list's items may be: one number each, or the words of one, from the highest or from the lowest.
  function* numbersOf(items, board) {
    const wide = items[0].length;
    if (items.some((item) => item.length !== wide)) return;
    if (wide === 1) {
      yield {values: items.flat(), what: ""};
    } else if (wide * 64 === board.word && whole(items.flat(), 64)) {
      for (const what of ["highest word first", "lowest word first"]) {
        yield {what, values: items.map((item) => (what[0] === "h" ? item : [...item].reverse()).reduce((sum, word) => sum << 64n | word, 0n))};
      }
    }
  }

  function ofLists(text, wish) {
    const board = boards.parseBoard(wish.board.trim()), said = piecesSaid(wish.pieces, board), {text: plain, type} = spelledOut(text);
    const bare = withoutComments(plain), {found, ends} = tree(bare);
    if (wish.shifts === "fixed") throw new Beyond("one shift for all squares of another board than chess's");
    const wholes = new Map(), doubts = [], lists = new Map(), large = new Set();
    for (const node of found) {
      if (node.from !== node.start || node.items.length < 8) continue;
      wholes.set(node.start, {start: node.start, end: ends.get(node.start) ?? bare.length});
      const name = nameBefore(bare, node.start);
      if (!said.some(([wanted]) => wanted === name)) doubts.push(`the list ${name ?? "without a name"}`);
      else if (lists.has(name)) doubts.push(`a second list ${name}`);
      else if (node.items.length !== board.squares) throw new BadInput(`${name} has ${node.items.length} items: expected ${board.squares}, one a square`);
      else {
        lists.set(name, [...numbersOf(node.items, board)]);
        large.add(node.start);
        if (!lists.get(name).length) throw new Beyond(`${name}: more than one number a square`);
      }
    }
    for (const [name] of said) if (!lists.has(name)) throw new BadInput(`no list ${name} of ${board.squares} numbers`);
    const wide = (start) => node(found, start).items.every((item) => item.length === 1) && node(found, start).items.flat().some((value) => value >> 64n);
    const untyped = /(?:^|\n)[ \t]*(?:const\s+|let\s+|var\s+)?[A-Za-z_$][\w$]*\s*=\s*$/;
    const typed = (head, named) => (board.word > 64 ? WIDE.test(named) || untyped.test(head) : !/128/.test(named));
    doubts.push(...beside(bare, wholes, (start) => large.has(start) && (board.word === 64 || wide(start)), typed, wish.shifts !== "fancy"));
    if (board.word > 64 && /-\s*\d/.test(bare)) doubts.push("numbers below zero");
    if (type && /\bBitboard\b/.test(type) && /\b(?:typedef|using|define)\b[^\n]*\bBitboard\b/.test(bare)) doubts.push("what a Bitboard is");
    const named = wish.order ? inCorner(board, wish.order) : null;
    const read = reading(board, said, lists, named, wish.scheme);
    const guesses = [...read.guesses];
    if (/\bBitboard\b/.test(bare) || type === "Bitboard") guesses.push(`Bitboard = ${board.word} bits`);
    if (wish.shifts !== "fancy") guesses.push("as many bits as the mask has");
    const open = named || board.files * board.ranks === 1 ? [] : [`Which square bit 0 is. Squares are named as if it were ${read.order}: if it is another in your engine, choose it above.`];
    return certify({board, order: read.order, listing: read.listing, shared: false, pieces: read.pieces, declared: null, entryBits: 0, name: "pasted magics", plain,
      guesses, open, doubts, assumed: wish.shifts !== "fancy" || read.bad > CONFIRMED, placed: read.placed});
  }

  const node = (found, start) => found.find((one) => one.start === start);

  // A chess board's order said for this one: bit 0 is the same corner.
  function inCorner(board, order) {
    const file = order[0] === "h" ? board.files - 1 : 0, rank = order[1] === "8" ? board.ranks - 1 : 0;
    return boards.nameOf(board, rank * board.files + file) + (order.endsWith("-files") ? "-files" : "");
  }

  // The schemes that lists are tried with, as the command tries them.
  function* schemes(board, values, wanted) {
    const most = values.reduce((one, other) => (other > one ? other : one), 0n), full = (1n << BigInt(board.squares)) - 1n;
    if (wanted) {
      if (whole(values, board.word)) yield {scheme: wanted, width: board.word, said: ""};
      return;
    }
    if (whole(values, board.word)) {
      yield {scheme: "white", width: board.word, said: ""};
      yield {scheme: "black", width: board.word, said: "occ | ~mask"};
    }
    if (board.word > 64 && !(most >> 64n)) yield {scheme: "folded", width: 64, said: "the fold x | x >> 63"};
    if (most >> 64n && most <= full && board.squares < board.word) yield {scheme: "white", width: board.squares, said: `words of ${board.squares} bits`};
  }

  // The first reading under which all squares of all lists are valid; else the one with the fewest wrong ones.
  function reading(board, said, lists, named, scheme) {
    const known = boards.orders(board);
    let best = null;
    for (const order of named ? [named] : [...known].sort((one, other) => one.endsWith("s") - other.endsWith("s"))) {
      const placed = placing(board, order), bit = [];
      boards.squaresIn(board, order).forEach((one, place) => (bit[one] = place));
      for (const listing of [order, ...known.filter((one) => one !== order)]) {
        const square = boards.squaresIn(board, listing), pieces = [], guesses = [];
        let bad = 0;
        for (const [name, movement] of said) {
          const part = nearest(board, name, placed(movement), lists.get(name), square, bit, best ? best.bad - bad : Infinity, scheme);
          bad += part.bad;
          pieces.push({name, movement, half: part.half});
          guesses.push(...part.guesses);
          if (best && bad >= best.bad) break;
        }
        if (pieces.length === said.length && bad < (best?.bad ?? Infinity)) best = {bad, order, listing, placed, pieces, guesses};
        if (best?.bad === 0) break;
      }
      if (best?.bad === 0) break;
    }
    if (!best || best.bad > MISREAD || 2 * best.bad > board.squares * said.length) throw new Beyond("no reading that this page knows fits: in the nearest one too many squares have conflicts. Another reading");

    if (best.listing !== best.order) best.guesses.push(`the lists stand in the order ${best.listing} if the bits stand in the order ${best.order}`);
    return best;
  }

  // How a list is read best as a piece's magics in one arrangement: scheme, masks, order of words.
  function nearest(board, name, on, options, square, bit, most, wanted) {
    let best = {bad: Infinity, guesses: []};
    const lookups = on.reduce((sum, where) => sum + (where ? 2 ** boards.bitsOf(where.usual).length : 0), 0);
    if (lookups > boards.MOST_LOOKUPS) throw new Beyond(`${name}: ${lookups.toLocaleString("en")} lookups are beyond this page. More`);
    const rules = on.some((where) => where && where.usual !== where.least) ? ["usual", "least"] : ["usual"];
    for (const {values, what} of options) {
      for (const {scheme, width, said} of schemes(board, values, wanted)) {
        for (const masks of rules) {
          let bad = 0;
          for (const entry of middleFirst(board)) {
            const where = on[bit[square[entry]]];
            if (!where) continue;
            const bits = boards.bitsOf(where[masks]).length;
            if (bits > boards.MOST_BITS) throw new Beyond(`an index of ${bits} bits`);
            if (!boards.rowIsValid({on: where, mask: where[masks], bits, magic: values[entry], scheme, width}, board)) bad++;
            if (bad >= Math.min(best.bad, most, MISREAD + 1)) break;
          }
          const guesses = [what && `${name}: ${what}`, said && `${name}: ${said}`, masks === "least" && `${name}: least masks`].filter(Boolean);
          if (bad < best.bad) best = {bad, guesses, half: {scheme, width, amount: "popcount", masks, magics: values, offsets: null, sizes: null, declared: null}};
          if (!bad) return best;
        }
      }
    }
    return best;
  }

  // Squares of the middle have large masks, on which a wrong reading fails at once.
  const middleFirst = (board) => [...Array(board.squares).keys()].sort(
    (one, other) => Math.abs(2 * one - board.squares) - Math.abs(2 * other - board.squares));

  const INDEX = {
    white: (width) => `((occ & mask) * magic) >> (${width} - popcount(mask))`,
    black: (width) => `((occ | ~mask) * magic) >> (${width} - popcount(mask))`,
    folded: () => "(u64((occ & mask) | ((occ & mask) >> 63)) * magic) >> (64 - popcount(mask))",
  };

  // What `magicert verify` reads: lists with their board and pieces.
  function tableFile({board, order, listing, name, pieces}) {
    const lines = ["magicert = 1", `name = ${JSON.stringify(name)}`, `board = "${board.text}"`, `order = "${order}"`];
    if (listing !== order) lines.push(`listing = "${listing}"`);
    for (const {name: section, movement, half} of pieces) {
      const cut = half.scheme === "white" && half.width !== board.word;
      const index = cut ? `(((occ & mask) * magic) & 0x${((1n << BigInt(half.width)) - 1n).toString(16)}) >> (${half.width} - popcount(mask))`
        : INDEX[half.scheme](half.width);
      lines.push("", `[${section.replace(/^[^A-Za-z]+|[^\w-]/g, "").slice(0, 40) || "piece"}]`, `piece = ${JSON.stringify(movement.text)}`, `index = "${index}"`);
      if (half.masks === "least") lines.push('mask = "least"');
      lines.push("magic = [", ...half.magics.map((magic) => `  "0x${magic.toString(16)}",`), "]");
    }
    return lines.join("\n") + "\n";
  }

  return {ofFile, ofLists, suggested};
})();

if (typeof module !== "undefined") module.exports = magicertBoardTables;
