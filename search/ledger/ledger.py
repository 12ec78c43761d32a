"""The ledger: which shards of which cells are done, in one SQLite file (WAL).

Shards are claimed in a transaction, so two processes never do the same one. A claim lives as
long as its process (see claims.py). So kill -9 loses the running shards, and nothing else;
whoever comes next takes them over.

What a ledger says of a cell is held against the cell's plan: there is a row for every shard of
it, the roots of the shards are all m, and a shard that is done has a row that can be believed
(see rows.py). `find` opens shards again where this is not so; `results` and `summary`
refuse to speak.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from magicert.cell import Cell
from magicert.problem import InputError, Problem
from magicert.search.ledger.claims import Claims
from magicert.search.ledger.rows import COLUMNS, cell_of, key_of, read_row, values_of
from magicert.search.ledger.schema import NotALedgerError, prepare
from magicert.search.ledger.summary import Summary, summarise
from magicert.search.problem.plans import parse_plan
from magicert.search.problem.terms import terms_of
from magicert.search.shards.work import MOST_SHARDS, ShardResult, Work

OPEN_AGAIN = "update shard set state = 'open', claim = null where state = 'claimed' and claim = ?"


class Ledger:
    """`with Ledger(path) as ledger`. One per process; not for several threads.

    `mended` says what `find` found damaged, and opened again.
    """

    def __init__(self, path: Path | str) -> None:
        self.path = Path(path)
        self.mended: list[str] = []
        with self._reported():
            self.db = sqlite3.connect(self.path, timeout=60, isolation_level=None)
        self.db.row_factory = sqlite3.Row
        try:
            with self._reported():
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
        """Give open claims back and let go of the file."""
        try:
            with self._transaction():
                self.db.execute(OPEN_AGAIN, [self.client])
        finally:
            self.db.close()
            self.claims.close()

    @contextmanager
    def _reported(self) -> Iterator[None]:
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
        with self._reported():
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
        with self._reported():
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
        order = sorted(range(work.shards), key=lambda n: distance(work, n))
        rank = {number: place for place, number in enumerate(order)}
        self.db.executemany(
            "insert into shard (cell, number, rank) values (?, ?, ?)",
            [(cell, number, rank[number]) for number in numbers],
        )

    def find(self, cell: Cell) -> Work | None:
        """The work that this ledger has for a cell, if any.

        Shards whose rows are missing or cannot be believed are open again: see `mended`.
        Raises InputError where the plan itself is none.
        """
        with self._transaction():
            row = self._row(cell)
            if row is None:
                return None
            work = self._work(cell, row)
            _, faults = self._believed(work, row)
            if faults:
                self._mend(work, row["id"], faults)
        return work

    def _row(self, cell: Cell) -> sqlite3.Row | None:
        found: sqlite3.Row | None = self.db.execute(
            "select * from cell where key = ?", [key_of(cell)]
        ).fetchone()
        return found

    def _work(self, cell: Cell, row: sqlite3.Row) -> Work:
        try:
            plan = parse_plan(row["plan"])
            plan.check(terms_of(cell))
            work = Work(cell, plan, row["level"], bool(row["record"]))
            if not 0 <= work.level <= len(plan.steps) or work.shards > MOST_SHARDS:
                raise ValueError(f"level {row['level']}: cuts it in no number of shards")
            if not work.is_everything():
                raise ValueError("the roots of its shards are not all m")
        except (TypeError, ValueError) as error:
            raise InputError([Problem(str(error), str(self.path), str(cell))]) from None
        return work

    def _believed(
        self, work: Work, row: sqlite3.Row
    ) -> tuple[list[ShardResult], dict[object, str]]:
        """The results of the shards that are done, and the numbers of others that should not
        be as they are, with what is wrong with them.
        """
        results: list[ShardResult] = []
        faults: dict[object, str] = {}
        missing = set(range(work.shards))
        rows = self.db.execute("select * from shard where cell = ? order by number", [row["id"]])
        for shard in rows:
            number: Any = shard["number"]
            if number not in missing:
                faults[number] = f"the plan has {work.shards:,} shards"
                continue
            missing.remove(number)
            if shard["state"] == "claimed" and shard["claim"] is None:
                faults[number] = "it is claimed by nobody"
            if shard["state"] == "done":
                try:
                    results.append(read_row(work, shard, bool(row["sealed"])))
                except ValueError as error:
                    faults[number] = str(error)
        return results, faults | dict.fromkeys(sorted(missing), "it is missing")

    def _mend(self, work: Work, cell: int, faults: dict[object, str]) -> None:
        self.db.executemany(
            "delete from shard where cell = ? and number = ?", [(cell, n) for n in faults]
        )
        self._enter(cell, work, [n for n in range(work.shards) if n in faults])
        self.mended += [f"{work.cell}: shard {n} again: {why}" for n, why in faults.items()]

    def results(self, cell: Cell) -> list[ShardResult]:
        """The results of the shards that are done, in the order of their numbers.

        Raises InputError where the ledger is damaged.
        """
        return self._results(cell)[1]

    def summary(self, cell: Cell) -> Summary:
        """How far a cell is. Raises InputError where the ledger is damaged."""
        work, results = self._results(cell)
        return summarise(results, work.shards if work else 0)

    def progress(self, cell: Cell) -> tuple[int, int]:
        """How many shards are said to be done, and how many magics they found: for a display."""
        with self._reported():
            rows = self.db.execute(
                "select magic_count from shard where state = 'done' "
                "and cell = (select id from cell where key = ?)", [key_of(cell)],
            ).fetchall()  # fmt: skip
            return len(rows), sum(int(row["magic_count"]) for row in rows)

    def _results(self, cell: Cell) -> tuple[Work | None, list[ShardResult]]:
        with self._reported():
            row = self._row(cell)
            if row is None:
                return None, []
            work = self._work(cell, row)
            results, faults = self._believed(work, row)
        if faults:
            file = str(self.path)
            raise InputError(
                Problem(f"shard {number}: {why}", file, str(cell)) for number, why in faults.items()
            )
        return work, results

    def claim(self, cell: Cell) -> int | None:
        """A shard to do, or None if all are done or claimed by living processes."""
        with self._transaction():
            self._release_the_dead()
            row = self.db.execute(
                "update shard set state = 'claimed', claim = ? where (cell, number) = "
                "(select s.cell, s.number from shard s join cell c on c.id = s.cell "
                " where c.key = ? and s.state = 'open' order by s.rank limit 1) "
                "returning number",
                [self.client, key_of(cell)],
            ).fetchone()
        return None if row is None else int(row["number"])

    def _release_the_dead(self) -> None:
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

    def done(self, work: Work, result: ShardResult) -> None:
        """Record a claimed shard's result."""
        assert result.finished
        with self._transaction():
            changed = self.db.execute(
                f"update shard set state = 'done', claim = null, {' = ?, '.join(COLUMNS)} = ? "
                "where state = 'claimed' and claim = ? and number = ? "
                "and cell = (select id from cell where key = ?)",
                [*values_of(work, result), self.client, result.number, key_of(work.cell)],
            ).rowcount
            if changed != 1:
                raise AssertionError(f"shard {result.number} was not claimed by this process")


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
