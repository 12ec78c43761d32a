"""What a name means where the compiler has no function of that name, or several: what the sources
declare, as clang says it; their macros; and the files beside them that define it.

    GetRookMoves     Horsie::GetRookMoves, u64 (i32, u64)
    attacks_bb       a template: attacks_bb<BISHOP>, attacks_bb<ROOK> are called
    ROOK_ATTACKS     a macro: its call is ROOK_ATTACKS(square, occupied)
"""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import islice, product
from pathlib import Path
from typing import TYPE_CHECKING

from magicert.functions.compile.call_texts import square_among
from magicert.functions.compile.clang_dumps import declared_as, declared_names, macros
from magicert.functions.compile.compilers import (
    C_LANGUAGES,
    LANGUAGES,
    CompileOptions,
    language_in,
    language_of,
)
from magicert.functions.compile.hints import flags_to_try, function_under, project_folders
from magicert.functions.compile.projects import project_of
from magicert.functions.compile.syntax import parser_of, without_attributes
from magicert.functions.llvm.ir import Module
from magicert.functions.llvm.reader import NAME, unquoted
from magicert.problem import did_you_mean, listed, suggestion

if TYPE_CHECKING:
    from tree_sitter import Node

_PLAIN = re.compile(r"[A-Za-z_]\w*(?:(?:::|\.)[A-Za-z_]\w*)*")
_FUNCTION = re.compile(
    r"(?:FunctionDecl|CXXMethodDecl) 0x\w+ .*?(?:[:\d]+>|>) (?:\S+ )?.*?"
    r"(?P<name>[A-Za-z_]\w*) '(?P<type>[^']*)'"
)
_UNKNOWN = re.compile(
    r"(?:undeclared (?:identifier|function)|no (?:member|template) named|cannot find [\w ,]+)"
    r" ['`]([\w:]+)"
)
_PRIVATE = re.compile(r"is a (?:private|protected) member")
_ANY_ACCESS = "-fno-access-control"
_OTHER_ARGUMENTS = re.compile(r"no matching (?:member )?function for call to '(\w+)'")
MOST_SHOWN = 6
"""Functions of one name whose types a message shows."""
MOST_FILES = 400
"""Files beside the sources, and of the rest of their project, looked through for a definition."""
LARGEST = 2 << 20
"""Bytes of such a file."""
LEAST_COMMON = 5
"""Letters that several names have in common, so that clang dumps what has these."""


@dataclass(frozen=True, slots=True)
class Declared:
    """A function of C or C++: its name with its namespaces, its type, and of a template the
    instances that the source calls.
    """

    name: str
    type: str
    template: bool = False
    instances: tuple[str, ...] = ()

    def __str__(self) -> str:
        returns, opened, takes = self.type.partition(" (")
        name = f"{self.name}<...>" if self.template else self.name
        return f"{returns} {name}({takes}" if opened else name


def declarations(tree: str, last: str) -> list[Declared]:
    """The functions of that last name in what clang dumps of them."""
    declarations_by_type: dict[tuple[str, str], Declared] = {}
    for part in re.split(r"^Dumping ", tree, flags=re.MULTILINE)[1:]:
        name, _, text = part.partition(":\n")
        head = text.partition("\n")[0]
        if name.rpartition("::")[2] != last or name.startswith(("std::", "__")):
            continue
        template = head.startswith("FunctionTemplateDecl")
        functions = re.split(r"^[|`]-(?=FunctionDecl|CXXMethodDecl)", text, flags=re.MULTILINE)
        if not template:
            functions = [text]
        types, instances = list[str](), list[str]()
        for text in functions:
            of = _FUNCTION.match(text)
            if of is None or of["name"] != last:
                continue
            types.append(of["type"])
            arguments = re.findall(
                r"^. [|`]-TemplateArgument (?:type|integral) '([^']*)'", text, re.MULTILINE
            )
            if arguments:
                instances.append(f"{name}<{', '.join(arguments)}>")
        if types:
            known = declarations_by_type.get((name, types[0]))
            instances += known.instances if known else ()
            declarations_by_type[name, types[0]] = Declared(
                name, types[0], template, tuple(dict.fromkeys(instances))
            )
    return list(declarations_by_type.values())


def is_overloaded(name: str, declared: Iterable[Declared]) -> bool:
    """Whether several of the functions that are declared have a name."""
    return sum(_ends_with_name(one.name, name) for one in declared) > 1


def functions_declared(
    name: str, sources: Sequence[Path], how: CompileOptions, others: Iterable[str] = ()
) -> list[Declared]:
    """The functions of C and C++ with the last part of that name. `others` are names that will be
    asked for, too: clang then tells of all of them at once.
    """
    if not _PLAIN.fullmatch(name):
        return []
    last = name.rpartition("::")[2]
    plain = [name, *(one for one in others if _PLAIN.fullmatch(one) and "." not in one)]
    among = _common_part(last, {one.rpartition("::")[2] for one in plain})
    if any(among in one.rpartition("::")[0] for one in plain):
        among = last
    found: dict[Declared, None] = {}
    for source in sources:
        if language_of(source) in C_LANGUAGES:
            tree = declared_as(source, last, among, *how)
            found |= dict.fromkeys(declarations(tree, last))
    return list(found)


def _common_part(name: str, names: Collection[str]) -> str:
    """The text of a name that most of these have as well, where that is long enough to be in few
    others, and of such texts the longest; else the name.
    """
    parts = {
        name[begin : begin + length]
        for length in range(LEAST_COMMON, len(name) + 1)
        for begin in range(len(name) - length + 1)
    }
    return max(
        parts, key=lambda part: (sum(part in one for one in names), len(part), part), default=name
    )


def _ends_with_name(whole: str, name: str) -> bool:
    return f"::{whole}".endswith(f"::{name}")


def name_hint(
    name: str, refused: str, known: Iterable[str], sources: Sequence[Path], how: CompileOptions
) -> str:
    """What to give for a name that is none, as the end of a message; `refused` are the compiler's
    words, and `known` names of the compiled module.
    """
    if any(said in refused for said in ("did you mean", "it takes other arguments")):
        return ""
    if _PRIVATE.search(refused):
        return f"-- {_ANY_ACCESS} lets a call name it"
    if other := _OTHER_ARGUMENTS.search(refused):
        same = functions_declared(other[1], sources, how)
        return f"there is {listed([*map(str, same[:MOST_SHOWN])])}" if same else ""
    unknown = _UNKNOWN.search(refused)
    unknown_name = name if _PLAIN.fullmatch(name) else unknown[1] if unknown else ""
    if not unknown_name:
        return ""
    if call := macro_calls([unknown_name], sources, how).get(unknown_name):
        return f"{unknown_name} is a macro: name its call, as in {call}"
    same = functions_declared(unknown_name, sources, how)
    candidates = [declared for declared in same if _ends_with_name(declared.name, unknown_name)]
    if called := [instance for declared in candidates for instance in declared.instances]:
        return f"{unknown_name} is a template: name the instance: {listed(called)}"
    if candidates and all(declared.template for declared in candidates):
        return f"{unknown_name} is a template: name the instance, as in {unknown_name}<...>"
    if len(candidates) > 1:
        several = f"{len(candidates)} functions have this name: {listed([*map(str, candidates)])}"
        return f"{several}: name the call, as in {candidates[0].name}(square, occupied)"
    if others := [declared.name for declared in same if declared.name != unknown_name]:
        return did_you_mean(dict.fromkeys(others))
    if (under := _under_macros(name, refused, sources)) is not None:
        return f"{under[0]} has it only with -- {' '.join(under[1])}"
    in_c = language_of(sources[0]) in C_LANGUAGES
    if in_c and (file := defined_beside(unknown_name, sources)):
        return f"{file} defines it: give that source, too"
    names = dict.fromkeys([*known, *_all_names(sources, how)])
    whole = _PLAIN.sub(lambda one: _with_scope(one[0], names), name)
    return did_you_mean([whole]) if whole != name else nearest(unknown_name, list(names))


def flags_for_name(name: str, refused: str, source: Path, flags: Sequence[str]) -> list[str]:
    """The flags with which the compiler would have known a name, by its words."""
    more = [_ANY_ACCESS] if _PRIVATE.search(refused) else []
    if (under := _under_macros(name, refused, [source])) is not None:
        more += (flag for flag in under[1] if flag not in flags)
    return more + flags_to_try(refused, language_in(source, flags), source, flags)


def _under_macros(name: str, refused: str, sources: Sequence[Path]) -> tuple[str, list[str]] | None:
    """Where sources of C or C++ have a function that the compiler does not know, and the flags with
    which it would see it; None where no flag would do.
    """
    if (unknown := _UNKNOWN.search(refused)) is None:
        return None
    name = name.partition("(")[0].partition("<")[0]
    last = (name if _PLAIN.fullmatch(name) else unknown[1]).rpartition("::")[2]
    in_c = (one for one in sources if language_of(one) in C_LANGUAGES)
    under = next(filter(None, (function_under(last, source) for source in in_c)), None)
    return under and (under[0], [f"-D{macro}" for macro in under[1]])


def instances(
    name: str, sources: Sequence[Path], modules: Iterable[Module], declared: Iterable[Declared]
) -> list[str]:
    """The instances of a template of C++ that the source calls, by their whole names; of a generic
    function of Rust those that are compiled.
    """
    if language_of(sources[0]) == "rust":
        return _instances_in_rust(name, modules)
    same = (one for one in declared if _ends_with_name(one.name, name))
    called = dict.fromkeys(one for declared in same for one in declared.instances)
    return [*map(_without_anonymous, called)]


def _instances_in_rust(name: str, modules: Iterable[Module]) -> list[str]:
    """Those of a name, or of an instance's as the source writes it: attacks::<Rook>."""
    function, _, arguments = name.replace("::<", "<").partition("<")
    names_by_symbol: dict[str, str] = {}
    for module in modules:
        for one, symbols in module.source_names.items():
            of, opened, what = one.partition("<")
            same = not arguments or without_scopes(what) == without_scopes(arguments)
            if opened and same and _ends_with_name(of, function):
                names_by_symbol |= {
                    symbol: one for symbol in symbols
                    if len(one) > len(names_by_symbol.get(symbol, ""))
                }  # fmt: skip
    return [*dict.fromkeys(names_by_symbol.values())]


def without_scopes(arguments: str) -> str:
    """A name, or what an instance is for, without namespaces and spaces."""
    return re.sub(r"\w+::|\s", "", arguments)


MOST_MEANINGS = 8
"""Things of one name that are tried, each by a call of the compiler."""


def with_namespaces(
    names: Sequence[str], own_words: Collection[str], sources: Sequence[Path], how: CompileOptions
) -> dict[str, list[str]]:
    """Names of C++, or calls, each with the namespaces of what it may name; `own_words` are words
    that are no names.
    """
    if any(language_in(source, how[0]) != "c++" for source in sources):
        return {name: [name] for name in names}
    declared_here = map(_without_anonymous, _all_names(sources, how) if names else ())
    known = dict.fromkeys([*own_words, *filter(_PLAIN.fullmatch, declared_here)])
    meanings = dict[str, list[str]]()
    for name in names:
        meanings[name] = _with_scopes(name, known)
        if meanings[name] == [name]:
            meanings[name] = _in_scopes_of_a_macro(name, known, sources, how) or [name]
        sure = len(meanings[name]) == 1 and meanings[name] != [name]
        if not sure and len(functions := _functions_of(name, sources, how)) == 1:
            meanings[name] = [*functions]
    return meanings


def _in_scopes_of_a_macro(
    call: str, known: Collection[str], sources: Sequence[Path], how: CompileOptions
) -> list[str]:
    """A macro's call with each namespace that has something of what the macro stands for."""
    last = re.match(r"\w*(?=\()", call)
    pattern = _definition_of(last[0]) if last else None
    defined = [pattern.search(macros(source, *how)) for source in sources] if pattern else []
    words = {
        word for one in defined if one
        for word in re.findall(r"\w+", one[2] or "") if word not in re.findall(r"\w+", one[1] or "")
    }  # fmt: skip
    parts = (name.rpartition("::") for name in known)
    scopes = dict.fromkeys(scope for scope, _, last in parts if scope and last in words)
    return [f"{scope}::{call}" for scope in scopes]


def _functions_of(name: str, sources: Sequence[Path], how: CompileOptions) -> set[str]:
    """The functions that a name may name."""
    return {
        _without_anonymous(declared.name)
        for declared in functions_declared(name, sources, how)
        if _ends_with_name(declared.name, name)
    }


def _without_anonymous(name: str) -> str:
    return name.replace("(anonymous namespace)::", "")


def _with_scopes(name: str, known: Collection[str]) -> list[str]:
    """What a name or a call may mean, by all names that there are."""
    free = re.compile(rf"(?<![.\w:>]){_PLAIN.pattern}")  # and no member of an object
    parts, last = list[list[str]](), 0
    for match in free.finditer(name):
        parts += [[name[last : match.start()]], _in_scopes(match[0], known) or [match[0]]]
        last = match.end()
    meanings = islice(product(*parts, [name[last:]]), MOST_MEANINGS)
    return ["".join(meaning) for meaning in meanings]


def _in_scopes(name: str, names: Collection[str]) -> list[str]:
    """What has a name in some namespace, the outermost first; nothing where it is a name itself. Of
    a member of an object it is the object's.
    """
    item, dot, member = name.partition(".")
    whole = (one for one in names if one.endswith(f"::{item}"))
    outermost_first = sorted(whole, key=lambda one: one.count("::"))
    return [] if item in names else [one + dot + member for one in outermost_first]


def _with_scope(name: str, names: Collection[str]) -> str:
    """A name with its namespaces, where it is no name without them: that of the one that has it,
    or the outermost of its kind.
    """
    whole = _in_scopes(name, names)
    alone = len(whole) == 1 or (whole and whole[0].count("::") < whole[1].count("::"))
    return whole[0] if alone else name


def nearest(name: str, known: Sequence[str]) -> str:
    """A question that names what nearly is `name`, whatever its namespaces are; or ""."""

    def last(one: str) -> str:
        return re.split(r"::|\.", one.partition("<")[0])[-1].lower()

    known = [one for one in known if one != name]  # which it does not mean
    same = [one for one in known if last(one) == last(name)]
    if same:
        whole = [other for other in same if other.lower() == name.lower()]
        return did_you_mean(whole or sorted(same, key=len)[:1])
    if advice := suggestion(name, known):
        return advice
    by_last = {last(name): name for name in reversed(known)}
    near = get_close_matches(last(name), by_last)
    return did_you_mean([by_last[name] for name in near])


def _all_names(sources: Sequence[Path], how: CompileOptions) -> Iterator[str]:
    for source in sources:
        language = language_of(source)
        if language in C_LANGUAGES:
            yield from declared_names(source, *how)
            yield from re.findall(r"^#define ([A-Za-z]\w*)\(", macros(source, *how), re.MULTILINE)
        elif language in {"rust", "zig"}:
            yield from re.findall(r"\bfn\s+(\w+)", source.read_text("utf-8", "replace"))


def macro_calls(
    names: Iterable[str], sources: Sequence[Path], how: CompileOptions
) -> dict[str, str]:
    """Those of some names that macros have at the end of a source, each with its call, or "" where
    it takes nothing. One that stands for its own name is none.
    """
    named = {name: _definition_of(name) for name in names}
    calls = dict[str, str]()
    for source in sources:
        if language_of(source) not in C_LANGUAGES or not named:
            continue
        text = macros(source, *how)
        for name, pattern in named.items():
            if (defined := pattern.search(text)) and name not in calls:
                takes, stands_for = defined[1], defined[2] or ""
                calls[name] = "" if takes is None else f"{name}({_given(takes, stands_for)})"
    return calls


def _definition_of(name: str) -> re.Pattern[str]:
    """The line that defines a macro: what it takes, and what it stands for."""
    same = re.escape(name)
    return re.compile(rf"^#define {same}(?:\(([^()]*)\))?(?! {same}$)(?: (.*)|$)", re.MULTILINE)


def _given(takes: str, stands_for: str) -> str:
    """What a macro is given that takes so many; of two, the square is what is an index in what it
    stands for.
    """
    parameters = [one.strip() for one in takes.split(",")]
    if len(parameters) == 2:
        second = square_among(parameters, stands_for) == parameters[1]
        parameters = ["occupied", "square"] if second else ["square", "occupied"]
    return ", ".join(parameters)


# What files define.


def defined_in(names: Iterable[str], sources: Iterable[Path]) -> list[str]:
    """Those of some names of C++, or calls, that these files themselves define: of what has another
    name they include the files.
    """
    texts = [source.read_bytes() for source in sources]
    defined = {
        name for text in texts for variable in (False, True)
        for name in _defined(text, variable=variable)
    }  # fmt: skip
    return [name for name in names if re.split(r"[^\w:]", name)[0] in defined]


def defined_beside(name: str, sources: Sequence[Path], *, variable: bool = False) -> str:
    """The file beside C or C++ sources that defines a function or variable, or else the one of
    their project; "" where none does, or several do.
    """
    files = all_defined_beside(name, sources, variable=variable)
    return files[0] if len(files) == 1 else ""


def all_defined_beside(name: str, sources: Sequence[Path], *, variable: bool = False) -> list[str]:
    """All such files: of these a build may take one. They are read by their grammar, and are not
    compiled.
    """
    name = name.partition("(")[0].partition("<")[0].strip()
    if of_class := _OF_A_CLASS.match(name):  # it stands where a method of the class does
        name, variable = f"{name[of_class.end() :]}::", False
    last = name.removesuffix("::").rpartition("::")[2].encode()
    if not last:
        return []
    known = {source.resolve() for source in sources}
    beside = list(dict.fromkeys(source.parent for source in sources))
    files = _defining(beside, name, last, known, variable=variable)
    if not files:
        here, seen = Path.cwd(), {folder.resolve() for folder in beside}
        others = (one for one in project_folders(sources[0]) if one.resolve() not in seen)
        files = _defining(others, name, last, known, variable=variable)
        files = [one.relative_to(here) if one.is_relative_to(here) else one for one in files]
    return [*map(str, files)]


def c_files(folders: Iterable[Path]) -> Iterator[Path]:
    """The files of C and C++ in these folders, but for very large ones."""
    for folder in folders:
        inside = list[Path]()
        with suppress(OSError):  # one that may not be read
            inside = sorted(folder.iterdir())
        for path in inside:
            if LANGUAGES.get(path.suffix) in C_LANGUAGES:
                with suppress(OSError):
                    if path.is_file() and path.stat().st_size <= LARGEST:
                        yield path


def _defining(
    folders: Iterable[Path], name: str, last: bytes, known: Collection[Path], *, variable: bool
) -> list[Path]:
    """The files of these folders, but for those known, that define what ends with a name; of a name
    that ends with :: a method of that class.
    """
    files, seen = list[Path](), 0
    for path in c_files(folders):
        if path.suffix.startswith(".h") or path.resolve() in known:
            continue
        seen += 1
        if seen > MOST_FILES:
            break
        with suppress(OSError):
            text = path.read_bytes()
            if last not in text:
                continue
            using = b"using namespace" in text  # by which a file may leave out the first scopes
            defined = _defined(text, variable=variable)
            if name.endswith("::"):
                defined = (one[: one.rindex("::") + 2] for one in defined if "::" in one)
            if any(
                _ends_with_name(one, name) or (using and "::" in one and _ends_with_name(name, one))
                for one in defined
            ):
                files.append(path)
    return files


_OF_A_CLASS = re.compile(r"(?:vtable|typeinfo|VTT) for ")
"""Before the name of a class, in the name of what its virtual methods want."""
_ALIAS = re.compile(rf"^@({NAME}) = [^\n=]*\balias (.*)$", re.MULTILINE)


def reached(modules: Sequence[Module], starts: Iterable[str]) -> tuple[list[str], list[str]]:
    """The symbols that these functions use, and what they call, and so on: those that a module
    defines, and those that none does.
    """
    defined, found, missing = dict[str, str](), dict[str, None](), dict[str, None]()
    for module in modules:
        defined |= module.bodies
        defined |= {name: one.initial for name, one in module.globals.items() if not one.external}
        # A constructor of a whole object often is another name of its part's.
        defined |= {unquoted(name): what for name, what in _ALIAS.findall(module.text)}
    waiting, seen = [*starts], set[str]()
    while waiting:
        symbol = waiting.pop()
        if symbol in seen:
            continue
        seen.add(symbol)
        if symbol in defined:
            found[symbol] = None
            waiting += [unquoted(one) for one in re.findall(rf"@({NAME})", defined[symbol])]
        elif not symbol.startswith("llvm."):
            missing[symbol] = None
    return list(found), list(missing)


def _defined(text: bytes, *, variable: bool) -> Iterator[str]:
    """The functions or variables that a file defines, with their namespaces."""
    waiting = [(parser_of("cpp").parse(without_attributes(text)).root_node, "")]
    while waiting:
        node, scope = waiting.pop()
        if node.type in {"namespace_definition", "class_specifier", "struct_specifier"}:
            name = node.child_by_field_name("name")
            own_name = name.text.decode(errors="replace") if name and name.text else ""
            scope += f"{own_name}::" if own_name else ""
        elif node.type == "function_definition":
            if not variable:
                yield from (scope + name for name in _names_of(node))
            continue  # what stands inside is its own
        elif node.type == "declaration":
            is_extern = any(child.text == b"extern" for child in node.children)
            if variable and not is_extern:
                yield from (scope + name for name in _names_of(node))
            continue
        waiting += [(child, scope) for child in node.children]


def _names_of(node: "Node") -> Iterator[str]:
    """What a definition's declarators name, below pointers and such."""
    waiting = node.children_by_field_name("declarator")
    while waiting:
        one = waiting.pop()
        if one.type in {"identifier", "qualified_identifier"}:
            yield (one.text or b"").decode(errors="replace")
        elif one.type == "reference_declarator":
            waiting += one.named_children
        else:
            waiting += one.children_by_field_name("declarator")


def made_at_first_use(name: str, source: Path) -> str:
    """The call that makes a variable of Rust which is made at its first use; "" of any other."""
    declared = re.compile(
        r"(#\[(?:static_init::|ctor::)?(?:dynamic|ctor)\b[^\]]*\]\s*(?:pub(?:\([\w: ]+\))?\s+)?)?"
        rf"\bstatic\s+(?:ref\s+)?{re.escape(name)}\s*:\s*([\w:]*)"
    )
    files = sorted(project_of(source.absolute()).rglob("*.rs"))
    for path in islice(dict.fromkeys([source.absolute(), *files]), MOST_FILES):
        with suppress(OSError):
            if match := declared.search(path.read_text("utf-8", "replace")):
                if match[1]:
                    return f"std::ops::Deref::deref(&{name})"
                kind = match[2].rpartition("::")[2]
                if "ref" in match[0].split():
                    return f"lazy_static::initialize(&{name})"
                known = {"LazyLock": "std::sync::LazyLock", "Lazy": "once_cell::sync::Lazy"}
                return f"{known[kind]}::force(&{name})" if kind in known else ""
    return ""
