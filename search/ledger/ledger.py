"""The ledger: which shards of which cells are done, in one SQLite file (WAL).

Shards are claimed in a transaction, so two processes never do the same one. A claim lives
as long as its process: each process holds a lock on a byte of FILE-claims that the system
lets go of when the process ends, however it ends. So kill -9 loses the running shards, and
nothing else; whoever comes next takes them over.
"""

import fcntl
import json
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from magicert.board import Piece
from magicert.cell import Cell
from magicert.problem import InputError, Problem
from magicert.scheme import resolve_scheme
from magicert.search.problem.plan import Plan
from magicert.search.shards.shard import Counts, ShardResult, Work, cell_key

VERSION = 1
SCHEMA = """
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
create table client (id integer primary key autoincrement, started text default current_timestamp);
"""


@dataclass(frozen=True, slots=True)
class Summary:
    """How far a cell is."""

    shards: int
    done: int
    counts: Counts
    leaves: int
    magics: tuple[tuple[int, int], ...]
    magic_count: int
    seconds: float

    @property
    def finished(self) -> bool:
        """Whether every shard is done."""
        return self.done == self.shards


class Ledger:
    """`with Ledger(path) as ledger`. One per process; not for several threads."""

    def __init__(self, path: Path | str) -> None:
        self.path = Path(path)
        self.claims = os.open(f"{self.path}-claims", os.O_RDWR | os.O_CREAT, 0o644)
        try:
            self.db = sqlite3.connect(self.path, timeout=60, isolation_level=None)
            self.db.execute("pragma journal_mode = wal")
            self.db.execute("pragma synchronous = normal")
            with self._transaction():
                self._prepare()
                row = self.db.execute("insert into client default values returning id").fetchone()
        except sqlite3.DatabaseError as error:
            os.close(self.claims)
            raise InputError([Problem(f"no ledger: {error}", file=str(path))]) from None
        self.client: int = row[0]
        fcntl.lockf(self.claims, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, self.client)

    def _prepare(self) -> None:
        version = self.db.execute("pragma user_version").fetchone()[0]
        if version == 0:
            for statement in SCHEMA.split(";"):
                self.db.execute(statement)
            self.db.execute(f"pragma user_version = {VERSION}")
        elif version != VERSION:
            message = f"a ledger of version {version}: expected {VERSION}"
            raise InputError([Problem(message, file=str(self.path))])

    def __enter__(self) -> "Ledger":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Give open claims back and let go of the file."""
        with self._transaction():
            self.db.execute(
                "update shard set state = 'open', claim = null "
                "where state = 'claimed' and claim = ?", [self.client],
            )  # fmt: skip
        self.db.close()
        os.close(self.claims)

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self.db.execute("begin immediate")
        try:
            yield
        except BaseException:
            self.db.execute("rollback")
            raise
        self.db.execute("commit")

    def find(self, cell: Cell) -> Work | None:
        """The work that this ledger has for a cell, if any."""
        row = self.db.execute(
            "select plan, level, record from cell where key = ?", [_key(cell)]
        ).fetchone()
        return None if row is None else Work(cell, Plan.parse(row[0]), row[1], bool(row[2]))

    def add(self, work: Work, estimate: float = 0.0) -> None:
        """Enter a cell with its shards, those next to a power of two first.

        What is entered already stays as it is.
        """
        with self._transaction():
            row = self.db.execute(
                "insert into cell (key, plan, level, record, estimate) values (?, ?, ?, ?, ?) "
                "on conflict do nothing returning id",
                [_key(work.cell), work.plan.text, work.level, work.record, estimate],
            ).fetchone()
            if row is None:
                return
            numbers = sorted(range(work.shards), key=lambda n: distance(work, n))
            self.db.executemany(
                "insert into shard (cell, number, rank) values (?, ?, ?)",
                [(row[0], number, rank) for rank, number in enumerate(numbers)],
            )

    def cells(self) -> list[Cell]:
        """The cells in the ledger, in the order of their estimates."""
        rows = self.db.execute("select key from cell order by estimate, id").fetchall()
        return [_cell(row[0]) for row in rows]

    def claim(self, cell: Cell) -> int | None:
        """A shard to do, or None if all are done or claimed by living processes."""
        with self._transaction():
            self._release_the_dead()
            row = self.db.execute(
                "update shard set state = 'claimed', claim = ? where (cell, number) = "
                "(select s.cell, s.number from shard s join cell c on c.id = s.cell "
                " where c.key = ? and s.state = 'open' order by s.rank limit 1) "
                "returning number",
                [self.client, _key(cell)],
            ).fetchone()
        return None if row is None else int(row[0])

    def _release_the_dead(self) -> None:
        rows = self.db.execute("select distinct claim from shard where state = 'claimed'")
        for (client,) in rows.fetchall():
            if client != self.client and not self._alive(client):
                self.db.execute(
                    "update shard set state = 'open', claim = null "
                    "where state = 'claimed' and claim = ?", [client],
                )  # fmt: skip

    def _alive(self, client: int) -> bool:
        try:
            fcntl.lockf(self.claims, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, client)
        except OSError:
            return True
        fcntl.lockf(self.claims, fcntl.LOCK_UN, 1, client)
        return False

    def release(self, cell: Cell, number: int) -> None:
        """Give a claimed shard back."""
        with self._transaction():
            self.db.execute(
                "update shard set state = 'open', claim = null where number = ? and claim = ? "
                "and state = 'claimed' and cell = (select id from cell where key = ?)",
                [number, self.client, _key(cell)],
            )

    def done(self, cell: Cell, result: ShardResult) -> None:
        """Record a claimed shard's result."""
        assert result.finished
        with self._transaction():
            changed = self.db.execute(
                "update shard set state = 'done', claim = null, nodes = ?, drops = ?, cells = ?, "
                "words = ?, examined = ?, leaves = ?, sha256 = ?, magics = ?, magic_count = ?, "
                "seconds = ? where number = ? and state = 'claimed' and claim = ? "
                "and cell = (select id from cell where key = ?)",
                [
                    *result.counts.values, result.leaves, result.sha256,
                    json.dumps([[hex(a), hex(b)] for a, b in result.magics]),
                    str(result.magic_count), result.seconds, result.number, self.client, _key(cell),
                ],
            ).rowcount  # fmt: skip
            if changed != 1:
                raise AssertionError(f"shard {result.number} was not claimed by this process")

    def results(self, cell: Cell) -> list[ShardResult]:
        """The results of the shards that are done, in the order of their numbers."""
        rows = self.db.execute(
            "select number, nodes, drops, cells, words, examined, leaves, sha256, magics, "
            "magic_count, seconds from shard where state = 'done' "
            "and cell = (select id from cell where key = ?) order by number",
            [_key(cell)],
        )
        return [
            ShardResult(
                number=row[0],
                counts=Counts(*row[1:6]),
                leaves=row[6],
                sha256=row[7],
                magics=tuple((int(a, 16), int(b, 16)) for a, b in json.loads(row[8])),
                magic_count=int(row[9]),
                seconds=row[10],
            )
            for row in rows
        ]

    def summary(self, cell: Cell) -> Summary:
        """How far a cell is."""
        shards = self.db.execute(
            "select count(*) from shard where cell = (select id from cell where key = ?)",
            [_key(cell)],
        ).fetchone()[0]
        return summarise(self.results(cell), shards)


def summarise(results: list[ShardResult], shards: int) -> Summary:
    """Add up shards."""
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
    )


def distance(work: Work, number: int) -> float:
    """How far a shard is from the nearest power of two, as a part of it: many of the known
    magics with few bits lie just above or below one.
    """
    w, low, high = work.root(number)
    if low == 0:
        return 0.0
    below = 1 << (low.bit_length() - 1)
    above = min(2 * below, 1 << w)
    if low == below or high + 1 == above:
        return 0.0
    return min((low - below) / below, (above - high) / above)


def _key(cell: Cell) -> str:
    return json.dumps(cell_key(cell))


def _cell(key: str) -> Cell:
    scheme, piece, square, bits, fixed, largest = json.loads(key)
    return Cell(resolve_scheme(scheme), Piece(piece), square, bits, dict(fixed), largest)
