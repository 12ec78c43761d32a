//! Stands in for `num_traits`; `num_derive`'s derives are written beside each type (`derives.py`).
#![no_std]

pub trait FromPrimitive: Sized {
    fn from_i64(number: i64) -> Option<Self>;
    fn from_u64(number: u64) -> Option<Self>;
    #[inline]
    fn from_isize(number: isize) -> Option<Self> { Self::from_i64(number as i64) }
    #[inline]
    fn from_i8(number: i8) -> Option<Self> { Self::from_i64(number as i64) }
    #[inline]
    fn from_i16(number: i16) -> Option<Self> { Self::from_i64(number as i64) }
    #[inline]
    fn from_i32(number: i32) -> Option<Self> { Self::from_i64(number as i64) }
    #[inline]
    fn from_usize(number: usize) -> Option<Self> { Self::from_u64(number as u64) }
    #[inline]
    fn from_u8(number: u8) -> Option<Self> { Self::from_u64(number as u64) }
    #[inline]
    fn from_u16(number: u16) -> Option<Self> { Self::from_u64(number as u64) }
    #[inline]
    fn from_u32(number: u32) -> Option<Self> { Self::from_u64(number as u64) }
}

pub trait ToPrimitive {
    fn to_i64(&self) -> Option<i64>;
    fn to_u64(&self) -> Option<u64>;
    #[inline]
    fn to_isize(&self) -> Option<isize> { self.to_i64().and_then(|n| isize::try_from(n).ok()) }
    #[inline]
    fn to_i8(&self) -> Option<i8> { self.to_i64().and_then(|n| i8::try_from(n).ok()) }
    #[inline]
    fn to_i16(&self) -> Option<i16> { self.to_i64().and_then(|n| i16::try_from(n).ok()) }
    #[inline]
    fn to_i32(&self) -> Option<i32> { self.to_i64().and_then(|n| i32::try_from(n).ok()) }
    #[inline]
    fn to_usize(&self) -> Option<usize> { self.to_u64().and_then(|n| usize::try_from(n).ok()) }
    #[inline]
    fn to_u8(&self) -> Option<u8> { self.to_u64().and_then(|n| u8::try_from(n).ok()) }
    #[inline]
    fn to_u16(&self) -> Option<u16> { self.to_u64().and_then(|n| u16::try_from(n).ok()) }
    #[inline]
    fn to_u32(&self) -> Option<u32> { self.to_u64().and_then(|n| u32::try_from(n).ok()) }
}

pub mod cast {
    pub use super::{FromPrimitive, ToPrimitive};
}
