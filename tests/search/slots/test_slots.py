"""Slots counted: tables against plain products, known magics, each rule broken, and the shards."""

import lzma
import re
import subprocess
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from magicert.chess import Piece, parse_square
from magicert.engine import EngineRequest
from magicert.problem import InputError
from magicert.scheme import SCHEMES
from magicert.search import window
from magicert.search.problem import SlotPlan, file_of, parse_plan, slot_plan, terms_of
from magicert.search.shards.shard import Work, by_fans, level_for, run_shard
from magicert.search.slots import count
from magicert.system import c_program
from magicert.system.deadline import Deadline
from magicert.targets import square_cell
from magicert.verify.cover.file import read_certificate

HERE = Path(__file__).parent
CERTIFICATES = HERE.parents[2] / "tables" / "certificates"
SOURCE = count.SOURCE.read_text()
ARGUMENTS = {"tables": ("d1", "10", "100"), "free": ("d1", "8", "2000")}
"""Of the programs here: square, bits and rounds."""
RULES = [
    line.split("\t")
    for line in (HERE / "broken_rules.tsv").read_text().splitlines()
    if not line.startswith("#")
]
FIRST_OF_ITS_FINDER = [
    rule for n, rule in enumerate(RULES) if rule[-1] not in {finder for *_, finder in RULES[:n]}
]


def cell_of(square, bits):
    return square_cell(SCHEMES["white"], Piece("rook"), parse_square(square), bits)


def work_of(square, bits):
    cell = cell_of(square, bits)
    plan = slot_plan(terms_of(cell))
    plan.check(terms_of(cell))
    return Work(cell, plan, 1, record=False)


def replaced(text, old, new, times=1):
    assert text.count(old) >= times
    return text.replace(old, new)


def following(source):
    """The program, but that it goes only where given magics are: what is dead there is wrong."""
    begin, end = source.index("static void search_line"), source.index("static void search_node")
    loop = "FOR_EACH(x, mask) {\n"
    only = "if ((wanted ^ (low | (u64)x << {0})) & (((u64)1 << ({0} + 8)) - 1)) continue;\n"
    below = replaced(source[:begin], loop, loop + only.format("bits_known"), 6)
    line = replaced(source[begin:end], loop, loop + only.format("(own - 8)"))
    rest = replaced(
        source[end:],
        "    build(begin, ",
        "    if ((wanted << lowest) - begin >> (64 - known)) return;\n    build(begin, ",
    )
    rest = replaced(
        rest,
        'run_shard((u64)number_of(argv[i], "SHARD", 0, slots - 1));',
        """{
        wanted = strtoull(argv[i], 0, 16);
        if (!(wanted << lowest >> (shift - 1) & 1)) wanted = (0 - wanted) << lowest >> lowest;
        run_shard(wanted << lowest >> shift);
    }""",
    )
    return "#include <stdint.h>\nstatic uint64_t wanted;\n" + below + line + rest


def compiled(folder, name, text):
    source = folder / f"{name}.c"
    source.write_text(text)
    with pytest.MonkeyPatch.context() as patch:  # users' -O3 takes longer than what is run here
        patch.setattr(c_program, "FLAGS", (("-O1", "-std=c11"),))
        program = c_program.c_program(source)
    assert program is not None
    return program


def program_with(folder, name, source):
    """tables.c or free.c, with a text in the place of count.c's."""
    text = (HERE / f"{name}.c").read_text()
    return compiled(folder, name, replaced(text, '#include "count.c"\n', source))


def magics_of(name):
    header = read_certificate(CERTIFICATES / f"{name}.cover.xz").header
    intervals = [pair for shard in header.shards for pair in shard.intervals]
    return [magic for low, high in intervals for magic in range(low, high + 1)]


def followed(program, square, magics):
    """Of these magics those that the program finds, in the order of the list."""
    command = [str(program), square, "10", "8", "12", "39", "2", *map(hex, magics)]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    found = {int(line.split()[1], 16) for line in said if line.startswith("magic")}
    return [magic for magic in magics if magic in found]


@pytest.mark.parametrize("cell", [("h1", 11), ("g1", 9), ("d1", 10), ("b1", 8)])
def test_tables_say_what_plain_products_do(tmp_path, cell):
    square, bits = cell
    program = program_with(tmp_path, "tables", SOURCE)
    found = subprocess.run(
        [program, square, str(bits), "100"], capture_output=True, text=True, check=False
    )
    assert (found.returncode, found.stdout.split()[-2:]) == (0, ["0", "wrong"])


def test_what_is_said_of_all_magics_holds_for_free_ones(tmp_path):
    """Moves of the file's squares that are no multiples of one m: extreme overlaps, too."""
    program = program_with(tmp_path, "free", SOURCE)
    found = subprocess.run(
        [program, *ARGUMENTS["free"]], capture_output=True, text=True, check=True
    )
    met = int(re.search(r"(\d+) free magics, 0 not feasible", found.stdout)[1])
    assert met > 10


@pytest.mark.parametrize(("square", "name"), [("b1", "rook-b1-10"), ("d1", "rook-d1-10")])
def test_every_known_magic_is_found(tmp_path, square, name):
    magics = magics_of(name)
    assert len(magics) > 10
    assert followed(compiled(tmp_path, "follow", following(SOURCE)), square, magics) == magics


@pytest.mark.parametrize(
    ("rule", "old", "new", "finder"),
    [
        pytest.param(*rule, marks=[] if rule in FIRST_OF_ITS_FINDER else pytest.mark.long)
        for rule in RULES
    ],
)
def test_a_broken_rule_is_found(tmp_path, rule, old, new, finder):
    broken = replaced(SOURCE, old, new)
    if finder in ARGUMENTS:
        program = program_with(tmp_path, finder, broken)
        found = subprocess.run([program, *ARGUMENTS[finder]], capture_output=True, check=False)
        assert found.returncode == 1, rule
        return
    magics = [*magics_of("rook-d1-10")[:20], *magics_of("rook-d1-10")[-20:]]
    program = compiled(tmp_path, "follow", following(broken))
    assert followed(program, "d1", magics) != magics, rule


@pytest.mark.gate_takes
@pytest.mark.parametrize("number", [64, 137, 510])
def test_a_shard_is_counted_as_before(number):
    # Rook g1 with 9 bits, as stored.
    header = read_certificate(CERTIFICATES / "rook-g1-9.cover.xz").header
    work = work_of("g1", 9)
    result = run_shard(work, number)
    assert result.finished
    assert result.counts.values == header.shards[number].counts
    assert result.counts.values == header.shards[work.parts - 1 - number].counts
    assert (result.magics, result.engine) == ((), count.slot_engine())


@pytest.mark.parametrize("nodes", [24_778, 24_779])
def test_a_shard_of_a_certificate_is_counted_again(run, tmp_path, nodes):
    text = lzma.decompress((CERTIFICATES / "rook-g1-9.cover.xz").read_bytes()).decode()
    path = tmp_path / "g1.cover"
    path.write_text(replaced(text, "[24778,", f"[{nodes},"))
    result = run("check", path, "--recount", "3", "--seed", "1")
    told = "as declared" if nodes == 24_778 else "NOT as declared"
    assert f"shard 64: 24,778 nodes: {told}" in result.stdout
    assert result.exit_code == (3 if nodes == 24_778 else 1)


def test_the_deadline_ends_a_shard():
    result = run_shard(work_of("d1", 10), 7, deadline=Deadline.after(0))
    assert not result.finished


def test_progress_is_told():
    nodes, left = [], []

    def tell(count, part):
        nodes.append(count)
        left.append(part)

    run_shard(work_of("g1", 9), 64, progress=tell)
    assert nodes == sorted(nodes)
    assert left == [1 - n / 128 for n in range(1, 129)]


@pytest.fixture
def says(monkeypatch, tmp_path):
    """Has the program say given lines."""

    def say(*lines):
        program = tmp_path / "count"
        program.write_text("#!/bin/sh\n" + "".join(f"echo {line}\n" for line in lines))
        program.chmod(0o755)
        monkeypatch.setattr(count, "c_program", lambda _source: program)

    return say


NUMBERS = "shard 3 1 1 0 0 0 0 0 0 0"


def test_magics_are_of_the_parts_of_their_shard(says):
    # Of rook g1 with 9 bits part 7, and part 1,016, its mirror image: 53 bits are below.
    inside, mirror, outside = 7 << 53, (1016 << 53) + 5, (1017 << 53)
    says(f"magic {outside:#x}", f"magic {mirror:#x}", f"magic {inside:#x}", NUMBERS)
    result = run_shard(work_of("g1", 9), 7)
    assert result.finished
    assert result.magics == ((inside, inside), (mirror, mirror))
    assert result.magic_count == 2


def test_the_first_magic_is_enough(says):
    says(f"magic {7 << 53:#x}", f"magic {(7 << 53) + 1:#x}", NUMBERS)
    result = run_shard(work_of("g1", 9), 7, first_only=True)
    assert (result.finished, result.magic_count) == (False, 1)


def test_a_program_that_fails_is_no_answer(says):
    says(NUMBERS, "nodes 1; exit 3")
    with pytest.raises(AssertionError, match="ended with 3"):
        run_shard(work_of("g1", 9), 7)


@given(st.sampled_from("bcdefgh"), st.integers(8, 11), st.integers(1, (1 << 63) - 1))
def test_every_word_is_in_a_shard_that_has_its_half(file, bits, word):
    work = work_of(f"{file}1", bits)
    plan = work.plan
    width = plan.top_bits + plan.low_bits
    m = word % (1 << width)
    a, shift = m << (64 - width), 64 - bits
    if a % (1 << shift) == 0:
        return  # the file's highest square does not move
    # The program's own side: m, or -m, with its part of a slot in the upper half.
    own = m if a >> (shift - 1) & 1 else -m % (1 << width)
    step = (own << (64 - width)) >> shift
    for number in (m >> plan.low_bits, own >> plan.low_bits):
        shard = min(number, work.parts - 1 - number)
        assert next(part >> 1 for part in work.parts_of(shard) if part & 1) == step or (
            a % (1 << (shift - 1)) == 0
        )
    assert work.covers_all()


@given(st.integers(9, 12), st.integers(1, 54), st.tuples(*[st.integers(0, 99)] * 4))
def test_a_plan_is_its_text(top, rest, numbers):
    plan = SlotPlan(top, rest, *numbers)
    assert parse_plan(plan.text) == plan


@pytest.mark.parametrize(
    "text", ["slots:", "slots: d10 d53, 8 12 39 2", "slots: d10 m d53, 8 12 39", "slots: d10 m d53"]
)
def test_what_is_no_plan(text):
    with pytest.raises(ValueError, match="no plan"):
        parse_plan(text)


@pytest.mark.parametrize("square", ["b1", "c1", "d1", "e1", "f1", "g1", "h1"])
def test_a_rook_of_rank_1_is_known_by_its_terms(square):
    assert file_of(terms_of(cell_of(square, 9))) == ord(square[0]) - ord("a")


def test_other_terms_are_refused():
    about = terms_of(cell_of("g1", 9))
    highest = about.attack.max()
    apart, together = about.attack.copy(), np.minimum(about.attack, highest - 1)
    apart[-1] = highest + 1
    for other in (
        replace(about, constant=about.constant + np.uint64(1)),
        replace(about, most_slot=500),
        replace(about, least_slot=1),
        replace(about, multiplicand=about.multiplicand[:-1], attack=about.attack[:-1]),
        replace(about, attack=apart),
        replace(about, attack=together),
        terms_of(cell_of("a1", 9)),
        terms_of(cell_of("g2", 9)),
        terms_of(square_cell(SCHEMES["white"], Piece("bishop"), parse_square("d4"), 9)),
    ):
        with pytest.raises(ValueError, match="slots are counted for"):
            slot_plan(other).check(other)


@pytest.mark.parametrize(
    "plan",
    [
        "slots: d9 m d54, 8 12 39 2",
        "slots: d10 m d53, 5 12 39 2",
        "slots: d10 m d53, 13 12 39 2",
        "slots: d10 m d53, 8 1000 39 2",
        "slots: d10 m d53, 8 12 1000 2",
        "slots: d10 m d53, 8 12 39 9",
    ],
)
def test_a_plan_that_does_not_fit_is_refused(plan):
    with pytest.raises(ValueError, match="expected"):
        parse_plan(plan).check(terms_of(cell_of("g1", 9)))


def test_slots_are_counted_for_8_to_11_bits():
    for bits in (7, 12):
        about = terms_of(cell_of("g1", bits))
        with pytest.raises(ValueError, match="8 to 11 bits"):
            slot_plan(about).check(about)


def test_a_plan_is_cut_in_halves_of_whole_steps():
    plan = slot_plan(terms_of(cell_of("h1", 11)))
    assert [level_for(plan, shards) for shards in (1, 100, 4096)] == [1, 1, 1]


def test_leaves_are_written_of_the_same_parts():
    work = work_of("g1", 9)
    fans = by_fans(work, terms_of(work.cell))
    assert fans.record
    assert [fans.root(part) for part in range(fans.parts)] == [
        work.root(part) for part in range(work.parts)
    ]


def test_without_a_compiler_it_is_said(monkeypatch):
    monkeypatch.setattr(count, "c_program", lambda _source: None)
    assert not count.can_count()
    with pytest.raises(InputError, match="wants a C compiler"):
        run_shard(work_of("g1", 9), 64)


@pytest.mark.toolchain
def test_zig_compiles_where_there_is_no_cc(monkeypatch, tmp_path):
    pytest.importorskip("ziglang")
    monkeypatch.setattr(c_program.shutil, "which", lambda _name: None)
    # A text of its own: one that was compiled before is not compiled again.
    assert compiled(tmp_path, "other", "int main(void) { return 7; }\n").exists()


def test_processes_use_what_their_parent_has_compiled(child, tmp_path):
    program = compiled(tmp_path, "other", "int main(void) { return 0; }\n")
    code = (
        "import sys; from pathlib import Path; from magicert.system.c_program import c_program; "
        "print(c_program(Path(sys.argv[1])))"
    )
    assert child.says(code, tmp_path / "other.c") == f"{program}\n"
    assert program.exists()


def test_what_nothing_compiles_is_none(tmp_path, monkeypatch):
    """Each compiler is tried with all flags: here the first one."""
    first = next(c_program._compilers(), None)
    monkeypatch.setattr(c_program, "_compilers", lambda: filter(None, [first]))
    source = tmp_path / "no.c"
    source.write_text("no C")
    assert c_program.c_program(source) is None


class Said:
    """Keeps what is said."""

    def __init__(self) -> None:
        self.said = []

    def say(self, text):
        self.said.append(text)

    say_verbose = say


def test_windows_are_searched_where_they_take_less():
    about = terms_of(cell_of("g1", 9))
    asked = EngineRequest(cell_of("g1", 9))
    observer = Said()
    assert window._cheaper_slot_plan(asked, about, 1.0, observer, Deadline.after(60)) is None
    plan, seconds = window._cheaper_slot_plan(asked, about, 1e5, observer, Deadline.after(600))
    assert (plan, 0 < seconds < 5e4) == (slot_plan(about), True)
    assert (
        window._cheaper_slot_plan(
            asked, terms_of(cell_of("g2", 9)), 1e5, observer, Deadline.after(9)
        )
        is None
    )
