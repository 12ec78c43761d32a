"""Make a source's table valid by as few changed numbers as can be, and verify what came of it."""

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from magicert.outcome import NullPhase, Observer, Watch
from magicert.problem import InputError, path_called, printable
from magicert.verify.fixing.edits import Edit, SourceFile
from magicert.verify.fixing.repair import ONE_DIGIT, ReadSquare, Repair, other_offsets
from magicert.verify.source.columns import Column
from magicert.verify.source.judgement import Judgement
from magicert.verify.source.other_rules import hints
from magicert.verify.source.read import CheckedSource, judge_any, read_files
from magicert.verify.source.reading import SourceReading

if TYPE_CHECKING:
    from magicert.verify.source.overrides import Overrides

MOST_CHOICES = 12
"""So many numbers are tried for a square: where squares share slots, one that makes it right can
make another square wrong."""
MOST_HELPED = 6
"""With more wrong squares than this `verify` does not say beforehand what would mend them: it takes
too long."""
MOST_BROKEN = 24
"""With more wrong squares than this the reading is likely another one than the engine's."""


@dataclass(frozen=True, slots=True)
class Change:
    """One number that is changed, and why: `square` is "rook d4"."""

    square: str
    list: str
    entry: int
    file: str
    line: int
    old: str
    new: str
    how: str

    def __str__(self) -> str:
        place = f"entry {self.entry} of {self.list or 'an unnamed list'}, {self.file}:{self.line}"
        return f"{self.square}: {place}: {self.old} becomes {self.new} ({self.how})"


@dataclass(slots=True)
class Fixed:
    """What came of it. `before` and `after` are the judgements of the source; `after` is None
    where no patch was found, and `reasons` say why.
    """

    before: Judgement
    after: Judgement | None = None
    changes: list[Change] = field(default_factory=list)
    patches: list[str] = field(default_factory=list)
    contents: dict[Path, bytes] = field(default_factory=dict)
    """The patched files."""
    reasons: list[str] = field(default_factory=list)

    @property
    def verdict(self) -> str:
        """The word "valid" from the start or after the patch, else "invalid" or "unknown"."""
        if not self.before.can_be_fixed:
            return self.before.verdict
        return self.after.verdict if self.after and not self.reasons else self.before.verdict


def fix(paths: Sequence[Path], overrides: "Overrides | None", seed: int, watch: Watch) -> Fixed:
    """Find the patch for some source files, read together. Raises InputError where they hold
    no table, or one that is refused for other reasons than its numbers.
    """
    data = dict(read_files(paths))
    with watch(f"reading {paths[0].name}", "lookups") as observer:
        fixed = Fixed(judge_any(list(data.items()), overrides, progress=observer.progress))
    with watch("looking for a simpler rule", ""):
        fixed.reasons += hints(fixed.before, list(data.items()), overrides)
    if fixed.reasons or not fixed.before.can_be_fixed:
        return fixed  # no number is wrong where a piece moves otherwise
    return _patched(fixed.before, data, overrides, seed, watch)


def remedy(checked: CheckedSource) -> str:
    """What `magicert fix` would do with a source, tried beforehand; "" where it may refuse, and
    where it would look for several new magics.
    """
    judgement, paths, overrides = checked.result, checked.paths, checked.overrides
    if isinstance(judgement, InputError) or not judgement.nearest:
        return ""
    if judgement.nearest[0].bad_squares > MOST_HELPED:
        return ""
    options = f" {overrides.options}" if overrides is not None and overrides.options else ""
    command = printable(f"magicert fix {shlex.join(map(str, paths))}{options}")
    try:
        data = dict(read_files(paths))
    except InputError:
        return ""
    seed = 1 if len(judgement.nearest) == 1 == judgement.nearest[0].bad_squares else None
    fixed = _patched(judgement, data, overrides, seed, NullPhase, choices=2)
    if fixed.verdict != "valid" or not fixed.changes:
        return ""
    first, more = fixed.changes[0], len(fixed.changes) - 1
    then = f", and {more} more" if more else ""
    if first.how == ONE_DIGIT and not more:
        return f"{command} changes one digit: {first.old} becomes {first.new}"
    return f"{command} changes {first.old} to {first.new} ({first.how}){then}"


def _patched(
    before: Judgement, data: dict[Path, bytes], overrides: "Overrides | None", seed: int | None,
    watch: Watch, choices: int = MOST_CHOICES,
) -> Fixed:  # fmt: skip
    """Without a seed no new magics are looked for, nor where another reading certifies: a number
    is then likely wrong only where a known one, or one like it, is right.
    """
    fixed = Fixed(before)
    seed = None if before.undecided else seed
    files = {path: SourceFile(path, content) for path, content in data.items()}
    for choice in range(choices):
        attempt = Fixed(before)
        with watch("looking for other numbers", "squares") as observer:
            _Fixing(attempt, files, seed, choice, observer).run()
        if not attempt.reasons:
            with watch("verifying the patched source", "lookups") as observer:
                _verify_again(attempt, data, overrides, observer.progress)
        if attempt.reasons:
            attempt.reasons[:0] = before.undecided
        if choice == 0 or attempt.verdict == "valid":
            fixed = attempt
        if attempt.verdict == "valid" or len(attempt.changes) != 1:
            break
    return fixed


def _verify_again(
    fixed: Fixed, data: dict[Path, bytes], overrides: "Overrides | None", progress: "object"
) -> None:
    files = [(path, fixed.contents.get(path, content)) for path, content in data.items()]
    try:
        fixed.after = judge_any(files, overrides, progress=progress)  # type: ignore[arg-type]
    except InputError as error:
        fixed.reasons += [str(problem) for problem in error.problems]
        return
    if fixed.after.verdict != "valid":
        findings = [f.message for r in fixed.after.nearest for f in r.report.findings]
        why = findings[0] if findings else ", ".join(fixed.after.undecided) or fixed.after.verdict
        fixed.reasons.append(f"each square is right by itself, but not all together: {why}")


class _Fixing:
    """Collects the changes for each reading that fails."""

    def __init__(
        self, fixed: Fixed, files: dict[Path, SourceFile], seed: int | None, choice: int,
        observer: Observer,
    ) -> None:  # fmt: skip
        self.observer = observer
        self.choice = choice
        """Which repair of a square is taken, where there are several."""
        self.fixed = fixed
        self.files = files
        self.seed = seed
        self.edits: dict[Path, list[Edit]] = {path: [] for path in files}

    def run(self) -> None:
        for reading in _nearest(self.fixed.before):
            self.reading(reading)
        for path, file in self.files.items():
            if self.edits[path]:
                lines = file.with_edits(self.edits[path])
                self.fixed.patches.append(file.patch(lines))
                self.fixed.contents[file.path] = file.encoded(lines)

    def file(self, column: Column) -> SourceFile:
        return self.files[path_called(column.file, [*self.files])]

    def reading(self, reading: SourceReading) -> None:
        board = reading.table.board
        squares = [
            (ReadSquare(piece_reading, row), f"{piece} {board.name(reading.table.row_square(row))}")
            for piece, row in sorted(set(_broken(reading)))
            for piece_reading in reading.piece_readings
            if piece_reading.piece == piece
        ]
        # The others share slots with a square that is wrong by itself.
        wrong = [entry for entry in squares if not entry[0].is_right] or [
            entry for entry in squares if any(entry[0].other_numbers())
        ]
        if not wrong:
            self.offsets(reading)
        elif len(wrong) > MOST_BROKEN:
            self.fixed.reasons.append(
                f"{len(wrong)} squares are wrong: the engine likely uses another formula or list "
                "(--map, --scheme, --bits say which)"
            )
        else:
            for done, (square, name) in enumerate(wrong):
                self.observer.progress(done, len(wrong), name)
                self.square(square, name)

    def offsets(self, reading: SourceReading) -> None:
        """Change the offsets of squares that are right by themselves and share slots."""
        repairs = other_offsets(reading)
        for name, repair in repairs:
            file = self.file(repair.column)
            edits = file.edits(repair.column, repair.row, repair.value)
            if not edits:
                self.fixed.reasons.append(f"{name}: its offset is not a plain number")
                return
            self.change(repair, edits, name)
        if not repairs:
            message = reading.report.findings[0].message
            self.fixed.reasons.append(f"no single number is wrong: {message}")

    def square(self, square: ReadSquare, name: str) -> None:
        """Change the first number that makes the square right and can be written."""
        magic = square.piece_reading.magic
        file = self.file(magic)
        base, usable = file.radix(magic, square.row), file.usable(magic, square.row)
        why = "is wrong, and no number to replace it was found"
        skipped = self.choice
        for repair in square.repairs(base, self.seed, usable):
            edits = self.file(repair.column).edits(repair.column, repair.row, repair.value)
            if edits and not skipped:
                self.change(repair, edits, name)
                return
            skipped -= bool(edits)
            why = "is not a plain number that could be changed"
        line = magic.spots[square.row][0]
        entry = f"{magic.file}:{line}: entry {square.row} of {magic.name}"
        self.fixed.reasons.append(f"{name}: {entry} {why}")

    def change(self, repair: Repair, edits: list[Edit], name: str) -> None:
        column = repair.column
        self.edits[self.file(column).path] += edits
        self.fixed.changes += [
            Change(name, column.name, repair.row, column.file, e.line, e.old, e.new, repair.how)
            for e in edits
        ]


def _nearest(judgement: Judgement) -> Iterator[SourceReading]:
    """The nearest reading of each `#if` alternative that fails."""
    seen = set()
    for reading in judgement.nearest:
        if reading.conditions not in seen and reading.report.findings:
            seen.add(reading.conditions)
            yield reading


def _broken(reading: SourceReading) -> Iterator[tuple[str, int]]:
    """The pieces and rows that a reading's findings name."""
    table = reading.table
    rows = {table.row_square(row): row for row in range(table.rows)}
    for finding in reading.report.findings:
        for name in finding.squares:
            piece, _, square = name.partition(" ")
            yield piece, rows[table.board.parse(square)]
