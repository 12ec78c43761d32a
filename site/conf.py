"""Sphinx's settings for the site. `make site` runs it on what site/build.py has gathered."""

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
