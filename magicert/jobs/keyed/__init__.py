"""Keys: the work behind --keys.

emit_keys  a lookup of keys as source
same_keys  is a certificate about these keys?
find_keys  a magic for keys, with the fewest bits
"""
