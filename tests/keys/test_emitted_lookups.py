"""Emitted lookups of keys, compiled and run: every key is found, and nothing else."""

import itertools
import random
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from click.testing import Result

from magicert.cell import Cell, Keys, in_64_bits
from magicert.formula.tree import evaluate
from magicert.key_file import KeyFile, read_keys
from magicert.scheme import resolve_scheme

Run = Callable[..., Result]
Write = Callable[[bytes | str], Path]
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
def test_every_key_is_found_and_nothing_else(
    run: Run, written: Write, tmp_path: Path, lang: str, text: str
) -> None:
    path = written(text)
    output = tmp_path / f"keys.{SUFFIX[lang]}"
    for _ in range(2):  # it may be written over
        result = run("emit", "--keys", path, "--lang", lang, "-o", output)
        assert result.exit_code == 0, result.output
    file = read_keys(path)
    expected = {
        entry.key.word: entry.value.word if entry.value else place
        for place, entry in enumerate(file.entries)
    }
    asked = asked_about(file)
    found = looked_up(lang, tmp_path, asked)
    assert found == [str(expected.get(key, "none")) for key in asked]


@langs
def test_an_index_behind_the_last_slot_is_no_key(
    run: Run, written: Write, tmp_path: Path, lang: str
) -> None:
    output = tmp_path / f"keys.{SUFFIX[lang]}"
    given = ["--bits", "3", "--magic", hex(1 << 61), "-o", output]
    assert run("emit", "--keys", written("1\n2\n4\n"), "--lang", lang, *given).exit_code == 0
    found = looked_up(lang, tmp_path, [*range(8), 12])
    assert found == ["none", "0", "1", "none", "2", "none", "none", "none", "none"]


def module(source: str) -> dict[str, Callable[[object], int | None]]:
    scope: dict[str, Callable[[object], int | None]] = {}
    exec(source, scope)
    return scope


def test_a_string_is_found_by_its_bytes(run: Run, written: Write) -> None:
    find = module(run("emit", "--keys", written(TEXTS), "--lang", "python").stdout)["find_text"]
    assert [find(text) for text in ("auto", b"block", "", "12", "été")] == [0, 1, 3, 5, 6]
    others = ("aut", "auto\0", "\0", "unsigned!", "autoauto", b"\xff", "1")
    assert [find(text) for text in others] == [None] * 7


def test_a_string_is_found_in_c(run: Run, written: Write, tmp_path: Path) -> None:
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
def test_other_formulas_are_emitted_too(run: Run, written: Write, scheme: str) -> None:
    path = written(NUMBERS)
    result = run("emit", "--keys", path, "--lang", "python", "--scheme", scheme, "--bits", "5")
    find = module(result.stdout)["find"]
    file = read_keys(path)
    asked = asked_about(file)
    expected = {word: place for place, word in enumerate(file.words)}
    assert [find(key) for key in asked] == [expected.get(key) for key in asked]
    assert [find(key) for key in (-1, 1 << 64, (1 << 64) + 1)] == [None] * 3


def test_a_given_magic_is_checked(run: Run, written: Write) -> None:
    path = written("1\n2\n3\n")
    given = ("emit", "--keys", path, "--lang", "python", "--bits", "2", "--magic")
    assert module(run(*given, hex(1 << 62)).stdout)["find"](2) == 1
    wrong = run(*given, "0")
    assert wrong.exit_code == 2
    assert f"{path}:2: 2 has the index 0, as 1 of line 1" in wrong.stderr
    assert f"{path}:3:" in wrong.stderr


def test_the_fold_hash_of_the_lowest_bit(run: Run, written: Write) -> None:
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


@pytest.mark.parametrize(
    ("formula", "same"),
    [
        ("(lo32(occ) * u32(magic)) >> (32 - bits)", True),
        ("(u32(magic) * (lo32(occ) ^ hi32(occ))) >> 25", True),
        ("(lo32(occ) * u32(magic + 1)) >> 26", False),
        ("(lo32(occ) * u32(magic)) >> (26 + lo32(occ) * 0)", False),
        ("((lo32(occ) ^ u32(magic)) * u32(magic)) >> 26", False),
        ("(hi32(occ) * u32(magic)) >> 26", False),  # two keys have one product
    ],
)
def test_a_product_of_32_bits_is_one_of_64(formula: str, same: bool) -> None:
    about = Keys.of([3, 5, 1 << 31, 0xFFFFFFFF, 0x77700000123])
    cell = Cell(resolve_scheme(formula), about, 6)
    wide = in_64_bits(cell)
    assert (wide is not cell) == same
    assert not same or wide.last_index == 63
    for magic, (key, word) in itertools.product(
        (1, 0x783A9B23, 0xFFFFFFFF) if same else (), zip(cell.words, wide.words, strict=True)
    ):
        plain = evaluate(cell.scheme.formula.tree, {"occ": key, "magic": magic, "bits": 6})
        assert plain == word * magic % (1 << 64) >> 64 - wide.bits


def test_keys_of_one_value_have_slots_of_their_own(run: Run, written: Write) -> None:
    source = run("emit", "--keys", written("1 5\n2 5\n3 6\n"), "--lang", "python").stdout
    assert [module(source)["find"](key) for key in range(5)] == [None, 5, 5, 6, None]


def test_no_magic_no_source(run: Run, written: Write, tmp_path: Path) -> None:
    output = tmp_path / "out.h"
    result = run("emit", "--keys", written("1\n2\n3\n"), "--lang", "c", "--bits", "1", "-o", output)
    assert (result.exit_code, result.stdout) == (1, "")
    assert "IMPOSSIBLE" in result.stderr
    assert not output.exists()
