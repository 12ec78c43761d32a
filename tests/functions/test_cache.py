"""What was proved before is not proved again; and nothing else is taken for it."""

import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from magicert.functions.compare import cache
from magicert.functions.compare.cache import Cache
from magicert.functions.compare.prove import Claim, Prover, claim_key
from magicert.functions.compare.solvers import Z3
from magicert.functions.execute import words
from magicert.functions.execute.state import Violation

NORTH = """
typedef unsigned long long u64;
static u64 masks[64];
void init(void) { for (int s = 0; s < 64; s++) masks[s] = 0x0101010101010101ull << s & ~(1ull << s); }
u64 rook(int s, u64 o) {
    u64 m = masks[s], hit = o & m, first = hit & -hit;
    return hit ? m & (first | (first - 1)) : m;
}
u64 other(int s, u64 o) { return rook(s, o) ^ o >> 63; }
"""


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    found = tmp_path / "cache"
    monkeypatch.setenv("MAGICERT_CACHE", str(found))
    return found


@pytest.fixture
def asked(certified, tmp_path):
    """`asked(...)`: the verdict on the sample, and how many of its squares are from the cache."""

    def ask(text=NORTH, name="rook", **given):
        file = tmp_path / "north.c"
        file.write_text(text, "utf-8")
        given = {"cached": True, "init": "init", "squares": (27, 28), **given}
        result = certified(file, functions={given.pop("key", "fR"): name}, **given)
        (report,) = result.functions
        earlier = sum(square.earlier for square in report.squares)
        assert any("proved earlier" in one for one in result.trusted) == bool(earlier)
        return result.verdict, earlier

    return ask


def test_what_did_not_change_is_not_proved_again(asked):
    assert asked() == ("valid", 0)
    assert asked() == ("valid", 2)
    text = NORTH.replace(
        "u64 m = masks[s], hit = o & m", "\n\n  u64 m = masks[s];\n  u64 hit = m & o"
    )
    assert asked(text) == ("valid", 2)
    assert asked(squares=(27, 28, 29)) == ("valid", 2)
    assert asked(cached=False) == ("valid", 0)


@pytest.mark.parametrize(
    ("change", "verdict"),
    [
        ({"text": NORTH.replace("~(1ull << s)", "~(1ull << s) & ~(s == 27 ? 1ull << 35 : 0)")}, "invalid"),
        ({"text": NORTH.replace("return hit ?", "return o >> 63 ? 0 : hit ?")}, "invalid"),
        ({"name": "other"}, "invalid"),
        ({"key": "bR"}, "invalid"),
        ({"key": "index:fR"}, "valid"),
        ({"order": "a8"}, "invalid"),
        ({"squares": (29,)}, "valid"),
    ],
)  # fmt: skip
def test_what_changed_is_proved_again(asked, change, verdict):
    asked()
    told, earlier = asked(**change)
    assert told == verdict
    assert earlier == (1 if "s == 27" in change.get("text", "") else 0)
    assert asked(**change)[0] == verdict  # what is refuted is not kept


def test_a_proof_that_is_written_is_made(asked, tmp_path):
    pytest.importorskip("drup")
    asked()
    (tmp_path / "proof").mkdir()
    assert asked(proof=tmp_path / "proof") == ("valid", 0)
    assert list((tmp_path / "proof").iterdir())


@pytest.mark.parametrize("what", ["broken", "shared", "shared file", "no folder", "another's"])
def test_a_cache_that_cannot_be_used_is_none(asked, folder, what, monkeypatch):
    asked()
    if what == "broken":
        (folder / "functions.sqlite3").write_bytes(b"SQLite format 3\0" + bytes(500))
    elif what == "shared":
        folder.chmod(0o777)
    elif what == "shared file":
        (folder / "functions.sqlite3").chmod(0o666)
    elif what == "another's":
        monkeypatch.setattr(cache.os, "getuid", lambda: folder.stat().st_uid + 1)
    else:
        monkeypatch.setenv("MAGICERT_CACHE", str(folder / "functions.sqlite3" / "none"))
    assert asked() == ("valid", 0)


def test_a_locked_cache_is_waited_for_once_only(folder, monkeypatch):
    """In a run that has begun: a verdict does not wait for each square."""
    known, lost = Cache(folder), Cache(folder)
    known.keep(b"known", 3)
    tried = []

    class Locked:
        def execute(self, command, _=()):
            tried.append(command)
            raise cache.sqlite3.OperationalError("database is locked")

    for each in known, lost:
        for name in b"known", b"other":
            monkeypatch.setattr(each, "database", each.database if each is known else Locked())
            each.keep(name, 4)
            assert each.rows(name) == (4 if each is known else None)
    assert len(tried) == 3  # one to write, and the lookups of a database that is put back here


def test_a_cache_that_only_can_be_read_is_read(folder):
    known = Cache(folder)
    known.keep(b"known", 3)
    known.database.execute("PRAGMA query_only = ON")
    known.keep(b"other", 4)
    assert (known.rows(b"known"), known.rows(b"other")) == (3, None)


@pytest.mark.parametrize("home", ["here", ""])
def test_nothing_that_lies_in_the_working_folder_is_the_users_cache(tmp_path, monkeypatch, home):
    for name in "MAGICERT_CACHE", "XDG_CACHE_HOME", "LOCALAPPDATA":
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(cache.Path, "home", lambda: cache.Path(home))
    assert Cache(cache.folder_of_the_user()).database is None
    assert not list(tmp_path.iterdir())


def test_it_does_not_grow_without_end(folder, monkeypatch):
    monkeypatch.setattr(cache, "MOST", 10)
    monkeypatch.setattr(cache.time, "time", iter(range(1000)).__next__)
    kept = Cache(folder)
    keys = [bytes([n]) * 32 for n in range(25)]
    for key in keys:
        kept.keep(key, 1)
    left = [n for n, key in enumerate(keys) if kept.rows(key) == 1]
    assert left[-1] == 24
    assert len(left) <= 10


def claim():
    """A claim that has something of each kind."""
    x, y = words.variable("occupied", 64), words.variable("blockers", 64)
    table = words.WordTable("T", np.array([3, 5, 9], np.uint64), 64, 0, 8)
    computed = words.xor(words.entry(table, words.and_(x, words.constant(3, 64))), words.sub(x, y))
    bit = words.extract(x, 1, 5)
    return Claim(
        computed, words.boolean(False), words.and_(x, y),
        [Violation(bit, "", ""), Violation(words.extract(y, 1, 7), "", "", asserts=True)],
        [], {"occupied": 7}, words.not_(words.extract(y, 1, 9)),
    )  # fmt: skip


def other(number):
    """The same with another part, by its number."""
    x, y = words.variable("occupied", 64), words.variable("blockers", 64)
    same, not_this = claim(), words.extract(x, 1, 6)
    table = words.WordTable("T", np.array([3, 5, 8], np.uint64), 64, 0, 8)
    at = words.and_(x, words.constant(3, 64))
    first, second = same.violations
    return [
        replace(same, computed=words.xor(words.entry(table, at), words.sub(x, y))),
        replace(same, computed=words.sub(y, x)),
        replace(same, computed=words.sub(x, y)),
        replace(same, computed=words.sub(x, words.variable("blocker", 64))),
        replace(same, computed=same.expected, expected=same.computed),
        replace(same, poison=not_this),
        replace(same, expected=words.or_(x, y)),
        replace(same, violations=[first]),
        replace(same, violations=[first, replace(second, condition=not_this)]),
        replace(same, violations=[first, replace(second, asserts=False)]),
        replace(same, violations=[first, second, replace(first, condition=not_this)]),
        replace(same, assumed=None),
        replace(same, assumed=not_this),
        replace(same, hints={"occupied": 6}),
    ][number]


def test_all_that_a_proof_is_about_is_in_its_key():
    solvers = ["Z3 1"]
    keys = [claim_key(claim(), solvers), claim_key(claim(), ["Z3 2"])]
    keys += [claim_key(other(number), solvers) for number in range(14)]
    assert len(set(keys)) == len(keys)
    words.forget()
    again = claim()
    turned = words.and_(words.variable("blockers", 64), words.variable("occupied", 64))
    assert claim_key(replace(again, expected=turned), solvers) == keys[0]


class GivesUp(Z3):
    def solve(self, condition, milliseconds):
        return "no answer"


def test_only_proved_squares_enter_the_cache(tmp_path):
    x, one = words.variable("x", 8), words.constant(1, 8)
    expected, right = words.add(words.mul(x, x), x), words.mul(x, words.add(x, one))
    known = Cache(tmp_path)

    def judged(computed, solver):
        claim = Claim(computed, words.boolean(False), expected, [], [], {})
        return Prover([solver], cache=known).judge(claim)

    for _ in range(2):
        assert judged(x, Z3()).refutation
        assert judged(right, GivesUp()).undecided
    assert not known.new
    assert not judged(right, Z3()).undecided
    assert known.new


def test_whatever_module_proves_is_in_the_digest(monkeypatch):
    """Wherever it stands: a change of it is seen."""
    read, seen = Path.read_bytes, set()
    monkeypatch.setattr(Path, "read_bytes", lambda path: seen.add(path.resolve()) or read(path))
    cache.package_digest.__wrapped__()
    modules = [module for name, module in sys.modules.items() if name.startswith("magicert.")]
    assert {Path(m.__file__).resolve() for m in modules if m.__file__} <= seen


def test_the_key_knows_which_program_proves(monkeypatch):
    known = claim_key(claim(), ["Z3"])
    monkeypatch.setattr(cache, "package_digest", lambda: b"another")
    assert claim_key(claim(), ["Z3"]) != known
