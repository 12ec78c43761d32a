"""Where a source's lists conflict: a simpler rule of movement under which they are right."""

import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from magicert.betza import piece_words
from magicert.movement import Movement
from magicert.problem import InputError, printable
from magicert.table.write import movement_toml
from magicert.verify.source.judge import judge
from magicert.verify.source.judgement import Judgement
from magicert.verify.source.overrides import Overrides
from magicert.verify.source.source_options import piece_name
from magicert.verify.source.variant import variant_of
from magicert.verify.table.other_rules import RIGHT_IF, OtherRule, explained, wrong_squares


def hints(
    judgement: Judgement, files: Sequence[tuple[Path, bytes]], overrides: Overrides | None
) -> list[str]:
    """A line on each list whose conflicts a simpler rule explains, and the command that says so.
    The source is judged again for each rule: the command gives what was found.
    """
    if overrides is None or not overrides.variant.by_hand or judgement.verdict == "valid":
        return []

    def is_right(movements: Mapping[str, Movement]) -> bool:
        try:
            return judge(files, _moving(overrides, movements)).verdict == "valid"
        except InputError:
            return False

    conflicts: dict[str, int] = {}
    for reading in judgement.readings:
        conflicts |= wrong_squares(reading.report)
    variant = overrides.variant
    rules = explained(variant.board, variant.movements, is_right, conflicts)
    if not rules:
        return []
    *others, last = (
        f"{overrides.lists[piece, 'magic']} {RIGHT_IF} the piece {rule.text}"
        for piece, rule in rules.items()
    )
    return [*others, f"{last}: {_command(files, overrides, rules)}"]


def _moving(overrides: Overrides, movements: Mapping[str, Movement]) -> Overrides:
    """The same about these pieces alone, which move so."""
    names = {piece: overrides.lists[piece, "magic"] for piece in movements}
    lists = {key: name for key, name in overrides.lists.items() if key[0] in movements}
    bits = {piece: bits for piece, bits in overrides.bits.items() if piece in movements}
    variant = variant_of(overrides.variant.board, dict(movements), names)
    return replace(overrides, variant=variant, pieces=tuple(movements), lists=lists, bits=bits)


def _command(
    files: Sequence[tuple[Path, bytes]], overrides: Overrides, rules: Mapping[str, OtherRule]
) -> str:
    """The command with the pieces as these rules say, or what a file beside has to say."""
    words = shlex.split(overrides.options)
    for piece, rule in rules.items():
        names = [
            (number, word.partition("=")[0])
            for number, word in enumerate(words)
            if number and words[number - 1] == "--piece"
        ]
        named = [(number, name) for number, name in names if piece_name(name) == piece]
        if not rule.movement.name or len(named) != 1:
            return "; ".join(_in_a_file(overrides, rules))
        ((number, name),) = named
        words[number] = f"{name}={piece_words(rule.movement)}"
    return printable(f"magicert verify {shlex.join([*(str(path) for path, _ in files), *words])}")


def _in_a_file(overrides: Overrides, rules: Mapping[str, OtherRule]) -> Iterator[str]:
    """What a TOML file of settings has to say."""
    for piece, rule in rules.items():
        yield f"in [{overrides.lists[piece, 'magic']}], piece = {movement_toml(rule.movement)}"
