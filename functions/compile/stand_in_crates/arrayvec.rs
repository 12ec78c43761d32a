//! Stands in for `arrayvec`.

use std::borrow::{Borrow, BorrowMut};
use std::fmt;
use std::iter::FromIterator;
use std::mem::MaybeUninit;
use std::ops::{Deref, DerefMut};

pub struct CapacityError<T = ()> {
    given: T,
}

impl<T> CapacityError<T> {
    #[inline]
    pub fn element(self) -> T {
        self.given
    }
}

impl<T> fmt::Debug for CapacityError<T> {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str("CapacityError")
    }
}

impl<T> fmt::Display for CapacityError<T> {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str("insufficient capacity")
    }
}

impl<T> std::error::Error for CapacityError<T> {}

pub struct ArrayVec<T, const CAP: usize> {
    items: [MaybeUninit<T>; CAP],
    count: u32,
}

impl<T, const CAP: usize> ArrayVec<T, CAP> {
    #[inline]
    pub const fn new() -> Self {
        ArrayVec { items: [const { MaybeUninit::uninit() }; CAP], count: 0 }
    }
    #[inline]
    pub const fn new_const() -> Self {
        Self::new()
    }
    #[inline]
    pub const fn len(&self) -> usize {
        self.count as usize
    }
    #[inline]
    pub const fn is_empty(&self) -> bool {
        self.count == 0
    }
    #[inline]
    pub const fn capacity(&self) -> usize {
        CAP
    }
    #[inline]
    pub const fn is_full(&self) -> bool {
        self.count as usize == CAP
    }
    #[inline]
    pub const fn remaining_capacity(&self) -> usize {
        CAP - self.count as usize
    }
    #[inline]
    pub fn as_slice(&self) -> &[T] {
        unsafe { std::slice::from_raw_parts(self.items.as_ptr() as *const T, self.count as usize) }
    }
    #[inline]
    pub fn as_mut_slice(&mut self) -> &mut [T] {
        unsafe { std::slice::from_raw_parts_mut(self.items.as_mut_ptr() as *mut T, self.count as usize) }
    }
    #[inline]
    pub fn as_ptr(&self) -> *const T {
        self.items.as_ptr() as *const T
    }
    #[inline]
    pub fn as_mut_ptr(&mut self) -> *mut T {
        self.items.as_mut_ptr() as *mut T
    }
    #[inline]
    pub unsafe fn set_len(&mut self, count: usize) {
        self.count = count as u32;
    }
    #[inline]
    pub fn try_push(&mut self, item: T) -> Result<(), CapacityError<T>> {
        if self.is_full() {
            return Err(CapacityError { given: item });
        }
        self.items[self.count as usize] = MaybeUninit::new(item);
        self.count += 1;
        Ok(())
    }
    #[inline]
    pub fn push(&mut self, item: T) {
        self.try_push(item).ok().expect("it is full");
    }
    #[inline]
    pub unsafe fn push_unchecked(&mut self, item: T) {
        *self.items.get_unchecked_mut(self.count as usize) = MaybeUninit::new(item);
        self.count += 1;
    }
    #[inline]
    pub fn pop(&mut self) -> Option<T> {
        if self.count == 0 {
            return None;
        }
        self.count -= 1;
        Some(unsafe { self.items[self.count as usize].assume_init_read() })
    }
    #[inline]
    pub fn clear(&mut self) {
        self.truncate(0);
    }
    #[inline]
    pub fn truncate(&mut self, count: usize) {
        while self.count as usize > count {
            let _ = self.pop();
        }
    }
    #[inline]
    pub fn insert(&mut self, place: usize, item: T) {
        self.push(item);
        self.as_mut_slice()[place..].rotate_right(1);
    }
    #[inline]
    pub fn remove(&mut self, place: usize) -> T {
        self.as_mut_slice()[place..].rotate_left(1);
        self.pop().unwrap()
    }
    #[inline]
    pub fn swap_remove(&mut self, place: usize) -> T {
        let last = self.len() - 1;
        self.as_mut_slice().swap(place, last);
        self.pop().unwrap()
    }
    #[inline]
    pub fn retain<F: FnMut(&mut T) -> bool>(&mut self, mut keeps: F) {
        let mut place = 0;
        while place < self.len() {
            if keeps(&mut self.as_mut_slice()[place]) {
                place += 1;
            } else {
                drop(self.remove(place));
            }
        }
    }
    #[inline]
    pub fn try_extend_from_slice(&mut self, items: &[T]) -> Result<(), CapacityError>
    where
        T: Copy,
    {
        if self.remaining_capacity() < items.len() {
            return Err(CapacityError { given: () });
        }
        self.extend(items.iter().copied());
        Ok(())
    }
    #[inline]
    pub fn into_inner(mut self) -> Result<[T; CAP], Self> {
        if !self.is_full() {
            return Err(self);
        }
        self.count = 0;
        Ok(unsafe { std::ptr::read(self.items.as_ptr() as *const [T; CAP]) })
    }
}

impl<T, const CAP: usize> Drop for ArrayVec<T, CAP> {
    #[inline]
    fn drop(&mut self) {
        self.clear();
    }
}

impl<T, const CAP: usize> Deref for ArrayVec<T, CAP> {
    type Target = [T];
    #[inline]
    fn deref(&self) -> &[T] {
        self.as_slice()
    }
}

impl<T, const CAP: usize> DerefMut for ArrayVec<T, CAP> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        self.as_mut_slice()
    }
}

impl<T, const CAP: usize> AsRef<[T]> for ArrayVec<T, CAP> {
    #[inline]
    fn as_ref(&self) -> &[T] {
        self
    }
}

impl<T, const CAP: usize> AsMut<[T]> for ArrayVec<T, CAP> {
    #[inline]
    fn as_mut(&mut self) -> &mut [T] {
        self
    }
}

impl<T, const CAP: usize> Borrow<[T]> for ArrayVec<T, CAP> {
    #[inline]
    fn borrow(&self) -> &[T] {
        self
    }
}

impl<T, const CAP: usize> BorrowMut<[T]> for ArrayVec<T, CAP> {
    #[inline]
    fn borrow_mut(&mut self) -> &mut [T] {
        self
    }
}

impl<T, const CAP: usize> Default for ArrayVec<T, CAP> {
    #[inline]
    fn default() -> Self {
        Self::new()
    }
}

impl<T: Clone, const CAP: usize> Clone for ArrayVec<T, CAP> {
    #[inline]
    fn clone(&self) -> Self {
        self.iter().cloned().collect()
    }
}

impl<T: fmt::Debug, const CAP: usize> fmt::Debug for ArrayVec<T, CAP> {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(to)
    }
}

impl<T: PartialEq, const CAP: usize> PartialEq for ArrayVec<T, CAP> {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<T: Eq, const CAP: usize> Eq for ArrayVec<T, CAP> {}

impl<T: PartialOrd, const CAP: usize> PartialOrd for ArrayVec<T, CAP> {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        (**self).partial_cmp(other)
    }
}

impl<T: Ord, const CAP: usize> Ord for ArrayVec<T, CAP> {
    #[inline]
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        (**self).cmp(other)
    }
}

impl<T: std::hash::Hash, const CAP: usize> std::hash::Hash for ArrayVec<T, CAP> {
    #[inline]
    fn hash<H: std::hash::Hasher>(&self, to: &mut H) {
        (**self).hash(to)
    }
}

impl<T, const CAP: usize> From<[T; CAP]> for ArrayVec<T, CAP> {
    #[inline]
    fn from(items: [T; CAP]) -> Self {
        items.into_iter().collect()
    }
}

impl<T, const CAP: usize> Extend<T> for ArrayVec<T, CAP> {
    #[inline]
    fn extend<I: IntoIterator<Item = T>>(&mut self, items: I) {
        for item in items {
            self.push(item);
        }
    }
}

impl<T, const CAP: usize> FromIterator<T> for ArrayVec<T, CAP> {
    #[inline]
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        let mut all = Self::new();
        all.extend(items);
        all
    }
}

pub struct IntoIter<T, const CAP: usize> {
    rest: ArrayVec<T, CAP>,
}

impl<T, const CAP: usize> Iterator for IntoIter<T, CAP> {
    type Item = T;
    #[inline]
    fn next(&mut self) -> Option<T> {
        self.rest.pop()
    }
    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.rest.len(), Some(self.rest.len()))
    }
}

impl<T, const CAP: usize> ExactSizeIterator for IntoIter<T, CAP> {}

impl<T, const CAP: usize> DoubleEndedIterator for IntoIter<T, CAP> {
    #[inline]
    fn next_back(&mut self) -> Option<T> {
        if self.rest.is_empty() { None } else { Some(self.rest.remove(0)) }
    }
}

impl<T, const CAP: usize> IntoIterator for ArrayVec<T, CAP> {
    type Item = T;
    type IntoIter = IntoIter<T, CAP>;
    #[inline]
    fn into_iter(mut self) -> IntoIter<T, CAP> {
        self.as_mut_slice().reverse();
        IntoIter { rest: self }
    }
}

impl<'a, T, const CAP: usize> IntoIterator for &'a ArrayVec<T, CAP> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;
    #[inline]
    fn into_iter(self) -> std::slice::Iter<'a, T> {
        self.iter()
    }
}

impl<'a, T, const CAP: usize> IntoIterator for &'a mut ArrayVec<T, CAP> {
    type Item = &'a mut T;
    type IntoIter = std::slice::IterMut<'a, T>;
    #[inline]
    fn into_iter(self) -> std::slice::IterMut<'a, T> {
        self.iter_mut()
    }
}
