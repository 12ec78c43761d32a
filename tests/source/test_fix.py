"""The counterexample names its place in the source, and `magicert fix` puts the number right."""

import json
import re
import shlex
import shutil
import subprocess
from itertools import accumulate
from pathlib import Path

import pytest

import magicert
from magicert.chess import Piece, mask
from magicert.languages.language import language_of
from magicert.verify.fixing import repair
from magicert.verify.fixing.edits import SourceFile, rewritten
from magicert.verify.fixing.repair import slips_of
from magicert.verify.source.cut_lists import columns_of
from magicert.verify.source.lists import read_sources
from magicert.verify.source.variant import CHESS_VARIANT

SAMPLES = Path(__file__).parent / "samples"
ROW = 27
OTHER = 0x1234567812345678


@pytest.fixture
def put_right(command):
    """`fix --write` makes a file that is not valid what it was; its result."""

    def mended(path, right, status=1):
        assert command("verify", path).exit_code == status
        result = command("fix", path, "--write")
        assert result.exit_code == 0, result.stderr
        assert path.read_text() == right
        return result

    return mended


@pytest.fixture
def unpublished(monkeypatch):
    """As if no published table had these magics."""
    monkeypatch.setattr(repair, "published_number", lambda *_: None)


@pytest.fixture
def broken(engine, c):
    """bbc in C with another rook magic on d4, each on a line of its own; right and wrong text."""

    def write(wrong=None, line="\n"):
        path, right = engine(), c.magics("rook")[ROW]
        wrong = right ^ 7 << 36 if wrong is None else wrong
        text = path.read_text().replace(f"{right:#x}", f"{wrong:#x}", 1)
        path.write_bytes(text.replace(", ", f",{line}").encode())
        return path, f"{right:#x}ULL", f"{wrong:#x}ULL"

    return write


def test_entries_count_as_the_engine_does(command, engine, c):
    """A list with subscripts is in the order of these, whatever the order of its lines."""
    items = [f"[{row}] = {magic:#x}ULL" for row, magic in enumerate(c.magics("rook"))]
    items[ROW] = f"[{ROW}] = 1"
    path = engine()
    rooks = c.list("rook_magics", items[::-1], line="\n")
    path.write_text(rooks + path.read_text().partition("\n")[2])
    report, *_ = json.loads(command("verify", path, "--json").stdout)["reports"]
    ((entry,),) = report["reading"]["entries"]
    assert (entry["entry"], entry["line"], entry["number"]) == (ROW, 38, "0x1")


@pytest.mark.usefixtures("unpublished")
def test_a_slip_is_undone(command, broken):
    """Another slip may explain it as well, but one digit is all that changes."""
    path, _, wrong = broken()
    result = command("fix", path)
    assert result.exit_code == 0
    assert "(one digit)" in result.stderr
    new = re.search(r"^\+(0x\w+ULL),$", result.stdout, re.MULTILINE)[1]
    assert int(wrong[2:-3], 16) in slips_of(int(new[2:-3], 16), 16)


@pytest.mark.usefixtures("unpublished")
def test_a_digit_too_many_is_a_finding_and_dropped(command, engine, c):
    texts = [f"{magic:#018x}ULL" for magic in c.magics("rook")]
    wide = f"{texts[0][:5]}7{texts[0][5:]}"
    path = engine(rook=[wide, *texts[1:]])
    result = command("verify", path, "--bits", "popcount")
    assert result.exit_code == 1
    assert f"rook a1 has a wrong magic: {wide[:-3]} has 68 bits" in result.stdout
    (help_,) = re.findall("help: magicert (.*) changes one digit: (.*) becomes (.*)", result.stdout)
    assert help_[1:] == (wide, texts[0])
    assert command(*help_[0].split(), "--write").exit_code == 0
    assert texts[0] in path.read_text()


def test_a_published_number_is_restored(command, broken, monkeypatch, tmp_path):
    path, right, wrong = broken(OTHER)
    monkeypatch.chdir(tmp_path)
    result = command("fix", path.name)
    assert result.exit_code == 0
    assert f"-{wrong},\n+{right},\n" in result.stdout
    assert "(as in bbc)" in result.stderr  # the set that verify names
    assert "engine.c is valid" in result.stderr
    assert wrong in path.read_text()
    found = json.loads(command("fix", path.name, "--json").stdout)
    assert (found["verdict_before"], found["verdict"]) == ("unknown", "valid")
    (change,) = found["changes"]
    assert (change["square"], change["old"], change["new"]) == ("rook d4", wrong, right)
    assert found["patch"] == result.stdout
    if git := shutil.which("git"):
        subprocess.run([git, "apply", "-"], input=result.stdout.encode(), check=True)
        assert right in path.read_text()


@pytest.mark.usefixtures("unpublished")
def test_write_changes_the_number_and_nothing_else(command, broken, monkeypatch):
    path, _, wrong = broken(OTHER, line="\r\n")
    assert "(in the atlas, found by " in command("fix", path).stderr
    (corner,) = repair.read_atlas(repair.atlas_path("black"), ("rook", 0))
    assert corner.state == "open", "none is known there"
    monkeypatch.setattr(repair, "read_atlas", lambda *_: [])
    path.chmod(0o640)
    before = path.read_bytes()
    first, other = (command("fix", path, "--seed", seed).stdout for seed in (1, 2))
    assert path.read_bytes() == before
    result = command("fix", path, "--write", "--seed", 1)
    assert result.exit_code == 0
    assert first == result.stdout != other
    after = path.read_bytes()
    head, _, tail = before.partition(wrong.encode())
    assert after.startswith(head)
    assert after.endswith(tail)
    assert re.fullmatch(rb"0x[0-9a-f]+ULL", after[len(head) : len(after) - len(tail)])
    assert path.stat().st_mode & 0o777 == 0o640
    assert command("verify", path).exit_code == 0


def test_a_number_of_a_shared_buffer_is_restored(put_right, tmp_path, judged_sample):
    """Squares that share slots need the very number, and not just a magic."""
    path, text = tmp_path / "black_pairs.c", (SAMPLES / "black_pairs.c").read_text()
    magic = judged_sample("black_pairs.c").valid[0].piece_readings[0].magic.words[ROW]
    path.write_text(text.replace(f"{magic:x}", f"{magic ^ 0xF0F00:x}"))
    put_right(path, text, status=3)  # its bits are taken


def test_numbers_beside_the_magics_are_put_right(command, put_right, engine, c):
    """The magics stay; a valid source needs no fix."""
    shifts, masks = c.shifts("rook"), [mask("rook", square) for square in range(64)]
    right = engine(c.ints("shifts", rook=shifts), c.list("rook_masks", masks)).read_text()
    shifts[20] += 1
    masks[40] ^= 1 << 41
    path = engine(c.ints("shifts", rook=shifts), c.list("rook_masks", masks))
    put_right(path, right)
    result = command("fix", path, "--write")
    assert (result.exit_code, result.stdout) == (0, "")
    assert "needs no fix" in result.stderr


def test_what_numbers_do_not_mend_is_said(command, broken, engine, c):
    computed, _, _ = broken(OTHER)
    words = re.sub(r"0x(\w+?)(\w{6})ULL,\n", r"(0x\1ULL << 24 | 0x\2),\n", computed.read_text())
    computed.write_text(words)
    result = command("fix", computed)
    assert (result.exit_code, result.stdout) == (3, "")
    assert "entry 27 of rook_magics is not a plain number" in result.stderr
    result = command("fix", engine(c.ints("offsets", rook=range(0, 64 * 4000, 4000))))
    assert result.exit_code == 1
    assert "no single number is wrong" in result.stderr


@pytest.mark.parametrize("path", ["no_such.c", ".", "table.toml", "-", "half.c"])
def test_what_is_no_source_is_bad_input(command, tmp_path, monkeypatch, c, path):
    monkeypatch.chdir(tmp_path)
    Path("table.toml").write_text("magicert = 1\n")
    Path("half.c").write_text(c.list("bishop_magics", c.magics("bishop")))
    assert command("fix", path).exit_code == 2


def shape(number):
    """A number's notation: its digits, however many, are one h."""
    digits = re.sub("[0-9a-fA-F]+", "h", number.lstrip("-"))
    return re.sub(r"(?:h[_'])+", "", digits)


def all_numbers(path, data):
    ((source,),) = read_sources([(path, data)])
    return [number.value for one in source.lists for number in one.row.flat()]


@pytest.mark.cases_of("the_notation_of_the_number_stays.tsv")
def test_the_notation_of_the_number_stays(judged_sample, name):
    """Of one that is below 0 in a signed word, or becomes so, too."""
    path, data = SAMPLES / name, (SAMPLES / name).read_bytes()
    file, column = SourceFile(path, data), judged_sample(name).valid[0].piece_readings[0].magic
    row = next((row for row, value in enumerate(column.values) if value < 0), ROW)
    for number in (0x1234567890123456, 0xF234567890123456):
        edits = file.edits(column, row, number)
        assert all(shape(edit.old) == shape(edit.new.lstrip("-")) for edit in edits)
        assert column.values[row] >= 0 or edits[0].new.startswith("-") == number >> 63
        now = all_numbers(path, file.encoded(file.with_edits(edits)))
        pairs = zip(all_numbers(path, data), now, strict=True)
        changed = [new % 2**64 for old, new in pairs if old != new]
        high, low = number >> 32, number & 0xFFFFFFFF
        assert changed in ([number], [high, low], [low, high])


def test_a_complement_stays_one(c, judged):
    right = c.magics("rook")[ROW]
    text, path = c.source(rook_27=f"~{right ^ 2**64 - 1:#x}ULL"), Path("engine.c")
    file = SourceFile(path, text.encode())
    (edit,) = file.edits(judged(text).valid[0].piece_readings[0].magic, ROW, 0x1234)
    assert edit.new == "0xffffffffffffedcbULL"
    now = all_numbers(path, file.encoded(file.with_edits([edit])))
    assert (right in now, 0x1234 in now) == (False, True)


@pytest.mark.cases_of("rewritten.tsv")
def test_rewritten(name, text, value, digits, expected):
    language = language_of(Path(name))
    assert rewritten(text, int(value, 16), language, int(digits)) == expected


@pytest.mark.cases_of("the_largest_number_is_one_of_its_language.tsv")
def test_the_largest_number_is_one_of_its_language(name, source, text, expected):
    """Where no other number of the list is below 0, its type says whether this one is."""
    numbers = ", ".join([text, *(text.replace("5", f"{10**14 + n}") for n in range(63))])
    data = source.replace("...", numbers).encode()
    ((read,),) = read_sources([(Path(name), data)])
    (column,), *_ = columns_of(read, CHESS_VARIANT)
    (edit,) = SourceFile(Path(name), data).edits(column, 0, 0x8480008002000100)
    assert edit.new == expected


# Every magic is right, and an offset or a name is not.


@pytest.fixture
def with_offsets(engine, c):
    """bbc in C with lists of offsets, one buffer for both; `wrong` replaces some of the rook's."""

    def write(wrong):
        sizes = [1 << mask(piece, square).bit_count() for piece in Piece for square in range(64)]
        offsets = list(accumulate(sizes[:-1], initial=0))
        own = {str(piece): offsets[64 * n : 64 * n + 64] for n, piece in enumerate(Piece)}
        own["rook"] = [wrong.get(row, offset) for row, offset in enumerate(own["rook"])]
        return engine(c.ints("offsets", **own))

    return write


@pytest.mark.parametrize("wrong", [{0: 1}, {5: 9, 27: 0}])
def test_a_wrong_offset_is_put_right(put_right, with_offsets, wrong):
    right = with_offsets({}).read_text()
    result = put_right(with_offsets(wrong), right)
    assert "the sum of the sizes before" in result.stderr


def test_an_offset_is_put_back_as_published(put_right, tmp_path):
    """Where squares share slots, no sum says what an offset was."""
    path, text = tmp_path / "magics.rs", magicert.emit("shakmaty", "rust")
    offset = magicert.read_table("shakmaty").table.pieces["bishop"].offset[12]
    assert len(re.findall(rf"\b{offset}\b", text)) == 1
    path.write_text(re.sub(rf"\b{offset}\b", f"{offset + 7}", text))
    assert "(as in " in put_right(path, text).stderr


def test_what_is_not_found_is_not_said_to_be_impossible(command, with_offsets):
    path = with_offsets({row: 4096 * (row // 2) for row in range(64)})
    result = command("fix", path)
    assert (result.exit_code, result.stdout) == (3, "")
    assert "no patch was found" in result.stderr
    assert "cannot" not in result.stderr
    # Offsets that are one too small, of records for both pieces, are told by their part.
    for one in (path, Path(__file__).parent / "shapes/places_too_small.c"):
        shown = command("verify", one)
        assert shown.exit_code == 3
        (options,) = re.findall(r"if that is what the engine computes, add (.*)", shown.stdout)
        assert command("verify", one, *shlex.split(options)).exit_code == 1


def test_lists_under_each_others_names_are_said_in_one_sentence(command, engine):
    path, other = engine(), {"rook": "bishop", "bishop": "rook"}
    path.write_text(re.sub("rook|bishop", lambda found: other[found[0]], path.read_text()))
    sentence = "bishop_magics holds magics of a rook, and rook_magics holds magics of a bishop"
    for name in ("verify", "fix"):
        result = command(name, path)
        assert result.exit_code == 3, result.output
        assert result.output.count(sentence) == 1
    (options,) = re.findall(r"; add (--map .*) if this is meant", command("verify", path).stdout)
    assert command("verify", path, *shlex.split(options)).exit_code == 0
    maps = ("--map", "rook.magic=bishop_magics", "--map", "bishop.magic=rook_magics")
    assert sentence not in command("verify", path, *maps).output


SWAPPED = [
    ("a.c", "const U64 {name}[64] = {{ {numbers} }};\n", ("Rook", "Bishop")),
    ("a.c", "const U64 {name}[64] = {{ {numbers} }};\n", ("magic_r", "magic_b")),
    ("a.c", "const U64 {name}[64] = {{ {numbers} }};\n", ("ORTHOGONAL", "DIAGONAL")),
    ("a.h", "namespace {name} {{ constexpr U64 magics[64] = {{ {numbers} }}; }}\n", ("R", "B")),
    ("a.java", "class {name} {{ final long[] MAGICS = {{ {numbers} }}; }}\n", ("Rook", "Bishop")),
    ("a.rs", "mod {name} {{ pub const MAGICS: [u64; 64] = [ {numbers} ]; }}\n", ("rook", "bishop")),
    ("a.py", "{name} = [ {numbers} ]\n", ("ROOK_MAGICS", "BISHOP_MAGICS")),
    ("a.json", "{{\"{name}\": [ {numbers} ]}}\n", ("rookMagics", "bishopMagics")),
    ("a.lua", "{name} = {{ {numbers} }}\n", ("rook", "bishop")),
]  # fmt: skip


@pytest.mark.parametrize(("file", "frame", "names"), SWAPPED)
def test_numbers_under_the_other_piece_s_name_are_not_decided(judged, c, file, frame, names):
    """An engine that looks them up by these names has a broken table."""
    item = {"a.c": "{:#x}ULL", "a.h": "{:#x}ULL", "a.java": "{:#x}L"}.get(file, "{:#x}")

    def verdict(pieces):
        lists = [
            frame.format(name=name, numbers=", ".join(item.format(n) for n in c.magics(piece)))
            for name, piece in zip(names, pieces, strict=True)
        ]
        text = "".join(lists)
        if file == "a.json":
            text = text.replace("}\n{", ",")
        return judged(text, file)

    assert verdict(("rook", "bishop")).verdict == "valid"
    judgement = verdict(("bishop", "rook"))
    assert judgement.verdict == "unknown"
    (said,) = judgement.undecided
    assert "holds magics of a rook" in said
    assert re.search("add --map .*rook.magic=", said)


@pytest.mark.parametrize("count", [61, 63, 65])
def test_a_list_that_lacks_a_number_is_bad_input_in_a_folder_too(command, engine, c, count):
    """A file with fewer numbers than squares may be a table's all the same."""
    right = engine(name="right.c")
    numbers = [*c.magics("rook"), c.off][:count]
    (right.parent / "left_out.c").write_text(c.list("rook_magics", numbers))
    for path in (right.parent / "left_out.c", right.parent):
        result = command("verify", path)
        assert result.exit_code == 2
        assert f"rook_magics has {count} items: expected 64, one a square" in result.output


# One wrong number in a list whose piece no name says, or a file's alone.


@pytest.mark.parametrize("wrong", ["magic", "bits"])
@pytest.mark.parametrize("piece", ["rook", "bishop"])
@pytest.mark.parametrize("key", ["magic", "mul"])
@pytest.mark.parametrize("stem", ["{piece}-magics", "numbers"])
def test_what_is_told_of_an_unnamed_list_is_the_reading_with_the_fewest_conflicts(
    c, judged, wrong, piece, key, stem
):
    """It is no list of the other piece's, with conflicts on all squares."""
    rows = [
        [magic, 64 - shift] for magic, shift in zip(c.magics(piece), c.shifts(piece), strict=True)
    ]
    rows[20] = [c.off, rows[20][1]] if wrong == "magic" else [rows[20][0], rows[20][1] - 1]
    text = ",\n".join(f'{{"{key}": {magic}, "bits": {bits}}}' for magic, bits in rows)
    judgement = judged(f"[\n{text}\n]\n", f"{stem.format(piece=piece)}.json")
    assert judgement.verdict == ("invalid" if "{" in stem else "unknown")
    other = "bishop" if piece == "rook" else "rook"
    assert not any(f"squares of the {other} conflict" in own for own in judgement.undecided)
    reading = judgement.nearest[0]
    assert reading.bad == {f"{piece} e3"}
    (entry,) = reading.entries(reading.report.findings[0])
    assert (entry.line, entry.list) == (22, key if wrong == "magic" else "bits")


@pytest.mark.parametrize("kind", ["bits", "shift"])
@pytest.mark.parametrize("stated", [False, True])
def test_a_wrong_number_of_bits_is_named_and_mended(c, command, engine, kind, stated):
    """Not the magic, which is right with as many bits as the others have."""
    numbers = {
        p: [s if kind == "shift" else 64 - s for s in c.shifts(p)] for p in ("rook", "bishop")
    }
    right = numbers["rook"][28]
    numbers["rook"][28] += 1 if kind == "shift" else -1
    path = engine(c.ints(kind, **numbers))
    options = ("--map", f"rook.{kind}=rook_{kind}") if stated else ()
    result = command("verify", path, *options)
    assert result.exit_code == (1 if stated else 3)
    own = f"rook_{kind} has {numbers['rook'][28]}, and with {right} nothing conflicts"
    assert re.search(rf"engine\.c:3:\d+: rook e4.* number of bits: {own}", result.output)
    fixed = command("fix", path, *options)
    assert fixed.exit_code == 0
    assert f"entry 28 of rook_{kind}" in fixed.stderr


@pytest.mark.parametrize(
    "digit", [1, *(pytest.param(n, marks=pytest.mark.long) for n in range(4, 14, 3))]
)
@pytest.mark.parametrize(
    ("piece", "row"), [("rook", 0), ("rook", 28), ("bishop", 27), ("bishop", 7)]
)
def test_fix_finds_one_digit_of_a_known_set_where_bits_are_guessed(
    c, command, engine, piece, row, digit
):
    """Though a longer index hides it."""
    numbers = c.magics(piece)
    text = f"{numbers[row]:016x}"
    text = f"{text[:digit]}{(int(text[digit], 16) + 5) % 16:x}{text[digit + 1 :]}"
    path = engine(**{f"{piece}_{row}": int(text, 16)})
    result = command("verify", path)
    if result.exit_code == 0:
        return  # a magic, too
    fixed = command("fix", path)
    assert fixed.exit_code == 0, fixed.output
    assert re.search(rf"becomes {numbers[row]:#x}ULL \(as in bbc\)|\(one digit\)", fixed.stderr)


def test_the_square_that_is_not_a_set_s_is_named(c, command, engine):
    """With its line, its number and the set's."""
    known = c.magics("rook")[28]
    path = engine(rook_28=known | 1)
    result = command("verify", path)
    assert result.exit_code == 0
    named = f"{known | 1:#x}, there {known:#x})"
    assert named in result.output


# Lists that something fills.

FILLED = [
    ("a.cpp", "for (int s = 0; s < 64; s++) rook_magics[s] = find(s);"),
    ("a.cpp", "for (int s = 0; s < 64; s++) if (bad(s)) rook_magics[s] = find(s);"),
    ("a.cpp", "std::generate(rook_magics, rook_magics + 64, find);"),
    ("a.cpp", "memcpy(rook_magics, found, sizeof found);"),
    ("a.c", "int s = 64; while (s--) rook_magics[s] ^= key[s];"),
    ("a.js", "rook_magics.forEach((m, s) => { rook_magics[s] = find(s); });"),
    ("a.py", "rook_magics[:] = map(find, range(64))"),
]


@pytest.mark.parametrize(("file", "statement"), FILLED)
def test_of_a_list_that_is_filled_the_statement_is_named(c, judged, file, statement):
    """No other formula, bits or order makes magics of placeholders."""
    numbers = [c.off * n % (1 << 64) for n in range(1, 65)]
    text = ""
    for piece, own in (("rook", numbers), ("bishop", c.magics("bishop"))):
        shifts = ", ".join(map(str, c.shifts(piece)))
        if file.startswith("a.c"):
            text += c.list(f"{piece}_magics", own).removeprefix("const ")
            text += f"const int {piece}_shifts[64] = {{{shifts}}};\n"
        else:
            suffix = "n" * file.endswith("js")
            let, end = ("let ", ";") if suffix else ("", "")
            text += f"{let}{piece}_magics = [{', '.join(f'{n:#x}{suffix}' for n in own)}]{end}\n"
            text += f"{let}{piece}_shifts = [{shifts}]{end}\n"
    open_, close = {"py": ("def init():\n    ", "\n"), "js": ("function init() {\n", "\n}\n")}.get(
        file[2:], ("void init() {\n", "\n}\n")
    )
    text += f"{open_}{statement}{close}"
    line = next(n for n, own in enumerate(text.splitlines(), 1) if statement in own)
    judgement = judged(text, file)
    assert judgement.verdict == "unknown"
    assert judgement.undecided[0].startswith(f"{file}:{line}: rook_magics is written to here (")
    assert judged(text, file, as_written=True).verdict == "invalid"
