// A BigInt goes in and out; what computes is its two halves of 32 bits, which takes far less time.
const WORD = new BigUint64Array(1), HALVES = new Int32Array(WORD.buffer);
const LOW = 1 - new Uint8Array(Int32Array.of(1).buffer)[0], HIGH = 1 - LOW;

%% for lists
%% if small
const $NAME = $kind.from([
$items
]);
%% else
const $NAME = new Int32Array($kind.from([
$items
]).buffer);
%% end

%% end
$body

/** The squares that a queen on a square attacks; the bits of occ are the occupied squares. */
export function queenAttacks(square$number, occ$bigint)$bigint {
  return rookAttacks(square, occ) | bishopAttacks(square, occ);
}
