"""Shards on an existing Dask cluster: its workers compute, the ledger stays here.

A worker that dies has its shards run again elsewhere by Dask; as a shard's result is
recorded once, by this process, nothing is lost and nothing is counted twice.
"""

import re
from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from typing import Any

from magicert.problem import InputError, Problem

CONNECT_SECONDS = 15


RETRIES = 10
"""How often what a dead worker had is run again."""


@contextmanager
def cluster_executor(address: str) -> Iterator[tuple[Executor, int]]:
    """An executor on the cluster at tcp://..., and how many shards it can run at a time.

    Raises InputError where the extra is not installed or nobody answers.
    """
    with cluster_client(address) as (client, threads):
        # Shards are pure, but two may be asked for at different times: never share a key.
        yield client.get_executor(pure=False, retries=RETRIES), threads


@contextmanager
def cluster_client(address: str) -> Iterator[tuple[Any, int]]:
    """A client of the cluster at tcp://..., and how many threads its workers have.

    Raises InputError where the extra is not installed or nobody answers.
    """
    try:
        from distributed import Client
    except ImportError:
        message = "needs distributed: pip install 'magicert[cluster]'"
        raise InputError([Problem(message, key="cluster")]) from None
    if not re.fullmatch(r"\w+://.+:\d+|inproc://.+", address):
        message = "expected the scheduler's address, such as tcp://localhost:8786"
        raise InputError([Problem(message, key=f"--cluster {address}")])
    try:
        client = Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
    except (OSError, ValueError) as error:
        raise InputError([Problem(f"{address}: no scheduler: {error}", key="cluster")]) from None
    try:
        threads = sum(client.nthreads().values())
        if not threads:
            raise InputError([Problem(f"{address}: the scheduler has no workers", key="cluster")])
        yield client, threads
    finally:
        client.close()
