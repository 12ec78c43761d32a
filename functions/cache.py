"""Claims that were proved before, so that a second run asks the solver about what has changed only.

The key of a claim is a hash of all that the proof is about and made with:

    the graph of words of what is computed, with every entry of the tables that it reads, of poison,
    of each condition that must not hold, of what is assumed, and of what the board says
    the text of this package's modules, the solvers and their versions

So the source, its flags, the square, the order or what is written into a table need no place of
their own: whatever of them matters is in the graph. Only "proved" is kept; and nothing in the cache
is ever run. It is one file of the user's own, of limited size.
"""

import hashlib
import os
import sqlite3
import stat
import time
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path

import numpy as np

import magicert
from magicert.functions import words
from magicert.functions.words import Word, WordTable

MOST = 200_000
"""Claims that are kept: some 25 MB. Those that were used longest ago go first."""
SELDOM = 7 * 24 * 3600
"""Seconds until it is noted again that a claim is used."""
COMMUTES = frozenset({"and", "or", "xor", "add", "mul", "eq"})
_TABLE = (
    "CREATE TABLE IF NOT EXISTS proved (claim BLOB PRIMARY KEY, rows INTEGER NOT NULL, "
    "used INTEGER NOT NULL) WITHOUT ROWID"
)


def folder_of_the_user() -> Path | None:
    """Where a user's cache lies, unless MAGICERT_CACHE says it; None where that is not known."""
    if configured := os.environ.get("MAGICERT_CACHE", ""):
        return Path(configured).absolute()
    stated = os.environ.get("XDG_CACHE_HOME", "")
    if os.path.isabs(stated):  # noqa: PTH117
        return Path(stated) / "magicert"
    local = os.environ.get("LOCALAPPDATA", "") if os.name == "nt" else ""
    with suppress(RuntimeError):  # a user without a home
        return Path(local or Path.home() / ".cache") / "magicert"
    return None


def key_of(header: str, ordered: Sequence[Word], unordered: Sequence[Word]) -> bytes:
    """The hash of what is told of a claim and of its words, in this order and in any."""
    digests: dict[int, bytes] = {}
    for node in words.walk([*ordered, *unordered]):
        digests[id(node)] = _digest(node, [digests[id(arg)] for arg in node.args])
    whole = hashlib.sha256(_package())
    whole.update(f"{header} {len(ordered)} {len(unordered)}\n".encode())
    whole.update(b"".join(digests[id(word)] for word in ordered))
    whole.update(b"".join(sorted(digests[id(word)] for word in unordered)))
    return whole.digest()


def _digest(node: Word, args: list[bytes]) -> bytes:
    data = node.data
    if isinstance(data, WordTable):
        entries = data.entries
        data_text = f"table {data.width} {entries.dtype.str} {entries.shape}"
        content = hashlib.sha256(entries.tobytes()).digest()
    else:
        data_text, content = f"{type(data).__name__} {data!r}", b""
    ordered = sorted(args) if node.op in COMMUTES else args
    head = f"{node.op} {node.width} {len(args)} {data_text}\n".encode()
    return hashlib.sha256(head + content + b"".join(ordered)).digest()


@cache
def _package() -> bytes:
    """The hash of the modules that prove, as they are now."""
    digest = hashlib.sha256(f"{magicert.__version__} {np.__version__}".encode())
    for path in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(path.name.encode() + b"\0" + hashlib.sha256(path.read_bytes()).digest())
    return digest.digest()


class Cache:
    """The claims that were proved. Where its file cannot be used it knows nothing, and keeps
    nothing.
    """

    def __init__(self, folder: Path | None) -> None:
        self.database: sqlite3.Connection | None = None
        self.only_read = False
        self.new = set[bytes]()
        """What this run has proved itself: both builds often ask the same."""
        if folder is None or not folder.is_absolute():
            return  # what lies where somebody works may be a stranger's
        with suppress(OSError, sqlite3.Error):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            if not _is_own(folder):
                return
            file = folder / "functions.sqlite3"
            database = sqlite3.connect(file, timeout=5, isolation_level=None)
            database.execute("PRAGMA synchronous = OFF")  # a lost entry is proved once more
            database.execute(_TABLE)
            self.database = database

    def rows(self, key: bytes) -> int | None:
        """How many values a proof has gone through; None where there is none."""
        if self.database is None:
            return None
        question = "SELECT rows FROM proved WHERE claim = ?"
        try:
            row = self.database.execute(question, (key,)).fetchone()
        except sqlite3.Error:
            self.database = None
            return None
        if row is None or not isinstance(row[0], int):
            return None
        now = int(time.time())
        again = "UPDATE proved SET used = ? WHERE claim = ? AND used < ?"
        self._write(again, (now, key, now - SELDOM))
        return row[0]

    def keep(self, key: bytes, rows: int) -> None:
        """Keep a proof, and leave out the oldest where there are too many."""
        self.new.add(key)
        self._write("INSERT OR REPLACE INTO proved VALUES (?, ?, ?)", (key, rows, int(time.time())))
        ((count,),) = self._write("SELECT count(*) FROM proved") or [(0,)]
        if count > MOST:
            oldest = "SELECT claim FROM proved ORDER BY used LIMIT ?"
            self._write(f"DELETE FROM proved WHERE claim IN ({oldest})", (count - MOST * 9 // 10,))

    def _write(
        self, command: str, parameters: tuple[bytes | int, ...] = ()
    ) -> list[tuple[int, ...]]:
        """Do so, until it fails once: each try at a locked file waits for seconds."""
        if self.database is None or self.only_read:
            return []
        try:
            return self.database.execute(command, parameters).fetchall()
        except sqlite3.Error:
            self.only_read = True
            return []


def _is_own(folder: Path) -> bool:
    """Whether nobody else may write into a folder."""
    if os.name == "nt":
        return True
    known = folder.stat()
    shared = known.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
    return known.st_uid == os.getuid() and not shared
