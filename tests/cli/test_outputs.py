"""What commands write: never over an input or a stranger's file, whole or not at all. Bad input of
every kind to every command: no traceback, exit status 2, words of our own.
"""

import errno
import lzma
import os
import re
import shlex
import tomllib
from pathlib import Path

import pytest

from magicert.atlas import Atlas, AtlasCell, atlas_toml
from magicert.data import certificates_by_name, find_table, tables_folder
from magicert.system.whole_file import write_whole, write_with
from magicert.table import read_table
from magicert.table.write import write_table

SAMPLES = Path(__file__).parents[1] / "source" / "samples"
SAMPLE = SAMPLES / "bbc.c"
THEIRS = b"a year of work\n"
WRITERS, TESTED = {}, {}
for _line in Path(__file__).with_name("writers.tsv").read_text("utf-8").splitlines()[2:]:
    _name, _command, _output, *_tests = _line.split("\t")
    WRITERS[_name] = shlex.split(_command.replace("SAMPLE", str(SAMPLE))), _output
    for _test in "".join(_tests).split():
        TESTED.setdefault(_test, []).append(_name)


@pytest.mark.parametrize("name", WRITERS)
def test_a_strangers_file_stays_as_it_is(run, here, name):
    command, output = WRITERS[name]
    (here / output).parent.mkdir(exist_ok=True)
    (here / output).write_bytes(THEIRS)
    cell = AtlasCell(piece="bishop", square="d1", bits=4, state="open")
    (here / "open.toml").write_text(atlas_toml(Atlas([cell])))
    result = run(*command)
    assert result.exit_code == 2
    assert f"{output}: exists, and magicert did not write it" in result.stderr
    assert "--force" in result.stderr
    assert (here / output).read_bytes() == THEIRS


@pytest.mark.parametrize("name", TESTED["forced"])
def test_force_overwrites_and_ones_own_file_needs_none(run, here, name):
    command, output = WRITERS[name]
    (here / output).write_bytes(THEIRS)
    assert run(*command, "--force").exit_code == 0
    assert (here / output).exists() == (name != "verify, other kind")
    assert name == "verify, other kind" or (here / output).read_bytes() != THEIRS
    again = run(*command)
    assert again.exit_code == (2 if name == "pack" else 0), again.output  # hours may be in it


@pytest.mark.parametrize(
    "name", ["certificates/bishop-d1-4.cover.xz", "proofs/bishop-d1-4.drup.xz"]
)
def test_certificates_and_proofs_are_known_as_magicerts(run, here, name):
    shipped = (tables_folder() / name).read_bytes()
    for data, status in (
        (shipped, 0),
        (lzma.decompress(shipped), 0),
        (lzma.compress(THEIRS), 2),
        (b"\xfd7zXZ\x00 and nothing of the kind", 2),
        (find_table("bbc").read_bytes(), 2),  # as README tells people to type them
    ):
        (here / "copy").write_bytes(data)
        assert run("show", "rook", "a1", "--svg", "copy").exit_code == status
        assert ((here / "copy").read_bytes() == data) == (status == 2)


@pytest.fixture
def full_disk():
    """`full_disk(n)`: from now on no file can have more than n bytes."""
    resource = pytest.importorskip("resource")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    yield lambda size: resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.parametrize("name", TESTED["full"])
def test_a_full_disk_leaves_nothing_and_is_named(run, here, name, full_disk, monkeypatch):
    (here / "temporary").mkdir()
    monkeypatch.setattr("magicert.system.whole_file.mkdtemp", lambda **_: here / "temporary")
    full_disk(1024)
    result = run(*WRITERS[name][0])
    full_disk(-1)
    assert result.exit_code == 2, result.output
    (line,) = [line for line in result.stderr.splitlines() if "too large" in line]
    assert line.partition(":")[0].endswith((".toml", ".json", ".h"))
    assert "; kept in " not in line, "there is no room in the other folder, either"
    assert [path.name for path in here.rglob("*")] == ["temporary"]


@pytest.fixture
def no_room(monkeypatch):
    """`no_room(path)`: nothing can be written whose path begins so."""
    once = Path.write_bytes

    def without(full):
        def write_bytes(path, data):
            if str(path).startswith(str(full)):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            return once(path, data)

        monkeypatch.setattr(Path, "write_bytes", write_bytes)

    return without


@pytest.mark.parametrize("name", TESTED["kept"])
def test_what_took_long_is_kept_elsewhere(run, here, name, no_room, monkeypatch):
    if "proof" in name:
        pytest.importorskip("drup")
    (here / "tmp").mkdir()
    monkeypatch.setattr("magicert.system.whole_file.mkdtemp", lambda **_: here / "tmp")
    command, output = WRITERS[name]
    no_room(here / output)
    result = run(*command)
    kept, said = here / "tmp" / output, f"{output}: No space left on device; kept in "
    assert (result.exit_code, result.stderr.splitlines()[-1]) == (2, f"{said}{kept}")
    assert kept.stat().st_size > 1000


def test_a_ledger_on_a_full_disk_is_named(run, tmp_path, full_disk):
    question = ("disprove", "bishop", "d1", "--bits", "4", "--engine", "window")
    assert run(*question).exit_code == 0, "what it compiles is kept while there is room"
    asked = (*question, "--ledger", tmp_path / "l.db")
    full_disk(20_000)
    result = run(*asked)
    full_disk(-1)
    assert result.exit_code == 2
    assert "l.db: cannot be used: " in result.stderr
    assert run(*asked).exit_code == 0, "with room the same command goes on"


def test_links_permissions_and_others_part_files_stay_and_a_dash_is_no_file(run, here):
    write_table(read_table(find_table("bbc")).table, here / "old.toml")
    before = (here / "old.toml").read_bytes()
    (here / "old.toml").chmod(0o600)
    (here / "link.toml").symlink_to("old.toml")
    (here / "old.toml.part").write_bytes(THEIRS)
    assert run("import", SAMPLE, "-o", "link.toml").exit_code == 0
    assert (here / "link.toml").is_symlink()
    assert (here / "old.toml").stat().st_mode & 0o777 == 0o600
    assert (here / "old.toml").read_bytes() != before
    assert (here / "old.toml.part").read_bytes() == THEIRS
    files = set(here.iterdir())
    emitted = [run(*f"emit shakmaty --lang c{more}".split()).stdout for more in ("", " -o -")]
    assert (emitted[0], set(here.iterdir())) == (emitted[1], files)
    if hasattr(os, "mkfifo"):  # a pipe is written, and stays one
        os.mkfifo("pipe")
        reader = os.open("pipe", os.O_RDONLY | os.O_NONBLOCK)
        assert run("import", SAMPLE, "-o", "pipe").exit_code == 0
        assert os.read(reader, 100).startswith(b"# Written by magicert ")
        os.close(reader)
        assert (here / "pipe").is_fifo()


def test_on_a_full_disk_the_table_and_its_certificate_stay(here, no_room):
    table, certificate = here / "t.toml", here / "t.json"
    write_with(table, "first", certificate, "of the first")
    no_room(certificate)
    with pytest.raises(OSError, match="No space left"):
        write_with(table, "second", certificate, "of the second")
    assert (table.read_text(), certificate.read_text()) == ("first", "of the first")
    assert sorted(path.name for path in here.iterdir()) == ["t.json", "t.toml"]


def test_an_old_certificate_never_stands_beside_a_new_table(here, monkeypatch):
    """Whoever looks, or is killed, when the table has come, and its certificate has not."""
    table, certificate = here / "t.toml", here / "t.json"
    write_with(table, "first", certificate, "of the first")
    once, seen = Path.replace, []

    def looked(path: Path, target: Path) -> Path:
        found = once(path, target)
        seen.append((table.read_text(), certificate.exists()))
        return found

    monkeypatch.setattr(Path, "replace", looked)
    write_with(table, "second", certificate, "of the second")
    assert seen == [("second", False), ("second", True)]
    assert certificate.read_text() == "of the second"


def test_an_interruption_while_writing_leaves_nothing(here, monkeypatch):
    def interrupted(self: Path, _: bytes) -> int:
        self.touch()
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "write_bytes", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_whole(here / "x.toml", b"much")
    assert list(here.iterdir()) == []


@pytest.mark.parametrize("name", TESTED["named"])
def test_a_name_that_is_written_prints_no_line_of_its_own(run, here, name):
    command, output = WRITERS[name]
    forged = "x\nvalid    cfish_black: 107,648 lookups"
    result = run(*[forged if word == output else word for word in command])
    assert result.exit_code == 0, result.output
    assert forged not in result.output
    assert list(here.iterdir())


CHECKED = "bishop-d1-4.cover.xz|shape-5-bits-3.drup.xz|rook-c2-8.tsv.xz|atlas_black.toml"


@pytest.mark.parametrize("kept", CHECKED.split("|"))
def test_a_name_that_is_checked_prints_no_line_of_its_own(run, here, kept):
    name = here / f"x\nvalid {Path(kept).suffix}"
    name.write_bytes(next(tables_folder().rglob(kept)).read_bytes())
    result = run("check", name)
    assert "x\\nvalid" in result.output
    assert not any(line.startswith("valid .") for line in result.output.splitlines())


# -- bad input

HEAD = 'magicert = 1\nname = "x"\norder = "a1"\n[rook]\n'
INDEX = 'index = "((occ & mask) * magic) >> (64 - bits)"\n'
MAGICS = "magic = [" + ", ".join(['"0x1"'] * 64) + "]\n"
COVER = lzma.decompress(certificates_by_name()["bishop-d1-4"].read_bytes())
FIRST, HEADER, LEAVES = COVER.split(b"\n", 2)

TYPED = tomllib.loads(Path(__file__).with_name("bad_files.toml").read_text("utf-8"))

FILES = {
    **{name: text.encode() for name, text in TYPED["texts"].items()},
    **{name: f"{HEAD}{INDEX}{line}\n{MAGICS}".encode() for name, line in TYPED["tables"].items()},
    **{name: (SAMPLES / name).read_bytes() for name in ("broken.rs", "bbc.c")},
    "ok.toml": find_table("bbc").read_bytes(),
    "digits.toml": f"{HEAD}{INDEX}bits = {'9' * 5000}\n{MAGICS}".encode(),
    "offset.toml": f"{HEAD}{INDEX}offset = [{'9' * 30}]\nbits = 12\n{MAGICS}".encode(),
    "brackets.toml": f'{HEAD}index = "{"(" * 4000}occ"\nbits = 12\n{MAGICS}'.encode(),
    "deep.toml": b"magicert = 1\nx = " + b"[" * 3000 + b"]" * 3000 + b"\n",
    "binary.toml": b"\xff\x00\x01" * 50,
    "zeros.c": b"int a[64] = {" + b"0," * 64 + b"};",
    "other.db": b"no database here, but text\n" * 9,
    "cut.cover.xz": certificates_by_name()["bishop-d1-4"].read_bytes()[:500],
    "brace.cover": FIRST + b'\n{"scheme":\n',
    "keys.cover": FIRST + b'\n{"scheme":"white"}\n',
    "square.cover": FIRST + b"\n" + HEADER.replace(b'"d1"', b'"z9"', 1) + b"\n" + LEAVES,
}
ROWS = Path(__file__).with_name("bad_input.txt").read_text("utf-8")
CASES = {"verify 'a\x1b[31mb'": ["a\\x1b[31mb: no such file"]}
CASES[f"verify {'x' * 5000}"] = ["File name too long"]
"""A command, and what its message says; the others stand in bad_input.txt."""
for _part in re.split(r"\n(?=\S)", ROWS)[1:]:
    _command, *_said = map(str.strip, _part.splitlines())
    assert CASES.setdefault(_command, _said) is _said

PYTHONS_OWN = ("Traceback", "invalid literal", "Errno", "sys.", "b'", "line 1 col", "184467440")


@pytest.mark.parametrize("words", CASES, ids=lambda words: words[:80])
def test_bad_input_is_named_in_our_words(run, here, lacking, words):
    if "proof p" in words:
        pytest.importorskip("drup")
    for folder in ("folder", "empty", "full"):
        (here / folder).mkdir()
    (here / "full" / "file").touch()
    (here / "link.c").symlink_to("bbc.c")
    for name in FILES.keys() & set(words.replace("=", " ").split()):
        (here / name).write_bytes(FILES[name])
    before = {path: path.is_file() and path.read_bytes() for path in here.iterdir()}
    result = run(*shlex.split(words), stdin=b"")
    said = " ".join(result.output.replace("│", " ").split())
    assert result.exit_code == 2, said
    assert CASES[words]
    assert lacking(CASES[words], said) == [], said
    assert [leak for leak in PYTHONS_OWN if leak in said] == []
    left = {path: path.is_file() and path.read_bytes() for path in here.iterdir()}
    assert left == before, "nothing is left behind, and no input is written"
