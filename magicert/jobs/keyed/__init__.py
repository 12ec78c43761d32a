"""Keys: the work behind --keys.

find_keys  a magic for keys, with the fewest bits
"""
