//! Stands in for `nodrop`.
#![no_std]

pub struct NoDrop<T>(core::mem::ManuallyDrop<T>);

impl<T> NoDrop<T> {
    #[inline]
    pub fn new(value: T) -> Self {
        NoDrop(core::mem::ManuallyDrop::new(value))
    }
}

impl<T> core::ops::Deref for NoDrop<T> {
    type Target = T;
    #[inline]
    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> core::ops::DerefMut for NoDrop<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut T {
        &mut self.0
    }
}
