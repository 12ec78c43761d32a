"""A crate of Rust without the items that do not compile here: an engine's attack functions need
neither its network, nor the crates of its user interface, nor what its build script downloads.

    use regex::Regex;                                  static Regex: fn(Infallible) = |_| ();
                                                       mod Regex {}
    static NETWORK: Net = include!(concat!(...));      const NETWORK: fn(Infallible) = |_| ();
    fn parse(s: &str) -> Position { Regex::new... }    fn parse(s: &str) -> Position { left_out() }

The compiler says which items these are, again and again until it says nothing. A name stays where
it was, as something that no code can use: so no other item of that name is taken in its place, and
whatever uses it is left out as well. So is what may mean something else without it, though it
compiles: a body that names a method of an implementation that is gone, a type that has lost a
trait's, an import of all that a module has beside a macro whose items nobody knows. A body that is
left out calls a function that nobody defines: a proof that reaches it is not decided. Lines stay as
they were.
"""

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from magicert.functions.compile.cargo import roots_of
from magicert.functions.compile.projects import mirrored, whole_path
from magicert.functions.compile.rust_edits import CrateEdits
from magicert.functions.compile.rust_errors import errors_in, variables_for_constants
from magicert.functions.compile.stand_ins import StandIn
from magicert.problem import Problem

MOST_ROUNDS = 60
"""Times that the compiler is asked what does not compile."""


@dataclass(frozen=True, slots=True)
class Crate:
    """The crate of a source: its root, texts in place of its files' own, and what these leave out,
    with its place.
    """

    root: Path
    texts: Mapping[Path, str] = field(default_factory=dict)
    left_out: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()
    """What the compiler says of all of it."""
    stand_ins: tuple[StandIn, ...] = ()
    """What is compiled in place of crates that are not here."""

    def module_of(self, source: Path) -> str:
        """The module that a source of this crate is, as its root names it."""
        inside = Path(os.path.relpath(source, self.root.parent)).with_suffix("")
        return "::".join(part for part in inside.parts if part != "mod")

    @property
    def as_words(self) -> str:
        """What is left out, in few words."""
        first, more = self.left_out[:3], len(self.left_out) - 3
        return ", ".join(first) + (f" and {more} more" if more > 0 else "")


def root_of(source: Path) -> Path:
    """The root of the crate that has a source as one of its modules; the source itself where none
    has.
    """
    package, stated = roots_of(source)
    source = whole_path(source)
    if package is None:
        return source
    candidates = [*stated, "src/lib.rs", "src/main.rs"]
    roots = [Path(os.path.normpath(package / name)) for name in candidates]
    for root in dict.fromkeys(root for root in roots if root.is_file()):
        if root == source:
            return source
        inside = source.relative_to(root.parent) if source.is_relative_to(root.parent) else None
        if inside is None:
            continue
        first = inside.parts[0].removesuffix(".rs")
        text = root.read_text("utf-8", "replace")
        if re.search(rf"^\s*(?:pub(?:\([\w: ]+\))? )?mod {re.escape(first)}\b", text, re.MULTILINE):
            return root
    return source


def is_unstable(source: Path) -> bool:
    """Whether the crate of a source asks for features of Rust that only a nightly compiler has."""
    root = root_of(source)
    text = root.read_text("utf-8", "replace") if root.is_file() else ""
    return re.search(r"^\s*#!\[[^\]]*\bfeature\s*\(", text, re.MULTILINE) is not None


def without_broken_items(
    root: Path, project: Path, folder: Path, compile_root: Callable[[Path], tuple[int, str]],
    edition: str, stand_ins: tuple[StandIn, ...] = (),
) -> Crate | None:  # fmt: skip
    """The crate without the items that `compile_root`, which is given a root below `folder` and
    gives a status and the compiler's words as JSON, refuses, with `stand_ins` for crates that are
    not here; None where that comes to nothing.
    """
    edits = CrateEdits(root, project, folder, edition, [one.crate for one in stand_ins])
    for _ in range(MOST_ROUNDS):
        mirrored(project, folder, edits.as_texts)
        status, output = compile_root(folder / root.relative_to(project))
        if not status:
            if edits.leave_out_uncertain() or edits.leave_out(variables_for_constants(output)):
                continue
            return Crate(root, edits.as_texts, tuple(edits.left_out), stand_ins=stand_ins)
        if not edits.leave_out(errors_in(output)):
            return None
    return None
