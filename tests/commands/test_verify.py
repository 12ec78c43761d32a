"""`magicert verify`: tables wherever they stand, of any board; what is shown and left out."""

import json
import re
from itertools import islice
from pathlib import Path
from unittest.mock import Mock

import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st

import magicert
from magicert.commands.app import cli
from magicert.data import board_tables, published_tables, tables_folder

BROKEN = tables_folder() / "broken" / "olah_bad_4425a97.toml"
SAMPLES = Path(__file__).parents[1] / "source" / "samples"


def test_every_finding_is_shown_where_it_is_asked_for(run):
    """README shows the rest."""
    full = run("verify", BROKEN, "--full").stdout
    assert full.count("two positions share slot") == full.count("R/B slider") == 21


def test_a_folder_and_the_gravest_verdict_in_text_and_json(run, tmp_path):
    for path in (published_tables()["bbc"], BROKEN):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    assert run("verify", tmp_path).exit_code == 1
    (tmp_path / "bad.toml").write_text("magicert = 1\nname = 3\n")
    result = run("verify", tmp_path)
    assert result.exit_code == 2
    for said in (
        "bad input", "bad.toml:2: name: 3: expected text", "no [rook] and no [bishop]",
        "\nvalid     ",  # it stops no other
    ):  # fmt: skip
        assert said in result.stdout
    (tmp_path / "bad.toml").write_text("x = [")
    result = run("verify", "--json", "bbc", BROKEN, tmp_path / "bad.toml", "nosuch", "")
    assert result.exit_code == 2
    reports = json.loads(result.stdout)["reports"]
    assert [r["verdict"] for r in reports] == ["valid", "invalid", *["bad input"] * 3]
    assert (reports[0]["board"], reports[0]["lookups"]) == ("whole", 107_648)
    assert len(reports[0]["squares"]) == 128
    assert reports[1]["findings"][0]["lookups"][0]["occupancy"].startswith("0x")
    assert reports[2]["problems"][0]["message"].startswith("not TOML")


def test_certificates_are_the_same_every_time_and_none_overwrites_another(run, tmp_path):
    table = tmp_path / "t.toml"
    table.write_bytes(published_tables()["olah"].read_bytes())
    for folder in ("one", "two"):
        run("verify", table, "--certificates", tmp_path / folder)
        table.write_bytes(BROKEN.read_bytes())
        run("verify", "seer", table, "--certificates", tmp_path / folder)
    one, two = (
        {path.name: path.read_bytes() for path in (tmp_path / folder).iterdir()}
        for folder in ("one", "two")
    )
    assert one == two
    assert {*one} == {"seer.certificate.json", "t.findings.json"}, "an older one of t is gone"
    for report in map(json.loads, one.values()):
        assert (report["format"], report["version"]) == ("magicert-verification", 1)
        assert len(report["input"]["sha256"]) == 64
        assert report["tool"].startswith("magicert ")
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "t.toml").write_bytes(published_tables()["bbc"].read_bytes())
    folders = (tmp_path / "a", tmp_path / "b")
    result = run("verify", *folders, "--certificates", tmp_path / "out")
    assert result.exit_code == 2
    assert "their reports would overwrite one another" in result.stderr


def test_a_name_cannot_forge_a_line(run, tmp_path):
    text = published_tables()["bbc"].read_text()
    evil = tmp_path / "evil.toml"
    evil.write_text(text.replace('name = "BBC NNUE 1.4"', 'name = "x\\nvalid     y: \\u001b[31m"'))
    result = run("verify", evil, "bbc")
    lines = [line for line in result.stdout.splitlines() if line.startswith("valid")]
    assert len(lines) == 2
    assert "\x1b" not in result.stdout


def test_a_bug_is_no_verdict(run, monkeypatch):
    missing = ModuleNotFoundError("No module named 'numba'", name="numba")
    for error, status, said in (
        (RuntimeError("a bug"), 70, "please report it"),
        (missing, 2, "needs numba: pip install 'magicert[search]'"),
    ):
        broken = Mock(side_effect=error)
        monkeypatch.setattr("magicert.verify.table.verifier.verify", broken)
        result = run("verify", "bbc")
        assert (result.exit_code, said in result.stderr) == (status, True)


@pytest.fixture
def folder(here) -> Path:
    """An engine's: a valid source, a valid table, and what is no table at all."""
    words = iter(f"{n * 0x9E3779B97F4A7C15 % (1 << 64):#018x}" for n in range(1, 12 * 64 + 1))
    lists = (f"{{{', '.join(islice(words, 64))}}}" for _ in range(12))
    for name, text in {
        "src/magics.rs": magicert.emit("shakmaty", "rust"),
        # Numbers as long as magics, none of which is one.
        "src/zobrist.c": f"const unsigned long long zobrist[12][64] = {{{','.join(lists)}}};\n",
        "src/main.c": "int main(void) { return 0; }\n",
        "mine.toml": published_tables()["bbc"].read_text(),
        "Cargo.toml": "[package]\n",
    }.items():
        (here / name).parent.mkdir(exist_ok=True)
        (here / name).write_text(text)
    return here


def test_a_folder_has_what_its_files_have(run, here):
    text, source = published_tables()["bbc"].read_text(), magicert.emit("shakmaty", "rust")
    (here / "marked.toml").write_bytes(b"\xef\xbb\xbf" + text.encode())
    (here / "quoted.toml").write_text(text.replace("magicert =", '"magicert" =', 1))
    (here / "LARGE.TOML").write_text(text)
    (here / "wide.rs").write_bytes(source.encode("utf-16"))
    for paths in (["."], sorted(path.name for path in here.iterdir())):
        document = json.loads(run("verify", *paths, "--json").stdout)
        assert [report["verdict"] for report in document["reports"]] == ["valid"] * 4


def test_colours_are_left_out_where_nobody_wants_them(monkeypatch):
    for name, value, colours in (("A", "", 1), ("NO_COLOR", "1", 0), ("TERM", "dumb", 0)):
        monkeypatch.delenv("NO_COLOR", raising=False)
        monkeypatch.setenv(name, value)
        said = CliRunner().invoke(cli, ["verify", "bbc"], color=True).output
        assert ("\x1b" in said) == colours


def test_a_folder_of_tables_a_broken_source_and_what_holds_none(run, folder):
    result = run("verify", ".", "--json")
    assert result.exit_code == 0, result.output
    document = json.loads(result.stdout)
    assert [report["verdict"] for report in document["reports"]] == ["valid"] * 2
    left_out = [one["file"] for one in document["left_out"]]
    assert left_out == ["Cargo.toml", "src/main.c", "src/zobrist.c"]
    assert all(name in result.stderr for name in left_out)
    twice = run("verify", "src", "src/magics.rs", "--json")
    once = [one for one in document["reports"] if one["input"]["file"].endswith(".rs")]
    assert json.loads(twice.stdout)["reports"] == once, "what is named twice is one file"
    (folder / "empty").mkdir()
    for path in ("*.toml2", "src/*.cc", "empty", ""):
        for more in ((), ("mine.toml",)):
            assert run("verify", path, *more).exit_code == 2, path
    source, magic = folder / "src" / "magics.rs", "0x40040008004002"  # of rook d1
    assert magic in source.read_text()
    source.write_text(source.read_text().replace(magic, magic.replace("004000", "005000", 1)))
    result = run("verify", ".", "--format", "github")
    assert result.exit_code == 3, "a table beside a broken source hides nothing; its bits are taken"
    assert "valid     mine.toml" in result.stdout
    assert "valid     src/magics.rs" not in result.stdout
    source.unlink()
    (folder / "mine.toml").unlink()
    for path in (".", "src"):  # keys of positions are no magics: there is nothing to verify
        result = run("verify", path)
        assert (result.exit_code, f"{path}: no table" in result.stdout) == (2, True)
        assert "src/zobrist.c" in result.stderr


# Tables of any board, spoilt: every format shows them.

BOARDS = ["26x4", "1x128", "128x1", "2x64", "4x32", "8x16", "9x10", "12x10", "3x3", "8x8"]
PIECES = ["W", "W", "W3", "vpR3", "nN", "F2"]
INDEXES = [
    "pext(occ, mask)", "((occ & mask) * magic) >> 60", "magic + (occ & 0)", "occ & magic",
    "(occ & mask) >> (magic & 63)", "occ * occ", "popcount(occ & mask)",
]  # fmt: skip
BESIDES = [
    "offset = 0", "offset = -5", "offset = 1099511627776", "square_size = 1", "buffer_size = 3",
    "square_size = 4294967296", 'result = "word & line"', 'result = "word"', "mask = 0",
    'result = "word * 3"', 'mask = "least"', "magic = 3", "piece = 3", "offset = [1, 2]",
    "set_offset = 0", 'literal = "no.bin"', "offset = 1e400", "offset = 1979-05-27",
    f"offset = {'9' * 5000}", "index = 1", "[two_level]\nentry_bits = 8", "[piece]", "[", "x = {",
]  # fmt: skip
AT_THE_TOP = ['order = "h1"', 'buffer = "shared"', 'listing = "a9"']
FORMATS = [
    (), ("--full",), ("--json",), ("--format", "github"), ("--format", "sarif"),
    ("--certificates", "out", "--force"), ("--sarif", "out.sarif", "--force"),
]  # fmt: skip


@st.composite
def spoilt_tables(draw):
    """A table file of some board: right, or with a wrong number on some square (the last one, as a
    rule), or with a key that is not as it should be.
    """
    board = draw(st.sampled_from(BOARDS))
    files, ranks = map(int, board.split("x"))
    squares, word = files * ranks, 64 if files * ranks <= 64 else 128
    row = draw(st.sampled_from([squares - 1, squares - 1, 0, squares // 2]))
    magics = [1 << (place % word) for place in range(squares)]
    wrong = [0, 1, (1 << word) - 1, magics[row - 1]]
    magics[row] = draw(st.sampled_from([*wrong * 3, 1 << 200, -1]))
    index = draw(st.sampled_from(INDEXES))
    top = [draw(st.sampled_from(AT_THE_TOP))] if draw(st.integers(0, 7)) == 0 else []
    besides = draw(st.lists(st.sampled_from(BESIDES), max_size=draw(st.sampled_from([0, 0, 0, 2]))))
    piece = draw(st.sampled_from(PIECES))
    lines = [
        "magicert = 1", 'name = "spoilt"', f'board = "{board}"', *top, "[piece]",
        f'piece = "{piece}"', f'index = "{index}"',
    ]  # fmt: skip
    if draw(st.integers(0, 3)):  # else the places of the squares are unknown, as a rule
        lines.append(draw(st.sampled_from(["square_size = 4096", "offset = 7"])))
    if "magic" in index:
        lines.append("magic = [" + ", ".join(f'"{magic:#x}"' for magic in magics) + "]")
    return "\n".join([*lines, *besides]) + "\n"


@given(spoilt_tables(), st.sampled_from(FORMATS), st.integers(0, 7))
@settings(
    max_examples=settings.default.max_examples // 2,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
def test_every_format_and_command_has_an_answer_about_a_spoilt_table(run, here, text, form, which):
    (here / "t.toml").write_text(text)
    result = run("verify", "t.toml", *form)
    event(f"verify: {result.exit_code}")
    assert result.exit_code in (0, 1, 2, 3), result.output
    command = (
        ("report", "t.toml", "-o", "t.html", "--force"),
        ("emit", "t.toml", "--lang", "python"),
        ("show", "piece", "a1", "--table", "t.toml"),
        ("fix", "t.toml"),
        ("import", "t.toml", "-o", "u.toml", "--force"),
        ("tables", "t.toml"),
        ("pack", "t.toml", "--budget", "1s"),
        ("bench", "t.toml", "--turns", "1"),
    )[which]
    if result.exit_code == 0 and command[0] in ("pack", "bench"):
        return  # these take seconds
    result = run(*command)
    event(f"{command[0]}: {result.exit_code}")
    assert result.exit_code in (0, 1, 2, 3), (command, result.output)


EXPECTED = json.loads((tables_folder() / "boards/expected.json").read_text("utf-8"))
SMALL = [name for name, about in EXPECTED.items() if about["lookups"] < 10_000]


@pytest.mark.parametrize("name", SMALL)
def test_a_wrong_number_on_the_last_square_of_a_board_is_named_with_its_line(run, here, name):
    text = board_tables()[name].read_text("utf-8")
    begin = text.index("magic = [")
    last = [*re.finditer(r"0x[0-9a-f]{16,}", text[begin : text.index("]", begin)])][-1]
    wrong = f"{text[: begin + last.start()]}0x0{text[begin + last.end() :]}"
    (here / "t.toml").write_text(wrong)
    for form in FORMATS:
        result = run("verify", "t.toml", *form)
        assert result.exit_code == 1, result.output
    found = json.loads(run("verify", "t.toml", "--format", "sarif").stdout)["runs"][0]["results"]
    places = [[*one["locations"], *one.get("relatedLocations", [])] for one in found]
    lines = {at["physicalLocation"]["region"]["startLine"] for one in places for at in one}
    assert text.count("\n", 0, begin + last.start()) + 1 in lines
    assert run("report", "t.toml", "-o", "t.html").exit_code == 1


@pytest.mark.parametrize(
    "more", ["", "offset = 0\n", "mask = 3\n", "[two_level]\nentry_bits = 8\n"]
)
@pytest.mark.parametrize(
    ("board", "piece", "said"),
    [
        ("2x64", "R", "62 squares can change what a piece on b64 of 2x64 attacks"),
        ("1x128", "R", "2^126 occupancies"),
        ("2x50", "R", "2^48 occupancies"),
        ("1x128", "pR", "expected at most 1,099,511,627,776 lookups"),
    ],
)
def test_occupancies_beyond_every_budget_are_refused_before_they_are_listed(
    run, here, board, piece, said, more
):
    """With the square, how many there are, and what would help."""
    head = f'magicert = 1\nname = "x"\nboard = "{board}"\n[piece]\npiece = "{piece}"\n'
    for index in ("pext(occ, mask)", "(occ & mask) * 3", "popcount(occ)"):
        (here / "t.toml").write_text(f'{head}index = "{index}"\n{more}')
        assert said in run("verify", "t.toml", status=2).output


def test_what_a_larger_budget_could_verify_is_tried_in_part(run, here):
    text = 'magicert = 1\nname = "x"\nboard = "2x25"\n[piece]\npiece = "R"\n'
    (here / "t.toml").write_text(f'{text}index = "pext(occ, mask)"\n')
    assert "--max-lookups sets the budget" in run("verify", "t.toml", status=3).output


def marked(text: str) -> list[tuple[str, int, int, str, str]]:
    """File, line and column of each finding of a source, the line shown below, what is marked."""
    found = []
    lines = text.splitlines()
    for head, line, marks in zip(lines, lines[1:], lines[2:], strict=False):
        place = re.match(r"(\S+):(\d+):(\d+): ", head)
        if place and set(marks.strip()) == {"^"}:
            start, end = marks.index("^"), marks.rindex("^") + 1
            found.append((place[1], int(place[2]), int(place[3]), line, line[start:end]))
    return found


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.encode(),
        lambda text: text.replace("\n", "\r\n").encode(),
        lambda text: ("// \u2654\f\n" + text).encode("utf-16"),
        lambda text: re.sub(r"\s+", " ", re.sub("//.*", "", text)).encode(),  # one line
    ],
    ids=["as it is", "CRLF", "UTF-16", "on one line"],
)
def test_the_number_of_a_finding_is_marked_in_its_line(run, here, change):
    (here / "broken.rs").write_bytes(change((SAMPLES / "broken.rs").read_text("utf-8")))
    text = run("verify", "broken.rs").stdout
    findings = marked(text)
    assert len(findings) == len(re.findall(r"^broken\.rs:\d+:\d+: ", text, re.MULTILINE)) > 1
    for _, _, column, line, number in findings:
        assert re.fullmatch(r"\d{17,}u64", number), number
        assert len(line) <= 104
        assert column > 50 or line[4:].index(number) == column - 1
    documents = json.loads(run("verify", "broken.rs", "--json").stdout)["reports"]
    entries = [entry for each in documents[0]["reading"]["entries"] for entry in each]
    named = {(entry["line"], entry["column"], int(entry["number"], 16)) for entry in entries}
    assert {(line, at, int(number[:-3])) for _, line, at, _, number in findings} <= named


@pytest.mark.usefixtures("here")
def test_a_source_that_cannot_be_read_again_has_no_lines():
    source = (SAMPLES / "broken.rs").read_bytes()
    result = CliRunner().invoke(cli, ["verify", "-", "--lang", "rs"], input=source)
    assert "stdin.rs:4:16: " in result.stdout
    assert "^^" not in result.stdout


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("ok.cp", "ok.cpp"), ("engine/Magic.h", "engine/magics.h"), ("engin", "engine"),
        ("shakmat", "shakmaty"), ("./ok.tml", "ok.toml"),
    ],
)  # fmt: skip
def test_a_file_of_nearly_that_name_is_named(run, here, typed, meant):
    (here / "engine").mkdir()
    for name in ("ok.cpp", "ok.toml", "engine/magics.h", "engine/search.h", ".ok.c"):
        (here / name).touch()
    said = run("verify", typed)
    assert (said.exit_code, said.stdout.count("did you mean")) == (2, 1)
    near = re.search(r"did you mean (.*)\?", said.stdout)[1]
    assert near.split(" or ")[0] == str(Path(meant))
    assert ".ok.c" not in near


def test_a_file_that_only_ends_alike_is_not_named(run, here):
    for name in ("ok.toml", "deep.toml", "binary.toml"):
        (here / name).touch()
    for typed in ("gone.toml", "missing.toml"):
        assert "of that name: magicert tables lists them" in run("verify", typed).stdout
