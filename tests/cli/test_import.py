"""`magicert import`: what it writes, and what it never overwrites."""

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

Run = Callable[..., Result]
SAMPLE = Path(__file__).parents[1] / "source" / "samples" / "bbc.c"


@pytest.mark.parametrize("link", [False, True])
def test_a_source_is_not_overwritten(run: Run, tmp_path: Path, link: bool) -> None:
    source, output = tmp_path / "bbc.c", tmp_path / "out.toml"
    source.write_bytes(SAMPLE.read_bytes())
    if link:
        output.symlink_to(source)
    result = run("import", source, "-o", output if link else source)
    assert result.exit_code == 2
    assert "is the input: expected another file for the output" in result.stderr
    assert source.read_bytes() == SAMPLE.read_bytes()
