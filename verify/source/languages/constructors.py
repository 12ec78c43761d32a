"""What the constructor of a type that the source defines does to its arguments."""

import re

from magicert.verify.source.languages.altering import altered
from magicert.verify.source.languages.language import Language

_DEFINED = r"\b(?:class|struct|record|union|object)\s+{name}\b"
_OF_ITS_NAME = (
    r"(?<![\w.])(?<!new )(?<!return ){name}\s*\(([^()]*\w[\s&*]+\w+[^()]*)\)\s*(?:noexcept\s*)?"
    r"((?::[^{{;]*)?\{{[^{{}}]*\}})"
)
"""`Magic(U64 m) : magic(m) {}`, as in C++, Java and C#."""
_OF_A_KEYWORD = _DEFINED + r".*?\b(?:init|constructor)\s*\(([^()]*)\)\s*(\{{[^{{}}]*\}})"
"""Swift, JavaScript."""
_OF_PYTHON = (
    r"\bclass\s+{name}\b.*?\bdef\s+__init__\s*\(([^()]*)\)[^\n]*:\n((?:[ \t]+[^\n]*\n|\n){{1,16}})"
)
_PARAMETER = re.compile(r"(\w+)\s*(?::[^,]*)?(?:=[^,]*)?(?:,|$)")
_COUNTED = re.compile(r"\b(?:64|32|1)\s*(?:-|<<)\s*$")
"""A number of bits becomes a shift or a size: no magic is touched."""


def constructor_changes(name: str, text: str, language: Language) -> bool:
    """Does the source define a type of this name whose constructor alters an argument?"""
    own = re.escape(name)
    if not re.search(_DEFINED.format(name=own), text):
        return False
    patterns = (_OF_ITS_NAME, _OF_A_KEYWORD, _OF_PYTHON)
    found = [
        match
        for pattern in patterns
        for match in re.finditer(pattern.format(name=own), text, re.DOTALL)
    ]
    return any(
        not _COUNTED.search(match[2][: use.start()])
        for match in found
        for parameter in _PARAMETER.findall(match[1])
        for use in altered(rf"(?<![\w.]){parameter}(?![\w(])", match[2], language)
    )
