"""A list that was meant for magics and cannot be one is an error, never left out in silence."""

import random
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from magicert.board import Piece, mask
from magicert.problem import InputError
from magicert.verify.source.readings.judge import judge
from magicert.verify.source.readings.pins import Pins

RECORDS = {
    "structs.c": ("static const struct M {}[{}] = {{{}}};\n", "{{0x{:x}ULL, {}}}"),
    "named.c": ("static const struct M {}[{}] = {{{}}};\n", "{{.m = 0x{:x}ULL, .s = {}}}"),
    "tuples.rs": ("const {}: [(u64, u8); {}] = [{}];\n", "(0x{:x}, {})"),
    "objects.js": ("const {} = [{1:.0}{}];\n", "{{m: 0x{:x}n, s: {}}}"),
    "positional.go": ("var {} = [{}]M{{{}}}\n", "{{0x{:x}, {}}}"),
    "calls.py": ("{} = [{1:.0}{}]\n", "Entry(0x{:x}, {})"),
}


def records(shipped, name, rooks):
    """Records of magic and shift; as many rooks as asked for."""
    frame, record = RECORDS[name]
    text = ""
    for piece, table in shipped("bbc").pieces.items():
        rows = list(enumerate(table.parameters["magic"]))
        rows = (rows + rows[:8])[: rooks if piece == Piece.ROOK else 64]
        listed = ", ".join(
            record.format(m, 64 - mask(piece, square).bit_count()) for square, m in rows
        )
        head = (f"{piece}_entries", len(rows), listed)
        if "{1:.0}" in frame:
            frame_now, head = frame.replace("{1:.0}", ""), (head[0], head[2])
            text += frame_now.format(*head)
        else:
            text += frame.format(*head)
    return text


@pytest.mark.parametrize("name", RECORDS)
@pytest.mark.parametrize("rooks", [60, 63, 65])
def test_records_of_another_length(shipped, name, rooks):
    text = records(shipped, name, rooks)
    with pytest.raises(InputError) as caught:
        judge([(Path(name), text.encode())])
    message = str(caught.value)
    assert f"{name}:1: rook_entries" in message
    assert f"has {rooks} numbers: expected 64" in message


def test_records_of_the_right_length(shipped):
    for name in RECORDS:
        assert judge([(Path(name), records(shipped, name, 64).encode())]).verdict == "valid"


def rows_of(shipped, cut):
    magics = shipped("bbc").pieces[Piece.ROOK].parameters["magic"]
    rows = [list(map(hex, magics[at : at + 8])) for at in range(0, 64, 8)]
    rows[3] = rows[3][:cut]
    return "{" + ", ".join("{" + ", ".join(row) + "}" for row in rows) + "}"


def test_a_rank_with_a_number_missing(command, engine, shipped):
    result = command("verify", engine(rook=f"U64 rook[8][8] = {rows_of(shipped, 7)};\n"))
    assert result.exit_code == 2
    assert "rook: has 63 numbers in 8 rows: expected 64" in result.output


def test_a_record_of_another_shape(command, engine, shipped):
    magics = shipped("bbc").pieces[Piece.ROOK].parameters["magic"]
    rows = [f"{{0x{m:x}, 52}}" for m in magics]
    rows[9] = hex(magics[9])
    result = command("verify", engine(rook=f"struct E rooks[64] = {{{', '.join(rows)}}};\n"))
    assert result.exit_code == 2
    assert "rooks: row 9 of 64" in result.output


def test_one_piece_has_to_be_meant(command, engine, tmp_path):
    path = engine(rook="")
    result = command("verify", path)
    assert result.exit_code == 2
    assert "--piece bishop" in result.output
    meant = command("verify", path, "--piece", "bishop")
    assert meant.exit_code == 0
    assert "bishops only" in meant.output.partition("\n")[0]
    assert command("import", path, "-o", tmp_path / "t.toml").exit_code == 2
    assert command("import", path, "-o", tmp_path / "t.toml", "--piece", "bishop").exit_code == 0


def test_a_file_named_for_its_piece_is_meant(command, engine):
    result = command("verify", engine("bishop_magics.c", rook=""))
    assert result.exit_code == 0
    assert "bishops only" in result.output.partition("\n")[0]
    assert command("verify", engine("rook_magics.c", rook="")).exit_code == 2


def test_one_piece_of_two(command, engine):
    result = command("verify", engine(), "--piece", "rook")
    assert result.exit_code == 0
    assert "rooks only" in result.output.partition("\n")[0]


CHANGES = ("drop", "add", "number", "swap names")


@settings(
    max_examples=40,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    name=st.sampled_from(sorted(RECORDS)),
    change=st.sampled_from(CHANGES),
    seed=st.integers(0, 1 << 32),
)
def test_a_changed_source_is_never_valid_with_changed_numbers(name, change, seed, shipped):
    """Of a changed source "valid" is said only with the numbers that now stand in it."""
    rng = random.Random(seed)
    text = records(shipped, name, 64)
    expected = {p: list(t.parameters["magic"]) for p, t in shipped("bbc").pieces.items()}
    piece, at = rng.choice(list(Piece)), rng.randrange(64)
    spelt = f"0x{expected[piece][at]:x}"
    lines = dict(zip(Piece, text.splitlines(), strict=True))
    start = lines[piece].index(spelt)
    if change == "number":
        other = expected[piece][at] ^ 1 << rng.randrange(64)
        expected[piece][at] = other
        lines[piece] = lines[piece].replace(spelt, f"0x{other:x}", 1)
    elif change == "swap names":
        lines = {
            p: line.replace("rook", "#").replace("bishop", "rook").replace("#", "bishop")
            for p, line in lines.items()
        }
    else:
        # The record around the number: from its bracket to the one that closes it.
        first = max(lines[piece].rfind(sign, 0, start) for sign in ("{", "(", "Entry("))
        last = min(found for sign in "})" if (found := lines[piece].find(sign, start)) > 0)
        record = lines[piece][first : last + 1]
        record = f"Entry{record}" if name == "calls.py" else record
        changed = "" if change == "drop" else f"{record}, {record}"
        lines[piece] = lines[piece].replace(record, changed, 1).replace(", , ", ", ")
    try:
        judgement = judge([(Path(name), "\n".join(lines.values()).encode())], Pins())
    except InputError:
        assert change != "number"
        return
    assert change == "number"
    for reading in judgement.valid:
        for p, table in reading.table.pieces.items():
            assert list(table.parameters["magic"]) == expected[p]
