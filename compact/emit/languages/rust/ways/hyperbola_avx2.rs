/// occupied - square runs to the first blocker above; on the board with its ranks swapped, to the
/// first one below. Lines go two or four at a time: diagonal, antidiagonal, file. Ranks, which a
/// byte swap does not turn round, are looked up in 512 bytes.
#[inline]
fn swapped(words: __m256i) -> __m256i {
    unsafe {
        let two = _mm_set_epi8(8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7);
        _mm256_shuffle_epi8(words, _mm256_broadcastsi128_si256(two))
    }
}

#[inline]
fn along_rank(square: usize, occ: u64) -> u64 {
    let first = square & 56;
    (ROW[(square & 7) << 6 | (occ >> first >> 1 & 63) as usize] as u64) << first
}

/// The squares that a rook on `square` attacks; the bits of `occ` are the occupied squares.
#[inline]
pub fn rook_attacks(square: usize, occ: u64) -> u64 {
    let (line, bit) = (LINES.0[square][2], 1u64 << square);
    let above = (occ & line).wrapping_sub(bit);
    let below = (occ & line).swap_bytes().wrapping_sub(bit.swap_bytes());
    (above ^ below.swap_bytes()) & line | along_rank(square, occ)
}

/// The squares that a bishop on `square` attacks; the bits of `occ` are the occupied squares.
#[inline]
pub fn bishop_attacks(square: usize, occ: u64) -> u64 {
    unsafe {
        let order = _mm_set_epi8(8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7);
        let line = _mm_load_si128(LINES.0[square].as_ptr().cast());
        let bit = _mm_set1_epi64x((1u64 << square) as i64);
        let on = _mm_and_si128(_mm_set1_epi64x(occ as i64), line);
        let from = _mm_sub_epi64(_mm_shuffle_epi8(on, order), _mm_shuffle_epi8(bit, order));
        let ends = _mm_xor_si128(_mm_sub_epi64(on, bit), _mm_shuffle_epi8(from, order));
        let both = _mm_and_si128(ends, line);
        (_mm_cvtsi128_si64(both) | _mm_extract_epi64(both, 1)) as u64
    }
}

/// The squares that a queen on `square` attacks; the bits of `occ` are the occupied squares.
#[inline]
pub fn queen_attacks(square: usize, occ: u64) -> u64 {
    unsafe {
        let line = _mm256_load_si256(LINES.0[square].as_ptr().cast());
        let bit = _mm256_set1_epi64x((1u64 << square) as i64);
        let on = _mm256_and_si256(_mm256_set1_epi64x(occ as i64), line);
        let below = swapped(_mm256_sub_epi64(swapped(on), swapped(bit)));
        let ends = _mm256_xor_si256(_mm256_sub_epi64(on, bit), below);
        let four = _mm256_and_si256(ends, line);
        let high = _mm256_extracti128_si256(four, 1);
        let two = _mm_or_si128(_mm256_castsi256_si128(four), high);
        let one = _mm_or_si128(two, _mm_unpackhi_epi64(two, two));
        _mm_cvtsi128_si64(one) as u64 | along_rank(square, occ)
    }
}
