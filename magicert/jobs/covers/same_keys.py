"""Is a certificate about the keys of a file?"""

from collections.abc import Iterable

from magicert.key_file import KeyFile
from magicert.verify.cover.file import Certificate

SHOWN = 5


def other_keys(certificate: Certificate, file: KeyFile) -> list[str]:
    """How the keys of a certificate differ from those of a file; empty if they are the same,
    with the same ones of different values. Their order does not count.
    """
    listed = certificate.header.listed
    theirs = _groups((int(text, 16), number) for text, number in listed)
    ours = _groups(zip(file.keys.words, file.keys.values, strict=True))
    name = file.path.name
    lacking = [f"{word:#x} of {name} is not among its keys" for word in ours.keys() - theirs]
    foreign = [f"its key {word:#x} is not in {name}" for word in theirs.keys() - ours]
    apart = [
        f"{word:#x} has the value of other keys than in {name}"
        for word in ours.keys() & theirs
        if ours[word] != theirs[word] and not lacking and not foreign
    ]
    problems = sorted(lacking) + sorted(foreign) + sorted(apart)
    left = len(problems) - SHOWN
    return problems[:SHOWN] + [f"and {left:,} more"] * (left > 0)


def _groups(pairs: Iterable[tuple[int, int]]) -> dict[int, frozenset[int]]:
    """Of each word those with its value."""
    listed = list(pairs)
    members: dict[int, set[int]] = {}
    for word, number in listed:
        members.setdefault(number, set()).add(word)
    groups = {number: frozenset(words) for number, words in members.items()}
    return {word: groups[number] for word, number in listed}
