"""The readings that are left, each through the exhaustive verifier; and the verdict."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import permutations, product
from pathlib import Path, PurePath

from magicert.problem import InputError, NothingThereError, Problem
from magicert.table import Table
from magicert.table.read import TableFile
from magicert.table.values import Places
from magicert.verify.source.attack_lists import attack_lists, pext_lists
from magicert.verify.source.candidates import Half, Search, likeliest, search
from magicert.verify.source.columns import (
    MAGIC_WORDS,
    Column,
    are_attack_sets,
    could_be_magic,
    is_called_magic,
    piece_said,
    says,
)
from magicert.verify.source.judgement import Judgement, SourceReading
from magicert.verify.source.material import Material, read_materials
from magicert.verify.source.pins import Pins
from magicert.verify.source.tables import Laid, tables
from magicert.verify.table.budget import MAX_LOOKUPS
from magicert.verify.table.report import Finding
from magicert.verify.table.verifier import verify

MOST_NEAREST = 3
MOST_PAIRS = 12
AT_START_UP = (
    "an engine that makes its magics at start-up is tested from within: "
    "magicert emit --check-harness --lang c++ (c, rust, go, java, csharp, zig) writes the test"
)
"""What can be done where a source holds no numbers."""
OTHER_PIECES = frozenset({"king", "knight", "pawn", "queen", "kings", "knights", "pawns"})
"""Their attack sets are sometimes called magics as well."""
Progress = Callable[[int, int], None]


def judge(
    files: Sequence[tuple[Path, bytes]],
    pins: Pins | None = None,
    *,
    max_lookups: int = MAX_LOOKUPS,
    progress: Progress | None = None,
) -> Judgement:
    """Find the table in some source files, read together, and verify it.

    Raises NothingThereError where there is none, and InputError where a list that calls itself
    magics has the wrong length or an unknown item, or where the pins name what is not there.
    """
    pins = pins or Pins()
    materials = read_materials(files, pins.game)
    whole = Judgement(tuple(path for path, _ in files))
    errors: list[InputError] = []
    parts: list[Judgement] = []
    for material in materials:
        own = Judgement(whole.files)
        try:
            _Judge(material, pins, max_lookups, progress, own).run()
            parts.append(own)
        except InputError as error:
            errors.append(error)
    claimed = [error for error in errors if not isinstance(error, NothingThereError)]
    if not parts:
        if not claimed:
            whole.valid += filter(
                None, (_without_magics(material, files) for material in materials)
            )
        if whole.valid:
            return whole
        raise (claimed or errors)[0]
    for own in parts:
        whole.valid += own.valid
        whole.nearest += own.nearest
        whole.undecided += own.undecided
        whole.notes += [note for note in own.notes if note not in whole.notes]
    whole.undecided = list(dict.fromkeys(whole.undecided))
    # An alternative that holds less than a table, beside one that holds a whole one, is said.
    whole.notes += [f"under another #if: {p}" for error in claimed for p in error.problems]
    _forget_repeated(whole)
    return whole


def _without_magics(
    material: Material, files: Sequence[tuple[Path, bytes]]
) -> SourceReading | None:
    """Finished lists of attack sets alone, if their entries follow PEXT."""
    found = pext_lists(material)
    if found is None:
        return None
    table, finished = found
    report = verify(TableFile(table, files[0][0], material.sha256, Places()))
    lists = {
        f"{one.piece}.entries": f"{one.name} ({one.file}, line {one.line})" for one in finished
    }
    return SourceReading(
        table, report, lists, (), notes=material.notes,
        guesses=("index = pext(occ, mask), one square after another",), finished=finished,
    )  # fmt: skip


def _forget_repeated(judgement: Judgement) -> None:
    """Alternatives may hold the same table; it is said once."""
    seen: set[tuple[object, ...]] = set()
    for readings in (judgement.valid, judgement.nearest):
        kept = []
        for reading in readings:
            key = tuple(
                (piece, half.index.text, tuple(sorted(half.parameters.items())), half.offset)
                for piece, half in reading.table.pieces.items()
            )
            if key not in seen:
                seen.add(key)
                kept.append(reading)
        readings[:] = kept


class _Judge:
    """Judges one alternative of a source."""

    def __init__(
        self,
        material: Material,
        pins: Pins,
        max_lookups: int,
        progress: Progress | None,
        judgement: Judgement,
    ) -> None:
        self.material = material
        self.pins = pins
        self.max_lookups = max_lookups
        self.progress = progress
        self.judgement = judgement

    @property
    def pieces(self) -> tuple[str, ...]:
        return self.pins.pieces or self.material.game.pieces

    def run(self) -> None:
        self.look_up_stated()
        found = {piece: search(self.material, self.pins, piece) for piece in self.pieces}
        self.keep_apart(found)
        chosen = {piece: self.chosen(piece, found) for piece in found}
        self.refuse_spoilt(chosen)
        missing = [piece for piece in self.pieces if not chosen[piece]]
        claims = [c for piece in missing for c in found[piece].claims if not c.own & OTHER_PIECES]
        if missing:
            self.refuse_misfits(missing)
        if claims:
            named = {piece: found[piece].claims for piece in missing}
            self.undecide(named, {piece: halves for piece, halves in chosen.items() if halves})
            return
        if len(missing) == len(self.pieces):
            raise NothingThereError(self.no_table())
        if self.material.game.by_hand and missing:
            names = " and ".join(missing)
            problem = Problem(
                f"no formula goes with what the source lists for {names}: --scheme says which"
            )
            raise InputError([problem])
        if missing:
            self.refuse_one_piece(chosen, missing[0])
        self.verified({piece: halves for piece, halves in chosen.items() if halves})
        self.judgement.notes += [*self.material.notes, *self.left_over()]

    def look_up_stated(self) -> None:
        """InputError where a list is named by hand that is not there."""
        for piece, parameter in self.pins.lists:
            if parameter == "magic":
                self.pins.magics(self.material, piece)
            else:
                self.pins.column(self.material, piece, parameter)

    def keep_apart(self, found: dict[str, Search]) -> None:
        """A list that is certainly one piece's is not the other's, unless the user says so."""
        for piece, other in permutations(() if self.material.game.by_hand else found, 2):
            taken = {half.magic.group + half.magic.name for half in found[piece].right}
            found[other].near = [
                h for h in found[other].near if h.magic.group + h.magic.name not in taken
            ]

    def refuse_spoilt(self, chosen: dict[str, list[Half]]) -> None:
        """InputError where the language makes other numbers of what is written there."""
        problems = []
        for piece, halves in chosen.items():
            magics = [half.magic for half in halves]
            chosen[piece] = [half for half in halves if not half.magic.problems]
            if halves and not chosen[piece]:
                line, why = magics[0].problems[0]
                more = len(magics[0].problems) - 1
                text = (
                    f"{magics[0].name}: {why}{f', and {more} more of its numbers' if more else ''}"
                )
                problems.append(Problem(text, file=magics[0].file, line=line))
        if problems:
            raise InputError(problems)

    def chosen(self, piece: str, found: dict[str, Search]) -> list[Half]:
        """The halves of a piece to verify; with `bad` rows where none is without them."""
        own = found[piece]
        sure = [half for half in own.right if not half.against]
        if sure:
            return sure
        near = [half for half in own.near if half.is_confirmed or self.pins.lists]
        self.judgement.undecided += [half.against for half in own.right[:1]]
        if own.right and not near:
            return own.right[:1]
        if not near and self.material.game.by_hand:
            near = own.near
        if not near:
            near = [
                h for h in own.near if says(h.magic, MAGIC_WORDS) and piece_said(h.magic) == piece
            ]
        return near[: 1 if self.material.game.by_hand else MOST_NEAREST]

    def verified(self, chosen: dict[str, list[Half]]) -> None:
        """Each plausible pair of halves as tables, verified: the first that certifies wins."""
        bad: list[SourceReading] = []
        for halves in self.pairs(chosen):
            tried: list[SourceReading] = []
            for laid in tables(self.material, self.pins, halves, self.name(halves)):
                # What is only taken to make up for offsets that nearly fit would hide an error.
                told = [reading for reading in tried if reading.confirmed or reading.places_read]
                if told and laid.offsets != tried[-1].offsets:
                    break
                tried.append(self.verify(laid))
                if tried[-1].report.verdict == "valid":
                    self.judgement.valid.append(tried[-1])
                    break
            bad += sorted(tried, key=lambda one: one.bad_squares)[:1]
        if not self.judgement.valid:
            self.judgement.nearest += sorted(bad, key=_likelihood)[:MOST_NEAREST]

    def pairs(self, chosen: dict[str, list[Half]]) -> list[tuple[Half, ...]]:
        """Halves that can stand in one table: of one arrangement, the most alike first."""
        given = [halves for halves in chosen.values() if halves]
        if len(given) != 2 or self.material.game.by_hand:
            together = [halves[0] for halves in given]
            alike = [
                next(
                    (
                        h
                        for h in halves
                        if h.arrangement == together[0].arrangement
                        and h.formula.text == together[0].formula.text
                    ),
                    halves[0],
                )
                for halves in given
            ]
            return [tuple(alike)] if len(given) > 1 else [(half,) for half in given[0]]  # fmt: skip
        found = [pair for pair in product(*given) if pair[0].arrangement == pair[1].arrangement]
        found = found or [(given[0][0], given[1][0])]
        same = [pair for pair in found if pair[0].magic.file == pair[1].magic.file]
        at_home = [half.magic for pair in same for half in pair]
        # A list is paired with one of another file only where its own file has none.
        found = same + [p for p in found if p[0].magic not in at_home and p[1].magic not in at_home]

        def unlike(pair: tuple[Half, ...]) -> tuple[int, ...]:
            a, b = pair
            return (
                a.formula.text != b.formula.text,
                a.magic.group != b.magic.group and a.magic.part != b.magic.part,
                abs(a.magic.first_line - b.magic.last_line),
            )

        kept: list[tuple[Half, ...]] = []
        for pair in sorted(found, key=unlike):
            if not all(any(half in other for other in kept) for half in pair):
                kept.append(pair)
        return sorted(kept, key=lambda pair: pair[0].magic.first_line)[:MOST_PAIRS]

    def name(self, halves: Sequence[Half]) -> str:
        return " and ".join(dict.fromkeys(half.magic.file for half in halves))

    def verify(self, laid: Laid) -> SourceReading:
        path = self.judgement.files[0]
        columns = [column for half in laid.halves for column in half.columns]
        file = TableFile(laid.table, path, self.material.sha256, _places(laid, columns[0].file))
        report = verify(file, max_lookups=self.max_lookups, progress=self.progress)
        wide = [_too_wide(laid.table, half, row) for half in laid.halves for row in half.magic.wide]
        if wide:
            told = [one.squares for one in wide]
            others = [one for one in report.findings if one.squares not in told]
            report = replace(report, verdict="invalid", findings=[*wide, *others])
        taken = [
            guess for half in laid.halves for guess in (*half.guesses, *sorted(half.magic.guesses))
        ]
        return SourceReading(
            table=laid.table,
            report=report,
            sources=laid.sources,
            halves=laid.halves,
            conditions=self.material.conditions(columns),
            notes=self.material.notes,
            guesses=tuple(dict.fromkeys([*taken, *laid.guesses])),
            also_used=self.material.uses([half.magic for half in laid.halves]),
            stated=self.pins.formula is not None,
            named=bool(self.pins.lists),
            offsets=laid.offsets,
            lines=laid.lines,
            finished=(attack_lists(self.material, laid.table) if report.verdict == "valid" else ()),
        )

    def undecide(self, claims: dict[str, list[Column]], chosen: dict[str, list[Half]]) -> None:
        """Lists that call themselves magics, and that no formula reads."""
        for piece, columns in claims.items():
            for column in columns:
                if column.own & OTHER_PIECES:
                    continue
                text = f"{column.file}:{column.first_line}: {column.name} certifies with no"
                text += f" formula that was tried{self.told(piece, column)}"
                self.judgement.undecided.append(
                    f"{text}; {self.pins.left} says what the source has"
                )
        self.judgement.notes += [*self.material.notes]
        if chosen:
            self.verified(chosen)

    def told(self, piece: str, column: Column) -> str:
        """What the likeliest way to read a list comes to."""
        half = likeliest(self.material, self.pins, piece, column)
        if half is None or not half.bad or piece_said(column) not in (None, piece):
            return ""
        board, rows = half.game.board, range(half.game.squares)
        named = [board.name(half.arrangement.row_square(row, board)) for row in rows]
        bad = [named[row] for row in half.bad]
        well = [name for name in named if name not in bad]
        few = ", ".join(bad) if len(bad) <= len(well) else f"all but {', '.join(well) or 'none'}"
        taken = f", {', '.join(half.guesses)}" if half.guesses else ""
        return (
            f" (with {half.formula.text}{taken}, {len(bad)} squares of the {piece} conflict: {few})"
        )

    def left_over(self) -> list[str]:
        """Lists that call themselves magics, and are so in no reading that certifies."""
        if not self.judgement.valid or self.pins.lists or self.pins.pieces:
            return []
        used = {(c.file, c.first_line) for reading in self.judgement.valid for c in reading.columns}
        return list(dict.fromkeys(
            f"not part of it: {column.where}"
            for column in self.material.columns
            if could_be_magic(column) and says(column, ("magic",)) and not column.own & OTHER_PIECES
            and (column.file, column.first_line) not in used
        ))  # fmt: skip

    def refuse_misfits(self, missing: Sequence[str]) -> None:
        """Where a piece is missing: a list that could have been its magics, but is no column."""
        if self.pins.lists and not self.material.game.by_hand:
            return
        misfits = [m for m in self.material.misfits if m.piece in (None, *missing)]
        if misfits:
            claimed = any(m.claims for m in misfits) or len(missing) < len(self.pieces)
            kind = InputError if claimed else NothingThereError
            problems = [Problem(m.message, file=m.file, line=m.line) for m in misfits]
            raise kind(list(dict.fromkeys(problems)))

    def refuse_one_piece(self, chosen: dict[str, list[Half]], missing: str) -> None:
        """A source of one piece has to be meant: by --piece, or by the names of its files."""
        game = self.material.game
        found = next(piece for piece in self.pieces if chosen[piece])
        stems = [game.named(PurePath(path).stem) for path in self.judgement.files]
        if game.by_hand or self.pins.pieces or all(piece == found for piece in stems):
            return
        magic = chosen[found][0].magic
        if chosen[found][0].bad:
            text = (
                f"{magic.file}:{magic.first_line}: {magic.name} conflicts on some squares as magics"
            )
            text += f" of a {found}, and no list reads as those of a {missing}: {self.pins.left}"
            self.judgement.undecided.append(f"{text} says what the source has")
            return
        message = (
            f"{magic.where} certifies as magics of a {found}, but there are none of a {missing}"
        )
        problem = f"{message}: --piece {found} says that this is meant"
        raise InputError([Problem(problem, file=magic.file, line=magic.first_line)])

    def no_table(self) -> list[Problem]:
        """Why there is no table in a source, as well as it can be told."""
        message = f"no table: no list of 64 numbers could be magics; {AT_START_UP}"
        sets = dict.fromkeys(c.name for c in self.material.columns if are_attack_sets(c))
        if sets:
            shown = ", ".join([*sets][:4])
            message = f"no table: no list of 64 numbers could be magics ({shown}: attack sets)"
        lists = {
            c.where: None
            for c in self.material.columns
            if could_be_magic(c) and is_called_magic(c) and not c.own & OTHER_PIECES
        }
        if lists:
            known = "; ".join([*lists][:4])
            message = (
                f"no table: no list reads as magics; --map and --scheme can say more ({known})"
            )
        return [Problem(message, file=str(path)) for path in self.judgement.files]


def _too_wide(table: Table, half: Half, row: int) -> Finding:
    number, word = half.magic.values[row], half.game.word
    message = f"0x{number:x} has {number.bit_length()} bits: expected at most {word}"
    name = table.board.name(table.row_square(row))
    return Finding(
        kind="number", squares=[f"{half.piece} {name}"], message=message, count=1, lookups=[]
    )


def _places(laid: Laid, file: str) -> Places:
    """Where the lists of a table stand in the source, for the verifier's messages."""
    lines: dict[tuple[str | int, ...], int] = {}
    for half in laid.halves:
        for column in reversed(half.columns):
            if column.file == file:
                lines[half.piece,] = column.first_line
        if half.count and half.count.column and half.count.column.file == file:
            lines[half.piece, half.count.parameter] = half.count.column.first_line
    return Places(lines)


def _likelihood(reading: SourceReading) -> tuple[bool, int]:
    """What was read comes before what was taken, and fewer conflicts before more."""
    return not reading.decided, reading.bad_squares
