"""Files as text: their encoding and language, and what other files of a folder declare."""

import re
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

from magicert.languages.comments import without_comments
from magicert.languages.definitions import Definitions
from magicert.languages.language import LARGEST, Language, language_of
from magicert.problem import InputError, Problem, names_apart
from magicert.verify.source.source_text import Source

_DECLARED = (
    r"{0}(?!\w)(?<![\w$]{0})[^;\n=(){{}}\[]*(?:\[[^\n=(){{}}]*\])?[^;\n=(){{}}]*="
    r"[^;,()\n]{{0,40}}(?:[{{(]|(?:(?<!\w)|(?<!\w)new\s[\w.]{{1,40}})\[)"
)
"""Where a name is given a list, and not an item of one."""


class OtherFiles:
    """The files of a program, each read once: the code of those beside what is judged is looked at
    where it names a list of that, and none of its own.
    """

    def __init__(self, paths: Sequence[Path] = ()) -> None:
        self.paths = paths
        self.names = names_apart(paths)
        self.codes: dict[Path, Source | None] = {}

    def naming(self, name: str, language: Language, excluded: Collection[Path]) -> Iterator[Source]:
        """The files of a language that name a list, but for those that it is read from."""
        for path in self.paths:
            if path in excluded:
                continue
            if path not in self.codes:
                self.codes[path] = _code(path, self.names[path])
            source = self.codes[path]
            if source is None or name not in source.code:
                continue
            both = source.language.is_c and language.is_c
            if (both or source.language.name == language.name) and not re.search(
                _DECLARED.format(re.escape(name)), source.code
            ):
                yield source


def _code(path: Path, file: str) -> Source | None:
    """A file whose lists are not read; None where it cannot be."""
    try:
        text, language, plain, code = text_and_code(path, path.read_bytes())
    except (OSError, InputError):
        return None
    definitions = Definitions(code, language)
    return Source(path, file, language, plain, definitions.code, line_starts(text), definitions)


def text_and_code(path: Path, data: bytes) -> tuple[str, Language, str, str]:
    """A file's text and language, the text without comments, and that without strings."""
    text = decoded(data, path).replace("\r\n", " \n").replace("\r", "\n")
    language = language_of(path, text)
    return text, language, *without_comments(text, language)


def line_starts(text: str) -> list[int]:
    """Where each line begins."""
    return [0, *(match.end() for match in re.finditer("\n", text))]


def decoded(data: bytes, path: Path) -> str:
    """A source's text. InputError for a binary, and for more than LARGEST bytes."""
    if len(data) > LARGEST:
        message = f"more than {LARGEST:,} bytes: expected an engine's source"
        raise InputError([Problem(message, file=str(path))])
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", "replace")
    if b"\0" in data:
        raise InputError([Problem("is a binary: expected an engine's source", file=str(path))])
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        text = data.decode("latin-1")
    return text.removeprefix("\ufeff")
