"""Functions that a compiler leaves out of a module, for it has put them into their callers: asked
for in C or C++, in a file that takes in the source.

    rook=attacks_bb<ROOK>  ->  #include "bitboard.h"
                               inline auto f(int s, unsigned long long b) {
                                   return attacks_bb<ROOK>(Square{s}, Board{b}); }

So the compiler itself says what a name means: an inline function, an instance of a template, one of
several of a name, a method of a global object.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from magicert.problem import InputError

KEPT = "magicert.kept."
"""Before a function's name: a constant that holds its address."""
_EXPRESSION = re.compile(r"[\w:.,<>()& -]+")
_TYPES = """\
namespace magicert_kept {
template <bool> struct If;
template <> struct If<true> { typedef int type; };
struct Square {  // goes as any number that is shorter than a bitboard, or enum
    int n;
    template <class T, class = typename If<(sizeof(T) < 8)>::type>
    operator T() const { return static_cast<T>(n); }
};
struct Board {
    unsigned long long n;
    template <class T, class = typename If<(sizeof(T) == 8)>::type>
    operator T() const { return static_cast<T>(n); }
};
}
"""
_GOES_AS = {"s": ("int", "Square"), "b": ("unsigned long long", "Board")}
_GOES_AS["c"] = _GOES_AS["b"]


@dataclass(frozen=True, slots=True)
class Wanted:
    """A function by its name in the source, and the letters of what it is called with: `s` for a
    square, `b` and `c` for bitboards of 64 bits; "" where only its address shall be taken.
    """

    name: str
    takes: str = ""


def made(
    source: Path, language: str, wanted: Sequence[Wanted], folder: Path,
    make: Callable[[Path], list[str]],
) -> tuple[list[str], list[str]]:  # fmt: skip
    """`make` a source with those functions that it knows: their names, and the command.

    Raises what `make` raises for the source alone.
    """
    forms = (_called, _address) if language == "c++" else (_address_in_c,)
    file = folder / f"kept.{'cpp' if language == 'c++' else 'c'}"
    top = f'#include "{str(source.absolute()).replace(chr(92), "/")}"\n'
    top += _TYPES if language == "c++" else ""

    def known(lines: Iterable[str]) -> list[str]:
        file.write_text("\n".join([top, *lines, ""]), "utf-8")
        with suppress(InputError):
            return make(file)
        return []

    asked = [one for one in wanted if _EXPRESSION.fullmatch(one.name)]
    if len(asked) > 1 and (command := known(forms[0](one) for one in asked)):
        return [one.name for one in asked], command
    lines, command = dict[str, str](), list[str]()
    for one in asked:
        for line in (form(one) for form in forms):
            if command := known([line]):
                lines[one.name] = line
                break
    if len(asked) > 1 and lines:
        command = known(lines.values())
    return (list(lines), command) if command else ([], make(source))


def _called(one: Wanted) -> str:
    """A function that calls it, with the square wherever its types allow it."""
    if not one.takes:
        return _address(one)
    function = "magicert_" + re.sub(r"\W", "_", one.name)
    boards = one.takes.removeprefix("s")
    orders = [boards] if boards == one.takes else [
        f"{boards[:place]}s{boards[place:]}" for place in range(len(boards) + 1)
    ]  # fmt: skip
    types = ", ".join(f"class {letter.upper()}" for letter in one.takes)
    generic = ", ".join(f"{letter.upper()} {letter}" for letter in one.takes)
    lines = []
    for rank, order in zip(("int", "long", "..."), orders, strict=False):  # 0 is an int first
        call = f"{one.name}({', '.join(order)})"
        lines.append(f"template <{types}> auto {function}_of({generic}, {rank})")
        lines.append(f"-> decltype({call}) {{ return {call}; }}")
    typed = ", ".join(f"{_GOES_AS[letter][0]} {letter}" for letter in one.takes)
    given = ", ".join(f"magicert_kept::{_GOES_AS[letter][1]}{{{letter}}}" for letter in one.takes)
    lines.append(f"inline auto {function}({typed}) {{ return {function}_of({given}, 0); }}")
    return "\n".join([*lines, _constant("auto", one.name, f"&{function}")])


def _address(one: Wanted) -> str:
    return _constant("auto", one.name, f"&{one.name}")


def _address_in_c(one: Wanted) -> str:
    return _constant("const void *", one.name, f"(const void *)&{one.name}")


def _constant(kind: str, name: str, value: str) -> str:
    variable = "magicert_kept_" + re.sub(r"\W", "_", name)
    label = f'__asm__("{KEPT}{name}")'
    return f"__attribute__((used)) static {kind} const {variable} {label} = {value};"
