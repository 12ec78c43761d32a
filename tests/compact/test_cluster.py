"""A round's workers on a Dask cluster: the same layout as on this machine, files and all."""

import os
from collections.abc import Callable, Iterator
from functools import partial
from importlib.util import find_spec
from pathlib import Path

import pytest

from magicert.chess import Piece
from magicert.compact import cluster as machines
from magicert.compact.job import PackSettings
from magicert.compact.layouts import Layout
from magicert.compact.pack import squeezed
from magicert.compact.placements import cell_data
from magicert.compact.start import in_a_row, ready_pools
from magicert.problem import InputError
from magicert.search.ledger import settle as connection
from magicert.system.deadline import BudgetOverError, Deadline

pytest.importorskip("numba")
pytestmark = [
    pytest.mark.filterwarnings("default"),  # dask's own
    pytest.mark.skipif(find_spec("distributed") is None, reason="no distributed"),
]


@pytest.fixture(scope="module")
def scheduler() -> Iterator[str]:
    """A worker, a process of its own, of two threads."""
    from distributed import LocalCluster

    with LocalCluster(
        n_workers=1, threads_per_worker=2, processes=True, dashboard_address=None
    ) as cluster:
        yield cluster.scheduler_address


def reader() -> Callable[[Path, Deadline], tuple[bytes, str]]:
    """A function that travels by value: workers have the wheel, and not the tests."""

    def read(path: Path, deadline: Deadline) -> tuple[bytes, str]:
        deadline.check()
        return path.read_bytes(), str(Path.cwd())

    return read


@pytest.mark.usefixtures("hasty")
def test_a_cluster_comes_to_the_same_layout(scheduler, tmp_path):
    cells = {(Piece.BISHOP, n): cell_data("black", Piece.BISHOP, n, 10) for n in range(8)}
    first = Layout("black", tuple(in_a_row(ready_pools(cells, 1).values())))
    start = first.arrangement([Piece.BISHOP])
    seeds = [(7, 0, worker) for worker in range(3)]
    with machines.executor_of(1, scheduler) as executor:
        assert executor is not None
        far = squeezed(start, seeds, Deadline(), executor.map, attempts=3)
        with pytest.raises(BudgetOverError):  # an error of a worker is the run's
            list(executor.map(partial(reader(), tmp_path), [Deadline(0.0)]))
    here, other = (squeezed(start, s, Deadline(), attempts=3) for s in (seeds, [(8, 0, 0)]))
    placements = [
        [
            (placement.key, placement.choice, placement.offset, placement.used.tolist())
            for placement in one.placements.values()
        ]
        for one in (far, here, other)
    ]
    assert placements[0] == placements[1] != placements[2]
    assert far.length < first.length


def test_the_command_takes_a_cluster(run, scheduler, tmp_path):
    output = tmp_path / "out.toml"
    asked = ("--from", "cfish_black", "--rounds", "0", "--cluster", scheduler)
    run("pack", *asked, "-o", output, status=0)
    text = output.read_text("utf-8")
    assert "--seed 1 --workers 1 --rounds 0" in text
    assert scheduler not in text


def test_files_travel_with_the_orders_that_name_them(scheduler, tmp_path, monkeypatch):
    """A worker in another folder stands for one on another machine."""
    here, there, library = tmp_path / "here", tmp_path / "there", Path("libraries")
    here.mkdir()
    there.mkdir()
    monkeypatch.chdir(here)
    library.write_bytes(b"many magics")
    with machines.executor_of(1, scheduler) as executor:
        assert isinstance(executor, machines.Cluster)
        executor.client.run(os.chdir, str(there))
        try:
            found = list(executor.map(partial(reader(), library), [Deadline()] * 5))
            assert found == [(b"many magics", str(there))] * 5
            assert len(executor.sent) == 1
            assert (there / "libraries").exists()
        finally:
            # Workers forget by name, from the folder in which the test has put them back.
            executor.client.run(os.chdir, str(here))
    assert not library.exists()


def test_which_files_an_order_names_and_what_was_carried_is_removed_and_nothing_else(tmp_path):
    one, other, sent = tmp_path / "one", tmp_path / "other", tmp_path / "folder" / "sent"
    one.write_bytes(b"mine")
    other.write_text("")
    order = (partial(reader(), one), [{"at": other}], tmp_path / "none", tmp_path, "text", 3)
    assert machines.files_of(order) == {one, other}
    assert machines.files_of(PackSettings(output=one)) == {one}
    files = {str(one): b"other", str(sent): b"sent"}
    read = machines.run_with_files(files, lambda: (one.read_bytes(), sent.read_bytes()))
    assert read == (b"mine", b"sent")
    machines.forget_files()
    assert (one.exists(), sent.exists(), bool(machines.RECEIVED_FILES)) == (True, False, False)


def test_nobody_at_that_address(monkeypatch):
    monkeypatch.setattr(connection, "CONNECT_SECONDS", 0.3)
    nobody = machines.executor_of(1, "tcp://127.0.0.1:9")
    with pytest.raises(InputError, match="no scheduler"), nobody:
        pass
