"""C's macros with parameters, expanded by their text as a preprocessor does.

    #define WORD(high, low) 0x##high##low##ULL        WORD(12, 34)  ->  0x1234ULL

A macro that has two definitions is none: which one counts, only a preprocessor knows.
"""

import re
from collections.abc import Mapping

from magicert.languages.brackets import arguments_of

DEFINE = re.compile(
    r"^[ \t]*#[ \t]*define[ \t]+(?P<name>\w+)(?P<params>\([^()\n]*\))?"
    r"(?P<body>(?:[^\n\\]|\\[^\n]|\\\n)*)",
    re.MULTILINE,
)
DEEPEST_NAME = 12
"""Names that stand for each other, or macros in macros: more are not followed."""
Macros = Mapping[str, tuple[tuple[str, ...], str] | None]
"""By their names, their parameters and bodies; None for one that has two definitions."""
_CALLED = re.compile(r"\b([A-Za-z_]\w*)[ \t]*\(")


def macros_with_parameters(code: str) -> Macros:
    """Those that a source of C defines."""
    macros: dict[str, tuple[tuple[str, ...], str] | None] = {}
    for match in DEFINE.finditer(code):
        if match["params"]:
            names = tuple(re.findall(r"[\w.]+", match["params"]))
            definition = (names, match["body"].replace("\\\n", " "))
            macros[match["name"]] = (
                definition if macros.get(match["name"], definition) == definition else None
            )
    return macros


def expansion(macros: Macros, name: str, call: str) -> str | None:
    """A macro's body with the arguments of a call in it, and the macros in that expanded; None
    where it is no macro.
    """
    replaced = _replaced(macros, name, call)
    if replaced is None:
        return None
    body, _ = replaced
    for _ in range(DEEPEST_NAME):  # macros in its body
        calls = (m for m in _CALLED.finditer(body) if m[1] in macros)
        inner_call = next(calls, None)
        inner = _replaced(macros, inner_call[1], body[inner_call.start() :]) if inner_call else None
        if inner_call is None or inner is None:
            break
        start = inner_call.start()
        body = f"{body[:start]}{inner[0]}{body[start + inner[1] :]}"
    return body


def _replaced(macros: Macros, name: str, call: str) -> tuple[str, int] | None:
    """A macro's body with the arguments of a call in it, and the place behind the call; None
    where it is no macro.
    """
    macro = macros.get(name)
    # As they are written: what a macro pastes need be no number yet.
    arguments, end = arguments_of(call, call.find("(") + 1)
    if macro is None or len(macro[0]) != len(arguments):
        return None
    texts = (argument.replace("\\", "") for argument in arguments)
    by_name = dict(zip(macro[0], texts, strict=True))
    body = re.sub(r"(?<!\w)[A-Za-z_]\w*", lambda word: by_name.get(word[0], word[0]), macro[1])
    return re.sub(r"(?<![ \t])[ \t]*+##[ \t]*+", "", body), end
