"""The tables of a ledger, and how an older one becomes a new one."""

import sqlite3

VERSION = 2
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

SEALS = """
alter table cell add column sealed integer not null default 0;
alter table shard add column survivors integer;
alter table shard add column digest text;
alter table shard add column engine text;
alter table shard add column seal text
"""
"""Version 2. `sealed`: each shard of the cell that is done has a seal. A cell of version 1 has
shards without one; they stay valid.
"""

STEPS = (TABLES, SEALS)


class NotALedgerError(ValueError):
    """What a database says is nothing that a ledger says."""


def prepare(db: sqlite3.Connection) -> None:
    """Bring a ledger, or an empty file, to this version. Raises NotALedgerError if it is later."""
    version = int(db.execute("pragma user_version").fetchone()[0])
    if version > VERSION:
        raise NotALedgerError(f"version {version}: expected at most {VERSION}")
    for step in STEPS[version:]:
        for statement in step.split(";"):
            db.execute(statement)
    db.execute(f"pragma user_version = {VERSION}")
