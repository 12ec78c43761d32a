//! Stands in for `colored`: texts have no colour.

use std::fmt;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ColoredString {
    text: String,
}

impl fmt::Display for ColoredString {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.text.fmt(to)
    }
}

impl std::ops::Deref for ColoredString {
    type Target = str;
    #[inline]
    fn deref(&self) -> &str {
        &self.text
    }
}

macro_rules! colours {
    ($($name:ident)*) => {
        pub trait Colorize: Sized {
            #[doc(hidden)]
            fn plain(self) -> ColoredString;
            $(
                #[inline]
                fn $name(self) -> ColoredString {
                    self.plain()
                }
            )*
            #[inline]
            fn truecolor(self, _: u8, _: u8, _: u8) -> ColoredString {
                self.plain()
            }
            #[inline]
            fn on_truecolor(self, _: u8, _: u8, _: u8) -> ColoredString {
                self.plain()
            }
        }
    };
}

colours! {
    black red green yellow blue magenta cyan white purple bright_black bright_red bright_green
    bright_yellow bright_blue bright_magenta bright_cyan bright_white bright_purple on_black on_red
    on_green on_yellow on_blue on_magenta on_cyan on_white on_bright_black on_bright_white bold
    dimmed italic underline blink reversed hidden strikethrough normal clear
}

impl Colorize for &str {
    #[inline]
    fn plain(self) -> ColoredString {
        ColoredString { text: self.to_string() }
    }
}

impl Colorize for ColoredString {
    #[inline]
    fn plain(self) -> ColoredString {
        self
    }
}
