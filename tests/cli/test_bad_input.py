"""Bad input of every kind to every command: no traceback, exit status 2, words of our own."""

import lzma
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from magicert.data import certificates_by_name, find_table

Run = Callable[..., Result]
HEAD = 'magicert = 1\nname = "x"\norder = "a1"\n[rook]\n'
INDEX = 'index = "((occ & mask) * magic) >> (64 - bits)"\n'
MAGICS = "magic = [" + ", ".join(['"0x1"'] * 64) + "]\n"
COVER = lzma.decompress(certificates_by_name()["bishop-d1-4"].read_bytes())
FIRST, HEADER, LEAVES = COVER.split(b"\n", 2)

FILES: dict[str, bytes] = {
    "ok.toml": find_table("bbc").read_bytes(),
    "bits120.toml": f"{HEAD}{INDEX}bits = 120\n{MAGICS}".encode(),
    "negative.toml": f"{HEAD}{INDEX}bits = -3\n{MAGICS}".encode(),
    "digits.toml": f"{HEAD}{INDEX}bits = {'9' * 5000}\n{MAGICS}".encode(),
    "fraction.toml": f"{HEAD}{INDEX}bits = 12.5\n{MAGICS}".encode(),
    "short.toml": f"{HEAD}{INDEX}bits = 12\nmagic = [1, 2]\n".encode(),
    "octal.toml": f"{HEAD}{INDEX}bits = 012\n{MAGICS}".encode(),
    "binary.toml": b"\xff\x00\x01" * 50,
    "empty.toml": b"",
    "notes.txt": b"hello\n",
    "zeros.c": b"int a[64] = {" + b"0," * 64 + b"};",
    "other.db": b"no database here, but text\n" * 9,
    "cut.cover.xz": certificates_by_name()["bishop-d1-4"].read_bytes()[:500],
    "brace.cover": FIRST + b'\n{"scheme":\n',
    "keys.cover": FIRST + b'\n{"scheme":"white"}\n',
    "square.cover": FIRST + b"\n" + HEADER.replace(b'"d1"', b'"z9"', 1) + b"\n" + LEAVES,
    "first.drup": b"c magicert proof 9\n",
    "queen.toml": b'[[cell]]\npiece = "queen"\nsquare = "d1"\nbits = 3\nstate = "open"\n',
    "equals.toml": b"= 3\n",
    "deep.toml": b"magicert = 1\nx = " + b"[" * 3000 + b"]" * 3000 + b"\n",
    "brackets.toml": f'{HEAD}index = "{"(" * 4000}occ"\nbits = 12\n{MAGICS}'.encode(),
    "future.toml": b"magicert = 99\n",
    "offset.toml": f"{HEAD}{INDEX}offset = [{'9' * 30}]\nbits = 12\n{MAGICS}".encode(),
    "pools.npz": b"nope",
    "zip.npz": b"PK\x03\x04junk",
}
BISHOPS = "--private --piece bishop --budget 5s -o new.toml"

CASES = [
    # command, what its message says
    ("verify bits120.toml", "rook.index on a1", "shift by -56: expected"),
    ("verify negative.toml", "negative.toml:6: rook.bits: -3: expected a 64-bit word"),
    ("verify digits.toml", "digits.toml:", "a number of thousands of digits: expected a 64-bit"),
    ("verify fraction.toml", "fraction.toml:6: rook.bits: 12.5: expected"),
    ("verify short.toml", "short.toml:7: rook.magic: 2 values: expected 64"),
    ("verify octal.toml", "octal.toml:6: not TOML"),
    ("verify binary.toml", "binary.toml:1: byte 0xff is not UTF-8: expected UTF-8 text"),
    ("verify empty.toml", "empty.toml: no format version: expected magicert = 1"),
    ("verify notes.txt", "notes.txt: no table: no list of 64 numbers"),
    ("verify zeros.c", "zeros.c: no table"),
    ("verify -", "-: no format version: expected magicert = 1"),
    ("verify - --lang c", "stdin.c: no table"),
    ("verify ok.toml --bits rook=x", "--bits rook=x: expected popcount, or rook=12"),
    ("verify notes.txt --map rook.magic", "--map rook.magic: expected PIECE.PARAMETER=NAME"),
    ("verify ''", "an empty path"),
    ("import missing.c -o new.toml", "missing.c: cannot be read: No such file"),
    ("import folder -o new.toml", "folder: cannot be read: Is a directory"),
    ("import notes.txt -o folder", "folder"),
    ("show rook e4 --table bits120.toml", "bits120.toml:5: rook.index", "shift by -56"),
    ("show rook e4 --table folder", "folder: no table"),
    ("show rook e4 --occupancy e4,zz", "square 'zz': expected a1..h8"),
    ("find rook e4 --bits 0", "bits 0: expected 1 to 32"),
    ("find rook e4 --bits x", "'x' is not a valid integer"),
    ("find rook e4 --largest-index -1", "largest index -1: expected 0 to 1023"),
    ("find rook e4 --scheme 'occ *'", "expected a number, a name, a function or '('"),
    ("find rook e4 --scheme 'occ * magic >> 64'", "shift by 64: expected less than"),
    ("find rook e4 -O ands", "-O ands: expected NAME=VALUE"),
    ("find rook e4 -O =3", "-O =3: expected NAME=VALUE"),
    ("find rook e4 -O ands=99", "ands: 99: expected at most 16"),
    ("find rook e4 --engine window --ledger other.db", "other.db: no ledger"),
    ("find --set --bits 40", "bits 40: expected 1 to 32"),
    ("find --set --fixed-shift --bits 12", "expected one of --bits, --fixed-shift"),
    ("disprove bishop d1 --bits 4 -O certificate=folder", "folder: is a folder: expected a file"),
    ("disprove bishop d1 --bits 4 --budget 0s", "'0s': expected a time such as 90s"),
    ("check notes.txt", "notes.txt:1: no certificate: begins with 'hello': expected 'magicert"),
    ("check cut.cover.xz", "cut.cover.xz: cannot be read: the .xz stream is cut short"),
    ("check brace.cover", "brace.cover:2: column 11: expected the header, one line of JSON"),
    ("check keys.cover", "keys.cover:2: ", "missing required field"),
    ("check square.cover", "square.cover:2: "),
    ("check first.drup", "first.drup"),
    ("check folder", "folder: cannot be read: Is a directory"),
    ("check bishop-d1-4 --replay 0", "'0': expected a number of shards, or all"),
    ("atlas --atlas queen.toml", "queen.toml: no atlas: Invalid enum value 'queen'"),
    ("atlas --atlas equals.toml", "equals.toml: no atlas: "),
    ("atlas --atlas nowhere.toml", "nowhere.toml: cannot be read: No such file or directory"),
    ("atlas --settle --only nonsense", "'nonsense': expected rook, bishop, or a square"),
    ("atlas --settle --ledger other.db --output a.toml", "other.db: no ledger"),
    ("lemma notes.txt", "notes.txt: no table"),
    ("lemma --shape x,y --bits 4", "shape x,y: expected ray lengths of 1 to 6"),
    ("gather a1-b3", "a1-b3: expected one of ranks, files"),
    ("gather ranks --constant 12abc", "'12abc': expected a number such as 0x401041"),
    ("tables ok.toml", "ok.toml: a file: magicert verify tells about it"),
    ("tables ''", "no such file, and no published table or record of that name"),
    (f"pack --pools pools.npz {BISHOPS}", "pools.npz: no pool: expected a file that pack"),
    (f"pack --pools zip.npz {BISHOPS}", "zip.npz: no pool: expected a file that pack"),
    ("pack --from glaurung32 -o new.toml", "rook.index", "expected white, black or constant"),
    ("pack --from ok.toml --half -o new.toml", "ok.toml: the whole board: expected a half"),
    ("pack --budget never", "'never': expected a time such as 90s"),
    ("emit notes.txt --lang c", "notes.txt: no table"),
    ("emit folder --lang c", "folder: no table"),
    ("emit bits120.toml --lang rust", "bits120.toml:5: rook.index", "shift by -56"),
    ("bench notes.txt", "notes.txt: no table"),
    ("verify deep.toml", "deep.toml:2: lists or keys nested too deeply: expected a table"),
    ("verify brackets.toml", "brackets.toml:", "rook.index: nested deeper than 40"),
    ("verify future.toml", "future.toml:1: magicert: format version 99: expected 1"),
    ("verify offset.toml", "offset.toml:", "999999999999: expected an offset"),
    ("verify missing.toml gone.toml", "missing.toml: no such file", "gone.toml: no such file"),
    ("verify zeros.c --scheme ''", "--scheme: the end of the formula: expected a number"),
    ("verify ok.toml --certificates ok.toml", "Directory 'ok.toml' is a file"),
    ("verify 'a\x1b[31mb'", "a\\x1b[31mb: no such file"),
    ("import ok.toml -o new.toml", "ok.toml: is a table file: expected an engine's source"),
    ("import missing.c gone.c -o new.toml", "missing.c: cannot be read", "gone.c: cannot be read"),
    ("fix missing.c gone.c", "missing.c: cannot be read", "gone.c: cannot be read"),
    ("fix ok.toml missing.c", "ok.toml: is a table file", "missing.c: cannot be read"),
    ("show rook e4 --occupancy 0x1ffffffffffffffff", "expected at most 64 bits"),
    ("find rook e4 --scheme 'nosuch(occ)'", "unknown function 'nosuch': expected one of u32"),
    ("find rook e4 --budget inf", "'inf': expected a time such as 90s"),
    ("find rook e4 --seed -1", "-1 is not in the range x>=0"),
    ("find rook e4 -O candidates=nan", "candidates: 'nan': expected a number"),
    ("find --set -o nowhere/set.toml", "nowhere: no such folder"),
    ("find rook e4 --engine window --cluster nonsense", "such as tcp://localhost:8786"),
    ("find rook e4 --engine window --ledger nowhere/x.db", "x.db: cannot be used: unable to open"),
    ("disprove bishop d1 --bits 4 --ledger x.db -O certificate=x.db", "x.db: is the input"),
    ("disprove bishop d1 --bits 4 --ledger x.db --proof x.db", "not with -O ledger"),
    ("check nowhere cut.cover.xz gone", "nowhere: no such file", "cut short", "gone: no such file"),
    ("check bishop-d1-4.drup --replay 3", "a proof: --replay"),
    ("atlas --settle --ledger x.db --output x.db", "x.db: is the input"),
    ("atlas --atlas ok.toml", "ok.toml: no atlas: Object contains unknown field"),
    ("gather a1-a1", "a1-a1: expected one of ranks, files"),
    ("gather ranks --constant 0x1ffffffff", "0x1ffffffff: expected at most 32 bits"),
    ("pack --from ok.toml --rounds 0 -o new.svg", "new.svg: the map of the buffer goes there"),
    ("pack --two-level 8 --apart", "--two-level numbers one shared buffer: expected no --apart"),
    ("pack --from negative.toml -o new.toml", "negative.toml:6: rook.bits: -3"),
    ("emit ok.toml --lang rusty", "did you mean rust?"),
    ("emit ok.toml --lang c --prefix 9x", "--prefix: '9x': expected what c can write"),
    ("emit ok.toml --lang rust --prefix x", "--prefix: expected --lang c, not rust"),
    ("bench missing.toml gone.toml", "missing.toml: no such file", "gone.toml: no such file"),
    ("bench ok.toml --turns 0", "0 is not in the range 1<=x<=1000"),
    ("report missing.toml -o new.html", "missing.toml: no such file"),
    ("completion tcsh", "'tcsh' is not one of 'bash', 'zsh', 'fish'"),
    ("help nothing", "No such command 'nothing'"),
]
PYTHONS_OWN = ("Traceback", "invalid literal", "Errno", "sys.", "b'", "line 1 col", "184467440")


@pytest.mark.parametrize("case", CASES, ids=[case[0] for case in CASES])
def test_bad_input_is_named_in_our_words(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, case: tuple[str, ...]
) -> None:
    words, *messages = case
    if words.startswith(("lemma", "gather")):
        pytest.importorskip("z3")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    for name in FILES.keys() & set(words.replace("=", " ").split()):
        (tmp_path / name).write_bytes(FILES[name])
    before = set(tmp_path.iterdir())
    result = run(*shlex.split(words), stdin=b"")
    said = " ".join(result.output.split())
    assert result.exit_code == 2, said
    for message in messages:
        assert message in said
    assert [leak for leak in PYTHONS_OWN if leak in said] == []
    assert set(tmp_path.iterdir()) == before, "nothing is left behind"
