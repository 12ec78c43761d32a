"""What an expression around an item of the magics comes to, held against a reading's formula.

The expression is a term (`languages/terms.py`) whose leaves are names. What a leaf is, its name or
its list may say: the mask of the square, an item of a list of shifts, the number of the square.
Of any other leaf nobody knows: it may be whatever part of the formula has no magic in it, and where
it says how far something is shifted, whatever number goes with that. An expression computes
something else than the formula only if it does so whatever its leaves are.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from math import prod
from random import Random

from magicert.formula.tree import MASK, OCCUPANCY, Binary, Literal, evaluate, names, walk
from magicert.languages.brackets import Tree
from magicert.languages.language import Int
from magicert.languages.statements import spine
from magicert.languages.terms import PERMUTATIONS, Term, UndefinedError, leaf
from magicert.problem import InputError
from magicert.verify.source.columns import MOST_BITS, SHIFT_WORDS, Column, says
from magicert.verify.source.contents import Contents
from magicert.verify.source.looked_up import Lookup, name_of, words_in
from magicert.verify.source.term_reader import (
    SEVERAL,
    TermReader,
    are_apart,
    subscript_of,
    written,
)
from magicert.verify.source.variant import split_words
from magicert.verify.source.ways import PieceReading

MOST_TRIED = 800
"""Meanings of an expression's leaves that are tried, together."""
MAGIC, SUBSET, WHOLE_BOARD = "the magic", "a subset of the mask", "the whole occupancy"
_HALF_WORDS = ("lo", "hi", "low", "high", "lower", "upper")
_OCCUPANCY_WORDS = ("occ", "occupied", "occupancy", "all", "pieces", "own", "us", "them", "color")
_EMPTY_WORDS = ("empty", "empties", "free", "vacant", "unoccupied")


@dataclass(frozen=True, slots=True)
class Sample:
    """One occupancy of one square: what the formula makes of it, and the parts that have no magic.

    `shifted`: the word that is shifted in the end; `amounts`: what may say how far, the formula's
    own first.
    """

    row: int
    magic: int
    occupancy: int
    mask: int
    parts: tuple[int, ...]
    shifted: int | None
    amounts: tuple[int, ...]
    index: int


@dataclass(frozen=True, slots=True)
class Case:
    """A sample, and what a lookup's subscript is made of there."""

    square: int
    sample: Sample


Meaning = Callable[[Case], int]


class Samples:
    """What a reading's formula comes to: on each square with its own magic, and on some of them
    with a magic and a mask at the ends of their ranges.
    """

    def __init__(self, reading: PieceReading) -> None:
        tree, variant = reading.formula.tree, reading.variant
        rows = range(variant.squares)
        self.formula, self.text = tree, reading.formula.text
        self.cut = tree if isinstance(tree, Binary) and tree.operator == ">>" else None
        nodes = walk(self.cut.left if self.cut is not None else tree)
        words = (node for node in nodes if not isinstance(node, Literal))
        self.parts = [*dict.fromkeys(node for node in words if "magic" not in names(node))]
        self.width = self.cut.left.width if self.cut is not None else variant.word
        masks = variant.masks(reading.piece, reading.arrangement, reading.masks)
        listed = {
            name: values if len(values) > 1 else tuple(values) * len(rows)
            for name, values in reading.parameters.items()
        }
        random, most = Random(1), max(reading.magic.words).bit_length()
        self.on_squares: dict[int, Sample] = {}
        self.at_ends: list[Sample] = []
        for row in rows:
            own = {MASK: masks[row]} | {name: values[row] for name, values in listed.items()}
            sample = self._sample(row, {**own, OCCUPANCY: random.getrandbits(len(rows))})
            if sample is not None:
                self.on_squares[row] = sample
            mask = own[MASK] & own[MASK] - 1 | 1  # of as many bits
            for magic in ((1 << most) - 1, 1 << most - 1) if not row % 8 else ():
                end = self._sample(row, {**own, OCCUPANCY: 1, MASK: mask, "magic": magic})
                self.at_ends += [end] if end is not None else []

    def _sample(self, row: int, values: dict[str, int]) -> Sample | None:
        cut, amounts, shifted = self.cut, list[int](), None
        try:
            parts = tuple(evaluate(node, values, self.text) for node in self.parts)
            index = evaluate(self.formula, values, self.text)
            if cut is not None:
                shifted = evaluate(cut.left, values, self.text)
                amount = evaluate(cut.right, values, self.text)
                amounts = [amount, self.width - amount, *[amount - 32] * (amount >= 32)]
        except InputError:
            return None
        known = values["magic"], values[OCCUPANCY], values[MASK]
        return Sample(row, *known, parts, shifted, tuple(amounts), index)

    @cached_property
    def least_shift(self) -> int:
        every = self.on_squares.values()
        return min((sample.amounts[0] for sample in every if sample.amounts), default=0)


def is_in_order(reading: PieceReading) -> bool:
    """Is the number of a row that of the square, in all lists of one number a square?"""
    arrangement, magic = reading.arrangement, reading.magic
    is_whole = not (magic.part or reading.in_square_order)
    return is_whole and arrangement.listing == arrangement.order


@dataclass
class Expression(TermReader):
    """Terms of what stands around one item of the magics. `whole`: what is multiplied, and is known
    to be the whole occupancy.
    """

    contents: Contents
    reading: PieceReading
    lookup: Lookup
    samples: Samples
    whole: tuple[Tree, ...] = ()
    is_literal: bool = False
    """Is a number that says how far is shifted to be taken at its word?"""
    meanings: dict[str, tuple[Meaning, ...]] = field(default_factory=dict)
    unknown: set[str] = field(default_factory=set)
    masks: set[str] = field(default_factory=set)
    free: set[str] = field(default_factory=set)
    """The leaves that say how far is shifted, and that nothing is known of."""
    small: set[str] = field(default_factory=set)
    """The leaves that are no words."""

    def __post_init__(self) -> None:
        super().__init__(self.lookup.source)
        subscripts = spine(self.lookup.item)[1]
        self.own = subscript_of(subscripts[-1], self.source) if subscripts else None
        self.own_text = written(self.lookup.item, self.source)
        self.is_in_order = is_in_order(self.reading)

    # Is it what the formula computes?

    def is_index(self, tree: Tree, *, signed: bool = False) -> bool:
        """May it be the index, or one of more bits?"""
        least = max(self.samples.width - MOST_BITS, 1)
        shifts = {-1, *range(least, self.samples.least_shift + 1)}

        def fitting(value: int, sample: Sample) -> set[int]:
            whole = sample.shifted
            fits = {n for n in shifts if whole is not None and n >= 0 and value == whole >> n}
            return fits | ({-1} if value == sample.index else set())

        return self._may_be(tree, fitting, signed=signed)

    def is_shifted(self, tree: Tree) -> bool:
        """May it be the word that the formula shifts?"""
        whole = (1 << self.samples.width) - 1
        return self._may_be(
            tree, lambda value, sample: {0} if value & whole == sample.shifted else set()
        )

    def is_magic(self, tree: Tree, cases: list[Case] | None = None) -> bool:
        """May it be the magic as it is, on some squares or on all?"""
        whole, squares = self.reading.variant.whole, self.reading.variant.squares
        return self._may_be(
            tree,
            lambda value, sample: {0} if value & whole == sample.magic else set(),
            cases=self.cases[:squares] if cases is None else cases,
        )

    def is_known(self, tree: Tree) -> bool:
        """Is it made of numbers and the square alone?"""
        keys = {*self.term(tree).leaves()}
        return not keys - ({self.own.variable} if self.own else set())

    def _may_be(
        self,
        tree: Tree,
        fitting: Callable[[int, Sample], set[int]],
        *,
        signed: bool = False,
        cases: list[Case] | None = None,
    ) -> bool:
        """Is there a meaning of the leaves with which the values of all cases fit in one way? Their
        types are not known: a magic has the bits that the formula multiplies in, another word those
        or all.
        """
        term = self.term(tree)
        keys = sorted({*term.leaves()})
        options = [self.meanings[key] for key in keys]
        cases = self.cases if cases is None else cases
        if prod(map(len, options)) > MOST_TRIED:
            return True
        words = {self.reading.variant.word, self.samples.width}
        return any(
            self._fits(term, dict(zip(keys, chosen, strict=True)), cases, fitting, (word, signed))
            for word in words
            for chosen in product(*options)
        )

    def _fits(
        self,
        term: Term,
        chosen: dict[str, Meaning],
        cases: list[Case],
        fitting: Callable[[int, Sample], set[int]],
        word: tuple[int, bool],
    ) -> bool:
        types = {key: (32, True) if key in self.small else word for key in chosen}
        if MAGIC in types:
            types[MAGIC] = self.samples.width, word[1]
        ways: set[int] | None = None
        for case in cases:
            given = {
                key: Int(meaning(case)).in_type(*types[key]) for key, meaning in chosen.items()
            }
            try:
                found = fitting(term.value(given).value, case.sample)
            except UndefinedError:
                return False
            ways = found if ways is None else ways & found
            if not ways:
                return False
        return True

    @cached_property
    def cases(self) -> list[Case]:
        """All samples, each with what the lookup's subscript is made of; one of each square first,
        in an order that soon shows a difference.
        """
        squares, on_squares = self.reading.variant.squares, self.samples.on_squares
        order = [(37 * n + 11) % squares if squares % 37 else n for n in range(squares)]
        rows = {square: self._row(square) for square in order}
        cases = [Case(n, on_squares[row]) for n, row in rows.items() if row in on_squares]
        square_of = {row: square for square, row in rows.items()}
        ends = (sample for sample in self.samples.at_ends if sample.row in square_of)
        return cases + [Case(square_of[sample.row], sample) for sample in ends]

    def _row(self, square: int) -> int:
        """The magic's row, where its subscript is made of a square."""
        squares, own = self.reading.variant.squares, self.own
        return own.number(square) % squares if own and own.variable != SEVERAL else square

    # Leaves.

    def mean(self, key: str, *meanings: Meaning, small: bool = False) -> Term:
        """A leaf, and what it may be."""
        self.meanings.setdefault(key, meanings)
        if small:
            self.small.add(key)
        return leaf(key)

    def known(self, tree: Tree, *, is_amount: bool) -> Term | None:
        if any(tree is other for other in self.whole):
            return self.mean(WHOLE_BOARD, lambda case: case.sample.occupancy)
        is_item = tree.kind in ("item", "field", "name")
        if tree is self.lookup.item or (is_item and written(tree, self.source) == self.own_text):
            return self.mean(MAGIC, lambda case: case.sample.magic)
        if tree.kind == "name" and tree.word in self.lookup.value.parameters:
            return None
        term = super().known(tree, is_amount=is_amount)
        value = term.number.value if term is not None else 0
        is_board = value.bit_length() > 32 and value & (value + 1) != 0
        return self.any_part(tree) if is_board and not is_amount else term

    def joined(self, tree: Tree, sign: str, *parts: Term) -> Term:
        if sign in (">>", ">>>"):
            parts = parts[0], self._amount(parts[1])
        whole = self.reading.variant.whole
        for one, other in (parts, parts[::-1]):
            if sign == "&" and other.operation == "number" and other.number.value & whole == whole:
                return one  # Python's way to cut what it computes to a word
            is_step = sign == "&" and one.key in self.masks and other.operation in ("+", "-")
            if is_step and one.key in other.leaves():  # to the next subset of a mask
                return self.mean(SUBSET, lambda case: case.sample.mask & case.sample.occupancy)
            if self._is_neutral(sign, one, other):
                return one
        if sign == "*":
            parts = tuple(self._factor(part) for part in parts)
        if sign in ("&", "|"):
            sides = zip(tree.children, parts, parts[::-1], strict=True)
            parts = tuple(self._occupancy(*side) for side in sides)
        is_one = sign in ("|", "^", "&", "&^", "+") and all(map(self._is_apart, parts))
        is_unknown = not self.unknown.isdisjoint(Term(sign, parts).leaves())
        return self.any_part(tree) if is_one and is_unknown else Term(sign, parts)

    def _is_apart(self, term: Term) -> bool:
        """Is it made without the magic and any mask?"""
        return {MAGIC, SUBSET, *self.masks}.isdisjoint(term.leaves())

    def _occupancy(self, tree: Tree, term: Term, other: Term) -> Term:
        """What a mask is taken from: the squares of anything, however it was made, but for what a
        function of one name makes of it. A mirrored occupancy is one.
        """
        mask = other.operands[0] if other.operation == "~" else other
        if mask.key not in self.masks or not self._is_apart(term):
            return term
        if term.operation in PERMUTATIONS and term.operands[0].key in self.unknown:
            return term.operands[0]
        leaves = {*term.leaves()}
        return term if len(leaves) == 1 and leaves <= self.unknown else self.any_part(tree)

    def _amount(self, part: Term) -> Term:
        """How far is shifted: nobody knows it where a part is not known. A number may be meant for
        another piece, unless it is to be taken at its word: other reasons speak of it.
        """
        amount, shifts = part.number.value, [_amount(n) for n in range(3)]
        if {MAGIC, *self.free}.intersection(part.leaves()):
            return self.mean("as far as needed", *shifts, small=True)
        is_shift = any(2 <= word - amount <= MOST_BITS for word in (32, self.samples.width))
        if part.operation != "number" or self.is_literal or not is_shift:
            return part
        return self.mean(f">> {amount}", lambda _: amount, *shifts, small=True)

    def _is_neutral(self, sign: str, one: Term, other: Term) -> bool:
        """May what an occupancy is joined with, once it is masked, or the product, leave it as it
        is, for all that is known? It may be a word of all bits, an offset of 0, or a factor of 1;
        but no occupancy that it is made of, too.
        """
        ours, theirs = {*one.leaves()}, {*other.leaves()}
        names = self.unknown | self.masks if sign == "&" else self.unknown
        if MAGIC in theirs or not theirs & names or theirs & ours:
            return False
        if MAGIC in ours:
            return sign == "&" or (one.has("*") and sign in ("+", "-", "|", "^", "*"))
        return one.has("&") and not self._is_apart(one) and sign in ("&", "|", "^", "+", "-", "&^")

    def _factor(self, part: Term) -> Term:
        """What is multiplied: a mask is a subset of itself."""
        if part.key not in self.masks:
            return part
        meanings = self.meanings[part.key]
        return self.mean(
            f"{part.key}, or less", *meanings, lambda case: case.sample.mask & case.sample.occupancy
        )

    def any_part(self, tree: Tree) -> Term:
        """Something of which nothing is known."""
        key = written(tree, self.source)
        if tree.kind == "other":
            key += f" {id(tree)}"
        self.unknown.add(key)
        parts = [_part(n) for n in range(len(self.samples.parts))]
        if says(words_in(tree), _EMPTY_WORDS):
            parts += [lambda case: ~case.sample.occupancy]
        if tree.kind == "name" and tree.word.isupper():
            parts += [lambda _: -1]  # u64::MAX
        return self.mean(key, *parts)

    def leaf(self, tree: Tree, *, is_amount: bool) -> Term:
        key = written(tree, self.source)
        if self.own and key == self.own.variable and self.is_in_order:
            return self.mean(key, lambda case: case.square, small=True)
        if tree.kind == "choice":
            parts = [self.term(child, is_amount=is_amount) for child in tree.children[1:]]
            return Term("choice", (self._condition(tree.children[0]), *parts))
        if is_amount:
            return self._shift(tree, key)
        if not self._is_mask(tree):
            return self.any_part(tree)
        self.masks.add(key)
        meanings = [self._mask_at(self._row_of(tree))]
        if self._is_turned:
            meanings += [_complement(meanings[0])]
        return self.mean(key, *meanings)

    def _condition(self, tree: Tree) -> Term:
        """A condition; of one that is not made of numbers and the square, both may be."""
        term = self.term(tree)
        if {*term.leaves()} <= {self.own.variable if self.own else ""}:
            return term
        key = f"whether {written(tree, self.source)}"
        return self.mean(key, lambda _: 1, lambda _: 0, small=True)

    @cached_property
    def _is_turned(self) -> bool:
        """May a list that is called masks have their complements?"""
        columns = self.reading.columns[1:]
        return "~" in self.samples.text or any(c.is_complement(self.reading.piece) for c in columns)

    def _is_mask(self, tree: Tree) -> bool:
        """Is it surely the mask of a square, or of another one?"""
        return len(self._mask_names) < 2 and self._is_called_mask(tree)

    @cached_property
    def _mask_names(self) -> set[str]:
        """What lists of masks are called in the expression: of several, each may be a part."""
        found, stack = set(), [self.lookup.whole]
        while stack:
            tree = stack.pop()
            if self._is_called_mask(tree):
                found.add(_last_name(tree))
            else:
                stack += tree.children
        return found

    def _is_called_mask(self, tree: Tree) -> bool:
        """Does its name say that it is a mask, whole, and of nothing but a square?"""
        is_variable = tree.kind == "name" and tree.word in self.lookup.value.parameters
        is_variable |= tree.kind == "name" and tree.word.isupper()
        is_named = bool(spine(tree)[0]) or tree.kind in ("name", "field")
        is_named |= tree.kind == "call" and len(tree.children) < 2
        words = split_words(_last_name(tree))
        others = _HALF_WORDS + _OCCUPANCY_WORDS
        return is_named and not is_variable and says(words, ("mask",)) and not says(words, others)

    def _mask_at(self, row_of: Callable[[Case], int]) -> Meaning:
        masks = self.reading.parameters.get(MASK) or self.reading.variant.masks(
            self.reading.piece, self.reading.arrangement, self.reading.masks
        )

        def mask(case: Case) -> int:
            row = row_of(case)
            return case.sample.mask if row == case.sample.row else masks[row]

        return mask

    def _row_of(self, tree: Tree) -> Callable[[Case], int]:
        """The row that an item is in: the magic's, unless its subscript is plainly another."""
        listed, subscripts, _ = spine(tree)
        inner = subscripts[-1] if subscripts else None
        if tree.kind == "call" and len(tree.children) == 1:
            inner = tree.children[0]
        own, squares = self.own, self.reading.variant.squares
        is_alike = len(spine(self.lookup.item)[1]) == max(len(subscripts), 1)
        if inner is not None and own is not None and self.is_in_order and is_alike:
            theirs = subscript_of(inner, self.source)
            is_one = own.variable not in ("", SEVERAL) and not theirs.variable
            is_one = is_one and self._is_of_squares(listed, subscripts)
            if is_one or are_apart(own, theirs, squares):
                return lambda case: theirs.number(case.square) % squares
        return lambda case: case.sample.row

    def _is_of_squares(self, listed: list[Tree], subscripts: list[Tree]) -> bool:
        """Is it an item of a list, of one dimension, that has not another length?"""
        if len(subscripts) != 1 or len(listed) != 1 or listed[0].kind != "name":
            return False
        sizes = self.source.array_sizes(listed[0].word)
        parameters = self.lookup.value.parameters
        known = {self.source.definitions.number(size[-1]) for size in sizes if size[-1]}
        return listed[0].word not in parameters and known <= {self.reading.variant.squares}

    # How far something is shifted.

    def _shift(self, tree: Tree, key: str) -> Term:
        """An item of a list that was read; else whatever goes with a shift."""
        key = f"by {key}"
        columns = self.columns_of(tree)
        if not columns:
            self.free.add(key)
            return self.mean(key, *(_amount(n) for n in range(3)), small=True)
        row_of = self._row_of(tree)
        return self.mean(key, *(self._listed(c, row_of) for c in columns), small=True)

    def columns_of(self, item: Tree) -> list[Column]:
        """The lists of bits or shifts that an item is taken from."""
        listed, _, fields = spine(item)
        columns = self.contents.columns if listed else ()
        named = [c for c in columns if c.last_name == listed[-1].word and c.shift_kind is not None]
        if not fields:
            return [column for column in named if not column.field]
        known = [column for column in named if re.split(r"\W+", column.field)[-1] == fields[-1]]
        by_place = says(split_words(fields[-1]), SHIFT_WORDS)
        return known or [column for column in named if by_place and not column.field]

    def _listed(self, column: Column, row_of: Callable[[Case], int]) -> Meaning:
        """The numbers of a list; where the order of its rows is another, those that it shares with
        the formula are taken for the same.
        """
        for place in () if self.is_in_order else range(3):
            every = (sample.amounts for sample in self.samples.on_squares.values())
            numbers = [amounts[place] for amounts in every if len(amounts) > place]
            if sorted(numbers) == sorted(column.values):
                return _amount(place)
        return lambda case: column.values[row_of(case)]


def _part(place: int) -> Meaning:
    return lambda case: case.sample.parts[place]


def _amount(place: int) -> Meaning:
    def amount(case: Case) -> int:
        amounts = case.sample.amounts
        return amounts[place] if place < len(amounts) else -1

    return amount


def _complement(meaning: Meaning) -> Meaning:
    return lambda case: ~meaning(case)


def _last_name(tree: Tree) -> str:
    """What an item's field is called, or else its list."""
    return [name_of(tree), *spine(tree)[2]][-1]
