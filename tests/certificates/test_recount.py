"""The C programs that count again: against what is stored, our kernels, magics and counts."""

import hashlib
import random
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from magicert.api.covers.counted import Counted, is_counted_by_program, is_recount, read_counted
from magicert.atlas import read_atlas
from magicert.chess import Piece, mask, parse_square
from magicert.data import atlas_path
from magicert.scheme import SCHEMES
from magicert.search.chain.chain import chain_of, squares_of
from magicert.search.chain.descent import begin_chain, collect, new_chain_pads
from magicert.search.compiled import entry_point
from magicert.search.problem import Plan, terms_of
from magicert.search.shards.shard import Work, dead_on_its_line, recount_shard, run_shard
from magicert.targets import square_cell
from magicert.valid import invalid
from magicert.verify.cover.file import read_certificate

WORD = (1 << 64) - 1
ROOT = Path(__file__).parents[2]
SOURCES = {name: ROOT / "verify" / "recount" / f"{name}.c" for name in ("recount", "low", "slots")}
STORED = [path for path in sorted((ROOT / "tables" / "recounts").glob("*.xz")) if is_recount(path)]
COUNTED = {path.name.partition(".")[0]: read_counted(path) for path in STORED}


def compiled(name, folder, *options):
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip(f"no C compiler (cc) to compile {name}.c with")
    warnings = ["-std=c11", "-Wall", "-Wextra", "-Werror"]
    program = folder / name
    subprocess.run([compiler, *options, *warnings, "-o", program, SOURCES[name]], check=True)

    def run(*arguments):
        command = [str(program), *map(str, arguments)]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    return run


@pytest.fixture(scope="module")
def programs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("recount")
    return {name: compiled(name, folder, "-O3") for name in SOURCES}


def rows(answer):
    """What is printed of each shard: number, survivors, ..., magics."""
    assert (answer.returncode, answer.stderr) == (0, "")
    return [line.split("\t") for line in answer.stdout.splitlines()]


def header_of(name):
    return read_certificate(ROOT / "tables" / "certificates" / f"{name}.cover.xz").header


def magics_of(header):
    pieces = [piece for shard in header.shards for piece in shard.intervals]
    return [m for low, high in pieces for m in range(low, high + 1)]


@pytest.mark.parametrize("name", SOURCES)
def test_the_program_is_read_in_one_sitting(name):
    assert len(SOURCES[name].read_text().splitlines()) <= 550


def quickest(counted):
    """The shard in which anything dies, or is alive, in the fewest words; and how many."""
    work = {n: int(r.text.split("\t")[-3 if r.sha256 else 1]) for n, r in counted.rows.items()}
    return min((words == 0, words, number) for number, words in work.items())[1:]


def of_stored():
    """The quickest first."""
    work = {name: quickest(counted)[0] for name, counted in COUNTED.items()}
    for name in sorted(COUNTED, key=work.__getitem__):
        if name[6] == "2" and name[-2:] == "-8":
            continue
        program = COUNTED[name].program
        takes_seconds = work[name] > (10**9 if program == "recount" else 2_500_000)
        yield pytest.param(program, name, marks=[pytest.mark.slow] if takes_seconds else [])


@pytest.mark.gate_takes(first=3, each_of="program")
@pytest.mark.parametrize(("program", "name"), list(of_stored()))
def test_what_is_stored_is_counted_again(programs, program, name):
    counted = COUNTED[name]
    _, number = quickest(counted)
    again = programs[program](*counted.arguments, number)
    assert again.stdout == counted.rows[number].text + "\n"


@pytest.mark.slow
@pytest.mark.parametrize("name", COUNTED)
def test_many_that_are_stored_are_counted_again(programs, name):
    counted = COUNTED[name]
    for number in random.Random(1).sample(sorted(counted.rows), min(8, len(counted.rows))):
        again = programs[counted.program](*counted.arguments, number)
        assert again.stdout == counted.rows[number].text + "\n"


def work_of(square, bits, steps, chain, level):
    cell = square_cell(SCHEMES["white"], Piece.ROOK, parse_square(square), bits)
    width = {"b2": 54}.get(square, 55)
    end = width - steps - int(chain[1:3])
    plan = Plan(width, ("d1",) * steps + (chain,) + ("d1",) * end, 1, 2)
    return Work(cell, plan, level, record=False)


@pytest.mark.gate_takes(first=4)
@pytest.mark.cases_of("our_kernels_leave_the_same_cells.tsv")
def test_our_kernels_leave_the_same_cells(programs, square, bits, steps, chain):
    bits, steps = int(bits), int(steps)
    numbers = sorted(random.Random(square).sample(range(1 << 16), 2))
    counted = rows(programs["recount"]("rook", square, bits, steps, 16, *numbers))
    work = work_of(square, bits, steps, chain, 16)
    for number, row in zip(numbers, counted, strict=True):
        ours = recount_shard(work, number)
        assert [str(number), str(ours.survivors), ours.sha256] == row[:3]
        assert run_shard(work, number).magic_count == int(row[4])


@entry_point
def begin_on_both_sides(chain, pads, shift, base):
    begin_chain(chain, pads, shift, base, np.uint64(WORD))


def conflicts(about, low, length):
    """Whether two that stay for all real t from low to low + length, without it, conflict (L12)."""
    bucket = 1 << about.shift
    x = about.multiplicand
    some = x <= np.uint64(bucket // length)
    value = x[some] * np.uint64(low)
    stays = value % np.uint64(bucket) + x[some] * np.uint64(length) <= np.uint64(bucket)
    slots, attacks = value[stays] >> np.uint64(about.shift), about.attack[some][stays]
    pairs = np.unique(np.stack([slots, attacks.astype(np.uint64)]), axis=1)
    return len(np.unique(slots)) < pairs.shape[1]


@pytest.mark.gate_takes(first=2)
@pytest.mark.cases_of("our_kernels_leave_the_same_cells_of_both_sides.tsv")
def test_our_kernels_leave_the_same_cells_of_both_sides(
    programs, square, bits, steps, chain, nodes
):
    """A node is a shard here. In none does a pattern end just at a bucket's end: of that the plain
    program is sure (L13), and the kernels are not.
    """
    work = work_of(square, int(bits), int(steps), chain, int(steps))
    about = terms_of(work.cell)
    step, some = int(steps), about.multiplicand > 0
    moved = replace(
        about, multiplicand=about.multiplicand[some], constant=about.constant[some],
        attack=about.attack[some],
    )  # fmt: skip
    line = sum(1 << bit for bit in squares_of(work.plan, about, step).line)
    numbers = [int(node, 16) for node in nodes.split()]
    counted = rows(programs["recount"]("rook", square, bits, f"{steps}m", step - 1, *numbers))
    at = chain_of(work.plan, about, step, step + 1)
    pads, starts = new_chain_pads(at), np.empty(1 << 20, np.uint64)
    wide = about.width - step - int(chain[1:3]) + 8  # the last square comes into such cells
    for number, row in zip(numbers, counted, strict=True):
        p = work.plan.windows[step][0]
        found = 0
        if not dead_on_its_line(moved, line, number << p, p):
            begin_on_both_sides(at, pads, np.uint64(about.shift), np.uint64(number << p))
            found, _ = collect(at, pads, np.uint64(about.shift), starts)
        assert found < len(starts)
        cells, place = np.unique(starts[:found] >> wide, return_inverse=True)
        dead = np.array([conflicts(moved, int(cell) << wide, 1 << wide) for cell in cells], bool)
        left = starts[:found][~dead[place]] if found else starts[:0]
        sha256 = hashlib.sha256(left.astype("<u8").tobytes()).hexdigest()
        assert [str(number), str(len(left)), sha256] == row[:3]


def test_a_magic_is_found(programs):
    magic = 0x2002CAC99FFFA
    (row,) = rows(programs["recount"]("rook", "c2", 9, 18, 17, magic >> 38))
    assert (int(row[1]) > 0, row[5]) == (True, hex(magic))


@pytest.mark.parametrize(
    ("square", "magic"),
    [("c2", 0x2002CAC99FFFA), ("c2", 0x42002CAC99FFFA)],
)
def test_a_mirrored_shard_has_the_magics_of_both_sides(programs, square, magic):
    """Its own, and those of the shard whose bits are all the other ones."""
    shard = min(magic, (1 << 55) - 1 - magic) >> 37
    both = rows(programs["recount"]("rook", square, 9, 18, 18, shard, (1 << 18) - 1 - shard))
    magics = [int(m, 16) for row in both for m in row[5].split(",") if m]
    ((number, *_, count, found),) = rows(programs["recount"]("rook", square, 9, "18m", 17, shard))
    assert (number, count) == (str(shard), str(len(magics)))
    assert sorted(int(m, 16) for m in found.split(",")) == sorted(magics)
    about = Counted("recount", "rook", square, 9, 18, 17, {}, mirrored=True)
    assert {about.shard_of(m) for m in magics} == {shard}
    assert magic in magics


def test_all_magics_of_a_shard_are_found(programs):
    """Three words of rook d7's 354; the others that end alike are in the same shard."""
    magics = magics_of(header_of("rook-d7-9"))
    assert len(magics) == 354
    shards = [magic % (1 << 22) for magic in magics[::150]]
    for shard, row in zip(shards, rows(programs["low"]("rook", "d7", 9, 22, *shards)), strict=True):
        found = sorted(m for m in magics if m % (1 << 22) == shard)
        assert (row[0], row[2]) == (str(shard), str(len(found)))
        assert [int(text, 16) for text in row[3].split(",")] == found


@pytest.mark.gate_takes(each_of="bits")
@pytest.mark.cases_of("slots_leave_every_magic.tsv")
def test_slots_leave_every_magic(programs, square, bits):
    """In the smallest pieces of the line that hold it; m and -m are in one."""
    cell = square_cell(SCHEMES["white"], Piece.ROOK, parse_square(square), int(bits))
    entry = read_atlas(atlas_path()).cells[Piece.ROOK, parse_square(square), -int(bits)]
    listed = magics_of(header_of(f"rook-{square}-{bits}")) if entry.certificate else []
    some = random.Random(square).sample(listed, 6) if listed else [int(entry.magic, 16)]
    about = Counted("slots", "rook", square, int(bits), 0, 50, {})
    for magic in (m % (1 << about.width) for m in some):
        shard, mirror = about.shard_of(magic), (1 << about.width) - magic
        assert about.shard_of(mirror) == shard
        (row,) = rows(programs["slots"](*about.arguments, shard))
        found = [int(text, 16) for text in row[3].split(",")]
        assert (row[0], row[2]) == (str(shard), str(len(found)))
        assert magic in found
        assert (mirror in found) == (not invalid(cell, [mirror]))
        assert not listed or found == [m for m in sorted(listed) if about.shard_of(m) == shard]


def test_the_shipped_counts_of_g2_are_those_counted_again():
    """The search's shards are the recount's there: neither is mirrored."""
    seen = 0
    counted, shards = COUNTED["rook-g2-9"], header_of("rook-g2-9").shards
    above = (2 << counted.steps - counted.level) - 1
    for number, row in counted.rows.items():
        nodes, _, cells, _, _ = shards[number].counts
        died = int(row.text.split("\t")[3])
        # The search may prune nodes above a chain, the recount does not.
        assert row.survivors + above >= nodes
        assert died >= cells
        assert len(row.magics) == int(shards[number].magic_count, 16)
        seen += (row.survivors + above, died) == (nodes, cells)
    assert seen >= 10


def test_whole_cells_have_the_magics_of_their_certificates():
    for name, counted in COUNTED.items():
        known = magics_of(header_of(name))
        assert set(counted.magics) <= set(known)
        assert not counted.is_whole or counted.magics == sorted(known)
    assert sum(counted.is_whole for counted in COUNTED.values()) >= 20


def test_as_many_words_are_alive_as_the_search_has_nodes():
    """Where low bits were searched first, and all shards begin no later than at the first square
    of the mask. The search has nodes before that, too; and a shard's root, which is a node even if
    it is dead, as m = 0 is.
    """
    seen = 0
    for name, counted in COUNTED.items():
        if counted.program != "low" or not counted.is_whole:
            continue
        header = header_of(name)
        if not header.plan.startswith("low: "):
            continue
        digits = [int(step) for step in header.plan.removeprefix("low: ").split()]
        relevant = mask(Piece(counted.piece), parse_square(counted.square))
        squares = {64 - s for s in range(64) if relevant >> s & 1}
        first, cut = min(squares), len(header.shards).bit_length() - 1
        others = {sum(digits[:n]) for n in range(len(digits))} - squares
        if cut > first or max(others) > first:
            continue
        nodes = sum(shard.counts[0] for shard in header.shards)
        alive = sum(row.survivors for row in counted.rows.values())
        assert nodes == alive + sum(1 << q for q in others if q >= cut) + (cut == first)
        seen += 1
    assert seen >= 5


@pytest.mark.cases_of("refused_by_the_programs.tsv")
def test_refused_by_the_programs(programs, command):
    name, *arguments = command.split()
    answer = programs[name](*arguments)
    assert (answer.returncode, answer.stdout) == (2, "")
    assert answer.stderr.startswith(f"{name}: ")


@pytest.mark.parametrize(
    ("square", "bits"), [("a1", 11), ("c2", 9), ("f2", 9), ("g2", 12), ("h2", 10), ("d1", 6)]
)
def test_what_it_refuses_is_no_recount(programs, square, bits):
    """A file with such a first line would label a cell."""
    for steps in (*range(12, 30), 59):
        for level in (0, steps, steps + 1):
            for mirrored in (False, True):
                counted = Counted("recount", "rook", square, bits, steps, level, {}, mirrored)
                answer = programs["recount"](*counted.arguments)
                assert (answer.returncode == 0) == is_counted_by_program(counted), counted


@pytest.mark.parametrize(
    "first",
    ["# low rook e8 9 10 2", "# recount rook e2 9 2", "# low rook a1 12 64", "# slots rook a1 9 2"],
)
def test_a_first_line_that_no_program_takes(run, tmp_path, first):
    path = tmp_path / "bad.tsv"
    path.write_text(f"{first}\n0\t1\t0\t\n")
    result = run("check", path)
    assert result.exit_code == 2
    assert "bad.tsv:1" in result.stderr


def test_no_access_is_out_of_bounds_and_nothing_is_undefined(tmp_path):
    try:
        checked = {name: compiled(name, tmp_path, "-O1", "-fsanitize=address,undefined")
                   for name in SOURCES}  # fmt: skip
    except subprocess.CalledProcessError:
        pytest.skip("this C compiler has no sanitizers")
    for command in (
        "recount rook c2 8 17 17 99999", "recount rook e2 9 18 17 99999",
        "recount rook h2 10 21 21 1234567", "recount rook h2 10 21m 20 234567",
        "low rook g5 9 18 99", "low rook a1 12 54 5555",
        "low bishop f6 6 20 99", "low bishop e4 8 52 88888", "low bishop d8 4 12 0-99",
        "slots rook h1 11 52 99999", "slots rook b1 8 54 7654321", "slots rook d1 10 56 12345",
    ):  # fmt: skip
        name, *arguments = command.split()
        assert rows(checked[name](*arguments))
