//! Stands in for `derive_more`: its derives are written beside each type (`derives.py`).
#![no_std]

include!("parts/derives.rs");
derives! { Add Sub Mul Div Rem Neg Not BitAnd BitOr BitXor Shl Shr AddAssign SubAssign MulAssign DivAssign RemAssign BitAndAssign BitOrAssign BitXorAssign ShlAssign ShrAssign From Into TryFrom TryInto FromStr Deref DerefMut AsRef AsMut Index IndexMut IntoIterator Sum Product Constructor Display Debug Error IsVariant Unwrap LowerHex UpperHex Binary }
