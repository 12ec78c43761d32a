//! Stands in for `bitflags`: a type of one number, its flags, and the operations of sets.
#![no_std]

#[cfg(major = "1")]
#[doc(hidden)]
#[macro_export]
macro_rules! its_struct {
    ($($given:tt)*) => {
        #[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)] // as of the first version alone
        $($given)*
    };
}
#[cfg(not(major = "1"))]
#[doc(hidden)]
#[macro_export]
macro_rules! its_struct {
    ($($given:tt)*) => { $($given)* };
}

#[macro_export]
macro_rules! bitflags {
    () => {};
    (
        $(#[$attribute:meta])* $seen:vis struct $name:ident : $kind:ty {
            $($(#[$inner:meta])* const $flag:ident = $value:expr;)*
        }
        $($rest:tt)*
    ) => {
        $crate::its_struct! { $(#[$attribute])* $seen struct $name { bits: $kind, } }
        #[allow(dead_code, non_upper_case_globals)]
        impl $name {
            $($(#[$inner])* pub const $flag: Self = Self { bits: $value };)*
            #[inline]
            pub const fn empty() -> Self { Self { bits: 0 } }
            #[inline]
            pub const fn all() -> Self { Self { bits: 0 $(| Self::$flag.bits)* } }
            #[inline]
            pub const fn bits(&self) -> $kind { self.bits }
            #[inline]
            pub const fn from_bits(bits: $kind) -> ::core::option::Option<Self> {
                if bits & !Self::all().bits == 0 {
                    ::core::option::Option::Some(Self { bits })
                } else {
                    ::core::option::Option::None
                }
            }
            #[inline]
            pub const fn from_bits_truncate(bits: $kind) -> Self {
                Self { bits: bits & Self::all().bits }
            }
            #[inline]
            pub const fn from_bits_retain(bits: $kind) -> Self { Self { bits } }
            #[inline]
            pub const fn is_empty(&self) -> bool { self.bits == 0 }
            #[inline]
            pub const fn is_all(&self) -> bool { Self::all().bits | self.bits == self.bits }
            #[inline]
            pub const fn intersects(&self, other: Self) -> bool { self.bits & other.bits != 0 }
            #[inline]
            pub const fn contains(&self, other: Self) -> bool { self.bits & other.bits == other.bits }
            #[inline]
            pub fn insert(&mut self, other: Self) { self.bits |= other.bits }
            #[inline]
            pub fn remove(&mut self, other: Self) { self.bits &= !other.bits }
            #[inline]
            pub fn toggle(&mut self, other: Self) { self.bits ^= other.bits }
            #[inline]
            pub fn set(&mut self, other: Self, value: bool) {
                if value { self.insert(other) } else { self.remove(other) }
            }
            #[inline]
            pub const fn intersection(self, other: Self) -> Self { Self { bits: self.bits & other.bits } }
            #[inline]
            pub const fn union(self, other: Self) -> Self { Self { bits: self.bits | other.bits } }
            #[inline]
            pub const fn difference(self, other: Self) -> Self { Self { bits: self.bits & !other.bits } }
            #[inline]
            pub const fn symmetric_difference(self, other: Self) -> Self { Self { bits: self.bits ^ other.bits } }
            #[inline]
            pub const fn complement(self) -> Self { Self::from_bits_truncate(!self.bits) }
        }
        impl ::core::ops::BitOr for $name {
            type Output = Self;
            #[inline]
            fn bitor(self, other: Self) -> Self { self.union(other) }
        }
        impl ::core::ops::BitOrAssign for $name {
            #[inline]
            fn bitor_assign(&mut self, other: Self) { self.bits |= other.bits }
        }
        impl ::core::ops::BitAnd for $name {
            type Output = Self;
            #[inline]
            fn bitand(self, other: Self) -> Self { self.intersection(other) }
        }
        impl ::core::ops::BitAndAssign for $name {
            #[inline]
            fn bitand_assign(&mut self, other: Self) { self.bits &= other.bits }
        }
        impl ::core::ops::BitXor for $name {
            type Output = Self;
            #[inline]
            fn bitxor(self, other: Self) -> Self { self.symmetric_difference(other) }
        }
        impl ::core::ops::BitXorAssign for $name {
            #[inline]
            fn bitxor_assign(&mut self, other: Self) { self.bits ^= other.bits }
        }
        impl ::core::ops::Sub for $name {
            type Output = Self;
            #[inline]
            fn sub(self, other: Self) -> Self { self.difference(other) }
        }
        impl ::core::ops::SubAssign for $name {
            #[inline]
            fn sub_assign(&mut self, other: Self) { self.bits &= !other.bits }
        }
        impl ::core::ops::Not for $name {
            type Output = Self;
            #[inline]
            fn not(self) -> Self { self.complement() }
        }
        $crate::bitflags! { $($rest)* }
    };
}
