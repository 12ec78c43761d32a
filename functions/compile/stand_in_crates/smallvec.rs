//! Stands in for `smallvec`: its items lie in a vector, wherever the crate would have them.

use std::iter::FromIterator;
use std::ops::{Deref, DerefMut};

pub trait Array {
    type Item;
}

impl<T, const N: usize> Array for [T; N] {
    type Item = T;
}

pub struct SmallVec<A: Array> {
    items: Vec<A::Item>,
}

impl<A: Array> SmallVec<A> {
    #[inline]
    pub const fn new() -> Self {
        SmallVec { items: Vec::new() }
    }
    #[inline]
    pub fn with_capacity(count: usize) -> Self {
        SmallVec { items: Vec::with_capacity(count) }
    }
    #[inline]
    pub fn from_vec(items: Vec<A::Item>) -> Self {
        SmallVec { items }
    }
    #[inline]
    pub fn from_slice(items: &[A::Item]) -> Self
    where
        A::Item: Copy,
    {
        SmallVec { items: items.to_vec() }
    }
    #[inline]
    pub fn from_elem(item: A::Item, count: usize) -> Self
    where
        A::Item: Clone,
    {
        SmallVec { items: vec![item; count] }
    }
    #[inline]
    pub fn into_vec(self) -> Vec<A::Item> {
        self.items
    }
}

impl<A: Array> Deref for SmallVec<A> {
    type Target = Vec<A::Item>;
    #[inline]
    fn deref(&self) -> &Vec<A::Item> {
        &self.items
    }
}

impl<A: Array> DerefMut for SmallVec<A> {
    #[inline]
    fn deref_mut(&mut self) -> &mut Vec<A::Item> {
        &mut self.items
    }
}

impl<A: Array> Default for SmallVec<A> {
    #[inline]
    fn default() -> Self {
        Self::new()
    }
}

impl<A: Array> Clone for SmallVec<A>
where
    A::Item: Clone,
{
    #[inline]
    fn clone(&self) -> Self {
        SmallVec { items: self.items.clone() }
    }
}

impl<A: Array> std::fmt::Debug for SmallVec<A>
where
    A::Item: std::fmt::Debug,
{
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.items.fmt(to)
    }
}

impl<A: Array, B: Array> PartialEq<SmallVec<B>> for SmallVec<A>
where
    A::Item: PartialEq<B::Item>,
{
    #[inline]
    fn eq(&self, other: &SmallVec<B>) -> bool {
        self.items == other.items
    }
}

impl<A: Array> Eq for SmallVec<A> where A::Item: Eq {}

impl<A: Array> From<Vec<A::Item>> for SmallVec<A> {
    #[inline]
    fn from(items: Vec<A::Item>) -> Self {
        SmallVec { items }
    }
}

impl<A: Array> Extend<A::Item> for SmallVec<A> {
    #[inline]
    fn extend<I: IntoIterator<Item = A::Item>>(&mut self, items: I) {
        self.items.extend(items)
    }
}

impl<A: Array> FromIterator<A::Item> for SmallVec<A> {
    #[inline]
    fn from_iter<I: IntoIterator<Item = A::Item>>(items: I) -> Self {
        SmallVec { items: items.into_iter().collect() }
    }
}

impl<A: Array> IntoIterator for SmallVec<A> {
    type Item = A::Item;
    type IntoIter = std::vec::IntoIter<A::Item>;
    #[inline]
    fn into_iter(self) -> Self::IntoIter {
        self.items.into_iter()
    }
}

impl<'a, A: Array> IntoIterator for &'a SmallVec<A> {
    type Item = &'a A::Item;
    type IntoIter = std::slice::Iter<'a, A::Item>;
    #[inline]
    fn into_iter(self) -> Self::IntoIter {
        self.items.iter()
    }
}

impl<'a, A: Array> IntoIterator for &'a mut SmallVec<A> {
    type Item = &'a mut A::Item;
    type IntoIter = std::slice::IterMut<'a, A::Item>;
    #[inline]
    fn into_iter(self) -> Self::IntoIter {
        self.items.iter_mut()
    }
}

pub trait ToSmallVec<A: Array> {
    fn to_smallvec(&self) -> SmallVec<A>;
}

impl<A: Array> ToSmallVec<A> for [A::Item]
where
    A::Item: Copy,
{
    #[inline]
    fn to_smallvec(&self) -> SmallVec<A> {
        SmallVec { items: self.to_vec() }
    }
}

#[macro_export]
macro_rules! smallvec {
    ($($given:tt)*) => { $crate::SmallVec::from(::std::vec![$($given)*]) };
}
