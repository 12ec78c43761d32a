"""How long the attack tables are that a source declares, and how much of them a reading needs.

    Bitboard RookTable[0x19000];          102,400 entries for the rooks
    U64 bishop_attacks[64][512];          512 for each square
    static long[] attacks = new long[107648];

A table that is shorter than the lookups reach is read out of its bounds. A buffer that is much
shorter is something else: distinct attack sets behind a table of bytes, say.
"""

import ast
import operator
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from magicert.verify.source.lists.game import Game
from magicert.verify.source.lists.material import Material, SourceText
from magicert.verify.source.lists.naming import split_words

LEAST, MOST = 256, 1 << 24
"""Entries of what may be an attack table."""
_ATTACKS = frozenset(
    """
    attack attacks attk atk bb bitboards buffer database db lookup lookups magic magics move moves
    movetable slider sliders sliding table tables
    """.split()  # noqa: SIM905 - a table of words
)
_OTHERS = frozenset(
    """
    between bonus distance eval hash history king knight line lines list move moves occ pawn pieces
    psqt pst random score scores see stack tt value values xray zobrist key keys
    """.split()  # noqa: SIM905
)
_SIZE = r"[^\[\]{};,=\n]{1,48}"
_DECLARED = (
    # U64 name[64][4096];  static Bitboard *name[64]; ulong[102400] name (D)
    rf"(?m)(?:^|[;{{}}])(?!\s*(?:return|else|delete|goto)\b)[^\n;={{}}()]*?[\w>\]*&]\s+\**(?P<name>[A-Za-z_]\w*)"
    rf"(?P<sizes>(?:\[{_SIZE}\])+)\s*(?=;|=|,|$)",
    # name: [u64; 102400], name [102400]uint64, name = [102400]u64, name: array[0..102399] of
    rf"\b(?P<name>[A-Za-z_]\w*)\s*(?::\s*|=\s*|\s)\s*(?:\[?&?)*\[(?:[\w:]+\s*;\s*)?(?P<size>{_SIZE})\]\s*[\w:*]*",
    rf"\b(?P<name>[A-Za-z_]\w*)\s*:\s*(?i:array)\s*\[\s*(?:0\s*\.\.\s*)?(?P<size>{_SIZE})(?:,[^\]\n]*)?\]",
    # name = new long[102400], new BigUint64Array(102400), Array(repeating: 0, count: 102400)
    rf"\b(?P<name>[A-Za-z_]\w*)\s*(?::[^=\n;]*)?=\s*new\s+[\w.]+(?P<sizes>(?:\[{_SIZE}\])+)",
    r"\b(?P<name>[A-Za-z_]\w*)\s*(?::[^=\n;]*)?=\s*(?:new\s+)?\w*Array\w*\s*(?:<[^>\n]*>)?\("
    r"(?:[^()\n]*count:\s*)?(?P<size>[\w\s*+<-]{1,40})[,)]",
    # std::array<U64, 102400> name; std::vector<U64> name(102400); vec![0; 102400]; [0] * 102400
    r"\barray\s*<[^<>;\n]*,\s*(?P<size>[^<>;,\n]{1,40})>\s*(?P<name>[A-Za-z_]\w*)\s*[;{=]",
    r"\bvector\s*<[^<>;\n]*>\s*(?P<name>[A-Za-z_]\w*)\s*\(\s*(?P<size>[^(),;\n]{1,40})[,)]",
    r"\b(?P<name>[A-Za-z_]\w*)[^=\n;]{0,60}=\s*vec!\s*\[[^;\]\n]*;\s*(?P<size>[^\]\n]{1,40})\]",
    r"\b(?P<name>[A-Za-z_]\w*)[^=\n;]{0,60}=\s*\[[^\],\n]{1,12}\]\s*\*\s*"
    r"(?P<size>[\w*+<() ]{1,40})$",
    # name = malloc(102400 * sizeof(U64))
    r"\b(?P<name>[A-Za-z_]\w*)\s*=[^=;\n]*\b(?:malloc|calloc)\s*\(\s*(?P<size>[^(),;\n]{1,40}?)\s*"
    r"(?:\*\s*sizeof|,)",
)


@dataclass(frozen=True, slots=True)
class Buffer:
    """A declared attack table: `entries` in all, or for each square. `piece` is the one that
    its name speaks of; None for one that may serve both.
    """

    name: str
    file: str
    line: int
    entries: int
    each_square: bool
    piece: str | None


def buffers(material: Material) -> Iterator[Buffer]:
    """The attack tables that the sources declare with their lengths."""
    known = {constant.name: constant.value for constant in material.constants}
    for source in material.sources:
        yield from _declared(source, known)


def _declared(source: SourceText, known: Mapping[str, int]) -> Iterator[Buffer]:
    seen: set[tuple[str, int]] = set()
    for pattern in _DECLARED:
        # The raw text is asked first: telling comments from code takes a long source a second.
        game = source.game
        if not any(_is_named(match, game) for match in re.finditer(pattern, source.text)):
            continue
        for match in re.finditer(pattern, source.code):
            if not _is_named(match, game):
                continue
            sizes = _sizes(match, known, source.language.name)
            if not sizes:
                continue
            line = source.code.count("\n", 0, match.start("name")) + 1
            each = len(sizes) > 1 and sizes[0] == game.squares
            entries = sizes[1] if each else 1
            for size in sizes[2:] if each else sizes:
                entries *= size
            together = entries * (game.squares if each else 1)
            if LEAST <= together <= MOST and (match["name"], line) not in seen:
                seen.add((match["name"], line))
                piece = game.briefly(split_words(match["name"]))
                yield Buffer(match["name"], source.file, line, entries, each, piece)


def _is_named(match: re.Match[str], game: Game) -> bool:
    """Does a declaration call itself a table of attack sets?"""
    words = split_words(match["name"])
    attacks = not words.isdisjoint(_ATTACKS) or (
        game.briefly(words) is not None and len(words) == 1
    )
    return attacks and (words - {"move", "moves"}).isdisjoint(_OTHERS)


def _sizes(match: re.Match[str], known: Mapping[str, int], language: str) -> list[int]:
    """The lengths in brackets; none where one is no number that the source gives."""
    groups = match.groupdict()
    texts = (
        re.findall(r"\[([^\]]*)\]", groups["sizes"]) if groups.get("sizes") else [groups["size"]]
    )
    found = [_number(text, known) for text in texts]
    last = language == "Pascal" and "0.." in match[0].replace(" ", "")
    return [size + last for size in found if size] if all(found) else []


_SIGNS = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul,
    ast.LShift: operator.lshift,
}  # fmt: skip


def _number(text: str, known: Mapping[str, int]) -> int | None:
    """The value of a sum or product of numbers and named constants."""
    plain = re.sub(r"\b(0[xX][\da-fA-F_']+|\d[\d_']*)(?:[uUlLzZ]+|_?usize|n)?\b",
                   lambda m: str(int(m[1].replace("'", "").replace("_", ""), 0)
                                 if m[1][:2] in ("0x", "0X") else int(re.sub("['_]", "", m[1]))),
                   text.strip())  # fmt: skip
    try:
        return _evaluated(ast.parse(plain, mode="eval").body, known)
    except (SyntaxError, ValueError, RecursionError):
        return None


def _evaluated(node: ast.expr, known: Mapping[str, int]) -> int:
    match node:
        case ast.Constant(value=int(value)):
            return value
        case ast.Name(id=name) if name in known:
            return known[name]
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _SIGNS:
            a, b = _evaluated(left, known), _evaluated(right, known)
            if abs(a) > MOST or not 0 <= b <= MOST or (isinstance(op, ast.LShift) and b > 30):
                raise ValueError("no length of a table")
            return int(_SIGNS[type(op)](a, b))
        case _:
            raise ValueError("no number")
