"""What the code around the magics' name does with them: is it what they are certified for?"""

import tomllib
from pathlib import Path

import pytest

LOOKUPS = tomllib.loads((Path(__file__).parent / "lookups.toml").read_text("utf-8"))


@pytest.mark.cases_of("what_looks_magics_up.tsv")
def test_a_lookup_that_is_written_speaks_against_another_reading(c, judged, text, verdict):
    shifts = c.ints("shift", rook=c.shifts("rook"), bishop=c.shifts("bishop"))
    text = text.replace("BITS", ", ".join(str(64 - shift) for shift in c.shifts("rook")))
    judgement = judged(c.source(shifts, text))
    assert judgement.verdict == verdict
    options = {"unknown": ("--as-written", "--map rook."), "valid": ()}[verdict]
    assert not options or any(option in judgement.undecided[0] for option in options)


@pytest.mark.gate_takes(first=2, each_of="file")
@pytest.mark.cases_of("what_looks_magics_up_in_languages.tsv")
def test_a_lookup_speaks_against_a_reading_in_each_language(c, judged, file, written, instead):
    """A right lookup is valid; with one thing written otherwise, nothing is decided."""
    frame = LOOKUPS[file]
    text = frame["lists"] + frame["lookup"]
    for piece in ("rook", "bishop"):
        numbers = ((n - (n >> 63 << 64) if frame.get("signed") else n) for n in c.magics(piece))
        magics = ", ".join(f"{n}{frame['suffix']}" for n in numbers)
        text = text.replace(f"{piece.upper()}_SHIFTS", ", ".join(map(str, c.shifts(piece))))
        text = text.replace(f"{piece.upper()}S", magics)
    if written:
        assert frame["lookup"].count(written) == 1
    spoilt = text.replace(written, instead) if written else text
    assert judged(spoilt, file).verdict == ("unknown" if written else "valid")
