"""The page "Check my magics" says what `magicert verify` says, or that it cannot say."""

import random
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from magicert.api.verify_files import verify_files
from magicert.atlas import read_atlas
from magicert.board import CHESS, square_at
from magicert.chess import Piece, mask, parse_square, square_name
from magicert.data import broken_tables, find_table, tables_by_name, tables_folder
from magicert.outcome import NullPhase
from magicert.problem import InputError
from magicert.scheme import SCHEMES
from magicert.table import Table, parse_table, read_table
from magicert.table.files import TableFile
from magicert.table.model import Provenance
from magicert.table.write import table_toml
from magicert.verify.table.counterexample import Position, Witness
from magicert.verify.table.layout import lay_out
from magicert.verify.table.report import Report
from magicert.verify.table.verifier import verify

SAMPLES = Path(__file__).parents[1] / "source" / "samples"
_TEXTS = [SCHEMES[name].formula.text for name in ("white", "black", "two-halves")]
FORMULAS = {*_TEXTS, *(re.sub(r"\(\d+ - bits\)", "shift", text) for text in _TEXTS)}
SOURCES = Path(__file__).parents[1] / "source"
UNDECIDED = "not decided here"


def compared(in_node, *texts: str) -> Iterator[tuple[Any, TableFile, Report]]:
    """What the page says of tables, with the verifier's figures, and what that says."""
    for text, answer in zip(texts, in_node(*texts), strict=True):
        file = parse_table(text.encode(), Path("x.toml"))
        report = verify(file)
        slots, used = (sum(getattr(b, n) for b in report.buffers) for n in ("length", "slots_used"))
        said = [answer.get(key) for key in ("verdict", "lookups", "slots", "used")]
        assert said == [report.verdict, report.lookups, slots, used], file.table.name
        yield answer, file, report


def changed(table: Table, piece: Piece, key: str, row: int, value: int) -> Table:
    half = table.pieces[piece]
    old = half.offset if key == "offset" else half.parameters[key]
    old = old * 64 if len(old) == 1 else old
    new = (*old[:row], value, *old[row + 1 :])
    about = {"offset": new} if key == "offset" else {"parameters": {**half.parameters, key: new}}
    return replace(table, pieces={**table.pieces, piece: replace(half, **about)})


def magics(name: str, order: list[int] | None = None) -> list[str]:
    """The 128 magics of a table, its rows in another order."""
    pieces, rows = read_table(find_table(name)).table.pieces, order or range(64)
    return [hex(pieces[piece].parameters["magic"][row]) for piece in Piece for row in rows]


def test_every_table_that_ships(in_node):
    usual, others = [], []
    for path in (*tables_by_name().values(), *broken_tables().values()):
        table = read_table(path).table
        if table.board != CHESS:
            continue  # these are in test_check_boards.py
        known = {half.index.text for half in table.pieces.values()} <= FORMULAS
        plain = known and not table.half_board and table.two_level is None
        (usual if plain else others).append(path.read_text("utf-8"))
    assert len(list(compared(in_node, *usual))) > 20
    assert {answer["verdict"] for answer in in_node(*others)} == {UNDECIDED}
    names = ("bbc.c", "tuples.rs", "pointers.cpp")  # the first has two plain lists, and no doubts
    texts = ((SAMPLES / name).read_text("latin-1") for name in names)
    for name, answer in zip(names, in_node(*texts, order="a8"), strict=True):
        ((again, *_),) = compared(in_node, answer["table"])  # the table that it gives
        assert again["verdict"] == "valid"
        assert answer["verdict"] == (UNDECIDED if answer["doubts"] else "valid")
        assert bool(answer["doubts"]) == (name != "bbc.c")
        for key in ("lookups", "slots", "used"):
            assert again[key] == answer[key]


def test_what_lies_outside_and_magics_that_need_fewer_bits(in_node):
    """A buffer that is declared one slot too short, and squares with too few slots."""
    short = replace(read_table(find_table("shakmaty")).table, buffer_size=88_771)
    surge = read_table(find_table("surge")).table
    rook = surge.pieces[Piece.ROOK]
    sizes = [1 << bits for bits in rook.parameters["bits"]]
    sizes[5] -= 1
    pieces = {**surge.pieces, Piece.ROOK: replace(rook, square_size=tuple(sizes))}
    narrow = replace(surge, pieces=pieces)
    for answer, _, report in compared(in_node, table_toml(short), table_toml(narrow)):
        seen = {
            (one["kind"], one["count"], square_name(one["lookups"][0]["square"]))
            for one in answer["findings"]
        }
        assert seen == {(f.kind, f.count, f.lookups[0].square) for f in report.findings}
        assert {kind for kind, *_ in seen} == {"outside"}
    (answer,) = in_node(table_toml(surge))
    own = [one for one in answer["fewer"] if one["own"] < one["bits"]]
    assert own
    for one in own:
        for bits, verdict in ((one["own"], "valid"), (one["own"] - 1, "invalid")):
            fewer = changed(surge, Piece(one["piece"]), "bits", one["square"], bits)
            assert verify(TableFile.unsaved(fewer, "x")).verdict == verdict


@pytest.fixture(scope="module")
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
def test_what_it_advises_breaks_no_engine(in_node, order, best_known):
    """Each advised magic in the entry that is named, with its bits, in an engine of any order."""
    table = replace(read_table(find_table("surge")).table, order=order, listing=order)
    (answer,) = in_node(table_toml(table), atlas=best_known)
    advice = [one for one in answer["fewer"] if one["known"] is not None]
    assert len(advice) > 8
    for one in advice:
        piece, entry = Piece(one["piece"]), one["entry"]
        assert one["square"] == table.row_square(entry)
        table = changed(table, piece, "magic", entry, int(one["magic"], 16))
        table = changed(table, piece, "bits", entry, one["known"])
    assert verify(TableFile.unsaved(table, "x")).verdict == "valid"
    (answer,) = in_node(find_table("shakmaty").read_text("utf-8"), atlas=best_known)
    assert (answer["verdict"], answer["fewer"]) == ("valid", []), "its squares share slots"


def test_the_order_is_found_as_the_command_finds_it(in_node, tmp_path):
    """Names of squares in a row; without them the page says that it does not know."""
    words = magics("surge")
    words[5] = "0x1"
    text = f"u64 rook_magics[64] = {{{','.join(words[:64])}}};\n"
    text += f"u64 bishop_magics[64] = {{{','.join(words[64:])}}};\n"
    named = {
        order: ", ".join(square_name(square_at(order, place)) for place in range(16))
        for order in ("a1", "a8", "h8", "a1-files")
    }
    texts = [f"enum {{ {names} }};\n{text}" for names in named.values()]
    *found, plain = in_node(*texts, text, order="", shifts="fancy")
    for order, source, answer in zip(named, texts, found, strict=True):
        (tmp_path / "engine.c").write_text(source)
        reading = verify_files((str(tmp_path / "engine.c"),), NullPhase).sources[0].result
        assert answer["order"] == reading.nearest[0].table.order == order
        (wrong,) = answer["findings"]
        assert wrong["lookups"][0]["square"] == square_at(order, 5)
        assert wrong["lookups"][0]["entry"] == 5
        assert answer["open"] == []
    assert "bit 0" in plain["open"][0]
    assert plain["findings"][0]["lookups"][0]["entry"] == 5
    (told,) = in_node(text, order="a8", shifts="fancy")
    assert (told["order"], told["open"]) == ("a8", [])


def test_what_was_guessed_accuses_nobody(in_node):
    """A wrong magic, or other shifts than were taken: without these it cannot be told."""
    text = declared("rook", [*magics("surge")[:5], "0x1", *magics("surge")[6:64]])
    text += declared("bishop", magics("surge")[64:])
    (guessed,), (told,) = in_node(text), in_node(text, shifts="fancy")
    assert (guessed["verdict"], told["verdict"]) == (UNDECIDED, "invalid")
    assert guessed["findings"] == told["findings"]
    assert any("bits the index" in one for one in guessed["open"])


@pytest.mark.parametrize("how_many", [30, pytest.param(120, marks=pytest.mark.slow)])
def test_random_changes(in_node, how_many):
    """Numbers exchanged at random: the same verdicts and figures, valid or not."""
    rng = random.Random(21)
    names = ["surge", "carp", "shakmaty", "cuckoo", "bbc", "olah", "seer", "glaurung32", "white"]
    texts = []
    for _ in range(how_many):
        table = read_table(find_table(rng.choice([*names, "layered"]))).table
        piece = rng.choice(list(table.pieces))
        half = table.pieces[piece]
        others = ["bits"] if "bits" in half.parameters else []
        key = rng.choice(["magic", "magic", *others, *(["offset"] if half.offset else [])])
        row = rng.randrange(64)
        if key == "offset":
            value = max(0, half.offset[row] + rng.choice([-64, -1, 1, 7, 4096]))
        elif key == "bits":
            value = half.parameters[key][row % len(half.parameters[key])] + rng.choice([-1, 1])
        else:
            value = half.parameters[key][row] ^ 1 << rng.randrange(64)
        texts.append(table_toml(changed(table, piece, key, row, value)))
    verdicts = set()
    for answer, file, report in compared(in_node, *texts):
        verdicts.add(report.verdict)
        if not any(finding.kind == "outside" for finding in report.findings):
            check_findings(answer, file)
    assert verdicts == {"valid", "invalid"}


def check_findings(answer: dict[str, Any], file: TableFile) -> None:
    """Each counterexample is one by the verifier's own first principles."""
    layouts = {part.table.piece: part for buffer in lay_out(file) for part in buffer.pieces}
    witness = Witness(file.table)
    for finding in answer["findings"]:
        seen = []
        for told in finding["lookups"]:
            row = next(row for row in range(64) if file.table.row_square(row) == told["square"])
            position = Position(layouts[Piece(told["piece"])], row, int(told["occupancy"], 16))
            true = witness.lookup(position)
            assert [true.index, true.slot, true.attacks] == [
                told[key] for key in ("index", "slot", "attacks")
            ]
            assert sorted(map(parse_square, true.attacked)) == sorted(told["attacked"])
            seen.append(true)
        if finding["kind"] == "conflict":
            assert seen[0].slot == seen[1].slot
            assert seen[0].attacks != seen[1].attacks


def agree(page_says, paths: list[Path]) -> list[str]:
    """What the page says of files: never more than the command."""
    said = []
    answers = page_says(*(path.read_text("utf-8", "replace") for path in paths))
    for path, answer in zip(paths, answers, strict=True):
        said.append(answer["verdict"])
        if answer["verdict"] != UNDECIDED:
            assert answer["verdict"] in ("valid", "invalid"), path.name
            assert answer["verdict"] == verify_files((str(path),), NullPhase).verdict, path.name
        else:
            assert answer.get("doubts") or answer.get("message") or answer["findings"], path.name
    return said


@pytest.mark.parametrize("every", [4, pytest.param(1, marks=pytest.mark.slow)])
def test_the_page_says_of_every_source_what_the_command_says_or_nothing(page_says, every):
    """Of all samples, shapes and cases that the command's tests have."""
    folders = [path for path in sorted(SOURCES.rglob("*")) if path.is_dir()]
    paths = [
        path
        for folder in folders
        if "boards" not in folder.relative_to(SOURCES).parts and folder.name != "__pycache__"
        for path in sorted(folder.iterdir())
        if path.is_file() and path.name not in ("index.toml", "expected.tsv")
    ]
    assert len(paths) > 100
    agree(page_says, paths[::every])


def declared(name: str, words: list[str], kind: str = "const uint64_t") -> str:
    return f"{kind} {name}[{len(words)}] = {{{', '.join(words)}}};\n"


@pytest.fixture(scope="module")
def declarations() -> dict[str, tuple[str, str]]:
    """Sources of nothing but lists, and with something that changes what they mean; and what the
    page says of them.
    """
    rook, bishop = magics("surge")[:64], magics("surge")[64:]
    bits = {p: [str(64 - mask(Piece(p), s).bit_count()) for s in range(64)] for p in Piece}
    masks = {p: [hex(mask(Piece(p), s)) for s in range(64)] for p in Piece}
    wrong = [*rook[:9], hex(int(rook[9], 16) ^ 1 << 20), *rook[10:]]
    bishops = declared("bishop_magics", bishop)
    both = declared("rook_magics", rook) + bishops
    broken = declared("rook_magics", wrong) + bishops
    amounts = "".join(declared(f"{p}_shifts", bits[p], "const int") for p in Piece)
    named = "".join(declared(f"{p}_masks", masks[p]) for p in Piece)
    pair = ", ".join(rook), ", ".join(bishop)
    late = [*bits[Piece.ROOK][:5], "40", *bits[Piece.ROOK][6:]]
    other = {
        "both": both,
        "with their shifts": both + amounts,
        "with their masks": both + named,
        "in one list": f"uint64_t magics[2][64] = {{{{{pair[0]}}}, {{{pair[1]}}}}};\n",
        "named neither": declared("first", rook) + declared("second", bishop),
        "with their tables": "U64 rook_attacks[64][4096];\n".replace("U64", "uint64_t") + both,
        "a typedef": f"typedef unsigned long long U64;\n{both.replace('uint64_t', 'U64')}",
        "Rust": "".join(
            f"pub const {name}: [u64; 64] = [{', '.join(words)}];\n"
            for name, words in (("ROOK", rook), ("BISHOP", bishop))
        ),
    }
    spoilt = {
        "63 rooks": declared("rook_magics", rook[:63]) + bishops + amounts,
        "65 rooks": declared("rook_magics", [*rook, "0x1"]) + bishops,
        "no rooks": bishops + amounts,
        "no bishops": declared("rook_magics", rook) + declared("rook_shifts", bits[Piece.ROOK]),
        "names exchanged": declared("bishop_magics", rook) + declared("rook_magics", bishop),
        "shifts exchanged": both + amounts.replace("rook", "x").replace("bishop", "rook"),
        "32 bits": both.replace("uint64_t", "uint32_t"),
        "a narrow type": "typedef unsigned int U64;\n" + both.replace("uint64_t", "U64"),
        "a wrong magic, no shifts": broken,
        "a list besides": both + declared("rook_magics_new", wrong),
        "masks of nobody": both + named.replace(masks[Piece.ROOK][20], "0x7e", 1),
        "written beside tables": both + "uint64_t t[64][9];\nvoid f() { rook_magics[3] = 0; }\n",
        "tables of another type": both + "uint32_t rook_attacks[64][4096];\n",
        "written later": both + "void init() { rook_magics[3] = 0; }\n",
        "written by a pointer": both + "uint64_t *p = rook_magics;\n",
        "a number by name": both.replace(rook[7], "R7"),
        "a sum": both.replace(rook[7], f"{rook[7]} + 1"),
        "an octal number": both.replace(f"{rook[7]}, ", "017, "),
        "a product of all": both.replace("};", "} * 3;", 1),
        "in a call": both.replace("= {", "= turned({", 1).replace("};", "});", 1),
        "reversed": both.replace("};", "}.reversed();", 1),
        "a shift of its own": both + "const int rook_shift = 40;\n",
        "a comment that hides nothing": f"// old /*\n{broken}// */\n{both}",
        "a macro": "#define uint64_t unsigned\n" + both,
        "left out by #if": "#if 0\n" + both + "#endif\n",
        "bare": "\n".join([*rook, *bishop]),
        "shifts that do not go with them": both + amounts.replace(bits[Piece.ROOK][5], "40", 1),
        "one shift wrong": both + amounts.replace(", ".join(bits["rook"]), ", ".join(late)),
    }  # fmt: skip
    found = {name: (text, "valid") for name, text in other.items()}
    found |= {name: (text, UNDECIDED) for name, text in spoilt.items()}
    invalid = broken + amounts
    return {**found, "a wrong magic": (invalid, "invalid")}


def test_what_changes_the_meaning_of_lists_is_not_decided_on_the_page(
    page_says, declarations, tmp_path
):
    paths = []
    for number, (text, _) in enumerate(declarations.values()):
        paths.append(tmp_path / f"{number}.{'rs' if 'u64;' in text else 'c'}")
        paths[-1].write_text(text)
    said = agree(page_says, paths)
    decided = {name for name, one in zip(declarations, said, strict=True) if one != UNDECIDED}
    for name, (_, verdict) in declarations.items():
        if verdict == UNDECIDED and not name.endswith(
            ("that do not go with them", "one shift wrong")
        ):
            assert name not in decided
        elif verdict != UNDECIDED:
            assert (name, said[list(declarations).index(name)]) == (name, verdict)


BESIDE = 'order = "a1"\n'


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('name = "', 'title = "'),
        ('name = "', 'name = 3 # "'),
        (BESIDE, 'order = "a1" listing = "a1"\n'),
        (BESIDE, 'order = "a1"\norder = "a1"\n'),
        (BESIDE, 'order = "a1"\nlisting = "a9"\n'),
        (BESIDE, 'order = "a1"\nbuffer_size = 9999999\n'),
        (BESIDE, 'order = "a1"\nbuffer = "both"\n'),
        (BESIDE, 'order = "a1"\n[provenance]\nsource = "x"\n'),
        (BESIDE, 'order = "a1"\n[provenance]\nseed = -1\n'),
        ("magicert = 1", "magicert = 01"),
        ("magicert = 1", "magicert = 1_"),
        ("magicert = 1", 'magicert = "1"'),
        ("[rook]", "[rook]\nbuffer_size = 0"),
        ("[rook]", '[rook]\nbuffer_size = "0x40000"'),
        ("[rook]", "[rook]\nsquare_size = 0"),
        ("[rook]", "[rook]\nsquare_size = 8589934592"),
        ("[rook]", "[rook]\nshift = 52"),
        ("[rook]", "[rook]\noffset = 3"),
        ("[rook]", "[rook]\nmask = 0"),
        ("[rook]", '[rook]\nresult = "word & line"'),
        ("[rook]", '[rook]\npiece = "B"'),
        ("[rook]", "[[rook]]"),
        ("[rook]", "[knight]"),
        ("[rook]", 'rook.result = "word"\n[rook]'),
    ],
)
def test_the_page_takes_no_table_file_that_the_command_refuses(in_node, old, new):
    text = table_toml(replace(read_table(find_table("surge")).table, provenance=Provenance()))
    if BESIDE not in text:
        text = text.replace("\n\n", f"\n{BESIDE}\n", 1)
    assert in_node(text)[0]["verdict"] == "valid"
    assert old in text
    spoilt = text.replace(old, new, 1)
    (answer,) = in_node(spoilt)
    try:
        verdict = verify(parse_table(spoilt.encode(), Path("x.toml"))).verdict
    except InputError:
        verdict = "bad input"
    assert answer["verdict"] in (verdict, UNDECIDED)


def test_bare_numbers_in_any_order(in_node):
    """A list that runs against the bits of the board is found to."""
    flipped = magics("surge", [row ^ 56 for row in range(64)])
    files = magics("carp", [(row & 7) * 8 + (row >> 3) for row in range(64)])
    answers = in_node(*map("\n".join, (magics("surge"), flipped, files)))
    assert [answer["verdict"] for answer in answers] == [UNDECIDED] * 3
    assert [answer["findings"] for answer in answers] == [[]] * 3
    assert [answer["listing"] for answer in answers] == ["a1", "a8", "a1-files"]
    assert answers[2]["schemes"] == {"rook": "black", "bishop": "black"}


ROOK = "magicert = 1\n[rook]\nindex = \"((occ & mask) * magic) >> shift\"\nshift = "  # fmt: skip


def test_bad_input_has_a_message(in_node):
    answers = in_node(
        "", "magicert = 1", "magicert = 1\n[rook]\nindex = 3", "}{)(" * 99, "1," * 63, "0x" * 64,
        f"{ROOK}52\nmagic = 5",
        f"{ROOK}52\nmagic = [" + '"0x10000000000000000",' * 64 + "]",
        f"{ROOK}99\nmagic = [" + '"0x1",' * 64 + "]",
        "const x = [" + "0xfedcba9876543210, " * 64 + "];",
    )  # fmt: skip
    for answer in answers:
        assert answer["verdict"] == UNDECIDED
        assert answer["message"]
    text = find_table("surge").read_text("utf-8")
    odd = text.replace("[rook]\n", '[rook]\nresult = "x"\n', 1)
    half = text.replace("order =", 'board = "ranks 1-4"\norder =', 1)
    assert [answer["verdict"] for answer in in_node(odd, half)] == [UNDECIDED] * 2


def test_a_wrong_line_is_named_and_mended(in_node, best_known):
    """One wrong digit in a source; what is offered is valid, in the number's spelling."""
    table = read_table(find_table("surge")).table
    rows = [f"0x{magic:016X}ULL" for magic in table.pieces["rook"].parameters["magic"]]
    rows[3] = rows[3][:-5] + "1" + rows[3][-4:]
    shifts = ", ".join(str(64 - mask(Piece.ROOK, square).bit_count()) for square in range(64))
    listed = ",\n".join(rows)
    text = f"uint64_t rook[64] = {{\n{listed}}};\nint rook_shifts[64] = {{{shifts}}};\n"
    (found,) = in_node(text, atlas=best_known)
    assert found["verdict"] == UNDECIDED, "of one piece only"
    assert found["findings"][0]["place"]["line"] == 5
    (change,) = found["repair"]["changes"]
    assert change["token"] == rows[3]
    assert change["by"] == f"{int(best_known['rook']['d1'][1], 16):#018x}ULL"
    assert in_node(found["repair"]["text"])[0]["findings"] == []
    (twice,) = in_node(f"{text}// {rows[3]}\n", atlas=best_known)
    assert (twice["findings"][0]["place"], twice["repair"]) == (None, None)


def test_the_page_names_the_command_for_lists_of_another_board(page_says, run, tmp_path):
    """The page names the command that the command itself would."""
    numbers = [hex((n + 1) * 0x9E3779B97F4A7C15 % 2**64) for n in range(120)]
    cases = [("RookMagics", 81), ("CannonMagics", 90), ("BishopMagics", 90), ("rook_magics", 36)]
    sources = [
        f"const unsigned long long {name}[{count}] = {{{', '.join(numbers[:count])}}};\n"
        for name, count in cases
    ]
    rust = f"pub const ROOK_MAGICS: [u64; 81] = [{', '.join(numbers[:81])}];"
    none = f"int mailbox[120] = {{{', '.join(numbers)}}};"
    *answers, by_rust, of_none = page_says(*sources, rust, none)
    for source, answer in zip(sources, answers, strict=True):
        path = tmp_path / "magics.c"
        path.write_text(source)
        command = answer["command"].replace("FILE", str(path))
        assert command in run("verify", path, status=2).output
        assert "fields above" in answer["message"]
    assert by_rust["command"].endswith("--board 9x9 --piece ROOK_MAGICS=R")
    assert of_none["message"] == "no list of 64 long numbers"
    assert "command" not in of_none
