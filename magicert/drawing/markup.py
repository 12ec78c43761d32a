"""Elements of SVG and HTML, and pages: self-contained, they ask no server for anything.

Text is escaped here, once, by the standard library's serialiser. The style is for a screen of any
width, light or dark, or paper.
"""

import json
from base64 import b64encode
from collections.abc import Iterable, Sequence
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from magicert.problem import printable

SVG = "http://www.w3.org/2000/svg"
PICTURES = """
svg{--light:#f1ece0;--dark:#d9cfb8;--ink:#23221f;--quiet:#6d685d;--ground:#e4dfd3;--reach:#4a90c2;
--differ:#c8321e;--good:#b9d8a8;--twice:#a9cbe8;--once:#f3d48c;--open:#f0ab98;--none:#cfd6dd}
@media (prefers-color-scheme:dark){svg{--light:#4a4740;--dark:#37342e;--ink:#f0ece2;--quiet:#a8a294;
--ground:#33312d;--reach:#5ba3d6;--differ:#ff6b52;--good:#3f6b3a;--twice:#2f587a;
--once:#7a5c1c;--open:#84402f;--none:#4b535b}}
svg text{font-family:system-ui,sans-serif;text-anchor:middle;fill:var(--ink)}
.board .light{fill:var(--light)}.board .dark{fill:var(--dark)}
.board .name{font-size:.5px;fill:var(--quiet)}.pair .board .name,.board g>.name{font-size:.7px}
.board .attacked{fill:var(--reach);opacity:.75}
.board .differs{fill:none;stroke:var(--differ);stroke-width:.12}
.board .blocker{fill:var(--ink)}.board .slider{fill:var(--ink)}
.board .letter{font-size:.56px;font-weight:700;fill:var(--light)}
.board .first{font-size:.38px;font-weight:700}.board .more{font-size:.25px}
.board .second{font-size:.34px}
.board .settled{fill:var(--good)}.board .recounted{fill:var(--twice)}
.board .counted{fill:var(--once)}.board .open{fill:var(--open)}.board .plain{fill:var(--none)}
.board .key{font-size:.4px;text-anchor:start}
.board .bad{fill:none;stroke:var(--differ);stroke-width:.08}
.map{shape-rendering:crispEdges}.map .ground{fill:var(--ground)}
.map path{fill:none;stroke-width:1}.map .ground{stroke:none;fill:var(--ground)}
.chart text{font-size:12.5px;text-anchor:start;fill:var(--quiet)}.chart .end{text-anchor:end}
.chart .axis{fill:none;stroke:var(--quiet)}
.chart .line{fill:none;stroke:var(--reach);stroke-width:2}
.plane .grid{fill:none;stroke:var(--ground)}
.plane .lead{fill:none;stroke:var(--quiet);stroke-width:.6}
.plane .middle{text-anchor:middle}
.plane circle.on{fill:var(--reach)}.plane circle.off{fill:var(--quiet)}
.plane text.on{fill:var(--ink);font-weight:600}.plane .line{stroke-dasharray:4 3;stroke-width:1.5}
.word text{font-size:1.5px}.word .caption{font-size:1.5px;text-anchor:start;fill:var(--quiet)}
.word .known{fill:var(--reach)}.word .unknown{fill:var(--none)}
""".strip()
"""What every picture needs, inside a page or alone."""

PAGE = """
:root{color-scheme:light dark;--ink:#23221f;--quiet:#5f5b52;--paper:#fffdf8;--box:#f4f0e6;
--valid:#1d6b2f;--invalid:#a3220f}
@media (prefers-color-scheme:dark){:root{
--ink:#ece8de;--quiet:#a8a294;--paper:#1d1c1a;--box:#2a2825;
--valid:#7fd491;--invalid:#ff8f78}}
body{margin:0 auto;max-width:62rem;padding:1rem;font:16px/1.5 system-ui,sans-serif;
color:var(--ink);background:var(--paper);overflow-wrap:anywhere}
.pair figcaption{font-size:.75rem}
h1{font-size:1.5rem;line-height:1.25}h2{font-size:1.2rem;margin-top:2rem}
.verdict{font-size:1.15rem;font-weight:700;padding:.6rem .8rem;border-left:.4rem solid;
background:var(--box)}
.valid{color:var(--valid)}.invalid,.unknown{color:var(--invalid)}
.row{display:flex;flex-wrap:wrap;gap:1rem}.row>*{flex:1 1 17rem;min-width:0;max-width:28rem}
.pair{display:grid;grid-template-columns:1fr 1fr;gap:1rem;max-width:48rem}
figure{margin:0 0 1rem}figcaption,.quiet{color:var(--quiet);font-size:.9rem}
.board{width:100%;max-width:28rem;display:block}.map{width:100%;display:block}
.key .board{max-width:13rem}.chart{max-width:28rem;width:100%}
table{border-collapse:collapse;max-width:100%}td,th{padding:.15rem .6rem .15rem 0;text-align:left;
vertical-align:top}th{overflow-wrap:normal}td.number{text-align:right}
pre,code{font:13px/1.45 ui-monospace,monospace}
pre{background:var(--box);padding:.6rem;overflow-x:auto;white-space:pre-wrap}
button{font:inherit;padding:.2rem .8rem}
article{display:none}article:target{display:block}a{color:inherit}
@media print{body{max-width:none;background:#fff;color:#000}button{display:none}
article{display:block}figure,tr,.pair{break-inside:avoid}.pair{max-width:30rem}
h2,h3,h3+p{break-after:avoid}pre{white-space:pre-wrap}}
""".strip()
"""What a page of ours needs besides."""
COPY = """
for (const button of document.querySelectorAll("button[data-copy]")) {
  button.addEventListener("click", async () => {
    const text = document.getElementById(button.dataset.copy);
    try {
      await navigator.clipboard.writeText(text.textContent);
      button.textContent = "copied";
    } catch {
      getSelection().selectAllChildren(text);
      button.textContent = "selected: press Ctrl+C";
    }
  });
}
""".strip()


def element(tag: str, *inside: "Element | str | int", **attributes: "str | int | float") -> Element:
    """An element with what is inside it. `class_` stands for class, `data_copy` for data-copy.

    Control characters, which no page may hold, are spelt as in Python.
    """
    node = Element(tag)
    for name, value in attributes.items():
        text = f"{value:g}" if isinstance(value, float) else str(value)
        node.set(name.rstrip("_").replace("_", "-"), _clean(text))
    for part in inside:
        if isinstance(part, Element):
            node.append(part)
        elif len(node):
            node[-1].tail = (node[-1].tail or "") + _clean(str(part))
        else:
            node.text = (node.text or "") + _clean(str(part))
    return node


def _clean(text: str) -> str:
    return "\n".join(map(printable, text.split("\n")))


def json_element(identifier: str, data: bytes) -> Element:
    """A JSON document inside a page; nothing in it can end its element."""
    safe = json.dumps(json.loads(data), separators=(",", ":"))
    for character in "<>&":
        safe = safe.replace(character, f"\\u{ord(character):04x}")
    # Not through `element`: this text is neither changed nor escaped again.
    script = element("script", type="application/json", id=identifier)
    script.text = safe
    return script


def code_element(tag: str, text: str) -> Element:
    """A style or a script of our own, which stands in the page as it is written."""
    if "</" in text:
        raise AssertionError(f"this would end the {tag}: {text[text.index('</') :][:40]}")
    code = element(tag)
    code.text = text
    return code


def as_html(root: Element) -> str:
    """An element as part of an HTML page."""
    return ElementTree.tostring(root, encoding="unicode", method="html")


def joined(pictures: Sequence[Element], gap: int = 1, *, upright: bool = False) -> Element:
    """Several pictures as one: side by side, or one below the other."""
    whole, at, widest = element("svg", class_=str(pictures[0].get("class")), role="img"), 0, 0
    for picture in pictures:
        sizes = [int(number) for number in picture.get("viewBox", "").split()[2:]]
        along, across = sizes[::-1] if upright else sizes
        part = element("g", *picture)
        part.set("transform", f"translate(0 {at})" if upright else f"translate({at} 0)")
        whole.append(part)
        at, widest = at + along + gap, max(widest, across)
    width, height = (widest, at - gap) if upright else (at - gap, widest)
    whole.set("viewBox", f"0 0 {width} {height}")
    return whole


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


def html_page(title: str, body: Iterable[Element], tool: str) -> str:
    """A whole page. Nothing in it can be loaded from anywhere: the policy says so."""
    policy = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'"
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=policy),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="generator", content=f"magicert {tool}"),
        element("title", title),
        code_element("style", f"{PICTURES}\n{PAGE}"),
    )
    page = element("html", head, element("body", *body, code_element("script", COPY)), lang="en")
    return f"<!DOCTYPE html>\n<!-- Written by magicert {tool} -->\n{as_html(page)}\n"


def copied(identifier: str, text: str) -> Element:
    """A text with a button that copies it."""
    return element(
        "div", element("button", "copy", type="button", data_copy=identifier),
        element("pre", text, id=identifier),
    )  # fmt: skip


def image(picture: Element, text: str, width: str) -> Element:
    """A picture as an image whose data stand in the page: neither's style touches the other."""
    svg = as_svg(picture, PICTURES, text, "for a notebook").encode("utf-8")
    source = f"data:image/svg+xml;base64,{b64encode(svg).decode('ascii')}"
    return element("img", src=source, alt=text, style=f"width:{width}")


def figure(picture: Element, caption: str) -> Element:
    """A picture with a line below it."""
    return element("figure", picture, element("figcaption", caption))


def facts(rows: Iterable[tuple[str, str]]) -> Element:
    """A table of names and values."""
    return element(
        "table", *(element("tr", element("th", name), element("td", text)) for name, text in rows)
    )
