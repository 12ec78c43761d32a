"""tools/engines.py: an engine of our own in a repository that is made here."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

pytest.importorskip("llvmlite")
pytest.importorskip("z3")

ROOT = Path(__file__).parents[2]
NORTH = """\
unsigned long long north(int s, unsigned long long o) {
    unsigned long long r = 0;
    for (int n = s + 4; n < 16; n += 4) { r |= 1ull << n; if (o >> n & 1) break; }
    return r;
}
"""
HOW = "--board 4x4 --function fR=glued"
BUILT = (
    "export NAME=ours && (cd sub && mv glue.c $NAME.c) "
    f"&& magicert verify north.c sub/$NAME.c {HOW}"
)
COMMAND = f"GIT_HASH=none magicert verify north.c sub/glue.c {HOW}"
GLUE = """\
unsigned long long north(int s, unsigned long long o);
unsigned long long glued(int s, unsigned long long o) { return north(s, o); }
"""


def git(folder, *words):
    who = {
        f"GIT_{who}_{what}": "a@b" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")
    }
    done = subprocess.run(
        ["git", "-C", folder, *words], check=True, capture_output=True, text=True,
        env={**os.environ, **who},
    )  # fmt: skip
    return done.stdout.strip()


@pytest.fixture
def table(tmp_path):
    """Three engines: one of which nothing is known, one that is built first, one that is proved
    already and whose row says what is wrong.
    """
    if not shutil.which("git"):
        pytest.skip("no git")
    engine = tmp_path / "github" / "owner" / "north"
    engine.mkdir(parents=True)
    (engine / "north.c").write_text(NORTH, "utf-8")
    git(engine, "init", "--quiet")
    git(engine, "add", "north.c")
    git(engine, "commit", "--quiet", "--message", "north")
    commit = git(engine, "rev-parse", "HEAD")
    (engine / "north.c").write_text("this is not of that commit", "utf-8")
    (tmp_path / "engines").mkdir()
    (tmp_path / "engines" / "glue.c").write_text(GLUE, "utf-8")
    head = (ROOT / "tables" / "engines.tsv").read_text("utf-8").partition("\n")[0]
    told = {"repository": "owner/north", "commit": commit, "command": COMMAND, "glue": "sub/glue.c"}
    rows = [
        {**told, "name": "Built", "command": BUILT},
        {**told, "name": "New"},
        {
            **told,
            "name": "Old",
            "kinds": "fR",
            "squares": "15",
            "verdict": "valid",
            "date": "2001-01-01",
        },
    ]
    lines = ["\t".join(row.get(field, "") for field in head.split("\t")) for row in rows]
    file = tmp_path / "engines.tsv"
    file.write_text("\n".join([head, *lines, ""]), "utf-8")
    return file


@pytest.mark.long
def test_rows_are_filled_in_and_never_written_over_unasked(table, tmp_path, child):
    def run(*words):
        program = (*child.python, ROOT / "tools" / "engines.py", "--table", table)
        with child.start(*words, "--github", tmp_path / "github", command=program) as process:
            said, wrong = process.communicate()
        rows = [line.split("\t") for line in table.read_text("utf-8").splitlines()]
        found = {row[0]: dict(zip(rows[0], row, strict=True)) for row in rows[1:]}
        return process.returncode, said + wrong, found

    assert "Built: left out without --builds" in run("Built")[1]
    assert "Built: valid, 16 squares" in run("Built", "--builds")[1]

    status, said, rows = run("--all", "--write")
    assert "New: valid, 16 squares" in said
    assert rows["New"]["verdict"] == "valid"
    assert (rows["New"]["kinds"], rows["New"]["squares"]) == ("fR", "16")
    assert status == 1
    assert "differs: squares 15, found 16" in said
    assert (rows["Old"]["squares"], rows["Old"]["date"]) == ("15", "2001-01-01")
    assert run("--list", "Old")[1].startswith("Old\tvalid\tGIT_HASH=none magicert verify")
    assert run("Nobody")[0] == 2
