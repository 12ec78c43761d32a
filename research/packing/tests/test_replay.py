"""Records made anew: what each file says of it, and the smallest one."""

import re
import shutil
import subprocess
from dataclasses import replace

import pytest
from click.testing import CliRunner

from magicert.data import find_table, record_tables
from magicert.table import read_table
from research.packing.__main__ import main
from research.packing.replay import CHECKOUT, KINDS, NOT_WHOLE, differences, kind_of

SMALLEST = "black_two_level"
RECORDS = {name: read_table(path).table.provenance for name, path in record_tables().items()}
cloned = pytest.mark.skipif(
    not (CHECKOUT / ".git").exists() or not shutil.which("git"), reason="no git clone"
)


@pytest.mark.parametrize("name", RECORDS)
def test_a_record_says_whether_its_command_gives_it_again(name):
    record = RECORDS[name]
    assert kind_of(record) in KINDS
    assert record.command or kind_of(record) == NOT_WHOLE
    assert not record.commit or re.fullmatch("[0-9a-f]{40}", record.commit)


@cloned
@pytest.mark.parametrize("name", [name for name, record in RECORDS.items() if record.commit])
def test_the_commit_of_a_record_is_there(name):
    git = ["git", "-C", str(CHECKOUT), "cat-file", "-e", f"{RECORDS[name].commit}^{{commit}}"]
    assert subprocess.run(git, check=False).returncode == 0


def test_the_smallest_record_is_made_anew():
    done = CliRunner().invoke(main, ["replay", SMALLEST])
    assert (done.exit_code, done.output) == (0, f"{SMALLEST}: the same numbers\n")


def test_what_no_command_gives_is_not_tried():
    done = CliRunner().invoke(main, ["replay", "layered_48036"])
    assert (done.exit_code, RECORDS["layered_48036"].replay in done.output) == (2, True)


def test_numbers_that_differ_are_named(tmp_path):
    record = find_table(SMALLEST)
    text = record.read_text("utf-8")
    other = tmp_path / record.name
    for file in record.parent.glob(f"{SMALLEST}.*"):
        shutil.copy(file, tmp_path)
    assert not list(differences(record, other))
    magic = re.search("0x[0-9a-f]{16}", text)[0]
    other.write_text(text.replace(magic, "0x0000000000000001"), "utf-8")
    assert list(differences(record, other)) == ["the numbers (72,696 entries)"]


def test_a_finished_buffer_that_differs_is_named(tmp_path):
    record = find_table("two_level")
    for file in record.parent.glob("two_level.*"):
        shutil.copy(file, tmp_path)
    other = tmp_path / record.name
    assert not list(differences(record, other))
    words = tmp_path / read_table(other).table.two_level.literal_words
    words.write_bytes(words.read_bytes()[:-1] + b"\0")
    assert list(differences(record, other)) == ["the finished buffer of words"]
    assert replace(read_table(record).table, name="") == replace(read_table(other).table, name="")
