"""In C and C++: what asks for a function that the compiler would leave out, and calls it.

    rook=attacks_bb<ROOK>  ->  inline auto f(int square, unsigned long long occupied) {
                                   return attacks_bb<ROOK>(Square{square}, Board{occupied}); }
                               static auto const kept = &f;

The file is the source's text with such functions behind it. In C++ a `Square` goes as any number
that is shorter than a bitboard and a `Board` as anything of its size: so the types of what is
called say where the square stands, and which one of several functions of a name is meant.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from magicert.functions.compile.forced_function import (
    FORCED_PREFIX,
    MADE,
    SQUARES,
    ForcedFunction,
    as_word,
    wrapper,
)

_MACRO_IN_SCOPE = re.compile(r"((?:\w+::)*\w+)::(\w+)(\(.*\))")
"""A call of what may be a macro, whose text means what a namespace has."""
_ALONE = re.compile(r"\w\s*[({]\s*(\w+)\s*[)}]")
"""What is all that a constructor is given, or a function."""
_WIDER = "it gives more than a bitboard"
_TYPES = """\
namespace magicert_kept {
typedef WORD Word;
template <bool> struct If;
template <> struct If<true> { typedef int type; };
struct Square {  // goes as any number that is shorter than a bitboard, or enum
    int n;
    template <class T, class = typename If<(sizeof(T) < 8)>::type>
    operator T() const { return static_cast<T>(n); }
};
template <class T, bool> struct As {
    static T same(Word n) { return static_cast<T>(n); }
    static T made(Word n) { return static_cast<T>(n); }
};
template <class T> struct As<T, true> {
    template <class U, class = typename If<__is_trivially_copyable(U)>::type>
    static U bits(Word n, int) { return __builtin_bit_cast(U, n); }
    template <class U> static U bits(Word n, ...) {
        __attribute__((aligned(__alignof__(U)))) unsigned char bytes[sizeof(U)];
        __builtin_memcpy(bytes, &n, sizeof bytes);
        return *reinterpret_cast<U *>(bytes);
    }
    template <class U> static auto of(Word n, int) -> decltype(U{n}) { return U{n}; }
    template <class U> static U of(Word n, ...) { return bits<U>(n, 0); }
    static T same(Word n) { return bits<T>(n, 0); }
    static T made(Word n) { return of<T>(n, 0); }
};
struct Board {  // the same bits, whatever a constructor makes of a number
    Word n;
    template <class T, class = typename If<(sizeof(T) == sizeof(Word))>::type>
    operator T() const { return As<T, __is_class(T) || __is_union(T)>::same(n); }
};
struct Made {  // in T(occupied): by its constructor, but for one of a shorter number
    Word n;
    template <class T, class = typename If<(sizeof(T) == sizeof(Word))>::type>
    operator T() const { return As<T, __is_class(T) || __is_union(T)>::made(n); }
};
}
"""
_MADE_ONCE = """\
inline __attribute__((noinline)) TYPE &magicert_made_NAME() {
    static TYPE *kept;
    if (!kept) {
        kept = new TYPE();
        FILL
    }
    return *kept;
}
"""
_DEDUCED = re.compile(r"\b_Z(?!T|N?K?13magicert_kept|Z*N?\d+magicert_)\w*13magicert_kept\w*")
"""A function of the source's own that is made of those types: of a template, and no engine's."""
DEDUCED = "a template, whose types are those of what it is given: name the instance that is called"


def is_deduced(module: Path) -> bool:
    """Whether a template of the source was given a type that is ours."""
    text = module.read_text("utf-8", "replace") if module.is_file() else ""
    return _DEDUCED.search(text) is not None


def before_forms_in_c(source: Path, file: Path) -> str:
    """A source's text, whatever its bytes are, without a mark of their order; and what has the
    lines behind it counted as those of a file, where nothing includes the source.
    """
    text = source.read_text("utf-8", "surrogateescape").removeprefix("\ufeff")
    return f"{text}\n#if __INCLUDE_LEVEL__ == 0\n{count_from_here(file)}"


def count_from_here(file: Path) -> str:
    """The line behind which lines are counted as those of a file."""
    return f'#line 1 "{file.name}"\n'


def helpers_in_cpp(forced: Sequence[ForcedFunction]) -> str:
    """The types that convert to those of what is called, and the objects that are made once."""
    made = dict.fromkeys(parts for one in forced for parts in MADE.findall(one.name))
    objects = (
        _MADE_ONCE.replace("TYPE", kind)
        .replace("NAME", as_word(kind + fillers))
        .replace("FILL", " ".join(f"kept->{fill}();" for fill in fillers.split(", ")[1:]))
        for kind, fillers in made
    )
    return "".join([_TYPES.replace("WORD", word_type_in_c(forced)), *objects])


def _called_once(made: re.Match[str]) -> str:
    return f"magicert_made_{as_word(''.join(made.groups()))}()"


def word_type_in_c(forced: Sequence[ForcedFunction]) -> str:
    """The type of a bitboard; of functions that are only named there is none."""
    return (
        "unsigned __int128"
        if any(function.bits == 128 for function in forced)
        else "unsigned long long"
    )


def as_inline(text: str) -> str:
    """A module of C in which calls of two sources are one, as C++'s inline functions are: whether
    they are the same is looked at.
    """
    return re.sub(r"^define weak (?=[^\n(]*@magicert_)", "define linkonce_odr ", text, flags=re.M)


def forms_in_c(forced: ForcedFunction) -> list[str]:
    """What calls it, or it alone, with a constant that holds the address: the best way first."""
    kind = "const void *"
    if not forced.is_call:
        return [_constant(kind, forced.name, f"({kind})&{forced.name}")]
    address = _constant(kind, forced.name, f"({kind})&{wrapper(forced)}")
    ways = (way.replace("static", "__attribute__((weak))", 1) for way in calls_in_c(forced))
    return [f"{way}\n{address}" for way in ways]


def calls_in_c(forced: ForcedFunction) -> list[str]:
    """A function for each way to call it, the best first."""
    ways, word = [], word_type_in_c([forced])
    for takes in forced.takes or [()]:
        body = f"{'return ' * bool(takes)}{forced.name};"
        body = _width_check(forced, takes, "_Static_assert") + body
        ways.append(f"{_head_in_c(forced, takes)} {{ {body} }}")
        if takes:  # a struct
            body = f"__auto_type set = {forced.name}; {word} word; "
            body += '_Static_assert(sizeof set == sizeof word, "its size is no bitboard\'s"); '
            body += "__builtin_memcpy(&word, &set, sizeof word); return word;"
            ways.append(f"{_head_in_c(forced, takes)} {{ {body} }}")
    return ways


def forms_in_cpp(forced: ForcedFunction) -> list[str]:
    """A function that calls it, with the square wherever its types allow it; or its address."""
    address = _constant("auto", forced.name, f"&{wrapper(forced)}")
    ways = [f"{way}\n{address}" for way in calls_in_cpp(forced)]
    return ways if forced.is_call else [*ways, _constant("auto", forced.name, f"&{forced.name}")]


def calls_in_cpp(forced: ForcedFunction) -> list[str]:
    """A function for each way to call it, the best first."""
    ways, name = list[str](), wrapper(forced)
    forced = replace(forced, name=MADE.sub(_called_once, forced.name))
    for takes in forced.takes or [()] * forced.is_call:
        head = f"inline auto {name}({_parameter_list(forced, takes)})"
        if forced.is_call:
            ways += _ways_of_call(forced, takes, head)
        else:
            body = f"{{ return {name}_of({_argument_list(takes)}, 0); }}"
            ways.append(f"{_with_square_in_each_place(forced, takes, name)}\n{head} {body}")
    return ways


def _ways_of_call(forced: ForcedFunction, takes: Sequence[str], head: str) -> list[str]:
    """A call as it is written: with words that convert to the types that are wanted, with numbers,
    and as what a macro makes of it where that stands.
    """
    if not takes:  # an init, whose result may be what nothing copies
        return [f"{head} {{ (void)({forced.name}); }}", f"{head} {{ return {forced.name}; }}"]
    given, words = _argument_list(takes, forced.name), ", ".join(f"auto {word}" for word in takes)
    body = f"{{ return {forced.name}; }}"
    checked = body.replace("{", "{ " + _width_check(forced, takes, "static_assert"), 1)
    plain = head.replace("inline auto", f"static {word_type_in_c([forced])}")
    last = f"{plain} {checked}"  # where C++ has no `auto` results
    ways = [f"{head} {{ return []({words}) {body}({given}); }}", f"{head} {body}", last]
    if of_macro := _MACRO_IN_SCOPE.fullmatch(forced.name):
        scope, macro, arguments = of_macro.groups()
        body = f"{{ using namespace {scope}; return {macro}{arguments}; }}"
        converting = f"{{ return []({words}) {body}({given}); }}"
        ways += [
            f"#ifdef {macro}\n{head} {one}\n#else\n{last}\n#endif" for one in (converting, body)
        ]
    return ways


def _width_check(forced: ForcedFunction, takes: Sequence[str], stated: str) -> str:
    """In a function that turns what is given into a bitboard: that this leaves nothing out."""
    size = f"sizeof(0, {forced.name}) <= sizeof({word_type_in_c([forced])})"
    return f'{stated}({size}, "{_WIDER}"); ' if takes else ""


def _head_in_c(forced: ForcedFunction, takes: Sequence[str]) -> str:
    result = word_type_in_c([forced]) if takes else "void"
    return f"static {result} {wrapper(forced)}({_parameter_list(forced, takes) or 'void'})"


def _parameter_list(forced: ForcedFunction, takes: Sequence[str]) -> str:
    word = word_type_in_c([forced])
    return ", ".join(f"{'int' if w in SQUARES else word} {w}" for w in takes)


def _argument_list(takes: Sequence[str], call: str = "") -> str:
    made = set(_ALONE.findall(call))
    kinds = {
        word: "Square" if word in SQUARES else "Made" if word in made else "Board"
        for word in takes
    }  # fmt: skip
    return ", ".join(f"magicert_kept::{kind}{{{word}}}" for word, kind in kinds.items())


def _with_square_in_each_place(forced: ForcedFunction, takes: Sequence[str], name: str) -> str:
    """Functions that call it with the square in each place, the first that its types allow."""
    boards = [word for word in takes if word not in SQUARES]
    if takes == SQUARES:
        orders = [[*takes]]
    else:
        orders = [[*boards[:place], "square", *boards[place:]] for place in range(len(boards) + 1)]
    types = ", ".join(f"class {word.upper()}" for word in takes)
    generic = ", ".join(f"{word.upper()} {word}" for word in takes)
    lines = []
    ranks = ("int", "long", "...")  # 0 is an int first
    for rank, order in zip(ranks, orders if "square" in takes else [boards], strict=False):
        call = f"{forced.name}({', '.join(order)})"
        lines.append(f"template <{types}> auto {name}_of({generic}, {rank})")
        lines.append(f"-> decltype({call}) {{ return {call}; }}")
    return "\n".join(lines)


def _constant(kind: str, name: str, value: str) -> str:
    variable = f"magicert_kept_{as_word(name)}"
    label = f'__asm__("{FORCED_PREFIX}{name}")'
    return f"__attribute__((used)) static {kind} const {variable} {label} = {value};"
