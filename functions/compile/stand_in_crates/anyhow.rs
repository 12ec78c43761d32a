//! Stands in for `anyhow`: its errors hold nothing, and say nothing.

use std::convert::Infallible;
use std::fmt;

pub struct Error {
    _nothing: (),
}

pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    #[inline]
    pub fn new<E: std::error::Error>(_: E) -> Error {
        Error { _nothing: () }
    }
    #[inline]
    pub fn msg<M: fmt::Display>(_: M) -> Error {
        Error { _nothing: () }
    }
    #[inline]
    pub fn context<C: fmt::Display>(self, _: C) -> Error {
        self
    }
}

impl<E: std::error::Error + Send + Sync + 'static> From<E> for Error {
    #[inline]
    fn from(_: E) -> Error {
        Error { _nothing: () }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        Ok(())
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        Ok(())
    }
}

pub trait Context<T, E> {
    fn context<C: fmt::Display + Send + Sync + 'static>(self, context: C) -> Result<T, Error>;
    fn with_context<C: fmt::Display + Send + Sync + 'static, F: FnOnce() -> C>(self, f: F) -> Result<T, Error>;
}

impl<T, E> Context<T, E> for std::result::Result<T, E> {
    #[inline]
    fn context<C: fmt::Display + Send + Sync + 'static>(self, _: C) -> Result<T, Error> {
        self.map_err(|_| Error { _nothing: () })
    }
    #[inline]
    fn with_context<C: fmt::Display + Send + Sync + 'static, F: FnOnce() -> C>(self, _: F) -> Result<T, Error> {
        self.map_err(|_| Error { _nothing: () })
    }
}

impl<T> Context<T, Infallible> for Option<T> {
    #[inline]
    fn context<C: fmt::Display + Send + Sync + 'static>(self, _: C) -> Result<T, Error> {
        self.ok_or(Error { _nothing: () })
    }
    #[inline]
    fn with_context<C: fmt::Display + Send + Sync + 'static, F: FnOnce() -> C>(self, _: F) -> Result<T, Error> {
        self.ok_or(Error { _nothing: () })
    }
}

#[doc(hidden)]
#[inline]
pub fn nothing() -> Error {
    Error { _nothing: () }
}

#[macro_export]
macro_rules! anyhow {
    ($text:literal $($given:tt)*) => {{ if false { let _ = format_args!($text $($given)*); } $crate::nothing() }};
    ($given:expr $(,)?) => {{ let _ = &$given; $crate::nothing() }};
}

#[macro_export]
macro_rules! bail {
    ($($given:tt)*) => { return ::core::result::Result::Err($crate::anyhow!($($given)*)) };
}

#[macro_export]
macro_rules! ensure {
    ($condition:expr $(,)?) => { if !$condition { return ::core::result::Result::Err($crate::nothing()) } };
    ($condition:expr, $($given:tt)*) => { if !$condition { return ::core::result::Result::Err($crate::anyhow!($($given)*)) } };
}
