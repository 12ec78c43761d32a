"""Fast finders, which find and never prove; and what every engine of this package needs first."""
