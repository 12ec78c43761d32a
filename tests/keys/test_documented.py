"""What docs/keys.md shows of `find` and `disprove`, apart from the seconds."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "keys.md").read_text()
SHOWN = re.findall(r"^    \$ (magicert (?:find|disprove) .*)\n((?:    .+\n)+)", PAGE, re.MULTILINE)


@pytest.mark.parametrize(("command", "output"), SHOWN)
def test_an_example_prints_what_the_page_says(
    run: Callable[..., Result], tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    command: str, output: str,
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    words = [str(ROOT / w) if w.startswith("tables/") else w for w in command.split()[1:]]
    shown = run(*words).stdout
    expected = [line[4:] for line in output.splitlines() if "seconds" not in line]
    assert len(expected) >= 4
    assert [line for line in expected if line not in shown.splitlines()] == []
