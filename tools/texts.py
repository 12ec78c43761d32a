"""Write what follows from the data: OPEN.md, tables/claims.tsv, and the parts between markers.

    python tools/texts.py           # after the atlas has changed
    python tools/texts.py --check   # exit status 1 where a text is not what the data say

A part stands between `<!-- data: NAME -->` and `<!-- end -->`, on lines of their own or within one.
"""

import argparse
import csv
import json
import re
import sys
import tomllib
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from hashlib import sha256
from importlib import import_module
from itertools import groupby
from pathlib import Path
from textwrap import fill
from typing import Any, NamedTuple

from magicert.api.forms import TableForm, pieces_of, size_of
from magicert.api.forms import attack_sets as sets_of
from magicert.atlas import US, Atlas, AtlasCell, read_atlas
from magicert.board import parse_board
from magicert.cell import Cell
from magicert.chess import Piece, attack_set, mask, parse_square
from magicert.commands.command import Option
from magicert.data import atlas_path, find_table, record_tables
from magicert.occupancy import carry_rippler
from magicert.outcome import Evidence
from magicert.scheme import SCHEMES
from magicert.table import read_table
from magicert.targets import Slider
from magicert.valid import invalid
from magicert.verify.cover.file import read_certificate

ROOT = Path(__file__).parent.parent
sys.path.append(str(ROOT))  # behind what is installed: research is in the checkout only

from research.frontier.figures import Measure, read_survey  # noqa: E402

TABLES = ROOT / "tables"
PART = re.compile(r"(<!-- data: ([a-z-]+) -->)(.*?)(<!-- end -->)", re.DOTALL)
WHITE = read_atlas(TABLES / "atlas.toml")
BLACK = read_atlas(TABLES / "atlas_black.toml")
FULL = sum(1 << mask(piece, square).bit_count() for piece in Piece for square in range(64))


def c(cell: AtlasCell) -> int:
    """The bits of the mask."""
    return mask(*cell.key[:2]).bit_count()


@cache
def attack_sets() -> list[set[int]]:
    """Of each square of rook and bishop."""
    return [
        {attack_set(piece, square, occupancy) for occupancy in carry_rippler(mask(piece, square))}
        for piece in Piece
        for square in range(64)
    ]


@cache
def lower_bound() -> dict[str, Any]:
    """The proved lower bound of the shared buffer, as its data file has it."""
    return tomllib.loads((TABLES / "bounds" / "lower-bound.toml").read_text("utf-8"))


@cache
def shared_entries() -> dict[str, Any]:
    """The lower bounds of tables whose entries squares share."""
    return tomllib.loads((TABLES / "bounds" / "shared-entries.toml").read_text("utf-8"))


def shortest_buffer() -> int:
    """The entries of the shortest plain table of the records."""
    table = read_table(TABLES / "records" / "black.toml").table
    return table.buffer_size or 0


def record_replays() -> str:
    """Of each record whether its command gives it again, as its file says."""
    lines = []
    for name, path in sorted(record_tables().items()):
        told = read_table(path).table.provenance
        code = f"code: commit {told.commit[:8]}. " if told.commit else ""
        lines.append(f"- `{name}`: {code}{told.replay[0].upper()}{told.replay[1:]}.")
    return "\n" + "\n".join(lines) + "\n"


def by_file(rows: Iterable[tuple[str, Iterable[int]]]) -> str:
    """A table with a column for each file."""
    head = "| | " + " | ".join("abcdefgh") + " |\n|" + "---|" * 9
    lines = (f"| {name} | {' | '.join(map(str, numbers))} |" for name, numbers in rows)
    return "\n" + "\n".join([head, *lines]) + "\n"


def bound_squares() -> str:
    """Of ranks 1 to 4; the others are the same from the other side."""
    ranks = enumerate(lower_bound()["squares"][:4], 1)
    return by_file((f"ranks {n} and {9 - n}", numbers) for n, numbers in ranks)


def bound_sum() -> str:
    """The rooks, the bishops, and both."""
    data = lower_bound()
    rooks, bishops, alone = data["rooks"], data["bishops"], data["rooks_by_lines"]
    return (
        f"\nThe rooks take {rooks:,} entries, and the bishops' different attack sets {bishops:,}: "
        f"**{data['entries']:,}** in all.\nBy the rank's patterns alone (L3) the rooks take "
        f"{alone:,}, and all {alone + bishops:,}.\n\n"
        + "".join(
            f"- `{run['program']}` counted rooks of {', '.join(map(str, run['rook_bits']))} bits "
            f"on {run['date']}, in {run['seconds']} s of one core.\n"
            for run in data["runs"]
        )
    )


def best(atlas: Atlas) -> list[AtlasCell]:
    """Of every square the magic of fewest bits."""
    found = [atlas.best(piece, square) for piece in Piece for square in range(64)]
    return [cell for cell in found if cell]


def squares(cells: Iterable[AtlasCell]) -> str:
    """Such as "rooks c1, e1-g1", pieces apart."""
    parts = []
    for piece, some in groupby(cells, key=lambda cell: cell.piece):
        names = [cell.square for cell in some]
        runs: list[list[str]] = []
        for name in names:
            if runs and parse_square(name) == parse_square(runs[-1][-1]) + 1 and name[0] != "a":
                runs[-1].append(name)
            else:
                runs.append([name])
        shown = (f"{r[0]}-{r[-1]}" if r[2:] else ", ".join(r) for r in runs)
        parts.append(f"{piece}{'s' if names[1:] else ''} {', '.join(shown)}")
    return "; ".join(parts)


def grouped(
    cells: Iterable[AtlasCell], key: Callable[[AtlasCell], tuple[object, ...]]
) -> Iterator[tuple[tuple[object, ...], list[AtlasCell]]]:
    """The cells by key, in the order in which keys appear; squares in the board's order."""
    groups: dict[tuple[object, ...], list[AtlasCell]] = {}
    for cell in cells:
        groups.setdefault(key(cell), []).append(cell)
    yield from groups.items()


def fewest_bits() -> str:
    """How many squares have magics of fewer bits than the mask, and what all take."""
    fewer = sum(cell.bits < c(cell) for cell in best(WHITE))
    return f"{fewer} squares, {sum(1 << e.bits for e in best(WHITE)):,} slots instead of {FULL:,}"


def fewest_entries() -> str:
    """The slots alone."""
    return f"{sum(1 << cell.bits for cell in best(WHITE)):,} entries"


def as_of() -> str:
    """The date alone."""
    return f"as of {WHITE.as_of}"


def one_bit_fewer(atlas: Atlas) -> str:
    """How many squares have a magic of one bit fewer than the mask has squares."""
    states = [cell.state for cell in atlas if cell.bits == c(cell) - 1]
    known, none, unknown = map(states.count, ("exists", "impossible", "open"))
    return (
        f"{known} of the {len(states)} squares have a magic, {none} have none, {unknown} are open"
    )


def counted_in_part(name: str) -> str:
    """How many shards the second program has counted of a cell that it has not finished."""
    with (TABLES / "recounts" / f"{name}.part.tsv").open(encoding="utf-8") as file:
        rows = sum(not line.startswith("#") for line in file)
    return f"{rows:,}"


def black_rooks() -> str:
    """How many rooks' squares are known, and how many are open."""
    states = [cell.state for cell in BLACK if cell.piece == "rook" and cell.bits == c(cell) - 1]
    known, none, unknown = map(states.count, ("exists", "impossible", "open"))
    assert known + none + unknown == 64
    shown = f", {none} are shown to have none" if none else ""
    return (
        f"Of the 64 rooks {known} have a magic, a white one with other high bits{shown}; "
        f"{unknown} are open:\nnobody has searched them."
    )


def white_cells() -> str:
    """Squares and cells: the same facts, counted in two ways."""
    states = [cell.state for cell in WHITE]
    fewer = [cell.state for cell in WHITE if cell.bits == c(cell) - 1]
    exist, none = fewer.count("exists"), fewer.count("impossible")
    assert states.count("exists") == len(fewer) + exist
    assert states.count("impossible") == none + exist
    said = f"""\
        With c - 1 bits {exist} of the {len(fewer)} squares have a magic and {none} have none.
        Counted as cells these are {states.count("exists")} that exist ({len(fewer)} with c bits and
        {exist} with c - 1) and {states.count("impossible")} that do not ({none} with c - 1 bits,
        and for the other {exist} squares c - 2)."""
    return block([fill(" ".join(said.split()), 120, break_on_hyphens=False)])


def looked_through() -> str:
    """The date and the places."""
    places = "; ".join(WHITE.looked_through)
    said = f"As of {WHITE.as_of}; looked through: {places}."
    return fill(said, 100, break_long_words=False, break_on_hyphens=False)


def answer(cell: AtlasCell) -> str:
    """What there is, with its evidence."""
    if cell.state == "exists":
        return f"{cell.magic}, verified exhaustively"
    proof = ", and a solver's checked proof" if cell.proof else ""
    if cell.evidence is Evidence.COUNTS and not cell.proof and cell.by_leaves < 1:
        return f"no magic, settled by computation ({cell.evidence})"
    if cell.evidence is Evidence.COUNTS and cell.by_leaves == 1:
        proof += ", and leaves for all m"
    return f"no magic ({cell.evidence}{proof})"


def listed(cell: AtlasCell) -> int | None:
    """How many magics a cell has, where its certificate lists all of them, first here."""
    given = cell.range
    if cell.state != "exists" or not cell.certificate or (given and given.claim):
        return None
    header = read_certificate(TABLES / cell.certificate).header
    return sum(int(shard.magic_count, 16) for shard in header.shards)


def first() -> str:
    """What was first said here, and which lists of magics are complete."""
    lines = ["| squares | bits | answer |", "|---|---|---|"]
    ours = [cell for cell in WHITE if cell.finder == US]
    for (_, bits, said), some in grouped(ours, lambda e: (e.piece, e.bits, answer(e))):
        lines.append(f"| {squares(some)} | {bits} | {said} |")
    lists = [(cell, listed(cell)) for cell in WHITE if cell.finder != US]
    for cell, count in lists:
        if count:
            kind = cell.range.evidence if cell.range else ""
            settled = ", settled by computation" if kind is Evidence.COUNTS else ""
            said = (
                f"all {count} magics{settled} ({kind}); "
                f"the first known by {cell.finder}, {cell.published}"
            )
            lines.append(f"| {squares([cell])} | {cell.bits} | {said} |")
    said = f"First answered here, as far as we know (white scheme), {as_of()}, from"
    more = (
        "[these places](atlas.md#who-found-what). *Settled by computation* means: one run of one "
        "program says so,\nand neither leaves nor a proof for all m are there to check."
    )
    return block([said, more, "", *lines])


def who_found_what() -> str:
    """Who said what first, when and where; the atlas has it cell by cell."""
    lines = ["| who | when | where | what |", "|---|---|---|---|"]
    known = [cell for cell in WHITE if cell.finder]
    before = ""
    for (who,), some in sorted(grouped(known, lambda e: (e.finder,)), key=lambda g: days(g[1])[0]):
        what = []
        for (state, less), cells in grouped(some, lambda e: (e.state, c(e) - e.bits)):
            which = f"{less} bit{'s' if less > 1 else ''} fewer" if less else "as many bits"
            said = {"exists": "magics", "impossible": "no magic", "open": "no magic, open here,"}
            shown = "all squares" if len(cells) == 128 else squares(cells)
            what.append(
                f"{said[str(state)]} of {which} than the mask: {shown}".replace(
                    "many bits than", "many bits as"
                )
            )
        places = dict.fromkeys(place(cell.source) for cell in some)
        when = " to ".join(dict.fromkeys(days(some)))
        if who == US:
            what = ["[results](results.md#claims)"]
        where = some[0].source if len({cell.source for cell in some}) == 1 else ", ".join(places)
        shown_where = "the same" if where == before else where
        before = where
        lines.append(f"| {who} | {when} | {shown_where} | {'; '.join(what)} |")
    return block([looked_through(), "", *lines])


def place(source: str) -> str:
    """A repository, or what stands before the first comma."""
    first = source.partition(",")[0]
    return first.partition(" ")[0] if first.startswith("github:") else first


def days(cells: list[AtlasCell]) -> tuple[str, str]:
    """The first and the last."""
    published = sorted((cell.published for cell in cells), key=lambda day: day.split()[-1])
    return published[0], published[-1]


def block(lines: list[str]) -> str:
    """Lines of their own between the markers."""
    return "\n".join(["", *lines, ""])


# -- the claims: what this project says, each with what is there to check it


class Claim(NamedTuple):
    """A row of tables/claims.tsv."""

    statement: str
    evidence: str
    by_leaves: str
    search_seconds: str
    check: str
    file: str
    sha256: str


def claims() -> Iterator[Claim]:
    """Every statement that something is impossible, complete or smallest, and the records."""
    for atlas in (WHITE, BLACK):
        for cell in atlas:
            name = f"{atlas.scheme} {cell.piece} {cell.square}"
            if cell.state == "impossible":
                if cell.certificate:
                    yield about(f"{name}: no magic of {cell.bits} bits", cell, cell.certificate)
                if cell.proof:
                    yield solver_proof(f"{name}: no magic of {cell.bits} bits", cell.proof)
            elif (count := listed(cell)) is not None:
                said = f"{name}: exactly {count} magics of {cell.bits} bits"
                yield about(said, cell, cell.certificate, str(cell.range and cell.range.evidence))
            short = cell.range
            if short and short.certificate and short.certificate != cell.certificate:
                said = f"{name}, {cell.bits} bits: no magic of largest index below {short.least}"
                yield about(said, cell, short.certificate, str(short.evidence))
    for path in sorted((TABLES / "records").glob("*.toml")):
        size = read_table(path).table
        said = f"table {path.stem} is valid: {size.name}"
        yield claim(said, "all occupancies", f"magicert verify {path.stem}", path)


def about(said: str, cell: AtlasCell, certificate: str, evidence: str = "") -> Claim:
    """A claim with a cover certificate."""
    path = TABLES / certificate
    own = certificate == cell.certificate
    share = f"{cell.by_leaves:.2g}" if own and cell.by_leaves else ""
    source = cell if own or cell.range is None else cell.range
    command = f"magicert check {path.name.partition('.')[0]}"
    return claim(
        said, evidence or str(cell.evidence), command, path, share, f"{source.seconds:.3g}"
    )


def solver_proof(said: str, proof: str) -> Claim:
    """The same by a solver."""
    name = Path(proof).name.removesuffix(".xz")
    return claim(said, "a solver with a checked proof", f"magicert check {name}", TABLES / proof)


def claim(
    said: str, evidence: str, command: str, path: Path, share: str = "", seconds: str = ""
) -> Claim:
    """A row, with the file's hash."""
    name = path.relative_to(TABLES).as_posix()
    return Claim(
        said, evidence, share, seconds, command, name, sha256(path.read_bytes()).hexdigest()
    )


def claims_file() -> str:
    """tables/claims.tsv."""
    return "".join("\t".join(row) + "\n" for row in (Claim._fields, *claims()))


def claims_by_evidence() -> str:
    """How many cells are said to be impossible, by what there is to check it."""
    lines = [
        "| evidence | cells | all m by leaves | a solver's checked proof | neither "
        "| of these, 1 % or more by leaves | hours of search |",
        "|---|---|---|---|---|---|---|",
    ]
    none = [cell for cell in WHITE if cell.state == "impossible"]
    for (kind,), some in sorted(
        grouped(none, lambda e: (str(e.evidence),)), key=lambda g: EVIDENCE.index(g[0][0])
    ):
        shares = [cell.by_leaves for cell in some if not cell.proof and cell.by_leaves < 1]
        counts = (
            len(some),
            sum(cell.by_leaves == 1 for cell in some),
            sum(bool(cell.proof) for cell in some),
            len(shares),
            sum(share >= 0.01 for share in shares),
        )
        hours = sum(cell.seconds for cell in some) / 3600
        lines.append(f"| {kind} | {' | '.join(map(str, counts))} | {hours:,.2g} |")
    return block(lines)


EVIDENCE = [str(kind) for kind in Evidence]


def fixed_shift() -> str:
    """Niklas Fiekas's column "best at shift 9", each magic tried here for all occupancies."""
    known = json.loads((TABLES / "known-results.json").read_text("utf-8"))
    lines = ["| bishop | magic | largest index |", "|---|---|---|"]
    for square, cell in known["bishop"].items():
        if "fixed_range" not in cell:
            continue
        magic, slider = int(cell["fixed_magic"], 16), Slider(Piece.BISHOP, parse_square(square))
        assert not invalid(Cell(SCHEMES["white"], slider, 9), [magic]), square
        largest = max(o * magic % 2**64 >> 55 for o in carry_rippler(slider.mask))
        assert largest == cell["fixed_range"], (square, largest)
        lines.append(f"| {square} | {cell['fixed_magic']} | {largest} |")
    return block(lines)


SHOWN = (
    "lines_in_bytes", "hyperbola", "hyperbola_avx2", "kindergarten", "overlaid", "black", "pext",
    "fancy", "plain",
)  # fmt: skip
"""The ways that sliders.md compares first, on random positions."""


def ways() -> str:
    """What some ways take: bytes, and nanoseconds for a queen."""
    survey = read_survey(TABLES / "frontier.json")
    columns = [
        ("cold cache, ns", Measure("queen", "random", "throughput", 1024)),
        ("warm cache, ns", Measure("queen", "random", "throughput", 0)),
        ("latency, ns", Measure("queen", "random", "latency", 0)),
    ]
    lines = [
        f"| way | bytes | {' | '.join(head for head, _ in columns)} |",
        "|---|---|---|---|---|",
    ]
    for way in survey.ways:
        if way.name in SHOWN:
            shown = " | ".join(f"{way.ns(measure):.1f}" for _, measure in columns)
            lines.append(f"| {way.title} | {way.bytes:,} | {shown} |")
    return block(lines)


PLAYED = (
    "lines_in_bytes", "hyperbola", "hyperbola_avx2", "reversal",
    "kogge_stone", "obstruction_difference", "kindergarten", "pext_lines", "overlaid", "black",
    "pext16", "pext", "fancy",
)  # fmt: skip
"""The ways that sliders.md compares on played positions."""


def played_ways() -> str:
    """Nanoseconds for a queen of played positions, with the quartiles."""
    columns = [("warm", 0), ("256 KiB read between", 256), ("1 MiB read between", 1024)]
    heads = " | ".join(head for head, _ in columns)
    lines = [f"| way | bytes | {heads} | latency, warm |", "|---|" + "---:|" * 5]
    survey = read_survey(TABLES / "frontier.json")
    for way in survey.ways:
        if way.name not in PLAYED:
            continue
        measures = [Measure("queen", "games", "throughput", size) for _, size in columns]
        found = [
            way.figure(figure) for figure in (*measures, Measure("queen", "games", "latency", 0))
        ]
        shown = " | ".join(
            f"{figure.ns:.1f} ({figure.low:.1f}-{figure.high:.1f})" for figure in found
        )
        lines.append(f"| {way.title} | {way.bytes:,} | {shown} |")
    lines += ["", f"{survey.machine.busy}."] if survey.machine.busy else []
    return block(lines)


def option_table(name: str, without: str = "") -> str:
    """The options of a command, but those that another has, and those of every command."""
    others = {"as_json", "force"}
    others |= {option.name for option in options_of(without)} if without else set()
    lines = ["| option | |", "|---|---|"]
    for option in options_of(name):
        if option.name not in others:
            choices = [str(choice) for choice in getattr(option.type, "choices", ())]
            word = option.metavar or ("\\|".join(choices) if len(choices) < 4 else "")
            flag = " ".join(filter(None, [", ".join(sorted(option.opts, key=len)), word]))
            help_text = re.sub(r"\s+", " ", option.help or "").replace("|", "\\|")
            meaning = f"{help_text[:1].lower()}{help_text[1:].rstrip('.')}"
            lines.append(f"| `{flag}` | {meaning} |")
    return block(lines)


def options_of(name: str) -> list[Option]:
    """In the order of the command's file; not those that every command has."""
    run = import_module(f"magicert.commands.{name}").run
    return [option for option in run.params if isinstance(option, Option)]


def rows_of(name: str) -> list[dict[str, str]]:
    """The rows of a table of engines."""
    with (TABLES / name).open(encoding="utf-8") as file:
        return [*csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)]


@cache
def proved() -> list[dict[str, str]]:
    """The functions that were proved before there were whole commands, a row for each method."""
    return rows_of("proved-functions.tsv")


@cache
def engines() -> list[dict[str, str]]:
    """Engines with their whole commands, a row for each command."""
    return rows_of("engines.tsv")


def proved_engines() -> int:
    """How many engines and libraries there are in both tables together."""
    valid = {row["name"].partition(",")[0] for row in engines() if row["verdict"] == "valid"}
    return len(valid | {row["engine"] for row in proved()})


def engines_by_command() -> str:
    """How many engines have a whole command, and how many commands they took."""
    valid = [row for row in engines() if row["verdict"] == "valid"]
    tries: dict[str, int] = {}
    for row in valid:
        name = row["name"].partition(",")[0]
        tries[name] = min(tries.get(name, 99), int(row["tries"]))
    told = [f"{sum(n == k for n in tries.values())} by the {word}" for k, word in
            ((1, "first"), (2, "second")) if k in tries.values()]  # fmt: skip
    return f"{len(tries)} engines, {' and '.join(told)} command that was tried"


def engines_table() -> str:
    """The table of engines that have a whole command, by name; the command folded into its row."""
    lines = [
        "| engine | commit | author of the attack code | language | verdict | pieces | squares | tries | s | command, and why it was refused |",  # noqa: E501
        "|---|---|---|---|---|---|---:|---:|---:|---|",
    ]
    for row in sorted(engines(), key=lambda row: row["name"].casefold()):
        link = f"[{row['name']}](https://github.com/{row['repository']})"
        glue = f"with {row['glue']} from tables/engines" if row["glue"] else ""
        note = (row["reason"] or glue).replace("|", "\\|")
        command = row["command"].replace("|", "\\|")
        cells = [
            link, row["commit"][:8], row["author"], row["language"], row["verdict"], row["kinds"],
            row["squares"], row["tries"], row["seconds"],
            f"<details><summary>show</summary> `{command}` </details> {note}".rstrip(),
        ]  # fmt: skip
        lines.append(f"| {' | '.join(cells)} |")
    return block(lines)


def proved_functions() -> str:
    """The older list in docs/functions-engines.md."""
    lines = [
        "| engine | commit | author | pieces | method | s | measured | entered | how |",
        "|---|---|---|---|---|---:|---|---|---|",
    ]
    for row in proved():
        how = f"`rook={row['function']}`" if row["function"] else row["changed"] or "glue"
        measured = ", ".join(filter(None, [row["timed"], row["machine"]]))
        cells = [row["engine"], row["commit"], row["author"], row["pieces"], row["method"],
                 row["seconds"], measured, row["entered"], how]  # fmt: skip
        lines.append(f"| {' | '.join(cells)} |")
    return block(lines)


class PackedFigures(NamedTuple):
    """Of a packed table of a board: entries, bytes, and what no table of its kind goes below."""

    entries: int
    bytes: int
    bound: int


@cache
def packed(name: str) -> PackedFigures:
    """The figures of a table of two levels that ships: a word for each different attack set, and
    numbers for the square with most, there must be.
    """
    file = read_table(find_table(name))
    table, levels = file.table, file.table.two_level
    assert table.buffer_size is not None
    assert levels is not None
    data = (file.path.parent / str(levels.literal_words)).read_bytes()
    size = table.board.word // 8
    words = {data[at : at + size] for at in range(0, len(data), size)}
    most = max(max(sets_of(table.board, piece.movement)) for piece in table.pieces.values())
    of_numbers = levels.entry_bits // 8
    bound = len(words) * size + most * of_numbers
    return PackedFigures(table.buffer_size, len(data) + table.buffer_size * of_numbers, bound)


def shogi_by_lines() -> str:
    """The bytes of find-set's table of shogi's pieces, by lines in two levels."""
    board = parse_board("9x9")
    form = TableForm(lines=True, two_level=True)
    return f"{size_of(board, pieces_of(['rook', 'bishop', 'lance'], board), form).bytes:,}"


PARTS: dict[str, Callable[[], str]] = {
    "proved-engines": lambda: str(proved_engines()), "proved-functions": proved_functions,
    "engines-by-command": engines_by_command, "engines": engines_table,
    "fewest-bits": fewest_bits, "fewest-entries": fewest_entries,
    "as-of": as_of, "white-cells": white_cells,
    "black-fewer": lambda: one_bit_fewer(BLACK), "first": first, "credits": who_found_what,
    "claims": claims_by_evidence, "fixed-shift": fixed_shift,
    "ways": ways, "played-ways": played_ways,
    "attack-sets": lambda: f"{sum(map(len, attack_sets())):,}",
    "different-attack-sets": lambda: f"{len(set().union(*attack_sets())):,}",
    "record-replays": record_replays,
    "shortest-buffer": lambda: f"{shortest_buffer():,}",
    "lower-bound": lambda: f"{lower_bound()['entries']:,}",
    "lower-bound-lines": lambda: by_file([("least p", lower_bound()["lines"])]),
    "lower-bound-squares": bound_squares, "lower-bound-sum": bound_sum,
    "layered-bound": lambda: f"{shared_entries()['layered_entries']:,}",
    "overlaid-bound": lambda: f"{shared_entries()['overlaid_bytes']:,}",
    "shared-classes": lambda: str(len(shared_entries()["classes"])),
    "counted-in-part": lambda: counted_in_part("rook-f1-10"),
    "shared-sets": lambda: str(len(shared_entries()["sets"])),
    "xiangqi-packed": lambda: f"{packed('xiangqi-packed').bytes:,}",
    "xiangqi-packed-entries": lambda: f"{packed('xiangqi-packed').entries:,}",
    "xiangqi-packed-bound": lambda: f"{packed('xiangqi-packed').bound:,}",
    "shogi-packed": lambda: f"{packed('shogi-packed').bytes:,}",
    "shogi-packed-entries": lambda: f"{packed('shogi-packed').entries:,}",
    "shogi-packed-bound": lambda: f"{packed('shogi-packed').bound:,}",
    "shogi-small": shogi_by_lines,
    "options-find": lambda: option_table("find"),
    "options-set": lambda: option_table("find_set", without="find"),
}  # fmt: skip


OPEN = """\
# Open questions

Written by `python tools/texts.py` from `tables/atlas.toml` and `tables/atlas_black.toml`,
{as_of}, from [these places](docs/atlas.md#who-found-what).

Each line asks: is there a magic for this piece and square with so many index bits? Two occupancies
with one index must attack the same squares ([what is a magic?](docs/what-is-a-magic.md)).

## White

The index is `(occ & mask) * magic >> (64 - bits)`.

{white}

## Black

The index is `(occ | ~mask) * magic >> (64 - bits)` ([the atlas](docs/atlas.md#black)). With one bit
fewer than the mask has squares,
{black_known}. These cells are open:

{black}

{black_rooks} No time is given for any cell: what samples of the search say is
far too low, as a few prefixes of a magic hold most of the search tree. The bishops stand in the
order of such samples, so begin with the first.

## Three things help

- **A magic.** Write it down with its finder, in a file `found.toml`:

  ```toml
  cell = "{example}"
  scheme = "{scheme}"
  magic = "0x..."
  finder = "your name"
  date = "2026-11-23"
  source = "where it stands: a page, or a repository and commit"
  ```

  `magicert atlas --scheme {scheme} --submit found.toml` tries all occupancies, and writes an atlas
  with your credit. In a checkout `make submit FILE=found.toml ATLAS={atlas}` does it
  to the atlas that ships, and writes this page and every text that follows from it. Send us that,
  or just the lines.
- **A search.** `magicert atlas --scheme {scheme} --settle --only {only} --ledger {square}.db`
  can be stopped at any time and goes on inside a shard. Send us the ledger, finished or not.
- **An older source.** Somebody was first and is not named: the same lines, the older date.
"""


def open_cells() -> str:
    """OPEN.md. Its example is the first cell of the first scheme that has one."""
    scheme, cell = next((atlas.scheme, e) for atlas in (WHITE, BLACK) for e in atlas.open())
    return OPEN.format(
        as_of=as_of(), white=_open_table(WHITE), black=_open_squares(BLACK), scheme=scheme,
        black_known=one_bit_fewer(BLACK), black_rooks=black_rooks(),
        example=_name(cell), only=f"{cell.piece}:{cell.square}", square=cell.square,
        atlas=f"tables/{atlas_path(scheme).name}",
    )  # fmt: skip


def _open_squares(atlas: Atlas) -> str:
    """The open cells by piece and bits, every square by its name; no estimates."""
    lines = ["| piece | bits | squares |", "|---|---|---|"]
    cells = sorted(atlas.open(), key=lambda atlas_cell: (atlas_cell.piece, atlas_cell.bits))
    for (piece, bits), some in grouped(
        cells, lambda atlas_cell: (atlas_cell.piece, atlas_cell.bits)
    ):
        lines.append(
            f"| {piece} | {bits} | {', '.join(atlas_cell.square for atlas_cell in some)} |"
        )
    return "\n".join(lines)


def _open_table(atlas: Atlas) -> str:
    if not atlas.open():
        return (
            "None is left: for every square and number of bits a magic is known, or it is settled\n"
            "that there is none ([how to check that](docs/results.md#how-to-check))."
        )
    tried = any(cell.finder or cell.tried for cell in atlas.open())
    heads = ["cell", "search on one core, by samples", *(["said", "tried"] if tried else [])]
    rows = []
    for cell in atlas.open():
        said = f"no magic: {cell.credit}" if cell.finder else "nothing"
        more = [said, "; ".join(cell.tried) or "nothing yet"] if tried else []
        rows.append([_name(cell), _cost(cell), *more])
    lines = [f"| {' | '.join(row)} |" for row in (heads, *rows)]
    return "\n".join([lines[0], f"|{'---|' * len(heads)}", *lines[1:]])


def _name(cell: AtlasCell) -> str:
    return f"{cell.piece} {cell.square}, {cell.bits} bits"


def _cost(cell: AtlasCell) -> str:
    for unit, seconds in (("days", 86400), ("hours", 3600), ("minutes", 60)):
        if cell.estimate >= 2 * seconds:
            return f"{cell.estimate / seconds:,.0f} {unit}"
    return f"{cell.estimate:.0f} seconds" if cell.estimate else "none yet"


def texts() -> Iterator[tuple[Path, str]]:
    """Every file that follows from the data, and what it should be."""
    yield ROOT / "OPEN.md", open_cells()
    yield ROOT / "tables" / "claims.tsv", claims_file()
    pages = [path for at in ("docs", "research") for path in sorted((ROOT / at).rglob("*.md"))]
    for path in [ROOT / "README.md", *pages]:
        text = path.read_text("utf-8")
        if PART.search(text):
            yield path, PART.sub(lambda found: found[1] + PARTS[found[2]]() + found[4], text)


def stale() -> list[str]:
    """The files that are not what the data say."""
    return [
        str(path.relative_to(ROOT)) for path, text in texts()
        if not path.exists() or path.read_text("utf-8") != text
    ]  # fmt: skip


def main() -> int:
    """Write, or check; the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    if parser.parse_args().check:
        for name in (old := stale()):
            print(f"{name}: not what the atlas says; run python tools/texts.py")
        return int(bool(old))
    for path, text in texts():
        path.write_text(text, "utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
