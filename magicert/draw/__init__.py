"""Pictures as SVG, and the pages that hold them: boards, buffers, charts.

    page          one self-contained HTML page
    style         the colours and rules of pages and pictures, light and dark
    buffer_map    who uses which slot of a buffer
    board         a piece on a board, and a number for each square
    word            a 64-bit word, with what is known of which bits
    chart         a figure that falls with time; bytes against time
    markup        elements; what is text stays text

Everything that is drawn goes through `markup`, which escapes it once. No file here knows
tables or verification: a picture is drawn from plain numbers.
"""
