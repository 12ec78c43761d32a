"""Do finished shards of a ledger again: a row that somebody wrote and sealed is found by that only.

Which shards is for the system to say, so that nobody who edits a ledger can foresee it.
"""

import secrets
import time

from magicert.engine import Observer
from magicert.problem import InputError, Problem
from magicert.search.ledger.ledger import Ledger
from magicert.search.ledger.settle import do_shard
from magicert.search.shards.work import ShardResult, Work


def replay(
    ledger: Ledger, work: Work, count: int, observer: Observer, deadline: float | None = None
) -> int:
    """Do `count` random finished shards again, or as many as the time allows; how many were done.

    Raises InputError where the ledger says something else of one.
    """
    results = ledger.results(work.cell)
    chosen = secrets.SystemRandom().sample(results, min(count, len(results)))
    for done, result in enumerate(chosen):
        if deadline is not None and time.monotonic() > deadline:
            return done
        observer.progress(done, len(chosen), f"replaying shard {result.number} of the ledger")
        again = do_shard(work, result.number, deadline=deadline)
        if not again.finished:
            return done
        if differences := _differences(result, again):
            key = f"{work.cell}, shard {result.number}"
            raise InputError([Problem(text, str(ledger.path), key) for text in differences])
    return len(chosen)


def _differences(kept: ShardResult, again: ShardResult) -> list[str]:
    """What a shard comes to now and a ledger keeps otherwise. Only the same version of the engine
    counts alike, but whoever counts finds the same magics.
    """
    found = []
    if (kept.magic_count, kept.magics) != (again.magic_count, again.magics):
        found.append(f"{kept.magic_count:,} magics: {again.magic_count:,} when done again")
    if kept.engine == again.engine and kept.counts != again.counts:
        found.append(f"counts {kept.counts.values}: {again.counts.values} when done again")
    if kept.sha256 and again.sha256 and kept.engine == again.engine and kept.sha256 != again.sha256:
        found.append("the leaves are others when done again")
    return found
