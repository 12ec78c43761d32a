"""Numbered random words: the compiled generator against plain integers."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from magicert.board import WORD, Piece
from magicert.cell import Slider
from magicert.search.finders.drawing import stream_key, word
from magicert.search.finders.drawing import stream_word as stream_words
from magicert.search.finders.trial_kernel import stream_word

U = np.uint64
words = st.integers(0, WORD)


@given(words, st.integers(0, 1 << 50))
def test_compiled_words_are_the_plain_ones(key: int, number: int) -> None:
    compiled = stream_word(U(key), U(number))
    assert int(compiled) == word(key, number)


@given(words, st.lists(st.integers(0, 1 << 50), min_size=1))
def test_arrays_of_words_are_the_plain_ones(key: int, numbers: list[int]) -> None:
    drawn = stream_words(U(key), np.array(numbers, dtype=U))
    assert drawn.tolist() == [word(key, number) for number in numbers]


def test_the_generator_is_splitmix64() -> None:
    # The first outputs of SplitMix64 seeded with 1234567, as its author's code prints them.
    expected = [6457827717110365317, 3203168211198807973, 9817491932198370423]
    assert [word(1234567, n) for n in range(3)] == expected


def test_every_signature_is_of_unsigned_words() -> None:
    stream_word(U(1), U(1))
    for signature in stream_word.nopython_signatures:
        assert str(signature) == "(uint64, uint64) -> uint64"


def test_squares_and_seeds_have_streams_of_their_own() -> None:
    keys = {
        stream_key(seed, Slider(piece, square).stream)
        for seed in (0, 1, 2, WORD, WORD + 1, 1 << 64 | 1, 1 << 200)
        for piece in Piece
        for square in range(64)
    }
    assert len(keys) == 7 * 128
