"""Files of keys: what is read, and every error with its line."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from magicert.cell import Keys
from magicert.key_file import KeyFile, parse_keys, read_keys
from magicert.problem import InputError

HERE = Path("keys.txt")


def read(text: str | bytes) -> KeyFile:
    return parse_keys(text.encode() if isinstance(text, str) else text, HERE)


def words(text: str | bytes) -> list[int]:
    return read(text).words


def wrong(text: str | bytes) -> list[tuple[int | None, str]]:
    with pytest.raises(InputError) as caught:
        read(text)
    assert {problem.file for problem in caught.value.problems} == {"keys.txt"}
    return [(problem.line, problem.message) for problem in caught.value.problems]


def word(text: bytes) -> int:
    return int.from_bytes(text, "little")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1\n2\n", [1, 2]),
        ("0x1F\n0\n18446744073709551615", [31, 0, (1 << 64) - 1]),
        ("auto\nblock", [word(b"auto"), word(b"block")]),
        ("unsigned", [word(b"unsigned")]),
        ('"12"\n"a b"\n"\\""', [word(b"12"), word(b"a b"), word(b'"')]),
        ('"\\\\"\n"#"\n""', [word(b"\\"), word(b"#"), 0]),
        ('"\\x0a\\xff"', [word(b"\n\xff")]),
        ("été", [word("été".encode())]),
        ("# a comment\n\n  7   # seven\n\t8", [7, 8]),
        ("+=\n->\n-\na#b", [word(b"+="), word(b"->"), word(b"-"), word(b"a#b")]),
        (b"\xef\xbb\xbf1\r\n2\r\n", [1, 2]),
        (b"auto\r\nblock\r\n", [word(b"auto"), word(b"block")]),
    ],
)  # fmt: skip
def test_what_is_read(text: str | bytes, expected: list[int]) -> None:
    assert words(text) == expected


def test_keys_without_values_are_all_apart_and_values_group_the_others() -> None:
    assert read("1\n2\n3").keys == Keys.of([1, 2, 3])
    file = read("1 7\n2 8\n3 0x7 # again\n")
    assert (file.keys, file.apart) == (Keys.of([1, 2, 3], [7, 8, 7]), Keys.of([1, 2, 3]))
    assert file.has_values
    assert read("red warm\nblue cold\n").keys.values == (0, 1)
    twice = read("red\nblue\nred\n")
    assert len(twice.entries) == 2
    assert twice.remarks == ("line 3: 'red' as in line 1: counted once",)
    assert read("16 1\n0x10 1").remarks == ("line 2: 16 as in line 1: counted once",)


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        ("", 1, "no keys"),
        ("# nothing\n\n", 3, "no keys"),
        ("1\n18446744073709551616", 2, "has 65 bits: expected at most 64"),
        ("9" * 5000, 1, "... has 5000 digits: expected at most 64 bits"),
        ("0x" + "f" * 5000, 1, "... has 20000 bits: expected at most 64"),
        ("x" * 5000, 1, "... has 5000 bytes"),
        ("7" * 5000 + "a", 1, "...: expected a number such as"),
        ("background", 1, "has 10 bytes: expected at most 8"),
        ("été-été-", 1, "has 12 bytes"),
        ("1\n12ab", 2, 'or a string: "12ab"'),
        ("-1", 1, "expected a number such as 12"),
        ("007", 1, "expected a number"),
        ("0x", 1, "expected a number"),
        ("1\n\n1 2 3", 3, "3 words"),
        ('1\n"abc', 2, "the quote does not close"),
        ('"a"b', 1, "expected a space behind"),
        ('"\\q"', 1, r"\q in"),
        ('"\\x00"', 1, "zero byte"),
        ("a\u200bb", 1, "invisible"),
        ("a\ufeff", 1, "invisible"),
        (b"good\nb\xe4d\n", 2, "byte 0xe4: expected UTF-8"),
        (b"\xff\xfe1\0", 1, "UTF-16"),
        ("1\nauto", 2, "the key is a string, that of line 1 is a number"),
        ("auto\n\n1", 3, "the key is a number, that of line 1 is a string"),
        ("1 2\n3 four", 2, "the value is a string, that of line 1 is a number"),
        ("1 2\n3", 2, "no value, but line 1 has one"),
        ("1\n3 4", 2, "a value, but line 1 has none"),
        ("7 1\n8 1\n0x7 2", 3, "the key 7 has the value 2, in line 1 it has 1"),
    ],
)  # fmt: skip
def test_an_error_has_its_line(text: str | bytes, line: int, says: str) -> None:
    ((found, message),) = wrong(text)
    assert found == line
    assert says in message
    assert len(message) < 200


def test_all_errors_are_named_in_their_order() -> None:
    text = b"auto 1\nbackground 1\nb\xe4d 2\n12 1\nauto 2\nleft\n9x 99999999999999999999 3\n"
    lines = [line for line, _ in wrong(text)]
    assert lines == [2, 3, 4, 5, 6, 7, 7, 7]


def test_too_many_keys_and_too_large_a_file(tmp_path: Path) -> None:
    ((line, message),) = wrong("".join(f"{n}\n" for n in range((1 << 16) + 1)))
    assert (line, message) == ((1 << 16) + 1, "expected at most 65,536 keys")
    path = tmp_path / "large"
    path.write_bytes(b"#" * ((1 << 24) + 1))
    with pytest.raises(InputError, match="expected at most 16,777,216"):
        read_keys(path)


@given(
    st.lists(
        st.binary(min_size=0, max_size=8).filter(lambda b: 0 not in b), min_size=1, unique=True
    )
)
def test_any_strings_can_be_written_in_quotes(texts: list[bytes]) -> None:
    lines = ['"' + "".join(f"\\x{byte:02x}" for byte in text) + '"' for text in texts]
    assert words("\n".join(lines)) == [word(text) for text in texts]


@given(st.binary(max_size=60))
def test_no_bytes_break_the_reader(data: bytes) -> None:
    lines: set[int | None] = {*range(1, data.count(b"\n") + 2)}
    try:
        file = read(data)
    except InputError:
        assert {line for line, _ in wrong(data)} <= lines
    else:
        assert len(set(file.words)) == len(file.entries) > 0
