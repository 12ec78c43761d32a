//! Stands in for `itertools`: the product of ranges.
#![no_std]

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
