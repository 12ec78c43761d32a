"""What an item of a list comes to: a number, or a row of numbers with their keys."""

from dataclasses import dataclass, replace

from magicert.verify.source.languages.arithmetic import Kind, Number


@dataclass(frozen=True, slots=True)
class Objection:
    """Why the engine may compute another number than the one read, and where it stands."""

    place: int
    text: str


@dataclass(frozen=True, slots=True)
class Leaf:
    """A number. `base` is the name it is an offset from; `value` None is no number at all.

    `text` is the digits of a string literal that does not tell its radix. `kind` is what
    the language's operators need to know of it.
    """

    value: int | None
    base: str = ""
    text: str = ""
    kind: Kind = ""
    objection: Objection | None = None
    guess: str = ""
    """A conversion that was taken to change nothing, because of its name alone."""
    place: int = -1
    """Where its first number, text or name stands in the code; -1 where nobody knows."""

    def number(self) -> Number:
        """The number for arithmetic. `value` has to be one."""
        assert self.value is not None
        return Number(self.value, self.kind)

    def becoming(self, number: Number, place: int) -> "Leaf":
        """The leaf with another number, and the first objection kept."""
        objection = self.objection
        if number.problem and objection is None:
            objection = Objection(place, number.problem)
        return replace(self, value=number.value, text="", kind=number.kind, objection=objection)

    def doubted(self, place: int, text: str) -> "Leaf":
        """The leaf with an objection, unless it has one already."""
        return self if self.objection else replace(self, objection=Objection(place, text))


@dataclass(frozen=True, slots=True)
class Row:
    """Items with their keys: a field's name, a subscript, or None."""

    children: tuple["Value", ...]
    keys: tuple[str | int | None, ...]
    place: int = 0


Value = Leaf | Row
NOTHING = Leaf(None)


def collapsed(row: Row) -> Value:
    """A row of one item without a key is that item; of no item, nothing."""
    if not row.children:
        return NOTHING
    return row.children[0] if len(row.children) == 1 and row.keys[0] is None else row


def doubted(value: Value, place: int, text: str) -> Value:
    """The value with an objection to each of its numbers."""
    if isinstance(value, Row):
        return replace(value, children=tuple(doubted(c, place, text) for c in value.children))
    return value.doubted(place, text) if value.value is not None or value.text else value


def guessed(value: Value, guess: str) -> Value:
    """The value with a guess noted for each of its numbers."""
    if isinstance(value, Row):
        return replace(value, children=tuple(guessed(child, guess) for child in value.children))
    return value if value.value is None or value.guess else replace(value, guess=guess)


def widened(value: Value) -> Value:
    """The value as a number of 64 bits."""
    return replace(value, kind="") if isinstance(value, Leaf) and value.kind else value
