$heading
%% for pieces
%% for columns

%% if place
const ${PIECE}_$COLUMN$numbers = [
%% else
const ${PIECE}_$COLUMN$words = [
%% end
$items
];
%% end
%% end
%% for buffers

%% if wide_words
const $array$words = [
$items
];
%% else
%% if literal
%% if typed
const $array: $kind = $kind.from([
%% else
const $array = $kind.from([
%% end
$items
]);
%% else
%% if typed
const $array: $kind = new $kind($length);
%% else
const $array = new $kind($length);
%% end
%% end
%% end
%% end
%% include helpers.mjs
%% for lookups

%% if occ_argument
/** The squares that $a_piece on a square attacks; the bits of occ are the occupied squares. */
%% else
/** The squares that $a_piece on a square attacks. */
%% end
%% if public
export function $called(square$number$occ_parameter)$bigint {
%% else
function $called(square$number$occ_parameter)$bigint {
%% end
  return $expression;
}
%% end
%% if not literal

function walk(square$number, occ$bigint, steps$steps_type)$bigint {
  let attacks = 0n;
  for (const [byFile, byRank] of steps) {
    let file = (square & 7) + byFile, rank = (square >> 3) + byRank;
    while (file >= 0 && file < 8 && rank >= 0 && rank < 8) {
      const bit = 1n << BigInt(8 * rank + file);
      attacks |= bit;
      if (occ & bit) break;
      file += byFile;
      rank += byRank;
    }
  }
  return attacks;
}
%% for pieces

for (let square = 0; square < $squares; square++) {
  const mask = $mask;
  let occ = 0n;
  do {
    const attacks = walk(square, occ, [$steps]);
    const slot = $slot;
    if (!(slot < $array.length) || ($array[slot] !== 0n && $array[slot] !== attacks))
      throw new Error("a write would change an entry of the buffer");
    $array[slot] = attacks;
    occ = BigInt.asUintN(64, occ - mask) & mask;
  } while (occ !== 0n);
}
%% end
%% end
