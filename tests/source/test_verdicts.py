"""Finished attack tables in a source; what is valid, invalid and not decided."""

import random
import re
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from magicert.board import squares_of
from magicert.chess import Piece, attack_set, mask, parse_square
from magicert.data import published_tables
from magicert.languages.alternatives import alternatives
from magicert.occupancy import carry_rippler
from magicert.problem import InputError, NothingThereError
from magicert.table.files import TableFile, read_table
from magicert.verify.source.attack_lists import compare, pext_table
from magicert.verify.table import MAX_LOOKUPS
from magicert.verify.table.layout import lay_out
from magicert.verify.table.lookups import Lookups

BBC = read_table(published_tables()["bbc"]).table
SIZES = [1 << bits for bits in BBC.pieces["bishop"].parameters["bits"]]


def filled():
    """The finished buffer of bbc's bishops."""
    (layout,) = (one for one in lay_out(TableFile.unsaved(BBC, "")) if one.name == "bishop")
    entries = np.zeros(sum(SIZES), np.uint64)
    for block in Lookups(layout, MAX_LOOKUPS):
        entries[block.slots] = block.attacks
    return [int(entry) for entry in entries]


@cache
def by_pext(stride=None, *, together=False):
    """The bishop's finished list by PEXT: counted up like a number, square after square."""
    entries = []
    for square in range(64):
        relevant = mask(Piece.BISHOP, square)
        own = [attack_set(Piece.BISHOP, square, o) for o in carry_rippler(relevant)]
        if together:  # the bits of its lines, pushed together
            lines = list(squares_of(attack_set(Piece.BISHOP, square, 0)))
            own = [sum(1 << i for i, s in enumerate(lines) if one >> s & 1) for one in own]
        entries += own + [0xBAD] * ((stride or len(own)) - len(own))
    return entries


BISHOP = filled()


def listed(entries):
    return f"const U64 bishop_attacks[{len(entries)}] = {{\n" + ",\n".join(map(hex, entries)) + "};"


def in_rows(entries):
    """A list of 64 lists."""
    parts = iter(entries)
    rows = ("{" + ", ".join(hex(next(parts)) for _ in range(n)) + "}" for n in SIZES)
    return "U64 bishop_attacks[64][512] = {" + ",\n".join(rows) + "};\n"


@pytest.fixture(scope="module")
def magics(c):
    bits = {piece: BBC.pieces[piece].parameters["bits"] for piece in BBC.pieces}
    return c.source(c.ints("bits", **bits))


def test_a_list_is_right_or_of_something_else(judged, magics):
    (one,) = judged(magics + listed(BISHOP)).valid[0].finished
    assert str(one) == "5,248 of 5,248 entries of bishop_attacks:5"
    other = [0x9E3779B97F4A7C15 * n % (1 << 64) for n in range(1, 5249)]
    judgement = judged(magics + listed(other))
    assert (judgement.verdict, judgement.valid[0].finished) == ("valid", ())
    # In another order it is said, and not judged.
    judgement = judged(magics + listed([*BISHOP[1:], BISHOP[0]]))
    (one,) = judgement.valid[0].finished
    assert (judgement.verdict, one.fits, one.right) == ("valid", False, True)


@pytest.mark.parametrize("write", [listed, in_rows])
def test_a_wrong_entry_is_invalid_and_named(judged, magics, c, write):
    entries = [*BISHOP]
    entries[4711] ^= 0x10
    text = magics + write(entries)
    judgement = judged(text)
    assert judgement.verdict == "invalid"
    ((line, column, wrong),) = judgement.valid[0].finished[0].wrong
    assert text.splitlines()[line - 1][column - 1 :].startswith(hex(entries[4711]))
    assert str(wrong).startswith("entry 4711 of bishop_attacks: bishop ")
    # The magics alone say nothing about bits: then a wrong entry is not decided.
    assert judged(c.source(write(BISHOP))).verdict == "valid"
    assert judged(c.source(write(entries))).verdict == "unknown"


@pytest.mark.parametrize("wrong", [0, 1])
def test_entries_stand_in_the_record_of_their_square(judged, c, wrong):
    parts = iter([BISHOP[0] ^ wrong, *BISHOP[1:]])
    bits = BBC.pieces["bishop"].parameters["bits"]
    rows = (
        f"{{{{{', '.join(hex(next(parts)) for _ in range(1 << own))}}}, {magic:#x}, {own}}}"
        for own, magic in zip(bits, c.magics("bishop"), strict=True)
    )
    judgement = judged(f"Entry bishop_magics[] = {{{', '.join(rows)}}};", pieces=("bishop",))
    assert judgement.verdict == ("invalid" if wrong else "valid")
    assert len(judgement.valid[0].finished[0].wrong) == wrong


@pytest.mark.parametrize("place", ["somewhere(27)", "&bishop_attacks[i]", "0"])
def test_no_finished_list_is_compared_where_places_are_not_read(judged, c, place):
    """All entries right in the order of squares says nothing of where the pointers lead."""
    rows = [
        f"{{{magic:#x}ULL, &bishop_attacks[{sum(SIZES[:square])}], {64 - bits}}}"
        for square, (magic, bits) in enumerate(
            zip(c.magics("bishop"), BBC.pieces["bishop"].parameters["bits"], strict=True)
        )
    ]
    text = listed(BISHOP) + c.list("bishops", rows, "M")
    judgement = judged(text, pieces=("bishop",))
    assert [one.right for one in judgement.valid[0].finished] == [True]
    text = text.replace(f"&bishop_attacks[{sum(SIZES[:27])}]", place)
    judgement = judged(text, pieces=("bishop",))
    assert (judgement.verdict, judgement.valid[0].finished) == ("unknown", ())


@pytest.mark.parametrize("bits", [16, 64])
def test_lists_without_magics_follow_pext(judged, bits):
    entries = [*by_pext(together=bits == 16)]
    (reading,) = judged(listed(entries)).valid
    assert reading.report.formulas == {"bishop": "pext(occ, mask)"}
    assert reading.remarks[0].endswith("index = pext(occ, mask), one square after another")
    (reading,) = judged(listed([*entries, *entries[:1024]])).valid
    assert "not looked at: 1,024 more entries of bishop_attacks" in reading.remarks[0]
    entries[77] ^= 1
    assert judged(listed(entries)).verdict == "unknown"
    with pytest.raises(NothingThereError):
        judged(listed(BISHOP[::-1]))


# Entry by entry, in PEXT's order, against an obvious walk.


def compared(entries, bits=64, **size):
    table = pext_table("a list")
    bishop = replace(table.pieces["bishop"], square_size=(size["stride"],) if size else None)
    table = replace(table, pieces={"bishop": bishop})
    return compare(table, "moves", np.array(entries, np.uint64), bits)


@pytest.mark.parametrize("bits", [16, 64])
def test_each_wrong_entry_is_named_with_its_square_and_occupancy(bits):
    entries = by_pext(together=bits == 16)
    for entry in random.Random(bits).sample(range(5248), 10):
        bad = [*entries]
        bad[entry] ^= 1 << 3
        found = compared(bad, bits)
        (one,) = found.first
        named = (found.wrong, one.entry, one.holds, one.wanted)
        assert named == (1, entry, bad[entry], entries[entry])
        square = parse_square(one.square)
        assert by_pext()[entry] == attack_set(Piece.BISHOP, square, one.occupancy)
        assert sum(SIZES[:square]) <= entry < sum(SIZES[: square + 1])
        shown = f"entry {entry} of moves: bishop {one.square}, occupancy 0x{one.occupancy:016x}: "
        assert str(one).startswith(shown)


def test_lists_of_other_lengths():
    """What no lookup loads may hold anything; what is missing is wrong."""
    found = compared(by_pext(512), stride=512)
    assert (found.loaded, found.wrong) == (5248, 0)
    found = compared(by_pext()[:-2])
    assert found.loaded == 5246
    assert [(one.entry, one.holds) for one in found.first] == [(5246, None), (5247, None)]


def test_lookups_that_share_a_wrong_magic_s_entry_make_it_wrong():
    """A magic of 0 loads one entry for all: it cannot be right for two attack sets."""
    half = BBC.pieces["bishop"]
    bad = {**half.parameters, "magic": (0, *half.parameters["magic"][1:])}
    broken = replace(BBC, pieces={"bishop": replace(half, parameters=bad)})
    found = compare(broken, "b", np.full(5248, 1 << 9, np.uint64))
    assert 0 in {one.entry for one in found.first}


# Only what was read or stated makes a table invalid.

OFF = 0x123456789ABCDEF1


def test_what_is_taken_for_the_bits_never_makes_a_table_invalid(c, judged):
    judgement = judged(c.source(rook_28=OFF))
    assert judgement.verdict == "unknown"
    (reading, *_) = judgement.nearest
    assert {f.squares[0] for f in reading.report.findings} == {"rook e4"}
    assert (reading.confirmed, reading.decided) == (True, False)
    assert "--bits rook=popcount" in reading.settled_by
    assert judged(c.source(rook_28=OFF), bits=("popcount",)).verdict == "invalid"
    # It may certify with twelve bits, more than the engine takes; then nothing is decided.
    assert judged(c.source(rook_27=c.magics("rook")[28])).verdict == "unknown"


def test_more_bits_than_nearly_certify_decide_nothing(c, judged):
    """Twelve bits are usual, and one number is wrong with them: two more bits hide that."""
    own = {piece: c.magics(piece, "cfish_plain") for piece in ("rook", "bishop")}
    assert judged(c.source(**own)).verdict == "valid"
    own["rook"][own["rook"].index(0x6800CDFFF4)] ^= 0xD
    judgement = judged(c.source(**own))
    assert judgement.verdict == "unknown"
    assert "--bits rook=14 or 12 decides it" in judgement.undecided[0]


def test_a_piece_s_index_may_be_as_long_as_what_was_taken_for_the_other(c, judged):
    """A multiple of eight, divided, has its bits three places lower: twelve for a bishop."""
    text = c.list("Rook12", c.magics("rook", "cfish_plain"))
    numbers = [n >> 3 * (n % 8 == 0) for n in c.magics("bishop", "cfish_plain")]
    whole = text + c.list("Bishop12", numbers)
    for options in ({"bits": ("bishop=12",)}, {}):
        judgement = judged(whole, **options)
        assert judgement.verdict == "valid"
    assert "bishop bits = 12" in judgement.valid[0].guesses
    # A guess makes nobody wrong.
    numbers[27] = c.off
    assert judged(text + c.list("Bishop12", numbers)).verdict == "unknown"


@pytest.mark.parametrize("shift", ["52", "(64 - 12)", "SHIFT", "INDEX_SHIFT"])
@pytest.mark.parametrize("names", [("rook_mul", "bishop_mul"), ("rook_magics", "bishop_magics")])
def test_one_shift_may_be_both_pieces_own(c, judged, shift, names):
    """That the bishop certifies with fewer bits, too, says nothing against it."""
    numbers = (c.magics(piece) for piece in ("rook", "bishop"))
    text = "const int SHIFT = 52;\nenum { INDEX_SHIFT = 52 };\n"
    for name, own in zip(names, numbers, strict=True):
        text += c.list(name, own)
        text += f"int look_{name}(int s, U64 o) {{ return (o & m(s)) * {name}[s] >> {shift}; }}\n"
    judgement = judged(text, "a.cpp")
    assert judgement.verdict == "valid"
    (reading,) = judgement.valid
    assert reading.guesses == ()
    assert {half.count.fixed for half in reading.piece_readings} == {12}
    wrong = text.replace(f"{c.magics('bishop')[27]:#x}", hex(c.off))
    assert judged(wrong, "a.cpp").verdict != "valid"


@pytest.mark.parametrize(("spoilt", "verdict"), [(0, "valid"), (0x20000, "unknown")])
def test_a_buffer_for_each_piece_hides_no_clash(c, judged, shipped, spoilt, verdict):
    """The bishop's number on h8 is right by itself, and wrong beside the rooks in one buffer."""
    text = ""
    for piece, own in shipped("cfish_plain").pieces.items():
        numbers = [*own.parameters["magic"]]
        numbers[63] ^= spoilt * (piece == "bishop")
        rows = [f"{{{n:#x}ULL, {at}}}" for n, at in zip(numbers, own.offset, strict=True)]
        text += c.list(f"{piece}_magics", rows, "M")
    assert judged(text).verdict == verdict


def test_a_list_of_shifts_is_read(c, judged):
    rook, bishop = c.shifts("rook"), c.shifts("bishop")
    lists = c.ints("shifts", rook=rook, bishop=bishop)
    assert judged(c.source(lists)).verdict == "valid"
    judgement = judged(c.source(lists, rook_0=OFF, rook_63=OFF))
    assert judgement.verdict == "invalid"
    found = {f.squares[0] for f in judgement.nearest[0].report.findings}
    assert found == {"rook a1", "rook h8"}
    rook[9] = 57  # beside right magics: which is wrong is not decided
    judgement = judged(c.source(c.ints("shifts", rook=rook, bishop=bishop)))
    assert judgement.verdict == "unknown"
    assert "rook_shifts" in judgement.undecided[0]


def test_the_table_of_a_checksum_is_no_list_of_magics(judged):
    """Pairs of its words certify on most squares with an index as long as a literal says."""
    entries = []
    for byte in range(256):
        crc = byte
        for _ in range(8):
            crc = crc >> 1 ^ (0xEDB88320 if crc & 1 else 0)
        entries.append(crc)
    for shift in (8, 12, 16, 44, 48):
        text = f"const unsigned s_crc_table[256] = {{{', '.join(map(hex, entries))}}};\n"
        text += f"crc = s_crc_table[(crc ^ *p++) & 0xff] >> {shift};\n"
        with pytest.raises(InputError):
            judged(text)


@pytest.mark.parametrize(
    ("file", "frame", "item"),
    [
        ("a.c", "const {kind} {name}[64] = {{{items}}};", "{:#x}"),
        ("a.cpp", "{kind} {name}[64] = {{{items}}};", "{:#x}ULL"),
        ("a.py", "{name} = [{items}]", "{}"),
        ("a.rs", "const {name}: [u64; 64] = [{items}];", "{:#x}"),
        ("a.lua", "{name} = {{{items}}}", "{:#x}"),
        ("a.rb", "{name} = [{items}]", "{:#x}"),
    ],
)
def test_a_number_with_a_digit_too_many_is_a_finding_though_its_last_digits_are_right(
    c, judged, file, frame, item
):
    """What a language makes of it, if anything, is not what is written."""

    def judgement(**wrong):
        lines = []
        for piece in ("rook", "bishop"):
            numbers = c.magics(piece)
            numbers[27] |= wrong.get(piece, 0) << 64
            own = ", ".join(map(item.format, numbers))
            lines.append(frame.format(kind="U64", name=f"{piece}_magics", items=own))
            own = ", ".join(map(str, c.shifts(piece)))
            lines.append(frame.format(kind="int", name=f"{piece}_shifts", items=own))
        return judged("\n".join(lines) + "\n", file)

    assert judgement().verdict == "valid"
    found = judgement(rook=3)
    assert found.verdict == "invalid"
    (finding,) = found.nearest[0].report.findings
    assert (finding.kind, finding.squares) == ("number", ["rook d4"])
    assert "66 bits: expected at most 64" in finding.message


@pytest.mark.parametrize(
    ("file", "head", "item"),
    [("a.gleam", "pub const", "Entry(magic: {:_}, shift: {})"), ("a.rb", "", "[{:_}, {}]")],
)
def test_groups_of_digits_stand_in_records(c, judged, file, head, item):
    text = ""
    for piece in ("rook", "bishop"):
        rows = map(item.format, c.magics(piece), c.shifts(piece))
        text += f"{head} {piece}_magics = [\n{', '.join(rows)}]\n"
    assert judged(text, file).verdict == "valid"


@pytest.mark.parametrize("file", ["a.c", "a.lua"])
def test_rows_of_one_shift_for_each_piece_are_read(c, judged, file):
    suffix = "ULL" if file == "a.c" else ""
    magics = [[f"{n:#x}{suffix}" for n in c.magics(piece)] for piece in ("rook", "bishop")]
    shifts = [c.shifts(piece) for piece in ("rook", "bishop")]

    def verdict():
        text = ""
        for head, own in (("const U64 magics[64][2]", magics), ("const int shifts[64][2]", shifts)):
            rows = ", ".join(f"{{{rook}, {bishop}}}" for rook, bishop in zip(*own, strict=True))
            name = head if suffix else head.split()[-1].partition("[")[0]
            text += f"{name} = {{{rows}}}{suffix and ';'}\n"
        return judged(text, file).verdict

    assert verdict() == "valid"
    shifts[1][27] += 1  # beside right magics
    assert verdict() == "unknown"


def test_one_number_in_each_record_may_be_a_long_shift(c, judged):
    """A multiple of sixteen, divided, has its bits four places lower."""
    own = [n // 16 if n % 16 == 0 else n for n in c.magics("rook", "gigantua_plain")]
    rows = [f"{{{n:#x}ULL, 48}}" for n in own]
    text = c.list("rook", rows, "M") + c.list("bishop", c.magics("bishop"))
    assert "rook shift = 48" in judged(text).valid[0].guesses
    text = text.replace(rows[28], f"{{{OFF:#x}ULL, 48}}")
    assert judged(text).verdict == "unknown"


def test_low_masks_keep_what_a_shift_leaves_too_much(c, judged):
    """A multiple of four, divided, has its bits two places lower: an AND takes the others away."""
    down = {p: [2 * (m % 4 == 0) for m in c.magics(p)] for p in ("rook", "bishop")}
    own = {p: [m >> d for m, d in zip(c.magics(p), down[p], strict=True)] for p in down}
    shifts = {p: [s - d for s, d in zip(c.shifts(p), down[p], strict=True)] for p in down}
    low = {p: [(1 << 64 - s) - 1 for s in c.shifts(p)] for p in down}
    judgement = judged(c.source(c.ints("shifts", **shifts), c.ints("low", **low), **own))
    assert judgement.verdict == "valid"
    (reading,) = judgement.valid
    assert {half.formula.text for half in reading.piece_readings} == {
        "(((occ & mask) * magic) >> shift) & limit"
    }
    # Where the shift leaves no more, they are the sizes of the squares' lists.
    judgement = judged(c.source(c.ints("shifts", rook=c.shifts("rook")), c.ints("low", **low)))
    assert all("limit" not in half.formula.text for half in judgement.valid[0].piece_readings)


def test_a_column_that_clashes_everywhere_is_not_the_offsets(c, judged):
    """The third number of a record may be anything: a length, the highest index."""
    text = ""
    for piece in ("rook", "bishop"):
        pairs = enumerate(zip(c.magics(piece), c.shifts(piece), strict=True))
        rows = [f"{{{m:#x}ULL, {s}, {(1 << 64 - s) - 1 - i}}}" for i, (m, s) in pairs]
        text += c.list(f"{piece}_magics", rows, "M")
    judgement = judged(text)
    assert judgement.verdict == "valid"
    assert any("separate slots" in guess for guess in judgement.valid[0].guesses)


def test_numbers_that_the_language_makes_others_are_refused(c, judged):
    lists = (f"const {p}Magics = [{', '.join(map(hex, c.magics(p)))}];" for p in ("rook", "bishop"))
    wrong = "rookMagics: JavaScript makes 9979994641325359104 of 0x8a80"
    with pytest.raises(InputError, match=wrong):
        judged("".join(lists), "engine.js")


def test_entries_of_an_enumeration(c, judged):
    pairs = enumerate(zip(c.magics("rook"), c.magics("bishop"), strict=True))
    names = (f"{'ABCDEFGH'[n % 8]}{n // 8 + 1}({r:#x}L, {b:#x}L)" for n, (r, b) in pairs)
    text = f"enum Magic {{ {', '.join(names)}; private final long a, b; }}"
    assert judged(text, "Magic.java").verdict == "valid"


@pytest.mark.parametrize("count", [63, 65])
def test_a_list_that_is_not_64(c, judged, count):
    numbers = (c.magics("bishop") * 2)[:count]
    with pytest.raises(InputError, match=f"bishop_magics has {count} items: expected 64") as raised:
        judged(c.source(bishop=numbers))
    assert not isinstance(raised.value, NothingThereError)
    with pytest.raises(NothingThereError, match=f"keys has {count} items"):
        judged(c.list("keys", numbers))


@pytest.mark.gate_takes(first=8, each_of="entry verdict")
@pytest.mark.cases_of("what_may_change_a_list.tsv")
def test_what_may_change_a_list(c, judged, entry, text, verdict):
    right = f"{c.magics('rook')[28]:#x}ULL"
    text = text.replace("RIGHT", right).replace("WRONG", f"{OFF:#x}ULL")
    lists = c.source(c.ints("shift", rook=c.shifts("rook"), bishop=c.shifts("bishop")), text)
    lists = lists.replace("const U64 rook", "U64 rook")
    lists = lists.replace(f"{right},", f"{OFF:#x}," if entry == "wrong" else f"{right},", 1)
    assert judged(lists).verdict == verdict


def with_numbers(c, text):
    arms = (f"{place} => {number:#x}" for place, number in enumerate(c.magics("rook")))
    text = text.replace("ARMS", ", ".join(arms))
    for piece, suffix, comma in re.findall(r"(ROOK|BISHOP)S(\w*)(;?)", text):
        numbers = (comma or ",").join(f"{n:#x}{suffix}" for n in c.magics(piece.lower()))
        text = text.replace(f"{piece}S{suffix}{comma}", numbers)
    for piece, item, comma in re.findall(r"\b(ROOK|BISHOP)<(.*?)>(;?)", text):
        magics = c.magics(piece.lower())
        items = (item.replace("@", f"{n:#x}").replace("%", f"{n:016x}") for n in magics)
        numbers = (comma or ",").join(items)
        text = text.replace(f"{piece}<{item}>{comma}", numbers)
    return text


@pytest.mark.cases_of("what_is_made_of_a_list.tsv")
def test_what_is_made_of_a_list(c, judged, file, text, guess):
    (reading,) = judged(with_numbers(c, text), file).valid
    taken = (one for one in reading.guesses if one.startswith("the list") or "= the number" in one)
    assert next(taken, "") == guess


@pytest.mark.cases_of("what_stands_in_strings.tsv")
def test_what_stands_in_strings(c, judged, file, text):
    assert judged(with_numbers(c, text), file).verdict == "valid"


@pytest.mark.gate_takes(each_of="file wrong")
@pytest.mark.cases_of("texts_of_a_column_are_in_one_base.tsv")
def test_texts_of_a_column_are_in_one_base(c, judged, file, frame, item, wrong):
    """Right numbers are valid, and a shift that leaves a bit too few is not left out."""

    def verdict(astray):
        text = ""
        for piece in ("rook", "bishop"):
            pairs = enumerate(zip(c.magics(piece), c.shifts(piece), strict=True))
            items = (
                item.replace("HEX", f"{magic:016x}")
                .replace("DEC", str(magic))
                .replace("BIN", f"{magic:064b}")
                .replace("SQ", "abcdefgh"[n % 8] + str(n // 8 + 1))
                .replace("BITS", str(64 - shift - astray * (n == 27)))
                .replace("SHIFT", str(shift + astray * (n == 27)))
                for n, (magic, shift) in pairs
            )
            text += frame.replace("ITEMS", ",\n".join(items)).replace("PIECE", piece) + "\n"
        return judged(text, file).verdict

    assert (verdict(0), verdict(1)) == ("valid", wrong)


@pytest.mark.parametrize(
    ("file", "frame"),
    [
        (
            "a.rb",
            "{0}_MAGICS = %w[{1}].map {{ |s| s.to_i(16) }}\n{0}_SHIFTS = %w[{2}].map(&:to_i)\n",
        ),
        ("a.pl", "our @{0}_magics = map {{ hex }} qw({1});\nour @{0}_shifts = qw({2});\n"),
        ("a.ex", "@{0}_magics ~w({1})\n@{0}_shifts ~w[{2}]\n"),
    ],
)
def test_words_are_lists_of_texts(c, judged, file, frame):
    def verdict(wrong):
        text = ""
        for piece in ("rook", "bishop"):
            shifts = c.shifts(piece)
            shifts[27] += wrong
            magics = (f"{n:x}" for n in c.magics(piece))
            text += frame.format(piece, " ".join(magics), " ".join(map(str, shifts)))
        return judged(text, file).verdict

    assert (verdict(0), verdict(1)) == ("valid", "unknown")


@pytest.mark.parametrize(
    ("piece", "table", "radix", "digits"),
    [("rook", "gigantua_plain", "hexadecimal", "016x"), ("bishop", "arasan64", "decimal", "d")],
)
def test_a_base_that_is_taken_makes_no_table_invalid(c, judged, piece, table, radix, digits):
    magics = c.magics(piece, table)
    bits = 12 if piece == "rook" else 0

    def judgement(numbers, maps=()):
        rows = [
            f'{{"magic": "{n:{digits}}", "shift": {64 - bits if bits else shift}}}'
            for n, shift in zip(numbers, c.shifts(piece), strict=True)
        ]
        text = f'{{"{piece}": [{", ".join(rows)}]}}'
        return judged(text, "a.json", maps=maps, pieces=(piece,))

    assert f"the digits of {piece}.magic = {radix}" in judgement(magics).valid[0].guesses
    wrong = [int(f"{magics[0] ^ 0x2:{digits}}"[::-1], 16 if bits else 10), *magics[1:]]
    option = f"--map {piece}.magic={piece}.magic:{radix}"
    found = judgement(wrong)
    assert (found.verdict, option in found.nearest[0].settled_by) == ("unknown", True)
    assert judgement(wrong, (option.split()[1],)).verdict == "invalid"
    none = [int(f"{n:{digits}}"[::-1], 16 if bits else 10) for n in magics]
    found = judgement(none)
    said = " ".join(found.undecided) or found.nearest[0].settled_by
    assert (found.verdict, f"{piece}.magic:decimal" in said) == ("unknown", True)


def test_one_digit_is_the_same_number_in_both_bases(c, judged):
    pairs = enumerate(zip(c.magics("bishop"), c.shifts("bishop"), strict=True))
    rows = [f'{{"magic": "0x{m:x}", "bits": "{64 - s - (n == 27)}"}}' for n, (m, s) in pairs]
    text = f'{{"bishop": [{", ".join(rows)}]}}'
    assert judged(text, "a.json", pieces=("bishop",)).verdict == "invalid"


@pytest.mark.cases_of("what_changes_a_list.tsv")
def test_what_changes_a_list(c, judged, file, text, verdict):
    """Valid, and shown where it may be changed to a number that is not stated."""
    judgement = judged(with_numbers(c, text), file)
    shown = judgement.verdict == "valid" and any(one.writes for one in judgement.valid)
    assert ("shown" if shown else judgement.verdict) == verdict


@pytest.mark.cases_of("what_is_refused.tsv")
def test_what_is_refused(judged, file, text, said):
    with pytest.raises(InputError, match=re.escape(said)):
        judged(text, file)


@pytest.mark.cases_of("how_squares_are_said.tsv")
def test_how_squares_are_said(c, judged, file, frame, item, twice):
    """Items in another order than their squares, with two exchanged, and with one square twice."""

    def verdict(order, squares):
        text = ""
        for piece in ("rook", "bishop"):
            rows = [
                item.replace("SQ", "abcdefgh"[squares[n] % 8] + str(squares[n] // 8 + 1))
                .replace("NO", str(squares[n]))
                .replace("MAGIC", f"{c.magics(piece)[n]:#x}")
                for n in order
            ]
            text += frame.replace("ITEMS", "\n".join(rows)).replace("PIECE", piece) + "\n"
        try:
            return judged(text, file).verdict
        except InputError as error:
            return str(error)

    plain, other = [*range(64)], [*range(20), 21, 20, *range(22, 64)]
    assert verdict(other, plain) == "valid"
    assert verdict(plain, other) == "unknown"
    assert twice in verdict(plain, [*range(20), 19, *range(21, 64)])


@pytest.mark.parametrize(
    ("heading", "item", "between"),
    [
        ("Searching PIECE magics:", "{:#018x}ULL,", "\n"),
        ("PIECE:", "  - {}", "\n"),
        ("## Magics of the PIECE\n", "{:#x}", " "),
    ],
)
def test_a_text_lists_numbers_below_what_they_are(c, judged, heading, item, between):
    """As engines print them: the right ones, others' with a wrong one, and others' below a name."""

    def verdict(rook, bishop):
        lists = {"rook": rook, "bishop": bishop}
        text = "".join(
            "\n".join([heading.replace("PIECE", piece), between.join(map(item.format, own)), ""])
            for piece, own in lists.items()
        )
        return judged(f"{text}Done in 3.2 s\n", "magics.txt").verdict

    rook, bishop = c.magics("rook"), c.magics("bishop")
    assert verdict(rook, bishop) == "valid"
    assert verdict([OFF, *rook[1:]], bishop) == "unknown"
    nothing = [OFF + n for n in range(64)], [OFF - n for n in range(64)]
    if "agics" in heading:
        assert verdict(*nothing) == "unknown"
    else:
        with pytest.raises(InputError, match="no list of 64 numbers could be magics"):
            verdict(*nothing)


def test_what_speaks_against_a_list(c, judged):
    used = "U64 f(int s) { return NAME[s] >> ROOK_SHIFT >> rook_bits[s]; }"
    rival = c.list("rook_magics_2", [OFF, *c.magics("rook")[1:]])
    assert judged(c.source(rival, used.replace("NAME", "rook_magics_2"))).verdict == "unknown"
    assert judged(c.source(rival, used.replace("NAME", "rook_magics"))).verdict == "valid"
    first = rival[rival.index("{") :].replace(";\n", ", {")
    two = c.source().replace("[64] = {", f"[2][64] = {{{first}", 1).replace("};", "}};", 1)
    assert "engine.c:1: rook_magics[0] reads as" in judged(two).undecided[0]
    swapped = {
        p: [64 - n for n in c.shifts(o)] for p, o in (("rook", "bishop"), ("bishop", "rook"))
    }
    for more in ("enum { ROOK_SHIFT = 54 };", c.ints("bits", **swapped)):
        assert judged(c.source(more, used)).verdict == "unknown"
    lines = c.list("rook_magics", c.magics("rook"), line="\n").replace(", \n", ", // \\\n", 1)
    with pytest.raises(InputError, match="rook_magics has 63 items"):
        judged(lines)


def test_lists_that_speak_against_a_reading(c, judged):
    """What goes by name beside the magics: too short, in another order, or the other piece's."""
    masks = {piece: [mask(piece, s) for s in range(64)] for piece in Piece}
    bits = {piece: [m.bit_count() for m in own] for piece, own in masks.items()}
    rows = {piece: [c.magics(piece)[s ^ 56] for s in range(64)] for piece in Piece}
    upside_down = c.source(c.ints("bits", **bits), **rows)
    wrong = [shift + 1 for shift in c.shifts("rook")]
    look = "U64 f(int s, U64 o) { return o * rook_magics[s] >> shifts[s]; }"
    inverse = [c.list(f"{p}_not_masks", [m ^ (1 << 64) - 1 for m in masks[p]]) for p in Piece]
    unlike = c.list("shifts", [square % 40 for square in range(64)], "int")
    assert judged(c.source(*inverse, unlike)).verdict == "valid"
    assert "row 0 is bit 56" in judged(upside_down).remarks[0]
    lists = (
        (c.source(c.list("rook_mask", masks["rook"][:63])), "--map rook.mask=usual"),
        (c.source(c.ints("bits", rook=bits["rook"][:63])), "--bits rook=popcount"),
        (upside_down + c.list("bishop_mask", masks["bishop"]), "--map bishop.mask=bishop_mask or"),
        (c.source(c.ints("bits", **bits), rook=c.magics("bishop"), bishop=c.magics("rook")),
         "--map rook.magic=bishop_magics"),
        (c.source(c.ints("shifts", rook=wrong), c.list("old_rook_shifts", c.shifts("rook"), "int"),
                  "int f(int s) { return rook_shifts[s]; }"), "--map rook.shift=rook_shifts or"),
        (c.source(c.list("shifts", wrong, "int"), look), "shifts (engine.c, line 3) does not"),
        (c.source(c.list("shifts", wrong, "int")), "shifts (engine.c, line 3) does not"),
        (c.source(c.ints("shifts", rook=c.shifts("rook")[:63])), "rook_shifts has 63 items"),
    )  # fmt: skip
    for text, said in lists:
        judgement = judged(text)
        assert (judgement.verdict, said in judgement.undecided[0]) == ("unknown", True)
    assert judged(lists[0][0], maps=("rook.mask=usual",)).verdict == "valid"


@pytest.mark.cases_of("the_option_that_is_said_can_be_given.tsv")
def test_the_option_that_is_said_can_be_given(c, judged, file, frame, said):
    """And the square that conflicts is named."""
    text = ""
    for piece in ("rook", "bishop"):
        shifts = c.shifts(piece)
        shifts[27] += piece == "bishop"
        own = frame.replace("MAGICS", ", ".join(map(hex, c.magics(piece))))
        text += own.replace("NUMBERS", ", ".join(map(str, shifts))).replace("PIECE", piece) + "\n"
    judgement = judged(text, file)
    assert (judgement.verdict, f"--map {said} or" in judgement.undecided[0]) == ("unknown", True)
    assert "1 square of the bishop conflicts, d4 (line " in judgement.undecided[0]
    assert judged(text, file, maps=(said,)).verdict == "invalid"


def test_the_square_itself_may_be_in_the_mask(c, judged):
    """The bishop's a1 conflicts without it; nothing does with it."""
    bishop = [0x02C050040080800E, *c.magics("bishop", "surge")[1:]]
    bishop[27] = c.magics("bishop", "glaurung64")[27]
    own = {"rook": c.magics("rook", "glaurung64"), "bishop": bishop}
    shifts = c.ints("shifts", rook=c.shifts("rook"), bishop=c.shifts("bishop"))
    judgement = judged(c.source(shifts, **own))
    assert judgement.verdict == "valid"
    assert "(occ & mask) | own, the square itself" in judgement.remarks[0]
    bishop[40] = OFF
    assert judged(c.source(shifts, **own)).verdict == "invalid"


def test_a_wrong_number_is_shown_whatever_stands_beside_it(c, judged):
    """Twelve and nine bits for all squares; and a row of 63 beside the one of 64."""
    own = {piece: c.magics(piece, "cfish_plain") for piece in ("rook", "bishop")}
    own["rook"][6] = OFF
    assert [r.bad_squares for r in judged(c.source(**own)).nearest] == [1]
    rows = [
        "{" + ", ".join(map(hex, c.magics(piece)[count:])) + "}"
        for piece, count in (("rook", 0), ("bishop", 1))
    ]
    with pytest.raises(InputError, match=r"rook.c:1: magic\[1\] has 63 items"):
        judged(f"const U64 magic[2][64] = {{{', '.join(rows)}}};\n", name="rook.c")


def test_a_macro_before_a_type_makes_no_name_of_it(c, judged):
    text = c.source().replace("const U64 rook", "const ALIGNED U64 Attacks::rook")
    (reading,) = judged(text, "engine.cpp").valid
    assert reading.piece_readings[0].magic.name == "Attacks::rook_magics"


def test_halves_may_be_shifted_as_whole_words_are(c, judged):
    own = {piece: c.magics(piece, "glaurung32") for piece in ("rook", "bishop")}
    shifts = c.ints("shifts", rook=c.shifts("rook"), bishop=c.shifts("bishop"))
    (reading,) = judged(c.source(shifts, **own)).valid
    assert reading.table.pieces["rook"].index.text.endswith(">> (shift - 32)")


def test_a_wrong_mask_is_accused_and_no_magic(c, judged):
    """A black formula, guessed, would find other squares wrong."""
    masks = [mask("rook", square) for square in range(64)]
    masks[12] ^= 1 << 20
    lists = c.ints("shifts", rook=c.shifts("rook"), bishop=c.shifts("bishop"))
    judgement = judged(c.source(lists, c.list("rook_mask", masks, line="\n")))
    assert (judgement.verdict, len(judgement.nearest)) == ("invalid", 1)
    (finding,) = judgement.nearest[0].report.findings
    assert judgement.nearest[0].wrong_mask(finding) == "it lacks e3"
    (entry,) = judgement.nearest[0].entries(finding)
    assert (entry.list, entry.entry) == ("rook_mask", 12)


def test_an_item_that_is_a_name_is_its_constant_or_not_known(c, judged):
    number = f"{c.magics('rook')[20]:#x}ULL"
    named = c.source(rook_20="ROOK_E3")
    assert judged(f"#define ROOK_E3 {number}\n{named}").verdict == "valid"
    with pytest.raises(InputError, match="entry 20 is ROOK_E3: its number is not in these sources"):
        judged(named)
    branch = c.source(rook_20=f"\n#ifdef OLD\nROOK_E3\n#else\n{number}\n#endif\n")
    assert any("ROOK_E3" in note for note in judged(branch).notes)


def test_every_branch_is_read(c, judged):
    """Sixteen choices, one of them wrong: more than any number of combinations that is tried."""
    numbers = [f"{n:#x}ULL" for n in c.magics("rook")]
    for place in range(16):
        other = f"{OFF:#x}ULL" if place == 15 else numbers[place]
        numbers[place] = f"\n#if defined(C{place})\n{other}\n#else\n{numbers[place]}\n#endif\n"
    assert judged(c.source(rook=numbers)).verdict == "unknown"


SIMPLE = st.sampled_from(["A", "B", "defined(C)", "!defined(D)", "X == 3", "A && B", "!(A || B)"])
CONDITIONS = st.one_of(SIMPLE, st.builds("({}) && !({})".format, SIMPLE, SIMPLE))


@st.composite
def branched(draw, depth=2):
    def number():
        return f"0x{draw(st.integers(1 << 40, 1 << 44)):x},\n"

    parts = []
    for _ in range(draw(st.integers(1, 3))):
        parts.append(f"#if {draw(CONDITIONS)}\n{number()}")
        if depth and draw(st.booleans()):
            parts.append(draw(branched(depth - 1)))
        others = range(draw(st.integers(0, 2)))
        parts += [f"#elif {draw(CONDITIONS)}\n{number()}" for _ in others]
        parts.append(f"#else\n{number()}#endif\n")
    return "".join(parts)


@given(branched())
def test_a_branch_is_taken_or_said(text):
    found = alternatives(text)
    numbers = {n for n in text.split() if n.startswith("0x")}
    for one in found.readings:
        left = text
        for start, end in one.omitted:
            left = left[:start] + " " * (end - start) + left[end:]
        numbers -= {n for n in left.split() if n.startswith("0x")}
    said = " ".join(text[b.start : b.end] for b in found.not_read)
    assert not numbers - set(said.split())


GUARDED = "#ifndef ENGINE_H\n#define ENGINE_H\n{}#endif\n"


@pytest.mark.parametrize(
    ("frame", "conditions"),
    [
        (GUARDED, ()),
        (GUARDED.replace("#ifndef", "#if !defined"), ()),
        (GUARDED.replace("_H\n{", "_H 1\n{"), ("#if !defined(ENGINE_H)",)),
        (GUARDED.replace("#define ENGINE_H\n", ""), ("#if !defined(ENGINE_H)",)),
    ],
)
def test_an_include_guard_is_no_condition(c, judged, frame, conditions):
    assert judged(frame.format(c.source())).valid[0].conditions == conditions
    other = frame.replace("#endif", "#else\nint x = 0x1234567;\n#endif")
    assert judged(other.format(c.source())).valid[0].conditions == conditions


def test_what_a_guarded_header_defines_is_defined(c, judged):
    wrong = c.source(rook_28=OFF)
    text = f"#define OWN\n#ifdef OWN\n{c.source()}#else\n{wrong}#endif\n"
    assert judged(GUARDED.format(text)).verdict == "valid"


def test_a_list_is_one_pieces_where_the_file_is_called_so(c, judged):
    """Columns of the same name in two files: each is claimed by both pieces."""
    for piece, name in (("bishop", "bishop-magics.json"), ("rook", "rook-magics.json")):
        rows = ", ".join(f'{{"magic": {n}, "sq": {s}}}' for s, n in enumerate(c.magics(piece)))
        judgement = judged(f"[{rows}]", name)
        assert (judgement.verdict, judgement.undecided) == ("valid", [])


NAMES = st.from_regex(r"[a-z]{1,8}(_magics|_offset|_table|Rook|Bishop)?", fullmatch=True)
WORDS = st.integers(0, (1 << 64) - 1)
LISTS = st.lists(WORDS, min_size=64, max_size=64) | st.lists(WORDS, min_size=1, max_size=70)
ADDITIONS = st.one_of(
    st.builds("const int {}_x = {};\n".format, NAMES, st.integers(0, 99)),
    st.builds("#define {}_Y {}\n".format, NAMES.map(str.upper), st.integers(0, 99)),
    st.tuples(NAMES.map("{}_z".format), LISTS),
    st.tuples(NAMES.map("{}_s".format), st.lists(st.integers(0, 64), min_size=64, max_size=64)),
    NAMES.map(lambda n: f"int {n}_f(U64 magic, U64 mask) {{ return mask * magic >> 56 >= 6; }}\n"),
    NAMES.map(lambda n: f"void {n}_g(void) {{ U64 m = rook_magics[3] ^ 5; use(63 - m); }}\n"),
    st.sampled_from(["surge", "ethereal"]).map(lambda name: f"@{name}"),
)


@settings(max_examples=8)
@given(additions=st.lists(ADDITIONS, min_size=1, max_size=4), before=st.booleans())
def test_additions_change_nothing_that_is_valid(additions, before, c, judged):
    """Any unused constant, function, list or second correct table."""
    text = ""
    for one in additions:
        if isinstance(one, tuple):
            text += c.list(*one, "U64" if one[0].endswith("z") else "int")
        elif one.startswith("@"):
            for piece in ("rook", "bishop"):
                text += c.list(f"other_{piece}_magics", c.magics(piece, one[1:]))
        else:
            text += one
    assert judged(text + c.source() if before else c.source(text)).verdict == "valid"


def test_places_where_a_list_is_used_are_information(c, judged):
    code = "int f(int s) {\n return rook_magics[63 - s] ^ key;\n}\n// rook_magics in a comment\n"
    judgement = judged(c.source(code))
    assert judgement.verdict == "valid"
    (use,) = judgement.valid[0].also_used
    assert (use.name, use.line, use.function) == ("rook_magics", 4, "f")


@pytest.mark.parametrize(
    ("rook", "bishop"),
    [
        ("ROOKMAGIC", "BISHOPMAGIC"),
        ("rookmagics", "bishopmagics"),
        ("magicrook", "magicbishop"),
        ("castle_magic", "elephant_magic"),
        ("tower", "runner"),
        ("wieza", "goniec"),
        ("lines", "diags"),
    ],
)
def test_names_of_pieces_in_other_words_and_without_capitals_are_seen_swapped(
    c, judged, rook, bishop
):
    def verdict(first, second):
        return judged(c.list(rook, c.magics(first)) + c.list(bishop, c.magics(second))).verdict

    assert (verdict("rook", "bishop"), verdict("bishop", "rook")) == ("valid", "unknown")
