//! Stands in for `strum`: what its derives implement is written beside each type (`derives.py`).

pub trait IntoEnumIterator: Sized {
    type Iterator: Iterator<Item = Self> + Clone + DoubleEndedIterator + ExactSizeIterator;
    fn iter() -> Self::Iterator;
}

pub trait EnumCount {
    const COUNT: usize;
}

pub trait VariantArray: Sized + 'static {
    const VARIANTS: &'static [Self];
}

include!("parts/derives.rs");
derives! { EnumIter EnumCount VariantArray FromRepr EnumString Display AsRefStr IntoStaticStr EnumDiscriminants EnumIs EnumMessage EnumProperty VariantNames }
