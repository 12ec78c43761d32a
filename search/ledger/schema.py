"""What a ledger is as an SQLite database, and how one of an earlier version becomes one of this."""

import sqlite3

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


class NotALedgerError(ValueError):
    """What a database says is nothing that a ledger says."""


def prepare(db: sqlite3.Connection) -> None:
    """Bring a ledger, or an empty file, to this version. Raises NotALedgerError if it is later."""
    version = int(db.execute("pragma user_version").fetchone()[0])
    if version > VERSION:
        raise NotALedgerError(f"version {version}: expected at most {VERSION}")
    for step in MIGRATIONS[version:]:
        for statement in step.split(";"):
            db.execute(statement)
    db.execute(f"pragma user_version = {VERSION}")
