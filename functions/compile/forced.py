"""Functions that a compiler leaves out of a module, for it has put them into their callers, or
nobody calls them: asked for in the source's own language, in a file that takes it in.

    rook=attacks_bb<ROOK>  ->  ... bitboard.h ...
                               inline auto f(int s, unsigned long long b) {
                                   return attacks_bb<ROOK>(Square{s}, Board{b}); }

So the compiler itself says what a name means: an inline function, an instance of a template, one of
several of a name, a method of a global object. In C and C++ that file is a copy of the source with
a few lines behind it, which the compiler finds in the source's place: what it includes and what
`__FILE__` and `__INCLUDE_LEVEL__` are stays as it was.
"""

import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from magicert.functions.compile.cargo import edition_of
from magicert.functions.compile.crates import Crate, mirrored
from magicert.functions.compile.rust_tree import name_of, visibility
from magicert.functions.compile.syntax import nodes_below, parser_of
from magicert.languages.brackets import arguments_of
from magicert.problem import InputError

FORCED_PREFIX = "magicert.kept."
"""Before a function's name: a constant that holds its address."""
LINK = "project"
"""Beside what a compiler is given of Zig or Rust: the source's project, by links."""
_MACRO_IN_SCOPE = re.compile(r"((?:\w+::)*\w+)::(\w+)(\(.*\))")
"""A call of what may be a macro, whose text means what a namespace has."""
_WIDER = "it gives more than a bitboard"
SQUARES = ("square", "target")
"""Words of a call that are numbers of squares; all others are bitboards."""
SQUARE_TYPES = ("u8", "usize", "u32", "i32")
"""What a square's number is in a call of Rust: the first one with which it compiles."""
_EXPRESSION = re.compile(r"(?:[\w:.,<>()\[\]{}&|^~*+/%@?! -]|(?<=[{,] )\.\w+ = |; (?=[\w:]+\]))+")
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
    static T from(Word n) { return static_cast<T>(n); }
};
template <class T> struct As<T, true> {  // not through another constructor's shorter number
    template <class U> static auto of(Word n, int) -> decltype(U{n}) { return U{n}; }
    template <class U, class = typename If<__is_trivially_copyable(U)>::type>
    static U of(Word n, long) { return __builtin_bit_cast(U, n); }
    template <class U> static U of(Word n, ...) { return static_cast<U>(n); }
    static T from(Word n) { return of<T>(n, 0); }
};
struct Board {
    Word n;
    template <class T, class = typename If<(sizeof(T) == sizeof(Word))>::type>
    operator T() const { return As<T, __is_class(T) || __is_union(T)>::from(n); }
};
}
"""
_DEDUCED = re.compile(r"\b_Z(?!T|N?K?13magicert_kept|Z*N?\d+magicert_)\w*13magicert_kept\w*")
"""A function of the source's own that is made of those types: of a template, and no engine's."""
DEDUCED = "a template, whose types are those of what it is given: name the instance that is called"
_ZIG = """\
const std = @import("std");
const source = @import("SOURCE");
comptime {
    _ = source; // and what it exports
}
pub const panic = if (@hasDecl(std.debug, "no_panic")) std.debug.no_panic else stop;
fn stop(_: []const u8, _: ?*std.builtin.StackTrace, _: ?usize) noreturn {
    @trap();
}
"""
_ZIG_CALLS = """\
fn is(comptime T: type, comptime kind: []const u8) bool {
    return std.ascii.startsWithIgnoreCase(@tagName(@typeInfo(T)), kind);
}
fn isExtern(comptime T: type) bool {
    if (!is(T, "struct")) return false;
    return std.ascii.startsWithIgnoreCase(switch (@typeInfo(T)) {
        inline else => |info| @tagName(info.layout),
    }, "extern");
}
fn bits(comptime T: type) comptime_int {
    return if (isExtern(T)) 8 * @sizeOf(T) else @bitSizeOf(T);
}
fn Number(comptime T: type) type {
    return std.math.IntFittingRange(0, (1 << bits(T)) - 1);
}
fn as(comptime T: type, word: anytype) T {
    if (comptime is(T, "enum")) return @enumFromInt(word);
    if (comptime is(T, "int")) return @intCast(word);
    return cast(T, @as(Number(T), @intCast(word)));
}
fn cast(comptime T: type, given: anytype) T {
    if (comptime isExtern(T) or isExtern(@TypeOf(given)))
        return @as(*align(1) const T, @ptrCast(&given)).*;
    return @bitCast(given);
}
fn Given(comptime f: anytype) type {
    const T = switch (@typeInfo(@TypeOf(f))) {
        inline else => |info| info.return_type.?,
    };
    return if (bits(T) > 64) u128 else if (bits(T) == 64) u64 else T;
}
fn call(comptime f: anytype, square: anytype, boards: anytype) Given(f) {
    var args: std.meta.ArgsTuple(@TypeOf(f)) = undefined;
    const other = "it takes other arguments than a square and bitboards";
    if (args.len != square.len + boards.len) @compileError(other);
    comptime var place = args.len * (1 - square.len);
    inline for (0..args.len) |n| {
        if (square.len == 1 and bits(@TypeOf(args[n])) < 64) place = n;
    }
    comptime var next = 0;
    inline for (0..args.len) |n| {
        if (n == place) args[n] = as(@TypeOf(args[n]), square[0]) else {
            args[n] = as(@TypeOf(args[n]), boards[next]);
            next += 1;
        }
    }
    const given = @call(.auto, f, args);
    return if (bits(@TypeOf(given)) < 64) given else number(given);
}
fn number(given: anytype) Number(@TypeOf(given)) {
    if (comptime is(@TypeOf(given), "enum")) return @intFromEnum(given);
    return cast(Number(@TypeOf(given)), given);
}
fn done(given: anytype) void {
    if (comptime is(@TypeOf(given), "error")) _ = given catch @trap();
}
"""


_RUST = """
extern crate core as magicert_core; // in the edition of 2015, too
#[repr(C)]
union MagicertWord<T> {
    given: magicert_core::mem::ManuallyDrop<T>,
    word: uWORD,
}
impl<T> MagicertWord<T> {
    const SIZE: () =
        assert!(magicert_core::mem::size_of::<T>() == WORD / 8, "expected a word of WORD bits");
}
fn magicert_word<T>(given: T) -> uWORD {
    let _ = MagicertWord::<T>::SIZE;
    unsafe { MagicertWord { given: magicert_core::mem::ManuallyDrop::new(given) }.word }
}
"""


MADE = re.compile(r"(?<![\w:.])made\(([\w:]+)\)")
"""In a call of Rust: what a function that takes nothing makes, which is made once, and kept."""
_MADE_ONCE = """
static mut MAGICERT_KEPT_NAME: *mut () = magicert_core::ptr::null_mut();
#[inline(never)]
fn magicert_made_NAME<T>(make: fn() -> T) -> &'static T {
    extern crate std as magicert_std;
    unsafe {
        if MAGICERT_KEPT_NAME.is_null() {
            let made = magicert_std::boxed::Box::new(make());
            MAGICERT_KEPT_NAME = magicert_std::boxed::Box::into_raw(made) as *mut ();
        }
        &*(MAGICERT_KEPT_NAME as *const T)
    }
}
"""


@dataclass(frozen=True, slots=True)
class ForcedFunction:
    """A function by its name in the source, or a call of one, and the words for what it may be
    called with: a `square` first, and bitboards of `bits`; none where its address shall be taken.
    Which `form_number` to ask for it, and the numbers of the sources that know it, are known once
    a build has it.

        attacks    attacks(ROOK, square, occupied)
    """

    name: str
    takes: tuple[tuple[str, ...], ...] = ()
    bits: int = 64
    form_number: int | None = None
    known_in: tuple[int, ...] | None = None

    @property
    def is_call(self) -> bool:
        """Whether the source's own words say how it is called."""
        words = set(re.findall(r"\w+", self.name)) if re.search(r"[^\w:.]", self.name) else set()
        among = not words.isdisjoint(chain.from_iterable(self.takes))
        return among if self.takes else self.name.endswith(")")


def compile_with_forced(
    source: Path, language: str, forced: Sequence[ForcedFunction], folder: Path,
    compile_file: Callable[[Path], list[str]], refused: dict[str, str], *, or_alone: bool = True,
    crate: Crate | None = None,
) -> tuple[dict[str, int], list[str]]:  # fmt: skip
    """Compile a source with those functions that it knows: their names, each with the way to ask
    for it, and the command. Of the others `refused` then says why, in the compiler's words. Where
    it knows none, it is compiled alone if that is wanted.

    In Zig a file beside its project always takes it in: so it may import from all of that, and has
    no code that tells of panics. In Rust calls stand at the end of a copy, in its place, and names
    are left to the compiler. Raises what `compile_file` raises for the source alone.
    """
    if language == "rust":
        forced = [function for function in forced if function.is_call]
        if not forced and crate is None:
            return {}, compile_file(source)
    form, _, ending = _FORMS[language]
    file, source_path = folder / f"kept.{ending}", Path(os.path.abspath(source))  # noqa: PTH100 (no ..)
    root = file
    if language == "rust":
        crate = crate or Crate(source_path)
        top, file, root = _mirrored_crate(crate, source_path, folder, forced)
    else:
        top = _before_forced(source, language, forced, file)

    last_errors, deduced = list[str](), list[Iterable[str]]()
    compiler_words = list[str]()
    end = ["#endif"] * (language in {"c", "c++"})

    def compile_lines(lines: Iterable[str]) -> list[str]:
        file.write_text("\n".join([top, *lines, *end, ""]), "utf-8", "surrogateescape")
        compiler_words.clear()
        try:
            command = compile_file(root)
            if language == "c++" and is_deduced(folder / "module.ll"):
                last_errors[:] = [f"{DEDUCED}, as in attacks<int> or attacks<Square>"]
                deduced.append(lines)
                return []
            return command
        except InputError as error:
            messages = [problem.message for problem in error.problems]
            compiler_words[:] = getattr(error, "output", ()) or messages
            last_errors[:] = _reasons_in_calls(compiler_words, file, forms_by_name)
            return []

    newest = language == "rust" and edition_of(source) >= "2024"  # which knows this form alone
    forms_by_name = {
        function.name: [
            (n, line) for n, line in enumerate(form(function))
            if function.form_number in {None, n} and (not newest or "#[unsafe(" in line)
        ]
        for function in forced
        if _EXPRESSION.fullmatch(function.name)
    }  # fmt: skip
    while len(forms_by_name) > 1:
        first_forms = {name: ways[0] for name, ways in forms_by_name.items()}
        if command := compile_lines(line for _, line in first_forms.values()):
            return {name: number for name, (number, _) in first_forms.items()}, command
        if language == "zig" or not _next_forms(
            language, forms_by_name, compiler_words, file, refused
        ):
            break
    lines, command = dict[str, tuple[int, str]](), list[str]()
    for name, ways in forms_by_name.items():
        messages = list[str]()
        for number, line in ways:
            if command := compile_lines([line]):
                lines[name] = number, line
                break
            messages.append("".join(last_errors[:1]))
            # Any other way would be another instance.
            if [line] in deduced or not _may_be_asked_otherwise(language, name, messages[-1]):
                break
        if name not in lines:
            refused[name] = next(iter(messages if language == "rust" else reversed(messages)), "")
    if len(forms_by_name) > 1 and lines:
        command = compile_lines(line for _, line in lines.values())
    if command:
        return {name: number for name, (number, _) in lines.items()}, command
    if not or_alone and language != "rust":
        return {}, []
    if language != "zig" and (crate is None or (crate.root == source_path and not crate.texts)):
        return {}, compile_file(source)
    file.write_text(top, "utf-8", "surrogateescape")
    return {}, _compile_mirrored(source, language, root, compile_file)


def _compile_mirrored(
    source: Path, language: str, root: Path, compile_file: Callable[[Path], list[str]]
) -> list[str]:
    """Compile the file that takes a source in, and keeps nothing. Where Zig cannot, its words are
    those of the source alone.
    """
    try:
        return compile_file(root)
    except InputError:
        if language == "zig":
            with suppress(InputError):
                return compile_file(source)
        raise


def _before_forced(
    source: Path, language: str, forced: Sequence[ForcedFunction], file: Path
) -> str:
    """What stands in a file of C, C++ or Zig before what asks for functions."""
    if language == "zig":
        absolute = Path(os.path.abspath(source))  # noqa: PTH100 (no ..)
        return _ZIG.replace("SOURCE", linked(absolute, file.parent)) + _ZIG_CALLS
    top = f"{_text_of(source)}\n#if __INCLUDE_LEVEL__ == 0\n#line 1 {_quoted(file.name)}\n"
    return top + helpers(language, forced)


def _mirrored_crate(
    crate: Crate, source: Path, folder: Path, forced: Sequence[ForcedFunction]
) -> tuple[str, Path, Path]:
    """A crate beside what the compiler makes of it, by links: the text of its source with what
    calls need, where that lies there, and the root.
    """
    texts = {**crate.texts, **_with_open_fields(crate, source, forced)}
    text = texts.get(source) or source.read_text("utf-8")
    text += helpers("rust", forced) if forced else ""
    project, link = project_of(crate.root), folder / LINK
    mirrored(project, link, {**texts, source: text})
    return text, link / source.relative_to(project), link / crate.root.relative_to(project)


_WITH_A_BASE = re.compile(r"\b(\w+) \{ .*?\.\.")
"""A struct by its fields, and by another one for the rest."""


def _with_open_fields(
    crate: Crate, source: Path, forced: Sequence[ForcedFunction]
) -> dict[Path, str]:
    """The files of a crate in which fields are public by which calls make a struct: what may be
    named where has no part in what code does.
    """
    structs = {name for one in forced for name in _WITH_A_BASE.findall(one.name)}
    texts = dict[Path, str]()
    for path in sorted({*crate.root.parent.rglob("*.rs"), source}) if structs else ():
        text = crate.texts.get(path) or path.read_text("utf-8", "surrogateescape")
        opened = text.encode("utf-8", "surrogateescape")
        if any(re.search(rf"\bstruct\s+{name}\b", text) for name in structs):
            nodes = [*nodes_below(parser_of("rust").parse(opened).root_node)]
            for node in reversed(nodes):
                body = node.child_by_field_name("body")
                if node.type == "struct_item" and name_of(node) in structs and body is not None:
                    for field in reversed(body.named_children):
                        if field.type == "field_declaration" and not visibility(field):
                            at = field.start_byte
                            opened = opened[:at] + b"pub " + opened[at:]
            texts[path] = opened.decode("utf-8", "surrogateescape")
    return texts


def is_deduced(module: Path) -> bool:
    """Whether a template of the source was given a type that is ours."""
    text = module.read_text("utf-8", "replace") if module.is_file() else ""
    return _DEDUCED.search(text) is not None


def _text_of(source: Path) -> str:
    """A source's text, whatever its bytes are, without a mark of their order."""
    return source.read_text("utf-8", "surrogateescape").removeprefix("\ufeff")


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


_UNDECLARED_INSIDE = re.compile(
    r"candidate template ignored: substitution failure.*: (use of undeclared identifier '.*)"
)


def _reasons(lines: Sequence[str]) -> list[str]:
    """What is wrong with what was asked for, in the words of clang, zig or rustc."""
    error_lines = [line for line in lines if re.search(r"\berror\b.*?: ", line)]
    error_lines = [re.sub(r"^.*\bkept\..*? error: |^error.*?: ", "", line) for line in error_lines]
    error_lines = [line for line in error_lines if "magicert" not in line]
    marked = re.compile(r"[\s|^-]*\^ (\w.*)").fullmatch  # rustc says below what is meant
    explanations = [match[1] for line in lines if (match := marked(line))]
    if error_lines:
        return [": ".join([*error_lines[:1], *explanations[:1]])]
    ignored = (_UNDECLARED_INSIDE.search(line) for line in lines)  # of what is ours
    return [match[1] for match in ignored if match][:1]


def _from_rows(lines: Sequence[str], file: str, rows: range) -> Sequence[str]:
    """A compiler's words of its first error in these rows of a file, or in what is made for them;
    none without one.
    """
    is_error = re.compile(r": (?:fatal )?error: |^error\b")
    errors = [place for place, line in enumerate(lines) if is_error.search(line)]
    for place, behind in zip(errors, [*errors[1:], len(lines)], strict=True):
        in_file = re.compile(rf"(?:\s*--> (?:\S*/)?)?{re.escape(file)}:(\d+):")
        own = map(in_file.match, lines[place:behind])
        if any(match and int(match[1]) in rows for match in own):
            return lines[place:behind]
    return []


def _reasons_in_calls(lines: Sequence[str], file: Path, calls: Iterable[str]) -> list[str]:
    """What is wrong, each with where in one of the calls it is."""
    in_call = _in_call(lines, file, calls)
    return [reason + in_call for reason in _reasons(lines)]


def _next_forms(
    language: str, forms_by_name: dict[str, list[tuple[int, str]]], lines: Sequence[str],
    file: Path, refused: dict[str, str],
) -> bool:  # fmt: skip
    """Go on with the next form of each name whose first one has errors, as a compiler says that was
    given the first ones of all; a name that has no other, or that the compiler does not know, is
    `refused`. Alone they would have the same errors. False where it says of none.
    """
    text = file.read_text("utf-8", "surrogateescape")
    _, _, rest = text.rpartition(f'#line 1 "{file.name}"\n')
    before, wrong = 1, dict[str, list[str]]()
    if language == "rust":  # in which lines are those of the whole file
        form = next(iter(forms_by_name.values()))[0][1]
        top, _, rest = text.rpartition(f"{form}\n")
        before, rest = top.count("\n") + 1, f"{form}\n{rest}"
    for name, ((_, form), *_) in forms_by_name.items():
        skipped, _, rest = rest.partition(f"{form}\n")
        first = before + skipped.count("\n")
        before = first + form.count("\n") + 1
        if own_lines := _from_rows(lines, file.name, range(first, before)):
            wrong[name] = _reasons_in_calls(own_lines, file, forms_by_name)
    for name, errors in wrong.items():
        message = "".join(errors[:1])
        may_be = _may_be_asked_otherwise(language, name, message)
        forms_by_name[name] = forms_by_name[name][1:] if may_be else []
        if not forms_by_name[name]:
            refused[name] = message
            del forms_by_name[name]
    return bool(wrong)


_OTHER_TYPES = "mismatched types", "cannot be indexed by", "unsafe attribute"
"""What rustc says of a call that may compile with a square of another type, or be exported so."""


def _may_be_asked_otherwise(language: str, name: str, message: str) -> bool:
    """Whether another way to ask may compile. A compiler of C or C++ has said of a part of this
    name that nothing is called so: no way has another scope. In Rust ways differ in the types of
    squares, and in how a name is exported.
    """
    if language == "rust":
        return any(one in message for one in _OTHER_TYPES)
    undeclared = r"use of undeclared identifier '(\w+)'|call to undeclared function '(\w+)'"
    unknown = re.match(undeclared, message) if language in {"c", "c++"} else None
    return unknown is None or (unknown[1] or unknown[2]) not in re.findall(r"\w+", name)


def _in_call(lines: Sequence[str], file: Path, calls: Iterable[str]) -> str:
    """Where in one of the calls a compiler's first error is."""
    first = next((n for n, line in enumerate(lines) if re.search(r"\berror\b", line)), 0)
    place = re.search(r"(?:kept\.\w+|--> [^:\n]+):(\d+):(\d+)", "\n".join(lines[first : first + 2]))
    text = file.read_text("utf-8", "surrogateescape")
    text = text.rpartition(f'#line 1 "{file.name}"\n')[2]
    rows = text.split("\n")
    if place is None or int(place[1]) > len(rows):
        return ""
    row, column = rows[int(place[1]) - 1], int(place[2]) - 1
    for call in calls:
        begin = row.rfind(call, 0, column + len(call))
        if 0 <= begin <= column < begin + len(call) and not call.isidentifier():
            return f", at character {column - begin + 1} of the call"
    return ""


def project_of(source: Path) -> Path:
    """The folder of a source's project, as Zig knows it, or of the whole workspace of a crate: its
    files may name others of that. Its own where there is none.
    """
    if source.suffix == ".rs":
        folders = [up for up in source.parents if (up / "Cargo.toml").exists()][-1:]
    else:
        folders = [up for up in source.parents if (up / "build.zig").exists()]
    return folders[0] if folders else source.parent


def linked(source: Path, folder: Path) -> str:
    """The source by a link to its project beside the file that takes it in: it has to lie below."""
    project = project_of(source)
    with suppress(OSError):
        (folder / LINK).symlink_to(project, target_is_directory=True)
    return f"{LINK}/{source.relative_to(project).as_posix()}"


def with_source_paths(
    compiler_output: str, folder: Path, source: Path, before: str = "(?<![^\"'\\s])"
) -> str:
    """What a compiler says of files behind the links in a folder, by where they are."""
    if not (folder / LINK).exists():
        return compiler_output
    project = project_of(Path(os.path.abspath(source)))  # noqa: PTH100
    with suppress(ValueError):  # another drive
        project = Path(os.path.relpath(project))
    behind = rf"{before}[^\"'\s:]*{re.escape(folder.name)}/{LINK}/([^\"'\s:]+)"
    return re.sub(behind, lambda match: (project / match[1]).as_posix(), compiler_output)


def wrapper(forced: ForcedFunction) -> str:
    """How the function is called that calls it."""
    return f"magicert_{_as_word(forced.name)}"


def _as_word(name: str) -> str:
    """A name or a call as one word, another one for each: f<+1> and f<-1> may be asked for at once.
    What becomes a _ stands behind it, by its numbers.
    """
    others = "".join(f"{ord(char):x}" for char in re.findall(r"\W", name))
    return re.sub(r"\W", "_", name) + (f"_{others}" if others else "")


def wrappers(language: str, forced: ForcedFunction) -> list[str]:
    """A function for each way to call it, the best first: of numbers, named as `wrapper` says. They
    stand behind the source, and behind what `helpers` gives.
    """
    return _FORMS[language][1](forced)


def helpers(language: str, forced: Sequence[ForcedFunction]) -> str:
    """What these functions need."""
    match language:
        case "c++":
            return _TYPES.replace("WORD", word_type_in_c(forced))
        case "rust":
            made = dict.fromkeys(name for one in forced for name in MADE.findall(one.name))
            kept = (_MADE_ONCE.replace("NAME", _as_word(name)) for name in made)
            return "".join([_RUST.replace("WORD", str(forced[0].bits)), *kept])
        case "zig":
            return _ZIG_CALLS
    return ""


def word_type_in_c(forced: Sequence[ForcedFunction]) -> str:
    """The type of a bitboard; of functions that are only named there is none."""
    return (
        "unsigned __int128"
        if any(function.bits == 128 for function in forced)
        else "unsigned long long"
    )


def _in_c(forced: ForcedFunction) -> list[str]:
    kind = "const void *"
    if not forced.is_call:
        return [_constant(kind, forced.name, f"({kind})&{forced.name}")]
    address = _constant(kind, forced.name, f"({kind})&{wrapper(forced)}")
    ways = (way.replace("static", "__attribute__((weak))", 1) for way in _calls_in_c(forced))
    return [f"{way}\n{address}" for way in ways]


def as_inline(text: str) -> str:
    """A module of C in which calls of two sources are one, as C++'s inline functions are: whether
    they are the same is looked at.
    """
    return re.sub(r"^define weak (?=[^\n(]*@magicert_)", "define linkonce_odr ", text, flags=re.M)


def _calls_in_c(forced: ForcedFunction) -> list[str]:
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


def _width_check(forced: ForcedFunction, takes: Sequence[str], stated: str) -> str:
    """In a function that turns what is given into a bitboard: that this leaves nothing out."""
    size = f"sizeof(0, {forced.name}) <= sizeof({word_type_in_c([forced])})"
    return f'{stated}({size}, "{_WIDER}"); ' if takes else ""


def _head_in_c(forced: ForcedFunction, takes: Sequence[str]) -> str:
    result = word_type_in_c([forced]) if takes else "void"
    return f"static {result} {wrapper(forced)}({_parameter_list(forced, takes) or 'void'})"


def _in_cpp(forced: ForcedFunction) -> list[str]:
    """A function that calls it, with the square wherever its types allow it; or its address."""
    address = _constant("auto", forced.name, f"&{wrapper(forced)}")
    ways = [f"{way}\n{address}" for way in _calls_in_cpp(forced)]
    return ways if forced.is_call else [*ways, _constant("auto", forced.name, f"&{forced.name}")]


def _calls_in_cpp(forced: ForcedFunction) -> list[str]:
    function = wrapper(forced)
    ways = []
    for takes in forced.takes or [()] * forced.is_call:
        head = f"inline auto {function}({_parameter_list(forced, takes)})"
        if forced.is_call:
            body, words = (
                f"{{ return {forced.name}; }}",
                ", ".join(f"auto {word}" for word in takes),
            )
            ways += [
                f"{head} {{ return []({words}) {body}({_argument_list(takes)}); }}",
                f"{head} {body}",
            ]
            body = body.replace("{", "{ " + _width_check(forced, takes, "static_assert"), 1)
            last = f"{_head_in_c(forced, takes)} {body}"  # where C++ has no `auto` results
            ways.append(last)
            if of_macro := _MACRO_IN_SCOPE.fullmatch(forced.name):
                scope, macro, given = of_macro.groups()
                body = f"{{ using namespace {scope}; return {macro}{given}; }}"
                converting = f"{{ return []({words}) {body}({_argument_list(takes)}); }}"
                ways += [
                    f"#ifdef {macro}\n{head} {one}\n#else\n{last}\n#endif"
                    for one in (converting, body)
                ]
        else:
            body = f"{{ return {function}_of({_argument_list(takes)}, 0); }}"
            ways.append(f"{_with_square_in_each_place(forced, takes)}\n{head} {body}")
    return ways


def _parameter_list(forced: ForcedFunction, takes: Sequence[str]) -> str:
    word = word_type_in_c([forced])
    return ", ".join(f"{'int' if w in SQUARES else word} {w}" for w in takes)


def _argument_list(takes: Sequence[str]) -> str:
    kinds = {word: "Square" if word in SQUARES else "Board" for word in takes}
    return ", ".join(f"magicert_kept::{kind}{{{word}}}" for word, kind in kinds.items())


def _with_square_in_each_place(forced: ForcedFunction, takes: Sequence[str]) -> str:
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
        lines.append(f"template <{types}> auto {wrapper(forced)}_of({generic}, {rank})")
        lines.append(f"-> decltype({call}) {{ return {call}; }}")
    return "\n".join(lines)


def _in_zig(forced: ForcedFunction) -> list[str]:
    constant = f'export const @"{FORCED_PREFIX}{forced.name}" = &{wrapper(forced)};'
    return [f"{way}\n{constant}" for way in _calls_in_zig(forced)]


def _calls_in_zig(forced: ForcedFunction) -> list[str]:
    symbol, name = wrapper(forced), f"source.{forced.name}"
    if forced.name.startswith("@"):  # which no source defines
        name = forced.name
    if not forced.takes:
        calls = [name if forced.is_call else f"{name}()"]
        if forced.name.startswith("("):  # several, which are no expression in Zig
            calls = [f"source.{call}" for call in arguments_of(forced.name, 1, "({[", ")}]")[0]]
        done = " ".join(f"done({call});" for call in calls)
        return [f"export fn {symbol}() void {{ {done} }}"]
    ways, board = [], f"u{forced.bits}"
    for takes in forced.takes:
        typed = ", ".join(f"{word}: {'u32' if word in SQUARES else board}" for word in takes)
        square = [word for word in takes if word == "square" and takes != SQUARES]
        boards = [word for word in takes if word not in square]
        result = f"Given({name})"
        call = f"call({name}, .{{{', '.join(square)}}}, .{{{', '.join(boards)}}})"
        if forced.is_call:
            result, call = board, f"number({name})"
        ways.append(f"export fn {symbol}({typed}) {result} {{ return {call}; }}")
    return ways


def _in_rust(forced: ForcedFunction) -> list[str]:
    function, board = wrapper(forced), f"u{forced.bits}"
    name, ways = f'export_name = "{FORCED_PREFIX}{forced.name}"', []
    for takes, called in _calls_in_rust(forced):
        kinds = ", ".join("u8" if word in SQUARES else board for word in takes)
        kind = f'extern "C" fn({kinds}) -> {board if takes else "()"}'
        ways += [  # before Rust 1.82, and since its edition of 2024
            f"{called}\n#[used]\n#[{attribute}]\nstatic {function.upper()}: {kind} = {function};"
            for attribute in (name, f"unsafe({name})")
        ]
    return ways


def _calls_in_rust(forced: ForcedFunction) -> Iterator[tuple[tuple[str, ...], str]]:
    """Each with what it takes: squares are of the first type with which it compiles."""
    board = f"u{forced.bits}"
    for takes in forced.takes or [()]:
        typed = ", ".join(f"{word}: {'u8' if word in SQUARES else board}" for word in takes)
        squares = [word for word in takes if word in SQUARES]
        head = f'extern "C" fn {wrapper(forced)}({typed}) -> {board if takes else "()"}'
        for kind in SQUARE_TYPES if squares else SQUARE_TYPES[:1]:
            casts = "".join(f"let {word} = {word} as {kind}; " for word in squares if kind != "u8")
            name = MADE.sub(lambda one: f"magicert_made_{_as_word(one[1])}({one[1]})", forced.name)
            call = f"unsafe {{ {name} }}"  # what it does is looked at, whatever it promises
            body = f"{casts}magicert_word({call})" if takes else f"let _ = {call};"
            yield takes, f"{head} {{ {body} }}"


def _constant(kind: str, name: str, value: str) -> str:
    variable = f"magicert_kept_{_as_word(name)}"
    label = f'__asm__("{FORCED_PREFIX}{name}")'
    return f"__attribute__((used)) static {kind} const {variable} {label} = {value};"


_FORMS: dict[
    str, tuple[Callable[[ForcedFunction], list[str]], Callable[[ForcedFunction], list[str]], str]
] = {
    "c": (_in_c, _calls_in_c, "c"),
    "c++": (_in_cpp, _calls_in_cpp, "cpp"),
    "zig": (_in_zig, _calls_in_zig, "zig"),
    "rust": (_in_rust, lambda forced: [call for _, call in _calls_in_rust(forced)], "rs"),
}
"""In each language the ways to ask for a function, the best first, those to call it, and a file's
ending.
"""
