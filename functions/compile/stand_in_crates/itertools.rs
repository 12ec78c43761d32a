//! Stands in for `itertools`: products, vectors and texts of what an iterator gives.

pub trait Itertools: Iterator {
    #[inline]
    fn collect_vec(self) -> Vec<Self::Item>
    where
        Self: Sized,
    {
        self.collect()
    }
    #[inline]
    fn sorted(self) -> std::vec::IntoIter<Self::Item>
    where
        Self: Sized,
        Self::Item: Ord,
    {
        let mut all: Vec<Self::Item> = self.collect();
        all.sort();
        all.into_iter()
    }
    #[inline]
    fn cartesian_product<J>(self, other: J) -> std::vec::IntoIter<(Self::Item, J::Item)>
    where
        Self: Sized,
        Self::Item: Clone,
        J: IntoIterator,
        J::IntoIter: Clone,
    {
        let (other, mut all) = (other.into_iter(), Vec::new());
        for one in self {
            all.extend(other.clone().map(|two| (one.clone(), two)));
        }
        all.into_iter()
    }
    #[inline]
    fn join(&mut self, between: &str) -> String
    where
        Self::Item: std::fmt::Display,
    {
        let all: Vec<String> = self.map(|one| one.to_string()).collect();
        all.join(between)
    }
}

impl<I: Iterator + ?Sized> Itertools for I {}

#[macro_export]
macro_rules! iproduct {
    ($one:expr $(,)?) => { ::core::iter::IntoIterator::into_iter($one) };
    ($one:expr, $two:expr $(,)?) => {{
        let two = ::core::iter::IntoIterator::into_iter($two);
        ::core::iter::IntoIterator::into_iter($one)
            .flat_map(move |a| two.clone().map(move |b| (a.clone(), b)))
    }};
    ($one:expr, $two:expr, $three:expr $(,)?) => {{
        let two = ::core::iter::IntoIterator::into_iter($two);
        let three = ::core::iter::IntoIterator::into_iter($three);
        ::core::iter::IntoIterator::into_iter($one).flat_map(move |a| {
            let three = three.clone();
            two.clone().flat_map(move |b| {
                let a = a.clone();
                three.clone().map(move |c| (a.clone(), b.clone(), c))
            })
        })
    }};
}
