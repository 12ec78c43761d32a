"""The ledger: which shards of which cells are done, in one SQLite file for several processes.

A row for each shard: claimed, done, or open; what a done one came to, with a seal; of one that was
begun, which stretches of it are done and what is left. Also the tables' older forms, the claims of
living processes, and the sums of a cell.

When: every window search has one, in a folder for the time being if `--ledger` names none.

Why: searches take hours, and processes die. A claim lives as long as its process, so `kill -9`
loses what was done since the last stretch, less than a minute, and nothing else; several processes
share a file.

What may be believed: a seal is a hash of cell, plan, root and result: it finds damage, and rows
that were moved or edited. It is no signature: whoever wants to deceive can seal what he likes, and
only doing shards again would tell (`settle.replay`, `-O replay=N`). A row that cannot be believed
is opened again; one of another program is kept in `superseded` and counted for nothing.

Cost: a transaction for a claim and one for a result; a shard is cut to take some two seconds.
"""

import hashlib
import json
import re
import sqlite3
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from magicert.cell import Cell, target_of
from magicert.known_magics import ContradictedError, KnownMagic, contradicted, known_magics
from magicert.problem import InputError, Problem
from magicert.scheme import resolve_scheme
from magicert.search.ledger.division import Division
from magicert.search.problem import parse_plan, terms_of
from magicert.search.shards.rest import Rest, can_divide, whole
from magicert.search.shards.shard import (
    MOST_LISTED,
    MOST_SHARDS,
    Counts,
    Root,
    ShardResult,
    Work,
    program_of,
)

VERSION = 4
TABLES = """
create table cell (
  id integer primary key, key text not null unique,
  plan text not null, level integer not null, record integer not null,
  estimate real not null default 0
);
create table shard (
  cell integer not null references cell, number integer not null, rank integer not null,
  state text not null default 'open' check (state in ('open', 'claimed', 'done')),
  claim integer,
  nodes integer, drops integer, cells integer, words integer, examined integer,
  leaves integer, sha256 text, magics text, magic_count text, seconds real,
  primary key (cell, number)
) without rowid;
create index shard_state on shard (cell, state, rank);
create table client (id integer primary key autoincrement, started text default current_timestamp)
"""
"""Version 1."""

SUPERSEDED = "create table if not exists superseded as select * from shard where 0"
"""Version 3: rows of other programs, as they were when their shards were opened again."""

SEALS = """
alter table cell add column sealed integer not null default 0;
alter table shard add column survivors integer;
alter table shard add column digest text;
alter table shard add column engine text;
alter table shard add column seal text
"""
"""Version 2. Shards that the first version has done have no seal, and say no program."""

STRETCHES = """
create table if not exists stretch (
  cell integer not null references cell, number integer not null,
  share real not null, seconds real not null, stretches text not null,
  engine text not null, seal text not null,
  primary key (cell, number)
) without rowid
"""
"""Version 4: of a shard that was begun, its stretches."""

MIGRATIONS = (TABLES, SEALS, SUPERSEDED, STRETCHES)


UNRECORDED = "a version that was not recorded"


class NotALedgerError(ValueError):
    """What a database says is nothing that a ledger says."""


class OtherProgramError(ValueError):
    """A shard was done by another program than the one that would do it here: whether that one
    was right, nobody here can say.
    """

    def __init__(self, program: str) -> None:
        super().__init__(f"it was done by {program or UNRECORDED}")
        self.program = program


def prepare(db: sqlite3.Connection) -> None:
    """Bring a ledger, or an empty file, to this version. Raises NotALedgerError if it is later."""
    version = int(db.execute("pragma user_version").fetchone()[0])
    if version > VERSION:
        raise NotALedgerError(f"version {version}: expected at most {VERSION}")
    for step in MIGRATIONS[version:]:
        for statement in step.split(";"):
            db.execute(statement)
    db.execute(f"pragma user_version = {VERSION}")


# Which clients of a ledger are alive: a claim dies with its process, however that ends.
#
# A client is a process with the ledger open. It keeps an SQLite file of its own locked; the
# system lets go of the lock when the process ends. SQLite knows how to lock on every system.
# Call all of this inside a transaction of the ledger, so that no two clients do it at once.


class Claims:
    """The locks of a ledger's clients."""

    def __init__(self, ledger: Path, client: int) -> None:
        self.ledger, self.client = ledger, client
        for path in ledger.parent.glob("*-client-*"):
            name = re.fullmatch(re.escape(ledger.name) + r"-client-(\d+)", path.name)
            if name:
                self.alive(int(name[1]))
        lock = _lock_file(self._path(client))
        if lock is None:
            raise sqlite3.OperationalError(f"{self._path(client)} cannot be locked")
        self._lock = lock

    def _path(self, client: int) -> Path:
        return self.ledger.with_name(f"{self.ledger.name}-client-{client}")

    def alive(self, client: int) -> bool:
        """Whether a client's process is alive. The file of a dead one is removed."""
        path = self._path(client)
        if not path.exists():
            return False
        lock = _lock_file(path)
        if lock is None:
            return True
        lock.close()
        with suppress(OSError):
            path.unlink()
        return False

    def close(self) -> None:
        """Let go of the own lock."""
        self._lock.close()
        with suppress(OSError):
            self._path(self.client).unlink()


def _lock_file(path: Path) -> sqlite3.Connection | None:
    """A connection that keeps a file locked; None while another one does."""
    connection = sqlite3.connect(path, timeout=0, isolation_level=None)
    try:
        connection.execute("pragma journal_mode = memory")  # no second file beside it
        connection.execute("begin exclusive")
    except sqlite3.OperationalError:
        connection.close()
        return None
    return connection


# How far a cell is: its shards, added up.


@dataclass(frozen=True, slots=True)
class Summary:
    """How far a cell is. `engines`: how many shards were done by which program. Besides those that
    are `done`, `begun` ones are done to `begun_share`, in shards; nothing else is said of them.
    """

    shards: int
    done: int
    counts: Counts
    leaves: int
    magics: tuple[tuple[int, int], ...]
    magic_count: int
    seconds: float
    engines: Mapping[str, int]
    begun: int = 0
    begun_share: float = 0.0

    @property
    def finished(self) -> bool:
        """Whether every shard is done."""
        return self.done == self.shards


class Progress(NamedTuple):
    """How far a cell is said to be: the `seconds` of each shard that is done, on one core; how many
    magics these found; and of shards that were `begun`, which share of each is done, in how many
    seconds.
    """

    seconds: list[float]
    magic_count: int
    begun: dict[int, tuple[float, float]]

    @property
    def done(self) -> int:
        """How many shards are done."""
        return len(self.seconds)


def summarise(results: list[ShardResult], shards: int) -> Summary:
    """Add up the results of different shards."""
    magics: list[tuple[int, int]] = []
    for result in results:
        magics += result.magics
    return Summary(
        shards=shards,
        done=len(results),
        counts=sum((result.counts for result in results), Counts()),
        leaves=sum(result.leaves for result in results),
        magics=tuple(sorted(magics)),
        magic_count=sum(result.magic_count for result in results),
        seconds=sum(result.seconds for result in results),
        engines=Counter(result.engine for result in results),
    )


# A shard's row in the ledger: written with a seal, and believed only with a good one.
#
# A seal is a hash of what the shard was (cell, plan, root) and of all that it came to. It tells
# a row that was damaged, edited or moved to another cell, plan or number. It is no signature:
# whoever wants to deceive can seal what he likes, and only a replay would tell.

COLUMNS = (
    "nodes", "drops", "cells", "words", "examined", "leaves", "sha256", "magics", "magic_count",
    "seconds", "survivors", "digest", "engine", "seal",
)  # fmt: skip
"""Of a shard that is done."""


def key_of(cell: Cell) -> str:
    """What makes two cells the same question, as text."""
    fixed = sorted(cell.fixed.items())
    return json.dumps([cell.scheme.name, *cell.target.parts, cell.bits, fixed, cell.largest_index])


def cell_of(key: str) -> Cell:
    """The cell with that key. Raises NotALedgerError if there is none."""
    try:
        scheme, *parts, bits, fixed, largest = json.loads(key)
        return Cell(resolve_scheme(scheme), target_of(*parts), bits, dict(fixed), largest)
    except (TypeError, ValueError) as error:
        raise NotALedgerError(f"no cell: {key!r}: {error}") from None


def seal_of(work: Work, result: ShardResult) -> str:
    """The seal of a shard's result."""
    identity = [
        key_of(work.cell),
        work.plan.text,
        work.level,
        result.number,
        work.root(result.number),
    ]
    findings = [
        result.counts.values, result.leaves, result.sha256, result.magics, result.magic_count,
        result.survivors, result.digest, result.engine,
    ]  # fmt: skip
    return hashlib.sha256(json.dumps([identity, findings]).encode()).hexdigest()


def column_values(work: Work, result: ShardResult) -> list[object]:
    """What COLUMNS hold for a result."""
    return [
        *result.counts.values, result.leaves, result.sha256,
        json.dumps([[hex(low), hex(high)] for low, high in result.magics]),
        str(result.magic_count), result.seconds, result.survivors, result.digest, result.engine,
        seal_of(work, result),
    ]  # fmt: skip


def read_row(work: Work, row: sqlite3.Row) -> ShardResult:
    """The result in a row that says it is done. ValueError if it cannot be believed:
    OtherProgramError where that is only since another program did it.
    """
    try:
        result = ShardResult(
            number=row["number"],
            counts=Counts(*(int(row[name]) for name in COLUMNS[:5])),
            leaves=int(row["leaves"]),
            sha256=row["sha256"],
            magics=tuple((int(a, 16), int(b, 16)) for a, b in json.loads(row["magics"])),
            magic_count=int(row["magic_count"]),
            seconds=float(row["seconds"]),
            survivors=int(row["survivors"] or 0),
            digest=row["digest"] or "",
            engine=row["engine"] or "",
        )
    except (TypeError, ValueError, AttributeError):
        raise ValueError("what it came to cannot be read") from None
    if row["seal"] is None and row["engine"] is None:
        raise OtherProgramError("")
    if row["seal"] != seal_of(work, result):
        raise ValueError("its seal is of something else")
    _check_result(work, result)
    if result.engine != program_of(work.plan):
        raise OtherProgramError(result.engine)
    return result


# A begun shard's row: its stretches, in the order of the search. What was said of seals holds here.


def stretches_text(division: Division) -> str:
    """Its stretches as JSON."""
    return json.dumps([_stretch_values(stretch) for stretch in division.stretches])


def _stretch_values(stretch: ShardResult | Rest) -> dict[str, Any]:
    if isinstance(stretch, Rest):
        return {
            "path": [[hex(base), side] for base, side in stretch.path],
            "behind": stretch.behind, "top": stretch.top, "pairs": stretch.pairs,
        }  # fmt: skip
    return {
        "counts": stretch.counts.values, "seconds": stretch.seconds,
        "magics": [[hex(low), hex(high)] for low, high in stretch.magics],
        "magic_count": str(stretch.magic_count),
    }  # fmt: skip


def seal_of_stretches(work: Work, number: int, text: str, engine: str) -> str:
    """The seal of a begun shard's row."""
    identity = [key_of(work.cell), work.plan.text, work.level, number, work.root(number)]
    return hashlib.sha256(json.dumps([identity, text, engine]).encode()).hexdigest()


def read_stretches(work: Work, row: sqlite3.Row) -> Division:
    """The stretches of a begun shard. ValueError if they cannot be believed: OtherProgramError
    where that is only since another program did them.
    """
    number = row["number"]
    if row["seal"] != seal_of_stretches(work, number, row["stretches"], row["engine"]):
        raise ValueError("the seal of its stretches is of something else")
    if row["engine"] != program_of(work.plan):
        raise OtherProgramError(row["engine"])
    try:
        values = json.loads(row["stretches"])
        stretches = tuple(_read_stretch(number, row["engine"], value) for value in values)
    except (TypeError, ValueError, KeyError, AttributeError):
        raise ValueError("its stretches cannot be read") from None
    if not can_divide(work) or not any(isinstance(stretch, Rest) for stretch in stretches):
        raise ValueError("its stretches are none of a shard that was begun")
    for stretch in stretches:
        if isinstance(stretch, ShardResult):
            _check_stretch(work, stretch)
    return Division(stretches)


def _read_stretch(number: int, engine: str, values: Mapping[str, Any]) -> ShardResult | Rest:
    if "path" in values:
        return Rest(
            tuple((int(base, 16), int(side)) for base, side in values["path"]),
            bool(values["behind"]), int(values["top"]),
            tuple((int(first), int(second)) for first, second in values["pairs"]),
        )  # fmt: skip
    return ShardResult(
        number=number, counts=Counts(*map(int, values["counts"])), leaves=0, sha256="",
        magics=tuple((int(low, 16), int(high, 16)) for low, high in values["magics"]),
        magic_count=int(values["magic_count"]), seconds=float(values["seconds"]),
        finished=False, engine=engine,
    )  # fmt: skip


def _is_within(first: int, last: int, root: Root) -> bool:
    """Whether the numbers from first to last lie in an interval modulo 2^w."""
    w, low, high = root
    start = first % (1 << w)
    return 0 <= first <= last and low <= start <= start + last - first <= high


def _check_result(work: Work, result: ShardResult) -> None:
    """ValueError where a result cannot be of its shard, whoever sealed it."""
    if not result.counts.nodes:
        raise ValueError("its counts are none")
    _check_stretch(work, result)


def _check_stretch(work: Work, result: ShardResult) -> None:
    """ValueError where a result cannot be of a stretch of its shard."""
    roots = [work.root(part) for part in work.parts_of(result.number)]
    if min(*result.counts.values, result.leaves, result.seconds) < 0:
        raise ValueError("its counts are none")
    for first, last in result.magics:
        if not any(_is_within(first, last, root) for root in roots):
            raise ValueError("it lists magics of other shards")
    listed = sum(b - a + 1 for a, b in result.magics)
    if listed > result.magic_count or (
        listed < result.magic_count and len(result.magics) < MOST_LISTED
    ):
        raise ValueError(f"it lists {listed:,} magics and counts {result.magic_count:,}")


def unlisted_magic(
    work: Work, result: ShardResult, known: Sequence[KnownMagic]
) -> KnownMagic | None:
    """A known magic of the cell that lies in a shard, and that its result does not list. Nothing is
    said where there are more than are listed, in no order.
    """
    if len(result.magics) >= MOST_LISTED:
        return None
    roots = [work.root(part) for part in work.parts_of(result.number)]
    for known_magic in known:
        magic = known_magic.magic % work.cell.period
        inside = any(_is_within(magic, magic, root) for root in roots)
        listed = any(low <= magic <= high for low, high in result.magics)
        if inside and not listed:
            return known_magic
    return None


# Shards are claimed in a transaction, so two processes never do the same one. A claim lives as
# long as its process. So kill -9 loses what was done since the running shards' last stretches, and
# nothing else; whoever comes next takes them over.
#
# What a ledger says of a cell is held against the cell's plan: there is a row for every shard of
# it, the roots of the shards are all m, and a shard that is done has a row that can be believed:
# it has its seal, the program that did it is the one that would do it here, and it lists the magics
# that are known. `find` opens shards again where this is not so; `results` and `summary` refuse to
# speak. What another program counted is not lost: it stays in the table `superseded`.

OPEN_AGAIN = "update shard set state = 'open', claim = null where state = 'claimed' and claim = ?"


class Ledger:
    """`with Ledger(path) as ledger`. One per process; not for several threads.

    `repairs` says what `find` found damaged, and opened again.
    """

    def __init__(self, path: Path | str) -> None:
        self.path = Path(path)
        self.repairs: list[str] = []
        with self._file_errors():
            self.db = sqlite3.connect(self.path, timeout=60, isolation_level=None)
        self.db.row_factory = sqlite3.Row
        try:
            with self._file_errors():
                self.db.execute("pragma journal_mode = wal")
                self.db.execute("pragma synchronous = normal")
            with self._transaction():
                prepare(self.db)
                (self.client,) = self.db.execute(
                    "insert into client default values returning id"
                ).fetchone()
                self.claims = Claims(self.path, self.client)
        except BaseException:
            self.db.close()
            raise

    def __enter__(self) -> "Ledger":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the file. A claim of a client that has let go of its lock is nobody's."""
        self.db.close()
        self.claims.close()

    @contextmanager
    def _file_errors(self) -> Iterator[None]:
        """What SQLite cannot read, or is no ledger's, is an error of the file's."""
        try:
            yield
        except sqlite3.ProgrammingError:  # ours
            raise
        except sqlite3.OperationalError as error:  # a full disk, a folder that cannot be written
            raise InputError([Problem(f"cannot be used: {error}", file=str(self.path))]) from None
        except (sqlite3.DatabaseError, NotALedgerError) as error:
            raise InputError([Problem(f"no ledger: {error}", file=str(self.path))]) from None

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        with self._file_errors():
            self.db.execute("begin immediate")
            try:
                yield
            except BaseException:
                with suppress(sqlite3.Error):
                    self.db.execute("rollback")
                raise
            self.db.execute("commit")

    def cells(self) -> list[Cell]:
        """The cells in the ledger, in the order of their estimates."""
        with self._file_errors():
            rows = self.db.execute("select key from cell order by estimate, id").fetchall()
            return [cell_of(row["key"]) for row in rows]

    def add(self, work: Work, estimate: float = 0.0) -> None:
        """Enter a cell with its shards, those next to a power of two first.

        What is entered already stays as it is.
        """
        with self._transaction():
            row = self.db.execute(
                "insert into cell (key, plan, level, record, estimate, sealed) "
                "values (?, ?, ?, ?, ?, 1) on conflict do nothing returning id",
                [key_of(work.cell), work.plan.text, work.level, work.record, estimate],
            ).fetchone()
            if row is not None:
                self.db.execute("delete from shard where cell = ?", [row["id"]])
                self._enter(row["id"], work, range(work.shards))

    def _enter(self, cell: int, work: Work, numbers: range | list[int]) -> None:
        order = sorted(range(work.shards), key=lambda n: distance_to_power(work, n))
        rank = {number: place for place, number in enumerate(order)}
        self.db.executemany(
            "insert into shard (cell, number, rank) values (?, ?, ?)",
            [(cell, number, rank[number]) for number in numbers],
        )

    def find(self, cell: Cell) -> Work | None:
        """The work that this ledger has for a cell, if any.

        Shards whose rows are missing or cannot be believed are open again: see `repairs`.
        Raises InputError where the plan itself is none.
        """
        with self._transaction():
            row = self._row(cell)
            if row is None:
                return None
            work = self._work(cell, row)
            _, faults = self._checked_rows(work, row)
            if faults:
                self._reopen(work, row["id"], faults)
            self._forget_unbelievable(work, row["id"])
        return work

    def _forget_unbelievable(self, work: Work, cell: int) -> None:
        """Of a begun shard whose stretches cannot be believed nothing is done."""
        for row in self._stretch_rows(cell):
            try:
                read_stretches(work, row)
            except ValueError as error:
                self._forget(cell, row["number"])
                self.repairs.append(f"{work.cell}: shard {row['number']} from its start: {error}")

    def _stretch_rows(self, cell: int) -> list[sqlite3.Row]:
        statement = "select * from stretch where cell = ? order by number"
        return self.db.execute(statement, [cell]).fetchall()

    def _forget(self, cell: int, number: object) -> None:
        self.db.execute("delete from stretch where cell = ? and number = ?", [cell, number])

    def begun(self, work: Work, number: int) -> Division:
        """What was done of a shard that is claimed, and what is left of it."""
        row = self._row(work.cell)
        assert row is not None
        with self._file_errors():
            stretches = self.db.execute(
                "select * from stretch where cell = ? and number = ?", [row["id"], number]
            ).fetchone()
        return (
            Division((whole(work, number),))
            if stretches is None
            else read_stretches(work, stretches)
        )

    def keep(self, work: Work, number: int, division: Division) -> None:
        """Record the stretches of a shard that this process has claimed."""
        engine, text = program_of(work.plan), stretches_text(division)
        row = self._row(work.cell)
        assert row is not None
        with self._transaction():
            self._refuse_unclaimed(work, number)
            self.db.execute(
                "insert or replace into stretch "
                "(cell, number, share, seconds, stretches, engine, seal) "
                "values (?, ?, ?, ?, ?, ?, ?)",
                [
                    row["id"], number, division.share(work), division.seconds, text, engine,
                    seal_of_stretches(work, number, text, engine),
                ],
            )  # fmt: skip

    def _refuse_unclaimed(self, work: Work, number: int) -> None:
        row = self.db.execute(
            "select 1 from shard where state = 'claimed' and claim = ? and number = ? "
            "and cell = (select id from cell where key = ?)",
            [self.client, number, key_of(work.cell)],
        ).fetchone()
        if row is None:
            raise AssertionError(f"shard {number} was not claimed by this process")

    def start_again(self, work: Work, number: int) -> None:
        """Forget what was done of a shard that was begun."""
        row = self._row(work.cell)
        assert row is not None
        with self._transaction():
            self._forget(row["id"], number)

    def _row(self, cell: Cell) -> sqlite3.Row | None:
        row: sqlite3.Row | None = self.db.execute(
            "select * from cell where key = ?", [key_of(cell)]
        ).fetchone()
        return row

    def _work(self, cell: Cell, row: sqlite3.Row) -> Work:
        try:
            plan = parse_plan(row["plan"])
            plan.check(terms_of(cell))
            work = Work(cell, plan, row["level"], bool(row["record"]))
            if not 0 <= work.level <= len(plan.steps) or work.shards > MOST_SHARDS:
                raise ValueError(f"level {row['level']}: cuts it in no number of shards")
            if not work.covers_all():
                raise ValueError("the roots of its shards are not all m")
        except (TypeError, ValueError) as error:
            raise InputError([Problem(str(error), str(self.path), str(cell))]) from None
        return work

    def _checked_rows(
        self, work: Work, row: sqlite3.Row
    ) -> tuple[list[ShardResult], dict[object, Exception]]:
        """The results of the shards that are done, and the numbers of others that should not
        be as they are, with what is wrong with them.
        """
        results: list[ShardResult] = []
        faults: dict[object, Exception] = {}
        known: Sequence[KnownMagic] | None = None
        missing = set(range(work.shards))
        rows = self.db.execute("select * from shard where cell = ? order by number", [row["id"]])
        for shard in rows:
            number: Any = shard["number"]
            if number not in missing:
                faults[number] = ValueError(f"the plan has {work.shards:,} shards")
                continue
            missing.remove(number)
            if shard["state"] == "claimed" and shard["claim"] is None:
                faults[number] = ValueError("it is claimed by nobody")
            if shard["state"] == "done":
                known = known_magics(work.cell) if known is None else known
                try:
                    result = read_row(work, shard)
                    if magic := unlisted_magic(work, result, known):
                        raise ContradictedError([Problem(contradicted(magic))])
                    results.append(result)
                except ValueError as error:
                    faults[number] = error
        return results, faults | dict.fromkeys(sorted(missing), ValueError("it is missing"))

    def _reopen(self, work: Work, cell: int, faults: dict[object, Exception]) -> None:
        foreign = [n for n, fault in faults.items() if isinstance(fault, OtherProgramError)]
        self.db.executemany(
            "insert into superseded select * from shard where cell = ? and number = ?",
            [(cell, n) for n in foreign],
        )
        self.db.executemany(
            "delete from shard where cell = ? and number = ?", [(cell, n) for n in faults]
        )
        self._enter(cell, work, [n for n in range(work.shards) if n in faults])
        self.repairs += [
            f"{work.cell}: {message}: counted anew (the rows are kept in the table superseded)"
            for message in _by_other_programs(work, faults)
        ]
        self.repairs += [
            f"{work.cell}: shard {n} again: {why}" for n, why in faults.items() if n not in foreign
        ]

    def results(self, cell: Cell) -> list[ShardResult]:
        """The results of the shards that are done, in the order of their numbers.

        Raises InputError where the ledger is damaged.
        """
        return self._results(cell)[1]

    def summary(self, cell: Cell) -> Summary:
        """How far a cell is. Raises InputError where the ledger is damaged."""
        work, results = self._results(cell)
        summary = summarise(results, work.shards if work else 0)
        shares = [share for share, _ in self.progress(cell).begun.values()]
        return replace(summary, begun=len(shares), begun_share=sum(shares))

    def progress(self, cell: Cell) -> Progress:
        """How far the cell is said to be: for a display."""
        with self._file_errors():
            rows = self.db.execute(
                "select magic_count, seconds from shard where state = 'done' "
                "and cell = (select id from cell where key = ?)", [key_of(cell)],
            ).fetchall()  # fmt: skip
            stretches = self.db.execute(
                "select number, share, seconds from stretch "
                "where cell = (select id from cell where key = ?)", [key_of(cell)],
            ).fetchall()  # fmt: skip
            return Progress(
                [float(row["seconds"]) for row in rows],
                sum(int(row["magic_count"]) for row in rows),
                {row["number"]: (float(row["share"]), float(row["seconds"])) for row in stretches},
            )

    def _results(self, cell: Cell) -> tuple[Work | None, list[ShardResult]]:
        with self._file_errors():
            row = self._row(cell)
            if row is None:
                return None, []
            work = self._work(cell, row)
            results, faults = self._checked_rows(work, row)
        if faults:
            file, foreign = str(self.path), _by_other_programs(work, faults)
            problems = [Problem(message, file, str(cell)) for message in foreign]
            problems += [
                Problem(f"shard {number}: {why}", file, str(cell))
                for number, why in faults.items()
                if not isinstance(why, OtherProgramError)
            ]
            is_contradicted = any(isinstance(why, ContradictedError) for why in faults.values())
            raise ContradictedError(problems) if is_contradicted else InputError(problems)
        return work, results

    def claim(self, cell: Cell) -> int | None:
        """A shard to do, or None if all are done or claimed by living processes."""
        with self._transaction():
            self._release_dead_claims()
            row = self.db.execute(
                "update shard set state = 'claimed', claim = ? where (cell, number) = "
                "(select s.cell, s.number from shard s join cell c on c.id = s.cell "
                " where c.key = ? and s.state = 'open' order by s.rank limit 1) "
                "returning number",
                [self.client, key_of(cell)],
            ).fetchone()
        return None if row is None else int(row["number"])

    def _release_dead_claims(self) -> None:
        rows = self.db.execute("select distinct claim from shard where state = 'claimed'")
        for (client,) in rows.fetchall():
            if client != self.client and not self.claims.alive(client):
                self.db.execute(OPEN_AGAIN, [client])

    def release(self, cell: Cell, number: int) -> None:
        """Give a claimed shard back."""
        with self._transaction():
            self.db.execute(
                f"{OPEN_AGAIN} and number = ? and cell = (select id from cell where key = ?)",
                [self.client, number, key_of(cell)],
            )

    def refuse_other_program(self, work: Work, result: ShardResult) -> None:
        """Raises InputError where another program did it: of a cluster each worker has its own."""
        if result.engine != (program := program_of(work.plan)):
            message = f"a worker runs {result.engine or UNRECORDED}: expected {program}, as here"
            raise InputError([Problem(message, str(self.path), str(work.cell))])

    def finish(self, work: Work, result: ShardResult) -> None:
        """Record a claimed shard's result. Raises InputError where another program did it: of a
        cluster each worker has its own.
        """
        assert result.finished
        self.refuse_other_program(work, result)
        with self._transaction():
            changed = self.db.execute(
                f"update shard set state = 'done', claim = null, {' = ?, '.join(COLUMNS)} = ? "
                "where state = 'claimed' and claim = ? and number = ? "
                "and cell = (select id from cell where key = ?)",
                [*column_values(work, result), self.client, result.number, key_of(work.cell)],
            ).rowcount
            if changed != 1:
                raise AssertionError(f"shard {result.number} was not claimed by this process")
            self.db.execute(
                "delete from stretch where number = ? "
                "and cell = (select id from cell where key = ?)",
                [result.number, key_of(work.cell)],
            )


def _by_other_programs(work: Work, faults: Mapping[object, Exception]) -> list[str]:
    """Which programs did how many shards, and what would do them here."""
    programs = Counter(
        fault.program or UNRECORDED
        for fault in faults.values()
        if isinstance(fault, OtherProgramError)
    )
    return [
        f"{count:,} shard{'s were' if count > 1 else ' was'} counted by another program "
        f"({program}), and this is {program_of(work.plan)}"
        for program, count in sorted(programs.items())
    ]


def distance_to_power(work: Work, number: int) -> float:
    """How far a shard is from the nearest power of two, as a part of it: many of the known
    magics with few bits lie just above or below one.
    """
    w, low, high = work.root(number)
    if low == 0:
        return 0.0
    power_below = 1 << (low.bit_length() - 1)
    power_above = min(2 * power_below, 1 << w)
    if low == power_below or high + 1 == power_above:
        return 0.0
    return min((low - power_below) / power_below, (power_above - high) / power_above)
