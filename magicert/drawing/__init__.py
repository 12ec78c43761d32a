"""Boards and pages from plain numbers: as text, as HTML and as SVG."""
