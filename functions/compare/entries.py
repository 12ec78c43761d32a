"""The entries of a function of two squares: read for all second squares at once, by numpy.

The first square is a constant, as for every function. The second one is a number of few bits, so
whatever the function computes is known for each of its values, and no solver is asked.
"""

import numpy as np

from magicert.board import Board, bitboard, squares_of
from magicert.functions.compare import arrays, pairs
from magicert.functions.compare.claim import FunctionClaim
from magicert.functions.compare.layout import Layout
from magicert.functions.execute import words
from magicert.functions.execute.state import Run
from magicert.functions.execute.values import Lane
from magicert.functions.execute.words import Word, WordTable

TARGET = "target"


def target_bits(board: Board) -> int:
    """The bits of a square's number."""
    return max(1, (board.squares - 1).bit_length())


class AllTargets:
    """Words for each second square of a board. Nothing is worked out twice."""

    def __init__(self, count: int) -> None:
        self.count = count
        self._arrays: dict[Word, arrays.Array] = {}
        self._open = set[Word]()
        """Words in which something else is unknown, too: that is taken for 0."""

    def of(self, root: Word) -> arrays.Array:
        """The word for each of them."""
        waiting = [root]
        while waiting:
            node = waiting[-1]
            missing = [arg for arg in node.args if arg not in self._arrays]
            if missing and node not in self._arrays:
                waiting += missing
                continue
            waiting.pop()
            if node not in self._arrays:
                self._arrays[node] = self._array_of(node)
        return np.broadcast_to(self._arrays[root], (self.count,))

    def _array_of(self, node: Word) -> arrays.Array:
        if node.op == "variable" and node.data == TARGET:
            return np.arange(self.count, dtype=np.uint64)
        if node.op == "variable":
            self._open.add(node)
            return np.zeros(self.count, object if node.width > 64 else np.uint64)
        if any(arg in self._open for arg in node.args):
            self._open.add(node)
        return arrays.one_node(node, [self._arrays[arg] for arg in node.args])

    def is_known(self, root: Word) -> bool:
        """Whether the second square alone says what a word is."""
        self.of(root)
        return root not in self._open


class Entries:
    """What one function gives for pairs of squares, and what it should give."""

    def __init__(self, claim: FunctionClaim, layout: Layout) -> None:
        self.claim = claim
        self.layout = layout
        self.board = board = layout.board
        self.places = layout.squares
        self.entries_by_pair: dict[pairs.Pair, int] = {}
        self.conventions = pairs.Conventions(claim.kind, board, {}, {})

    def target(self) -> Word:
        """The second square's number."""
        return words.variable(TARGET, target_bits(self.board))

    def in_range(self, target: Word) -> Word:
        """That a number is one of the board's squares."""
        inside = words.boolean(True)
        if self.board.squares < 1 << target.width:
            inside = words.ult(target, words.constant(self.board.squares, target.width))
        for number in range(self.board.squares):
            if number not in self.layout.bits:  # a hole
                here = words.eq(target, words.constant(number, target.width))
                inside = words.and_(inside, words.not_(here))
        return inside

    def add_entries(self, number: int, run: Run, computed: Lane, every: AllTargets) -> None:
        """The sets for one first square, where they are without undefined behaviour."""
        sets = every.of(computed.word)
        broken = every.of(words.any_of([computed.poison, *(v.condition for v in run.violations)]))
        for n in self.layout.bits:
            if not broken[n]:
                pair = self.places[number], self.places[n]
                self.entries_by_pair[pair] = self._on_board(int(sets[n]))

    def conclude(self, numbers: list[int]) -> None:
        """Find the conventions that all that was read follows."""
        geometry = {
            (first, second): pairs.parts_of(self.board, self.claim.movement, first, second)
            for first in (self.places[n] for n in numbers)
            for second in self.layout.numbers
        }
        self.conventions = pairs.Conventions(
            self.claim.kind, self.board, geometry, self.entries_by_pair
        )

    def _on_board(self, word: int) -> int:
        """A set in the function's layout as one of the board's. With bits that are no square's it
        has one behind the last square, so that it equals none.
        """
        squares = bitboard(self.layout.squares_given(word))
        return squares | self.layout.has_stray_bits(word) << self.board.squares

    def expected(self, number: int, computed: Word) -> tuple[Word, str]:
        """The sets for one first square as the conventions have them, by the second one; and why
        some are not known: of these nothing is expected.
        """
        first, target = self.places[number], self.target()
        reasons = {n: self.conventions.undecided((first, self.places[n])) for n in self.layout.bits}
        sets = [0] * self.board.squares
        for n in (n for n, reason in reasons.items() if not reason):
            expected_set = self.conventions.expected((first, self.places[n]))
            sets[n] = self.layout.number_given(squares_of(expected_set))
        halves = []
        for low in range(0, self.board.word, 64):
            half = np.array([word >> low & words.ones(64) for word in sets], np.uint64)
            halves.append(words.entry(WordTable("expected", half, 64, 0, 8), target))
        expected = words.concat(*reversed(halves))
        for n, reason in reasons.items():
            if reason:
                here = words.eq(target, words.constant(n, target.width))
                expected = words.ite(here, computed, expected)
        return expected, next(filter(None, reasons.values()), "")

    def explain(self, number: int, target: int, entry: int) -> tuple[str, str]:
        """The second square's name, and what is wrong with the set of a pair."""
        pair = self.places[number], self.places[target]
        return self.board.name(pair[1]), self.conventions.explain(pair, self._on_board(entry))
