"""What `import magicert` offers to programs: a handful of functions over the doors of the rooms.

    certify       magics that are in memory, a table, a source: right for all occupancies?
    tables        reading, packing and emitting tables
    cells         finding magics, and proofs that there is none
    certificates  checking certificates; the atlas as data
    drawn         a verification's report, and its findings as boards
    numbers       a table from numbers of Python or numpy
    asked         pieces, squares and files as callers name them; who watches

The public names are listed in `magicert/__init__.py`. docs/api.md has examples.
The command line calls the same jobs.
"""
