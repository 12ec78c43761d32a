"""What an engine's own lookups do with its magics.

A table is verified with a formula. The code that looks the magics up may plainly compute another:
the magics are added instead of multiplied, the occupancy is not masked, the product is divided.
`other_lookups` names these, by the trees of the expressions that the magics' name stands in. What
is not understood is not spoken of: the lookup itself is proved by `--function`.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from magicert.languages.brackets import Tree
from magicert.languages.language import type_of, usual_sign
from magicert.languages.statements import Function, body_of, function_around, macro_around, spine
from magicert.languages.syntax import read_expression
from magicert.verify.source.columns import MAGIC_WORDS, MOST_BITS, SHIFT_WORDS, WHOLE, Column, says
from magicert.verify.source.contents import Contents
from magicert.verify.source.lists import Source, enclosing
from magicert.verify.source.variant import split_words
from magicert.verify.source.ways import PieceReading

_METHODS = {
    "wrapping_mul": "*", "wrapping_add": "+", "saturating_add": "+", "wrapping_sub": "-",
    "wrapping_shr": ">>", "unchecked_shr": ">>", "wrapping_shl": "<<",
    "shr": ">>", "ushr": ">>", "and": "&", "or": "|", "xor": "^", "times": "*",
}  # fmt: skip
"""Operators that are methods."""
_SUMS = ("+", "-", "|", "^", "&^")
_INSTEAD = {"/": "divided by", "%": "taken modulo", "<<": "shifted to the left by"}
"""What stands in a shift's place."""
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
_SIGNED = ("Java", "Scala")
"""Languages whose integers are signed: there `>>` leaves the sign."""
MOST_FUNCTIONS = 24
"""Functions that are looked at."""


@dataclass(frozen=True, slots=True)
class OtherLookup:
    """A statement that does not look magics up as they were read."""

    place: str
    words: str
    shift: bool = False
    """Is it the shift that differs?"""


@dataclass(slots=True)
class _Lookup:
    """What is done with one item of the magics, from the inside out."""

    item: Tree
    changed: Tree | None = None
    """What the item is changed by, or what it is added to; and with which sign."""
    sign: str = ""
    factors: list[Tree] = field(default_factory=list)
    """What else is multiplied."""
    narrow: Tree | None = None
    """A cast of the product to fewer bits."""
    operation: str = ""
    """What is done with the product: `>>`, or what stands in its place."""
    written: str = ""
    """The same as the source has it."""
    amount: Tree | None = None
    around: list[Tree] = field(default_factory=list)
    """What stands around that, from the inside out."""
    table: Tree | None = None
    """The list whose subscript it is."""
    plain: bool = False
    """Is it that subscript, with nothing but casts between?"""
    is_whole: bool = False
    """Is nothing around it that was not understood?"""
    is_macro: bool = False
    """Is the whole what a macro stands for?"""


def other_lookups(contents: Contents, reading: PieceReading) -> Iterator[OtherLookup]:
    """The statements around the magics' name that do something else than the reading."""
    magic, text = reading.magic, reading.formula.text.replace(" ", "")
    if magic.halves or not magic.last_name or "*magic" not in text:
        return
    found: dict[tuple[str, str], OtherLookup] = {}
    shifts: list[OtherLookup] = []
    shift_is_used = False
    for source, lookup, parameters in _lookups(contents, magic):
        judge = _Judge(contents, reading, source, lookup)
        for other in judge.differences(parameters):
            found.setdefault((other.place, other.words), other)
        fits = judge.shift_fits()
        shift_is_used |= fits is True
        if fits is False:
            words = f"the shift by {judge.shown(lookup.amount)}"
            shifts.append(OtherLookup(judge.place, words, shift=True))
    yield from found.values()
    if not shift_is_used:
        yield from dict.fromkeys(shifts)


def _lookups(
    contents: Contents, magic: Column
) -> Iterator[tuple[Source, _Lookup, tuple[str, ...]]]:
    """What each expression does with items of the magics; of one that its function returns, with
    the function's parameters.
    """
    uses: dict[str, tuple[Source, set[int]]] = {}
    for _, source, _, end in contents.elsewhere([magic]):
        uses.setdefault(source.file, (source, set()))[1].add(end)
    for source, ends in uses.values():
        for tree, parameters, is_macro in _expressions(source, sorted(ends)):
            for chain in _items(tree, magic, ends):
                lookup = _climbed(chain, source)
                lookup.is_macro = lookup.is_whole and is_macro
                yield source, lookup, parameters


def _expressions(
    source: Source, ends: Sequence[int]
) -> Iterator[tuple[Tree, tuple[str, ...], bool]]:
    """The values of all expressions in the functions and macros around some places; the
    function's parameters, where it returns the value; and if a macro stands for it.
    """
    root = source.syntax_tree() if ends else None
    text = source.text.encode("ascii", "replace").decode() if root is not None else ""
    looked_at: list[int] = []
    nothing: tuple[str, ...] = ()
    for end in ends if root is not None else ():
        node = root.descendant_for_byte_range(end - 1, end)  # type: ignore[union-attr]
        macro = macro_around(node)
        if macro is not None:
            body = text[macro.start_byte : macro.end_byte].replace("\\\n", " \n")
            tree = read_expression(body, source.language, macro.start_byte, Function)
            if tree is not None:
                yield tree, nothing, True
            continue
        function = function_around(node)
        if function is None or function.id in looked_at or len(looked_at) > MOST_FUNCTIONS:
            continue
        looked_at.append(function.id)
        reader = Function(text, source.language)
        parameters = reader.parameters(function)
        for tree, is_returned in reader.values(body_of(function)):
            yield tree, parameters if is_returned else nothing, False


def _items(tree: Tree, magic: Column, ends: set[int]) -> Iterator[list[Tree]]:
    """The items of the magics in an expression, each behind all that stands around it."""
    stack = [[tree]]
    while stack:
        chain = stack.pop()
        names, _, fields = spine(chain[-1])
        if names and names[-1].end in ends and _is_magic(magic, fields):
            yield chain
        else:
            stack += [[*chain, child] for child in chain[-1].children]


def _calls(tree: Tree, called: str) -> Iterator[Tree]:
    """The calls of a function in an expression."""
    if tree.kind == "call" and tree.word == called:
        yield tree
    for child in tree.children:
        yield from _calls(child, called)


def _is_magic(magic: Column, fields: Sequence[str]) -> bool:
    """Are these the fields of a record behind which its magic stands?"""
    if not fields:
        return not magic.field
    last = re.split(r"\W+", magic.field)[-1]
    return fields[-1] == last or says(split_words(fields[-1]), MAGIC_WORDS)


def _operation(parent: Tree, child: Tree) -> tuple[str, str, Tree, bool] | None:
    """An operator by C's name and as it is written, the other operand, and if that is the right."""
    if len(parent.children) != 2:
        return None
    if parent.kind == "binary":
        sign = _METHODS.get(parent.word, usual_sign(parent.word))
    elif parent.kind == "call" and parent.word in _METHODS:
        sign = _METHODS[parent.word]
    else:
        return None
    is_left = parent.children[0] is child
    return sign, parent.word, parent.children[is_left], is_left


def _cast(tree: Tree, source: Source) -> int | None:
    """The bits of the type that something becomes, 0 where that is not known; None for no cast."""
    if len(tree.children) != 1 or tree.kind not in ("cast", "call"):
        return None
    words = re.findall(r"\w+", tree.word)
    aliases = source.definitions.aliases
    known = type_of(
        [*words, *(w for word in words for w in aliases.get(word, ()))], source.language
    )
    if known is None:
        return 0 if tree.kind == "cast" else None
    return known[0]


def _bare(tree: Tree, source: Source) -> Tree:
    """What stands in casts."""
    while _cast(tree, source) is not None:
        tree = tree.children[0]
    return tree


def _climbed(chain: list[Tree], source: Source) -> _Lookup:
    """What an expression does with the innermost of a chain."""
    lookup = _Lookup(chain[-1])
    steps = list(zip(chain[-2::-1], chain[:0:-1], strict=True))
    for number, (parent, child) in enumerate(steps):
        bits = _cast(parent, source)
        if bits is not None:
            if lookup.factors and bits and bits <= 32:
                lookup.narrow = parent
            elif bits and bits <= 32:
                break
            continue
        operation = _operation(parent, child)
        if operation is None or parent.word in source.language.unlike:
            break
        sign, written, other, is_left = operation
        if sign == "*":
            lookup.factors.append(other)
        elif sign in _SUMS and not lookup.factors and lookup.changed is None:
            lookup.changed, lookup.sign = other, written
        elif sign == "&" and _bare(other, source).kind in ("name", "number"):
            if (lookup.factors or lookup.changed) and _is_whole(_bare(other, source), source):
                continue
            break
        elif sign == ">>" or sign in _INSTEAD:
            if is_left:
                lookup.operation, lookup.written, lookup.amount = sign, written, other
                lookup.around = [parent for parent, _ in steps[number + 1 :]]
                _find_table(lookup, steps[number + 1 :], source)
            break
        else:
            break
    else:
        lookup.is_whole = True
    return lookup


def _is_whole(tree: Tree, source: Source) -> bool:
    """Has a number all bits of a word? What a name means is not looked up."""
    if tree.kind == "name":
        return True
    number = source.definitions.number(tree.word)
    return number is not None and number in (2**32 - 1, 2**64 - 1, 2**128 - 1)


def _find_table(lookup: _Lookup, steps: Sequence[tuple[Tree, Tree]], source: Source) -> None:
    lookup.plain = True
    for parent, child in steps:
        if parent.kind == "item" and parent.children[0] is not child:
            lookup.table = parent
            return
        if _cast(parent, source) is None and parent.word not in ("toInt", "Number", "int"):
            operation = _operation(parent, child)
            if operation is None or operation[0] not in ("+", "&"):
                return
            lookup.plain = False


@dataclass(slots=True)
class _Judge:
    """Compares a lookup with a reading."""

    contents: Contents
    reading: PieceReading
    source: Source
    lookup: _Lookup

    @property
    def place(self) -> str:
        names, _, _ = spine(self.lookup.item)
        line, column = self.source.spot(names[-1].end - len(names[-1].word))
        return f"{self.source.file}:{line}:{column + 1}"

    def shown(self, tree: Tree | None) -> str:
        """An expression as it is written, on one line."""
        text = (self.source.text[tree.start : tree.end] or tree.word) if tree is not None else ""
        text = " ".join(text.split())
        return text[1:-1] if re.fullmatch(r"\([^()]*\)", text) else text

    def differences(self, parameters: tuple[str, ...]) -> Iterator[OtherLookup]:
        """What differs, but for the number of bits."""
        lookup = self.lookup
        words = [*self._of_the_product(), *self._of_the_shift(), *self._of_the_lists()]
        words += self._of_the_table()
        if lookup.operation == ">>" and len(lookup.factors) == 1 and lookup.changed is None:
            words += self._of_the_mask(parameters)
        for text in words:
            yield OtherLookup(self.place, text)

    def _of_the_product(self) -> Iterator[str]:
        lookup = self.lookup
        item = self.shown(lookup.item)
        if lookup.changed is None:
            return
        if lookup.factors and lookup.operation == ">>":
            yield f"{item} {lookup.sign} {self.shown(lookup.changed)} is multiplied"
        elif lookup.operation == ">>" and lookup.sign != "-":
            yield f"{item} is no factor of what is shifted"
        elif lookup.is_macro and not lookup.factors:
            yield f"a macro makes {item} {lookup.sign} {self.shown(lookup.changed)} of it"

    def _of_the_shift(self) -> Iterator[str]:
        lookup, item = self.lookup, self.shown(self.lookup.item)
        if not lookup.factors or lookup.amount is None:
            return
        least = min(self._amounts(lookup.amount), default=0)
        is_masked = any(self._joined(factor) is not None for factor in lookup.factors)
        if lookup.operation in _INSTEAD:
            inside = any(usual_sign(p.word) in (">>", ">>>") for p in lookup.around)
            amount = self._linear(lookup.amount)
            if is_masked and not inside and (lookup.operation == "%" or _is_of_bits(amount)):
                what = _INSTEAD[lookup.operation]
                yield f"the product with {item} is {what} {self.shown(lookup.amount)}"
            return
        if lookup.narrow is not None and least >= 32 and WHOLE[self.reading.count.kind] != 32:
            kind = lookup.narrow.word
            yield f"the product with {item} is cast to {kind}, and then shifted by {least} or more"
        is_signed = self.source.language.name in _SIGNED and lookup.written == ">>"
        if is_signed and lookup.plain and lookup.table is not None and is_masked:
            yield f"the product with {item} is shifted with its sign"

    def _joined(self, tree: Tree) -> tuple[str, Tree, Tree] | None:
        """An operator between two, of which one may be a mask."""
        tree = _bare(tree, self.source)
        if len(tree.children) != 2:
            return None
        operation = _operation(tree, tree.children[0])
        if operation is None or operation[0] not in ("&", "|", "&^"):
            return None
        return operation[0], tree.children[0], tree.children[1]

    def _of_the_mask(self, parameters: tuple[str, ...]) -> Iterator[str]:
        lookup, reading = self.lookup, self.reading
        text = reading.formula.text
        if "~" in text or "occ & mask" not in text:
            return
        if any(column.is_complement(reading.piece) for column in reading.columns[1:]):
            return
        factor = lookup.factors[0]
        masked = self._joined(factor)
        if masked is None:
            inner = _bare(factor, self.source)
            at_the_end = self._parameter(inner, parameters)
            if at_the_end and lookup.table is not None and self._is_given_unmasked(at_the_end):
                yield f"{inner.word} is multiplied with {self.shown(lookup.item)} and is not masked"
            return
        sign, operands = masked[0], [*masked[1:]]
        turned = [tree for operand in operands if (tree := self._complement(operand)) is not None]
        if sign == "&^":
            turned = operands[1:] if self._complement(operands[1]) is None else []
        if any(sign == "|" or self._is_list(tree, ("mask",)) for tree in turned):
            yield f"{self.shown(factor)} is multiplied"

    @staticmethod
    def _parameter(tree: Tree, parameters: tuple[str, ...]) -> int:
        """Which parameter a variable is, counted from the last one, 1; 0 if it is none."""
        named = (tree.word in re.findall(r"\w+", text) for text in reversed(parameters))
        places = [n for n, is_it in enumerate(named, 1) if is_it]
        return places[0] if tree.kind == "name" and places else 0

    def _is_given_unmasked(self, at_the_end: int) -> bool:
        """Is the function that the lookup stands in called, and always with what is plainly the
        whole occupancy: a field, an item of a list, or what is joined of such?
        """
        names, _, _ = spine(self.lookup.item)
        called = re.split(r"\W+", enclosing(self.source, names[-1].end - 1))[-1]
        contents, paths = self.contents, {source.path for source in self.contents.sources}
        if not called:
            return False
        others = contents.other_files.naming(called, self.source.language, paths)
        given = False
        for source in (*contents.sources, *others):
            ends = [match.end() for match in re.finditer(rf"\b{called}\b", source.code)]
            for tree, _, _ in _expressions(source, ends):
                for call in _calls(tree, called):
                    given = True
                    if len(call.children) < at_the_end:
                        return False
                    if not self._is_whole_occupancy(call.children[-at_the_end]):
                        return False
        return given

    def _is_whole_occupancy(self, tree: Tree) -> bool:
        tree = _bare(tree, self.source)
        if tree.kind == "binary" and usual_sign(tree.word) == "|":
            return all(map(self._is_whole_occupancy, tree.children))
        names, _, fields = spine(tree)
        words = [name.word for name in names] + fields
        if tree.kind == "field":
            words = [tree.word]
        return bool(words) and not any("mask" in word.lower() for word in words)

    def _complement(self, tree: Tree) -> Tree | None:
        tree = _bare(tree, self.source)
        is_turned = tree.kind == "unary" and tree.word in (
            "~",
            "!",
            self.source.language.complement,
        )
        return tree.children[0] if is_turned else None

    def _is_list(self, tree: Tree, words: tuple[str, ...]) -> bool:
        names, _, _ = spine(_bare(tree, self.source))
        return bool(names) and says(split_words(names[-1].word), words)

    def _of_the_lists(self) -> Iterator[str]:
        """Lists of another piece, or of another square, with these magics."""
        lookup, reading = self.lookup, self.reading
        if not lookup.operation or not lookup.factors:
            return
        names, subscripts, _ = spine(lookup.item)
        trees = [*lookup.factors, *([lookup.amount] if lookup.amount is not None else [])]
        others = [
            tree
            for whole in trees
            for tree in _lists_in(whole)
            if says(split_words(spine(tree)[0][-1].word), (*SHIFT_WORDS, "mask"))
        ]
        tables = [lookup.table] if lookup.table is not None else []
        if reading.variant.named(names[-1].word) == reading.piece and len(subscripts) == 1:
            pieces = [
                reading.variant.named(spine(tree)[0][-1].word)
                for tree in (*others, *tables)
                if spine(tree)[0]
            ]
            called = [piece for piece in pieces if piece is not None]
            if len(called) > 1 and {*called} == {called[0]} and called[0] != reading.piece:
                shown = next(self.shown(tree) for tree in others) if others else "another's table"
                yield f"{self.shown(lookup.item)} goes with {shown}"
                return
        if reading.arrangement.listing != reading.arrangement.order:
            return
        square = subscripts[-1]
        for tree in others:
            theirs = spine(tree)[1]
            if len(theirs) == len(subscripts) and self._are_mirrored(square, theirs[-1]):
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

    def _are_mirrored(self, a: Tree, b: Tree) -> bool:
        texts = [self._text(a), self._text(b)]
        return self._plain(a) == texts[1] or self._plain(b) == texts[0]

    def _text(self, tree: Tree) -> str:
        tree = _bare(tree, self.source)
        return re.sub(r"\s", "", self.source.text[tree.start : tree.end])

    def _plain(self, tree: Tree) -> str | None:
        """The square that a subscript mirrors; None where it mirrors none."""
        tree = _bare(tree, self.source)
        names, subscripts, _ = spine(tree)
        if names and len(subscripts) == 1 and says(split_words(names[-1].word), _MIRROR_WORDS):
            return self._text(subscripts[0])
        if tree.kind == "call" and len(tree.children) == 1:
            is_mirror = says(split_words(tree.word), _MIRROR_WORDS)
            return self._text(tree.children[0]) if is_mirror else None
        if len(tree.children) != 2 or tree.kind not in ("binary", "call"):
            return None
        operation = _operation(tree, tree.children[0])
        numbers = [self._number(child) for child in tree.children]
        if operation is None or operation[0] not in ("^", "-"):
            return None
        if numbers[0] in _MIRRORS:
            return self._text(tree.children[1])
        if operation[0] == "^" and numbers[1] in _MIRRORS:
            return self._text(tree.children[0])
        return None

    # Shifts.

    def _number(self, tree: Tree) -> int | None:
        tree = _bare(tree, self.source)
        return self.source.definitions.number(tree.word) if tree.kind == "number" else None

    def _linear(self, tree: Tree) -> tuple[int, Tree | None, int] | None:
        """A shift as a number and an item of a list, which is added or subtracted."""
        tree = _bare(tree, self.source)
        number = self._number(tree)
        if number is not None:
            return 0, None, number
        if spine(tree)[0]:
            return 1, tree, 0
        if len(tree.children) != 2:
            return None
        operation = _operation(tree, tree.children[0])
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

    def shift_fits(self) -> bool | None:
        """Does a shift by an item of a list leave as many bits as the reading? None where it is by
        something else.
        """
        lookup, count = self.lookup, self.reading.count
        if lookup.operation != ">>" or not lookup.factors or lookup.amount is None:
            return None
        several = self._shifts(lookup.amount)
        if not several:
            return None
        linear = self._linear(lookup.amount)
        whole = linear[2] if linear is not None and linear[0] < 0 else 0
        bits = [abs(WHOLE[count.kind] - value) for value in count.values]
        for shifts in several:
            word = 32 if max(shifts) < 32 and whole in range(33) else self.reading.variant.word
            left = sorted(word - shift for shift in shifts)
            if linear is not None and linear[0] > 0 and not 0 < left[0] <= left[-1] <= MOST_BITS:
                return True  # a list of that name is changed first
            if left == sorted(bits * (len(left) if len(bits) == 1 else 1)):
                return True
        return False


def _lists_in(tree: Tree) -> Iterator[Tree]:
    """The items of lists in an expression, but for those in subscripts."""
    if spine(tree)[0]:
        yield tree
        return
    for child in tree.children:
        yield from _lists_in(child)


def _is_of_bits(linear: "tuple[int, Tree | None, int] | None") -> bool:
    """Is a number one of bits: an item of a list, or what a word has more than that?"""
    if linear is None:
        return False
    coefficient, item, number = linear
    if item is not None:
        names, _, fields = spine(item)
        return says(split_words([names[-1].word, *fields][-1]), SHIFT_WORDS)
    return not coefficient and 40 <= number < 64
