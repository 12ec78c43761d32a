"""Shards of a cell: cut, run, written down.

certificate   the certificate of a finished cell
recount       the survivors of a chain, counted apart from the search
shard         one subtree, run from its root to its end
stream        the leaf stream
work          what there is to do of a cell, and what a shard comes to
"""
