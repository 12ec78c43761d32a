"""Pictures as SVG, and the pages that hold them: boards, buffers, charts.

Everything that is drawn goes through `markup`, which escapes it once. No file here knows
tables or verification: a picture is drawn from plain numbers.
"""
