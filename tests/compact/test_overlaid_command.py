"""`pack --two-level overlaid`: from a table, from nothing, forged, and asked for the impossible."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result

from magicert.cli.app import cli
from magicert.compact.layouts import NotValidError, from_table, to_table
from magicert.compact.overlay.parties import (
    Overlay,
    PartyPlace,
    buffers_named,
    parties_of,
    write_overlaid,
)
from magicert.data import find_table
from magicert.requests.packing import overlaid
from magicert.table import Provenance, read_table
from magicert.verify.table.verifier import verify

U = np.uint64
NAME = "two_level_79593"


def magicert(*arguments: str | Path) -> Result:
    return CliRunner().invoke(cli, [str(argument) for argument in arguments])


def test_an_overlaid_table_is_packed_from_itself(tmp_path: Path):
    output = tmp_path / "out.toml"
    arguments = ("--two-level", "overlaid", "--from", NAME, "--rounds", "0", "-o", output)
    done = magicert("pack", *arguments, "--json")
    assert done.exit_code == 0, done.output
    document = json.loads(done.stdout)
    assert (document["bytes"], document["entries"], document["words"]) == (79_593, 74_745, 606)
    file = read_table(output)
    assert verify(file).verdict == "valid"
    assert "--from two_level_79593.toml --two-level overlaid" in file.table.provenance.command
    assert len(list(tmp_path.glob("*.bin"))) == 2
    again = magicert("pack", *arguments, "--resume")
    assert again.exit_code == 0, again.output
    assert len(list(tmp_path.glob("*.bin"))) == 2  # those before were removed
    limited = magicert("pack", *arguments[:4], "--rounds", "0", "-o", tmp_path / "b.toml",
                       "--limit", "79592")  # fmt: skip
    assert limited.exit_code == 3
    assert "UNKNOWN at most 79,592 bytes: the best found has 79,593" in limited.output


def test_a_forged_second_level_is_refused(tmp_path: Path):
    folder = find_table(NAME).parent
    for file in folder.glob(f"{NAME}.*"):
        shutil.copy(file, tmp_path / file.name)
    words = tmp_path / f"{NAME}.words.bin"
    data = bytearray(words.read_bytes())
    data[3000] ^= 0x10
    words.write_bytes(data)
    done = magicert("pack", "--two-level", "overlaid", "--from", tmp_path / f"{NAME}.toml",
                    "--rounds", "0", "-o", tmp_path / "out.toml")  # fmt: skip
    assert done.exit_code == 2
    assert "the table is invalid: expected a valid one" in done.output
    assert not (tmp_path / "out.toml").exists()


def test_wrong_numbers_are_never_written_and_leave_what_was_there(tmp_path: Path):
    output = tmp_path / "out.toml"
    done = magicert(
        "pack", "--two-level", "overlaid", "--from", NAME, "--rounds", "0", "-o", output
    )
    assert done.exit_code == 0, done.output
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    layout = from_table(read_table(find_table("black")))
    parties = parties_of(layout.seats)
    place = [
        PartyPlace(np.array([n % 7]), np.arange(party.size)) for n, party in enumerate(parties)
    ]
    table = to_table(layout, "out", Provenance())
    with pytest.raises((NotValidError, ValueError)):
        write_overlaid(table, parties, Overlay(512, tuple(place)), output)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before
    assert len(buffers_named(output)) == 2


def test_impossible_wishes_and_options_are_answered_before_the_work(tmp_path: Path):
    output = tmp_path / "no.toml"
    begin_with = ("pack", "--two-level", "overlaid", "-o", output)
    done = magicert(*begin_with, "--limit", "1000")
    assert done.exit_code == 1
    assert "IMPOSSIBLE at most 1,000 bytes: one rook alone has 144 attack sets" in done.output
    for wrong in (("--half",), ("--apart",), ("--scheme", "white"), ("--layered",)):
        done = magicert(*begin_with, *wrong)
        assert done.exit_code == 2, done.output
    for table in ("layered", "black_two_level", "half"):
        done = magicert(*begin_with, "--from", table, "--rounds", "0")
        assert done.exit_code == 2, (table, done.output)
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
def test_from_nothing_a_table_is_on_disk_after_the_first_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    layout = from_table(read_table(find_table("black")))
    monkeypatch.setattr(overlaid, "first_level", lambda _plan, _crew: (layout, 3))
    output = tmp_path / "out.toml"
    done = magicert("pack", "--two-level", "overlaid", "--rounds", "1", "-o", output)
    assert done.exit_code == 0, done.output
    file = read_table(output)
    assert verify(file).verdict == "valid"
    assert "--scheme black --refills 3 --seed 1" in file.table.provenance.command
