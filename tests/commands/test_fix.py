"""`magicert fix`: the patch and what stands beside it; which edits are found is tested in
tests/source.
"""

import json
from pathlib import Path

import pytest

SOURCE = (Path(__file__).parents[1] / "source" / "samples" / "bbc.c").read_text("utf-8")
RIGHT, WRONG = "0x8a80104000800020", "0x8a80104100800020"


@pytest.fixture
def source(here):
    path = here / "bbc.c"
    path.write_text(SOURCE.replace(RIGHT, WRONG), "utf-8")
    return path


def test_the_patch_alone_is_on_standard_output(run, source):
    shown = run("fix", "bbc.c")
    lines = shown.stdout.splitlines()
    assert (shown.exit_code, lines[:2]) == (0, ["--- a/bbc.c", "+++ b/bbc.c"])
    changed = [line for line in lines[2:] if line[0] in "-+"]
    assert [line[0] for line in changed] == ["-", "+"]
    assert (WRONG in changed[0], RIGHT in changed[1]) == (True, True)
    assert f"{WRONG}ULL becomes {RIGHT}ULL" in shown.stderr
    assert "--write applies it" in shown.stderr
    data = json.loads(run("fix", "bbc.c", "--json").stdout)
    assert (data["verdict"], data["patch"]) == ("valid", shown.stdout)
    assert [(change["old"], change["new"]) for change in data["changes"]] == [
        (f"{WRONG}ULL", f"{RIGHT}ULL")
    ]
    assert source.read_text("utf-8") != SOURCE, "nobody has said --write"


def test_what_is_written_is_what_was_shown(run, source):
    assert "valid; written" in run("fix", "bbc.c", "--write").stderr
    assert source.read_text("utf-8") == SOURCE
    again = run("fix", "bbc.c", "--write")
    assert (again.exit_code, again.stdout) == (0, "")
    assert "valid: bbc.c needs no fix" in again.stderr
