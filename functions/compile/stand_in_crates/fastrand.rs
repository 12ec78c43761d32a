//! Stands in for `fastrand`: it gives other numbers (SplitMix64). Those of a seed are the same in
//! each run; those without one are not, as with the crate: what is made of them nobody knows.

extern crate rand;

use rand::{mixed, unknown};
use std::cell::Cell;
use std::ops::{Bound, RangeBounds};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rng {
    state: u64,
}

macro_rules! numbers {
    ($($kind:ident)*) => {
        impl Rng {
            $(
                #[inline]
                pub fn $kind(&mut self, range: impl RangeBounds<$kind>) -> $kind {
                    let first = match range.start_bound() {
                        Bound::Included(n) => *n as i128,
                        Bound::Excluded(n) => *n as i128 + 1,
                        Bound::Unbounded => $kind::MIN as i128,
                    };
                    let behind = match range.end_bound() {
                        Bound::Included(n) => *n as i128 + 1,
                        Bound::Excluded(n) => *n as i128,
                        Bound::Unbounded => $kind::MAX as i128 + 1,
                    };
                    assert!(first < behind, "empty range");
                    (first + (self.next() as u128 % (behind - first) as u128) as i128) as $kind
                }
            )*
        }
        $(
            #[inline]
            pub fn $kind(range: impl RangeBounds<$kind>) -> $kind {
                with_own(|rng| rng.$kind(range))
            }
        )*
    };
}

numbers! { u8 u16 u32 u64 usize i8 i16 i32 i64 isize }

impl Rng {
    #[inline]
    pub fn new() -> Self {
        Rng { state: unknown() }
    }
    #[inline]
    pub const fn with_seed(seed: u64) -> Self {
        Rng { state: seed }
    }
    #[inline]
    fn next(&mut self) -> u64 {
        let given = mixed(self.state);
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        given
    }
    #[inline]
    pub fn seed(&mut self, seed: u64) {
        self.state = seed;
    }
    #[inline]
    pub fn bool(&mut self) -> bool {
        self.next() >> 63 != 0
    }
    #[inline]
    pub fn f64(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }
    #[inline]
    pub fn f32(&mut self) -> f32 {
        (self.next() >> 40) as f32 / (1u64 << 24) as f32
    }
    #[inline]
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for place in (1..items.len()).rev() {
            items.swap(place, (self.next() % (place as u64 + 1)) as usize);
        }
    }
}

impl Default for Rng {
    #[inline]
    fn default() -> Self {
        Self::new()
    }
}

thread_local! {
    static OWN: Cell<u64> = Cell::new(unknown());
}

#[inline]
fn with_own<T>(given: impl FnOnce(&mut Rng) -> T) -> T {
    let mut rng = Rng { state: OWN.with(Cell::get) };
    let result = given(&mut rng);
    OWN.with(|own| own.set(rng.state));
    result
}

#[inline]
pub fn bool() -> bool {
    with_own(Rng::bool)
}

#[inline]
pub fn f64() -> f64 {
    with_own(Rng::f64)
}

#[inline]
pub fn f32() -> f32 {
    with_own(Rng::f32)
}

#[inline]
pub fn seed(seed: u64) {
    OWN.with(|own| own.set(seed));
}

#[inline]
pub fn shuffle<T>(items: &mut [T]) {
    with_own(|rng| rng.shuffle(items))
}
