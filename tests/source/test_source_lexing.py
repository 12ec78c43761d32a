"""Comments, strings and quiet lines: what the reader sees of a text, and what it may skip."""

import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from magicert.verify.source.languages.language import language_of
from magicert.verify.source.languages.numbers import read_number
from magicert.verify.source.lists.material import decode, read_sources
from magicert.verify.source.text import lexing
from magicert.verify.source.text.lexing import lex
from magicert.verify.source.text.quiet import without_quiet_lines

FILLER = [
    "    if (depth > 3 && side == WHITE) {\n        score += material * 12;\n    }\n",
    "    // a comment with a brace { and a quote '\n",
    "    /* one line */ call(x);\n",
    '    print("a { string /* with 5 things");\n',
    "    /* several\n       lines with {{{ and 0x1234567812345678, 7\n    */\n",
    "    while (!done) step();\n",
    "\n",
    '    s = "it\'s";\n',
]


def columns(name, text):
    return [
        (column.values, column.name, column.first_line, column.last_line)
        for material in read_sources([(Path(name), text.encode())])
        for column in material.columns
    ]


def test_skipping_quiet_lines_changes_nothing(sample_file, monkeypatch):
    text = decode(sample_file.path.read_bytes(), "")
    name = sample_file.path.name
    quick = columns(name, text)
    monkeypatch.setattr(lexing, "without_quiet_lines", lambda whole: whole)
    assert columns(name, text) == quick
    assert quick


@given(parts=st.lists(st.sampled_from(FILLER), max_size=30), place=st.integers(0, 30))
def test_code_around_a_table_changes_only_its_lines(parts, place, sample_text):
    table = sample_text("bbc.c")
    before, after = "".join(parts[:place]), "".join(parts[place:])
    shift = before.count("\n")
    plain = columns("bbc.c", table)
    found = columns("bbc.c", f"{before}{table}{after}")
    assert found == [(v, name, first + shift, last + shift) for v, name, first, last in plain]


@given(st.lists(st.sampled_from(FILLER), max_size=20))
def test_lines_keep_their_numbers(parts):
    text = "".join(parts)
    kept = without_quiet_lines(text)
    assert kept.count("\n") == text.count("\n")
    for line, own in zip(text.split("\n"), kept.split("\n"), strict=True):
        assert own in ("", line)


COMMENTS = {
    "c.c": ("/* {} */", "// {}"),
    "d.d": ("/+ {} +/", "// {}"),
    "h.hs": ("{{- {} -}}", "-- {}"),
    "j.jl": ("#= {} =#", "# {}"),
    "n.nim": ("#[ {} ]#", "# {}"),
    "l.lua": ("--[[ {} ]]", "-- {}"),
    "p.pas": ("{{ {} }}", "(* {} *)", "// {}"),
    "m.ml": ("(* {} *)",),
    "y.py": ("# {}",),
    "r.rb": ("# {}", "\n=begin\n{}\n=end\n"),
    "a.adb": ("-- {}",),
    "s.asm": ("; {}",),
    "e.erl": ("% {}",),
    "f.fs": ("(* {} *)", "// {}"),
    "x.nothing": ("/* {} */", "// {}", "# {}", "-- {}"),
}


@pytest.mark.parametrize("name", COMMENTS)
def test_comments_are_blanked_and_code_is_not(name):
    for form in COMMENTS[name]:
        text = f"a 0x1111\n{form.format('0x2222')}\nb 0x3333\n"
        code = lex(text, language_of(Path(name))).text
        assert "0x1111" in code
        assert "0x2222" not in code
        assert "0x3333" in code
        assert len(code) == len(text)


def test_a_hostile_text_gets_the_plain_lexer(monkeypatch):
    monkeypatch.setattr(lexing, "PATIENCE", 0.0)
    code = lex("a = [1, 2] /* 3 */ 'x'\n" * 50, language_of(Path("a.js")))
    assert "3" not in code.text
    assert len(code.strings) == 50


@given(word=st.integers(0, (1 << 64) - 1), seed=st.integers(0, 1 << 20))
def test_every_form_of_a_number(word, seed):
    rng = random.Random(seed)
    cases = {
        ".cpp": [f"0x{word:x}ULL", f"{word}ull", f"0{word:o}", f"0b{word:b}u", f"0X{word:X}_u64"],
        ".rs": [f"0x{word:_x}_u64", f"{word:_}u64", f"0o{word:o}", f"0b{word:_b}usize"],
        ".java": [f"0x{word:x}L", f"0{word:o}L", f"{word:_}L"],
        ".pas": [f"${word:x}", f"%{word:b}", f"&{word:o}", f"{word}"],
        ".vb": [f"&H{word:X}UL", f"&O{word:o}", f"{word}UL"],
        ".nim": [f"0x{word:x}", f"{word:_}u64"],
        ".lisp": [f"#x{word:x}", f"#b{word:b}"],
        ".adb": [f"16#{word:_X}#", f"2#{word:b}#"],
        ".asm": [f"0{word:x}h", f"0x{word:x}"],
        ".js": [f"0x{word:x}n", f"{word}n", f"0o{word:o}n"],
    }
    ending = rng.choice(sorted(cases))
    text = rng.choice(cases[ending])
    if ending == ".cpp":
        digits = f"{word:x}"
        text = rng.choice([text, "0x" + "'".join(digits) + "u"])
    assert read_number(text, language_of(Path(f"x{ending}"))) == word


def test_leading_zeros_are_octal_only_where_they_are():
    assert read_number("010", language_of(Path("a.c"))) == 8
    assert read_number("010", language_of(Path("a.rs"))) == 10
    assert read_number("019", language_of(Path("a.c"))) == 19


@pytest.mark.parametrize("text", ["1.5", "1e5", "0x" + "f" * 400])
def test_what_is_no_number(text):
    assert read_number(text, language_of(Path("a.c"))) is None
