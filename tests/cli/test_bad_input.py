"""Bad input of every kind to every command: no traceback, exit status 2, words of our own."""

import lzma
import re
import shlex
from pathlib import Path

import pytest

from magicert.data import certificates_by_name, find_table

SAMPLES = Path(__file__).parents[1] / "source" / "samples"
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
    "keys.txt": b"1\n2\n",
    "pools.npz": b"nope",
    **{name: (SAMPLES / name).read_bytes() for name in ("broken.rs", "bbc.c")},
    "zip.npz": b"PK\x03\x04junk",
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
def test_bad_input_is_named_in_our_words(run, here, words):
    for needed, module in (("lemma|gather|z3", "z3"), ("sat", "pysat"), ("proof p", "drup")):
        if re.search(rf"\b({needed})\b", words):
            pytest.importorskip(module)
    for folder in ("folder", "empty", "full"):
        (here / folder).mkdir()
    (here / "full" / "file").touch()
    for name in FILES.keys() & set(words.replace("=", " ").split()):
        (here / name).write_bytes(FILES[name])
    before = set(here.iterdir())
    result = run(*shlex.split(words), stdin=b"")
    said = " ".join(result.output.replace("│", " ").split())
    assert result.exit_code == 2, said
    assert CASES[words]
    assert [message for message in CASES[words] if message not in said] == [], said
    assert [leak for leak in PYTHONS_OWN if leak in said] == []
    assert set(here.iterdir()) == before, "nothing is left behind"
