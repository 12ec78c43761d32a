"""Sources of engines of other boards, printed in two notations and read back."""

import json
from itertools import combinations, permutations

import pytest

from magicert.betza import parse_piece
from magicert.board import Board, square_at, squares_of
from magicert.data import tables_folder
from magicert.movement import usual_mask
from magicert.problem import InputError
from magicert.table import read_table
from magicert.table.model import value_at

EXPECTED = json.loads((tables_folder() / "boards" / "expected.json").read_text())
FOLD = """fn index(m: &MagicEntry, occ: u128) -> usize {
    let occ = occ & m.mask;
    m.offset as usize + (((occ | occ >> 63) as u64).wrapping_mul(m.magic) >> m.shift) as usize
}
"""


def macros(**lists):
    """Lists of words of 128 bits by a macro of their halves, as in Fairy-Stockfish."""
    text = "#define B(a, b) (Bitboard(a) << 64) ^ Bitboard(b)\n"
    for name, words in lists.items():
        items = ",\n  ".join(f"B(0x{w >> 64:X}, 0x{w % 2**64:X})" for w in words)
        text += f"Bitboard {name}[SQUARE_NB] = {{\n  {items},\n}};\n"
    return text


def half_of(name):
    table = read_table(tables_folder() / "boards" / f"{name}.toml").table
    (half,) = table.pieces.values()
    return table.board, half


def magics(name):
    return half_of(name)[1].parameters["magic"]


@pytest.fixture(scope="module")
def shogi():
    """The shogi rook as records of four fields, as its engine writes them."""
    _, half = half_of("haitaka_rook")
    record = "MagicEntry {{ mask: 0x{mask:X}, magic: {magic}, shift: {shift}, offset: {offset} }},"
    columns = {**half.parameters, "offset": half.offset}
    rows = ({name: value_at(own, row) for name, own in columns.items()} for row in range(81))
    text = "struct MagicEntry { mask: u128, magic: u64, shift: u8, offset: u32 }\n"
    text += "const ROOK_MAGICS: &[MagicEntry; Square::NUM] = &[\n"
    return text + "\n".join(record.format(**row) for row in rows) + f"\n];\n{FOLD}"


@pytest.mark.cases_of("lists_of_engines.tsv")
def test_lists_of_engines(judged, table, name, piece):
    board = "12x10" if table.startswith("fairy") else "9x10"
    source = macros(**{name: magics(table)})
    judgement = judged(source, "magic.h", board=board, pieces=(f"{name}={piece}",))
    assert judgement.verdict == "valid"
    (reading,) = judgement.valid
    assert reading.report.lookups == EXPECTED[table]["lookups"]
    assert sum(b.length for b in reading.report.buffers) == EXPECTED[table]["slots"]
    assert reading.table.pieces[name].parameters["magic"] == magics(table)
    assert "Bitboard = 128 bits" in reading.guesses
    assert any(one.endswith("bits = popcount(mask)") for one in reading.guesses)


def test_the_shogi_rook_in_the_notation_of_its_engine(judged, shogi):
    judgement = judged(shogi, "magic.rs", board="9x9", pieces=("ROOK_MAGICS=R",))
    assert judgement.verdict == "valid"
    (reading,) = judgement.valid
    (formula,), (buffer,) = reading.report.formulas.values(), reading.report.buffers
    assert "u64((occ & mask) | ((occ & mask) >> 63)) * magic" in formula
    assert buffer.slots_used == EXPECTED["haitaka_rook"]["slots_used"]
    assert buffer.length == EXPECTED["haitaka_rook"]["end"]
    _, half = half_of("haitaka_rook")
    (own,) = reading.table.pieces.values()
    assert (own.parameters, own.offset) == (dict(half.parameters), half.offset)


@pytest.mark.parametrize("change", [-1, 1, -30])
def test_a_list_of_another_length_is_named_with_its_line(judged, change):
    words = magics("fairy_rook_v")
    words = words[:change] if change < 0 else (*words, words[0])
    text = macros(Others=magics("fairy_horse"), Rooks=words)
    line = 1 + text[: text.index("Rooks")].count("\n")
    with pytest.raises(InputError) as caught:
        judged(text, "magic.h", board="12x10", pieces=("Rooks=vR",))
    assert str(caught.value).startswith(f"magic.h:{line}: ")
    assert f"Rooks has {120 + change} items: expected 120, one a square" in str(caught.value)


def test_the_alternative_with_the_lists_of_the_board_is_read(judged):
    large = macros(Rooks=magics("fairy_rook_v"))
    small = macros(Rooks=tuple(range(1 << 40, (1 << 40) + 64))).partition("\n")[2]
    text = f"#ifdef LARGEBOARDS\n{large}#else\n{small}#endif\n"
    (reading,) = judged(text, "magic.h", board="12x10", pieces=("Rooks=vR",)).valid
    assert reading.conditions == ("#if defined(LARGEBOARDS)",)


@pytest.mark.parametrize("order", ["a1", "l1", "a10", "l10", "a1-files"])
def test_rows_and_bits_in_other_orders(judged, order):
    """The list begins with another square than bit 0: the numbers tell which."""
    board, half = half_of("fairy_rook_v")
    squares = [square_at(order, row, board) for row in range(120)]
    listed = ",\n  ".join(f"0x{half.parameters['magic'][square]:032x}" for square in squares)
    text = f"pub const R: [u128; 120] = [{listed}];\n"
    (reading,) = judged(text, "magic.rs", board="12x10", pieces=("R=vR",)).valid
    assert [reading.table.row_square(row) for row in range(120)] == squares


def test_chess_board_with_other_pieces(judged, c):
    """Of 64 squares, the words have 64 bits."""
    text = c.list("HorseMagics", [0x0080_4020_1008_0402 + n for n in range(64)])
    assert judged(text, board="8x8", pieces=("HorseMagics=nN",)).verdict != "valid"


def test_shifts_of_128_bits_that_the_source_lists_bind(judged):
    board, half = half_of("fairy_horse")
    shifts = [128 - usual_mask(board, half.movement, s).bit_count() for s in range(120)]

    def judgement(shifts):
        pairs = zip(half.parameters["magic"], shifts, strict=True)
        rows = ", ".join(f"({word:#x}, {shift})" for word, shift in pairs)
        text = f"static HORSES: [(u128, u32); 120] = [{rows}];\n"
        return judged(text, "m.rs", board="12x10", pieces=("HORSES=nN",))

    (reading,) = judgement(shifts).valid
    assert reading.report.formulas["HORSES"] == "((occ & mask) * magic) >> shift"
    shifts[50] = 120  # too many bits: still right, as it is the source's own
    assert judgement(shifts).verdict == "valid"
    shifts[50] = 127
    assert judgement(shifts).verdict != "valid"


def test_a_source_without_a_board_says_what_to_add(command, tmp_path):
    path = tmp_path / "magic.h"
    lists = {"RookMagicHInit": magics("fairy_rook_h"), "CannonMagicVInit": magics("fairy_cannon_v")}
    path.write_text(macros(**lists))
    result = command("verify", path)
    assert result.exit_code == 2
    assert "2 lists of 120 numbers of 128 bits" in result.output
    wanted = "--board 12x10 --piece RookMagicHInit=sR --piece CannonMagicVInit=pvR"
    assert wanted in result.output
    assert command("verify", path, *wanted.split()).exit_code == 0


@pytest.mark.cases_of("lists_of_other_lengths.tsv")
def test_a_list_of_a_usual_board_says_what_to_add(command, tmp_path, name, count, bits, added):
    """Where the name speaks of magics or of a piece; nothing is said of other numbers."""
    words = ", ".join(hex((n * 0x9E3779B97F4A7C15 + 1) % 2 ** int(bits)) for n in range(int(count)))
    path = tmp_path / "tables.c"
    path.write_text(f"const unsigned long long {name}[{count}] = {{{words}}};\n")
    result = command("verify", path)
    assert result.exit_code == 2
    assert (f"magicert verify {path} {added}" in result.output) == bool(added), result.output
    assert added or "--board" not in result.output


def _cut(bits, word):
    """A magic that moves each of some bits to a bit of its own below the end of a word."""
    top = word - len(bits)
    for places in permutations(range(len(bits))):
        magic = sum(1 << top + place - bit for place, bit in zip(places, bits, strict=True))
        subsets = [sum(some) for n in range(5) for some in combinations([1 << b for b in bits], n)]
        if len({subset * magic % (1 << word) >> top for subset in subsets}) == len(subsets):
            return magic
    raise AssertionError(bits)


def test_words_of_as_many_bits_as_the_board_has_squares(judged):
    """An engine without words of 128 bits may cut its products at bit 81."""
    board, horse = Board(9, 9), parse_piece("horse")
    magics = [_cut(list(squares_of(usual_mask(board, horse, s))), 81) for s in range(81)]
    text = f"HORSES = [{', '.join(map(hex, magics))}]\n"
    judgement = judged(text, "magics.py", board="9x9", pieces=("HORSES=horse",))
    assert judgement.verdict == "valid"
    assert "words of 81 bits" in judgement.valid[0].guesses


@pytest.mark.parametrize(
    ("written", "instead", "verdict"),
    [
        ("occ >> 63", "occ >> 63", "valid"),
        ("occ >> 63", "occ >> 62", "unknown"),
        ("occ & m.mask", "!occ & m.mask", "unknown"),
        ("as u64)", "as u32 as u64)", "unknown"),
    ],
)
def test_what_a_lookup_of_a_larger_board_computes(judged, shogi, written, instead, verdict):
    """Its product has fewer bits than its board."""
    lookup = FOLD.replace("m: &MagicEntry, ", "square: usize, ").replace(written, instead)
    lookup = lookup.replace("    let occ", "    let m = &ROOK_MAGICS[square];\n    let occ")
    text = shogi.replace(FOLD, lookup)
    judgement = judged(text, "magic.rs", board="9x9", pieces=("ROOK_MAGICS=R",))
    assert judgement.verdict == verdict


def test_json_and_import_and_what_is_asked_for(command, tmp_path, shogi):
    path, output = tmp_path / "magic.rs", tmp_path / "shogi.toml"
    path.write_text(shogi)
    options = ("--board", "9x9", "--piece", "ROOK_MAGICS=R")
    result = command("verify", path)
    assert result.exit_code == 2
    assert " ".join(options) in result.output
    (report,) = json.loads(command("verify", path, *options, "--json").stdout)["reports"]
    assert report["verdict"] == "valid"
    assert report["reading"]["sources"]["board"] == "9x9, given by hand"
    assert report["reading"]["sources"]["ROOK_MAGICS.piece"] == "R, given by hand"
    assert command("import", path, "-o", output, *options).exit_code == 0
    result = command("verify", output)
    assert result.exit_code == 0
    assert "520,192 slots" in result.output


def test_a_file_beside_the_source(command, tmp_path):
    path, beside, elsewhere = (tmp_path / n for n in ("magic.h", "magic.h.toml", "other.toml"))
    rook, elephant = magics("fairy_rook_v"), magics("fairy_elephant")
    path.write_text(macros(RookMagicVInit=rook, ElephantMagicInit=elephant))
    text = (
        'board = "12x10"\n[RookMagicVInit]\npiece = "vR"\n[ElephantMagicInit]\npiece = "elephant"\n'
    )
    beside.write_text(text)
    result = command("verify", path, "--full")
    assert result.exit_code == 0, result.output
    assert "12x10, as in magic.h.toml" in result.output
    beside.unlink()
    wrong = "ElephantMagicInit.shift: expected a list's name, or a number"
    for said, status, message in (
        (text, 0, ""), (text.replace("vR", "sR"), 3, ""), (f"{text}shift = [1]\n", 2, wrong),
    ):  # fmt: skip
        elsewhere.write_text(said)
        result = command("verify", path, "--map", elsewhere)
        assert result.exit_code == status
        assert message in result.output


@pytest.mark.cases_of("refused.tsv")
def test_refused(command, tmp_path, lacking, options, message):
    path = tmp_path / "magic.h"
    path.write_text(macros(Rooks=magics("fairy_rook_v")))
    result = command("verify", path, *(word.replace("R=a", "R a") for word in options.split()))
    assert result.exit_code == 2
    assert lacking([message], result.output) == []
    assert "Traceback" not in result.output


HALVES = "0x30808040800, 0xA00128000001000"
ELEPHANT = ("--board", "9x10", "--piece", "Elephants=elephant@a1-i5,a6-i10")


@pytest.mark.parametrize(
    ("macro", "wrong"),
    [
        (True, "0x30808840800, 0xA00128000001000"),
        (False, "0x1, 0x0"),
        pytest.param(True, "0x1, 0x0", marks=pytest.mark.long),
        pytest.param(False, "0x30808840800, 0xA00128000001000", marks=pytest.mark.long),
    ],
)
def test_fix_puts_a_number_of_ninety_right(command, tmp_path, wrong, macro):
    """A slip, or a new magic; halves of a macro, and halves side by side."""
    text = macros(Elephants=magics("pikafish_bishop"))
    text = text if macro else text.partition("\n")[2]
    assert text.count(f"B({HALVES})") == 1
    path = tmp_path / "magics.h"
    path.write_text(text.replace(HALVES, wrong))
    assert command("verify", path, *ELEPHANT).exit_code == 3
    result = command("fix", path, *ELEPHANT, "--write")
    assert result.exit_code == 0, result.output
    assert "Elephants c4: entry 29" in result.stderr
    assert ("(one digit)" in result.stderr) == (wrong != "0x1, 0x0")
    assert command("verify", path, *ELEPHANT).exit_code == 0
    mended, before = path.read_text().splitlines(), text.splitlines()
    assert sum(a != b for a, b in zip(mended, before, strict=True)) == 1


def test_fix_where_bits_run_along_the_files(command, tmp_path, shogi):
    """The shogi rook's magics have 64 bits, and so has what is put in their place."""
    path, row = tmp_path / "magic.rs", 40  # e5, where a new magic is soon found
    _, half = half_of("haitaka_rook")
    right = f"magic: {half.parameters['magic'][row]},"
    assert shogi.count(right) == 1
    path.write_text(shogi.replace(right, "magic: 3,"))
    options = ("--board", "9x9", "--piece", "ROOK_MAGICS=R", "--order", "a1-files")
    result = command("fix", path, *options, "--write")
    assert result.exit_code == 0, result.output
    assert "a new magic" in result.stderr
    assert command("verify", path, *options).exit_code == 0


def test_fix_changes_no_number_where_the_piece_moves_otherwise(command, tmp_path):
    path = tmp_path / "magics.h"
    path.write_text(macros(Elephants=magics("pikafish_bishop")))
    result = command("fix", path, "--board", "9x10", "--piece", "Elephants=elephant")
    assert result.exit_code == 3
    assert "right if the piece does not leave its half of the board: magicert" in result.stderr
