"""What the code around the magics' name does with them: is it what they are certified for?"""

import tomllib
from pathlib import Path

import pytest

from magicert.verify.source.contents import read_contents
from magicert.verify.source.files import OtherFiles
from magicert.verify.source.lookups import other_lookups
from magicert.verify.source.overrides import Overrides
from magicert.verify.source.ways import ways_in_all_orders

LOOKUPS = tomllib.loads((Path(__file__).parent / "lookups.toml").read_text("utf-8"))


def source_in(c, file, lookup):
    """The lists of a language, and what looks them up."""
    frame = LOOKUPS[file]
    text = frame["lists"] + lookup
    for piece in ("rook", "bishop"):
        numbers = ((n - (n >> 63 << 64) if frame.get("signed") else n) for n in c.magics(piece))
        magics = ", ".join(f"{n}{frame['suffix']}" for n in numbers)
        text = text.replace(f"{piece.upper()}_SHIFTS", ", ".join(map(str, c.shifts(piece))))
        text = text.replace(f"{piece.upper()}S", magics)
    return text


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
    lookup = LOOKUPS[file]["lookup"]
    if written:
        assert lookup.count(written) == 1
    text = source_in(c, file, lookup.replace(written, instead) if written else lookup)
    assert judged(text, file).verdict == ("unknown" if written else "valid")


@pytest.mark.cases_of("what_a_lookup_computes.tsv")
def test_what_a_lookup_computes_is_held_against_the_formula(c, computes, file, text):
    path, overrides = Path(file), Overrides()
    files = [(path, source_in(c, file, text).encode())]
    others = []
    for contents in read_contents(files, overrides.variant, OtherFiles((path,))):
        for magic in contents.columns:
            if magic.could_be_magic:
                ways = ways_in_all_orders(contents, overrides, magic.named_piece, magic)
                reading = next(way for way in ways if way.count.evidence == "read")
                assert reading.formula.text == "((occ & mask) * magic) >> shift"
                others += other_lookups(contents, reading)
    assert bool(others) == (computes == "another")


def test_a_reason_names_the_place_and_what_is_computed(c, judged):
    shifts = c.ints("shift", rook=c.shifts("rook"), bishop=c.shifts("bishop"))
    text = "U64 f(int s, U64 o) {\n  o &= rook_masks[s];\n  o = bswap(o) * rook_magics[s];\n"
    judgement = judged(c.source(shifts, f"{text}  return T[s][o >> rook_shift[s]];\n}}"))
    assert judgement.undecided == [
        "the lookup computes (bswap(o & rook_masks[s]) * rook_magics[s]) >> rook_shift[s]"
        " (engine.c:7:18), which is not ((occ & mask) * magic) >> shift;"
        " add --as-written to take the numbers as listed"
    ]


def test_a_shift_without_a_product_is_no_shift_of_products(c, judged):
    text = "U64 f(int s, U64 o) { return T[s][rook_magics[s] >> 58]; }"
    assert (
        judged(c.source(text))
        .undecided[0]
        .startswith("the lookup computes rook_magics[s] >> 58 (engine.c:3:35), which is not")
    )
