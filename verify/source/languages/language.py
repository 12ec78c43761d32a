"""Languages by file ending: which lexer knows their comments, and how they write numbers."""

import re
from dataclasses import dataclass
from pathlib import PurePath


@dataclass(frozen=True, slots=True)
class Language:
    """What the reader needs to know of a language.

    `lexer` is a Pygments alias ("" for the plain lexer of `plain`). `octal`: a leading zero
    makes a number octal. `separators` may stand between digits. `quoted_suffix`: a suffix
    such as 'u64 begins with an apostrophe.

    `largest` is the largest plain literal that stays the integer it is (0: all do);
    `exact_suffixes` mark a literal that does so whatever its size. `also` is what people call it.
    """

    name: str
    lexer: str
    octal: bool = False
    separators: str = "_"
    quoted_suffix: bool = False
    largest: int = 0
    exact_suffixes: tuple[str, ...] = ()
    also: tuple[str, ...] = ()

    @property
    def rounds(self) -> bool:
        """Are plain numbers doubles, unless a suffix says otherwise?"""
        return self.name in ("JavaScript", "TypeScript")


_ASSEMBLYSCRIPT_TYPE = re.compile(r"(?:[:<]\s*|\bas\s+)[ui]64\b")
_C = Language("C", "c", octal=True, separators="'")
_CPP = Language("C++", "cpp", octal=True, separators="'")
_DOUBLE, _SIGNED = 1 << 53, (1 << 63) - 1
_JAVASCRIPT = Language("JavaScript", "javascript", octal=True, largest=_DOUBLE)
_TYPESCRIPT = Language("TypeScript", "javascript", octal=True, largest=_DOUBLE)
ASSEMBLYSCRIPT = Language("AssemblyScript", "javascript", octal=True)

# Scala's own lexer takes seconds for a long file; Kotlin has the same comments and strings.
_BY_ENDING: dict[str, Language] = {
    **dict.fromkeys((".c", ".h", ".inc", ".def"), _C),
    **dict.fromkeys(
        (".cc", ".cpp", ".cxx", ".hh", ".hpp", ".hxx", ".ipp", ".cu", ".cuh", ".m", ".mm"), _CPP
    ),
    **dict.fromkeys((".js", ".mjs", ".cjs", ".jsx"), _JAVASCRIPT),
    ".json": Language("JSON", "javascript"),
    **dict.fromkeys((".ts", ".mts", ".cts", ".tsx"), _TYPESCRIPT),
    ".rs": Language("Rust", "rust"),
    ".go": Language("Go", "go", octal=True, also=("golang",)),
    ".java": Language("Java", "java", octal=True),
    ".cs": Language("C#", "csharp"),
    ".py": Language("Python", "python"),
    ".pyx": Language("Cython", "python"),
    **dict.fromkeys((".pas", ".pp", ".dpr", ".lpr"), Language("Pascal", "delphi")),
    ".zig": Language("Zig", "zig"),
    ".jl": Language("Julia", "julia"),
    ".hs": Language("Haskell", "haskell"),
    ".scala": Language("Scala", "kotlin"),
    **dict.fromkeys((".kt", ".kts"), Language("Kotlin", "kotlin")),
    ".swift": Language("Swift", "swift"),
    **dict.fromkeys((".nim", ".nims"), Language("Nim", "nimrod", quoted_suffix=True)),
    **dict.fromkeys((".d", ".di"), Language("D", "d", octal=True)),
    ".lua": Language("Lua", "lua", largest=_SIGNED, exact_suffixes=("ull", "ll")),
    **dict.fromkeys(
        (".ml", ".mli"),
        Language("OCaml", "ocaml", largest=(1 << 62) - 1, exact_suffixes=("l",)),
    ),
    **dict.fromkeys((".fs", ".fsx"), Language("F#", "fsharp")),
    ".dart": Language("Dart", "dart"),
    ".rb": Language("Ruby", "ruby", octal=True),
    ".cr": Language("Crystal", "crystal"),
    ".php": Language("PHP", "php", octal=True, largest=_SIGNED),
    **dict.fromkeys((".pl", ".pm"), Language("Perl", "perl", octal=True)),
    **dict.fromkeys((".ex", ".exs"), Language("Elixir", "elixir")),
    **dict.fromkeys((".erl", ".hrl"), Language("Erlang", "erlang")),
    **dict.fromkeys((".clj", ".cljs", ".cljc"), Language("Clojure", "clojure")),
    **dict.fromkeys((".lisp", ".cl", ".el", ".scm", ".rkt"), Language("Lisp", "common-lisp")),
    **dict.fromkeys((".adb", ".ads"), Language("Ada", "ada")),
    **dict.fromkeys((".f", ".f90", ".f95", ".f03"), Language("Fortran", "fortran", separators="'")),
    **dict.fromkeys((".asm", ".nasm", ".s", ".inc64"), Language("assembly", "nasm")),
    ".vb": Language("Visual Basic", "vb.net"),
    ".odin": Language("Odin", "go"),
    ".v": Language("V", "go"),
    ".groovy": Language("Groovy", "groovy", octal=True),
    ".r": Language("R", "r", largest=_DOUBLE),
}

PLAIN = Language("unknown language", "")


def language_of(path: PurePath, text: str = "") -> Language:
    """The language of a file, by its ending; PLAIN where the ending says nothing.

    A TypeScript file that names integers of 64 bits as a type is AssemblyScript.
    """
    found = _BY_ENDING.get(path.suffix.lower(), PLAIN)
    if found is _TYPESCRIPT and _ASSEMBLYSCRIPT_TYPE.search(text):
        return ASSEMBLYSCRIPT
    return found


def known_endings() -> tuple[str, ...]:
    """All endings that stand for a language."""
    return tuple(_BY_ENDING)


def ending_called(name: str) -> str | None:
    """The ending that stands for a language: .rs for rs, .rs, rust or Rust; else None."""
    called = name.lower().removeprefix(".")
    for ending, language in _BY_ENDING.items():
        if called in (ending[1:], language.name.lower(), language.lexer, *language.also):
            return ending
    return None
