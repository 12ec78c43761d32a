"""One self-contained HTML page: it asks no server for anything, and works from a file."""

from collections.abc import Iterable
from xml.etree.ElementTree import Element

from magicert.draw.markup import as_html, code_element, element
from magicert.draw.style import PAGE, PICTURES

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


def figure(picture: Element, caption: str) -> Element:
    """A picture with a line below it."""
    return element("figure", picture, element("figcaption", caption))


def facts(rows: Iterable[tuple[str, str]]) -> Element:
    """A table of names and values."""
    return element(
        "table", *(element("tr", element("th", name), element("td", text)) for name, text in rows)
    )
