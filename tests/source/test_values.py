"""What an item of a list comes to in its language: a number, or not known, or refused."""

from pathlib import Path

import pytest

from magicert.verify.source.lists import read_sources

WORD = 0x8A08C0010C10040040400004140_0A40


def rows(name):
    _, *lines = Path(__file__).with_name(name).read_text("utf-8").splitlines()
    return [line.replace("\\n", "\n").split("\t") for line in lines]


FRAMES = dict(rows("frames.tsv"))


def read(file, item, head, bits=64):
    """The list of sixteen such items."""
    ending, separator = file.partition(".")[2], "; " if file == "a.ml" else ", "
    frame = FRAMES[ending if bits == 64 else f"{bits} {ending}"]
    text = f"{head}\n{frame.format(separator.join([item] * 16))}\n"
    ((source,),) = read_sources([(Path(file), text.encode())], bits)
    (found,) = source.lists
    return found


@pytest.mark.parametrize(("file", "item", "head", "expected"), rows("values.tsv"))
def test_what_an_item_comes_to(file, item, head, expected):
    numbers = list(read(file, item, head).row.flat())
    assert len(numbers) == 16
    if expected == "refused":
        assert all(number.problem for number in numbers)
    else:
        known = None if expected == "-" else int(expected, 0)
        assert {number.value for number in numbers} == {known}
        assert not any(number.problem for number in numbers if known is not None)


@pytest.mark.parametrize(("file", "item", "head", "made"), rows("wide_values.tsv"))
def test_numbers_of_128_bits(file, item, head, made):
    """Two are halves, which the numbers tell apart."""
    high, low = WORD >> 64, WORD & (1 << 64) - 1
    values = read(file, item.format(h=f"{high:#x}", l=f"{low:#x}"), head, 128).values()
    if made == "two":
        assert values == [high, low] * 16
    else:
        assert set(values) == {WORD if made == "one" else None}
