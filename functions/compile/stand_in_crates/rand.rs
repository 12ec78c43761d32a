//! Stands in for `rand`: it gives other numbers (SplitMix64). Those of a seed are the same in each
//! run; those without one are not, as with the crate: what is made of them nobody knows.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::ops::{Range, RangeInclusive};

pub trait RngCore {
    fn next_u64(&mut self) -> u64;
    #[inline]
    fn next_u32(&mut self) -> u32 {
        (self.next_u64() >> 32) as u32
    }
    #[inline]
    fn fill_bytes(&mut self, bytes: &mut [u8]) {
        for byte in bytes {
            *byte = self.next_u64() as u8;
        }
    }
}

impl<R: RngCore + ?Sized> RngCore for &mut R {
    #[inline]
    fn next_u64(&mut self) -> u64 {
        (**self).next_u64()
    }
}

pub trait Given: Sized {
    fn given(number: u64) -> Self;
}

pub trait InRange<T> {
    fn in_range(self, number: u64) -> T;
}

macro_rules! numbers {
    ($($kind:ident)*) => {
        $(
            impl Given for $kind {
                #[inline]
                fn given(number: u64) -> $kind {
                    number as $kind
                }
            }
            impl InRange<$kind> for Range<$kind> {
                #[inline]
                fn in_range(self, number: u64) -> $kind {
                    assert!(self.start < self.end, "cannot sample empty range");
                    let size = (self.end as i128 - self.start as i128) as u128;
                    (self.start as i128 + (number as u128 % size) as i128) as $kind
                }
            }
            impl InRange<$kind> for RangeInclusive<$kind> {
                #[inline]
                fn in_range(self, number: u64) -> $kind {
                    assert!(self.start() <= self.end(), "cannot sample empty range");
                    let size = (*self.end() as i128 - *self.start() as i128) as u128 + 1;
                    (*self.start() as i128 + (number as u128 % size) as i128) as $kind
                }
            }
        )*
    };
}

numbers! { u8 u16 u32 u64 usize i8 i16 i32 i64 isize }

macro_rules! fractions {
    ($($kind:ident)*) => {
        $(
            impl Given for $kind {
                #[inline]
                fn given(number: u64) -> $kind {
                    (number >> 40) as $kind / (1u64 << 24) as $kind
                }
            }
            impl InRange<$kind> for Range<$kind> {
                #[inline]
                fn in_range(self, number: u64) -> $kind {
                    self.start + (self.end - self.start) * <$kind>::given(number)
                }
            }
        )*
    };
}

fractions! { f32 f64 }

impl Given for bool {
    #[inline]
    fn given(number: u64) -> bool {
        number >> 63 != 0
    }
}

impl Given for u128 {
    #[inline]
    fn given(number: u64) -> u128 {
        (number as u128) << 64 | mixed(number) as u128
    }
}

impl<T: Given, const N: usize> Given for [T; N] {
    #[inline]
    fn given(number: u64) -> [T; N] {
        let mut next = number;
        std::array::from_fn(|_| {
            next = mixed(next);
            T::given(next)
        })
    }
}

pub trait RngExt: RngCore {
    #[inline]
    fn r#gen<T: Given>(&mut self) -> T {
        T::given(self.next_u64())
    }
    #[inline]
    fn random<T: Given>(&mut self) -> T {
        T::given(self.next_u64())
    }
    #[inline]
    fn gen_range<T, R: InRange<T>>(&mut self, range: R) -> T {
        range.in_range(self.next_u64())
    }
    #[inline]
    fn random_range<T, R: InRange<T>>(&mut self, range: R) -> T {
        range.in_range(self.next_u64())
    }
    #[inline]
    fn gen_bool(&mut self, share: f64) -> bool {
        f64::given(self.next_u64()) < share
    }
    #[inline]
    fn random_bool(&mut self, share: f64) -> bool {
        f64::given(self.next_u64()) < share
    }
}

impl<R: RngCore + ?Sized> RngExt for R {}

#[cfg(major = "0.10")]
pub use self::RngCore as Rng;
#[cfg(not(major = "0.10"))]
pub use self::RngExt as Rng;

pub trait SeedableRng: Sized {
    type Seed: Sized + Default + AsMut<[u8]>;
    fn from_seed(seed: Self::Seed) -> Self;
    fn seed_from_u64(number: u64) -> Self;
    #[inline]
    fn from_entropy() -> Self {
        Self::seed_from_u64(unknown())
    }
    #[inline]
    fn from_os_rng() -> Self {
        Self::seed_from_u64(unknown())
    }
}

#[doc(hidden)]
#[inline]
pub fn unknown() -> u64 {
    RandomState::new().build_hasher().finish()
}

#[doc(hidden)]
#[inline]
pub fn mixed(number: u64) -> u64 {
    let mut z = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

pub mod rngs {
    use super::{mixed, unknown, RngCore, SeedableRng};

    macro_rules! generators {
        ($($name:ident)*) => {
            $(
                #[derive(Clone, Debug, PartialEq, Eq)]
                pub struct $name {
                    state: u64,
                }
                impl Default for $name {
                    #[inline]
                    fn default() -> Self {
                        $name { state: unknown() }
                    }
                }
                impl RngCore for $name {
                    #[inline]
                    fn next_u64(&mut self) -> u64 {
                        let given = mixed(self.state);
                        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
                        given
                    }
                }
                impl SeedableRng for $name {
                    type Seed = [u8; 32];
                    #[inline]
                    fn from_seed(seed: [u8; 32]) -> Self {
                        let number = seed.iter().fold(0, |sum: u64, byte| mixed(sum) ^ *byte as u64);
                        $name { state: number }
                    }
                    #[inline]
                    fn seed_from_u64(number: u64) -> Self {
                        $name { state: number }
                    }
                }
            )*
        };
    }

    generators! { StdRng SmallRng ThreadRng OsRng }
}

#[inline]
pub fn thread_rng() -> rngs::ThreadRng {
    rngs::ThreadRng::default()
}

#[inline]
pub fn rng() -> rngs::ThreadRng {
    rngs::ThreadRng::default()
}

#[inline]
pub fn random<T: Given>() -> T {
    T::given(unknown())
}

pub mod seq {
    use super::RngCore;

    pub trait SliceRandom {
        type Item;
        fn choose<R: RngCore + ?Sized>(&self, rng: &mut R) -> Option<&Self::Item>;
        fn shuffle<R: RngCore + ?Sized>(&mut self, rng: &mut R);
    }

    impl<T> SliceRandom for [T] {
        type Item = T;
        #[inline]
        fn choose<R: RngCore + ?Sized>(&self, rng: &mut R) -> Option<&T> {
            if self.is_empty() { None } else { self.get((rng.next_u64() % self.len() as u64) as usize) }
        }
        #[inline]
        fn shuffle<R: RngCore + ?Sized>(&mut self, rng: &mut R) {
            for place in (1..self.len()).rev() {
                self.swap(place, (rng.next_u64() % (place as u64 + 1)) as usize);
            }
        }
    }

    pub use self::SliceRandom as IndexedRandom;
}

pub mod prelude {
    pub use super::rngs::{SmallRng, StdRng, ThreadRng};
    pub use super::seq::SliceRandom;
    pub use super::{random, rng, thread_rng, Rng, RngCore, RngExt, SeedableRng};
}
