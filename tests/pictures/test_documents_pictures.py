"""The pictures in the documents are those that are drawn today."""

import runpy
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
PICTURES = ROOT / "docs" / "pictures"


@cache
def script() -> dict[str, Any]:
    return runpy.run_path(str(ROOT / "site" / "pictures.py"))


def test_pictures_are_up_to_date() -> None:
    """If not: python site/pictures.py."""
    drawn = script()["pictures"]()
    assert {path.name for path in PICTURES.iterdir()} == set(drawn)
    stale = [name for name, text in drawn.items() if (PICTURES / name).read_text("utf-8") != text]
    assert stale == []


def test_the_measured_figures_are_those_of_the_run() -> None:
    """If not: python site/pictures.py."""
    page = (ROOT / "docs" / "frontier.md").read_text("utf-8")
    assert script()["with_figures"](page) == page
    assert page.count("\n| kindergarten | 9,728 |") == 1
