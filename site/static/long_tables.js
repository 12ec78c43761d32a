// Tables of many rows: a field that filters them, and columns that sort at a click.
"use strict";

const LONG = 20;

const number = (text) => (/^[~<]?[\d.,]+/.test(text) ? Number(text.replace(/[^\d.]/g, "")) : NaN);

function compare(one, other) {
  const values = [number(one), number(other)];
  if (values.some(Number.isNaN)) return one.localeCompare(other, "en", { numeric: true });
  return values[0] - values[1];
}

function sort(table, rows, column, heads) {
  const head = heads[column];
  const down = head.getAttribute("aria-sort") === "ascending";
  const text = (row) => row.cells[column].textContent.trim();
  const filled = rows.filter((row) => text(row) !== "");
  filled.sort((one, other) => (down ? -1 : 1) * compare(text(one), text(other)));
  for (const each of heads) each.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", down ? "descending" : "ascending");
  table.tBodies[0].append(...filled, ...rows.filter((row) => text(row) === ""));
}

function enliven(table) {
  const rows = [...table.tBodies[0].rows];
  const heads = [...table.tHead.rows[0].cells];
  const field = document.createElement("input");
  const count = document.createElement("output");
  const bar = document.createElement("p");
  field.type = "search";
  field.placeholder = "filter";
  field.setAttribute("aria-label", "show only rows with these words");
  const show = () => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const row of rows) {
      const text = row.textContent.toLowerCase();
      row.hidden = !words.every((word) => text.includes(word));
    }
    count.textContent = `${rows.filter((row) => !row.hidden).length} of ${rows.length} rows`;
  };
  field.addEventListener("input", show);
  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.textContent = head.textContent;
    button.addEventListener("click", () => sort(table, rows, column, heads));
    head.replaceChildren(button);
  });
  bar.className = "filter";
  bar.append(field, " ", count);
  const wrapper = table.closest(".table-wrapper, .wide") ?? table;
  wrapper.before(bar);
  table.classList.add("long");
  document.body.classList.add("has-long-table");
  show();
}

addEventListener("DOMContentLoaded", () => {
  for (const table of document.querySelectorAll("article[role=main] table")) {
    const heads = [...(table.tHead?.rows[0].cells ?? [])];
    const named = heads.length > 0 && heads.every((head) => head.textContent.trim());
    if (named && table.tBodies[0].rows.length > LONG) enliven(table);
  }
});
