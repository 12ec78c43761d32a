// Marks the bits of a number on boards whose squares carry the numbers of their bits.
"use strict";

addEventListener("DOMContentLoaded", () => {
  const field = document.getElementById("number");
  const mark = () => {
    const text = field.value.trim().replace(/_/g, "");
    const good = /^(0x[\da-f]{1,16}|\d{1,20})$/i.test(text) && BigInt(text) >> 64n === 0n;
    field.setCustomValidity(good || !text ? "" : "a number of up to 64 bits");
    for (const square of document.querySelectorAll(".board text.first")) {
      const on = good && (BigInt(text) >> BigInt(square.textContent) & 1n) === 1n;
      square.classList.toggle("on", on);
    }
  };
  field.addEventListener("input", mark);
  field.value = decodeURIComponent(location.hash.slice(1));
  mark();
});
