//! Stands in for `num_enum`: what its derives implement is written beside each type (`derives.py`).

pub trait TryFromPrimitive: Sized {
    type Primitive: Copy;
    type Error;
    const NAME: &'static str;
    fn try_from_primitive(number: Self::Primitive) -> Result<Self, Self::Error>;
}

pub struct TryFromPrimitiveError<Enum: TryFromPrimitive> {
    pub number: Enum::Primitive,
}

impl<Enum: TryFromPrimitive> TryFromPrimitiveError<Enum> {
    #[inline]
    pub fn new(number: Enum::Primitive) -> Self {
        Self { number }
    }
}

impl<Enum: TryFromPrimitive> Copy for TryFromPrimitiveError<Enum> {}

impl<Enum: TryFromPrimitive> Clone for TryFromPrimitiveError<Enum> {
    #[inline]
    fn clone(&self) -> Self {
        *self
    }
}

impl<Enum: TryFromPrimitive> PartialEq for TryFromPrimitiveError<Enum>
where
    Enum::Primitive: PartialEq,
{
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.number == other.number
    }
}

impl<Enum: TryFromPrimitive> std::fmt::Debug for TryFromPrimitiveError<Enum> {
    fn fmt(&self, _: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        Ok(())
    }
}

impl<Enum: TryFromPrimitive> std::fmt::Display for TryFromPrimitiveError<Enum> {
    fn fmt(&self, _: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        Ok(())
    }
}

impl<Enum: TryFromPrimitive> std::error::Error for TryFromPrimitiveError<Enum> {}

include!("parts/derives.rs");
derives! { TryFromPrimitive IntoPrimitive FromPrimitive UnsafeFromPrimitive }

pub trait UnsafeFromPrimitive: Sized {
    type Primitive: Copy;
    unsafe fn unchecked_transmute_from(number: Self::Primitive) -> Self;
    #[inline]
    unsafe fn from_unchecked(number: Self::Primitive) -> Self {
        unsafe { Self::unchecked_transmute_from(number) }
    }
}
