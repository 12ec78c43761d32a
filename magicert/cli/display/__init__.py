"""How results look: on a terminal, in a pipe, as JSON.

formats          for GitHub and code scanning: on the line of the wrong number
frontier         bytes against time
overlaid         a packing into two levels, overlaid
layered          a layered packing
progress         a bar, or lines, on stderr
source_report    what was read from a source
report           a verification
keys             does a magic exist, and of how few bits?
outcomes         does a magic exist?
packing          a packing, for --json
pieces           pieces of any board: a set, the bytes of its forms
sets             a magic for every square
documents        what --json prints
layouts          the eight square orders
boards           boards as text
"""
