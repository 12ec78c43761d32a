//! Stands in for `bytemuck`: values that are looked at as others, or as bytes. Its derives are
//! written beside each type (`derives.py`).
#![no_std]

extern crate alloc;

use core::mem::{align_of, align_of_val, size_of, size_of_val};

pub unsafe trait Zeroable: Sized {
    #[inline]
    fn zeroed() -> Self {
        unsafe { core::mem::zeroed() }
    }
}
pub unsafe trait Pod: Zeroable + Copy + 'static {}
pub unsafe trait AnyBitPattern: Zeroable + Copy + 'static {}
pub unsafe trait NoUninit: Sized + Copy + 'static {}
unsafe impl<T: Pod> AnyBitPattern for T {}
unsafe impl<T: Pod> NoUninit for T {}

include!("parts/derives.rs");
derives! { Pod Zeroable AnyBitPattern NoUninit }

macro_rules! plain {
    ($($kind:ty)*) => {
        $(
            unsafe impl Zeroable for $kind {}
            unsafe impl Pod for $kind {}
        )*
    };
}

plain! { () u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize f32 f64 }
unsafe impl Zeroable for bool {}
unsafe impl Zeroable for char {}
unsafe impl<T: Zeroable, const N: usize> Zeroable for [T; N] {}
unsafe impl<T: Pod, const N: usize> Pod for [T; N] {}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PodCastError {
    TargetAlignmentGreaterAndInputNotAligned,
    OutputSliceWouldHaveSlop,
    SizeMismatch,
    AlignmentMismatch,
}

/// How many of a type fit in bytes at an address; an error where they do not.
#[inline]
fn many<B>(address: usize, bytes: usize) -> Result<usize, PodCastError> {
    if address % align_of::<B>() != 0 {
        return Err(PodCastError::TargetAlignmentGreaterAndInputNotAligned);
    }
    match size_of::<B>() {
        0 if bytes == 0 => Ok(0),
        0 => Err(PodCastError::SizeMismatch),
        size if bytes % size == 0 => Ok(bytes / size),
        _ => Err(PodCastError::OutputSliceWouldHaveSlop),
    }
}

#[inline]
pub fn zeroed<T: Zeroable>() -> T {
    T::zeroed()
}

#[inline]
pub fn zeroed_box<T: Zeroable>() -> alloc::boxed::Box<T> {
    let layout = alloc::alloc::Layout::new::<T>();
    if layout.size() == 0 {
        return alloc::boxed::Box::new(T::zeroed());
    }
    unsafe {
        let place = alloc::alloc::alloc_zeroed(layout);
        if place.is_null() {
            alloc::alloc::handle_alloc_error(layout);
        }
        alloc::boxed::Box::from_raw(place as *mut T)
    }
}

#[inline]
pub fn try_cast<A: NoUninit, B: AnyBitPattern>(a: A) -> Result<B, PodCastError> {
    if size_of::<A>() != size_of::<B>() {
        return Err(PodCastError::SizeMismatch);
    }
    Ok(unsafe { core::mem::transmute_copy(&a) })
}

#[inline]
pub fn try_cast_ref<A: NoUninit, B: AnyBitPattern>(a: &A) -> Result<&B, PodCastError> {
    if size_of::<A>() != size_of::<B>() {
        return Err(PodCastError::SizeMismatch);
    }
    many::<B>(a as *const A as usize, size_of::<A>())?;
    Ok(unsafe { &*(a as *const A as *const B) })
}

#[inline]
pub fn try_cast_slice<A: NoUninit, B: AnyBitPattern>(a: &[A]) -> Result<&[B], PodCastError> {
    let count = many::<B>(a.as_ptr() as usize, size_of_val(a))?;
    Ok(unsafe { core::slice::from_raw_parts(a.as_ptr() as *const B, count) })
}

#[inline]
pub fn try_cast_slice_mut<A: NoUninit + AnyBitPattern, B: NoUninit + AnyBitPattern>(
    a: &mut [A],
) -> Result<&mut [B], PodCastError> {
    let count = many::<B>(a.as_ptr() as usize, size_of_val(a))?;
    Ok(unsafe { core::slice::from_raw_parts_mut(a.as_mut_ptr() as *mut B, count) })
}

#[inline]
pub fn try_from_bytes<T: AnyBitPattern>(bytes: &[u8]) -> Result<&T, PodCastError> {
    if bytes.len() != size_of::<T>() {
        return Err(PodCastError::SizeMismatch);
    }
    many::<T>(bytes.as_ptr() as usize, bytes.len())?;
    Ok(unsafe { &*(bytes.as_ptr() as *const T) })
}

#[inline]
pub fn try_pod_read_unaligned<T: AnyBitPattern>(bytes: &[u8]) -> Result<T, PodCastError> {
    if bytes.len() != size_of::<T>() {
        return Err(PodCastError::SizeMismatch);
    }
    Ok(unsafe { (bytes.as_ptr() as *const T).read_unaligned() })
}

#[inline]
pub fn cast<A: NoUninit, B: AnyBitPattern>(a: A) -> B {
    try_cast(a).unwrap()
}

#[inline]
pub fn cast_ref<A: NoUninit, B: AnyBitPattern>(a: &A) -> &B {
    try_cast_ref(a).unwrap()
}

#[inline]
pub fn cast_slice<A: NoUninit, B: AnyBitPattern>(a: &[A]) -> &[B] {
    try_cast_slice(a).unwrap()
}

#[inline]
pub fn cast_slice_mut<A: NoUninit + AnyBitPattern, B: NoUninit + AnyBitPattern>(
    a: &mut [A],
) -> &mut [B] {
    try_cast_slice_mut(a).unwrap()
}

#[inline]
pub fn from_bytes<T: AnyBitPattern>(bytes: &[u8]) -> &T {
    try_from_bytes(bytes).unwrap()
}

#[inline]
pub fn pod_read_unaligned<T: AnyBitPattern>(bytes: &[u8]) -> T {
    try_pod_read_unaligned(bytes).unwrap()
}

#[inline]
pub fn bytes_of<T: NoUninit>(one: &T) -> &[u8] {
    unsafe { core::slice::from_raw_parts(one as *const T as *const u8, size_of_val(one)) }
}

/// As `cast`, of what the compiler knows to be of one size.
#[inline]
pub const fn must_cast<A: NoUninit, B: AnyBitPattern>(a: A) -> B {
    union Both<A: Copy, B: Copy> {
        from: A,
        to: B,
    }
    const { assert!(size_of::<A>() == size_of::<B>()) };
    unsafe { Both { from: a }.to }
}

#[inline]
pub fn must_cast_ref<A: NoUninit, B: AnyBitPattern>(a: &A) -> &B {
    const { assert!(size_of::<A>() == size_of::<B>() && align_of::<A>() >= align_of::<B>()) };
    debug_assert!(align_of_val(a) >= align_of::<B>());
    unsafe { &*(a as *const A as *const B) }
}
