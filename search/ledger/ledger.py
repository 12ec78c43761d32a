"""The ledger: which shards of which cells are done, in one SQLite file for several processes.

A row for each shard: claimed, done, or open; what a done one came to, with a seal; of one that was
begun, which stretches of it are done and what is left. `rows.py` reads and writes them, `schema.py`
has the tables and their older forms, `claims.py` the claims of living processes.

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

import sqlite3
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from magicert.cell import Cell
from magicert.known_magics import ContradictedError, KnownMagic, contradicted, known_magics
from magicert.problem import InputError, Problem
from magicert.search.ledger.claims import Claims
from magicert.search.ledger.division import Division
from magicert.search.ledger.rows import (
    COLUMNS,
    UNRECORDED,
    OtherProgramError,
    cell_of,
    column_values,
    key_of,
    read_row,
    read_stretches,
    seal_of_stretches,
    stretches_text,
    unlisted_magic,
)
from magicert.search.ledger.schema import NotALedgerError, prepare
from magicert.search.ledger.summary import Progress, Summary, summarise
from magicert.search.problem import parse_plan, terms_of
from magicert.search.shards.rest import whole
from magicert.search.shards.shard import (
    MOST_SHARDS,
    ShardResult,
    Work,
    program_of,
)

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
