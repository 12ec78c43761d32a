"""Comments and strings of a source, blanked: what is left stands where it stood."""

import re
from functools import cache

from magicert.languages.language import Language


def long_strings(language: Language) -> list[str]:
    """Patterns of the strings in which nothing is escaped."""
    patterns = []
    for text in sorted(language.texts, key=len, reverse=True):
        begin, _, end = text.partition(" ")
        rest = rf"(?:(?!{re.escape(end)})[\s\S])*+(?:{re.escape(end)})?" if end else r"[^\n]*+"
        patterns.append((r"(?<!\w)" if begin[0].isalpha() else "") + re.escape(begin) + rest)
    return patterns


@cache
def _lexer(language: Language) -> re.Pattern[str]:
    """Strings, comments and numbers, whichever comes first; each is found in linear time."""
    comments = []
    for text in sorted(language.comments, key=len, reverse=True):
        begin, _, end = text.removesuffix(" nested").partition(" ")
        if end and "nested" not in text:
            last = re.escape(end)
            comments.append(rf"{re.escape(begin)}(?:(?:(?!{last})[\s\S])*+(?:{last})?)")
        else:
            # C joins lines before it knows of comments.
            line = r"(?:[^\n\\]|\\[ \t]*\n|\\)*+" if language.is_c else r"[^\n]*+"
            comments.append(re.escape(begin) + ("" if end else line))
    if language.continued:
        comments.append(language.continued)
    if language.name == "Ruby":
        comments.insert(0, r"^=begin[\s\S]*?(?:^=end|\Z)")
    strings = long_strings(language)
    if language.name != "Visual Basic":
        strings.append(r"'(?:\\[^\n]|[^'\\\n])'")
    if language.is_c:
        strings.insert(0, r'R"(?P<raw>[^(\s"]{0,16})\((?:(?!\)(?P=raw)")[\s\S])*+(?:\)(?P=raw)")?')
    for quote in language.quotes:
        inside = r"[^`\\]" if quote == "`" else rf"[^{quote}\\\n]"
        strings.append(rf"{quote}(?:\\[\s\S]|{inside})*+{quote}?")
    # Of numbers those that hide nothing are passed over: large tables have hundreds of thousands.
    number = r"(?<!\w)\d\w*+'[\w']*+" if language.is_c else r"(?<!\w)\d\w*"
    number = "(?!)" if language.family == "slash" else number
    return re.compile(
        rf"(?P<string>{'|'.join(strings)})|(?P<comment>{'|'.join(comments)})|{number}", re.MULTILINE
    )


def _nested_end(text: str, start: int, language: Language) -> int:
    """Where the nesting comment that begins at a place ends; the place itself if it is none."""
    for comment in language.comments:
        if comment.endswith("nested"):
            begin, end = comment.split()[:2]
            if text.startswith(begin, start):
                depth = 0
                for mark in re.finditer(f"{re.escape(begin)}|{re.escape(end)}", text[start:]):
                    depth += 1 if mark[0] == begin else -1
                    if depth == 0:
                        return start + mark.end()
                return len(text)
    return start


def blank(text: str, start: int, end: int) -> str:
    """Spaces for the characters of a part of the text; its lines stay."""
    return re.sub(r"[^\n]", " ", text[start:end])


def without_comments(text: str, language: Language) -> tuple[str, str]:
    """The text with its comments blanked; and the same with its strings blanked as well."""
    plain: list[str] = []
    code: list[str] = []
    done = place = 0
    lexer = _lexer(language)
    while (match := lexer.search(text, place)) is not None:
        place = match.end()
        if match["comment"]:
            place = max(place, _nested_end(text, match.start(), language))
        elif not match["string"]:
            continue
        spaces = blank(text, match.start(), place)
        before = text[done : match.start()]
        plain += [before, spaces if match["comment"] else text[match.start() : place]]
        code += [before, spaces]
        done = place
    return "".join([*plain, text[done:]]), "".join([*code, text[done:]])
