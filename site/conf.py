"""Sphinx's settings for the site. `make site` runs it on what site/build.py has gathered."""

import re
from typing import Any

project = "magicert"
author = "the authors of magicert"
copyright = "MIT licence"  # noqa: A001
root_doc = "index"
extensions = ["myst_parser", "sphinx.ext.autodoc"]
myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 3
autodoc_typehints = "signature"
add_module_names = False
autodoc_member_order = "bysource"
html_theme = "furo"
html_title = "magicert"
html_static_path = ["_static"]
html_css_files = ["pictures.css", "site.css"]
html_js_files = ["long_tables.js"]
templates_path = ["_templates"]
html_theme_options = {"navigation_with_keys": True}
html_show_sphinx = False
html_show_copyright = False
smartquotes = False  # "--option" stays as it is
html_show_sourcelink = False
exclude_patterns = ["README.md"]
# Dialects that no highlighter knows stay plain.
highlight_language = "none"
# Examples in table files have "..." where numbers go.
suppress_warnings = ["misc.highlighting_failure"]
nitpicky = False


DATE = re.compile(r"(?<![\w/-])\d{4}-\d\d-\d\d(?![\w/-])")
TEXT = re.compile(r"(?<=>)[^<>]+(?=<)")
"""What stands between two tags."""


def keep_dates_whole(
    _app: object, _page: str, _template: str, context: dict[str, Any], _: object
) -> None:
    """Put each date into an element that site.css does not break: browsers do, at hyphens."""
    context["body"] = TEXT.sub(
        lambda text: DATE.sub(r'<span class="date">\g<0></span>', text[0]), context.get("body", "")
    )


def setup(app: Any) -> None:  # noqa: ANN401
    """What Sphinx calls."""
    app.connect("html-page-context", keep_dates_whole)
