"""From the text of a source to nested brackets.

    conditions   `#if` alternatives: each is read as a source of its own
    tree         the brackets, nested
    tokens       numbers, names, strings, brackets, separators, with their places
    lexing       Pygments tells comments from strings from code; comments go
    quiet        lines that cannot matter are left out before that

Lines keep their numbers all the way.
"""
