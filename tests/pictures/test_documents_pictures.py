"""The pictures in the documents are those that are drawn today."""

import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SCRIPT = runpy.run_path(str(ROOT / "site" / "pictures.py"))
DRAWN = SCRIPT["pictures"]()


@pytest.mark.parametrize("name", DRAWN)
def test_a_picture_is_up_to_date(name: str) -> None:
    """If not: python site/pictures.py."""
    assert (ROOT / "docs" / "pictures" / name).read_text("utf-8") == DRAWN[name]


def test_the_measured_figures_are_those_of_the_run() -> None:
    """If not: python site/pictures.py."""
    page = (ROOT / "docs" / "frontier.md").read_text("utf-8")
    assert SCRIPT["with_figures"](page) == page
    assert page.count("\n| kindergarten | 9,728 |") == 2


def test_no_picture_is_left_over() -> None:
    assert {path.name for path in (ROOT / "docs" / "pictures").iterdir()} == set(DRAWN)
