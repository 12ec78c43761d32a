"""What an engine's own lookups do with its magics.

A table is verified with a formula. The code that looks the magics up may plainly compute another:
the magics are added instead of multiplied, the occupancy is not masked, the product is divided.
`other_lookups` names these, by the trees of the expressions that the magics' name stands in. What
is not understood is not spoken of: the lookup itself is proved by `--function`.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from magicert.languages.brackets import Tree
from magicert.languages.language import usual_sign
from magicert.languages.statements import spine
from magicert.verify.source.columns import MOST_BITS, SHIFT_WORDS, WHOLE, Column, says
from magicert.verify.source.contents import Contents
from magicert.verify.source.looked_up import (
    INSTEAD,
    Lookup,
    bare,
    ends_of,
    lookups_of,
    operation_of,
    values_around,
    words_of,
)
from magicert.verify.source.source_text import Source
from magicert.verify.source.uses import writes
from magicert.verify.source.variant import split_words
from magicert.verify.source.ways import PieceReading

_COMPLEMENTS = ("inv", "not")
"""Methods that turn all bits."""
MOST_CALLS = 4
"""Calls of calls in which it is looked for what a lookup is given."""
_MIRRORS = {7, 56, 63}
_MIRROR_WORDS = (
    "flip",
    "flipped",
    "mirror",
    "mirrored",
    "invert",
    "inverted",
    "reverse",
    "opposite",
)
_FLAG_WORDS = ("is", "not", "no", "non", "has")
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
    found: dict[tuple[str, str], OtherLookup] = {}
    shifts: list[OtherLookup] = []
    shift_is_used = False
    judges = [_Judge(contents, reading, lookup) for lookup in lookups_of(contents, magic)]
    masks = {judge.table_words for judge in judges if judge.is_masked()}
    for judge in judges:
        for other in judge.differences(is_masked_elsewhere=judge.table_words in masks):
            found.setdefault((other.place, other.words), other)
        fits = judge.shift_fits()
        shift_is_used |= fits is True
        if fits is False:
            words = f"the shift by {judge.shown(judge.lookup.amount)}"
            shifts.append(OtherLookup(judge.lookup.place, words, shift=True))
    yield from found.values()
    yield from dict.fromkeys(shifts)


@dataclass(slots=True)
class _Judge:
    """Compares a lookup with a reading."""

    contents: Contents
    reading: PieceReading
    lookup: Lookup

    @property
    def source(self) -> Source:
        return self.lookup.source

    def shown(self, tree: Tree | None) -> str:
        """An expression as it is written, on one line."""
        text = (self.source.text[tree.start : tree.end] or tree.word) if tree is not None else ""
        text = " ".join(text.split())
        return text[1:-1] if re.fullmatch(r"\([^()]*\)", text) else text

    @property
    def table_words(self) -> tuple[str, ...]:
        """What the list is called that is looked up."""
        return words_of(self.lookup.table) if self.lookup.table is not None else ()

    def differences(self, *, is_masked_elsewhere: bool) -> Iterator[OtherLookup]:
        """What differs, but for the number of bits. Does another lookup of the same list mask?"""
        lookup = self.lookup
        words = [*self._of_the_product(), *self._of_the_shift(), *self._of_the_lists()]
        words += self._of_the_table()
        if lookup.operation == ">>" and len(lookup.factors) == 1 and lookup.changed is None:
            words += self._of_the_mask(is_masked_elsewhere=is_masked_elsewhere)
        for text in words:
            yield OtherLookup(lookup.place, text)

    def _of_the_product(self) -> Iterator[str]:
        lookup = self.lookup
        item = self.shown(lookup.item)
        if (
            lookup.narrow_item is not None
            and lookup.factors
            and WHOLE[self.reading.count.kind] != 32
        ):
            yield f"{item} is cast to {lookup.narrow_item.word}, and then multiplied"
        numbers = [factor for factor in lookup.factors if self._number(factor) not in (None, 1)]
        if numbers and len(lookup.factors) > 1 and lookup.operation == ">>":
            yield f"{item} is multiplied with {self.shown(numbers[0])}, too"
        if lookup.changed is None:
            return
        changed = f"{item} {lookup.sign} {self.shown(lookup.changed)}"
        if lookup.changed.kind == "unary":
            changed = self.shown(lookup.changed)
        if lookup.factors and lookup.operation == ">>":
            yield f"{changed} is multiplied"
        elif lookup.operation == ">>" and lookup.sign not in ("-", "~"):
            yield f"{item} is no factor of what is shifted"
        elif lookup.copied_to is not None and not lookup.factors and not lookup.is_copy:
            yield f"{changed} is copied to a record"
        elif lookup.is_macro and not lookup.factors:
            yield f"a macro makes {changed} of it"

    def _of_the_shift(self) -> Iterator[str]:
        lookup, item = self.lookup, self.shown(self.lookup.item)
        if not lookup.factors or lookup.amount is None:
            return
        least = min(self._amounts(lookup.amount), default=0)
        is_masked = any(self._joined(factor) is not None for factor in lookup.factors)
        if lookup.operation in INSTEAD:
            inside = any(usual_sign(p.word) in (">>", ">>>") for p in lookup.around)
            amount = self._linear(lookup.amount)
            is_of_bits = lookup.operation == "%" or _is_of_bits(amount)
            listed = amount[1] if amount is not None else None
            is_of_bits |= listed is not None and self._is_of_the_square(listed)
            if is_masked and not inside and is_of_bits:
                what = INSTEAD[lookup.operation]
                yield f"the product with {item} is {what} {self.shown(lookup.amount)}"
            return
        if lookup.narrow is not None and least >= 32 and WHOLE[self.reading.count.kind] != 32:
            kind = lookup.narrow.word
            yield f"the product with {item} is cast to {kind}, and then shifted by {least} or more"
        is_signed = _SIGNED.get(self.source.language.name) == lookup.written
        is_signed &= self.reading.magic.type in (None, (WHOLE["shift"], True))
        if is_signed and lookup.plain and lookup.table is not None and is_masked:
            yield f"the product with {item} is shifted with its sign"

    @staticmethod
    def _joined(tree: Tree) -> tuple[str, Tree, Tree] | None:
        """An operator between two, of which one may be a mask."""
        tree = _inside(tree)
        if len(tree.children) != 2:
            return None
        operation = operation_of(tree, tree.children[0])
        if operation is None or operation[0] not in ("&", "|", "^", "&^", "+", "-"):
            return None
        return operation[0], tree.children[0], tree.children[1]

    def is_masked(self) -> bool:
        """Is what is multiplied an AND?"""
        parts = [self._joined(factor) for factor in self.lookup.factors]
        return any(part is not None and part[0] == "&" for part in parts)

    def _of_the_mask(self, *, is_masked_elsewhere: bool) -> Iterator[str]:
        lookup, reading = self.lookup, self.reading
        text = reading.formula.text
        if "~" in text or "occ & mask" not in text:
            return
        if any(column.is_complement(reading.piece) for column in reading.columns[1:]):
            return
        factor = lookup.factors[0]
        masked = self._joined(factor)
        if lookup.table is not None and self._is_unmasked(factor, is_masked_elsewhere):
            both = f"{self.shown(factor)} is multiplied with {self.shown(lookup.item)}"
            yield f"{both} and is not masked"
        if masked is None:
            return
        sign, operands = masked[0], [*masked[1:]]
        turned = [tree for operand in operands if (tree := self._complement(operand)) is not None]
        if sign == "&^":
            turned = operands[1:] if self._complement(operands[1]) is None else []
        elif sign in "^+-" or (sign == "|" and not turned):
            turned = [operand for operand in operands if self._is_list(operand, ("mask",))]
        if any(sign in "|+-" or self._is_list(tree, ("mask",)) for tree in turned):
            yield f"{self.shown(factor)} is multiplied"

    def _is_unmasked(self, factor: Tree, is_masked_elsewhere: bool) -> bool:
        """Is what is multiplied plainly the whole occupancy? It is joined of several, or a
        parameter that every call gives such. What no call is seen to give is not masked, either,
        where no other lookup of the same list masks.
        """
        lookup, inner = self.lookup, _inside(factor)
        if inner.kind == "binary":
            return self._is_whole_occupancy(inner)
        if not lookup.is_returned:
            return False
        place = _place_of(inner, lookup.parameters)
        return place > 0 and self._is_given_unmasked(
            lookup.function, place, is_masked_elsewhere, MOST_CALLS
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

    def _complement(self, tree: Tree) -> Tree | None:
        tree = bare(tree, self.source)
        signs = ("~", "!", self.source.language.complement)
        is_turned = tree.kind == "unary" and tree.word in signs
        is_turned |= tree.kind == "call" and tree.word in _COMPLEMENTS and len(tree.children) == 1
        return tree.children[0] if is_turned else None

    def _is_list(self, tree: Tree, words: tuple[str, ...]) -> bool:
        tree = bare(tree, self.source)
        is_named = bool(spine(tree)[0]) or tree.kind == "field"
        return is_named and says(split_words(_called(tree)), words)

    def _of_the_lists(self) -> Iterator[str]:
        """Lists of another piece, or of another square, with these magics."""
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
        if lookup.copied_to is not None and not lookup.is_copy:
            yield from self._of_the_copy(lookup.copied_to)
        if not lookup.operation or not lookup.factors:
            return
        names, subscripts, _ = spine(lookup.item)
        if not names:
            return
        trees = [*lookup.factors, *([lookup.amount] if lookup.amount is not None else [])]
        words = (*SHIFT_WORDS, "mask")
        others = [
            tree
            for whole in trees
            for tree in _taken_in(whole)
            if says(split_words(_called(tree)), words) or self._is_of_the_square(tree)
        ]
        if self._piece_of(lookup.item) == reading.piece:
            added = (
                part
                for parent in lookup.around
                for whole in parent.children
                if usual_sign(parent.word) == "+"
                for part in _taken_in(whole)
            )
            tables = [lookup.table] if lookup.table is not None else []
            for tree in (*others, *tables, *added):
                if tree is not lookup.item and self._piece_of(tree) not in (None, reading.piece):
                    yield f"{self.shown(lookup.item)} goes with {self.shown(tree)}"
                    return
        if reading.arrangement.listing != reading.arrangement.order:
            return
        for tree in others:
            theirs = spine(tree)[1]
            if len(theirs) == len(subscripts) and self._are_apart(subscripts[-1], theirs[-1]):
                yield f"{self.shown(lookup.item)} goes with {self.shown(tree)}"

    def _of_the_table(self) -> Iterator[str]:
        """The index has more bits than the table has places for."""
        lookup, count = self.lookup, self.reading.count
        if lookup.table is None or not lookup.plain or lookup.operation != ">>":
            return
        names, subscripts, fields = spine(lookup.table)
        if not names or fields or len(subscripts) != 2 or subscripts[0].kind != "name":
            return
        most = max(abs(WHOLE[count.kind] - value) for value in count.values)
        number = self.source.definitions.number
        for text in self.source.array_sizes(names[-1].word):
            size = number(text[-1]) if len(text) == 2 else None
            if size is not None and size < 1 << most:
                called = names[-1].word
                yield f"{called} has {size:,} places a square, for an index of {most} bits"

    def _of_the_copy(self, field: Tree) -> Iterator[str]:
        """It is copied to another piece's record, or to that of another square."""
        item = self.lookup.item
        subscripts, theirs = spine(item)[1], spine(field)[1]
        pieces = {self.reading.variant.named(name) for name in words_of(field)} - {None}
        own = self._piece_of(item)
        is_others = own == self.reading.piece and len(pieces) == 1 and own not in pieces
        if is_others or (subscripts and theirs and self._are_apart(subscripts[-1], theirs[-1])):
            yield f"{self.shown(item)} is copied to {self.shown(field)}"

    def _piece_of(self, tree: Tree) -> str | None:
        """The piece that the name of an item's list, or of a call, speaks of."""
        variant, name = self.reading.variant, _called(tree)
        return variant.named(name) or variant.briefly(split_words(name))

    def _piece_in(self, tree: Tree) -> str | None:
        """The piece that the names of an operand speak of in full, if it is one."""
        pieces = {self.reading.variant.named(name) for name in _names_in(tree)} - {None}
        return pieces.pop() if len(pieces) == 1 else None

    def _speaks_of_another(self, tree: Tree) -> bool:
        """Does it speak of another piece, and is no list that was read?"""
        lists = {column.last_name for column in self.contents.columns}
        is_list = not lists.isdisjoint(_names_in(tree))
        return not is_list and self._piece_in(tree) not in (None, self.reading.piece)

    def _is_condition(self, tree: Tree) -> bool:
        """Is an operand a flag, or made of one?"""
        tree = bare(tree, self.source)
        is_made = tree.kind == "binary" or (tree.kind == "unary" and tree.word not in "&*")
        return is_made or says(split_words(_called(tree)), _FLAG_WORDS)

    def _is_of_the_square(self, tree: Tree) -> bool:
        """Is it taken from a list at the magic's own square?"""
        ours, theirs = spine(self.lookup.item)[1], spine(tree)[1]
        return bool(ours and theirs) and self._text(ours[-1]) == self._text(theirs[-1])

    def _are_apart(self, a: Tree, b: Tree) -> bool:
        """Is one subscript the other, mirrored or some further on?"""
        texts = [self._text(a), self._text(b)]
        return self._plain(a) == texts[1] or self._plain(b) == texts[0]

    def _text(self, tree: Tree) -> str:
        tree = bare(tree, self.source)
        return re.sub(r"\s", "", self.source.text[tree.start : tree.end])

    def _plain(self, tree: Tree) -> str | None:
        """The square that a subscript mirrors, or from which it is some further on; None where it
        does neither.
        """
        tree = bare(tree, self.source)
        names, subscripts, _ = spine(tree)
        if names and len(subscripts) == 1 and says(split_words(names[-1].word), _MIRROR_WORDS):
            return self._text(subscripts[0])
        if tree.kind == "call" and len(tree.children) == 1:
            is_mirror = says(split_words(tree.word), _MIRROR_WORDS)
            return self._text(tree.children[0]) if is_mirror else None
        if len(tree.children) != 2 or tree.kind not in ("binary", "call"):
            return None
        operation = operation_of(tree, tree.children[0])
        numbers = [self._number(child) for child in tree.children]
        if operation is not None and operation[0] == "&" and numbers[1] == 63:
            return self._plain(tree.children[0])  # whatever goes beyond the board begins anew
        if operation is None or operation[0] not in ("^", "-", "+"):
            return None
        if operation[0] != "^" and numbers[1]:
            return self._text(tree.children[0])
        if operation[0] != "+" and numbers[0] in _MIRRORS:
            return self._text(tree.children[1])
        if operation[0] == "^" and numbers[1] in _MIRRORS:
            return self._text(tree.children[0])
        return None

    # Shifts.

    def _number(self, tree: Tree) -> int | None:
        tree = bare(tree, self.source)
        if tree.kind == "name":
            return self.source.definitions.constant(tree.word)
        return self.source.definitions.number(tree.word) if tree.kind == "number" else None

    def _linear(self, tree: Tree) -> tuple[int, Tree | None, int] | None:
        """A shift as a number and an item of a list, which is added or subtracted."""
        tree = bare(tree, self.source)
        number = self._number(tree)
        if number is not None:
            return 0, None, number
        is_field = tree.kind in ("field", "name") and says(split_words(tree.word), SHIFT_WORDS)
        if spine(tree)[0] or is_field:
            return 1, tree, 0
        if len(tree.children) != 2:
            return None
        operation = operation_of(tree, tree.children[0])
        parts = [self._linear(child) for child in tree.children]
        if operation is None or operation[0] not in ("+", "-") or parts[0] is None:
            return None
        sign, other = (1 if operation[0] == "+" else -1), parts[1]
        if other is None or (parts[0][1] is not None and other[1] is not None):
            return None
        item = parts[0][1] if parts[0][1] is not None else other[1]
        return parts[0][0] + sign * other[0], item, parts[0][2] + sign * other[2]

    def _columns(self, item: Tree) -> list[Column]:
        """The lists of bits or shifts that an item is taken from."""
        names, _, fields = spine(item)
        if not names:
            return []
        named = [
            column
            for column in self.contents.columns
            if column.last_name == names[-1].word and column.shift_kind is not None
        ]
        if not fields:
            return [column for column in named if not column.field]
        known = [column for column in named if re.split(r"\W+", column.field)[-1] == fields[-1]]
        by_place = says(split_words(fields[-1]), SHIFT_WORDS)
        return known or [column for column in named if by_place and not column.field]

    def _shifts(self, tree: Tree) -> list[list[int]]:
        """The numbers that a shift by an item of a list may be, for each list of its name."""
        linear = self._linear(tree)
        if linear is None:
            return []
        sign, item, more = linear
        columns = self._columns(item) if item is not None else []
        return [[sign * n + more for n in column.values] for column in columns]

    def _amounts(self, tree: Tree) -> list[int]:
        linear = self._linear(tree)
        if linear is not None and linear[1] is None:
            return [linear[2]]
        return [n for shifts in self._shifts(tree) for n in shifts]

    def _number_fits(self, number: int) -> bool | None:
        """Does a shift by a number leave as many bits as the reading has, or more? None where it is
        not known which piece's magics a record holds; of the list itself `literals_of` says it.
        """
        lookup, count = self.lookup, self.reading.count
        names = (lookup.function, *self.table_words, *words_of(lookup.item))
        pieces = {self.reading.variant.named(name) for name in names} - {None}
        if not lookup.is_copy or pieces != {self.reading.piece}:
            return None
        most = max(abs(WHOLE[count.kind] - value) for value in count.values)
        return self.reading.variant.word - number >= most

    def _may_change(self, amount: Tree) -> bool:
        """Does something write to the list that an amount is taken from?"""
        linear = self._linear(amount)
        columns = self._columns(linear[1]) if linear is not None and linear[1] is not None else []
        return bool(writes(self.contents, columns))

    def shift_fits(self) -> bool | None:
        """Does a shift by an item of a list leave as many bits as the reading? None where it is by
        something else.
        """
        lookup, count = self.lookup, self.reading.count
        if lookup.operation != ">>" or not lookup.factors or lookup.amount is None:
            return None
        linear = self._linear(lookup.amount)
        if linear is not None and linear[1] is None:
            return self._number_fits(linear[2])
        several = self._shifts(lookup.amount)
        if not several:
            return None
        whole = linear[2] if linear is not None and linear[0] < 0 else 0
        bits = [abs(WHOLE[count.kind] - value) for value in count.values]
        for shifts in several:
            word = 32 if max(shifts) < 32 and whole in range(33) else self.reading.variant.word
            left = sorted(word - shift for shift in shifts)
            if not 0 < left[0] <= left[-1] <= MOST_BITS and self._may_change(lookup.amount):
                return None
            if left == sorted(bits * (len(left) if len(bits) == 1 else 1)):
                return True
        return False


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
    for child in tree.children if tree.kind != "other" else ():
        yield from _taken_in(child)


def _names_in(tree: Tree) -> Iterator[str]:
    if tree.kind in ("name", "field", "call"):
        yield tree.word
    for child in tree.children:
        yield from _names_in(child)


def _called(tree: Tree) -> str:
    """The name of an item's list, or of a call."""
    names, _, _ = spine(tree)
    return names[-1].word if names else tree.word


def _is_of_bits(linear: "tuple[int, Tree | None, int] | None") -> bool:
    """Is a number one of bits: an item of a list, or what a word has more than that?"""
    if linear is None:
        return False
    coefficient, item, number = linear
    if item is not None:
        _, _, fields = spine(item)
        return says(split_words([_called(item), *fields][-1]), SHIFT_WORDS)
    return not coefficient and 40 <= number < 64
