//! Stands in for `strum_macros`: its derives are written beside each type (`derives.py`).
#![no_std]

include!("parts/derives.rs");
derives! { EnumIter EnumCount EnumCountMacro VariantArray FromRepr EnumString Display AsRefStr IntoStaticStr EnumDiscriminants EnumIs EnumMessage EnumProperty VariantNames ToString }
