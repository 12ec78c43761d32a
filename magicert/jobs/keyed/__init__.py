"""Keys: the work behind --keys.

emit_keys  a lookup of keys as source
find_keys  a magic for keys, with the fewest bits
"""
