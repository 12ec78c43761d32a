"""The languages, one a file. `LANGUAGES` finds them: a new file here is a new `--lang`.

cpp               C++
c                 C
csharp            C#
java              Java
go                Go
javascript_words  JavaScript in 32-bit numbers
javascript        JavaScript
typescript        TypeScript
python            Python
rust              Rust
swift             Swift
zig               Zig
"""

import pkgutil
from collections.abc import Iterator
from importlib import import_module
from pathlib import PurePath

from magicert.compact.emit.expression import Dialect
from magicert.compact.emit.language import Language
from magicert.verify.source.languages.language import Language as Reads
from magicert.verify.source.languages.language import ending_called, language_of


def _languages() -> Iterator[type[Language]]:
    """What the modules of this folder define. TypeError: a language lacks an operation."""
    for found in pkgutil.iter_modules(__path__):
        module = import_module(f"{__name__}.{found.name}")
        for kind in vars(module).values():
            own = isinstance(kind, type) and kind.__module__ == module.__name__
            if own and issubclass(kind, Language):
                lacking = [text for text in Dialect.__annotations__ if not hasattr(kind, text)]
                if lacking:
                    raise TypeError(f"{kind.name}: no text for {', '.join(lacking)}")
                yield kind


LANGUAGES = {kind.name: kind for kind in _languages()}
"""The languages by name."""


def own_name(called: str) -> str:
    """A language's own name: "c++" for cpp, .hpp or C++, as those who read sources call it. A name
    of none of these languages is left as it is.
    """
    ending = None if called in LANGUAGES else ending_called(called)
    if ending is None:
        return called
    same = (name for name, kind in LANGUAGES.items() if _reads(kind.suffix) == _reads(ending))
    return next(same, called)


def _reads(ending: str) -> Reads:
    return language_of(PurePath(f"file{ending}"))
