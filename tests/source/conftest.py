"""Samples, and short sources with the numbers of tables that ship."""

import functools
import tomllib
from collections.abc import Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner

from magicert.chess import mask
from magicert.commands.app import cli
from magicert.data import tables_folder
from magicert.table import read_table
from magicert.verify.source.judge import judge
from magicert.verify.source.source_options import overrides_of

HERE = Path(__file__).parent
SAMPLES = HERE / "samples"
BOTH = ("rook", "bishop")


def pytest_generate_tests(metafunc):
    if "sample" in metafunc.fixturenames:
        found = tomllib.loads((SAMPLES / "index.toml").read_text())["sample"]
        metafunc.parametrize("sample", found, ids=[one["file"] for one in found])


@functools.cache
def _judged_sample(name):
    return judge([(SAMPLES / name, (SAMPLES / name).read_bytes())])


@pytest.fixture(scope="session")
def judged_sample():
    """The judgement of a sample, made once."""
    return _judged_sample


@functools.cache
def _shipped(name):
    return read_table(next(tables_folder().rglob(f"{name}.toml"))).table


@pytest.fixture(scope="session")
def samples():
    """Their folder."""
    return SAMPLES


@pytest.fixture(scope="session")
def shipped():
    """A table that magicert ships, by name, broken ones included."""
    return _shipped


class C:
    """bbc's numbers, and lists as C writes them."""

    off = 0x123456789ABCDEF1
    """No magic of anything."""

    def magics(self, piece: str, name: str = "bbc") -> list[int]:
        return list(_shipped(name).pieces[piece].parameters["magic"])

    def shifts(self, piece: str) -> list[int]:
        return [64 - mask(piece, square).bit_count() for square in range(64)]

    def list(self, name: str, numbers: Sequence[object], kind: str = "U64", line: str = "") -> str:
        items = (f"{n:#x}ULL" if kind == "U64" and isinstance(n, int) else str(n) for n in numbers)
        return f"const {kind} {name}[{len(numbers)}] = {{{line}{f', {line}'.join(items)}}};\n"

    def ints(self, of: str, **numbers: Sequence[int]) -> str:
        """Lists of small numbers, named after their pieces."""
        return "".join(self.list(f"{p}_{of}", own, "int") for p, own in numbers.items())

    def source(self, *more: str, **rows: int | Sequence[object]) -> str:
        """bbc's magics; `rook=numbers` instead, or `rook_28=number`."""
        text = ""
        for piece in BOTH:
            numbers: list[object] = list(rows.get(piece, self.magics(piece)))
            for name, number in rows.items():
                own, _, row = name.partition("_")
                if own == piece and row:
                    numbers[int(row)] = number
            text += self.list(f"{piece}_magics", numbers)
        return text + "".join(more)


@pytest.fixture(scope="session")
def c():
    return C()


def stated(**given):
    known = {"formula": None, "maps": (), "order": None, "bits": (), "pieces": (), "board": None}
    return overrides_of(**{**known, **given})


@pytest.fixture
def judged():
    """`judged(text, bits=("popcount",))`: the judgement of a source, with what is stated."""
    return lambda text, name="engine.c", **pins: judge(
        [(Path(name), text.encode())], stated(**pins) if pins else None
    )


@pytest.fixture
def command():
    """`command("verify", path)`: the command line, in this process."""
    return lambda *arguments: CliRunner().invoke(cli, [str(argument) for argument in arguments])


@pytest.fixture
def engine(tmp_path, c):
    """Writes a source of `c` as a file."""

    def write(*more, name="engine.c", **rows):
        path = tmp_path / name
        path.write_text(c.source(*more, **rows), encoding="utf-8")
        return path

    return write
