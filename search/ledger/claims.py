"""Which clients of a ledger are alive: a claim dies with its process, however that ends.

A client is a process with the ledger open. It keeps an SQLite file of its own locked; the
system lets go of the lock when the process ends. SQLite knows how to lock on every system.
Call all of this inside a transaction of the ledger, so that no two clients do it at once.
"""

import re
import sqlite3
from contextlib import suppress
from pathlib import Path


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
