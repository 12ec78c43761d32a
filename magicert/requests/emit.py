"""Source for an engine: of a table, a way, a crate, a test of its lookups."""

from collections.abc import Iterator
from dataclasses import KW_ONLY, MISSING, dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from magicert.data import find_table, tables_by_name
from magicert.outcome import Answered, OutcomeKind, Watch
from magicert.problem import Problem, printable
from magicert.requests.request import (
    File,
    Given,
    Kind,
    OneOf,
    Request,
    ShippedName,
    option,
)
from magicert.show.outputs import refuse_overwriting
from magicert.system.whole_file import write_whole

if TYPE_CHECKING:
    from magicert.compact.emit import Printer
    from magicert.table import TableFile

OF_PACKAGES = "Packages and tests"
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


@dataclass(frozen=True, slots=True)
class Emitted(Answered):
    """What was made: `data`, which is for standard output where no file is `written`."""

    kind = OutcomeKind.VALID
    data: bytes
    said: str
    written: Path | None = None
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Emit(Request[Emitted]):
    """What is written, in which language, and where to; a folder where it is a package."""

    begins = ("emit",)
    table: Path | None = option(
        None, kind=ShippedName(None, tables_by_name, find_table), argument=True
    )
    _: KW_ONLY
    lang: str = option(
        MISSING, "c, c++, csharp, go, java, javascript, python, rust, typescript "
        "or zig; binary: the finished buffers, little-endian.", LanguageName(),
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
    check_harness: bool = _package(
        False, "No table: a test of an engine's own lookups, which it makes at start-up (c, c++, "
        "csharp, go, java, rust, zig).",
    )  # fmt: skip

    def problems(self) -> Iterator[Problem]:
        alone = "expected a source, no package and no harness"
        made_more = self.check_harness or self.crate is not None
        if self.dispatch and self.way != "best":
            yield Problem("--dispatch needs --way best")
        if self.way is not None and (self.literal or self.check_harness):
            yield Problem("--way: expected names, and a TABLE for magic and two_level")
        yield from (Problem(f"--{n}: {alone}") for n in self.scopes if made_more and n != "package")
        if self.check_harness:
            if self.crate or self.table is not None or self.literal:
                yield Problem("--check-harness: expected no TABLE, and no package")
            if self.package is not None and self.lang != "go":
                yield Problem(f"--package: expected --lang go, not {self.lang}")
        elif self.table is None and self.way is None:
            yield Problem("expected TABLE")
        elif self.crate is not None:
            yield from self._problems_of_package()
        else:
            yield from self._problems_of_scopes()

    def _problems_of_package(self) -> Iterator[Problem]:
        if self.lang != "rust":
            yield Problem(f"--crate: expected --lang rust, not {self.lang}")
        if self.output is not None:
            yield Problem("-o and --crate DIR: expected one of them")

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
    def folders(self) -> list[Path]:
        return [self.crate] if self.crate is not None else []

    @property
    def outputs(self) -> list[Path]:
        to_file = self.output is not None and str(self.output) != "-" and self.crate is None
        return [self.output] if to_file and self.output else []

    def run(self, watch: Watch) -> Emitted:
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
        file = None
        if self.table is not None:
            from magicert.verify.source.read import table_from

            file = table_from(self.table, watch)
            for path in self.outputs:
                refuse_overwriting(path, [file.path])
        if self.crate is not None:
            return self._crate(self.crate, file)
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

    def _crate(self, folder: Path, file: "TableFile | None") -> Emitted:
        from magicert.compact.emit.crates import crate_of_table, crate_of_way

        if self.way is not None:
            made = crate_of_way(self.way, file)
        else:
            assert file is not None  # of a table alone there is a crate, too
            made = crate_of_table(file, self.literal)
        for path, text in made.files.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            write_whole(folder / path, text)
        size = sum(len(text.encode()) for text in made.files.values())
        said = f"package {made.name}, {len(made.files)} files, {size:,} bytes"
        return Emitted(b"", f"{printable(folder)}: {said}", folder)
