/** Adds to a word of a sum, and what it carries to those above. */
function add(sum, word, more) {
  sum[word] += more;
  if (sum[word] < more) add(sum, word + 1, 1);
}

/**
 * The bits of a magic's ones, for a mask given by its squares: with
 * ((occupied & mask) * magic) >> ($width - bits) different occupancies of the mask have different
 * indexes. null where it was not built; always so with fewer bits than squares.
 *
 * A one in the magic, at bit t, moves the square b to bit b + t of the product, whose top bits
 * are the index. The place of a square is the lowest index bit that some one moves it to. Ones
 * are chosen for the squares from the highest down, so that all get different places, and so
 * that what falls below the index adds up to less than 1 of it: no carry comes up. Then the
 * index is a sum of numbers v_b, each an odd multiple of 2^place, and two occupancies differ in
 * it at the lowest place of the squares in which they differ.
 */
export function construct(squares, bits) {
  const downwards = [...squares].sort((a, b) => b - a), low = $width - bits;
  if (bits < 1 || bits > 31 || squares.length > bits) return null;
  let first, left;

  /** One more: null if two squares would share a place, or a carry could come up. */
  function addOne({ placed, free, below, ones }, one) {
    const sum = Uint32Array.from(below);
    for (let n = placed; n < downwards.length; n++) {
      const bit = downwards[n] + one;
      if (bit < low) {
        add(sum, bit >> 5, 2 ** (bit & 31));
        if (has(sum, low)) return null;
      } else {
        if (!(free >>> (bit - low) & 1)) return null;
        free &= ~(1 << (bit - low));
        placed++;
      }
    }
    return { placed, free, below: sum, ones: [...ones, one] };
  }

  /** The magic that goes on from these ones, or null. */
  function complete(so) {
    if (so.placed === downwards.length) return so.ones;
    left--;
    for (let n = 0; n < bits && left >= 0; n++) {
      const one = low + (first + bits - n) % bits - downwards[so.placed];
      const more = one < 0 ? null : addOne(so, one);
      const found = more && complete(more);
      if (found) return found;
    }
    return null;
  }

  for (first = bits - 1; first >= 0; first--) {
    left = 200;
    const ones = complete({ placed: 0, free: 2 ** bits - 1, below: new Uint32Array(5), ones: [] });
    if (ones) return ones;
  }
  return null;
}

