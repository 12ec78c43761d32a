//! Stands in for `nonmax`: numbers that are never the largest of their type.
#![no_std]

macro_rules! numbers {
    ($($name:ident $kind:ident $inner:ident;)*) => {
        $(
            #[derive(Clone, Copy, PartialEq, Eq, Hash)]
            #[repr(transparent)]
            pub struct $name(core::num::$inner);

            impl $name {
                pub const ZERO: $name = unsafe { Self::new_unchecked(0) };
                pub const ONE: $name = unsafe { Self::new_unchecked(1) };
                pub const MAX: $name = unsafe { Self::new_unchecked($kind::MAX - 1) };
                #[inline]
                pub const fn new(number: $kind) -> Option<Self> {
                    match core::num::$inner::new(number ^ $kind::MAX) {
                        Some(inner) => Some($name(inner)),
                        None => None,
                    }
                }
                #[inline]
                pub const unsafe fn new_unchecked(number: $kind) -> Self {
                    $name(unsafe { core::num::$inner::new_unchecked(number ^ $kind::MAX) })
                }
                #[inline]
                pub const fn get(&self) -> $kind {
                    self.0.get() ^ $kind::MAX
                }
            }

            impl From<$name> for $kind {
                #[inline]
                fn from(one: $name) -> $kind {
                    one.get()
                }
            }

            impl Default for $name {
                #[inline]
                fn default() -> Self {
                    Self::ZERO
                }
            }

            impl Ord for $name {
                #[inline]
                fn cmp(&self, other: &Self) -> core::cmp::Ordering {
                    self.get().cmp(&other.get())
                }
            }

            impl PartialOrd for $name {
                #[inline]
                fn partial_cmp(&self, other: &Self) -> Option<core::cmp::Ordering> {
                    Some(self.cmp(other))
                }
            }

            impl core::fmt::Debug for $name {
                fn fmt(&self, to: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                    self.get().fmt(to)
                }
            }

            impl core::fmt::Display for $name {
                fn fmt(&self, to: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                    self.get().fmt(to)
                }
            }
        )*
    };
}

numbers! {
    NonMaxU8 u8 NonZeroU8;
    NonMaxU16 u16 NonZeroU16;
    NonMaxU32 u32 NonZeroU32;
    NonMaxU64 u64 NonZeroU64;
    NonMaxUsize usize NonZeroUsize;
}
