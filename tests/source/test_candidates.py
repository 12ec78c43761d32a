"""The candidates that a source comes to: which lists, their ranks, what speaks for and against."""

from pathlib import Path

import pytest

from magicert.chess import mask
from magicert.verify.source.candidates import Rank, candidates_of
from magicert.verify.source.contents import read_contents
from magicert.verify.source.files import OtherFiles
from magicert.verify.source.overrides import Overrides
from magicert.verify.source.variant import CHESS_VARIANT

ROW = 28
USED = "U64 look(int s, U64 o) { return o * rook_magics[s] >> (64 - rook_bits[s]); }\n"


def candidates(text, piece="rook"):
    path = Path("engine.c")
    (contents,) = read_contents([(path, text.encode())], CHESS_VARIANT, OtherFiles((path,)))
    return candidates_of(contents, Overrides(), piece)


def bits(less=()):
    return [mask("rook", square).bit_count() - (square in less) for square in range(64)]


def test_a_list_that_certifies_is_sure(c):
    (best,) = candidates(c.source(c.ints("bits", rook=bits())))
    assert (best.rank, best.magic.name, best.reading.bad) == (Rank.SURE, "rook_magics", ())
    assert best.reasons_against == ()
    assert any("rook_bits (engine.c" in reason for reason in best.reasons_for)


def test_what_goes_with_other_numbers_is_contested(c):
    best, *others = candidates(c.source(c.ints("bits", rook=bits({ROW})), USED))
    assert best.rank == Rank.CONTESTED
    (reason, *_) = best.reasons_against
    assert "rook_bits (engine.c" in reason
    assert "rook e4" in reason or "1 square" in reason
    assert (others[0].rank, others[0].reading.bad) == (Rank.CONFLICTS, (ROW,))


def test_a_wrong_number_leaves_the_others_to_confirm_the_reading(c):
    best, *_ = candidates(c.source(c.ints("bits", rook=bits()), rook_28=c.off))
    assert (best.rank, best.reading.bad) == (Rank.CONFLICTS, (ROW,))
    assert any("63 of 64" in reason for reason in best.reasons_for)


def test_numbers_that_are_no_magics_are_unread(c):
    numbers = [0x9E3779B97F4A7C15 * n % (1 << 64) for n in range(1, 65)]
    found = candidates(c.source(rook=numbers))
    assert found[-1].rank == Rank.UNREAD
    assert found[-1].magic.name == "rook_magics"


def test_the_best_stand_first(c):
    """Fewer conflicts before more, and none before any."""
    near = [c.off, *c.magics("rook")[1:]]
    more = [c.off, c.off, *c.magics("rook")[2:]]
    lists = c.list("rook_magics_b", more), c.list("rook_magics_a", near)
    found = candidates(c.source(*lists))
    assert [one.score for one in found] == sorted(one.score for one in found)
    assert found[0].magic.name == "rook_magics"


PARTS = {
    "right": {},
    "a wrong number": {"rook_28": True},
    "bits that do not match": {"bits": (ROW,)},
    "a second list": {"second": True},
}


@pytest.mark.parametrize("part", PARTS)
def test_the_order_of_the_lists_changes_no_verdict(c, judged, part):
    said = PARTS[part]
    rooks = c.magics("rook")
    if "rook_28" in said:
        rooks[ROW] = c.off
    lists = [
        c.list("rook_magics", rooks),
        c.list("bishop_magics", c.magics("bishop")),
        c.list("rook_bits", bits(said.get("bits", ())), "int"),
    ]
    if "second" in said:
        lists.append(c.list("old_rook_magics", [c.off, *c.magics("rook")[1:]]))
    verdicts = {
        judged("".join(lists[n:] + lists[:n]) + USED).verdict for n in range(len(lists))
    } | {judged("".join(reversed(lists)) + USED).verdict}
    assert len(verdicts) == 1
