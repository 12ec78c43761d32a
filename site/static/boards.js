// Boards of up to 16x16, pieces, and the lookups of their tables, for the page that checks magics.
//
//   magicertBoards.parseBoard("9x10-a1")          files, ranks, holes
//   magicertBoards.parsePiece("cannon", board)    atoms and regions
//   magicertBoards.placed(board, piece, order)    its steps and masks, in the engine's bits
//   magicertBoards.checkBuffer(board, rows, size) all lookups of one buffer
//
// Names and notations are those of the command: site/generated.py writes them to pieces.js. Sets of squares
// are BigInts, bit s for square s; in the lookups they are lanes of 32 bits, the lowest first.
"use strict";

const magicertBoards = (() => {
  const {Beyond, BadInput} = typeof require === "undefined" ? magicertReading : require("./reading.js");

  const FILES = "abcdefghijklmnopqrstuvwxyz";
  const MOST_SQUARES = 256, LONG_SIDES = 128, LONGEST_SIDE = 16;
  // Of steps that share targets with more blockers than this, no blocker is left out of the least mask.
  const MOST_BLOCKERS = 12;
  // What a browser does in some seconds. The command does more.
  const MOST_LOOKUPS = 1 << 25, MOST_BITS = 24, MOST_LANES = 1 << 26;

  const data = () => globalThis.magicertPieces;

  // -- boards

  const nameOf = (board, square) => FILES[square % board.files] + (Math.floor(square / board.files) + 1);

  function made(files, ranks, text) {
    const squares = files * ranks;
    if (files < 1 || files > FILES.length || ranks < 1) throw new BadInput(`board ${text}: expected 1 to 26 files, and ranks from 1`);
    if (squares > MOST_SQUARES || (squares > LONG_SIDES && Math.max(files, ranks) > LONGEST_SIDE)) {
      throw new BadInput(`board ${text}: ${squares} squares, expected at most 16 a side beyond 128 squares`);
    }
    const word = [64, 128, 256].find((bits) => squares <= bits);
    return {files, ranks, squares, word, text, isHole: new Uint8Array(squares)};
  }

  function corner(board, name) {
    const [, letter, digits] = /^([a-z])([1-9]\d{0,2})$/.exec(name) ?? [];
    const file = letter ? FILES.indexOf(letter) : board.files, rank = Number(digits) - 1;
    if (file >= board.files || rank >= board.ranks) throw new BadInput(`${name} is not on ${board.files}x${board.ranks}: expected a square of it`);
    return [file, rank];
  }

  function parseBoard(text) {
    const hexagon = /^hexagon(\d{1,3})$/.exec(text);
    if (hexagon) {
      const side = Number(hexagon[1]);
      if (side % 2 === 0 || side < 3 || side >= LONGEST_SIDE) throw new BadInput(`board ${text}: expected an odd number from 3 to 15`);
      const board = made(side, side, text);
      board.isHole.forEach((_, square) => {
        if (Math.abs(square % side - Math.floor(square / side)) > side >> 1) board.isHole[square] = 1;
      });
      return board;
    }
    const [, files, ranks, holes] = /^([1-9]\d{0,2})x([1-9]\d{0,2})(?:-(.*))?$/.exec(text) ?? [];
    if (!files) throw new BadInput(`board ${text}: expected files and ranks, such as 12x10, with holes 10x10-d4,d7-e8, or hexagon11`);
    const board = made(Number(files), Number(ranks), text);
    for (const part of holes === undefined ? [] : holes.split(",")) {
      const ends = part.split("-").map((name) => corner(board, name.trim()));
      if (ends.length > 2) throw new BadInput(`board ${text}: ${part}: expected a square, or two corners such as a1-c2`);
      const [[fromFile, fromRank], [toFile, toRank]] = [ends[0], ends[ends.length - 1]];
      for (let rank = Math.min(fromRank, toRank); rank <= Math.max(fromRank, toRank); rank++) {
        for (let file = Math.min(fromFile, toFile); file <= Math.max(fromFile, toFile); file++) {
          board.isHole[rank * board.files + file] = 1;
        }
      }
    }
    if (board.isHole.every(Boolean)) throw new BadInput(`board ${text}: all squares are holes`);
    return board;
  }

  // The names of a board's square orders, a1 first.
  function orders(board) {
    const top = (board.ranks - 1) * board.files;
    const corners = [...new Set([0, board.files - 1, top, top + board.files - 1].map((square) => nameOf(board, square)))];
    return [...corners, ...corners.map((name) => `${name}-files`)];
  }

  // All squares in an order: place -> square.
  function squaresIn(board, order) {
    const {files, ranks} = board, [file, rank] = corner(board, order.replace("-files", ""));
    const across = [...Array(files).keys()].map((n) => (file ? files - 1 - n : n));
    const up = [...Array(ranks).keys()].map((n) => (rank ? ranks - 1 - n : n));
    return order.endsWith("-files")
      ? across.flatMap((f) => up.map((r) => r * files + f))
      : up.flatMap((r) => across.map((f) => r * files + f));
  }

  // -- pieces: a name or Betza's notation, as magicert/betza.py reads it

  const DIRECTIONS = {
    f: ([, up]) => up > 0, b: ([, up]) => up < 0, r: ([across]) => across > 0, l: ([across]) => across < 0,
    v: ([across, up]) => Math.abs(up) > Math.abs(across), s: ([across, up]) => Math.abs(across) > Math.abs(up),
  };

  function allSteps([short, long]) {
    const steps = [];
    for (const [x, y] of [[short, long], [long, short]]) {
      for (const sx of [1, -1]) {
        for (const sy of [1, -1]) {
          const step = [x * sx, y * sy].map((n) => n || 0);
          if (!steps.some(([a, b]) => a === step[0] && b === step[1])) steps.push(step);
        }
      }
    }
    return steps;
  }

  function chosen(notation, letters, leap) {
    const refuse = () => {
      throw new BadInput(`${notation}: ${letters}: expected other directions`);
    };
    let steps = allSteps(leap);
    if (!letters) return steps;
    if ([...letters].some((letter) => !DIRECTIONS[letter])) refuse();
    const oblique = leap[0] > 0 && leap[0] < leap[1];
    let rest = letters;
    if (oblique && !/^[vs]+$/.test(letters)) {
      if (!/^(?:ff|bb|ll|rr)+$/.test(letters)) refuse();
      steps = steps.filter((step) => [...letters].some(
        (letter) => DIRECTIONS[letter](step) && DIRECTIONS["fb".includes(letter) ? "v" : "s"](step)));
      rest = "";
    }
    if (leap[0] === 0) {
      steps = steps.filter((step) => [...rest].some((letter) => DIRECTIONS[letter](step)));
    } else {
      if (!oblique && /[vs]/.test(rest)) refuse();
      const axes = ["fb", "lr"].map((axis) => [...rest].filter((letter) => axis.includes(letter)));
      steps = steps.filter((step) =>
        axes.every((axis) => !axis.length || axis.some((letter) => DIRECTIONS[letter](step))) &&
        [...rest].every((letter) => !"vs".includes(letter) || DIRECTIONS[letter](step)));
    }
    if (!steps.length) refuse();
    return steps;
  }

  function atomsOf(notation, [, letters, capital, doubled, digits]) {
    const refuse = (what) => {
      throw new BadInput(`${notation}: ${what}`);
    };
    const {leaps} = data();
    const sliders = {R: ["W"], B: ["F"], Q: ["W", "F"]};
    const parts = sliders[capital] ?? (capital === "K" ? ["W", "F"] : [capital]);
    if (parts.some((part) => !leaps[part])) refuse(`unknown ${capital}`);
    const rules = [...letters].filter((letter) => "npg".includes(letter));
    const rest = letters.replace(/[npg]/g, "");
    if (rules.length > 1) refuse("expected one of n, p, g");
    const [rule] = rules, slides = Boolean(sliders[capital] || doubled);
    if (doubled && (sliders[capital] || capital === "K")) refuse(`${capital} goes on without being doubled`);
    const number = digits ? Number(digits) : null;
    let limit = number ?? (slides ? 0 : 1), kind = "rider";
    if (rule === "n") {
      if (slides || number !== null) refuse("a lame leaper makes one step");
      [kind, limit] = ["lame leaper", 0];
    } else if (rule) {
      kind = "hopper";
      if (!slides && number === null) refuse("a hopper needs a line");
      if (rule === "g" && number !== null) refuse("g lands right behind the hurdle");
      limit = rule === "g" ? 1 : number ?? 0;
    }
    return parts.map((part) => ({kind, steps: chosen(notation, rest, leaps[part]), limit, from_target: false}));
  }

  function regionOf(board, text) {
    const ends = text.split("-").map((name) => corner(board, name.trim().toLowerCase()));
    if (ends.length !== 2) throw new BadInput(`region ${text}: expected two corners, such as a1-i5`);
    const [files, ranks] = [0, 1].map((axis) => ends.map((end) => end[axis]).sort((one, other) => one - other));
    return {low: [files[0], ranks[0]], high: [files[1], ranks[1]]};
  }

  function regionsOf(board, texts) {
    const regions = [...new Set(texts)].map((text) => regionOf(board, text));
    regions.forEach((one, place) => {
      for (const other of regions.slice(place + 1)) {
        if ([0, 1].every((axis) => Math.max(one.low[axis], other.low[axis]) <= Math.min(one.high[axis], other.high[axis]))) {
          throw new BadInput("regions overlap: expected one for a square");
        }
      }
    });
    return regions;
  }

  function parsePiece(text, board) {
    const [bare, ...areas] = text.split("@");
    if (areas.length > 1) throw new BadInput(`${text}: expected one @`);
    const regions = areas.length ? regionsOf(board, areas[0].trim().split(/[,\s]+/)) : [];
    const {names, hexagonal, fromTarget} = data();
    if (Object.hasOwn(hexagonal, bare)) return {atoms: hexagonal[bare], regions, text};
    const notation = Object.hasOwn(names, bare) ? names[bare] : bare, found = /([a-z]*)([A-Z])(\2?)(\d*)/y;
    let atoms = [];
    while (found.lastIndex < notation.length) {
      const from = found.lastIndex, parsed = found.exec(notation);
      if (!parsed) throw new BadInput(`${text}: ${notation.slice(from)} is not Betza's notation, and no piece's name`);
      atoms.push(...atomsOf(notation, parsed));
    }
    if (!atoms.length) throw new BadInput(`${text}: expected a piece`);
    if (fromTarget.includes(bare)) atoms = atoms.map((atom) => ({...atom, from_target: true}));
    return {atoms, regions, text};
  }

  // What a piece does, in whatever words: its steps one by one, and its regions.
  const stepsOf = ({atoms}) => new Set(atoms.flatMap((atom) => atom.steps.map(
    ([across, up]) => `${atom.kind} ${across} ${up} ${atom.limit} ${Boolean(atom.from_target)}`)));
  const isLeap = ({kind, limit}) => kind === "rider" && limit === 1;

  // -- a piece on a board, in the bits of an engine: the steps of each bit's square, and its masks

  function legsBetween([file, rank], [lastFile, lastRank]) {
    const legs = [];
    for (;;) {
      const across = Math.abs(lastFile - file), up = Math.abs(lastRank - rank);
      const [right, high] = [Math.sign(lastFile - file), Math.sign(lastRank - rank)];
      if (across >= up) file += right;
      if (up >= across) rank += high;
      if (file === lastFile && rank === lastRank) return legs;
      legs.push([file, rank]);
    }
  }

  const setOf = (bits) => bits.reduce((set, bit) => set | 1n << BigInt(bit), 0n);
  function bitsOf(set) {
    const bits = [];
    for (let bit = 0; set; bit++, set >>= 1n) if (set & 1n) bits.push(bit);
    return bits;
  }

  // What one step attacks, with `occupied` a set; and the same into lanes, with an array of bits.
  function attacksOf({kind, limit, targets, legs}, occupied) {
    const holds = (bit) => (occupied >> BigInt(bit) & 1n) === 1n;
    if (kind === "lame leaper") return legs.some(holds) ? 0n : setOf(targets);
    let attacks = 0n, hurdles = 0, behind = 0;
    for (const target of targets) {
      const blocked = holds(target);
      if (kind === "rider" || hurdles) {
        attacks |= 1n << BigInt(target);
        if (blocked || (kind === "hopper" && ++behind === limit)) break;
      } else if (blocked) {
        hurdles = 1;
      }
    }
    return attacks;
  }

  function placed(board, piece, order) {
    const {files, ranks} = board, square = squaresIn(board, order), bit = new Array(board.squares);
    square.forEach((one, place) => (bit[one] = place));
    const inside = (file, rank) => file >= 0 && file < files && rank >= 0 && rank < ranks && !board.isHole[rank * files + file];
    const holds = ({low, high}, file, rank) => low[0] <= file && file <= high[0] && low[1] <= rank && rank <= high[1];
    const found = [];
    for (let place = 0; place < board.squares; place++) {
      const one = square[place], file = one % files, rank = Math.floor(one / files);
      if (board.isHole[one]) {
        found.push(null);
        continue;
      }
      const around = piece.regions.filter((region) => holds(region, file, rank));
      const allowed = (f, r) => !piece.regions.length || around.some((region) => holds(region, f, r));
      const steps = [], crossed = [];
      for (const {kind, steps: vectors, limit, from_target: turned} of piece.atoms) {
        for (const [across, up] of vectors) {
          const targets = [];
          let f = file + across, r = rank + up;
          const most = kind === "lame leaper" ? 1 : kind === "rider" && limit ? limit : Infinity;
          for (; inside(f, r) && allowed(f, r) && targets.length < most; f += across, r += up) targets.push(bit[r * files + f]);
          let legs = [];
          if (kind === "lame leaper") {
            const target = [file + across, rank + up];
            if (!inside(...target)) continue;
            const between = legsBetween(...(turned ? [target, [file, rank]] : [[file, rank], target]));
            if (!between.every(([x, y]) => inside(x, y))) continue;
            legs = between.map(([x, y]) => bit[y * files + x]);
            crossed.push(...legs);
          } else {
            crossed.push(...targets);
          }
          if (targets.length) steps.push({kind, limit, targets, legs, blockers: kind === "lame leaper" ? legs : targets.slice(0, -1)});
        }
      }
      const edge = setOf([...Array(board.squares).keys()].filter((other) => {
        const x = other % files, y = Math.floor(other / files);
        return (x !== file && (x === 0 || x === files - 1)) || (y !== rank && (y === 0 || y === ranks - 1));
      }).map((other) => bit[other]));
      const region = setOf([...Array(board.squares).keys()].filter(
        (other) => !board.isHole[other] && allowed(other % files, Math.floor(other / files))).map((other) => bit[other]));
      const least = leastMask(steps);
      found.push({steps, least, usual: setOf([...new Set(crossed)]) & region & ~edge | least});
    }
    return found;
  }

  // The blockers that matter. Steps with a target in common may hide them from each other.
  function leastMask(steps) {
    let bundles = [];
    for (const step of steps) {
      let targets = setOf(step.targets), bundle = [step];
      for (const other of bundles.filter((one) => one.targets & targets)) {
        targets |= other.targets;
        bundle = [...other.steps, ...bundle];
      }
      bundles = [...bundles.filter((one) => !(one.targets & targets)), {targets, steps: bundle}];
    }
    let least = 0n;
    for (const {steps: joint} of bundles) {
      const blockers = [...new Set(joint.flatMap((step) => step.blockers))];
      if (joint.length === 1 || blockers.length > MOST_BLOCKERS) {
        least |= setOf(blockers);
        continue;
      }
      const attacks = [];
      for (let number = 0; number < 1 << blockers.length; number++) {
        const occupied = setOf(blockers.filter((_, place) => number >> place & 1));
        attacks.push(joint.reduce((all, step) => all | attacksOf(step, occupied), 0n));
      }
      blockers.forEach((blocker, place) => {
        if (attacks.some((set, number) => set !== attacks[number | 1 << place])) least |= 1n << BigInt(blocker);
      });
    }
    return least;
  }

  // -- lookups

  const lanesOf = (value, lanes) => Uint32Array.from({length: lanes}, (_, lane) => Number(value >> BigInt(32 * lane) & 0xffffffffn));

  // The bits of the multiplicand that an occupied bit sets: itself, or by the fold x | x >> 63 into words of 64 bits.
  const multiplicand = (scheme, bit) => (scheme !== "folded" ? [bit] : [...(bit < 64 ? [bit] : []), ...(bit > 62 && bit < 127 ? [bit - 63] : [])]);

  // A row's lookups: `at` is where its square is looked up, with mask, magic, `bits` and the formula's word.
  // An index is the top bits of a sum, one summand for each occupied square of the mask and a constant.
  function summands({mask, magic, scheme, width}, board) {
    const lanes = Math.ceil(width / 32), spare = BigInt(32 * lanes - width), whole = (1n << BigInt(32 * lanes)) - 1n;
    const product = (factor) => factor * magic << spare & whole;
    const seen = new Set();
    const terms = new Map(bitsOf(mask).map((bit) => {
      const places = multiplicand(scheme, bit);
      if (places.some((place) => seen.has(place))) throw new Beyond("a fold that moves two squares of a mask to one bit");
      places.forEach((place) => seen.add(place));
      const term = product(setOf(places));
      return [bit, [lanesOf(term, lanes), lanesOf(whole + 1n - term & whole, lanes)]];
    }));
    const constant = scheme === "black" ? (1n << BigInt(board.word)) - 1n & ~mask : 0n;
    return {lanes, terms, start: lanesOf(product(constant), lanes)};
  }

  // Calls `seen(n, index, attacks)` for all occupancies of the squares in `trial`, in Gray's order: number n
  // differs from the one before in one square. Stops where it returns false.
  function walk(row, board, trial, seen) {
    const {lanes, terms, start} = summands(row, board), sum = Float64Array.from(start);
    const occupied = new Uint8Array(board.squares), attacks = new Uint32Array(board.word >> 5);
    const {steps} = row.on, {bits} = row;
    const kinds = steps.map(({kind}) => (kind === "rider" ? 0 : kind === "hopper" ? 1 : 2));
    const size = 2 ** trial.length;
    for (let n = 0; n < size; n++) {
      if (n) {
        const bit = trial[31 - Math.clz32(n & -n)], term = terms.get(bit);
        occupied[bit] ^= 1;
        if (term) {
          const add = term[occupied[bit] ? 0 : 1];
          let carry = 0;
          for (let lane = 0; lane < lanes; lane++) {
            const total = sum[lane] + add[lane] + carry;
            carry = total > 0xffffffff ? 1 : 0;
            sum[lane] = carry ? total - 0x100000000 : total;
          }
        }
      }
      attacks.fill(0);
      for (let number = 0; number < steps.length; number++) {
        const {limit, targets, legs} = steps[number];
        if (kinds[number] === 2) {
          let barred = 0;
          for (const leg of legs) barred |= occupied[leg];
          if (!barred) attacks[targets[0] >> 5] |= 1 << (targets[0] & 31);
        } else if (kinds[number] === 0) {
          for (let at = 0; at < targets.length; at++) {
            const target = targets[at];
            attacks[target >> 5] |= 1 << (target & 31);
            if (occupied[target]) break;
          }
        } else {
          let hurdles = 0, behind = 0;
          for (let at = 0; at < targets.length; at++) {
            const target = targets[at];
            if (hurdles) {
              attacks[target >> 5] |= 1 << (target & 31);
              if (occupied[target] || ++behind === limit) break;
            } else {
              hurdles = occupied[target];
            }
          }
        }
      }
      if (!seen(n, bits ? sum[lanes - 1] >>> (32 - bits) : 0, attacks)) return;
    }
  }

  // How many indexes a row's formula can reach: with an empty mask, or a small magic, fewer than its bits say.
  function reachOf({mask, magic, bits, scheme, width}, board) {
    const most = scheme === "black" ? (1n << BigInt(board.word)) - 1n : setOf(bitsOf(mask).flatMap((bit) => multiplicand(scheme, bit)));
    const product = most * magic, long = product ? product.toString(2).length : 0;
    return 2 ** Math.max(0, Math.min(long, width) - (width - bits));
  }

  // The squares whose occupancy may matter to a lookup.
  const trialOf = (row) => bitsOf(row.mask | row.on.least);
  const occupancyOf = (trial, n) => setOf(trial.filter((_, place) => (n ^ n >>> 1) >>> place & 1));

  // Whether a row keeps different attack sets apart; bits of up to MOST_BITS.
  let slots = new Uint32Array(0), filled = new Uint32Array(0), stamp = 0;
  function rowIsValid(row, board) {
    const lanes = board.word >> 5, size = 2 ** row.bits;
    if (slots.length < size * lanes) slots = new Uint32Array(size * lanes);
    if (filled.length < size) filled = new Uint32Array(size);
    stamp++;
    let good = true;
    walk(row, board, trialOf(row), (n, index, attacks) => {
      const at = index * lanes;
      if (filled[index] !== stamp) {
        filled[index] = stamp;
        slots.set(attacks, at);
      }
      for (let lane = 0; lane < lanes; lane++) good &&= slots[at + lane] === attacks[lane];
      return good;
    });
    return good;
  }

  // A row as its lookup shows it.
  function shown(row, trial, n, index, attacks) {
    let set = 0n;
    attacks.forEach((lane, place) => (set |= BigInt(lane) << BigInt(32 * place)));
    return {row, occupancy: occupancyOf(trial, n), index, slot: row.offset + index, attacks: set};
  }

  // All lookups of one buffer: rows with an offset, a `limit` of indexes, and what `walk` needs. Rows whose slots
  // overlap are looked at together, all others one by one.
  function checkBuffer(board, rows, declared) {
    const lanes = board.word >> 5, found = {lookups: 0, length: 0, used: 0, findings: []};
    const sorted = [...rows].sort((one, other) => one.offset - other.offset);
    const groups = [];
    let end = -1;
    for (const row of sorted) {
      if (row.bits > MOST_BITS) throw new Beyond(`an index of ${row.bits} bits is beyond this page`);
      if (row.offset >= end || !groups.length) groups.push([]);
      groups[groups.length - 1].push(row);
      end = Math.max(end, row.offset + row.reach);
    }
    for (const group of groups) {
      const first = group[0].offset, size = Math.max(...group.map((row) => row.offset + row.reach)) - first;
      if (size * lanes > MOST_LANES) throw new Beyond("a buffer of so many slots is beyond this page");
      const slots = new Uint32Array(size * lanes), owner = new Int32Array(size).fill(-1), by = new Uint32Array(size);
      group.sort((one, other) => one.place - other.place);
      const trials = group.map(trialOf);
      group.forEach((row, number) => {
        const trial = trials[number];
        if (trial.length > MOST_BITS) throw new Beyond(`a lookup that ${trial.length} squares may change is beyond this page`);
        found.lookups += 2 ** trial.length;
        let wrong = 0, outside = 0, simplest = null;
        walk(row, board, trial, (n, index, attacks) => {
          const slot = row.offset + index, at = slot - first;
          if (index >= row.limit || (declared !== null && slot >= declared)) {
            if (!outside++) simplest = {cost: -1, seen: [shown(row, trial, n, index, attacks)]};
            return true;
          }
          if (owner[at] < 0) {
            owner[at] = number;
            by[at] = n;
            slots.set(attacks, at * lanes);
            found.used++;
            if (slot >= found.length) found.length = slot + 1;
            return true;
          }
          let same = true;
          for (let lane = 0; lane < lanes; lane++) same &&= slots[at * lanes + lane] === attacks[lane];
          if (same) return true;
          wrong++;
          const other = group[owner[at]], cost = popcount(n ^ n >>> 1) + popcount(by[at] ^ by[at] >>> 1);
          if (!simplest || cost < simplest.cost) {
            const there = slots.slice(at * lanes, (at + 1) * lanes);
            simplest = {cost, seen: [shown(row, trial, n, index, attacks),
              shown(other, trials[owner[at]], by[at], slot - other.offset, there)]};
          }
          return true;
        });
        if (simplest) found.findings.push({kind: outside ? "outside" : "conflict", count: outside || wrong, lookups: simplest.seen, place: row.place});
      });
    }
    found.findings.sort((one, other) => one.place - other.place);
    return found;
  }

  function popcount(word) {
    let count = 0;
    for (; word; word &= word - 1) count++;
    return count;
  }

  // How many attack sets the lookups of a square have.
  function setsOf(row, board) {
    const sets = new Set();
    walk(row, board, trialOf(row), (n, index, attacks) => sets.add(attacks.join()));
    return sets.size;
  }

  return {MOST_LOOKUPS, MOST_BITS, nameOf, parseBoard, orders, squaresIn, parsePiece, regionsOf,
    stepsOf, isLeap, placed, bitsOf, setOf, attacksOf, rowIsValid, reachOf, checkBuffer, setsOf, trialOf};
})();

if (typeof module !== "undefined") module.exports = magicertBoards;
