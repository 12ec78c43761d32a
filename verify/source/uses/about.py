"""Patterns about a list by its name, compiled once and not once a name.

A source has many lists, and compiling is what patterns cost. So the name is marked in the text, by
as many signs as it has letters (places stay what they are), and the patterns speak of the mark.
"""

import re
from functools import lru_cache

_FIRST, _MORE = "\ue000", "\ue001"  # of Unicode's private use: no source's
NAME = f"{_FIRST}{_MORE}*(?!{_MORE})"


@lru_cache(maxsize=8)  # one list after another, each against all patterns
def marked(text: str, name: str) -> str:
    """The text with a mark wherever the letters of the name stand."""
    return text.replace(name, _FIRST + _MORE * (len(name) - 1))


@lru_cache(maxsize=256)
def about_a_name(pattern: str) -> re.Pattern[str]:
    """A pattern whose `{name}` finds the mark; `^` is a line's beginning."""
    return re.compile(pattern.format(name=NAME), re.MULTILINE)
