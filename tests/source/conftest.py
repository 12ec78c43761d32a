"""Samples, and short sources with the numbers of tables that ship."""

import tomllib
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from magicert.cli.app import cli
from magicert.data import tables_folder
from magicert.table import Table, read_table
from magicert.verify.source.judge import Judgement, judge

HERE = Path(__file__).parent
SAMPLES = HERE / "samples"


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "sample" in metafunc.fixturenames:
        found = tomllib.loads((SAMPLES / "index.toml").read_text())["sample"]
        metafunc.parametrize("sample", found, ids=[one["file"] for one in found])
    if "shape" in metafunc.fixturenames:
        lines = (HERE / "shapes" / "expected.tsv").read_text().splitlines()[1:]
        metafunc.parametrize("shape", [line.split("\t") for line in lines], ids=lambda s: s[0])


@pytest.fixture(scope="session")
def shipped() -> Callable[[str], Table]:
    """A table that magicert ships, by name, broken ones included."""
    return lambda name: read_table(next(tables_folder().rglob(f"{name}.toml"))).table


@pytest.fixture(scope="session")
def sample_text() -> Callable[[str], str]:
    return lambda name: (SAMPLES / name).read_text(encoding="utf-8")


@pytest.fixture(scope="session")
def magics(shipped) -> Callable[..., list[int]]:
    """The magics of a shipped table."""
    return lambda piece, name="bbc": list(shipped(name).pieces[piece].parameters["magic"])


def c_list(name: str, numbers: Sequence[object], kind: str = "U64") -> str:
    """A list as C writes it."""
    items = ", ".join(f"{n:#x}ULL" if isinstance(n, int) and n > 99 else str(n) for n in numbers)
    return f"const {kind} {name}[{len(numbers)}] = {{{items}}};\n"


@pytest.fixture(scope="session")
def written() -> Callable[..., str]:
    return c_list


@pytest.fixture
def judged() -> Callable[..., Judgement]:
    """`judged(text)`: the judgement of a source."""
    return lambda text, name="engine.c", pins=None: judge([(Path(name), text.encode())], pins)


@pytest.fixture
def command() -> Callable[..., Result]:
    """`command("verify", path)`: the command line, in this process."""
    return lambda *arguments: CliRunner().invoke(cli, [str(argument) for argument in arguments])


@pytest.fixture
def engine(tmp_path: Path, magics) -> Callable[..., Path]:
    """Write bbc's magics as a C file; keyword arguments replace parts of it."""

    def write(name: str = "engine.c", **parts: str) -> Path:
        texts = {p: c_list(f"{p}_magics", magics(p)) for p in ("rook", "bishop")}
        path = tmp_path / name
        path.write_text("".join((texts | parts).values()), encoding="utf-8")
        return path

    return write
