// What a paste says: numbers, lists, table files, and what of it this page has not read.
"use strict";

const magicertReading = (() => {
  class Beyond extends Error {}
  class BadInput extends Error {}

  function number(text) {
    const bare = text.replace(/[_']/g, "").replace(/(u(8|16|32|64|128)?|i64|[ul]+|n)$/i, "");
    // Negative numbers are how languages without unsigned words write large ones.
    return bare[0] === "-" ? (1n << 64n) - BigInt(bare.slice(1)) : BigInt(bare);
  }

  // Comments become blanks, so that places stay the same; what stands in strings is none.
  const withoutComments = (text) => text.replace(/\/\*[^]*?\*\/|\/\/[^\n]*|"(?:\\.|[^"\\\n])*"/g,
    (found) => (found[0] === "/" ? found.replace(/[^\n]/g, " ") : found));

  // The tree of brackets: each node with its items, and the words before it. `open` is what
  // stands outside of all brackets.
  function tree(bare) {
    const token = /-?0[xX][\da-fA-F_']+(?:u128|u64|i64|[uUlLn]+)?|-\d{9,}[lLn]*|\d[\d_']*(?:u128|u64|i64|[uUlLn]+)?(?![\w.])|[A-Za-z_$]\w*|[[\](){}]|[,;=]/g;
    const found = [], open = [{items: [[]], name: "", own: []}], ends = new Map();
    let words = [];
    for (const {0: piece, index} of bare.matchAll(token)) {
      const top = open[open.length - 1];
      if ("([{".includes(piece)) {
        open.push({items: [[]], name: words.slice(-6).join(" "), own: [], start: index,
          from: open.length > 1 ? open[1].start : index});
      } else if (")]}".includes(piece)) {
        if (open.length === 1) continue;
        open.pop();
        top.end = index + 1;
        if (open.length === 1) ends.set(top.start, top.end);
        if (!top.items[top.items.length - 1].length) top.items.pop();
        found.push(top);
        const outer = open[open.length - 1];
        outer.items[outer.items.length - 1].push(...top.items.flat());
        if (open.length === 1 && top.items.length > 8) words = [];  // a length, as in [64], ends no name
      } else if (piece === "," || piece === ";") {
        top.items.push([]);
        if (open.length === 1 && piece === ";") words = [];
      } else if (/^-?\d/.test(piece)) {
        top.items[top.items.length - 1].push(number(piece));
        top.own.push(number(piece));
      } else if (piece !== "=") {
        words.push(piece);
      }
    }
    return {found, open, ends};
  }

  // A part of TOML, as table files use it.
  function toml(text) {
    const token = /"((?:[^"\\\n]|\\.)*)"|#[^\n]*|[A-Za-z_][\w-]*|-?0x[\da-fA-F_]+|-?\d[\d_]*|[[\]{},=]|\S/g;
    const pieces = [...text.matchAll(token)].filter(([piece]) => piece[0] !== "#");
    const file = {};
    let section = file, at = 0;
    // A statement begins a line.
    const begins = () => {
      const last = pieces[at - 1], from = last ? last.index + last[0].length : 0;
      if (last && !text.slice(from, pieces[at].index).includes("\n")) throw new BadInput(`${pieces[at][0]}: expected a line of its own`);
    };
    const value = () => {
      const [piece, inside] = pieces[at++] ?? [""];
      if (piece === "[") {
        const list = [];
        while (pieces[at] && pieces[at][0] !== "]") {
          list.push(value());
          if (pieces[at]?.[0] === ",") at++;
          else if (pieces[at]?.[0] !== "]") throw new BadInput("a list: expected a comma, or ]");
        }
        if (!pieces[at++]) throw new BadInput("a list without its end");
        return list;
      }
      if (piece === "{") {
        const section = {};
        while (pieces[at] && pieces[at][0] !== "}") {
          const [key] = pieces[at++];
          if (!/^[A-Za-z_][\w-]*$/.test(key) || pieces[at++]?.[0] !== "=" || Object.hasOwn(section, key)) throw new BadInput(`${key}: expected key = value`);
          section[key] = value();
          if (pieces[at]?.[0] === ",") at++;
          else if (pieces[at]?.[0] !== "}") throw new BadInput("expected a comma, or }");
        }
        if (!pieces[at++]) throw new BadInput("{ without its end");
        return section;
      }
      if (piece === "true" || piece === "false") return piece === "true";
      if (inside !== undefined) return JSON.parse(piece);
      if (/^-?(?:0|[1-9](?:_?\d)*)$|^0x[\da-fA-F](?:_?[\da-fA-F])*$/.test(piece)) return BigInt(piece.replace(/_/g, ""));
      throw new BadInput(`${piece || "the end"}: expected a value`);
    };
    while (at < pieces.length) {
      begins();
      const [piece] = pieces[at++];
      if (piece === "[") {
        const name = (pieces[at++] ?? [""])[0];
        if (Object.hasOwn(file, name)) throw new BadInput(`[${name}]: given twice`);
        if (!pieces[at] || pieces[at++][0] !== "]") throw new BadInput(`[${name}: expected ]`);
        section = file[name] = {};
      } else if (pieces[at] && pieces[at][0] === "=") {
        at++;
        if (Object.hasOwn(section, piece)) throw new BadInput(`${piece}: given twice`);
        section[piece] = value();
      } else {
        throw new BadInput(`${piece}: expected key = value`);
      }
    }
    return file;
  }

  // What of a paste is not read: why nothing is decided here. The command follows what changes a list,
  // the types, the code; this page knows declarations of lists of bare numbers, and nothing besides.
  const NUMBERS_ONLY = /^(?:\s|[{}[\],]|-?(?:0[xX][\da-fA-F](?:[_']?[\da-fA-F])*|0|[1-9](?:[_']?\d)*)(?:[uU]?[lL]{1,2}[uU]?|[uU]|n|_?u64|_?u128)?(?=[\s,}\]]))*$/;
  const DECLARATION = /=\s*(?:new\s+)?(?:\[\d*\])?\s*(?:u?int(?:8|16|32|64)?|ulong|long|u64|u128|Bitboard|byte)?\s*(?:\[\d*\])*\s*$/;
  // The name that a list is declared with: NAME[64] =, NAME: [u64; 64] =, NAME =.
  const DECLARED = /([A-Za-z_$][\w$]*)\s*(?:\[[^\]]*\]\s*)*(?::[^=]*)?=[^=]*$/;
  // As Go does: NAME [64]uint64 =.
  const DECLARED_BEFORE = /([A-Za-z_]\w*)\s+(?:\[\d*\])+\s*u?int(?:8|16|32|64)?\s*=[^=]*$/;
  // The tables that are filled at start: TYPE NAME[64][512];
  const WITHOUT_NUMBERS = /^[ \t]*(?:static\s+)?(?:unsigned\s+long\s+long|uint64_t|U64|u64)\s+\w+(?:\[\w+\])+;[ \t]*$/gm;
  const WORD = "(?:unsigned\\s+long\\s+long(?:\\s+int)?|(?:std::)?uint64_t|u64)";
  const WORD_NAMED = new RegExp(`^[ \\t]*(?:#define\\s+\\w+\\s+${WORD}|typedef\\s+${WORD}\\s+\\w+;|(?:using|type)\\s+\\w+\\s*=\\s*${WORD};)[ \\t]*$`, "gm");
  const NARROW = /\b(?:u?int|[ui])(?:8|16|32)(?:_t)?\b|\b(?:int|short|char|float|double|byte|bool|number|f32|f64|size_t|unsigned(?!\s+long))\b/i;
  const OTHER_WORDS = /\b(?:typedef|using|type|struct|class|record|union|template|macro|define|operator|def|fn|func|function|map|reverse|mut|alias|extern|volatile)\b/i;
  // Words of more than 64 bits; and a list without a type, of a language whose numbers have no end.
  const WIDE = /\b(?:u128|(?:__)?uint128_t|unsigned\s+__int128|__int128\s+unsigned|Bitboard)\b/;

  // `wholes` are the lists, from start to end; `isLarge` says of a start whether its numbers need a type that
  // `holds` them, by what stands before it.
  function* beside(bare, wholes, isLarge, holds, guessed) {
    const names = [];
    let rest = "", at = 0;
    for (const {start, end} of [...wholes.values()].sort((one, other) => one.start - other.start)) {
      const line = `line ${bare.slice(0, start).split("\n").length}`, head = bare.slice(at, start);
      if (!NUMBERS_ONLY.test(bare.slice(start, end))) yield `${line}: a list of more than bare numbers`;
      if (!DECLARATION.test(head)) yield `${line}: what is done with a list that no declaration holds`;
      if (!/^[ \t]*(?:[;\n]|$)/.test(bare.slice(end))) yield `${line}: what stands behind the list`;
            const named = head.split(/[;}\n]\s*\n/).pop();
      names.push((DECLARED_BEFORE.exec(named) ?? DECLARED.exec(head))?.[1]);
      if (isLarge(start) && (NARROW.test(named) || !holds(head, named))) yield `${line}: whether the type of the list holds its numbers`;
      rest += head;
      at = end;
    }
    rest = (rest + bare.slice(at)).replace(/^\s*#(?:include\s*[<"][\w./+-]+[>"]|pragma\s+once)\s*$/gm, "").replace(WORD_NAMED, "").replace(WITHOUT_NUMBERS, "");
    const enums = rest.replace(/\b(?:SQ_?|SQUARE_?)?[a-h][1-8]\s*=\s*\d+/gi, "");
    const assigned = enums.match(/=/g)?.length ?? 0;
    const numbers = enums.match(/\b\d\w*/g) ?? [];
    const known = enums.replace(/\b[A-Za-z_]\w*\b/g, "");
    if (!/^[\s\d=;,:[\]{}<>*&]*$/.test(known) || OTHER_WORDS.test(enums) || assigned !== wholes.size ||
        numbers.some((one) => !/^\d+$/.test(one) || Number(one) > 256)) {
      yield "the rest of the text, beside the lists";
    }
    if (guessed && /shift|bits|index|width/i.test(enums)) yield "how the index is shifted: no list says it";
    const words = enums.match(/[A-Za-z_$][\w$]*/g) ?? [];
    for (const name of names) {
      if (name && words.filter((word) => word === name).length > 1) yield `where else ${name} is used`;
    }
  }

  return {Beyond, BadInput, number, withoutComments, tree, toml, beside, WIDE};
})();

if (typeof module !== "undefined") module.exports = magicertReading;
