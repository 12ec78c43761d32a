
/// A bit for each square, as words of 64 bits, the lowest first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct $bitboard(pub [u64; 4]);

#[allow(dead_code)]
impl $bitboard {
    fn by_word(self, other: Self, word: impl Fn(u64, u64) -> u64) -> Self {
        Self(core::array::from_fn(|n| word(self.0[n], other.0[n])))
    }

    fn carried(self, other: Self, word: impl Fn(u64, u64) -> (u64, bool)) -> Self {
        let (mut result, mut carry) = (self, 0);
        for n in 0..4 {
            let (first, over) = word(self.0[n], other.0[n]);
            let (second, also) = word(first, carry);
            result.0[n] = second;
            carry = u64::from(over | also);
        }
        result
    }

    pub fn wrapping_add(self, other: Self) -> Self {
        self.carried(other, u64::overflowing_add)
    }

    pub fn wrapping_sub(self, other: Self) -> Self {
        self.carried(other, u64::overflowing_sub)
    }

    pub fn wrapping_neg(self) -> Self {
        Self::default().wrapping_sub(self)
    }

    /// The lowest 256 bits of the product.
    pub fn wrapping_mul(self, other: Self) -> Self {
        let mut product = [0u64; 4];
        for m in 0..4 {
            let mut sum = 0u128;
            for n in 0..4 - m {
                sum += u128::from(self.0[m]) * u128::from(other.0[n]) + u128::from(product[m + n]);
                product[m + n] = sum as u64;
                sum >>= 64;
            }
        }
        Self(product)
    }

    pub fn count_ones(self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// 256 if there are no ones.
    pub fn trailing_zeros(self) -> u32 {
        let word = self.0.iter().position(|&word| word != 0);
        word.map_or(256, |n| 64 * n as u32 + self.0[n].trailing_zeros())
    }
}

impl core::ops::BitAnd for $bitboard {
    type Output = Self;
    fn bitand(self, other: Self) -> Self {
        self.by_word(other, |x, y| x & y)
    }
}

impl core::ops::BitOr for $bitboard {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        self.by_word(other, |x, y| x | y)
    }
}

impl core::ops::BitXor for $bitboard {
    type Output = Self;
    fn bitxor(self, other: Self) -> Self {
        self.by_word(other, |x, y| x ^ y)
    }
}

impl core::ops::Not for $bitboard {
    type Output = Self;
    fn not(self) -> Self {
        Self(self.0.map(|word| !word))
    }
}

impl core::ops::Shl<u64> for $bitboard {
    type Output = Self;
    fn shl(self, by: u64) -> Self {
        let (far, by) = ((by / 64) as usize, by & 63);
        let mut moved = Self::default();
        for n in far..4 {
            moved.0[n] = self.0[n - far] << by;
            if by != 0 && n > far {
                moved.0[n] |= self.0[n - far - 1] >> (64 - by);
            }
        }
        moved
    }
}

impl core::ops::Shr<u64> for $bitboard {
    type Output = Self;
    fn shr(self, by: u64) -> Self {
        let (far, by) = ((by / 64) as usize, by & 63);
        let mut moved = Self::default();
        for n in far..4 {
            moved.0[n - far] = self.0[n] >> by;
            if by != 0 && n < 3 {
                moved.0[n - far] |= self.0[n + 1] << (64 - by);
            }
        }
        moved
    }
}
