from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from magicert.data import published_tables
from magicert.table import Table, parse_table, read_table
from magicert.table.write import table_toml, write_table


@given(st.data())
def test_what_is_written_is_read_back(
    random_tables: st.SearchStrategy[Table], data: st.DataObject
) -> None:
    table = data.draw(random_tables)
    read = parse_table(table_toml(table).encode(), Path("t.toml")).table
    assert read == table
    assert list(read.pieces) == list(table.pieces)


@pytest.mark.parametrize("name", published_tables())
def test_published_tables_are_in_our_own_handwriting(name: str) -> None:
    path = published_tables()[name]
    assert table_toml(read_table(path).table) == path.read_text(encoding="utf-8")


def test_a_table_is_written_in_one_step(tmp_path: Path) -> None:
    table = read_table(published_tables()["bbc"]).table
    write_table(table, tmp_path / "bbc.toml")
    assert [path.name for path in tmp_path.iterdir()] == ["bbc.toml"]
    assert read_table(tmp_path / "bbc.toml").table == table


def test_every_published_table_says_where_it_is_from() -> None:
    for path in published_tables().values():
        provenance = read_table(path).table.provenance
        assert provenance.repository, path
        assert provenance.path, path
        assert len(provenance.commit) == 40, path
        assert provenance.licence, path
