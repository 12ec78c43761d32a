"""Keys: their files, what `find`, `disprove` and `check` say of them, and emitted lookups."""

import itertools
import json
import random
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from click.testing import Result
from hypothesis import given
from hypothesis import strategies as st

from magicert.cell import Cell, Keys, first_conflict, in_64_bits
from magicert.formula.tree import evaluate
from magicert.key_file import KeyFile, parse_keys, read_keys
from magicert.outcome import Outcome, Unknown
from magicert.problem import InputError
from magicert.scheme import SCHEMES, resolve_scheme
from magicert.search.guessing.kernel import pattern_of


@pytest.fixture
def written(tmp_path):
    """Write a file of keys."""

    def write(content: bytes | str) -> Path:
        path = tmp_path / "keys.txt"
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return write


def read(text: str | bytes) -> KeyFile:
    return parse_keys(text.encode() if isinstance(text, str) else text, Path("keys.txt"))


def words(text: str | bytes) -> list[int]:
    return read(text).words


def wrong(text: str | bytes) -> list[tuple[int | None, str]]:
    with pytest.raises(InputError) as caught:
        read(text)
    assert {problem.file for problem in caught.value.problems} == {"keys.txt"}
    return [(problem.line, problem.message) for problem in caught.value.problems]


def word(text: bytes) -> int:
    return int.from_bytes(text, "little")


def test_what_is_read(text, expected):
    assert words(eval(text)) == eval(expected)


def test_keys_without_values_are_all_apart_and_values_group_the_others():
    assert read("1\n2\n3").keys == Keys.of([1, 2, 3])
    file = read("1 7\n2 8\n3 0x7 # again\n")
    assert (file.keys, file.apart) == (Keys.of([1, 2, 3], [7, 8, 7]), Keys.of([1, 2, 3]))
    assert file.has_values
    assert read("red warm\nblue cold\n").keys.values == (0, 1)
    twice = read("red\nblue\nred\n")
    assert len(twice.entries) == 2
    assert twice.remarks == ("line 3: 'red' as in line 1: counted once",)
    assert read("16 1\n0x10 1").remarks == ("line 2: 16 as in line 1: counted once",)


def test_an_error_has_its_line(text, line, says):
    ((found, message),) = wrong(eval(text))
    assert found == int(line)
    assert says in message
    assert len(message) < 200


def test_all_errors_are_named_in_their_order():
    text = b"auto 1\nbackground 1\nb\xe4d 2\n12 1\nauto 2\nleft\n9x 99999999999999999999 3\n"
    lines = [line for line, _ in wrong(text)]
    assert lines == [2, 3, 4, 5, 6, 7, 7, 7]


def test_too_many_keys_and_too_large_a_file(tmp_path):
    ((line, message),) = wrong("".join(f"{n}\n" for n in range((1 << 16) + 1)))
    assert (line, message) == ((1 << 16) + 1, "expected at most 65,536 keys")
    path = tmp_path / "large"
    path.write_bytes(b"#" * ((1 << 24) + 1))
    with pytest.raises(InputError, match="expected at most 16,777,216"):
        read_keys(path)


@given(st.lists(st.binary(max_size=8).filter(lambda b: 0 not in b), min_size=1, unique=True))
def test_any_strings_can_be_written_in_quotes(texts):
    lines = ['"' + "".join(f"\\x{byte:02x}" for byte in text) + '"' for text in texts]
    assert words("\n".join(lines)) == [word(text) for text in texts]


@given(st.binary(max_size=60))
def test_no_bytes_break_the_reader(data):
    lines: set[int | None] = {*range(1, data.count(b"\n") + 2)}
    try:
        file = read(data)
    except InputError:
        assert {line for line, _ in wrong(data)} <= lines
    else:
        assert len(set(file.words)) == len(file.entries) > 0


PRIMES = "2\n3\n5\n7\n11\n13\n17\n19\n"


@pytest.fixture
def shipped(tables):
    return tables / "keys"


def said(result: Result) -> dict[str, object]:
    document: dict[str, object] = json.loads(result.stdout)
    return document


FILES = {
    "primes": PRIMES + "2\n",
    "row": "".join(f"{n}\n" for n in range(200)),
    "three": "1\n2\n3\n",
    "alike": "7 1\n9 1\n",
    "largest": f"{(1 << 64) - 1}\n",
}


def test_what_the_commands_say(run, shipped, written, here, words, status, texts):
    command, keys, *more = words.split()
    path = written(FILES[keys]) if keys in FILES else shipped / keys
    result = run(command, "--keys", path, *more, status=int(status))
    assert all(text in result.output for text in texts.split(" | ")), result.output
    assert not list(here.glob("*.h"))
    if keys == "css.txt":
        magic = int(result.stdout.splitlines()[1].split()[1], 16)
        assert first_conflict(Cell(SCHEMES["white"], read_keys(path).keys, 5), magic) is None


def test_small_keys_are_settled_where_chance_finds_nothing(run, shipped):
    found = said(run("find", "--keys", shipped / "http.txt", "-O", "candidates=1000", "--json"))
    assert (found["outcome"], found["bits"], found["shift"]) == ("exists", 5, 59)
    assert (found["count"], found["values"], found["remarks"]) == (16, 16, [])
    (fewer,) = found["fewer"]
    assert (fewer["bits"], fewer["outcome"], fewer["engine"]) == (4, "impossible", "window")


def test_many_keys(run, written):
    rng = random.Random(1)
    many = written("".join(f"{rng.getrandbits(64)}\n" for _ in range(100)))
    found = said(run("find", "--keys", many, "--json", "-O", "candidates=20000"))
    assert found["outcome"] == "exists"
    assert found["bits"] in range(8, 12)


def test_trial_does_it_where_nothing_else_is_installed(run, written, monkeypatch):
    """What `pip install magicert` gives: no numba, no Z3."""
    monkeypatch.setattr("magicert.requests.find.is_installed", lambda name: name == "trial")
    result = run("find", "--keys", written("auto\nbreak\ncase\nchar\nconst\n"), status=0)
    assert "5 keys of" in result.stdout


def test_the_certificate_that_ships_is_of_these_keys(run, shipped, written):
    certificate, keys = shipped / "http-4.cover.xz", shipped / "http.txt"
    others = written(keys.read_text().replace("503", "504"))
    for about, path, status, told in (
        (certificate, keys, 0, ["white 16 keys, 4 bits: no magic exists", "12,980 leaves checked"]),
        (certificate, others, 1, ["0x1f8 of keys.txt is not among its keys",
                                  "its key 0x1f7 is not in keys.txt"]),
        ("bishop-d1-4", keys, 1, []),
    ):  # fmt: skip
        result = run("check", about, "--keys", path, status=status)
        assert all(text in result.output for text in told)


KEYS = [[hex(n * n + 1), n % 4] for n in range(8)]
"""Eight keys of four values that cannot be had in two bits."""
TWO = [["0x1", 0], ["0x2", 1]]


@pytest.fixture(scope="module")
def certificate(run, tmp_path_factory):
    folder = tmp_path_factory.mktemp("keys")
    keys, output = folder / "keys.txt", folder / "made.cover"
    keys.write_text("".join(f"{word} {value}\n" for word, value in KEYS))
    run("disprove", "--keys", keys, "--bits", 2, "-O", f"certificate={output}", status=0)
    run("check", output, "--keys", keys, "--replay", "all", "--sample", 2, status=0)
    return output.read_bytes()


def test_the_keys_of_a_certificate_are_its_own(run, certificate, tmp_path, about, status, says):
    first, header, body = certificate.split(b"\n", 2)
    document = json.loads(header)
    del document["keys"]
    path = tmp_path / "made.cover"
    path.write_bytes(b"\n".join([first, json.dumps(document | eval(about)).encode(), body]))
    result = run("check", path, status=int(status))
    assert result.output.startswith(says) if status < "2" else says in result.stderr


def test_a_ledger_keeps_what_is_done(run, written, tmp_path):
    keys, ledger = written(PRIMES), tmp_path / "l.db"
    command = ["find", "--keys", keys, "--bits", "3", "--engine", "window", "--all"]
    first = said(run(*command, "--ledger", ledger, "--json"))
    again = run(*command, "--ledger", ledger, "--json")
    assert "resuming 1 of 1 shards" in again.stderr
    assert said(again)["magics"] == first["magics"]
    other = said(run("find", "--keys", keys, "--bits", "3", "--engine", "z3", "--json"))
    assert other["outcome"] == first["outcome"]


def test_an_interruption_ends_it(run, written, monkeypatch):
    asked: list[object] = []

    class Interrupted:
        OPTIONS = ()

        def solve(self, *request: object) -> Outcome:
            asked.append(request)
            return Unknown("interrupted", "3 candidates tried")

    monkeypatch.setattr("magicert.requests.find.load", lambda _: Interrupted())
    result = run("find", "--keys", written(PRIMES))
    assert (result.exit_code, len(asked)) == (3, 1)
    assert "interrupted" in result.stdout


def test_guessing_is_for_squares():
    with pytest.raises(InputError, match="expected a slider on a square"):
        pattern_of(Cell(SCHEMES["white"], Keys.of([1, 2]), 2))


# Emitted lookups, compiled and run: every key is found, and nothing else.

WORD = (1 << 64) - 1
COLOURS = "red 0xff0000\ngreen 0x008000\nblue 255\nnavy 128\nteal 0x8080\ngrey 0x808080\n"
NUMBERS = "0\n1\n7\n0x8000000000000000\n18446744073709551615\n255\n256\n65537\n"
TEXTS = 'auto\nblock\nunsigned\n""\n"\\xff\\xfe"\n"12"\nété\n'

PROGRAMS = Path(__file__).with_name("programs")
"""What reads keys, and prints what an emitted lookup finds."""
SUFFIX = {"c": "h", "rust": "rs", "python": "py"}
COMPILERS = {"c": ["cc", "-std=c99", "-Wall", "-Wextra", "-Werror"],
             "rust": ["rustc", "--edition", "2021"]}  # fmt: skip


def built(lang: str, folder: Path) -> list[str]:
    """The command that runs the program of a language."""
    name = f"main.{'c' if lang == 'c' else SUFFIX[lang]}"
    main = shutil.copy(PROGRAMS / name, folder)
    if lang == "python":
        return [sys.executable, "-P", str(main), str(folder / "keys.py")]
    compiler, *flags = COMPILERS[lang]
    if shutil.which(compiler) is None:
        pytest.skip(f"no {compiler}")
    subprocess.run([compiler, *flags, "-o", "main", name], check=True, cwd=folder)
    return [str(folder / "main")]


def looked_up(lang: str, folder: Path, keys: Iterable[int]) -> list[str]:
    """What the program finds of keys."""
    given = "".join(f"{key}\n" for key in keys)
    done = subprocess.run(
        built(lang, folder), input=given, check=True, capture_output=True, text=True, cwd=folder
    )
    return done.stdout.split()


def asked_about(file: KeyFile) -> list[int]:
    """The keys, and many words that are none: neighbours, random ones, those of one slot."""
    rng = random.Random(1)
    others = {word ^ 1 << bit for word in file.words for bit in (0, 5, 31, 32, 63)}
    others |= {rng.getrandbits(64) for _ in range(2000)} | set(range(300)) | {WORD, WORD >> 1}
    return [*file.words, *sorted(others)]


langs = pytest.mark.parametrize("lang", SUFFIX)


@langs
@pytest.mark.parametrize("text", [COLOURS, NUMBERS, TEXTS], ids=["colours", "numbers", "texts"])
def test_every_key_is_found_and_nothing_else(run, written, tmp_path, lang, text):
    path = written(text)
    output = tmp_path / f"keys.{SUFFIX[lang]}"
    for _ in range(2):  # it may be written over
        run("emit", "--keys", path, "--lang", lang, "-o", output, status=0)
    file = read_keys(path)
    expected = {
        entry.key.word: entry.value.word if entry.value else place
        for place, entry in enumerate(file.entries)
    }
    asked = asked_about(file)
    found = looked_up(lang, tmp_path, asked)
    assert found == [str(expected.get(key, "none")) for key in asked]


@langs
def test_an_index_behind_the_last_slot_is_no_key(run, written, tmp_path, lang):
    output = tmp_path / f"keys.{SUFFIX[lang]}"
    given = ["--bits", "3", "--magic", hex(1 << 61), "-o", output]
    assert run("emit", "--keys", written("1\n2\n4\n"), "--lang", lang, *given).exit_code == 0
    found = looked_up(lang, tmp_path, [*range(8), 12])
    assert found == ["none", "0", "1", "none", "2", "none", "none", "none", "none"]


def module(source: str) -> dict[str, Callable[[object], int | None]]:
    scope: dict[str, Callable[[object], int | None]] = {}
    exec(source, scope)
    return scope


def test_a_string_is_found_by_its_bytes(run, written):
    find = module(run("emit", "--keys", written(TEXTS), "--lang", "python").stdout)["find_text"]
    assert [find(text) for text in ("auto", b"block", "", "12", "été")] == [0, 1, 3, 5, 6]
    others = ("aut", "auto\0", "\0", "unsigned!", "autoauto", b"\xff", "1")
    assert [find(text) for text in others] == [None] * 7


def test_a_string_is_found_in_c(run, written, tmp_path):
    if shutil.which("cc") is None:
        pytest.skip("no cc")
    run("emit", "--keys", written(TEXTS), "--lang", "c", "--prefix", "w_", "-o", tmp_path / "w.h")
    (tmp_path / "main.c").write_text(
        '#include "w.h"\n'
        "int main(void) { uint64_t v = 9;\n"
        'return !(w_find_text("unsigned", 8, &v) && v == 2 && !w_find_text("auto", 5, &v)\n'
        '&& !w_find_text("unsigned!", 9, &v) && w_find_text("", 0, &v) && v == 3); }\n'
    )
    subprocess.run(["cc", "-Wall", "-Wextra", "-Werror", "main.c"], check=True, cwd=tmp_path)
    subprocess.run([str(tmp_path / "a.out")], check=True)


@pytest.mark.parametrize("scheme", ["black", "two-halves", "((occ ^ 5) * magic) >> (64 - bits)"])
def test_other_formulas_are_emitted_too(run, written, scheme):
    path = written(NUMBERS)
    result = run("emit", "--keys", path, "--lang", "python", "--scheme", scheme, "--bits", "5")
    find = module(result.stdout)["find"]
    file = read_keys(path)
    asked = asked_about(file)
    expected = {word: place for place, word in enumerate(file.words)}
    assert [find(key) for key in asked] == [expected.get(key) for key in asked]
    assert [find(key) for key in (-1, 1 << 64, (1 << 64) + 1)] == [None] * 3


def test_a_given_magic_is_checked(run, written):
    path = written("1\n2\n3\n")
    given = ("emit", "--keys", path, "--lang", "python", "--bits", "2", "--magic")
    assert module(run(*given, hex(1 << 62)).stdout)["find"](2) == 1
    wrong = run(*given, "0", status=2)
    assert f"{path}:2: 2 has the index 0, as 1 of line 1" in wrong.stderr
    assert f"{path}:3:" in wrong.stderr


def test_the_fold_hash_of_the_lowest_bit(run, written):
    """64 words of one bit in 64 slots, by one multiplication of 32 bits (Glaurung has it so)."""
    path = written("".join(f"{1 << square:#x}\n" for square in range(64)))
    fold = "((lo32(occ ^ occ - 1) ^ hi32(occ ^ occ - 1)) * u32(magic)) >> 26"
    known = ("emit", "--keys", path, "--bits", 6, "--scheme", fold, "--lang", "c", "--magic")
    assert run(*known, "0x783a9b23").exit_code == 0
    assert run(*known, "0x783a9b25").exit_code != 0
    plan = "23 u1 e0:" + " d1" * 23 + " u" * 9  # the planner's, or a slower one: it is not asked
    by_window = ("--engine", "window", "-O", f"plan={plan}")
    found = run("find", "--keys", path, "--bits", 6, "--scheme", fold, *by_window)
    assert "magic 0x0000000078291acf" in found.stdout
    assert "shift" not in found.stdout  # the formula has its own
    assert run(*known, "0x78291acf").exit_code == 0


def test_a_product_of_32_bits_is_one_of_64(formula, same):
    about = Keys.of([3, 5, 1 << 31, 0xFFFFFFFF, 0x77700000123])
    cell = Cell(resolve_scheme(formula), about, 6)
    wide = in_64_bits(cell)
    assert (wide is not cell) == (same == "True")
    assert wide is cell or wide.last_index == 63
    for magic, (key, word) in itertools.product(
        (1, 0x783A9B23, 0xFFFFFFFF) if wide is not cell else (),
        zip(cell.words, wide.words, strict=True),
    ):
        plain = evaluate(cell.scheme.formula.tree, {"occ": key, "magic": magic, "bits": 6})
        assert plain == word * magic % (1 << 64) >> 64 - wide.bits


def test_keys_of_one_value_have_slots_of_their_own(run, written):
    source = run("emit", "--keys", written("1 5\n2 5\n3 6\n"), "--lang", "python").stdout
    assert [module(source)["find"](key) for key in range(5)] == [None, 5, 5, 6, None]
