"""Source for an engine: of a table, a way, a package, a test of its lookups, a lookup of keys."""

from collections.abc import Iterator
from dataclasses import KW_ONLY, MISSING, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from magicert.data import find_table, tables_by_name
from magicert.dataclass import dataclass
from magicert.outcome import Answered, Exists, OutcomeKind, Watch
from magicert.problem import Problem, printable
from magicert.requests import words
from magicert.requests.outputs import refuse_overwriting
from magicert.requests.request import (
    File,
    Given,
    Kind,
    OneOf,
    Request,
    ShippedName,
    Unsigned,
    WholeNumber,
    asked_by,
    budget,
    option,
)
from magicert.system.whole_file import write_whole

if TYPE_CHECKING:
    from magicert.compact.emit import Printer
    from magicert.key_file import KeyFile
    from magicert.requests.find import Answer
    from magicert.table import TableFile

OF_PACKAGES = "Packages and tests (--lang typescript --package DIR: a package for npm)"
OF_KEYS = "A lookup of keys (with --keys)"
_key = partial(option, panel=OF_KEYS, seldom=True)
_package = partial(option, panel=OF_PACKAGES)


class LanguageName(Kind):
    """The languages of magicert.compact.emit, which imports numpy: looked up when needed."""

    @property
    def choices(self) -> tuple[str, ...]:  # type: ignore[override]
        from magicert.compact.emit import LANGUAGES

        return (*LANGUAGES, "binary")

    def read(self, text: str, given: Given) -> str:
        from magicert.compact.emit import own_name

        return OneOf(self.choices).read(own_name(text), given)


class NamedFile(File):
    """A file that a command names without its folder."""

    def written(self, value: Path) -> str:
        return value.name


@dataclass(frozen=True, slots=True)
class Emitted(Answered):
    """What was made: `data`, which is for standard output where no file is `written`."""

    kind = OutcomeKind.VALID
    data: bytes
    said: str
    written: Path | None = None
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class NoLookup(Answered):
    """Why there is no lookup of the keys."""

    file: "KeyFile"
    answer: "Answer"

    @property
    def kind(self) -> OutcomeKind:
        return self.answer.kind


@dataclass(frozen=True, slots=True)
class Emit(Request[Emitted | NoLookup]):
    """What is written, in which language, and where to; a folder where it is a package."""

    begins = ("emit",)
    table: Path | None = option(
        None, kind=ShippedName(None, tables_by_name, find_table), argument=True
    )
    _: KW_ONLY
    lang: str = option(
        MISSING, "c, c++, csharp, go, java, javascript, javascript-32, python, rust, swift, "
        "typescript or zig; binary: the finished buffers, little-endian.", LanguageName(),
        "LANGUAGE",
    )  # fmt: skip
    way: str | None = option(
        None, "One file with nothing to start (c, c++, rust, zig).", metavar="WAY"
    )
    dispatch: bool = option(False, "With --way best: the compiler's target chooses.")
    literal: bool = option(False, "The finished buffer instead of a fill routine.")
    prefix: str | None = option(None, "C: what all names begin with.  [default: magics_]")
    namespace: str | None = option(
        None, "C++, C#: where the names live.  [default in C++: magics]", seldom=True
    )
    package: str | None = option(None, "Go, Java: where the names live.  [default in Go: magics]")
    output: Path | None = option(
        None, "Else stdout.", File(folder=None, output=True, stream=True), "PATH",
        flags=("-o", "--output"),
        told=False,
    )  # fmt: skip
    crate: Path | None = _package(
        None, "Rust: a crate, in DIR.", File(folder=None, output=True), "DIR"
    )
    header_only: bool = _package(
        False, "C: the header with test and bench, in the folder -o.", seldom=True
    )
    check_harness: bool = _package(
        False, "No table: a test of an engine's own lookups, which it makes at start-up (c, c++, "
        "csharp, go, java, rust, zig).",
    )  # fmt: skip
    keys: Path | None = option(
        None, "Not a table, but keys: a line for each, as KEY or KEY VALUE (docs/keys.md).",
        NamedFile(there=True), panel=OF_KEYS, first=True,
    )  # fmt: skip
    bits: int | None = _key(None, "Index bits; the fewest if not given.", WholeNumber(), "K")
    magic: int | None = _key(None, "This one; one is found if not given.", Unsigned(64, "0x1f"))
    scheme: str = _key("white", "A scheme or a formula.", shows_default=True)
    seconds: float | None = budget(panel=OF_KEYS, seldom=True)
    seed: int = words.seed(panel=OF_KEYS, seldom=True, always=False)

    def problems(self) -> Iterator[Problem]:
        alone = "expected a source, no package and no harness"
        made_more = self.check_harness or self.kind
        if self.keys is not None:
            yield from self._problems_of_keys()
        else:
            of_keys = (one.name for one in asked_by(Emit) if one.option.panel == OF_KEYS)
            yield from self.only_with("--keys", *of_keys)
        if self.dispatch and self.way != "best":
            yield Problem("--dispatch: expected --way best; other ways hold no choice")
        if self.way is not None and (self.keys or self.literal or self.check_harness):
            yield Problem("--way: expected names, and a TABLE for magic and two_level")
        if self.way is not None and self.kind not in ("", "crate"):
            yield Problem("--way: one file is all that it takes; a package only with --crate")
        if self.keys is not None and made_more:
            yield Problem(f"--keys: {alone}")
        yield from (Problem(f"--{n}: {alone}") for n in self.scopes if made_more and n != "package")
        if self.check_harness:
            if self.crate or self.header_only or self.table is not None or self.literal:
                yield Problem("--check-harness: expected no TABLE, and no package")
            if self.package is not None and self.lang != "go":
                yield Problem(f"--package: expected --lang go, not {self.lang}")
        elif self.table is None and self.keys is None and self.way is None:
            yield Problem("expected TABLE, or --keys FILE")
        elif self.kind:
            yield from self._problems_of_package()
        else:
            yield from self._problems_of_scopes()

    def _problems_of_keys(self) -> Iterator[Problem]:
        from magicert.compact.emit.keyed import languages_of_keys

        if self.table is not None:
            yield Problem("expected TABLE, or --keys FILE")
        if self.lang not in (known := languages_of_keys()):
            yield Problem(f"--keys: expected --lang {', '.join(known)}, not {self.lang}")
        if self.literal:
            yield Problem("--literal: not with --keys, whose lookup is always finished")
        if self.magic is not None and self.bits is None:
            yield Problem("--magic: expected together with --bits")

    def _problems_of_package(self) -> Iterator[Problem]:
        from magicert.compact.emit.packages import PACKAGES

        if self.lang != (wanted := PACKAGES[self.kind].language):
            yield Problem(f"--{self.kind}: expected --lang {wanted}, not {self.lang}")
        if self.crate is not None and self.header_only:
            yield Problem("--crate and --header-only: expected one of them")
        if self.kind == "header-only" and self.output is None:
            yield Problem("--header-only: expected -o FOLDER")
        if self.kind != "header-only" and self.output is not None:
            yield Problem(f"-o and --{self.kind} DIR: expected one of them")

    def _problems_of_scopes(self) -> Iterator[Problem]:
        from magicert.compact.emit import LANGUAGES

        for name in self.scopes:
            takes = [kind.name for kind in LANGUAGES.values() if kind.scope_option == name]
            if self.lang == "binary":
                yield Problem(f"--{name}: binary has no names")
            elif self.lang not in takes:
                expected = f"expected --lang {' or '.join(takes)}, not {self.lang}"
                yield Problem(f"--{name}: {expected}")

    @property
    def scopes(self) -> dict[str, str]:
        """Where names live, by the options that say so."""
        given = {name: getattr(self, name) for name in ("prefix", "namespace", "package")}
        return {name: scope for name, scope in given.items() if scope is not None}

    @property
    def kind(self) -> str:
        """Which package, or ""."""
        if self.crate is not None:
            return "crate"
        npm = self.lang == "typescript" and self.package is not None
        return "header-only" if self.header_only else "package" if npm else ""

    @property
    def folders(self) -> list[Path]:
        ways = {"crate": self.crate, "header-only": self.output, "package": self.package}
        return [Path(ways[self.kind] or "")] if self.kind else []

    @property
    def outputs(self) -> list[Path]:
        to_file = self.output is not None and str(self.output) != "-" and not self.kind
        return [self.output] if to_file and self.output else []

    def run(self, watch: Watch) -> Emitted | NoLookup:
        """Make and write it. Raises InputError for a table that is not valid, or where the
        language cannot have it.
        """
        if self.way is not None:
            from magicert.compact.emit.ways import refuse_way

            refuse_way(self.way, self.lang, with_table=self.table is not None)
        if self.check_harness:
            from magicert.compact.emit.harness import harness

            data = harness(self.lang, self.package or "magics").encode()
            return self._written(data, "its head says how to compile it with the engine")
        if self.keys is not None:
            return self._lookup(self.keys, watch)
        file = None
        if self.table is not None:
            from magicert.jobs.read_sources import table_from

            file = table_from(self.table, watch)
            for path in self.outputs:
                refuse_overwriting(path, [file.path])
        if self.kind:
            return self._package(file)
        return self._table(file) if self.way is None else self._way(self.way, file)

    def _written(self, data: bytes, said: str, remarks: tuple[str, ...] = ()) -> Emitted:
        for path in self.outputs:
            write_whole(path, data)
            return Emitted(data, f"{printable(path)}: {said}", path, remarks)
        return Emitted(data, said, remarks=remarks)

    @property
    def _stem(self) -> str | None:
        return self.outputs[0].stem if self.outputs else None

    def _printer(self) -> "Printer":
        """The language, with the names that the options ask for."""
        from magicert.compact.emit import LANGUAGES, printer

        return printer(self.lang, self.scopes.get(LANGUAGES[self.lang].scope_option), self._stem)

    def _table(self, file: "TableFile | None") -> Emitted:
        from magicert.compact.emit import binary, make_unit

        assert file is not None
        printer = None if self.lang == "binary" else self._printer()
        unit = make_unit(file, replace(self, table=file.path).command)
        data = binary(unit) if printer is None else printer.emit(unit, self.literal).encode()
        said = f"{printable(unit.name)}, {unit.entries:,} entries, {len(data):,} bytes"
        return self._written(data, said)

    def _way(self, way: str, file: "TableFile | None") -> Emitted:
        from magicert.compact.emit import make_unit
        from magicert.compact.emit.ways import print_way, unit_of, way_command
        from magicert.table import chess_only

        printer, unit, told = self._printer(), unit_of(way), ""
        if file is not None:
            chess_only(file.table, "emit --way", str(file.path))
            told = way_command(way, printer, file.path.name)
            unit = make_unit(file, told)
        data = print_way(way, printer, unit, told).encode()
        return self._written(data, f"{way}, {len(data):,} bytes")

    def _package(self, file: "TableFile | None") -> Emitted:
        from magicert.compact.emit.packages import make_crate, make_package

        (folder,) = self.folders
        if self.way is not None:
            made = make_crate(self.way, file)
        else:
            assert file is not None  # of tables alone there are packages, too
            made = make_package(self.kind, file, self.literal)
        for path, text in made.files.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            write_whole(folder / path, text)
        size = sum(len(text.encode()) for text in made.files.values())
        said = f"package {made.name}, {len(made.files)} files, {size:,} bytes"
        return Emitted(b"", f"{printable(folder)}: {said}", folder)

    def _lookup(self, keys: Path, watch: Watch) -> Emitted | NoLookup:
        """All keys get slots of their own, those with the same value, too: each is compared."""
        from magicert.cell import Cell
        from magicert.compact.emit.keyed import make_program, print_program
        from magicert.key_file import read_keys
        from magicert.requests.find import Find
        from magicert.scheme import resolve_scheme

        printer = self._printer()
        file, magic = read_keys(keys), self.magic
        dialect, scope = printer.dialect, printer.scope if self.scopes else None
        with watch(f"{file.apart}", "") as observer:
            if magic is None:
                found = Find(
                    keys=file.apart, scheme=self.scheme, bits=self.bits, seconds=self.seconds,
                    seed=self.seed,
                ).answer(observer)  # fmt: skip
                if not isinstance(found.outcome, Exists):
                    return NoLookup(file, found)
                cell, magic = found.cell, found.outcome.magic
            else:
                cell = Cell(resolve_scheme(self.scheme), file.apart, self.bits or 0)
                cell.check()
            program = make_program(file, cell, magic, self.command)
            data = print_program(program, dialect.name, scope, self._stem).encode()
        remarks = tuple(printable(f"{keys}: {remark}") for remark in file.remarks)
        return self._written(data, f"{len(file.entries):,} keys, {len(data):,} bytes", remarks)
