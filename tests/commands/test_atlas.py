"""The atlas: what is shipped is true, settling adds to it, and `check` finds what says more."""

import itertools
import json
import re
import runpy
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import date
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import Result

from magicert.api.atlas_files import Submitted, check_atlas, submit
from magicert.api.covers.replay import settled_in, settled_share
from magicert.api.settle_atlas import settle_atlas
from magicert.atlas import (
    MARKS,
    Atlas,
    AtlasCell,
    Range,
    atlas_toml,
    label,
    range_label,
    read_atlas,
    write_atlas,
)
from magicert.chess import Piece, mask, parse_square
from magicert.data import atlas_path, tables_folder
from magicert.outcome import Evidence, NullPhase
from magicert.problem import InputError
from magicert.scheme import SCHEMES
from magicert.system.deadline import FOREVER, BudgetOverError, Deadline
from magicert.targets import square_cell
from magicert.verify.cover.checker import check
from magicert.verify.cover.file import FIRST_LINE, read_certificate

Run = Callable[..., Result]
SHIPPED = tables_folder() / "atlas.toml"
WHITE, BLACK = (read_atlas(atlas_path(scheme)) for scheme in ("white", "black"))


def entry(square: str, bits: int, state: str, **more: object) -> AtlasCell:
    return AtlasCell(piece="bishop", square=square, bits=bits, state=state, **more)


def test_every_square_is_there():
    """White with its shortest table; and of each scheme what is known of one bit fewer than the
    mask has squares, and where the first bits are that are open or impossible. A black bishop has a
    magic wherever white has one (docs/atlas.md).
    """
    for piece, square in itertools.product(Piece, range(64)):
        best, count = WHITE.best(piece, square), mask(piece, square).bit_count()
        assert best.range
        assert best.bits <= count
        for atlas in (WHITE, BLACK):
            assert (piece, square, 1 - count) in atlas.cells
            cells = {e.bits: e.state for e in atlas if e.key[:2] == (piece, square)}
            assert cells[min(cells)] in ("open", "impossible")
        if piece is Piece.BISHOP:
            assert BLACK.best(piece, square).bits <= best.bits


def test_open_cells_are_named_one_by_one():
    """OPEN.md names every open cell of both schemes, by piece, bits and square, and gives no time
    that is known to be too low.
    """
    page = (SHIPPED.parents[1] / "OPEN.md").read_text("utf-8")
    rows = re.findall(r"^\| (rook|bishop) \| (\d+) \| (.*) \|$", page, re.MULTILINE)
    named = {(p, s, int(bits)) for p, bits, squares in rows for s in squares.split(", ")}
    assert named == {(e.piece, e.square, e.bits) for e in (*WHITE.open(), *BLACK.open())}
    assert sum(piece == "rook" for piece, *_ in named) == 64
    assert not re.search(r"\d (seconds|minutes|hours|days)", page)


@pytest.mark.long
def test_certificates_of_the_atlas():
    """Those with leaves are checked, leaf by leaf."""
    names = {e.certificate for e in WHITE if e.evidence == Evidence.LEAVES}
    checked = [check(read_certificate(SHIPPED.parent / name)) for name in sorted(names)]
    assert len(checked) >= 8
    assert all(one.leaves and one.verdict == "valid" for one in checked)


def test_the_atlas_says_what_its_impossible_cells_rest_on(run):
    """The kinds that `magicert check` finds in the files: no more is said of any cell."""
    kinds = WHITE.evidence()
    assert None not in kinds
    drawn = run("atlas").output
    assert f"{WHITE.also_proved()} also have a solver's checked proof" in drawn
    shipped = {f"proofs/{path.name}" for path in (SHIPPED.parent / "proofs").glob("*.drup.xz")}
    assert {entry.proof for entry in (*WHITE, *BLACK) if entry.proof} == shipped
    for kind, count in kinds.items():
        assert f"{count} {kind}" in drawn
        assert f"{MARKS[kind]} {kind}" in drawn
    cells = json.loads(run("atlas", "--json").stdout)["cells"]
    assert len(cells) == len(WHITE.cells)
    assert sum(cell.get("evidence") == "leaves" for cell in cells) == kinds[Evidence.LEAVES]


@pytest.mark.cases_of("what_the_commands_say.tsv")
def test_what_the_commands_say(run, here, lacking, words, status, texts):
    said = run(*words.replace("SHIPPED", str(SHIPPED)).split(), status=int(status)).output
    assert lacking(texts.split(" | "), said) == [], said
    assert not list(here.glob("*.toml"))


def test_a_cell_and_a_range_are_drawn_with_what_they_rest_on():
    for text, said in (("bishop d1", " 5="), ("bishop c1", " 5h"), ("rook h1", "12c")):
        piece, square = text.split()
        assert label(WHITE, Piece(piece), parse_square(square)) == said
    # A proof has a letter where it is all there is.
    atlas = Atlas([
        entry(at, 4, "impossible", evidence=kind, proof="proofs/x.drup.xz")
        for at, kind in (("d8", Evidence.COUNTS), ("e8", Evidence.PROOF))
    ])  # fmt: skip
    for square, said in (("d8", " 5c"), ("e8", " 5p")):
        atlas.put(entry(square, 5, "exists", magic="0x1"))
        assert label(atlas, Piece.BISHOP, parse_square(square)) == said
    assert atlas.also_proved() == 1
    by_hashes = {"certificate": "c", "evidence": Evidence.HASHES}
    for least, more, said in (
        (30, {}, "  30-"), (30, by_hashes, "  30h"), (20, by_hashes, "  30?"),
        (0, {"claim": "smallest in a page"}, "  30~"),
    ):  # fmt: skip
        one = entry("d8", 5, "exists", magic="0x208800")
        one.range = Range(magic="0x208800", largest=30, least=least, **more)
        assert range_label(Atlas([one]), Piece.BISHOP, parse_square("d8")) == said


def test_an_atlas_reads_back_and_open_cells_are_those_without_an_answer(tmp_path):
    impossible = {"certificate": "c", "evidence": Evidence.LEAVES, "tests": 5}
    atlas = Atlas([
        entry("a1", 5, "open", estimate=3.5), entry("a2", 4, "open", source="somebody"),
        entry("a3", 4, "open", estimate=1.5), entry("b1", 4, "open"),
        entry("b1", 3, "exists", magic="0x1"), entry("b2", 3, "open"),
        entry("b2", 4, "impossible", **impossible),
    ])  # fmt: skip
    assert [e.square for e in atlas.open()] == ["a3", "a1", "a2"]
    write_atlas(tmp_path / "a.toml", atlas)
    again = read_atlas(tmp_path / "a.toml")
    assert (list(again), atlas_toml(again)) == (list(atlas), atlas_toml(atlas))


def ranged(state: str, **known: Any) -> AtlasCell:
    return entry("d8", 5, state, magic="0x1", range=Range(magic="0x1", **known))


def toml(*entries: AtlasCell) -> str:
    return atlas_toml(Atlas(entries))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        *((text, r"a\.toml") for text in ("[[cell]]", "cell = 3", "\0", "x = ")),
        (toml(entry("a1", 7, "open")), "expected 1 to 6"),
        (toml(entry("a1", 6, "exists")), "no magic is given"),
        (toml(entry("a1", 4, "exists", magic="0x1"), entry("a1", 5, "impossible")), "5 bits are"),
        (toml(ranged("exists", largest=32, least=0)), "expected least <= largest <= 31"),
        (toml(ranged("exists", largest=20, least=21)), "range 21 to 20"),
        (toml(ranged("open", largest=20, least=2)), "open, but a range is given"),
        (toml(ranged("exists", largest=20, least=2, certificate="c")), "or neither"),
        (toml(entry("a1", 4, "impossible", by_leaves=1.5)), "by_leaves 1.5: expected 0 to 1"),
        (2 * toml(entry("a1", 4, "open")), "bishop a1, 4 bits: is there 2 times"),
    ],
)
def test_what_is_no_atlas_or_contradicts_itself_is_refused(tmp_path, run, text, message):
    (tmp_path / "a.toml").write_text(text)
    with pytest.raises(InputError, match=message):
        read_atlas(tmp_path / "a.toml")
    assert run("check", tmp_path / "a.toml").exit_code == 2


def test_an_atlas_that_denies_a_known_magic_is_refused(run, tmp_path):
    """Drawn, asked, settled, submitted to: before anything is printed or written."""
    path, output, given = (tmp_path / name for name in ("a.toml", "out.toml", "given.toml"))
    denied = entry("d1", 5, "impossible", certificate="c", evidence=Evidence.COUNTS)
    write_atlas(path, Atlas([denied, entry("d8", 4, "open")]))
    given.write_text(
        'cell = "bishop d8, 5 bits"\nfinder = "me"\nsource = "here"\ndate = "2026-01-01"\n'
        f'magic = "{WHITE.best(Piece.BISHOP, parse_square("d8")).magic}"\n'
    )
    for words in (
        ("--atlas", path), ("--atlas", path, "--cell"), ("--atlas", path, "--html", output),
        ("--atlas", path, "--submit", given, "-o", output),
        ("--atlas", path, "--settle", "-o", output, "--ledger", tmp_path / "l.db"),
    ):  # fmt: skip
        result = run("atlas", *words)
        assert (result.exit_code, "bishop d1, 5 bits" in result.output) == (2, True), (
            words,
            result.output,
        )
        assert "it leaves out 0x" in result.output
        assert not output.exists()
    result = run("check", path)
    assert (result.exit_code, "it leaves out 0x" in result.output) == (1, True)


def test_settling_writes_certificates_and_resumes(run, tmp_path):
    start, output, ledger = (tmp_path / name for name in ("start.toml", "out.toml", "l.db"))
    estimates = {"d8": 2, "b8": 1, "g5": 9}
    write_atlas(start, Atlas([entry(at, 4, "open", estimate=n) for at, n in estimates.items()]))
    options = ["atlas", "--settle", "--atlas", start, "--ledger", ledger, "--output", output]
    d8 = [*options, "--only", "bishop:d8"]
    assert run(*d8).exit_code == 0
    settled = {(e.square, e.state) for e in read_atlas(output)}
    assert settled == {("d8", "impossible"), ("b8", "open"), ("g5", "open")}
    assert read_atlas(output).evidence() == {Evidence.LEAVES: 1}
    assert run("check", tmp_path / "certificates" / "bishop-d8-4.cover.xz").exit_code == 0
    output.unlink()
    with closing(sqlite3.connect(ledger)) as db:
        db.execute("delete from shard where number > 0")
        db.commit()
    again = run(*d8)
    assert (again.exit_code, "shard 1 again: it is missing" in again.output) == (0, True)
    late = run(*options, "--budget", "0.001s")
    assert (late.exit_code, "budget" in late.output) == (3, True)
    assert "the ledger keeps what is done" in late.stderr


def test_the_budget_holds_for_compiling_too(monkeypatch, tmp_path):
    """No clock: the compiler that is asked for says that its time is over."""
    deadlines: list[Deadline] = []

    def late(_: object, deadline: Deadline) -> None:
        deadlines.append(deadline)
        raise BudgetOverError

    monkeypatch.setattr("magicert.api.settle_atlas.compile_search", late)
    path = tmp_path / "open.toml"
    write_atlas(path, Atlas([entry("d1", 4, "open")]))
    output, ledger = tmp_path / "atlas.toml", tmp_path / "a.db"
    atlas = read_atlas(path)
    settling = settle_atlas(atlas, atlas.open(), output, NullPhase, ledger=ledger, seconds=1.0)
    assert [*settling] == [None]
    assert deadlines[0] != FOREVER


def test_the_published_ranges_are_ours():
    """Re-verified, and each proved here or named as a claim."""
    published = runpy.run_path(str(Path(__file__).parents[2] / "research" / "atlas" / "build.py"))
    enter: Callable[..., None] = published["enter_range"]
    known: dict[str, Any] = published["json"].loads(
        (tables_folder() / "known-results.json").read_text("utf-8")
    )
    count = 0
    for entry in WHITE:
        place = known[entry.piece][entry.square]
        if "c_range" in place and entry.bits == place["c"]:
            count += 1
            assert entry.range.largest == place["c_range"]
            assert entry.range.is_smallest or entry.range.claim
            wrong = {entry.piece: {entry.square: {**place, "c_range": place["c_range"] - 1}}}
            with pytest.raises(SystemExit, match="is not"):
                enter(WHITE, entry, known | wrong)
    assert count == 16


def test_fewer_bits_or_slots_give_a_bound():
    """Where 4 bits are impossible no magic of 5 has all its indexes below 16."""
    atlas = Atlas([AtlasCell(piece="bishop", square="d8", bits=4, state="impossible")])
    square = parse_square("d8")
    sets = square_cell(SCHEMES["white"], Piece.BISHOP, square, 5).distinct
    assert atlas.least_range(Piece.BISHOP, square, 5) == 16
    assert atlas.least_range(Piece.BISHOP, square, 6) == sets - 1
    assert atlas.least_range(Piece.BISHOP, parse_square("e4"), 9) == 107


def test_a_range_is_narrowed_and_proved(run, tmp_path, monkeypatch):
    """d8, from a magic that uses every slot of 32; and e8, where 29 is the smallest."""
    path = tmp_path / "atlas.toml"
    magics = {"d8": "0x208800", "e8": "0x10020200"}
    write_atlas(path, Atlas([entry(at, 5, "exists", magic=m) for at, m in magics.items()]))
    tool = Path(__file__).parents[2] / "research" / "atlas" / "narrow_ranges.py"
    monkeypatch.setattr("sys.argv", [str(tool), str(path), "--trial", "0"])
    runpy.run_path(str(tool), run_name="__main__")
    found = {one.square: one.range for one in read_atlas(path)}
    for name, largest, status in (("d8", 31, 0), ("e8", 29, 3)):
        known = found[name]
        assert known.largest == known.least == largest
        checked = run("check", tmp_path / known.certificate, "--sample", "1")
        assert (checked.exit_code, "expected" in checked.output) == (status, False)
    assert {known.evidence for known in found.values()} >= {Evidence.LEAVES}


def test_settling_a_black_cell(run, tmp_path):
    """The shipped one again, a shard of it: the ledger and the checker know the scheme."""
    entry = AtlasCell(piece="bishop", square="e1", bits=1, state="open", estimate=1)
    write_atlas(tmp_path / "in.toml", Atlas([entry], "black"))
    files = ["--atlas", tmp_path / "in.toml", "--output", tmp_path / "out.toml"]
    result = run("atlas", "--settle", *files, "--ledger", tmp_path / "l.db", "--scheme", "black")
    assert result.exit_code == 0
    assert result.stdout.startswith("bishop e1, 1 bits, scheme black")
    settled = read_atlas(tmp_path / "out.toml")
    assert settled.scheme == "black"
    (again,) = settled
    assert again.certificate == "certificates/black-bishop-e1-1.cover.xz"
    assert run("check", tmp_path / again.certificate).exit_code in {0, 3}


TODAY = date(2026, 11, 23)
GIVEN = {
    "cell": "rook g1, 10 bits",
    "magic": "0x1c00169a9b2fffd8",
    "finder": "Michal Witanowski",
    "date": "2026-06-01",
    "source": "a repository",
}
G1 = parse_square("g1")
CELL = (Piece.ROOK, G1, -10)


def ask(folder: Path, *entries: AtlasCell, **changed: str) -> tuple[Submitted, Atlas]:
    write_atlas(folder / "atlas.toml", Atlas(entries))
    text = "".join(f'{key} = "{value}"\n' for key, value in (GIVEN | changed).items())
    (folder / "found.toml").write_text(text)
    found = submit(folder / "found.toml", folder / "atlas.toml", folder / "new.toml", TODAY)
    new = folder / "new.toml"
    return found, read_atlas(new) if new.exists() else Atlas()


def g1(state: str, bits: int = 10, **more: object) -> AtlasCell:
    return AtlasCell(piece="rook", square="g1", bits=bits, state=state, **more)


def test_an_open_cell_is_settled_with_its_credit(tmp_path):
    found, atlas = ask(tmp_path, g1("open", estimate=3.5e5, tried=["much"]))
    entry = atlas.cells[CELL]
    assert (found.valid, found.reason, found.cell) == (True, "", entry)
    assert entry.credit == "Michal Witanowski, 2026-06-01 (a repository)"
    assert (entry.state, entry.magic, entry.tried) == ("exists", GIVEN["magic"], [])
    assert entry.range.largest == 1023
    assert [e.bits for e in atlas.open()] == [9]
    (tmp_path / "new.toml").unlink()
    wrong, empty = ask(tmp_path, g1("open"), magic="0x1c00169a9b2fffd9")
    assert (wrong.valid, len(empty.cells)) == (False, 0)


@pytest.mark.cases_of("only_an_older_magic_replaces_one.tsv")
def test_only_an_older_magic_replaces_one(tmp_path, before, entered):
    known = g1("exists", magic="0x9c00016564d7fff0", finder="somebody", published=before)
    found, atlas = ask(tmp_path, known)
    assert found.valid
    assert str(not found.reason) == str(CELL in atlas.cells) == entered


def test_a_magic_that_a_certificate_says_does_not_exist_is_said_so(tmp_path):
    for bits in (10, 11):
        with pytest.raises(InputError, match=r"a valid magic, but rook g1, .*none exists"):
            ask(tmp_path, g1("impossible", bits, certificate="certificates/x.cover.xz"))


@pytest.mark.cases_of("what_is_wrong_is_named.tsv")
def test_what_is_wrong_is_named(tmp_path, key, value):
    with pytest.raises(InputError) as refused:
        ask(tmp_path, g1("open"), **{key: value})
    assert "found.toml" in str(refused.value)
    assert key in str(refused.value)


def test_the_command(run, tmp_path):
    ask(tmp_path, g1("open"))
    (tmp_path / "new.toml").unlink()
    files = ["--output", tmp_path / "new.toml", "--submit", tmp_path / "found.toml"]
    result = run("atlas", "--atlas", tmp_path / "atlas.toml", *files)
    assert (result.exit_code, result.stdout.split()[0]) == (0, "valid")
    assert "Michal Witanowski, 2026-06-01 (a repository)" in result.stdout
    again = run("atlas", "--atlas", tmp_path / "new.toml", *files, status=1)
    assert "known since Michal Witanowski" in again.stdout


@pytest.fixture
def folder(tmp_path):
    """An atlas of one square, with its files."""
    proof = "proofs/bishop-d1-4.drup.xz"
    given = {"certificate": "certificates/bishop-d1-4.cover.xz", "proof": proof}
    for name in given.values():
        (tmp_path / name).parent.mkdir()
        shutil.copy(tables_folder() / name, tmp_path / name)
    magic = next(e.magic for e in WHITE if (e.piece, e.square, e.bits) == ("bishop", "d1", 5))
    four = entry("d1", 4, "impossible", evidence=Evidence.LEAVES, **given)
    write_atlas(tmp_path / "a.toml", Atlas([entry("d1", 5, "exists", magic=magic), four]))
    return tmp_path


def test_an_atlas_that_says_what_its_files_say(run, folder):
    result = run("check", folder / "a.toml")
    assert (result.exit_code, result.stdout.startswith("valid ")) == (0, True), result.output
    assert "magics tried: 1; certificates read, but not checked: 1 " in result.stdout


@pytest.mark.cases_of("what_an_atlas_says_more_is_found.tsv")
def test_what_an_atlas_says_more_is_found(run, folder, old, new, message):
    path = folder / "a.toml"
    path.write_text(path.read_text().replace(old, new))
    result = run("check", path)
    assert (result.exit_code, result.stdout.startswith("invalid ")) == (1, True), result.output
    assert message in result.stderr


@pytest.mark.cases_of("a_line_of_the_proved_checker_fits_its_certificate.tsv")
def test_a_line_of_the_proved_checker_fits_its_certificate(tmp_path, old, new, message):
    tables = atlas_path("white").parent
    for place in ("certificates/bishop-a6-3.cover.xz", "settled/bishop-a6-3.settled"):
        (tmp_path / place).parent.mkdir()
        (tmp_path / place).write_bytes((tables / place).read_bytes())
    certificate = tmp_path / "certificates" / "bishop-a6-3.cover.xz"
    header = read_certificate(certificate).header
    assert settled_share(certificate, header) == 1
    line = tmp_path / "settled" / "bishop-a6-3.settled"
    assert old in line.read_text()
    line.write_text(line.read_text().replace(old, new))
    with pytest.raises(InputError, match=message):
        settled_share(certificate, header)


def test_a_line_of_the_proved_checker_counts_once(tmp_path):
    """However often it stands there, and in which order."""
    tables = SHIPPED.parent
    certificate = tables / "certificates" / "rook-e3-9.cover.xz"
    header = read_certificate(certificate).header
    lines = (tables / "settled" / "rook-e3-9.settled").read_text().splitlines(keepends=True)
    share = settled_share(certificate, header)
    assert 0 < share <= 1
    for changed in (lines + lines, lines[::-1], lines + lines[:1], lines + lines[-1:] * 3):
        path = tmp_path / "e3.settled"
        path.write_text("".join(changed))
        assert settled_in(path, header) == share
    path.write_text(lines[0])
    assert 0 < settled_in(path, header) < share


@pytest.mark.parametrize("scheme", ["white", "black"])
def test_the_shipped_atlases_say_what_their_files_say(scheme):
    found = check_atlas(atlas_path(scheme), NullPhase)
    assert found.problems == ()
    assert found.magics >= 64


LISTED = "rook-c2-9.cover.xz"
"""A list of all magics of a cell, in some of its shards."""
MAGIC = "0x2002cac99fffa"
"""The first of them. All have indexes up to 511."""
BELOW = "bishop-e8-5-to-28.cover.xz"


def listed(**more: Any) -> AtlasCell:
    """Rook c2, as the atlas has it."""
    known = Range(largest=511, magic=MAGIC, least=511, certificate=LISTED, evidence=Evidence.COUNTS)
    cell: dict[str, Any] = {"state": "exists", "magic": MAGIC, "range": known}
    return AtlasCell(piece="rook", square="c2", bits=9, **cell | more)


def below(least: int, largest: int) -> AtlasCell:
    """Bishop e8, with a certificate that says that no magic has indexes up to 28."""
    magic = "0x10020200" if largest == 31 else "0x4f68bcb9"
    known = Range(
        largest=largest, magic=magic, least=least, certificate=BELOW, evidence=Evidence.COUNTS
    )
    return entry("e8", 5, "exists", magic=magic, range=known)


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        (listed(), None),
        (below(29, 29), None),
        (below(28, 29), None),
        (below(30, 31), "is about bishop e8, 5 bits, indexes up to 28, scheme white"),
        (below(30, 31), "(atlas.toml: bishop e8, 5 bits) needs less"),
        (below(29, 30), "has indexes up to 29, not 30"),
        (
            listed(state="impossible", magic="", range=None, certificate=LISTED, evidence="counts"),
            "has a magic with indexes up to 511: expected none below 512",
        ),
    ],
)
def test_what_a_range_or_a_list_of_all_magics_says(tmp_path, entry, message):
    for name in (LISTED, BELOW):
        shutil.copy(tables_folder() / "certificates" / name, tmp_path)
    write_atlas(tmp_path / "a.toml", Atlas([entry]))
    problems = check_atlas(tmp_path / "a.toml", NullPhase).problems
    assert any(message in problem for problem in problems) if message else not problems


@pytest.mark.parametrize(
    ("shard", "message"),
    [
        ({"magic_count": "0x1000"}, "magics and lists 32: expected all of them"),
        ({"magics": [["0x0", "0xffffffffffff"]], "magic_count": "0x1000000000000"}, "at most"),
        ({"magics": [["0x1", "0x1"]], "magic_count": "0x1"}, "0x1 is no magic"),
    ],
)
def test_a_list_is_of_all_magics_and_of_nothing_else(tmp_path, shard, message):
    header = msgspec.to_builtins(read_certificate(tables_folder() / "certificates" / LISTED).header)
    header["shards"][-1] |= shard
    kept = {key: value for key, value in header.items() if value is not None}
    (tmp_path / LISTED).write_bytes(FIRST_LINE + json.dumps(kept).encode() + b"\n")
    write_atlas(tmp_path / "a.toml", Atlas([listed()]))
    (problem,) = check_atlas(tmp_path / "a.toml", NullPhase).problems
    assert message in problem
