"""The census: its page is what its tool makes of the data, and each row says where its file is."""

import re
import runpy
from pathlib import Path

from magicert.data import tables_folder
from magicert.table.read import read_table

CENSUS = runpy.run_path(str(Path(__file__).parents[2] / "tools/census.py"))


def test_the_page_is_made_from_the_data() -> None:
    assert CENSUS["PAGE"].read_text() == CENSUS["page"](CENSUS["rows"]())


def test_each_row_says_where_its_file_is() -> None:
    rows = CENSUS["rows"]()
    assert len({(row["repository"], row["path"]) for row in rows}) == len(rows)
    for row in rows:
        assert re.fullmatch(r"[0-9a-f]{40}", row["commit"])
        assert (row["found"] == CENSUS["CERTIFIES"]) == bool(row["formula"])


def test_what_does_not_certify_is_among_the_tables() -> None:
    """Each such file is a table in tables/broken, so that anybody can verify what is said of it."""
    broken = [read_table(path).table for path in (tables_folder() / "broken").glob("*.toml")]
    known = {(one.provenance.repository, one.provenance.commit) for one in broken}
    said = [row for row in CENSUS["rows"]() if row["found"] == CENSUS["NOT"]]
    assert said
    assert {(f"github:{row['repository']}", row["commit"]) for row in said} <= known
