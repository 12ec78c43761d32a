"""The ledger of finished shards, and settling a cell shard by shard.

replay     finished shards, done again
settle     the shards of a cell, on one process, several, or a cluster's
cluster    an executor on a Dask cluster
ledger     which shards are done: claims, results, what is damaged
summary    how far a cell is
rows       a shard's row, with its seal
schema     the tables, and how an older ledger becomes a new one
claims     which clients are alive
"""
