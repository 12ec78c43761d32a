"""Who carries out the orders of packing: processes of this machine, or a Dask cluster."""

from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Executor
from contextlib import contextmanager
from dataclasses import fields, is_dataclass
from functools import partial
from pathlib import Path
from threading import Lock
from typing import Any

from magicert.search.ledger.settle import RETRIES, cluster_client
from magicert.system.processes import process_pool
from magicert.system.whole_file import write_whole


@contextmanager
def executor_of(workers: int, cluster: str) -> Iterator[Executor | None]:
    """The executor of a run: so many processes of this machine, or the Dask cluster at an address
    (tcp://...). None: this process works alone.

    Raises InputError where there is no such cluster.
    """
    if cluster:
        with cluster_client(cluster) as (client, _threads):
            cluster_executor = Cluster(client)
            try:
                yield cluster_executor
            finally:
                cluster_executor.forget()
    elif workers > 1:
        with process_pool(workers) as executor:
            yield executor
    else:
        yield None


class Cluster(Executor):
    """The workers of a Dask cluster. Files that an order names (libraries of magics) are sent to
    each worker once, and lie there under the same name.
    """

    def __init__(self, client: Any) -> None:  # noqa: ANN401
        self.client = client
        self.sent: dict[Path, Any] = {}

    def submit(self, work: Callable[..., Any], /, *args: Any, **options: Any) -> Any:  # noqa: ANN401
        """Begin a piece of work. It is a key of its own, even if it was done before."""
        files = {str(path): self._send(path) for path in files_of((work, args, options))}
        return self.client.submit(
            run_with_files, files, partial(work, **options), *args, pure=False, retries=RETRIES
        )

    def forget(self) -> None:
        """Have the workers remove the files that were sent to them."""
        if self.sent:
            self.client.run(forget_files)

    def _send(self, path: Path) -> Any:  # noqa: ANN401
        if path not in self.sent:
            data = path.read_bytes()
            self.sent[path] = self.client.scatter(data, broadcast=True, hash=False)
        return self.sent[path]


RECEIVED_FILES: set[Path] = set()
"""Files that this process, a worker, has written."""
RECEIVED_LOCK = Lock()


def forget_files() -> None:
    """Remove the files that were sent here: called on a worker."""
    while RECEIVED_FILES:
        RECEIVED_FILES.pop().unlink(missing_ok=True)


def run_with_files(files: Mapping[str, bytes], work: Callable[..., Any], *args: Any) -> Any:  # noqa: ANN401
    """Do a piece of work where its files may not be: called on a worker."""
    for name, data in files.items():
        path = Path(name)
        with RECEIVED_LOCK:  # a worker may have several threads
            if not path.exists():
                path.parent.mkdir(parents=True, exist_ok=True)
                write_whole(path, data)
                RECEIVED_FILES.add(path)
    return work(*args)


def files_of(order: Any) -> set[Path]:  # noqa: ANN401
    """The files that an order names: itself, in what it consists of, or bound to its function."""
    if isinstance(order, Path):
        return {order} if order.is_file() else set()
    if isinstance(order, partial):
        return files_of((order.args, order.keywords))
    if isinstance(order, tuple | list):
        return set().union(*map(files_of, order))
    if isinstance(order, dict):
        return files_of(list(order.values()))
    if is_dataclass(order) and not isinstance(order, type):
        return files_of([getattr(order, part.name) for part in fields(order)])
    return set()
