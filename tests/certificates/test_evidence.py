"""tools/evidence.py: what was counted again or settled is entered, and only if it is whole."""

import lzma
import runpy
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from magicert.atlas import read_atlas, write_atlas
from magicert.outcome import Evidence
from magicert.problem import InputError

ROOT = Path(__file__).parents[2]
TABLES = ROOT / "tables"
CELL = "rook-g8-9"
Enter = Callable[[list[Path], Path], None]


@pytest.fixture(scope="module")
def enter():
    if shutil.which("cc") is None:
        pytest.skip("no C compiler (cc) to count a shard again with")
    main: Enter = runpy.run_path(str(ROOT / "tools" / "evidence.py"))["main"]
    return main


@pytest.fixture
def tables(tmp_path):
    """As the tables were before anything was known of the cell but its certificate."""
    for name in ("certificates", "recounts", "settled"):
        (tmp_path / name).mkdir()
    certificate = f"certificates/{CELL}.cover.xz"
    shutil.copy(TABLES / certificate, tmp_path / certificate)
    atlas = read_atlas(TABLES / "atlas.toml")
    (entry,) = (e for e in atlas if e.certificate == certificate)
    entry.evidence, entry.by_leaves = Evidence.COUNTS, 0.0
    write_atlas(tmp_path / "atlas.toml", atlas)
    return tmp_path


def entered(tables) -> tuple[Evidence | None, float]:
    atlas = read_atlas(tables / "atlas.toml")
    (entry,) = (e for e in atlas if e.certificate == f"certificates/{CELL}.cover.xz")
    return entry.evidence, entry.by_leaves


def lines_of(name) -> list[str]:
    path = TABLES / name
    return (
        (lzma.decompress(path.read_bytes()) if path.suffix == ".xz" else path.read_bytes())
        .decode()
        .splitlines()
    )


def test_all_shards_in_any_order_are_evidence(enter, tables):
    first, machine, *rows = lines_of(f"recounts/{CELL}.tsv.xz")
    counted, settled = tables / f"{CELL}.tsv", tables / f"{CELL}.settled"
    counted.write_text("\n".join([first.partition(":")[0], machine, *rows[::-1], ""]))
    shutil.copy(TABLES / "settled" / settled.name, settled)
    enter([counted, settled], tables)
    assert entered(tables) == (Evidence.RECOUNT, 0.125)
    stored = lzma.decompress((tables / "recounts" / f"{CELL}.tsv.xz").read_bytes())
    assert stored.decode().splitlines() == [first, machine, *rows]
    enter([settled], tables)  # the same again
    assert (tables / "settled" / settled.name).read_text() == settled.read_text()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda lines: lines[:-1], "not counted: 1 of 4 shards (3)"),
        (lambda lines: [*lines, lines[-1]], "expected a shard's line, once"),
        (lambda lines: [*lines[:-1], lines[-2]], "expected a shard's line, once"),
        (lambda lines: [lines[0], *lines[2:]], "line 2: expected such as"),
        (lambda lines: [lines[0].replace("g8 9", "f8 9"), *lines[1:]], "expected the cell"),
        (lambda lines: [*lines[:2], *(f"{n}\t7\t0\t" for n in range(4))], "shard"),
    ],
)  # fmt: skip
def test_what_is_not_whole_is_refused_and_nothing_written(enter, tables, change, said):
    counted, settled = tables / f"{CELL}.tsv", tables / f"{CELL}.settled"
    counted.write_text("\n".join([*change(lines_of(f"recounts/{CELL}.tsv.xz")), ""]))
    shutil.copy(TABLES / "settled" / settled.name, settled)
    with pytest.raises(InputError) as error:
        enter([settled, counted], tables)
    assert said in str(error.value)
    assert entered(tables) == (Evidence.COUNTS, 0.0)
    assert not [*(tables / "recounts").iterdir(), *(tables / "settled").iterdir()]


@pytest.mark.parametrize("text", ["", "{", lines_of("settled/rook-h7-9.settled")[0]])
def test_lines_that_settle_nothing_of_the_cell_are_refused(enter, tables, text):
    settled = tables / f"{CELL}.settled"
    settled.write_text(text)
    with pytest.raises(InputError):
        enter([settled], tables)
    assert not list((tables / "settled").iterdir())
