$heading
%% for pieces
%% for columns
%% if place

const ${PIECE}_$COLUMN = [
$items
];
%% else
%% for halves

const ${PIECE}_${COLUMN}_$HALF = Uint32Array.of(
$items
);
%% end
%% end
%% end
%% end
%% include helpers.mjs
%% for buffers
%% if small

const $array = $kind.from([
$items
]);
%% else
%% for halves
%% if literal

const ${array}_$HALF = Uint32Array.from([
$items
]);
%% else

const ${array}_$HALF = new Uint32Array($length);
%% end
%% end
%% end
%% end
%% for lookups
%% if mirror

export function $called(square, high, low) {
  if (square < 32) return $lower_called(square, high, low);
  const [top, bottom] = $lower_called(square ^ 56, swapBytes(low) >>> 0, swapBytes(high) >>> 0);
  return [swapBytes(bottom) >>> 0, swapBytes(top) >>> 0];
}
%% else

function ${piece}Slot(square, high, low) {
  return $slot;
}

// The squares that a $piece on a square attacks, as [high, low].
%% if public
export function $called(square, high, low) {
%% else
function $called(square, high, low) {
%% end
  const slot = $entry;
  return [$high_word, $low_word];
}
%% end
%% end
%% if not literal

function walk(square, high, low, steps) {
  const attacks = [0, 0], occupied = [high, low];
  for (const [byFile, byRank] of steps) {
    let file = (square & 7) + byFile, rank = (square >> 3) + byRank;
    while (file >= 0 && file < 8 && rank >= 0 && rank < 8) {
      const word = rank > 3 ? 0 : 1, bit = (1 << ((8 * rank + file) & 31)) >>> 0;
      attacks[word] = (attacks[word] | bit) >>> 0;
      if (occupied[word] & bit) break;
      file += byFile;
      rank += byRank;
    }
  }
  return attacks;
}
%% for pieces

for (let square = 0; square < $squares; square++) {
  const maskHigh = ${PIECE}_MASK_HIGH[square], maskLow = ${PIECE}_MASK_LOW[square];
  let high = 0, low = 0;
  do {
    const steps = [$steps];
    const [attacksHigh, attacksLow] = walk(square, high, low, steps);
    const slot = ${piece}Slot(square, high, low);
    const empty = ${array}_HIGH[slot] === 0 && ${array}_LOW[slot] === 0;
    const same = ${array}_HIGH[slot] === attacksHigh && ${array}_LOW[slot] === attacksLow;
    if (!(empty || same)) throw new Error("a write would change an entry of the buffer");
    ${array}_HIGH[slot] = attacksHigh;
    ${array}_LOW[slot] = attacksLow;
    const borrow = low < maskLow ? 1 : 0;
    low = ((low - maskLow) & maskLow) >>> 0;
    high = ((high - maskHigh - borrow) & maskHigh) >>> 0;
  } while (high !== 0 || low !== 0);
}
%% end
%% end
