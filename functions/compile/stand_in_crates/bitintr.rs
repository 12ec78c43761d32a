//! Stands in for `bitintr`: the instructions of processors for bits, by what they compute.
#![no_std]

macro_rules! traits {
    ($($name:ident $method:ident ($($mask:ident)?);)*) => {
        $(
            pub trait $name {
                fn $method(self $(, $mask: Self)?) -> Self;
            }
        )*
    };
}

traits! {
    Pext pext(mask);
    Pdep pdep(mask);
    Popcnt popcnt();
    Lzcnt lzcnt();
    Tzcnt tzcnt();
    Blsi blsi();
    Blsr blsr();
    Blsmsk blsmsk();
    Andn andn(other);
}

macro_rules! numbers {
    ($($kind:ident)*) => {
        $(
            impl Pext for $kind {
                #[inline]
                fn pext(self, mut mask: $kind) -> $kind {
                    let (mut result, mut place) = (0, 0);
                    while mask != 0 {
                        result |= (self >> mask.trailing_zeros() & 1) << place;
                        mask &= mask - 1;
                        place += 1;
                    }
                    result
                }
            }
            impl Pdep for $kind {
                #[inline]
                fn pdep(self, mut mask: $kind) -> $kind {
                    let (mut result, mut place) = (0, 0);
                    while mask != 0 {
                        result |= (self >> place & 1) << mask.trailing_zeros();
                        mask &= mask - 1;
                        place += 1;
                    }
                    result
                }
            }
            impl Popcnt for $kind {
                #[inline]
                fn popcnt(self) -> $kind { self.count_ones() as $kind }
            }
            impl Lzcnt for $kind {
                #[inline]
                fn lzcnt(self) -> $kind { self.leading_zeros() as $kind }
            }
            impl Tzcnt for $kind {
                #[inline]
                fn tzcnt(self) -> $kind { self.trailing_zeros() as $kind }
            }
            impl Blsi for $kind {
                #[inline]
                fn blsi(self) -> $kind { self & self.wrapping_neg() }
            }
            impl Blsr for $kind {
                #[inline]
                fn blsr(self) -> $kind { self & self.wrapping_sub(1) }
            }
            impl Blsmsk for $kind {
                #[inline]
                fn blsmsk(self) -> $kind { self ^ self.wrapping_sub(1) }
            }
            impl Andn for $kind {
                #[inline]
                fn andn(self, other: $kind) -> $kind { !self & other }
            }
        )*
    };
}

numbers! { u8 u16 u32 u64 usize }
