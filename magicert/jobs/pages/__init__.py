"""Tables and the atlas as pages and pictures.

report          a table or a source, verified, as one page
findings        what is wrong, on boards
numbers         the numbers of a table, to be copied
atlas_page      the atlas as a page
slider          one slider on a board
usage           who uses which slot of which buffer, and its map
"""
