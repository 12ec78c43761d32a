"""A round's workers on a Dask cluster: the same layout as on this machine, files and all."""

import os
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from click.testing import Result

from magicert.board import Piece
from magicert.compact.layouts import Layout
from magicert.compact.pack import PackPlan
from magicert.compact.pack import pack as squeeze
from magicert.compact.seats import cell_data
from magicert.compact.start import in_a_row, ready_pools
from magicert.problem import InputError
from magicert.requests.pack import Pack
from magicert.requests.packing import shared
from magicert.requests.packing.shared import Cluster, carried_out, crew_of, files_of, forget_files
from magicert.search.ledger import settle as connection
from magicert.system.deadline import BudgetOverError, Deadline

pytest.importorskip("numba")
pytestmark = pytest.mark.filterwarnings("default")  # dask's own
Run = Callable[..., Result]


@pytest.fixture(scope="module")
def scheduler() -> Iterator[str]:
    """A worker, a process of its own, of two threads."""
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=2, processes=True, dashboard_address=None
    ) as cluster:
        yield cluster.scheduler_address


@pytest.fixture
def some_bishops(hasty: None) -> Layout:  # noqa: ARG001
    """Eight bishops, one behind the other."""
    keys = [(Piece.BISHOP, square) for square in range(8)]
    cells = {key: cell_data("black", *key, 10) for key in keys}
    return Layout("black", tuple(in_a_row(ready_pools(cells, 1).values())))


def seats_of(layout: Layout) -> list[tuple[object, ...]]:
    return [(seat.key, seat.choice, seat.offset, seat.used.tolist()) for seat in layout.seats]


def test_a_cluster_comes_to_the_same_layout(
    scheduler: str, some_bishops: Layout, tmp_path: Path
) -> None:
    asked = Pack(tmp_path / "x.toml", 1.0, cluster=scheduler)
    first, plan = some_bishops, PackPlan(seed=7, workers=3, rounds=3, attempts=3)
    with crew_of(asked) as executor:
        far = squeeze(first, plan, executor)
    here = squeeze(first, plan)
    assert seats_of(far.layout) == seats_of(here.layout)
    assert far.rounds == 3
    assert far.layout.length < first.length
    other = squeeze(first, replace(plan, seed=8))
    assert seats_of(other.layout) != seats_of(here.layout)


def test_the_command_takes_a_cluster(run: Run, scheduler: str, tmp_path: Path) -> None:
    output = tmp_path / "out.toml"
    result = run(
        "pack", "--from", "cfish_black", "--rounds", "0", "--cluster", scheduler, "-o", output
    )
    assert result.exit_code == 0, result.stderr
    text = output.read_text("utf-8")
    assert "--seed 1 --workers 1 --rounds 0" in text
    assert scheduler not in text


def reader() -> Callable[[Path, Deadline], tuple[bytes, str]]:
    """A function that travels by value: workers have the wheel, and not the tests."""

    def read(path: Path, deadline: Deadline) -> tuple[bytes, str]:
        deadline.check()
        return path.read_bytes(), str(Path.cwd())

    return read


def test_files_travel_with_the_orders_that_name_them(
    scheduler: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A worker in another folder stands for one on another machine."""
    here, there = tmp_path / "here", tmp_path / "there"
    here.mkdir()
    there.mkdir()
    monkeypatch.chdir(here)
    library = Path("libraries")
    library.write_bytes(b"many magics")
    before = os.getcwd()  # noqa: PTH109
    asked = Pack(tmp_path / "x.toml", 1.0, cluster=scheduler)
    with crew_of(asked) as executor:
        assert isinstance(executor, Cluster)
        executor.client.run(os.chdir, str(there))
        try:
            order = partial(reader(), library)
            found = list(executor.map(order, [Deadline()] * 5))
            assert found == [(b"many magics", str(there))] * 5
            assert len(executor.sent) == 1
            assert (there / "libraries").exists()
        finally:
            executor.client.run(os.chdir, before)
    # Workers forget by name, from the folder in which the test has put them back.
    assert before == str(here)
    assert not library.exists()


def test_which_files_an_order_names(tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    one.write_text("")
    other.write_text("")
    order = (partial(reader(), one), [{"at": other}], tmp_path / "none", tmp_path, "text", 3)
    assert files_of(order) == {one, other}
    assert files_of(Pack(tmp_path / "x.toml", 1.0, source=one)) == {one}


def test_what_was_carried_is_removed_and_nothing_else(tmp_path: Path) -> None:
    mine, sent = tmp_path / "mine", tmp_path / "folder" / "sent"
    mine.write_bytes(b"mine")
    files = {str(mine): b"other", str(sent): b"sent"}
    assert carried_out(files, lambda: (mine.read_bytes(), sent.read_bytes())) == (b"mine", b"sent")
    forget_files()
    assert mine.exists()
    assert not sent.exists()
    assert not shared.CARRIED


def test_an_error_of_a_worker_is_the_runs(scheduler: str, tmp_path: Path) -> None:
    asked = Pack(tmp_path / "x.toml", 1.0, cluster=scheduler)
    with crew_of(asked) as executor:
        assert executor is not None
        with pytest.raises(BudgetOverError):
            list(executor.map(partial(reader(), tmp_path), [Deadline(0.0)]))


def test_nobody_at_that_address(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed")
    monkeypatch.setattr(connection, "CONNECT_SECONDS", 1)
    asked = Pack(tmp_path / "x.toml", 1.0, cluster="tcp://127.0.0.1:9")
    with pytest.raises(InputError, match="no scheduler"), crew_of(asked):
        pass
    for more in ([], ["--layered"]):
        result = run("pack", *more, "--cluster", "nonsense", "-o", tmp_path / "x.toml")
        assert result.exit_code == 2
        assert "expected the scheduler's address" in result.stderr
    assert not (tmp_path / "x.toml").exists()
