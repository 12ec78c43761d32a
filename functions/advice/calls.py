"""The call of a function that wants more than a square and the occupied squares: the object whose
method it is, a piece, a table. For advice alone: which of several objects or constants is meant,
nobody but the user says.

    Attacks::rook(int, U64), Attacks attacks            rook=attacks.rook(square, occupied)
    attacks(Piece, int, U64), enum Piece { ROOK }       rook=attacks(ROOK, square, occupied)
"""

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory

from magicert.functions.builds import shape_for, text_modules
from magicert.functions.compare.claim import FunctionClaim
from magicert.functions.compile.clang_dumps import macros, syntax_tree
from magicert.functions.compile.compilers import C_LANGUAGES, language_in, language_of
from magicert.functions.compile.forced_function import MADE, SQUARES, ForcedFunction
from magicert.functions.compile.names import functions_declared
from magicert.functions.compile.parameters import Head, Kind, Parameter, Reader, last_name
from magicert.functions.compile.parameters_c import CParameters
from magicert.functions.compile.parameters_rust import RustParameters
from magicert.functions.compile.parameters_zig import ZigParameters
from magicert.functions.piece_names import is_owner, names_any_piece, names_piece, words_of
from magicert.functions.question import FunctionQuestion, as_call, together
from magicert.functions.resolved import Resolved, UnknownNameError, resolved, symbols_of
from magicert.problem import InputError
from magicert.system.deadline import Deadline

MOST_CALLS = 6
"""Calls that a compiler is asked for, one after another."""
MOST_NAMED = 8
"""Objects or constants that a message names."""
NAMES = tomllib.loads(Path(__file__).with_name("call_names.toml").read_text("utf-8"))
"""What a square, a set of squares, a piece and a colour may be called, in words of names."""
_SQUARE, _OCCUPIED = frozenset(NAMES["square"]), frozenset(NAMES["occupied"])
_SAYS_OCCUPIED = frozenset(NAMES["occupied in a struct"])
_COLOUR, _BESIDE_A_PIECE = frozenset(NAMES["colour"]), frozenset(NAMES["beside a piece"])
_BITBOARD = frozenset({"bb", "bits"})
_MAKES = re.compile(r"\b[a-z_]\w*\(square\b")
"""A function that is given a number, and no struct of that number's bits: Square(square)."""


@dataclass(frozen=True, slots=True)
class Calls:
    """Calls of a function, the likeliest first, and what is to be said of what it wants."""

    texts: tuple[str, ...] = ()
    said: tuple[str, ...] = ()


def with_calls(
    question: FunctionQuestion, names: Resolved | None, deadline: Deadline, said: list[str]
) -> FunctionQuestion:
    """The question with a call of each function that is none of a square and the occupied squares
    alone, by what the compiler made of its `names`, or that the compiler did not know as one. What
    it wants is `said`. Where no call compiles, its name stays.
    """
    reader: Reader | None = None
    functions = list[FunctionClaim]()
    for claim in question.functions:
        call = claim
        if not ForcedFunction(claim.name, claim.takes).is_call and not fits(claim, names):
            if names is None and not _is_declared(claim, question, deadline):
                functions.append(claim)
                continue
            alone = question.crate is None
            reader = reader or reader_of(question, deadline, alone=alone)
            calls = calls_of(claim, reader, any_object=_reads_no_object(claim, names))
            said += (one for one in calls.said if one not in said)
            if (found := _first_compiling(claim, calls.texts, question, deadline)) is not None:
                (call,), question = found.functions, replace(question, flags=found.flags)
        functions.append(call)
    return with_made(replace(question, functions=tuple(functions)))


def with_makers(question: FunctionQuestion, deadline: Deadline) -> FunctionQuestion:
    """The question with a call of each function that went by its name, where the sources have what
    makes a square, or a set of squares, of a number.
    """
    reader = reader_of(question, deadline, alone=question.crate is None)
    functions = list[FunctionClaim]()
    for claim in question.functions:
        texts = list[str]()
        if not ForcedFunction(claim.name, claim.takes).is_call:
            each = (
                calls_of_head(head, claim, reader, any_object=False)
                for head in _heads_of(claim, reader)
            )
            texts = [text for calls in each for text in calls.texts if _MAKES.search(text)]
        found = _first_compiling(claim, texts, question, deadline)
        functions.append(found.functions[0] if found is not None else claim)
    return replace(question, functions=tuple(functions))


def with_made(question: FunctionQuestion) -> FunctionQuestion:
    """The question with an init that makes what its calls say is made once, behind what it has."""
    language = language_in(question.sources[0], question.flags)
    new = [one for one in made_by(question.functions) if one not in question.init]
    if not new or language == "c":
        return question
    inits = [*([as_call(question.init)] if question.init else []), *new]
    return replace(question, init=together(inits, language))


def made_by(functions: Sequence[FunctionClaim]) -> list[str]:
    """What the calls of functions say is made once."""
    names = (one[0] for call in functions for one in MADE.finditer(call.name))
    return [*dict.fromkeys(names)]


def first_call(claim: FunctionClaim, question: FunctionQuestion, deadline: Deadline) -> str:
    """The function's call for the first square of an empty board, which compiles: what is made at
    the first call is made by that. "" where none does.
    """
    calls = [claim.name]
    if not ForcedFunction(claim.name, claim.takes).is_call:
        reader = reader_of(question, deadline, alone=question.crate is None)
        calls = [
            call for head in _heads_of(claim, reader) if not head.owner and not head.of_compiler
            for call in calls_of_head(head, claim, reader, any_object=False).texts
        ]  # fmt: skip
    words = {word for takes in claim.takes for word in takes}
    for call in calls[:MOST_CALLS]:
        text = re.sub(r"\w+", lambda word: "0" if word[0] in words else word[0], call)
        with suppress(InputError):
            resolved(replace(question, init=text), deadline)
            return text
    return ""


def _is_declared(claim: FunctionClaim, question: FunctionQuestion, deadline: Deadline) -> bool:
    """Whether sources of C or C++ have a function of that name, which clang is asked for anyway."""
    name = claim.name.partition("(")[0].partition("<")[0]
    how = question.flags, question.target, question.compiler, deadline
    in_c = language_of(question.sources[0]) in C_LANGUAGES
    return not in_c or bool(functions_declared(name, question.sources, how))


def _first_compiling(
    claim: FunctionClaim, texts: Sequence[str], question: FunctionQuestion, deadline: Deadline
) -> FunctionQuestion | None:
    """The question of the first of these calls that the compiler takes as what is claimed."""
    ways = (replace(claim, name=text) for text in texts[:MOST_CALLS])
    return next(filter(None, (_compiling(one, question, deadline) for one in ways)), None)


def _compiling(
    claim: FunctionClaim, question: FunctionQuestion, deadline: Deadline
) -> FunctionQuestion | None:
    """The question of a call alone, with the flags without which the compiler does not know it, as
    that of a private method; None where it is no call of a square and the occupied squares.
    """
    alone = replace(question, functions=(claim,), init="")
    try:
        names = resolved(alone, deadline)
    except UnknownNameError as error:
        more = [flag for flag in error.flags if flag not in alone.flags]
        flagged = replace(question, flags=(*question.flags, *more))
        return _compiling(claim, flagged, deadline) if more else None
    except InputError:
        return None
    return alone if fits(claim, names) else None


def _reads_no_object(claim: FunctionClaim, names: Resolved | None) -> bool:
    """Whether a method does not look at the first of what it takes, as it is compiled."""
    found = list[bool]()
    for module in text_modules(names.plain) if names is not None else ():
        for symbol in {*symbols_of(module, [claim.name])} & module.bodies.keys():
            parameters = module.signature(symbol)[1]
            head, _, rest = module.bodies[symbol].partition("\n")
            own = re.escape(parameters[0][1]) if parameters and "sret(" not in head else ""
            lines = (line for line in rest.split("\n") if not line.lstrip().startswith("#dbg"))
            found.append(bool(own) and not re.search(rf"%{own}(?![\w.])", "\n".join(lines)))
    return bool(found) and all(found)


def fits(claim: FunctionClaim, names: Resolved | None) -> bool:
    """Whether a function takes and gives what its claim says; not where nobody knows it."""
    if names is None:
        return False
    for module in text_modules(names.plain):
        for symbol in symbols_of(module, [claim.name]):
            if symbol in module.bodies:
                with suppress(InputError):
                    shape_for(module, symbol, claim, names.question.board)
                    return True
    return False


def reader_of(question: FunctionQuestion, deadline: Deadline, *, alone: bool) -> Reader:
    """What reads the question's sources; `alone`: that of Rust is compiled without its crate."""
    source, how = question.sources[0], (question.flags, question.target, question.compiler)
    match language_in(source, question.flags):
        case "rust":
            return RustParameters(source, alone=alone, bits=question.board.word)
        case "zig":
            return ZigParameters(source, bits=question.board.word)
        case language:
            reader = CParameters(in_c=language == "c", bits=question.board.word)
    for one in question.sources:
        if language_of(one) in C_LANGUAGES:
            reader.read_macros(macros(one, *how, deadline))
            with TemporaryDirectory(prefix="magicert-") as folder:
                tree, _ = syntax_tree(one, *how, deadline, Path(folder))
                with tree.open(encoding="utf-8", errors="replace") as lines:
                    reader.read(lines)
    return reader


def calls_of(claim: FunctionClaim, reader: Reader, *, any_object: bool = False) -> Calls:
    """How the function of a claim may be called, of `any_object` where it looks at none; no call
    where several functions have its name.
    """
    heads = _heads_of(claim, reader)
    if any(wants_no_more(one, claim, reader) for one in heads):
        return Calls()
    each = [calls_of_head(head, claim, reader, any_object=any_object) for head in heads]
    return next((one for one in each if one.texts), each[0] if each else Calls())


def _heads_of(claim: FunctionClaim, reader: Reader) -> list[Head]:
    """The function of a claim; none where several have its name, and of overloads each."""
    name = claim.name.partition("(")[0].partition("<")[0].rstrip(":")
    heads = reader.heads(last_name(name))
    named = [one for one in heads if _ends_with(one.name, name)] or heads
    return sorted(named, key=_parameter_count) if len({one.name for one in named}) == 1 else []


def wants_no_more(head: Head, claim: FunctionClaim, reader: Reader) -> bool:
    """Whether a function takes what its claim says, as far as its types tell."""
    if head.owner or head.of_compiler or any(_of_a_board(head, claim, reader)):
        return False
    each = (_roles(head.parameters, takes, reader) for takes in claim.takes)
    return any(
        roles is not None and len(roles) == len(head.parameters)
        and not _sets_of_one(head.parameters, roles, reader)
        for roles in each
    )  # fmt: skip


def may_want_no_more(head: Head, claim: FunctionClaim, reader: Reader) -> bool:
    """Whether a function may take what its claim says, some of it of types that no text defines:
    the compiler knows it.
    """
    kinds = [reader.kind(one) for one in head.parameters]
    fitting = {Kind.UNKNOWN, Kind.NUMBER, Kind.WORD, Kind.CONSTANTS, Kind.RECORD}
    return (
        not head.owner and not head.of_compiler
        and Kind.UNKNOWN in kinds and fitting.issuperset(kinds)
        and any(len(takes) == len(kinds) for takes in claim.takes)
    )  # fmt: skip


def takes_occupied(head: Head, reader: Reader) -> bool:
    """Whether a function takes a square, and a set of squares as well."""
    return _roles(head.parameters, ("square", "occupied"), reader) is not None


def takes_named_occupied(head: Head, reader: Reader) -> bool:
    """The same, where the set's name says that these are the occupied squares."""
    named = (one for one in head.parameters if not _OCCUPIED.isdisjoint(_words_of(one.name)))
    return takes_occupied(head, reader) and any(_board_score(one, reader) for one in named)


def _parameter_count(head: Head) -> int:
    return len(head.parameters)


def _ends_with(whole: str, name: str) -> bool:
    whole, name = whole.replace("::", "."), name.replace("::", ".")
    return f".{whole}".endswith(f".{name}")


def calls_of_head(head: Head, claim: FunctionClaim, reader: Reader, *, any_object: bool) -> Calls:
    """How one function may be called, of `any_object` where it looks at none."""
    said, calls = list[str](), list[str]()
    objects, takes = [""], [*claim.takes]
    if head.owner:
        objects, takes = _objects_of_head(head, claim, reader, any_object=any_object)
        said.append(_object_message(head, objects, claim))
    if holding := [*_of_a_board(head, claim, reader)]:
        return Calls(tuple(holding), (f"{head.name} takes a struct that holds more than squares",))
    of_compiler = [_choice(one, claim, reader) for one in head.of_compiler]
    said += map(partial(_choice_message, head), head.of_compiler, of_compiler)
    for words in takes:
        roles = _roles(head.parameters, words, reader)
        if roles is None:
            continue
        choices = {
            place: _cut(head, one, reader) or _choice(one, claim, reader)
            for place, one in enumerate(head.parameters) if place not in roles
        }  # fmt: skip
        more = (_choice_message(head, head.parameters[n], one) for n, one in choices.items())
        said += (one for one in more if one not in said)
        if not all(one.is_sure for one in (*of_compiler, *choices.values())):
            continue
        as_sets = _sets_of_one(head.parameters, roles, reader)
        given = [
            choices[place].texts[:1] if place in choices
            else reader.given_as_set(one, roles[place]) if as_sets
            else reader.given(one, roles[place])
            for place, one in enumerate(head.parameters)
        ]  # fmt: skip
        instance = [one.texts[0] for one in of_compiler]
        for of, *arguments in product(objects, *given):
            name = f"{of}{head.last}" if of else head.name
            name = reader.instance(name, instance) if instance else name
            calls.append(f"{name}({', '.join(arguments)})")
    if not calls and not said:
        said.append(f"{head.name} takes ({', '.join(map(str, head.parameters))})")
    return Calls(tuple(calls), tuple(said))


def _objects_of_head(
    head: Head, claim: FunctionClaim, reader: Reader, *, any_object: bool
) -> tuple[list[str], list[tuple[str, ...]]]:
    """What a method is called of, and what it then takes. Of an array that is the square's, where
    the method takes no square; else nothing tells which of them is meant.
    """
    if made := [*_made_of_board(head, claim, reader)]:
        return made, [takes[:1] for takes in claim.takes]
    found = _of_piece(reader.objects(head.owner, any_will_do=any_object), claim.piece)
    first = claim.takes[0][0]
    if first in SQUARES and not any(_square_score(one, reader) for one in head.parameters):
        each = [one.replace("[0]", f"[{first}]") for one in found if "[0]" in one]
        return each, [takes[1:] for takes in claim.takes]
    return [one for one in found if "[0]" not in one], [*claim.takes]


def _made_of_board(head: Head, claim: FunctionClaim, reader: Reader) -> Iterator[str]:
    """The objects that are made of the occupied squares, where the method itself takes none."""
    square, *boards = claim.takes[0]
    if len(boards) != 1 or square not in SQUARES or boards[0] in SQUARES:
        return
    scores = (_board_score(one, reader) for one in head.parameters)
    if any(scores) or not _roles(head.parameters, [square], reader):
        return
    for maker in reader.makers(head.owner):
        if _roles(maker.parameters, boards, reader):
            texts = reader.given(maker.parameters[0], boards[0])
            yield from (f"{maker.name}({text})." for text in texts)


def _of_a_board(head: Head, claim: FunctionClaim, reader: Reader) -> Iterator[str]:
    """Calls of a function that takes a square, and looks at the occupied squares of a struct that
    holds more: an object of that, or a parameter.
    """
    square, *boards = claim.takes[0]
    if (
        len(boards) != 1
        or head.of_compiler
        or any(_board_score(p, reader) > 1 for p in head.parameters)
    ):  # a struct whose name alone says so may hold more
        return
    roles = _roles(head.parameters, [square], reader)
    rest = [n for n in range(len(head.parameters)) if roles is not None and n not in roles]
    if roles is None or len(rest) != (not head.owner):
        return
    kind = head.owner or head.parameters[rest[0]].type
    name = "" if head.owner else head.parameters[rest[0]].name
    for board in reader.holding(head, name, kind):
        if _SAYS_OCCUPIED.isdisjoint(words_of(board.member)):
            continue  # a side's own pieces, for example
        given = [
            reader.given(one, square)[0] if place in roles else board.text
            for place, one in enumerate(head.parameters)
        ]  # fmt: skip
        called = f"({board.text}).{head.last}" if head.owner else head.name
        yield f"{called}({', '.join(given)})"


def _roles(
    parameters: Sequence[Parameter], takes: Sequence[str], reader: Reader
) -> dict[int, str] | None:
    """The places of the parameters that are squares and bitboards, each with its word; None where
    nothing tells which they are, and of two sets of squares nothing does.
    """
    roles = dict[int, str]()
    if sum(word not in SQUARES for word in takes) > 1:
        return None
    for is_square, score in ((False, _board_score), (True, _square_score)):
        words = [word for word in takes if (word in SQUARES) == is_square]
        scores = {n: score(one, reader) for n, one in enumerate(parameters) if n not in roles}
        ordered = sorted((n for n in scores if scores[n]), key=lambda n: -scores[n])
        best, rest = ordered[: len(words)], ordered[len(words) :]
        if len(best) < len(words) or (best and rest and scores[rest[0]] == scores[best[-1]]):
            return None
        roles |= dict(zip(sorted(best), words, strict=True))
    return roles


def _sets_of_one(parameters: Sequence[Parameter], roles: Mapping[int, str], reader: Reader) -> bool:
    """Whether squares go as sets of one: their type is that of the occupied squares, and says so.
    Where it is a number, a square may well be one, whatever its type is called.
    """
    squares = {parameters[place] for place, word in roles.items() if word in SQUARES}
    boards = {parameters[place].type for place, word in roles.items() if word not in SQUARES}
    return (
        bool(squares) and {one.type for one in squares} == boards
        and all(reader.kind(one) in {Kind.RECORD, Kind.UNKNOWN} for one in squares)
        and all(_says_bitboard(one) for one in boards)
    )  # fmt: skip


def _says_bitboard(kind: str) -> bool:
    return "bitboard" in last_name(kind).lower() or not _BITBOARD.isdisjoint(_words_of(kind))


def _words_of(name: str) -> list[str]:
    return words_of(last_name(name))


def _square_score(one: Parameter, reader: Reader) -> int:
    kind = reader.kind(one)
    if kind in {Kind.YES_OR_NO, Kind.OTHER} or not reader.given(one, "square"):
        return 0
    named = 3 * (not {*_words_of(one.name)}.isdisjoint(_SQUARE))
    by_type = 4 * bool({*_words_of(one.type)} & {"square", "sq", "squares"})
    by_count = 2 * (kind is Kind.CONSTANTS and len(reader.values(one)) >= 64)
    return named + by_type + by_count + (kind is Kind.NUMBER)


def _board_score(one: Parameter, reader: Reader) -> int:
    kind = reader.kind(one)
    if not one.type:  # of a macro
        return 3 * (not {*_words_of(one.name)}.isdisjoint(_OCCUPIED))
    if kind not in {Kind.WORD, Kind.RECORD} or not reader.given(one, "occupied"):
        return 0
    by_type = 2 * _says_bitboard(one.type)
    is_named = not {*_words_of(one.name)}.isdisjoint(_OCCUPIED)
    if kind is Kind.RECORD and not by_type:
        return 1 * is_named  # a board with pieces may be called so as well
    return by_type + 2 + 3 * is_named


@dataclass(frozen=True, slots=True)
class _Choice:
    """What may be given for one parameter, the likeliest first. `is_sure`: that one is meant, or
    each is as good.
    """

    texts: tuple[str, ...]
    is_sure: bool


def _cut(head: Head, one: Parameter, reader: Reader) -> _Choice | None:
    """Nothing, for a set of squares that a function of Rust or Zig uses once, to cut another one to
    what it is not: its own pieces.
    """
    if not head.body or reader.kind(one) not in {Kind.WORD, Kind.RECORD}:
        return None
    name = re.escape(one.name)
    uses = re.findall(rf"\b{name}\b", head.body)
    cuts = re.search(rf"&\s*[!~]\s*{name}\b(?!\s*[.(])|[!~]\s*{name}\s*&(?!&)", head.body)
    texts = reader.given(one, "0") if len(uses) == 1 and cuts else []
    return _Choice(tuple(texts[:1]), is_sure=True) if texts else None


def _choice(one: Parameter, claim: FunctionClaim, reader: Reader) -> _Choice:
    """What may be given for a parameter that is no square and no bitboard."""
    kind, texts = reader.kind(one), reader.values(one)
    if kind is Kind.YES_OR_NO:
        return _Choice(("false", "true"), is_sure=False)
    if kind is Kind.RECORD:
        texts = _of_piece(texts, claim.piece)
        return _Choice(tuple(texts), is_sure=bool(texts))
    if is_number := kind is Kind.NUMBER and not texts:
        texts = [*dict.fromkeys(reader.constants())]
    coloured = [text for text in texts if is_owner(last_name(text), claim.piece)]
    coloured.sort(key=lambda text: "white" not in _words_of(text))
    named = (text for text in texts if names_piece(last_name(text), claim.piece))
    of_piece = sorted(named, key=_word_count)
    if is_number:  # of which any constant might be one
        texts = coloured if {*_words_of(one.name)} & _COLOUR else of_piece
        return _Choice(tuple(texts), is_sure=any(map(_says_no_more, texts[:1])))
    if of_piece:
        rest = (text for text in texts if text != of_piece[0])
        return _Choice((of_piece[0], *rest), is_sure=_says_no_more(of_piece[0]))
    if coloured and not any(names_any_piece(last_name(text)) for text in texts):
        rest = (text for text in texts if text not in coloured)
        return _Choice((*coloured, *rest), is_sure=True)
    return _Choice(tuple(texts), is_sure=len(texts) == 1)


def _word_count(text: str) -> int:
    """So few words say no more than the piece: ROOK stands before WHITE_ROOK."""
    return len(_words_of(text))


def _says_no_more(text: str) -> bool:
    """Whether a constant's name says no more than a piece or colour, as ROOK_VALUE does."""
    return len({*_words_of(text)} - _BESIDE_A_PIECE) < 2


def _of_piece(objects: Sequence[str], piece: str) -> list[str]:
    """Objects without those that are another piece's, by their names; those of this piece first."""
    names = {one: last_name(re.sub(r"\(\)|\[0\]|\.$|->$", "", one)) for one in objects}
    own = [one for one in objects if names_piece(names[one], piece)]
    others = {one for one in objects if names_any_piece(names[one])}
    return [*own, *(one for one in objects if one not in own and one not in others)]


def _choice_message(head: Head, one: Parameter, choice: _Choice) -> str:
    text = f"{head.name} takes {one} as well"
    return f"{text}, which may be {_either(choice.texts)}" if choice.texts else text


def _object_message(head: Head, objects: Sequence[str], claim: FunctionClaim) -> str:
    if objects:
        names = [re.sub(r"(?:\.|->)$", "", one) for one in objects]
        return f"{head.name} is a method: its object may be {_either(names)}"
    call = f"OBJECT.{head.last}({', '.join(claim.takes[0])})"
    message = f"{head.name} is a method, and no object of {last_name(head.owner)} is found that a "
    return f"{message}call could name: expected a call such as {call}"


def _either(names: Sequence[str]) -> str:
    """One of these, in words."""
    *others, last = names[:MOST_NAMED]
    if more := len(names) - MOST_NAMED if len(names) > MOST_NAMED else 0:
        others, last = [*others, last], f"one of {more} others"
    return f"{', '.join(others)} or {last}" if others else last
