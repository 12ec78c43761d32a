"""The page "Check my magics" says what `magicert verify` says, or that it cannot say."""

import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from magicert.atlas import read_atlas
from magicert.board import Piece, mask, parse_square, square_at, square_name
from magicert.data import (
    broken_tables,
    find_table,
    record_tables,
    tables_by_name,
    tables_folder,
)
from magicert.outcome import Unseen
from magicert.requests.verify import verify_all
from magicert.table import Table, parse_table, read_table
from magicert.table.read import TableFile
from magicert.table.write import table_toml
from magicert.verify.source.judge import Judgement
from magicert.verify.table.report import Report
from magicert.verify.table.verifier import verify

InNode = Callable[..., list[dict[str, Any]]]
LAYERED = next(
    name for name, path in record_tables().items() if "result =" in path.read_text("utf-8")
)
"""A record in which several squares share an entry."""
SAMPLES = Path(__file__).parents[1] / "source" / "samples"
FORMULAS = {
    "((occ & mask) * magic) >> (64 - bits)",
    "((occ & mask) * magic) >> shift",
    "((occ | ~mask) * magic) >> (64 - bits)",
    "((u32(occ & mask) * u32(magic)) ^ (hi32(occ & mask) * hi32(magic))) >> shift",
    "((u32(occ & mask) * u32(magic)) ^ (hi32(occ & mask) * hi32(magic))) >> (32 - bits)",
}


def figures(report: Report) -> tuple[object, ...]:
    slots = sum(buffer.length for buffer in report.buffers)
    return report.verdict, report.lookups, slots, sum(b.slots_used for b in report.buffers)


def said(answer: dict[str, Any]) -> tuple[object, ...]:
    return tuple(answer.get(key) for key in ("verdict", "lookups", "slots", "used"))


def test_every_table_that_ships(in_node: InNode) -> None:
    names = {**tables_by_name(), **broken_tables()}
    answers = in_node(*(path.read_text("utf-8") for path in names.values()))
    for (name, path), answer in zip(names.items(), answers, strict=True):
        file = read_table(path)
        usual = {half.index.text for half in file.table.pieces.values()} <= FORMULAS
        usual = usual and not file.table.half_board
        if usual and file.table.two_level is None:
            assert said(answer) == figures(verify(file)), name
        else:
            assert answer["verdict"] == "beyond", name


def changed(table: Table, piece: Piece, key: str, row: int, value: int) -> str:
    half = table.pieces[piece]
    if key == "offset":
        assert half.offset is not None
        new = replace(half, offset=(*half.offset[:row], value, *half.offset[row + 1 :]))
    else:
        old = half.parameters[key]
        old = old * 64 if len(old) == 1 else old
        parameters = {**half.parameters, key: (*old[:row], value, *old[row + 1 :])}
        new = replace(half, parameters=parameters)
    return table_toml(replace(table, pieces={**table.pieces, piece: new}))


def test_what_lies_outside(in_node: InNode) -> None:
    """A buffer that is declared one slot too short, and squares with too few slots."""
    short = read_table(find_table("shakmaty")).table
    short = replace(short, buffer_size=88_771)
    narrow = read_table(find_table("surge")).table
    rook = narrow.pieces[Piece.ROOK]
    sizes = [1 << bits for bits in rook.parameters["bits"]]
    sizes[5] -= 1
    pieces = {**narrow.pieces, Piece.ROOK: replace(rook, square_size=tuple(sizes))}
    texts = [table_toml(short), table_toml(replace(narrow, pieces=pieces))]
    for text, answer in zip(texts, in_node(*texts), strict=True):
        report = verify(parse_table(text.encode(), Path("x.toml")))
        assert said(answer) == figures(report)
        found = {
            (one["kind"], one["count"], square(one["lookups"][0])) for one in answer["findings"]
        }
        assert found == {
            (finding.kind, finding.count, finding.lookups[0].square) for finding in report.findings
        }
        assert {kind for kind, *_ in found} == {"outside"}


def test_magics_that_need_fewer_bits_than_they_have(in_node: InNode) -> None:
    table = read_table(find_table("surge")).table
    (answer,) = in_node(table_toml(table))
    own = [one for one in answer["fewer"] if one["own"] < one["bits"]]
    assert own
    for one in own:
        for bits, verdict in ((one["own"], "valid"), (one["own"] - 1, "invalid")):
            text = changed(table, Piece(one["piece"]), "bits", one["square"], bits)
            assert verify(parse_table(text.encode(), Path("x.toml"))).verdict == verdict


def best_known() -> dict[str, dict[str, tuple[int, str]]]:
    """What the page has of the atlas: its numbers are for bits with a1 = 0."""
    atlas = read_atlas(tables_folder() / "atlas.toml")
    return {
        piece: {
            square_name(bit): (best.bits, str(best.magic))
            for bit in range(64)
            if (best := atlas.best(piece, bit)) is not None
        }
        for piece in Piece
    }


@pytest.mark.parametrize("order", ["a1", "a8", "h1-files"])
def test_what_it_advises_breaks_no_engine(in_node: InNode, order: str) -> None:
    """Each advised magic in the entry that is named, with its bits, in an engine of any order."""
    table = replace(read_table(find_table("surge")).table, order=order, listing=order)
    (answer,) = in_node(table_toml(table), atlas=best_known())
    advice = [one for one in answer["fewer"] if one["known"] is not None]
    assert len(advice) > 8
    for one in advice:
        piece, entry = Piece(one["piece"]), one["entry"]
        assert one["square"] == table.row_square(entry)
        changed_table = parse_table(
            changed(table, piece, "magic", entry, int(one["magic"], 16)).encode(), Path("x.toml")
        ).table
        table = parse_table(
            changed(changed_table, piece, "bits", entry, one["known"]).encode(), Path("x.toml")
        ).table
    assert verify(parse_table(table_toml(table).encode(), Path("x.toml"))).verdict == "valid"


def test_a_table_whose_squares_share_slots_gets_no_advice(in_node: InNode) -> None:
    (answer,) = in_node(find_table("shakmaty").read_text("utf-8"), atlas=best_known())
    assert (answer["verdict"], answer["fewer"]) == ("valid", [])


def test_the_order_is_found_as_the_command_finds_it(in_node: InNode, tmp_path: Path) -> None:
    """Names of squares in a row; without them the page says that it does not know."""
    magics = numbers("surge").split()
    magics[5] = "0x1"
    text = f"u64 rook_magics[64] = {{{','.join(magics[:64])}}};\n"
    text += f"u64 bishop_magics[64] = {{{','.join(magics[64:])}}};\n"
    named = {
        order: ", ".join(square_name(square_at(order, place)) for place in range(16))
        for order in ("a1", "a8", "h8", "a1-files")
    }
    texts = [f"enum {{ {names} }};\n{text}" for names in named.values()]
    *found, plain = in_node(*texts, text, order="", shifts="fancy")
    for order, source, answer in zip(named, texts, found, strict=True):
        (tmp_path / "engine.c").write_text(source)
        reading = verify_all((str(tmp_path / "engine.c"),), Unseen).sources[0].result
        assert isinstance(reading, Judgement)
        assert answer["order"] == reading.nearest[0].table.order == order
        (wrong,) = answer["findings"]
        assert wrong["lookups"][0]["square"] == square_at(order, 5)
        assert wrong["lookups"][0]["entry"] == 5
        assert answer["open"] == []
    assert "bit 0" in plain["open"][0]
    assert plain["findings"][0]["lookups"][0]["entry"] == 5
    (told,) = in_node(text, order="a8", shifts="fancy")
    assert (told["order"], told["open"]) == ("a8", [])


def test_what_was_guessed_accuses_nobody(in_node: InNode) -> None:
    """A wrong magic, or other shifts than were taken: without these it cannot be told."""
    magics = numbers("surge").split()
    magics[5] = "0x1"
    text = "\n".join(magics)
    (guessed,), (told,) = in_node(text), in_node(text, shifts="fancy")
    assert (guessed["verdict"], told["verdict"]) == ("not decided", "invalid")
    assert guessed["findings"] == told["findings"]
    assert any("bits the index" in one for one in guessed["open"])


@pytest.mark.parametrize("how_many", [30, pytest.param(120, marks=pytest.mark.slow)])
def test_random_changes(in_node: InNode, how_many: int) -> None:
    """Numbers exchanged at random: the same verdicts and figures, valid or not."""
    rng = random.Random(21)
    names = ["surge", "carp", "shakmaty", "cuckoo", "bbc", "olah", "seer", "glaurung32", "white"]
    names.append(LAYERED)
    texts = []
    for _ in range(how_many):
        table = read_table(find_table(rng.choice(names))).table
        piece = rng.choice(list(table.pieces))
        half = table.pieces[piece]
        others = ["bits"] if "bits" in half.parameters else []
        others += ["offset"] if half.offset else []
        key = rng.choice(["magic", "magic", *others])
        row = rng.randrange(64)
        if key == "offset":
            assert half.offset is not None
            value = max(0, half.offset[row] + rng.choice([-64, -1, 1, 7, 4096]))
        elif key == "bits":
            value = half.parameters[key][row % len(half.parameters[key])] + rng.choice([-1, 1])
        else:
            value = half.parameters[key][row] ^ 1 << rng.randrange(64)
        texts.append(changed(table, piece, key, row, value))
    verdicts = set()
    for text, answer in zip(texts, in_node(*texts), strict=True):
        file = parse_table(text.encode(), Path("x.toml"))
        report = verify(file)
        assert said(answer) == figures(report)
        verdicts.add(report.verdict)
        if not any(finding.kind == "outside" for finding in report.findings):
            check_findings(answer, file)
    assert verdicts == {"valid", "invalid"}


def square(lookup: dict[str, Any]) -> str:
    number = lookup["square"]
    return f"{'abcdefgh'[number & 7]}{1 + (number >> 3)}"


def check_findings(answer: dict[str, Any], file: TableFile) -> None:
    """Each counterexample is one by the verifier's own first principles."""
    from magicert.verify.table.counterexample import Position, Witness
    from magicert.verify.table.layout import lay_out

    layouts = {part.table.piece: part for buffer in lay_out(file) for part in buffer.pieces}
    witness = Witness(file.table)
    for finding in answer["findings"]:
        seen = []
        for lookup in finding["lookups"]:
            row = next(row for row in range(64) if file.table.row_square(row) == lookup["square"])
            position = Position(layouts[Piece(lookup["piece"])], row, int(lookup["occupancy"], 16))
            true = witness.lookup(position)
            assert (true.index, true.slot, true.attacks) == (
                lookup["index"], lookup["slot"], lookup["attacks"],
            )  # fmt: skip
            assert sorted(map(parse_square, true.attacked)) == sorted(lookup["attacked"])
            seen.append(true)
        if finding["kind"] == "conflict":
            assert seen[0].slot == seen[1].slot
            assert seen[0].attacks != seen[1].attacks


@pytest.mark.parametrize("all_of_them", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_sources_are_never_called_valid_wrongly(in_node: InNode, all_of_them: bool) -> None:
    """What it reads in a source agrees with the command; much it does not read, and says so."""
    paths = sorted(path for path in SAMPLES.iterdir() if path.is_file())
    paths = paths if all_of_them else paths[::5]
    answers = in_node(*(path.read_text("utf-8", "replace") for path in paths))
    valid = 0
    for path, answer in zip(paths, answers, strict=True):
        verified = verify_all((str(path),), Unseen)
        if answer["verdict"] in ("valid", "invalid"):
            assert answer["verdict"] == verified.verdict, path.name
            valid += answer["verdict"] == "valid"
    assert valid >= len(paths) // 2


def test_the_table_it_gives_says_the_same(in_node: InNode) -> None:
    names = ("bbc.c", "tuples.rs", "pointers.cpp")
    sources = [(SAMPLES / name).read_text("latin-1") for name in names]
    for answer in in_node(*sources, order="a8"):
        file = parse_table(answer["table"].encode(), Path("x.toml"))
        assert said(answer) == figures(verify(file))
        (again,) = in_node(answer["table"])
        assert said(again) == said(answer)


def numbers(name: str, order: list[int] | None = None) -> str:
    """The 128 magics of a table, one a line, its rows in another order."""
    table = read_table(find_table(name)).table
    rows = order or list(range(64))
    return "\n".join(
        hex(table.pieces[piece].parameters["magic"][row]) for piece in Piece for row in rows
    )


def test_bare_numbers_in_any_order(in_node: InNode) -> None:
    """A list that runs against the bits of the board is found to."""
    flipped = [row ^ 56 for row in range(64)]
    files = [(row & 7) * 8 + (row >> 3) for row in range(64)]
    texts = [numbers("surge"), numbers("surge", flipped), numbers("carp", files)]
    plain, upside_down, sideways = in_node(*texts)
    assert (plain["verdict"], plain["listing"]) == ("valid", "a1")
    assert (upside_down["verdict"], upside_down["listing"]) == ("valid", "a8")
    assert (sideways["verdict"], sideways["listing"]) == ("valid", "a1-files")
    assert sideways["schemes"] == {"rook": "black", "bishop": "black"}


@pytest.mark.parametrize(
    "text",
    [
        "", "magicert = 1", "magicert = 1\n[rook]\nindex = 3", "}{)(" * 99, "1," * 63, "0x" * 64,
        "magicert = 1\n[rook]\nindex = \"((occ & mask) * magic) >> shift\"\nshift = 52\nmagic = 5",
        "magicert = 1\n[rook]\nindex = \"((occ & mask) * magic) >> shift\"\nshift = 52\n"
        "magic = [" + "\"0x10000000000000000\"," * 64 + "]",
        "magicert = 1\n[rook]\nindex = \"((occ & mask) * magic) >> shift\"\nshift = 99\n"
        "magic = [" + "\"0x1\"," * 64 + "]",
        "const x = [" + "0xfedcba9876543210, " * 64 + "];",
    ],
)  # fmt: skip
def test_bad_input_has_a_message(in_node: InNode, text: str) -> None:
    (answer,) = in_node(text)
    assert answer["verdict"] in ("bad input", "beyond", "invalid")
    assert answer["verdict"] == "invalid" or answer["message"]


def test_what_it_does_not_know_is_beyond_it(in_node: InNode) -> None:
    text = find_table("surge").read_text("utf-8")
    odd = text.replace("[rook]\n", '[rook]\nresult = "x"\n', 1)
    half = text.replace("order =", 'board = "ranks 1-4"\norder =', 1)
    assert [answer["verdict"] for answer in in_node(odd, half)] == ["beyond", "beyond"]


def test_a_wrong_line_is_named_and_mended(in_node: InNode) -> None:
    """One wrong digit in a source; what is offered is valid, in the number's spelling."""
    table, known = read_table(find_table("surge")).table, best_known()
    rows = [f"0x{magic:016X}ULL" for magic in table.pieces["rook"].parameters["magic"]]
    rows[3] = rows[3][:-5] + "1" + rows[3][-4:]
    shifts = [str(64 - mask(Piece.ROOK, square).bit_count()) for square in range(64)]
    lists = [",\n".join(rows), ", ".join(shifts)]
    text = f"uint64_t rook[64] = {{\n{lists[0]}}};\nint rook_shifts[64] = {{{lists[1]}}};\n"
    (found,) = in_node(text, atlas=known)
    assert found["findings"][0]["place"]["line"] == 5
    (change,) = found["repair"]["changes"]
    assert change["token"] == rows[3]
    assert change["by"] == f"{int(str(known['rook']['d1'][1]), 16):#018x}ULL"
    assert in_node(found["repair"]["text"])[0]["verdict"] == "valid"
    (twice,) = in_node(f"{text}// {rows[3]}\n", atlas=known)
    assert (twice["findings"][0]["place"], twice["repair"]) == (None, None)
