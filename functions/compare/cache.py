"""What an earlier run has found out, so that a second one does again only what has changed: claims
that it has proved, and texts that it has made.

The key of a claim is a hash of all that the proof is about and made with:

    the graph of words of what is computed, with every entry of the tables that it reads, of poison,
    of each condition that must not hold, of what is assumed, and of what the board says
    the text of this package's modules, the solvers and their versions

So the source, its flags, the square, the order or what is written into a table need no place of
their own: whatever of them matters is in the graph. Only "proved" is kept. Of texts `earlier` has
the keys; one is taken only if it is what was kept, by its own hash. Nothing in the cache is ever
run. It is one file of the user's own, of limited size.
"""

import hashlib
import os
import sqlite3
import stat
import time
import zlib
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path

import numpy as np

import magicert
from magicert.functions.execute import words
from magicert.functions.execute.words import Word, WordTable

MOST = 200_000
"""Claims that are kept: some 25 MB. Those that were used longest ago go first."""
MOST_BYTES = 128 << 20
"""Of all texts that are kept, packed. Here, too, those that were used longest ago go first."""
SELDOM = 7 * 24 * 3600
"""Seconds until it is noted again that a claim is used."""
COMMUTES = frozenset({"and", "or", "xor", "add", "mul", "eq"})
_TABLE = (
    "CREATE TABLE IF NOT EXISTS proved (claim BLOB PRIMARY KEY, rows INTEGER NOT NULL, "
    "used INTEGER NOT NULL) WITHOUT ROWID"
)
_TEXTS = (
    "CREATE TABLE IF NOT EXISTS texts (name BLOB PRIMARY KEY, content BLOB NOT NULL, "
    "size INTEGER NOT NULL, used INTEGER NOT NULL)"
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
    whole = hashlib.sha256(package_digest())
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
def package_digest() -> bytes:
    """The hash of this program as it is now: whatever it was that proved a claim is among it."""
    digest = hashlib.sha256(f"{magicert.__version__} {np.__version__}".encode())
    package = Path(magicert.__file__).parent
    for folder, folders, files in os.walk(package, followlinks=True):
        folders[:] = sorted(name for name in folders if name != "__pycache__")
        for name in sorted(files):
            if name.endswith((".py", ".toml", ".rs")):
                path = Path(folder) / name
                digest.update(f"{path.relative_to(package)}\0".encode())
                digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.digest()


class Cache:
    """The claims that were proved, and texts. Where its file cannot be used it knows nothing, and
    keeps nothing.
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
            file = folder / "functions.sqlite3"
            if not _is_own(folder) or (file.exists() and not _is_own(file)):
                return
            database = sqlite3.connect(file, timeout=5, isolation_level=None)
            database.execute("PRAGMA synchronous = OFF")  # a lost entry is proved once more
            database.execute(_TABLE)
            database.execute(_TEXTS)
            self.database = database

    def rows(self, key: bytes) -> int | None:
        """How many values a proof has gone through; None where there is none."""
        rows = self._read("SELECT rows FROM proved WHERE claim = ?", key)
        if not isinstance(rows, int):
            return None
        now = int(time.time())
        again = "UPDATE proved SET used = ? WHERE claim = ? AND used < ?"
        self._write(again, (now, key, now - SELDOM))
        return rows

    def keep(self, key: bytes, rows: int) -> None:
        """Keep a proof, and leave out the oldest where there are too many."""
        self.new.add(key)
        self._write("INSERT OR REPLACE INTO proved VALUES (?, ?, ?)", (key, rows, int(time.time())))
        ((count,),) = self._write("SELECT count(*) FROM proved") or [(0,)]
        if count > MOST:
            oldest = "SELECT claim FROM proved ORDER BY used LIMIT ?"
            self._write(f"DELETE FROM proved WHERE claim IN ({oldest})", (count - MOST * 9 // 10,))

    def text(self, key: bytes) -> str | None:
        """The text of that name, just as it was kept; None where there is none."""
        content = self._read("SELECT content FROM texts WHERE name = ?", key)
        if not isinstance(content, bytes):
            return None
        try:
            text = zlib.decompress(content[_HASH:])
        except zlib.error:
            return None
        if _text_hash(key, text) != content[:_HASH]:
            return None
        now = int(time.time())
        again = "UPDATE texts SET used = ? WHERE name = ? AND used < ?"
        self._write(again, (now, key, now - SELDOM))
        return text.decode("utf-8", "surrogatepass")

    def keep_text(self, key: bytes, text: str) -> None:
        """Keep a text, and leave out the oldest where there are too many bytes of them."""
        data = text.encode("utf-8", "surrogatepass")
        content = _text_hash(key, data) + zlib.compress(data, 1)
        if len(content) > MOST_BYTES // 4:
            return
        row = key, content, len(content), int(time.time())
        self._write("INSERT OR REPLACE INTO texts VALUES (?, ?, ?, ?)", row)
        ((total,),) = self._write("SELECT sum(size) FROM texts") or [(0,)]
        if (total or 0) > MOST_BYTES:
            newer = "SELECT name, sum(size) OVER (ORDER BY used DESC, name) AS bytes FROM texts"
            oldest = f"SELECT name FROM ({newer}) WHERE bytes > ?"
            self._write(f"DELETE FROM texts WHERE name IN ({oldest})", (MOST_BYTES * 3 // 4,))

    def _read(self, question: str, key: bytes) -> object:
        """The one value that a question has; None where it has none."""
        if self.database is None:
            return None
        try:
            row = self.database.execute(question, (key,)).fetchone()
        except sqlite3.Error:
            self.database = None
            return None
        return None if row is None else row[0]

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


_HASH = hashlib.sha256().digest_size


def _text_hash(key: bytes, text: bytes) -> bytes:
    """What a text is checked by: a cache that is broken may have another one in its place."""
    return hashlib.sha256(key + text).digest()


def _is_own(path: Path) -> bool:
    """Whether nobody else may write into a folder, or a file."""
    if os.name == "nt":
        return True
    known = path.stat()
    shared = known.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
    return known.st_uid == os.getuid() and not shared
