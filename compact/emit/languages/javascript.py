"""JavaScript, with BigInt: TypeScript without its types."""

import re
from collections.abc import Iterable

from magicert.compact.emit.languages.typescript import TypeScript
from magicert.formula.tree import Node

_TYPE = re.compile(r": (readonly )?(bigint|number|\$kind|\(readonly \[number, number\]\))(\[\])*")


class JavaScript(TypeScript):
    """The texts of TypeScript, without types."""

    name = "javascript"
    suffix = ".mjs"
    usage = TypeScript.usage.replace("$stem.js", "$filename")

    def write(self, text: str, **words: object) -> str:
        """The types are in the text, not in what is put in."""
        return super().write(_TYPE.sub("", text), **words)

    def needed(self, trees: Iterable[Node], also: str = "") -> str:
        """The helpers without types."""
        return _TYPE.sub("", super().needed(trees, also))
