"""Why a source holds no table, as well as it can be told: for the message, never for a verdict."""

import re
from collections.abc import Collection, Sequence
from pathlib import Path

from magicert.problem import InputError, NothingThereError, Problem, printable
from magicert.verify.source.candidates import MOST_MAGICS
from magicert.verify.source.columns import MAGIC_WORDS, says
from magicert.verify.source.contents import Contents
from magicert.verify.source.overrides import map_option
from magicert.verify.source.source_text import Source
from magicert.verify.source.variant import split_words

_INCLUDED = re.compile(r'[\[{(,]\s*\n[ \t]*#[ \t]*include[ \t]*[<"]([^>"\n]+)[>"]')
"""A list's items in a file of their own."""
AT_START_UP = (
    "if the engine computes its magics at start-up, test it from within: "
    "magicert emit --check-harness --lang c++ (or c, csharp, go, java, rust, zig) writes the test"
)
"""What can be done where a source holds no numbers."""
OTHER_PIECES = frozenset({"king", "knight", "pawn", "queen", "kings", "knights", "pawns"})
"""Their attack sets are sometimes called magics as well."""


def no_table(contents: Contents, pieces: Sequence[str], files: Sequence[Path]) -> list[Problem]:
    """Why there is no table in a source, as well as it can be told."""
    included = [
        Problem(
            f"no table here: a list's numbers are in {printable(include[1])}; verify the whole "
            "folder, whose files are read together",
            file=str(source.path),
            line=source.spot(include.start(1))[0],
        )
        for source in contents.sources
        for include in _INCLUDED.finditer(source.text)
    ]
    if included:
        return included
    message = f"no table: no list of 64 numbers could be magics; {AT_START_UP}"
    plain = message
    sets = dict.fromkeys(c.name for c in contents.columns if c.are_attack_sets)
    if sets:
        shown = ", ".join([*sets][:4])
        message = f"no table: no list of 64 numbers could be magics ({shown}: attack sets)"
    likely = sum(c.could_be_magic for c in contents.columns)
    if likely > MOST_MAGICS:
        message = f"no table: {MOST_MAGICS} of {likely} lists that could be magics were tried;"
        options = " ".join(map_option(piece, "magic", "NAME") for piece in pieces)
        message += f" add {options} to say which they are"
    word = contents.variant.word
    narrow = {
        f"{c.where} is of a type of {c.type[0]} bits": None
        for c in contents.columns
        if c.is_called_magic and c.type is not None and 0 < c.type[0] < word
    }
    if narrow:
        message = f"no table: {'; '.join(narrow)}: a bitboard has {word}"
    lists = {
        c.where: None
        for c in contents.columns
        if c.could_be_magic and c.is_called_magic and not c.name_words & OTHER_PIECES
    }
    if lists:
        known = "; ".join([*lists][:4])
        message = f"no table: no list reads as magics; --map and --scheme can say more ({known})"
    sources = contents.sources if message == plain else ()
    seen = {source.path: _seen(source) for source in sources}
    if sum(map(len, seen.values())) >= FEWEST_SEEN:
        return [_numbers_seen(path, places) for path, places in seen.items() if places]
    return [Problem(message, file=str(path)) for path in files]


def refuse_lists(contents: Contents, missing: Sequence[str], pieces: Collection[str]) -> None:
    """Where a piece is missing: a list that could have been its magics, but is no column."""
    meant = (None, *missing)
    refused = [m for m in contents.refused if m.what == "magic" and m.piece in meant]
    if refused:
        claimed = any(m.claims for m in refused) or len(missing) < len(pieces)
        kind = InputError if claimed else NothingThereError
        problems = [Problem(m.message, file=m.file, line=m.line) for m in refused]
        raise kind(list(dict.fromkeys(problems)))


def name_not_read(contents: Contents, piece: str) -> str:
    """Where a name of a piece's magics stands that is no list which is read."""
    for source in contents.sources:
        for match in re.finditer(r"[A-Za-z_]\w*", source.code):
            words = split_words(match[0])
            if says(words, MAGIC_WORDS) and contents.variant.piece_in(words) == piece:
                return f"; {match[0]} in line {source.spot(match.start())[0]} is not read"
    return ""


FEWEST_SEEN = 16
NUMBERS_SEEN = "numbers of 64 bits were seen"
_WORD = re.compile(
    r"(?<![\w.])(?:(?:0[xX]|\$|#?[xX]\"|16#|&[Hh]|\d{1,3}'[hH])([0-9a-fA-F][0-9a-fA-F_']{7,40}+)"
    r"|(\d[\d_']{9,40}+)|([0-9a-fA-F]{13,16}))(?:[uUlLnNzZ]\w{0,5})?(?![\w.])"
)


def _seen(source: Source) -> list[int]:
    """The lines of the numbers that need more than 32 bits and at most 64."""
    line_numbers = []
    for match in _WORD.finditer(source.text):
        digits = re.sub("[_']", "", match[1] or match[2] or match[3])
        if 32 < int(digits, 10 if match[2] else 16).bit_length() <= 64:
            line_numbers.append(source.spot(match.start())[0])
    return line_numbers


def _numbers_seen(path: Path, lines: Sequence[int]) -> Problem:
    where = f"lines {lines[0]}-{lines[-1]}" if lines[0] != lines[-1] else f"line {lines[0]}"
    message = f"no table: {len(lines):,} {NUMBERS_SEEN} ({where}), but no list of"
    message += (
        " 64 numbers could be magics: what is read are lists, rows that are added to one, and"
    )
    message += " numbers behind the names of squares or behind 0 to 63"
    return Problem(message, file=str(path), line=lines[0])
