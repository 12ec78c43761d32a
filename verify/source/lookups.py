"""What an engine's own lookups do with its magics.

A table is verified with a formula. The code that looks the magics up may plainly compute another:
the magics are added instead of multiplied, the occupancy is not masked, the product is divided.
`other_lookups` names these: what the expressions around the magics' name come to (`computed.py`) is
held against what the formula does. What is not understood is not spoken of: the lookup itself is
proved by `--function`.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from magicert.languages.brackets import Tree
from magicert.languages.language import Int, usual_sign
from magicert.languages.statements import spine
from magicert.languages.terms import SHIFTS
from magicert.verify.source.columns import MOST_BITS, SHIFT_WORDS, WHOLE, says
from magicert.verify.source.computed import Expression, Samples
from magicert.verify.source.contents import Contents
from magicert.verify.source.looked_up import (
    CUTS,
    Lookup,
    bare,
    ends_of,
    lookups_of,
    name_of,
    names_in,
    operation_of,
    values_around,
    words_in,
    words_of,
)
from magicert.verify.source.source_text import Source
from magicert.verify.source.term_reader import (
    SEVERAL,
    Subscript,
    are_apart,
    subscript_of,
    written,
)
from magicert.verify.source.uses import writes
from magicert.verify.source.variant import split_words
from magicert.verify.source.ways import PieceReading

MOST_CALLS = 4
"""Calls of calls in which it is looked for what a lookup is given."""
LONGEST = 200
"""Letters of an expression that are shown."""
_FLAG_WORDS = ("is", "not", "no", "non", "has")
_WHOLE_WORDS = ("occ", "occupied", "occupancy", "all", "pieces")
"""What a position calls the occupancy of its whole board."""
_CHANGES = ("+", "-", "|", "^", "&^", "~", "cast", "choice")
"""What is done to a number itself, on the way to a record."""
_SIGNED = {"Java": ">>", "Scala": ">>", "Kotlin": "shr"}
"""Languages whose integers are signed, with the shift that leaves the sign."""


@dataclass(frozen=True, slots=True)
class OtherLookup:
    """A statement that does not look magics up as they were read."""

    place: str
    words: str
    shift: bool = False
    """Is it the shift that differs?"""


def other_lookups(contents: Contents, reading: PieceReading) -> Iterator[OtherLookup]:
    """The statements around the magics' name that do something else than the reading."""
    magic, text = reading.magic, reading.formula.text.replace(" ", "")
    if magic.halves or not magic.last_name or "*magic" not in text:
        return
    samples = Samples(reading)
    found: dict[tuple[str, str], OtherLookup] = {}
    judges = [_Judge(contents, reading, lookup, samples) for lookup in lookups_of(contents, magic)]
    masks = {judge.table_words for judge in judges if judge.is_masked}
    for judge in judges:
        for other in judge.differences(is_masked_elsewhere=judge.table_words in masks):
            found.setdefault((other.place, other.words), other)
    yield from found.values()


@dataclass
class _Judge:
    """Compares a lookup with a reading."""

    contents: Contents
    reading: PieceReading
    lookup: Lookup
    samples: Samples

    def __post_init__(self) -> None:
        self.table, self.is_plain = self.lookup.table()

    @property
    def source(self) -> Source:
        return self.lookup.source

    def shown(self, tree: Tree) -> str:
        """An expression, on one line."""
        text = written(tree, self.source)
        return text if len(text) <= LONGEST else f"{text[:LONGEST]}..."

    @cached_property
    def table_words(self) -> tuple[str, ...]:
        """What the list is called that is looked up."""
        return words_of(self.table) if self.table is not None else ()

    def differences(self, *, is_masked_elsewhere: bool) -> Iterator[OtherLookup]:
        """What differs. Does another lookup of the same list mask?"""
        if self._is_of_another():
            return
        lookup = self.lookup
        for text in (*self._of_the_number(), *self._of_the_lists(), *self._of_the_table()):
            yield OtherLookup(lookup.place, text)
        if lookup.cut is not None:
            yield from self._of_the_index(is_masked_elsewhere=is_masked_elsewhere)

    def _is_of_another(self) -> bool:
        """Is it a record's magic, and what stands around it called another piece's?"""
        if not self.lookup.is_copy:
            return False
        return not self._pieces <= {self.reading.piece} and self.reading.piece not in self._pieces

    @cached_property
    def _pieces(self) -> set[str]:
        """The pieces that the names around a lookup speak of in full."""
        lookup = self.lookup
        listed = [lookup.amount] if lookup.amount is not None else []
        names = (
            lookup.value.function,
            *self.table_words,
            *words_of(lookup.item),
            *(name for tree in (*listed, *lookup.factors) for name in names_in(tree)),
        )
        return {piece for name in names if (piece := self.reading.variant.named(name)) is not None}

    # The index.

    def _of_the_index(self, *, is_masked_elsewhere: bool) -> Iterator[OtherLookup]:
        lookup, cut = self.lookup, self.lookup.cut
        assert cut is not None
        if any(level.sign in SHIFTS and not level.from_left for level in lookup.levels):
            return  # it says how far is shifted
        factors = lookup.factors if self._has_to_mask else ()
        whole = tuple(f for f in factors if self._is_unmasked(f, is_masked_elsewhere))
        is_literal = lookup.is_copy and self._pieces == {self.reading.piece}
        expression = Expression(
            self.contents, self.reading, lookup, self.samples, whole, is_literal
        )
        trees = [level.tree for level in lookup.levels]
        first = next(n for n, level in enumerate(lookup.levels) if level.sign in CUTS)
        if any(map(expression.is_index, trees[first:])):
            if self._is_signed(lookup.levels[cut].tree.word) and not expression.is_index(
                lookup.whole, signed=True
            ):
                words = f"{self.shown(trees[cut])} is shifted with its sign"
                yield OtherLookup(lookup.place, words)
            return
        level = lookup.levels[cut]
        shifted = trees[cut - 1] if cut else lookup.item
        if not self._is_lookup():
            return
        if level.sign == ">>" and expression.is_shifted(shifted):
            if level.other is None or not self._may_change(expression, level.other):
                words = f"the shift by {self.shown(level.other or level.tree)}"
                yield OtherLookup(lookup.place, words, shift=True)
            return
        words = f"the lookup computes {self.shown(trees[cut])}"
        if whole:
            words += f", where {self.shown(whole[0])} is not masked"
        yield OtherLookup(lookup.place, words)

    def _is_lookup(self) -> bool:
        """Is it surely an index, or meant as one? A product may be a hash."""
        lookup, cut = self.lookup, self.lookup.cut
        assert cut is not None
        level = lookup.levels[cut]
        is_joined = any(inner.other and inner.sign not in CUTS for inner in lookup.levels[:cut])
        is_of_bits = level.other is not None and self._is_of_bits(level.other)
        if level.sign == ">>":
            is_subscript = self.table is not None and (is_joined or self.is_plain)
            return is_subscript or (is_joined and is_of_bits)
        return self.is_masked and bool(lookup.factors) and (level.sign == "%" or is_of_bits)

    def _is_of_bits(self, amount: Tree) -> bool:
        """Does an amount speak of bits, as a number or by its names?"""
        amount = bare(amount, self.source)
        number = self._number(amount)
        if number is not None:
            return any(2 <= word - number <= MOST_BITS for word in (32, self.samples.width))
        return says(words_in(amount), SHIFT_WORDS) or any(
            map(self._is_of_the_square, _taken_in(amount))
        )

    def _is_signed(self, sign: str) -> bool:
        """Does a shift leave the sign of a product that is a subscript?"""
        is_signed = _SIGNED.get(self.source.language.name) == sign
        is_signed &= self.reading.magic.type in (None, (WHOLE["shift"], True))
        return is_signed and self.table is not None and self.is_plain and self.is_masked

    @cached_property
    def is_masked(self) -> bool:
        """Is what is multiplied an AND?"""
        for factor in map(_inside, self.lookup.factors):
            operation = operation_of(factor, factor.children[0]) if factor.children else None
            if operation is not None and operation[0] == "&":
                return True
        return False

    @property
    def _has_to_mask(self) -> bool:
        """Is it a lookup that has to mask the occupancy?"""
        signs = [level.sign for level in self.lookup.levels[: self.lookup.cut]]
        text = self.reading.formula.text
        is_product = [sign for sign in signs if sign != "cast"] in (["*"], ["*", "&"])
        return is_product and self.table is not None and "~" not in text and "occ & mask" in text

    def _may_change(self, expression: Expression, amount: Tree) -> bool:
        """Does something write to a list that an amount is taken from, and that has no shifts?"""
        columns = {
            id(column): column
            for tree in _taken_in(amount)
            for column in expression.columns_of(tree)
        }
        word, known = self.reading.variant.word, [*columns.values()]
        is_far = any(not 0 < word - n <= MOST_BITS for column in known for n in column.values)
        return is_far and bool(writes(self.contents, known))

    # What is multiplied.

    def _is_unmasked(self, factor: Tree, is_masked_elsewhere: bool) -> bool:
        """Is what is multiplied plainly the whole occupancy? It is joined of several, what a
        position calls so, or a parameter that every call gives such. What no call is seen to give
        is not masked, either, where no other lookup of the same list masks.
        """
        value, inner = self.lookup.value, _inside(factor)
        if inner.kind == "binary":
            return self._is_whole_occupancy(inner)
        if self._is_of_a_position(bare(factor, self.source)):
            return True
        if not value.is_returned:
            return False
        place = _place_of(inner, value.parameters)
        return place > 0 and self._is_given_unmasked(
            value.function, place, is_masked_elsewhere, MOST_CALLS
        )

    def _is_of_a_position(self, tree: Tree) -> bool:
        """Is it a field that is called the occupancy, of what does not say the square, too?"""
        names = {*names_in(self.lookup.item)}
        if tree.kind not in ("field", "call") or len(tree.children) != 1:
            return False
        is_of_names = tree.children[0].kind in ("name", "field")
        return (
            is_of_names
            and names.isdisjoint(names_in(tree.children[0]))
            and {*split_words(tree.word)} <= {*_WHOLE_WORDS}
        )

    def _is_given_unmasked(
        self, called: str, at_the_end: int, is_masked_elsewhere: bool, calls: int
    ) -> bool:
        """Does every call give a function the whole occupancy, for the parameter so many from the
        last, 1?
        """
        contents, paths = self.contents, {source.path for source in self.contents.sources}
        if not called or not calls:
            return False
        is_given = False
        others = contents.other_files.naming(called, self.source.language, paths)
        for source in (*contents.sources, *others):
            for value in values_around(source, ends_of(source, called), follow=False):
                for call in _calls(value.tree, called):
                    is_given = True
                    if len(call.children) < at_the_end:
                        return False
                    given = _inside(call.children[-at_the_end])
                    beside = {self._text(one) for one in call.children} - {self._text(given)}
                    if any(self._text(one) in beside for one in spine(given)[1]):
                        return False  # it is made for a square, which is handed on with it
                    if self._is_whole_occupancy(given):
                        continue
                    place = _place_of(given, value.parameters)
                    if not place or not self._is_given_unmasked(
                        value.function, place, is_masked_elsewhere, calls - 1
                    ):
                        return False
        return is_given or not is_masked_elsewhere

    def _is_whole_occupancy(self, tree: Tree) -> bool:
        tree = bare(tree, self.source)
        if tree.kind == "binary" and usual_sign(tree.word) == "|":
            return all(map(self._is_whole_occupancy, tree.children))
        names, _, fields = spine(tree)
        words = [name.word for name in names] + fields
        if tree.kind == "field":
            words = [tree.word]
        return bool(words) and not any("mask" in word.lower() for word in words)

    # The number itself, and lists of another piece.

    def _of_the_number(self) -> Iterator[str]:
        """It is changed on the way to a record, or by a macro; or another is written to it."""
        lookup, signs = self.lookup, {level.sign for level in self.lookup.levels}
        expression = Expression(self.contents, self.reading, lookup, self.samples)
        is_changed = bool(signs) and signs <= {*_CHANGES} and not lookup.is_copy
        is_changed = is_changed and not expression.is_magic(lookup.whole)
        field = None if lookup.is_copy else lookup.copied_to
        if field is not None and is_changed:
            yield f"{self.shown(lookup.whole)} is copied to a record"
        elif field is not None:
            yield from self._of_the_copy(field)
        elif is_changed and not lookup.beyond:
            if lookup.value.is_macro:
                yield f"a macro makes {self.shown(lookup.whole)} of it"
            elif lookup.value.is_returned and "choice" in signs:
                yield f"a function returns {self.shown(lookup.whole)}"
        if lookup.assigned is not None and expression.is_known(lookup.assigned):
            yield from self._of_the_assigned(expression, lookup.assigned)

    def _of_the_assigned(self, expression: Expression, value: Tree) -> Iterator[str]:
        """A number is written to the magic of one square, or of some: to all of them it may be
        written before they are searched for.
        """
        own, squares = expression.own, self.reading.variant.squares
        if own is None or own.variable == SEVERAL:
            return
        text = f"{self.shown(self.lookup.item)} = {self.shown(value)}"
        is_one = not own.variable and own.number(0) in range(squares) and self.lookup.is_copy
        if is_one and not expression.is_magic(value):
            yield f"{text} is written"
        for condition in self.lookup.value.conditions if own.variable else ():
            if not expression.is_known(condition):
                continue
            term, every = expression.term(condition), expression.cases[:squares]
            some = [case for case in every if term.value({own.variable: Int(case.square)}).value]
            if 0 < len(some) < len(every) and not expression.is_magic(value, some):
                yield f"{text} is written where {self.shown(condition)}"

    def _of_the_lists(self) -> Iterator[str]:
        """Lists of another piece with these magics; one magic for several squares."""
        lookup, reading = self.lookup, self.reading
        if lookup.reorders:
            yield f"the order of {self.shown(lookup.item)} is changed"
        elif lookup.beside:
            # A condition may say that it is not the other one.
            beside = [t for t in lookup.beside if not self._is_condition(t)]
            beside = [tree for tree in beside if self._speaks_of_another(tree)]
            own = [t for t in lookup.beside if self._piece_in(t) == reading.piece]
            if beside and len(own) == 1 and self._piece_in(lookup.item) == reading.piece:
                yield f"{self.shown(lookup.item)} is handed on with {self.shown(beside[0])}"
        if lookup.amount is None or not lookup.factors or not spine(lookup.item)[0]:
            return
        yield from self._of_the_subscript()
        if self._piece_of(lookup.item) != reading.piece:
            return
        added = (
            whole
            for parent, _ in lookup.beyond
            for whole in parent.children
            if usual_sign(parent.word) == "+"
        )
        above = (level.other for level in lookup.levels if level.sign == "+" and level.other)
        words = (*SHIFT_WORDS, "mask")
        others = [
            tree
            for whole in (*lookup.factors, lookup.amount)
            for tree in _taken_in(whole)
            if says(split_words(name_of(tree)), words) or self._is_of_the_square(tree)
        ]
        others += [tree for whole in (*added, *above) for tree in _taken_in(whole)]
        others += [self.table] if self.table is not None else []
        for tree in others:
            if tree is not lookup.item and self._piece_of(tree) not in (None, reading.piece):
                yield f"{self.shown(lookup.item)} goes with {self.shown(tree)}"
                return

    def _of_the_subscript(self) -> Iterator[str]:
        """Squares share a magic, whatever number the subscript is made of."""
        own, squares = self._subscript(self.lookup.item), self.reading.variant.squares
        is_one = len(spine(self.lookup.item)[1]) == 1
        if own is None or own.variable in ("", SEVERAL) or not is_one:
            return
        # It may be made of the number of a square on a board with a border, of twice the width.
        if len({own.number(place) for place in range(2 * squares)}) < squares:
            yield f"{self.shown(self.lookup.item)} is one magic for several squares"

    def _subscript(self, tree: Tree) -> Subscript | None:
        subscripts = spine(tree)[1]
        return subscript_of(subscripts[-1], self.source) if subscripts else None

    def _of_the_copy(self, field: Tree) -> Iterator[str]:
        """It is copied to another piece's record, or to that of another square."""
        item = self.lookup.item
        ours, theirs = self._subscript(item), self._subscript(field)
        pieces = {self.reading.variant.named(name) for name in words_of(field)} - {None}
        own = self._piece_of(item)
        is_others = own == self.reading.piece and len(pieces) == 1 and own not in pieces
        is_apart = ours and theirs and are_apart(ours, theirs, self.reading.variant.squares)
        if is_others or (is_apart and not self.reading.magic.part):
            yield f"{self.shown(item)} is copied to {self.shown(field)}"

    def _of_the_table(self) -> Iterator[str]:
        """The index has more bits than the table has places for."""
        lookup, count = self.lookup, self.reading.count
        is_shift = lookup.cut is not None and lookup.levels[lookup.cut].sign == ">>"
        if self.table is None or not self.is_plain or not is_shift:
            return
        names, subscripts, fields = spine(self.table)
        if not names or fields or len(subscripts) != 2 or subscripts[0].kind != "name":
            return
        most = max(abs(WHOLE[count.kind] - value) for value in count.values)
        number = self.source.definitions.number
        for text in self.source.array_sizes(names[-1].word):
            size = number(text[-1]) if len(text) == 2 else None
            if size is not None and size < 1 << most:
                called = names[-1].word
                yield f"{called} has {size:,} places a square, for an index of {most} bits"

    def _piece_of(self, tree: Tree) -> str | None:
        """The piece that the name of an item's list, or of a call, speaks of."""
        variant, name = self.reading.variant, name_of(tree)
        return variant.named(name) or variant.briefly(split_words(name))

    def _piece_in(self, tree: Tree) -> str | None:
        """The piece that the names of an operand speak of in full, if it is one."""
        pieces = {self.reading.variant.named(name) for name in names_in(tree)} - {None}
        return pieces.pop() if len(pieces) == 1 else None

    def _speaks_of_another(self, tree: Tree) -> bool:
        """Does it speak of another piece, and is no list that was read?"""
        lists = {column.last_name for column in self.contents.columns}
        is_list = not lists.isdisjoint(names_in(tree))
        return not is_list and self._piece_in(tree) not in (None, self.reading.piece)

    def _is_condition(self, tree: Tree) -> bool:
        """Is an operand a flag, or made of one?"""
        tree = bare(tree, self.source)
        is_made = tree.kind == "binary" or (tree.kind == "unary" and tree.word not in "&*")
        return is_made or says(split_words(name_of(tree)), _FLAG_WORDS)

    def _is_of_the_square(self, tree: Tree) -> bool:
        """Is it taken from a list at the magic's own square?"""
        ours, theirs = self._subscript(self.lookup.item), self._subscript(tree)
        return ours is not None and theirs is not None and ours.text == theirs.text

    def _text(self, tree: Tree) -> str:
        return written(bare(tree, self.source), self.source)

    def _number(self, tree: Tree) -> int | None:
        tree = bare(tree, self.source)
        if tree.kind == "name":
            return self.source.definitions.constant(tree.word)
        return self.source.definitions.number(tree.word) if tree.kind == "number" else None


def _inside(tree: Tree) -> Tree:
    """What stands in casts, in calls of one operand and in fields of what is computed."""
    while len(tree.children) == 1:
        is_plain = tree.kind == "field" and tree.children[0].kind in ("field", "name", "item")
        if is_plain or tree.kind not in ("cast", "call", "field"):
            break
        tree = tree.children[0]
    return tree


def _place_of(tree: Tree, parameters: tuple[str, ...]) -> int:
    """Which parameter a variable is, counted from the last, 1; 0 where it is none, or a mask."""
    if tree.kind != "name" or tree.word not in parameters or "mask" in tree.word.lower():
        return 0
    return len(parameters) - parameters.index(tree.word)


def _calls(tree: Tree, called: str) -> Iterator[Tree]:
    """The calls of a function in an expression."""
    if tree.kind == "call" and tree.word == called:
        yield tree
    for child in tree.children:
        yield from _calls(child, called)


def _taken_in(tree: Tree) -> Iterator[Tree]:
    """The items of lists in an expression, but for those in subscripts and conditions, and
    the calls.
    """
    if spine(tree)[0]:
        yield tree
        return
    if tree.kind == "call":
        yield tree
    for child in tree.children if tree.kind not in ("other", "choice") else ():
        yield from _taken_in(child)
