"""Which flag a source lacks, from a compiler's words: what its build passes and nobody did here.

no member named 'span' in namespace 'std'              -std=c++20
always_inline function '_pext_u64' requires ... bmi2   -mbmi2
#error "Unsupported architecture"                      -march=x86-64-v3
environment variable `OUT_DIR` not defined             run its build script
"""

import os
import re
import shlex
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from magicert.functions.compile.cargo import build_script, package_of
from magicert.functions.compile.compilers import C_LANGUAGES
from magicert.functions.compile.made_before import made_before
from magicert.functions.compile.stand_in_headers import STAND_IN, flag_for
from magicert.functions.compile.zig_build import OLDEST, modules_of_build, version_stated
from magicert.functions.llvm.metadata import is_of_a_library

_CPP = {
    17: ("string_view", "optional", "variant", "filesystem", "clamp", "byte", "apply", "invoke"),
    20: (
        "span", "popcount", "bit_cast", "countr_zero", "countl_zero", "has_single_bit", "bit_ceil",
        "bit_floor", "bit_width", "rotl", "rotr", "ranges", "views", "source_location", "jthread",
        "midpoint", "to_array", "endian", "same_as", "integral", "remove_cvref_t", "format",
        "ssize", "type_identity_t", "is_constant_evaluated", "assume_aligned", "numbers",
    ),
    23: (
        "expected", "print", "println", "unreachable", "to_underlying", "byteswap", "mdspan",
        "move_only_function", "is_scoped_enum", "stacktrace",
    ),
}  # fmt: skip
"""Names of std by the first version of C++ that has them."""
_HEADERS = {
    "algorithm": "all_of any_of copy count count_if fill fill_n find find_if for_each max min "
    "max_element min_element none_of reverse rotate shuffle sort stable_sort swap_ranges transform "
    "unique upper_bound lower_bound remove_if",
    "array": "array", "atomic": "atomic", "bitset": "bitset", "cassert": "assert",
    "chrono": "chrono", "cmath": "exp fabs floor ceil log log2 pow round sqrt",
    "condition_variable": "condition_variable",
    "cstdint": "int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t uintptr_t",
    "cstdio": "printf fprintf snprintf fflush", "cstdlib": "abs exit free malloc strtol",
    "cstring": "memcpy memcmp memmove memset strcmp strlen strncpy", "deque": "deque",
    "fstream": "ifstream ofstream fstream", "functional": "function hash",
    "iomanip": "setw setfill setprecision", "iostream": "cin cout cerr endl",
    "limits": "numeric_limits", "map": "map", "memory": "make_unique shared_ptr unique_ptr",
    "mutex": "lock_guard mutex unique_lock", "numeric": "accumulate iota",
    "random": "mt19937 mt19937_64 random_device uniform_int_distribution", "set": "set",
    "sstream": "istringstream ostringstream stringstream", "stdexcept": "runtime_error",
    "string": "getline stoi string to_string", "thread": "this_thread thread",
    "tuple": "make_tuple tie tuple", "unordered_map": "unordered_map",
    "utility": "exchange forward make_pair move pair swap", "vector": "vector",
}  # fmt: skip
"""The headers of names of std that are older than C++17: one library's headers include more of the
others than another's, and a source relies on that.
"""
_HEADER_OF = {name: header for header, names in _HEADERS.items() for name in names.split()}
_DECLARING = re.compile(r"note: include the header <([\w./]+)> or explicitly provide a declaration")
_IN_STD = re.compile(r"no (?:member|template|type) named '(\w+)' in namespace 'std")
_WORDS = {"consteval": 20, "constinit": 20, "concept": 20, "requires": 20, "char8_t": 20}
_WORDS_OF_C23 = {"constexpr", "nullptr"}
_AT_THE_CARET = re.compile(r"error: .*\n *\d+ \| (.*)\n *\| ( *)\^")
"""The line of the source and the spaces before the caret: the word that the compiler stopped at."""
_FEATURE = re.compile(r"(?:requires|needs) target feature (?:'([\w.-]+)'|([\w.-]*\w))")
_ARCHITECTURE = re.compile(
    r"#error.*|error: .*(?:unsupported|not supported).*(?:arch|platform|processor|cpu).*",
    re.IGNORECASE,
)
_PROCESSOR = re.compile(r"arch|processor|cpu|platform|simd|intrinsic|instruction", re.IGNORECASE)
_SETS = re.compile(r"\b(AVX512|AVX2|AVX|BMI2|BMI|SSE4[._]?[12]|SSSE3|POPCNT|NEON)\b", re.IGNORECASE)
_AS_FLAGS = {"avx512": "-march=x86-64-v4", "neon": "--target aarch64 before --"}
_ERROR = re.compile(r"^([^\s:][^:\n]*):(\d+):\d+: error: .*\n.*\| *#\s*error\b", re.MULTILINE)
_NO_ASSERTS = "-Dstatic_assert(...)="
_OLD_C = re.compile(
    r"error: .*\[-W(implicit-function-declaration|implicit-int|int-conversion|"
    r"incompatible-(?:function-)?pointer-types)\]"
)
"""What C has forbidden since 1999, and compilers took for long."""
_CPP_IN_C = re.compile(
    r"error: (?:unknown type name '(?:namespace|class|template|using)'"
    r"|must use '(?:struct|enum|union)' tag to refer|'c?[a-z_]+' file not found"
    r"|use of undeclared identifier '(?:std|nullptr|static_cast|reinterpret_cast)')"
)
"""What a compiler of C says of C++: its headers have names without an ending."""
_AS_CPP = "-xc++"
_MICROSOFTS = re.compile(
    r"error: .*\n *\d+ \|.*\b__(?:int(?:8|16|32|64)|forceinline|declspec|assume)\b"
)
"""A line of the source, below an error, with a word that Microsoft's compiler alone has unasked."""
_MS_EXTENSIONS = "-fms-extensions"
_OF_INTRIN_H = re.compile(
    r"use of undeclared identifier '(_BitScan(?:Forward|Reverse)(?:64)?|__popcnt(?:16|64)?"
    r"|__umulh|_umul128|_byteswap_\w+)'"
)
"""What Microsoft's compiler has of <intrin.h>, which other headers of its include."""
_CRATE = re.compile(r"(?:unlinked crate|can't find crate for|module or crate) `(\w+)`")
_UNDECLARED = re.compile(r"error: use of undeclared identifier '([A-Z_][A-Z0-9_]*)'")
"""What may be a macro that the build defines."""
_UNKNOWN_TYPE = re.compile(r"error: unknown type name '([A-Za-z]\w*)'")
_HEADER = re.compile(r"error: '([^']+)' file not found")
_OF_THE_SYSTEM = frozenset({
    "assert.h", "ctype.h", "errno.h", "float.h", "limits.h", "locale.h", "math.h", "memory.h",
    "pthread.h", "search.h", "setjmp.h", "signal.h", "stdio.h", "stdlib.h", "string.h",
    "threads.h", "time.h", "unistd.h", "wchar.h",
})  # fmt: skip
"""Headers that others of the system take in: one of the project's by that name would hide it."""
MOST_HEADERS = 300
"""Headers beside a source that are searched for what declares a name."""
MOST_FOLDERS = 2000
"""Folders of a project that are looked through for a header or a definition."""


def flags_missing(
    compiler_output: str, language: str, source: Path, flags: Sequence[str]
) -> list[str]:
    """Lines that name what a compilation lacks, as far as the compiler's words tell."""
    if language in C_LANGUAGES:
        lines = [line for line, _ in _for_c(compiler_output, language, source, flags)]
    elif language == "rust":
        lines = [*_for_rust(compiler_output, source, flags)]
    else:
        lines = [*_for_zig(compiler_output, source)]
    return list(dict.fromkeys(lines))


def flags_to_try(
    compiler_output: str, language: str, source: Path, flags: Sequence[str]
) -> list[str]:
    """The flags of those lines that say what C or C++ means, and are not among the flags yet; what
    stands in for headers comes last.
    """
    if language not in C_LANGUAGES:
        return []
    named_flags = dict.fromkeys(
        flag for _, flag in _for_c(compiler_output, language, source, flags) if flag
    )
    new = [flag for flag in named_flags if flag not in flags]
    return [flag for flag in new if not flag.startswith(STAND_IN)] or new


def standards_to_try(
    compiler_output: str, language: str, source: Path, flags: Sequence[str]
) -> list[str]:
    """The versions of the language, as flags, with which a source of C or C++ may compile where its
    compiler's words name no other flag: the project's own, and where the words are of what a newer
    one has, the newer ones. None where one is stated, or where a file is missing.
    """
    stated = any(flag.startswith("-std=") for flag in flags)
    if language not in _STANDARD or stated or _HEADER.search(compiler_output):
        return []
    newer = ["-std=c++20", "-std=c++23"] if language == "c++" else ["-std=c23"]
    of_build = standard_of_build(source, language)
    is_newer = _NEWER.search(compiler_output) is not None
    return list(dict.fromkeys([*filter(None, [of_build]), *(newer if is_newer else [])]))


_NEWER = re.compile(r"\bstd::|constexpr|consteval|constinit|literal type|operator|lambda|template")
"""Of what words may be that a newer version of the language knows."""
_BUILDS = "Makefile", "makefile", "GNUmakefile", "CMakeLists.txt", "meson.build"
_DEFINES = re.compile(r"-D\w|_definitions\s*\(")
"""A line of a build that defines a macro."""
_STANDARD = {
    "c++": re.compile(
        r"-std=((?:c|gnu)\+\+\w+)|cpp_std=((?:c|gnu)\+\+\w+)"
        r"|CXX_STANDARD\s+(\d+)|cxx_std_(\d+)"
    ),
    "c": re.compile(
        r"-std=((?:c|gnu)\d\w)\b|\bc_std=((?:c|gnu)\d\w)|\bC_STANDARD\s+(\d+)|\bc_std_(\d+)"
    ),
}  # fmt: skip


def standard_of_build(source: Path, language: str) -> str:
    """The version of C or C++ that the nearest file of its build states, as a flag; "" for none."""
    for _, text in _build_files(source):
        if stated := _STANDARD[language].search(text):
            whole, number = stated[1] or stated[2], stated[3] or stated[4]
            return f"-std={whole or f'{language}{number}'}"
    return ""


def _build_files(source: Path) -> Iterator[tuple[Path, str]]:
    """The files of a source's build with their texts, the nearest first."""
    top = source.absolute().parent
    for folder in (top, *top.parents[:3]):
        for name in _BUILDS:
            with suppress(OSError):
                yield folder / name, (folder / name).read_text("utf-8", "replace")


def _macros_of_build(compiler_output: str, source: Path) -> Iterator[tuple[str, str]]:
    """Macros that the compiler does not know, and a file of the build defines: with a number as it
    stands there, and empty where that is a text.
    """
    for macro in dict.fromkeys(_UNDECLARED.findall(compiler_output)):
        defined = re.compile(rf"(?:-D|\(\s*|\s){macro}(?:=(\S+?)|)(?=[\s)]|$)")
        for file, text in _build_files(source):
            lines = enumerate(text.splitlines(), 1)
            stated = ((n, defined.search(line)) for n, line in lines if _DEFINES.search(line))
            number, found = next(((n, one) for n, one in stated if one), (0, None))
            if found is None:
                continue
            value = found[1] or ""
            if is_text := '"' in value:
                value = '""'
            if is_text or re.fullmatch(r"\w*", value):
                flag = f"-D{macro}={value}" if value else f"-D{macro}"
                where = os.path.relpath(file)
                yield f"{where}:{number} defines {macro}: -- {shlex.quote(flag)}", flag
                break


def _for_c(
    compiler_output: str, language: str, source: Path, flags: Sequence[str]
) -> Iterator[tuple[str, str]]:
    """Lines, each with its flag; "" where nobody can tell which one the build passes."""
    if language == "c" and _CPP_IN_C.search(compiler_output) and _AS_CPP not in flags:
        yield f"This is C++: -- {_AS_CPP}", _AS_CPP
        return  # what else it says is of C
    yield from _versions_of_c(compiler_output, language, flags)
    yield from _headers_of_std(compiler_output, language)
    yield from _what_others_took(compiler_output, flags)
    processor = [*_processors(compiler_output, flags)]
    yield from processor
    is_stated = any(flag.startswith("-m") for _, flag in processor)
    for file, line in _ERROR.findall(compiler_output):
        if names := _macros_of_the_condition(Path(file), int(line)):
            macros = [f"-D{name}" for name in names]
            # With a processor the compiler may define what one of them would say.
            flag = "" if is_stated or any(one in flags for one in macros) else macros[0]
            yield f"{file}:{line} wants one of these: {' '.join(macros)}", flag
    yield from _macros_of_build(compiler_output, source)
    for name in list(dict.fromkeys(_UNKNOWN_TYPE.findall(compiler_output)))[:3]:
        if (declared := _declared_under(name, source)) is not None:
            place, macros = declared
            flags_text = " ".join(f"-D{macro}" for macro in macros)
            for macro in macros:
                yield f"{place} declares {name} only with {flags_text}", f"-D{macro}"
    for header in dict.fromkeys(_HEADER.findall(compiler_output)):
        yield from _headers(header, compiler_output, source, flags)


def _versions_of_c(
    compiler_output: str, language: str, flags: Sequence[str]
) -> Iterator[tuple[str, str]]:
    """A version of the language that has what this one does not know."""
    if language == "c++" and (version := _version(compiler_output)) > _stated_version(flags):
        yield f"This is C++{version}: -- -std=c++{version}", f"-std=c++{version}"
    if (
        language == "c"
        and not {"-std=c23", "-std=gnu23", "-std=c2x", "-std=gnu2x"} & set(flags)
        and _words_stopped_at(compiler_output) & _WORDS_OF_C23
    ):
        yield "This is C23: -- -std=c23", "-std=c23"


def _headers_of_std(compiler_output: str, language: str) -> Iterator[tuple[str, str]]:
    """The headers of a library's names, which another library's headers include."""
    types = (name for name in _UNKNOWN_TYPE.findall(compiler_output) if name.endswith("_t"))
    named = [(f"std::{name}", name) for name in _IN_STD.findall(compiler_output)]
    for shown, name in dict.fromkeys([*named, *((name, name) for name in types)]):
        if header := language == "c++" and _HEADER_OF.get(name):
            flag = f"--include={header}"
            yield f"{shown} is in <{header}>, which nothing here includes: -- {flag}", flag
    for header in dict.fromkeys(_DECLARING.findall(compiler_output)):
        flag = f"--include={header}"
        yield f"<{header}> declares it, which nothing here includes: -- {flag}", flag


def _what_others_took(compiler_output: str, flags: Sequence[str]) -> Iterator[tuple[str, str]]:
    """What this compiler refuses, and an older one, another one or Microsoft's takes."""
    for name in dict.fromkeys(_OLD_C.findall(compiler_output)):
        flag = f"-Wno-error={name}"
        yield f"Older compilers took what C forbids since 1999: -- {flag}", flag
    if "error: static assertion expression is not an integral constant" in compiler_output:
        yield (
            "What a static_assert states, this compiler cannot compute, and another one may have: "
            f"without these, which make no code: -- {shlex.quote(_NO_ASSERTS)}",
            _NO_ASSERTS,
        )
    if found := _OF_INTRIN_H.search(compiler_output):
        both = "--include=intrin.h", flag_for("intrin.h")
        said = f"{found[1]} is in Microsoft's <intrin.h>: -- {' '.join(both)}"
        yield from ((said, flag) for flag in both)
    if _MICROSOFTS.search(compiler_output) and _MS_EXTENSIONS not in flags:
        yield f"Words of Microsoft's compiler: -- {_MS_EXTENSIONS}", _MS_EXTENSIONS


def _processors(compiler_output: str, flags: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Instructions that the source uses, or a processor that it wants to be told."""
    for feature in dict.fromkeys(map("".join, _FEATURE.findall(compiler_output))):
        yield f"Instructions of the processor are missing: -- -m{feature}", f"-m{feature}"
    stated = any(flag.startswith("-march") for flag in flags)
    for line in _ARCHITECTURE.findall(compiler_output):
        if sets := [one.lower().replace("_", ".") for one in _SETS.findall(line)]:
            flag = _AS_FLAGS.get(sets[0], f"-m{sets[0]}")
            yield f"The processor is not stated: -- {flag}", flag if " " not in flag else ""
        elif _PROCESSOR.search(line):
            yield (
                "The processor is not stated: -- -march=x86-64-v3, or the macro that the build "
                "defines for it (-D...)",
                "" if stated else "-march=x86-64-v3",
            )


def _headers(
    header: str, compiler_output: str, source: Path, flags: Sequence[str]
) -> Iterator[tuple[str, str]]:
    """Where a header is that was not found, or how to do without it."""
    folders = _folders_of(header, source)
    macros = [f"-D{name}" for name in _macros_without_header(header, compiler_output, source)]
    if len(folders) == 1:
        names = {one.name for one in Path(folders[0]).glob("*.h")} - {header}
        hidden = sorted(names & _OF_THE_SYSTEM)
        flag = f"{'-idirafter' if hidden else '-I'}{folders[0]}"
        behind = f", behind the system's own {' and '.join(hidden)}" if hidden else ""
        yield f"{header} is found with -- {flag}{behind}", flag
        return
    if header.lower() in {"windows.h", "intrin.h"}:
        line = f"{header} is of Windows: --target x86_64-windows-gnu before --"
        line += f"; of another system: {' or '.join(macros)} behind it" if macros else ""
        yield line, ""
    elif macros and not folders and macros[0] not in flags:
        yield f"{header} is not there, and not wanted with {' or '.join(macros)}", macros[0]
        return
    if not folders and (flag := flag_for(header)):
        yield f"If nothing of {header} is needed, or what magicert has of it: -- {flag}", flag


def _version(compiler_output: str) -> int:
    """The version of C++ that has what is missing; 0 where nothing says it."""
    names = set(re.findall(r"named '(\w+)' in namespace 'std", compiler_output))
    versions = [version for version, known in _CPP.items() if names & set(known)]
    versions += [_WORDS[word] for word in _words_stopped_at(compiler_output) & _WORDS.keys()]
    said_so = r"is a C\+\+(17|20|23) extension|before C\+\+(17|20|23)\b"
    versions += [int("".join(pair)) for pair in re.findall(said_so, compiler_output)]
    return max(versions, default=0)


def _words_stopped_at(compiler_output: str) -> set[str]:
    """The words of the source that stand above the carets of errors."""
    lines = _AT_THE_CARET.findall(compiler_output)
    words = (re.match(r"\w+", text[len(spaces) :]) for text, spaces in lines)
    return {word[0] for word in words if word}


def _stated_version(flags: Sequence[str]) -> int:
    """The version of C++ that flags state; that of today's clang where they do not."""
    known = {"2a": 20, "2b": 23, "2c": 26, "98": 3, "1z": 17, "0x": 11, "1y": 14}
    for flag in reversed(flags):
        if match := re.fullmatch(r"-std=(?:c|gnu)\+\+(\w+)", flag):
            return known.get(match[1]) or (int(match[1]) if match[1].isdigit() else 0)
    return 17


def _macros_of_the_condition(file: Path, line: int) -> list[str]:
    """The macros one of which keeps a source from that line: what the branches before its #else ask
    for, or what its own #if says is not defined, but for a compiler's own.
    """
    try:
        lines = file.read_text("utf-8", "replace").replace("\\\n", "  ").splitlines()[: line - 1]
    except OSError:
        return []
    branches, depth, has_else = list[str](), 0, False
    for text in reversed(lines):
        words = re.match(r"\s*#\s*(if|ifdef|ifndef|elif|elifdef|else|endif)\b(.*)", text)
        if words is None:
            continue
        if depth == 0 and not branches and not has_else and words[1] in {"if", "ifndef", "elif"}:
            lacking = re.findall(r"!\s*defined\s*\(?\s*(\w+)", words[2])
            lacking += [words[2].strip()] * (words[1] == "ifndef")
            # A header's guard is among them.
            defined_here = re.findall(r"#\s*define\s+(\w+)", "\n".join(lines))
            if lacking := [one for one in lacking if one[:2] != "__" and one not in defined_here]:
                return lacking
        if words[1] == "endif":
            depth += 1
        elif depth == 0 and words[1] != "else":
            branches.append("" if words[1] == "ifndef" else words[2])
        has_else |= depth == 0 and words[1] == "else"
        if words[1].startswith("if"):
            if depth == 0:
                break
            depth -= 1
    conditions = [re.sub(r"!\s*defined\s*\(?\s*\w+", "", one) for one in reversed(branches)]
    names = [name for one in conditions for name in re.findall(r"\b[A-Za-z_]\w*", one)]
    macros = [name for name in names if name != "defined" and not name.startswith("__")]
    return list(dict.fromkeys(macros)) if has_else else []


def _declared_under(name: str, source: Path) -> tuple[str, list[str]] | None:
    """Where a file beside a source declares a type or macro that the compiler does not know, and
    the macros that it is declared under; None where nothing does, or where no macro would help.
    """
    declares = re.compile(
        rf"\s*(?:__extension__ )?(?:using\s+{name}\s*=|typedef\b[^;]*\b{name}\s*;"
        rf"|(?:struct|class|union|enum)\s+(?:class\s+)?{name}\b[^;]*$|#\s*define\s+{name}\b)"
    )
    return _under_macros(declares, source)


def function_under(name: str, source: Path) -> tuple[str, list[str]] | None:
    """The same of a function, which the source itself or a file beside it defines."""
    begin = r"\s*(?!return\b|else\b|throw\b)[A-Za-z_\[][\w:<>,\[\]\s*&]*[\s*&]"
    return _under_macros(
        re.compile(rf"{begin}(?:\w+::)*{re.escape(name)}\s*\([^;{{]*(?:\{{|$)"), source
    )


def _under_macros(declares: re.Pattern[str], source: Path) -> tuple[str, list[str]] | None:
    """The line of a source, or of a file beside it, and the macros that it is declared under."""
    beside = (one for one in sorted(source.parent.glob("*.h*"))[:MOST_HEADERS] if one != source)
    for file in [source, *beside]:
        with suppress(OSError):
            conditions: list[list[str]] = []
            for number, line in enumerate(file.read_text("utf-8", "replace").splitlines(), 1):
                if directive := re.match(r"\s*#\s*(ifn?def|if|elif|else|endif)\b(.*)", line):
                    _enter(conditions, directive[1], directive[2])
                elif declares.match(line):
                    macros = list(dict.fromkeys(macro for one in conditions for macro in one))
                    if macros and not any(macro.startswith(("_", "!")) for macro in macros):
                        return f"{file}:{number}", macros
    return None


def _enter(conditions: list[list[str]], word: str, condition: str) -> None:
    """Follow one directive: of each condition that is open, the macros that it wants, or what no
    macro answers.
    """
    condition = condition.partition("//")[0].partition("/*")[0].strip()
    if word in {"elif", "else", "endif"} and conditions:
        conditions.pop()
    if word == "ifndef":
        conditions.append([])
    elif word == "ifdef":
        conditions.append([condition])
    elif word in {"if", "elif"}:
        parts = [part.strip() for part in condition.split("&&")]
        defined = [re.fullmatch(r"defined\s*\(?\s*(\w+)\s*\)?", part) for part in parts]
        names = [match[1] if match else f"!{condition}" for match in defined]
        conditions.append([name for name in names if name[:2] != "__"])  # which compilers define
    elif word == "else":
        conditions.append(["!else"])


def _macros_without_header(header: str, compiler_output: str, source: Path) -> list[str]:
    """The macros one of which keeps a source from a header that is missing."""
    of_file = rf"^(\S[^:\n]*):(\d+):\d+: .*'{re.escape(header)}'"
    spot = re.search(of_file, compiler_output, re.MULTILINE)
    if spot is None or is_of_a_library(spot[1], str(source.absolute())):
        return []
    return _macros_of_the_condition(Path(spot[1]), int(spot[2]))


def _folders_of(header: str, source: Path) -> list[str]:
    """The folders of the source's project in which a header lies."""
    if ".." in Path(header).parts or Path(header).is_absolute():
        return []
    here = Path.cwd()
    folders = [folder for folder in project_folders(source) if (folder / header).is_file()]
    return [str(one.relative_to(here) if one.is_relative_to(here) else one) for one in folders]


def project_folders(source: Path) -> Iterator[Path]:
    """The folders of a source's project, each by its whole path: where no file marks one, those
    below its own.
    """
    top = source.absolute().parent
    marks = ".git", "Makefile", "CMakeLists.txt", "meson.build", "README.md", "LICENSE"
    tops = [up for up in (top, *top.parents[:3]) if any((up / mark).exists() for mark in marks)]
    waiting, seen = [tops[-1] if tops else top], 0
    while waiting and seen < MOST_FOLDERS:
        folder, seen = waiting.pop(), seen + 1
        yield folder
        try:
            inside = [path for path in folder.iterdir() if path.is_dir() and not path.is_symlink()]
        except OSError:
            continue
        waiting += [path for path in inside if path.name[:1] != "."]


def _for_rust(compiler_output: str, source: Path, flags: Sequence[str]) -> Iterator[str]:
    if target := re.search(r"`rustup target add ([\w.-]+)`", compiler_output):
        command = f"rustup target add {target[1]}"
        yield f"Rust's libraries for this target are not here: {command} fetches them"
        return
    script = build_script(source)
    if script and "couldn't read" in compiler_output:
        shown = os.path.relpath(script)
        yield f"If {shown} writes that file, cargo build --release runs it: then the same command"
    if lacks_what_cargo_makes(compiler_output, source, flags):
        yield f"What cargo would make before: {made_before(source, flags)}"
        if script:
            yield f"Where {os.path.relpath(script)} prints cargo:rustc-cfg=NAME: -- --cfg NAME"
    names = dict.fromkeys(
        re.findall(r"environment variable `(?!OUT_DIR)(\w+)` not defined", compiler_output)
    )
    if names:
        words = " ".join(f"{name}=..." for name in names)
        yield f"What its build script sets can stand before the command: {words} magicert verify"
    if crates := _crates_missing(compiler_output, source):
        words = " ".join(f"--extern {name}" for name in crates)
        yield f"After cargo build --release they are there: -- -L target/release/deps {words}"
    if re.search(
        r"`OUT_DIR`|not defined at compile time|unlinked crate|can't find crate", compiler_output
    ):
        yield (
            "Or let cargo compile it, which runs its build script: cargo rustc --release --lib -- "
            "--emit=llvm-ir -C codegen-units=1 -C link-dead-code=yes -g; "
            "then verify target/release/deps/NAME-HASH.ll"
        )


def _crates_missing(compiler_output: str, source: Path) -> list[str]:
    """The crates that the compiler does not find, of those that a package says it needs."""
    folder, manifest = package_of(source)
    stated = {name.replace("-", "_") for name in manifest.get("dependencies", {})}
    missing = dict.fromkeys(_CRATE.findall(compiler_output))
    return [name for name in missing if folder is None or name in stated]


def lacks_what_cargo_makes(compiler_output: str, source: Path, flags: Sequence[str]) -> bool:
    """Whether a compiler's words are of what `made_before` knows."""
    if (before := made_before(source, flags)) is None:
        return False
    externs = before.flags.split()
    crates = (name for name in _crates_missing(compiler_output, source) if name in externs)
    return "`OUT_DIR` not defined" in compiler_output or any(crates)


def _for_zig(compiler_output: str, source: Path) -> Iterator[str]:
    if "no module named" in compiler_output and (modules := modules_of_build(source)):
        yield f"Its modules, by build.zig: {modules}"
    older = is_of_another_zig(compiler_output)
    stated = version_stated(source, compiler_output if older else None)
    if stated and stated.is_too_old:
        oldest = ".".join(map(str, OLDEST))
        yield f"{stated.place} is for zig {stated.version}: the oldest that serves is {oldest}"
    elif stated:
        yield f"{stated.place} is for zig {stated.version}: --compiler PATH names that one" + (
            f" ({stated.words} makes it {stated.program})" * bool(stated.words)
        )
    elif older:
        yield "If it is for another version of zig: --compiler PATH names that one"


def is_of_another_zig(compiler_output: str) -> bool:
    """Whether zig's words are of what another version of it has."""
    said = (
        r"struct '(?:std|builtin|\w+)[\w.]*' has no member named|invalid builtin function|"
        r"no field (?:or member function )?named|expected .*, found|whitespace on one side|"
        r"expected .*declaration after|never mutated|error: (?:deprecated|removed|renamed)"
    )
    return re.search(said, compiler_output) is not None
