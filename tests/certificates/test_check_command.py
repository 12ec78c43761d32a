"""What `magicert check` says of covers: its words, and what it rebuilds."""

import itertools
import json
import lzma
import re
import sqlite3
from fractions import Fraction

import pytest

from magicert.api.covers import replay
from magicert.api.covers.shards import share_of, within
from magicert.chess import Piece, parse_square
from magicert.scheme import SCHEMES
from magicert.search import planning
from magicert.search.kernel.node import WRITTEN
from magicert.search.problem import Plan, mirrored, terms_of
from magicert.search.shards import shard as shards
from magicert.search.shards.certificate import write_certificate
from magicert.search.shards.shard import Recount, Work, run_shard
from magicert.targets import square_cell


@pytest.fixture
def check(run, tmp_path, parts):
    """Run the command on these bytes, after a change of their header."""

    def checked(data, *arguments, change=lambda _: None):
        certificate, path = parts(data), tmp_path / "c.cover"
        change(certificate.header)
        path.write_bytes(certificate.join())
        return run("check", path, *arguments)

    return checked


def test_only_a_valid_certificate_says_that_no_magic_exists(check, run, tmp_path, small, counted):
    cases = [
        (small, dict, "valid", 0, "evidence in the file: leaves"),
        (counted, dict, "unknown", 3, "--replay"),
        (counted, lambda header: header.update(bits=9), "unknown", 3, "in the file: counts"),
        (small + b"\0", dict, "invalid", 1, ""),
        (counted, lambda header: header["shards"][0].update(magic_count="0x1"), "invalid", 1, ""),
    ]
    for data, change, verdict, status, more in cases:
        result = check(data, change=change)
        line = result.stdout.splitlines()[0]
        assert (line.split()[0], result.exit_code) == (verdict, status)
        assert more in result.output
        assert ("no magic exists" in line) == (data == small), line
    paths = [tmp_path / name for name in ("a.cover.xz", "b.cover.xz", "c.cover.xz")]
    for path, data in zip(paths, (small, small + b"\0", counted), strict=True):
        path.write_bytes(lzma.compress(data))
    assert [run("check", *some).exit_code for some in (paths[:1], paths)] == [0, 1]
    assert run("check", tmp_path / "nothing").exit_code == 2


def denied(piece, square, bits, **more):
    """A certificate of counts alone that says: no magic, in two shards."""
    cell = square_cell(
        SCHEMES[more.get("scheme", "white")], Piece(piece), parse_square(square), bits
    )
    period = cell.period.bit_length() - 1
    half = 1 << period - 1
    empty = {"leaves": 0, "sha256": "", "counts": [1] * 5, "magics": [], "magic_count": "0x0"}
    roots = [[period, hex(low), hex(low + half - 1)] for low in (0, half)]
    header = {
        "scheme": "white", "piece": piece, "square": square, "bits": bits,
        "largest_index": (1 << bits) - 1, "constant": "0x0", "plan": "", "level": 0,
        "engine": "", "date": "", "seconds": 0.0, "streams": False,
        "shards": [{"root": root} | empty for root in roots],
    } | more  # fmt: skip
    return b"magicert cover 1\n" + json.dumps(header).encode() + b"\n"


@pytest.mark.parametrize(
    ("cell", "more", "source"),
    [
        (("rook", "g1", 10), {}, "atlas.toml: rook g1, 10 bits"),
        (("rook", "b1", 11), {}, "atlas.toml: rook b1, 10 bits"),
        (("bishop", "d1", 5), {"largest_index": 30}, "bishop d1"),
        (("bishop", "a1", 5), {"scheme": "black", "constant": hex((1 << 64) - 1)}, "bishop a1"),
    ],
    ids=str,
)
def test_a_certificate_that_leaves_out_a_known_magic_is_invalid(run, tmp_path, cell, more, source):
    """Whatever it rests on: of the atlas or of any table."""
    path = tmp_path / "c.cover"
    path.write_bytes(denied(*cell, **more))
    result = run("check", path)
    assert (result.exit_code, result.stdout.split()[0]) == (1, "invalid")
    assert "it leaves out 0x" in result.output
    assert source in result.output
    assert "claims no magic" not in result.output


def test_of_a_list_of_magics_the_known_ones_are_among_them(check, with_magics):
    """Bishop d8 has 9,547 of 5 bits."""

    def without(header):
        for shard in header["shards"]:
            shard.update(magics=[], magic_count="0x0", leaves=0, sha256="")
        header["streams"] = False

    bare = with_magics.split(b"\n", 2)
    bare = b"\n".join([*bare[:2], b""])
    result = check(bare, change=without)
    assert (result.exit_code, "it leaves out 0x" in result.output) == (1, True)
    assert check(with_magics).exit_code == 0


@pytest.mark.parametrize(
    ("engine", "said"),
    [
        ("magicert 0.1.0 window search", "counted by magicert 0.1.0 window search"),
        ("one; two", "counted by 2 programs: one; two"),
        ("", "counted by a program that is not named"),
    ],
)
def test_the_programs_that_counted_are_named(check, counted, engine, said):
    result = check(counted, change=lambda header: header.update(engine=engine))
    assert (result.exit_code, said in result.output) == (3, True)


@pytest.mark.parametrize("change", ["cut", "doubled", "swapped"])
def test_shards_that_are_cut_doubled_or_swapped_are_noticed(check, counted, change):
    def changed(header):
        shards = header["shards"]
        header["shards"] = {
            "cut": shards[:1], "doubled": [*shards, shards[-1]], "swapped": shards[::-1]
        }[change]  # fmt: skip

    result = check(counted, change=changed)
    assert (result.exit_code, "do not make up everything" in result.output) == (1, True)


def test_a_replay_compares_counts_whoever_counted(check, searched):
    """And names both programs."""

    def other(header):
        header["engine"] = "magicert 0.1.0 window search"
        header["shards"][1]["counts"][0] += 1

    result = check(searched(False), "--replay", "all", change=other)
    assert result.exit_code == 1
    assert "declared by magicert 0.1.0 window search" in result.output


def test_a_replay_rebuilds_what_was_only_counted(check, searched):
    def one_more(place):
        def change(header):
            header["shards"][1]["counts"][place] += 1

        return change

    def other_plan(header):
        header["plan"] = header["plan"].replace("d1 d1 d1", "d3", 1)

    counted, whole, everything = searched(False), searched(True), ("--replay", "all")
    for data, asked, change, status in (
        (counted, ("--replay", 2), dict, 3),
        (counted, ("--replay", 3), dict, 3),
        (counted, ("--replay", "1-3"), dict, 3),
        (counted, everything, one_more(0), 1),
        (counted, everything, other_plan, 2),
        (whole, everything, dict, 0),
        (whole, (), one_more(2), 0),
        (whole, everything, one_more(2), 1),
    ):
        assert check(data, *asked, change=change).exit_code == status, (asked, status)
    result = check(counted, *everything)
    assert (result.exit_code, "4 of them replayed" in result.output) == (0, True)
    assert "--seed" not in result.stdout


def test_nobody_can_foresee_which_shards_are_replayed(check, searched, monkeypatch):
    counted, numbers, replayed = searched(False), iter([5, 7, 5]), list[int]()
    monkeypatch.setattr("magicert.api.covers.shards.secrets.randbits", lambda _: next(numbers))
    once = replay._replay

    def noted(certificate, work, number, *rest):
        replayed.append(number)
        once(certificate, work, number, *rest)

    monkeypatch.setattr(replay, "_replay", noted)
    for seed in (5, 7, 5):
        result = check(counted, "--replay", 2)
        assert f"2 of them replayed; --seed {seed} chooses the same shards" in result.stdout
    check(counted, "--replay", 2, "--seed", 5)
    assert replayed[:2] == replayed[4:6] == replayed[6:]
    check(counted, "--replay", "all")
    assert replayed[8:] == [0, 1, 2, 3]


@pytest.mark.parametrize(
    ("declared", "status", "word"),
    [(None, 3, "none declared"), (7, 3, "as declared"), (8, 1, "NOT as declared")],
)
def test_survivors_that_are_counted_again_are_compared(
    check, searched, monkeypatch, declared, status, word
):
    def declare(header):
        for number, shard in enumerate(header["shards"] if declared else []):
            shard["survivors"] = {"count": declared, "sha256": f"{number:064x}"}

    counted = searched(False)
    refused = check(counted, "--recount", 1)
    assert (refused.exit_code, "the plan has no chain" in refused.stderr) == (2, True)
    again = "magicert.api.covers.shards.recount_shard"
    monkeypatch.setattr(again, lambda _, n: Recount(7, f"{n:064x}"))
    result = check(counted, "--recount", "all", change=declare)
    assert (result.exit_code, result.stdout.count(f": {word}")) == (status, 4)
    assert "no magic exists" not in result.stdout


# Random subtrees: an error shows in them, even where all totals agree.


@pytest.fixture(scope="module")
def in_16(searched):
    """Bishop d8 at 5 bits in 16 shards, without leaves."""
    return bytes(searched(False, 5, 4))


def test_pieces_of_a_true_certificate_are_true(check, in_16):
    result = check(in_16, "--sample", 2)
    assert (result.exit_code, "wrong" in result.stdout) == (3, False)
    told = re.search(
        r"  32 random subtrees searched anew, ([\d,]+) leaves checked: "
        r"([\d.e-]+) of all m, and nothing of the rest; --seed (\d+)",
        result.stdout,
    )
    assert check(in_16, "--sample", 2, "--seed", told[3]).stdout == result.stdout
    assert check(in_16, "--sample", 2, "--seed", int(told[3]) + 1).stdout != result.stdout


def test_magics_that_are_not_declared_are_found(check, in_16, monkeypatch):
    """As a kernel would write it that takes live cells for dead ones, where no magic is known."""
    monkeypatch.setattr("magicert.api.covers.about.known_magics", lambda _: ())

    def forge(header):
        for shard in header["shards"]:
            shard |= {"magics": [], "magic_count": "0x0"}

    assert check(in_16, change=forge).exit_code == 3
    result = check(in_16, "--sample", 2, "--seed", 1, change=forge)
    assert result.exit_code == 1
    assert re.search(r"shard \d+: magics with m mod 2\^26 in .*: [1-9]\d* found, 0 declared",
                     result.stderr)  # fmt: skip
    assert "no magic exists" not in result.stdout


def test_a_search_that_skips_a_live_cell_is_noticed(check, in_16, monkeypatch):
    """Its leaves leave a gap."""
    once = shards.search

    def skipping(task, state, *numbers):
        status = int(once(task, state, *numbers))
        state.register[WRITTEN] -= state.register[WRITTEN] > 1
        return status

    monkeypatch.setattr(shards, "search", skipping)
    result = check(in_16, "--sample", 1, "--seed", 1)
    assert (result.exit_code, "the leaves do not cover" in result.stderr) == (1, True)


def test_a_piece_with_too_many_leaves_is_cut(check, in_16, monkeypatch):
    """The estimate may be wrong: here it says that the whole is one leaf."""
    monkeypatch.setattr(planning.Subtrees, "_usual_level", lambda *_: 0)
    monkeypatch.setattr("magicert.search.shards.shard.BLOCK", 16)
    monkeypatch.setattr("magicert.search.kernel.node.BLOCK", 16)
    roots, once = [], planning.run_shard

    def noted(work, number, *rest, **more):
        roots.append(work.root(number))
        return once(work, number, *rest, **more)

    monkeypatch.setattr(planning, "run_shard", noted)
    check(in_16, "--sample", 1, "--seed", 1)
    assert len(roots) > 16
    inside = [b[1] >= a[1] and b[2] <= a[2] for a, b in itertools.pairwise(roots)]
    assert sum(inside) >= len(roots) - 16


def test_pieces_and_magics_are_counted_once():
    outer, inner, other = (4, 8, 15), (6, 8, 9), (4, 0, 3)
    assert share_of([outer, inner, outer]) == Fraction(1, 2)
    assert share_of([inner, other]) == Fraction(2, 64) + Fraction(1, 4)
    assert share_of([]) == 0
    magics = [(3, 9), (0x105, 0x106), (0x20F, 0x214)]  # cut at the ends of a piece
    assert within(magics, (8, 5, 0x10)) == [(5, 9), (0x105, 0x106), (0x20F, 0x210)]
    assert within(magics, (10, 5, 0x10)) == [(5, 9)]
    assert within(magics, (10, 0x210, 0x220)) == [(0x210, 0x214)]


# Mirrored plans: each part is listed, replayed and sampled on its own.

CELL = square_cell(SCHEMES["white"], Piece.BISHOP, parse_square("d8"), 5)
PLAN = Plan(26, ("d1",) * 26, 2, 1)
WORK = Work(CELL, mirrored(PLAN, terms_of(CELL)), 4, record=False)
FIND = ("find", "bishop", "d8", "--engine", "window", "--bits")


@pytest.fixture(scope="module")
def both_sides(tmp_path_factory):
    """Bishop d8 at 5 bits: eight shards, each with its mirror image."""
    path = tmp_path_factory.mktemp("mirrored") / "c.cover"
    write_certificate(path, WORK, [run_shard(WORK, number) for number in range(8)])
    return path.read_bytes()


def magics_of(header):
    pairs = [pair for shard in header["shards"] for pair in shard["magics"]]
    return {m for low, high in pairs for m in range(int(low, 16), int(high, 16) + 1)}


def test_both_sides_are_listed_and_replayed_and_sampled(check, both_sides, in_16, parts):
    shards = parts(both_sides).header["shards"]
    assert [int(shard["root"][1], 16) for shard in shards] == [n << 22 for n in range(16)]
    assert [shard["counts"] for shard in shards] == [shard["counts"] for shard in shards[::-1]]
    found = magics_of(parts(both_sides).header)
    assert found == magics_of(parts(in_16).header)
    assert len(found) == 9547 == sum(int(shard["magic_count"], 16) for shard in shards)
    assert check(both_sides).exit_code == 3
    result = check(both_sides, "--replay", "all", "--sample", 1)
    assert (result.exit_code, result.stdout.split()[0]) == (0, "valid")
    assert ("9,547" in result.stdout, "no magic exists" in result.stdout) == (True, False)
    assert "16 random subtrees searched anew" in result.stdout


@pytest.mark.parametrize("part", [3, 12])
def test_magics_left_out_of_either_side_are_noticed(check, both_sides, part):
    def forge(header):
        shard = header["shards"][part]
        low, high = (int(word, 16) for word in shard["magics"].pop())
        shard["magic_count"] = hex(int(shard["magic_count"], 16) - (high - low + 1))
        assert low >> 22 == part

    result = check(both_sides, "--replay", "all", change=forge)
    assert (result.exit_code, f"shard {part}: " in result.output) == (1, True)


def swap(header):
    shards = header["shards"]
    shards[1], shards[-2] = shards[-2], shards[1]


SIDES = [
    swap,
    lambda header: header.update(shards=header["shards"][:8]),
    lambda header: header.update(plan=PLAN.text),
]


@pytest.mark.parametrize("change", SIDES)
def test_a_side_may_not_be_missing(check, both_sides, change):
    for number in (2, "all"):
        assert check(both_sides, "--replay", number, change=change).exit_code == 1


def test_find_takes_such_a_plan(run, tmp_path):
    """And refuses it where leaves are written, or where there is no mirror image."""
    ledger = ("--ledger", tmp_path / "l.db")
    plan = ("-O", f"plan={WORK.plan.text}")
    found = run(*FIND, 5, "--all", *plan, "-O", "shards=8", *ledger)
    assert (found.exit_code, "9,547" in found.stdout) == (0, True)
    again = run(*FIND, 5, "--all", *ledger, "-O", "replay=4")
    assert "4 shards of the ledger were done again, and are the same" in again.stderr
    refused = run(*FIND, 5, "--all", *plan, "-O", f"certificate={tmp_path / 'c.cover'}")
    assert (refused.exit_code, "leaves are of m alone" in refused.stderr) == (2, True)
    refused = run(*FIND, 5, "--scheme", "black", *plan, "--ledger", tmp_path / "black.db")
    assert refused.exit_code == 2
    assert "nothing added" in refused.stderr or "window" in refused.stderr
    # A row that names no program was edited, or is old: it is counted anew.
    with sqlite3.connect(tmp_path / "l.db") as file:
        file.execute("update cell set sealed = 0")
        edited = "seal = null, engine = null, magics = '[]', magic_count = '0'"
        file.execute(f"update shard set {edited}")
    again = run(*FIND, 5, "--all", *ledger)
    assert "4 shards were counted by another program" in again.stderr
    assert again.stdout.splitlines()[:4] == found.stdout.splitlines()[:4]


def test_more_magics_than_are_listed_are_refused_in_words(run, tmp_path, monkeypatch):
    for module in ("shards.shard", "shards.certificate", "ledger.rows"):
        monkeypatch.setattr(f"magicert.search.{module}.MOST_LISTED", 20)
    asked = (*FIND, 5, "--all", "--ledger", tmp_path / "l.db")
    run(*asked, "-O", f"plan={WORK.plan.text}", "-O", "shards=8", status=0)
    refused = run(*asked, "-O", f"certificate={tmp_path / 'c.cover'}")
    assert (refused.exit_code, "and 20 are listed" in refused.stderr) == (2, True)
