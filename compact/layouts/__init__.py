"""Who sits where in a buffer: as it is worked on, as a value, and as a table file.

two_level    buffers of small numbers, and the attack sets that they number
layout       a buffer's seats, to and from table files
shapes       which packing scheme a table's formula is
arrangement  seats while they are being packed
bitset       slots as the bits of words, compiled
bounds       what no layout can beat
"""
