"""Write a lookup of keys as source: by a magic that is given, or by one that is found first."""

from dataclasses import dataclass

from magicert.cell import Cell
from magicert.compact.emit.keyed import make_program, print_program
from magicert.engine import Observer
from magicert.key_file import KeyFile
from magicert.outcome import Exists
from magicert.requests.find import Answer, Find
from magicert.scheme import resolve_scheme


@dataclass(frozen=True, slots=True)
class EmitWanted:
    """A lookup of a file's keys. `magic` None: one is found, with `bits` or with the fewest.
    `scope` and `stem` are what the language names things by; `command` is for the heading.
    """

    file: KeyFile
    lang: str
    command: str
    scheme: str = "white"
    bits: int | None = None
    magic: int | None = None
    seconds: float | None = None
    seed: int = 1
    scope: str | None = None
    stem: str | None = None


def emit_keys(wanted: EmitWanted, observer: Observer) -> str | Answer:
    """The source, or the answer if there is no magic or none was found.

    All keys get slots of their own, those with the same value, too: each is compared. Raises
    InputError, with the lines, where a given magic does not keep them apart.
    """
    about, magic = wanted.file.apart, wanted.magic
    if magic is None or wanted.bits is None:
        found = Find(
            keys=about, scheme=wanted.scheme, bits=wanted.bits, seconds=wanted.seconds,
            seed=wanted.seed,
        ).answer(observer)  # fmt: skip
        cell, outcome = found.cell, found.outcome
        if not isinstance(outcome, Exists):
            return found
        magic = outcome.magic
    else:
        cell = Cell(resolve_scheme(wanted.scheme), about, wanted.bits)
        cell.check()
    program = make_program(wanted.file, cell, magic, wanted.command)
    return print_program(program, wanted.lang, wanted.scope, wanted.stem)
