"""The page "Check my magics" says of other boards what `magicert verify` says, or nothing."""

import random
from dataclasses import replace
from pathlib import Path

import pytest

from magicert.api.verify_files import verify_files
from magicert.betza import parse_piece
from magicert.board import Board, parse_board, squares_of
from magicert.data import tables_folder
from magicert.movement import least_mask, usual_mask
from magicert.outcome import NullPhase
from magicert.table import parse_table, read_table
from magicert.table.write import table_toml
from magicert.verify.source.source_options import overrides_of
from magicert.verify.table.verifier import verify

UNDECIDED = "not decided here"
BOARDS = tables_folder() / "boards"
HORSES = Path(__file__).parents[1] / "source" / "boards" / "samples" / "horses.h"


def holds(answer, text):
    """The answer has the verifier's verdict, figures and findings; returns the verdict."""
    file = parse_table(text.encode(), Path("x.toml"))
    report = verify(file)
    slots, used = (sum(getattr(b, n) for b in report.buffers) for n in ("length", "slots_used"))
    assert [answer.get(key) for key in ("verdict", "slots", "used", "message")] == [
        report.verdict, slots, used, None,
    ], file.table.name  # fmt: skip
    seen = [
        (one["kind"], file.table.board.name(one["lookups"][0]["square"]))
        for one in answer["findings"]
    ]
    assert sorted(seen) == sorted((one.kind, one.lookups[0].square) for one in report.findings)
    for one in answer["findings"]:
        if one["kind"] == "conflict":
            first, second = one["lookups"]
            assert first["slot"] == second["slot"]
            assert first["attacks"] != second["attacks"]
    return report.verdict


def spoilt(table, seed):
    """A magic that moves nothing to the index, where a square has more than one lookup."""
    rng = random.Random(seed)
    piece = rng.choice([*table.pieces])
    half = table.pieces[piece]
    rows = [
        row
        for row in range(table.rows)
        if least_mask(table.board, half.movement, table.row_square(row))
    ]
    magics, row = [*half.parameters["magic"]], rng.choice(rows)
    magics[row] = 1
    other = replace(half, parameters={**half.parameters, "magic": tuple(magics)})
    return replace(table, pieces={**table.pieces, piece: other})


def test_every_table_of_another_board(in_node):
    texts = [path.read_text("utf-8") for path in sorted(BOARDS.rglob("*.toml"))]
    assert len(texts) > 18
    for text, answer in zip(texts, in_node(*texts), strict=True):
        if "\nliteral" in text:  # what a finished buffer holds is in another file
            assert answer["verdict"] == UNDECIDED
        else:
            assert holds(answer, text) == "valid"


@pytest.mark.gate_takes(first=2)
@pytest.mark.parametrize(
    "name", ["pikafish_bishop", "fairy_horse", "haitaka_rook", "fairy_cannon_v"]
)
def test_a_table_and_a_wrong_digit(page_says, name):
    table = read_table(BOARDS / f"{name}.toml").table
    texts = [table_toml(one) for one in (table, *(spoilt(table, seed) for seed in range(3)))]
    verdicts = [holds(answer, text) for text, answer in zip(texts, page_says(*texts), strict=True)]
    assert verdicts == ["valid", "invalid", "invalid", "invalid"]


SMALL = (
    ("5x5-c3", "R", "usual"), ("hexagon5", "hex-rook", "least"), ("1x9", "R", "usual"),
    ("4x7-a1,b3-c4", "pR", "usual"), ("6x6", "NN", "least"), ("5x5", "nAfR", "usual"),
    ("13x10", "nD", "least"), ("9x9-e5", "nN", "usual"), ("9x9-d4", "horse-to", "usual"),
    ("16x16-h8", "nN@b2-o15", "least"), ("15x15", "nA", "usual"),
    ("8x8", "elephant@a1-h4,a5-h8", "least"), ("5x5", "vR", "usual"), ("26x4", "W2", "usual"),
)  # fmt: skip


def a_table(size, piece, masks, order, seed):
    """A piece with magics that move each square of the mask to a bit of its own, as well as some
    random ones do.
    """
    board, rng = parse_board(size), random.Random(seed)
    movement = parse_piece(piece, board)
    rule = usual_mask if masks == "usual" else least_mask
    own = [rule(board, movement, square) for square in range(board.squares)]
    magics = [max(tried(mask, board.word, rng) for _ in range(40))[1] for mask in own]
    bits = [max(1, mask.bit_count()) for mask in own]
    return (
        f'magicert = 1\nname = "{size} {piece}"\nboard = "{size}"\norder = "{order}"\n\n[piece]\n'
        f'piece = "{piece}"\nmask = "{masks}"\nbits = {bits}\n'
        f'index = "((occ & mask) * magic) >> ({board.word} - bits)"\n'
        f"magic = [{', '.join(f'{chr(34)}{magic:#x}{chr(34)}' for magic in magics)}]\n"
    )


def tried(mask, word, rng):
    """A magic, with how many indexes it has."""
    bits = mask.bit_count()
    top, places = word - bits, rng.sample(range(bits), bits)
    pairs = zip(places, squares_of(mask), strict=True)
    magic = sum(1 << top + place - bit for place, bit in pairs if top + place >= bit)
    seen = {(sub(mask, n) * magic % (1 << word)) >> top for n in range(1 << bits)}
    return len(seen), magic


def sub(mask, number):
    """The subset of a mask with this number."""
    bits = [*squares_of(mask)]
    return sum(1 << bit for place, bit in enumerate(bits) if number >> place & 1)


def test_small_boards_with_holes_regions_and_every_rule(page_says):
    texts = [a_table(*case, "a1", seed) for seed, case in enumerate(SMALL)]
    verdicts = [holds(answer, text) for text, answer in zip(texts, page_says(*texts), strict=True)]
    assert set(verdicts) == {"valid", "invalid"}
    assert verdicts.count("valid") > 5


PIECES = (
    "R", "B", "Q", "K", "N", "NN", "pR", "pB", "gQ", "nN", "nA", "nZ", "nD", "fR", "vR", "sR",
    "flB", "frblB", "W3", "R4", "p3R", "pR3", "WnA", "ffN", "rrNllN", "vN", "sNN", "fbW",
    "horse-to", "amazon", "elephant@a1-d4", "R@b2-c5,e1-e6", "hex-rook", "hex-cannon", "hex-queen",
    "QN", "CC",
)  # fmt: skip
NONE = (
    "", "x", "xR", "mR", "RR", "nR", "pW", "pgR", "vB", "fN", "R@", "R@a1", "R@a1-c3,b2-d4",
    "R@a1-z9", "KK", "nN2", "gR3", "R@a1-b2@c3-d4", "rok", "fbN", "5",
)  # fmt: skip


def test_pieces_are_read_as_the_command_reads_them_and_have_its_masks(page_says):
    cases = [
        (piece, {"board": size}) for piece in (*PIECES, *NONE) for size in ("7x6-c3", "hexagon7")
    ]
    for (piece, wish), answer in zip(cases, page_says(*cases, what="piece"), strict=True):
        board = parse_board(wish["board"])
        try:
            movement = parse_piece(piece, board)
        except ValueError:
            assert isinstance(answer, str), piece
            continue
        assert answer == [
            [str(rule(board, movement, square)) for rule in (usual_mask, least_mask)]
            if board.has(square) else None
            for square in range(board.squares)
        ], (piece, wish)  # fmt: skip


BAD_BOARDS = (
    "0x0", "0x5", "17x16", "16x17", "27x2", "chess", "9 x 10", "hexagon4", "hexagon17", "5x5-f1",
    "5x5-a1-b2-c3", "2x2-a1-b2", "5x5-", "129x1",
)  # fmt: skip


def test_boards_that_there_are_not(page_says):
    text = (BOARDS / "fairy_horse.toml").read_text("utf-8")
    tables = [text.replace("12x10", size) for size in BAD_BOARDS]
    lists = [
        (HORSES.read_text(), {"board": size, "pieces": "HorseMagics=nN"}) for size in BAD_BOARDS
    ]
    for size, answer in zip(BAD_BOARDS * 2, page_says(*tables, *lists), strict=True):
        assert answer["verdict"] == UNDECIDED
        assert "expected" in answer["message"] or "holes" in answer["message"], size
        with pytest.raises(ValueError, match="board"):
            parse_board(size)


def macros(name, words, body="(Bitboard(a) << 64) ^ Bitboard(b)"):
    items = ",\n  ".join(f"B(0x{w >> 64:X}, 0x{w % 2**64:X})" for w in words)
    return f"#define B(a, b) {body}\nBitboard {name}[SQUARE_NB] = {{\n  {items},\n}};\n"


CAST = "(((__uint128_t)(a) << 64) | (__uint128_t)(b))"


def sources():
    """Lists of horses and elephants in some notations, with what may change them."""
    horse = [*read_table(BOARDS / "pikafish_knight.toml").table.pieces["horse"].parameters["magic"]]
    text = macros("Magics", horse)
    wrong = [*horse]
    wrong[40] = 1
    plain = f"pub const Magics: [u128; 90] = [{', '.join(map(hex, horse))}];\n"
    pairs = ", ".join(f"{{0x{w >> 64:X}, 0x{w % 2**64:X}}}" for w in horse)
    swapped = ", ".join(f"{{0x{w % 2**64:X}, 0x{w >> 64:X}}}" for w in horse)
    upside = [horse[81 - square // 9 * 9 + square % 9] for square in range(90)]
    good = {
        "by a macro": text,
        "as in Rust": plain,
        "two words": f"const uint64_t Magics[90][2] = {{{pairs}}};\n",
        "two words, the lower one first": f"const uint64_t Magics[90][2] = {{{swapped}}};\n",
        "from the top": macros("Magics", upside),
        "a cast": macros("Magics", horse, CAST).replace("Bitboard", "__uint128_t"),
    }
    spoilt = {
        "a wrong magic": macros("Magics", wrong),
        "89 of them": macros("Magics", horse[:89]),
        "another macro": macros("Magics", horse, "(Bitboard(a) << 63) ^ Bitboard(b)"),
        "a macro of words of 64 bits": macros("Magics", horse, "(uint64_t(a) << 64) ^ uint64_t(b)"),
        "a Bitboard of 64 bits": "typedef uint64_t Bitboard;\n" + text,
        "written later": text + "void f() { Magics[3] = 0; }\n",
        "words of 64 bits": plain.replace("u128", "u64"),
        "a list besides": text + macros("Others", wrong).partition("\n")[2],
        "a sum": plain.replace(hex(horse[7]), f"{horse[7]:#x} + 1"),
        "below zero": plain.replace(hex(horse[7]), f"-{horse[7]:#x}"),
        "left out": f"#if 0\n{text}#endif\n",
        "reversed": plain.replace("];", "].reversed();"),
        "nothing": "",
    }
    return good, spoilt


def command_says(path, board, pieces, bits=()):
    given = {"formula": None, "maps": (), "order": None, "bits": bits}
    overrides = overrides_of(**given, board=board, pieces=pieces)
    return verify_files((str(path),), NullPhase, overrides=overrides).verdict


def test_lists_of_another_board(page_says, tmp_path):
    good, spoilt = sources()
    wish = {"board": "9x10", "pieces": "Magics=nN"}
    answers = page_says(*({**good, **spoilt}.values()), **wish)
    for (name, text), answer in zip({**good, **spoilt}.items(), answers, strict=True):
        path = tmp_path / f"magics{len(name)}.{'rs' if 'pub const' in text else 'h'}"
        path.write_text(text)
        assert answer["verdict"] in ("valid", UNDECIDED), name
        assert (answer["verdict"] == "valid") == (name in good), name
        if name in good:
            assert command_says(path, "9x10", ("Magics=nN",)) == "valid", name
            again = parse_table(answer["table"].encode(), Path("x.toml"))
            assert verify(again).verdict == "valid"
    wrong = answers[len(good)]
    (finding,) = wrong["findings"]
    assert Board(9, 10).name(finding["lookups"][0]["square"]) == "e5"
    assert len(finding["lookups"]) == 2


def test_lists_with_what_makes_them_invalid(page_says, tmp_path):
    """The number of index bits said, a wrong number accuses."""
    _, spoilt = sources()
    wish = {"board": "9x10", "pieces": "Magics=nN", "shifts": "fancy"}
    (answer,) = page_says(spoilt["a wrong magic"], **wish)
    assert answer["verdict"] == "invalid"
    assert answer["findings"][0]["place"]["line"] == 43
    path = tmp_path / "magics.h"
    path.write_text(spoilt["a wrong magic"])
    assert command_says(path, "9x10", ("Magics=nN",), ("Magics=popcount",)) == "invalid"


def test_the_sample_and_its_suggestion(page_says):
    text = HORSES.read_text()
    (suggestion,) = page_says(text)
    assert suggestion["verdict"] == UNDECIDED
    wish = {"board": suggestion["board"], "pieces": suggestion["wanted"]}
    (answer,) = page_says(text, **wish)
    assert (answer["verdict"], answer["findings"]) == ("valid", [])
    assert command_says(HORSES, wish["board"], tuple(wish["pieces"].split())) == "valid"


def test_what_is_too_long_for_a_page(page_says):
    magics = ", ".join(["0x10000000000000001"] * 144)
    text = f"pub const Rooks: [u128; 144] = [{magics}];\n"
    for size, pieces in (("12x12", "Rooks=R"), ("12x12", "Rooks=Q")):
        (answer,) = page_says(text, board=size, pieces=pieces)
        assert answer["verdict"] == UNDECIDED
        assert "beyond this page" in answer["message"] or "no reading" in answer["message"]
