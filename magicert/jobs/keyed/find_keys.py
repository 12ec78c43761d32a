"""Find a magic for keys: with a given number of bits, or with as few as can be found."""

import time
from dataclasses import dataclass, replace

from magicert.cell import Keys
from magicert.engine import Observer, is_installed, load
from magicert.jobs.find import SEARCHED, Answer, Wanted, find
from magicert.outcome import Impossible, Outcome, Unknown
from magicert.problem import InputError, Problem

MOST_BITS = 24
"""Trial's table has an entry for each index."""
ENDS = ("interrupted", "out of time")
"""Reasons after which no more bits are tried."""
HOPELESS = 1e-11
FEW = 1_000_000
OWN = ("trial", "window", "z3")
"""The engines that are chosen from."""


@dataclass(frozen=True, slots=True)
class KeysAnswer:
    """The last answer, and those about fewer bits before it."""

    answer: Answer
    fewer: tuple[Answer, ...] = ()


def find_keys(wanted: Wanted, observer: Observer) -> KeysAnswer:
    """Ask about the bits that are wanted. If none are, ask about the fewest that can hold the
    values, then about one more, and so on, until a magic is found.

    `wanted.seconds` holds for all of it. Raises InputError as `find`.
    """
    keys = wanted.about
    assert isinstance(keys, Keys)
    if wanted.bits is not None:
        return KeysAnswer(find(wanted, observer))
    deadline = None if wanted.seconds is None else time.monotonic() + wanted.seconds
    answers: list[Answer] = []
    for bits in bits_to_try(keys, wanted.largest_index):
        for engine in _engines(replace(wanted, bits=bits)):
            asked = replace(wanted, bits=bits, engine=engine)
            if wanted.engine is None:
                asked = replace(asked, options=_known(asked) | _budget(keys, asked))
            if deadline is not None:
                asked = replace(asked, seconds=max(0.001, deadline - time.monotonic()))
            observer.say(f"{bits} bits: {engine}")
            answer = find(asked, observer)
            if not isinstance(answer.outcome, Unknown) or _ends(answer.outcome):
                break
        answers.append(answer)
        if not isinstance(answer.outcome, Impossible | Unknown) or _ends(answer.outcome):
            break
    return KeysAnswer(answers[-1], tuple(answers[:-1]))


def _ends(outcome: Outcome) -> bool:
    """Whether nothing more is to be asked."""
    return isinstance(outcome, Unknown) and outcome.reason in ENDS


def _engines(asked: Wanted) -> tuple[str, ...]:
    """What to ask one after another, until one knows. The window search settles small keys that
    chance leaves open, where it is installed.
    """
    first, bits = asked.engine_name, asked.cell.bits
    settles = asked.scheme in SEARCHED and asked.about.suits_window(bits)
    if asked.engine is None and first == "trial" and settles and is_installed("window"):
        return first, "window"
    return (first,)


def bits_to_try(keys: Keys, largest_index: int | None = None) -> range:
    """The bits that are asked about, in order. A largest index says how many there are.

    Raises InputError where the keys need more than a table can have.
    """
    least = keys.least_bits
    if largest_index is not None:
        least = max(1, largest_index.bit_length())
        return range(least, least + 1)
    if least > MOST_BITS:
        message = f"they need {least} bits: expected at most {MOST_BITS}"
        raise InputError([Problem(message, key=str(keys))])
    return range(least, MOST_BITS + 1)


def _budget(keys: Keys, asked: Wanted) -> dict[str, str]:
    """Fewer candidates where chance alone would need thousands of times what trial tries: for
    keys in some order a few may do all the same.
    """
    hopeless = keys.chance(asked.cell.bits) < HOPELESS
    if asked.engine != "trial" or "candidates" in asked.options or not hopeless:
        return {}
    return {"candidates": str(FEW)}


def _known(asked: Wanted) -> dict[str, str]:
    """Of the options those that the engine has. What no engine has stays, to be refused."""
    here = {option.name for option in load(str(asked.engine)).OPTIONS}
    anywhere = {option.name for name in filter(is_installed, OWN) for option in load(name).OPTIONS}
    given = asked.options.items()
    return {name: value for name, value in given if name in here or name not in anywhere}
