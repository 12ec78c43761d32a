"""Elements of SVG and HTML. Text is escaped here, once, by the standard library's serialiser."""

import json
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from magicert.problem import printable

SVG = "http://www.w3.org/2000/svg"


def element(tag: str, *inside: "Element | str | int", **attributes: "str | int | float") -> Element:
    """An element with what is inside it. `class_` stands for class, `data_copy` for data-copy.

    Control characters, which no page may hold, are spelt as in Python.
    """
    made = Element(tag)
    for name, value in attributes.items():
        text = f"{value:g}" if isinstance(value, float) else str(value)
        made.set(name.rstrip("_").replace("_", "-"), _clean(text))
    for part in inside:
        if isinstance(part, Element):
            made.append(part)
        elif len(made):
            made[-1].tail = (made[-1].tail or "") + _clean(str(part))
        else:
            made.text = (made.text or "") + _clean(str(part))
    return made


def _clean(text: str) -> str:
    return "\n".join(map(printable, text.split("\n")))


def json_element(identifier: str, data: bytes) -> Element:
    """A JSON document inside a page; nothing in it can end its element."""
    safe = json.dumps(json.loads(data), separators=(",", ":"))
    for character in "<>&":
        safe = safe.replace(character, f"\\u{ord(character):04x}")
    # Not through `element`: this text is neither changed nor escaped again.
    made = element("script", type="application/json", id=identifier)
    made.text = safe
    return made


def code_element(tag: str, text: str) -> Element:
    """A style or a script of our own, which stands in the page as it is written."""
    if "</" in text:
        raise AssertionError(f"this would end the {tag}: {text[text.index('</') :][:40]}")
    made = element(tag)
    made.text = text
    return made


def as_html(root: Element) -> str:
    """An element as part of an HTML page."""
    return ElementTree.tostring(root, encoding="unicode", method="html")


def as_svg(picture: Element, style: str, title: str, tool: str) -> str:
    """A picture as a file of its own."""
    style_element = element("style")
    style_element.text = style
    whole = element("svg", xmlns=SVG, **{key: str(value) for key, value in picture.items()})
    whole.append(element("title", title))
    whole.append(style_element)
    whole.extend(child for child in picture if child.tag != "title")
    ElementTree.indent(whole, "")
    text = ElementTree.tostring(whole, encoding="unicode", short_empty_elements=True)
    return f"<!-- Written by magicert {tool} -->\n{text}\n"
