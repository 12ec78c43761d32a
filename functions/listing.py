"""The functions and tables of a source that can be proved, with what their names say that they are.

    U64 rookAttacks(int sq, U64 occ)    rook=rookAttacks
    U64 Attacks::get(Piece, int, U64)   rook=Attacks::get(ROOK, square, occupied), and of each piece
    U64 KNIGHT[64]                      knight=KNIGHT[square]
    U64 BETWEEN[64][64]                 between=BETWEEN[square][target]

What takes a square and bitboards is found by the language's grammar; the compiler then says whether
it can be called so. Whose attacks it computes, its name alone tells: nothing is proved here.
"""

import re
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice, pairwise
from typing import Any

from magicert.board import Board
from magicert.functions.advice.answers import LEAST_SECONDS, error_with_advice
from magicert.functions.advice.build_steps import command_behind_cargo
from magicert.functions.advice.calls import (
    NAMES,
    calls_of_head,
    fits,
    may_want_no_more,
    reader_of,
    takes_named_occupied,
    takes_occupied,
    wants_no_more,
)
from magicert.functions.advice.missing import needs_left_out
from magicert.functions.advice.whole_command import whole_command
from magicert.functions.compare.claim import PAWNS, FunctionClaim
from magicert.functions.compare.layout import layouts_of
from magicert.functions.compile.compiler_runs import DoesNotCompileError
from magicert.functions.compile.compilers import C_LANGUAGES, language_in, language_of
from magicert.functions.compile.forced_function import MADE
from magicert.functions.compile.made_before import made_before
from magicert.functions.compile.names import without_scopes
from magicert.functions.compile.once import sources_unchanged
from magicert.functions.compile.parameters import (
    Array,
    Head,
    Kind,
    Parameter,
    Reader,
    last_name,
)
from magicert.functions.instances import COMPASS
from magicert.functions.piece_names import (
    COLOURS,
    is_owner,
    names_any_piece,
    owners_of,
    pieces_in,
    sliders_on,
    words_of,
)
from magicert.functions.question import FunctionQuestion, as_command, claim_of
from magicert.functions.resolved import UnknownNameError, resolved
from magicert.problem import InputError, Problem, printable
from magicert.system.deadline import FOREVER, Deadline

MOST_TRIES = 8
"""Times that the compiler is asked, each time with more flags, or without names that are none."""
_OF_TWO_SQUARES = {kind: frozenset(words) for kind, words in NAMES["two squares"].items()}
_NO_ATTACKS = frozenset(NAMES["no attacks"])
_MASKS = frozenset({"mask", "masks"})
_SLOW = frozenset(NAMES["slow"])
_CAPTURES = frozenset(NAMES["captures"])
_ONLY_CAPTURES = frozenset({"capture", "captures", "caps"})
"""Of a slider's name: without the empty squares that it attacks, perhaps."""
_BESIDE_A_LEAPER = frozenset(NAMES["beside a leaper"])
_SQUARE = re.compile(r"(?:SQ|SQUARE)?_?([a-h][1-8])", re.IGNORECASE)
"""A square's name among the constants of an enum."""
_CALLED = re.compile(r"(?<![@\w])[A-Za-z_]\w*(?=[(\[<]|$)")
"""What a call calls, or a table."""
_EMPTY, _OWN = frozenset(NAMES["empty"]), frozenset(NAMES["own"])
_OCCUPIED = frozenset(NAMES["occupied"]) - {"all", "bb", "bitboard", "board", "pieces", "b", "o"}
"""Of these words a set of sliders may have some, too."""
_SLIDERS = ("rook", "bishop", "queen")


@dataclass(frozen=True, slots=True)
class Listed:
    """A function or a table: `key` and `name` as --function takes them, and how it is declared.
    Without a key its name tells nothing.
    """

    key: str
    name: str
    declared: str

    def __str__(self) -> str:
        return f"{self.key or 'PIECE'}={self.name}"


@dataclass(frozen=True)
class Listing:
    """What a source has, and what is asked of the likeliest function of each piece; None where no
    name names one.
    """

    found: tuple[Listed, ...]
    asking: FunctionQuestion | None
    deadline: Deadline
    is_whole: bool = True
    """Whether all of it compiles here, without what a build script writes."""
    answers: dict[Any, Any] = field(default_factory=dict, repr=False)
    """What compilers have said: the command asks them the same."""

    @property
    def asks_for_sliders(self) -> bool:
        """Whether a function's name says that it is a slider's."""
        asked = self.asking.functions if self.asking is not None else ()
        return any(claim.piece in _SLIDERS for claim in asked)

    @cached_property
    def command(self) -> str:
        """The command that proves these, with what it needs, which compilers are asked for; at the
        deadline, or where the user stops it, with what is known by then. "" for none.
        """
        if self.asking is None:
            return ""
        with sources_unchanged(self.answers):
            made = "" if self.is_whole else command_behind_cargo(self.asking, LEAST_SECONDS)
            return made or whole_command(self.asking, self.deadline) or as_command(self.asking)

    def as_lines(self, source: str) -> Iterator[str]:
        """What a source has, as text, without the command."""
        if not self.found:
            yield f"{source}: no function of a square and a bitboard, and no table of bitboards"
            return
        yield f"{source}: what can be proved, as --function takes it"
        width = max(len(str(one)) for one in self.found)
        for one in self.found:
            yield printable(f"  {one!s:<{width}}  {one.declared}".rstrip())
        if any(not one.key for one in self.found):
            yield "  (PIECE: the name tells none; say rook, king, fF for a white pawn, or another)"

    def as_data(self) -> dict[str, object]:
        """As JSON."""
        functions = [
            {"key": one.key, "name": one.name, "declared": one.declared} for one in self.found
        ]
        return {"functions": functions, "command": self.command}


def listing(question: FunctionQuestion) -> Listing:
    """What the sources of a question have, whatever its functions are.

    Raises InputError for a source that does not compile, with the compiler's words and what helps,
    and BudgetOverError.
    """
    began = time.monotonic()
    try:
        return listing_without_advice(question)
    except InputError as error:
        compiles = not isinstance(error, DoesNotCompileError)
        question = replace(question, functions=())
        asking = question if compiles else _by_grammar_alone(question)
        raise error_with_advice(error, asking, time.monotonic() - began) from None


def listing_without_advice(question: FunctionQuestion) -> Listing:
    """The same, whose error has no more than the compiler's words."""
    if ir := [one for one in question.sources if language_of(one) == "ir"]:
        message = "is LLVM's IR: expected a source in C, C++, Rust or Zig"
        raise InputError([Problem(message, file=str(ir[0]))])
    question, answers = replace(question, functions=()), dict[Any, Any]()
    with sources_unchanged(answers):
        return replace(_listing(question, Deadline.after(question.seconds)), answers=answers)


def _by_grammar_alone(question: FunctionQuestion) -> FunctionQuestion:
    """What would be asked of a source of Zig that this version of it does not compile: the command
    that gets another one need not list them first.
    """
    if [language_of(one) for one in question.sources] != ["zig"]:
        return question
    declared = _declared(question, reader_of(question, FOREVER, alone=True))
    known = (one for one in declared.claims if without_scopes(one.name) not in declared.unclear)
    return replace(question, functions=_likeliest(known))


def _listing(question: FunctionQuestion, deadline: Deadline) -> Listing:
    question = _compiling(question, deadline)
    reader = reader_of(question, deadline, alone=question.crate is None)
    declared = _declared(question, reader)
    texts = {(one.key, without_scopes(one.name)): text for one, text in declared.claims.items()}
    found, known = dict[Listed, None](), list[FunctionClaim]()
    left_out = [*_left_out(question, declared.claims)]
    compiled = tuple(one for one in declared.claims if one not in left_out)
    broken = set[FunctionClaim]()
    for claim in [*left_out, *_known(replace(question, functions=compiled), deadline, broken)]:
        name = without_scopes(claim.name)
        key = "" if name in declared.unclear else claim.key
        found[Listed(key, claim.name, texts.get((claim.key, name), ""))] = None
        known += [claim] if key and name not in declared.masks else []
    functions = _likeliest(one for one in known if one not in broken) or _likeliest(known)
    if not question.states_order and any(owners_of(claim.key) for claim in functions):
        question = replace(question, order=_order_of(reader.numbers(), question))
    asking = replace(question, functions=functions) if functions else None
    return Listing(tuple(found), asking, deadline, is_whole=not left_out)


def _likeliest(known: Iterable[FunctionClaim]) -> tuple[FunctionClaim, ...]:
    """The likeliest function of each piece, sliders first. Of shifts and two squares a name says
    too little to accuse somebody by it.
    """
    asked = dict[str, FunctionClaim]()
    for claim in known:
        of_piece = claim.kind == "attacks" and _says_attacks(claim)
        of_piece |= _says_attacks_of_a_set(claim)
        last = asked.get(claim.key)
        if of_piece and (last is None or _likelihood(claim) > _likelihood(last)):
            asked[claim.key] = claim
    for piece in _SLIDERS:  # what gives a square's attacks is called for most
        if piece in asked:
            asked.pop(f"setwise:{piece}", None)
    return tuple(sorted(asked.values(), key=lambda claim: claim.piece not in _SLIDERS))


def _left_out(
    question: FunctionQuestion, declared: Iterable[FunctionClaim]
) -> Iterator[FunctionClaim]:
    """The functions of a crate of Rust that need what its build script writes."""
    if question.crate is None or not made_before(question.sources[0], question.flags):
        return
    names = {one.partition(" ")[0] for one in question.crate.left_out}
    for claim in declared:
        if last_name(without_scopes(claim.name)).partition("(")[0] in names:
            yield claim


@dataclass(slots=True)
class _Declared:
    """What functions and tables may be by their names, each with its declaration. Names are without
    scopes.
    """

    claims: dict[FunctionClaim, str] = field(default_factory=dict)
    unclear: set[str] = field(default_factory=set)
    """Names that tell no piece, which are claimed to be a rook's until the compiler knows them, and
    leapers that look at the occupied squares: they may give captures alone.
    """
    masks: set[str] = field(default_factory=set)
    """Masks of occupied squares, which may be those that stand in a slider's way."""


def _declared(question: FunctionQuestion, reader: Reader) -> _Declared:
    text = "\n".join(one.read_text("utf-8", "replace") for one in question.sources)
    declared = _Declared()
    for head in reader.functions():
        if not re.search(rf"\b{re.escape(head.last)}\b", text) or not _may_be(head, reader):
            continue
        keys = [*_keys(head, reader, question.board)] if not _is_half(head, reader) else []
        claims = [claim_of(key, head.name, question.board) for key in keys or ["rook"]]
        calls = [one for claim in claims for one in _calls(claim, head, reader)]
        names = {without_scopes(one.name) for one in calls}
        if not keys:  # any constant would do as a piece
            calls = [one for one in calls if not one.name.endswith(")")]
            declared.unclear |= {without_scopes(one.name) for one in calls}
        if takes_occupied(head, reader):
            declared.unclear |= {without_scopes(one.name) for one in calls if one.leaps}
        words = {*words_of(head.last)}
        declared.masks |= names if words & _MASKS and not words & _CAPTURES else set()
        calls += _of_a_set(head, keys, reader, question)
        declared.claims |= dict.fromkeys(calls, str(head))
    for array in reader.arrays():
        if re.search(rf"\b{re.escape(array.last)}\b", text):
            for key, index in _indexes(array, reader, question.board):
                claim = claim_of(key, f"{array.name}{index}", question.board)
                declared.claims[claim] = str(array)
    return declared


def _of_a_set(
    head: Head, keys: Iterable[str], reader: Reader, question: FunctionQuestion
) -> Iterator[FunctionClaim]:
    """What a function of C or C++ gives for a whole set of sliders, where the names of the other
    bitboards that it takes say what each is: rook_fill(U64 rooks, U64 empty, U64 own).
    """
    piece = next((key for key in keys if key in _SLIDERS), "")
    in_c = language_in(question.sources[0], question.flags) in C_LANGUAGES
    if not piece or not in_c or head.owner or head.of_compiler:
        return
    if any(reader.kind(one) is not Kind.WORD for one in head.parameters):
        return
    given = [_meant_set({*words_of(one.name)}) for one in head.parameters]
    if given.count("sliders") == 1 and sum("occupied" in one for one in given) == 1:
        call = f"{head.name}({', '.join(given)})"
        yield claim_of(f"setwise:{piece}", call, question.board)


def _meant_set(words: set[str]) -> str:
    """What is given for a bitboard of that name."""
    sets = {"~occupied": _EMPTY, "occupied": _OCCUPIED, "0": _OWN}
    return next((given for given, known in sets.items() if words & known), "sliders")


def _likelihood(claim: FunctionClaim) -> tuple[bool, int]:
    """How likely a function is the one that the engine calls, by its name: of several the first one
    that says no more than whose attacks it computes, and not how slowly.
    """
    words = words_of(MADE.sub("", claim.name))
    return _SLOW.isdisjoint(words), -len(words)


def _order_of(numbers: Mapping[str, int], question: FunctionQuestion) -> str:
    """The order in which an enum of the sources numbers the squares: A8, B8, ... The order of the
    question where there is none, or where two of them differ.
    """
    stated = defaultdict[str, set[int]](set)
    for name, number in numbers.items():
        if square := _SQUARE.fullmatch(last_name(name)):
            stated[square[1].lower()].add(number)
    for layout in layouts_of(question.board):
        names = {question.board.name(square): n for n, square in enumerate(layout.squares)}
        if stated == {name: {number} for name, number in names.items()}:
            return layout.name
    return question.order


def _says_attacks(claim: FunctionClaim) -> bool:
    """Whether a name says that it is a piece's attacks, and nothing else. Of a square and occupied
    squares hardly anything but attacks is made; of a square alone much else is: `king_zone`,
    `pawn_attack_span`, `pawn_moves`, which may be no captures.
    """
    if not claim.leaps:
        words = {*words_of(MADE.sub("", claim.name))}
        return not words & _ONLY_CAPTURES or not words.isdisjoint(_CAPTURES - _ONLY_CAPTURES)
    if claim.key in PAWNS and _CAPTURES.isdisjoint(words_of(claim.name)):
        return False
    called = words_of(" ".join(_CALLED.findall(claim.name)))
    known = _CAPTURES | _BESIDE_A_LEAPER | _SLOW | COLOURS
    return all(word in known or names_any_piece(word) for word in called)


def _is_half(head: Head, reader: Reader) -> bool:
    """Whether a name says no more than a diagonal, where others are of the antidiagonals."""
    words = {*words_of(head.last)}
    if not words & {"diag", "diagonal"} or words & {"bishop", "bishops"}:
        return False
    last_names = {one.last for one in reader.functions()}
    return any(word.startswith("anti") for name in last_names for word in words_of(name))


def _says_attacks_of_a_set(claim: FunctionClaim) -> bool:
    """Whether a name says that it is the attacks of a set of sliders. `rook_fill` may have these
    sliders, too, and `rook_moves` no captures, but if it leaves out its own pieces.
    """
    captures = re.search(r"\b0\b", claim.name) or not _CAPTURES.isdisjoint(words_of(claim.name))
    return claim.kind == "setwise" and claim.piece in _SLIDERS and bool(captures)


def _compiling(question: FunctionQuestion, deadline: Deadline) -> FunctionQuestion:
    """The question with flags with which its sources compile, where these are known."""
    for _ in range(MOST_TRIES):
        try:
            return resolved(question, deadline).question
        except DoesNotCompileError as error:
            if (flagged := question.with_flags(error.flags)) == question:
                raise
            question = flagged
    return resolved(question, deadline).question


def _calls(claim: FunctionClaim, head: Head, reader: Reader) -> Iterator[FunctionClaim]:
    """A function as its claim says, by its name, or by a call where that is not enough."""
    same = {*(one for one in reader.heads(head.last) if one.name == head.name)}
    wants = (wants_no_more, may_want_no_more)
    named = any(one(head, claim, reader) for one in wants) and len(same) < 2 and not head.is_macro
    calls = [] if named else calls_of_head(head, claim, reader, any_object=False).texts[:1]
    owners = owners_of(claim.key)
    for name in [head.name] if named else calls:
        if not owners or not owners.isdisjoint(words_of(name)):
            yield replace(claim, name=name)


def _may_be(head: Head, reader: Reader) -> bool:
    """Whether a function may give an attack set: a bitboard, by a name that says nothing else. An
    operator has no name. What has a type that no text defines gives what it takes. A mask that
    depends on the occupied squares is no magic's.
    """
    kind = reader.kind(Parameter("", head.returns))
    others = _NO_ATTACKS - (_MASKS if takes_named_occupied(head, reader) else set())
    words = words_of(head.last)
    pairs = {"".join(pair) for pair in pairwise(words)}  # of getRookXRay
    is_named = head.last.isidentifier() and others.isdisjoint({*words, *pairs})
    types = [one.type for one in head.parameters]
    takes_it = head.is_macro or (kind is Kind.UNKNOWN and types.count(head.returns) == 1)
    return is_named and (takes_it or kind in {Kind.WORD, Kind.RECORD})


def _keys(head: Head, reader: Reader, board: Board) -> Iterator[str]:
    """What a function computes, by its name, or else by what it may be given."""
    words = {*words_of(head.last)}
    two = [kind for kind, known in _OF_TWO_SQUARES.items() if known & words]
    if two:
        yield two[0]
        return
    if names_any_piece(head.last) or names_any_piece(head.name):
        yield from pieces_in(head.last, board) or pieces_in(head.name, board)
        return
    sides = "".join(sorted(COMPASS[word] for word in words & COMPASS.keys()))
    if sides and sides not in {"bf", "lr"} and len(sides) < 3:
        yield f"setwise:{sides}{'WF'[len(sides) - 1]}"
        return
    objects = [reader.objects(head.owner, any_will_do=False)] if head.owner else []
    constants = (
        reader.values(one) for one in (*head.of_compiler, *head.parameters)
        if reader.kind(one) is Kind.CONSTANTS or one.meant == "trait"
    )  # fmt: skip
    for names in (*objects, *constants):
        known = {piece for text in names for piece in pieces_in(text.rstrip(".->"), board)}
        if known.issuperset(sliders := sliders_on(board)):
            yield from sliders  # whether it knows others, nothing says
            return


def _indexes(array: Array, reader: Reader, board: Board) -> Iterator[tuple[str, str]]:
    """What a table of bitboards may hold, and how it is looked up."""
    words, pieces = {*words_of(array.last)}, pieces_in(array.last, board)
    owned = [piece for piece in pieces if owners_of(piece)]
    full = str(board.squares)
    match [None if count.isdigit() and count != full else count for count in array.counts]:
        case [str(), str()]:
            kinds = [kind for kind, known in _OF_TWO_SQUARES.items() if known & words]
            yield from ((kind, "[square][target]") for kind in kinds[:1])
        case [_, _] if owned:
            for key in owned:
                names = (one for one in reader.constants() if is_owner(last_name(one), key))
                for name in islice(names, 1):
                    first = array.counts[1] == "2"
                    yield key, f"[square][{name}]" if first else f"[{name}][square]"
        case [str()] if _NO_ATTACKS.isdisjoint(words - _MASKS):
            if pieces == owned:
                owned = [key for key in owned if not owners_of(key).isdisjoint(words)]
                yield from ((key, "[square]") for key in owned)
            elif len(pieces) == 1 and claim_of(pieces[0], "x", board).leaps:
                yield pieces[0], "[square]"


def _known(
    question: FunctionQuestion, deadline: Deadline, broken: set[FunctionClaim]
) -> Iterator[FunctionClaim]:
    """The claims that the compiler knows as what they say, each with its whole name; `broken` has
    then those that need what does not compile here.
    """
    for _ in range(MOST_TRIES):
        if not question.functions:
            return
        try:
            names = resolved(question, deadline)
        except InputError as error:
            flags = error.flags if isinstance(error, UnknownNameError) else ()
            if (flagged := question.with_flags(flags)) != question:
                question = flagged  # an instruction of the processor, for example
                continue
            unknown = {problem.key for problem in error.problems}
            known = tuple(one for one in question.functions if one.option not in unknown)
            if known == question.functions:
                raise
            question = replace(question, functions=known)
            continue
        known = tuple(one for one in names.question.functions if fits(one, names))
        if names.question.crate is not None and names.question.crate.left_out:
            broken |= {one for one in known if needs_left_out(one.name, names)}
        yield from known
        return
