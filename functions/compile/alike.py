"""Inline functions and constants that two sources define: are they the same?

C++ promises that they are, and linkers take any of them. What one source's passes made of them may
differ, so modules are looked at that no pass has been over.
"""

import re
from collections.abc import Iterator, Sequence, Set
from hashlib import sha256

from magicert.functions.llvm.bindings import library, pass_builder
from magicert.functions.llvm.ir import Module
from magicert.functions.llvm.metadata import without_any
from magicert.functions.llvm.reader import NAME, quoted, unquoted
from magicert.functions.llvm.symbol_names import with_source_names
from magicert.problem import InputError, Problem


def check_alike(
    modules: Sequence[str | bytes], names: Sequence[str], linked: Module, symbols: Set[str]
) -> None:
    """Raises InputError for those that differ and that these symbols reach."""
    if len(modules) == 1:
        return
    texts = [
        (text, name) for text, name in zip(modules, names, strict=True) if isinstance(text, str)
    ]
    reached_names = _reached(linked, symbols)
    differences = list(_unlike(texts, reached_names))
    if differences:
        plainer = [(_without_ways_out(text), file) for text, file in texts]
        differences = list(_unlike(plainer, {name for name, *_ in differences}))
    if differences:
        message = "another definition than in {}: linkers take either one"
        raise InputError(
            [
                Problem(message.format(other), file=file, key=with_source_names(name))
                for name, other, file in differences
            ]
        )


def _unlike(texts: Sequence[tuple[str, str]], symbols: Set[str]) -> Iterator[tuple[str, str, str]]:
    """Names, each with the first source that defines it and one that does so otherwise."""
    first: dict[str, tuple[str, str]] = {}
    for text, file in texts:
        for name, digest in _inline(text, file, symbols).items():
            known, other = first.setdefault(name, (digest, file))
            if known != digest:
                yield name, other, file


def _without_ways_out(text: str) -> str:
    """A module without what follows an exception: clang calls with a way out for it what it has not
    seen yet, and without one what throws none. Whether a call throws is looked at where it is made.
    """
    llvm_module = library().parse_assembly(text)
    passes = library().create_new_module_pass_manager()
    passes.add_lower_invoke_pass()
    passes.add_simplify_cfg_pass()
    passes.add_dead_code_elimination_pass()
    passes.run(llvm_module, pass_builder(llvm_module.triple))
    return re.sub(r" personality ptr @\S+", "", str(llvm_module))


def _reached(module: Module, symbols: Set[str]) -> set[str]:
    """All names that stand in these, in what they name, and so on."""
    waiting, reachable = list(symbols), set(symbols)
    while waiting:
        name = waiting.pop()
        text = module.bodies.get(name, "")
        if name in module.globals:
            text = module.globals[name].initial
        new = {unquoted(one) for one in re.findall(rf"@({NAME})", text)} - reachable
        reachable |= new
        waiting += new
    return reachable


def _inline(text: str, file: str, symbols: Set[str]) -> dict[str, str]:
    """The digest of each that a module defines: of its text, in which all that has a name in this
    module only (types, attributes, static functions and constants) has a number and stands behind.
    """
    # Clang says `nounwind` of a body if it has seen all that it calls by then.
    module = Module(re.sub(r"\bnounwind ", "", without_any(text)))
    parts = dict(re.findall(rf"^(%(?!\d+ ){NAME}) = (type .*)$", module.text, re.MULTILINE))
    parts |= dict(re.findall(r"^attributes (#\d+) = (.*)$", module.text, re.MULTILINE))
    lines = re.findall(rf"^@({NAME}) = (.*)$", module.text, re.MULTILINE)
    inline = {}
    for name, whole in (*lines, *((quoted(name), body) for name, body in module.bodies.items())):
        head = whole.partition("\n")[0].partition("(")[0]
        if re.search(r"\b(?:internal|private)\b", head):
            # A variable is each file's own.
            parts[f"@{name}"] = f"{file} {name}" if " global " in head else whole
        elif re.search(r"\b(?:linkonce|weak)_odr\b", head) and unquoted(name) in symbols:
            inline[unquoted(name)] = whole

    def digest(whole: str) -> str:
        texts, numbers = [whole], dict[str, int]()

        def numbered(match: re.Match[str]) -> str:
            name = match[0]
            if name not in parts:
                return name
            if name not in numbers:
                numbers[name] = len(numbers)
                texts.append(parts[name])
            return f"${numbers[name]}"

        digest = sha256()
        for part in texts:  # more come as they are named
            digest.update(re.sub(rf"[@%#]{NAME}", numbered, part).encode())
        return digest.hexdigest()

    return {name: digest(whole) for name, whole in inline.items()}
