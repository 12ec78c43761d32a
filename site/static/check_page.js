// The page around check.js: a paste in, a verdict with boards out. Whatever comes from the paste
// is put into the page as text, never as markup.
"use strict";

(() => {
  const {check, ORDERS, LARGEST} = magicertCheck;
  const CHESS = {files: 8, ranks: 8, holes: []};
  const SVG = "http://www.w3.org/2000/svg";
  const byId = (name) => document.getElementById(name);

  function made(tag, attributes = {}, ...inside) {
    const node = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
    node.append(...inside);
    return node;
  }

  function drawn(tag, attributes, ...inside) {
    const node = document.createElementNS(SVG, tag);
    for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
    node.append(...inside);
    return node;
  }

  const area = (squares, inset, {files, ranks}) => squares.map((square) => {
    const x = 1 + square % files, y = ranks - 1 - Math.floor(square / files), side = 1 - 2 * inset;
    return `M${x + inset} ${y + inset}h${side}v${side}h${-side}z`;
  }).join("");

  // A piece's board; squares that only this position attacks are framed.
  function board({piece, square, blockers, attacked}, differing, size) {
    const {files, ranks, holes} = size, all = [...Array(files * ranks).keys()];
    const dark = all.filter((one) => (one % files + Math.floor(one / files)) % 2 === 0);
    const picture = drawn("svg", {class: "board", viewBox: `0 0 ${files + 1} ${ranks + 1}`, role: "img"},
      drawn("rect", {class: "light", x: 1, y: 0, width: files, height: ranks}),
      drawn("path", {class: "dark", d: area(dark, 0, size)}));
    if (holes.length) picture.append(drawn("path", {class: "hole", d: area(holes, 0, size)}));
    for (let place = 0; place < files; place++) {
      picture.append(drawn("text", {class: "name", x: 1.5 + place, y: ranks + 0.7}, magicertBoards.nameOf(size, place).slice(0, 1)));
    }
    for (let place = 0; place < ranks; place++) {
      picture.append(drawn("text", {class: "name", x: 0.5, y: 0.65 + place}, String(ranks - place)));
    }
    picture.append(drawn("path", {class: "attacked", d: area(attacked, 0.12, size)}));
    if (differing.length) picture.append(drawn("path", {class: "differs", d: area(differing, 0.06, size)}));
    const corner = (one) => [1 + one % files, ranks - 1 - Math.floor(one / files)];
    const spot = (one, name, r) => {
      const [x, y] = corner(one);
      return drawn("circle", {class: name, cx: x + 0.5, cy: y + 0.5, r});
    };
    picture.append(...blockers.map((one) => spot(one, "blocker", 0.24)), spot(square, "slider", 0.42));
    const [x, y] = corner(square);
    picture.append(drawn("text", {class: "letter", x: x + 0.5, y: y + 0.68}, piece[0].toUpperCase()));
    return picture;
  }

  const names = (squares, size) => squares.map((one) => magicertBoards.nameOf(size, one)).join(" ") || "none";

  // A square with its place in the list, and its bit where that is another number.
  const placed = ({piece, square, entry, bit}, size) =>
    `${piece} ${magicertBoards.nameOf(size, square)} (entry ${entry}${bit === entry ? "" : `, bit ${bit}`})`;

  function finding({kind, count, lookups: seen, place}, layered, size) {
    const line = place ? `line ${place.line}: ${place.token}, ` : "";
    const where = line + [...new Set(seen.map((one) => placed(one, size)))].join(" and ");
    const what = kind === "outside"
      ? `slot ${seen[0].slot} is outside (${count.toLocaleString("en")} lookups)`
      : `two positions share slot ${seen[0].slot} but ${layered ? "want one of its bits differently" : "attack different squares"} (${count.toLocaleString("en")} lookups)`;
    const common = seen[0].attacked.filter((one) => seen.every(({attacked}) => attacked.includes(one)));
    const figures = seen.map((lookup) => made("figure", {},
      board(lookup, seen.length > 1 ? lookup.attacked.filter((one) => !common.includes(one)) : [], size),
      made("figcaption", {}, `${placed(lookup, size)}, blockers ${names(lookup.blockers, size)}: ` +
        `index ${lookup.index}, attack set ${lookup.attacks}`)));
    return [made("h3", {}, where), made("p", {}, what), made("div", {class: "pair"}, ...figures)];
  }

  const COMMAND = "magicert verify my-engine.toml";

  // What would make the paste valid, with a button that puts it there.
  function offered({changes, text}) {
    const button = made("button", {type: "button"}, "apply it, and check again");
    button.addEventListener("click", () => {
      byId("paste").value = text;
      run();
    });
    const lines = changes.map(({piece, square, line, token, by}) =>
      made("li", {}, `line ${line}, ${piece} ${magicertBoards.nameOf(CHESS, square)}: `, made("code", {}, token), " becomes ", made("code", {}, by)));
    return [made("h3", {}, "Repair"), made("ul", {}, ...lines), made("p", {}, button)];
  }

  // The board and pieces that the lists may be for, with a button that fills the fields.
  function suggestion({board: size, wanted}) {
    const button = made("button", {type: "button"}, `check them as ${size}, ${wanted}`);
    button.addEventListener("click", () => {
      byId("board").value = size;
      byId("pieces").value = wanted;
      run();
    });
    return made("p", {}, button);
  }

  function shown(found) {
    const size = found.files ? found : CHESS;
    if (!found.table) {
      return [
        ...(found.wanted ? [suggestion(found)] : []),
        made("p", {class: "verdict unknown"}, `${found.verdict}, run the command: ${found.message}`),
        made("p", {}, "The command line (", made("a", {href: "install.html"}, "how to install it"),
          ") reads sources in any language, and every formula:"),
        made("pre", {}, found.command ?? "magicert verify src/bitboard.cpp"),
      ];
    }
    const {findings} = found;
    const only = found.pieces.length === 1 && !found.files ? ` (${found.pieces[0]}s only)` : "";
    const count = (n) => n.toLocaleString("en");
    const parts = [
      made("p", {class: `verdict ${["valid", "invalid"].includes(found.verdict) ? found.verdict : "unknown"}`},
        `${found.verdict}${found.verdict.startsWith("not") ? ", run the command (magicert verify FILE)" : ""}${only}: ${count(found.lookups)} lookups, ` +
        `${count(found.slots)} slots, ${count(found.used)} used, ${count(found.slots - found.used)} free`),
      ...(found.doubts.length ? [made("p", {}, "The command reads the whole file. This page has not read:"),
        made("ul", {}, ...found.doubts.slice(0, 6).map((doubt) => made("li", {}, doubt))),
        made("p", {}, findings.length ? "" : "The lists that it took certify by themselves:")] : []),
      made("p", {}, !findings.length
        ? `For every square and every occupancy of its mask, ${found.layered
          ? "no bit of a slot is wanted both ways (result: word & line). "
          : "no slot is reached with two different attack sets. "}`
        : `${findings.length} ${findings.length === 1 ? "square has" : "squares have"} lookups that yield a wrong attack set` +
          (found.verdict === "invalid" || found.doubts.length ? ". " : ", if the bits were guessed right. If few squares are wrong, their " +
          "magics are wrong, or the engine has other shifts there: choose them above. "),
      `Index: ${[...new Set(Object.values(found.schemes))].join(" and ")}. `,
      found.guesses.length ? `Assumed: ${found.guesses.join("; ")}. Is that what your engine does?` : ""),
    ];
    if (found.open.length) {
      parts.push(made("p", {}, "Not known to this page:"), made("ul", {}, ...found.open.map((text) => made("li", {}, text))));
    }
    for (const one of findings.slice(0, 6)) parts.push(...finding(one, found.layered, size));
    if (found.repair) parts.push(...offered(found.repair));
    if (findings.length > 6) parts.push(made("p", {}, `... and ${findings.length - 6} more squares`));
    if (found.fewer.length) {
      const rows = found.fewer.map(({bits, own, known, magic, ...where}) => made("tr", {},
        made("td", {}, placed(where, size)), made("td", {}, String(bits)),
        made("td", {}, own < bits ? String(own) : ""),
        made("td", {}, known !== null && known < own ? `${known}: ${magic}` : "")));
      parts.push(made("h3", {}, `${found.fewer.length} squares could have fewer bits`),
        made("p", {}, "Put the magic into the entry that is named, with its bits or shift; all offsets behind it move. " +
          "An engine with one shift for all squares gains nothing."),
        made("table", {}, made("tr", {}, ...["square", "bits", "this magic needs", "best known"].map((t) => made("th", {}, t))), ...rows));
    }
    parts.push(made("h3", {}, "Keep it"),
      made("p", {}, "Save this as my-engine.toml; the command line repeats the verdict, writes a certificate, and packs the table:"),
      made("pre", {}, COMMAND), made("pre", {id: "table"}, found.table));
    return parts;
  }

  const encoded = (text) => btoa(String.fromCharCode(...new TextEncoder().encode(text)))
    .replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
  const decoded = (text) => new TextDecoder().decode(
    Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (c) => c.charCodeAt(0)));

  // A file's text goes into the field, as if it had been pasted.
  async function take(file) {
    if (!file) return;
    if (file.size > LARGEST) {
      byId("answer").replaceChildren(made("p", {class: "verdict unknown"}, `not read: ${file.name} has more than 16 MiB`));
      return;
    }
    byId("paste").value = await file.text();
    run();
  }

  function run() {
    const answer = byId("answer");
    const wish = {order: byId("order").value, scheme: byId("scheme").value, shifts: byId("shifts").value,
      board: byId("board").value, pieces: byId("pieces").value};
    const began = performance.now();
    const found = check(byId("paste").value, wish, globalThis.magicertAtlas ?? null);
    const took = performance.now() - began;
    answer.dataset.verdict = found.verdict;
    answer.dataset.milliseconds = took.toFixed(0);
    answer.replaceChildren(...shown(found), made("p", {class: "quiet"}, `${took.toFixed(0)} ms in this browser; nothing was sent anywhere`));
    byId("link").hidden = true;
    if (found.table) {
      history.replaceState(null, "", `#t=${encoded(found.table)}`);
      byId("link").href = location.href;
      byId("link").hidden = false;
    }
  }

  function fromLink() {
    const given = /^#t=([\w-]+)$/.exec(location.hash);
    if (!given) return;
    try {
      byId("paste").value = decoded(given[1]);
    } catch {
      return;
    }
    run();
  }

  addEventListener("DOMContentLoaded", () => {
    byId("order").append(made("option", {value: ""}, "find them"));
    for (const order of ORDERS) byId("order").append(made("option", {value: order}, `bit 0 is ${order.slice(0, 2)}${order.endsWith("files") ? ", along the file" : ""}`));
    byId("check").addEventListener("click", run);
    byId("file").addEventListener("change", () => take(byId("file").files[0]));
    const paste = byId("paste");
    paste.addEventListener("dragover", (event) => event.preventDefault());
    paste.addEventListener("drop", (event) => {
      if (!event.dataTransfer.files.length) return;
      event.preventDefault();
      take(event.dataTransfer.files[0]);
    });
    byId("clear").addEventListener("click", () => {
      for (const field of [paste, byId("board"), byId("pieces")]) field.value = "";
      byId("answer").replaceChildren();
      paste.focus();
    });
    addEventListener("hashchange", fromLink);
    fromLink();
    if (!paste.value) {
      paste.value = globalThis.magicertExample ?? "";
      if (paste.value) run();
    }
  });
})();
