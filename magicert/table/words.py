"""How keys, values and limits are named in messages."""

import math

from magicert.table.locate import KeyPath


def key_text(path: KeyPath) -> str:
    """A key path as people write it: "rook.magic[3]"."""
    text = ""
    for part in path:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else part
    return text


def found_text(value: object) -> str:
    """A short description of a value that has the wrong type or size."""
    match value:
        case bool():
            return "true" if value else "false"
        case int():
            sign = "-" if value < 0 else ""
            large = value.bit_length() > 100
            return f"{sign}2^{value.bit_length() - 1} or more" if large else str(value)
        case float():
            return f"{value:.3e}" if 1e30 <= abs(value) < math.inf else str(value)
        case str():
            return repr(value if len(value) <= 40 else value[:37] + "...")
        case list():
            return f"a list of {len(value)}"
        case dict():
            return "a section"
        case _:
            return f"{type(value).__name__} {value}"


def limit_text(number: int) -> str:
    """A limit, as a power of two where that is what it is."""
    power = (number + 1).bit_length() - 1
    if number + 1 == 1 << power and power > 10:
        return f"2^{power} - 1"
    power = number.bit_length() - 1
    return f"2^{power}" if number == 1 << power and power > 10 else str(number)
